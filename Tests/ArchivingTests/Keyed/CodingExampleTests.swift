import Archiving
import Foundation
import Testing

/// The examples of README.md and of the documentation comments of the keyed coders, as they are printed there.
@Suite("The examples for Coding")
struct CodingExampleTests {
    @Test("README: a class is archived by key")
    func keeper() throws {
        let data = try KeyedArchiver.archivedData(withRootObject: Keeper(name: "Anna"))
        let keeper = try KeyedUnarchiver.unarchivedObject(of: Keeper.self, from: data)
        #expect(keeper.name == "Anna")
    }

    @Test("KeyedArchiver, KeyedUnarchiver: a window and a number go in, and come out")
    func window() throws {
        let window = Window(title: "Untitled")
        let archiver = KeyedArchiver()
        try archiver.encode(window, forKey: "window")
        archiver.encode(3, forKey: "count")
        let data = try archiver.finishEncoding()

        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        let again = try unarchiver.decode(Window.self, forKey: "window")
        let count = try unarchiver.decodeInteger(forKey: "count")
        unarchiver.finishDecoding()
        #expect(again.title == "Untitled")
        #expect(count == 3)
    }

    @Test("Coded: a Codable value has Coding instances, alone and in collections")
    func desktop() throws {
        let window = Window(title: "front")
        let desktop = Desktop(name: "one", front: window, others: [window], byTitle: ["front": window], menu: nil)
        let again = try ArchiveDecoder().decode(Desktop.self, from: ArchiveEncoder().encode(desktop))
        #expect(again.front.title == "front")
        #expect(again.others.first === again.front)
        #expect(again.byTitle["front"] === again.front)
        #expect(again.menu == nil)
    }

    @Test("publish: parents and children refer to each other")
    func publish() throws {
        let parent = Member(children: [Member(), Member()])
        for child in parent.children { child.parent = parent }
        let again = try KeyedUnarchiver.unarchivedObject(
            of: Member.self, from: KeyedArchiver.archivedData(withRootObject: parent))
        #expect(again.children.count == 2)
        #expect(again.children.allSatisfy { $0.parent === again })
    }

    @Test("decodeReference: a ring comes back as a ring")
    func reference() throws {
        let first = Station()
        let second = Station()
        first.next = second
        second.next = first
        defer { first.next = nil }
        let again = try KeyedUnarchiver.unarchivedObject(
            of: Station.self, from: KeyedArchiver.archivedData(withRootObject: first))
        #expect(again.next?.next === again)
        again.next = nil
    }

    @Test("Coding: a class with a name and a value")
    func item() throws {
        let again = try KeyedUnarchiver.unarchivedObject(
            of: NamedItem.self, from: KeyedArchiver.archivedData(withRootObject: NamedItem("Daisy", 4)))
        #expect(again.name == "Daisy")
        #expect(again.value == 4)
    }
}

// MARK: - README

private final class Keeper: Coding {
    let name: String

    init(name: String) { self.name = name }

    init(coder: KeyedUnarchiver) throws {
        name = try coder.decode(String.self, forKey: "name")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(name, forKey: "name")
    }
}

// MARK: - Documentation comments

private class NamedItem: Coding {
    var name: String
    var value: Int

    init(_ name: String, _ value: Int) {
        self.name = name
        self.value = value
    }

    required init(coder: KeyedUnarchiver) throws {
        name = try coder.decode(String.self, forKey: "name")
        value = try coder.decodeInteger(forKey: "value")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(name, forKey: "name")
        coder.encode(value, forKey: "value")
    }
}

private final class Window: Coding {
    let title: String

    init(title: String) { self.title = title }

    init(coder: KeyedUnarchiver) throws {
        title = try coder.decode(String.self, forKey: "title")
    }

    func encode(with coder: KeyedArchiver) {
        coder.encode(title, forKey: "title")
    }
}

private typealias Menu = Window

private struct Desktop: Codable {
    var name: String
    @Coded var front: Window
    @Coded var others: [Window]
    @Coded var byTitle: [String: Window]
    @Coded var menu: Menu?
}

private class Member: Coding {
    var children: [Member] = []
    weak var parent: Member?

    init(children: [Member] = []) { self.children = children }

    required init(coder: KeyedUnarchiver) throws {
        coder.publish(self)
        children = try coder.decode([Member].self, forKey: "children")
        parent = try coder.decodeIfPresent(Member.self, forKey: "parent")
    }

    func encode(with coder: KeyedArchiver) throws {
        try coder.encode(children, forKey: "children")
        try coder.encode(parent, forKey: "parent")
    }
}

private final class Station: Coding {
    @Reference var next: Station?

    init() {}

    init(coder: KeyedUnarchiver) throws {
        _next = try coder.decodeReference(Station.self, forKey: "next")
    }

    func encode(with coder: KeyedArchiver) throws {
        try coder.encode(next, forKey: "next")
    }
}
