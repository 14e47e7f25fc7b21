// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Those of the keyed coders.
extension `Examples in documentation comments` {
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
        let data = try handmadeArchive(
            ["name": .uid(2), "value": 4, "$class": .uid(3)], "Daisy", ["$classname": "Item"])
        var classes = ClassRegistry()
        classes.register(Item.self, name: "Item")
        let item = try KeyedUnarchiver.unarchivedObject(of: Item.self, from: data, classes: classes)
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

    @Test func `the example of KeyedArchiverDelegate works`() throws {
        final class Photo: Coding {
            init() {}

            init(coder: KeyedUnarchiver) throws {}

            func encode(with coder: KeyedArchiver) throws {}
        }
        final class Album: Coding {
            let title: String
            let cover: Photo?

            init(title: String, cover: Photo?) { (self.title, self.cover) = (title, cover) }

            init(coder: KeyedUnarchiver) throws {
                title = try coder.decode(String.self, forKey: "title")
                cover = try coder.decodeIfPresent(Photo.self, forKey: "cover")
            }

            func encode(with coder: KeyedArchiver) throws {
                coder.encode(title, forKey: "title")
                try coder.encode(cover, forKey: "cover")
            }
        }
        let album = Album(title: "Farm", cover: Photo())
        let archiver = KeyedArchiver()

        final class WithoutPhotos: KeyedArchiverDelegate {
            private(set) var count = 0

            func archiver(_ archiver: KeyedArchiver, willEncode object: any Coding) -> (any Coding)? {
                guard object is Photo else { return object }
                count += 1
                return nil
            }
        }

        let withoutPhotos = WithoutPhotos()
        archiver.delegate = withoutPhotos  // which the archiver does not keep alive
        try archiver.encode(album, forKey: "album")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        let again = try unarchiver.decode(Album.self, forKey: "album")
        #expect(again.title == "Farm" && again.cover == nil && withoutPhotos.count == 1)
    }

    @Test func `the example of KeyedUnarchiverDelegate works`() throws {
        final class Shape: Coding {
            let corners: Int

            init(coder: KeyedUnarchiver) throws {
                corners = try coder.decodeInteger(forKey: "corners")
            }

            func encode(with coder: KeyedArchiver) throws {}
        }
        func star(_ names: PropertyList) throws -> KeyedUnarchiver {
            try KeyedUnarchiver(
                forReadingFrom: handmadeArchive(
                    top: ["shape": .uid(1)], ["corners": 5, "$class": .uid(2)],
                    ["$classname": "Star", "$classes": names]))
        }
        let unarchiver = try star(["Star", "Shape", "NSObject"])

        final class NearestShape: KeyedUnarchiverDelegate {
            func unarchiver(
                _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses: [String]
            ) -> (any Any.Type)? {
                originalClasses.contains("Shape") ? Shape.self : nil
            }
        }

        let nearestShape = NearestShape()
        unarchiver.delegate = nearestShape  // which the unarchiver does not keep alive
        let shape = try unarchiver.decode(Shape.self, forKey: "shape")
        #expect(shape.corners == 5)

        let other = try star(["Star", "NSObject"])
        other.delegate = nearestShape
        #expect(throws: UnarchivingError.self) { try other.decode(Shape.self, forKey: "shape") }
    }

    @Test func `the example of ArchivingError works`() throws {
        final class Window: Coding {
            static var supportsSecureCoding: Bool { false }

            init() {}

            init(coder: KeyedUnarchiver) throws {}

            func encode(with coder: KeyedArchiver) throws {}
        }
        let window = Window()
        var data: Data
        do {
            data = try KeyedArchiver.archivedData(withRootObject: window)
        } catch let error as ArchivingError where error.code == .notSecure {
            print("Only for those who trust the file: \(error)")
            data = try KeyedArchiver.archivedData(withRootObject: window, requiringSecureCoding: false)
        }
        #expect(try KeyedArchive(data).root.className?.hasSuffix("Window") == true)
    }

    @Test(arguments: ["nothing", "Daisy", "window"])
    func `the example of UnarchivingError works`(found: String) throws {
        let archiver = KeyedArchiver()
        switch found {
        case "window": try archiver.encode(Window(title: "Farm"), forKey: "window")
        case "nothing": break
        default: archiver.encode(found, forKey: "window")
        }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        var window: Window?
        do {
            window = try unarchiver.decode(Window.self, forKey: "window")
        } catch let error as UnarchivingError where error.code == .valueNotFound {
            window = Window(title: "Untitled")  // an older file, which has none
        } catch let error as UnarchivingError {
            print("The file cannot be read (\(error.code)): \(error)")
        }
        #expect(window?.title == ["nothing": "Untitled", "window": "Farm"][found])
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

    private struct Position: ArchivableValue {
        var x = 0.0
        var y = 0.0

        func encode(with coder: KeyedArchiver, forKey key: String?) {
            coder.encodePoint(x: x, y: y, forKey: key)
        }

        static func decode(with coder: KeyedUnarchiver, forKey key: String?) throws -> Position {
            let (x, y) = try coder.decodePoint(forKey: key)
            return Position(x: x, y: y)
        }

        static func decodeIfPresent(with coder: KeyedUnarchiver, forKey key: String?) throws -> Position? {
            guard let key, try coder.decodeIfPresent(String.self, forKey: key) != nil else { return nil }
            return try decode(with: coder, forKey: key)
        }
    }

    private final class Owner: Coding {
        let windows: [Window]
        let title: String
        var owner: Owner?
        var position: Position?
        weak var superview: Window?

        init(_ windows: [Window], title: String) {
            (self.windows, self.title) = (windows, title)
        }

        init(coder: KeyedUnarchiver) throws {
            let owner = try coder.decode(Owner?.self, forKey: "owner")
            let windows = try coder.decode([Window].self, forKey: "windows")
            (self.owner, self.windows) = (owner, windows)
            title = try coder.decode(String.self, forKey: "title")
            position = try coder.decodeIfPresent(Position.self, forKey: "position")
            superview = try coder.decodeIfPresent(Window.self, forKey: "superview")
        }

        func encode(with coder: KeyedArchiver) throws {
            try coder.encode(owner, forKey: "owner")
            try coder.encode(windows, forKey: "windows")
            coder.encode(3, forKey: "count")
            coder.encode(title, forKey: "title")
            try coder.encode(position, forKey: "position")
            try coder.encodeConditional(superview, forKey: "superview")
        }
    }

    @Test func `the examples of ArchivableValue, encode, decode, encodeConditional work`() throws {
        let owner = Owner([Window(title: "a"), Window(title: "b")], title: "one")
        owner.owner = Owner([], title: "two")
        owner.position = Position(x: 3, y: 4)
        owner.superview = owner.windows[1]
        let data = try KeyedArchiver.archivedData(withRootObject: owner)
        #expect(try KeyedArchive(data).root["position"]?.string == "{3, 4}")
        let again = try KeyedUnarchiver.unarchivedObject(of: Owner.self, from: data)
        #expect(
            again.windows.map(\.title) == ["a", "b"] && again.owner?.title == "two" && again.owner?.position == nil)
        #expect(again.position?.x == 3 && again.superview === again.windows[1])

        do {
            let coder = try KeyedUnarchiver(forReadingFrom: KeyedArchiver.archivedData(withRootObject: ["a": owner]))
            let owners = try coder.decode([String: Owner].self, forKey: "root")
            #expect(owners["a"]?.title == "one")
        }
        do {
            let archiver = KeyedArchiver()
            try archiver.encode(owner, forKey: "owner")
            try archiver.encode(owner.windows, forKey: "windows")
            let coder = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
            let owner = try coder.decode(Owner.self, forKey: "owner")
            let windows = try coder.decode([Window].self, forKey: "windows")
            #expect(owner.windows.first === windows.first)
        }
    }

    @Test func `the example of Reference by key works`() throws {
        final class Node: Coding {
            @Reference var next: Node?

            init(coder: KeyedUnarchiver) throws {
                _next = try coder.decode(Reference.self, forKey: "next")
            }

            func encode(with coder: KeyedArchiver) throws {
                try coder.encode(next, forKey: "next")
            }
        }
        let data = try handmadeArchive(["next": .uid(1), "$class": .uid(2)], ["$classname": "Node"])
        var classes = ClassRegistry()
        classes.register(Node.self, name: "Node")
        let node = try KeyedUnarchiver.unarchivedObject(of: Node.self, from: data, classes: classes)
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
