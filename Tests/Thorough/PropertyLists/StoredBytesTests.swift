// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Archiving

@Suite(.inTurn) struct `Stored bytes` {
    private static let bytes = StoredBytes(Data((0..<200).map { UInt8($0) }))

    @Test func `are a view that a part shares`() {
        let part = Self.bytes.part(100..<120).part(5..<20)
        #expect(Array(part) == [UInt8](105..<120))
        #expect(part.place == Self.bytes.place + 105)
        #expect(part == StoredBytes(Data([UInt8](105..<120))))
        #expect(part != Self.bytes.part(104..<119))
    }

    @Test func `live as long as any part of them`() {
        let part: StoredBytes
        do {
            let memory = OwnedMemory(byteCount: 4096)
            part = StoredBytes(memory).part(4000..<4096)
        }
        #expect(part.data == Data(count: 96))
        let data = part.data
        #expect(data.allSatisfy { $0 == 0 })
    }

    @Test(arguments: [1, 2, 3, 4, 5, 8, 16])
    func `have numbers of every width, of which the last eight bytes count`(size: Int) {
        for offset in [8, 50, 200 - size] {
            var expected: UInt64 = 0
            for index in offset..<offset + size { expected = expected << 8 | UInt64(index) }
            #expect(Self.bytes.number(at: offset, BigEndianWidth(size)) == expected)
            #expect(Self.bytes.number(at: offset, size: size) == expected)
        }
    }

    @Test(arguments: 0..<6)
    func `end the process at an access outside of them`(access: Int) async {
        await #expect(processExitsWith: .failure) { [access] in
            let bytes = StoredBytes(Data((0..<100).map { UInt8($0) })).part(10..<90)
            switch access {
            case 0: _ = bytes.byte(at: 80)
            case 1: _ = bytes.byte(at: -1)
            case 2: _ = bytes.number(at: 79, BigEndianWidth(2))
            case 3: _ = bytes.number(at: 0, BigEndianWidth(1))
            case 4: _ = bytes.part(70..<81)
            default: _ = bytes.string(at: 75, length: 6)
            }
        }
    }
}
