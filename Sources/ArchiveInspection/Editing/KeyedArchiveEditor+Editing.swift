// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// MARK: - Editing by path

extension KeyedArchiveEditor {
    /// Stores `value` at `path`. It replaces the existing value, or is added under a new key.
    ///
    /// ```swift
    /// try editor.set(7, at: ["root", "animals", 3, "age"])
    /// try editor.set(.uid(barn), at: ["root", "animals", 3, "home"])
    /// ```
    ///
    /// Only that place changes: an object that was there does not change for others that refer to it. Archives share one object
    /// for all empty NSArrays, NSSets or NSDictionaries. Adding an element to it creates a separate object for that place.
    ///
    /// The place decides how `value` is stored, as in archives of other writers:
    /// - Under a key of an object, or in `top`, numbers are stored inline. Strings and data become objects of their own. A date
    ///   becomes an NSDate.
    /// - In an NSArray, NSSet or NSDictionary every value becomes an object of its own. In arrays and dictionaries of the
    ///   property list, and in class entries, every value is stored inline.
    /// - An inline value (the `NS.time` of an NSDate, `$classname`) is replaced inline. A number, date or container that is an
    ///   object of its own is replaced by another such object.
    /// - `.uid` is a reference to an existing object, and `.null` is nil. The string "$null" becomes an NSString, since it would
    ///   be read as nil.
    /// - Arrays, sets and dictionaries are stored as those of the property list. `addArray(_:)`, `addSet(_:)`,
    ///   `addDictionary(_:)` and `addObject(ofClass:superclasses:fields:)` create objects.
    ///
    /// - Throws: `KeyedArchiveError` with the code `notFound` if a key or position of the path, or a uid in `value`, does not
    ///   exist; `wrongKind` if a value of the path has no keys or positions; `limit` if containers would be nested too deep. The
    ///   sentence describes the value that was found.
    /// - Complexity: O(*n*), where *n* is the number of keys of the dictionaries along the path plus the number of values in
    ///   `value`.
    public mutating func set(_ value: PropertyList, at path: KeyedArchive.Path) throws(KeyedArchiveError) {
        let empty = emptyCollection(around: path)
        try setInPlace(value, at: path)
        if let empty { separate(empty) }
    }

    private mutating func setInPlace(
        _ value: PropertyList, at path: KeyedArchive.Path
    ) throws(KeyedArchiveError) {
        let (step, container) = try target(of: path)
        guard let slot = slot(at: step, in: container) else {
            guard case .key(let key) = step else { throw nothing(at: path, in: container) }
            return try add(value, key, at: path, in: container)
        }
        try check(value, at: slot.place.positions.count, path.description)
        try checkReplacing(slot, with: value, path)
        replace(slot, with: value)
    }

    /// Inserts `value` before the element at `path`, or adds it under a new key.
    ///
    /// If the last position is the number of elements, the value is appended. It is stored as described for `set(_:at:)`.
    /// Elements of sets have positions too: their order in the archive.
    ///
    /// - Throws: As `set(_:at:)`, and `KeyedArchiveError` with the code `wrongKind` if the key exists already.
    /// - Complexity: As `set(_:at:)`, plus O(*n*), where *n* is the number of elements of the list.
    public mutating func insert(_ value: PropertyList, at path: KeyedArchive.Path) throws(KeyedArchiveError) {
        let empty = emptyCollection(around: path)
        try insertInPlace(value, at: path)
        if let empty { separate(empty) }
    }

    private mutating func insertInPlace(
        _ value: PropertyList, at path: KeyedArchive.Path
    ) throws(KeyedArchiveError) {
        let (step, container) = try target(of: path)
        switch step {
        case .key(let key):
            guard slot(at: step, in: container) == nil else {
                throw wrongKind(container.uid, "\(path) exists already: set replaces it")
            }
            try add(value, key, at: path, in: container)
        case .index(let position):
            guard let list = list(at: container, stored(at: container)) else { throw noList(path, container) }
            guard (0...list.count).contains(position) else { throw nothing(at: path, in: container) }
            try checkSequence(list, path)
            try check(value, at: list.place.positions.count + 1, path.description)
            insert(element(value, of: list, replacing: nil), at: position, of: list)
        }
    }

    /// Removes the key or element at `path`. Later elements of a list move up.
    ///
    /// A removed reference leaves its object in the archive until `removeUnreachableObjects()` is called.
    ///
    /// - Throws: As `set(_:at:)`, and `KeyedArchiveError` with the code `wrongKind` if the object could not be read without the
    ///   value, such as its class.
    /// - Complexity: As `insert(_:at:)`.
    public mutating func remove(at path: KeyedArchive.Path) throws(KeyedArchiveError) {
        let (step, container) = try target(of: path)
        guard let slot = slot(at: step, in: container) else { throw nothing(at: path, in: container) }
        switch slot {
        case .entry(let place, let key):
            if case .index(let position) = step {
                return mutate(container) { $0.changeEntries { $0.remove(at: position) } }
            }
            try checkKeys(path, key, in: container, place)
            mutate(container) { $0.changeEntries { $0[key] = nil } }
        case .element(let list, let position):
            try checkSequence(list, path)
            remove(at: position, of: list)
        case .pair(let keys, let values, let position):
            try checkSequence(keys, path)
            try checkSequence(values, path)
            var positions = [position]
            if case .key(let key) = step { positions = self.positions(of: key, in: keys) }
            for position in positions.reversed() {
                remove(at: position, of: refreshed(keys))
                remove(at: position, of: refreshed(values))
            }
        }
    }

    /// The last step of `path`, and the place of the container that the step applies to.
    private func target(
        of path: KeyedArchive.Path
    ) throws(KeyedArchiveError) -> (step: KeyedArchive.Path.Step, container: Place) {
        guard let step = path.steps.last else {
            throw wrongKind(nil, "A path without steps refers to the top of the archive, which cannot be replaced")
        }
        return (step, try container(of: path))
    }
}

// MARK: - Empty collections

extension KeyedArchiveEditor {
    private struct EmptyCollection {
        let reference: Place
        let uid: UInt32
        let contents: PropertyList
    }

    /// The empty collection that the last step of `path` applies to; nil if its container is another value.
    ///
    /// - Complexity: O(*n*), where *n* is the number of keys of the dictionaries along the path.
    private func emptyCollection(around path: KeyedArchive.Path) -> EmptyCollection? {
        var place = Place(.top)
        var found: EmptyCollection?
        for step in path.steps.dropLast() {
            guard let slot = slot(at: step, in: place), let next = followed(slot.place) else { return nil }
            if case .uid(let uid) = stored(at: slot.place) {
                let contents = stored(at: next)
                found =
                    isEmptyCollection(contents, at: next)
                    ? EmptyCollection(reference: slot.place, uid: uid, contents: contents) : nil
            }
            place = next
        }
        return found
    }

    /// Whether `value`, at `place`, is an NSArray, NSSet or NSDictionary without elements. Writers store one such object for all
    /// places. A mutable collection belongs to one place.
    private func isEmptyCollection(_ value: PropertyList, at place: Place) -> Bool {
        guard case .dictionary(let entries) = value, entries.count <= 3, let classUID = classUID(of: entries),
            let name = classChain(classUID).first, ["NSArray", "NSSet", "NSDictionary"].contains(name)
        else { return false }
        if let (keys, _) = pairs(of: entries, at: place) { return keys.count == 0 }
        return list(at: place, value)?.count == 0
    }

    /// Moves the edited contents of `empty` into an object of its own for the reference that the path went through.
    private mutating func separate(_ empty: EmptyCollection) {
        let edited = append(objects[Int(empty.uid)])
        objects[Int(empty.uid)] = empty.contents
        mutate(empty.reference) { $0 = .uid(edited) }
    }
}

// MARK: - Storing

extension KeyedArchiveEditor {
    private mutating func replace(_ slot: Slot, with value: PropertyList) {
        let old = stored(at: slot.place)
        let new: PropertyList
        switch slot {
        case .entry(let place, _):
            var container = place
            container.positions.removeLast()
            new = isObject(at: container) ? field(value, replacing: old) : inline(value, replacing: old)
        case .element(let list, _): new = element(value, of: list, replacing: old)
        case .pair(_, let values, _): new = element(value, of: values, replacing: old)
        }
        mutate(slot.place) { $0 = new }
    }

    private func isObject(at place: Place) -> Bool {
        guard case .dictionary(let entries) = stored(at: place) else { return false }
        return hasManglingOfKeys(entries, at: place)
    }

    /// The stored form of `value` in `list`, in which it replaces `old` if that is not nil.
    private mutating func element(_ value: PropertyList, of list: List, replacing old: PropertyList?) -> PropertyList {
        switch list.contents {
        case .numbers: return value.isInlineNumber && old?.isUID != true ? value : reference(value, replacing: old)
        case .values: return inline(value, replacing: old)
        case .references: return inline(value, replacing: old ?? .uid(0))
        }
    }

    private enum Growth {
        case pair(keys: List, values: List)
        case field
        case value
    }

    private mutating func add(
        _ value: PropertyList, _ key: String, at path: KeyedArchive.Path, in container: Place
    ) throws(KeyedArchiveError) {
        let growth = try growth(key, at: path, in: container)
        try check(value, at: container.positions.count + 1, path.description)
        switch growth {
        case .pair(let keys, let values):
            let new = (key: reference(.string(key), replacing: nil), value: reference(value, replacing: nil))
            insert(new.key, at: keys.count, of: keys)
            insert(new.value, at: values.count, of: refreshed(values))
        case .field:
            let new = field(value, replacing: nil)
            mutate(container) {
                $0.changeEntries { $0.insert(key: Self.storedKey(key), value: new, at: $0.endOfFields) }
            }
        case .value:
            let new = inline(value, replacing: nil)
            mutate(container) { $0.changeEntries { $0.append(key: key, value: new) } }
        }
    }

    /// A separate function, so that the entries are released before the change. Otherwise the change would copy them.
    private func growth(
        _ key: String, at path: KeyedArchive.Path, in container: Place
    ) throws(KeyedArchiveError) -> Growth {
        guard case .dictionary(let entries) = stored(at: container) else { throw noKeys(path, container) }
        if let (keys, values) = pairs(of: entries, at: container) {
            try checkSequence(keys, path)
            try checkSequence(values, path)
            return .pair(keys: keys, values: values)
        }
        guard hasManglingOfKeys(entries, at: container) else { return .value }
        if !container.isTop, mayBeCollection(entries), collectionKind(of: entries) != nil {
            throw noKeys(path, container)
        }
        try checkKeys(path, key, in: container, nil)
        return .field
    }

    /// The key that an archive uses for the program's key `key`. "$0", "$1" … are the keys of values encoded without a key.
    static func storedKey(_ key: String) -> String {
        guard key.utf8.first == UInt8(ascii: "$"), number(of: key, behind: "$") == nil else { return key }
        return "$" + key
    }
}

// MARK: - Refused edits

extension KeyedArchiveEditor {
    private func noList(_ path: KeyedArchive.Path, _ container: Place) -> KeyedArchiveError {
        let around = KeyedArchive.Path(path.steps.dropLast())
        let found = description(of: stored(at: container), at: container)
        return wrongKind(container.uid, "A value cannot be inserted at \(path): \(around) is \(found), not a list")
    }

    private func noKeys(_ path: KeyedArchive.Path, _ container: Place) -> KeyedArchiveError {
        let around = KeyedArchive.Path(path.steps.dropLast())
        let found = description(of: stored(at: container), at: container)
        return wrongKind(container.uid, "A value cannot be stored at \(path): \(around) is \(found), which has no keys")
    }

    private func checkSequence(_ list: List, _ path: KeyedArchive.Path) throws(KeyedArchiveError) {
        if list.isCounted {
            throw wrongKind(
                list.place.uid,
                "The NSCountedSet around \(path) cannot have more or fewer elements: each has a separate count. Create another"
                    + " one with addObject(ofClass:superclasses:fields:)")
        }
        guard list.hasStrays, case .numbered(let prefix, _) = list.form else { return }
        throw wrongKind(
            list.place.uid,
            "The list around \(path) cannot be changed: its keys, \(prefix)0 and so on, do not follow each other")
    }

    /// Checks that the field `key` can be added to, or removed from, the object at `container` without other changes.
    private func checkKeys(
        _ path: KeyedArchive.Path, _ key: String, in container: Place, _ place: Place?
    ) throws(KeyedArchiveError) {
        let value = stored(at: container)
        guard !container.isTop, case .dictionary(let entries) = value, classUID(of: entries) != nil else { return }
        let found = description(of: value, at: container)
        let around = KeyedArchive.Path(path.steps.dropLast())
        if place != nil, key == "$class" {
            throw wrongKind(container.uid, "\(path) cannot be removed: \(around) is \(found), which needs its class")
        }
        guard isKeyOfElements(key, of: entries, at: container) else { return }
        throw wrongKind(
            container.uid, "\(path) cannot be changed by its key: \(around) is \(found). Edit its elements by position")
    }

    private func checkReplacing(
        _ slot: Slot, with value: PropertyList, _ path: KeyedArchive.Path
    ) throws(KeyedArchiveError) {
        guard case .entry(var container, let key) = slot else { return }
        container.positions.removeLast()
        guard case .dictionary(let entries) = stored(at: container), !container.isTop, classUID(of: entries) != nil
        else {
            return
        }
        if key == "$class" {
            guard case .uid(let uid) = value, !classChain(uid).isEmpty else {
                throw wrongKind(container.uid, "\(path) must be the uid of a class entry: addClass(named:) returns one")
            }
        } else if key == "NS.count", isKeyOfElements(key, of: entries, at: container) {
            try checkKeys(path, key, in: container, nil)
        }
    }

    private func isKeyOfElements(_ key: String, of entries: PropertyList.Dictionary, at place: Place) -> Bool {
        guard key.utf8.starts(with: "NS.".utf8) || Self.number(of: key, behind: "$") != nil else { return false }
        switch collectionKind(of: entries) {
        case .countedSet, .elements: return true
        // Edits by key can repair a damaged dictionary.
        case .dictionary: return false
        case nil:
            guard let list = list(at: place, .dictionary(entries)), case .numbered(let prefix, _) = list.form else {
                return false
            }
            return key == "NS.count" || Self.number(of: key, behind: prefix) != nil
        }
    }
}

extension PropertyList {
    var isInlineNumber: Bool {
        switch self {
        case .boolean, .integer, .real, .real32: true
        default: false
        }
    }

    var isUID: Bool {
        if case .uid = self { true } else { false }
    }
}
