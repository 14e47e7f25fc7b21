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
extension Triple: Equatable where Element: Equatable {}
extension Triple: Hashable where Element: Hashable {}

/// An archive that takes part in a merge: its values by number, and how each is merged.
///
/// The number of an object is its uid. The numbers after those are `$top`, the other entries of the root, and the values that are
/// written inside of objects without a uid.
struct MergeSide: Sendable {
    /// How a value is merged.
    enum Form: UInt8, Sendable {
        /// Nil, or an object that is not reachable.
        case null
        /// A string, a number, data, or the description of a class.
        case leaf
        /// An object of a Foundation class, such as a date: a value that is taken as a whole.
        case unit
        case record, list, set, dictionary
    }

    /// The parts of a value, by their numbers.
    enum Contents: Sendable {
        /// Values under the numbers of their keys in `MergeNumbers`.
        case record([(key: Int, value: Int)])
        case list([Int])
        case set([Int])
        case dictionary([(key: Int, value: Int)])
    }

    let archive: KeyedArchive
    let objectCount: Int
    private(set) var values: [PropertyList]
    private(set) var forms: [Form]
    private(set) var contents: [Contents?]
    /// The numbers of the class names; 0 for values without a class.
    private(set) var classes: [Int]
    /// The uid of the class entry; 0 for values without a class.
    private(set) var classUIDs: [Int]
    /// Whether a value has an identity, whatever its contents are: an instance, or a value that contains itself.
    private(set) var hasIdentity: [Bool]
    /// The values without identity that are reachable, each after those that it contains.
    private(set) var order: [Int] = []
    /// Whether `$top` has the key of a checksum, which is not merged.
    private(set) var hasChecksum = false
    private var isReached: [Bool]
    /// The numbers of references to each value, and whether the last one is the part of a superclass.
    private var referenceCounts: [Int]
    private var isSuper: [Bool]

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
        values = objects + [.dictionary(top), .dictionary(others)]
        forms = Array(repeating: .null, count: values.count)
        contents = Array(repeating: nil, count: values.count)
        classes = Array(repeating: 0, count: values.count)
        classUIDs = classes
        hasIdentity = Array(repeating: false, count: values.count)
        isReached = hasIdentity
        isSuper = hasIdentity
        referenceCounts = classes
        try readAll(numbers)
        findIdentities(classKinds, numbers)
    }

    /// Whether a number is the uid of an object.
    func isObject(_ value: Int) -> Bool { value < objectCount }

    /// Whether there is an object `uid` of the same form and class as that of another archive.
    func has(_ uid: Int, of other: MergeSide) -> Bool {
        uid < objectCount && uid < other.objectCount && forms[uid] != .null && forms[uid] == other.forms[uid]
            && classes[uid] == other.classes[uid]
    }
}

// MARK: - Reading

extension MergeSide {
    /// Reads all values that the root reaches.
    private mutating func readAll(_ numbers: MergeNumbers) throws(KeyedArchiveError) {
        var remaining = [top, surroundings]
        for value in remaining { isReached[value] = true }
        while let value = remaining.popLast() {
            if value < objectCount, case .uid = values[value] {
                throw KeyedArchiveError(.uidBehindUID(uid: UInt32(truncatingIfNeeded: value)))
            }
            for uid in Self.uids(in: values[value]) {
                guard uid < objectCount else {
                    throw KeyedArchiveError(
                        .uidOutOfRange(uid: UInt32(truncatingIfNeeded: uid), count: objectCount))
                }
                referenceCounts[uid] += 1
                if !isReached[uid] {
                    isReached[uid] = true
                    remaining.append(uid)
                }
            }
        }
        for value in 0..<objectCount where isReached[value] { forms[value] = form(of: value, numbers) }
        (forms[top], forms[surroundings]) = (.record, .record)
        for value in 0..<objectCount + 2 where isReached[value] { readContents(of: value, numbers) }
    }

    private mutating func form(of value: Int, _ numbers: MergeNumbers) -> Form {
        switch values[value] {
        case .null: return .null
        case .string(let text): return text.utf8.elementsEqual("$null".utf8) ? .null : .leaf
        case .dictionary(let entries):
            guard case .uid(let classUID)? = entries.value("$class") else {
                return entries.value("$classname") == nil ? .record : .leaf
            }
            classUIDs[value] = Int(classUID)
            let name = className(ofEntry: Int(classUID)) ?? ""
            classes[value] = numbers.key(name)
            return Self.form(of: entries, name)
        default: return .leaf
        }
    }

    private func className(ofEntry uid: Int) -> String? {
        guard case .dictionary(let entries) = values[uid], entries.value("$class") == nil else { return nil }
        switch entries.value("$classname") {
        case .string(let text)?: return text
        case .uid(let uid)?:
            if Int(uid) < objectCount, case .string(let text) = values[Int(uid)] { return text }
            return nil
        default: return nil
        }
    }

    private static func form(of entries: PropertyList.Dictionary, _ className: String) -> Form {
        guard className.utf8.starts(with: "NS".utf8) else { return .record }
        func count(_ key: String) -> Int? {
            guard case .array(let elements)? = entries.value(key) else { return nil }
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

    private mutating func readContents(of value: Int, _ numbers: MergeNumbers) {
        guard case .dictionary(let entries) = values[value] else { return }
        switch forms[value] {
        case .record:
            var fields: [(key: Int, value: Int)] = []
            var known: Set<Int> = []
            // Each key once: readers find the first one.
            for entry in entries {
                let key = numbers.key(entry.key)
                guard known.insert(key).inserted else { continue }
                let number = number(of: entry.value)
                if key == numbers.superKey { isSuper[number] = true }
                fields.append((key, number))
            }
            contents[value] = .record(fields)
        case .list: contents[value] = .list(elements("NS.objects", of: entries))
        case .set: contents[value] = .set(elements("NS.objects", of: entries))
        case .dictionary:
            let keys = elements("NS.keys", of: entries)
            contents[value] = .dictionary(zip(keys, elements("NS.objects", of: entries)).map { ($0, $1) })
        case .null, .leaf, .unit: break
        }
    }

    private mutating func elements(_ key: String, of entries: PropertyList.Dictionary) -> [Int] {
        guard case .array(let elements)? = entries.value(key) else { return [] }
        return elements.map { number(of: $0) }
    }

    /// The number of a value inside of an object, which gets one if it is not a reference.
    private mutating func number(of value: PropertyList) -> Int {
        if case .uid(let uid) = value { return Int(uid) }
        values.append(value)
        if case .null = value { forms.append(.null) } else { forms.append(.leaf) }
        contents.append(nil)
        classes.append(0)
        classUIDs.append(0)
        hasIdentity.append(false)
        isSuper.append(false)
        isReached.append(true)
        referenceCounts.append(1)
        return values.count - 1
    }

    private static func uids(in value: PropertyList) -> [Int] {
        var uids: [Int] = []
        var remaining = [value]
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

    /// The values inside of a value, but its class.
    func children(of value: Int) -> [Int] {
        switch contents[value] {
        case .record(let fields)?:
            return classUIDs[value] == 0
                ? fields.map(\.value) : fields.lazy.map(\.value).filter { $0 != classUIDs[value] }
        case .list(let elements)?, .set(let elements)?: return elements
        case .dictionary(let entries)?: return entries.flatMap { [$0.key, $0.value] }
        case nil:
            return classUIDs[value] == 0
                ? Self.uids(in: values[value]) : Self.uids(in: values[value]).filter { $0 != classUIDs[value] }
        }
    }
}

// MARK: - Identities

extension MergeSide {
    /// Finds the values that have an identity, and the order of the others.
    ///
    /// An object to which only one place refers can be merged at its place: nothing else would notice whether it is an instance.
    /// Other objects are instances, unless their class is known to be a struct. The part of a superclass is a part of its owner.
    private mutating func findIdentities(_ classKinds: [String: Bool], _ numbers: MergeNumbers) {
        for value in 0..<objectCount where forms[value] == .record {
            let isShared = referenceCounts[value] != 1
            switch classKinds[numbers.names[classes[value]]] {
            case true?: hasIdentity[value] = isShared || !isSuper[value]
            case false?: hasIdentity[value] = false
            case nil: hasIdentity[value] = isShared
            }
        }
        (hasIdentity[top], hasIdentity[surroundings]) = (true, true)
        enum State: UInt8 { case new, open, done }
        var states = [State](repeating: .new, count: values.count)
        // The place of each open value in the path, and the first place in the path that the values behind it lead back to.
        var places = [Int](repeating: 0, count: values.count)
        var path: [(value: Int, children: [Int], first: Int)] = []
        for root in values.indices where isReached[root] && states[root] == .new && !hasIdentity[root] {
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
                        hasIdentity[value] = true
                        // Objects of Foundation's classes that refer to each other, such as views, are instances.
                        if forms[value] == .unit { becomeRecord(value, numbers) }
                    } else {
                        order.append(value)
                    }
                    continue
                }
                switch states[child] {
                case .new: if forms[child] != .null, !hasIdentity[child] { open(child) }
                case .open: path[place].first = min(path[place].first, places[child])
                case .done: break
                }
            }
        }
    }

    private mutating func becomeRecord(_ value: Int, _ numbers: MergeNumbers) {
        forms[value] = .record
        let count = values.count
        readContents(of: value, numbers)
        order += count..<values.count
    }
}

extension PropertyList.Dictionary {
    /// The first value under a key, which is compared by its bytes.
    fileprivate func value(_ key: String) -> PropertyList? {
        first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }
}
