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
    /// The numbers of the values of mine and theirs.
    private let numbers: Triple<[Int]>
    /// The numbers of the values of the base, for the comparisons with mine and theirs.
    private let baseNumbers: Triple<[Int]>

    /// - Parameter classKinds: Whether the objects of a class have an identity, by the names of the classes of which this is known.
    init(_ base: KeyedArchive, _ mine: KeyedArchive, _ theirs: KeyedArchive, _ classKinds: [String: Bool]) throws {
        let numbers = MergeNumbers()
        let sides = try Triple(
            MergeSide(base, classKinds, numbers), MergeSide(mine, classKinds, numbers),
            MergeSide(theirs, classKinds, numbers))
        self.sides = sides
        var own = Triple<[Int]>([], [], [])
        var old = own
        for origin in [MergeOrigin.mine, .theirs] {
            let side = sides[origin]
            let isSame = { (value: Int) in side.has(value, of: sides.base) }
            own[origin] = numbers.numbers(of: side, origin, isKnown: isSame, isSame: isSame)
            old[origin] = numbers.numbers(of: sides.base, .base, isKnown: { _ in true }, isSame: isSame)
        }
        (self.numbers, baseNumbers) = (own, old)
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
            guard base.forms[uid] != .null, side.forms[uid] != .null else { continue }
            let isValue = base.forms[uid] == .leaf || base.forms[uid] == .unit
            let isSame =
                isValue ? baseNumber(uid, for: origin) == numbers[origin][uid] : side.has(uid, of: base)
            if isSame { same += 1 } else { others += 1 }
        }
        return others <= same
    }
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

    /// Whether a value is an object of the base, whose versions are merged by its uid.
    func isIdentity(_ value: Int, _ origin: MergeOrigin) -> Bool {
        let side = sides[origin]
        return side.isObject(value) && (side.forms[value] == .record || side.hasIdentity[value])
            && side.has(value, of: sides.base)
    }

    /// Whether two values have the same form and class, and are not different instances, so that each part has a place in both.
    func hasSamePlaces(_ base: Int, _ value: Int, _ origin: MergeOrigin) -> Bool {
        let (old, new) = (sides.base, sides[origin])
        guard old.forms[base] == new.forms[value], old.classes[base] == new.classes[value] else { return false }
        switch old.forms[base] {
        case .null, .leaf, .unit: return false
        case .list, .set, .dictionary: return true
        case .record:
            return !old.hasIdentity[base] && !new.hasIdentity[value]
                && (base == value || !new.has(base, of: old) && !new.has(value, of: old))
        }
    }

    /// Whether mine and theirs have the same description of the class of a record.
    func hasOneClass(_ record: Triple<Int?>) -> Bool {
        number(record.mine.map { sides.mine.classUIDs[$0] }, .mine)
            == number(record.theirs.map { sides.theirs.classUIDs[$0] }, .theirs)
    }

    /// Whether the contents of all versions of a record are those of one value: each has exactly one key, and not the same one, as
    /// the cases of an enumeration.
    func isOneValue(_ record: Triple<Int>) -> Bool {
        var keys: [Int] = []
        for origin in MergeOrigin.allCases {
            guard case .record(let fields)? = sides[origin].contents[record[origin]] else { return false }
            let others = fields.filter { $0.key != classKey }
            guard others.count == 1 else { return false }
            keys.append(others[0].key)
        }
        return keys[0] != keys[1] || keys[0] != keys[2]
    }
}

// MARK: - Contents

/// The values under one key.
struct MergeRow {
    /// The number of the key in `MergeNumbers`; 0 in a dictionary.
    var key = 0
    var values = Triple<Int?>(nil, nil, nil)
    /// The keys of a dictionary.
    var keys = Triple<Int?>(nil, nil, nil)
}

extension MergeGraph {
    func contents(_ value: Int?, _ origin: MergeOrigin) -> MergeSide.Contents? {
        value.flatMap { sides[origin].contents[$0] }
    }

    /// The elements of a list or a set; none for other values.
    func elements(_ value: Int?, _ origin: MergeOrigin) -> [Int] {
        switch contents(value, origin) {
        case .list(let elements)?, .set(let elements)?: elements
        default: []
        }
    }

    /// The rows of records or dictionaries: first those of the base, then those that were added to mine, then to theirs.
    func rows(of values: Triple<Int?>) -> [MergeRow] {
        var rows: [MergeRow] = []
        for origin in MergeOrigin.allCases {
            var places: [Int: Int] = [:]
            switch contents(values[origin], origin) {
            case .record(let fields)?:
                for (place, row) in rows.enumerated() { places[row.key] = place }
                for field in fields {
                    let place = places[field.key] ?? rows.count
                    if place == rows.count { rows.append(MergeRow(key: field.key)) }
                    rows[place].values[origin] = field.value
                }
            case .dictionary(let entries)?:
                for (place, row) in rows.enumerated() {
                    let number = baseNumber(row.keys.base, for: origin == .base ? .mine : origin)
                    if let number = number ?? self.number(row.keys.mine, .mine) { places[number] = place }
                }
                for entry in entries {
                    let number =
                        origin == .base ? baseNumber(entry.key, for: .mine) : self.number(entry.key, origin)
                    let place = number.flatMap { places[$0] } ?? rows.count
                    if place == rows.count { rows.append(MergeRow()) }
                    if let number { places[number] = place }
                    // Of equal keys, the last one counts.
                    rows[place].keys[origin] = entry.key
                    rows[place].values[origin] = entry.value
                }
            default: break
            }
        }
        return rows
    }

    /// The parts of two lists without a match.
    func regions(_ old: [Int], _ new: [Int], _ origin: MergeOrigin) -> [SequenceMatches.Region] {
        SequenceMatches.regions(old.map { baseNumbers[origin][$0] }, new.map { numbers[origin][$0] })
    }

    /// The number of values in the archives.
    var valueCount: Int { sides.base.values.count + sides.mine.values.count + sides.theirs.values.count }

    /// Whether an archive has other contents of an object than the base.
    func hasOtherContents(_ uid: Int, _ origin: MergeOrigin) -> Bool {
        var values = Triple<Int?>(uid, nil, nil)
        values[origin] = uid
        return rows(of: values).contains { isChanged($0.values, origin) }
    }

    /// The text of a string; nil for other values.
    func text(_ value: Int, _ origin: MergeOrigin) -> String? { sides[origin].values[value].string }

    /// The step to the value of a row.
    func step(to row: MergeRow, at position: Int) -> KeyedArchive.Path.Step {
        if row.key != 0 { return .key(names[row.key]) }
        return row.keys.base.flatMap { text($0, .base) }.map { .key($0) } ?? .index(position)
    }
}
