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
        list.numbers.shortInteger(at: offset).flatMap { Integer(exactly: $0) }
    }

    @inline(__always)
    func doubleLeaf(at offset: Int) -> Double? { list.numbers.real64(at: offset) }

    @inline(__always)
    func floatLeaf(at offset: Int) -> Float? { list.numbers.real32(at: offset) }

    /// Returns the real of either width at `offset`, rounded to the type; `nil` if it is finite and exceeds the type's range.
    @inline(__always)
    func roundedLeaf<Real: BinaryFloatingPoint>(at offset: Int) -> Real? {
        guard let wide = doubleLeaf(at: offset) ?? floatLeaf(at: offset).map({ Double($0) }) else { return nil }
        let result = Real(wide)
        return result.isFinite || !wide.isFinite ? result : nil
    }

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
        try required(String.self, value, isUsualCollection(value.node) ? nil : textOrOtherForm(value))
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

// MARK: - Offsets of elements

/// The offsets of an array's numbers or strings, in order: the results of `leafOffset(_:)`, for loops over many elements.
///
/// The struct holds all data that the loop needs, so that it stays in registers.
struct LeafOffsets {
    private let bytes: StoredBytes
    private let references: StoredNumbers
    private var loadedCount = 0
    private let offsets: StoredNumbers
    private let slots: StoredNumbers
    /// The limit of offsets, counted from `headerSize`, that leave space for a uid after them.
    private let offsetLimit: UInt64

    /// Creates the offsets of `elements`, starting with the first; `nil` if the elements or the referenced objects may not be
    /// in memory.
    init?(_ elements: ArchivedElements, in archive: ArchiveContents) {
        let list = archive.list
        let bytes = list.bytes
        guard let first = elements.listOffset, list.isPresent,
            let references = bytes.numbers(at: first, size: list.referenceSize, count: elements.count),
            let offsets = bytes.numbers(at: list.limit, size: list.offsetSize, count: list.objectCount),
            let slots = bytes.numbers(at: archive.slots, size: list.referenceSize, count: archive.slotCount)
        else { return nil }
        archive.noteRead(elements)
        self.bytes = bytes
        self.references = references
        self.offsets = offsets
        self.slots = slots
        let margin = BinaryFormat.headerSize + 5
        offsetLimit = UInt64(max(0, list.limit - margin))
    }

    static var blockSize: Int { 64 }

    /// Stores the offsets of the next `count` elements in `block`; 0 for an element that needs the general functions. `count`
    /// is at most `blockSize` and at most the number of remaining elements.
    ///
    /// Each step runs for all elements before the next step. The accesses of one step may be anywhere in the file, and the
    /// processor waits for many of them at the same time.
    @inline(never)
    mutating func load(_ count: Int, into block: inout MutableSpan<Int>) {
        precondition(count <= block.count, "A block has fewer elements")
        references.load(count, from: loadedCount, into: &block) { offset(of: $0) }
        loadedCount += count
        for index in 0..<count { block[index] = reference(behind: block[index]) }
        for index in 0..<count { block[index] = offset(of: UInt64(UInt(bitPattern: block[index]))) }
    }

    /// Returns the reference of the slot whose uid is at `offset`; an invalid reference if there is no uid.
    @inline(__always)
    private func reference(behind offset: Int) -> Int {
        // Offset 0 is the header, which does not start with the marker of a uid.
        let word = bytes.word(at: offset)
        let marker = UInt8(truncatingIfNeeded: word >> 56)
        guard marker & 0xFC == BinaryFormat.Marker.uid else { return -1 }
        // Without a branch, because the widths of uids in a row are hard to predict.
        let uid = (word &<< 8) &>> (56 &- 8 &* UInt64(marker & 3))
        // Uid 0 is "$null".
        guard uid != 0, uid < slots.count else { return -1 }
        return StoredNumbers.index(slots[uid])
    }

    /// Returns the offset of the object `reference`; 0 if there is none, or if it is one of the last objects in the file.
    @inline(__always)
    private func offset(of reference: UInt64) -> Int {
        guard reference < offsets.count else { return 0 }
        let offset = offsets[reference]
        guard offset &- UInt64(BinaryFormat.headerSize) < offsetLimit else { return 0 }
        return Int(truncatingIfNeeded: offset)
    }
}
