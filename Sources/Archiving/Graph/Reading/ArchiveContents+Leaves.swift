// Numbers and strings where they lie, in their usual form: most values of most archives. They are read without a `Node`.
//
// Each function takes what `leafOffset(_:)` gave, and gives nil where something else lies there, or the same in another
// form, which takes a closer look.

extension ArchiveContents {
    /// The boolean at `offset`.
    @inline(__always)
    func booleanLeaf(at offset: Int) -> Bool? { list.objects.boolean(at: offset) }

    /// The integer of at most 8 bytes at `offset`, if it is one of the type.
    @inline(__always)
    func integerLeaf<Integer: FixedWidthInteger>(at offset: Int) -> Integer? {
        list.objects.shortInteger(at: offset).flatMap { Integer(exactly: $0) }
    }

    /// The 64-bit real at `offset`.
    @inline(__always)
    func doubleLeaf(at offset: Int) -> Double? { list.objects.real64(at: offset) }

    /// The 32-bit real at `offset`.
    @inline(__always)
    func floatLeaf(at offset: Int) -> Float? { list.objects.real32(at: offset) }

    /// The real of either width at `offset`, rounded to that of the type, if it is none that is too large for it.
    @inline(__always)
    func roundedLeaf<Real: BinaryFloatingPoint>(at offset: Int) -> Real? {
        guard let wide = doubleLeaf(at: offset) ?? floatLeaf(at: offset).map({ Double($0) }) else { return nil }
        let result = Real(wide)
        return result.isFinite || !wide.isFinite ? result : nil
    }

    /// The string at `offset`.
    @inline(__always)
    func stringLeaf(at offset: Int) -> String? {
        guard let text = list.objects.shortText(at: offset) else { return longStringLeaf(at: offset) }
        // "$null", which is nil, has five bytes.
        return text.count == 5 ? nil : try? string(text)
    }

    @inline(never)
    private func longStringLeaf(at offset: Int) -> String? {
        guard let node = list.objects.text(at: offset), node.count != 5 || node.kind == .utf16 else { return nil }
        return try? string(node)
    }
}

// MARK: - One after the other

/// Where the numbers or strings of an array lie, one element after the other: what `leafOffset(_:)` says of each, for loops
/// over many.
///
/// Everything that the loop needs is here, so that it stays in registers.
struct LeafOffsets: BitwiseCopyable {
    private let base: UnsafeRawPointer
    /// The eight bytes that end with the next reference; then those that end with the first offset of the table, and with
    /// the first slot. All of them lie in the file, which begins with eight bytes that are no number.
    private var next: UnsafeRawPointer
    private let offsets: UnsafeRawPointer
    private let slots: UnsafeRawPointer
    private let referenceSize: Int
    private let referenceMask: UInt64
    private let offsetSize: Int
    private let offsetMask: UInt64
    private let objectCount: UInt64
    /// At least one.
    private let slotCount: UInt64
    /// Offsets from `headerSize` on, counted from there, that have room for a uid behind them.
    private let offsetLimit: UInt64

    /// The elements of `elements` from the first on; nil where they, or what they lead to, may not be in memory.
    init?(_ elements: ArchivedElements, in archive: ArchiveContents) {
        let list = archive.list
        guard let first = elements.listOffset, list.isPresent else { return nil }
        archive.noteRead(elements)
        base = list.objects.base
        next = base + (first &+ list.referenceSize &- 8)
        offsets = base + (list.objects.limit &+ list.offsetSize &- 8)
        slots = base + (archive.slots &+ list.referenceSize &- 8)
        referenceSize = list.referenceSize
        referenceMask = BigEndianWidth.mask(size: list.referenceSize)
        offsetSize = list.offsetSize
        offsetMask = BigEndianWidth.mask(size: list.offsetSize)
        objectCount = UInt64(truncatingIfNeeded: list.objectCount)
        slotCount = UInt64(max(1, archive.slotCount))
        let margin = BinaryFormat.headerSize + 5
        offsetLimit = UInt64(max(0, list.objects.limit - margin))
    }

    /// The number of elements that are looked up together.
    static var blockSize: Int { 64 }

    /// Stores in `block` where each of the next `count` elements lies, of which there are as many and at most `blockSize`; 0
    /// where that takes a closer look.
    ///
    /// One step for all of them, then the next step: what a step asks for may be anywhere in the file, and the processor
    /// waits for many answers at a time.
    @inline(never)
    mutating func load(_ count: Int, into block: UnsafeMutablePointer<Int>) {
        for index in 0..<count {
            block[index] = offset(of: LeafOffsets.load(next, referenceMask))
            next += referenceSize
        }
        for index in 0..<count { block[index] = reference(behind: block[index]) }
        for index in 0..<count { block[index] = offset(of: UInt64(bitPattern: Int64(block[index]))) }
    }

    /// What the slot refers to whose uid lies at `offset`; a reference that there is not where something else lies there.
    @inline(__always)
    private func reference(behind offset: Int) -> Int {
        // Offset 0 is that of the header, which begins with no marker of a uid.
        let marker = base.load(fromByteOffset: offset, as: UInt8.self)
        guard marker & 0xFC == BinaryFormat.Marker.uid else { return -1 }
        let size = Int(marker & 3) &+ 1
        // Eight bytes, of which the last count. Without a branch: uids of several widths in a row are hard to predict.
        let bytes = UInt64(bigEndian: base.loadUnaligned(fromByteOffset: offset &+ size &- 7, as: UInt64.self))
        let uid = bytes & UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- 8 &* size)
        // Uid 0, that of "$null", is not below it either.
        guard uid &- 1 < slotCount &- 1 else { return -1 }
        return Int(
            truncatingIfNeeded: LeafOffsets.load(
                slots + Int(truncatingIfNeeded: uid) &* referenceSize, referenceMask))
    }

    /// Where the object `reference` lies; 0 where there is none, or where it is one of the last in the file.
    @inline(__always)
    private func offset(of reference: UInt64) -> Int {
        guard reference < objectCount else { return 0 }
        let offset = LeafOffsets.load(
            offsets + Int(truncatingIfNeeded: reference) &* offsetSize, offsetMask)
        guard offset &- UInt64(BinaryFormat.headerSize) < offsetLimit else { return 0 }
        return Int(truncatingIfNeeded: offset)
    }

    /// The number that the eight bytes at `address` end with.
    @inline(__always)
    private static func load(_ address: UnsafeRawPointer, _ mask: UInt64) -> UInt64 {
        UInt64(bigEndian: address.loadUnaligned(as: UInt64.self)) & mask
    }
}
