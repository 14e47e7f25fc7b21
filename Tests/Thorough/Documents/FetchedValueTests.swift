// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

/// Values that are read in place as the decoder would read them.
@Suite(.inTurn) struct `Fetched values` {
    final class Leaf: ArchivedFields, ArchiveDescribing {
        static var archiveName: String { "Leaf" }
        var number = 3
        var text = "none"
        var real = 0.5
        var mate: Leaf?
        var friend: Leaf?

        init() {}

        static let fields = FieldList<Leaf> {
            Field("number", \.number, aliases: ["no"], .default)
            Field("text", \.text)
            Field("real", \.real, .default)
            Field("mate", \.mate)
            Field("friend", \.friend, .conditional)
        }
    }

    final class Former: ArchivedFields, ArchiveMigrating {
        static var archiveName: String { "Former" }
        static var archiveVersion: Int { 2 }
        var number = 0

        init() {}

        static let fields = FieldList<Former> { Field("number", \.number) }

        static let archiveMigrations: [ArchiveMigration] = [.from(1) { $0.set(7, forKey: "number") }]
    }

    /// Returns an archive of leaves, from uid 3 on.
    private func archive(_ leaves: PropertyList...) throws -> KeyedArchive {
        let uids = leaves.indices.map { PropertyList.uid(UInt32($0 + 4)) }
        let objects: [PropertyList] =
            [
                ["$class": .uid(2), "NS.objects": .array(uids)], classEntry("NSArray"), classEntry("Leaf"),
            ] + leaves
        return try KeyedArchive(handmadeArchive(top: ["root": .uid(1)], objects: objects))
    }

    @Test func `may have former keys, or be absent`() throws {
        let archive = try archive(
            ["$class": .uid(3), "no": 1, "text": "a"], ["$class": .uid(3), "text": "b"],
            ["$class": .uid(3), "number": 5, "no": 1, "text": "c"])
        #expect(try archive.fetch(Leaf.self, where: #Predicate { $0.number == 1 }).map(\.text) == ["a"])
        #expect(try archive.fetch(Leaf.self, where: #Predicate { $0.number == 3 }).map(\.text) == ["b"])
        #expect(try archive.fetch(Leaf.self, where: #Predicate { $0.number == 5 }).map(\.text) == ["c"])
        #expect(try archive.fetch(Leaf.self, sortedBy: .descending(\.number)).map(\.text) == ["c", "b", "a"])
    }

    @Test func `that are absent and required are errors, unless a condition before is false`() throws {
        let archive = try archive(["$class": .uid(3), "number": 1], ["$class": .uid(3), "number": 2, "text": "b"])
        #expect(throws: DecodingError.self) { try archive.fetch(Leaf.self, where: #Predicate { $0.text == "b" }) }
        let found = try archive.fetch(Leaf.self, where: #Predicate { $0.number == 2 && $0.text == "b" })
        #expect(found.map(\.number) == [2])
    }

    @Test func `may have other forms, which the decoder reads`() throws {
        let archive = try archive(
            ["$class": .uid(3), "number": 1, "real": 2, "text": "a"],
            ["$class": .uid(3), "number": .uid(6), "text": .uid(7)],
            ["$class": .uid(8), "NS.intval": 1], ["$class": .uid(9), "NS.string": "a"], classEntry("NSNumber"),
            classEntry("NSMutableString", "NSString"))
        #expect(try archive.fetch(Leaf.self, where: #Predicate { $0.real == 2 }).count == 1)
        #expect(try archive.fetch(Leaf.self, where: #Predicate { $0.text == "a" && $0.number == 1 }).count >= 1)
        #expect(try archive.fetch(Leaf.self, where: #Predicate { $0.text.contains("a") }).count == 2)
    }

    @Test func `of another type are errors`() throws {
        let archive = try archive(["$class": .uid(3), "number": "x", "text": 5, "mate": "y"])
        #expect(throws: DecodingError.self) { try archive.fetch(Leaf.self, where: #Predicate { $0.number == 1 }) }
        #expect(throws: DecodingError.self) { try archive.fetch(Leaf.self, where: #Predicate { $0.text == "a" }) }
        #expect(throws: DecodingError.self) { try archive.fetch(Leaf.self, where: #Predicate { $0.mate?.number == 1 }) }
        #expect(throws: DecodingError.self) { try archive.fetch(Leaf.self, sortedBy: .ascending(\.number)) }
    }

    @Test func `in cycles and through references are found`() throws {
        let archive = try archive(
            ["$class": .uid(3), "text": "a", "mate": .uid(4)], ["$class": .uid(3), "text": "b", "mate": .uid(4)],
            ["$class": .uid(3), "text": "c"], ["$class": .uid(3), "text": "d", "friend": .uid(4)])
        let found = try archive.fetch(Leaf.self, where: #Predicate { $0.mate?.mate?.mate?.text == "a" })
        #expect(found.map(\.text) == ["a", "b"])
        let friends = try archive.fetch(Leaf.self, where: #Predicate { $0.friend?.text == "a" })
        #expect(friends.map(\.text) == ["d"])
        #expect(friends[0].friend?.text == "a")
    }

    @Test func `behind references to no object are errors`() throws {
        let archive = try archive(
            ["$class": .uid(3), "text": "a"], ["$class": .uid(3), "text": "b", "mate": .uid(99)])
        #expect(throws: DecodingError.self) {
            try archive.fetch(Leaf.self, where: #Predicate { $0.mate?.text == "a" })
        }
        #expect(throws: DecodingError.self) { try archive.fetch(Leaf.self, where: #Predicate { $0.text == "a" }) }
    }

    @Test func `of damaged objects are errors if they are reached`() throws {
        let damaged: PropertyList = ["$class": .uid(3), "number": "x", "text": "a"]
        let objects: [PropertyList] = [
            ["$class": .uid(2), "NS.objects": [.uid(4)]], classEntry("NSArray"), classEntry("Leaf"),
            ["$class": .uid(3), "text": "a"], damaged,
        ]
        let archive = try KeyedArchive(handmadeArchive(top: ["root": .uid(1)], objects: objects))
        #expect(try archive.fetch(Leaf.self, where: #Predicate { $0.number == 3 }).count == 1)
        #expect(try archive.fetch(Leaf.self).count == 1)
        let reached = try KeyedArchive(handmadeArchive(top: ["root": .uid(1), "other": .uid(5)], objects: objects))
        #expect(throws: DecodingError.self) { try reached.fetch(Leaf.self, where: #Predicate { $0.number == 3 }) }
    }

    @Test func `of former versions are those after the migration`() throws {
        let objects: [PropertyList] = [
            ["$class": .uid(2), "number": 1],
            ["$classname": "Former", "$classes": ["Former", "NSObject"], "$classversions": [1, 0]],
        ]
        let archive = try KeyedArchive(handmadeArchive(top: ["root": .uid(1)], objects: objects))
        #expect(try archive.fetch(Former.self, where: #Predicate { $0.number == 7 }).count == 1)
        #expect(try archive.fetch(Former.self, where: #Predicate { $0.number == 1 }).isEmpty)
        #expect(try archive.explain(Former.self, where: #Predicate { $0.number == 7 }).decodedCount == 1)
    }

    @Test func `that many objects share have the limits of a decoding`() throws {
        // A text of half the archive, in many objects.
        let text = String(repeating: "x", count: 100_000)
        let leaves = (0..<20_000).map { _ -> PropertyList in ["$class": .uid(3), "text": .string(text)] }
        let uids = leaves.indices.map { PropertyList.uid(UInt32($0 + 4)) }
        let objects: [PropertyList] =
            [["$class": .uid(2), "NS.objects": .array(uids)], classEntry("NSArray"), classEntry("Leaf")] + leaves
        let archive = try KeyedArchive(handmadeArchive(top: ["root": .uid(1)], objects: objects))
        #expect(throws: DecodingError.self) {
            try archive.fetch(Leaf.self, where: #Predicate { $0.text.contains("y") })
        }
    }
}
