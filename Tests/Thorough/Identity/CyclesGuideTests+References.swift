// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

// MARK: - References

extension `The guide to cycles` {
    final class Station: Codable {
        let name: String
        @Reference var next: Station?
        @References var neighbours: [Station]
        @WeakReference var line: Line?

        init(name: String) {
            self.name = name
            neighbours = []
        }
    }

    final class Line: Codable {
        var stations: [Station] = []
    }

    @Test func `brings references back, and archives weak ones conditionally`() throws {
        let one = Station(name: "Bank")
        let two = Station(name: "Holborn")
        one.next = two
        two.next = one
        two.neighbours = [one, two]
        let again = try roundTrip(one)
        #expect(again.next?.next === again)
        #expect(again.next?.neighbours.map(\.name) == ["Bank", "Holborn"])
        #expect(again.next?.neighbours[0] === again)
        for ring in [one, again] { ring.next = nil }

        let line = Line()
        let station = Station(name: "Chancery Lane")
        station.line = line
        line.stations = [station]

        let whole = try ArchiveDecoder().decode(Line.self, from: ArchiveEncoder().encode(line))
        #expect(whole.stations[0].line === whole)

        let part = try ArchiveDecoder().decode(Station.self, from: ArchiveEncoder().encode(station))
        #expect(part.line == nil)
        #expect(part.name == "Chancery Lane")
    }

    final class Plain: Codable {
        let name: String
        var next: Plain?
        var neighbours: [Plain] = []
        init(name: String) { self.name = name }
    }

    @Test func `says that a type may turn to references without a change to its files`() throws {
        func check(_ one: Station, _ two: Plain) throws {
            let names: [String] = try [archiveText(one), archiveText(two)].map {
                $0.replacing("Station", with: "Plain")
            }
            #expect(names[0] == names[1])
        }
        let station = Station(name: "a")
        let plain = Plain(name: "a")
        try check(station, plain)
        station.next = Station(name: "b")
        plain.next = Plain(name: "b")
        station.neighbours = [station, try #require(station.next)]
        plain.neighbours = [plain, try #require(plain.next)]
        try check(station, plain)
        station.neighbours = []
        plain.neighbours = []
    }

    @Test func `lets the elements of sets be complete before they are hashed`() throws {
        final class Cell: Codable, Hashable {
            let id: Int
            @Reference var next: Cell?
            init(_ id: Int) { self.id = id }
            static func == (left: Cell, right: Cell) -> Bool { left.id == right.id && left.next?.id == right.next?.id }
            func hash(into hasher: inout Hasher) { hasher.combine(next?.id) }
        }
        struct Board: Codable {
            var cells: Set<Cell>
            var numbers: [Cell: Int]
            @Reference var first: Cell? = nil
        }
        let one = Cell(1)
        let two = Cell(2)
        one.next = two
        two.next = one
        let again = try roundTrip(Board(cells: [one, two], numbers: [one: 1, two: 2], first: one))
        #expect(again.cells.allSatisfy { again.cells.contains($0) && again.numbers[$0] == $0.id })
        #expect(again.first.map { again.cells.contains($0) } == true)
        for ring in [one, again.first] { ring?.next = nil }
    }

    final class Item: Codable {
        var name: String
        weak var list: List?

        init(name: String) { self.name = name }

        private enum CodingKeys: CodingKey { case name, list }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            if let list { try container.encodeConditional(list, forKey: .list) }
        }
    }

    final class List: Codable {
        var items: [Item] = []
    }

    @Test(.needs(.collectionStorage)) func `encodes conditionally without a wrapper`() throws {
        let list = List()
        list.items = [Item(name: "milk")]
        list.items[0].list = list
        let again = try roundTrip(list)
        #expect(again.items[0].list === again)
        #expect(try roundTrip(list.items[0]).list == nil)
        let objects = try InspectedArchive(of: list.items[0]).objects
        guard case .uid(let uid)? = objects[1]["list"] else { throw InspectedArchive.NoArchive() }
        #expect(objects[Int(uid)] == "$null")
    }
}

// MARK: - Publishing

extension `The guide to cycles` {
    final class Parent: Codable {
        private(set) var children: [Child] = []
        private(set) var byName: [String: Child] = [:]

        private enum CodingKeys: CodingKey { case children }

        init() {}

        func add(_ child: Child) {
            children.append(child)
            byName[child.name] = child
        }

        init(from decoder: any Decoder) throws {
            decoder.publish(self)
            children = try decoder.container(keyedBy: CodingKeys.self).decode([Child].self, forKey: .children)
            for child in children { byName[child.name] = child }
        }
    }

    final class Child: Codable {
        let name: String
        unowned let parent: Parent

        init(name: String, parent: Parent) {
            self.name = name
            self.parent = parent
        }
    }

    @Test(.needs(.collectionStorage)) func `publishes an instance`() throws {
        struct ChildFirst: Codable {
            var child: Child
            var parent: Parent
        }
        let parent = Parent()
        for name in ["Anna", "Bert"] { parent.add(Child(name: name, parent: parent)) }
        let again = try roundTrip(parent)
        #expect(again.byName.count == 2)
        #expect(again.children.allSatisfy { $0.parent === again && again.byName[$0.name] === $0 })
        // What is decoded before the instance that publishes itself has to publish itself as well.
        let error = try failure { try roundTrip(ChildFirst(child: parent.children[0], parent: parent)) }
        #expect(error.path == "child.parent.children[0]" && error.says("publish(self) in that of Child"), "\(error)")
    }
}
