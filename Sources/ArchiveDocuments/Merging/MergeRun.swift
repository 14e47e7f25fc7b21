// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The merge of the versions of all values, from the top to everything that the merged archive reaches.
struct MergeRun: ~Copyable {
    /// A value of one archive, or one that is merged from its versions.
    enum Chosen {
        case from(MergeOrigin, Int)
        /// The number of a value in `values`.
        case merged(Int)
    }

    /// A value that is merged in parts: an object of the base with its uid in all archives, or the three values of one place.
    struct Value {
        /// The versions; nil for an archive that does not have the object.
        let versions: Triple<Int?>
        let place: Int
        /// The merged contents; nil until the merged archive reaches the value.
        fileprivate(set) var contents: Contents?
    }

    /// Merged contents of a value.
    enum Contents {
        /// Those of one version.
        case version(MergeOrigin)
        case record([(key: Int, value: Chosen)])
        case elements([Chosen])
        case dictionary([(key: Chosen, value: Chosen)])
    }

    typealias Decision = (ArchiveMerge.Conflict) throws -> ArchiveMerge.Resolution

    /// The choice of a value for a place; nil for a conflict.
    typealias Choice = Chosen??

    /// The place of a decision.
    private struct Question: Hashable {
        let versions: Triple<Int?>
        let key: Int
        let keys: Triple<Int?>
    }

    let graph: MergeGraph
    private(set) var values: [Value] = []
    private var numbers: [Triple<Int?>: Int] = [:]
    private let places: MergePlaces
    private let decide: Decision
    /// Whether mine and theirs are the same archive, and all changes are conflicts.
    let isComparison: Bool
    private var decisions: [Question: ArchiveMerge.Resolution] = [:]
    private var queue: [Int] = []
    /// The values that the merged archive has from each archive.
    private var isCopied = Triple<[Bool]>([], [], [])
    /// The removed objects of each archive that are kept.
    private var kept = Triple<Set<Int>>([], [], [])
    /// The values of each archive through which the kept objects are reached again.
    private var isRequired = Triple<[Bool]>([], [], [])
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
        for origin in MergeOrigin.allCases {
            isRequired[origin] = Array(repeating: false, count: graph.sides[origin].values.count)
        }
        var reported = BitSet(count: graph.sides.base.objectCount)
        for _ in 0..<Self.roundLimit {
            try mergeAll()
            guard try !isComparison && keepChangedObjects(&reported) else { return }
        }
        throw KeyedArchiveError(.limit(.init("restored objects"), Self.roundLimit))
    }

    /// Merges all values that the merged archive reaches.
    private mutating func mergeAll() throws {
        let sides = graph.sides
        (values, numbers, queue, budget) = ([], [:], [], 4 * graph.valueCount)
        for origin in MergeOrigin.allCases {
            isCopied[origin] = Array(repeating: false, count: sides[origin].values.count)
        }
        let tops = Triple<Int?>(sides.base.top, sides.mine.top, sides.theirs.top)
        queue.append(number(of: tops, sides.base.top))
        let others = Triple<Int?>(sides.base.surroundings, sides.mine.surroundings, sides.theirs.surroundings)
        queue.append(number(of: others, sides.base.surroundings))
        for number in queue { values[number].contents = .version(.base) }
        var next = 0
        while next < queue.count {
            let number = queue[next]
            next += 1
            let contents = try mergedContents(of: values[number])
            values[number].contents = contents
            reach(contents, of: values[number])
        }
    }

    /// The number of the merged value with these versions.
    private mutating func number(of versions: Triple<Int?>, _ place: @autoclosure () -> Int) -> Int {
        if let known = numbers[versions] { return known }
        numbers[versions] = values.count
        values.append(Value(versions: versions, place: place()))
        return values.count - 1
    }

    /// The number of the object of the base that a value refers to; nil for other values.
    func identity(_ value: Int, _ origin: MergeOrigin) -> Triple<Int?>? {
        guard graph.isIdentity(value, origin) else { return nil }
        return Triple(
            value, graph.isIdentity(value, .mine) ? value : nil, graph.isIdentity(value, .theirs) ? value : nil)
    }

    /// The number of the merged value with these versions, which the merged archive reaches.
    func known(_ versions: Triple<Int?>) -> Int? { numbers[versions] }
}

// MARK: - Reach

extension MergeRun {
    private mutating func reach(_ contents: Contents, of value: Value) {
        switch contents {
        case .version(let origin):
            guard let version = value.versions[origin] else { return }
            for child in graph.sides[origin].children(of: version) { reach(.from(origin, child)) }
        case .record(let fields): for field in fields { reach(field.value) }
        case .elements(let elements): for element in elements { reach(element) }
        case .dictionary(let entries):
            for entry in entries {
                reach(entry.key)
                reach(entry.value)
            }
        }
    }

    private mutating func reach(_ chosen: Chosen) {
        switch chosen {
        case .merged(let number): enqueue(number)
        case .from(let origin, let value):
            var remaining = [value]
            while let value = remaining.popLast() {
                if let versions = identity(value, origin) {
                    enqueue(number(of: versions, value))
                } else if !isCopied[origin][value] {
                    isCopied[origin][value] = true
                    remaining += graph.sides[origin].children(of: value)
                }
            }
        }
    }

    private mutating func enqueue(_ number: Int) {
        guard values[number].contents == nil else { return }
        values[number].contents = .version(.base)
        queue.append(number)
    }

    /// Whether the merged archive has an object of the base.
    private func isReached(_ uid: Int) -> Bool {
        identity(uid, .base).flatMap { numbers[$0] }.map { values[$0].contents != nil } ?? false
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
        func from(_ origin: MergeOrigin) -> Choice { .some(versions[origin].map { .from(origin, $0) }) }
        let (isMine, isTheirs) = (graph.isChanged(versions, .mine), graph.isChanged(versions, .theirs))
        if !isMine, !isTheirs { return from(.base) }
        if isMine, isTheirs {
            if !isComparison, graph.isEqual(versions) { return from(.mine) }
            return inside(versions, owner, step).map { .some($0) }
        }
        let origin: MergeOrigin = isMine ? .mine : .theirs
        let other = origin.other
        guard requires(versions[other], other) || requires(keys[other], other) else { return from(origin) }
        if let value = versions[other], isKept(value, other) { return from(other) }
        return inside(versions, owner, step).map { .some($0) } ?? from(other)
    }

    /// Whether a value is a removed object that is kept.
    func isKept(_ value: Int, _ origin: MergeOrigin) -> Bool { kept[origin].contains(value) }

    /// Whether a removed object that is kept is reached through a value.
    func requires(_ value: Int?, _ origin: MergeOrigin) -> Bool { value.map { isRequired[origin][$0] } ?? false }

    /// Merges three values in parts; nil if they have to be taken as a whole.
    private mutating func inside(
        _ versions: Triple<Int?>, _ owner: Value, _ step: KeyedArchive.Path.Step
    ) -> Chosen? {
        guard let base = versions.base, let mine = versions.mine, let theirs = versions.theirs, budget > 0,
            graph.hasSamePlaces(base, mine, .mine), graph.hasSamePlaces(base, theirs, .theirs)
        else { return nil }
        if graph.sides.base.forms[base] == .record {
            guard !graph.isOneValue(Triple(base, mine, theirs)), graph.hasOneClass(versions) else { return nil }
        }
        if let known = numbers[versions] { return .merged(known) }
        budget -=
            1 + graph.sides.base.children(of: base).count + graph.sides.mine.children(of: mine).count
            + graph.sides.theirs.children(of: theirs).count
        let places = self.places
        return .merged(number(of: versions, places.add(step, in: owner.place)))
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
        guard versions.mine != nil, versions.theirs != nil else {
            return .version(versions.mine != nil ? .mine : versions.theirs != nil ? .theirs : .base)
        }
        switch graph.contents(versions.base, .base) {
        case .record?: return try mergedRecord(value)
        case .dictionary?: return .dictionary(try mergedEntries(of: value))
        case .list?: return .elements(try mergedList(value))
        case .set?: return .elements(try mergedSet(value))
        case nil: return .version(.base)
        }
    }

    private mutating func mergedRecord(_ value: Value) throws -> Contents {
        let rows = graph.rows(of: value.versions)
        if !isComparison, let origin = try wholeVersion(of: value, rows) { return .version(origin) }
        var fields: [(key: Int, value: Chosen)] = []
        var objectClass: [(key: Int, value: Chosen)] = []
        for row in rows {
            let name = graph.names[row.key]
            var chosen: Chosen?
            if let choice = choose(row.values, value, .key(name)) {
                chosen = choice
            } else {
                let origin = try decided(.value, value, row, name).origin
                chosen = row.values[origin].map { .from(origin, $0) }
            }
            guard let chosen else { continue }
            if row.key == graph.classKey { objectClass = [(row.key, chosen)] } else { fields.append((row.key, chosen)) }
        }
        return .record(fields + objectClass)
    }

    /// Returns the version of which a record has all contents; nil if the keys are merged one by one. They are not if the versions are
    /// cases of an enumeration, or have different descriptions of the class, such as of two versions of a program.
    private mutating func wholeVersion(of value: Value, _ rows: [MergeRow]) throws -> MergeOrigin? {
        guard let base = value.versions.base, let mine = value.versions.mine, let theirs = value.versions.theirs else {
            return nil
        }
        let hasOneClass = graph.hasOneClass(value.versions)
        guard !hasOneClass || graph.isOneValue(Triple(base, mine, theirs)) else { return nil }
        guard rows.contains(where: { graph.isChanged($0.values, .mine) }) else { return .theirs }
        guard rows.contains(where: { graph.isChanged($0.values, .theirs) }) else { return .mine }
        if rows.allSatisfy({ graph.isEqual($0.values) }) { return .mine }
        var row = MergeRow()
        row.values = value.versions
        return try decided(.value, value, row, hasOneClass ? nil : "$class").origin
    }

    private mutating func mergedEntries(of value: Value) throws -> [(key: Chosen, value: Chosen)] {
        var entries: [(key: Chosen, value: Chosen)] = []
        for (position, row) in graph.rows(of: value.versions).enumerated() {
            let choice = choose(row.values, value, graph.step(to: row, at: position), row.keys)
            var chosen: Chosen?
            if let choice {
                chosen = choice
            } else {
                let origin = try decided(.value, value, row, places.keyText(row)).origin
                chosen = row.values[origin].map { .from(origin, $0) }
            }
            guard let chosen, let origin = MergeOrigin.allCases.first(where: { row.keys[$0] != nil }),
                let key = row.keys[origin]
            else { continue }
            entries.append((.from(origin, key), chosen))
        }
        return entries
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
            guard let versions = identity(uid, .base), !isReached(uid) else { continue }
            let isChanged = [MergeOrigin.mine, .theirs].contains {
                versions[$0] != nil && graph.hasOtherContents(uid, $0)
            }
            guard isChanged, reported.insert(uid) else { continue }
            var row = MergeRow()
            row.values = versions
            let owner = Value(versions: versions, place: uid)
            let origin = try decided(.removal, owner, row, nil).origin
            let keeper = origin != .base ? origin : versions.mine != nil ? .mine : .theirs
            if versions[keeper] != nil { found[keeper].append(uid) }
        }
        for origin in [MergeOrigin.mine, .theirs] where !found[origin].isEmpty {
            kept[origin].formUnion(found[origin])
            require(found[origin], in: origin)
        }
        return !found.mine.isEmpty || !found.theirs.isEmpty
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
            guard !isRequired[origin][value] else { continue }
            isRequired[origin][value] = true
            for owner in owners[value] where owner != side.top && owner != side.surroundings {
                if !graph.isIdentity(owner, origin) || !isReached(owner) { remaining.append(owner) }
            }
        }
    }
}
