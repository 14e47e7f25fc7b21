// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport

/// An instance of a random graph, whose initializer can throw.
protocol FailingNode: AnyObject {
    var number: Int { get }
    /// The references that retain their targets, without those of parts.
    var retained: [[any FailingNode]] { get }
    /// The targets of weak properties.
    var observed: [(any FailingNode)?] { get }
    /// Weak properties whose targets are archived.
    var archivedObserved: [any FailingNode] { get }
    /// Loads the parts, and returns the instances in those that could be loaded.
    func parts(_ failed: (any Error) throws -> Void) throws -> [[any FailingNode]]
    func clear()
}

/// All instances of random graphs that are alive, and the one whose initializer throws.
enum FailingNodes {
    enum Suite {}
    typealias Token = LifeToken<Suite>

    /// The moment at which an initializer throws.
    enum Moment: CaseIterable { case never, early, late }

    /// One suite uses them, on one thread at a time.
    private nonisolated(unsafe) static var alive: [ObjectIdentifier: Unmanaged<AnyObject>] = [:]
    private nonisolated(unsafe) static var failing = (number: 0, moment: Moment.never)

    static func add(_ node: any FailingNode) {
        alive[ObjectIdentifier(node)] = Unmanaged.passUnretained(node as AnyObject)
    }

    static func remove(_ node: any FailingNode) {
        alive[ObjectIdentifier(node)] = nil
    }

    static func fail(_ number: Int, _ moment: Moment) {
        failing = (number, moment)
    }

    static func check(_ number: Int, _ moment: Moment) throws {
        if failing == (number, moment) { throw InitializerFailure(number: number) }
    }

    /// Clears all references of all instances.
    static func clearAll() {
        for case let node as any FailingNode in alive.values.map({ $0.takeUnretainedValue() }) { node.clear() }
    }
}

/// What a random graph is made of.
enum FailingEdge: CaseIterable {
    case plain, list, weakly, polymorphic, defaulted
    case reference, references, named, weakReference
    case part, partList
    case coded, codedPlain, codedList, codedReference, codedKnot
}

// MARK: - A Codable class

protocol KnotProtocol: AnyObject, Codable {}

enum NoKnots: DefaultProvider {
    static var defaultValue: [Knot] { [] }
}

final class Knot: Codable, FailingNode, KnotProtocol {
    let number: Int
    var publishes = false
    var plain: Knot?
    var list: [Knot] = []
    weak var weakly: Knot?
    @Polymorphic var polymorphic: (any KnotProtocol)?
    @Default<NoKnots> var defaulted: [Knot] = []
    @Reference var reference: Knot?
    @References var references: [Knot] = []
    @References var named: [String: Knot] = [:]
    @WeakReference var weakReference: Knot?
    @Deferred var part: Knot? = nil
    @Deferred var partList: [Knot] = []
    @Coded var coded: Cell? = nil
    private let token = FailingNodes.Token()

    private enum CodingKeys: CodingKey {
        case number, publishes, plain, list, weakly, polymorphic, defaulted
        case reference, references, named, weakReference, part, partList, coded
    }

    init(_ number: Int) {
        self.number = number
        _polymorphic = Polymorphic(wrappedValue: nil)
        FailingNodes.add(self)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let number = try container.decode(Int.self, forKey: .number)
        try FailingNodes.check(number, .early)
        self.number = number
        _polymorphic = Polymorphic(wrappedValue: nil)
        FailingNodes.add(self)
        publishes = try container.decode(Bool.self, forKey: .publishes)
        if publishes { decoder.publish(self) }
        plain = try container.decodeIfPresent(Knot.self, forKey: .plain)
        list = try container.decode([Knot].self, forKey: .list)
        weakly = try container.decodeIfPresent(Knot.self, forKey: .weakly)
        _polymorphic = try container.decode(Polymorphic<(any KnotProtocol)?>.self, forKey: .polymorphic)
        _defaulted = try container.decode(Default<NoKnots>.self, forKey: .defaulted)
        _reference = try container.decode(Reference<Knot>.self, forKey: .reference)
        _references = try container.decode(References<[Knot]>.self, forKey: .references)
        _named = try container.decode(References<[String: Knot]>.self, forKey: .named)
        _weakReference = try container.decode(WeakReference<Knot>.self, forKey: .weakReference)
        _part = try container.decode(Deferred<Knot?>.self, forKey: .part)
        _partList = try container.decode(Deferred<[Knot]>.self, forKey: .partList)
        _coded = try container.decode(Coded<Cell?>.self, forKey: .coded)
        try FailingNodes.check(number, .late)
    }

    deinit { FailingNodes.remove(self) }

    var retained: [[any FailingNode]] {
        [
            plain.map { [$0] } ?? [], list, (polymorphic as? Knot).map { [$0] } ?? [], defaulted,
            reference.map { [$0] } ?? [], references, named.sorted { $0.key < $1.key }.map(\.value),
            coded.map { [$0] } ?? [],
        ]
    }

    var observed: [(any FailingNode)?] { [weakly, weakReference] }

    var archivedObserved: [any FailingNode] { weakly.map { [$0] } ?? [] }

    func parts(_ failed: (any Error) throws -> Void) throws -> [[any FailingNode]] {
        var loaded: [[any FailingNode]] = [[], []]
        do {
            try $part.load()
            loaded[0] = part.map { [$0] } ?? []
        } catch {
            try failed(error)
        }
        do {
            try $partList.load()
            loaded[1] = partList
        } catch {
            try failed(error)
        }
        return loaded
    }

    func clear() {
        (plain, list, polymorphic, defaulted) = (nil, [], nil, [])
        (reference, references, named, part, partList, coded) = (nil, [], [:], nil, [], nil)
    }
}

// MARK: - A Coding class

final class Cell: Coding, FailingNode {
    let number: Int
    var publishes = false
    var plain: Cell?
    var list: [Cell] = []
    @Reference var reference: Cell?
    var knots: [Knot] = []
    private let token = FailingNodes.Token()

    init(_ number: Int) {
        self.number = number
        FailingNodes.add(self)
    }

    init(coder: KeyedUnarchiver) throws {
        let number = try coder.decodeInteger(forKey: "number")
        try FailingNodes.check(number, .early)
        self.number = number
        FailingNodes.add(self)
        publishes = try coder.decodeBool(forKey: "publishes")
        if publishes { coder.publish(self) }
        plain = try coder.decodeIfPresent(Cell.self, forKey: "plain")
        list = try coder.decode([Cell].self, forKey: "list")
        _reference = try coder.decode(Reference<Cell>.self, forKey: "reference")
        knots = try coder.decode([Knot].self, forKey: "knots")
        try FailingNodes.check(number, .late)
    }

    deinit { FailingNodes.remove(self) }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(number, forKey: "number")
        coder.encode(publishes, forKey: "publishes")
        try coder.encode(plain, forKey: "plain")
        try coder.encode(list, forKey: "list")
        try coder.encode(reference, forKey: "reference")
        try coder.encode(knots, forKey: "knots")
    }

    var retained: [[any FailingNode]] {
        [plain.map { [$0] } ?? [], list, reference.map { [$0] } ?? [], knots]
    }

    var observed: [(any FailingNode)?] { [] }

    var archivedObserved: [any FailingNode] { [] }

    func parts(_ failed: (any Error) throws -> Void) throws -> [[any FailingNode]] { [] }

    func clear() { (plain, list, reference, knots) = (nil, [], nil, []) }
}

// MARK: - Graphs

/// A graph of up to eight instances, with references of some kinds from any to any.
struct FailingGraph {
    let nodes: [any FailingNode]

    /// - Parameter edges: The kinds of references. Of those, the graph has up to three.
    init(_ edges: [FailingEdge], publishes: Bool, using generator: inout SeededGenerator) {
        let count = Int.random(in: 1...8, using: &generator)
        let edges = edges.shuffled(using: &generator).prefix(3)
        let knotCount = edges.contains { $0.isCoded } ? (count + 1) / 2 : count
        let knots = (0..<knotCount).map { Knot($0 + 1) }
        let cells = (knotCount..<count).map { Cell($0 + 1) }
        nodes = knots + cells
        for knot in knots {
            knot.publishes = publishes && generator.once(in: 2)
            for edge in edges { knot.add(edge, knots, cells, using: &generator) }
        }
        for cell in cells {
            cell.publishes = publishes && generator.once(in: 2)
            for edge in edges { cell.add(edge, knots, cells, using: &generator) }
        }
    }

    func clear() {
        for node in nodes { node.clear() }
    }
}

extension FailingEdge {
    fileprivate var isCoded: Bool {
        switch self {
        case .coded, .codedPlain, .codedList, .codedReference, .codedKnot: true
        default: false
        }
    }
}

extension Knot {
    fileprivate func add(
        _ edge: FailingEdge, _ knots: [Knot], _ cells: [Cell], using generator: inout SeededGenerator
    ) {
        switch edge {
        // Plain single references lead to earlier instances.
        case .plain: plain = generator.perhaps(Array(knots[..<(number - 1)]))
        case .list: list = generator.few(knots)
        case .weakly: weakly = generator.perhaps(Array(knots[..<(number - 1)]))
        case .polymorphic: polymorphic = generator.perhaps(Array(knots[..<(number - 1)]))
        case .defaulted: defaulted = generator.few(knots)
        case .reference: reference = generator.perhaps(knots)
        case .references: references = generator.few(knots)
        case .named: for knot in generator.few(knots) { named["\(knot.number)"] = knot }
        case .weakReference: weakReference = generator.perhaps(knots)
        case .part: part = generator.perhaps(knots)
        case .partList: partList = generator.few(knots)
        case .coded, .codedPlain, .codedList, .codedReference, .codedKnot: coded = generator.perhaps(cells)
        }
    }
}

extension Cell {
    fileprivate func add(
        _ edge: FailingEdge, _ knots: [Knot], _ cells: [Cell], using generator: inout SeededGenerator
    ) {
        switch edge {
        case .codedPlain: plain = generator.perhaps(cells.filter { $0.number < number })
        case .codedList: list = generator.few(cells)
        case .codedReference: reference = generator.perhaps(cells)
        case .codedKnot: self.knots = generator.few(knots)
        default: break
        }
    }
}

// MARK: - The shape

/// What can be reached from a root, in text that is equal for graphs with the same shape.
struct FailingShape {
    private(set) var nodes: [any FailingNode] = []
    private(set) var text = ""

    /// - Parameters:
    ///   - followsObserved: Whether the instances in weak properties that are archived belong to it.
    ///   - parts: Returns the instances in the parts of an instance; nil if parts do not belong to the shape.
    init(
        _ root: any FailingNode, followsObserved: Bool = false,
        parts: ((any FailingNode) throws -> [[any FailingNode]])? = nil
    ) rethrows {
        var known: Set<ObjectIdentifier> = []
        func visit(_ node: any FailingNode) {
            if known.insert(ObjectIdentifier(node)).inserted { nodes.append(node) }
        }
        visit(root)
        var lists: [[[any FailingNode]]] = []
        while lists.count < nodes.count {
            let node = nodes[lists.count]
            let list = node.retained + (try parts?(node) ?? [])
            lists.append(list)
            for target in list.joined() { visit(target) }
            if followsObserved { node.archivedObserved.forEach(visit) }
        }
        for (node, list) in zip(nodes, lists) {
            text += "\(node.number): \(list.map { $0.map(\.number) })\n"
            // The instance in a weak property was released before the part that retains it was loaded.
            guard parts == nil else { continue }
            let observed = node.observed.map { target in
                target.flatMap { known.contains(ObjectIdentifier($0)) ? $0.number : nil } ?? 0
            }
            text += "~ \(observed)\n"
        }
    }

    func contains(_ number: Int) -> Bool { nodes.contains { $0.number == number } }
}
