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

    init(_ element: (MergeOrigin) throws -> Element) rethrows {
        try self.init(element(.base), element(.mine), element(.theirs))
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
extension Triple: Equatable where Element: Equatable {}
extension Triple: Hashable where Element: Hashable {}

/// An archive that takes part in a merge: its values by number, and how each is merged.
///
/// The number of an object is its uid. The numbers after those are `$top`, the other entries of the root, and the values that are
/// written inside of objects without a uid.
struct MergeSide: Sendable {
    /// How a value is merged.
    enum Form: Int, Sendable {
        /// Nil, or an object that is not reachable.
        case null
        /// A string, a number, data, or the description of a class.
        case leaf
        /// An object of a Foundation class, such as a date: a value that is taken as a whole.
        case unit
        case record, list, set, dictionary

        var hasValueKeys: Bool { self == .set || self == .dictionary }
    }

    /// A value inside of another one, by its number.
    ///
    /// The key is the number of a record's key in `MergeNumbers`, the number of the value that is the key in a dictionary, or of the
    /// element itself in a set. In all other values it is 0.
    typealias Part = (key: Int, value: Int)

    struct Value: Sendable {
        let list: PropertyList
        fileprivate(set) var form = Form.null
        /// The number of the class name; 0 for a value without a class.
        fileprivate(set) var className = 0
        /// The uid of the class entry; 0 for a value without a class.
        fileprivate(set) var classUID = 0
        fileprivate(set) var parts: [Part] = []
        /// Whether the value has an identity, whatever its contents are: an instance, or a value that contains itself.
        fileprivate(set) var hasIdentity = false
        /// The number of references to the value, and whether the last one is the part of a superclass.
        fileprivate var referenceCount = 0
        fileprivate var isSuper = false
    }

    let archive: KeyedArchive
    let objectCount: Int
    private(set) var values: [Value]
    /// The values without identity that are reachable, each after those that it contains.
    private(set) var order: [Int] = []
    /// Whether `$top` has the key of a checksum, which is not merged.
    private(set) var hasChecksum = false

    /// The number of `$top`.
    var top: Int { objectCount }
    /// The number of the other entries of the root.
    var surroundings: Int { objectCount + 1 }

    /// The key of the checksum in `$top`.
    static var checksumKey: String { "$crc64" }

    /// - Parameter classKinds: Whether the objects of a class have an identity, by the names of the classes of which this is known.
    /// - Throws: `KeyedArchiveError` if the archive is damaged.
    init(
        _ archive: KeyedArchive, _ classKinds: [String: Bool], _ numbers: MergeNumbers
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
        if objects.isEmpty { objects = ["$null"] }
        self.archive = archive
        objectCount = objects.count
        values = (objects + [.dictionary(top), .dictionary(others)]).map { Value(list: $0) }
        try readForms(numbers)
        for value in 0..<objectCount + 2 where values[value].form != .null { readParts(of: value, numbers) }
        findIdentities(classKinds, numbers)
    }

    func isObject(_ value: Int) -> Bool { value < objectCount }

    /// Whether there is an object `uid` of the same form and class as that of another archive.
    func has(_ uid: Int, of other: MergeSide) -> Bool {
        uid < objectCount && uid < other.objectCount && values[uid].form != .null
            && values[uid].form == other.values[uid].form && values[uid].className == other.values[uid].className
    }

    /// The values to which a value refers.
    func children(of value: Int) -> [Int] {
        let value = values[value]
        switch value.form {
        case .dictionary: return value.parts.flatMap { [$0.key, $0.value] } + [value.classUID]
        case .list, .set: return value.parts.map(\.value) + [value.classUID]
        case .null, .leaf, .unit, .record: return value.parts.map(\.value)
        }
    }
}

// MARK: - Reading

extension MergeSide {
    /// Finds the values that the root reaches, and their forms.
    private mutating func readForms(_ numbers: MergeNumbers) throws(KeyedArchiveError) {
        var remaining = [top, surroundings]
        for value in remaining { values[value].form = .record }
        while let value = remaining.popLast() {
            if value < objectCount, case .uid = values[value].list {
                throw KeyedArchiveError(.uidBehindUID(uid: UInt32(truncatingIfNeeded: value)))
            }
            for uid in Self.uids(in: values[value].list) {
                guard uid < objectCount else {
                    throw KeyedArchiveError(
                        .uidOutOfRange(uid: UInt32(truncatingIfNeeded: uid), count: objectCount))
                }
                values[uid].referenceCount += 1
                guard values[uid].form == .null else { continue }
                values[uid].form = .leaf
                remaining.append(uid)
            }
        }
        // Many objects may share a long name.
        var classes: [Int: (name: String, number: Int)] = [:]
        for value in 0..<objectCount where values[value].form != .null {
            switch values[value].list {
            case .null: values[value].form = .null
            case .string(let text): if text.utf8.elementsEqual("$null".utf8) { values[value].form = .null }
            case .dictionary(let entries):
                guard case .uid(let uid)? = entries.value("$class") else {
                    values[value].form = entries.value("$classname") == nil ? .record : .leaf
                    break
                }
                let name = className(ofEntry: Int(uid))
                let known = classes[Int(uid)] ?? (name, numbers.key(name))
                classes[Int(uid)] = known
                (values[value].classUID, values[value].className) = (Int(uid), known.number)
                values[value].form = Self.form(of: entries, known.name)
            default: break
            }
        }
    }

    private func className(ofEntry uid: Int) -> String {
        guard case .dictionary(let entries) = values[uid].list, entries.value("$class") == nil else { return "" }
        switch entries.value("$classname") {
        case .string(let text)?: return text
        case .uid(let uid)?: return Int(uid) < objectCount ? values[Int(uid)].list.string ?? "" : ""
        default: return ""
        }
    }

    private static func form(of entries: PropertyList.Dictionary, _ className: String) -> Form {
        guard className.utf8.starts(with: "NS".utf8) else { return .record }
        guard let elementCount = entries.value("NS.objects")?.array?.count else { return .unit }
        switch className {
        case "NSArray", "NSMutableArray", "NSOrderedSet", "NSMutableOrderedSet":
            return entries.count == 2 ? .list : .unit
        case "NSSet", "NSMutableSet": return entries.count == 2 ? .set : .unit
        case "NSDictionary", "NSMutableDictionary":
            return entries.count == 3 && entries.value("NS.keys")?.array?.count == elementCount ? .dictionary : .unit
        default: return .unit
        }
    }

    private mutating func readParts(of value: Int, _ numbers: MergeNumbers) {
        let list = values[value].list
        func elements(_ key: String) -> [PropertyList] { list.dictionary?.value(key)?.array ?? [] }
        var parts: [Part] = []
        switch values[value].form {
        case .record:
            var known: Set<Int> = []
            // Each key once: readers find the first one.
            for entry in list.dictionary ?? [:] {
                let key = numbers.key(entry.key)
                guard known.insert(key).inserted else { continue }
                let number = number(of: entry.value)
                if key == numbers.superKey { values[number].isSuper = true }
                parts.append((key, number))
            }
        case .list: for element in elements("NS.objects") { parts.append((0, number(of: element))) }
        case .set:
            for element in elements("NS.objects") {
                let number = number(of: element)
                parts.append((number, number))
            }
        case .dictionary:
            for (key, element) in zip(elements("NS.keys"), elements("NS.objects")) {
                parts.append((number(of: key), number(of: element)))
            }
        case .null, .leaf, .unit: parts = Self.uids(in: list).map { (0, $0) }
        }
        values[value].parts = parts
    }

    /// The number of a value inside of an object, which gets one if it is not a reference.
    private mutating func number(of list: PropertyList) -> Int {
        if case .uid(let uid) = list { return Int(uid) }
        let form = if case .null = list { Form.null } else { Form.leaf }
        values.append(Value(list: list, form: form, parts: Self.uids(in: list).map { (0, $0) }, referenceCount: 1))
        return values.count - 1
    }

    private static func uids(in list: PropertyList) -> [Int] {
        var uids: [Int] = []
        list.forEachLeaf { leaf in if let uid = leaf.uid { uids.append(Int(uid)) } }
        return uids
    }
}

// MARK: - Identities

extension MergeSide {
    /// Finds the values that have an identity, and the order of the others.
    ///
    /// An object to which only one place refers can be merged at its place: nothing else would notice whether it is an instance.
    /// Other objects are instances, unless their class is known to be a struct. The part of a superclass is a part of its owner.
    private mutating func findIdentities(_ classKinds: [String: Bool], _ numbers: MergeNumbers) {
        let kinds = Dictionary(classKinds.map { (numbers.key($0.key), $0.value) }) { first, _ in first }
        for value in 0..<objectCount where values[value].form == .record {
            let isShared = values[value].referenceCount != 1
            switch kinds[values[value].className] {
            case true?: values[value].hasIdentity = isShared || !values[value].isSuper
            case false?: values[value].hasIdentity = false
            case nil: values[value].hasIdentity = isShared
            }
        }
        (values[top].hasIdentity, values[surroundings].hasIdentity) = (true, true)
        enum State: UInt8 { case new, open, done }
        var states = [State](repeating: .new, count: values.count)
        // The place of each open value in the path, and the first place in the path that the values behind it lead back to.
        var places = [Int](repeating: 0, count: values.count)
        var path: [(value: Int, children: [Int], first: Int)] = []
        func isPlain(_ value: Int) -> Bool { values[value].form != .null && !values[value].hasIdentity }
        for root in values.indices where states[root] == .new && isPlain(root) {
            func open(_ value: Int) {
                states[value] = .open
                places[value] = path.count
                path.append((value, children(of: value), .max))
            }
            open(root)
            while let place = path.indices.last {
                let value = path[place].value
                guard let child = path[place].children.popLast() else {
                    let first = path.removeLast().first
                    if place > 0 { path[place - 1].first = min(path[place - 1].first, first) }
                    states[value] = .done
                    if first <= place {
                        values[value].hasIdentity = true
                        // Objects of Foundation's classes that refer to each other, such as views, are instances.
                        if values[value].form == .unit { becomeRecord(value, numbers) }
                    } else {
                        order.append(value)
                    }
                    continue
                }
                switch states[child] {
                case .new: if isPlain(child) { open(child) }
                case .open: path[place].first = min(path[place].first, places[child])
                case .done: break
                }
            }
        }
    }

    private mutating func becomeRecord(_ value: Int, _ numbers: MergeNumbers) {
        values[value].form = .record
        let count = values.count
        readParts(of: value, numbers)
        order += count..<values.count
    }
}

extension PropertyList.Dictionary {
    /// The first value under a key, which is compared by its bytes.
    fileprivate func value(_ key: String) -> PropertyList? {
        first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }
}
