// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import Observation
import TestSupport
import Testing
import ThoroughSupport

@Suite(.inTurn, .needs(.collectionStorage)) struct `A cycle of plain single references is an error` {
    // MARK: Models

    /// A spouse.
    final class Person: Codable, ArchiveDescribing {
        static let archiveName = "Person"
        var name = "p"
        var spouse: Person?
    }

    final class MarriedPerson: Codable, ArchiveDescribing {
        static let archiveName = "Person"
        var name = ""
        @Reference var spouse: MarriedPerson?
    }

    /// A binary tree.
    final class Branch: Codable, ArchiveDescribing {
        static let archiveName = "Branch"
        var left: Branch?
        var right: Branch?
        weak var parent: Branch?
    }

    final class ReferredBranch: Codable, ArchiveDescribing {
        static let archiveName = "Branch"
        var left: ReferredBranch?
        var right: ReferredBranch?
        @WeakReference var parent: ReferredBranch?
    }

    /// A node with one of its children selected.
    final class Folder: Codable, ArchiveDescribing {
        static let archiveName = "Folder"
        var selected: Folder?
        var children: [Folder] = []
        weak var parent: Folder?
    }

    final class SelectingFolder: Codable, ArchiveDescribing {
        static let archiveName = "Folder"
        @Reference var selected: SelectingFolder?
        var children: [SelectingFolder] = []
        weak var parent: SelectingFolder?
    }

    /// A reference inside of a struct.
    final class Loop: Codable, ArchiveDescribing {
        struct Link: Codable { var target: Loop? }
        static let archiveName = "Loop"
        var link: Link? = Link()
    }

    final class ReferredLoop: Codable, ArchiveDescribing {
        struct Link: Codable { @Reference var target: ReferredLoop? }
        static let archiveName = "Loop"
        var link: Link?
    }

    /// Decodes `value` after `open` has opened its cycle, and expects the error; then decodes the same archive as `Other`.
    private func check<Value: Codable & ArchiveDescribing & AnyObject, Other: Codable & ArchiveDescribing>(
        _ value: Value, _ path: String, says declaration: String, as other: Other.Type, open: (Value) -> Void,
        _ isRight: (Other) -> Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let data = try ArchiveEncoder().encode(["v": value])
        open(value)
        for format in [PropertyListFormat.binary, .xml] {
            let archive = try PropertyList(data).data(format: format)
            let error = try failure(decoding: [String: Value].self, from: archive, sourceLocation: sourceLocation)
            #expect(
                error.kind == .dataCorrupted && error.path == "v." + path, "\(error)", sourceLocation: sourceLocation)
            #expect(
                error.says(
                    "at \"v.\(path)\" leads back to the \(Value.self) (uid ", "at \"v\"", declaration, "stays readable"),
                "\(error)", sourceLocation: sourceLocation)
            let again = try #require(try ArchiveDecoder().decode([String: Other].self, from: archive)["v"])
            #expect(isRight(again), sourceLocation: sourceLocation)
        }
    }

    @Test func `that says what to write, after which the archive opens`() throws {
        let (anna, bert) = (Person(), Person())
        (anna.spouse, bert.spouse) = (bert, anna)
        try check(anna, "spouse.spouse", says: "`@Reference var spouse: Person?`", as: MarriedPerson.self) {
            $0.spouse = nil
        } _: { again in
            defer { again.spouse = nil }
            return again.spouse?.spouse === again && again.spouse !== again
        }
        let ring = (0..<5).map { _ in Person() }
        for index in 0..<5 { ring[index].spouse = ring[(index + 1) % 5] }
        try check(ring[0], "spouse.spouse.spouse.spouse.spouse", says: "`@Reference var spouse", as: MarriedPerson.self)
        {
            $0.spouse = nil
        } _: { again in
            defer { again.spouse = nil }
            return again.spouse?.spouse?.spouse?.spouse?.spouse === again
        }
        let branch = Branch()
        (branch.left, branch.right) = (Branch(), Branch())
        for child in [branch.left, branch.right] { child?.parent = branch }
        try check(branch, "left.parent", says: "@WeakReference for a parent", as: ReferredBranch.self) { _ in
        } _: {
            $0.left?.parent === $0 && $0.right?.parent === $0 && $0.left !== $0.right
        }
        let folder = Folder()
        folder.children = [Folder(), Folder()]
        for child in folder.children { child.parent = folder }
        folder.selected = folder.children[1]
        try check(folder, "selected.parent", says: "`@Reference var parent: Folder?`", as: SelectingFolder.self) { _ in
        } _: { again in
            again.selected === again.children[1] && again.children.allSatisfy { $0.parent === again }
        }
        let loop = Loop()
        loop.link?.target = loop
        try check(loop, "link.target", says: "`@Reference var target: Loop?`", as: ReferredLoop.self) {
            $0.link = nil
        } _: { again in
            defer { again.link = nil }
            return again.link?.target === again
        }
    }

    // MARK: Who says what

    final class Manual: Codable {
        var next: Manual?
        private enum CodingKeys: CodingKey { case next }
        init() {}
        init(from decoder: any Decoder) throws {
            if decoder.userInfo[Self.publishes] != nil { decoder.publish(self) }
            next = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Manual.self, forKey: .next)
        }
        static let publishes = CodingUserInfoKey.named("publishes")
    }

    @Test func `that names publish for an initializer that is written by hand`() throws {
        let value = Manual()
        value.next = value
        defer { value.next = nil }
        let data = try ArchiveEncoder().encode(value)
        let error = try failure(decoding: Manual.self, from: data)
        #expect(error.says("Manual.next", "decoder.publish(self)"), "\(error)")
        var decoder = ArchiveDecoder()
        decoder.userInfo[Manual.publishes] = true
        let copy = try decoder.decode(Manual.self, from: data)
        #expect(copy.next === copy)
        copy.next = nil
    }

    final class Window: Coding {
        nonisolated(unsafe) static var publishes = false
        var next: Window?
        init() {}
        init(coder: KeyedUnarchiver) throws {
            if Self.publishes { coder.publish(self) }
            next = try coder.decodeIfPresent(Window.self, forKey: "next")
        }
        func encode(with coder: KeyedArchiver) throws { try coder.encode(next, forKey: "next") }
    }

    @Test func `that names publish for Coding classes`() throws {
        let (first, second) = (Window(), Window())
        (first.next, second.next) = (second, first)
        defer { first.next = nil }
        let data = try KeyedArchiver.archivedData(withRootObject: first)
        let error = try failure { try KeyedUnarchiver.unarchivedObject(of: Window.self, from: data) }
        #expect(
            error.says("\"root.next.next\" leads back to the Window", "coder.publish(self)", "stays readable"),
            "\(error)")
        Window.publishes = true
        defer { Window.publishes = false }
        let copy = try KeyedUnarchiver.unarchivedObject(of: Window.self, from: data)
        #expect(copy.next?.next === copy && copy.next !== copy)
        copy.next = nil
    }

    @Observable final class Track: Codable {
        var title = ""
        var next: Track?
        // swift-format-ignore: NoLeadingUnderscores
        private enum CodingKeys: CodingKey { case _title, _next }
        init() {}
    }

    @Test func `that names declared fields for observable classes`() throws {
        let track = Track()
        track.next = track
        defer { track.next = nil }
        let error = try failure(decoding: Track.self, fromArchiveOf: track)
        #expect(error.says("Track.next", "declared fields", "ArchivedFields"), "\(error)")
        #expect(!error.says("@Reference"))
    }

    /// A model that is only read.
    final class Reply: Codable, ArchiveDescribing {
        static let archiveName = "Reply"
        var text: String
        var quoted: Reply?

        private enum CodingKeys: CodingKey { case text, quoted }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            text = try container.decode(String.self, forKey: .text)
            quoted = try container.decodeIfPresent(Reply.self, forKey: .quoted)
        }
        func encode(to encoder: any Encoder) throws { preconditionFailure("A reply is never saved") }
    }

    @Test(arguments: [1, 2] as [UInt32]) func `of hostile files, without a call of encode(to:)`(quoted: UInt32) throws {
        let data = try handmadeArchive(
            ["text": .uid(4), "quoted": .uid(2), "$class": .uid(3)],
            ["text": .uid(4), "quoted": .uid(quoted), "$class": .uid(3)], classEntry("Reply"), "Hello")
        let error = try failure(decoding: Reply.self, from: data)
        #expect(error.kind == .dataCorrupted && error.says("Reply.quoted", "leads back"), "\(error)")
    }

    final class Egg: Codable { let hen: Hen }
    final class Hen: Codable { let egg: Egg }

    @Test func `between constant properties, which no initializer can make`() throws {
        let (egg, hen) = (ClassRegistry().name(for: Egg.self), ClassRegistry().name(for: Hen.self))
        let data = try handmadeArchive(
            ["hen": .uid(2), "$class": .uid(3)], ["egg": .uid(1), "$class": .uid(4)], classEntry(egg), classEntry(hen))
        let error = try failure(decoding: Egg.self, from: data)
        #expect(error.path == "hen.egg" && error.says("Hen.egg", "Egg (uid 1) at the root"), "\(error)")
    }

    final class Careful: Codable {
        var next: Careful?
        private enum CodingKeys: CodingKey { case next }
        init() {}
        init(from decoder: any Decoder) throws {
            next = try? decoder.container(keyedBy: CodingKeys.self).decode(Careful.self, forKey: .next)
        }
    }

    struct Trying: Codable {
        var value: Careful?
        init(_ value: Careful) { self.value = value }
        init(from decoder: any Decoder) throws {
            value = try? decoder.container(keyedBy: CodingKeys.self).decode(Careful.self, forKey: .value)
        }
    }

    @Test func `even if initializers catch it`() throws {
        let value = Careful()
        value.next = value
        defer { value.next = nil }
        let error = try failure(decoding: Trying.self, fromArchiveOf: Trying(value))
        #expect(error.path == "value.next" && error.says("Careful.next", "caught"), "\(error)")
    }

    @Test func `from wherever the decoding begins`() throws {
        let people = (0..<6).map { _ in Person() }
        // A chain that leads into a ring.
        for (from, to) in [(0, 1), (1, 2), (2, 3), (3, 4), (4, 2), (5, 0)] { people[from].spouse = people[to] }
        defer { people[4].spouse = nil }
        for start in people.indices {
            let order = [people[start]] + people
            let error = try failure(decoding: [Person].self, fromArchiveOf: order)
            #expect(error.says("Person.spouse", "@Reference"), "\(start): \(error)")
        }
        people[4].spouse = nil
        #expect(try roundTrip(people).map { $0.spouse == nil } == [false, false, false, false, true, false])
    }

    // MARK: Wrappers of the program

    @propertyWrapper struct Watched<Value: Codable>: Codable {
        final class Storage {
            var value: Value
            init(_ value: Value) { self.value = value }
        }
        private let storage: Storage
        init(wrappedValue: Value) { storage = Storage(wrappedValue) }
        var wrappedValue: Value {
            get { storage.value }
            nonmutating set { storage.value = newValue }
        }
        init(from decoder: any Decoder) throws {
            self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(wrappedValue)
        }
    }

    final class Player: Codable {
        @Watched var friends: [Player] = []
        @Watched var captain: Player?
        init() { captain = nil }
    }

    @Test func `that opens in a collection inside of the program's wrapper, which stores it in a class`() throws {
        let (first, second) = (Player(), Player())
        (first.friends, second.friends) = ([second], [first, second])
        defer { (first.friends, second.friends) = ([], []) }
        let copy = try roundTrip(first)
        let other = try #require(copy.friends.first)
        #expect(copy.friends.count == 1 && other.friends.count == 2)
        #expect(other.friends[0] === copy && other.friends[1] === other)
        (copy.friends, other.friends) = ([], [])
        first.captain = first
        defer { first.captain = nil }
        #expect(try failure { try roundTrip(first) }.says("leads back to the Player"))
    }

    class Part: Codable {
        var owner: Whole?
        init() {}
    }

    final class Whole: Codable { var parts: [Part] = [] }

    /// Has no keys.
    final class Wheel: Part {
        let size: Int
        init(size: Int) {
            self.size = size
            super.init()
        }
        required init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            size = try container.decode(Int.self)
            try super.init(from: container.superDecoder())
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(size)
            try super.encode(to: container.superEncoder())
        }
    }

    @Test func `that opens in the collection around an instance without keys`() throws {
        let (whole, wheel) = (Whole(), Wheel(size: 3))
        (whole.parts, wheel.owner) = ([wheel], whole)
        defer { whole.parts = [] }
        let copy = try roundTrip(whole, registering: [Wheel.self])
        #expect(copy.parts.first?.owner === copy && (copy.parts.first as? Wheel)?.size == 3)
        copy.parts = []
    }
}
