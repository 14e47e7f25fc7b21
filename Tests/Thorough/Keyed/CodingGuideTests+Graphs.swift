// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Conditional objects, cycles, and Codable values inside.
extension `The guide to coding` {
    // MARK: Conditional objects

    final class Folder: Coding {
        let name: String
        private(set) var folders: [Folder] = []
        private(set) weak var parent: Folder?

        init(name: String) { self.name = name }

        func add(_ folder: Folder) {
            folders.append(folder)
            folder.parent = self
        }

        init(coder: KeyedUnarchiver) throws {
            name = try coder.decode(String.self, forKey: "name")
            coder.publish(self)
            folders = try coder.decode([Folder].self, forKey: "folders")
            parent = try coder.decodeIfPresent(Folder.self, forKey: "parent")
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(name, forKey: "name")
            try coder.encode(folders, forKey: "folders")
            try coder.encodeConditional(parent, forKey: "parent")
        }
    }

    @Test func `archives parents where something else does`() throws {
        let root = Folder(name: "root")
        root.add(Folder(name: "etc"))

        let whole = try KeyedUnarchiver.unarchivedObject(
            of: Folder.self, from: KeyedArchiver.archivedData(withRootObject: root))
        #expect(whole.folders[0].parent === whole)

        let part = try KeyedUnarchiver.unarchivedObject(
            of: Folder.self, from: KeyedArchiver.archivedData(withRootObject: root.folders[0]))
        #expect(part.parent == nil)
        #expect(part.name == "etc")
    }

    @Test func `comes into a cycle from either side where all publish themselves`() throws {
        let root = Folder(name: "root")
        root.add(Folder(name: "etc"))
        root.add(Folder(name: "usr"))
        let archiver = KeyedArchiver()
        try archiver.encode(root.folders[1], forKey: "child")
        try archiver.encode(root, forKey: "root")
        let coder = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        let child = try coder.decode(Folder.self, forKey: "child")
        let parent = try coder.decode(Folder.self, forKey: "root")
        #expect(child.parent === parent)
        #expect(parent.folders.map(\.name) == ["etc", "usr"])
        #expect(parent.folders[1] === child)
        #expect(parent.folders[0].parent === parent)
    }

    // MARK: Cycles

    final class Station: Coding {
        let name: String
        @Reference var next: Station?
        @WeakReference var line: Line?

        init(name: String) { self.name = name }

        init(coder: KeyedUnarchiver) throws {
            name = try coder.decode(String.self, forKey: "name")
            _next = try coder.decode(Reference<Station>.self, forKey: "next")
            _line = try coder.decode(WeakReference<Line>.self, forKey: "line")
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(name, forKey: "name")
            try coder.encode(next, forKey: "next")
            try coder.encodeConditional(line, forKey: "line")
        }
    }

    final class Line: Coding {
        let first: Station

        init(first: Station) { self.first = first }

        init(coder: KeyedUnarchiver) throws {
            first = try coder.decode(Station.self, forKey: "first")
        }

        func encode(with coder: KeyedArchiver) throws {
            try coder.encode(first, forKey: "first")
        }
    }

    /// A line whose stations are a ring of `count`.
    private static func ring(_ count: Int) -> Line {
        let first = Station(name: "0")
        let line = Line(first: first)
        var last = first
        for number in 1..<count {
            let station = Station(name: "\(number)")
            station.line = line
            last.next = station
            last = station
        }
        first.line = line
        last.next = first
        return line
    }

    /// Takes the ring apart, one station after the other.
    private static func dissolve(_ line: Line) {
        var next = line.first.next
        line.first.next = nil
        while let station = next, station !== line.first {
            next = station.next
            station.next = nil
        }
    }

    @Test(arguments: [2, 3, 100_000])
    func `closes rings by references`(_ count: Int) throws {
        let (ends, names) = try onThread(stackSize: 512 << 10) {
            let line = Self.ring(count)
            let again = try KeyedUnarchiver.unarchivedObject(
                of: Line.self, from: KeyedArchiver.archivedData(withRootObject: line))
            defer {
                Self.dissolve(line)
                Self.dissolve(again)
            }
            var station = again.first
            var names: [String] = []
            for _ in 0..<count {
                names.append(station.name)
                #expect(station.line === again)
                station = try #require(station.next)
            }
            return (station === again.first, names)
        }
        #expect(ends)
        #expect(names == (0..<count).map { "\($0)" })
    }

    @Test func `throws if nothing in a cycle can wait`() throws {
        final class Node: Coding {
            var next: Node?
            init() {}
            init(coder: KeyedUnarchiver) throws {
                if coder.containsValue(forKey: "next") { next = try coder.decode(Node.self, forKey: "next") }
            }
            func encode(with coder: KeyedArchiver) throws { try coder.encode(next, forKey: "next") }
        }
        let node = Node()
        node.next = Node()
        node.next?.next = node
        defer { node.next = nil }
        let data = try KeyedArchiver.archivedData(withRootObject: node)
        let error = #expect(throws: UnarchivingError.self) {
            try KeyedUnarchiver.unarchivedObject(of: Node.self, from: data)
        }
        #expect(error?.code == .cycle)
        #expect(error?.codingPath.text == "root.next.next")
        #expect(error?.description.contains("publish") == true)
    }

    // Of the other mistakes that trap, `KeyedTrapTests` and `ClassRegistryTests` have those that are the same everywhere.
    @Test func `says that publishing another instance traps`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            final class Impostor: Coding {
                init() {}
                init(coder: KeyedUnarchiver) throws { coder.publish(Impostor()) }
                func encode(with coder: KeyedArchiver) throws {}
            }
            let data = try KeyedArchiver.archivedData(withRootObject: Impostor())
            _ = try KeyedUnarchiver.unarchivedObject(of: Impostor.self, from: data)
        }
        #expect(result.said("publish"))
    }

    // MARK: Codable values inside

    struct Lease: Codable {
        var months: Int
        @Coded var tenant: Owner
        @Coded var witnesses: [String: [Owner]] = [:]
    }

    final class House: Coding {
        var owner: Owner
        var lease: Lease?

        init(owner: Owner) { self.owner = owner }

        init(coder: KeyedUnarchiver) throws {
            owner = try coder.decode(Owner.self, forKey: "owner")
            lease = try coder.decodeIfPresent(Lease.self, forKey: "lease")
        }

        func encode(with coder: KeyedArchiver) throws {
            try coder.encode(owner, forKey: "owner")
            try coder.encode(lease, forKey: "lease")
        }
    }

    @Test func `keeps instances shared between Coding and Codable`() throws {
        let house = House(owner: Owner(name: "Anna"))
        house.lease = Lease(months: 12, tenant: house.owner)

        let copy = try KeyedUnarchiver.unarchivedObject(
            of: House.self, from: KeyedArchiver.archivedData(withRootObject: house))
        #expect(copy.lease?.tenant === copy.owner)

        let lease = try ArchiveDecoder().decode(Lease.self, from: ArchiveEncoder().encode(house.lease))
        #expect("\(lease.tenant.name)" == "Anna")
        #expect(copy.lease?.months == 12)

        house.lease?.witnesses = ["first": [house.owner, Owner(name: "Bert")]]
        let witnessed = try KeyedUnarchiver.unarchivedObject(
            of: House.self, from: KeyedArchiver.archivedData(withRootObject: house))
        #expect(witnessed.lease?.witnesses["first"]?[0] === witnessed.owner)
        #expect(witnessed.lease?.witnesses["first"]?[1].name == "Bert")
        let alone = try ArchiveDecoder().decode(Lease.self, from: ArchiveEncoder().encode(house.lease))
        #expect(alone.tenant === alone.witnesses["first"]?[0])

        let json = try JSONEncoder().encode(house.lease)
        let object = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
        let tenant = try #require((object["tenant"] as? String).flatMap { Data(base64Encoded: $0) })
        #expect(try InspectedArchive(tenant).count(ofClass: "Owner") == 1)
        #expect(try JSONDecoder().decode(Lease.self, from: json).tenant.name == "Anna")
    }

    /// What a collection of instances behind a protocol is.
    protocol Named: Coding {
        var name: String { get }
    }

    final class Cat: Named, Hashable, ArchiveDescribing {
        static let archiveName = "Cat"
        let name: String
        init(name: String) { self.name = name }
        init(coder: KeyedUnarchiver) throws { name = try coder.decode(String.self, forKey: "name") }
        func encode(with coder: KeyedArchiver) throws { coder.encode(name, forKey: "name") }
        static func == (left: Cat, right: Cat) -> Bool { left === right }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    struct Basket: Codable {
        @Coded var first: Cat?
        @Coded var second: Cat?
        @Coded var all: Set<Cat>
        @Coded var favourite: any Named
        @Coded var rest: [any Named]
    }

    @Test func `wraps optionals, collections and values of protocols`() throws {
        let cats = [Cat(name: "Tom"), Cat(name: "Felix")]
        let basket = Basket(first: cats[0], second: nil, all: Set(cats), favourite: cats[1], rest: cats)
        var decoder = ArchiveDecoder()
        decoder.classes.register(Cat.self)
        let again = try decoder.decode(Basket.self, from: ArchiveEncoder().encode(basket))
        let first = try #require(again.first)
        #expect(again.second == nil)
        #expect(again.all.count == 2 && again.all.contains(first))
        #expect(again.rest.map(\.name) == ["Tom", "Felix"])
        #expect(again.rest[0] === first)
        #expect(again.rest[1] === again.favourite)
    }

    // MARK: A class that is both

    final class Song: Coding, Codable {
        let title: String

        init(title: String) { self.title = title }

        init(coder: KeyedUnarchiver) throws {
            title = try coder.decode(String.self, forKey: "SongTitle")
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(title, forKey: "SongTitle")
        }
    }

    @Test func `writes a class that is both by Coding in archives, and by Codable elsewhere`() throws {
        let song = Song(title: "La mer")
        let texts = try [
            InspectedArchive(ArchiveEncoder().encode(song)).text,
            InspectedArchive(KeyedArchiver.archivedData(withRootObject: song)).text,
        ]
        #expect(texts == [#"Song{SongTitle: @"La mer"}"#, #"Song{SongTitle: @"La mer"}"#])
        #expect(try ArchiveDecoder().decode(Song.self, from: ArchiveEncoder().encode(song)).title == "La mer")
        let json = try JSONEncoder().encode(song)
        #expect(String(decoding: json, as: UTF8.self) == #"{"title":"La mer"}"#)
        #expect(try JSONDecoder().decode(Song.self, from: json).title == "La mer")
    }
}
