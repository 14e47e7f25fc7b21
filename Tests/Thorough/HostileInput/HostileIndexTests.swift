// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// Files with indexes of which some bytes are others.
@Suite(.inTurn) struct `Damaged indexes` {
    @Test(arguments: Extent.cases(of: 0..<4 as Range<UInt64>, every: 4))
    func `give objects or an error`(seed: UInt64) throws {
        try TemporaryFolder.with { folder in
            var generator = SeededGenerator(state: seed)
            let url = folder["notes"]
            let document = ArchiveDocument(root: IndexedLibrary.example(count: 900))
            try document.save(to: url)
            document.root.notes[3].tag = "tag 8"
            try document.save()
            let file = try Data(contentsOf: url)
            // The pages of the indexes are before the list of objects and the offsets.
            let first = try #require(file.lastRange(of: Data("$indexes".utf8))).lowerBound - 20_000
            var (results, saves, errors) = (0, 0, 0)
            for round in 0..<300 {
                var damaged = file
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let place = Int.random(in: max(first, 0)..<file.count, using: &generator)
                    damaged[place] = UInt8.random(in: 0...255, using: &generator)
                }
                do {
                    let archive = try KeyedArchive(damaged)
                    for _ in 0..<4 { _ = try IndexedFetch(using: &generator).result(in: archive) }
                    results += 1
                    guard round % 10 == 0 else { continue }
                    try damaged.write(to: url)
                    let other = try ArchiveDocument<IndexedLibrary>(contentsOf: url)
                    other.root.notes[5].year = 1900
                    other.root.notes.append(IndexedNote("tag 1", 1901))
                    try other.save()
                    try other.compact()
                    _ = try other.fetch(IndexedNote.self, where: #Predicate { $0.year < 1902 })
                    saves += 1
                } catch {
                    errors += 1
                }
            }
            #expect(results > 10 && saves > 0 && errors > 10, "\(results), \(saves), \(errors)")
        }
    }

    @Test func `with the same page in many groups are not used`() throws {
        try TemporaryFolder.with { folder in
            try ArchiveDocument(root: IndexedLibrary.example(count: 900)).save(to: folder["notes"])
            var list = try KeyedArchive(contentsOf: folder["notes"]).propertyList()
            guard case .dictionary(let root) = list, case .dictionary(let indexes)? = root["$indexes"] else {
                Issue.record("There are no indexes")
                return
            }
            let page = PropertyList.data(Data(count: 4))
            let group = PropertyList.array(Array(repeating: page, count: 300))
            let pages = PropertyList.array(Array(repeating: group, count: 300))
            let changed = PropertyList.Dictionary(
                indexes.map { entry in
                    guard case .dictionary(let index) = entry.value else { return entry }
                    let value = PropertyList.Dictionary(
                        index.map { $0.key == "pages" ? (key: $0.key, value: pages) : $0 })
                    return (key: entry.key, value: .dictionary(value))
                })
            list = .dictionary(
                PropertyList.Dictionary(
                    root.map { $0.key == "$indexes" ? (key: $0.key, value: .dictionary(changed)) : $0 }))
            // The property list has each list once. Its stamp gets the place that it has.
            var data = try list.data(format: .binary)
            let contents = try KeyedArchive(data).source.contents
            let number = try #require(StoredIndexes.number(in: contents))
            let node = try contents.node(number)
            let place = try #require(
                (0..<node.count).first { position in
                    contents.isStoredKey(contents.list.reference(position, in: node.payload), StoredIndexes.stampKey)
                })
            let offset = try contents.list.offset(
                of: contents.list.reference(node.count + place, in: node.payload))
            let stamp = try contents.node(contents.list.reference(node.count + place, in: node.payload))
            for index in 0..<stamp.count {
                data[stamp.payload + stamp.count - 1 - index] = UInt8(truncatingIfNeeded: offset >> (8 * index))
            }
            let archive = try KeyedArchive(data)
            #expect(StoredIndexes(in: archive.source.contents) != nil)
            #expect(try archive.fetch(IndexedNote.self, where: #Predicate { $0.tag == "tag 3" }).count == 129)
        }
    }
}
