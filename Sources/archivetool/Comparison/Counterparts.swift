// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments

/// Finds which values in two containers correspond to each other.
struct Counterparts {
    let graphs: [ContentGraph]
    let hashes: [ContentHash]

    /// The positions of corresponding edges, counted from the first of a node; nil if there is no counterpart.
    typealias Pair = Sides<Int?>

    /// Elements that are compared each with each.
    private static let closeLookLimit = 64
    /// Contents of two values that count for their likeness.
    private static let alikeLimit = 32
    private static let keyLimit = 256

    init(_ graphs: [ContentGraph]) {
        self.graphs = graphs
        hashes = graphs.map { ContentHash($0) }
    }

    /// The corresponding edges of two nodes of the same shape, in order.
    func pairs(_ nodes: Sides<Int>) -> [Pair] {
        switch graphs[Side.left].nodes[nodes.left].shape {
        case .leaf: []
        case .list: listPairs(targets(nodes))
        case .set: setPairs(targets(nodes))
        case .fields, .dictionary: keyedPairs(nodes)
        }
    }

    private func targets(_ nodes: Sides<Int>) -> Sides<[Int]> {
        let lists = Side.both.map { side in graphs[side].edges(of: nodes[side]).map(\.target) }
        return Sides(lists[0], lists[1])
    }

    // MARK: Keys

    private struct Name: Hashable {
        var key: String?
        var hash = 0
        var count = 0
    }

    private func names(_ node: Int, _ side: Int) -> [Name] {
        var counts: [Name: Int] = [:]
        return graphs[side].edges(of: node).map { edge in
            var name = Name(
                key: graphs[side].key(of: edge), hash: edge.keyNode.map { hashes[side][$0, ContentHash.deep] } ?? 0)
            let count = counts[name, default: 0]
            counts[name] = count + 1
            name.count = count
            return name
        }
    }

    private func haveEqualKeys(_ nodes: Sides<Int>) -> Bool {
        let (left, right) = (graphs[Side.left].edges(of: nodes.left), graphs[Side.right].edges(of: nodes.right))
        return left.count == right.count
            && zip(left, right).allSatisfy { left, right in
                guard let key = graphs[Side.left].key(of: left) else { return false }
                return key == graphs[Side.right].key(of: right)
            }
    }

    private func keyedPairs(_ nodes: Sides<Int>) -> [Pair] {
        if haveEqualKeys(nodes) { return (0..<graphs[Side.left].edges(of: nodes.left).count).map { Pair($0, $0) } }
        var positions = Dictionary(uniqueKeysWithValues: zip(names(nodes.right, Side.right), 0...))
        let pairs = names(nodes.left, Side.left).enumerated().map { position, name in
            Pair(position, positions.removeValue(forKey: name))
        }
        return pairs + positions.values.sorted().map { Pair(nil, $0) }
    }

    // MARK: Sets

    /// Pairs equal elements, then those that differ only in deeper contents, then single elements of a class, and then
    /// containers that are alike.
    private func setPairs(_ targets: Sides<[Int]>) -> [Pair] {
        var rest = [Array(targets.left.indices), Array(targets.right.indices)]
        var partners: [Int: Int] = [:]
        for level in [ContentHash.deep, ContentHash.near, ContentHash.own] {
            let groups = Side.both.map { side in
                Dictionary(grouping: rest[side]) { hashes[side][targets[side][$0], level] }
            }
            for (hash, elements) in groups[Side.left] {
                let others = groups[Side.right][hash] ?? []
                // Several elements of a class correspond in no known way.
                guard level != ContentHash.own || elements.count == 1 && others.count == 1 else { continue }
                for (element, other) in zip(elements, others) { partners[element] = other }
            }
            let taken = Set(partners.values)
            rest[Side.left].removeAll { partners[$0] != nil }
            rest[Side.right].removeAll { taken.contains($0) }
        }
        if rest.allSatisfy({ $0.count <= Self.closeLookLimit }) {
            for position in rest[Side.left] {
                let place = rest[Side.right].firstIndex {
                    isEdited(Sides(targets.left[position], targets.right[$0]))
                }
                if let place { partners[position] = rest[Side.right].remove(at: place) }
            }
        }
        return targets.left.indices.map { Pair($0, partners[$0]) } + rest[Side.right].map { Pair(nil, $0) }
    }

    /// Whether two containers are of the same class, and half of their contents are equal.
    private func isEdited(_ nodes: Sides<Int>) -> Bool {
        let (left, right) = (graphs[Side.left], graphs[Side.right])
        return left.nodes[nodes.left].shape == right.nodes[nodes.right].shape
            && !left.nodes[nodes.left].edges.isEmpty
            && left.className(of: nodes.left) == right.className(of: nodes.right) && areAlike(nodes)
    }

    // MARK: Lists

    /// Aligns equal elements; between them elements with equal fields; and between these the most similar ones.
    private func listPairs(_ targets: Sides<[Int]>) -> [Pair] {
        var pairs: [Pair] = []
        func align(_ left: Range<Int>, _ right: Range<Int>, _ levels: ArraySlice<Int>) {
            guard let level = levels.first, !left.isEmpty, !right.isEmpty else {
                pairs += similarPairs(targets, left, right)
                return
            }
            let matches = SequenceMatches(
                of: left.map { hashes[Side.left][targets.left[$0], level] },
                right.map { hashes[Side.right][targets.right[$0], level] })
            var (leftStart, rightStart) = (left.lowerBound, right.lowerBound)
            for match in matches.pairs {
                let (leftEnd, rightEnd) = (left.lowerBound + match.old, right.lowerBound + match.new)
                align(leftStart..<leftEnd, rightStart..<rightEnd, levels.dropFirst())
                pairs.append(Pair(leftEnd, rightEnd))
                (leftStart, rightStart) = (leftEnd + 1, rightEnd + 1)
            }
            align(leftStart..<left.upperBound, rightStart..<right.upperBound, levels.dropFirst())
        }
        align(targets.left.indices, targets.right.indices, [ContentHash.deep, ContentHash.near])
        return pairs
    }

    /// Pairs the elements of stretches without equal elements: short stretches by likeness, long ones by position.
    private func similarPairs(_ targets: Sides<[Int]>, _ left: Range<Int>, _ right: Range<Int>) -> [Pair] {
        let isShort = left.count <= Self.closeLookLimit && right.count <= Self.closeLookLimit
        guard isShort, !left.isEmpty, !right.isEmpty else {
            return (0..<max(left.count, right.count)).map { offset in
                Pair(
                    offset < left.count ? left.lowerBound + offset : nil,
                    offset < right.count ? right.lowerBound + offset : nil)
            }
        }
        // The best sum of likenesses of the elements from each row and column on.
        var best = Array(repeating: Array(repeating: 0, count: right.count + 1), count: left.count + 1)
        var likenesses = best
        for row in (0..<left.count).reversed() {
            for column in (0..<right.count).reversed() {
                let likeness = likeness(
                    Sides(targets.left[left.lowerBound + row], targets.right[right.lowerBound + column]))
                likenesses[row][column] = likeness
                let paired = likeness > 0 ? likeness + best[row + 1][column + 1] : 0
                best[row][column] = max(paired, best[row + 1][column], best[row][column + 1])
            }
        }
        var pairs: [Pair] = []
        var (row, column) = (0, 0)
        while row < left.count || column < right.count {
            let (leftPosition, rightPosition) = (left.lowerBound + row, right.lowerBound + column)
            let likeness = likenesses[row][column]
            if likeness > 0, best[row][column] == likeness + best[row + 1][column + 1] {
                pairs.append(Pair(leftPosition, rightPosition))
                row += 1
                column += 1
            } else if row < left.count, column == right.count || best[row][column] == best[row + 1][column] {
                pairs.append(Pair(leftPosition, nil))
                row += 1
            } else {
                pairs.append(Pair(nil, rightPosition))
                column += 1
            }
        }
        return pairs
    }

    // MARK: Likeness

    private func likeness(_ nodes: Sides<Int>) -> Int {
        let (left, right) = (graphs[Side.left].nodes[nodes.left], graphs[Side.right].nodes[nodes.right])
        guard left.shape == right.shape else { return 0 }
        guard left.shape != .leaf else { return left.leaf.kind == right.leaf.kind ? 1 : 0 }
        guard graphs[Side.left].className(of: nodes.left) == graphs[Side.right].className(of: nodes.right) else {
            return isLikely(nodes) ? 1 : 0
        }
        return 2 + 4 * commonCount(nodes)
    }

    /// Whether at least half of the contents of two values are equal, as far as their own fields show it.
    func areAlike(_ nodes: Sides<Int>) -> Bool {
        let counts = Side.both.map { graphs[$0].nodes[nodes[$0]].edges.count }
        return 2 * commonCount(nodes) >= min(Self.alikeLimit, max(counts[0], counts[1]))
    }

    /// The number of contents of both that are equal leaves, or objects of the same class.
    private func commonCount(_ nodes: Sides<Int>) -> Int {
        let isOrdered = graphs[Side.right].nodes[nodes.right].shape != .set
        let marks = Side.both.map { side in
            graphs[side].edges(of: nodes[side]).prefix(Self.alikeLimit).enumerated().map { position, edge in
                var hasher = Hasher()
                hasher.combine(graphs[side].key(of: edge) ?? "\(isOrdered ? position : 0)")
                hasher.combine(hashes[side][edge.target, ContentHash.own])
                return hasher.finalize()
            }
        }
        let known = Set(marks[Side.right])
        return marks[Side.left].count { known.contains($0) }
    }

    /// Whether two objects of different classes may be one whose class was renamed: they are collections of the same shape,
    /// or at least half of their keys are equal.
    func isLikely(_ nodes: Sides<Int>) -> Bool {
        let shape = graphs[Side.left].nodes[nodes.left].shape
        guard shape == graphs[Side.right].nodes[nodes.right].shape else { return false }
        guard shape == .fields else { return true }
        let keys = Side.both.map { side in
            Set(graphs[side].edges(of: nodes[side]).prefix(Self.keyLimit).map { graphs[side].key(of: $0) })
        }
        return 2 * keys[0].intersection(keys[1]).count >= max(keys[0].count, keys[1].count)
    }
}

/// Hashes of the contents of nodes up to some levels deep, which find corresponding nodes of two graphs.
struct ContentHash {
    /// The hashes by level. Level 0 is the class or the value of a node; each further level adds a level of contents.
    private var levels: [[Int]]
    /// For each node the hash of its class and of the leaves in it, without objects.
    private(set) var leaves: [Int]

    /// The level of values that are almost certainly equal.
    static let deep = 3
    /// The level of a value and its own fields.
    static let near = 1
    /// The level of a class, or of the value of a leaf.
    static let own = 0

    init(_ graph: ContentGraph) {
        let keys = graph.keys.map { $0.hashValue }
        let own = graph.nodes.map { Self.own($0, graph) }
        leaves = own
        for node in graph.nodes.indices where graph.nodes[node].shape != .leaf {
            for edge in graph.edges(of: node) where graph.nodes[edge.target].shape == .leaf {
                var hasher = Hasher()
                hasher.combine(edge.key.map { keys[$0] } ?? 0)
                hasher.combine(own[edge.target])
                leaves[node] &+= hasher.finalize()
            }
        }
        levels = [own]
        for level in 1...Self.deep {
            let below = levels[level - 1]
            var hashes = below
            for node in graph.nodes.indices where graph.nodes[node].shape != .leaf {
                var hasher = Hasher()
                hasher.combine(levels[0][node])
                let isOrdered = graph.nodes[node].shape == .list
                // A sum does not depend on the order.
                var sum = 0
                for edge in graph.edges(of: node) {
                    var inner = Hasher()
                    inner.combine(edge.key.map { keys[$0] } ?? edge.keyNode.map { below[$0] } ?? 0)
                    inner.combine(below[edge.target])
                    let hash = inner.finalize()
                    if isOrdered { hasher.combine(hash) } else { sum &+= hash }
                }
                hasher.combine(sum)
                hashes[node] = hasher.finalize()
            }
            levels.append(hashes)
        }
    }

    subscript(node: Int, level: Int) -> Int { levels[level][node] }

    private static func own(_ node: ContentGraph.Node, _ graph: ContentGraph) -> Int {
        var hasher = Hasher()
        hasher.combine(node.shape)
        if let classIndex = node.classIndex { hasher.combine(graph.classes[classIndex].name) }
        if node.shape == .leaf { node.leaf.hash(into: &hasher) }
        return hasher.finalize()
    }
}

extension Hasher {
    fileprivate mutating func combine(bytesOf text: String) {
        var word: UInt64 = 0
        var count = 0
        for byte in text.utf8 {
            word = word << 8 | UInt64(byte)
            count += 1
            if count & 7 == 0 { combine(word) }
        }
        combine(word)
        combine(count)
    }
}

extension ContentGraph.Leaf: Hashable {
    func hash(into hasher: inout Hasher) {
        switch self {
        case .null, .nullObject: hasher.combine(0)
        case .boolean(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .real(let value, _): hasher.combine(value.isNaN ? Double.nan.bitPattern : value.bitPattern)
        // By bytes, since canonically equivalent texts are not equal here.
        case .string(let value), .damage(let value): hasher.combine(bytesOf: value)
        case .data(let value): hasher.combine(value)
        // Whole seconds, as in XML.
        case .date(let value): hasher.combine(value.rounded(.down))
        case .uid(let value): hasher.combine(value)
        case .named(let name, let value):
            hasher.combine(name)
            for byte in value.utf8 { hasher.combine(byte) }
        case .bytes(_, let value): hasher.combine(value)
        }
    }
}
