// MARK: - Places

extension Comparison {
    /// A step on one side.
    struct Step: Equatable {
        /// The key; nil for a position.
        var key: String?
        var position: Int
        /// Whether it is the value of an entry whose key is no string.
        var isEntry = false
    }

    /// Which graph a way is through.
    enum Side { case left, right }

    /// How one gets to a place.
    struct Way {
        /// The steps; of a long way only the last ones.
        var steps: [Step] = []
        /// The node that a long way begins at; nil for one from the top.
        var start: Int?
    }

    /// Steps of a way that are told. In a chain of many objects, all ways together would be far longer than the file.
    private static let stepLimit = 64

    /// The way to a place, on the side where it is; on `side` where it is on both.
    func way(to place: Place, on side: Side = .left) -> Way {
        var way = Way()
        var next = place
        while let visit = next.visit {
            let isLeft = side == .left ? next.left != nil : next.right == nil
            let (graph, node, position) =
                isLeft ? (left, visits[visit].left, next.left ?? 0) : (right, visits[visit].right, next.right ?? 0)
            switch graph.step(from: node, at: position) {
            case .key(let key): way.steps.append(Step(key: key, position: position))
            case .index(let position):
                way.steps.append(Step(position: position, isEntry: graph.nodes[node].shape == .dictionary))
            }
            next = visits[visit].place
            if way.steps.count == Self.stepLimit, next.visit != nil {
                way.start = side == .left ? visits[visit].left : visits[visit].right
                break
            }
        }
        way.steps.reverse()
        return way
    }

    /// The place of an object that was met, for what is said of one that was added or removed.
    func knownPlace(of node: Int, on side: Side) -> Place? { side == .left ? leftPlace[node] : rightPlace[node] }

    /// The differences in the order of the left file. What is only on the right stands where it would be in a list, and behind
    /// all others elsewhere.
    var ordered: [Difference] {
        // The differences below each visit, and the visits below each.
        let order = TreeOrder(visits.map { $0.place.visit }, differences.map { $0.place.visit }).order {
            first, second in
            rank(first) < rank(second)
        }
        return order.map { differences[$0] }

        func rank(_ item: TreeOrder.Item) -> (Int, Int) {
            switch item {
            case .leaf(let difference): (differences[difference].place.order, 0)
            case .branch(let visit): (visits[visit].place.order, 1)
            }
        }
    }
}
