// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// The code that pages do not have: see `PageProgram`. Each section is a part of another program.
// swift-format-ignore-file: OrderedImports, NeverForceUnwrap

class View: SequentialCoding {
    var name = "view"

    init() {}

    required init(coder: SequentialUnarchiver) throws {
        name = try coder.decode(String.self)
    }

    func encode(with coder: SequentialArchiver) throws {
        try coder.encode(name)
    }
}

// MARK: - SequentialArchiving.md

let attributedBody = try SequentialArchiver.archivedData(
    withRootObject: AttributedText([
        ("Bo", ["__kIMMentionConfirmedMention": "bo@example.com"]), (": ", [:]),
        ("see", ["__kIMLinkAttributeName": URL(string: "https://example.com")!]),
        ("\u{FFFC}", ["__kIMFileTransferGUIDAttributeName": "at_0_1"]),
    ]))

// MARK: - SequentialArchiver.swift

let window = View()
// block
let (archiver, flags, index, length) = (SequentialArchiver(), UInt32(5), 1, 6)
// block
// block
let types = try TypedStream(archiver.finishEncoding()).groups.map { $0.types.map(\.description).joined() }
expect(types == ["I", "*", "iI"])

// MARK: - SequentialCoding.swift

final class OldItem: SequentialCoding, ArchiveDescribing {
    static let archiveName = "Item"
    class var classVersion: Int { 0 }
    init() {}
    init(coder: SequentialUnarchiver) throws { throw CocoaError(.coderReadCorrupt) }
    func encode(with coder: SequentialArchiver) throws { try coder.encode("Daisy") }
}
// block
let old = try SequentialArchiver.archivedData(withRootObject: OldItem())
let item = try SequentialUnarchiver.unarchivedObject(of: Item.self, from: old)
expect(item.name == "Daisy" && item.count == 1)

// MARK: - SequentialUnarchiver.swift

final class Button: View {}
typealias Window = View
let archiver = SequentialArchiver()
try archiver.encodeRootObject(View())
try archiver.encode(Int32(3))
let data = try archiver.finishEncoding()
// block
expect(window.name == "view" && count == 3 && unarchiver.isAtEnd)
let attributedBody = try SequentialArchiver.archivedData(withRootObject: AttributedText([("a", [:])]))
// block
expect(text.string == "a")
let archiver = SequentialArchiver()
try archiver.encode("name")
try archiver.encode(View?.none)
try archiver.encode([View(), View()])
try archiver.encodeValues("iI", 1, 6)
let unarchiver = try SequentialUnarchiver(forReadingFrom: archiver.finishEncoding())
// block
expect(name == "name" && parent == nil && views.count == 2)
final class Node: SequentialCoding {
    let name: String
    var next: Node?

    init(name: String) { self.name = name }

    func encode(with coder: SequentialArchiver) throws {
        try coder.encode(name)
        try coder.encode(next)
    }

    // block
}
// block
expect(index == 1 && length == 6)
let node = Node(name: "one")
node.next = node
let again = try SequentialUnarchiver.unarchivedObject(
    of: Node.self, from: SequentialArchiver.archivedData(withRootObject: node))
expect(again.next === again && again.name == "one")

// MARK: - UnknownSequentialObject.swift

let data = try SequentialArchiver.archivedData(withRootObject: View())
// block
expect((try SequentialUnarchiver(forReadingFrom: data).decodeObject() as? UnknownSequentialObject)?.groups.count == 1)

// MARK: - TypeEncoding.swift

// block
expect(types.map(\.description) == ["i", "[4c]", "@"])

// MARK: - TypedStream.swift

// The bytes of section 1 of docs/typedstream-format.md.
let data = Data(
    [4, 11] + Array("streamtyped".utf8) + [0x81, 0xE8, 3, 0x84, 1] + Array("@".utf8) + [0x84, 0x84, 0x84, 15]
        + Array("NSMutableString".utf8) + [1, 0x84, 0x84, 8] + Array("NSString".utf8) + [1, 0x84, 0x84, 8]
        + Array("NSObject".utf8) + [0, 0x85, 0x84, 1] + Array("+".utf8) + [5] + Array("Hello".utf8) + [0x86])
// block
expect(stream.className(of: object) == "NSMutableString")
expect(object.groups[0].values[0] == .bytes(Array("Hello".utf8)))
expect(try stream.data() == data)

// MARK: - AttributedText+Sequential.swift

let attributedBody = try SequentialArchiver.archivedData(withRootObject: AttributedText([("a", [:])]))

// MARK: - SequentialValue.swift

// block
let archiver = SequentialArchiver()
try archiver.encode(Point(x: 1, y: 2.5))
let point = try SequentialUnarchiver(forReadingFrom: archiver.finishEncoding()).decode(Point.self)
expect(point.x == 1 && point.y == 2.5)
