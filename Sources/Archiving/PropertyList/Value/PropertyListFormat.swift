// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A format of property lists.
public enum PropertyListFormat: Hashable, Sendable, CaseIterable {
    /// Apple's binary format: starts with "bplist00", is compact, and represents every value.
    case binary
    /// Apple's XML format, in UTF-8, which can be read and edited as text. It has no null, no set and no 32-bit real.
    case xml
}

// MARK: - Detection

extension PropertyListFormat {
    /// Detects the format of `data` from its first bytes; `nil` if they match neither format.
    ///
    /// A binary list starts with "bplist0". XML starts with `<`, after an optional byte order mark and white space, in
    /// UTF-8 or UTF-16. The rest is not examined.
    public init?(detectedIn data: Data) {
        guard let format = PropertyListFormat(detectedIn: StoredBytes(data)) else { return nil }
        self = format
    }

    package init?(detectedIn bytes: StoredBytes) {
        if BinaryPropertyListReader.hasHeader(bytes) {
            self = .binary
        } else if XMLEncoding(detectedIn: bytes) != nil {
            self = .xml
        } else {
            return nil
        }
    }
}

// MARK: - Limits

/// The limits of readers and writers of both formats, for every list.
package enum PropertyListLimits {
    /// The number of levels of nested containers, as in CoreFoundation. Within it, recursion over a value, as in its
    /// deinitialization, fits on the stack of any thread.
    package static let nesting = 512

    /// The number of bytes that every list may expand to.
    static let expansionFloor = 16 << 20
    /// The number of bytes that a list may expand to for each byte of the file.
    static let expansionFactor = 128

    /// The maximum number of bytes that a list of `byteCount` bytes may expand to.
    ///
    /// Many references may name one object of a binary list, and so a few hundred bytes can describe a tree of 2^100
    /// leaves ("billion laughs"). Code that expands a list counts bytes and stops at this limit.
    static func expansion(ofByteCount byteCount: Int) -> Int {
        proportional(expansionFloor, perByte: expansionFactor, ofByteCount: byteCount)
    }

    /// `floor`, and `perByte` for each of `byteCount` bytes; `Int.max` if that is more.
    static func proportional(_ floor: Int, perByte: Int, ofByteCount byteCount: Int) -> Int {
        let (product, overflow) = byteCount.multipliedReportingOverflow(by: perByte)
        return overflow || product > Int.max - floor ? Int.max : product + floor
    }
}
