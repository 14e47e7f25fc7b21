// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

/// Where what is in a typedstream, as far as it can be made out: mutations need to know what they damage.
struct StreamLayout {
    /// What some bytes are.
    enum Kind: Hashable {
        /// An integer within a value.
        case integer
        /// The number of an entry of a table.
        case reference
        /// The number of bytes that follow.
        case length
        /// The version of a class, or of the system.
        case version
        /// A byte that says what follows.
        case tag
        /// The types of a group.
        case types
        /// The name of a class.
        case className
        /// Another text, or bytes.
        case text
        /// The bytes of a number with a fraction.
        case real
    }

    /// Some bytes.
    struct Token {
        let kind: Kind
        let range: Range<Int>
    }

    private(set) var tokens: [Token] = []
    /// Where groups are, with their types.
    private(set) var groups: [Range<Int>] = []
    /// Where objects are that are written in full.
    private(set) var objects: [Range<Int>] = []
    /// Where values of the type `@` are that are no object in full.
    private(set) var references: [Range<Int>] = []
    let isLittleEndian: Bool

    private let bytes: [UInt8]
    private var position = 13
    private var strings: [[UInt8]] = []
    private var items: [Item] = []

    /// What is to be read next.
    private enum Item {
        case group, classChain
        case groupEnd(Int)
        case objectContents(Int)
        case value(TypeEncoding)
        case values(TypeEncoding, Int)
    }

    /// The layout of `bytes`, up to where they make no sense any more; nil where they are no typedstream.
    init?(_ bytes: [UInt8]) {
        guard Self.isStream(bytes) else { return nil }
        self.bytes = bytes
        isLittleEndian = bytes[2] == UInt8(ascii: "s")
        guard integer(.version) != nil else { return }
        // Values without bytes may be very many.
        for _ in 0..<50_000 {
            guard position < bytes.count, step() else { return }
        }
    }

    /// Whether `bytes` begin like a typedstream.
    static func isStream(_ bytes: [UInt8]) -> Bool {
        bytes.count > 13 && bytes[1] == 11
            && (bytes[2..<13].elementsEqual("streamtyped".utf8) || bytes[2..<13].elementsEqual("typedstream".utf8))
    }

    /// The places of a kind.
    func places(_ kinds: Kind...) -> [Range<Int>] { tokens.filter { kinds.contains($0.kind) }.map(\.range) }

    // MARK: - Reading

    private mutating func step() -> Bool {
        guard let item = items.popLast() else {
            items.append(.group)
            return true
        }
        switch item {
        case .group:
            let start = position
            guard let text = sharedString(.types), let text,
                let types = try? TypeEncoding.list(String(decoding: text, as: UTF8.self))
            else { return false }
            items.append(.groupEnd(start))
            items += types.reversed().map { .value($0) }
            return true
        case .groupEnd(let start):
            groups.append(start..<position)
            return true
        case .objectContents(let start):
            guard position < bytes.count else { return false }
            guard bytes[position] == 0x86 else {
                items += [.objectContents(start), .group]
                return true
            }
            take(.tag, 1)
            objects.append(start..<position)
            return true
        case .classChain:
            guard let isNew = shared() else { return false }
            guard isNew else { return true }
            items.append(.classChain)
            return sharedString(.className) != nil && integer(.version) != nil
        case .values(let type, let count):
            guard count > 0 else { return true }
            if count > 1 { items.append(.values(type, count - 1)) }
            items.append(.value(type))
            return true
        case .value(let type): return value(type)
        }
    }

    private mutating func value(_ type: TypeEncoding) -> Bool {
        switch type.kind {
        case .character, .unsignedCharacter, .bool: return take(.integer, 1)
        case .float, .double:
            guard position < bytes.count else { return false }
            guard bytes[position] == 0x83 else { return integer(.integer) != nil }
            return take(.tag, 1) && take(.real, type == .float ? 4 : 8)
        case .cString:
            guard let isNew = shared() else { return false }
            return !isNew || sharedString(.text) != nil
        case .atom, .selector: return sharedString(.text) != nil
        case .bytes:
            guard position < bytes.count else { return false }
            guard bytes[position] != 0x85 else { return take(.tag, 1) }
            guard let length = integer(.length) else { return false }
            return take(.text, length)
        case .class:
            items.append(.classChain)
            return true
        case .object:
            let start = position
            guard let isNew = shared() else { return false }
            if isNew { items += [.objectContents(start), .classChain] } else { references.append(start..<position) }
            return true
        case .ignored: return true
        case .array(let count, .character), .array(let count, .unsignedCharacter): return take(.text, count)
        case .array(let count, let element):
            items.append(.values(element, min(count, bytes.count)))
            return true
        case .structure(_, let fields):
            items += fields.reversed().map { .value($0) }
            return true
        default: return integer(.integer) != nil
        }
    }

    /// Reads the tag of what may be shared: whether it follows; nil at the end of the bytes.
    private mutating func shared() -> Bool? {
        guard position < bytes.count else { return nil }
        if bytes[position] == 0x84 || bytes[position] == 0x85 {
            let isNew = bytes[position] == 0x84
            take(.tag, 1)
            return isNew
        }
        return integer(.reference).map { _ in false }
    }

    /// Reads a shared string; nil where there is none that makes sense.
    private mutating func sharedString(_ kind: Kind) -> [UInt8]?? {
        guard position < bytes.count else { return nil }
        switch bytes[position] {
        case 0x85:
            take(.tag, 1)
            return .some(nil)
        case 0x84:
            take(.tag, 1)
            guard let length = integer(.length), length >= 0, length <= bytes.count - position else { return nil }
            let text = Array(bytes[position..<position + length])
            take(kind, length)
            strings.append(text)
            return text
        default:
            guard let number = integer(.reference), strings.indices.contains(number &+ 110) else { return nil }
            return strings[number &+ 110]
        }
    }

    @discardableResult
    private mutating func take(_ kind: Kind, _ count: Int) -> Bool {
        guard count >= 0, count <= bytes.count - position else { return false }
        if count > 0 { tokens.append(Token(kind: kind, range: position..<position + count)) }
        position += count
        return true
    }

    private mutating func integer(_ kind: Kind) -> Int? {
        guard position < bytes.count else { return nil }
        let sizes: [UInt8: Int] = [0x81: 2, 0x82: 4, 0x87: 8]
        guard let size = sizes[bytes[position]] else {
            let value = Int(Int8(bitPattern: bytes[position]))
            return value >= -110 && take(kind, 1) ? value : nil
        }
        let start = position + 1
        guard take(kind, 1 + size) else { return nil }
        let digits = isLittleEndian ? bytes[start..<position].reversed() : Array(bytes[start..<position])
        let number = digits.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let shift = UInt64(64 - 8 * size)
        return Int(truncatingIfNeeded: Int64(bitPattern: number << shift) >> Int64(shift))
    }

    /// The integer at `place`, which is one of a token.
    func integer(at place: Range<Int>) -> Int {
        guard place.count > 1 else { return Int(Int8(bitPattern: bytes[place.lowerBound])) }
        let digits = bytes[place].dropFirst()
        let number = (isLittleEndian ? Array(digits.reversed()) : Array(digits)).reduce(UInt64(0)) {
            $0 << 8 | UInt64($1)
        }
        let shift = UInt64(64 - 8 * (place.count - 1))
        return Int(truncatingIfNeeded: Int64(bitPattern: number << shift) >> Int64(shift))
    }

    /// An integer as stored in the stream, in 1, 2, 4 or 8 bytes; in more if it does not fit.
    func bytes(of number: Int, size: Int) -> [UInt8] {
        if size == 1, (-110...127).contains(number) { return [UInt8(truncatingIfNeeded: number)] }
        let size = size == 1 ? 2 : size
        let digits = (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        let tags: [Int: UInt8] = [2: 0x81, 4: 0x82, 8: 0x87]
        return [tags[size] ?? 0x82] + (isLittleEndian ? digits : digits.reversed())
    }

    /// An integer in as few bytes as it needs.
    func bytes(of number: Int) -> [UInt8] {
        if (-110...127).contains(number) { return bytes(of: number, size: 1) }
        return bytes(of: number, size: Int16(exactly: number) != nil ? 2 : Int32(exactly: number) != nil ? 4 : 8)
    }
}
