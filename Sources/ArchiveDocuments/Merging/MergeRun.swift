// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The merge of the versions of all objects, from the top to all objects that the merged archive reaches.
struct MergeRun: ~Copyable {
    /// A value and the archive that it is from.
    struct Chosen {
        let origin: MergeOrigin
        let value: MergeValue
    }

    /// The merged contents of an object.
    enum Merged {
        case record([(key: Int, value: Chosen)])
        case list([Chosen])
        case set([Chosen])
        case dictionary([(number: Int, key: Chosen, value: Chosen)])
    }

    /// The place of a reference in an object of an archive.
    private typealias Reference = (origin: MergeOrigin, position: Int)

    typealias Decision = (ArchiveMerge.Conflict) throws -> ArchiveMerge.Resolution

    let graph: MergeGraph
    /// The merged objects by node; nil for those that the merged archive has not reached.
    private(set) var merged: [Merged?]
    private let places: MergePlaces
    private let decide: Decision
    /// Whether the merged archive reaches each node, and those whose values are still to be visited.
    private var isReached: [Bool] = []
    private var queue: [Int] = []
    private var units: VisitedUnits
    private let classKey: Int
    /// For each changed archive shortest paths from the top, once they are needed.
    private var paths = Triple<[MergePaths.Step]>([], [], [])
    /// The restored references by the node that has them, which are inserted together.
    private var restored: [Int: [Reference]] = [:]

    /// The number of times that objects may be lost by the restoration of others.
    private static let roundLimit = 16

    /// - Parameter decide: Decides about conflicts, in the order of the objects from the top.
    init(_ graph: MergeGraph, _ places: MergePlaces, _ decide: @escaping Decision) throws {
        self.graph = graph
        self.places = places
        self.decide = decide
        merged = Array(repeating: nil, count: graph.nodes.count)
        units = VisitedUnits(graph.sides)
        classKey = graph.classKey
        var reported = BitSet(count: graph.nodes.count)
        for _ in 0..<Self.roundLimit {
            try walk()
            guard try keepChangedObjects(&reported) else { return }
            insertRestored()
        }
        throw KeyedArchiveError(.limit(.init("restored objects"), Self.roundLimit))
    }

    /// Merges all objects that the merged archive reaches.
    private mutating func walk() throws {
        isReached = Array(repeating: false, count: graph.nodes.count)
        units = VisitedUnits(graph.sides)
        reach(MergeGraph.top)
        reach(MergeGraph.surroundings)
        try mergeReached()
    }

    private mutating func reach(_ node: Int) {
        guard !isReached[node] else { return }
        isReached[node] = true
        queue.append(node)
    }

    private mutating func reach(partsOf chosen: Chosen) {
        var parts: [Int] = []
        units.visit(chosen.value, graph.sides[chosen.origin], chosen.origin) { parts.append($0) }
        for uid in parts {
            if let node = graph.node(ofObject: uid, chosen.origin) { reach(node) }
        }
    }

    private mutating func mergeReached() throws {
        var next = 0
        while next < queue.count {
            let node = queue[next]
            next += 1
            let contents = try merged[node] ?? mergedContents(of: node)
            merged[node] = contents
            for chosen in contents.values { reach(partsOf: chosen) }
        }
        queue = []
    }
}

extension MergeRun.Merged {
    /// The values, and the keys of a dictionary.
    var values: [MergeRun.Chosen] {
        switch self {
        case .record(let fields): fields.map(\.value)
        case .list(let elements), .set(let elements): elements
        case .dictionary(let entries): entries.flatMap { [$0.key, $0.value] }
        }
    }
}

// MARK: - Objects

extension MergeRun {
    private func mergedContents(of node: Int) throws -> Merged {
        if graph.isRecord(node) { return .record(try mergedFields(of: node)) }
        switch graph.contents(node) {
        case .list?: return .list(try mergedList(node))
        case .set?: return .set(mergedSet(node))
        case .dictionary?: return .dictionary(try mergedEntries(of: node))
        default: return .record([])
        }
    }

    /// The only archive whose contents count, if an object is not in all of them.
    private func singleOrigin(_ node: Int) -> MergeOrigin? {
        let known = graph.nodes[node]
        guard known.isIn(.base), known.isIn(.mine), known.isIn(.theirs) else {
            return known.isIn(.mine) ? .mine : known.isIn(.theirs) ? .theirs : .base
        }
        return nil
    }

    /// Returns the archive whose value is taken; nil if both have changed it to different ones.
    private func origin(of row: MergeGraph.Row) -> MergeOrigin? {
        let atoms = graph.atoms(row)
        if atoms.mine == atoms.base { return atoms.theirs == atoms.base ? .base : .theirs }
        if atoms.theirs == atoms.base || atoms.theirs == atoms.mine { return .mine }
        // Both may have added equal collections.
        guard let mine = row.values.mine, let theirs = row.values.theirs else { return nil }
        return graph.sides.mine.number(of: mine) == graph.sides.theirs.number(of: theirs) ? .mine : nil
    }

    private func mergedFields(of node: Int) throws -> [(key: Int, value: Chosen)] {
        let rows = graph.rows(of: node)
        let single = singleOrigin(node)
        let isMixed = single == nil && mixesClasses(rows)
        var fields: [(key: Int, value: Chosen)] = []
        var last: (key: Int, value: Chosen)?
        for row in rows {
            var origin = single ?? origin(of: row)
            if isMixed, row.key == classKey { origin = nil }
            let chosen = try origin ?? decided(row, node, graph.names[row.key])
            guard let value = row.values[chosen] else { continue }
            let field = (row.key, Chosen(origin: chosen, value: value))
            if row.key == classKey { last = field } else { fields.append(field) }
        }
        return fields + (last.map { [$0] } ?? [])
    }

    /// Whether one archive has another description of the class, such as a new version, and the other one has changed fields.
    private func mixesClasses(_ rows: [MergeGraph.Row]) -> Bool {
        guard let entry = rows.first(where: { $0.key == classKey }) else { return false }
        let atoms = graph.atoms(entry)
        guard atoms.mine != atoms.theirs else { return false }
        return [MergeOrigin.mine, .theirs].contains { origin in
            atoms[origin] != atoms.base
                && rows.contains { row in
                    guard row.key != classKey else { return false }
                    let atoms = graph.atoms(row)
                    return atoms[origin.other] != atoms.base
                }
        }
    }

    private func mergedEntries(of node: Int) throws -> [(number: Int, key: Chosen, value: Chosen)] {
        let single = singleOrigin(node)
        var entries: [(number: Int, key: Chosen, value: Chosen)] = []
        for row in graph.rows(of: node) {
            let origin = try single ?? origin(of: row) ?? decided(row, node, nil)
            guard let key = row.keys[origin], let value = row.values[origin] else { continue }
            entries.append((row.key, Chosen(origin: origin, value: key), Chosen(origin: origin, value: value)))
        }
        return entries
    }

    private func decided(_ row: MergeGraph.Row, _ node: Int, _ name: String?) throws -> MergeOrigin {
        let values = places.values(row.values, of: node, under: name)
        return try decide(places.conflict(.value, at: node, name ?? places.keyText(row, node), values)).origin
    }

    private func mergedList(_ node: Int) throws -> [Chosen] {
        func elements(_ origin: MergeOrigin) -> [Chosen] {
            (graph.elements(node, origin) ?? []).map { Chosen(origin: origin, value: $0) }
        }
        if let single = singleOrigin(node) { return elements(single) }
        let lists = Triple(elements(.base), elements(.mine), elements(.theirs))
        func atoms(_ list: [Chosen]) -> [Int] { list.map { graph.atom($0.value, $0.origin) } }
        let numbers = Triple(atoms(lists.base), atoms(lists.mine), atoms(lists.theirs))
        if numbers.mine == numbers.base { return numbers.theirs == numbers.base ? lists.base : lists.theirs }
        if numbers.theirs == numbers.base || numbers.mine == numbers.theirs { return lists.mine }
        let merged: [SequenceMatches.Element]
        if let found = SequenceMatches.merge(numbers) {
            merged = found
        } else {
            let resolution = try decide(places.conflict(.list, at: node, "NS.objects", places.versions(of: node)))
            guard resolution == .both else { return lists[resolution.origin] }
            merged = SequenceMatches.union(numbers)
        }
        return merged.map { lists[$0.origin][$0.position] }
    }

    private func mergedSet(_ node: Int) -> [Chosen] {
        func elements(_ origin: MergeOrigin) -> [(atom: Int, value: Chosen)] {
            (graph.elements(node, origin) ?? []).map { value in
                (graph.atom(value, origin), Chosen(origin: origin, value: value))
            }
        }
        if let single = singleOrigin(node) { return elements(single).map(\.value) }
        let (base, mine, theirs) = (elements(.base), elements(.mine), elements(.theirs))
        let (old, left, right) = (Set(base.map(\.atom)), Set(mine.map(\.atom)), Set(theirs.map(\.atom)))
        var known: Set<Int> = []
        var result: [Chosen] = []
        for element in base
        where left.contains(element.atom) && right.contains(element.atom) && known.insert(element.atom).inserted {
            result.append(element.value)
        }
        for element in mine + theirs where !old.contains(element.atom) && known.insert(element.atom).inserted {
            result.append(element.value)
        }
        return result
    }
}

// MARK: - Changed objects

extension MergeRun {
    /// Decides about the objects that one archive has changed, and that the merged archive does not reach since their references
    /// were removed.
    ///
    /// - Parameter reported: The objects about which was decided before.
    /// - Returns: Whether any were restored.
    private mutating func keepChangedObjects(_ reported: inout BitSet) throws -> Bool {
        var hasRestored = false
        for node in graph.nodes.indices
        where !isReached[node] && graph.nodes[node].isIn(.base) && graph.nodes[node].parent >= 0 {
            guard graph.isChanged(node, .mine) || graph.isChanged(node, .theirs), reported.insert(node) else {
                continue
            }
            let conflict = places.conflict(.removal, at: node, nil, places.versions(of: node))
            let origin = try decide(conflict).origin
            guard graph.nodes[node].isIn(origin) else { continue }
            try restore(node, from: origin)
            hasRestored = true
        }
        return hasRestored
    }

    /// Restores the references to an object, along a shortest path in one archive.
    private mutating func restore(_ node: Int, from origin: MergeOrigin) throws {
        if paths[origin].isEmpty { paths[origin] = MergePaths.steps(to: graph, in: origin) }
        var path: [Int] = [node]
        while let last = path.last, last >= 0, !isReached[last] { path.append(paths[origin][last].owner) }
        for child in path.dropLast().reversed() where !isReached[child] {
            let step = paths[origin][child]
            if step.owner >= 0, isReached[step.owner] { try restore(step, from: origin) }
        }
    }

    private mutating func restore(_ step: MergePaths.Step, from origin: MergeOrigin) throws {
        guard merged[step.owner] != nil, let contents = graph.contents(step.owner, origin) else { return }
        restored[step.owner, default: []].append((origin, step.position))
        for value in contents.values(at: step.position) { reach(partsOf: Chosen(origin: origin, value: value)) }
        try mergeReached()
    }

    /// Inserts the restored references: the elements of lists, each after the element that it follows in its archive, and fields and
    /// entries under their keys.
    private mutating func insertRestored() {
        for (node, references) in restored {
            switch merged[node] {
            case .record(let fields): merged[node] = .record(inserting(references, of: node, into: fields))
            case .dictionary(let entries): merged[node] = .dictionary(inserting(references, of: node, into: entries))
            case .list(let elements): merged[node] = .list(inserting(references, of: node, into: elements))
            case .set(let elements): merged[node] = .set(inserting(references, of: node, into: elements))
            case nil: break
            }
        }
        restored = [:]
    }

    private func inserting(
        _ references: [Reference], of node: Int, into fields: [(key: Int, value: Chosen)]
    ) -> [(key: Int, value: Chosen)] {
        var fields = KeyedValues(fields, by: \.key)
        for (origin, position) in references {
            guard case .record(let all)? = graph.contents(node, origin) else { continue }
            fields.put((all[position].key, Chosen(origin: origin, value: all[position].value)))
        }
        return fields.values.filter { $0.key != classKey } + fields.values.filter { $0.key == classKey }
    }

    private func inserting(
        _ references: [Reference], of node: Int, into entries: [(number: Int, key: Chosen, value: Chosen)]
    ) -> [(number: Int, key: Chosen, value: Chosen)] {
        var entries = KeyedValues(entries, by: \.number)
        for (origin, position) in references {
            guard case .dictionary(let all)? = graph.contents(node, origin) else { continue }
            // An entry has two places.
            let entry = all[position / 2]
            entries.put(
                (
                    entry.number, Chosen(origin: origin, value: entry.key), Chosen(origin: origin, value: entry.value)
                ))
        }
        return entries.values
    }

    private func inserting(_ references: [Reference], of node: Int, into elements: [Chosen]) -> [Chosen] {
        var elements = elements
        for origin in [MergeOrigin.mine, .theirs] {
            let positions = Set(references.lazy.filter { $0.origin == origin }.map(\.position))
            guard !positions.isEmpty, let all = graph.elements(node, origin) else { continue }
            elements = inserting(all, positions, origin, into: elements)
        }
        return elements
    }

    private func inserting(
        _ all: [MergeValue], _ positions: Set<Int>, _ origin: MergeOrigin, into elements: [Chosen]
    ) -> [Chosen] {
        var places: [Int: Int] = [:]
        for (index, element) in elements.enumerated() {
            places[graph.atom(element.value, element.origin)] = index
        }
        var followers: [Int: [Chosen]] = [:]
        var place = -1
        for (position, value) in all.enumerated() {
            if positions.contains(position) {
                followers[place, default: []].append(Chosen(origin: origin, value: value))
            } else if let known = places[graph.atom(value, origin)] {
                place = known
            }
        }
        var result = followers[-1] ?? []
        for (index, element) in elements.enumerated() {
            result.append(element)
            result += followers[index] ?? []
        }
        return result
    }
}

/// Values by number, in order.
private struct KeyedValues<Value> {
    private(set) var values: [Value]
    private let number: KeyPath<Value, Int>
    private var places: [Int: Int]

    init(_ values: [Value], by number: KeyPath<Value, Int>) {
        self.values = values
        self.number = number
        places = Dictionary(
            zip(values.lazy.map { $0[keyPath: number] }, values.indices), uniquingKeysWith: { first, _ in first })
    }

    /// Replaces the value with the same number, or appends `value`.
    mutating func put(_ value: Value) {
        let number = value[keyPath: number]
        if let place = places[number] {
            values[place] = value
        } else {
            places[number] = values.count
            values.append(value)
        }
    }
}

extension MergeContents {
    /// The value at a place, as `MergePaths` counts them; the key and the value of an entry of a dictionary.
    fileprivate func values(at position: Int) -> [MergeValue] {
        switch self {
        case .record(let fields): [fields[position].value]
        // An entry has two places.
        case .dictionary(let entries): [entries[position / 2].key, entries[position / 2].value]
        case .list(let elements), .set(let elements): [elements[position]]
        }
    }
}

/// Shortest paths from the top of one archive to its objects.
enum MergePaths {
    struct Step {
        /// The object that refers to this one; -1 for none.
        var owner = -1
        /// The number of the value in `MergeGraph.places(in:_:)`.
        var position = 0
    }

    static func steps(to graph: MergeGraph, in origin: MergeOrigin) -> [Step] {
        var steps = Array(repeating: Step(), count: graph.nodes.count)
        var isKnown = Array(repeating: false, count: graph.nodes.count)
        var units = VisitedUnits(graph.sides)
        var queue = [MergeGraph.top, MergeGraph.surroundings]
        for node in queue { isKnown[node] = true }
        var next = 0
        while next < queue.count {
            let owner = queue[next]
            next += 1
            for (position, place) in graph.places(in: owner, origin).enumerated() {
                units.visit(place.value, graph.sides[origin], origin) { uid in
                    guard let node = graph.node(ofObject: uid, origin), !isKnown[node] else { return }
                    isKnown[node] = true
                    steps[node] = Step(owner: owner, position: position)
                    queue.append(node)
                }
            }
        }
        return steps
    }
}
