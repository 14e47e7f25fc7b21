import Archiving
import Foundation
import Testing

// MARK: Properties that cannot be set later

extension CyclesDocumentTests {
    /// A property wrapper of somebody's own.
    @propertyWrapper
    struct Logged<Value: Codable>: Codable {
        var wrappedValue: Value
    }

    final class Wrapped: Codable {
        @Logged var next: Wrapped?
        init() { next = nil }
    }

    final class InStruct: Codable {
        struct Link: Codable { var target: InStruct? }
        var link = Link()
    }

    final class OtherKeys: Codable {
        var next: OtherKeys?
        init() {}
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(next, forKey: "next")
        }
        init(from decoder: any Decoder) throws {
            next = try decoder.container(keyedBy: AnyKey.self).decode(OtherKeys?.self, forKey: "next")
        }
    }

    final class OtherName: Codable {
        var stored: OtherName?
        private enum CodingKeys: CodingKey { case next }
        init() {}
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(stored, forKey: .next)
        }
        init(from decoder: any Decoder) throws {
            stored = try decoder.container(keyedBy: CodingKeys.self).decode(OtherName?.self, forKey: .next)
        }
    }

    final class OtherType: Codable {
        var children: [OtherType] = []
        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            children = try container.decodeIfPresent([OtherType].self, forKey: .children) ?? []
        }
    }

    final class Unmanaged: Codable {
        unowned(unsafe) var next: Unmanaged?
    }

    final class OtherValue: Codable {
        var next: OtherValue?
        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            next = try container.decode(OtherValue?.self, forKey: .next) ?? OtherValue()
        }
    }

    @Test("names the properties that cannot be set later")
    func obstacles() throws {
        func check<Value: Codable>(_ value: Value, _ words: String...) throws {
            let error = try failure { try roundTrip(value) }
            #expect(error.kind == .dataCorrupted)
            for word in words + ["cycle", "@Reference", "publish(self)"] { #expect(error.text.contains(word)) }
        }
        let wrapped = Wrapped()
        wrapped.next = wrapped
        try check(wrapped, "\"next\"", "Wrapped (uid 1)", "at the root", "neither an optional nor a collection")
        let inStruct = InStruct()
        inStruct.link.target = inStruct
        try check(inStruct, "\"link.target\"", "\"link\" is neither an optional nor a collection")
        let otherKeys = OtherKeys()
        otherKeys.next = otherKeys
        try check(otherKeys, "the keys, AnyKey")
        let otherName = OtherName()
        otherName.stored = otherName
        try check(otherName, "no stored property \"next\"")
        let otherType = OtherType()
        otherType.children = [otherType]
        try check(otherType, "what is decoded is Optional<Array<OtherType>>")
        let unmanaged = Unmanaged()
        unmanaged.next = unmanaged
        try check(unmanaged, "Unmanaged.next is unowned(unsafe)")
        let otherValue = OtherValue()
        otherValue.next = otherValue
        try check(otherValue, "has given \"next\" another value")
    }
}

// MARK: - References

extension CyclesDocumentTests {
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

    @Test("brings references back, and archives weak ones conditionally")
    func references() throws {
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
    }

    final class Plain: Codable {
        let name: String
        var next: Plain?
        var neighbours: [Plain] = []
        init(name: String) { self.name = name }
    }

    @Test("says that a type may turn to references without a change to its files")
    func sameArchive() throws {
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

    @Test("lets the elements of sets be complete before they are hashed")
    func sets() throws {
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

    @Test("encodes conditionally without a wrapper")
    func conditional() throws {
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

extension CyclesDocumentTests {
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

    @Test("publishes an instance")
    func publishing() throws {
        struct ChildFirst: Codable {
            var child: Child
            var parent: Parent
        }
        let parent = Parent()
        for name in ["Anna", "Bert"] { parent.add(Child(name: name, parent: parent)) }
        let again = try roundTrip(parent)
        #expect(again.byName.count == 2)
        #expect(again.children.allSatisfy { $0.parent === again && again.byName[$0.name] === $0 })
        let childFirst = try roundTrip(ChildFirst(child: parent.children[0], parent: parent))
        #expect(childFirst.parent.children[0] === childFirst.child)
        #expect(childFirst.parent.children.count == 2)
        #expect(childFirst.parent.byName.isEmpty)
    }
}

// MARK: - Failures

extension CyclesDocumentTests {
    private struct Refusal: Error {}

    /// Fails if its name is "bad", after it has decoded everything else; and catches what `next` throws.
    final class Link: Codable {
        var name: String
        var next: Link?
        @Reference var reference: Link?
        var refusing: [Refusing] = []

        init(_ name: String) { self.name = name }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            next = try? container.decodeIfPresent(Link.self, forKey: .next)
            _reference = try container.decode(Reference<Link>.self, forKey: .reference)
            refusing = try container.decode([Refusing].self, forKey: .refusing)
            if name == "bad" { throw Refusal() }
        }
    }

    final class Refusing: Codable {
        let link: Link
        init(_ link: Link) { self.link = link }
        init(from decoder: any Decoder) throws {
            link = try decoder.container(keyedBy: CodingKeys.self).decode(Link.self, forKey: .link)
            throw Refusal()
        }
    }

    @Test("says who catches what fails in a cycle")
    func failures() throws {
        let first = Link("first")
        let second = Link("second")
        let bad = Link("bad")
        // An initializer that throws: the one that has asked catches it.
        (first.next, second.next, bad.next) = (second, bad, second)
        let again = try roundTrip(first)
        #expect(again.next?.name == "second")
        #expect(again.next?.next == nil)
        // A property that has waited: nobody does.
        second.next = nil
        second.refusing = [Refusing(first)]
        #expect(throws: Refusal.self) { try roundTrip(first) }
        // What a reference leads to: nobody does.
        second.refusing = []
        second.reference = bad
        #expect(throws: Refusal.self) { try roundTrip(first) }
        bad.next = nil
    }

    @Test("says that a long chain of plain properties throws, and one of references does not")
    func depth() throws {
        let links = (0..<20_000).map { _ in Link("x") }
        for (link, next) in zip(links, links.dropFirst() + [links[0]]) { link.reference = next }
        let again = try roundTrip(links[0])
        #expect(again.reference?.name == "x")
        again.reference = nil
        let plain = (0..<20_000).map { _ in Plain(name: "x") }
        for (link, next) in zip(plain, plain.dropFirst() + [plain[0]]) { link.next = next }
        let error = try failure(decoding: Plain.self, fromArchiveOf: plain[0])
        #expect(error.kind == .dataCorrupted)
        #expect(error.says("nested"))
        for link in links { link.reference = nil }
        for link in plain { link.next = nil }
    }
}
