// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Points, sizes and rectangles in Cocoa's archived form, a text: `{x, y}` or `{{x, y}, {width, height}}`.
///
/// Source: NSStringFromPoint and related functions in Apple's documentation, and the texts in archives that contain a frame.
package enum Geometry {
    /// The structs of numbers that Cocoa represents as text and stores in NSValue objects. The raw value is the code of the kind
    /// in an NSValue, under `NS.special`.
    package enum Kind: Int, Sendable {
        case point = 1
        case size, rect

        var count: Int { self == .rect ? 4 : 2 }

        package var key: StaticString {
            switch self {
            case .point: "NS.pointval"
            case .size: "NS.sizeval"
            case .rect: "NS.rectval"
            }
        }
    }

    /// The codes of ranges and of edge insets in an NSValue, under `NS.special`.
    package static var specialRange: Int { 4 }
    package static var specialEdgeInsets: Int { 12 }

    /// Returns the text of the two or four numbers of a struct. As in Cocoa, a whole number has no fraction.
    package static func text(of numbers: [Double]) -> String {
        guard numbers.count == 2 else {
            return "{\(text(of: Array(numbers.prefix(2)))), \(text(of: Array(numbers.suffix(2))))}"
        }
        var text = "{"
        text.reserveCapacity(48)
        text += self.text(of: numbers[0])
        text += ", "
        text += self.text(of: numbers[1])
        text += "}"
        return text
    }

    private static func text(of number: Double) -> String {
        let text = number.description
        return number == number.rounded() && text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Returns the numbers of a struct of `kind` in `text`; `nil` if `text` has another form. The number of spaces does not matter.
    package static func numbers(in text: String, of kind: Kind) -> [Double]? {
        text.withUTF8Span { numbers(in: $0, of: kind) }
    }

    fileprivate static func numbers(in text: RawSpan, of kind: Kind) -> [Double]? {
        var numbers: [Double] = []
        numbers.reserveCapacity(kind.count)
        var offset = 0
        func skipSpaces(in text: RawSpan) {
            while offset < text.byteCount, text[offset] == UInt8(ascii: " ") { offset += 1 }
        }
        for character in (kind == .rect ? "{{#,#},{#,#}}" : "{#,#}").utf8 {
            skipSpaces(in: text)
            if character == UInt8(ascii: "#") {
                guard let number = number(in: text, &offset) else { return nil }
                numbers.append(number)
            } else {
                guard offset < text.byteCount, text[offset] == character else { return nil }
                offset += 1
            }
        }
        skipSpaces(in: text)
        return offset == text.byteCount ? numbers : nil
    }

    /// Returns the number at `offset`, which moves behind it. Cocoa writes no hexadecimal digits.
    private static func number(in text: RawSpan, _ offset: inout Int) -> Double? {
        let start = offset
        var (digits, digitCount, scale, isPlain) = (0, 0, 0.0, true)
        reading: while offset < text.byteCount {
            let byte = text[offset]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits = digits &* 10 &+ Int(byte & 15)
                digitCount += 1
                scale *= 10
            case UInt8(ascii: ".") where scale == 0: scale = 1
            case UInt8(ascii: "-") where offset == start: break
            default:
                // The characters of exponents, "inf" and "nan".
                guard ".-+eEinfa".utf8.contains(byte) else { break reading }
                isPlain = false
            }
            offset += 1
        }
        // The quotient of two numbers that are exact is rounded once.
        guard isPlain, 1...15 ~= digitCount else { return Double(String(decoding: text.extracting(start..<offset))) }
        let number = Double(digits) / max(scale, 1)
        return text[start] == UInt8(ascii: "-") ? -number : number
    }
}

// MARK: - Points, sizes and rectangles in archives

extension ArchiveContents {
    func numbers(_ value: ArchivedValue, of kind: Geometry.Kind) throws(KeyedArchiveError) -> [Double]? {
        let found = value.node.kind == .dictionary ? try self.value(of: kind.key, in: value.node) ?? value : value
        guard found.node.kind == .ascii, !found.isNull else {
            return try text(found).flatMap { Geometry.numbers(in: $0, of: kind) }
        }
        return try countedBytes(found.node).withBytes { Geometry.numbers(in: $0, of: kind) }
    }
}

protocol RealParts: CocoaParts {
    static var count: Int { get }
    var numbers: [Double] { get }
    init(numbers: [Double])
}

extension RealParts {
    static func fit<Value>(_ type: Value.Type) -> Bool { Reinterpretation.isStructure(ofReals: count, type) }
    init<Value: Codable>(of value: Value) { self.init(numbers: Reinterpretation.reals(Self.count, in: value)) }
    func value<Value: Codable>(as type: Value.Type) -> Value? {
        Reinterpretation.structure(ofReals: numbers, as: type)
    }
}

/// Geometry under a key is text, as Cocoa's `encode(_:forKey:)` writes it. Elsewhere it is an NSValue, the only form that Cocoa's
/// collections can hold.
protocol GeometryParts: RealParts {
    static var kind: Geometry.Kind { get }
}

extension GeometryParts {
    static var cocoaClass: CocoaClass { .value }
    static var count: Int { kind.count }

    func objectUnderKey(in graph: ArchiveGraph) -> ArchiveGraph.Reference { graph.string(Geometry.text(of: numbers)) }

    func object(in graph: ArchiveGraph) -> ArchiveGraph.Reference {
        let text = graph.string(Geometry.text(of: numbers))
        let special = graph.integer(Int64(Self.kind.rawValue), inline: true)
        let keys = (graph.key(Self.kind.key.description), graph.key("NS.special"))
        let classUID = graph.classUID("NSValue")
        let slot = graph.reserveSlot()
        graph.fill(slot, (keys.0, text), (keys.1, special), classUID: classUID)
        return slot.uid
    }

    static func read(_ value: ArchivedValue, in contents: ArchiveContents) throws -> Self? {
        try contents.numbers(value, of: kind).map { Self(numbers: $0) }
    }
}

extension Geometry {
    struct Point: GeometryParts {
        static var kind: Kind { .point }
        let numbers: [Double]
    }

    struct Size: GeometryParts {
        static var kind: Kind { .size }
        let numbers: [Double]
    }

    struct Rect: GeometryParts {
        static var kind: Kind { .rect }
        let numbers: [Double]
    }
}

// MARK: - Ranges

package struct StoredRange: CocoaParts {
    package let location: Int
    package let length: Int

    static var cocoaClass: CocoaClass { .value }
    package static var boundSentence: String { "a nonnegative integer of at most 63 bits" }

    static func fit<Value>(_ type: Value.Type) -> Bool { Reinterpretation.isStructure(of: 2, Int.self, type) }

    init<Value: Codable>(of value: Value) {
        (location, length) = Reinterpretation.integers(in: value)
    }

    private init(_ location: Int, _ length: Int) { (self.location, self.length) = (location, length) }

    func value<Value: Codable>(as type: Value.Type) -> Value? {
        Reinterpretation.structure(of: [location, length], as: type)
    }

    package func object(in graph: ArchiveGraph) throws -> ArchiveGraph.Reference {
        guard location >= 0, length >= 0 else {
            throw UnwritableValue {
                "Found an NSRange with location \(location) and length \(length) at \($0). Both must be 0 or greater"
            }
        }
        return graph.object(
            "NSValue",
            [
                ("NS.rangeval.location", graph.integer(Int64(location), inline: false)),
                ("NS.rangeval.length", graph.integer(Int64(length), inline: false)),
                ("NS.special", graph.integer(Int64(Geometry.specialRange), inline: true)),
            ])
    }

    package static func read(
        _ value: ArchivedValue, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> StoredRange? {
        var entries = contents.entries(of: value)
        let location = try bound("NS.rangeval.location", of: &entries)
        let length = try bound("NS.rangeval.length", of: &entries)
        if let location, let length { return StoredRange(location, length) }
        if location != nil { throw entries.damaged("NS.rangeval.length", boundSentence) }
        if length != nil { throw entries.damaged("NS.rangeval.location", boundSentence) }
        guard let numbers = try contents.text(value).flatMap({ Geometry.numbers(in: $0, of: .point) }),
            let location = Int(exactly: numbers[0]), let length = Int(exactly: numbers[1])
        else { return nil }
        return StoredRange(location, length)
    }

    private static func bound(
        _ key: StaticString, of entries: inout ObjectEntries
    ) throws(KeyedArchiveError) -> Int? {
        guard let value = try entries[key] else { return nil }
        let number = try entries.contents.number(value).node
        guard number.kind == .integer, let bound = Int(exactly: entries.contents.list.objects.integer(number)),
            bound >= 0
        else { throw entries.damaged(key, boundSentence) }
        return bound
    }
}

// MARK: - Affine transforms

/// The numbers of an NSAffineTransform: m11, m12, m21, m22, tX and tY.
struct AffineMatrix: RealParts {
    static var cocoaClass: CocoaClass { .affineTransform }
    static var count: Int { 6 }
    /// The key of the numbers in Apple's archives: 32-bit reals in big-endian order, fewer than six if others are those of
    /// the identity.
    private static var key: StaticString { "NSTransformStruct" }
    /// The key of the same numbers with 64 bits, which only this library reads.
    private static var exactKey: StaticString { "exact" }

    let numbers: [Double]

    private static func numbers(in bytes: StoredBytes) -> [Double]? {
        func numbers(from start: Int) -> [Double] {
            stride(from: start, to: bytes.count, by: 4).map {
                Double(Float(bitPattern: UInt32(truncatingIfNeeded: bytes.number(at: $0, size: 4))))
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

    private static func bytes<Bits: FixedWidthInteger>(_ bits: [Bits]) -> [UInt8] {
        bits.flatMap { bits in
            stride(from: Bits.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> Bits($0)) }
        }
    }

    /// Apple's frameworks read the numbers in `NSTransformStruct`; Foundation on Linux and GNUstep read the same numbers in
    /// a C array. Both forms have 32 bits per number, so exact numbers follow if those are rounded.
    func object(in graph: ArchiveGraph) -> ArchiveGraph.Reference {
        let rounded = numbers.map { Float($0) }
        var array = [
            (key: "NS.count", value: graph.integer(Int64(Self.count), inline: true)),
            (key: "NS.size", value: graph.integer(Int64(MemoryLayout<Float>.size), inline: true)),
            (key: "NS.type", value: graph.integer(Int64(UInt8(ascii: "f")), inline: true)),
        ]
        for (index, number) in rounded.enumerated() { array.append(("$\(index)", graph.real(number, inline: true))) }
        var entries = [
            (key: "\(Self.key)", value: graph.dataInLine(Self.bytes(rounded.map(\.bitPattern)))),
            (key: "$0", value: graph.object("_NSKeyedCoderOldStyleArray", array)),
        ]
        if !zip(numbers, rounded).allSatisfy({ $0.bitPattern == Double($1).bitPattern }) {
            entries.append(("\(Self.exactKey)", graph.dataInLine(Self.bytes(numbers.map(\.bitPattern)))))
        }
        return graph.object("NSAffineTransform", entries)
    }

    static func read(_ value: ArchivedValue, in contents: ArchiveContents) throws -> AffineMatrix? {
        var entries = contents.entries(of: value)
        if try entries.has(key), let bytes = try entries.bytes(key) {
            guard let numbers = numbers(in: bytes) else {
                throw entries.damaged(key, "the numbers of an affine transform")
            }
            guard try entries.has(exactKey), let bytes = try entries.bytes(exactKey) else {
                return AffineMatrix(numbers: numbers)
            }
            let exact = stride(from: 0, to: bytes.count & ~7, by: 8).map {
                Double(bitPattern: bytes.number(at: $0, size: 8))
            }
            // A program that changes the transform may keep this entry.
            guard bytes.count == 8 * count,
                zip(exact, numbers).allSatisfy({ Double(Float($0)) == $1 || $0.isNaN && $1.isNaN })
            else { throw entries.damaged(exactKey, "the numbers in NSTransformStruct before rounding") }
            return AffineMatrix(numbers: exact)
        }
        guard let uid = try contents.classUID(of: value.node), try contents.className(uid) == "NSAffineTransform"
        else {
            return nil
        }
        // Apple's frameworks write no numbers for the identity.
        guard let array = try entries["$0"] else { return AffineMatrix(numbers: [1, 0, 0, 1, 0, 0]) }
        var elements = contents.entries(of: array)
        guard try elements.integer("NS.count") == count else {
            throw entries.damaged("$0", "a C array of six numbers")
        }
        return AffineMatrix(
            numbers: try (["$0", "$1", "$2", "$3", "$4", "$5"] as [StaticString]).map { key in
                guard let number = try elements.real(key) else { throw elements.damaged(key, "a number") }
                return number
            })
    }
}
