/// The result of converting a number in an archive to another type, for all coders.
///
/// Integers convert exactly or not at all. A real converts to the nearest real of a type with less precision. The article
/// CodingClasses has the table.
enum NumberConversion<Number> {
    case number(Number)
    /// The type cannot represent the number.
    case outOfRange
    /// The value is not a number, or not a number that converts to the type.
    case otherKind

    fileprivate init(_ number: Number?) {
        self = number.map { .number($0) } ?? .outOfRange
    }
}

extension NodeScanner {
    /// Returns `node` as an integer.
    func integer<Integer: FixedWidthInteger>(_ node: Node, as type: Integer.Type) -> NumberConversion<Integer> {
        switch wideInteger(node) {
        case .signed(let integer): NumberConversion(Integer(exactly: integer))
        case .unsigned(let integer): NumberConversion(Integer(exactly: integer))
        case .outOfRange: .outOfRange
        case .otherKind: .otherKind
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

    /// Returns `node` as a real.
    func real<Real: BinaryFloatingPoint>(_ node: Node, as type: Real.Type) -> NumberConversion<Real> {
        switch node.kind {
        case .integer: NumberConversion(Real(exactly: integer(node)))
        case .real64: NumberConversion(Real(nearest: real64(node)))
        case .real32: .number(Real(real32(node)))
        default: .otherKind
        }
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
