#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How a property list is laid out in bytes.
public enum PropertyListFormat: Hashable, Sendable, CaseIterable {
    /// Apple's binary form: starts with "bplist00", is compact, and holds every value.
    case binary
    /// Apple's XML form, in UTF-8: can be read and edited as text. It has no null, no set and no 32-bit real.
    case xml
}

// MARK: - Detection

extension PropertyListFormat {
    /// The format that `data` is in, judged by its first bytes; nil where they are neither's.
    ///
    /// A binary list starts with "bplist0". XML starts with `<`, after a byte order mark and white space, if any, in UTF-8
    /// or UTF-16. Whether the rest is a property list, only reading it tells.
    public init?(detectedIn data: Data) {
        guard let format = data.withUnsafeBytes({ PropertyListFormat(detectedIn: $0) }) else { return nil }
        self = format
    }

    package init?(detectedIn bytes: UnsafeRawBufferPointer) {
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

/// How far readers and writers of either format follow what a list says, whoever made it.
package enum PropertyListLimits {
    /// The levels of containers in containers, as many as CoreFoundation follows. Within it, what recurses over a value,
    /// as its destruction does, gets by on the stack of any thread.
    package static let nesting = 512

    /// Bytes that a list may always unfold to.
    static let expansionFloor = 16 << 20
    /// Bytes that a list may unfold to for each byte of the file.
    static let expansionFactor = 128

    /// The most that a list of `byteCount` bytes may unfold to.
    ///
    /// Objects of a binary list may be referred to from many places, and a few hundred bytes can describe a tree of 2^100
    /// leaves that way ("billion laughs"). Whoever unfolds a list counts bytes and stops here.
    static func expansion(ofByteCount byteCount: Int) -> Int {
        let (product, overflow) = byteCount.multipliedReportingOverflow(by: expansionFactor)
        return overflow || product > Int.max - expansionFloor ? Int.max : product + expansionFloor
    }
}
