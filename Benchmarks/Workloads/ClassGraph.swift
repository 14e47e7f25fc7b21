import Archiving

/// A tree of instances whose branches share some of their leaves.
///
/// There are no cycles, so that every contender can encode it; those that do not keep identity write a shared leaf as
/// often as it is referenced.
protocol GraphNode: AnyObject {
    var name: String { get }
    var weight: Int { get }
    var children: [Self] { get set }

    init(name: String, weight: Int)
}

/// A node with a plain property.
final class Node: GraphNode, Codable {
    var name: String
    var weight: Int
    var children: [Node] = []

    init(name: String, weight: Int) {
        self.name = name
        self.weight = weight
    }
}

/// The same node with references, whose instances are not decoded inside each other.
final class ReferencingNode: GraphNode, Codable {
    var name: String
    var weight: Int
    @References var children: [ReferencingNode]

    init(name: String, weight: Int) {
        self.name = name
        self.weight = weight
        children = []
    }
}

/// The same node, archived by hand.
final class CodingNode: GraphNode, Coding {
    var name: String
    var weight: Int
    var children: [CodingNode] = []

    init(name: String, weight: Int) {
        self.name = name
        self.weight = weight
    }

    init(coder: KeyedUnarchiver) throws {
        name = try coder.decode(String.self, forKey: "name")
        weight = try coder.decodeInteger(forKey: "weight")
        children = try coder.decode([CodingNode].self, forKey: "children")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(name, forKey: "name")
        coder.encode(weight, forKey: "weight")
        try coder.encode(children, forKey: "children")
    }
}

extension GraphNode {
    /// A graph of `count` instances, ten levels deep: a tree, in which one node in fifty is a shared leaf.
    ///
    /// A fifth of the tree's nodes refer to a shared leaf, so that the graph written out is 1.2 times as large.
    static func graph(count: Int, seed: UInt64) -> Self {
        var random = SplitMix64(seed: seed)
        let sharedLeaves = (0..<count / 50).map { Self(name: "shared \($0)", weight: $0 % 100) }
        // Every shared leaf is referenced at least once, whatever the dice say.
        var unusedLeaves = sharedLeaves[...]

        func treeNode(_ number: Int) -> Self {
            let node = Self(name: "node \(number)", weight: random.integer(in: 0..<10_000))
            if random.chance(percent: 20) {
                node.children.append(unusedLeaves.popFirst() ?? random.choice(sharedLeaves))
            }
            return node
        }

        var nodes = [treeNode(0)]
        var parent = 0
        while nodes.count < count - sharedLeaves.count {
            let room = count - sharedLeaves.count - nodes.count
            for _ in 0..<min(room, random.integer(in: 2..<7)) {
                let child = treeNode(nodes.count)
                nodes[parent].children.append(child)
                nodes.append(child)
            }
            parent += 1
        }
        return nodes[0]
    }

    /// Whether two graphs hold the same, and, if `sharing` is asked for, share the same.
    static func isFaithful(original: Self, decoded: Self, sharing: Bool) -> Bool {
        original.canonicalForm(sharing: sharing) == decoded.canonicalForm(sharing: sharing)
    }

    /// What a walk in depth-first order meets. With `sharing`, an instance met again is only its number in that order;
    /// without, it is written out again.
    private func canonicalForm(sharing: Bool) -> [GraphVisit] {
        var visits: [GraphVisit] = []
        var numbers: [ObjectIdentifier: Int] = [:]

        func walk(_ node: Self) {
            if sharing {
                if let number = numbers[ObjectIdentifier(node)] {
                    visits.append(.again(number))
                    return
                }
                numbers[ObjectIdentifier(node)] = numbers.count
            }
            visits.append(.first(name: node.name, weight: node.weight, childCount: node.children.count))
            for child in node.children {
                walk(child)
            }
        }

        walk(self)
        return visits
    }
}

private enum GraphVisit: Equatable {
    case first(name: String, weight: Int, childCount: Int)
    case again(Int)
}
