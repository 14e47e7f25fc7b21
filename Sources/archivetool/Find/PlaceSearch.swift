import Archiving

/// Finds the places in a graph that a pattern leads to.
///
/// An object that several ways lead to is looked into once for each step of the pattern that may come next there, so that
/// circles end, and all takes time in proportion to the graph and the pattern.
struct PlaceSearch {
    /// A place: an edge, or the value where the search begins.
    struct Hit {
        /// The visit of the value that it is in; nil for the value where the search begins.
        let visit: Int?
        /// The edge, by its place in the value.
        let position: Int
        let node: Int
    }

    private struct Visit {
        let node: Int
        /// How many steps of the pattern are done.
        let state: Int
        let origin: Int?
        let position: Int
    }

    private struct State: Hashable {
        let node: Int
        let state: Int
    }

    let graph: ContentGraph
    private let steps: [PlacePattern.Step]
    private var visits: [Visit] = []
    private var known: Set<State> = []
    private(set) var hits: [Hit] = []

    init(_ graph: ContentGraph, from start: Int, _ pattern: PlacePattern) {
        self.graph = graph
        steps = pattern.steps
        enter(start, 0, nil, 0)
        var found: Set<Int> = []
        var next = 0
        while next < visits.count {
            let visit = visits[next]
            for (position, edge) in graph.edges(of: visit.node).enumerated() {
                let after = states(behind: visit.state, edge, position)
                let number = graph.nodes[visit.node].edges.lowerBound + position
                if after.contains(steps.count), found.insert(number).inserted {
                    hits.append(Hit(visit: next, position: position, node: edge.target))
                }
                for state in after where graph.nodes[edge.target].shape != .leaf {
                    enter(edge.target, state, next, position)
                }
            }
            next += 1
        }
        let isWhole = steps.allSatisfy { $0 == .anySteps }
        if isWhole { hits.insert(Hit(visit: nil, position: 0, node: start), at: 0) }
    }

    private mutating func enter(_ node: Int, _ state: Int, _ origin: Int?, _ position: Int) {
        guard known.insert(State(node: node, state: state)).inserted else { return }
        visits.append(Visit(node: node, state: state, origin: origin, position: position))
    }

    /// How many steps of the pattern may be done behind `edge`, where `state` were done in front of it.
    private func states(behind state: Int, _ edge: ContentGraph.Edge, _ position: Int) -> [Int] {
        var states: [Int] = []
        var state = state
        while state < steps.count {
            guard steps[state] == .anySteps else {
                if isLike(steps[state], edge, position) { states.append(state + 1) }
                break
            }
            // It goes on, or what follows it is next.
            states.append(state)
            state += 1
        }
        // What is behind any number of steps is done as well.
        return states.flatMap { state in
            steps[state...].allSatisfy { $0 == .anySteps } ? [state, steps.count] : [state]
        }
    }

    private func isLike(_ step: PlacePattern.Step, _ edge: ContentGraph.Edge, _ position: Int) -> Bool {
        switch step {
        case .anySteps: true
        case .any: true
        case .position(let number): number == position
        case .text(let glob): glob.matches(edge.key.map { graph.keys[$0] } ?? "\(position)")
        }
    }
}

// MARK: - Ways

extension PlaceSearch {
    /// Steps of a way that are told: in a chain of many objects, all ways together would be far longer than the file.
    private static let stepLimit = 64

    /// The key of the edge that leads to `hit`; nil for a position.
    func key(of hit: Hit) -> String? {
        guard let visit = hit.visit, case .key(let key) = graph.step(from: visits[visit].node, at: hit.position) else {
            return nil
        }
        return key
    }

    /// The way to `hit`, as `--path` takes it, but for a long one, of which the end is told.
    func way(to hit: Hit, isFromTop: Bool) -> String {
        var steps: [String] = []
        var (next, position) = (hit.visit, hit.position)
        while let visit = next {
            switch graph.step(from: visits[visit].node, at: position) {
            case .key(let key): steps.append(ValuePath.escaped(key))
            case .index(let index):
                steps.append(graph.nodes[visits[visit].node].shape == .dictionary ? "[\(index)]" : "\(index)")
            }
            (next, position) = (visits[visit].origin, visits[visit].position)
            if steps.count == Self.stepLimit, next != nil { return "…/" + steps.reversed().joined(separator: "/") }
        }
        if isFromTop, steps.count > 1, steps.last == "root" {
            return steps.dropLast().reversed().joined(separator: "/")
        }
        return (isFromTop ? "/" : "") + steps.reversed().joined(separator: "/")
    }
}
