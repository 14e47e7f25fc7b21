// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `An instance that publishes itself` {
    // MARK: Unowned parents

    final class Parent: Codable {
        let name: String
        private(set) var children: [Child] = []
        private(set) var favourite: Child?

        init(_ name: String, children count: Int) {
            self.name = name
            children = (0..<count).map { Child($0, self) }
            favourite = children.last
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            decoder.publish(self)
            children = try container.decode([Child].self, forKey: .children)
            // Every instance that was created meanwhile has its parent already.
            seen = children.allSatisfy { $0.parent === self && $0.seen == name }
            favourite = try container.decodeIfPresent(Child.self, forKey: .favourite)
        }

        private(set) var seen = false
        private enum CodingKeys: CodingKey { case name, children, favourite }
    }

    final class Child: Codable {
        let number: Int
        unowned let parent: Parent
        /// The parent's name, as it was when this was decoded.
        let seen: String

        init(_ number: Int, _ parent: Parent) { (self.number, self.parent, seen) = (number, parent, parent.name) }

        private enum CodingKeys: CodingKey { case number, parent }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            number = try container.decode(Int.self, forKey: .number)
            parent = try container.decode(Parent.self, forKey: .parent)
            seen = parent.name
        }
    }

    @Test(arguments: [PropertyListFormat.binary, .xml])
    func `is there for what it decodes after that`(format: PropertyListFormat) throws {
        let copy = try roundTrip(Parent("P", children: 3), format: format)
        #expect(copy.seen)
        #expect(copy.children.map(\.number) == [0, 1, 2])
        #expect(copy.children.allSatisfy { $0.parent === copy && $0.seen == "P" })
        #expect(copy.favourite === copy.children[2])
    }

    @Test func `has no collection that waits, so that what refers to it has to publish itself first`() throws {
        let parent = Parent("P", children: 3)
        struct Both: Codable {
            var child: Child
            var parent: Parent
        }
        let error = try failure { try roundTrip(Both(child: parent.children[1], parent: parent)) }
        #expect(error.path == "child.parent.children[1]" && error.says("leads back to the Child"), "\(error)")
        #expect(error.says("decoder.publish(self) in that of Child"), "\(error)")
    }

    @Test func `does nothing in another decoder`() throws {
        final class Plain: Codable {
            var name: String
            init(_ name: String) { self.name = name }
            init(from decoder: any Decoder) throws {
                name = ""
                decoder.publish(self)
                // Not even where another instance is one too many.
                decoder.publish(Plain("other"))
                name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
            }
            private enum CodingKeys: CodingKey { case name }
        }
        let copy = try JSONDecoder().decode([Plain].self, from: JSONEncoder().encode([Plain("a"), Plain("b")]))
        #expect(copy.map(\.name) == ["a", "b"])
    }

    // MARK: Inheritance

    class Base: Codable {
        private(set) var parts: [Part] = []
        private(set) weak var seenByPart: Base?

        init(parts count: Int) { parts = (0..<count).map { _ in Part(self) } }

        required init(from decoder: any Decoder) throws {
            decoder.publish(self)
            parts = try decoder.container(keyedBy: CodingKeys.self).decode([Part].self, forKey: .parts)
        }
        private enum CodingKeys: CodingKey { case parts }
    }

    final class Part: Codable {
        unowned let whole: Base
        init(_ whole: Base) { self.whole = whole }
    }

    /// Archives the part of its superclass with its own, or apart from it.
    final class Derived: Base {
        let title: String
        let isApart: Bool
        private enum CodingKeys: CodingKey { case title, isApart }

        init(_ title: String, parts: Int, isApart: Bool) {
            (self.title, self.isApart) = (title, isApart)
            super.init(parts: parts)
        }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            title = try container.decode(String.self, forKey: .title)
            isApart = try container.decode(Bool.self, forKey: .isApart)
            try super.init(from: isApart ? container.superDecoder() : decoder)
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(title, forKey: .title)
            try container.encode(isApart, forKey: .isApart)
            try super.encode(to: isApart ? container.superEncoder() : encoder)
        }
    }

    @Test(arguments: [false, true])
    func `may do so in its superclass's initializer`(isApart: Bool) throws {
        let derived = Derived("D", parts: 2, isApart: isApart)
        let copy = try roundTrip(derived, registering: [Derived.self])
        #expect(copy.title == "D")
        #expect(copy.parts.count == 2 && copy.parts.allSatisfy { $0.whole === copy })
        let base = try roundTrip(derived as Base, registering: [Derived.self])
        #expect((base as? Derived)?.title == "D")
        #expect(base.parts.count == 2 && base.parts.allSatisfy { $0.whole === base })
    }

    // MARK: With references

    final class Node: Codable {
        var name: String
        @Reference var reference: Node?
        @WeakReference var weakReference: Node?
        @References var references: [Node]
        var plain: Node?
        let required: [Leaf]

        init(_ name: String) {
            self.name = name
            references = []
            required = []
        }

        private enum CodingKeys: CodingKey { case name, reference, weakReference, references, plain, required }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            references = []
            required = []
            decoder.publish(self)
            _reference = try container.decode(Reference<Node>.self, forKey: .reference)
            _weakReference = try container.decode(WeakReference<Node>.self, forKey: .weakReference)
            _references = try container.decode(References<[Node]>.self, forKey: .references)
            plain = try container.decodeIfPresent(Node.self, forKey: .plain)
        }
    }

    final class Leaf: Codable { unowned let node: Node }

    @Test func `resolves references of every kind`() throws {
        let first = Node("1")
        let second = Node("2")
        for (node, other) in [(first, second), (second, first)] {
            (node.reference, node.weakReference, node.references, node.plain) = (other, node, [node, other], other)
        }
        func open(_ nodes: Node...) {
            for node in nodes { (node.reference, node.references, node.plain) = (nil, [], nil) }
        }
        defer { open(first, second) }
        let copy = try roundTrip(first)
        let other = try #require(copy.plain)
        defer { open(copy, other) }
        #expect(copy.name == "1" && other.name == "2")
        for (node, other) in [(copy, other), (other, copy)] {
            #expect(node.reference === other && node.weakReference === node && node.plain === other)
            #expect(node.references.count == 2 && node.references[0] === node && node.references[1] === other)
        }
    }

    // MARK: Failing

    final class Failing: Codable {
        struct Failure: Error, Equatable {}
        var parts: [FailingPart] = []
        var publishes = true

        init(parts count: Int) { parts = (0..<count).map { _ in FailingPart(self) } }
        private enum CodingKeys: CodingKey { case parts }
        init(from decoder: any Decoder) throws {
            decoder.publish(self)
            parts = try decoder.container(keyedBy: CodingKeys.self).decode([FailingPart].self, forKey: .parts)
            throw Failure()
        }
    }

    final class FailingPart: Codable {
        unowned let whole: Failing
        init(_ whole: Failing) { self.whole = whole }
    }

    struct Catching: Codable {
        var first: Failing?
        var name: String

        init(_ first: Failing) { (self.first, name) = (first, "N") }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            first = try? container.decode(Failing.self, forKey: .first)
            name = try container.decode(String.self, forKey: .name)
        }
    }

    @Test func `and fails after other objects refer to it fails the decoding, even if the error is caught`() throws {
        #expect(throws: Failing.Failure()) {
            try ArchiveDecoder().decode(Catching.self, from: ArchiveEncoder().encode(Catching(Failing(parts: 1))))
        }
        #expect(throws: Failing.Failure()) {
            try ArchiveDecoder().decode([Catching].self, from: ArchiveEncoder().encode([Catching(Failing(parts: 1))]))
        }
    }

    @Test func `and fails before anybody was given it is no more than a value that fails`() throws {
        let copy = try roundTrip([Catching(Failing(parts: 0))])[0]
        #expect(copy.first == nil)
        #expect(copy.name == "N")
    }

    @Test func `leaves a decoder that failed usable`() throws {
        let decoder = ArchiveDecoder()
        let failing = try ArchiveEncoder().encode(Catching(Failing(parts: 1)))
        let fine = try ArchiveEncoder().encode(Parent("P", children: 2))
        for _ in 0..<3 {
            #expect(throws: Failing.Failure()) { try decoder.decode(Catching.self, from: failing) }
            let copy = try decoder.decode(Parent.self, from: fine)
            #expect(copy.children.allSatisfy { $0.parent === copy })
        }
    }

    @Test func `is released with what it decoded`() throws {
        weak var leaked: Parent?
        do {
            let copy = try roundTrip(Parent("P", children: 2))
            leaked = copy
            withExtendedLifetime(copy) { #expect(leaked?.children.count == 2) }
        }
        #expect(leaked == nil)
    }

    // MARK: Not yet published

    final class Late: Codable {
        let name: String
        let part: LatePart
        init(_ name: String, _ part: LatePart) { (self.name, self.part) = (name, part) }

        private enum CodingKeys: CodingKey { case part, name }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            part = try container.decode(LatePart.self, forKey: .part)
            name = try container.decode(String.self, forKey: .name)
            decoder.publish(self)
        }
    }

    final class LatePart: Codable {
        var whole: Late?
    }

    @Test func `is an error for what it decodes before that`() throws {
        let part = LatePart()
        let late = Late("L", part)
        part.whole = late
        defer { part.whole = nil }
        let error = try failure { try roundTrip(late) }
        #expect(error.path == "part.whole" && error.says("LatePart.whole", "publish(self) in that of Late"), "\(error)")
    }

    // MARK: Misuse

    final class Wrong: Codable {
        var kind: String
        var other: Box?
        init(_ kind: String) { self.kind = kind }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            kind = try container.decode(String.self, forKey: .kind)
            switch kind {
            case "another class": decoder.publish(Box())
            case "another instance": decoder.publish(Wrong(""))
            case "another instance, which is handed out":
                decoder.publish(Wrong(""))
                other = try container.decodeIfPresent(Box.self, forKey: .other)
            default: decoder.publish(self)
            }
        }
    }

    final class Box: Codable { var wrong: Wrong? }

    struct Value: Codable {
        let box = Box()
        init() {}
        init(from decoder: any Decoder) throws { decoder.publish(box) }
        func encode(to encoder: any Encoder) throws { try [1].encode(to: encoder) }
    }

    enum Case: Codable {
        case one
        init(from decoder: any Decoder) throws {
            decoder.publish(Box())
            self = .one
        }
    }

    @Test(arguments: [
        "another class", "another instance", "another instance, which is handed out", "in a struct", "in an enum",
    ])
    func `stops the program where it is not itself`(kind: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
            switch kind {
            case "in a struct": _ = try roundTrip([Value()])
            case "in an enum": _ = try roundTrip([Case.one])
            default:
                let wrong = Wrong(kind)
                wrong.other = Box()
                wrong.other?.wrong = wrong
                _ = try roundTrip([wrong])
            }
        }
        #expect(result.said("publish"))
    }
}
