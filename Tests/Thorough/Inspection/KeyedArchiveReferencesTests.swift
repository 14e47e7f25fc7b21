// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Who refers to whom` {
    /// A farm with owner Anna (2), two animals, one cow with two references, and unreferenced objects.
    private func farm(_ format: PropertyListFormat = .binary) throws -> KeyedArchive {
        try openArchive(
            top: ["root": .uid(1), "other": .uid(4), "list": [.uid(4), ["x": .uid(3)]]],
            ["owner": .uid(2), "animals": .uid(3), "tenant": .uid(2), "nothing": .uid(0), "$class": .uid(6)],  // 1
            ["name": .uid(4), "$class": .uid(7)],  // 2
            ["NS.objects": [.uid(5), .uid(5), .uid(2)], "$class": .uid(8)],  // 3
            "Anna",  // 4
            ["owner": .uid(2), "farm": .uid(1), "tags": ["list": [.uid(4), .uid(4)]], "$class": .uid(9)],  // 5
            classEntry("Farm"), classEntry("Person"), classEntry("NSArray"), classEntry("Cow"),  // 6 to 9
            ["friend": .uid(11), "$class": .uid(9)],  // 10
            ["friend": .uid(10), "owner": .uid(2), "$class": .uid(9)],  // 11
            classEntry("Unused"),  // 12
            format: format)
    }

    /// uid, references, owners; 99 is the top.
    static let expected: [(uid: UInt32, count: Int, owners: [UInt32])] = [
        (0, 1, [1]), (1, 2, [5, 99]), (2, 5, [1, 3, 5, 11]), (3, 2, [1, 99]), (4, 5, [2, 5, 99]), (5, 2, [3]),
        (6, 1, [1]), (7, 1, [2]), (8, 1, [3]), (9, 3, [5, 10, 11]), (10, 1, [11]), (11, 1, [10]), (12, 0, []),
    ]

    @Test(arguments: PropertyListFormat.allCases)
    func `is known for every object`(format: PropertyListFormat) throws {
        let archive = try farm(format)
        let references = try archive.references()
        for (uid, count, owners) in Self.expected {
            #expect(references.count(of: archive[uid: uid]) == count, "\(uid)")
            #expect(references.owners(of: archive[uid: uid]).map { $0.uid ?? 99 } == owners, "\(uid)")
        }
        #expect(references.owners(of: archive[uid: 1]).last == archive.top)
    }

    @Test func `is not known for what is no object`() throws {
        let archive = try farm()
        let references = try archive.references()
        for value in [archive.top, archive.top["list"], archive[uid: 5]["tags"], archive[uid: 13]] {
            let value = try #require(value)
            #expect(references.count(of: value) == 0 && references.owners(of: value).isEmpty)
        }
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `shows what was left behind`(format: PropertyListFormat) throws {
        let archive = try farm(format)
        // 10 and 11 refer to each other, and no other object refers to them.
        #expect(archive.unreachableObjects.map(\.uid) == [10, 11, 12])
        #expect(try openArchive("a", "b").unreachableObjects.map(\.uid) == [2])
        #expect(try openArchive(top: [:], "a", "b").unreachableObjects.map(\.uid) == [1, 2])
        #expect(try openArchive(top: ["a": .uid(2), "b": [["c": .uid(1)]]], "a", "b").unreachableObjects.isEmpty)
    }

    @Test func `does not care for damage elsewhere`() throws {
        let archive = try openArchive(
            ["a": .uid(2), "b": .uid(77), "c": .uid(3), "$class": .uid(66)], "x", .uid(2))
        let references = try archive.references()
        #expect(references.count(of: archive[uid: 2]) == 1)
        #expect(references.count(of: archive[uid: 3]) == 1 && references.owners(of: archive[uid: 3]).map(\.uid) == [1])
        #expect(archive.unreachableObjects.isEmpty)
    }

    @Test func `is complete for the archive of an encoder`() throws {
        final class Barn: Codable {}
        struct Animal: Codable { var barn: Barn }
        let barn = Barn()
        let archive = try KeyedArchive(ArchiveEncoder().encode((0..<5).map { _ in Animal(barn: barn) }))
        let references = try archive.references()
        let object = try #require(archive.root[0]["barn"])
        #expect(references.count(of: object) == 5)
        #expect(references.owners(of: object) == Array(archive.root.elements))
        #expect(references.count(of: archive.root) == 1 && references.owners(of: archive.root) == [archive.top])
        #expect(archive.unreachableObjects.isEmpty)
    }
}

// MARK: - Reach

@Suite(.inTurn) struct `The objects that a value reaches` {
    /// Bytes of the objects of the property list are said behind them. One is the list of the other, and refers to itself.
    private let raw = ByteArchive(
        slots: [12, 17, 20, 24, 25],
        hex("D3 0D 0E 0F 10 10 19"),  // 12: object 1, {a: uid 2, b: uid 2, $class: uid 5}: 7 bytes
        ascii("a"), ascii("b"),  // 13, 14: 2 each
        ascii("$class"),  // 15: 7
        hex("80 02"),  // 16: uid 2: 2
        hex("D1 0D 12"),  // 17: object 2, {a: the array}: 3
        hex("A3 13 0B 15"),  // 18: [uid 3, uid 1, 7]: 4
        hex("80 03"),  // 19: uid 3: 2
        ascii("text"),  // 20: object 3: 5
        hex("10 07"),  // 21: 2
        ascii("unused"),  // 22: 7
        hex("80 02"),  // 23: unreferenced
        ascii("lost"),  // 24: object 4
        hex("80 05"),  // 25: uid 5, and object 5, which is damaged by that: 2
        ascii("behind"))

    @Test func `is every object once, with all of its bytes`() throws {
        let archive = try raw.open()
        // 3: the text.
        #expect(archive[uid: 3].reachableObjects.map(\.uid) == [3] && archive[uid: 3].reachableByteCount == 5)
        // 4: the text that nothing refers to, 5 bytes.
        #expect(archive[uid: 4].reachableObjects.map(\.uid) == [4] && archive[uid: 4].reachableByteCount == 5)
        // 1: 7 + its keys 2 + 2 + 7, uid 2 once: 2, uid 5: 2; object 2: 3 + the array 4 + uid 3 2 + text 5 + 7: 2 + uid 1: 2.
        let (one, byteCount) = (archive[uid: 1].reachableObjects, archive[uid: 1].reachableByteCount)
        #expect(one.map(\.uid) == [1, 2, 3, 5])
        #expect(byteCount == 7 + 2 + 2 + 7 + 2 + 2 + 3 + 4 + 2 + 5 + 2 + 2)
        // They refer to each other.
        #expect(archive[uid: 2].reachableObjects == one && archive[uid: 2].reachableByteCount == byteCount)
        #expect(archive.root.reachableObjects == one && archive.root.reachableByteCount == byteCount)
        // The top has the key root, 5 bytes, and uid 1.
        #expect(archive.top.reachableObjects == one && archive.top.reachableByteCount == byteCount + 5)
    }

    @Test func `is counted for inline values as well`() throws {
        let archive = try raw.open()
        let array = try #require(archive[uid: 2]["a"])
        #expect(array.uid == nil && array.reachableObjects == archive[uid: 1].reachableObjects)
        #expect(array.reachableByteCount == archive[uid: 1].reachableByteCount)
        #expect(array[2].reachableObjects.isEmpty && array[2].reachableByteCount == 2)
    }

    @Test func `is what a copy of that part would hold`() throws {
        let archive = try openArchive(
            ["a": .uid(2), "b": .uid(3), "$class": .uid(5)], ["NS.objects": [.uid(4), .uid(2)], "$class": .uid(6)],
            ["NS.objects": [.uid(4)], "$class": .uid(6)], "shared", classEntry("Thing"), classEntry("NSArray"))
        #expect(archive[uid: 3].reachableObjects.map(\.uid) == [3, 4, 6])
        #expect(archive[uid: 2].reachableObjects.map(\.uid) == [2, 4, 6])
        #expect(archive.root.reachableObjects.map(\.uid) == [1, 2, 3, 4, 5, 6])
        #expect(archive[uid: 4].reachableObjects == [archive[uid: 4]])
        #expect(archive[uid: 3].reachableByteCount < archive.root.reachableByteCount)
    }

    @Test func `does not take a long chain for a deep one`() throws {
        let count = 200_000
        let objects = (1...count).map { PropertyList.dictionary(["next": .uid($0 == count ? 1 : UInt32($0 + 1))]) }
        let archive = try KeyedArchive(handmadeArchive(objects: objects))
        #expect(archive.root.reachableObjects.count == count)
        #expect(archive.unreachableObjects.isEmpty && archive.problems().isEmpty)
        #expect(archive.path(to: archive[uid: 5000])?.steps.count == 5000)
        #expect(try archive.references().owners(of: archive[uid: 1]).count == 2)
    }
}
