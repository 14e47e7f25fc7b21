// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Archiving

/// Each test turns one assumption off, in a process of its own.
@Suite(.inTurn) struct `Without an assumption about the runtime` {
    fileprivate enum Kind: String, Codable, CaseIterable { case cow, duck, hen }

    fileprivate struct Animal: Codable, Equatable {
        var kind: Kind
        var name: String?
        var tags: [String]
        var weights: [Double?]
        var table: [String: [Int]]
        var friends: Set<String>
    }

    fileprivate final class Person: Coding {
        let name: String
        var friends: [Person] = []

        init(_ name: String) { self.name = name }

        init(coder: KeyedUnarchiver) throws {
            name = try coder.decode(String.self, forKey: "name")
            coder.publish(self)
            friends = try coder.decode([Person].self, forKey: "friends")
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(name, forKey: "name")
            try coder.encode(friends, forKey: "friends")
        }
    }

    fileprivate struct Farm: Codable {
        @Coded var owner: Person
        @Coded var others: [Person]
        @Default<EmptyText> var note: String = ""
        @Polymorphic var animals: [any Sendable & Codable]
        var first: Animal

        enum EmptyText: DefaultProvider { static var defaultValue: String { "no note" } }
    }

    /// A tree whose nodes refer back by a weak property, and in collections.
    fileprivate final class Node: Codable {
        let name: String
        weak var parent: Node?
        var children: [Node] = []
        var marked: Set<String>?
        var related: [String: Node] = [:]

        init(_ name: String) { self.name = name }
    }

    private static func animal(_ kind: Kind, _ name: String?) -> Animal {
        Animal(
            kind: kind, name: name, tags: ["duck", "a text with more than fifteen bytes", "dück", ""],
            weights: [1.5, nil, -2], table: ["a": [1, 2], "b": []], friends: ["Ida"])
    }

    private static func farm() -> Farm {
        let (ida, ole) = (Person("Ida"), Person("Ole"))
        ida.friends = [ole, ida]
        return Farm(
            owner: ida, others: [ole, ida], animals: [animal(.cow, nil), animal(.hen, "Berta")],
            first: animal(.duck, "Dagobert"))
    }

    private static func tree() -> Node {
        let (root, left, right) = (Node("root"), Node("left"), Node("right"))
        root.children = [left, right]
        (left.parent, right.parent) = (root, root)
        left.related = ["root": root, "right": right]
        right.marked = ["seen"]
        return root
    }

    private static func encode(_ value: some Encodable) throws -> Data {
        var encoder = ArchiveEncoder()
        encoder.classes.register(Animal.self)
        return try encoder.encode(value)
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
        var decoder = ArchiveDecoder()
        decoder.classes.register(Animal.self)
        return try decoder.decode(type, from: data)
    }

    /// Checks that archives and values are the same without `assumption` as with it.
    private static func check(without assumption: RuntimeLayout.Assumption) throws {
        let (farm, tree) = (farm(), tree())
        let dictionary = [Kind.cow.rawValue: Optional(animal(.cow, "Elsa"))]
        let expected = (try encode(farm), try encode(tree), try encode([dictionary]))
        let person = try KeyedArchiver.archivedData(withRootObject: farm.owner)

        RuntimeLayout.withdraw(assumption)
        #expect(!RuntimeLayout.holds(assumption))
        for _ in 0..<2 {
            #expect(try encode(farm) == expected.0)
            #expect(try encode(tree) == expected.1)
            #expect(try encode([dictionary]) == expected.2)
            #expect(try KeyedArchiver.archivedData(withRootObject: farm.owner) == person)

            let again = try decode(Farm.self, expected.0)
            #expect(again.owner.name == "Ida" && again.others.map(\.name) == ["Ole", "Ida"])
            #expect(again.others[1] === again.owner && again.owner.friends[1] === again.owner)
            #expect(again.first == animal(.duck, "Dagobert") && again.note == "")
            #expect(again.animals.map { $0 as? Animal } == [animal(.cow, nil), animal(.hen, "Berta")])
            #expect(try decode([[String: Animal?]].self, expected.2) == [["cow": animal(.cow, "Elsa")]])
            let ida = try KeyedUnarchiver.unarchivedObject(of: Person.self, from: person)
            #expect(ida.friends.map(\.name) == ["Ole", "Ida"] && ida.friends[1] === ida)
            try checkTree(expected.1)
        }
    }

    private static func checkTree(_ data: Data) throws {
        guard RuntimeLayout.holds(.collections) else {
            let error = #expect(throws: DecodingError.self) { try decode(Node.self, data) }
            #expect(error.map { "\($0)" }?.contains("@Reference") == true)
            return
        }
        let root = try decode(Node.self, data)
        #expect(root.children.map(\.name) == ["left", "right"])
        #expect(root.children.allSatisfy { $0.parent === root })
        #expect(root.children[0].related["root"] === root && root.children[0].related["right"] === root.children[1])
        #expect(root.children[1].marked == ["seen"])
        root.children[0].related = [:]
    }

    @Test(arguments: RuntimeLayout.Assumption.allCases)
    func `the others hold on this system`(assumption: RuntimeLayout.Assumption) {
        #expect(RuntimeLayout.holds(assumption) != RuntimeAssumptions.areWithdrawn)
    }

    @Test(arguments: RuntimeLayout.Assumption.allCases)
    func `archives and values are the same, but for cycles through plain collections`(
        assumption: RuntimeLayout.Assumption
    ) async {
        await #expect(processExitsWith: .success) { [assumption] in
            try Self.check(without: assumption)
        }
    }
}
