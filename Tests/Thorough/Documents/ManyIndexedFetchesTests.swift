// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import ThoroughSupport

/// More of `Thorough/Documents/IndexedFetchTests`.
@Suite(.inTurn) struct `many fetches with indexes` {
    @Test(arguments: Extent.cases(of: 0..<10 as Range<UInt64>, every: 10)) func `find what a filter finds`(
        block: UInt64
    )
        throws
    {
        for seed in (100 + 10 * block)..<(110 + 10 * block) { try IndexedFetch.checkLife(seed: seed, count: 300) }
    }
}
