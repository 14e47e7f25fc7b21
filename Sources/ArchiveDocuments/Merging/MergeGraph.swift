// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The objects of the three archives of a merge: which of them are versions of the same object.
///
/// An object of the base is the one with the same uid and class in the other archives. A value without identity, such as a list or a
/// struct, has a new uid after each change; it is the version of the value of the base that it replaces, if both have the same
/// class.
struct MergeGraph: Sendable {
    /// The versions of one object.
    struct Node: Sendable {
        /// The uids of the versions; -1 without one.
        var uids: Triple<Int>
        /// The node that refers to this one on a path from the top of the base; -1 for the top, and for added objects.
        var parent = -1
        var step = KeyedArchive.Path.Step.index(0)

        /// Whether the archive has the object, or the object is the top.
        func isIn(_ origin: MergeOrigin) -> Bool { uids[origin] != -1 }
    }

    /// The versions of a value under one key.
    struct Row {
        /// The number of the key, or of the key's value in a dictionary.
        let key: Int
        var values: Triple<MergeValue?>
        /// For the keys of dictionaries.
        var keys: Triple<MergeValue?> = Triple(nil, nil, nil)
    }

    let sides: Triple<MergeSide>
    /// The keys by their numbers.
    private(set) var names: [String] = []
    /// The number of the key `$class`.
    let classKey: Int
    var nodes: [Node] = []
    /// The nodes by uid; -1 for other objects.
    var bound: Triple<[Int]>
    /// The numbers of the class names of structs, whose values have no identity.
    private(set) var structs: Set<Int> = []

    /// The nodes of `$top`, and of the other entries of the root.
    static let top = 0
    static let surroundings = 1
    private static let noUID = -2

    /// - Parameter structs: The class names of structs. All other objects may have an identity.
    init(
        _ base: KeyedArchive, _ mine: KeyedArchive, _ theirs: KeyedArchive, structs names: Set<String>
    ) throws {
        let numbers = MergeNumbers()
        classKey = numbers.key("$class")
        let baseSide = try MergeSide(base, .base, from: nil, numbers)
        sides = Triple(
            baseSide, try MergeSide(mine, .mine, from: baseSide, numbers),
            try MergeSide(theirs, .theirs, from: baseSide, numbers))
        bound = Triple([], [], [])
        for origin in MergeOrigin.allCases {
            bound[origin] = Array(repeating: -1, count: sides[origin].objects.count)
        }
        for origin in [MergeOrigin.mine, .theirs] where !isDescendant(origin) {
            throw ArchiveMergeError(.unrelated, [], isMine: origin == .mine)
        }
        for _ in 0..<2 { nodes.append(Node(uids: Triple(Self.noUID, Self.noUID, Self.noUID))) }
        bindIdentities()
        structs = Set(names.map { numbers.key($0) })
        self.names = numbers.names
        pairVersions()
        addOthers()
    }
}

// MARK: - Identities

extension MergeGraph {
    /// Whether an archive descends from the base: not more of its objects are others than the same.
    private func isDescendant(_ origin: MergeOrigin) -> Bool {
        let (base, side) = (sides.base, sides[origin])
        var (same, others) = (0, 0)
        for uid in 0..<min(base.forms.count, side.forms.count) {
            guard base.forms[uid] != .null, side.forms[uid] != .null else { continue }
            let isSame =
                base.forms[uid].hasParts
                ? side.has(uid, base.forms[uid], base.classes[uid]) : base.numbers[uid] == side.numbers[uid]
            if isSame { same += 1 } else { others += 1 }
        }
        return others <= same
    }

    private mutating func bindIdentities() {
        for uid in sides.base.forms.indices where sides.base.forms[uid].hasParts {
            var node = Node(uids: Triple(uid, -1, -1))
            bound.base[uid] = nodes.count
            for origin in [MergeOrigin.mine, .theirs]
            where sides[origin].has(uid, sides.base.forms[uid], sides.base.classes[uid]) {
                node.uids[origin] = uid
                bound[origin][uid] = nodes.count
            }
            nodes.append(node)
        }
    }
}

// MARK: - Contents

extension MergeGraph {
    /// The contents of a version of an object; nil if the archive does not have it.
    func contents(_ node: Int, _ origin: MergeOrigin) -> MergeContents? {
        switch node {
        case Self.top: return sides[origin].top
        case Self.surroundings: return sides[origin].surroundings
        default:
            let uid = nodes[node].uids[origin]
            return uid < 0 ? nil : sides[origin].contents[uid]
        }
    }

    /// The node of the object to which `value` refers; nil for a value without parts, or without a node yet.
    func node(_ value: MergeValue?, _ origin: MergeOrigin) -> Int? {
        guard let uid = sides[origin].part(value), bound[origin][uid] >= 0 else { return nil }
        return bound[origin][uid]
    }

    /// The node of the object `uid`; nil if it has none.
    func node(ofObject uid: Int, _ origin: MergeOrigin) -> Int? {
        let node = bound[origin][uid]
        return node >= 0 ? node : nil
    }

    /// A number for the value: equal values have equal numbers, and so have versions of the same object, which are negative.
    func atom(_ value: MergeValue, _ origin: MergeOrigin) -> Int {
        node(value, origin).map { -1 - $0 } ?? sides[origin].number(of: value)
    }

    /// The rows of a record or a dictionary: first those of the base, then those that were added to mine, then to theirs. Empty for
    /// lists and sets.
    func rows(of node: Int) -> [Row] {
        var rows: [Row] = []
        var places: [Int: Int] = [:]
        func add(_ key: Int, _ value: MergeValue, _ keyValue: MergeValue?, _ origin: MergeOrigin) {
            let place = places[key] ?? rows.count
            if place == rows.count {
                places[key] = place
                rows.append(Row(key: key, values: Triple(nil, nil, nil)))
            }
            guard rows[place].values[origin] == nil else { return }
            rows[place].values[origin] = value
            rows[place].keys[origin] = keyValue
        }
        for origin in MergeOrigin.allCases {
            switch contents(node, origin) {
            case .record(let fields): for field in fields { add(field.key, field.value, nil, origin) }
            case .dictionary(let entries): for entry in entries { add(entry.number, entry.value, entry.key, origin) }
            default: break
            }
        }
        return rows
    }

    /// The elements of a version of a list or a set; nil for other objects.
    func elements(_ node: Int, _ origin: MergeOrigin) -> [MergeValue]? {
        switch contents(node, origin) {
        case .list(let elements), .set(let elements): elements
        default: nil
        }
    }

    /// The contents of one of the versions, all of which have the same form.
    func contents(_ node: Int) -> MergeContents? {
        contents(node, .base) ?? contents(node, .mine) ?? contents(node, .theirs)
    }

    /// Whether the object is a record; otherwise it is a collection.
    func isRecord(_ node: Int) -> Bool {
        if case .record? = contents(node) { true } else { false }
    }
}

// MARK: - Changes

extension MergeGraph {
    /// The atoms of the values of a row; nil without one.
    func atoms(_ row: Row) -> Triple<Int?> {
        func atom(_ origin: MergeOrigin) -> Int? { row.values[origin].map { self.atom($0, origin) } }
        return Triple(atom(.base), atom(.mine), atom(.theirs))
    }

    /// Whether the archive has a version of an object with other contents than that of the base.
    func isChanged(_ node: Int, _ origin: MergeOrigin) -> Bool {
        guard nodes[node].isIn(.base), nodes[node].isIn(origin) else { return false }
        if let old = elements(node, .base), let new = elements(node, origin) {
            var (left, right) = (old.map { atom($0, .base) }, new.map { atom($0, origin) })
            if case .set? = contents(node, .base) {
                left.sort()
                right.sort()
            }
            return left != right
        }
        return rows(of: node).contains { row in
            let atoms = atoms(row)
            return atoms[origin] != atoms.base
        }
    }
}
