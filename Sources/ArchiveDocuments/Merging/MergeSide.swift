// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// One of the three archives of a merge.
enum MergeOrigin: Int, CaseIterable {
    case base, mine, theirs

    /// The other one of both changed archives.
    var other: MergeOrigin { self == .mine ? .theirs : .mine }
}

/// A value for each of the three archives.
struct Triple<Element> {
    var base: Element
    var mine: Element
    var theirs: Element

    init(_ base: Element, _ mine: Element, _ theirs: Element) {
        (self.base, self.mine, self.theirs) = (base, mine, theirs)
    }

    subscript(origin: MergeOrigin) -> Element {
        get {
            switch origin {
            case .base: base
            case .mine: mine
            case .theirs: theirs
            }
        }
        // In place: an array is not copied.
        _modify {
            switch origin {
            case .base: yield &base
            case .mine: yield &mine
            case .theirs: yield &theirs
            }
        }
    }
}

extension Triple: Sendable where Element: Sendable {}

/// A value inside an object.
enum MergeValue: Sendable {
    case null
    case reference(UInt32)
    /// A value of the property list, and its number in `MergeNumbers`.
    case inline(Int, PropertyList)
}

/// The contents of an object that is merged in parts.
enum MergeContents: Sendable {
    case record([Field])
    case list([MergeValue])
    case set([MergeValue])
    case dictionary([Entry])

    struct Field: Sendable {
        /// The number of the key in `MergeNumbers`.
        let key: Int
        let value: MergeValue
    }

    struct Entry: Sendable {
        /// The number of the key's value in `MergeNumbers`.
        let number: Int
        let key: MergeValue
        let value: MergeValue
    }
}

/// An archive that takes part in a merge: its objects, how each is merged, and the numbers of their values.
struct MergeSide: Sendable {
    /// How an object is merged.
    enum Form: UInt8, Sendable {
        /// Nil, or an object that is not reachable.
        case null
        /// A string, a number, data, or the description of a class: a value without identity.
        case leaf
        /// An object of a Foundation class, such as a date: a value that is taken as a whole.
        case unit
        case record, list, set, dictionary

        /// Whether such objects are merged in parts.
        var hasParts: Bool { rawValue >= Form.record.rawValue }
    }

    let archive: KeyedArchive
    let objects: [PropertyList]
    private(set) var forms: [Form]
    /// The numbers of the class names; 0 for objects without a class.
    private(set) var classes: [Int]
    /// The numbers of the names that class entries have; 0 for other objects.
    private(set) var entryNames: [Int]
    /// For values their numbers, for objects with identity the numbers of that.
    private(set) var numbers: [Int]
    /// The numbers of the identities of objects with parts.
    private(set) var identities: [Int]
    private(set) var contents: [MergeContents?]
    private(set) var top: MergeContents = .record([])
    /// Whether `$top` has the key of a checksum, which is not merged.
    private(set) var hasChecksum = false
    /// All of the root but `$top` and `$objects`.
    private(set) var surroundings: MergeContents = .record([])

    /// The key of the checksum in `$top`.
    static var checksumKey: String { "$crc64" }

    /// - Parameters:
    ///   - base: The archive that this one was changed from; nil if it is that one.
    ///   - numbers: The numbers of all values of the merge.
    /// - Throws: `KeyedArchiveError` if the archive is damaged.
    init(
        _ archive: KeyedArchive, _ origin: MergeOrigin, from base: MergeSide?, _ numbers: MergeNumbers
    ) throws(KeyedArchiveError) {
        guard case .dictionary(let root) = try archive.propertyList() else { throw KeyedArchiveError(.notAnArchive) }
        var objects: [PropertyList] = []
        var top = PropertyList.Dictionary()
        var others = PropertyList.Dictionary()
        for entry in root {
            switch (entry.key, entry.value) {
            case ("$objects", .array(let found)): objects = found
            case ("$top", .dictionary(let found)):
                top = PropertyList.Dictionary(found.filter { $0.key != Self.checksumKey })
                hasChecksum = top.count < found.count
            // The next save of a document writes its indexes anew.
            case (KeyedArchiveFormat.indexesKey, _): break
            default: others.append(key: entry.key, value: entry.value)
            }
        }
        self.archive = archive
        self.objects = objects
        forms = Array(repeating: .null, count: objects.count)
        classes = Array(repeating: 0, count: objects.count)
        entryNames = Array(repeating: 0, count: objects.count)
        self.numbers = Array(repeating: 0, count: objects.count)
        identities = Array(repeating: 0, count: objects.count)
        contents = Array(repeating: nil, count: objects.count)
        let reached = try reachObjects([.dictionary(top), .dictionary(others)], numbers)
        for uid in reached where forms[uid].rawValue >= Form.unit.rawValue {
            // An object of the base with the same uid, form and class is the same object.
            let isBase = base?.has(uid, forms[uid], classes[uid]) ?? true
            identities[uid] = numbers.identity(uid, isBase ? .base : origin)
            self.numbers[uid] = identities[uid]
        }
        numberValues(reached, origin, numbers)
        for uid in reached where forms[uid].hasParts { contents[uid] = parts(of: uid, numbers) }
        self.top = .record(fields(of: top, numbers))
        surroundings = .record(fields(of: others, numbers))
    }

    /// The number of `value`: equal values have equal numbers, and objects with identity have that of their identity.
    func number(of value: MergeValue) -> Int {
        switch value {
        case .null: 0
        case .reference(let uid): numbers[Int(uid)]
        case .inline(let number, _): number
        }
    }

    /// The object with parts to which `value` refers; nil for other values.
    func part(_ value: MergeValue?) -> Int? {
        guard case .reference(let uid)? = value, forms[Int(uid)].hasParts else { return nil }
        return Int(uid)
    }

    /// Whether `value` is one that is taken as a whole, and may refer to objects with parts.
    func isUnit(_ uid: UInt32) -> Bool { forms[Int(uid)] == .unit || forms[Int(uid)] == .leaf }
}

// MARK: - Reading

extension MergeSide {
    /// Finds the objects that `roots` reach, and their forms.
    ///
    /// - Returns: Their uids, in order.
    private mutating func reachObjects(
        _ roots: [PropertyList], _ numbers: MergeNumbers
    ) throws(KeyedArchiveError) -> [Int] {
        var isReached = BitSet(count: objects.count)
        var remaining = roots
        while let value = remaining.popLast() {
            switch value {
            case .uid(let uid):
                let place = Int(uid)
                guard place < objects.count else {
                    throw KeyedArchiveError(.uidOutOfRange(uid: uid, count: objects.count))
                }
                guard isReached.insert(place) else { continue }
                if case .uid = objects[place] { throw KeyedArchiveError(.uidBehindUID(uid: uid)) }
                remaining.append(objects[place])
            case .array(let elements), .set(let elements): remaining += elements
            case .dictionary(let entries): for entry in entries { remaining.append(entry.value) }
            default: break
            }
        }
        let reached = isReached.elements
        for uid in reached {
            if let name = className(ofEntry: uid) { entryNames[uid] = numbers.key(name) }
        }
        for uid in reached { forms[uid] = form(of: uid, numbers) }
        return reached
    }

    private mutating func form(of uid: Int, _ numbers: MergeNumbers) -> Form {
        switch objects[uid] {
        case .null: return .null
        case .string(let text): return text.utf8.elementsEqual("$null".utf8) ? .null : .leaf
        case .dictionary(let entries):
            guard let classUID = entries.classUID else {
                return entries.contains { $0.key.utf8.elementsEqual("$classname".utf8) } ? .leaf : .record
            }
            classes[uid] = entryNames[Int(classUID)]
            return Self.form(of: entries, numbers.names[classes[uid]])
        default: return .leaf
        }
    }

    private func className(ofEntry uid: Int) -> String? {
        guard case .dictionary(let entries) = objects[uid], entries.classUID == nil,
            let name = entries.first(where: { $0.key.utf8.elementsEqual("$classname".utf8) })?.value
        else { return nil }
        switch name {
        case .string(let text): return text
        case .uid(let uid):
            if Int(uid) < objects.count, case .string(let text) = objects[Int(uid)] { return text }
            return nil
        default: return nil
        }
    }

    private static func form(of entries: PropertyList.Dictionary, _ className: String) -> Form {
        guard className.utf8.starts(with: "NS".utf8) else { return .record }
        func count(_ key: String) -> Int? {
            guard case .array(let elements)? = entries.first(where: { $0.key.utf8.elementsEqual(key.utf8) })?.value
            else {
                return nil
            }
            return elements.count
        }
        guard let elementCount = count("NS.objects") else { return .unit }
        switch className {
        case "NSArray", "NSMutableArray": return entries.count == 2 ? .list : .unit
        case "NSSet", "NSMutableSet": return entries.count == 2 ? .set : .unit
        case "NSOrderedSet", "NSMutableOrderedSet": return entries.count == 2 ? .list : .unit
        case "NSDictionary", "NSMutableDictionary":
            return entries.count == 3 && count("NS.keys") == elementCount ? .dictionary : .unit
        default: return .unit
        }
    }
}

// MARK: - Numbers

extension MergeSide {
    /// Whether there is an object `uid` of the class.
    func has(_ uid: Int, _ form: Form, _ objectClass: Int) -> Bool {
        uid < forms.count && forms[uid] == form && classes[uid] == objectClass
    }

    /// Gives equal values equal numbers: leaves, units and collections, with the values in them. Objects in cycles keep the numbers
    /// of their identities, and units among them become records.
    private mutating func numberValues(_ reached: [Int], _ origin: MergeOrigin, _ numbers: MergeNumbers) {
        enum State: UInt8 { case new, open, done }
        var states = [State](repeating: .new, count: objects.count)
        // The place of each open object in the path, and the first place in the path that the objects behind it lead back to.
        var places = [Int](repeating: 0, count: objects.count)
        var path: [(uid: Int, children: [Int], first: Int)] = []
        for root in reached {
            func open(_ uid: Int) {
                states[uid] = .open
                places[uid] = path.count
                path.append((uid, children(of: uid), .max))
            }
            guard states[root] == .new, forms[root] != .null, forms[root] != .record else { continue }
            open(root)
            while let place = path.indices.last {
                let uid = path[place].uid
                guard let child = path[place].children.popLast() else {
                    let first = path.removeLast().first
                    if place > 0 { path[place - 1].first = min(path[place - 1].first, first) }
                    states[uid] = .done
                    if first > place {
                        self.numbers[uid] = numbers.number(of: objects[uid], in: self, isObject: true)
                    } else if forms[uid] == .unit {
                        forms[uid] = .record
                    } else if forms[uid] == .leaf {
                        // A leaf has no identity of its own.
                        self.numbers[uid] = numbers.identity(uid, origin)
                    }
                    continue
                }
                switch states[child] {
                case .new: if forms[child] != .null, forms[child] != .record { open(child) }
                case .open: path[place].first = min(path[place].first, places[child])
                case .done: break
                }
            }
        }
    }

    /// The uids inside the object `uid`, but that of its class.
    private func children(of uid: Int) -> [Int] {
        guard case .dictionary(let entries) = objects[uid], entries.classUID != nil else {
            return Self.uids(in: [objects[uid]])
        }
        return Self.uids(in: entries.lazy.filter { !$0.key.utf8.elementsEqual("$class".utf8) }.map(\.value))
    }

    private static func uids(in values: some Sequence<PropertyList>) -> [Int] {
        var uids: [Int] = []
        var remaining = Array(values)
        while let value = remaining.popLast() {
            switch value {
            case .uid(let uid): uids.append(Int(uid))
            case .array(let elements), .set(let elements): remaining += elements
            case .dictionary(let entries): for entry in entries { remaining.append(entry.value) }
            default: break
            }
        }
        return uids
    }

    /// Whether the object `uid`, which a unit refers to, is a part of the unit.
    func isPartOfUnit(_ uid: Int) -> Bool {
        switch forms[uid] {
        case .null, .leaf, .unit: true
        case .record: false
        case .list, .set, .dictionary: numbers[uid] != identities[uid]
        }
    }

    /// Calls `body` with the objects that are merged in parts and that `value` refers to: the object itself, or those inside of a
    /// unit.
    ///
    /// - Parameter visited: The parts of units that were visited.
    func visitParts(of value: MergeValue, _ visited: inout BitSet, _ body: (Int) -> Void) {
        var remaining: [Int]
        switch value {
        case .null: return
        case .reference(let uid):
            if forms[Int(uid)].hasParts { return body(Int(uid)) }
            remaining = [Int(uid)]
        case .inline(_, let list):
            remaining = []
            for uid in Self.uids(in: CollectionOfOne(list)) {
                if forms[uid].hasParts { body(uid) } else { remaining.append(uid) }
            }
        }
        while let uid = remaining.popLast() {
            guard visited.insert(uid) else { continue }
            for child in children(of: uid) {
                if isPartOfUnit(child) { remaining.append(child) } else { body(child) }
            }
        }
    }
}

// MARK: - Contents

extension MergeSide {
    private func parts(of uid: Int, _ numbers: MergeNumbers) -> MergeContents? {
        guard case .dictionary(let entries) = objects[uid] else { return nil }
        func elements(_ key: String) -> [MergeValue] {
            guard case .array(let elements)? = entries[key] else { return [] }
            return elements.map { value(of: $0, numbers) }
        }
        switch forms[uid] {
        case .record: return .record(fields(of: entries, numbers))
        case .list: return .list(elements("NS.objects"))
        case .set: return .set(elements("NS.objects"))
        case .dictionary:
            return .dictionary(
                zip(elements("NS.keys"), elements("NS.objects")).map { key, value in
                    MergeContents.Entry(number: number(of: key), key: key, value: value)
                })
        case .null, .leaf, .unit: return nil
        }
    }

    /// The entries, each key once: readers find the first one.
    private func fields(of entries: PropertyList.Dictionary, _ numbers: MergeNumbers) -> [MergeContents.Field] {
        var fields: [MergeContents.Field] = []
        fields.reserveCapacity(entries.count)
        var known: Set<Int> = []
        for entry in entries {
            let key = numbers.key(entry.key)
            guard known.insert(key).inserted else { continue }
            fields.append(MergeContents.Field(key: key, value: value(of: entry.value, numbers)))
        }
        return fields
    }

    private func value(of value: PropertyList, _ numbers: MergeNumbers) -> MergeValue {
        switch value {
        case .null: .null
        case .uid(let uid): forms[Int(uid)] == .null ? .null : .reference(uid)
        default: .inline(numbers.number(of: value, in: self), value)
        }
    }
}

extension PropertyList.Dictionary {
    /// The uid of the class of an object; nil for plain data.
    fileprivate var classUID: UInt32? {
        let value = last { $0.key.utf8.elementsEqual("$class".utf8) }?.value
        return if case .uid(let uid)? = value { uid } else { nil }
    }
}
