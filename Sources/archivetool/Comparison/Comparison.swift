// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Compares the contents of two graphs: which values are at which places, and which of them are the same object. The storage and
/// the order of keys do not count.
///
/// The comparison visits both graphs at the same time, in breadth. Objects that meet first are counterparts; an object that meets
/// another one later is a difference. No pair is compared twice, so it ends in cycles.
struct Comparison {
    struct Difference {
        var place: Place
        var change: Change
    }

    enum Change {
        /// A node of one side that the other side does not have.
        case only(side: Int, node: Int)
        case replaced(Sides<Int>)
        /// An object of another class whose contents correspond.
        case `class`(Sides<String>)
        /// A reference to another object. The places are those of objects that have another counterpart.
        case reference(Sides<Int>, places: Sides<Place?>)
        case description(String, Sides<String>)
    }

    /// A place in both graphs. Their paths may differ, since elements may have moved.
    struct Place {
        /// The visit of the container; nil at the top.
        var visit: Int?
        /// The position of the edge; nil on a side without it.
        var edges = Sides<Int?>(nil, nil)
        var order = 0
    }

    private struct Visit {
        var nodes: Sides<Int>
        var place: Place
        /// Whether one of them is a copy of an object that has another counterpart.
        var isCopy: Bool
    }

    let graphs: [ContentGraph]
    private let counterparts: Counterparts
    private let hasWholeSeconds: Bool
    private var differences: [Difference] = []
    private var visits: [Visit] = []
    /// Pairs of objects that each equal another object of the other side. They are visited after all others.
    private var postponed: [Visit] = []

    /// For each side and object the counterpart, the place where they met, and for an object without a counterpart the one
    /// that it is compared with.
    private var partners: [[Int?]]
    private var places: [[Int: Place]] = [[:], [:]]
    private var copies: [[Int: Int]] = [[:], [:]]
    private var leafHashes: [Set<Int>] = []
    private var known: Set<Sides<Int>> = []

    /// - Parameter hasWholeSeconds: Whether dates are equal if their whole seconds are, since one of the files has no others.
    init(_ left: ContentGraph, _ right: ContentGraph, hasWholeSeconds: Bool = false) throws(TooMuch) {
        graphs = [left, right]
        self.hasWholeSeconds = hasWholeSeconds
        counterparts = Counterparts(graphs)
        partners = graphs.map { Array(repeating: nil, count: $0.nodes.count) }
        for (graph, hash) in zip(graphs, counterparts.hashes) {
            leafHashes.append(Set(graph.nodes.indices.filter { graph.isIdentifiable($0) }.map { hash.leaves[$0] }))
        }
        compare(Sides(0, 0), at: Place(), isCopy: false)
        let limit = 1_000_000 + 8 * (left.nodes.count + right.nodes.count)
        var (next, nextPostponed) = (0, 0)
        while next < visits.count || nextPostponed < postponed.count {
            guard visits.count <= limit, postponed.count <= limit else { throw TooMuch(limit: limit) }
            if next < visits.count {
                compareContents(next)
                next += 1
            } else {
                visit(postponed[nextPostponed])
                nextPostponed += 1
            }
        }
        compareClasses()
    }

    /// Files that share values in so many ways that there are too many pairs for their sizes.
    struct TooMuch: Error, CustomStringConvertible {
        let limit: Int
        var description: String {
            "there are more than \(limit) pairs of values to compare, which is out of proportion to the files"
        }
    }
}

// MARK: - Pairs

extension Comparison {
    private mutating func compareContents(_ visit: Int) {
        let nodes = visits[visit].nodes
        for (order, pair) in counterparts.pairs(nodes).enumerated() {
            let place = Place(visit: visit, edges: pair, order: order)
            let targets = Side.both.map { side in
                pair[side].map { graphs[side].edge(of: nodes[side], at: $0).target }
            }
            switch (targets[Side.left], targets[Side.right]) {
            case (let left?, let right?): compare(Sides(left, right), at: place, isCopy: visits[visit].isCopy)
            case (let left?, nil): report(place, .only(side: Side.left, node: left))
            case (nil, let right?): report(place, .only(side: Side.right, node: right))
            case (nil, nil): break
            }
        }
    }

    private mutating func report(_ place: Place, _ change: Change) {
        differences.append(Difference(place: place, change: change))
    }

    private func classNames(_ nodes: Sides<Int>) -> Sides<String?> {
        Sides(graphs[Side.left].className(of: nodes.left), graphs[Side.right].className(of: nodes.right))
    }

    private func areIdentifiable(_ nodes: Sides<Int>) -> Bool {
        Side.both.allSatisfy { graphs[$0].isIdentifiable(nodes[$0]) }
    }

    private mutating func compare(_ nodes: Sides<Int>, at place: Place, isCopy: Bool) {
        let (left, right) = (graphs[Side.left].nodes[nodes.left], graphs[Side.right].nodes[nodes.right])
        if left.shape == .leaf, right.shape == .leaf {
            if !areEqual(left.leaf, right.leaf) { report(place, .replaced(nodes)) }
            return
        }
        let names = classNames(nodes)
        func mayBeRenamed() -> Bool { names.left != nil && names.right != nil && counterparts.isLikely(nodes) }
        guard left.shape == right.shape, names.left == names.right || mayBeRenamed() else {
            return report(place, .replaced(nodes))
        }
        let pair = Visit(nodes: nodes, place: place, isCopy: isCopy)
        if areIdentifiable(nodes), equalOthers(nodes) { postponed.append(pair) } else { visit(pair) }
    }

    private func areEqual(_ left: ContentGraph.Leaf, _ right: ContentGraph.Leaf) -> Bool {
        if hasWholeSeconds, case .date(let left) = left, case .date(let right) = right {
            return left.rounded(.down) == right.rounded(.down)
        }
        return left == right
    }

    /// Whether one of two different objects has no counterpart yet, and equals another object of the other side: then a
    /// reference has changed, and the objects meet their counterparts elsewhere.
    private func equalOthers(_ nodes: Sides<Int>) -> Bool {
        let hashes = Side.both.map { counterparts.hashes[$0].leaves[nodes[$0]] }
        return hashes[0] != hashes[1]
            && Side.both.contains { partners[$0][nodes[$0]] == nil && leafHashes[1 - $0].contains(hashes[$0]) }
    }

    private mutating func visit(_ pair: Visit) {
        var pair = pair
        if areIdentifiable(pair.nodes) {
            guard let isCopy = meet(pair) else { return }
            pair.isCopy = isCopy
        } else {
            guard known.insert(pair.nodes).inserted else { return }
        }
        visits.append(pair)
        let names = classNames(pair.nodes)
        if let left = names.left, let right = names.right, left != right {
            report(pair.place, .class(Sides(left, right)))
        }
    }

    /// Whether one of two objects is a copy of the other's counterpart; nil if their contents are compared elsewhere.
    private mutating func meet(_ pair: Visit) -> Bool? {
        let nodes = pair.nodes
        switch (partners[Side.left][nodes.left], partners[Side.right][nodes.right]) {
        case (nil, nil):
            for side in Side.both {
                partners[side][nodes[side]] = nodes[1 - side]
                places[side][nodes[side]] = pair.place
            }
            return pair.isCopy
        case (nodes.right?, _): return nil
        case (_?, _?):
            report(
                pair.place,
                .reference(nodes, places: Sides(places[Side.left][nodes.left], places[Side.right][nodes.right])))
            return nil
        case (let left, _):
            // An object of one side, and on the other side one that is not its counterpart.
            let side = left == nil ? Side.left : Side.right
            let (copy, original) = (nodes[side], nodes[1 - side])
            guard copies[side][copy] != original else { return nil }
            let isNew = copies[side].updateValue(original, forKey: copy) == nil
            if !pair.isCopy || !isNew {
                let place = places[1 - side][original]
                report(
                    pair.place,
                    .reference(nodes, places: side == Side.left ? Sides(nil, place) : Sides(place, nil)))
            }
            if places[side][copy] == nil { places[side][copy] = pair.place }
            return isNew && (pair.isCopy || counterparts.areAlike(nodes)) ? true : nil
        }
    }

    private mutating func compareClasses() {
        let known = Dictionary(graphs[Side.right].classes.map { ($0.name, $0) }) { $1 }
        for left in graphs[Side.left].classes {
            guard let right = known[left.name] else { continue }
            func names(_ list: some Sequence<String>) -> [String] { list.map { VisibleText.name($0) } }
            for (what, lists) in [
                ("superclasses", Sides(names(left.chain.dropFirst()), names(right.chain.dropFirst()))),
                ("versions", Sides(left.versions.map { "\($0)" }, right.versions.map { "\($0)" })),
                ("fallbacks", Sides(names(left.fallbacks), names(right.fallbacks))),
            ] where lists.left != lists.right {
                let name = "\(what) of \(VisibleText.name(left.name))"
                report(Place(), .description(name, Sides(Self.list(lists.left), Self.list(lists.right))))
            }
        }
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.prefix(32).joined(separator: ", ") + (names.count > 32 ? ", …" : "")
    }
}

extension ContentGraph {
    /// Whether a reference to another equal node would be a difference. Writers may share empty collections.
    fileprivate func isIdentifiable(_ node: Int) -> Bool {
        guard nodes[node].hasIdentity else { return false }
        guard nodes[node].edges.isEmpty, nodes[node].shape != .fields, let name = className(of: node) else {
            return true
        }
        return !["NSArray", "NSSet", "NSDictionary"].contains(name)
    }
}

// MARK: - Places

extension Comparison {
    struct Path {
        /// The steps; of a long path the last ones.
        var steps: [String] = []
        /// The node at which the steps of a long path begin; nil for the top.
        var start: Int?
    }

    func path(to place: Place, on side: Int) -> Path {
        var path = Path()
        var next = place
        while let visit = next.visit {
            let own = next.edges[side] == nil ? 1 - side : side
            path.steps.append(
                ValuePath.text(graphs[own].step(from: visits[visit].nodes[own], at: next.edges[own] ?? 0)))
            next = visits[visit].place
            if path.steps.count == ContentGraph.stepLimit, next.visit != nil {
                path.start = visits[visit].nodes[side]
                break
            }
        }
        path.steps.reverse()
        return path
    }

    func knownPlace(of node: Int, on side: Int) -> Place? { places[side][node] }

    /// The differences in the order of the left file. Values of the right file are at their positions in lists, and last
    /// elsewhere.
    var ordered: [Difference] {
        // The differences and visits in each visit.
        var contents: [Int?: [(order: Int, visit: Int?, difference: Int)]] = [:]
        for (index, difference) in differences.enumerated() {
            contents[difference.place.visit, default: []].append((difference.place.order, nil, index))
        }
        for (index, visit) in visits.enumerated() {
            contents[visit.place.visit, default: []].append((visit.place.order, index, 0))
        }
        var ordered: [Difference] = []
        var stack = Array((contents[nil] ?? []).reversed())
        while let item = stack.popLast() {
            guard let visit = item.visit else {
                ordered.append(differences[item.difference])
                continue
            }
            let items = contents[visit] ?? []
            stack += items.sorted { ($0.order, $0.visit ?? -1) < ($1.order, $1.visit ?? -1) }.reversed()
        }
        return ordered
    }
}

/// The sides of a comparison, as positions in lists of two.
enum Side {
    static let left = 0
    static let right = 1
    static let both = [left, right]
}

struct Sides<Value> {
    var left: Value
    var right: Value

    init(_ left: Value, _ right: Value) {
        self.left = left
        self.right = right
    }

    subscript(side: Int) -> Value { side == Side.left ? left : right }
}

extension Sides: Equatable where Value: Equatable {}
extension Sides: Hashable where Value: Hashable {}
