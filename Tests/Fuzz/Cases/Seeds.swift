// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Bytes that mutations begin with.
public struct Seed: Sendable {
    /// What is in a seed.
    public enum Kind: String, CaseIterable, Sendable {
        /// A property list that is no archive.
        case propertyList
        /// An archive of a `Specimen`, or of a part of one.
        case value
        /// An archive of a `Graph`.
        case graph
        /// An archive of `Coding` objects.
        case objects
        /// An archive of Foundation's objects, by hand.
        case foundation
        /// An archive of a `Shelf`, or of other objects with deferred parts.
        case deferred
        /// An archive of objects whose initializers throw.
        case fragile
        /// An archive of values with declared fields.
        case fields
        /// A typedstream.
        case sequential

        /// Property lists, and keyed archives.
        public static let keyed: Set<Kind> = [.propertyList, .value, .graph, .objects, .foundation]
    }

    /// The name, which no other seed has.
    public let name: String
    /// What is in it.
    public let kind: Kind
    /// The bytes of the file.
    public let bytes: [UInt8]

    init(_ name: String, _ kind: Kind, _ bytes: [UInt8]) {
        self.name = name
        self.kind = kind
        self.bytes = bytes
    }

    init(_ name: String, _ kind: Kind, _ data: Data) { self.init(name, kind, Array(data)) }

    /// The file as data.
    public var data: Data { Data(bytes) }
    /// Whether the file is in the binary format.
    public var isBinary: Bool { bytes.starts(with: Array("bplist".utf8)) }
}

/// Property lists and archives that are made here, the same ones in every process.
public enum Seeds {
    /// All of them.
    public static let all: [Seed] = {
        do {
            return try propertyLists() + values() + graphs() + objects() + foundation() + deferred() + fragile()
                + fields() + sequential()
        } catch {
            preconditionFailure("A seed cannot be made: \(error)")
        }
    }()

    /// The seed of that name; nil where there is none.
    public static func named(_ name: String) -> Seed? { all.first { $0.name == name } }

    /// Those of some kinds, binary or XML.
    public static func of(_ kinds: Set<Seed.Kind>, binary: Bool = true, xml: Bool = true) -> [Seed] {
        all.filter { kinds.contains($0.kind) && ($0.isBinary ? binary : xml) }
    }

    /// Writes each seed as a file of its name into a folder, which is made if it is not there.
    public static func write(_ seeds: [Seed], to folder: String) throws {
        let folder = URL(fileURLWithPath: folder, isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for seed in seeds { try seed.data.write(to: folder.appendingPathComponent(seed.name)) }
    }

    /// The bytes of a value's archive, the same in every process.
    static func archive<Value: Encodable>(
        _ value: Value, _ format: PropertyListFormat = .binary, names: ClassRegistry = Registries.standard
    ) throws -> Data {
        var encoder = ArchiveEncoder()
        encoder.classes = names
        encoder.outputFormat = format
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(value)
    }

    /// The bytes of an archive that `encode` makes.
    static func archive(
        _ format: PropertyListFormat = .binary, _ encode: (KeyedArchiver) throws -> Void
    ) throws -> Data {
        let archiver = KeyedArchiver()
        archiver.classes = Registries.standard
        archiver.outputFormat = format
        archiver.outputFormatting = .sortedKeys
        try encode(archiver)
        return try archiver.finishEncoding()
    }
}

// MARK: - Values

extension Seeds {
    private static func values() throws -> [Seed] {
        var specimen = Specimen()
        specimen.figures = figures
        specimen.other = specimen.heir
        specimen.almanac = Almanac()
        // XML has no control characters.
        var text = specimen
        text.leaves.text = "naïve 🐄"
        var small = Specimen()
        small.collections = Collections(
            flags: [], bytes: [], numbers: [], reals: [], narrow: [], optionals: [], names: [], rows: [], corners: [],
            tags: [], places: [], byName: [:], byNumber: [:], byGrade: [:], byLevel: [:], byCorner: [:], deep: [:],
            dates: [:])
        return [
            Seed("specimen", .value, try archive(specimen)),
            Seed("specimen-xml", .value, try archive(text, .xml)),
            Seed("specimen-small", .value, try archive(small)),
            Seed("scalars", .value, try archive(Scalars())),
            Seed("scalars-xml", .value, try archive(Scalars(), .xml)),
            Seed("leaves", .value, try archive(Leaves())),
            Seed("almanac", .value, try archive(Almanac())),
            Seed("collections", .value, try archive(Collections())),
            Seed("figures", .value, try archive(figures)),
            Seed("ledger", .value, try archive(Ledger())),
            Seed("ledger-xml", .value, try archive(Ledger(), .xml)),
            Seed("heir", .value, try archive([Heir(), Ancestor()])),
            Seed("integers", .value, try archive(Array(0..<40))),
            Seed("text", .value, try archive("text")),
            Seed("forbidden-value", .value, try archive([ForbiddenValue()])),
        ]
    }

    private static var figures: [Figure] {
        [
            .empty, .circle(radius: 2), .polygon([Corner(x: 0, y: 0), Corner(x: 1, y: 0)], closed: true),
            .group(.circle(radius: 1), .group(.empty, nil)),
        ]
    }
}

// MARK: - Graphs

extension Seeds {
    private static func graphs() throws -> [Seed] {
        let graph = wholeGraph()
        var nodes = Graph()
        nodes.root = ring(of: 4)
        var plain = Graph()
        let node = Node("only")
        node.partner = Node("other")
        node.children = [node]
        plain.root = node
        var forbidden = Graph()
        forbidden.root = Node("root")
        forbidden.root?.children = [ForbiddenNode("child")]
        forbidden.things = [ForbiddenValue()]
        return [
            Seed("graph", .graph, try archive(graph)),
            Seed("graph-xml", .graph, try archive(graph, .xml)),
            Seed("graph-ring", .graph, try archive(nodes)),
            Seed("graph-plain", .graph, try archive(plain)),
            Seed("graph-plain-xml", .graph, try archive(plain, .xml)),
            Seed("graph-hub", .graph, try archive(hubGraph())),
            Seed("graph-things", .graph, try archive(thingsGraph())),
            Seed("graph-forbidden", .graph, try archive(forbidden)),
            Seed("node-own-names", .graph, try archive(ring(of: 3), names: ClassRegistry())),
            Seed("node", .graph, try archive(ring(of: 3))),
            Seed("nodes", .graph, try archive([ring(of: 2), nil, Branch("branch")])),
            Seed("thing", .graph, try archive(Polymorphic<any Thing>(wrappedValue: Brick(side: 4)))),
        ]
    }

    /// A ring of nodes, by references.
    private static func ring(of count: Int) -> Node {
        let nodes = (0..<count).map { Node("node \($0)") }
        for (index, node) in nodes.enumerated() {
            node.next = nodes[(index + 1) % count]
            node.owner = nodes[0]
        }
        return nodes[0]
    }

    private static func hubGraph() -> Graph {
        var graph = Graph()
        let hub = Hub(count: 3)
        graph.hub = hub
        graph.spokes = [hub.spokes[0], hub.spokes[1]]
        return graph
    }

    private static func thingsGraph() -> Graph {
        var graph = Graph()
        let box = Box("box")
        box.content = Unit.two
        graph.towns = [Town(id: 1, name: "town"), Town(id: 2, name: "other", corner: Corner(x: 1, y: 1))]
        graph.towns.append(graph.towns[0])
        graph.main = box
        graph.things = [box, Brick(side: 2), Unit.one, Folder("folder")]
        graph.byName = ["box": box, "brick": Brick(side: 3)]
        return graph
    }

    private static func wholeGraph() -> Graph {
        var graph = thingsGraph()
        let root = Node("root")
        let branch = Branch("branch")
        branch.corner = Corner(x: 5, y: 6)
        let leaf = Node("leaf")
        root.number = 1
        root.children = [branch, leaf, branch]
        root.neighbours = [leaf, root]
        root.named = ["leaf": leaf, "$root": root]
        root.byName = ["branch": branch]
        branch.partner = root
        branch.owner = root
        leaf.next = branch
        leaf.owner = branch
        graph.root = root
        graph.things.append(branch)
        graph.hub = Hub(count: 2)
        graph.spokes = Set(graph.hub?.spokes.prefix(1) ?? [])
        return graph
    }
}
