// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing

/// Those of sequential archives.
extension `Examples in documentation comments` {
    private class View: SequentialCoding {
        var name = "view"

        init() {}

        required init(coder: SequentialUnarchiver) throws {
            name = try coder.decode(String.self)
        }

        func encode(with coder: SequentialArchiver) throws {
            try coder.encode(name)
        }
    }

    private typealias Window = View
    private final class Button: View {}

    @Test func `the example of AttributedText works`() throws {
        let attributedBody = try SequentialSamples.attributedBody()
        do {
            let text = try AttributedText(attributedBody)
            print(text.string)
            for link in text.links { print(text.string[link.range], link.value) }
            #expect(text.links.count == 1)
        }
        do {
            let text = try AttributedText(attributedBody)
            print(text.string, text.mentions.map(\.value), text.links.map(\.value), text.attachments.map(\.value))
            #expect(text.mentions.count == 1)
        }
        let text = try SequentialUnarchiver.unarchivedObject(of: AttributedText.self, from: attributedBody)
        #expect(text.attachments.map(\.value) == ["at_0_1"])
    }

    @Test func `the example of AttributedText in both formats works`() throws {
        let guide = URL(filePath: "/guide")
        let bold = AttributedText.Font("Helvetica-Bold", size: 14)
        let text = AttributedText([
            ("See ", [:]),
            ("the guide", ["NSLink": guide, "NSFont": bold]),
        ])
        let data = try ArchiveEncoder().encode(text)

        let read = try ArchiveDecoder().decode(AttributedText.self, from: data)
        for link in read.links { print(read.string[link.range], link.value) }
        for part in read.parts(with: "NSFont", as: AttributedText.Font.self) { print(part.value.name) }
        #expect(
            read.parts(with: "NSFont", as: AttributedText.Font.self).map(\.value) == [bold]
                && read.links.map(\.value) == [guide])
        let stream = try AttributedText(SequentialArchiver.archivedData(withRootObject: read))
        #expect(
            stream.parts(with: "NSFont", as: AttributedText.Font.self).map(\.value) == [bold]
                && stream.links.map(\.value) == [guide])
    }

    @Test func `the example of SequentialArchiver, SequentialUnarchiver works`() throws {
        let window = Window()
        let archiver = SequentialArchiver()
        try archiver.encodeRootObject(window)
        try archiver.encode(Int32(3))
        let data = try archiver.finishEncoding()
        do {
            let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
            unarchiver.classes.register(Button.self, name: "Button")
            let window = try unarchiver.decode(Window.self)
            let count = try unarchiver.decode(Int32.self)
            _ = unarchiver.isAtEnd  // true: that was all
            #expect(window.name == "view" && count == 3 && unarchiver.isAtEnd)
        }
    }

    @Test func `the example of values works`() throws {
        let (flags, index, length) = (UInt32(5), 1, 6)
        let archiver = SequentialArchiver()
        try archiver.encode(flags, as: "I")
        try archiver.encode("attributes", as: "*")
        try archiver.encodeValues("iI", index, length)
        let types = try TypedStream(archiver.finishEncoding()).groups.map { $0.types.map(\.description).joined() }
        #expect(types == ["I", "*", "iI"])
    }

    @Test func `the example of decode works`() throws {
        let archiver = SequentialArchiver()
        try archiver.encode("name")
        try archiver.encode(View?.none)
        try archiver.encode([View(), View()])
        try archiver.encodeValues("iI", 1, 6)
        let unarchiver = try SequentialUnarchiver(forReadingFrom: archiver.finishEncoding())
        let name = try unarchiver.decode(String.self)
        let parent = try unarchiver.decode(View?.self)
        let views = try unarchiver.decode([View].self)
        #expect(name == "name" && parent == nil && views.count == 2)
        let (index, length) = try unarchiver.decodeValues("iI", as: Int.self, Int.self)
        #expect(index == 1 && length == 6)
    }

    private final class Node: SequentialCoding {
        let name: String
        var next: Node?

        init(name: String) { self.name = name }

        func encode(with coder: SequentialArchiver) throws {
            try coder.encode(name)
            try coder.encode(next)
        }

        required init(coder: SequentialUnarchiver) throws {
            name = try coder.decode(String.self)
            try coder.decodeReference(Node.self) { [unowned self] in next = $0 }
        }
    }

    @Test func `the example of decodeReference, sequential works`() throws {
        let node = Node(name: "one")
        node.next = node
        let again = try SequentialUnarchiver.unarchivedObject(
            of: Node.self, from: SequentialArchiver.archivedData(withRootObject: node))
        #expect(again.next === again && again.name == "one")
        (node.next, again.next) = (nil, nil)
    }

    @Test func `the example of SequentialCoding works`() throws {
        class Item: SequentialCoding {
            var name: String
            var count: Int32

            class var classVersion: Int { 1 }

            required init(coder: SequentialUnarchiver) throws {
                name = try coder.decode(String.self)
                // Files of version 0 have no count.
                count = coder.archivedVersion(of: Item.self) == 0 ? 1 : try coder.decode(Int32.self)
            }

            func encode(with coder: SequentialArchiver) throws {
                try coder.encode(name)
                try coder.encode(count)
            }
        }
        final class OldItem: SequentialCoding, ArchiveDescribing {
            static let archiveName = "Item"
            class var classVersion: Int { 0 }
            init() {}
            init(coder: SequentialUnarchiver) throws { throw CocoaError(.coderReadCorrupt) }
            func encode(with coder: SequentialArchiver) throws { try coder.encode("Daisy") }
        }
        let old = try SequentialArchiver.archivedData(withRootObject: OldItem())
        let item = try SequentialUnarchiver.unarchivedObject(of: Item.self, from: old)
        #expect(item.name == "Daisy" && item.count == 1)
    }

    @Test func `the example of SequentialValue works`() throws {
        struct Point: SequentialValue {
            var x, y: Float

            static let sequentialTypeEncoding: TypeEncoding = "{_NSPoint=ff}"

            func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
                .structure([.float(x), .float(y)])
            }

            static func fromSequentialValue(
                _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
            ) throws -> Point {
                guard case .structure(let fields) = value, fields.count == 2, case .float(let x) = fields[0],
                    case .float(let y) = fields[1]
                else { throw coder.typeMismatchError(Point.self, found: value, of: type) }
                return Point(x: x, y: y)
            }
        }
        let archiver = SequentialArchiver()
        try archiver.encode(Point(x: 1, y: 2.5))
        let data = try archiver.finishEncoding()
        let point = try SequentialUnarchiver(forReadingFrom: data).decode(Point.self)
        #expect(point.x == 1 && point.y == 2.5)
    }

    @Test func `the example of TypeEncoding works`() throws {
        let (coder, flags) = (SequentialArchiver(), UInt16(65535))
        try coder.encode(flags, as: "S")
        let types = try TypeEncoding.list("i[4c]@")  // an int, four characters, an object
        #expect(types.count == 3 && types[0] == .int && types[2] == .object)
        let archive = try SequentialUnarchiver(forReadingFrom: coder.finishEncoding()).stream
        #expect(archive.groups[0].values[0] == .unsigned(65535))
    }

    @Test func `the example of TypedStream works`() throws {
        let data = SequentialSamples.hello
        let stream = try TypedStream(data)
        print(stream)  // a readable tree
        let object = stream.objects[0]
        _ = stream.className(of: object)  // "NSMutableString"
        if case .bytes(let text?) = object.groups[0].values[0] {
            print(String(decoding: text, as: UTF8.self))
        }
        _ = try stream.data() == data  // true for what Apple's writer made
        #expect(stream.className(of: object) == "NSMutableString")
        #expect(object.groups[0].values[0] == .bytes(Array("Hello".utf8)))
        #expect(try stream.data() == data)
    }

    @Test func `the example of UnknownSequentialObject works`() throws {
        let data = try SequentialArchiver.archivedData(withRootObject: View())
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        if let unknown = try unarchiver.decodeObject() as? UnknownSequentialObject {
            print(unknown.className, unknown.groups.count)
        }
        let unknown = try SequentialUnarchiver(forReadingFrom: data).decodeObject() as? UnknownSequentialObject
        #expect(unknown?.groups.count == 1)
    }
}
