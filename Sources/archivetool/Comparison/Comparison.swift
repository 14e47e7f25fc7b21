/// Compares two graphs by what they say: not where objects are stored, nor in which order keys are, but which values are where,
/// and which of them are one object.
///
/// Both are gone through together, from the top, the nearest first. An object of one is the counterpart of the object of the
/// other that is met with it first; where it is met with another one later, the references differ, and that is told. Nothing
/// recurses, and no pair is compared twice, so that cycles are nothing special.
struct Comparison {
    /// A difference.
    struct Difference {
        /// Where it is.
        var place: Place
        var change: Change
    }

    /// What differs.
    enum Change {
        /// A node that is only on the right.
        case added(Int)
        /// A node that is only on the left.
        case removed(Int)
        /// A value that is another one.
        case replaced(Int, Int)
        /// An object whose class is another one, and which is the same otherwise.
        case `class`(String, String)
        /// A reference that leads to an object that is elsewhere, too: on the left to the one at the first place, on the right
        /// to the one at the second. Nil where it is an object that is met there first.
        case reference(Int, Int, left: Place?, right: Place?)
        /// What a file says about a class, or about itself.
        case description(String, String, String)
    }

    /// A place in both graphs: the ways there may differ where elements have moved.
    struct Place: Equatable {
        /// The visit of the value around it; nil for the top.
        var visit: Int?
        /// The position of the edge there, on either side; nil where it is not on that side.
        var left: Int?
        var right: Int?
        /// Which of the pairs in the value around it this is.
        var order = 0
    }

    /// Two containers that are compared.
    struct Visit {
        var left: Int
        var right: Int
        var place: Place
        /// Whether one side is a copy of an object whose counterpart is another one.
        var isCopy: Bool
    }

    let left: ContentGraph
    let right: ContentGraph
    private let counterparts: Counterparts
    private let hasWholeSeconds: Bool
    /// What was found, in the order in which it was met.
    private(set) var differences: [Difference] = []
    /// The places of lists whose elements were compared by position, since they were too different.
    private(set) var unaligned: [Place] = []

    /// The containers that are compared, in order.
    private(set) var visits: [Visit] = []
    /// For each object its counterpart, and the place where they met.
    private var leftCounterpart: [Int?]
    private var rightCounterpart: [Int?]
    private(set) var leftPlace: [Int: Place] = [:]
    private(set) var rightPlace: [Int: Place] = [:]
    /// The object that one without a counterpart of its own is compared with.
    private var leftCopies: [Int: Int] = [:]
    private var rightCopies: [Int: Int] = [:]
    /// Objects that were met, but are each like another object of the other side: they wait until those have been met.
    private var postponed: [Visit] = []
    /// The leaves of the objects of either side.
    private var leftHashes: Set<Int> = []
    private var rightHashes: Set<Int> = []
    /// Pairs of values without identity.
    private var known: Set<ValuePair> = []

    private struct ValuePair: Hashable {
        var left: Int
        var right: Int
    }

    /// Compares `left` with `right`.
    ///
    /// - Parameter hasWholeSeconds: Whether dates are the same where their whole seconds are, since a file has no others.
    init(_ left: ContentGraph, _ right: ContentGraph, hasWholeSeconds: Bool = false) throws(TooMuch) {
        self.left = left
        self.right = right
        self.hasWholeSeconds = hasWholeSeconds
        counterparts = Counterparts(left, right)
        leftCounterpart = Array(repeating: nil, count: left.nodes.count)
        rightCounterpart = Array(repeating: nil, count: right.nodes.count)
        for node in left.nodes.indices where left.isIdentifiable(node) {
            leftHashes.insert(counterparts.leftHash.leaves[node])
        }
        for node in right.nodes.indices where right.isIdentifiable(node) {
            rightHashes.insert(counterparts.rightHash.leaves[node])
        }
        compare(0, 0, at: Place(), isCopy: false)
        try visitAll()
        compareClasses()
    }

    private mutating func visitAll() throws(TooMuch) {
        let limit = 1_000_000 + 8 * (left.nodes.count + right.nodes.count)
        var next = 0
        var nextPostponed = 0
        while true {
            guard visits.count <= limit, postponed.count <= limit else { throw TooMuch(limit: limit) }
            if next < visits.count {
                expand(next)
                next += 1
            } else if nextPostponed < postponed.count {
                let pair = postponed[nextPostponed]
                nextPostponed += 1
                visit(pair.left, pair.right, at: pair.place, isCopy: pair.isCopy)
            } else {
                return
            }
        }
    }

    /// Two files whose values are shared in ways that make more pairs than their sizes account for.
    struct TooMuch: Error, CustomStringConvertible {
        let limit: Int
        var description: String {
            "there are more than \(limit) pairs of values to compare, which is out of proportion to the files"
        }
    }
}

// MARK: - Pairs

extension Comparison {
    private mutating func expand(_ visit: Int) {
        let (leftNode, rightNode) = (visits[visit].left, visits[visit].right)
        let (pairs, isByPosition) = counterparts.pairs(leftNode, rightNode)
        if isByPosition { unaligned.append(visits[visit].place) }
        let leftStart = left.nodes[leftNode].edges.lowerBound
        let rightStart = right.nodes[rightNode].edges.lowerBound
        for (order, pair) in pairs.enumerated() {
            let place = Place(visit: visit, left: pair.left, right: pair.right, order: order)
            switch (pair.left, pair.right) {
            case (let leftEdge?, let rightEdge?):
                compare(
                    left.edges[leftStart + leftEdge].target, right.edges[rightStart + rightEdge].target, at: place,
                    isCopy: visits[visit].isCopy)
            case (let leftEdge?, nil): report(place, .removed(left.edges[leftStart + leftEdge].target))
            case (nil, let rightEdge?): report(place, .added(right.edges[rightStart + rightEdge].target))
            case (nil, nil): break
            }
        }
    }

    private mutating func report(_ place: Place, _ change: Change) {
        differences.append(Difference(place: place, change: change))
    }

    /// Compares what is directly in two nodes, and lets what is in them be compared later.
    private mutating func compare(_ leftNode: Int, _ rightNode: Int, at place: Place, isCopy: Bool) {
        let (leftValue, rightValue) = (left.nodes[leftNode], right.nodes[rightNode])
        if leftValue.shape == .leaf, rightValue.shape == .leaf {
            if !isSame(leftValue.leaf, rightValue.leaf) { report(place, .replaced(leftNode, rightNode)) }
            return
        }
        let (leftClass, rightClass) = (left.className(of: leftNode), right.className(of: rightNode))
        guard leftValue.shape == rightValue.shape,
            leftClass == rightClass
                || leftClass != nil && rightClass != nil && counterparts.isLikely(leftNode, rightNode)
        else { return report(place, .replaced(leftNode, rightNode)) }
        if left.isIdentifiable(leftNode), right.isIdentifiable(rightNode), isLikeAnother(leftNode, rightNode) {
            postponed.append(Visit(left: leftNode, right: rightNode, place: place, isCopy: isCopy))
        } else {
            visit(leftNode, rightNode, at: place, isCopy: isCopy)
        }
    }

    /// Whether one of two objects that differ, and which has not been met before, is like another one of the other side: a
    /// reference that has been changed leads here, and the object is met elsewhere, where it belongs.
    private func isLikeAnother(_ leftNode: Int, _ rightNode: Int) -> Bool {
        let leftHash = counterparts.leftHash.leaves[leftNode]
        let rightHash = counterparts.rightHash.leaves[rightNode]
        guard leftHash != rightHash else { return false }
        return leftCounterpart[leftNode] == nil && rightHashes.contains(leftHash)
            || rightCounterpart[rightNode] == nil && leftHashes.contains(rightHash)
    }

    /// Lets what is in two containers be compared, unless it was before.
    private mutating func visit(_ leftNode: Int, _ rightNode: Int, at place: Place, isCopy: Bool) {
        var isCopy = isCopy
        if left.isIdentifiable(leftNode), right.isIdentifiable(rightNode) {
            guard let isOther = meet(leftNode, rightNode, at: place, isCopy: isCopy) else { return }
            isCopy = isOther
        } else {
            guard known.insert(ValuePair(left: leftNode, right: rightNode)).inserted else { return }
        }
        visits.append(Visit(left: leftNode, right: rightNode, place: place, isCopy: isCopy))
        if let leftClass = left.className(of: leftNode), let rightClass = right.className(of: rightNode),
            leftClass != rightClass
        {
            report(place, .class(leftClass, rightClass))
        }
    }

    private func isSame(_ left: ContentGraph.Leaf, _ right: ContentGraph.Leaf) -> Bool {
        if hasWholeSeconds, case .date(let left) = left, case .date(let right) = right {
            return left.rounded(.down) == right.rounded(.down)
        }
        return left == right
    }

    /// Says whether what is in two objects has to be compared, and whether one of them is a copy; nil where it was, or will
    /// be, compared elsewhere.
    private mutating func meet(_ leftNode: Int, _ rightNode: Int, at place: Place, isCopy: Bool) -> Bool? {
        switch (leftCounterpart[leftNode], rightCounterpart[rightNode]) {
        case (nil, nil):
            leftCounterpart[leftNode] = rightNode
            rightCounterpart[rightNode] = leftNode
            leftPlace[leftNode] = place
            rightPlace[rightNode] = place
            return isCopy
        case (rightNode?, _): return nil
        case (.some, nil):
            // One object on the left, and on the right another one beside its counterpart.
            guard rightCopies[rightNode] != leftNode else { return nil }
            let isNew = rightCopies.updateValue(leftNode, forKey: rightNode) == nil
            if !isCopy || !isNew {
                report(place, .reference(leftNode, rightNode, left: leftPlace[leftNode], right: nil))
            }
            if rightPlace[rightNode] == nil { rightPlace[rightNode] = place }
            return isNew && (isCopy || counterparts.areAlike(leftNode, rightNode)) ? true : nil
        case (nil, .some):
            guard leftCopies[leftNode] != rightNode else { return nil }
            let isNew = leftCopies.updateValue(rightNode, forKey: leftNode) == nil
            if !isCopy || !isNew {
                report(place, .reference(leftNode, rightNode, left: nil, right: rightPlace[rightNode]))
            }
            if leftPlace[leftNode] == nil { leftPlace[leftNode] = place }
            return isNew && (isCopy || counterparts.areAlike(leftNode, rightNode)) ? true : nil
        case (.some, .some):
            report(
                place, .reference(leftNode, rightNode, left: leftPlace[leftNode], right: rightPlace[rightNode]))
            return nil
        }
    }

    /// Compares what the files say about the classes that both use.
    private mutating func compareClasses() {
        var known: [String: ContentGraph.Class] = [:]
        for described in right.classes { known[described.name] = described }
        for described in left.classes {
            guard let other = known[described.name] else { continue }
            func compare(_ what: String, _ left: [String], _ right: [String]) {
                guard left != right else { return }
                let name = "\(what) of \(VisibleText.name(described.name))"
                let (left, right) = (left, right)
                report(Place(), .description(name, Self.list(left), Self.list(right)))
            }
            func names(_ list: some Sequence<String>) -> [String] { list.map { VisibleText.name($0) } }
            compare("superclasses", names(described.chain.dropFirst()), names(other.chain.dropFirst()))
            compare("versions", described.versions.map { "\($0)" }, other.versions.map { "\($0)" })
            compare("fallbacks", names(described.fallbacks), names(other.fallbacks))
        }
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.prefix(32).joined(separator: ", ") + (names.count > 32 ? ", …" : "")
    }
}

extension ContentGraph {
    /// Whether it matters which of several nodes that are equal this one is.
    ///
    /// Writers have one empty array for all places, or one for each, as they like.
    fileprivate func isIdentifiable(_ node: Int) -> Bool {
        guard nodes[node].hasIdentity else { return false }
        guard nodes[node].edges.isEmpty, nodes[node].shape != .fields, let name = className(of: node) else {
            return true
        }
        return !["NSArray", "NSSet", "NSDictionary"].contains(name)
    }
}
