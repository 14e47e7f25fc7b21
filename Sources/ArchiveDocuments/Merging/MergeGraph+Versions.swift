// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// MARK: - Versions

extension MergeGraph {
    /// Binds values to those of the base that they replace.
    mutating func pairVersions() {
        var queue = [Self.top, Self.surroundings]
        var isQueued = Array(repeating: false, count: nodes.count)
        var isVisited = isQueued
        var next = 0
        func enqueue(_ node: Int) {
            while isQueued.count < nodes.count {
                isQueued.append(false)
                isVisited.append(false)
            }
            guard !isQueued[node] else { return }
            isQueued[node] = true
            queue.append(node)
        }
        while next < queue.count {
            let node = queue[next]
            next += 1
            isQueued[node] = false
            isVisited[node] = true
            for (step, values) in valuesByPlace(in: node) {
                // The contents of a node that got another version are visited again, at most twice.
                if let changed = pair(values, node, step) { enqueue(changed) }
                for origin in MergeOrigin.allCases {
                    guard let child = self.node(values[origin], origin) else { continue }
                    if !isVisited[child] { enqueue(child) }
                }
            }
        }
    }

    /// Binds the values at one place of the node `owner` that replace the one of the base there.
    ///
    /// - Returns: The node that got another version; nil if there is none.
    private mutating func pair(
        _ values: Triple<MergeValue?>, _ owner: Int, _ step: KeyedArchive.Path.Step
    ) -> Int? {
        guard let base = sides.base.part(values.base) else { return nil }
        // The part of a superclass is a value of its owner, although its class has instances.
        let isPart = step == .key("super")
        let mine = version(of: base, values.mine, .mine, isPart: isPart)
        let theirs = version(of: base, values.theirs, .theirs, isPart: isPart)
        guard mine != nil || theirs != nil else { return nil }
        let known = bound.base[base]
        if let mine, let theirs, nodes[known].isIn(.mine) || nodes[known].isIn(.theirs) {
            // Writers may share equal collections, such as empty ones.
            guard sides.base.forms[base] != .record else { return nil }
            bound.mine[mine] = nodes.count
            bound.theirs[theirs] = nodes.count
            nodes.append(Node(uids: Triple(base, mine, theirs), parent: owner, step: step))
            return nodes.count - 1
        }
        var hasChanged = false
        if let mine, !nodes[known].isIn(.mine) {
            nodes[known].uids.mine = mine
            bound.mine[mine] = known
            hasChanged = true
        }
        if let theirs, !nodes[known].isIn(.theirs) {
            nodes[known].uids.theirs = theirs
            bound.theirs[theirs] = known
            hasChanged = true
        }
        return hasChanged ? known : nil
    }

    /// The object of `value`, if it can be a version of the object `base` under another uid.
    private func version(
        of base: Int, _ value: MergeValue?, _ origin: MergeOrigin, isPart: Bool
    ) -> Int? {
        guard let uid = sides[origin].part(value), bound[origin][uid] < 0,
            sides[origin].forms[uid] == sides.base.forms[base], sides[origin].classes[uid] == sides.base.classes[base]
        else { return nil }
        let isValue = sides.base.forms[base] != .record || structs.contains(sides.base.classes[base])
        return isValue || isPart ? uid : nil
    }

    private typealias Place = (step: KeyedArchive.Path.Step, values: Triple<MergeValue?>)

    /// The values of an object that are at the same place in the three archives, with the steps in the base.
    private func valuesByPlace(in node: Int) -> [Place] {
        if hasKeys(node) {
            let isRecord = isRecord(node)
            return rows(of: node).enumerated().map { position, row in
                let text = isRecord ? names[row.key] : row.keys.base.flatMap { sides.base.text($0) }
                return (text.map { .key($0) } ?? .index(position), row.values)
            }
        }
        guard case .list(let base)? = contents(node, .base) else {
            // The elements of a set have no places.
            return MergeOrigin.allCases.flatMap { origin in
                (elements(node, origin) ?? []).map { value in Self.place(of: value, origin) }
            }
        }
        var places = base.enumerated().map { position, value in
            Place(.index(position), Triple(value, nil, nil))
        }
        let atoms = base.map { atom($0, .base) }
        for origin in [MergeOrigin.mine, .theirs] {
            guard let elements = elements(node, origin) else { continue }
            let matches = SequenceMatches(of: atoms, elements.map { atom($0, origin) })
            for (old, new) in matches.pairs { places[old].values[origin] = elements[new] }
            for region in matches.regions {
                if region.old.count == region.new.count {
                    for (old, new) in zip(region.old, region.new) { places[old].values[origin] = elements[new] }
                } else {
                    for new in region.new { places.append(Self.place(of: elements[new], origin)) }
                }
            }
        }
        return places
    }

    /// The place of a value that has none in the other archives.
    private static func place(of value: MergeValue, _ origin: MergeOrigin) -> Place {
        var values = Triple<MergeValue?>(nil, nil, nil)
        values[origin] = value
        return (.index(0), values)
    }

    private func hasKeys(_ node: Int) -> Bool {
        switch contents(node) {
        case .record, .dictionary: true
        default: false
        }
    }
}

// MARK: - Added objects

extension MergeGraph {
    /// Adds nodes for the objects without a version in the base, and finds the paths to those with one.
    mutating func addOthers() {
        var queue = [Self.top, Self.surroundings]
        findObjects([.base], &queue)
        queue = [Self.top, Self.surroundings]
        findObjects(MergeOrigin.allCases, &queue)
    }

    private mutating func findObjects(_ origins: [MergeOrigin], _ queue: inout [Int]) {
        let findsPaths = origins.count == 1
        var isVisited = Array(repeating: false, count: nodes.count)
        for node in queue { isVisited[node] = true }
        var next = 0
        var units = VisitedUnits(sides)
        var parts: [Int] = []
        while next < queue.count {
            let parent = queue[next]
            next += 1
            for origin in origins {
                for (step, value) in places(in: parent, origin) {
                    parts = []
                    units.visit(value, sides[origin], origin) { parts.append($0) }
                    for uid in parts {
                        if bound[origin][uid] < 0 {
                            bound[origin][uid] = nodes.count
                            var node = Node(uids: Triple(-1, -1, -1))
                            node.uids[origin] = uid
                            nodes.append(node)
                            isVisited.append(false)
                        }
                        let child = bound[origin][uid]
                        guard !isVisited[child] else { continue }
                        isVisited[child] = true
                        queue.append(child)
                        guard findsPaths else { continue }
                        nodes[child].parent = parent
                        nodes[child].step = step
                    }
                }
            }
        }
    }

    /// The values in a version of an object, with the steps to them.
    func places(in node: Int, _ origin: MergeOrigin) -> [(step: KeyedArchive.Path.Step, value: MergeValue)] {
        switch contents(node, origin) {
        case .record(let fields): return fields.map { (.key(names[$0.key]), $0.value) }
        case .list(let elements), .set(let elements): return elements.enumerated().map { (.index($0), $1) }
        case .dictionary(let entries):
            var places: [(step: KeyedArchive.Path.Step, value: MergeValue)] = []
            for (position, entry) in entries.enumerated() {
                let step = sides[origin].text(entry.key).map { KeyedArchive.Path.Step.key($0) } ?? .index(position)
                places.append((step, entry.value))
                places.append((step, entry.key))
            }
            return places
        case nil: return []
        }
    }

    /// The path of an object of the base from its top.
    func path(to node: Int) -> KeyedArchive.Path {
        var steps: [KeyedArchive.Path.Step] = []
        var node = node
        while nodes[node].parent >= 0 {
            steps.append(nodes[node].step)
            node = nodes[node].parent
        }
        return KeyedArchive.Path(steps.reversed())
    }
}

/// The parts of units that were visited in each archive.
struct VisitedUnits: ~Copyable {
    private var base: BitSet
    private var mine: BitSet
    private var theirs: BitSet

    init(_ sides: Triple<MergeSide>) {
        base = BitSet(count: sides.base.objects.count)
        mine = BitSet(count: sides.mine.objects.count)
        theirs = BitSet(count: sides.theirs.objects.count)
    }

    mutating func visit(_ value: MergeValue, _ side: MergeSide, _ origin: MergeOrigin, _ body: (Int) -> Void) {
        switch origin {
        case .base: side.visitParts(of: value, &base, body)
        case .mine: side.visitParts(of: value, &mine, body)
        case .theirs: side.visitParts(of: value, &theirs, body)
        }
    }
}

extension MergeSide {
    /// The text of a string; nil for other values.
    func text(_ value: MergeValue) -> String? {
        switch value {
        case .reference(let uid): objects[Int(uid)].string
        case .inline(_, let list): list.string
        case .null: nil
        }
    }
}
