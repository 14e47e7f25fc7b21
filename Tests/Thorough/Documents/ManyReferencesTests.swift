// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// As `ReferenceWidthTests`, for large files.
@Suite(.inTurn) struct `References of a large document's file` {
    @Test(arguments: Extent.cases(of: LibrarySave.allCases, every: 3))
    func `have three bytes from 65,536 objects on`(way: LibrarySave) throws {
        try TemporaryFolder.with { folder in
            let url = folder["notes"]
            // A note has as many objects in every library, so that two of them tell the count at which there are enough.
            try way.write(3000, to: url)
            let first = try WrittenLibrary.check(url, 3000)
            try way.write(6000, to: url)
            let second = try WrittenLibrary.check(url, 6000)
            let crossing = 3000 + (65_536 - first) * 3000 / (second - first)
            var objectCounts: Set<Int> = []
            for count in stride(from: crossing - 9, through: crossing + 9, by: Extent.count(18, of: 6)) {
                try way.write(count, to: url)
                objectCounts.insert(try WrittenLibrary.check(url, count))
            }
            #expect(objectCounts.contains { $0 < 65_536 })
            #expect(objectCounts.contains { $0 > 65_536 })
        }
    }
}
