// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// Merges of archives of which one has other bytes.
@Suite(.inTurn) struct `Merges of damaged archives` {
    @Test(arguments: 0..<3) func `give an archive or an error`(damaged: Int) throws {
        var generator = SeededGenerator(state: UInt64(damaged))
        var (merges, errors) = (0, 0)
        for seed in 0..<Extent.count(10, of: 40) {
            var model = SeededGenerator(state: UInt64(seed))
            let base = MergeModel(using: &model)
            var (mine, theirs) = (base, base)
            mine.edit(8, newNumbers: 1000, using: &model)
            theirs.edit(8, newNumbers: 2000, using: &model)
            var archive = MergeModel.Archive()
            let old = try archive.write(base).data()
            var (left, right) = (archive, archive)
            let files = try [old, left.write(mine).data(), right.write(theirs).data()]
            for _ in 0..<50 {
                var changed = files
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let place = Int.random(in: 0..<changed[damaged].count, using: &generator)
                    changed[damaged][place] = UInt8.random(in: 0...255, using: &generator)
                }
                do {
                    let archives = try changed.map { try KeyedArchive($0) }
                    let merge = try ArchiveMerge(base: archives[0], mine: archives[1], theirs: archives[2])
                    for conflict in merge.conflicts { _ = conflict.description }
                    for change in merge.changesOfMine + merge.changesOfTheirs { _ = change.description }
                    for resolution in [ArchiveMerge.Resolution.mine, .theirs, .base, .both] {
                        let merged = try KeyedArchive(merge.data { _ in resolution })
                        _ = try merged.propertyList()
                    }
                    merges += 1
                } catch {
                    errors += 1
                }
            }
        }
        #expect(merges > 50 && errors > 50)
    }

    /// An archive of lists that contain the next one twice, so that they unfold to 2 to the power of their number.
    private func unfolding(_ count: Int, _ last: [PropertyList], isCycle: Bool) throws -> KeyedArchive {
        var objects: [PropertyList] = ["$null", ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]]]
        for level in 0..<count {
            let next = PropertyList.uid(UInt32(level == count - 1 && isCycle ? 2 : 3 + level))
            objects.append(["NS.objects": [next, next], "$class": .uid(1)])
        }
        objects.append(["NS.objects": .array(last), "$class": .uid(1)])
        return try KeyedArchive([
            "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(2)], "$objects": .array(objects),
        ])
    }

    @Test(arguments: [false, true]) func `take time in proportion to shared values`(isCycle: Bool) throws {
        let merge = try ArchiveMerge(
            base: unfolding(2000, [1], isCycle: isCycle), mine: unfolding(2000, [1, 2], isCycle: isCycle),
            theirs: unfolding(2000, [0, 1], isCycle: isCycle))
        #expect(merge.conflicts.isEmpty)
        #expect(try KeyedArchive(merge.data()).objects.count == 2003)
        _ = (merge.changesOfMine, merge.changesOfTheirs)
    }
}
