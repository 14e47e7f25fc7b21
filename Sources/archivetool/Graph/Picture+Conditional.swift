// MARK: - References that lead back

extension Picture {
    /// Finds the arrows that are drawn with dashes.
    ///
    /// A file does not say which references were conditional: an object that was archived anyway is referred to by its uid,
    /// whoever refers to it. What can be told is which references lead back to an object that every way to them goes through.
    /// Such an object is archived before they are met, so that they hold nothing: a child's reference to its parent, an
    /// element's to what owns it. Those are drawn with dashes, and so are the keys that the user names.
    mutating func markConditional(_ graph: ContentGraph, _ options: PictureOptions) {
        let dominators = Dominators(boxCount: boxes.count, edges: edges.map { ($0.source, $0.target) })
        for position in edges.indices {
            let edge = edges[position]
            let isNamed = names(of: edge).contains { options.conditionalKeys.contains($0) }
            edges[position].isDashed = isNamed || dominators.dominates(edge.target, edge.source)
        }
    }

    /// Whether an arrow begins at `key`, or at the key of a class: `Animal.parent`.
    func hasReference(under key: String) -> Bool { edges.contains { names(of: $0).contains(key) } }

    private func names(of edge: Edge) -> [String] { [edge.label, "\(boxes[edge.source].title).\(edge.label)"] }
}

/// For each node of a graph that node 0 leads to, the nodes that every way from there to it goes through.
///
/// The algorithm is that of Cooper, Harvey and Kennedy: the nearest such node is found again and again from those of the
/// predecessors, in an order in which few rounds are needed.
struct Dominators {
    /// The nearest dominator of each node; nil for node 0, and for what it does not lead to.
    private var nearest: [Int?]
    /// When a walk through the tree of dominators enters and leaves each node.
    private var entered: [Int]
    private var left: [Int]

    /// - Parameter edges: Pairs of a node and one that it leads to.
    init(boxCount: Int, edges: [(source: Int, target: Int)]) {
        nearest = Array(repeating: nil, count: boxCount)
        entered = Array(repeating: 0, count: boxCount)
        left = Array(repeating: 0, count: boxCount)
        guard boxCount > 0 else { return }
        let (order, places) = Self.reversePostorder(boxCount, Adjacency(boxCount, edges))
        let predecessors = Adjacency(boxCount, edges.map { ($0.target, $0.source) })
        findNearest(order, places, predecessors)
        numberTree(order)
    }

    /// Whether every way to `node` goes through `dominator`, as it does through the node itself.
    func dominates(_ dominator: Int, _ node: Int) -> Bool {
        entered[node] > 0 && entered[dominator] > 0 && entered[dominator] <= entered[node]
            && left[node] <= left[dominator]
    }

    private mutating func findNearest(_ order: [Int], _ places: [Int], _ predecessors: Adjacency) {
        var found = Array(repeating: -1, count: order.count)
        if !order.isEmpty { found[0] = 0 }
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            for place in order.indices.dropFirst() {
                var common = -1
                for predecessor in predecessors[order[place]] {
                    let other = places[predecessor]
                    guard other >= 0, found[other] >= 0 else { continue }
                    common = common < 0 ? other : Self.common(common, other, found)
                }
                if found[place] != common {
                    found[place] = common
                    hasChanged = true
                }
            }
        }
        for place in order.indices.dropFirst() where found[place] >= 0 { nearest[order[place]] = order[found[place]] }
    }

    /// The nearest node that dominates both.
    private static func common(_ left: Int, _ right: Int, _ found: [Int]) -> Int {
        var (left, right) = (left, right)
        while left != right {
            if left > right { left = found[left] } else { right = found[right] }
        }
        return left
    }

    /// Numbers the tree, so that dominance is a comparison.
    private mutating func numberTree(_ order: [Int]) {
        var pairs: [(source: Int, target: Int)] = []
        for node in order { if let parent = nearest[node] { pairs.append((parent, node)) } }
        let children = Adjacency(nearest.count, pairs)
        var count = 0
        var stack = [(node: 0, next: 0)]
        while let (node, next) = stack.popLast() {
            if next == 0 {
                count += 1
                entered[node] = count
            }
            let below = children[node]
            if next < below.count {
                stack.append((node, next + 1))
                stack.append((below[below.startIndex + next], 0))
            } else {
                count += 1
                left[node] = count
            }
        }
    }

    /// The nodes that node 0 leads to, each in front of those that it leads to but for ways back; and the place of each node
    /// in that order, -1 where it has none.
    private static func reversePostorder(_ count: Int, _ successors: Adjacency) -> ([Int], [Int]) {
        var order: [Int] = []
        var isMet = Array(repeating: false, count: count)
        var stack = [(node: 0, next: 0)]
        isMet[0] = true
        while let (node, next) = stack.popLast() {
            let targets = successors[node]
            guard next < targets.count else {
                order.append(node)
                continue
            }
            stack.append((node, next + 1))
            let target = targets[targets.startIndex + next]
            if !isMet[target] {
                isMet[target] = true
                stack.append((target, 0))
            }
        }
        order.reverse()
        var places = Array(repeating: -1, count: count)
        for (place, node) in order.enumerated() { places[node] = place }
        return (order, places)
    }
}

/// The neighbours of all nodes of a graph, one node after the other.
struct Adjacency {
    private var starts: [Int]
    private var targets: [Int]

    /// - Parameter edges: Pairs of a node and one that it leads to, whose order stays.
    init(_ count: Int, _ edges: [(source: Int, target: Int)]) {
        starts = Array(repeating: 0, count: count + 1)
        targets = Array(repeating: 0, count: edges.count)
        for edge in edges { starts[edge.source + 1] += 1 }
        for node in 0..<count { starts[node + 1] += starts[node] }
        var next = starts
        for edge in edges {
            targets[next[edge.source]] = edge.target
            next[edge.source] += 1
        }
    }

    /// The nodes that `node` leads to.
    subscript(node: Int) -> ArraySlice<Int> { targets[starts[node]..<starts[node + 1]] }
}
