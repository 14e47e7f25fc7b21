// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// A tree of instances with the structure of a document: every node has a style, and a few hundred styles serve all nodes.
///
/// It has no cycles, so that every contender can encode it. Contenders without identity write a style for each reference to it.
protocol GraphNode: AnyObject {
    associatedtype Style: GraphStyle

    var name: String { get }
    var weight: Int { get }
    /// The style, an optional like most references. Every node has one.
    var style: Style? { get }
    var children: [Self] { get set }

    init(name: String, weight: Int, style: Style)
}

/// The style of many nodes.
protocol GraphStyle: AnyObject {
    var name: String { get }
    /// The components of the colour, from 0 to 1.
    var red: Double { get }
    var green: Double { get }
    var blue: Double { get }
    /// The width of a line, in points.
    var width: Int { get }

    init(name: String, red: Double, green: Double, blue: Double, width: Int)
}

// MARK: - Codable

/// A node with plain properties.
final class Node: GraphNode, Codable {
    var name: String
    var weight: Int
    var style: NodeStyle?
    var children: [Node] = []

    init(name: String, weight: Int, style: NodeStyle) {
        self.name = name
        self.weight = weight
        self.style = style
    }
}

/// The same node with references, so that instances are not decoded inside each other.
final class ReferencingNode: GraphNode, Codable {
    var name: String
    var weight: Int
    @Reference var style: NodeStyle?
    @References var children: [ReferencingNode]

    init(name: String, weight: Int, style: NodeStyle) {
        self.name = name
        self.weight = weight
        self.style = style
        children = []
    }
}

/// The style of both types of nodes.
final class NodeStyle: GraphStyle, Codable {
    var name: String
    var red: Double
    var green: Double
    var blue: Double
    var width: Int

    init(name: String, red: Double, green: Double, blue: Double, width: Int) {
        self.name = name
        self.red = red
        self.green = green
        self.blue = blue
        self.width = width
    }
}

// MARK: - Coding

/// The same node by `Coding`.
final class CodingNode: GraphNode, Coding {
    var name: String
    var weight: Int
    var style: CodingStyle?
    var children: [CodingNode] = []

    init(name: String, weight: Int, style: CodingStyle) {
        self.name = name
        self.weight = weight
        self.style = style
    }

    init(coder: KeyedUnarchiver) throws {
        name = try coder.decode(String.self, forKey: "name")
        weight = try coder.decodeInteger(forKey: "weight")
        style = try coder.decodeIfPresent(CodingStyle.self, forKey: "style")
        children = try coder.decode([CodingNode].self, forKey: "children")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(name, forKey: "name")
        coder.encode(weight, forKey: "weight")
        try coder.encode(style, forKey: "style")
        try coder.encode(children, forKey: "children")
    }
}

/// The style of a `CodingNode`.
final class CodingStyle: GraphStyle, Coding {
    var name: String
    var red: Double
    var green: Double
    var blue: Double
    var width: Int

    init(name: String, red: Double, green: Double, blue: Double, width: Int) {
        self.name = name
        self.red = red
        self.green = green
        self.blue = blue
        self.width = width
    }

    init(coder: KeyedUnarchiver) throws {
        name = try coder.decode(String.self, forKey: "name")
        red = try coder.decodeDouble(forKey: "red")
        green = try coder.decodeDouble(forKey: "green")
        blue = try coder.decodeDouble(forKey: "blue")
        width = try coder.decodeInteger(forKey: "width")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(name, forKey: "name")
        coder.encode(red, forKey: "red")
        coder.encode(green, forKey: "green")
        coder.encode(blue, forKey: "blue")
        coder.encode(width, forKey: "width")
    }
}

// MARK: - Creation

extension GraphNode {
    /// Creates a graph of `count` instances. It has up to 300 styles, at most one for ten instances. The other instances are a
    /// tree in which a node has no children or two to six. The tree has about ten levels for a hundred thousand nodes.
    static func graph(count: Int, seed: UInt64) -> Self {
        var random = SplitMix64(seed: seed)
        let styles = (0..<max(1, min(300, count / 10))).map { Style.example(number: $0, &random) }
        // Every style is used at least once.
        var unusedStyles = styles[...]

        func treeNode(_ number: Int) -> Self {
            let style = unusedStyles.popFirst() ?? random.choice(styles)
            return Self(name: "node \(number)", weight: random.integer(in: 0..<10_000), style: style)
        }

        let nodeCount = count - styles.count
        var nodes = [treeNode(0)]
        nodes.reserveCapacity(nodeCount)
        var parent = 0
        while nodes.count < nodeCount {
            let room = nodeCount - nodes.count
            for _ in 0..<min(room, random.integer(in: 2..<7)) {
                let child = treeNode(nodes.count)
                nodes[parent].children.append(child)
                nodes.append(child)
            }
            parent += 1
        }
        return nodes[0]
    }
}

extension GraphStyle {
    fileprivate static func example(number: Int, _ random: inout SplitMix64) -> Self {
        Self(
            name: "style \(number)",
            // One of 256 steps, as from a colour picker.
            red: Double(random.integer(in: 0..<256)) / 255,
            green: Double(random.integer(in: 0..<256)) / 255,
            blue: Double(random.integer(in: 0..<256)) / 255,
            width: random.integer(in: 1..<9))
    }
}

// MARK: - Comparison

extension GraphNode {
    /// Returns whether two graphs have equal contents and, if `sharing` is true, share the same instances.
    static func isFaithful(original: Self, decoded: Self, sharing: Bool) -> Bool {
        original.canonicalForm(sharing: sharing) == decoded.canonicalForm(sharing: sharing)
    }

    /// The instances in depth-first order. With `sharing`, a repeated instance is only its number in that order; otherwise its
    /// contents are repeated.
    private func canonicalForm(sharing: Bool) -> [GraphVisit] {
        var visits: [GraphVisit] = []
        var numbers: [ObjectIdentifier: Int] = [:]

        func isNew(_ object: AnyObject) -> Bool {
            guard sharing else { return true }
            if let number = numbers[ObjectIdentifier(object)] {
                visits.append(.again(number))
                return false
            }
            numbers[ObjectIdentifier(object)] = numbers.count
            return true
        }

        func walk(_ node: Self) {
            guard isNew(node) else { return }
            visits.append(.node(name: node.name, weight: node.weight, childCount: node.children.count))
            if let style = node.style, isNew(style) {
                visits.append(
                    .style(name: style.name, colour: SIMD3(style.red, style.green, style.blue), width: style.width))
            }
            for child in node.children {
                walk(child)
            }
        }

        walk(self)
        return visits
    }
}

private enum GraphVisit: Equatable {
    case node(name: String, weight: Int, childCount: Int)
    case style(name: String, colour: SIMD3<Double>, width: Int)
    case again(Int)
}
