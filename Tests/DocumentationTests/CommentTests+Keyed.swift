import Archiving
import Foundation
import Testing

/// Those of the keyed coders.
extension CommentTests {
    private final class Window: Coding, Codable {
        let title: String

        init(title: String) { self.title = title }

        init(coder: KeyedUnarchiver) throws {
            title = try coder.decode(String.self, forKey: "title")
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(title, forKey: "title")
        }
    }

    @Test func `the example of Coding works`() throws {
        class Item: Coding {
            var name: String
            var value: Int

            required init(coder: KeyedUnarchiver) throws {
                name = try coder.decode(String.self, forKey: "name")
                value = try coder.decodeInteger(forKey: "value")
            }

            func encode(with coder: KeyedArchiver) throws {
                coder.encode(name, forKey: "name")
                coder.encode(value, forKey: "value")
            }
        }
        let list: PropertyList = [
            "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
            "$objects": [
                "$null", ["name": .uid(2), "value": 4, "$class": .uid(3)], "Daisy",
                ["$classname": "Item", "$classes": ["Item", "NSObject"]],
            ],
        ]
        var classes = ClassRegistry()
        classes.register(Item.self, name: "Item")
        let item = try KeyedUnarchiver.unarchivedObject(of: Item.self, from: list.data(), classes: classes)
        #expect(item.name == "Daisy" && item.value == 4)
    }

    @Test func `the example of KeyedArchiver, KeyedUnarchiver works`() throws {
        let window = Window(title: "Untitled")
        let archiver = KeyedArchiver()
        try archiver.encode(window, forKey: "window")
        archiver.encode(3, forKey: "count")
        let data = try archiver.finishEncoding()
        do {
            let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
            let window = try unarchiver.decode(Window.self, forKey: "window")
            let count = try unarchiver.decodeInteger(forKey: "count")
            unarchiver.finishDecoding()
            #expect(window.title == "Untitled" && count == 3)
        }
    }

    @Test func `the example of archivedData, unarchivedObject, deepCopy works`() throws {
        let window = Window(title: "Untitled")
        let data = try KeyedArchiver.archivedData(withRootObject: window)
        do {
            let window = try KeyedUnarchiver.unarchivedObject(of: Window.self, from: data)
            #expect(window.title == "Untitled")
        }
        let twin = try deepCopy(of: window)
        #expect(twin !== window && twin.title == "Untitled")
    }

    @Test func `the example of Coded works`() throws {
        typealias Menu = Window
        struct Desktop: Codable {
            var name: String
            @Coded var front: Window
            @Coded var others: [Window]
            @Coded var byTitle: [String: Window]
            @Coded var menu: Menu?
        }
        let window = Window(title: "front")
        let desktop = Desktop(name: "one", front: window, others: [window], byTitle: ["front": window], menu: nil)
        let again = try ArchiveDecoder().decode(Desktop.self, from: ArchiveEncoder().encode(desktop))
        #expect(again.others.first === again.front && again.byTitle["front"] === again.front && again.menu == nil)
    }

    @Test func `the example of decodeReference works`() throws {
        final class Node: Coding {
            @Reference var next: Node?

            init(coder: KeyedUnarchiver) throws {
                _next = try coder.decodeReference(Node.self, forKey: "next")
            }

            func encode(with coder: KeyedArchiver) throws {
                try coder.encode(next, forKey: "next")
            }
        }
        let list: PropertyList = [
            "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
            "$objects": [
                "$null", ["next": .uid(1), "$class": .uid(2)],
                ["$classname": "Node", "$classes": ["Node", "NSObject"]],
            ],
        ]
        var classes = ClassRegistry()
        classes.register(Node.self, name: "Node")
        let node = try KeyedUnarchiver.unarchivedObject(of: Node.self, from: list.data(), classes: classes)
        #expect(node.next === node)
        node.next = nil
    }

    private class Node: Coding {
        var children: [Node] = []
        weak var parent: Node?

        init() {}

        required init(coder: KeyedUnarchiver) throws {
            coder.publish(self)
            children = try coder.decode([Node].self, forKey: "children")
            parent = try coder.decodeIfPresent(Node.self, forKey: "parent")
        }

        func encode(with coder: KeyedArchiver) throws {
            try coder.encode(children, forKey: "children")
            try coder.encode(parent, forKey: "parent")
        }
    }

    @Test func `the example of KeyedUnarchiver.publish works`() throws {
        let node = Node()
        node.children = [Node(), Node()]
        for child in node.children { child.parent = node }
        let again = try KeyedUnarchiver.unarchivedObject(
            of: Node.self, from: KeyedArchiver.archivedData(withRootObject: node))
        #expect(again.children.count == 2 && again.children.allSatisfy { $0.parent === again })
    }
}
