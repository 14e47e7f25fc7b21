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
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        encoder.graph.pointee.decimal(DecimalNumber(try PlainFields(of: address.load(as: Self.self))))
    }
}

extension Decimal: DecodableLeaf {
    static func leaf(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: @autoclosure () -> CodingPathStep
    ) throws -> Decimal {
        try Decimal(number(value, in: decoder, at: step()))
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

    private static func number(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep
    ) throws -> DecimalNumber {
        let objects = decoder.archive.list.objects
        let exact: DecimalNumber?
        switch value.node.kind {
        case .integer: exact = DecimalNumber(objects.integer(value.node))
        case .real64: exact = DecimalNumber(exactly: objects.real64(value.node))
        case .real32: exact = DecimalNumber(exactly: Double(objects.real32(value.node)))
        case .dictionary:
            let number = try decoder.contents(at: step) { contents throws(KeyedArchiveError) in
                try contents.pointee.decimal(value)
            }
            if let number { return number }
            return try decoder.otherForm(of: Decimal.self, value, at: step) { try DecimalNumber(from: $0) }
        default: throw decoder.mismatch(Decimal.self, value, step)
        }
        guard let exact else {
            throw CodableErrors.inexact(Decimal.self, found: value, in: decoder.archive, path: decoder.path(step))
        }
        return exact
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
    init(from decoder: ArchiveDecoding) throws {
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
            throw CodableErrors.invalid(
                "Found a decimal number that uses \(length) of \(words.count) words. It has 8 words",
                path: decoder.path())
        }
        let significand = words.prefix(length).reversed().reduce(UInt128(0)) { $0 << 16 | UInt128($1) }
        self.init(
            significand: significand, exponent: Int(exponent), isNegative: isNegative, isCompact: isCompact,
            isNaN: isNegative && length == 0)
    }
}
