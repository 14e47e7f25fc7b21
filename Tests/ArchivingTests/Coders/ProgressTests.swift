// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.inTurn) struct `Progress` {
    private struct Value: Codable, Equatable {
        var number: Int
    }

    @Test func `grows to 1, in bytes while decoding and in objects while encoding`() async throws {
        let values = (0..<5_000).map { Value(number: $0) }
        let encoded = Mutex<[ArchiveProgress]>([])
        let data = try await ArchiveEncoder().encode(values) { progress in encoded.withLock { $0.append(progress) } }
        let decoded = Mutex<[ArchiveProgress]>([])
        let again = try await ArchiveDecoder().decode([Value].self, from: data) { progress in
            decoded.withLock { $0.append(progress) }
        }
        #expect(again == values)
        for log in [encoded.withLock(\.self), decoded.withLock(\.self)] {
            #expect(log.count > 2)
            #expect(log.map(\.completedCount) == log.map(\.completedCount).sorted())
            #expect(log.last?.fraction == 1)
        }
        #expect(decoded.withLock(\.self).allSatisfy { $0.totalCount == data.count })
        // The list, its class, the values and their class; numbers are in the values.
        #expect(encoded.withLock(\.self).last?.completedCount == 1 + 1 + 5_000 + 1)
    }
}
