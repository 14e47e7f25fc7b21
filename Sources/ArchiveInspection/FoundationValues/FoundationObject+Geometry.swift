// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

extension FoundationObject {
    mutating func value() throws(KeyedArchiveError) -> FoundationValue? {
        guard let special = try entries.integer("NS.special") else {
            return try objectiveCValue()
        }
        switch special {
        case Geometry.specialRange:
            guard let range = try StoredRange.read(archived, in: contents) else {
                throw entries.damaged("NS.rangeval.location", StoredRange.boundSentence)
            }
            return .range(location: range.location, length: range.length)
        case Geometry.specialEdgeInsets:
            return .edgeInsets(
                top: try inset("NS.edgeval.top"), left: try inset("NS.edgeval.left"),
                bottom: try inset("NS.edgeval.bottom"), right: try inset("NS.edgeval.right"))
        default:
            guard let kind = Geometry.Kind(rawValue: special) else { return nil }
            guard let text = try text(kind.key), let value = FoundationValue(text, kind) else {
                throw entries.damaged(kind.key, kind.wanted)
            }
            return value
        }
    }

    private mutating func inset(_ key: StaticString) throws(KeyedArchiveError) -> Double {
        guard let inset = try entries.real(key) else { throw entries.damaged(key, "a number") }
        return inset
    }
}

extension FoundationValue {
    init?(_ text: String, _ kind: Geometry.Kind) {
        guard let numbers = Geometry.numbers(in: text, of: kind) else { return nil }
        switch kind {
        case .point: self = .point(x: numbers[0], y: numbers[1])
        case .size: self = .size(width: numbers[0], height: numbers[1])
        case .rect: self = .rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        }
    }
}

extension Geometry.Kind {
    var wanted: String { self == .rect ? "a string like {{0, 0}, {0, 0}}" : "a string like {0, 0}" }
}

// MARK: - Other values

extension FoundationObject {
    private mutating func objectiveCValue() throws(KeyedArchiveError) -> FoundationValue? {
        // GNUstep's form begins with the length of the type.
        if try entries["$0"]?.node.kind == .integer { return try serializedValue() }
        guard let type = try text("$0") else { return try lacks("$0", "the type of a value in C") }
        guard let reference = try entries.reference("$1") else { throw entries.damaged("$1", "a value") }
        var numbers: [FoundationValue]?
        if let fields = ObjectiveCFields(type), fields.codes.count == 1, !fields.isStruct {
            guard let number = try number("$1") else { throw entries.damaged("$1", "a number") }
            numbers = [number]
        }
        return .objectiveCValue(type: type, archived: source.value(reference), numbers: numbers)
    }

    /// A value in GNUstep's form: the type, and the bytes in big-endian order without padding.
    private mutating func serializedValue() throws(KeyedArchiveError) -> FoundationValue {
        var name = try bytes("$1", count: "$0")
        guard name.popLast() == 0 else { throw entries.damaged("$1", "a type that ends with 0") }
        let type = String(decoding: name, as: UTF8.self)
        guard let reference = try entries.reference("$3") else { throw entries.damaged("$3", "a C array") }
        let bytes = try bytes("$3", count: "$2")
        var numbers: [FoundationValue]?
        if let fields = ObjectiveCFields(type) {
            numbers = fields.numbers(in: bytes, longSize: 8) ?? fields.numbers(in: bytes, longSize: 4)
            guard numbers != nil else {
                throw entries.damaged("$3", "the bytes of a value of the type \(type.prefix(40))")
            }
        }
        return .objectiveCValue(type: type, archived: source.value(reference), numbers: numbers)
    }

    private mutating func bytes(
        _ key: StaticString, count countKey: StaticString
    ) throws(KeyedArchiveError) -> [UInt8] {
        guard let array = try entries[key], let elements = try contents.elements(of: array) else {
            throw entries.damaged(key, "a C array")
        }
        guard try entries.integer(countKey) == elements.count else {
            throw entries.damaged(countKey, "the number of bytes, which is \(elements.count)")
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(elements.count)
        for position in 0..<elements.count {
            let element = try contents.value(elements.reference(position, in: contents))
            guard element.node.kind == .integer,
                let byte = Int16(exactly: contents.list.objects.integer(element.node)), (-128...255).contains(byte)
            else { throw entries.damaged(key, "a C array of bytes") }
            bytes.append(UInt8(truncatingIfNeeded: byte))
        }
        return bytes
    }
}

/// The numbers of a C value, by Objective-C's letters for their types.
struct ObjectiveCFields {
    private(set) var codes: [UInt8] = []
    private(set) var isStruct = false

    /// The fields of `type`; nil if it contains other types than numbers: pointers, objects, unions, arrays.
    init?(_ type: String) {
        var depth = 0
        var rest = type.utf8[...]
        while let code = rest.popFirst() {
            switch code {
            case UInt8(ascii: "{"):
                depth += 1
                isStruct = true
                // The name of the struct.
                guard let end = rest.firstIndex(of: UInt8(ascii: "=")) else { return nil }
                rest = rest[rest.index(after: end)...]
            case UInt8(ascii: "}"):
                depth -= 1
                guard depth >= 0 else { return nil }
            case _ where Self.size(of: code, longSize: 8) != nil: codes.append(code)
            default: return nil
            }
        }
        guard depth == 0, !codes.isEmpty, isStruct || codes.count == 1 else { return nil }
    }

    private static func size(of code: UInt8, longSize: Int) -> Int? {
        switch Unicode.Scalar(code) {
        case "c", "C", "B": 1
        case "s", "S": 2
        case "i", "I", "f": 4
        case "l", "L": longSize
        case "q", "Q", "d": 8
        default: nil
        }
    }

    /// The numbers in `bytes`; nil unless it has exactly their size.
    func numbers(in bytes: [UInt8], longSize: Int) -> [FoundationValue]? {
        var numbers: [FoundationValue] = []
        var rest = bytes[...]
        for code in codes {
            guard let size = Self.size(of: code, longSize: longSize), rest.count >= size else { return nil }
            let bits = rest.prefix(size).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            rest = rest.dropFirst(size)
            switch Unicode.Scalar(code) {
            case "B": numbers.append(.boolean(bits != 0))
            case "f": numbers.append(.real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))))
            case "d": numbers.append(.real(Double(bitPattern: bits)))
            case "c", "s", "i", "l", "q":
                let shift = UInt64(64 - 8 * size)
                numbers.append(.integer(Int128(Int64(bitPattern: bits << shift) >> Int64(shift))))
            default: numbers.append(.integer(Int128(bits)))
            }
        }
        return rest.isEmpty ? numbers : nil
    }
}
