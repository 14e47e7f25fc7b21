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

// MARK: - Places

extension KeyedArchiveEditor {
    struct Place {
        enum Owner {
            case top
            case object(UInt32)
        }

        let owner: Owner
        /// The position in each container from the owner's stored value to this value.
        var positions: [Int] = []

        init(_ owner: Owner) { self.owner = owner }

        func inside(_ position: Int) -> Place {
            var place = self
            place.positions.append(position)
            return place
        }

        var isTop: Bool {
            if case .top = owner { positions.isEmpty } else { false }
        }

        var uid: UInt32? {
            if case .object(let uid) = owner { uid } else { nil }
        }
    }

    func stored(at place: Place) -> PropertyList {
        var value: PropertyList
        switch place.owner {
        case .top: value = topList
        case .object(let uid): value = objects[Int(uid)]
        }
        for position in place.positions { value = value.element(at: position) }
        return value
    }

    /// Calls `body` to change the value that is stored at `place`, which must exist.
    ///
    /// - Complexity: O(1) for each container along the place, unless a copy of the editor shares it.
    mutating func mutate(_ place: Place, _ body: (inout PropertyList) -> Void) {
        // Each container is taken out of the one around it, so that it is changed in place and not copied.
        var value = exchange(place.owner, with: .null)
        let hadName = value["$classname"] != nil
        var containers: [PropertyList] = []
        for position in place.positions {
            let inner = value.exchange(at: position, with: .null)
            containers.append(value)
            value = inner
        }
        body(&value)
        for position in place.positions.reversed() {
            var container = containers.removeLast()
            _ = container.exchange(at: position, with: value)
            value = container
        }
        if hadName || value["$classname"] != nil { classIndex = nil }
        _ = exchange(place.owner, with: value)
    }

    private mutating func exchange(_ owner: Place.Owner, with value: PropertyList) -> PropertyList {
        var value = value
        switch owner {
        case .top: swap(&topList, &value)
        case .object(let uid): swap(&objects[Int(uid)], &value)
        }
        return value
    }
}

extension PropertyList {
    /// The element, or the value of the entry, at `position`; null if it does not exist.
    fileprivate func element(at position: Int) -> PropertyList {
        switch self {
        case .array(let elements), .set(let elements): elements.indices.contains(position) ? elements[position] : .null
        case .dictionary(let entries): entries.indices.contains(position) ? entries[position].value : .null
        default: .null
        }
    }

    /// Replaces the element, or the value of the entry, at `position`, which must exist.
    ///
    /// - Returns: The old value.
    fileprivate mutating func exchange(at position: Int, with value: PropertyList) -> PropertyList {
        var old = PropertyList.null
        changeElements {
            old = $0[position]
            $0[position] = value
        }
        changeEntries { old = $0.exchangeValue(at: position, with: value) }
        return old
    }
}

// MARK: - Changing containers

// The payload of an enumeration is changed in place only if it has no other reference. A `switch` over the enumeration holds one
// to its end, so separate functions take the payload out.
extension PropertyList {
    mutating func changeElements(_ body: (inout [PropertyList]) -> Void) {
        if isArray {
            var elements = takeElements()
            body(&elements)
            self = .array(elements)
        } else if isSet {
            var elements = takeElements()
            body(&elements)
            self = .set(elements)
        }
    }

    mutating func changeEntries(_ body: (inout Dictionary) -> Void) {
        guard isDictionary else { return }
        var entries = takeEntries()
        body(&entries)
        self = .dictionary(entries)
    }

    private var isArray: Bool { if case .array = self { true } else { false } }
    private var isSet: Bool { if case .set = self { true } else { false } }
    private var isDictionary: Bool { if case .dictionary = self { true } else { false } }

    private mutating func takeElements() -> [PropertyList] {
        let elements: [PropertyList]
        switch self {
        case .array(let found), .set(let found): elements = found
        default: elements = []
        }
        self = .null
        return elements
    }

    private mutating func takeEntries() -> Dictionary {
        guard case .dictionary(let entries) = self else { return [:] }
        self = .null
        return entries
    }
}

// MARK: - References

extension KeyedArchiveEditor {
    /// The place of the value that is stored at `place` or referenced by the uid there; nil if that is nil or does not exist.
    func followed(_ place: Place) -> Place? {
        switch stored(at: place) {
        case .null: return nil
        case .uid(let uid): return placeOfObject(uid)
        default: return place
        }
    }

    /// The place of the object `uid`; nil if that is nil or does not exist.
    func placeOfObject(_ uid: UInt32) -> Place? {
        guard uid != 0, objects.indices.contains(Int(uid)) else { return nil }
        return switch objects[Int(uid)] {
        case .null, .uid: nil
        case let object where object.isNullText: nil
        default: Place(.object(uid))
        }
    }

    /// `value`, or the object that its uid refers to; nil if that is nil or does not exist.
    func followed(_ value: PropertyList?) -> PropertyList? {
        guard case .uid(let uid)? = value else { return value }
        return placeOfObject(uid).map { stored(at: $0) }
    }
}

// MARK: - Kinds

extension KeyedArchiveEditor {
    /// The uid of the class of the object that is stored as `entries`; nil for plain data.
    func classUID(of entries: PropertyList.Dictionary) -> UInt32? {
        let value = entries.last?.key == "$class" ? entries.last?.value : entries["$class"]
        return if case .uid(let uid)? = value { uid } else { nil }
    }

    /// The names of the class entry `uid`: the class and its superclasses. Empty if it is not a class entry.
    func classChain(_ uid: UInt32) -> [String] {
        guard let entry = placeOfObject(uid).map({ stored(at: $0) }), let name = className(of: entry) else { return [] }
        return [name] + (classList(of: entry) ?? []).compactMap(\.className)
    }

    func className(of entry: PropertyList) -> String? { followed(entry["$classname"])?.className }

    /// The class that `entry` describes and its superclasses; nil if the entry has no such list, or a longer one than any class.
    /// Very many entries may share it.
    func classList(of entry: PropertyList) -> [PropertyList]? {
        guard case .array(let chain)? = followed(entry["$classes"]), chain.count <= KeyedArchiveFormat.superclassLimit
        else { return nil }
        return chain
    }

    enum CollectionKind {
        case dictionary, elements, countedSet
    }

    func collectionKind(of entries: PropertyList.Dictionary) -> CollectionKind? {
        guard let uid = classUID(of: entries) else { return nil }
        for name in classChain(uid) {
            switch name {
            case "NSDictionary", "NSMutableDictionary": return .dictionary
            case "NSCountedSet": return .countedSet
            case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet":
                return .elements
            default: continue
            }
        }
        return nil
    }

    /// Whether the object can be one of Foundation's collections: it has only its class, or keys with the prefix "NS.".
    func mayBeCollection(_ entries: PropertyList.Dictionary) -> Bool {
        guard entries.count > 1 else { return true }
        for entry in entries.prefix(2) {
            if entry.key.utf8.starts(with: "NS.".utf8), entry.key.utf8.count > 3 { return true }
            guard entry.key.utf8.first == UInt8(ascii: "$") else { return false }
        }
        return false
    }

    func text(_ value: PropertyList?) -> String? {
        switch followed(value) {
        case .string(let text): return text
        case .dictionary(let entries):
            if let inner = entries["NS.string"] { return followed(inner)?.text }
            guard case .data(let bytes)? = followed(entries["NS.bytes"]) else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        default: return nil
        }
    }
}

extension PropertyList {
    fileprivate var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The name of a class; nil if this is no string, or one that no class has as its name.
    var className: String? {
        guard let text, text.utf8.count <= KeyedArchiveFormat.classNameLimit, HashedText.isSafe(text) else {
            return nil
        }
        return text
    }

    /// Whether this is the content of an empty slot.
    var isNullText: Bool { text.map { $0.utf8.elementsEqual("$null".utf8) } ?? false }
}
