// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// More of `ArchivingTests/Merging/RandomMergeTests`.
@Suite(.inTurn) struct `many random merges` {
    @Test(arguments: 0..<49) func `have what one side has changed, and report what both have`(block: UInt64) throws {
        for seed in (100 + 100 * block)..<(200 + 100 * block) {
            do {
                let merge = try RandomMerge(seed: seed)
                try merge.check()
                try merge.checkWinner(isMine: true)
                try merge.checkWinner(isMine: false)
            } catch {
                Issue.record("\(error), with the seed \(seed)")
            }
        }
    }
}
