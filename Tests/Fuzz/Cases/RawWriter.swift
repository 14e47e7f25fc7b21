// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes property lists in the binary format with figures of one's own choice, also such as no writer would choose.
///
/// It shares nothing with the library's writer but the description of the format.
public struct RawWriter {
    /// The bytes of each entry of the offset table, 1 to 8; the narrowest unless set.
    public var offsetSize: Int?
    /// The bytes of each reference, 1 to 8; the narrowest unless set.
    public var referenceSize: Int?
    /// The least width of integers, as a power of two: 0 to 4.
    public var integerWidth = 0
    /// The least number of bytes of uids, 1 to 16; the narrowest of 1, 2 and 4 unless set.
    public var uidSize: Int?
    /// The least width of counts that follow their marker, as a power of two; nil if small counts are in the marker.
    public var countWidth: Int?
    /// Whether equal strings are one object.
    public var sharesStrings = true
    /// Whether the objects lie behind each other from the last to the first.
    public var isReversed = false
    /// Whether strings that ASCII could hold are UTF-16.
    public var prefersUTF16 = false

    /// A writer that writes as other writers do.
    public init() {}

    /// The list as a binary property list.
    public func bytes(of list: PropertyList) -> [UInt8] {
        var collection = Collection(writer: self)
        let top = collection.add(list)
        let count = collection.objects.count
        let width = referenceSize ?? Self.width(of: count)
        var result = Array("bplist00".utf8)
        var offsets = [Int](repeating: 0, count: count)
        for position in isReversed ? Array((0..<count).reversed()) : Array(0..<count) {
            offsets[position] = result.count
            collection.objects[position].append(to: &result, referenceSize: width)
        }
        let table = result.count
        let size = offsetSize ?? Self.width(of: table)
        for offset in offsets { result.append(number: UInt64(offset), size: size) }
        result += [0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: size), UInt8(truncatingIfNeeded: width)]
        for number in [count, top, table] { result.append(number: UInt64(number), size: 8) }
        return result
    }

    private static func width(of number: Int) -> Int { number < 0xFF ? 1 : number < 0xFFFF ? 2 : 4 }

    /// An object of the file: its bytes, and the objects that it refers to behind them.
    private struct Object {
        var head: [UInt8]
        var references: [Int] = []

        func append(to result: inout [UInt8], referenceSize: Int) {
            result += head
            for reference in references { result.append(number: UInt64(reference), size: referenceSize) }
        }
    }

    private struct Collection {
        let writer: RawWriter
        var objects: [Object] = []
        var strings: [String: Int] = [:]

        mutating func add(_ value: PropertyList) -> Int {
            if case .string(let text) = value { return add(string: text) }
            let position = objects.count
            objects.append(Object(head: []))
            objects[position] = object(value)
            return position
        }

        private mutating func add(string text: String) -> Int {
            if writer.sharesStrings, let known = strings[text] { return known }
            strings[text] = objects.count
            objects.append(Object(head: writer.head(ofString: text)))
            return objects.count - 1
        }

        private mutating func object(_ value: PropertyList) -> Object {
            switch value {
            case .array(let elements):
                Object(head: writer.head(0xA0, elements.count), references: elements.map { add($0) })
            case .set(let elements):
                Object(head: writer.head(0xC0, elements.count), references: elements.map { add($0) })
            case .dictionary(let entries):
                Object(
                    head: writer.head(0xD0, entries.count),
                    references: entries.map { add(string: $0.key) } + entries.map { add($0.value) })
            default: Object(head: writer.head(ofLeaf: value))
            }
        }
    }
}

// MARK: - Objects

extension RawWriter {
    /// A marker with its count.
    fileprivate func head(_ marker: UInt8, _ count: Int) -> [UInt8] {
        if countWidth == nil, count < 15 { return [marker | UInt8(count)] }
        return [marker | 0x0F] + integer(UInt64(count), least: countWidth ?? 0)
    }

    fileprivate func head(ofString text: String) -> [UInt8] {
        // CoreFoundation refuses empty strings in UTF-16.
        if !prefersUTF16 || text.isEmpty, text.utf8.allSatisfy({ $0 < 0x80 }) {
            return head(0x50, text.utf8.count) + Array(text.utf8)
        }
        let units = Array(text.utf16)
        return head(0x60, units.count) + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }

    fileprivate func head(ofLeaf value: PropertyList) -> [UInt8] {
        switch value {
        case .boolean(let flag): [flag ? 9 : 8]
        case .integer(let number): head(ofInteger: number)
        case .real(let number): [0x23] + bytes(number.bitPattern, 8)
        case .real32(let number): [0x22] + bytes(UInt64(number.bitPattern), 4)
        case .date(let date): [0x33] + bytes(date.timeIntervalSinceReferenceDate.bitPattern, 8)
        case .data(let data): head(0x40, data.count) + Array(data)
        case .uid(let uid):
            head(ofUID: UInt64(uid), size: max(uidSize ?? 1, uid <= 0xFF ? 1 : uid <= 0xFFFF ? 2 : 4))
        case .string(let text): head(ofString: text)
        default: [0]
        }
    }

    private func head(ofUID uid: UInt64, size: Int) -> [UInt8] {
        [0x80 | UInt8(size - 1)] + bytes(uid, size)
    }

    private func head(ofInteger number: Int128) -> [UInt8] {
        guard let small = Int64(exactly: number) else {
            return [0x14] + bytes(UInt64(truncatingIfNeeded: number >> 64), 8)
                + bytes(UInt64(truncatingIfNeeded: number), 8)
        }
        return small < 0
            ? [0x13] + bytes(UInt64(bitPattern: small), 8) : integer(UInt64(bitPattern: small), least: integerWidth)
    }

    private func integer(_ number: UInt64, least: Int) -> [UInt8] {
        let needed = number <= 0xFF ? 0 : number <= 0xFFFF ? 1 : number <= 0xFFFF_FFFF ? 2 : 3
        let width = max(needed, least)
        return [0x10 | UInt8(width)] + bytes(number, 1 << width)
    }

    private func bytes(_ number: UInt64, _ size: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(number: number, size: size)
        return bytes
    }
}

extension [UInt8] {
    /// Adds a number in `size` bytes, the most significant one first.
    mutating func append(number: UInt64, size: Int) {
        for place in (0..<size).reversed() {
            append(place < 8 ? UInt8(truncatingIfNeeded: number >> UInt64(8 * place)) : 0)
        }
    }

    /// Puts a number in `size` bytes at `offset`, as far as there are that many.
    mutating func store(number: UInt64, size: Int, at offset: Int) {
        for place in 0..<size where indices.contains(offset + place) {
            let shift = 8 * (size - 1 - place)
            self[offset + place] = shift < 64 ? UInt8(truncatingIfNeeded: number >> UInt64(shift)) : 0
        }
    }

    /// The number in `size` bytes at `offset`; nil where there are not that many, or it has more than 64 bits.
    func number(at offset: Int, size: Int) -> UInt64? {
        guard offset >= 0, size >= 0, size <= 16, offset <= count - size else { return nil }
        var number: UInt64 = 0
        for byte in self[offset..<offset + size] {
            guard number >> 56 == 0 else { return nil }
            number = number << 8 | UInt64(byte)
        }
        return number
    }
}
