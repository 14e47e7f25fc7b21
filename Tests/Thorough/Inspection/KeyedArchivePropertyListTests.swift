// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@testable import ArchiveInspection

@Suite(.inTurn) struct `A keyed archive as a property list` {
    @Test func `is the list that it was made of`() throws {
        let archive = try KeyedArchive(EditedFarm.list)
        #expect(try archive.propertyList().isExactly(EditedFarm.list))
        #expect(archive.archiver == "MSArchiver" && archive.format == .binary)
    }

    @Test func `comes back from bytes of the binary format`() throws {
        let data = try KeyedArchive(EditedFarm.list).propertyList().data(format: .binary)
        #expect(try KeyedArchive(data).propertyList().isExactly(EditedFarm.list))
        #expect(try PropertyList(data).isExactly(EditedFarm.list))
    }

    /// XML makes 64 bits of 32, has one value for each key, the one that was found, and holds all else that is in it.
    @Test func `comes back from XML but for 32-bit reals and repeated keys`() throws {
        var list = EditedFarm.list([
            1: EditedFarm.object(1, ("share", .real(Double(Float(0.1))))), 18: ["twice": 1, "once": .uid(6)],
        ])
        list.changeEntries { $0["$note"] = ["kept": [1.5, false]] }
        let data = try KeyedArchive(EditedFarm.list).propertyList().data(format: .xml)
        let archive = try KeyedArchive(data)
        #expect(archive.format == .xml)
        #expect(try archive.propertyList().isExactly(list))
    }

    @Test func `has what the archive of an encoder has`() throws {
        let data = try ArchiveEncoder().encode(["a": [1, 2]])
        #expect(try KeyedArchive(data).propertyList().isExactly(PropertyList(data)))
        let again = try KeyedArchive(PropertyList(data))
        #expect(try again.root.decode([String: [Int]].self) == ["a": [1, 2]])
    }

    @Test func `has values as they are stored`() throws {
        let archive = try KeyedArchive(EditedFarm.list)
        #expect(try archive.root.propertyList().isExactly(EditedFarm.objects[1]))
        #expect(try archive.top.propertyList().isExactly(EditedFarm.top))
        #expect(try archive["root", "animals", 1]?.propertyList().isExactly(EditedFarm.objects[5]) == true)
        #expect(try archive["root", "animals", 1, "mother"]?.propertyList() == .null)
        #expect(try archive["root", "plain"]?.propertyList() == ["list": [1, "two"], "ref": .uid(6)])
        #expect(try archive["root", "plain", "ref"]?.propertyList() == "Bella")
        #expect(try archive["root", "share"]?.propertyList() == .real32(0.1))
        #expect(try archive["root", "huge"]?.propertyList() == .integer(1 << 100))
        #expect(try archive[uid: 18].propertyList().isExactly(EditedFarm.objects[18]))
        #expect(try archive[uid: 12].propertyList().isExactly(EditedFarm.objects[12]))
        let empty = try KeyedArchive(handmadeArchive(top: [:], "x"))
        #expect(try empty.top.propertyList() == [:])
    }

    @Test func `is refused where it is damaged`() throws {
        let archive = try KeyedArchive(handmadeArchive(["a": .uid(9), "$class": .uid(2)], ["$classname": "A"]))
        // An invalid uid is a value like any other.
        #expect(try archive.propertyList()["$objects"]?[1] == ["a": .uid(9), "$class": .uid(2)])
        let missing = try #require(archive["root", "a"])
        #expect(try editingFailure { try missing.propertyList() }.uid == 9)
        // The key of the first object is made a number: its marker follows that of the value.
        var data = try handmadeArchive(["a": 7])
        let key = try #require(data.range(of: Data([0x51, UInt8(ascii: "a")])))
        data.replaceSubrange(key, with: [0x10, 0x05])
        let damaged = try KeyedArchive(data)
        #expect(try editingFailure { try damaged.propertyList() }.code == .damaged)
        #expect(try editingFailure { try damaged.root.propertyList() }.code == .damaged)
        #expect(try damaged[uid: 0].propertyList() == .null)
        #expect(throws: KeyedArchiveError.self) { try KeyedArchiveEditor(damaged) }
    }

    @Test func `is refused where it unfolds to more than its size allows`() throws {
        // 40 lists, of which each has the next one twice.
        let lists = (13...52 as ClosedRange<UInt8>).map { [0xA2, $0, $0] }
        let archive = try ByteArchive(slots: [12], objects: lists + [ascii("A")]).open()
        #expect(archive.objects.count == 2)
        #expect(try editingFailure { try archive.propertyList() }.code == .limit)
        let list = archive[uid: 1]
        #expect(try editingFailure { try list.propertyList() }.code == .limit)
    }

    @Test func `is nested as deep as an archive can be`() throws {
        func nested(_ levels: Int) -> PropertyList { (1..<levels).reduce([1]) { list, _ in [list] } }
        // The root and $objects are two levels.
        let deepest = try KeyedArchive(PropertyList(handmadeArchive(nested(510))))
        #expect(try deepest.propertyList()["$objects"]?[1] == nested(510))
        let list: PropertyList = [
            "$version": 100_000, "$top": [:], "$objects": ["$null", nested(511)], "$archiver": "NSKeyedArchiver",
        ]
        #expect(throws: KeyedArchiveError.self) { try KeyedArchive(list) }
    }
}
