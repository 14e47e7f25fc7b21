// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import ThoroughSupport

/// More of `Thorough/Merging/RandomMergeTests`.
@Suite(.inTurn) struct `many random merges` {
    @Test(arguments: Extent.cases(of: 0..<49 as Range<UInt64>, every: 25))
    func `have what one side has changed, and report what both have`(block: UInt64) throws {
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

    @Test(arguments: Extent.cases(of: 0..<50 as Range<UInt64>, every: 25))
    func `of documents are those of their plain values`(block: UInt64) throws {
        try TemporaryFolder.with { folder in
            for seed in (200 + 100 * block)..<(300 + 100 * block) {
                do {
                    _ = try RandomDocumentMerge(seed: seed, in: folder)
                } catch {
                    Issue.record("\(error), with the seed \(seed)")
                }
            }
        }
    }

    @Test func `have wider references than both versions if needed`() throws {
        // Below and above 65,536 values: 43,024 with the 21,500 texts of mine, and 66,024 with 33,000.
        try WideMerge(textCount: 10_000, addedCount: 11_500).check(width: 2, merged: 3)
    }
}
