/// Puts things that hang in a tree into the order in which a walk through it meets them.
struct TreeOrder {
    /// What hangs in the tree.
    enum Item {
        /// A thing, by its position.
        case leaf(Int)
        /// A node of the tree, by its position.
        case branch(Int)
    }

    private let branchParents: [Int?]
    private let leafParents: [Int?]

    /// - Parameters:
    ///   - branchParents: For each node the one that it hangs at, which is in front of it; nil at the top.
    ///   - leafParents: For each thing the node that it hangs at.
    init(_ branchParents: [Int?], _ leafParents: [Int?]) {
        self.branchParents = branchParents
        self.leafParents = leafParents
    }

    /// The things in order: at each node those first that `isBefore` says, and those that hang at the top before all others.
    func order(_ isBefore: (Item, Item) -> Bool) -> [Int] {
        var below: [Int: [Item]] = [:]
        var top: [Item] = []
        func add(_ item: Item, at parent: Int?) {
            if let parent { below[parent, default: []].append(item) } else { top.append(item) }
        }
        // Only the nodes count that something hangs at.
        var isUsed = Array(repeating: false, count: branchParents.count)
        for (leaf, parent) in leafParents.enumerated() {
            add(.leaf(leaf), at: parent)
            var next = parent
            while let node = next, !isUsed[node] {
                isUsed[node] = true
                next = branchParents[node]
            }
        }
        for branch in branchParents.indices where isUsed[branch] { add(.branch(branch), at: branchParents[branch]) }
        var order: [Int] = []
        var stack = Array(top.reversed())
        while let item = stack.popLast() {
            switch item {
            case .leaf(let leaf): order.append(leaf)
            case .branch(let branch): stack += (below[branch] ?? []).sorted(by: isBefore).reversed()
            }
        }
        return order
    }
}
