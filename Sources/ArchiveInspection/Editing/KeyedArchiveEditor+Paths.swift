// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// MARK: - Reading values

extension KeyedArchiveEditor {
    /// Returns the stored form of the value at `path`: of an object its dictionary, of nil null. Returns nil if a key or position
    /// of the path does not exist.
    ///
    /// A path refers to the same value as in `KeyedArchive`: `editor.value(at: path)` is `archive[path]?.propertyList()`.
    ///
    /// - Complexity: O(*n*), where *n* is the number of keys of the dictionaries along the path.
    public func value(at path: KeyedArchive.Path) -> PropertyList? {
        guard !path.steps.isEmpty else { return topList }
        guard let slot = slot(at: path) else { return nil }
        if let place = followed(slot.place) { return stored(at: place) }
        if case .uid(let uid) = stored(at: slot.place), !objects.indices.contains(Int(uid)) { return nil }
        return .null
    }

    /// Returns the uid of the object at `path`, which is 0 for nil. Returns nil if a key or position of the path does not exist,
    /// or if the value is inline.
    ///
    /// - Complexity: As `value(at:)`.
    public func uid(at path: KeyedArchive.Path) -> UInt32? {
        guard let slot = slot(at: path), case .uid(let uid) = stored(at: slot.place) else { return nil }
        return objects.indices.contains(Int(uid)) ? uid : nil
    }

    private func slot(at path: KeyedArchive.Path) -> Slot? {
        guard let step = path.steps.last, let container = try? container(of: path) else { return nil }
        return slot(at: step, in: container)
    }
}

// MARK: - Following paths

extension KeyedArchiveEditor {
    enum Slot {
        /// An entry of a dictionary: a field of an object or of `top`, or of plain data.
        case entry(Place, key: String)
        /// An element of a list.
        case element(List, Int)
        /// A value of one of Foundation's dictionaries.
        case pair(keys: List, values: List, Int)

        var place: Place {
            switch self {
            case .entry(let place, _): place
            case .element(let list, let position): list.place(of: position)
            case .pair(_, let values, let position): values.place(of: position)
            }
        }
    }

    /// The place of the container that the last step of `path` applies to.
    ///
    /// - Throws: `KeyedArchiveError` if a key or position before the last step does not exist.
    func container(of path: KeyedArchive.Path) throws(KeyedArchiveError) -> Place {
        var place = Place(.top)
        for (number, step) in path.steps.dropLast().enumerated() {
            guard let slot = slot(at: step, in: place), let next = followed(slot.place) else {
                throw nothing(at: KeyedArchive.Path(Array(path.steps[...number])), in: place)
            }
            place = next
        }
        return place
    }

    func slot(at step: KeyedArchive.Path.Step, in place: Place) -> Slot? {
        let value = stored(at: place)
        switch step {
        case .key(let key):
            guard case .dictionary(let entries) = value else { return nil }
            if let (keys, values) = pairs(of: entries, at: place) {
                // Foundation's readers take the last of several values for one key.
                return positions(of: key, in: keys).last.map { .pair(keys: keys, values: values, $0) }
            }
            return field(key, of: entries, at: place)
        case .index(let index):
            if let list = list(at: place, value), (0..<list.count).contains(index) { return .element(list, index) }
            guard case .dictionary(let entries) = value, index >= 0 else { return nil }
            if let (keys, values) = pairs(of: entries, at: place) {
                return index < keys.count ? .pair(keys: keys, values: values, index) : nil
            }
            guard isPlain(entries, at: place), index < entries.count else { return nil }
            return .entry(place.inside(index), key: entries[index].key)
        }
    }

    private func field(_ key: String, of entries: PropertyList.Dictionary, at place: Place) -> Slot? {
        if key.utf8.first == UInt8(ascii: "$"), hasManglingOfKeys(entries, at: place),
            let position = entries.firstPosition(of: "$" + key)
        {
            return .entry(place.inside(position), key: "$" + key)
        }
        return entries.firstPosition(of: key).map { .entry(place.inside($0), key: key) }
    }

    /// Whether keys that start with "$" have another "$" in front: in objects and `$top`.
    func hasManglingOfKeys(_ entries: PropertyList.Dictionary, at place: Place) -> Bool {
        place.isTop || classUID(of: entries) != nil
    }

    private func isPlain(_ entries: PropertyList.Dictionary, at place: Place) -> Bool {
        !place.isTop && classUID(of: entries) == nil && entries["$classname"] == nil
    }
}

// MARK: - Errors

extension KeyedArchiveEditor {
    func nothing(at path: KeyedArchive.Path, in place: Place) -> KeyedArchiveError {
        let around = KeyedArchive.Path(path.steps.dropLast())
        let value = stored(at: place)
        // The value exists, but its reference is invalid.
        if let step = path.steps.last, let slot = slot(at: step, in: place) {
            guard case .uid(let uid) = stored(at: slot.place), let object = self[uid: uid] else {
                guard case .uid(let uid) = stored(at: slot.place) else { return isNil(path, place) }
                return notFound(uid, "\(path) is uid \(uid), but the archive has only \(objects.count) objects")
            }
            return object.isUID ? KeyedArchiveError(.uidBehindUID(uid: uid)) : isNil(path, place)
        }
        switch value {
        case .array, .set, .dictionary:
            return notFound(place.uid, "There is nothing at \(path): \(around) is \(description(of: value, at: place))")
        default:
            return wrongKind(
                place.uid, "There is nothing at \(path): \(around) is \(description(of: value, at: place))")
        }
    }

    private func isNil(_ path: KeyedArchive.Path, _ place: Place) -> KeyedArchiveError {
        wrongKind(place.uid, "\(path) is nil, which has no keys or positions")
    }

    func description(of value: PropertyList, at place: Place) -> String {
        let location = place.positions.isEmpty ? place.uid.map { " at uid \($0)" } ?? "" : ""
        switch value {
        case .null: return "nil"
        case .boolean: return "a Boolean" + location
        case .integer: return "an integer" + location
        case .real, .real32: return "a real" + location
        case .string: return "a string" + location
        case .date: return "a date" + location
        case .data: return "data" + location
        case .uid(let uid): return "uid \(uid)"
        case .array(let elements): return "an array of \(elements.count)" + location
        case .set(let elements): return "a set of \(elements.count)" + location
        case .dictionary(let entries):
            if place.isTop { return "the top of the archive" }
            guard let classUID = classUID(of: entries) else {
                return (entries["$classname"] == nil ? "a dictionary" : "a class entry") + location
            }
            let name = classChain(classUID).first ?? "that is not described"
            let count = list(at: place, value)?.count ?? pairs(of: entries, at: place)?.keys.count
            return "an object of the class \(name)" + location + (count.map { " with \($0) elements" } ?? "")
        }
    }
}
