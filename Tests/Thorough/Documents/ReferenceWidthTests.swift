// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// The references of a file are as wide as the number of its objects requires. Foundation reads the files, too.
@Suite(.inTurn) struct `References of a document's file` {
    @Test(arguments: LibrarySave.allCases)
    func `have two bytes from 256 objects on`(way: LibrarySave) throws {
        try TemporaryFolder.with { folder in
            var objectCounts: Set<Int> = []
            for count in stride(from: 14, to: 56, by: 3) {
                let url = folder["\(count)"]
                try way.write(count, to: url)
                objectCounts.insert(try WrittenLibrary.check(url, count))
            }
            #expect(objectCounts.contains { $0 < 256 })
            #expect(objectCounts.contains { $0 > 256 })
        }
    }

    /// CoreFoundation does not read 256 objects with references of one byte, although each has a number.
    @Test func `have two bytes also for exactly 256 objects`() throws {
        try TemporaryFolder.with { folder in
            var objectCounts: Set<Int> = []
            for count in 21..<25 {
                for years in 0..<6 {
                    let url = folder["\(count) \(years)"]
                    try LibrarySave.save.write(count, years: years, to: url)
                    objectCounts.insert(try WrittenLibrary.check(url, count))
                }
            }
            #expect(objectCounts.contains(256), "\(objectCounts.sorted())")
        }
    }
}
