// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// Reads numbers and strings in place, in their usual form, without a `Node`. Most values of most archives have this form.
//
// Each function takes an offset from `leafOffset(_:)`. It returns nil if another value, or another form of the value, is at the
// offset. The caller then uses the general functions.

extension ArchiveContents {
    @inline(__always)
    func booleanLeaf(at offset: Int) -> Bool? { list.boolean(at: offset) }

    /// Returns the integer of at most 8 bytes at `offset`, if the type can represent it.
    @inline(__always)
    func integerLeaf<Integer: FixedWidthInteger>(at offset: Int) -> Integer? {
        list.shortInteger(at: offset).flatMap { Integer(exactly: $0) }
    }

    @inline(__always)
    func doubleLeaf(at offset: Int) -> Double? { list.real64(at: offset) }

    @inline(__always)
    func floatLeaf(at offset: Int) -> Float? { list.real32(at: offset) }

    /// Returns the real of either width at `offset`, rounded to the type; `nil` if it is finite and exceeds the type's range.
    @inline(__always)
    func roundedLeaf<Real: BinaryFloatingPoint>(at offset: Int) -> Real? {
        guard let wide = doubleLeaf(at: offset) ?? floatLeaf(at: offset).map({ Double($0) }) else { return nil }
        let result = Real(wide)
        return result.isFinite || !wide.isFinite ? result : nil
    }

    /// Returns the bits of the number at `offset`, if it has the usual form of the type, which can represent it.
    @inline(__always)
    func numberLeaf(at offset: Int, _ form: NumberForm) -> UInt64? { list.number(at: offset, form) }

    @inline(__always)
    func stringLeaf(at offset: Int) -> String? {
        guard let count = list.shortText(at: offset) else { return longStringLeaf(at: offset) }
        // "$null", which represents nil, has five bytes.
        return count == 5 ? nil : try? shortString(at: offset &+ 1, count)
    }

    @inline(never)
    private func longStringLeaf(at offset: Int) -> String? {
        guard let node = list.text(at: offset), node.count != 5 || node.kind == .utf16 else { return nil }
        return try? string(node)
    }
}

// MARK: - Values in any form

extension ArchiveContents {
    @inline(__always)
    func requiredInteger<Integer: FixedWidthInteger>(_ value: ArchivedValue) throws(ValueFailure) -> Integer {
        if value.node.kind == .integer, value.node.count <= 8,
            let exact = Integer(exactly: list.shortInteger(value.node))
        {
            return exact
        }
        return try otherInteger(value)
    }

    // Compiled once: the compiler would make a copy for each type of numbers.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    private func otherInteger<Integer: FixedWidthInteger>(_ value: ArchivedValue) throws(ValueFailure) -> Integer {
        // Digits are an integer only for the type that may have been written in that form.
        guard value.node.kind != .ascii || Integer.self == UInt128.self else { throw .mismatch(Integer.self, value) }
        let conversion: NumberConversion<Integer>
        do { conversion = try integer(value, as: Integer.self) } catch { throw .damaged(error) }
        return try number(conversion, value)
    }

    @inline(never)
    func requiredReal<Real: BinaryFloatingPoint>(_ value: ArchivedValue) throws(ValueFailure) -> Real {
        let conversion: NumberConversion<Real>
        do { conversion = try real(value, as: Real.self) } catch { throw .damaged(error) }
        return try number(conversion, value)
    }

    private func number<Number>(
        _ conversion: NumberConversion<Number>, _ value: ArchivedValue
    ) throws(ValueFailure) -> Number {
        switch conversion {
        case .number(let number): return number
        case .outOfRange: throw .outOfRange(Number.self, try requiredNumber(value))
        case .otherKind: throw .mismatch(Number.self, try requiredNumber(value))
        }
    }

    @inline(never)
    func requiredNumber(_ value: ArchivedValue) throws(ValueFailure) -> ArchivedValue {
        do { return try number(value) } catch { throw .damaged(error) }
    }

    func requiredBool(_ value: ArchivedValue) throws(ValueFailure) -> Bool {
        let leaf = value.node.kind == .dictionary ? try requiredNumber(value) : value
        switch leaf.node.kind {
        case .true: return true
        case .false: return false
        default: throw .mismatch(Bool.self, leaf)
        }
    }

    @inline(__always)
    func requiredText(_ value: ArchivedValue) throws(ValueFailure) -> String {
        guard value.node.kind == .ascii, !value.isNull else { return try otherText(value) }
        do { return try string(value.node) } catch { throw .damaged(error) }
    }

    @inline(never)
    private func otherText(_ value: ArchivedValue) throws(ValueFailure) -> String {
        try required(String.self, value, textOrOtherForm(value))
    }

    @inline(__always)
    func required<Leaf>(
        _ type: any Any.Type, _ value: ArchivedValue, _ read: @autoclosure () throws(KeyedArchiveError) -> Leaf?
    ) throws(ValueFailure) -> Leaf {
        let leaf: Leaf?
        do { leaf = value.isNull ? nil : try read() } catch { throw .damaged(error) }
        guard let leaf else { throw .mismatch(type, value) }
        return leaf
    }
}
