// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Archiving

@Suite(.inTurn) struct `Packed integers` {
    @Test(
        arguments: [
            ([0], [0]), ([127], [0x7F]), ([128], [0x80, 0x01]), ([300], [0xAC, 0x02]),
            ([1, 16_383, 16_384], [1, 0xFF, 0x7F, 0x80, 0x80, 1]),
            ([.max], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]), ([], []),
        ] as [([UInt64], [UInt8])])
    func `have 7 bits a byte, the lowest first`(integers: [UInt64], bytes: [UInt8]) {
        var packed = PackedIntegers()
        for integer in integers { packed.append(integer) }
        #expect(packed.bytes == bytes)
        #expect(PackedIntegers.integers(in: StoredBytes(Data(bytes)), count: integers.count) == integers)
    }

    @Test(
        arguments: [
            ([], 1), ([1], 0), ([1], 2), ([1, 2], 1), ([0x80], 1), ([1, 0x80], 2), ([1], -1), ([1], .max),
            (Array(repeating: 0xFF, count: 9) + [0x02], 1), (Array(repeating: 0x80, count: 10) + [0], 1),
        ] as [([UInt8], Int)])
    func `are as many as the caller says, and of 64 bits`(bytes: [UInt8], count: Int) {
        #expect(PackedIntegers.integers(in: StoredBytes(Data(bytes)), count: count) == nil)
    }

    @Test func `may be longer than they need be`() {
        let bytes: [UInt8] = [0x81, 0x80, 0x00]
        #expect(PackedIntegers.integers(in: StoredBytes(Data(bytes)), count: 1) == [1])
    }
}
