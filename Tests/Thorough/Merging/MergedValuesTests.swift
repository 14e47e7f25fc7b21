// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// Values belong to the places that hold them, also if they are equal and the archive has them once.
@Suite(.inTurn) struct `Values in a merge` {
    struct Size: Codable, Hashable {
        var width = 1
        var height = 1
        var unit: String?
    }

    enum Shape: Codable, Equatable {
        case empty
        case circle(radius: Int)
        case box(Size)
        case label(String)
    }

    final class Page: Codable {
        var title: String
        var number = 0
        var tags: Set<String> = []
        var notes: [String] = []
        init(_ title: String) { self.title = title }
    }

    struct Person: Codable, ArchivedOnce, Equatable {
        var id = 1
        var name = "Ann"
        var age = 30
    }

    final class Album: Codable {
        var pages = [Page("a"), Page("b"), Page("c")]
        var last: Page?
        var tags: [String] = []
        var readers: [String] = []
        var subtitle: String?
        var entries = ["k": 1]
        var lists = ["k": [1]]
        var groups: [String: Set<String>] = ["k": []]
        var numbers = [1, 2, 3]
        var equal = [1, 1, 1, 5, 6]
        var nested = [[1], [2]]
        var empties: [[Int]] = [[], [], []]
        var size = Size()
        var sizes = [Size(), Size(width: 2), Size(width: 3), Size(width: 4)]
        var sizeSet: Set<Size> = [Size()]
        var count: Int? = 5
        var shape = Shape.circle(radius: 1)
        var box = Shape.box(Size())
        var author = Person()
        var editor = Person()
    }

    /// Merges two edits, and returns the merged album, which is also in the file, with the places of the conflicts.
    private func merging(
        _ mineEdit: (Album) -> Void, _ theirsEdit: (Album) -> Void, _ resolution: ArchiveMerge.Resolution = .mine
    ) throws -> (album: Album, conflicts: [String]) {
        try TemporaryFolder.with { folder in
            try ArchiveEncoder().encode(Album(), to: folder["file"])
            let mine = try ArchiveDocument<Album>(contentsOf: folder["file"])
            let theirs = try ArchiveDocument<Album>(contentsOf: folder["file"])
            theirsEdit(theirs.root)
            try theirs.save()
            mineEdit(mine.root)
            var conflicts: [String] = []
            try mine.merge { conflict in
                let key = conflict.key.map { $0 == "NS.objects" ? "" : ".\($0)" } ?? ""
                conflicts.append(conflict.kind == .removal ? "\(conflict.path) removed" : "\(conflict.path)\(key)")
                return resolution
            }
            var encoder = ArchiveEncoder()
            encoder.outputFormatting = .sortedKeys
            let saved = try ArchiveDecoder().decode(Album.self, from: folder["file"])
            #expect(try encoder.encode(saved) == encoder.encode(mine.root))
            return (mine.root, conflicts)
        }
    }

    // MARK: Equal values

    @Test func `of one page do not change those of a new one`() throws {
        let edits: [(Album) -> Void] = [{ $0.pages[0].tags.insert("x") }, { $0.pages[0].notes.append("x") }]
        for edit in edits {
            for isMine in [true, false] {
                let add = { (album: Album) in album.pages.append(Page("new")) }
                do {
                    let (album, conflicts) = try merging(isMine ? edit : add, isMine ? add : edit)
                    #expect(conflicts.isEmpty && album.pages.map(\.title) == ["a", "b", "c", "new"])
                    #expect(album.pages[0].tags.count + album.pages[0].notes.count == 1)
                    #expect(album.pages[3].tags.isEmpty && album.pages[3].notes.isEmpty)
                }
            }
        }
        do {
            let (album, conflicts) = try merging({ $0.readers.append("Ann") }, { $0.subtitle = "theirs" })
            #expect(album.tags.isEmpty && album.readers == ["Ann"] && album.subtitle == "theirs" && conflicts.isEmpty)
        }
        do {
            let (album, conflicts) = try merging({ $0.empties[0] = [1] }, { $0.empties[2] = [2] })
            #expect(album.empties == [[1], [], [2]] && conflicts.isEmpty)
        }
    }

    @Test func `that cannot be told apart are a conflict if the result depends on it`() throws {
        // Which of the three was removed?
        do {
            let (album, conflicts) = try merging({ $0.equal.remove(at: 1) }, { $0.equal[0] = 9 })
            #expect(conflicts == ["root.equal"] && album.equal == [1, 1, 5, 6])
        }
        do {
            let (album, conflicts) = try merging({ $0.equal.remove(at: 1) }, { $0.equal[4] = 9 })
            #expect(conflicts.isEmpty && album.equal == [1, 1, 5, 9])
        }
    }

    // MARK: Places

    @Test func `are merged in the places of lists, dictionaries and sets`() throws {
        do {
            let (album, conflicts) = try merging({ $0.entries["m"] = 1 }, { $0.entries["t"] = 2 })
            #expect(album.entries == ["k": 1, "m": 1, "t": 2] && conflicts.isEmpty)
        }
        do {
            let (album, conflicts) = try merging({ $0.entries["k"] = nil }, { $0.entries["k"] = 9 })
            #expect(album.entries.isEmpty && conflicts == ["root.entries.k"])
        }
        do {
            let (album, conflicts) = try merging({ $0.numbers.insert(0, at: 0) }, { $0.numbers.append(9) })
            #expect(album.numbers == [0, 1, 2, 3, 9] && conflicts.isEmpty)
        }
        do {
            let (album, conflicts) = try merging({ $0.numbers += [8] }, { $0.numbers = [7, 2, 3, 9] }, .theirs)
            #expect(album.numbers == [7, 2, 3, 9] && conflicts == ["root.numbers"])
        }
        do {
            let (album, conflicts) = try merging({ $0.nested[0].append(5) }, { $0.nested[1].append(6) })
            #expect(album.nested == [[1, 5], [2, 6]] && conflicts.isEmpty)
        }
        do {
            let (album, conflicts) = try merging({ $0.lists["k"]?.append(5) }, { $0.lists["k"]?.append(6) }, .both)
            #expect(album.lists == ["k": [1, 6, 5]] && conflicts == ["root.lists.k"])
        }
        do {
            let (album, conflicts) = try merging({ $0.groups["k"] = ["m"] }, { $0.groups["k"] = ["t"] })
            #expect(album.groups == ["k": ["m", "t"]] && conflicts.isEmpty)
        }
        // A changed struct in a set is removed and inserted.
        do {
            let (album, conflicts) = try merging(
                { $0.sizeSet = [Size(width: 5)] }, { $0.sizeSet.insert(Size(width: 6)) })
            #expect(album.sizeSet == [Size(width: 5), Size(width: 6)] && conflicts.isEmpty)
        }
    }

    @Test func `that are structs are merged in their place`() throws {
        do {
            let (album, conflicts) = try merging({ $0.size.width = 2 }, { $0.size.height = 3 })
            #expect(album.size == Size(width: 2, height: 3) && conflicts.isEmpty)
        }
        do {
            let (album, conflicts) = try merging({ $0.size.unit = "m" }, { $0.size.unit = "t" }, .theirs)
            #expect(album.size.unit == "t" && conflicts == ["root.size.unit"])
        }
        do {
            let (album, conflicts) = try merging({ $0.sizes[1].width = 9 }, { $0.sizes[1].height = 8 })
            #expect(album.sizes[1] == Size(width: 9, height: 8) && conflicts.isEmpty)
        }
        // A moved value is removed and inserted.
        do {
            let (_, conflicts) = try merging(
                { $0.sizes.append($0.sizes.remove(at: 0)) }, { $0.sizes[0].height = 8 })
            #expect(conflicts == ["root.sizes"])
        }
        do {
            let (album, conflicts) = try merging(
                { $0.sizes.append($0.sizes.remove(at: 0)) }, { $0.sizes[2].height = 8 })
            #expect(album.sizes.map(\.width) == [2, 3, 4, 1] && album.sizes[1].height == 8 && conflicts.isEmpty)
        }
        do {
            let (album, conflicts) = try merging { album in
                album.author.age = 31
                album.editor.age = 31
            } _: { album in
                album.author.name = "Eve"
                album.editor.name = "Eve"
            }
            #expect(album.author == Person(name: "Eve", age: 31) && album.editor == album.author && conflicts.isEmpty)
        }
    }

    @Test(arguments: [Shape.empty, .circle(radius: 3), .box(Size(width: 7)), .label("theirs")])
    func `that are cases of an enumeration are one value`(theirs: Shape) throws {
        for mine in [Shape.empty, .circle(radius: 2), .box(Size(height: 7)), .label("mine")] {
            for resolution in [ArchiveMerge.Resolution.mine, .theirs] {
                do {
                    let (album, conflicts) = try merging({ $0.shape = mine }, { $0.shape = theirs }, resolution)
                    #expect(album.shape == (mine == theirs || resolution == .mine ? mine : theirs))
                    #expect(conflicts.count == (mine == theirs ? 0 : 1))
                }
            }
        }
        do {
            let (album, conflicts) = try merging({ $0.box = .box(Size(height: 7)) }, { $0.box = .box(Size(width: 7)) })
            #expect(album.box == .box(Size(width: 7, height: 7)) && conflicts.isEmpty)
        }
    }

    @Test func `that are nil are one value`() throws {
        do {
            let (album, conflicts) = try merging({ $0.count = nil }, { $0.count = 6 }, .theirs)
            #expect(album.count == 6 && conflicts == ["root.count"])
        }
        do {
            let (album, conflicts) = try merging({ $0.count = nil }, { $0.count = nil })
            #expect(album.count == nil && conflicts.isEmpty)
        }
    }

    // MARK: Instances

    @Test func `keep the identity of instances`() throws {
        do {
            let (album, conflicts) = try merging({ $0.last = Page("m") }, { $0.last = Page("t") })
            #expect(album.last?.title == "m" && conflicts == ["root.last"])
        }
        do {
            let (album, conflicts) = try merging({ $0.pages[1] = Page("m") }, { $0.pages[1] = Page("t") }, .both)
            #expect(album.pages.map(\.title) == ["a", "t", "m", "c"] && conflicts == ["root.pages"])
        }
        do {
            let (album, conflicts) = try merging({ $0.pages.swapAt(0, 2) }, { $0.pages[0].number = 5 })
            #expect(album.pages.map(\.number) == [0, 0, 5] && conflicts.isEmpty)
        }
        do {
            let (album, conflicts) = try merging({ $0.pages.swapAt(0, 2) }, { $0.pages.swapAt(0, 1) }, .theirs)
            #expect(album.pages.map(\.title) == ["b", "a", "c"] && conflicts == ["root.pages"])
        }
        do {
            let (album, conflicts) = try merging({ $0.last = $0.pages[0] }, { $0.pages.remove(at: 0) })
            #expect(album.pages.map(\.title) == ["b", "c"] && album.last?.title == "a" && conflicts.isEmpty)
        }
        for resolution in [ArchiveMerge.Resolution.mine, .theirs] {
            let isKept = resolution == .theirs
            do {
                let (album, conflicts) = try merging({ $0.pages.remove(at: 1) }, { $0.pages[1].number = 7 }, resolution)
                #expect(album.pages.map(\.number) == (isKept ? [0, 7, 0] : [0, 0]))
                #expect(conflicts == ["root.pages[1] removed"])
            }
            // The kept instance is not mixed with the new one in its place.
            do {
                let (album, _) = try merging({ $0.pages[1] = Page("m") }, { $0.pages[1].number = 7 }, resolution)
                #expect(album.pages.map(\.title) == (isKept ? ["a", "b", "m", "c"] : ["a", "m", "c"]))
                #expect(album.pages.map(\.number) == (isKept ? [0, 7, 0, 0] : [0, 0, 0]))
            }
        }
    }

    // MARK: Decoding

    private struct Limits: Codable, Equatable {
        var low = 1
        var high = 10

        init() {}

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            low = try container.decode(Int.self, forKey: .low)
            high = try container.decode(Int.self, forKey: .high)
            if low > high {
                throw DecodingError.dataCorrupted(.init(codingPath: container.codingPath, debugDescription: "Bounds"))
            }
        }
    }

    @Test func `are decoded before the file is replaced`() throws {
        try TemporaryFolder.with { folder in
            try ArchiveEncoder().encode(Limits(), to: folder["file"])
            let mine = try ArchiveDocument<Limits>(contentsOf: folder["file"])
            let theirs = try ArchiveDocument<Limits>(contentsOf: folder["file"])
            theirs.root.high = 5
            try theirs.save()
            let saved = try Data(contentsOf: folder["file"])
            mine.root.low = 8
            for _ in 0..<2 {
                #expect(throws: DecodingError.self) { try mine.merge() }
                #expect(try Data(contentsOf: folder["file"]) == saved)
            }
            #expect(mine.root.low == 8 && mine.root.high == 10)
            let error = #expect(throws: ArchiveDocumentError.self) { try mine.save() }
            #expect(error?.code == .fileChanged)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["file"])
            mine.root.low = 4
            try mine.merge()
            #expect(mine.root.low == 4 && mine.root.high == 5)
        }
    }

    @Test func `have wider references than both versions if needed`() throws {
        // A property list of 256 values has references of one byte. Each text takes two values, one for its uid, and all others are 24:
        // 164 with the 70 texts of mine, and 264 with 120. The save of theirs leaves the uids of the old list in the file.
        try WideMerge(textCount: 20, addedCount: 50).check(width: 1, merged: 2)
    }
}
