// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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
