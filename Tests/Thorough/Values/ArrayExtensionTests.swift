// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Synchronization
import TestSupport
import Testing

extension Array where Element == Int {
    /// A type whose qualified name contains that of an array.
    fileprivate struct Pair: Codable, Equatable {
        static let decodings = Mutex(0)
        var first: Int
        var second: Int

        init(_ first: Int, _ second: Int) {
            self.first = first
            self.second = second
        }

        init(from decoder: any Decoder) throws {
            Self.decodings.withLock { $0 += 1 }
            var container = try decoder.unkeyedContainer()
            first = try container.decode(Int.self)
            second = try container.decode(Int.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(first)
            try container.encode(second)
        }
    }
}

@Suite(.inTurn) struct `A type in an extension of Array` {
    @Test func `decodes itself, once for each value`() throws {
        let pairs: [[Int].Pair] = [.init(1, 2), .init(3, 4)]
        #expect(try roundTrip(pairs) == pairs)
        #expect([Int].Pair.decodings.withLock { $0 } == 2)
    }
}
