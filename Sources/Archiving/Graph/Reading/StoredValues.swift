// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// Values of fields that are read in place, for readers that decode no object. Each function returns nil if the value has another form or
// kind, or is damaged: the decoder then has the value, or the error.

extension ArchiveContents {
    /// Returns the uid at `reference`; 0 for nil, and nil for a value in line.
    package func storedUID(_ reference: Int) -> UInt32? {
        if let uid = shortUID(reference) { return uid }
        guard let node = try? node(reference), node.kind == .uid else { return nil }
        return try? uid(node)
    }

    package func storedInteger(_ reference: Int) -> Int? {
        if let offset = leafOffset(reference), let number: Int = integerLeaf(at: offset) { return number }
        return resolved(reference) { value throws(ValueFailure) in try requiredInteger(value) }
    }

    package func storedReal(_ reference: Int) -> Double? {
        if let offset = leafOffset(reference), let number = doubleLeaf(at: offset) { return number }
        return resolved(reference) { value throws(ValueFailure) in try requiredReal(value) }
    }

    package func storedFloat(_ reference: Int) -> Float? {
        if let offset = leafOffset(reference), let number = floatLeaf(at: offset) { return number }
        return resolved(reference) { value throws(ValueFailure) in try requiredReal(value) }
    }

    package func storedBoolean(_ reference: Int) -> Bool? {
        if let offset = leafOffset(reference), let value = booleanLeaf(at: offset) { return value }
        return resolved(reference) { value throws(ValueFailure) in try requiredBool(value) }
    }

    package func storedText(_ reference: Int) -> String? {
        if let offset = leafOffset(reference), let text = stringLeaf(at: offset) { return text }
        return resolved(reference) { value throws(ValueFailure) in try requiredText(value) }
    }

    /// Returns the seconds from 2001-01-01 00:00 UTC to the date at `reference`.
    package func storedDate(_ reference: Int) -> Double? {
        guard let value = try? value(reference), !isNil(value) else { return nil }
        return try? date(value)
    }

    package func isStoredNil(_ reference: Int) -> Bool {
        guard let value = try? value(reference) else { return false }
        return isNil(value)
    }

    /// Returns the position of the entry with the key `name` in the object `node`; nil if it has none.
    ///
    /// - Complexity: O(*n*), where *n* is the number of entries.
    package func storedPosition(of name: String, in node: Node) -> Int? {
        guard (try? countWork(node.count)) != nil else { return nil }
        for position in 0..<node.count where isStoredKey(list.reference(position, in: node.payload), name) {
            return position
        }
        return nil
    }

    package var excess: KeyedArchiveError? { meter?.excess }

    package func isStoredKey(_ reference: Int, _ name: String) -> Bool {
        if let isEqual = try? isASCII(reference, name), isEqual { return true }
        guard let node = try? node(reference), node.kind == .utf16, node.count <= name.utf8.count else { return false }
        return text(node) == Array(name.utf8)
    }

    private func resolved<Leaf>(
        _ reference: Int, _ read: (ArchivedValue) throws(ValueFailure) -> Leaf
    ) -> Leaf? {
        guard let value = try? value(reference), !isNil(value) else { return nil }
        return try? read(value)
    }
}

// MARK: - Texts

/// A text that stored texts are compared with.
///
/// Strings compare and search characters. The bytes of ASCII texts give the same results, unless a line break of two bytes, which is one
/// character, is divided.
package struct StoredPattern: Sendable {
    package let text: String
    fileprivate let bytes: [UInt8]
    fileprivate let isASCII: Bool
    /// The first byte, eight times.
    fileprivate let firstBytes: UInt64
    /// Whether neither end of the pattern can divide a character of an ASCII text.
    fileprivate let isWhole: Bool

    package init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
        isASCII = bytes.allSatisfy { $0 < 0x80 }
        firstBytes = UInt64(bytes.first ?? 0) &* 0x0101_0101_0101_0101
        isWhole = isASCII && !bytes.isEmpty && bytes.first != 0x0A && bytes.last != 0x0D
    }
}

extension ArchiveContents {
    /// Returns whether the text at `reference` contains `pattern`; nil if the bytes do not show it.
    package func storedText(_ reference: Int, contains pattern: StoredPattern) -> Bool? {
        guard pattern.isWhole, let range = asciiText(reference) else { return nil }
        let bytes = list.bytes
        let end = range.upperBound &- pattern.bytes.count &+ 1
        var start = range.lowerBound
        while start < end {
            // The first bytes of eight places are compared at once: equal ones become zero.
            let difference = bytes.loadedWord(at: start) ^ pattern.firstBytes
            var equal = (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
            while equal != 0 {
                let place = start &+ (equal.trailingZeroBitCount >> 3)
                if place >= end { return false }
                if hasBytes(pattern.bytes, at: place) { return true }
                equal &= equal &- 1
            }
            start &+= 8
        }
        return false
    }

    package func storedText(_ reference: Int, startsWith pattern: StoredPattern) -> Bool? {
        guard pattern.isWhole, let range = asciiText(reference) else { return nil }
        return range.count >= pattern.bytes.count && hasBytes(pattern.bytes, at: range.lowerBound)
    }

    package func storedText(_ reference: Int, equals pattern: StoredPattern) -> Bool? {
        guard pattern.isASCII, let range = asciiText(reference) else { return nil }
        return range.count == pattern.bytes.count && hasBytes(pattern.bytes, at: range.lowerBound)
    }

    @inline(__always)
    private func hasBytes(_ bytes: [UInt8], at offset: Int) -> Bool {
        for index in 0..<bytes.count where list.bytes.byte(at: offset &+ index) != bytes[index] { return false }
        return true
    }

    /// The place of the text at `reference` in its usual form, if it has only ASCII characters.
    @inline(__always)
    private func asciiText(_ reference: Int) -> Range<Int>? {
        guard let offset = leafOffset(reference) else { return nil }
        let range: Range<Int>
        if let count = list.shortText(at: offset) {
            range = offset + 1..<offset + 1 + count
        } else if let node = list.text(at: offset), node.kind == .ascii {
            range = node.payload..<node.payload + node.count
        } else {
            return nil
        }
        // "$null", which represents nil, has five bytes.
        guard range.count != 5 else { return nil }
        if let meter, (try? meter.countBytes(range.count)) == nil { return nil }
        // Some writers store UTF-8 in this form.
        var (bits, next): (UInt64, Int) = (0, range.lowerBound)
        while next &+ 8 <= range.upperBound {
            bits |= list.bytes.word(at: next)
            next &+= 8
        }
        while next < range.upperBound {
            bits |= UInt64(list.bytes.byte(at: next))
            next &+= 1
        }
        return bits & 0x8080_8080_8080_8080 == 0 ? range : nil
    }
}

extension StoredBytes {
    /// The eight bytes at `offset`, the first one lowest; zeros behind the last byte.
    @inline(__always)
    fileprivate func loadedWord(at offset: Int) -> UInt64 {
        if offset <= count &- 8 { return word(at: offset).byteSwapped }
        var word: UInt64 = 0
        for index in offset..<count { word |= UInt64(byte(at: index)) << UInt64(8 &* (index &- offset)) }
        return word
    }
}
