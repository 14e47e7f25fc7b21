// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A decimal number with the parts of NSDecimal: ± *significand* · 10^*exponent*.
package struct DecimalNumber: Equatable {
    var significand: UInt128
    var exponent: Int
    var isNegative: Bool
    /// Whether the significand is known to have no trailing zero.
    var isCompact: Bool

    /// A negative zero represents NaN.
    var isNaN: Bool { isNegative && significand == 0 }

    static let exponents = Int(Int8.min)...Int(Int8.max)
    static let wordLimit = 8

    static let nan = DecimalNumber(significand: 0, exponent: 0, isNegative: true, isCompact: false, isNaN: true)

    init(significand: UInt128, exponent: Int, isNegative: Bool, isCompact: Bool, isNaN: Bool = false) {
        self.significand = isNaN ? 0 : significand
        self.exponent = exponent
        self.isNegative = isNaN || (isNegative && significand != 0)
        self.isCompact = isCompact
    }

    var wordCount: Int { (UInt128.bitWidth - significand.leadingZeroBitCount + 15) / 16 }

    /// The magnitude of the number; `nil` if it is not whole, or has more than 128 bits.
    var wholeSignificand: UInt128? {
        var (digits, power) = (significand, exponent)
        while power > 0, digits != 0 {
            guard let next = digits.multiplied(by: 10) else { return nil }
            (digits, power) = (next, power - 1)
        }
        while power < 0, digits != 0 {
            guard digits % 10 == 0 else { return nil }
            (digits, power) = (digits / 10, power + 1)
        }
        return digits
    }
}

// MARK: - From other numbers

extension DecimalNumber {
    init(_ integer: Int128) {
        self.init(significand: integer.magnitude, exponent: 0, isNegative: integer < 0, isCompact: false)
    }

    /// Creates a number from `text`: digits with an optional sign, point and exponent, the form of GNUstep, or "NaN". Fails if
    /// `text` has another form, or the number is out of range.
    init?(_ text: String) {
        // By bytes: comparing texts takes long if one has very many combining marks.
        if text.utf8.elementsEqual("NaN".utf8) {
            self = .nan
            return
        }
        var rest = text.utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        var significand: UInt128 = 0
        var exponent = 0
        var digitCount = 0
        var isFraction = false
        while let byte = rest.first {
            if byte == UInt8(ascii: "."), !isFraction {
                isFraction = true
            } else if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                guard let next = significand.multiplied(by: 10, plus: byte - UInt8(ascii: "0")) else { return nil }
                significand = next
                digitCount += 1
                if isFraction { exponent -= 1 }
            } else {
                break
            }
            rest.removeFirst()
        }
        guard digitCount > 0 else { return nil }
        if let letter = rest.popFirst() {
            guard letter == UInt8(ascii: "E") || letter == UInt8(ascii: "e"), let power = Int16(rest.text) else {
                return nil
            }
            exponent += Int(power)
        }
        self.init(significand: significand, exponent: exponent, isNegative: isNegative, isCompact: false)
        guard normalizeExponent() else { return nil }
    }

    /// Moves zeros between significand and exponent until the exponent is valid, and returns whether that succeeded.
    private mutating func normalizeExponent() -> Bool {
        guard significand != 0 else {
            exponent = 0
            return true
        }
        while exponent > Self.exponents.upperBound, let next = significand.multiplied(by: 10) {
            significand = next
            exponent -= 1
        }
        while exponent < Self.exponents.lowerBound, significand % 10 == 0 {
            significand /= 10
            exponent += 1
        }
        return Self.exponents.contains(exponent)
    }
}

extension UInt128 {
    fileprivate func multiplied(by factor: UInt8, plus digit: UInt8 = 0) -> UInt128? {
        let (product, overflow) = multipliedReportingOverflow(by: UInt128(factor))
        let (sum, carry) = product.addingReportingOverflow(UInt128(digit))
        return overflow || carry ? nil : sum
    }
}

extension Substring.UTF8View {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}

// MARK: - Text

extension DecimalNumber {
    /// The maximum number of zeros that are added to the digits; numbers with more have an exponent.
    private static let zeroLimit = 20

    /// The number in readable form: -12.50, 3E+40, NaN.
    package var text: String {
        guard !isNaN else { return "NaN" }
        let digits = String(significand)
        let sign = isNegative ? "-" : ""
        if significand == 0 || exponent == 0 { return sign + digits }
        if exponent > 0 {
            return exponent <= Self.zeroLimit
                ? sign + digits + String(repeating: "0", count: exponent) : "\(sign)\(digits)E+\(exponent)"
        }
        let missing = 1 - exponent - digits.count
        guard missing <= Self.zeroLimit else { return "\(sign)\(digits)E\(exponent)" }
        let padded = String(repeating: "0", count: max(0, missing)) + digits
        return sign + padded.dropLast(-exponent) + "." + padded.suffix(-exponent)
    }
}

// MARK: - In archives

extension ArchiveGraph {
    /// Writes an NSDecimalNumber, under the class name that Apple's frameworks write, and returns its uid.
    func decimal(_ number: DecimalNumber) -> Reference {
        let mantissa = dataInLine(
            (0..<2 * DecimalNumber.wordLimit).map {
                UInt8(truncatingIfNeeded: number.significand >> UInt128(8 * $0))
            })
        return object(
            ArchivedClass("NSDecimalNumberPlaceholder", inheritingFrom: ["NSDecimalNumber", "NSNumber", "NSValue"]),
            [
                ("NS.mantissa", mantissa),
                ("NS.mantissa.bo", integer(Int64(KeyedArchiveFormat.littleEndian), inline: true)),
                ("NS.length", integer(Int64(number.wordCount), inline: true)),
                ("NS.exponent", integer(Int64(number.exponent), inline: true)),
                ("NS.negative", boolean(number.isNegative, inline: true)),
                ("NS.compact", boolean(number.isCompact, inline: true)),
            ])
    }
}

extension ArchiveContents {
    package func decimal(_ value: ArchivedValue) throws(KeyedArchiveError) -> DecimalNumber? {
        var entries = entries(of: value)
        guard let mantissa = try entries.bytes("NS.mantissa") else {
            guard let text = try entries.text("$0") else { return nil }
            guard let number = DecimalNumber(text) else { throw entries.damaged("$0", "a decimal number of 38 digits") }
            return number
        }
        let order = try entries.integer("NS.mantissa.bo") ?? 0
        let length = try entries.integer("NS.length") ?? 0
        let exponent = try entries.integer("NS.exponent") ?? 0
        let isNegative = try entries.boolean("NS.negative") ?? false
        let isCompact = try entries.boolean("NS.compact") ?? false
        guard mantissa.count == 2 * DecimalNumber.wordLimit else {
            throw entries.damaged("NS.mantissa", "16 bytes long")
        }
        guard order == KeyedArchiveFormat.littleEndian || order == KeyedArchiveFormat.bigEndian else {
            throw entries.damaged("NS.mantissa.bo", "1 or 2")
        }
        guard (0...DecimalNumber.wordLimit).contains(length) else { throw entries.damaged("NS.length", "0 to 8") }
        guard DecimalNumber.exponents.contains(exponent) else { throw entries.damaged("NS.exponent", "-128 to 127") }
        var significand: UInt128 = 0
        // Unused words may have any value.
        for index in (0..<length).reversed() {
            let word = UInt16(truncatingIfNeeded: mantissa.number(at: 2 * index, size: 2))
            significand =
                significand << 16 | UInt128(order == KeyedArchiveFormat.littleEndian ? word.byteSwapped : word)
        }
        return DecimalNumber(
            significand: significand, exponent: exponent, isNegative: isNegative, isCompact: isCompact,
            isNaN: isNegative && length == 0)
    }
}

// MARK: - Decimals

extension Decimal: CocoaValue {
    package func object(in graph: ArchiveGraph) throws -> ArchiveGraph.Reference {
        graph.decimal(DecimalNumber(try EncodedParts(of: self)))
    }

    package static func read(_ value: ArchivedValue, in contents: ArchiveContents) throws -> Decimal? {
        if let decimal = try contents.decimal(value) { return try Decimal(decimal) }
        let number = try contents.number(value)
        let objects = contents.list.objects
        let real: Double
        switch number.node.kind {
        case .dictionary: return nil
        case .integer: return try Decimal(DecimalNumber(objects.integer(number.node)))
        case .real64: real = objects.real64(number.node)
        case .real32: real = Double(objects.real32(number.node))
        default: throw ValueFailure.mismatch(Decimal.self, number)
        }
        // Foundation's initializer returns NaN for a number out of range, and traps for infinity.
        let decimal = real.isInfinite ? .nan : Decimal(real)
        guard !decimal.isNaN || real.isNaN else { throw ValueFailure.outOfRange(Decimal.self, number) }
        return decimal
    }

    package static func ownForm(from decoder: any Decoder) throws -> Decimal? {
        try Decimal(DecimalNumber(from: decoder))
    }

    package init(_ number: DecimalNumber) throws {
        // Decimal's own form is slow, so only numbers that the fast initializer would change use it.
        guard number.isCompact, !number.isNaN, let significand = UInt64(exactly: number.significand) else {
            self = try number.parts.value(of: Decimal.self)
            return
        }
        self.init(
            sign: number.isNegative ? .minus : .plus, exponent: number.exponent, significand: Decimal(significand))
    }
}

extension DecimalNumber {
    fileprivate init(_ parts: EncodedParts) {
        var significand: UInt128 = 0
        var shift: UInt128 = 0
        var named: (exponent: Int, length: Int, isNegative: Bool, isCompact: Bool) = (0, 0, false, false)
        for (key, part) in parts.list {
            guard case .integer(let number) = part else { continue }
            switch key {
            case "exponent": named.exponent = number
            case "length": named.length = number
            case "isNegative": named.isNegative = number != 0
            case "isCompact": named.isCompact = number != 0
            default:
                significand |= UInt128(UInt16(truncatingIfNeeded: number)) << shift
                shift += UInt128(UInt16.bitWidth)
            }
        }
        self.init(
            significand: named.length == 0 ? 0 : significand, exponent: named.exponent, isNegative: named.isNegative,
            isCompact: named.isCompact, isNaN: named.length == 0 && named.isNegative)
    }

    fileprivate var parts: EncodedParts {
        var parts = EncodedParts()
        parts.append("exponent", exponent)
        parts.append("length", wordCount)
        parts.append("isNegative", isNegative ? 1 : 0)
        parts.append("isCompact", isCompact ? 1 : 0)
        for index in 0..<Self.wordLimit {
            parts.append("", Int(UInt16(truncatingIfNeeded: significand >> UInt128(index * UInt16.bitWidth))))
        }
        return parts
    }

    /// Decodes a number from the form of Decimal's own `encode(to:)`, which Decimal reads without checking it.
    fileprivate init(from decoder: any Decoder) throws {
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
            let sentence = "Found a decimal number that uses \(length) of \(words.count) words. It has 8 words"
            throw KeyedArchiveError.invalid(nil, sentence)
        }
        let significand = words.prefix(length).reversed().reduce(UInt128(0)) { $0 << 16 | UInt128($1) }
        self.init(
            significand: significand, exponent: Int(exponent), isNegative: isNegative, isCompact: isCompact,
            isNaN: isNegative && length == 0)
    }
}
