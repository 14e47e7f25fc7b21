// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The result of converting a number in an archive to another type, for all coders.
///
/// An integer type gets exactly the number or an error, and a real type the nearest number. The article CodingClasses has
/// the table. The number of a date is that of its seconds.
enum NumberConversion<Number> {
    case number(Number)
    case outOfRange
    case otherKind

    fileprivate init(_ number: Number?) {
        self = number.map { .number($0) } ?? .outOfRange
    }
}

extension ArchiveContents {
    /// Returns the number of `value` as an integer: that of a leaf, of an NSNumber object, of an NSDecimalNumber or of a date.
    @inline(never)
    func integer<Integer: FixedWidthInteger>(
        _ value: ArchivedValue, as type: Integer.Type
    ) throws(KeyedArchiveError) -> NumberConversion<Integer> {
        let number = try number(value)
        if let decimal = try decimalNumber(number) { return decimal.integer(as: type) }
        if let seconds = try seconds(number) { return WideInteger(exactly: seconds).converted(to: type) }
        return list.objects.integer(number.node, as: type)
    }

    @inline(never)
    func real<Real: BinaryFloatingPoint>(
        _ value: ArchivedValue, as type: Real.Type
    ) throws(KeyedArchiveError) -> NumberConversion<Real> {
        let number = try number(value)
        if isUsualCollection(value.node) { return .otherKind }
        if let decimal = try decimalNumber(number) { return decimal.real(as: type) }
        if let seconds = try seconds(number) { return NumberConversion(Real(nearest: seconds)) }
        return list.objects.real(number.node, as: type)
    }

    /// Returns the seconds from 2001-01-01 00:00 UTC, the number of a date in JSON, if `value` is a date.
    private func seconds(_ value: ArchivedValue) throws(KeyedArchiveError) -> Double? {
        value.node.kind == .dictionary || value.node.kind == .date ? try date(value) : nil
    }

    /// Returns the number of `value` if it is an object of the class NSDecimalNumber. Objects of other classes can have
    /// the same keys.
    private func decimalNumber(_ value: ArchivedValue) throws(KeyedArchiveError) -> DecimalNumber? {
        guard value.node.kind == .dictionary else { return nil }
        for key in ["NS.mantissa", "$0"] as [StaticString] where try self.value(of: key, in: value.node) != nil {
            guard let uid = try classUID(of: value.node), try cocoaClass(uid) == .decimalNumber else { continue }
            return try decimal(value)
        }
        return nil
    }
}

/// An integer of any type, so that the code shared by all types is compiled once.
private enum WideInteger {
    case signed(Int128)
    case unsigned(UInt128)
    case outOfRange, otherKind

    init(exactly real: Double) {
        if let integer = Int128(exactly: real) {
            self = .signed(integer)
        } else {
            self = UInt128(exactly: real).map { .unsigned($0) } ?? .outOfRange
        }
    }

    func converted<Integer: FixedWidthInteger>(to type: Integer.Type) -> NumberConversion<Integer> {
        switch self {
        case .signed(let integer): NumberConversion(Integer(exactly: integer))
        case .unsigned(let integer): NumberConversion(Integer(exactly: integer))
        case .outOfRange: .outOfRange
        case .otherKind: .otherKind
        }
    }
}

extension NodeScanner {
    fileprivate func integer<Integer: FixedWidthInteger>(_ node: Node, as type: Integer.Type) -> NumberConversion<
        Integer
    > {
        wideInteger(node).converted(to: type)
    }

    @inline(never)
    private func wideInteger(_ node: Node) -> WideInteger {
        switch node.kind {
        case .integer: return .signed(integer(node))
        case .real64: return WideInteger(exactly: real64(node))
        case .real32: return WideInteger(exactly: Double(real32(node)))
        case .ascii:
            // An integer outside the range of the format is written as its digits.
            guard node.count <= UInt128.digitLimit, let wide = UInt128(string(node)), wide > UInt128(Int128.max) else {
                return .otherKind
            }
            return .unsigned(wide)
        default: return .otherKind
        }
    }

    func real<Real: BinaryFloatingPoint>(_ node: Node, as type: Real.Type) -> NumberConversion<Real> {
        switch node.kind {
        case .integer: .number(Real(integer(node)))
        case .real64: NumberConversion(Real(nearest: real64(node)))
        case .real32: .number(Real(real32(node)))
        default: .otherKind
        }
    }
}

extension DecimalNumber {
    fileprivate func integer<Integer: FixedWidthInteger>(as type: Integer.Type) -> NumberConversion<Integer> {
        wideInteger.converted(to: type)
    }

    private var wideInteger: WideInteger {
        guard !isNaN, var digits = wholeSignificand else { return .outOfRange }
        guard isNegative else { return .unsigned(digits) }
        digits = 0 &- digits
        let integer = Int128(truncatingIfNeeded: digits)
        return integer < 0 ? .signed(integer) : .outOfRange
    }

    fileprivate func real<Real: BinaryFloatingPoint>(as type: Real.Type) -> NumberConversion<Real> {
        guard !isNaN else { return .number(.nan) }
        // The standard library converts digits to the nearest number of each of its types. A Double would be rounded twice.
        let digits = "\(isNegative ? "-" : "")\(significand)E\(exponent)"
        let nearest = (type as? any LosslessStringConvertible.Type)?.init(digits) as? Real
        guard let real = nearest ?? Double(digits).map({ Real($0) }), real.isFinite else { return .outOfRange }
        return .number(real)
    }
}

extension UInt128 {
    /// The number of digits of the largest number of this type. Longer texts are not parsed.
    fileprivate static var digitLimit: Int { 39 }
}

extension BinaryFloatingPoint {
    /// Creates the number nearest to `real`. Fails if a finite `real` would become infinite.
    init?(nearest real: Double) {
        self.init(real)
        guard isFinite || !real.isFinite else { return nil }
    }
}

// MARK: - Numbers and strings as objects of their own

extension ArchiveContents {
    /// Returns the number of `value`: the value itself, or the number inside an NSNumber object of another coder.
    package func number(_ value: ArchivedValue) throws(KeyedArchiveError) -> ArchivedValue {
        guard value.node.kind == .dictionary, !isUsualCollection(value.node) else { return value }
        for key in ["NS.number", "NS.intval", "NS.dblval", "NS.boolval"] as [StaticString] {
            if let found = try self.value(of: key, in: value.node) {
                return ArchivedValue(node: found.node, uid: value.uid, isNull: false)
            }
        }
        return value
    }

    /// Returns the text of a string: a leaf, or an NSString or NSMutableString object; `nil` if `value` is not a string.
    package func text(_ value: ArchivedValue) throws(KeyedArchiveError) -> String? {
        switch value.node.kind {
        case .ascii, .utf16: return value.isNull ? nil : try string(value.node)
        case .dictionary:
            // Inside the object, "$null" is text: a string "$null" is written as an object because it is not nil.
            if let text = try self.value(of: "NS.string", in: value.node)?.node {
                return text.kind == .ascii || text.kind == .utf16 ? try string(text) : nil
            }
            // The UTF-8 of a string class that encodes itself.
            guard let bytes = try self.value(of: "NS.bytes", in: value.node)?.node, bytes.kind == .data else {
                return nil
            }
            if let meter { try meter.countBytes(bytes.count) }
            return list.objects.bytes.string(at: bytes.payload, length: bytes.count)
        default: return nil
        }
    }
}

// MARK: - Null

extension ArchiveGraph {
    /// Returns the uid of the NSNull. The archive has only one, as a program does.
    package func nullObject() -> Reference {
        if cocoaNames.nullObject == 0 { cocoaNames.nullObject = object("NSNull", []) }
        return cocoaNames.nullObject
    }

    func isNil(_ uid: Reference) -> Bool {
        uid == Self.null || uid == cocoaNames.nullObject && uid != 0
    }
}

extension ArchiveContents {
    @inline(__always)
    package func isNil(_ value: ArchivedValue) -> Bool {
        value.isNull || value.node.kind == .dictionary && value.node.count == 1 && isNullObject(value)
    }

    @inline(never)
    private func isNullObject(_ value: ArchivedValue) -> Bool {
        guard let uid = try? classUID(of: value.node) else { return false }
        guard let entry = try? classEntry(uid), let name = try? self.value(of: "$classname", in: entry) else {
            return false
        }
        return list.objects.isString(name.node, "NSNull")
    }
}
