// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Identity in an archive` {
    private func archive() throws -> KeyedArchive {
        try openArchive(
            top: ["root": .uid(1), "again": .uid(1), "number": 7],
            [
                "owner": .uid(2), "tenant": .uid(2), "other": .uid(3), "plain": [1, [2]], "self": .uid(1),
                "$class": .uid(4),
            ],
            ["name": .uid(5), "$class": .uid(4)], ["name": .uid(5), "$class": .uid(4)], classEntry("Thing"), "Anna")
    }

    @Test func `is that of the object, not what it holds`() throws {
        let archive = try archive()
        let root = archive.root
        #expect(root["owner"] == root["tenant"])
        #expect(root["owner"] != root["other"], "They hold the same, and are two objects")
        #expect(root["owner"]?["name"] == root["other"]?["name"])
        #expect(root["owner"]?.uid == 2 && root["other"]?.uid == 3)
        #expect(root["self"] == root && archive.top["again"] == root && archive[uid: 1] == root)
        #expect(root != archive.top)
    }

    @Test func `makes keys of dictionaries and members of sets`() throws {
        let archive = try archive()
        let root = archive.root
        let fields = root.fields.map(\.value)
        // owner, tenant, other, plain, self: owner and tenant are one.
        #expect(Set(fields).count == 4)
        let same: [KeyedArchive.Value?] = [root, root["self"], archive.top["again"]]
        #expect(Set(same).count == 1)
        let tenant = try #require(root["tenant"])
        let names: [KeyedArchive.Value: String] = [root: "root", archive[uid: 2]: "owner"]
        #expect(names[tenant] == "owner" && names[archive[uid: 1]] == "root")
        #expect(names[archive[uid: 3]] == nil)
    }

    @Test func `of an inline value is its place`() throws {
        let root = try archive().root
        let plain = try #require(root["plain"])
        #expect(plain.uid == nil && plain == root["plain"] && plain == root.fields[3].value)
        #expect(plain[1] == root["plain"]?[1] && plain[1] != plain && plain[0] != plain[1])
        #expect(plain[1][0] != plain[0])
        #expect(root.archive.top["number"] == root.archive.top["number"])
        // Two lists that hold the same, at two places.
        let lists = try openArchive(top: ["a": ["x"], "b": ["x"]]).top
        #expect(lists["a"] != lists["b"] && lists["a"] == lists["a"])
    }

    @Test func `of an inline leaf is that of the property list, which has equal ones once`() throws {
        let top = try openArchive(top: ["a": 300, "b": 300, "c": 301, "d": 300.0, "e": "x", "f": "x", "g": true]).top
        #expect(top["a"] == top["b"] && top["e"] == top["f"])
        #expect(top["a"] != top["c"] && top["a"] != top["d"] && top["a"] != top["e"] && top["a"] != top["g"])
        // A file that has it twice.
        let raw = ByteArchive(
            slots: [12], top: hex("D2 0C 0D 0E 0F"), ascii("x"), ascii("y"), hex("10 07"), hex("10 07"))
        let twice = try raw.open().top
        #expect(twice["x"]?.integer == 7 && twice["y"]?.integer == 7 && twice["x"] != twice["y"])
    }

    @Test func `ends with the archive`() throws {
        let data = try handmadeArchive(["a": 1])
        let (one, other) = try (KeyedArchive(data), KeyedArchive(data))
        #expect(one.root != other.root && one.top != other.top && one[uid: 0] != other[uid: 0])
        #expect(one.root["a"] != other.root["a"])
        #expect(Set([one.root, other.root]).count == 2)
        let copy = one
        #expect(copy.root == one.root && one.root.archive.root == one.root)
        #expect(one.path(to: other.root) == nil)
        #expect(try one.references().count(of: other.root) == 0 && one.references().owners(of: other.root).isEmpty)
    }

    @Test func `is what the encoder saw`() throws {
        final class Node: Codable {
            @Reference var next: Node?
            var name: String
            init(_ name: String) { self.name = name }
        }
        let (a, b) = (Node("a"), Node("a"))
        a.next = b
        b.next = a
        let root = try KeyedArchive(ArchiveEncoder().encode([a, b, a])).root
        #expect(root[0] == root[2] && root[0] != root[1])
        #expect(root[0]["next"] == root[1] && root[1]["next"] == root[0])
        #expect(root[0]["name"] == root[1]["name"], "Equal strings are one leaf")
        #expect(Set(root.elements).count == 2)
    }
}
