// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The merge of the versions of all values, from the top to everything that the merged archive reaches.
struct MergeRun: ~Copyable {
    /// A value of the merged archive: an object of the base with its uid in all archives, the three values of one place, or a copy of
    /// the value of one archive.
    struct Value {
        /// The versions; nil for an archive that does not have the value.
        let versions: Triple<Int?>
        let place: Int
        /// The merged contents; nil until the merged archive reaches the value.
        fileprivate(set) var contents: Contents?
    }

    enum Contents {
        /// Those of one version.
        case version(MergeOrigin)
        /// The numbers of values in the merged archive, with keys as in a `MergeSide`.
        case parts([MergeSide.Part])
    }

    typealias Decision = (ArchiveMerge.Conflict) throws -> ArchiveMerge.Resolution

    enum Choice {
        case value(Int?)
        case conflict
    }

    /// The place of a decision.
    private struct Question: Hashable {
        let versions: Triple<Int?>
        let key: Int
        let keys: Triple<Int?>
    }

    let graph: MergeGraph
    /// The values by number: first the top, and the other entries of the root.
    private(set) var values: [Value] = []
    private var numbers: [Triple<Int?>: Int] = [:]
    /// The numbers of the copied values of each archive.
    private var copies = Triple<[Int?]>([], [], [])
    /// The leaves that are copied for all equal ones: those of the base, if it has them.
    private var leaves: [Int: (origin: MergeOrigin, uid: Int)] = [:]
    private let places: MergePlaces
    private let decide: Decision
    /// Whether mine and theirs are the same archive, and all changes are conflicts.
    let isComparison: Bool
    private var decisions: [Question: ArchiveMerge.Resolution] = [:]
    private var queue: [Int] = []
    /// The removed objects of each archive that are kept.
    private var kept = Triple<Set<Int>>([], [], [])
    /// The values of each archive through which the kept objects are reached again.
    private var required = Triple<Set<Int>>([], [], [])
    /// The steps that remain for values in which several places share parts.
    private var budget = 0

    /// The number of times that objects may be lost by the decisions about others.
    private static let roundLimit = 16

    /// - Parameter decide: Decides about conflicts, in the order of the objects from the top.
    init(
        _ graph: MergeGraph, _ places: MergePlaces, isComparison: Bool = false, _ decide: @escaping Decision
    ) throws {
        self.graph = graph
        self.isComparison = isComparison
        self.places = places
        self.decide = decide
        for uid in (0..<graph.sides.base.objectCount).reversed() where graph.form(uid, .base) == .leaf {
            if let number = graph.baseNumber(uid, for: .mine) { leaves[number] = (.base, uid) }
        }
        var reported = BitSet(count: graph.sides.base.objectCount)
        for _ in 0..<Self.roundLimit {
            try mergeAll()
            guard try !isComparison && keepChangedObjects(&reported) else { return }
        }
        throw KeyedArchiveError(.limit(.init("restored objects"), Self.roundLimit))
    }

    private mutating func mergeAll() throws {
        let sides = graph.sides
        (values, numbers, queue, budget) = ([], [:], [], 4 * graph.valueCount)
        copies = Triple { Array(repeating: nil, count: sides[$0].values.count) }
        enqueue(number(of: Triple { sides[$0].top }, sides.base.top))
        enqueue(number(of: Triple { sides[$0].surroundings }, sides.base.surroundings))
        var next = 0
        while next < queue.count {
            let number = queue[next]
            next += 1
            let contents = try mergedContents(of: values[number])
            values[number].contents = contents
            reach(contents, of: values[number])
        }
    }
}

// MARK: - Numbers

extension MergeRun {
    /// The versions of the object of the base that a value refers to; nil for other values.
    private func identity(_ value: Int, _ origin: MergeOrigin) -> Triple<Int?>? {
        guard graph.isIdentity(value, origin) else { return nil }
        return Triple { graph.isIdentity(value, $0) ? value : nil }
    }

    /// The uid of the object of the base that is the merged value `number`; nil for other values.
    func identity(ofMerged number: Int) -> Int? {
        let versions = values[number].versions
        return versions.base.flatMap { identity($0, .base) == versions ? $0 : nil }
    }

    /// The number of the object of the base, or of the copy, that the merged archive has for a value; nil if it has none.
    func known(_ value: Int, _ origin: MergeOrigin) -> Int? {
        if let versions = identity(value, origin) { return numbers[versions] }
        return copies[origin][value]
    }

    /// The same, with a number for each value.
    mutating func number(of value: Int, _ origin: MergeOrigin) -> Int {
        if let known = known(value, origin) { return known }
        if let versions = identity(value, origin) { return number(of: versions, value) }
        let (source, original) = original(of: value, origin)
        var number = values.count
        if (source, original) == (origin, value) {
            values.append(Value(versions: Triple { $0 == origin ? value : nil }, place: 0))
        } else {
            number = self.number(of: original, source)
        }
        copies[origin][value] = number
        return number
    }

    /// The equal value of which a copy takes the place of a value: that of the base with the same uid, or an equal leaf.
    private mutating func original(of value: Int, _ origin: MergeOrigin) -> (MergeOrigin, Int) {
        let side = graph.sides[origin]
        let content = origin == .base ? graph.baseNumber(value, for: .mine) : graph.number(value, origin)
        if let content, side.isObject(value), side.values[value].form == .leaf {
            let leaf = leaves[content] ?? (origin, value)
            leaves[content] = leaf
            return leaf
        }
        let isOfBase = origin != .base && side.has(value, of: graph.sides.base)
        return (isOfBase && graph.baseNumber(value, for: origin) == content ? .base : origin, value)
    }

    mutating func numbers(of values: some Sequence<Int>, _ origin: MergeOrigin) -> [Int] {
        var numbers: [Int] = []
        for value in values { numbers.append(number(of: value, origin)) }
        return numbers
    }

    /// The number of the merged value with these versions.
    private mutating func number(of versions: Triple<Int?>, _ place: @autoclosure () -> Int) -> Int {
        if let known = numbers[versions] { return known }
        numbers[versions] = values.count
        values.append(Value(versions: versions, place: place()))
        return values.count - 1
    }

    private mutating func reach(_ contents: Contents, of value: Value) {
        switch contents {
        case .version(let origin):
            guard let version = value.versions[origin] else { return }
            for child in graph.sides[origin].children(of: version) { enqueue(number(of: child, origin)) }
        case .parts(let parts):
            guard let base = value.versions.base else { return }
            let form = graph.form(base, .base)
            for part in parts {
                enqueue(part.value)
                if form == .dictionary { enqueue(part.key) }
            }
            if form != .record { enqueue(number(of: graph.sides.base.values[base].classUID, .base)) }
        }
    }

    private mutating func enqueue(_ number: Int) {
        guard values[number].contents == nil else { return }
        values[number].contents = .version(.base)
        queue.append(number)
    }
}

// MARK: - Places

extension MergeRun {
    /// Returns the value for a place, from the values that the archives have there.
    ///
    /// - Parameter keys: The keys of an entry of a dictionary.
    mutating func choose(
        _ versions: Triple<Int?>, _ owner: Value, _ step: KeyedArchive.Path.Step,
        _ keys: Triple<Int?> = Triple(nil, nil, nil)
    ) -> Choice {
        let (isMine, isTheirs) = (graph.isChanged(versions, .mine), graph.isChanged(versions, .theirs))
        if !isMine, !isTheirs { return .value(chosen(versions, .base)) }
        if isMine, isTheirs {
            if !isComparison, graph.isEqual(versions) { return .value(chosen(versions, .mine)) }
            return inside(versions, owner, step).map { .value($0) } ?? .conflict
        }
        let origin: MergeOrigin = isMine ? .mine : .theirs
        let other = origin.other
        guard requires(versions[other], other) || requires(keys[other], other) else {
            return .value(chosen(versions, origin))
        }
        let isKept = versions[other].map { self.isKept($0, other) } ?? false
        return .value((isKept ? nil : inside(versions, owner, step)) ?? chosen(versions, other))
    }

    private mutating func chosen(_ versions: Triple<Int?>, _ origin: MergeOrigin) -> Int? {
        guard let version = versions[origin] else { return nil }
        return number(of: version, origin)
    }

    /// Whether a value is a removed object that is kept.
    func isKept(_ value: Int, _ origin: MergeOrigin) -> Bool { kept[origin].contains(value) }

    /// Whether a removed object that is kept is reached through a value.
    func requires(_ value: Int?, _ origin: MergeOrigin) -> Bool { value.map { required[origin].contains($0) } ?? false }

    /// Merges three values in parts; nil if they have to be taken as a whole.
    private mutating func inside(
        _ versions: Triple<Int?>, _ owner: Value, _ step: KeyedArchive.Path.Step
    ) -> Int? {
        guard let base = versions.base, let mine = versions.mine, let theirs = versions.theirs, budget > 0,
            graph.hasSamePlaces(base, mine, .mine), graph.hasSamePlaces(base, theirs, .theirs)
        else { return nil }
        if graph.form(base, .base) == .record {
            guard !graph.isOneValue(Triple(base, mine, theirs)), graph.hasOneClass(versions) else { return nil }
        }
        if let known = numbers[versions] { return known }
        for (origin, value) in [(MergeOrigin.base, base), (.mine, mine), (.theirs, theirs)] {
            budget -= 1 + graph.sides[origin].values[value].parts.count
        }
        let places = self.places
        return number(of: versions, places.add(step, in: owner.place))
    }

    /// Asks about a conflict, once.
    mutating func decided(
        _ kind: ArchiveMerge.Conflict.Kind, _ owner: Value, _ row: MergeRow, _ name: String?
    ) throws -> ArchiveMerge.Resolution {
        let question = Question(versions: owner.versions, key: row.key, keys: row.keys)
        if let known = decisions[question] { return known }
        func value(_ origin: MergeOrigin) -> KeyedArchive.Value? {
            places.value(
                row.values[origin], origin, in: owner.versions[origin], under: row.key == 0 ? nil : name)
        }
        let conflict = ArchiveMerge.Conflict(
            kind: kind, className: places.className(of: owner.versions), key: name, base: value(.base),
            mine: value(.mine), theirs: value(.theirs), places: places, place: owner.place)
        let resolution = try decide(conflict)
        decisions[question] = resolution
        return resolution
    }
}

// MARK: - Contents

extension MergeRun {
    private mutating func mergedContents(of value: Value) throws -> Contents {
        let versions = value.versions
        guard versions.mine != nil, versions.theirs != nil, let base = versions.base else {
            return .version(versions.mine != nil ? .mine : versions.theirs != nil ? .theirs : .base)
        }
        switch graph.form(base, .base) {
        case .record, .dictionary, .set: return try mergedRows(of: value)
        case .list: return .parts(try mergedList(value).map { (0, $0) })
        case .null, .leaf, .unit: return .version(.base)
        }
    }

    /// Merges the values of a record or a dictionary key by key, and the elements of a set.
    private mutating func mergedRows(of value: Value) throws -> Contents {
        let rows = graph.rows(of: value.versions)
        if !isComparison, let origin = try wholeVersion(of: value, rows) { return .version(origin) }
        let isSet = value.versions.base.map { graph.form($0, .base) == .set } ?? false
        var parts: [MergeSide.Part] = []
        var classPart: [MergeSide.Part] = []
        for (position, row) in rows.enumerated() {
            var merged: Int?
            switch choose(row.values, value, graph.step(to: row, at: position), row.keys) {
            case .value(let chosen): merged = chosen
            case .conflict:
                let resolution =
                    try isSet ? resolution(of: value) : decided(.value, value, row, places.keyText(row))
                merged = chosen(row.values, resolution.origin)
            }
            guard let merged else { continue }
            if let origin = MergeOrigin.allCases.first(where: { row.keys[$0] != nil }), let key = row.keys[origin] {
                parts.append((number(of: key, origin), merged))
            } else if row.key == graph.classKey {
                classPart = [(row.key, merged)]
            } else {
                parts.append((row.key, merged))
            }
        }
        return .parts(parts + classPart)
    }

    /// Returns the version of which a record has all contents; nil if the keys are merged one by one. They are not if the versions are
    /// cases of an enumeration, or have different descriptions of the class, such as of two versions of a program.
    private mutating func wholeVersion(of value: Value, _ rows: [MergeRow]) throws -> MergeOrigin? {
        guard let base = value.versions.base, let mine = value.versions.mine, let theirs = value.versions.theirs,
            graph.form(base, .base) == .record
        else { return nil }
        let hasOneClass = graph.hasOneClass(value.versions)
        guard !hasOneClass || graph.isOneValue(Triple(base, mine, theirs)) else { return nil }
        guard rows.contains(where: { graph.isChanged($0.values, .mine) }) else { return .theirs }
        guard rows.contains(where: { graph.isChanged($0.values, .theirs) }) else { return .mine }
        if rows.allSatisfy({ graph.isEqual($0.values) }) { return .mine }
        let row = MergeRow(values: value.versions)
        return try decided(.value, value, row, hasOneClass ? nil : "$class").origin
    }
}

// MARK: - Changed objects

extension MergeRun {
    /// Decides about the objects that one archive has changed, and that the merged archive does not reach since their references
    /// were removed.
    ///
    /// - Parameter reported: The objects about which was decided before.
    /// - Returns: Whether any are kept, so that the values are merged again.
    private mutating func keepChangedObjects(_ reported: inout BitSet) throws -> Bool {
        var found = Triple<[Int]>([], [], [])
        for uid in 0..<graph.sides.base.objectCount {
            guard let versions = identity(uid, .base), !isReached(versions) else { continue }
            let isChanged = [MergeOrigin.mine, .theirs].contains {
                versions[$0] != nil && graph.hasOtherContents(uid, $0)
            }
            guard isChanged, reported.insert(uid) else { continue }
            let row = MergeRow(values: versions)
            let origin = try decided(.removal, Value(versions: versions, place: uid), row, nil).origin
            let keeper = origin != .base ? origin : versions.mine != nil ? .mine : .theirs
            if versions[keeper] != nil { found[keeper].append(uid) }
        }
        for origin in [MergeOrigin.mine, .theirs] where !found[origin].isEmpty {
            kept[origin].formUnion(found[origin])
            require(found[origin], in: origin)
        }
        return !found.mine.isEmpty || !found.theirs.isEmpty
    }

    /// Whether the merged archive has an object of the base.
    private func isReached(_ versions: Triple<Int?>) -> Bool {
        numbers[versions].map { values[$0].contents != nil } ?? false
    }

    /// Marks the values of an archive that refer to the objects `uids`, also indirectly, up to objects that the merged archive reaches.
    private mutating func require(_ uids: [Int], in origin: MergeOrigin) {
        let side = graph.sides[origin]
        var owners = [[Int]](repeating: [], count: side.values.count)
        for owner in side.values.indices {
            for child in side.children(of: owner) { owners[child].append(owner) }
        }
        var remaining = uids
        while let value = remaining.popLast() {
            guard required[origin].insert(value).inserted else { continue }
            for owner in owners[value] where owner != side.top && owner != side.surroundings {
                if identity(owner, origin).map({ !isReached($0) }) ?? true { remaining.append(owner) }
            }
        }
    }
}
