// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Packed arrays of numbers` {
    @Test func `are smaller, and are decoded like others`() throws {
        let samples = (0..<10_000).map { Float($0) / 7 }
        var encoder = ArchiveEncoder()
        let objects = try encoder.encode(samples)
        encoder.numericArrays = .packed
        let packed = try encoder.encode(samples)
        #expect(2 * packed.count < objects.count)
        for data in [objects, packed] { #expect(try ArchiveDecoder().decode([Float].self, from: data) == samples) }
        #expect(try ArchiveDecoder().decode([Double].self, from: packed) == samples.map(Double.init))
    }
}
