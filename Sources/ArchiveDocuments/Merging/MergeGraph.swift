// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The three archives of a merge, and the comparison of their values.
///
/// An object is the same in two archives if it has the same uid and class there, and its changes are those of its contents. A value
/// without identity is compared by its contents: it belongs to the place that holds it.
struct MergeGraph: Sendable {
    let sides: Triple<MergeSide>
    /// The keys and the names of classes by their numbers.
    let names: [String]
    let classKey: Int
    private let numbers: Triple<[Int]>
    /// The numbers of the values of the base, for the comparisons with mine and theirs.
    private let baseNumbers: Triple<[Int]>

    /// - Parameter classKinds: Whether the objects of a class have an identity, by the names of the classes of which this is known.
    init(_ base: KeyedArchive, _ mine: KeyedArchive, _ theirs: KeyedArchive, _ classKinds: [String: Bool]) throws {
        let numbers = MergeNumbers()
        let archives = Triple(base, mine, theirs)
        let sides = try Triple { try MergeSide(archives[$0], classKinds, numbers) }
        self.sides = sides
        self.numbers = try Triple { origin in
            try origin == .base ? [] : numbers.numbers(of: sides[origin], origin, comparedWith: sides.base)
        }
        baseNumbers = try Triple { origin in
            try origin == .base ? [] : numbers.numbers(of: sides.base, .base, comparedWith: sides[origin])
        }
        (names, classKey) = (numbers.names, numbers.classKey)
        for origin in [MergeOrigin.mine, .theirs] where !isDescendant(origin) {
            throw ArchiveMergeError(.unrelated, [], isMine: origin == .mine)
        }
    }

    private init(_ graph: MergeGraph, _ origin: MergeOrigin) {
        func twice<Element>(_ versions: Triple<Element>) -> Triple<Element> {
            Triple(versions.base, versions[origin], versions[origin])
        }
        (sides, numbers, baseNumbers) = (twice(graph.sides), twice(graph.numbers), twice(graph.baseNumbers))
        (names, classKey) = (graph.names, graph.classKey)
    }

    /// The base and one archive, which is both mine and theirs.
    func comparison(with origin: MergeOrigin) -> MergeGraph { MergeGraph(self, origin) }

    /// Whether an archive descends from the base: not more of its objects are others than the same.
    private func isDescendant(_ origin: MergeOrigin) -> Bool {
        let (base, side) = (sides.base, sides[origin])
        var (same, others) = (0, 0)
        for uid in 0..<min(base.objectCount, side.objectCount) {
            guard base.values[uid].form != .null, side.values[uid].form != .null else { continue }
            let isValue = base.values[uid].form == .leaf || base.values[uid].form == .unit
            let isSame = isValue ? baseNumber(uid, for: origin) == number(uid, origin) : side.has(uid, of: base)
            if isSame { same += 1 } else { others += 1 }
        }
        return others <= same
    }

    /// The number of values in the archives.
    var valueCount: Int { sides.base.values.count + sides.mine.values.count + sides.theirs.values.count }
}

// MARK: - Comparison

extension MergeGraph {
    /// The number of a value of mine or theirs; nil without one.
    func number(_ value: Int?, _ origin: MergeOrigin) -> Int? { value.map { numbers[origin][$0] } }

    /// The number of a value of the base in the comparison with mine or theirs; nil without one.
    func baseNumber(_ value: Int?, for origin: MergeOrigin) -> Int? { value.map { baseNumbers[origin][$0] } }

    /// Whether an archive has another value than the base.
    func isChanged(_ values: Triple<Int?>, _ origin: MergeOrigin) -> Bool {
        baseNumber(values.base, for: origin) != number(values[origin], origin)
    }

    func isEqual(_ values: Triple<Int?>) -> Bool { number(values.mine, .mine) == number(values.theirs, .theirs) }

    func form(_ value: Int, _ origin: MergeOrigin) -> MergeSide.Form { sides[origin].values[value].form }

    /// Whether a value is an object of the base, whose versions are merged by its uid.
    func isIdentity(_ value: Int, _ origin: MergeOrigin) -> Bool {
        let side = sides[origin]
        return side.isObject(value) && (side.values[value].form == .record || side.values[value].hasIdentity)
            && side.has(value, of: sides.base)
    }

    /// Whether two values have the same form and class, and are not different instances, so that each part has a place in both.
    func hasSamePlaces(_ base: Int, _ value: Int, _ origin: MergeOrigin) -> Bool {
        let (old, new) = (sides.base.values[base], sides[origin].values[value])
        guard old.form == new.form, old.className == new.className else { return false }
        switch old.form {
        case .null, .leaf, .unit: return false
        case .list, .set, .dictionary: return true
        case .record:
            return !old.hasIdentity && !new.hasIdentity
                && (base == value
                    || !sides[origin].has(base, of: sides.base) && !sides[origin].has(value, of: sides.base))
        }
    }

    /// Whether mine and theirs have the same description of the class of a record.
    func hasOneClass(_ record: Triple<Int?>) -> Bool {
        isEqual(Triple { origin in record[origin].map { sides[origin].values[$0].classUID } })
    }

    /// Whether the contents of all versions of a record are those of one value: each has exactly one key, and not the same one, as
    /// the cases of an enumeration.
    func isOneValue(_ record: Triple<Int>) -> Bool {
        let keys = Triple { origin in sides[origin].values[record[origin]].parts.map(\.key).filter { $0 != classKey } }
        return MergeOrigin.allCases.allSatisfy { keys[$0].count == 1 }
            && (keys.base != keys.mine || keys.base != keys.theirs)
    }
}

// MARK: - Contents

/// The values under one key.
struct MergeRow {
    /// The number of the key of a record in `MergeNumbers`; 0 in a dictionary or a set.
    var key = 0
    var values = Triple<Int?>(nil, nil, nil)
    /// The keys of a dictionary, or the elements of a set.
    var keys = Triple<Int?>(nil, nil, nil)
}

extension MergeGraph {
    func elements(_ values: Triple<Int?>) -> Triple<[Int]> {
        Triple { origin in values[origin].map { sides[origin].values[$0].parts.map(\.value) } ?? [] }
    }

    /// The rows of records, dictionaries or sets: first those of the base, then those that were added to mine, then to theirs.
    func rows(of values: Triple<Int?>) -> [MergeRow] {
        var rows: [MergeRow] = []
        for origin in MergeOrigin.allCases {
            guard let value = values[origin] else { continue }
            let hasValueKeys = form(value, origin).hasValueKeys
            // Keys of the base are compared with those of the other archives by other numbers.
            let other = origin == .base ? .mine : origin
            func number(_ key: Int) -> Int { (origin == .base ? baseNumbers.mine : numbers[origin])[key] }
            var places: [Int: Int] = [:]
            for (place, row) in rows.enumerated() {
                let key = baseNumber(row.keys.base, for: other) ?? self.number(row.keys.mine, .mine) ?? row.key
                places[key] = place
            }
            for part in sides[origin].values[value].parts {
                let key = hasValueKeys ? number(part.key) : part.key
                let place = places[key] ?? rows.count
                if place == rows.count { rows.append(MergeRow(key: hasValueKeys ? 0 : key)) }
                places[key] = place
                // Of equal keys, the last one counts.
                if hasValueKeys { rows[place].keys[origin] = part.key }
                rows[place].values[origin] = part.value
            }
        }
        return rows
    }

    /// Whether an archive has other contents of an object than the base.
    func hasOtherContents(_ uid: Int, _ origin: MergeOrigin) -> Bool {
        guard form(uid, .base) == .record || form(uid, .base).hasValueKeys else { return false }
        var values = Triple<Int?>(uid, nil, nil)
        values[origin] = uid
        return rows(of: values).contains { isChanged($0.values, origin) }
    }

    /// The text of a string; nil for other values.
    func text(_ value: Int, _ origin: MergeOrigin) -> String? { sides[origin].values[value].list.string }

    func step(to row: MergeRow, at position: Int) -> KeyedArchive.Path.Step {
        if row.key != 0 { return .key(names[row.key]) }
        return row.keys.base.flatMap { text($0, .base) }.map { .key($0) } ?? .index(position)
    }
}
