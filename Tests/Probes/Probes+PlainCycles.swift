// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation

extension Probes {
    /// Cycles through plain properties of each kind.
    static func plainCycles(_ report: inout Report) {
        report.section("Cycles through plain properties")
        report.graph("itself", ring(1) { OptionalNode($0) })
        report.graph("optional", ring(5) { OptionalNode($0) })
        report.graph("weak", ring(1) { WeakNode($0) })
        report.graph("collections", web(6))
        report.graph("unowned", team(4))
        report.graph("in a struct", StructNode("a"))
        report.graph("in an enumeration", EnumNode("a"))
        report.graph("of a superclass", SubclassNode("a"), coder: Coders(SubclassNode.self))
        report.graph("constants", constants())
        report.graph("polymorphic", polymorphic(), coder: Coders(PolymorphicNode.self))
        report.graph("several roots", [web(3), web(2)] as [WebNode]) { $0 as [WebNode] }
    }

    private static func ring<Node: Ring>(_ count: Int, _ make: (String) -> Node) -> Node {
        let nodes = (0..<count).map { make("\($0)") }
        for (index, node) in nodes.enumerated() { node.next = nodes[(index + 1) % count] }
        return nodes[0]
    }

    private static func web(_ count: Int) -> WebNode {
        let nodes = (0..<count).map { WebNode("\($0)") }
        for (index, node) in nodes.enumerated() {
            let next = nodes[(index + 1) % count]
            node.array = [next, nodes[0], next]
            node.contiguous = [nodes[count - 1]]
            node.set = [next, nodes[0]]
            node.dictionary = ["next": next, "self": node]
            node.optionals = [nil, next]
            node.nested = [[nodes[0]], [], [node]]
        }
        return nodes[0]
    }

    private static func team(_ count: Int) -> Team {
        let team = Team("team")
        team.members = (0..<count).map { Member("\($0)", team) }
        return team
    }

    private static func constants() -> ConstantNode {
        let leaf = ConstantNode("leaf", [])
        let node = ConstantNode("node", [leaf, leaf])
        leaf.back = node
        return node
    }

    private static func polymorphic() -> PolymorphicNode {
        let nodes = ["a", "b"].map { PolymorphicNode($0) }
        nodes[0].things = [nodes[1], nodes[0]]
        nodes[1].things = [nodes[0]]
        return nodes[0]
    }
}

// MARK: - Classes

protocol Ring: Linked {
    var next: Self? { get set }
}

final class OptionalNode: Codable, Ring {
    let name: String
    var next: OptionalNode?
    var other: OptionalNode?

    init(_ name: String) { self.name = name }

    var links: [(any Linked)?] { [next, other] }
}

final class WeakNode: Codable, Ring {
    let name: String
    weak var next: WeakNode?

    init(_ name: String) { self.name = name }

    var links: [(any Linked)?] { [next] }
}

final class WebNode: Codable, Linked, Hashable {
    let name: String
    var array: [WebNode] = []
    var contiguous: ContiguousArray<WebNode> = []
    var set: Set<WebNode> = []
    var dictionary: [String: WebNode] = [:]
    var optionals: [WebNode?] = []
    var nested: [[WebNode]] = []
    var empty: [WebNode] = []

    init(_ name: String) { self.name = name }

    static func == (left: WebNode, right: WebNode) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }

    var links: [(any Linked)?] {
        let lists: [[WebNode?]] = [
            array, Array(contiguous), set.sorted { $0.name < $1.name },
            dictionary.sorted { $0.key < $1.key }.map(\.value), optionals, nested.flatMap { $0 }, empty,
        ]
        return lists.flatMap { $0 }
    }
}

final class Team: Codable, Linked {
    let name: String
    var members: [Member] = []

    init(_ name: String) { self.name = name }

    var links: [(any Linked)?] { members }
}

final class Member: Codable, Linked {
    let name: String
    unowned let team: Team

    init(_ name: String, _ team: Team) {
        self.name = name
        self.team = team
    }

    var links: [(any Linked)?] { [team] }
}

final class StructNode: Codable, Linked {
    struct Part: Codable {
        var number = 7
        var owner: StructNode
    }

    let name: String
    var parts: [Part] = []
    var part: Part?

    init(_ name: String) {
        self.name = name
        parts = [Part(owner: self), Part(number: 8, owner: self)]
        part = parts[0]
    }

    var links: [(any Linked)?] { parts.map(\.owner) + [part?.owner] }
}

final class EnumNode: Codable, Linked {
    enum Link: Codable {
        case nothing
        case to(EnumNode, weight: Double)

        var target: EnumNode? {
            if case .to(let node, _) = self { node } else { nil }
        }
    }

    let name: String
    var list: [Link] = []

    init(_ name: String) {
        self.name = name
        list = [.nothing, .to(self, weight: 1.5)]
    }

    var links: [(any Linked)?] { list.map(\.target) }
}

class SuperclassNode: Codable, Linked {
    let name: String
    var inherited: SuperclassNode?

    init(_ name: String) {
        self.name = name
        inherited = self
    }

    var links: [(any Linked)?] { [inherited] }
}

final class SubclassNode: SuperclassNode {
    private var byte: UInt8 = 3
    private var own: [SubclassNode] = []

    override init(_ name: String) {
        super.init(name)
        own = [self]
    }

    private enum CodingKeys: CodingKey { case byte, own }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        byte = try container.decode(UInt8.self, forKey: .byte)
        own = try container.decode([SubclassNode].self, forKey: .own)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(byte, forKey: .byte)
        try container.encode(own, forKey: .own)
        try super.encode(to: encoder)
    }

    override var links: [(any Linked)?] { super.links + own }
}

final class ConstantNode: Codable, Linked {
    let name: String
    let parts: [ConstantNode]
    weak var back: ConstantNode?

    init(_ name: String, _ parts: [ConstantNode]) {
        self.name = name
        self.parts = parts
    }

    var links: [(any Linked)?] { parts + [back] }
}

protocol Thing: Codable, Linked {}

final class PolymorphicNode: Thing {
    let name: String
    @Polymorphic var things: [any Thing] = []

    init(_ name: String) { self.name = name }

    var links: [(any Linked)?] { things }
}
