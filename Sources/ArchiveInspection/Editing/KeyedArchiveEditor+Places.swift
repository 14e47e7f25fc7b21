// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

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
