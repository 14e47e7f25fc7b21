// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Constants of the keyed-archive format.
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
