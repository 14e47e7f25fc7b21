// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Points, sizes and rectangles in Cocoa's archived form, a text: `{x, y}` or `{{x, y}, {width, height}}`.
///
/// Source: NSStringFromPoint and related functions in Apple's documentation, and the texts in archives that contain a frame.
package enum Geometry {
    /// Returns the text of a pair of numbers. As in Cocoa, a whole number has no fraction.
    static func text(_ numbers: [Double]) -> String {
        "{" + numbers.map(text).joined(separator: ", ") + "}"
    }

    /// Returns the text of two pairs of numbers.
    static func text(_ first: [Double], _ second: [Double]) -> String {
        "{\(text(first)), \(text(second))}"
    }

    private static func text(_ number: Double) -> String {
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

// MARK: - Kinds

extension Geometry {
    /// The structs of numbers that Cocoa represents as text and stores in NSValue objects.
    package enum Kind {
        case point, size, rect

        /// The number of numbers.
        var count: Int { self == .rect ? 4 : 2 }

        /// The key of the text in an NSValue.
        var key: StaticString {
            switch self {
            case .point: "NS.pointval"
            case .size: "NS.sizeval"
            case .rect: "NS.rectval"
            }
        }

        /// The code of the kind in an NSValue, under `NS.special`.
        package var special: Int {
            switch self {
            case .point: 1
            case .size: 2
            case .rect: 3
            }
        }
    }

    /// The code of edge insets in an NSValue, under `NS.special`.
    package static var specialEdgeInsets: Int { 12 }

    /// Returns the text of the two or four numbers of a struct.
    package static func text(of numbers: [Double]) -> String {
        numbers.count == 2 ? text(numbers) : text(Array(numbers.prefix(2)), Array(numbers.suffix(2)))
    }

    /// Returns the numbers of a struct of `kind` in `text`; `nil` if `text` has another form.
    static func numbers(in text: String, of kind: Kind) -> [Double]? {
        kind == .rect
            ? pairs(in: text).map { [$0.0, $0.1, $0.2, $0.3] } : pair(in: text).map { [$0.0, $0.1] }
    }
}

// MARK: - Numbers in texts

extension Geometry {
    /// Returns the two numbers in `{x, y}`; `nil` if `text` has another form. The number of spaces does not matter.
    package static func pair(in text: String) -> (Double, Double)? {
        var rest = text.utf8[...]
        guard let pair = pair(&rest), isEnd(&rest) else { return nil }
        return pair
    }

    /// Returns the four numbers in `{{x, y}, {width, height}}`; `nil` if `text` has another form.
    package static func pairs(in text: String) -> (Double, Double, Double, Double)? {
        var rest = text.utf8[...]
        guard skip("{", &rest), let first = pair(&rest), skip(",", &rest), let second = pair(&rest), skip("}", &rest),
            isEnd(&rest)
        else { return nil }
        return (first.0, first.1, second.0, second.1)
    }

    private static func pair(_ rest: inout Substring.UTF8View) -> (Double, Double)? {
        guard skip("{", &rest), let first = number(&rest), skip(",", &rest), let second = number(&rest),
            skip("}", &rest)
        else { return nil }
        return (first, second)
    }

    private static func skipSpaces(_ rest: inout Substring.UTF8View) {
        while rest.first == UInt8(ascii: " ") { rest.removeFirst() }
    }

    private static func isEnd(_ rest: inout Substring.UTF8View) -> Bool {
        skipSpaces(&rest)
        return rest.isEmpty
    }

    private static func skip(_ character: Unicode.Scalar, _ rest: inout Substring.UTF8View) -> Bool {
        skipSpaces(&rest)
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private static func number(_ rest: inout Substring.UTF8View) -> Double? {
        skipSpaces(&rest)
        let text = rest.prefix { byte in
            switch byte {
            // Digits, and the letters of "inf" and "nan". No "x", since Cocoa writes no hexadecimal digits.
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"),
                UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "i"), UInt8(ascii: "n"), UInt8(ascii: "f"),
                UInt8(ascii: "a"):
                true
            default: false
            }
        }
        guard let number = Double(Substring(text)) else { return nil }
        rest = rest[text.endIndex...]
        return number
    }
}

// MARK: - Points, sizes and rectangles in archives

extension ArchiveContents {
    /// Returns the numbers of a point, size or rectangle in a text or an NSValue; `nil` if `value` is another object.
    func numbers(_ value: ArchivedValue, of kind: Geometry.Kind) throws(KeyedArchiveError) -> [Double]? {
        let inner = value.node.kind == .dictionary ? try self.value(of: kind.key, in: value.node) : nil
        return try text(inner ?? value).flatMap { Geometry.numbers(in: $0, of: kind) }
    }
}

/// Geometry under a key is text, as Cocoa's `encode(_:forKey:)` writes it. Elsewhere it is an NSValue, the only form that Cocoa's
/// collections can hold.
protocol GeometryForm: StructForm {
    static var kind: Geometry.Kind { get }
}

enum PointForm: GeometryForm { static var kind: Geometry.Kind { .point } }
enum SizeForm: GeometryForm { static var kind: Geometry.Kind { .size } }
enum RectForm: GeometryForm { static var kind: Geometry.Kind { .rect } }

extension GeometryForm {
    static var cocoaClass: CocoaClass { .value }
    static var count: Int { kind.count }

    static func write(
        _ parts: [Double], of type: any Any.Type, in graph: ArchiveGraph, inline: Bool
    ) -> ArchiveGraph.Reference {
        let text = graph.string(Geometry.text(of: parts))
        guard !inline else { return text }
        let special = graph.integer(Int64(kind.special), inline: true)
        return graph.object(.value, [(kind.key.description, text), ("NS.special", special)])
    }

    static func read(_ value: ArchivedValue, as type: any Any.Type, in contents: ArchiveContents) throws -> [Double]? {
        if let numbers = try contents.numbers(value, of: kind) { return numbers }
        try contents.checkNoValue(value, as: type)
        return nil
    }

    static func matches(
        _ value: ArchivedValue, _ type: any Any.Type, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> Bool { try contents.numbers(value, of: kind) != nil }
}

extension ArchiveContents {
    /// Throws an error if `value` is an NSValue, which then is not one of `type`.
    fileprivate func checkNoValue(_ value: ArchivedValue, as type: any Any.Type) throws {
        if let uid = try classUID(of: value.node), try cocoaClass(uid) == .value {
            throw ValueFailure.mismatch(type, value)
        }
    }
}

// MARK: - Ranges

extension Geometry {
    /// The code of ranges in an NSValue, under `NS.special`.
    package static var specialRange: Int { 4 }
}

extension ArchiveContents {
    /// Returns the location and the length of the range in a text or an NSValue; `nil` if `value` is another object.
    package func range(_ value: ArchivedValue) throws(KeyedArchiveError) -> [Int]? {
        var entries = entries(of: value)
        let location = try rangeBound("NS.rangeval.location", of: &entries)
        let length = try rangeBound("NS.rangeval.length", of: &entries)
        if let location, let length { return [location, length] }
        if location != nil { throw entries.damaged("NS.rangeval.length", Self.rangeBoundSentence) }
        if length != nil { throw entries.damaged("NS.rangeval.location", Self.rangeBoundSentence) }
        guard let pair = try text(value).flatMap({ Geometry.pair(in: $0) }), let location = Int(exactly: pair.0),
            let length = Int(exactly: pair.1)
        else { return nil }
        return [location, length]
    }

    package static var rangeBoundSentence: String { "a nonnegative integer of at most 63 bits" }

    private func rangeBound(
        _ key: StaticString, of entries: inout ObjectEntries
    ) throws(KeyedArchiveError) -> Int? {
        guard let value = try entries[key] else { return nil }
        let number = try number(value).node
        guard number.kind == .integer, let bound = Int(exactly: list.objects.integer(number)), bound >= 0 else {
            throw entries.damaged(key, Self.rangeBoundSentence)
        }
        return bound
    }
}

/// NSRange: its location and its length.
enum RangeForm: UnnamedForm {
    static var cocoaClass: CocoaClass { .value }

    static func fits<Value>(_ type: Value.Type) -> Bool { Reinterpretation.isStructure(of: 2, Int.self, type) }
    static func parts<Value: Codable>(of value: Value) -> [Int] { Reinterpretation.numbers(2, of: Int.self, in: value) }
    static func value<Value: Codable>(of parts: [Int], as type: Value.Type) -> Value? {
        // A result without `as` would be inferred to be an optional struct.
        Reinterpretation.structure(of: parts, as: type)
    }

    static func write(
        _ parts: [Int], of type: any Any.Type, in graph: ArchiveGraph, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        guard parts[0] >= 0, parts[1] >= 0 else {
            throw UnwritableValue {
                "Found an NSRange with location \(parts[0]) and length \(parts[1]) at \($0). Both must be 0 or greater"
            }
        }
        return graph.object(
            .value,
            [
                ("NS.rangeval.location", graph.integer(Int64(parts[0]), inline: false)),
                ("NS.rangeval.length", graph.integer(Int64(parts[1]), inline: false)),
                ("NS.special", graph.integer(Int64(Geometry.specialRange), inline: true)),
            ])
    }

    static func read(_ value: ArchivedValue, as type: any Any.Type, in contents: ArchiveContents) throws -> [Int]? {
        if let range = try contents.range(value) { return range }
        try contents.checkNoValue(value, as: type)
        return nil
    }

    static func matches(
        _ value: ArchivedValue, _ type: any Any.Type, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> Bool { try contents.range(value) != nil }
}

// MARK: - Affine transforms

/// NSAffineTransform: the numbers m11, m12, m21, m22, tX and tY.
enum AffineTransformForm: StructForm {
    static var cocoaClass: CocoaClass { .affineTransform }
    static var count: Int { 6 }
    private static let identity = [1.0, 0, 0, 1, 0, 0]
    /// The key of the numbers in Apple's archives: 32-bit reals in big-endian order, fewer than six if others are those of
    /// the identity.
    private static var key: StaticString { "NSTransformStruct" }
    /// The key of the same numbers with 64 bits, which only this library reads.
    private static var exactKey: StaticString { "exact" }

    /// Returns the numbers in the data of Apple's archives; `nil` if it has another form.
    private static func numbers(in bytes: [UInt8]) -> [Double]? {
        func numbers(from start: Int) -> [Double] {
            stride(from: start, to: bytes.count, by: 4).map { offset in
                let bits = bytes[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                return Double(Float(bitPattern: bits))
            }
        }
        switch (bytes.count, bytes.first) {
        case (24, _): return numbers(from: 0)
        case (16, _):
            let numbers = numbers(from: 0)
            return [numbers[0], 0, 0, numbers[1], numbers[2], numbers[3]]
        case (9, 1): return [1, 0, 0, 1] + numbers(from: 1)
        case (9, 2):
            let numbers = numbers(from: 1)
            return [numbers[0], 0, 0, numbers[1], 0, 0]
        default: return nil
        }
    }

    /// Returns `bits` in big-endian order.
    private static func bytes<Bits: FixedWidthInteger>(_ bits: [Bits]) -> [UInt8] {
        bits.flatMap { bits in
            stride(from: Bits.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> Bits($0)) }
        }
    }

    /// Returns the numbers in the data of the key `exact`; `nil` if it has another form.
    private static func exactNumbers(in bytes: [UInt8]) -> [Double]? {
        guard bytes.count == 8 * count else { return nil }
        return stride(from: 0, to: bytes.count, by: 8).map { offset in
            Double(bitPattern: bytes[offset..<offset + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }
    }

    /// Apple's frameworks read the numbers in `NSTransformStruct`; Foundation on Linux and GNUstep read the same numbers in
    /// a C array. Both forms have 32 bits per number, so exact numbers follow if those are rounded.
    static func write(
        _ parts: [Double], of type: any Any.Type, in graph: ArchiveGraph, inline: Bool
    ) -> ArchiveGraph.Reference {
        let rounded = parts.map { Float($0) }
        var array = [
            (key: "NS.count", value: graph.integer(Int64(count), inline: true)),
            (key: "NS.size", value: graph.integer(Int64(MemoryLayout<Float>.size), inline: true)),
            (key: "NS.type", value: graph.integer(Int64(UInt8(ascii: "f")), inline: true)),
        ]
        for (index, number) in rounded.enumerated() { array.append(("$\(index)", graph.real(number, inline: true))) }
        var entries = [
            (key: "\(key)", value: graph.dataInLine(bytes(rounded.map(\.bitPattern)))),
            (key: "$0", value: graph.object(.cArray, array)),
        ]
        if !zip(parts, rounded).allSatisfy({ $0.bitPattern == Double($1).bitPattern }) {
            entries.append(("\(exactKey)", graph.dataInLine(bytes(parts.map(\.bitPattern)))))
        }
        return graph.object(.affineTransform, entries)
    }

    static func read(
        _ value: ArchivedValue, as type: any Any.Type, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> [Double]? {
        var entries = contents.entries(of: value)
        if let bytes = try entries.copiedBytes(key) {
            guard let numbers = numbers(in: bytes) else {
                throw entries.damaged(key, "the numbers of an affine transform")
            }
            guard let exactBytes = try entries.copiedBytes(exactKey) else { return numbers }
            // A program that changes the transform may keep this entry.
            guard let exact = exactNumbers(in: exactBytes),
                zip(exact, numbers).allSatisfy({ Double(Float($0)) == $1 || $0.isNaN && $1.isNaN })
            else { throw entries.damaged(exactKey, "the numbers in NSTransformStruct before rounding") }
            return exact
        }
        guard let uid = try contents.classUID(of: value.node),
            try contents.className(uid) == ArchivedClass.affineTransform.name
        else { return nil }
        // Apple's frameworks write no numbers for the identity.
        guard let array = try entries["$0"] else { return identity }
        var elements = contents.entries(of: array)
        guard try elements.integer("NS.count") == count else {
            throw entries.damaged("$0", "a C array of six numbers")
        }
        var numbers: [Double] = []
        for key in ["$0", "$1", "$2", "$3", "$4", "$5"] as [StaticString] {
            guard let number = try elements.real(key) else { throw elements.damaged(key, "a number") }
            numbers.append(number)
        }
        return numbers
    }
}
