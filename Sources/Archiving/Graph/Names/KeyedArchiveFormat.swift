// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

package enum KeyedArchiveFormat {
    package static let version = 100_000
    package static let archiver = "NSKeyedArchiver"
    /// `NS.mantissa.bo`: Cocoa's `NSByteOrder`.
    static let littleEndian = 1
    static let bigEndian = 2
    /// The key of the root object in `$top`, Cocoa's `NSKeyedArchiveRootObjectKey`.
    package static let rootKey = "root"
    /// The key of the indexes in the root of the file, which only documents have.
    package static let indexesKey = "$indexes"
    /// The maximum number of keys of a class entry, of names in `$classes`, and of bytes in a class name. Real classes have
    /// fewer. Without these limits, each object of a hostile archive could have a class as long as the archive.
    package static let classEntryLimit = 64
    package static let superclassLimit = 128
    package static let classNameLimit = 16 << 10
}

/// The handling of keys that start with "$", which the format reserves.
///
/// A program's key that starts with "$" has another "$" in front in the archive.
enum KeyMangling {
    static func archivedKey(_ name: String) -> String { name.utf8.first == UInt8(ascii: "$") ? "$" + name : name }

    /// Returns the program's key for `name` in an archive; `nil` for a key of the format.
    static func userKey(_ name: String) -> String? {
        // Compares code units, because the character "$" may have a combining mark.
        guard name.utf8.first == UInt8(ascii: "$") else { return name }
        let rest = name.utf8.dropFirst()
        return rest.first == UInt8(ascii: "$") ? String(decoding: rest, as: UTF8.self) : nil
    }
}
