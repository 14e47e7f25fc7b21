// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import TestSupport
import Testing

extension `Examples in comments on declared fields`.Node {
    static var sample: `Examples in comments on declared fields`.Node {
        let node = `Examples in comments on declared fields`.Node()
        node.children = [`Examples in comments on declared fields`.Node()]
        node.children[0].parent = node
        return node
    }
}

/// The examples in documentation comments of the types for declared fields, unchanged.
@Suite(.inTurn)
struct `Examples in comments on declared fields` {
    final class Node: ArchivedFields {
        var name = ""
        var children: [Node] = []
        weak var parent: Node?

        init() {}

        static let fields = FieldList<Node> {
            Field("name", \.name)
            Field("children", \.children)
            Field("parent", \.parent, .conditional)
        }
    }

    @Test func `come back, and are complete`() throws {
        try ArchiveEncoder().checkFields(of: Node.sample)
        let copy = try roundTrip(Node.sample)
        #expect(copy.children[0].parent === copy)

        enum Link: ArchivedCases {
            case node(Node)
            case label(String, size: Double)
            case nothing

            static let cases = CaseList<Link> {
                Case("node", Link.node) { if case .node(let node) = $0 { node } else { nil } }
                Case("label", Link.label, keys: "_0", "size") {
                    if case .label(let text, let size) = $0 { (text, size) } else { nil }
                }
                Case("nothing", .nothing) { if case .nothing = $0 { true } else { false } }
            }
        }
        guard case .label(let text, size: 2) = try roundTrip(Link.label("a", size: 2)) else {
            Issue.record("The link has no label")
            return
        }
        #expect(text == "a")

        struct Point: ArchivedFields, Equatable {
            var x = 1.0
            var y = 2.0
            static let fields = FieldList<Point> {
                Field("x", \.x)
                Field("y", \.y)
            }
        }
        #expect(try roundTrip(Point()) == Point())

        class Shape: ArchivedFields {
            var name = ""
            required init() {}
            class var fields: FieldList<Shape> { FieldList { Field("name", \.name) } }
        }

        final class Box: Shape {
            var cornerRadius = 0.0
            override class var fields: FieldList<Shape> {
                super.fields.extended(by: Box.self) { Field("cornerRadius", \.cornerRadius) }
            }
        }
        let box = Box()
        box.cornerRadius = 3
        #expect(try roundTrip(box).cornerRadius == 3)

        final class Chapter: ArchivedFields {
            var title = ""
            var count = 1
            weak var parent: Chapter?
            init() {}
            static let fields = FieldList<Chapter> {
                Field("title", \.title, aliases: ["name"])
                Field("count", \.count, .default(1), .omitIfDefault)
                Field("parent", \.parent, .conditional)
            }
        }
        #expect(try KeyedArchive(ArchiveEncoder().encode(Chapter())).root.keys == ["title"])
    }
}
