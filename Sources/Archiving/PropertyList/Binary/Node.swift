// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// One object of a binary property list: its kind, and the position of its contents.
package struct Node: BitwiseCopyable {
    package enum Kind: UInt8, BitwiseCopyable {
        case null, `false`, `true`, integer, real32, real64, date, data, ascii, utf16, uid, array, set, dictionary
    }

    package var kind: Kind
    /// The number of bytes of an integer, uid, data or ASCII string; the number of units of a UTF-16 string, of
    /// elements of an array or set, or of pairs of a dictionary.
    package var count: Int
    /// The offset of the contents.
    package var payload: Int

    package init(kind: Kind, count: Int, payload: Int) {
        self.kind = kind
        self.count = count
        self.payload = payload
    }

    /// The number of references in the contents.
    package var referenceCount: Int {
        switch kind {
        case .array, .set: count
        case .dictionary: count &* 2
        default: 0
        }
    }
}

extension Node {
    /// The number of bytes of data or of a string.
    package var byteCount: Int { kind == .utf16 ? count &* 2 : count }

    /// Whether the contents may extend over several pages of a file.
    var isLongLeaf: Bool {
        switch kind {
        case .data, .ascii, .utf16: count > 1 << 12
        default: false
        }
    }

    /// The offset of the end of the contents.
    package func end(referenceSize: Int) -> Int {
        switch kind {
        case .null, .false, .true: payload
        case .utf16: payload + 2 * count
        case .array, .set, .dictionary: payload + referenceCount * referenceSize
        default: payload + count
        }
    }
}
