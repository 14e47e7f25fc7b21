// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private indirect enum Link: ArchivedCases {
    case node(Node)
    case label(String, size: Double)
    case optional(Int?)
    case list([Link])
    case nodes(first: Node, [Node])
    case nothing

    static let cases = CaseList<Link> {
        Case("node", Link.node) { if case .node(let node) = $0 { node } else { nil } }
        Case("label", Link.label, keys: "_0", "size") {
            if case .label(let text, let size) = $0 { (text, size) } else { nil }
        }
        Case("optional", Link.optional) { if case .optional(let number) = $0 { .some(number) } else { nil } }
        Case("list", Link.list) { if case .list(let links) = $0 { links } else { nil } }
        Case("nodes", Link.nodes, keys: "first", "_1") {
            if case .nodes(let first, let rest) = $0 { (first, rest) } else { nil }
        }
        Case("nothing", .nothing) { if case .nothing = $0 { true } else { false } }
    }
}

private final class Node: ArchivedFields, ArchiveDescribing {
    static let archiveName = "CaseNode"
    var number = 0
    var link = Link.nothing
    var links: [String: Link] = [:]
    var last = ""

    init() {}

    convenience init(_ number: Int) {
        self.init()
        (self.number, last) = (number, "last \(number)")
    }

    static let fields = FieldList<Node> {
        Field("link", \.link)
        Field("links", \.links)
        Field("number", \.number)
        Field("last", \.last)
    }

    func clear() { (link, links) = (.nothing, [:]) }

    /// The node behind the link.
    var next: Node? {
        switch link {
        case .node(let node): node
        case .nodes(let first, _): first
        case .list(let links): if case .node(let node)? = links.last { node } else { nil }
        default: if case .node(let node)? = links["a"] { node } else { nil }
        }
    }

    func connect(to node: Node, _ way: Int) {
        switch way % 4 {
        case 0: link = .node(node)
        case 1: link = .nodes(first: node, [node, self])
        case 2: link = .list([.label("a", size: 1), .node(node)])
        default: links = ["a": .node(node), "b": .nothing]
        }
    }
}

private enum Twin {
    indirect enum Link: Codable {
        case node(Node)
        case label(String, size: Double)
        case optional(Int?)
        case list([Link])
        case nodes(first: Node, [Node])
        case nothing
    }

    final class Node: Codable, ArchiveDescribing {
        static let archiveName = "CaseNode"
        var link = Link.nothing
        var links: [String: Link] = [:]
        var number = 0
        var last = ""
        init(_ number: Int) { (self.number, last) = (number, "last \(number)") }
    }
}

@Suite(.inTurn) struct `An enumeration with declared cases` {
    private func pairs() -> [(declared: Link, twin: Twin.Link)] {
        let (node, twin) = (Node(1), Twin.Node(1))
        (node.link, twin.link) = (.label("inner", size: 2), .label("inner", size: 2))
        return [
            (.node(node), .node(twin)), (.label("ä", size: -1), .label("ä", size: -1)), (.optional(3), .optional(3)),
            (.optional(nil), .optional(nil)), (.list([]), .list([])),
            (.list([.nothing, .list([.nothing]), .node(node)]), .list([.nothing, .list([.nothing]), .node(twin)])),
            (.nodes(first: node, [node, Node(2)]), .nodes(first: twin, [twin, Twin.Node(2)])), (.nothing, .nothing),
        ]
    }

    @Test func `has the form that the compiler synthesises`() throws {
        var (encoder, twinEncoder) = (ArchiveEncoder(), ArchiveEncoder())
        encoder.classes.register(Link.self, name: "Link")
        twinEncoder.classes.register(Twin.Link.self, name: "Link")
        for (declared, twin) in pairs() {
            func json(_ value: some Encodable) throws -> String {
                let encoder = JSONEncoder()
                encoder.outputFormatting = .sortedKeys
                return String(decoding: try encoder.encode(value), as: UTF8.self)
            }
            let (text, twinText) = (try json(declared), try json(twin))
            #expect(text == twinText)
            (encoder.outputFormatting, twinEncoder.outputFormatting) = ([], [])
            let (list, twinList) = (try encoder.encode([declared]), try twinEncoder.encode([twin]))
            #expect(try InspectedArchive(list).text == InspectedArchive(twinList).text)
            (encoder.outputFormatting, twinEncoder.outputFormatting) = (.sortedKeys, .sortedKeys)
            #expect(try encoder.encode([declared]) == twinEncoder.encode([twin]))
            for data in [try encoder.encode(declared), try twinEncoder.encode(twin)] {
                #expect(try json(ArchiveDecoder().decode(Link.self, from: data)) == text)
                #expect(try json(ArchiveDecoder().decode(Twin.Link.self, from: data)) == text)
            }
            #expect(try json(JSONDecoder().decode(Link.self, from: Data(text.utf8))) == text)
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 8])
    func `has instances in cycles`(count: Int) throws {
        for start in 0..<4 {
            let nodes = (0..<count).map { Node($0) }
            for index in 0..<count { nodes[index].connect(to: nodes[(index + 1) % count], start + index) }
            defer { for node in nodes { node.clear() } }
            var copies = [try roundTrip(nodes[0])]
            defer { for node in copies { node.clear() } }
            while let next = copies[copies.count - 1].next, next !== copies[0], copies.count < count {
                copies.append(next)
            }
            #expect(copies.map(\.number) == Array(0..<count))
            #expect(copies.map(\.last) == (0..<count).map { "last \($0)" })
            #expect(copies[count - 1].next === copies[0])
            for node in copies {
                if case .nodes(let first, let rest) = node.link {
                    #expect(rest.count == 2 && rest[0] === first && rest[1] === node)
                }
            }
        }
    }

    @Test func `has chains of any length on a small stack`() async {
        await #expect(processExitsWith: .success) {
            let count = 20_000
            for way in 0..<4 {
                let nodes = (0..<count).map { Node($0) }
                for index in 0..<count { nodes[index].connect(to: nodes[(index + 1) % count], way) }
                nonisolated(unsafe) let first = nodes[0]
                let data = try onThread(stackSize: 512 << 10) { try ArchiveEncoder().encode(first) }
                for node in nodes { node.clear() }
                try onThread(stackSize: 512 << 10) {
                    let copy = try ArchiveDecoder().decode(Node.self, from: data)
                    var copies = [copy]
                    while let next = copies[copies.count - 1].next, next !== copy, copies.count <= count {
                        copies.append(next)
                    }
                    #expect(copies.map(\.number) == Array(0..<count))
                    for node in copies { node.clear() }
                }
            }
        }
    }

    @Test func `has one declared case`() throws {
        let unknown = try failure { try transcode(["other": ["_0": 1]], as: Link.self) }
        #expect(unknown.says("other"), "\(unknown)")
        let none = try failure { try transcode([String: Int](), as: Link.self) }
        #expect([.typeMismatch, .dataCorrupted].contains(none.kind), "\(none)")
        let two = try failure {
            try transcode(["nothing": [String: Int](), "list": [:]], as: Link.self)
        }
        #expect([.typeMismatch, .dataCorrupted].contains(two.kind), "\(two)")
        let absent = try failure { try transcode(["label": ["_0": "a"]], as: Link.self) }
        #expect(absent.kind == .keyNotFound && absent.key == "size" && absent.path == "label", "\(absent)")
        let wrong = try failure { try transcode(["label": ["_0": 1, "size": 2]], as: Link.self) }
        #expect(wrong.kind == .typeMismatch && wrong.path == "label._0", "\(wrong)")
    }
}
