// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Synchronization

/// The places of the values of a merge, for conflicts and changes, which refer to them.
///
/// The first places are those of the values of the base, on a shortest path from its top. Values without identity have further ones.
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
        var places = [Place](repeating: Place(), count: base.values.count)
        var isVisited = [Bool](repeating: false, count: base.values.count)
        var queue = [base.top, base.surroundings]
        for value in queue { isVisited[value] = true }
        func visit(_ value: Int, _ place: Place) {
            guard !isVisited[value] else { return }
            isVisited[value] = true
            places[value] = place
            queue.append(value)
        }
        var next = 0
        while next < queue.count {
            let owner = queue[next]
            next += 1
            for (position, part) in base.values[owner].parts.enumerated() {
                switch base.values[owner].form {
                case .record: visit(part.value, Place(parent: owner, step: .key(graph.names[part.key])))
                case .list, .set: visit(part.value, Place(parent: owner, step: .index(position)))
                case .dictionary:
                    let text = graph.text(part.key, .base)
                    let place = Place(parent: owner, step: text.map { .key($0) } ?? .index(position))
                    visit(part.value, place)
                    visit(part.key, place)
                // What is inside of a value without parts, such as an attributed string, is at the place of that value.
                case .null, .leaf, .unit: visit(part.value, places[owner])
                }
            }
        }
        self.places = Mutex(places)
    }

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

    func value(_ value: Int?, _ origin: MergeOrigin, in owner: Int?, under key: String?) -> KeyedArchive.Value? {
        guard let value else { return nil }
        let side = graph.sides[origin]
        func object(_ uid: Int) -> KeyedArchive.Value { side.archive[uid: UInt32(truncatingIfNeeded: uid)] }
        if side.isObject(value) { return object(value) }
        guard side.values[value].form != .null else { return object(0) }
        guard let key, let owner else { return nil }
        return side.isObject(owner) ? object(owner)[key] : side.archive.top[key]
    }

    func className(of owner: Triple<Int?>) -> String? {
        let numbers = MergeOrigin.allCases.lazy.compactMap { [graph] origin in
            owner[origin].map { graph.sides[origin].values[$0].className }
        }
        return numbers.first { $0 != 0 }.map { graph.names[$0] }
    }

    func keyText(_ row: MergeRow) -> String? {
        if row.key != 0 { return graph.names[row.key] }
        guard let origin = MergeOrigin.allCases.first(where: { row.keys[$0] != nil }), let key = row.keys[origin] else {
            return nil
        }
        return graph.text(key, origin) ?? value(key, origin, in: nil, under: nil)?.description
    }
}
