/// Finds which values inside of two containers belong together.
struct Counterparts {
    let left: ContentGraph
    let right: ContentGraph
    let leftHash: ContentHash
    let rightHash: ContentHash

    /// What belongs together: the positions of edges, counted from the first of a node. Nil stands for nothing.
    typealias Pair = (left: Int?, right: Int?)

    /// Elements of a stretch that are compared each with each.
    private static let closeLookLimit = 64
    /// Fields of two values that are looked at to say how alike they are.
    private static let alikeLimit = 32
    /// Keys of two objects that are looked at to say whether their classes may be the same.
    private static let keyLimit = 256

    init(_ left: ContentGraph, _ right: ContentGraph) {
        self.left = left
        self.right = right
        leftHash = ContentHash(left)
        rightHash = ContentHash(right)
    }

    /// The counterparts of what is in two nodes of the same shape.
    ///
    /// - Returns: The pairs, in order; and whether two lists were too different to be aligned, so that their elements were
    ///   taken in the order in which they stand.
    func pairs(_ leftNode: Int, _ rightNode: Int) -> (pairs: [Pair], isByPosition: Bool) {
        switch left.nodes[leftNode].shape {
        case .leaf: ([], false)
        case .list: listPairs(leftNode, rightNode)
        case .set: (setPairs(leftNode, rightNode), false)
        case .fields, .dictionary: (keyedPairs(leftNode, rightNode), false)
        }
    }
}

// MARK: - Keys

extension Counterparts {
    private enum Name: Hashable {
        /// A key, and how many equal ones are in front of it.
        case key(String, Int)
        case value(Int, Int)
    }

    private func keyedPairs(_ leftNode: Int, _ rightNode: Int) -> [Pair] {
        var positions: [Name: Int] = [:]
        var seen: [Name: Int] = [:]
        func name(_ edge: ContentGraph.Edge, _ graph: ContentGraph, _ hash: ContentHash) -> Name {
            let first: Name =
                edge.key.map { .key(graph.keys[$0], 0) }
                ?? .value(edge.keyNode.map { hash[$0, ContentHash.deep] } ?? 0, 0)
            let count = seen[first, default: 0]
            seen[first] = count + 1
            return switch first {
            case .key(let key, _): .key(key, count)
            case .value(let value, _): .value(value, count)
            }
        }
        for (position, edge) in right.edges(of: rightNode).enumerated() {
            positions[name(edge, right, rightHash)] = position
        }
        seen = [:]
        var pairs: [Pair] = []
        for (position, edge) in left.edges(of: leftNode).enumerated() {
            pairs.append((position, positions.removeValue(forKey: name(edge, left, leftHash))))
        }
        return pairs + positions.values.sorted().map { (nil, $0) }
    }
}

// MARK: - Sets

extension Counterparts {
    /// Elements that are the same, then those that are the same but for what is deeper, then those that are the only ones of
    /// their class on both sides, then containers that are alike.
    private func setPairs(_ leftNode: Int, _ rightNode: Int) -> [Pair] {
        var leftRest = Array(0..<left.nodes[leftNode].edges.count)
        var rightRest = Array(0..<right.nodes[rightNode].edges.count)
        var counterparts: [Int: Int] = [:]
        for level in [ContentHash.deep, ContentHash.near, ContentHash.own] {
            var places: [Int: [Int]] = [:]
            for position in rightRest.reversed() {
                places[rightHash[target(position, of: rightNode, in: right), level], default: []].append(position)
            }
            var leftCounts: [Int: Int] = [:]
            if level == ContentHash.own {
                for position in leftRest {
                    leftCounts[leftHash[target(position, of: leftNode, in: left), level], default: 0] += 1
                }
            }
            leftRest = leftRest.filter { position in
                let hash = leftHash[target(position, of: leftNode, in: left), level]
                // Which of many with nothing in common belong together, nobody knows.
                if level == ContentHash.own, leftCounts[hash] != 1 || places[hash]?.count != 1 { return true }
                guard let found = places[hash]?.popLast() else { return true }
                counterparts[position] = found
                return false
            }
            let taken = Set(counterparts.values)
            rightRest = rightRest.filter { !taken.contains($0) }
        }
        if max(leftRest.count, rightRest.count) <= Self.closeLookLimit {
            for position in leftRest {
                let element = target(position, of: leftNode, in: left)
                let place = rightRest.firstIndex { isEdited(element, target($0, of: rightNode, in: right)) }
                if let place { counterparts[position] = rightRest.remove(at: place) }
            }
        }
        return (0..<left.nodes[leftNode].edges.count).map { ($0, counterparts[$0]) } + rightRest.map { (nil, $0) }
    }

    /// Whether two containers are of the same class, and at least half of what is in them is the same.
    private func isEdited(_ leftNode: Int, _ rightNode: Int) -> Bool {
        left.nodes[leftNode].shape == right.nodes[rightNode].shape && left.nodes[leftNode].shape != .leaf
            && !left.nodes[leftNode].edges.isEmpty && left.className(of: leftNode) == right.className(of: rightNode)
            && areAlike(leftNode, rightNode)
    }

    private func target(_ position: Int, of node: Int, in graph: ContentGraph) -> Int {
        graph.edges[graph.nodes[node].edges.lowerBound + position].target
    }
}

// MARK: - Lists

extension Counterparts {
    /// Elements that are the same are aligned; between them, those whose own fields are the same; and between these, the
    /// most alike.
    private func listPairs(_ leftNode: Int, _ rightNode: Int) -> (pairs: [Pair], isByPosition: Bool) {
        let leftTargets = left.edges(of: leftNode).map(\.target)
        let rightTargets = right.edges(of: rightNode).map(\.target)
        var isByPosition = false
        let anchors = align(
            leftTargets, rightTargets, 0..<leftTargets.count, 0..<rightTargets.count, ContentHash.deep, &isByPosition)
        var pairs: [Pair] = []
        forStretches(anchors, leftTargets.count, rightTargets.count) { leftRange, rightRange, anchor in
            let near = align(leftTargets, rightTargets, leftRange, rightRange, ContentHash.near, &isByPosition)
            let inner = near.map { ($0.left - leftRange.lowerBound, $0.right - rightRange.lowerBound) }
            forStretches(inner, leftRange.count, rightRange.count) { leftInner, rightInner, match in
                let leftPart =
                    (leftInner.lowerBound + leftRange.lowerBound)..<(leftInner.upperBound + leftRange.lowerBound)
                let rightPart =
                    (rightInner.lowerBound + rightRange.lowerBound)..<(rightInner.upperBound + rightRange.lowerBound)
                pairs += alike(leftTargets, rightTargets, leftPart, rightPart, &isByPosition)
                if let match { pairs.append((match.left + leftRange.lowerBound, match.right + rightRange.lowerBound)) }
            }
            if let anchor { pairs.append((anchor.left, anchor.right)) }
        }
        return (pairs, isByPosition)
    }

    /// Hands the stretches in front of each match and behind the last one to `body`, with the match behind them.
    private func forStretches(
        _ matches: [(left: Int, right: Int)], _ leftCount: Int, _ rightCount: Int,
        _ body: (Range<Int>, Range<Int>, (left: Int, right: Int)?) -> Void
    ) {
        var (left, right) = (0, 0)
        for match in matches {
            body(left..<match.left, right..<match.right, match)
            left = match.left + 1
            right = match.right + 1
        }
        body(left..<leftCount, right..<rightCount, nil)
    }

    private func align(
        _ leftTargets: [Int], _ rightTargets: [Int], _ leftRange: Range<Int>, _ rightRange: Range<Int>, _ level: Int,
        _ isByPosition: inout Bool
    ) -> [(left: Int, right: Int)] {
        guard !leftRange.isEmpty, !rightRange.isEmpty else { return [] }
        let matches = SequenceAlignment.matches(
            leftRange.map { leftHash[leftTargets[$0], level] }, rightRange.map { rightHash[rightTargets[$0], level] })
        guard let matches else {
            isByPosition = true
            return []
        }
        return matches.map { ($0.left + leftRange.lowerBound, $0.right + rightRange.lowerBound) }
    }

    /// Pairs the elements of a stretch in which none are the same.
    private func alike(
        _ leftTargets: [Int], _ rightTargets: [Int], _ leftRange: Range<Int>, _ rightRange: Range<Int>,
        _ isByPosition: inout Bool
    ) -> [Pair] {
        if leftRange.isEmpty { return rightRange.map { (nil, $0) } }
        if rightRange.isEmpty { return leftRange.map { ($0, nil) } }
        guard leftRange.count <= Self.closeLookLimit, rightRange.count <= Self.closeLookLimit else {
            if leftRange.count != rightRange.count { isByPosition = true }
            return (0..<max(leftRange.count, rightRange.count)).map { offset in
                (
                    offset < leftRange.count ? leftRange.lowerBound + offset : nil,
                    offset < rightRange.count ? rightRange.lowerBound + offset : nil
                )
            }
        }
        // The best sum of likenesses for what is left of both, by the first elements that are left.
        var best = Array(
            repeating: Array(repeating: 0, count: rightRange.count + 1), count: leftRange.count + 1)
        var likeness = best
        for row in (0..<leftRange.count).reversed() {
            for column in (0..<rightRange.count).reversed() {
                likeness[row][column] = self.likeness(
                    leftTargets[leftRange.lowerBound + row], rightTargets[rightRange.lowerBound + column])
                let paired = likeness[row][column] > 0 ? likeness[row][column] + best[row + 1][column + 1] : 0
                best[row][column] = max(paired, best[row + 1][column], best[row][column + 1])
            }
        }
        var pairs: [Pair] = []
        var (row, column) = (0, 0)
        while row < leftRange.count || column < rightRange.count {
            let leftPosition = leftRange.lowerBound + row
            let rightPosition = rightRange.lowerBound + column
            if row < leftRange.count, column < rightRange.count, likeness[row][column] > 0,
                best[row][column] == likeness[row][column] + best[row + 1][column + 1]
            {
                pairs.append((leftPosition, rightPosition))
                row += 1
                column += 1
            } else if row < leftRange.count, column == rightRange.count || best[row][column] == best[row + 1][column] {
                pairs.append((leftPosition, nil))
                row += 1
            } else {
                pairs.append((nil, rightPosition))
                column += 1
            }
        }
        return pairs
    }

    /// How alike two values are: 0 where they have nothing to do with each other.
    func likeness(_ leftNode: Int, _ rightNode: Int) -> Int {
        let (leftDescription, rightDescription) = (left.nodes[leftNode], right.nodes[rightNode])
        guard leftDescription.shape == rightDescription.shape else { return 0 }
        guard leftDescription.shape != .leaf else {
            return leftDescription.leaf.kind == rightDescription.leaf.kind ? 1 : 0
        }
        guard left.className(of: leftNode) == right.className(of: rightNode) else {
            return isLikely(leftNode, rightNode) ? 1 : 0
        }
        return 2 + 4 * commonCount(leftNode, rightNode)
    }

    /// Whether at least half of what is directly in two values is the same, as far as one sees without going deeper.
    func areAlike(_ leftNode: Int, _ rightNode: Int) -> Bool {
        let count = min(
            Self.alikeLimit, max(left.nodes[leftNode].edges.count, right.nodes[rightNode].edges.count))
        return 2 * commonCount(leftNode, rightNode) >= count
    }

    /// The values directly in both that are the same, or objects of the same class.
    private func commonCount(_ leftNode: Int, _ rightNode: Int) -> Int {
        let isInOrder = right.nodes[rightNode].shape != .set
        var values: Set<Int> = []
        for (position, edge) in right.edges(of: rightNode).prefix(Self.alikeLimit).enumerated() {
            values.insert(Self.mark(edge, isInOrder ? position : 0, right, rightHash))
        }
        return left.edges(of: leftNode).prefix(Self.alikeLimit).enumerated().count {
            values.contains(Self.mark($0.element, isInOrder ? $0.offset : 0, left, leftHash))
        }
    }

    private static func mark(
        _ edge: ContentGraph.Edge, _ position: Int, _ graph: ContentGraph, _ hash: ContentHash
    ) -> Int {
        var hasher = Hasher()
        hasher.combine(edge.key.map { graph.keys[$0] } ?? "\(position)")
        hasher.combine(hash[edge.target, ContentHash.own])
        return hasher.finalize()
    }

    /// Whether two objects of different classes may be one whose class has got another name: at least half of their keys are
    /// the same, or they are collections of the same shape.
    func isLikely(_ leftNode: Int, _ rightNode: Int) -> Bool {
        guard left.nodes[leftNode].shape == right.nodes[rightNode].shape else { return false }
        guard left.nodes[leftNode].shape == .fields else { return true }
        let leftKeys = Set(left.edges(of: leftNode).prefix(Self.keyLimit).map { $0.key.map { left.keys[$0] } })
        let rightKeys = Set(right.edges(of: rightNode).prefix(Self.keyLimit).map { $0.key.map { right.keys[$0] } })
        return 2 * leftKeys.intersection(rightKeys).count >= max(leftKeys.count, rightKeys.count)
    }
}
