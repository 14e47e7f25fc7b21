// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// Values that are not instances, such as structs, have no identity. A changed one gets the unknown keys of the old value in the same
// place: under the same key, or in a list the old element that it replaces.

extension ArchiveComparison {
    private static var pairDepthLimit: Int { 128 }
    /// The number of comparisons up to which the elements of a gap in a list are compared with each other.
    private static var gapLimit: Int { 1024 }

    private var hasUnknownKeys: Bool { kept.map { !$0.unknown.isEmpty } ?? false }

    mutating func pairContents(ofInstance uid: UInt32, _ oldUID: UInt32) {
        guard hasUnknownKeys, Int(oldUID) < old.slotCount else { return }
        pair(new.object(inSlot: Int(uid)), old.object(inSlot: Int(oldUID)), depth: 0)
    }

    mutating func pairTop() {
        if hasUnknownKeys { pair(dictionary: new.top, old.top, depth: 0) }
    }

    private mutating func pair(_ left: Int, _ right: Int, depth: Int) {
        guard depth < Self.pairDepthLimit, meter.take(1), let leftNode = try? new.node(left),
            let rightNode = try? old.node(right)
        else { return }
        switch (leftNode.kind, rightNode.kind) {
        case (.uid, .uid):
            if let uid = try? new.uid(leftNode), let oldUID = try? old.uid(rightNode) {
                pair(uid: uid, oldUID, depth: depth)
            }
        case (.array, .array): pairElements(leftNode, rightNode, depth: depth)
        case (.dictionary, .dictionary): pair(dictionary: leftNode, rightNode, depth: depth)
        default: break
        }
    }

    private mutating func pair(uid: UInt32, _ oldUID: UInt32, depth: Int) {
        guard counterparts.kind(uid) == .value, let left = try? new.object(uid), let right = try? old.object(oldUID),
            left.node.kind == .dictionary, right.node.kind == .dictionary, origins[uid] == nil,
            !prefer(oldUID, for: uid, depth: depth), isSameClass(left.node, right.node, oldUID)
        else { return }
        origins[uid] = oldUID
        pair(new.object(inSlot: Int(uid)), old.object(inSlot: Int(oldUID)), depth: depth + 1)
    }

    private mutating func pair(dictionary left: Node, _ right: Node, depth: Int) {
        let order = order(of: left, right)
        if order == .keyed, pairEntries(left, right, depth: depth) { return }
        // An element of a set has no place.
        if order == .none { return }
        for (position, place) in allPlaces(of: left, in: right).enumerated() {
            guard let place else { continue }
            pair(
                new.list.reference(left.count + position, in: left.payload),
                old.list.reference(right.count + place, in: right.payload), depth: depth + 1)
        }
    }

    /// Pairs the values of dictionaries under the same key.
    ///
    /// - Returns: Whether they are dictionaries.
    private mutating func pairEntries(_ left: Node, _ right: Node, depth: Int) -> Bool {
        guard let keys = list("NS.keys", of: left, in: new), let values = list("NS.objects", of: left, in: new),
            let oldKeys = list("NS.keys", of: right, in: old), let oldValues = list("NS.objects", of: right, in: old),
            keys.count == values.count, oldKeys.count == oldValues.count,
            meter.take(DecodingMeter.stepsPerEntry * oldKeys.count)
        else { return false }
        var positions: [Element: Int] = [:]
        for position in 0..<oldKeys.count {
            for key in candidates(old.list.reference(position, in: oldKeys.payload), withDigests: true) {
                positions[key] = position
            }
        }
        for position in 0..<keys.count {
            guard let key = element(new.list.reference(position, in: keys.payload)), let place = positions[key] else {
                continue
            }
            pair(
                new.list.reference(position, in: values.payload), old.list.reference(place, in: oldValues.payload),
                depth: depth + 1)
        }
        return true
    }
}

// MARK: - Lists

extension ArchiveComparison {
    private struct Partners {
        /// The position of the old element for each new one; -1 for none.
        var places: [Int]
        var isTaken: [Bool]

        mutating func pair(_ position: Int, _ place: Int) {
            places[position] = place
            isTaken[place] = true
        }
    }

    /// Pairs the elements of two lists: first those that are equal, then the others by their places between these.
    private mutating func pairElements(_ left: Node, _ right: Node, depth: Int) {
        var partners = Partners(
            places: [Int](repeating: -1, count: left.count), isTaken: [Bool](repeating: false, count: right.count))
        var others: [Int] = []
        for position in 0..<left.count where isValue(position, of: left, in: new) {
            if position < right.count, isEqual(element: position, left, position, right, depth: depth) {
                partners.pair(position, position)
            } else {
                others.append(position)
            }
        }
        if others.isEmpty { return }
        others = pairEqual(others, left, right, &partners, depth: depth)
        var start = 0
        while start < others.count {
            var end = start + 1
            while end < others.count, others[end] == others[end - 1] + 1 { end += 1 }
            pairGap(others[start]..<others[end - 1] + 1, left, right, &partners, depth: depth)
            start = end
        }
        for position in others where partners.places[position] >= 0 {
            pair(
                new.list.reference(position, in: left.payload),
                old.list.reference(partners.places[position], in: right.payload), depth: depth + 1)
        }
    }

    /// Returns whether an element is a value with contents that are not an instance.
    private func isValue(_ position: Int, of list: Node, in contents: ArchiveContents) -> Bool {
        guard let node = try? contents.node(contents.list.reference(position, in: list.payload)), node.kind == .uid,
            let uid = try? contents.uid(node), contents !== new || counterparts.kind(uid) == .value,
            let value = try? contents.object(uid)
        else { return false }
        return value.node.kind == .dictionary
    }

    /// Pairs elements that are equal and have another position.
    ///
    /// - Returns: The positions without a partner.
    private mutating func pairEqual(
        _ positions: [Int], _ left: Node, _ right: Node, _ partners: inout Partners, depth: Int
    ) -> [Int] {
        guard meter.take(DecodingMeter.stepsPerEntry * right.count) else { return positions }
        var places: [Element: [Int]] = [:]
        for place in (0..<right.count).reversed() where !partners.isTaken[place] && isValue(place, of: right, in: old) {
            for element in candidates(old.list.reference(place, in: right.payload), withDigests: true) {
                places[element, default: []].append(place)
            }
        }
        return positions.filter { position in
            guard let element = element(new.list.reference(position, in: left.payload)),
                let place = places[element]?.popLast(),
                isEqual(element: position, left, place, right, depth: depth)
            else { return true }
            partners.pair(position, place)
            return false
        }
    }

    /// Pairs a run of elements with the old elements between the partners of its neighbours.
    private mutating func pairGap(
        _ run: Range<Int>, _ left: Node, _ right: Node, _ partners: inout Partners, depth: Int
    ) {
        let before = run.lowerBound > 0 ? partners.places[run.lowerBound - 1] : -1
        let after = run.upperBound < left.count ? partners.places[run.upperBound] : right.count
        let lower = before >= 0 || run.lowerBound == 0 ? before + 1 : run.lowerBound
        let upper = after >= 0 ? after : run.upperBound
        let gap = (lower..<max(lower, min(upper, right.count)))
            .filter { !partners.isTaken[$0] && isValue($0, of: right, in: old) }
        guard gap.count != run.count else {
            for (position, place) in zip(run, gap) { partners.pair(position, place) }
            return
        }
        guard !gap.isEmpty, run.count * gap.count <= Self.gapLimit else { return }
        // Elements were added or removed in the gap as well: those with the most equal contents are the same.
        var scores: [(score: Int, position: Int, place: Int)] = []
        for position in run {
            for place in gap {
                let score = equalEntryCount(position, left, place, right, depth: depth)
                if score > 0 { scores.append((score, position, place)) }
            }
        }
        scores.sort { ($0.score, $1.position, $1.place) > ($1.score, $0.position, $0.place) }
        for (_, position, place) in scores where partners.places[position] < 0 && !partners.isTaken[place] {
            partners.pair(position, place)
        }
    }

    /// Returns the number of keys under which two elements have the same number or string.
    private mutating func equalEntryCount(_ position: Int, _ left: Node, _ place: Int, _ right: Node, depth: Int) -> Int
    {
        guard let node = object(position, of: left, in: new), let oldNode = object(place, of: right, in: old) else {
            return 0
        }
        var count = 0
        for (position, place) in allPlaces(of: node, in: oldNode).enumerated() {
            guard let place, object(node.count + position, of: node, in: new)?.kind != .dictionary,
                isEqual(element: node.count + position, node, oldNode.count + place, oldNode, depth: depth)
            else { continue }
            count += 1
        }
        return count
    }

    private func object(_ position: Int, of container: Node, in contents: ArchiveContents) -> Node? {
        (try? contents.value(contents.list.reference(position, in: container.payload)))?.node
    }
}
