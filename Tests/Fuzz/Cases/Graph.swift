// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// A node of a graph in which everything may refer to everything: in plain properties, and in references of every kind.
public class Node: Codable {
    var name: String
    var number: Int?
    @Reference var next: Node?
    @WeakReference var owner: Node?
    @References var neighbours: [Node]
    @References var named: [String: Node]
    var children: [Node] = []
    var partner: Node?
    var byName: [String: Node]?

    /// A node that refers to nothing.
    public init(_ name: String) {
        self.name = name
        neighbours = []
        named = [:]
    }

    /// What the node refers to that it holds.
    final var held: [Node] {
        let listed = [next, partner].compactMap { $0 } + neighbours + children
        let keyed = named.sorted { $0.key < $1.key } + (byName ?? [:]).sorted { $0.key < $1.key }
        return listed + keyed.map(\.value)
    }
}

/// A subclass with a property of its own, which has to be registered to be made.
public final class Branch: Node {
    var weight = 1.5
    var corner: Corner?

    private enum CodingKeys: CodingKey {
        case weight, corner
    }

    /// A branch that refers to nothing.
    public override init(_ name: String) { super.init(name) }

    /// Reads both parts of the object.
    public required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        weight = try container.decode(Double.self, forKey: .weight)
        corner = try container.decodeIfPresent(Corner.self, forKey: .corner)
        try super.init(from: decoder)
    }

    /// Writes both parts of the object.
    public override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(weight, forKey: .weight)
        try container.encodeIfPresent(corner, forKey: .corner)
        try super.encode(to: encoder)
    }
}

/// A class that publishes itself before it reads references that may be part of a cycle.
public final class Hub: Codable {
    private(set) var spokes: [Spoke] = []
    private(set) var count = 0

    private enum CodingKeys: CodingKey {
        case spokes
    }

    /// A hub with `count` spokes, each of which refers to it.
    public init(count: Int) {
        spokes = (0..<count).map { Spoke($0, hub: self) }
        self.count = count
    }

    /// Reads the spokes, and counts those that refer back.
    public init(from decoder: any Decoder) throws {
        decoder.publish(self)
        spokes = try decoder.container(keyedBy: CodingKeys.self).decode([Spoke].self, forKey: .spokes)
        count = spokes.count { $0.hub === self }
    }
}

/// An instance that refers to its hub without holding it.
public final class Spoke: Codable, Hashable {
    let number: Int
    private(set) weak var hub: Hub?

    init(_ number: Int, hub: Hub) {
        self.number = number
        self.hub = hub
    }

    /// Whether both have the same number.
    public static func == (left: Spoke, right: Spoke) -> Bool { left.number == right.number }

    /// Feeds the number into `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

// MARK: - Behind a protocol

/// What a polymorphic property may hold.
public protocol Thing: Codable {}

/// A structure behind the protocol.
public struct Brick: Thing, Hashable {
    var side: Double
}

/// An enumeration behind the protocol, which is archived as its raw value.
public enum Unit: String, Thing {
    case one, two
}

/// A class behind the protocol, which had no content in its first version.
public final class Box: Thing, ArchiveDescribing {
    /// The version that is written.
    public static let archiveVersion = 2

    var label: String
    @Polymorphic var content: (any Thing)?

    init(_ label: String) {
        self.label = label
        _content = Polymorphic(wrappedValue: nil)
    }

    /// Reads what the version has.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        label = try container.decode(String.self, forKey: .label)
        let isFirst = decoder.archivedVersion(of: Box.self) == 1 || decoder.archivedVersion() == -1
        _content =
            isFirst
            ? Polymorphic(wrappedValue: nil) : try container.decode(Polymorphic<(any Thing)?>.self, forKey: .content)
    }
}

/// A value that is archived once for each id.
public struct Town: Codable, Hashable, ArchivedOnce {
    /// The number that identifies it.
    public var id: Int
    var name: String
    var corner: Corner?
}

extension Node: Thing {}
extension UnknownObject: Thing {}

/// The root of graphs that are decoded: nodes, and values behind a protocol.
public struct Graph: Codable {
    var root: Node?
    var hub: Hub?
    var spokes: Set<Spoke> = []
    var towns: [Town] = []
    @Polymorphic var main: any Thing
    @Polymorphic var things: [any Thing]
    @Polymorphic var byName: [String: any Thing]

    /// A graph of one brick.
    public init() {
        _main = Polymorphic(wrappedValue: Brick(side: 1))
        _things = Polymorphic(wrappedValue: [])
        _byName = Polymorphic(wrappedValue: [:])
    }
}
