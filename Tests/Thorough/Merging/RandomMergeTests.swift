// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import ThoroughSupport

/// Merges of two random edits, against models that know nothing of archives.
@Suite(.inTurn) struct `random merges` {
    @Test func `have what one side has changed, and report what both have`() throws {
        var conflictCount = 0
        for seed in 0..<100 {
            let merge = try RandomMerge(seed: UInt64(seed))
            do {
                try merge.check()
                try merge.checkWinner(isMine: true)
                try merge.checkWinner(isMine: false)
            } catch {
                Issue.record("\(error), with the seed \(seed)")
            }
            conflictCount += merge.conflictCount
        }
        #expect(conflictCount > 40)
    }

    @Test func `of documents are those of their plain values`() throws {
        try TemporaryFolder.with { folder in
            var conflictCount = 0
            for seed in 0..<200 {
                do {
                    conflictCount += try RandomDocumentMerge(seed: UInt64(seed), in: folder).conflicts.count
                } catch {
                    Issue.record("\(error), with the seed \(seed)")
                }
            }
            #expect(conflictCount > 40)
        }
    }
}
