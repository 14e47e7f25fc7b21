// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The offsets of the objects of a property list, in ascending order.
///
/// They are as many as the objects, so the table is narrow: it has the last two bytes of each offset. The bytes before are the
/// same for most blocks of 128 objects, and stored once for each. The offsets of other blocks are in a list of their own.
final class OffsetTable {
    private struct Block: BitwiseCopyable {
        /// The first two bytes of each offset, followed by zeros.
        var high: UInt32
        /// The number of the block among the wide ones, plus 1; 0 if it is narrow.
        var wide: UInt32 = 0

        init(start: UInt32) { high = start & ~0xFFFF }

        /// The greatest offset that has the first two bytes of the block.
        var reach: Int { wide == 0 ? Int(high | 0xFFFF) : -1 }
    }

    private(set) var count = 0
    /// The last two bytes of each offset, up to the end of the last block, or to `limit`.
    private let lows: PlainTable<UInt16>
    private let blocks: PlainTable<Block>
    private let wide = PlainTable<UInt32>()
    /// The number of objects of which the last two bytes are the offset.
    private var lowCount = 0
    /// The greatest offset of the next object that needs no preparation.
    private var reach = -1
    /// The number of offsets up to which `add(_:)` can succeed.
    var limit = Int.max { didSet { resume() } }

    /// The binary logarithm of the number of offsets of a block.
    private static var blockBits: Int { 7 }
    private static var blockSize: Int { 1 << blockBits }

    init(capacity: Int) {
        lows = PlainTable(capacity: capacity)
        blocks = PlainTable(capacity: capacity >> Self.blockBits + 1)
    }

    var capacity: Int { lows.capacity }

    var byteCount: Int {
        2 * lows.count + MemoryLayout<Block>.stride * blocks.count + 4 * wide.count
    }

    @inline(__always)
    subscript(index: Int) -> Int { index < lowCount ? Int(lows[index]) : laterOffset(index) }

    @inline(never)
    private func laterOffset(_ index: Int) -> Int {
        let block = blocks[index >> Self.blockBits]
        return Int(block.wide == 0 ? block.high | UInt32(lows[index]) : wide[Self.place(of: index, in: block)])
    }

    private static func place(of index: Int, in block: Block) -> Int {
        (Int(block.wide) - 1) << blockBits + index & (blockSize - 1)
    }
}

// MARK: - Appending

extension OffsetTable {
    /// Appends an offset and returns true, unless it needs preparation: then call `append(_:)`.
    @inline(__always)
    func add(_ offset: Int) -> Bool {
        guard offset <= reach, lows.replace(at: count, by: UInt16(truncatingIfNeeded: offset)) else { return false }
        count &+= 1
        return true
    }

    /// Appends two offsets and returns true, unless they need preparation: then call `append(_:)` for one after the other.
    @inline(__always)
    func add(_ first: Int, _ second: Int) -> Bool {
        let (firstLow, secondLow) = (UInt16(truncatingIfNeeded: first), UInt16(truncatingIfNeeded: second))
        guard second <= reach, lows.replace(at: count, by: firstLow, secondLow) else { return false }
        count &+= 2
        return true
    }

    /// Appends an offset. There are less than `limit` of them.
    func append(_ offset: Int) {
        precondition(count < limit, "A table has as many offsets as the limit permits")
        if count == blocks.count << Self.blockBits { appendBlock(offset) }
        if offset > reach {
            widenLastBlock()
            wide[Self.place(of: count, in: blocks[blocks.count - 1])] = UInt32(truncatingIfNeeded: offset)
        }
        lows[count] = UInt16(truncatingIfNeeded: offset)
        count += 1
    }

    func reserve(_ additional: Int) { lows.reserve(additional) }

    private func appendBlock(_ start: Int) {
        blocks.append(Block(start: UInt32(truncatingIfNeeded: start)))
        resume()
    }

    private func widenLastBlock() {
        var block = blocks[blocks.count - 1]
        guard block.wide == 0 else { return }
        let first = (blocks.count - 1) << Self.blockBits
        block.wide = UInt32(truncatingIfNeeded: wide.count >> Self.blockBits + 1)
        for index in first..<first + Self.blockSize { wide.append(index < count ? UInt32(self[index]) : 0) }
        blocks[blocks.count - 1] = block
        resume()
    }

    private func resume() {
        reach = blocks.count > 0 ? blocks[blocks.count - 1].reach : -1
        let end = min(blocks.count << Self.blockBits, limit)
        if lows.count < end { lows.append(0, count: end - lows.count) }
        // Blocks at the beginning, to which others may have been added, or of which the last may have become wide.
        var number = min(lowCount >> Self.blockBits, max(0, blocks.count - 1))
        while number < blocks.count, blocks[number].high == 0, blocks[number].wide == 0 { number += 1 }
        lowCount = number << Self.blockBits
    }

    /// Appends the offsets of records, less than a kilobyte each, that a cursor writes.
    ///
    /// - Parameters:
    ///   - offset: The offset of the first record.
    ///   - write: A closure that stores the last two bytes of each offset in a table, from an index on. It returns the number
    ///     of offsets then.
    @inline(__always)
    func append(recordsAt offset: Int, _ write: (_ lows: PlainTable<UInt16>, _ first: Int) -> Int) {
        let end = write(lows, count)
        if end > count { complete(to: end, at: offset) }
    }

    @inline(never)
    private func complete(to end: Int, at offset: Int) {
        var offset = offset
        while count < end {
            let first = count
            let next = min(blocks.count << Self.blockBits, end)
            if first == next {
                appendBlock(offset)
                continue
            }
            func offsetOfRecord(_ index: Int) -> Int { offset + Int(lows[index] &- lows[first]) }
            if offsetOfRecord(next - 1) > reach {
                widenLastBlock()
                let block = blocks[blocks.count - 1]
                for index in first..<next {
                    wide[Self.place(of: index, in: block)] = UInt32(truncatingIfNeeded: offsetOfRecord(index))
                }
            }
            if next < end { offset = offsetOfRecord(next) }
            count = next
        }
    }
}

// MARK: - Removing and changing

extension OffsetTable {
    func removeLast() -> Int {
        let offset = self[count - 1]
        count -= 1
        if count & (Self.blockSize - 1) == 0 { truncate(to: count) }
        return offset
    }

    func truncate(to count: Int) {
        precondition(count >= 0 && count <= self.count, "A table cannot be truncated to more elements than it has")
        self.count = count
        let blockCount = (count + Self.blockSize - 1) >> Self.blockBits
        guard blockCount < blocks.count else { return }
        blocks.truncate(to: blockCount)
        lows.truncate(to: blockCount << Self.blockBits)
        resume()
    }

    @inline(__always)
    func visitAll(_ body: (Int) -> Void) {
        lows.withSpan { lows in
            for number in 0..<blocks.count {
                let block = blocks[number]
                let range = range(ofBlock: number)
                if block.wide == 0 {
                    let lows = lows.extracting(range)
                    for index in lows.indices { body(Int(block.high | UInt32(lows[index]))) }
                } else {
                    for index in range { body(Int(wide[Self.place(of: index, in: block)])) }
                }
            }
        }
    }

    private func range(ofBlock number: Int) -> Range<Int> {
        let first = number << Self.blockBits
        return first..<min(first + Self.blockSize, count)
    }

    /// Replaces each offset by the result of `body` for it, the last one first, while `isIncomplete` returns true. The order of the
    /// offsets stays.
    @inline(__always)
    func replaceReversed(while isIncomplete: () -> Bool, by body: (Int) -> Int) {
        let offsets = PlainTable<UInt32>(repeating: 0, count: Self.blockSize)
        for number in (0..<blocks.count).reversed() where isIncomplete() {
            let block = blocks[number]
            let range = range(ofBlock: number)
            var index = range.upperBound
            while index > range.lowerBound {
                index &-= 1
                let old = block.wide == 0 ? block.high | UInt32(lows[index]) : wide[Self.place(of: index, in: block)]
                let new = isIncomplete() ? UInt32(truncatingIfNeeded: body(Int(old))) : old
                lows[index] = UInt16(truncatingIfNeeded: new)
                offsets[index &- range.lowerBound] = new
            }
            replace(number, by: offsets, count: range.count)
        }
        lowCount = 0
        resume()
    }

    private func replace(_ number: Int, by offsets: PlainTable<UInt32>, count: Int) {
        var block = Block(start: offsets[0])
        if Int(offsets[count - 1]) > block.reach {
            block.wide = blocks[number].wide
            if block.wide == 0 {
                block.wide = UInt32(truncatingIfNeeded: wide.count >> Self.blockBits + 1)
                wide.append(0, count: Self.blockSize)
            }
            for index in 0..<count { wide[Self.place(of: index, in: block)] = offsets[index] }
        }
        blocks[number] = block
    }
}

// MARK: - Writing

extension OffsetTable {
    /// Writes the last `size` bytes of each offset, 1 to 4, after adding a distance: the first one to those of the objects before
    /// `first`, the second one to the others.
    func write(to bytes: ByteWriter, size: Int, first: Int = .max, adding distances: (Int, Int) = (0, 0)) {
        let distances = (UInt32(truncatingIfNeeded: distances.0), UInt32(truncatingIfNeeded: distances.1))
        // Consecutive narrow blocks with the same first bytes are written together.
        var start = 0
        for number in 0..<blocks.count {
            let block = blocks[number]
            let range = range(ofBlock: number)
            if block.wide != 0 {
                let place = Self.place(of: 0, in: block)
                for index in range {
                    let distance = index < first ? distances.0 : distances.1
                    bytes.append(number: UInt64(wide[place + index - range.lowerBound] &+ distance), size: size)
                }
                start = range.upperBound
            } else if number + 1 == blocks.count || blocks[number + 1].wide != 0
                || blocks[number + 1].high != block.high
            {
                let end = range.upperBound
                let middle = max(start, min(first, end))
                lows.withSpan {
                    bytes.append(
                        numbersFrom: block.high &+ distances.0, adding: $0.extracting(start..<middle), size: size)
                    guard middle < end else { return }
                    bytes.append(
                        numbersFrom: block.high &+ distances.1, adding: $0.extracting(middle..<end), size: size)
                }
                start = end
            }
        }
    }
}
