// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import ThoroughSupport

/// More of `ArchivingTests/Documents/FetchTests`.
@Suite(.inTurn) struct `many random fetches` {
    @Test(arguments: Extent.cases(of: 0..<50 as Range<UInt64>, every: 15))
    func `return what a filter of everything decoded returns, after any edits`(block: UInt64) throws {
        for seed in (1000 + 10 * block)..<(1010 + 10 * block) {
            try TemporaryFolder.with { folder in
                do {
                    var fetches = try RandomFetch(seed: seed, in: folder)
                    try fetches.run(count: 20)
                } catch {
                    Issue.record("\(error), with the seed \(seed)")
                }
            }
        }
    }
}
