// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// MARK: - Lists

extension KeyedArchiveEditor {
    /// The elements of an array, a set or another list, or the keys or the values of a dictionary.
    struct List {
        enum Form {
            /// They are stored in the array or set at the list's place.
            case elements
            /// Each is an entry of the object at the list's place. The key is the prefix followed by the element's number. These
            /// are the positions of the entries, by number.
            case numbered(prefix: String, positions: [Int])
        }

        enum Contents {
            /// Uids, as in Foundation's collections.
            case references
            /// Inline values, as in the property list's own arrays and sets.
            case values
            /// Inline numbers, as in a C array.
            case numbers
        }

        let place: Place
        let form: Form
        let count: Int
        var contents = Contents.references
        /// Whether the object has further entries with the prefix, after a gap in the numbers.
        var hasStrays = false
        /// Whether each element has a separate count, as in an NSCountedSet.
        var isCounted = false

        func place(of position: Int) -> Place {
            switch form {
            case .elements: place.inside(position)
            case .numbered(_, let positions): place.inside(positions[position])
            }
        }
    }

    func list(at place: Place, _ value: PropertyList) -> List? {
        switch value {
        case .array(let elements), .set(let elements):
            let contents: List.Contents = isInCollection(place) ? .references : .values
            return List(place: place, form: .elements, count: elements.count, contents: contents)
        case .dictionary(let entries) where !place.isTop && classUID(of: entries) != nil:
            return list(of: entries, at: place)
        default: return nil
        }
    }

    private func isInCollection(_ place: Place) -> Bool {
        guard let position = place.positions.last else { return false }
        var owner = place
        owner.positions.removeLast()
        guard case .dictionary(let entries) = stored(at: owner), classUID(of: entries) != nil else { return false }
        return ["NS.objects", "NS.keys"].contains(entries[position].key)
    }

    private func list(of entries: PropertyList.Dictionary, at place: Place) -> List? {
        // A dictionary has its values under the key that an array uses for its elements.
        if entries.count > 2, entries["NS.keys"] != nil { return nil }
        if pairs(of: entries, at: place) != nil { return nil }
        if let list = inner("NS.objects", of: entries, at: place) { return list }
        let numbered = numbered("NS.object.", of: entries, at: place)
        if numbered.count > 0 { return numbered }
        if let list = oldStyleArray(of: entries, at: place) ?? countedSet(of: entries, at: place) { return list }
        // A foreign coder writes an empty array as an object with only a class.
        guard entries.count == 1, case .elements? = collectionKind(of: entries) else { return nil }
        return numbered
    }

    private func inner(_ key: String, of entries: PropertyList.Dictionary, at place: Place) -> List? {
        guard let position = entries.firstPosition(of: key), let found = followed(place.inside(position)) else {
            return nil
        }
        switch stored(at: found) {
        case .array(let elements), .set(let elements):
            return List(place: found, form: .elements, count: elements.count)
        default: return nil
        }
    }

    private func numbered(_ prefix: String, of entries: PropertyList.Dictionary, at place: Place) -> List {
        var found: [Int: Int] = [:]
        var matchCount = 0
        for (position, entry) in entries.enumerated() {
            guard let number = Self.number(of: entry.key, behind: prefix) else { continue }
            found[number] = position
            matchCount += 1
        }
        var positions: [Int] = []
        while let position = found[positions.count] { positions.append(position) }
        let form = List.Form.numbered(prefix: prefix, positions: positions)
        return List(place: place, form: form, count: positions.count, hasStrays: matchCount > positions.count)
    }

    static func number(of key: String, behind prefix: String) -> Int? {
        guard key.utf8.count < 32, key.utf8.starts(with: prefix.utf8) else { return nil }
        // Writers use neither a sign nor leading zeros.
        let digits = String(decoding: key.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
        return Int(digits).flatMap { $0 >= 0 && String($0) == digits ? $0 : nil }
    }

    private func countedSet(of entries: PropertyList.Dictionary, at place: Place) -> List? {
        guard case .integer(let count)? = followed(entries["NS.count"]) else { return nil }
        var list = numbered("NS.object", of: entries, at: place)
        guard Int128(list.count) == count, 2 * list.count == entries.count - 2,
            numbered("NS.count", of: entries, at: place).count == list.count
        else { return nil }
        list.isCounted = true
        return list
    }

    private func oldStyleArray(of entries: PropertyList.Dictionary, at place: Place) -> List? {
        guard let type = followed(entries["NS.type"]), case .integer(let count)? = followed(entries["NS.count"]) else {
            return nil
        }
        var list = numbered("$", of: entries, at: place)
        guard Int128(list.count) == count else { return nil }
        list.contents = .numbers
        // The characters "#", "*" and "@": classes, C strings and objects.
        if case .integer(35) = type { list.contents = .references }
        if case .integer(42) = type { list.contents = .references }
        if case .integer(64) = type { list.contents = .references }
        return list
    }
}

// MARK: - Dictionaries

extension KeyedArchiveEditor {
    /// The keys and the values of the Foundation dictionary that is stored as `entries` at `place`; nil if it is another object.
    func pairs(of entries: PropertyList.Dictionary, at place: Place) -> (keys: List, values: List)? {
        guard !place.isTop, case .dictionary? = collectionKind(of: entries) else { return nil }
        if let keys = inner("NS.keys", of: entries, at: place), let values = inner("NS.objects", of: entries, at: place)
        {
            return keys.count == values.count ? (keys, values) : nil
        }
        let keys = numbered("NS.key.", of: entries, at: place)
        let values = numbered("NS.object.", of: entries, at: place)
        return keys.count == values.count ? (keys, values) : nil
    }

    /// The positions at which `keys` has the string `key`, or if there is none, those of strings that are equal by Unicode's rules.
    func positions(of key: String, in keys: List) -> [Int] {
        let exact = ExactText(key)
        let texts = (0..<keys.count).map { text(stored(at: keys.place(of: $0))) }
        let found = texts.indices.filter { texts[$0].map { ExactText($0) == exact } ?? false }
        return found.isEmpty ? texts.indices.filter { texts[$0].map { HashedText.areEqual($0, key) } ?? false } : found
    }
}

// MARK: - Changing lists

extension KeyedArchiveEditor {
    /// Inserts `value`, in its stored form, before the element at `position`, or appends it.
    mutating func insert(_ value: PropertyList, at position: Int, of list: List) {
        switch list.form {
        case .elements: mutate(list.place) { $0.changeElements { $0.insert(value, at: position) } }
        case .numbered(let prefix, let positions):
            mutate(list.place) {
                $0.changeEntries { entries in
                    let next =
                        position < positions.count
                        ? positions[position] : positions.last.map { $0 + 1 } ?? entries.endOfFields
                    Self.renumber(&entries, prefix, from: position, by: 1)
                    entries.insert(key: prefix + String(position), value: value, at: next)
                    if prefix == "$" { entries["NS.count"] = .integer(Int128(positions.count + 1)) }
                }
            }
        }
    }

    mutating func remove(at position: Int, of list: List) {
        switch list.form {
        case .elements: mutate(list.place) { $0.changeElements { _ = $0.remove(at: position) } }
        case .numbered(let prefix, let positions):
            mutate(list.place) {
                $0.changeEntries { entries in
                    entries.remove(at: positions[position])
                    Self.renumber(&entries, prefix, from: position + 1, by: -1)
                    if prefix == "$" { entries["NS.count"] = .integer(Int128(positions.count - 1)) }
                }
            }
        }
    }

    /// The list after a change of another list of the same object.
    func refreshed(_ list: List) -> List {
        guard case .numbered(let prefix, _) = list.form, case .dictionary(let entries) = stored(at: list.place) else {
            return list
        }
        return numbered(prefix, of: entries, at: list.place)
    }

    /// Adds `change` to the numbers from `first` up in keys with `prefix`, which are numbered without a gap.
    private static func renumber(
        _ entries: inout PropertyList.Dictionary, _ prefix: String, from first: Int, by change: Int
    ) {
        entries = PropertyList.Dictionary(
            entries.map { entry in
                guard let number = number(of: entry.key, behind: prefix), number >= first else { return entry }
                return (prefix + String(number + change), entry.value)
            })
    }
}

extension PropertyList.Dictionary {
    /// The position at which a field is added: before the class, which writers put last and readers expect there.
    var endOfFields: Int { last?.key == "$class" ? count - 1 : count }
}
