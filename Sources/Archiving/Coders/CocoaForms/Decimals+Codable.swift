// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// A Decimal is converted by its own Codable form, not by its public properties. These do not include whether it is
// compact, which archives store under `NS.compact`: a compact 12 and one that is not have equal properties. Also, no
// public initializer creates a 1200 with the significand 1200: each moves zeros to the exponent. The fields of the
// struct are internal to Foundation on Linux.

extension Decimal: NativelyEncodable {
    static func write(
        _ value: Self, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        encoding.graph.decimal(DecimalNumber(try PlainFields(of: value)))
    }
}

extension Decimal: DecodableLeaf {
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> Decimal {
        try number(value, in: decoder, at: step())
    }

    /// Creates the Decimal with the parts of `number`.
    package init(_ number: DecimalNumber) throws {
        // Decimal's own form is slow, so only numbers that the fast initializer would change use it.
        guard number.isCompact, !number.isNaN, let significand = UInt64(exactly: number.significand) else {
            self = try number.fields.value(of: Decimal.self)
            return
        }
        self.init(
            sign: number.isNegative ? .minus : .plus, exponent: number.exponent, significand: Decimal(significand))
    }

    /// Creates the value of Foundation's initializer for `real`. Fails if it is out of the range of Decimal: that
    /// initializer returns NaN for such a number, and traps for infinity.
    init?(inRange real: Double) {
        guard !real.isInfinite else { return nil }
        self.init(real)
        guard !isNaN || real.isNaN else { return nil }
    }

    private static func number(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Decimal {
        guard value.node.kind == .dictionary else { return try leaf(value, decoder, step) }
        let (decimal, number) = try decoder.contents(at: step) { contents throws(KeyedArchiveError) in
            let decimal = try contents.decimal(value)
            return (decimal, decimal == nil ? try contents.number(value) : value)
        }
        if let decimal { return try Decimal(decimal) }
        if number.node.kind != .dictionary { return try leaf(number, decoder, step) }
        return try Decimal(
            decoder.otherForm(of: Decimal.self, value, at: step) { try DecimalNumber(from: $0) })
    }

    private static func leaf(
        _ value: ArchivedValue, _ decoder: DecodingFrame, _ step: CodingPathStep
    ) throws -> Decimal {
        let objects = decoder.archive.list.objects
        let real: Double
        switch value.node.kind {
        case .integer: return try Decimal(DecimalNumber(objects.integer(value.node)))
        case .real64: real = objects.real64(value.node)
        case .real32: real = Double(objects.real32(value.node))
        default: throw decoder.mismatch(Decimal.self, value, step)
        }
        guard let decimal = Decimal(inRange: real) else {
            throw DecodingError(
                .outOfRange(Decimal.self, found: decoder.archive.describe(value), path: decoder.path(step)))
        }
        return decimal
    }
}

// MARK: - The parts of a Decimal

extension DecimalNumber {
    /// Creates a number from the fields of a Decimal.
    init(_ fields: PlainFields) {
        var significand: UInt128 = 0
        var shift: UInt128 = 0
        var named: (exponent: Int, length: Int, isNegative: Bool, isCompact: Bool) = (0, 0, false, false)
        for field in fields.list {
            switch field.key {
            case "exponent": named.exponent = field.value
            case "length": named.length = field.value
            case "isNegative": named.isNegative = field.value != 0
            case "isCompact": named.isCompact = field.value != 0
            default:
                significand |= UInt128(UInt16(truncatingIfNeeded: field.value)) << shift
                shift += UInt128(UInt16.bitWidth)
            }
        }
        self.init(
            significand: named.length == 0 ? 0 : significand, exponent: named.exponent, isNegative: named.isNegative,
            isCompact: named.isCompact, isNaN: named.length == 0 && named.isNegative)
    }

    /// The fields from which Decimal decodes itself.
    var fields: PlainFields {
        var fields = PlainFields()
        fields.append("exponent", exponent)
        fields.append("length", wordCount)
        fields.append("isNegative", isNegative ? 1 : 0)
        fields.append("isCompact", isCompact ? 1 : 0)
        for index in 0..<Self.wordLimit {
            fields.append("", Int(UInt16(truncatingIfNeeded: significand >> UInt128(index * UInt16.bitWidth))))
        }
        return fields
    }

    /// Decodes a number from the form of Decimal's own `encode(to:)`, which Decimal reads without checking it.
    init(from decoder: ProgramDecoder) throws {
        enum Keys: CodingKey {
            case exponent, length, isNegative, isCompact, mantissa
        }
        let container = try decoder.container(keyedBy: Keys.self)
        let exponent = try container.decode(Int8.self, forKey: .exponent)
        let length = try container.decode(Int.self, forKey: .length)
        let isNegative = try container.decode(Bool.self, forKey: .isNegative)
        let isCompact = try container.decode(Bool.self, forKey: .isCompact)
        let words = try container.decode([UInt16].self, forKey: .mantissa)
        guard words.count == Self.wordLimit, (0...Self.wordLimit).contains(length) else {
            throw DecodingError.invalid(path: decoder.codingPath) { _ in
                "Found a decimal number that uses \(length) of \(words.count) words. It has 8 words"
            }
        }
        let significand = words.prefix(length).reversed().reduce(UInt128(0)) { $0 << 16 | UInt128($1) }
        self.init(
            significand: significand, exponent: Int(exponent), isNegative: isNegative, isCompact: isCompact,
            isNaN: isNegative && length == 0)
    }
}
