// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Synchronization

/// The places of the values of a merge, for conflicts and changes, which refer to them.
///
/// The first places are those of the objects of the base, on a shortest path from its top. Values without identity have further ones.
final class MergePlaces: Sendable {
    private struct Place {
        /// The place of the owner; -1 for the top.
        var parent = -1
        var step = KeyedArchive.Path.Step.index(0)
    }

    private let graph: MergeGraph
    private let places: Mutex<[Place]>

    init(_ graph: MergeGraph) {
        self.graph = graph
        let base = graph.sides.base
        var places = [Place](repeating: Place(), count: base.surroundings + 1)
        var isVisited = [Bool](repeating: false, count: base.values.count)
        var queue = [base.top, base.surroundings]
        for value in queue { isVisited[value] = true }
        var next = 0
        while next < queue.count {
            let owner = queue[next]
            next += 1
            for (step, value) in graph.steps(in: owner) {
                // What is inside of a value without parts, such as an attributed string, is at the place of that value.
                var parts = [value]
                while let part = parts.popLast() {
                    guard !isVisited[part] else { continue }
                    isVisited[part] = true
                    if base.isObject(part) { places[part] = Place(parent: owner, step: step) }
                    if base.contents[part] == nil { parts += base.children(of: part) } else { queue.append(part) }
                }
            }
        }
        self.places = Mutex(places)
    }

    /// Adds the place of a part of the value at `parent`.
    func add(_ step: KeyedArchive.Path.Step, in parent: Int) -> Int {
        places.withLock { places in
            places.append(Place(parent: parent, step: step))
            return places.count - 1
        }
    }

    func path(to place: Int) -> KeyedArchive.Path {
        places.withLock { places in
            var steps: [KeyedArchive.Path.Step] = []
            var place = place
            while places[place].parent >= 0 {
                steps.append(places[place].step)
                place = places[place].parent
            }
            return KeyedArchive.Path(steps.reversed())
        }
    }

    /// The values of an archive for people.
    func value(_ value: Int?, _ origin: MergeOrigin, in owner: Int?, under key: String?) -> KeyedArchive.Value? {
        guard let value else { return nil }
        let side = graph.sides[origin]
        if side.isObject(value) { return side.archive[uid: UInt32(truncatingIfNeeded: value)] }
        guard side.forms[value] != .null else { return side.archive[uid: 0] }
        guard let key, let owner else { return nil }
        return side.isObject(owner)
            ? side.archive[uid: UInt32(truncatingIfNeeded: owner)][key] : side.archive.top[key]
    }

    func className(of owner: Triple<Int?>) -> String? {
        for origin in MergeOrigin.allCases {
            guard let value = owner[origin], graph.sides[origin].classes[value] != 0 else { continue }
            return graph.names[graph.sides[origin].classes[value]]
        }
        return nil
    }

    /// The text of the key of an entry of a dictionary.
    func keyText(_ row: MergeRow) -> String? {
        for origin in MergeOrigin.allCases {
            guard let key = row.keys[origin] else { continue }
            return graph.text(key, origin) ?? value(key, origin, in: nil, under: nil)?.description
        }
        return nil
    }
}

extension MergeGraph {
    /// The values in an object of the base, with the steps to them.
    fileprivate func steps(in owner: Int) -> [(step: KeyedArchive.Path.Step, value: Int)] {
        switch contents(owner, .base) {
        case .record(let fields)?: return fields.map { (.key(names[$0.key]), $0.value) }
        case .list(let elements)?, .set(let elements)?: return elements.enumerated().map { (.index($0), $1) }
        case .dictionary(let entries)?:
            return entries.enumerated().flatMap { position, entry in
                let step = text(entry.key, .base).map { KeyedArchive.Path.Step.key($0) } ?? .index(position)
                return [(step, entry.value), (step, entry.key)]
            }
        case nil: return []
        }
    }
}
