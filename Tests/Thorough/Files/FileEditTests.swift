// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `An edit of a file` {
    @Test func `is what its bytes say`() throws {
        // Two steps: bytes 2 to 5 and one new byte, then bytes 0 to 1 and two new ones.
        let bytes: [UInt8] = [2, 4, 3, 1, 9, 2, 2, 7, 8, 9]
        let edit = try #require(FileEdit(decoding: StoredBytes(bytes), oldCount: 5))
        #expect(edit.byteCount == 8)
        #expect(Array(edit.encoded()) == bytes)
    }

    @Test(arguments: [
        // Nothing, a number without an end, one of more than 62 bits, too many steps.
        [], [0x81], [UInt8](repeating: 0xFF, count: 9) + [1], [9, 0, 0, 0],
        // A range that begins before the old contents, or ends behind them; too many new bytes, and too few.
        [1, 1, 0, 0], [1, 0, 6, 0], [1, 12, 0, 0], [1, 0, 0, 2, 7], [1, 0, 0, 1, 7, 7],
        [1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x3F, 0],
    ])
    func `is no other bytes`(bytes: [UInt8]) {
        #expect(FileEdit(decoding: StoredBytes(bytes), oldCount: 5) == nil)
    }

    @Test func `survives any bytes`() {
        var generator = SeededGenerator(state: 5)
        var count = 0
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 1...24, using: &generator)).map { _ in
                UInt8.random(in: 0...9, using: &generator) | (Int.random(in: 0..<9, using: &generator) == 0 ? 0x80 : 0)
            }
            if FileEdit(decoding: StoredBytes(bytes), oldCount: 20) != nil { count += 1 }
        }
        #expect(count > 100)
    }
}

@Suite(.inTurn) struct `Contents of a file with edits` {
    /// The edit that copies the ranges, with new bytes behind each.
    private func edit(_ steps: [(Range<Int>, [UInt8])], of count: Int) throws -> FileEdit {
        func compact(_ number: Int) -> [UInt8] {
            number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7F) | 0x80] + compact(number >> 7)
        }
        var bytes = compact(steps.count)
        var end = 0
        for (range, new) in steps {
            let distance = range.lowerBound - end
            bytes += compact(distance >= 0 ? distance << 1 : -distance << 1 - 1)
            bytes += compact(range.count) + compact(new.count)
            end = range.upperBound
        }
        return try #require(FileEdit(decoding: StoredBytes(bytes + steps.flatMap(\.1)), oldCount: count))
    }

    @Test(arguments: 0..<4) func `are those that the edits make`(seed: UInt64) throws {
        var generator = SeededGenerator(state: seed)
        var model = (0..<500).map { UInt8(truncatingIfNeeded: $0) }
        var version = FileVersion(StoredBytes(model))
        for _ in 0..<120 {
            var steps: [(Range<Int>, [UInt8])] = []
            var position = 0
            while position < model.count, steps.count < 6 {
                let start = Int.random(in: position...min(model.count, position + 3), using: &generator)
                let end = steps.count == 5 ? model.count : Int.random(in: start...model.count, using: &generator)
                let new = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                steps.append((start..<end, new))
                position = end
            }
            let isAppended = version.append(try edit(steps, of: model.count))
            #expect(isAppended)
            model = steps.flatMap { model[$0.0] + $0.1 }
            #expect(version.byteCount == model.count)
            #expect(version.contents.map(Array.init) == model)
        }
    }

    @Test func `do not unfold to many times their bytes`() throws {
        var version = FileVersion(StoredBytes([UInt8](repeating: 1, count: 1000)))
        func double() throws -> Bool {
            let count = version.byteCount
            return version.append(try edit([(0..<count, [7]), (0..<count, [8])], of: count))
        }
        var times = 0
        while try double() { times += 1 }
        #expect(times == 1)
        #expect(version.byteCount == 2002)
    }
}
