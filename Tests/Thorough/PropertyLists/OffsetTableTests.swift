// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Archiving

@Suite(.inTurn) struct `A table of offsets` {
    /// Offsets with distances of every size: within a block, across 64 KiB, and larger than that.
    private static func offsets(_ count: Int, rareDistance: Int) -> [Int] {
        var generator = SeededGenerator(state: UInt64(count))
        var offset = 8
        return (0..<count).map { _ in
            defer { offset += generator.next() % 200 == 0 ? rareDistance : Int(1 + generator.next() % 30) }
            return offset
        }
    }

    private static func table(_ offsets: some Sequence<Int>) -> OffsetTable {
        let table = OffsetTable(capacity: 64)
        for offset in offsets where !table.add(offset) { table.append(offset) }
        return table
    }

    private static func all(_ table: OffsetTable) -> [Int] { (0..<table.count).map { table[$0] } }

    @Test(arguments: [0, 1, 127, 128, 129, 255, 256, 10_000], [1, 3_000, 70_000])
    func `has each offset`(count: Int, rareDistance: Int) {
        let offsets = Self.offsets(count, rareDistance: rareDistance)
        let table = Self.table(offsets)
        #expect(Self.all(table) == offsets)
        var visited: [Int] = []
        table.visitAll { visited.append($0) }
        #expect(visited == offsets)
    }

    @Test(arguments: [0, 1, 128, 300, 10_000], [1, 3_000, 70_000])
    func `writes each offset`(count: Int, rareDistance: Int) {
        let offsets = Self.offsets(count, rareDistance: rareDistance)
        let writer = ByteWriter(capacity: 16)
        Self.table(offsets).write(to: writer, size: 4)
        #expect((0..<count).map { Int(writer.number(at: 4 * $0, size: 4)) } == offsets)
        #expect(writer.count == 4 * count)
    }

    @Test(arguments: [1, 128, 300, 10_000], [1, 3_000, 70_000])
    func `writes each offset after a move of the last objects to the beginning`(count: Int, rareDistance: Int) {
        let offsets = Self.offsets(count, rareDistance: rareDistance)
        for (first, size) in [(0, 4), (count / 2, 4), (count - 1, 4), (max(0, count - 3), 3), (count, 4)] {
            let writer = ByteWriter(capacity: 16)
            Self.table(offsets).write(to: writer, size: size, first: first, adding: (70_001, 8 - offsets[count / 2]))
            let moved = offsets.enumerated().map { $1 + ($0 < first ? 70_001 : 8 - offsets[count / 2]) }
            let written = (0..<count).map { Int(writer.number(at: size * $0, size: size)) }
            #expect(written == moved.map { $0 & (1 << (8 * size) - 1) })
            #expect(writer.count == size * count)
        }
    }

    @Test(arguments: [1, 3_000, 70_000]) func `loses its last offsets`(rareDistance: Int) {
        let offsets = Self.offsets(1000, rareDistance: rareDistance)
        let table = Self.table(offsets)
        for count in (300..<1000).reversed() { #expect(table.removeLast() == offsets[count] && table.count == count) }
        for offset in offsets[300..<400] where !table.add(offset) { table.append(offset) }
        #expect(Self.all(table) == Array(offsets[..<400]))
        table.truncate(to: 10)
        for offset in offsets[10..<300] where !table.add(offset) { table.append(offset) }
        #expect(Self.all(table) == Array(offsets[..<300]))
    }

    @Test(arguments: [1, 3_000, 70_000], [0, 5, 70_000]) func `changes its offsets from the last block on`(
        rareDistance: Int, shift: Int
    ) {
        let offsets = Self.offsets(3000, rareDistance: rareDistance)
        let table = Self.table(offsets)
        let changed = offsets.enumerated().map { $0 < 500 ? $1 : $1 + shift + ($0 - 500) / 10 }
        var index = offsets.count
        func replaced(_ offset: Int) -> Int {
            index -= 1
            #expect(offset == offsets[index])
            return changed[index]
        }
        table.replaceReversed(while: { index > 500 }, by: replaced)
        #expect(Self.all(table) == changed)
        let next = changed[2999] + 1
        if !table.add(next) { table.append(next) }
        #expect(Self.all(table) == changed + [next])
    }

    @Test func `adds offsets up to its limit`() {
        let table = OffsetTable(capacity: 64)
        table.limit = 255
        for index in 0..<255 where !table.add(8 + index) { table.append(8 + index) }
        #expect(!table.add(263) && !table.add(263, 264))
        table.limit = 300
        for index in 255..<300 where !table.add(8 + index) { table.append(8 + index) }
        #expect(!table.add(308))
        #expect(Self.all(table) == (0..<300).map { 8 + $0 })
    }

    /// The memory is what makes an archive of many small objects fit.
    @Test func `takes two bytes for an offset of small objects`() {
        let table = Self.table((0..<100_000).map { 8 + 13 * $0 })
        #expect(table.byteCount < 230_000)
        // Four more at most.
        let wide = Self.table((0..<10_000).map { 8 + 70_000 * $0 })
        #expect(wide.byteCount < 62_000)
    }
}
