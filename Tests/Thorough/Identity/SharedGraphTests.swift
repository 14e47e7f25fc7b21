// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Coding and Codable types in one archive` {
    final class Item: Coding {
        let name: String

        init(_ name: String) { self.name = name }

        init(coder: KeyedUnarchiver) throws { name = try coder.decode(String.self, forKey: "name") }
        func encode(with coder: KeyedArchiver) { coder.encode(name, forKey: "name") }
    }

    final class Owner: Codable {
        let name: String
        @Coded var item: Item?

        init(_ name: String, _ item: Item? = nil) {
            self.name = name
            self.item = item
        }
    }

    // MARK: - Codable values in Coding classes

    struct Point: Codable, Equatable {
        var x: Int
        var label: String?
    }

    enum Mark: Codable {
        case none
        case at(Point, owner: Owner)
    }

    final class Link: Codable {
        let name: String
        @Reference var next: Link?
        @WeakReference var first: Link?

        init(_ name: String) { self.name = name }
    }

    struct Country: Codable, ArchivedOnce {
        let id: String
        var name: String
    }

    final class Everything: Coding {
        let point: Point
        let absent: Point?
        let mark: Mark
        let owner: Owner
        let owners: [String: [Owner?]]
        let ring: Link
        let countries: [Country]
        let date: Date
        let url: URL

        init(_ owner: Owner, _ ring: Link) {
            (point, absent, mark) = (Point(x: 3, label: "p"), nil, .at(Point(x: 4), owner: owner))
            (self.owner, owners, self.ring) = (owner, ["a": [owner, nil]], ring)
            countries = [Country(id: "at", name: "Austria"), Country(id: "at", name: "Austria")]
            date = Date(timeIntervalSinceReferenceDate: 12.5)
            url = URL(filePath: "/a/b")
        }

        init(coder: KeyedUnarchiver) throws {
            point = try coder.decode(Point.self, forKey: "point")
            absent = try coder.decodeIfPresent(Point.self, forKey: "absent")
            mark = try coder.decode(Mark.self, forKey: "mark")
            owner = try coder.decode(Owner.self, forKey: "owner")
            owners = try coder.decode([String: [Owner?]].self, forKey: "owners")
            ring = try coder.decode(Link.self, forKey: "ring")
            countries = try coder.decode([Country].self, forKey: "countries")
            date = try coder.decode(Date.self, forKey: "date")
            url = try coder.decode(URL.self, forKey: "url")
        }

        func encode(with coder: KeyedArchiver) throws {
            try coder.encode(point, forKey: "point")
            try coder.encode(absent, forKey: "absent")
            try coder.encode(mark, forKey: "mark")
            try coder.encode(owner, forKey: "owner")
            try coder.encode(owners, forKey: "owners")
            try coder.encode(ring, forKey: "ring")
            try coder.encode(countries, forKey: "countries")
            coder.encode(date, forKey: "date")
            try coder.encode(url, forKey: "url")
        }
    }

    @Test func `may be fields of one another`() throws {
        let item = Item("i")
        let (first, second) = (Link("1"), Link("2"))
        (first.next, second.next, second.first) = (second, first, first)
        defer { first.next = nil }
        let archive = try keyedArchive {
            try $0.encode(Everything(Owner("o", item), first), forKey: "all")
            try $0.encode(item, forKey: "item")
        }
        let inspected = try InspectedArchive(archive)
        #expect(inspected.count(ofClass: "Owner") == 1)
        #expect(inspected.count(ofClass: "Link") == 2)
        #expect(inspected.count(ofClass: "Country") == 1)
        #expect(inspected.count(ofClass: "Item") == 1)

        let unarchiver = try keyedUnarchiver(archive)
        let copy = try unarchiver.decode(Everything.self, forKey: "all")
        defer { copy.ring.next = nil }
        #expect(copy.point == Point(x: 3, label: "p") && copy.absent == nil)
        guard case .at(let point, let owner) = copy.mark else {
            Issue.record("Another case: \(copy.mark)")
            return
        }
        #expect(point == Point(x: 4) && owner === copy.owner && owner.name == "o")
        #expect(copy.owners["a"]?.count == 2 && copy.owners["a"]?[0] === owner)
        let next = try #require(copy.ring.next)
        #expect(copy.ring.name == "1" && next.name == "2" && next.next === copy.ring && next.first === copy.ring)
        #expect(copy.countries.map(\.name) == ["Austria", "Austria"])
        #expect(copy.date == Date(timeIntervalSinceReferenceDate: 12.5) && copy.url == URL(filePath: "/a/b"))
        #expect(try unarchiver.decode(Item.self, forKey: "item") === owner.item && owner.item?.name == "i")
    }

    // MARK: - One uid

    /// What an instance is met by.
    enum Meeting: String, CaseIterable {
        case coding
        case codedStruct
        case codableClass
        case list
        case conditional
        case object
    }

    private struct Box: Codable {
        @Coded var items: [Item]
    }

    /// All orders of `values`.
    private static func orders<Value>(_ values: [Value]) -> [[Value]] {
        guard let last = values.last else { return [[]] }
        return orders(values.dropLast()).flatMap { order in
            (0...order.count).map { place in
                var order = order
                order.insert(last, at: place)
                return order
            }
        }
    }

    private func encode(_ item: Item, _ meeting: Meeting, with archiver: KeyedArchiver) throws {
        let key = meeting.rawValue
        switch meeting {
        case .coding: try archiver.encode(item, forKey: key)
        case .codedStruct: try archiver.encode(Box(items: [item]), forKey: key)
        case .codableClass: try archiver.encode(Owner("o", item), forKey: key)
        case .list: try archiver.encode([item, item], forKey: key)
        case .conditional: try archiver.encodeConditional(item, forKey: key)
        case .object: try archiver.encodeObject(["k": item] as [String: Any], forKey: key)
        }
    }

    private func decode(_ meeting: Meeting, with unarchiver: KeyedUnarchiver) throws -> [Item?] {
        let key = meeting.rawValue
        switch meeting {
        case .coding: return [try unarchiver.decode(Item.self, forKey: key)]
        case .codedStruct: return try unarchiver.decode(Box.self, forKey: key).items
        case .codableClass: return [try unarchiver.decode(Owner.self, forKey: key).item]
        case .list: return try unarchiver.decode([Item].self, forKey: key)
        case .conditional: return [try unarchiver.decodeIfPresent(Item.self, forKey: key)]
        case .object:
            let types: [any Any.Type] = [[AnyHashable: Any].self, String.self, Item.self]
            let found = try unarchiver.decodeObject(of: types, forKey: key) as? [AnyHashable: Any]
            return [found?["k"] as? Item]
        }
    }

    @Test func `have one uid and one instance for an object, whichever meets it first`() throws {
        var checked = 0
        for (number, order) in Self.orders(Meeting.allCases).enumerated() {
            let item = Item("i")
            let data = try keyedArchive { for meeting in order { try encode(item, meeting, with: $0) } }
            #expect(try InspectedArchive(data).count(ofClass: "Item") == 1, "\(order)")
            // Decoding begins with each of them in turn.
            let unarchiver = try keyedUnarchiver(data)
            let places = Self.orders(Meeting.allCases)[(number * 7) % 720]
            let items = try places.flatMap { try decode($0, with: unarchiver) }
            let first = try #require(items.first ?? nil)
            #expect(items.count == 7 && items.allSatisfy { $0 === first }, "\(order), \(places)")
            checked += 1
        }
        #expect(checked == 720)
    }

    @Test(arguments: [true, false])
    func `share what is Codable just as well`(codableFirst: Bool) throws {
        final class Holder: Coding {
            let owner: Owner
            init(_ owner: Owner) { self.owner = owner }
            init(coder: KeyedUnarchiver) throws { owner = try coder.decode(Owner.self, forKey: "owner") }
            func encode(with coder: KeyedArchiver) throws { try coder.encode(owner, forKey: "owner") }
        }
        struct Both: Codable {
            @Coded var holder: Holder
            var owner: Owner
        }
        let owner = Owner("o")
        let holder = Holder(owner)
        let archive = try keyedArchive {
            if codableFirst { try $0.encode([owner], forKey: "owners") }
            try $0.encode(Both(holder: holder, owner: owner), forKey: "both")
            if !codableFirst { try $0.encode([owner], forKey: "owners") }
        }
        #expect(try InspectedArchive(archive).count(ofClass: "Owner") == 1)
        let unarchiver = try keyedUnarchiver(archive)
        let both = try unarchiver.decode(Both.self, forKey: "both")
        #expect(both.holder.owner === both.owner)
        #expect(try unarchiver.decode([Owner].self, forKey: "owners")[0] === both.owner)
    }
}
