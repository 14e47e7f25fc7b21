/// What a number in an archive is as a number of another type, for every coder.
///
/// An integer is the same integer in every type, or none: nothing of it is lost. A real is the nearest one in a type with
/// less precision. The article CodingClasses has the table.
enum NumberConversion<Number> {
    case number(Number)
    /// The type has no such number.
    case outOfRange
    /// It is no number, or none that may become one of the type.
    case otherKind

    fileprivate init(_ number: Number?) {
        self = number.map { .number($0) } ?? .outOfRange
    }
}

extension NodeScanner {
    /// What `node` is as an integer.
    func integer<Integer: FixedWidthInteger>(_ node: Node, as type: Integer.Type) -> NumberConversion<Integer> {
        switch wideInteger(node) {
        case .signed(let integer): NumberConversion(Integer(exactly: integer))
        case .unsigned(let integer): NumberConversion(Integer(exactly: integer))
        case .outOfRange: .outOfRange
        case .otherKind: .otherKind
        }
    }

    /// An integer of any type: what is the same for all of them is compiled once.
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
            // An integer that no integer of the format can hold is written as its digits.
            guard node.count <= UInt128.digitLimit, let wide = UInt128(string(node)), wide > UInt128(Int128.max) else {
                return .otherKind
            }
            return .unsigned(wide)
        default: return .otherKind
        }
    }

    /// What `node` is as a real.
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
    /// The digits of the largest number of this type. Longer texts need not be looked at.
    fileprivate static var digitLimit: Int { 39 }
}

extension BinaryFloatingPoint {
    /// The number nearest to `real`; nil for one that is so large that it would be infinite.
    init?(nearest real: Double) {
        self.init(real)
        guard isFinite || !real.isFinite else { return nil }
    }
}
