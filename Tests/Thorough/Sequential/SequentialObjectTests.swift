// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing
import ThoroughSupport

@Suite(.inTurn) struct `An object in a sequential archive` {
    // MARK: - Bytes, worked out by hand

    @Test func `is its class with the version, then its values in order`() throws {
        let data = try SequentialArchiver.archivedData(withRootObject: SequentialItem(name: "sword", count: 3))
        let expected = streamFile(
            """
            84 01 '@' 84 84 84 04 'Item' 01 84 84 08 'NSObject' 00 85
            92 84 84 84 08 'NSString' 01 94 84 01 '+' 05 'sword' 86
            84 01 'i' 03 86
            """)
        #expect(data == expected)
        let item = try SequentialUnarchiver.unarchivedObject(of: SequentialItem.self, from: expected)
        #expect(item.name == "sword" && item.count == 3)
    }

    @Test func `has the versions of all its classes, and the values of its superclass first`() throws {
        let weapon = SequentialWeapon(name: "sword", count: 3, damage: 2.5)
        let data = try SequentialArchiver.archivedData(withRootObject: weapon)
        let expected = streamFile(
            """
            84 01 '@' 84 84 84 06 'Weapon' 03 84 84 04 'Item' 01 84 84 08 'NSObject' 00 85
            92 84 84 84 08 'NSString' 01 95 84 01 '+' 05 'sword' 86
            84 01 'i' 03
            84 01 'd' 83 00 00 00 00 00 00 04 40 86
            """)
        #expect(data == expected)
        let again = try SequentialUnarchiver.unarchivedObject(of: SequentialWeapon.self, from: expected)
        #expect(again.name == "sword" && again.count == 3 && again.damage == 2.5)
    }

    @Test func `of an older version has that version`() throws {
        let old = streamFile(
            """
            84 01 '@' 84 84 84 04 'Item' 00 84 84 08 'NSObject' 00 85
            92 84 84 84 08 'NSString' 01 94 84 01 '+' 05 'sword' 86 86
            """)
        #expect(try SequentialUnarchiver.unarchivedObject(of: SequentialItem.self, from: old).count == 1)
    }

    // MARK: - Identity

    @Test func `is archived once for all references to it`() throws {
        let item = SequentialItem(name: "ring", count: 1)
        let data = try sequentialArchive {
            try $0.encode([item, item])
            try $0.encode(item)
        }
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        #expect(unarchiver.stream.objects.filter { unarchiver.stream.className(of: $0) == "Item" }.count == 1)
        let items = try unarchiver.decode([SequentialItem].self)
        #expect(items.count == 2 && items[0] === items[1])
        #expect(try unarchiver.decode(SequentialItem.self) === items[0])
        #expect(unarchiver.isAtEnd)
    }

    @Test(arguments: [false, true])
    func `may know its owner, which archives it`(isSuperviewFirst: Bool) throws {
        let window = SequentialView(
            "window", [SequentialView("left", [SequentialView("button")]), SequentialView("right")])
        window.isSuperviewFirst = isSuperviewFirst
        window.subviews[0].isSuperviewFirst = isSuperviewFirst
        window.subviews[0].subviews[0].isSuperviewFirst = isSuperviewFirst
        let data = try SequentialArchiver.archivedData(withRootObject: window)
        let again = try SequentialUnarchiver.unarchivedObject(of: SequentialView.self, from: data)
        #expect(again.title == "window" && again.superview == nil)
        #expect(again.subviews.map(\.title) == ["left", "right"])
        #expect(again.subviews.allSatisfy { $0.superview === again })
        let button = try #require(again.subviews[0].subviews.first)
        #expect(button.title == "button" && button.superview === again.subviews[0])
    }

    @Test func `is archived without its owner if no other reference archives the owner`() throws {
        let window = SequentialView("window", [SequentialView("left", [SequentialView("button")])])
        let data = try SequentialArchiver.archivedData(withRootObject: window.subviews[0])
        let again = try SequentialUnarchiver.unarchivedObject(of: SequentialView.self, from: data)
        #expect(again.superview == nil)
        #expect(again.subviews.first?.superview === again)
        #expect(try TypedStream(data).objects.filter { $0.groups.count == 4 }.count == 2)
        withExtendedLifetime(window) {}
    }

    @Test func `that is conditional is there if anything archives it, before or after`() throws {
        let (item, other) = (SequentialItem(name: "a", count: 1), SequentialItem(name: "b", count: 1))
        let data = try sequentialArchive {
            try $0.encodeConditional(item)
            try $0.encodeConditional(other)
            try $0.encode(item)
            try $0.encodeConditional(item)
            try $0.encodeConditional(nil)
        }
        // In full where it is met first, as Cocoa writes it in its second pass.
        #expect(
            data
                == streamFile(
                    """
                    84 01 '@' 84 84 84 04 'Item' 01 84 84 08 'NSObject' 00 85
                    92 84 84 84 08 'NSString' 01 94 84 01 '+' 01 'a' 86 84 01 'i' 01 86
                    92 85 92 92 92 92 92 85
                    """))
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        let first = try unarchiver.decode(SequentialItem?.self)
        #expect(first?.name == "a")
        #expect(try unarchiver.decode(SequentialItem?.self) == nil)
        #expect(try unarchiver.decode(SequentialItem.self) === first)
        #expect(try unarchiver.decode(SequentialItem?.self) === first)
        #expect(try unarchiver.decode(SequentialItem?.self) == nil)
    }

    @Test func `are the same in a finished archive and in a finished stream`() throws {
        let (item, other) = (SequentialItem(name: "a", count: 1), SequentialItem(name: "b", count: 1))
        let archiver = SequentialArchiver(byteOrder: .bigEndian, systemVersion: 930)
        try archiver.encodeConditional(other)
        try archiver.encodeRootObject(["x": item])
        try archiver.encodeValues("i@", Int32(3), item)
        let data = try archiver.finishEncoding()
        let stream = try TypedStream(archiver.finishEncoding())
        #expect(try stream.data() == data)
        #expect(try archiver.finishEncoding() == data)
        #expect(stream.systemVersion == 930)
        let names = stream.objects.map { stream.className(of: $0) }
        #expect(names.sorted() == ["Item", "NSDictionary", "NSString", "NSString"])
        #expect(
            stream.groups == [
                // In the order of the file: the dictionary, its key, the item and its name.
                TypedStream.Group([.object], [.object(nil)]), TypedStream.Group([.object], [.object(0)]),
                TypedStream.Group([.int, .object], [.integer(3), .object(2)]),
            ])
    }

    // MARK: - Cycles

    @Test func `may be in a circle of references`() throws {
        let (first, second) = (SequentialNode(1), SequentialNode(2))
        (first.next, second.next) = (second, first)
        let data = try SequentialArchiver.archivedData(withRootObject: first)
        (first.next, second.next) = (nil, nil)
        let again = try SequentialUnarchiver.unarchivedObject(of: SequentialNode.self, from: data)
        defer { again.next = nil }
        #expect(again.value == 1 && again.next?.value == 2 && again.next?.next === again)
    }

    @Test func `may be one of a hundred thousand in a row, on a small stack`() throws {
        let count = try onThread(stackSize: 512 << 10) {
            var first = SequentialNode(0)
            for value in 1..<100_000 { first = SequentialNode(value, next: first) }
            let data = try SequentialArchiver.archivedData(withRootObject: first)
            _ = first.takeApart()
            return try SequentialUnarchiver.unarchivedObject(of: SequentialNode.self, from: data).takeApart()
        }
        #expect(count == 100_000)
    }

    @Test func `that needs itself before it is complete is an error that says what to do`() throws {
        let owner = SequentialOwner()
        let data = try SequentialArchiver.archivedData(withRootObject: owner)
        owner.owner = nil
        let error = try sequentialError {
            try SequentialUnarchiver.unarchivedObject(of: SequentialOwner.self, from: data)
        }
        #expect(error.code == .cycle)
        #expect(error.codingPath.map(\.stringValue) == ["group 0", "Owner (object 0), group 0"])
        // 16 bytes of header, 3 of the type, 23 of object and classes.
        #expect(error.description.contains("(byte 42)"))
        #expect(error.description.contains("publish(self)"))
    }

    @Test func `that cannot be handed over later ends the decoding`() throws {
        let unarchiver = try sequentialUnarchiver {
            try $0.encode(SequentialNode(1, next: nil))
            try $0.encode(Waiting())
            try $0.encode(1)
        }
        #expect(try unarchiver.decode(SequentialNode.self).value == 1)
        let error = try sequentialError { try unarchiver.decode(Waiting.self) }
        #expect(error.code == .classNotAllowed)
        // Not the half of it that was made.
        #expect(try sequentialError { try unarchiver.decode(Waiting.self) }.code == .classNotAllowed)
        #expect(try sequentialError { try unarchiver.decode(Int.self) }.code == .classNotAllowed)
    }

    /// Refers to an item, and requests a view.
    final class Waiting: SequentialCoding, ArchiveDescribing {
        static let archiveName = "Waiting"
        init() {}
        init(coder: SequentialUnarchiver) throws { try coder.decodeReference(SequentialView.self) { _ in } }
        func encode(with coder: SequentialArchiver) throws { try coder.encode(SequentialItem(name: "", count: 0)) }
    }

    // MARK: - Replacement and names

    final class Alias: SequentialCoding {
        let target: SequentialItem?
        init(_ target: SequentialItem?) { self.target = target }
        init(coder: SequentialUnarchiver) throws { target = nil }
        func encode(with coder: SequentialArchiver) throws {}
        func replacementObject(for coder: SequentialArchiver) -> (any SequentialCoding)? { target }
    }

    @Test func `may be replaced by another, or by nothing`() throws {
        let (item, other) = (SequentialItem(name: "item", count: 1), SequentialItem(name: "other", count: 2))
        let unarchiver = try sequentialUnarchiver {
            try $0.encode(Alias(item))
            try $0.encode(Alias(nil) as Alias?)
            try $0.encode(item)
            $0.replaceObject(item, with: other)
            try $0.encode(item)
            $0.replaceObject(item, with: nil)
            try $0.encode(item as SequentialItem?)
        }
        let first = try unarchiver.decode(SequentialItem.self)
        #expect(first.name == "item")
        #expect(try unarchiver.decode(SequentialItem?.self) == nil)
        #expect(try unarchiver.decode(SequentialItem.self) === first)
        #expect(try unarchiver.decode(SequentialItem.self).name == "other")
        #expect(try unarchiver.decode(SequentialItem?.self) == nil)
    }

    final class Stub: SequentialCoding, ArchiveDescribing {
        static let archiveName = "Stub"
        init() {}
        init(coder: SequentialUnarchiver) throws {}
        func encode(with coder: SequentialArchiver) throws {}
        func awakeAfter(using coder: SequentialUnarchiver) throws -> any SequentialCoding {
            SequentialItem(name: "awake", count: 1)
        }
    }

    @Test func `may be replaced when it has been made`() throws {
        let item = SequentialItem(name: "item", count: 1)
        let stub = Stub()
        let unarchiver = try sequentialUnarchiver {
            try $0.encode([stub])
            try $0.encode(stub)
            try $0.encode(item)
            try $0.encode(item)
        }
        unarchiver.classes.register(Stub.self)
        let objects = try #require(try unarchiver.decodeObject() as? [Any])
        #expect((objects.first as? SequentialItem)?.name == "awake")
        #expect(try unarchiver.decode(SequentialItem.self) === objects.first as? SequentialItem)
        let first = try unarchiver.decode(SequentialItem.self)
        let other = SequentialItem(name: "other", count: 1)
        unarchiver.replaceObject(first, with: other)
        #expect(try unarchiver.decode(SequentialItem.self) === other)
    }

    @Test func `has the name that the archiver gives its class, and is found by the one that the unarchiver gives`()
        throws
    {
        let archiver = SequentialArchiver()
        archiver.encodeClassName("Item", intoClassName: "Thing")
        try archiver.encodeRootObject(SequentialWeapon(name: "sword", count: 1, damage: 1))
        let data = try archiver.finishEncoding()
        #expect(try TypedStream(data).classes.map(\.name).sorted() == ["NSObject", "NSString", "Thing", "Weapon"])
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        unarchiver.decodeClassName("Thing", asClassName: "Item")
        #expect(unarchiver.version(forClassName: "Thing") == 1 && unarchiver.version(forClassName: "Weapon") == 3)
        #expect(unarchiver.version(forClassName: "Item") == nil)
        #expect(try unarchiver.decode(SequentialWeapon.self).count == 1)
    }

    /// Archives itself as its superclass.
    final class Disguised: SequentialItem {
        override class var archiveName: String { "Disguised" }
        override class var classVersion: Int { 9 }
        override var archivedClass: any SequentialCoding.Type { SequentialItem.self }
    }

    @Test func `may be archived as another class`() throws {
        let data = try SequentialArchiver.archivedData(withRootObject: Disguised(name: "a", count: 2) as SequentialItem)
        #expect(try TypedStream(data).classes.map(\.name).sorted() == ["Item", "NSObject", "NSString"])
        #expect(try SequentialUnarchiver.unarchivedObject(of: SequentialItem.self, from: data).count == 2)
    }

    // MARK: - Files

    @Test func `is written to a file, and read from it`() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sequential-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        try SequentialArchiver.archiveRootObject(SequentialItem(name: "item", count: 4), to: url)
        let unarchiver = try SequentialUnarchiver(contentsOf: url)
        #expect(try unarchiver.decode(SequentialItem.self).count == 4)
        #expect(unarchiver.isAtEnd && unarchiver.stream.systemVersion == 1000)
    }

    @Test func `is in archives of either byte order, and of the system that the program says`() throws {
        let archiver = SequentialArchiver(byteOrder: .bigEndian, systemVersion: 930)
        try archiver.encode(SequentialItem(name: "item", count: 70_000))
        let data = try archiver.finishEncoding()
        // 930 is 0x03A2, 70 000 is 0x00011170.
        #expect(Array(data.prefix(16)) == streamBytes("04 0B 'typedstream' 81 03A2"))
        #expect(data.suffix(6) == Data([0x82, 0x00, 0x01, 0x11, 0x70, 0x86]))
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        #expect(unarchiver.stream.systemVersion == 930)
        #expect(try unarchiver.decode(SequentialItem.self).count == 70_000)
    }
}
