// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// Finds the places in a graph that match a pattern.
///
/// The search visits an object once for each state of the pattern, so it ends in cycles, and takes time in proportion to the
/// objects on the paths and to the pattern. It expands the objects that it visits.
struct PlaceSearch {
    struct Hit {
        /// The visit of the node that has the edge; nil for the node at which the search begins.
        let visit: Int?
        let position: Int
        let node: Int
    }

    private struct Visit {
        let node: Int
        let origin: Int?
        let position: Int
        /// The number of steps of the pattern that have matched.
        let state: Int
    }

    private struct State: Hashable {
        let node: Int
        let state: Int
    }

    var graph: ContentGraph
    private let steps: [PlacePattern.Step]
    private var visits: [Visit] = []
    private var known: Set<State> = []
    private(set) var hits: [Hit] = []

    init(
        _ graph: ContentGraph, from start: Int, _ pattern: PlacePattern
    ) throws(ContentGraph.Refusal) {
        self.graph = graph
        steps = pattern.steps
        enter(start, 0, nil, 0)
        if steps.allSatisfy({ $0 == .anySteps }) { hits = [Hit(visit: nil, position: 0, node: start)] }
        var found: Set<Int> = []
        var next = 0
        while next < visits.count {
            let visit = visits[next]
            try self.graph.expand(visit.node)
            let first = self.graph.nodes[visit.node].edges.lowerBound
            for (position, edge) in self.graph.edges(of: visit.node).enumerated() {
                let after = states(after: visit.state, edge, position)
                let number = first + position
                if after.contains(steps.count), found.insert(number).inserted {
                    hits.append(Hit(visit: next, position: position, node: edge.target))
                }
                for state in after where state < steps.count && self.graph.nodes[edge.target].shape != .leaf {
                    enter(edge.target, state, next, position)
                }
            }
            next += 1
        }
    }

    private mutating func enter(_ node: Int, _ state: Int, _ origin: Int?, _ position: Int) {
        guard known.insert(State(node: node, state: state)).inserted else { return }
        visits.append(Visit(node: node, origin: origin, position: position, state: state))
    }

    private func states(after state: Int, _ edge: ContentGraph.Edge, _ position: Int) -> [Int] {
        var states: [Int] = []
        var state = state
        while state < steps.count {
            guard steps[state] == .anySteps else {
                if matches(steps[state], edge, position) { states.append(state + 1) }
                break
            }
            states.append(state)
            state += 1
        }
        // `.anySteps` at the end may match no step.
        return states.flatMap { state in
            steps[state...].allSatisfy { $0 == .anySteps } ? [state, steps.count] : [state]
        }
    }

    private func matches(_ step: PlacePattern.Step, _ edge: ContentGraph.Edge, _ position: Int) -> Bool {
        switch step {
        case .anySteps, .any: true
        case .position(let number): number == position
        case .text(let glob): glob.matches(graph.key(of: edge) ?? "\(position)")
        }
    }

    // MARK: Paths

    func key(of hit: Hit) -> String? {
        hit.visit.flatMap { graph.key(of: graph.edge(of: visits[$0].node, at: hit.position)) }
    }

    /// The steps to `hit` from the node at which the search begins; of a long path the last `limit` ones.
    func steps(to hit: Hit, limit: Int = .max) -> (steps: [ValuePath.Step], isCut: Bool) {
        var steps: [ValuePath.Step] = []
        var (next, position) = (hit.visit, hit.position)
        while let visit = next, steps.count < limit {
            steps.append(graph.step(from: visits[visit].node, at: position))
            (next, position) = (visits[visit].origin, visits[visit].position)
        }
        return (steps.reversed(), next != nil)
    }

    func path(to hit: Hit, isFromTop: Bool) -> String {
        let (steps, isCut) = steps(to: hit, limit: ContentGraph.stepLimit)
        let isRoot = !isCut && isFromTop && steps.count > 1 && steps.first == .name("root")
        let texts = steps.dropFirst(isRoot ? 1 : 0).map(ValuePath.text)
        return isCut
            ? "…/" + texts.joined(separator: "/") : ValuePath.text(of: texts, isFromTop: isFromTop && !isRoot)
    }
}

/// A pattern of paths: `root..animals[*].name`, or `/root/**/animals/*/name`.
///
/// In a step, `*` matches any text. A step `*` or `[*]` matches any step, and `..` or `**` any number of steps.
/// `PathScanner` has the rest of the syntax.
struct PlacePattern {
    enum Step: Equatable {
        case anySteps
        case text(Glob)
        case position(Int)
        case any
    }

    /// Whether it begins at the top, where the keys of the archiver are.
    let isFromTop: Bool
    let steps: [Step]

    static let everything = PlacePattern("/**")

    init(_ text: String) {
        isFromTop = text.first == "/" || text.hasPrefix("..")
        steps = PathScanner.steps(of: text).map { step in
            switch step {
            case .position(let position): return .position(position)
            case .anyPosition: return .any
            case .anySteps: return .anySteps
            case .text(let characters):
                let glob = Glob(parts: characters.map { $0.isWildcard ? .anything : .scalar($0.scalar) })
                guard glob.parts.allSatisfy({ $0 == .anything }) else { return .text(glob) }
                return glob.parts.count == 1 ? .any : .anySteps
            }
        }
    }
}

extension PathScanner.Character {
    fileprivate var isWildcard: Bool { scalar == "*" && !isEscaped }
}

struct Glob: Equatable {
    enum Part: Equatable {
        case anything
        case scalar(Unicode.Scalar)
    }

    let parts: [Part]

    init(parts: [Part]) { self.parts = parts }

    init(_ text: String) { parts = text.unicodeScalars.map { $0 == "*" ? .anything : .scalar($0) } }

    func matches(_ text: some StringProtocol) -> Bool {
        let scalars = Array(text.unicodeScalars)
        var (part, position) = (0, 0)
        // The last `*`, and the end of the text that it matches.
        var retry: (part: Int, position: Int)?
        while position < scalars.count {
            if part < parts.count, parts[part] == .anything {
                retry = (part, position)
                part += 1
            } else if part < parts.count, parts[part] == .scalar(scalars[position]) {
                part += 1
                position += 1
            } else if let last = retry {
                retry = (last.part, last.position + 1)
                (part, position) = (last.part + 1, last.position + 1)
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { $0 == .anything }
    }
}
