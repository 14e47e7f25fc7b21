// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

extension SeededGenerator {
    /// True once in `count` times.
    mutating func once(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    /// One of `elements`; nil about as often as not.
    mutating func perhaps<Element>(_ elements: [Element]) -> Element? {
        once(in: 2) ? elements.randomElement(using: &self) : nil
    }

    /// None, one or two of `elements`, perhaps the same one twice.
    mutating func few<Element>(_ elements: [Element]) -> [Element] {
        (0..<Int.random(in: 0...2, using: &self)).compactMap { _ in elements.randomElement(using: &self) }
    }
}

// MARK: - Canonical form

/// An instance of a random graph, as tests look at it.
protocol GraphNode: AnyObject {
    /// What the instance holds: its values and its references, in an order that only depends on them.
    var fields: [GraphField] { get }
    /// Lets go of everything, so that cycles do not keep each other.
    func clear()
}

enum GraphField {
    case value(String)
    /// References that keep their targets.
    case strong(String, [(any GraphNode)?])
    /// References that come back only where something else keeps their targets.
    case weak(String, [(any GraphNode)?])

    static func strong(_ name: String, _ target: (any GraphNode)?) -> GraphField { .strong(name, [target]) }
    static func weak(_ name: String, _ target: (any GraphNode)?) -> GraphField { .weak(name, [target]) }

    /// The values of a dictionary, by key.
    static func strong<Node: GraphNode>(_ name: String, _ table: [String: [Node]]) -> [GraphField] {
        table.sorted { $0.key < $1.key }.map { .strong("\(name).\($0.key)", $0.value) }
    }
}

/// The shape of a graph, in text that is equal where two graphs are the same but for the addresses.
///
/// The instances are numbered breadth first from the roots on, by the references that keep their targets. Each has a line
/// with its class, its values, and, for each reference, the number of its target. A weak reference to an instance that
/// nothing keeps is one to nothing.
struct CanonicalForm: Equatable, CustomStringConvertible {
    private(set) var lines: [String] = []
    private(set) var nodes: [any GraphNode] = []

    init(_ roots: [(any GraphNode)?]) {
        var numbers: [ObjectIdentifier: Int] = [:]
        func visit(_ targets: [(any GraphNode)?]) {
            for case let target? in targets where numbers[ObjectIdentifier(target)] == nil {
                numbers[ObjectIdentifier(target)] = nodes.count
                nodes.append(target)
            }
        }
        func text(_ targets: [(any GraphNode)?]) -> String {
            targets.map { $0.flatMap { numbers[ObjectIdentifier($0)] }.map { "#\($0)" } ?? "nil" }.joined(
                separator: " ")
        }
        visit(roots)
        var next = 0
        while next < nodes.count {
            for case .strong(_, let targets) in nodes[next].fields { visit(targets) }
            next += 1
        }
        lines = ["roots: " + text(roots)]
        for (number, node) in nodes.enumerated() {
            let fields = node.fields.map {
                switch $0 {
                case .value(let value): value
                case .strong(let name, let targets): "\(name): \(text(targets))"
                case .weak(let name, let targets): "\(name)~ \(text(targets))"
                }
            }
            lines.append("#\(number) \(type(of: node)) " + fields.joined(separator: ", "))
        }
    }

    static func == (left: CanonicalForm, right: CanonicalForm) -> Bool { left.lines == right.lines }

    var description: String { lines.joined(separator: "\n") }

    /// Takes the graph apart.
    func clear() {
        for node in nodes { node.clear() }
    }
}

// MARK: - Graphs

/// The root of a random graph.
protocol RandomGraph: Codable {
    associatedtype Node: GraphNode

    /// A graph of `count` instances, with references from any to any.
    static func random(_ count: Int, using generator: inout SeededGenerator) -> Self
    /// The classes that are found by name.
    static var classes: [any Any.Type] { get }
    var roots: [Node?] { get }
}

extension RandomGraph {
    var form: CanonicalForm { CanonicalForm(roots) }

    /// That the graphs of the seeds, which become larger, come back through archives, and through archives of what comes
    /// back.
    ///
    /// It ends with the first that does not.
    static func comeBack(
        _ seeds: Range<UInt64>, largest: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var encoder = ArchiveEncoder()
        var decoder = ArchiveDecoder()
        for type in classes {
            encoder.classes.register(type)
            decoder.classes.register(type)
        }
        for seed in seeds {
            var generator = SeededGenerator(state: seed)
            let growth = Int(seed - seeds.lowerBound) * largest / seeds.count
            let graph = random(1 + growth, using: &generator)
            let form = graph.form
            defer { form.clear() }
            encoder.outputFormat = seed % 4 == 1 ? .xml : .binary
            encoder.outputFormatting = seed % 4 >= 2 ? .sortedKeys : []
            do {
                let copy = try decoder.decode(Self.self, from: encoder.encode(graph))
                let copyForm = copy.form
                defer { copyForm.clear() }
                let again = try decoder.decode(Self.self, from: encoder.encode(copy))
                let againForm = again.form
                defer { againForm.clear() }
                try #require(
                    copyForm == form, "seed \(seed):\n\(form)\nbecame\n\(copyForm)", sourceLocation: sourceLocation)
                try #require(
                    againForm == form, "seed \(seed), again:\n\(form)\nbecame\n\(againForm)",
                    sourceLocation: sourceLocation)
                // The same instances, and none of the original's.
                let originals = Set(form.nodes.map { ObjectIdentifier($0) })
                try #require(
                    copyForm.nodes.allSatisfy { !originals.contains(ObjectIdentifier($0)) }, "seed \(seed)",
                    sourceLocation: sourceLocation)
            } catch let error as DecodingError {
                Issue.record("seed \(seed): \(CodingFailure(error))\n\(form)", sourceLocation: sourceLocation)
                return
            }
        }
    }
}
