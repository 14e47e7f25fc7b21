// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing
import ThoroughSupport

@Suite(.inTurn) struct `An object of an unknown class in a sequential archive` {
    /// An item, a node that refers to it and to itself, and the item again.
    private func archive() throws -> Data {
        try sequentialArchive {
            let item = SequentialItem(name: "known", count: 7)
            try $0.encode(Holder(item))
            try $0.encode(item)
        }
    }

    final class Holder: SequentialCoding, ArchiveDescribing {
        static let archiveName = "Holder"
        class var classVersion: Int { 5 }
        let item: SequentialItem
        init(_ item: SequentialItem) { self.item = item }

        init(coder: SequentialUnarchiver) throws {
            (item, _) = try coder.decodeValues("@*", as: SequentialItem.self, String.self)
            coder.publish(self)
            _ = try coder.decode(Holder?.self)
            _ = try coder.decodeArray(of: SequentialItem.self)
        }

        func encode(with coder: SequentialArchiver) throws {
            try coder.encodeValues("@*", item, "mark")
            try coder.encodeConditional(self)
            try coder.encodeArray([item], of: .object)
        }
    }

    @Test func `keeps its classes and values`() throws {
        let unarchiver = try SequentialUnarchiver(forReadingFrom: archive())
        let unknown = try #require(try unarchiver.decodeObject() as? UnknownSequentialObject)
        #expect(unknown.className == "Holder")
        #expect(
            unknown.classChain.map(\.name) == ["Holder", "NSObject"] && unknown.classChain.map(\.version) == [5, 0])
        #expect(unknown.groups.map { $0.types.map(\.description).joined() } == ["@*", "@", "[1@]"])
        #expect(unknown.groups[1].values == [.object(unknown.index)])
        #expect(unknown.description.contains("Holder"))
    }

    @Test func `is written back as it was`() throws {
        let data = try archive()
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        let first = try unarchiver.decodeObject()
        let second = try unarchiver.decodeObject()
        #expect(first is UnknownSequentialObject && second is UnknownSequentialObject)
        let again = try sequentialArchive {
            try $0.encodeObject(first)
            try $0.encodeObject(second)
        }
        #expect(again == data)
    }

    @Test func `keeps equal C strings apart that are apart in its archive, and those together that are one`() throws {
        var stream = TypedStream()
        stream.cStrings = ["a", "a", "b"].map { Array($0.utf8) }
        stream.classes = [TypedStream.Class("NSObject"), TypedStream.Class("Gadget", superclassIndex: 0)]
        let values: [TypedStream.Value] = [.cString(0), .cString(1), .cString(0), .cString(2), .cString(1)]
        let group = TypedStream.Group(Array(repeating: .cString, count: 5), values)
        stream.objects = [
            TypedStream.Object(classIndex: 1, groups: [group]), TypedStream.Object(classIndex: 1, groups: [group]),
        ]
        stream.groups = [0, 1].map { TypedStream.Group([.object], [.object($0)]) }
        let data = try stream.data()
        #expect(try TypedStream(data).cStrings.count == 3)
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        let first = try unarchiver.decodeObject()
        let second = try unarchiver.decodeObject()
        let again = try sequentialArchive {
            try $0.encodeObject(first)
            try $0.encodeObject(second)
        }
        #expect(again == data)
    }

    @Test func `refers to the instances that the program has, as they are then`() throws {
        let unarchiver = try SequentialUnarchiver(forReadingFrom: archive())
        unarchiver.classes.register(SequentialItem.self)
        let unknown = try #require(try unarchiver.decodeObject() as? UnknownSequentialObject)
        let item = try #require(try unarchiver.decodeObject() as? SequentialItem)
        #expect(unknown.stream.objects.indices.contains { unknown.instance(at: $0) === item })
        item.name = "changed"
        let again = try SequentialUnarchiver(
            forReadingFrom: sequentialArchive {
                try $0.encode(unknown)
                try $0.encode(item)
            })
        let holder = try again.decode(Holder.self)
        #expect(holder.item.name == "changed")
        #expect(try again.decode(SequentialItem.self) === holder.item)
    }

    @Test func `is an error, or left out, where the registry says so`() throws {
        let data = try sequentialArchive { try $0.encode([Holder(SequentialItem(name: "", count: 0))]) }
        let failing = try SequentialUnarchiver(forReadingFrom: data)
        failing.classes.unknownClasses = .fail
        let error = try sequentialError { try failing.decodeObject() }
        #expect(error.code == .classNotAllowed && error.description.contains("Holder"))
        let skipping = try SequentialUnarchiver(forReadingFrom: data)
        skipping.classes.unknownClasses = .skip
        #expect(try skipping.decode([SequentialView].self).isEmpty)
    }

    // MARK: - What is created

    /// Counts how often it was made.
    final class Trap: SequentialCoding, ArchiveDescribing {
        static let archiveName = "Trap"
        nonisolated(unsafe) static var count = 0
        init() {}
        init(coder: SequentialUnarchiver) throws { Self.count += 1 }
        func encode(with coder: SequentialArchiver) throws {}
    }

    @Test func `is never created, whatever its name`() throws {
        let data = try sequentialArchive {
            try $0.encode(Trap())
            try $0.encode([Trap()])
            try $0.encodeObject([Trap()] as [Any])
        }
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        #expect(try sequentialError { try unarchiver.decode(SequentialItem.self) }.code == .classNotAllowed)
        #expect(try unarchiver.decodeObject() is UnknownSequentialObject)
        #expect(try sequentialError { try unarchiver.decode([SequentialItem].self) }.code == .classNotAllowed)
        #expect((try unarchiver.decodeObject() as? [Any])?.first is UnknownSequentialObject)
        #expect((try unarchiver.decodeObject() as? [Any])?.first is UnknownSequentialObject)
        #expect(Trap.count == 0)
    }

    @Test func `of a subclass has to be registered`() throws {
        let data = try SequentialArchiver.archivedData(
            withRootObject: SequentialWeapon(name: "sword", count: 1, damage: 2) as SequentialItem)
        let strict = try SequentialUnarchiver(forReadingFrom: data)
        #expect(try sequentialError { try strict.decode(SequentialItem.self) }.code == .classNotAllowed)
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        unarchiver.classes.register(SequentialWeapon.self)
        #expect(try unarchiver.decode(SequentialItem.self) is SequentialWeapon)
        // One that is registered and no subclass is not made either.
        let other = try SequentialUnarchiver(forReadingFrom: data)
        other.classes.register(SequentialView.self, name: "Weapon")
        #expect(try sequentialError { try other.decode(SequentialItem.self) }.code == .classNotAllowed)
        let lenient = try SequentialUnarchiver(forReadingFrom: data)
        lenient.classes.unknownClasses = .decodeAsRequested
        // Its last value is more than the requested class reads.
        #expect(try sequentialError { try lenient.decode(SequentialItem.self) }.code == .typeMismatch)
    }
}
