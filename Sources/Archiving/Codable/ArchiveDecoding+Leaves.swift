/// Scalars and strings out of archived values.
///
/// A number becomes another type of number only when nothing is lost; a Bool is never a number.
extension ArchiveDecoding {
    @inline(__always)
    func integer<Integer: FixedWidthInteger>(
        _ value: ArchivedValue, at step: @autoclosure () -> CodingPathStep
    ) throws -> Integer {
        if value.node.kind == .integer, value.node.count <= 8,
            let exact = Integer(exactly: archive.list.objects.shortInteger(value.node))
        {
            return exact
        }
        return try otherInteger(value, at: step())
    }

    @inline(never)
    private func otherInteger<Integer: FixedWidthInteger>(
        _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> Integer {
        let leaf = try number(value, at: step)
        let objects = archive.list.objects
        switch leaf.node.kind {
        case .integer:
            if let exact = Integer(exactly: objects.integer(leaf.node)) { return exact }
        case .real64:
            if let exact = Integer(exactly: objects.real64(leaf.node)) { return exact }
        case .real32:
            if let exact = Integer(exactly: objects.real32(leaf.node)) { return exact }
        case .ascii where Integer.self == UInt128.self:
            // An integer that no integer of the format can hold is written as its digits.
            if leaf.node.count <= UInt128.digitLimit, let exact = UInt128(objects.string(leaf.node)),
                exact > UInt128(Int128.max)
            {
                return Integer(truncatingIfNeeded: exact)
            }
            throw CodableErrors.mismatch(Integer.self, found: leaf, in: archive, path: path(step))
        default:
            throw CodableErrors.mismatch(Integer.self, found: leaf, in: archive, path: path(step))
        }
        throw CodableErrors.inexact(Integer.self, found: leaf, in: archive, path: path(step))
    }

    @inline(__always)
    func double(_ value: ArchivedValue, at step: @autoclosure () -> CodingPathStep) throws -> Double {
        if value.node.kind == .real64 { return archive.list.objects.real64(value.node) }
        return try otherReal(value, at: step(), Double.init(exactly:)) { Double($0) }
    }

    @inline(__always)
    func float(_ value: ArchivedValue, at step: @autoclosure () -> CodingPathStep) throws -> Float {
        if value.node.kind == .real32 { return archive.list.objects.real32(value.node) }
        return try otherReal(value, at: step(), Float.init(exactly:)) { real in
            real.isNaN ? Float(real) : Float(exactly: real)
        }
    }

    @inline(never)
    private func otherReal<Real: BinaryFloatingPoint>(
        _ value: ArchivedValue, at step: CodingPathStep, _ integer: (Int128) -> Real?, _ real: (Double) -> Real?
    ) throws -> Real {
        let leaf = try number(value, at: step)
        let objects = archive.list.objects
        let exact: Real?
        switch leaf.node.kind {
        case .real64: exact = real(objects.real64(leaf.node))
        case .real32: exact = real(Double(objects.real32(leaf.node)))
        case .integer: exact = integer(objects.integer(leaf.node))
        default: throw CodableErrors.mismatch(Real.self, found: leaf, in: archive, path: path(step))
        }
        guard let exact else { throw CodableErrors.inexact(Real.self, found: leaf, in: archive, path: path(step)) }
        return exact
    }

    func boolean(_ value: ArchivedValue, at step: @autoclosure () -> CodingPathStep) throws -> Bool {
        switch value.node.kind {
        case .true: return true
        case .false: return false
        default:
            let leaf = try number(value, at: step())
            switch leaf.node.kind {
            case .true: return true
            case .false: return false
            default: throw CodableErrors.mismatch(Bool.self, found: leaf, in: archive, path: path(step()))
            }
        }
    }

    @inline(__always)
    func string(_ value: ArchivedValue, at step: @autoclosure () -> CodingPathStep) throws -> String {
        guard value.node.kind == .ascii, !value.isNull else { return try otherString(value, at: step()) }
        do throws(KeyedArchiveError) {
            return try core.pointee.archive.string(value.node)
        } catch {
            throw damaged(error, step())
        }
    }

    @inline(never)
    private func otherString(_ value: ArchivedValue, at step: CodingPathStep) throws -> String {
        let text = try contents(at: step) { contents throws(KeyedArchiveError) in try contents.text(value) }
        guard let text else {
            throw CodableErrors.mismatch(String.self, found: value, in: archive, path: path(step))
        }
        return text
    }
}

// MARK: - Leaves written as objects

extension ArchiveDecoding {
    /// The number that `value` is, or that it has inside when it is an object.
    @inline(never)
    private func number(_ value: ArchivedValue, at step: CodingPathStep) throws -> ArchivedValue {
        try contents(at: step) { contents throws(KeyedArchiveError) in try contents.number(value) }
    }

    /// Whether `value` is nil, or the NSNull that stands for nil in Foundation's containers.
    @inline(__always)
    func isNil(_ value: ArchivedValue) -> Bool {
        if value.isNull { return true }
        guard value.node.kind == .dictionary, value.node.count == 1 else { return false }
        return archive.isNil(value)
    }
}
