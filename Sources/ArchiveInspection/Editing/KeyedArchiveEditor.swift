// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A keyed archive that can be changed without the types of its objects.
///
/// ```swift
/// var editor = try KeyedArchiveEditor(KeyedArchive(contentsOf: url))
/// try editor.renameClass("OldFarm.Cow", to: "Cow")
/// try editor.set("Bella", at: ["root", "animals", 3, "name"])
/// try editor.remove(at: ["root", "owner"])
/// try editor.propertyList.data().write(to: url, options: .atomic)
/// ```
///
/// Values that are not edited keep their kind, their uid and their order, and unreferenced objects stay. New objects are added at
/// the end. An object that is no longer referenced stays in the archive until `removeUnreachableObjects()` removes it.
///
/// An editor is a value: a copy of it is edited independently. An edit that throws changes nothing. Every edit gives an archive
/// that can be written, within the size that the format allows.
///
/// <doc:EditingArchives> has examples of edits by path (`set`, `insert`, `remove`).
public struct KeyedArchiveEditor: Sendable {
    /// The root dictionary, in which `$top` and `$objects` are null.
    private var root: PropertyList.Dictionary
    var topList: PropertyList
    var objects: [PropertyList]
    /// The uids of the class entries by name, found on first use; nil before that, and after an edit that may have changed one.
    var classIndex: [String: UInt32]?

    /// Creates an editor of a copy of `archive`.
    ///
    /// - Throws: As `KeyedArchive.propertyList()`, since the whole archive is read.
    /// - Complexity: O(*n*), where *n* is the number of bytes of the archive with its shared values expanded.
    public init(_ archive: KeyedArchive) throws(KeyedArchiveError) {
        guard case .dictionary(let root) = try archive.propertyList() else { throw KeyedArchiveError(.notAnArchive) }
        try self.init(root)
    }

    /// Creates an editor of an empty archive.
    public init() {
        root = [
            "$version": .integer(Int128(KeyedArchiveFormat.version)), "$archiver": .string(KeyedArchiveFormat.archiver),
            "$top": .null, "$objects": .null,
        ]
        topList = .dictionary([:])
        objects = [Self.null]
    }

    private init(_ root: PropertyList.Dictionary) throws(KeyedArchiveError) {
        // The next save of a document writes its indexes anew.
        self.root = PropertyList.Dictionary(root.filter { $0.key != KeyedArchiveFormat.indexesKey })
        guard case .array(let objects)? = root["$objects"] else {
            throw KeyedArchiveError(.wrongKind(.init("$objects"), expected: .init("an array")))
        }
        guard case .dictionary? = root["$top"], let topList = root["$top"] else {
            throw KeyedArchiveError(.wrongKind(.init("$top"), expected: .init("a dictionary")))
        }
        self.objects = objects
        self.topList = topList
        self.root["$objects"] = .null
        self.root["$top"] = .null
    }

    /// The content of slot 0 and of every empty slot.
    static var null: PropertyList { "$null" }
}

extension KeyedArchiveEditor {
    /// All of the root except `$objects`.
    var surroundings: PropertyList {
        var root = root
        root["$top"] = topList
        return .dictionary(root)
    }
}

// MARK: - Result

extension KeyedArchiveEditor {
    /// The whole archive in its current state, as from `KeyedArchive.propertyList()`. Its `data(format:)` is the file.
    public var propertyList: PropertyList {
        var list = surroundings
        list.changeEntries { $0["$objects"] = .array(objects) }
        return list
    }

    package func archive() throws(KeyedArchiveError) -> KeyedArchive { try KeyedArchive(propertyList) }

}

extension KeyedArchiveEditor: CustomStringConvertible {
    /// The number of objects in the current archive.
    public var description: String {
        "Editor of a keyed archive of " + LineText.count(objects.count, "object", "objects")
    }
}

// MARK: - Stored objects

extension KeyedArchiveEditor {
    package var top: PropertyList.Dictionary {
        if case .dictionary(let top) = topList { top } else { [:] }
    }

    /// The number of objects. Every uid is less.
    package var objectCount: Int { objects.count }

    /// The stored form of the object `uid`: a leaf, or a dictionary with its class under `$class` and uids as references. It is
    /// nil if the archive has no such object.
    public subscript(uid uid: UInt32) -> PropertyList? {
        objects.indices.contains(Int(uid)) ? objects[Int(uid)] : nil
    }

    /// Adds an object that is stored as `contents`. To add an object of a class, use `addObject(ofClass:superclasses:fields:)`.
    ///
    /// - Returns: The uid of the object, to be stored with `.uid(_:)`.
    /// - Throws: `KeyedArchiveError` with the code `notFound` if `contents` has a uid that the archive does not have, `wrongKind`
    ///   if `contents` is itself a uid, `limit` if it is nested deeper than an archive allows.
    /// - Complexity: O(*n*), where *n* is the number of values in `contents`.
    @discardableResult
    public mutating func addObject(_ contents: PropertyList) throws(KeyedArchiveError) -> UInt32 {
        try checkObject(contents, "A new object")
        return append(contents)
    }

    /// Replaces the object `uid` with `contents` for all references to it.
    ///
    /// - Throws: `KeyedArchiveError` as `addObject(_:)`, and with the code `notFound` if the object `uid` does not exist, or
    ///   `wrongKind` if `uid` is 0, which is nil.
    /// - Complexity: O(*n*), where *n* is the number of values in `contents`.
    public mutating func replaceObject(_ uid: UInt32, with contents: PropertyList) throws(KeyedArchiveError) {
        guard uid != 0 else { throw wrongKind(0, "Object 0 cannot be replaced: its uid is that of nil") }
        try checkUID(uid, "Object \(uid) cannot be replaced")
        try checkObject(contents, "Object \(uid)")
        mutate(Place(.object(uid))) { $0 = Self.slotContents(contents) }
    }

    private func checkObject(_ contents: PropertyList, _ name: String) throws(KeyedArchiveError) {
        if case .uid(let uid) = contents {
            throw wrongKind(nil, "\(name) cannot be uid \(uid): an object must be a value, not a reference to another")
        }
        try check(contents, at: 0, name)
    }

    /// A slot holds "$null", never null.
    private static func slotContents(_ contents: PropertyList) -> PropertyList {
        if case .null = contents { null } else { contents }
    }

    /// Adds an object whose uids have been checked.
    mutating func append(_ contents: PropertyList) -> UInt32 {
        if objects.isEmpty { objects.append(Self.null) }
        let uid = UInt32(truncatingIfNeeded: objects.count)
        objects.append(Self.slotContents(contents))
        if contents["$classname"] != nil { classIndex = nil }
        return uid
    }
}

// MARK: - Checks

extension KeyedArchiveEditor {
    /// The levels of containers that an object may have, inside the root and `$objects`.
    private static var levels: Int { PropertyListLimits.nesting - 2 }

    /// Checks that `value` can be stored `depth` levels inside an object: its uids must exist, and its nesting must be within the
    /// limit.
    func check(_ value: PropertyList, at depth: Int, _ name: @autoclosure () -> String) throws(KeyedArchiveError) {
        var remaining = [(value, depth)]
        while let (value, depth) = remaining.popLast() {
            switch value {
            case .uid(let uid): try checkUID(uid, "\(name()) refers to uid \(uid)")
            case .array(let elements), .set(let elements):
                for element in elements { remaining.append((element, depth + 1)) }
            case .dictionary(let entries): for entry in entries { remaining.append((entry.value, depth + 1)) }
            default: break
            }
            guard depth <= Self.levels else {
                throw KeyedArchiveError(
                    .other(.limit, uid: nil, sentence: "\(name()) is nested deeper than \(Self.levels) levels"))
            }
        }
    }

    private func checkUID(_ uid: UInt32, _ name: @autoclosure () -> String) throws(KeyedArchiveError) {
        guard Int(uid) >= objects.count else { return }
        throw notFound(uid, "\(name()), but the archive has only \(objects.count) objects")
    }

    func notFound(_ uid: UInt32?, _ sentence: String) -> KeyedArchiveError {
        KeyedArchiveError(.other(.notFound, uid: uid, sentence: sentence))
    }

    func wrongKind(_ uid: UInt32?, _ sentence: String) -> KeyedArchiveError {
        KeyedArchiveError(.other(.wrongKind, uid: uid, sentence: sentence))
    }
}

// MARK: - New objects

extension KeyedArchiveEditor {
    /// Adds an object of a class.
    ///
    /// ```swift
    /// let barn = try editor.addObject(ofClass: "Farm.Barn", fields: ["name": "North", "stalls": 12])
    /// try editor.set(.uid(barn), at: ["root", "barn"])
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the class. Its entry is added if the archive has none.
    ///   - superclasses: The names of its superclasses, if the entry is added.
    ///   - fields: The values of the object by key, stored as described for `set(_:at:)`.
    /// - Returns: The uid of the object, to be stored with `.uid(_:)`.
    /// - Throws: As `addObject(_:)`.
    @discardableResult
    public mutating func addObject(
        ofClass name: String, superclasses: [String] = [], fields: PropertyList.Dictionary
    ) throws(KeyedArchiveError) -> UInt32 {
        try check(.dictionary(fields), at: 0, "A new object of the class \(name)")
        var entries = PropertyList.Dictionary()
        for entry in fields {
            entries.append(key: Self.storedKey(entry.key), value: field(entry.value, replacing: nil))
        }
        entries.append(key: "$class", value: .uid(addClass(named: name, superclasses: superclasses)))
        return append(.dictionary(entries))
    }

    /// Adds an NSArray of `elements`. Each becomes an object of its own, unless it is a `.uid`.
    ///
    /// - Returns: The uid of the array, to be stored with `.uid(_:)`.
    /// - Throws: As `addObject(_:)`.
    @discardableResult
    public mutating func addArray(_ elements: [PropertyList]) throws(KeyedArchiveError) -> UInt32 {
        try addCollection("NSArray", elements)
    }

    /// Adds an NSSet of `elements`, which must be distinct. Each becomes an object of its own, unless it is a `.uid`.
    ///
    /// - Returns: The uid of the set, to be stored with `.uid(_:)`.
    /// - Throws: As `addObject(_:)`.
    @discardableResult
    public mutating func addSet(_ elements: [PropertyList]) throws(KeyedArchiveError) -> UInt32 {
        try addCollection("NSSet", elements)
    }

    /// Adds an NSDictionary of `entries`. Each key and value becomes an object of its own, unless it is a `.uid`.
    ///
    /// - Returns: The uid of the dictionary, to be stored with `.uid(_:)`.
    /// - Throws: As `addObject(_:)`.
    @discardableResult
    public mutating func addDictionary(_ entries: PropertyList.Dictionary) throws(KeyedArchiveError) -> UInt32 {
        try check(.dictionary(entries), at: 0, "A new dictionary")
        let keys = entries.keys.map { reference(.string($0), replacing: nil) }
        let values = entries.values.map { reference($0, replacing: nil) }
        let classUID = addClass(named: "NSDictionary")
        return append(["NS.keys": .array(keys), "NS.objects": .array(values), "$class": .uid(classUID)])
    }

    private mutating func addCollection(
        _ name: String, _ elements: [PropertyList]
    ) throws(KeyedArchiveError) -> UInt32 {
        try check(.array(elements), at: 0, "A new \(name)")
        let references = elements.map { reference($0, replacing: nil) }
        let classUID = addClass(named: name)
        return append(["NS.objects": .array(references), "$class": .uid(classUID)])
    }
}

// MARK: - Stored forms

extension KeyedArchiveEditor {
    /// The stored form of `value` under a key of an object, where it replaces `old` if that is not nil.
    mutating func field(_ value: PropertyList, replacing old: PropertyList?) -> PropertyList {
        switch value {
        case .null: return .uid(0)
        case .uid: return value
        case .boolean, .integer, .real, .real32:
            return followed(old)?.isInlineNumber == true ? inline(value, replacing: old) : value
        case .array, .set, .dictionary:
            return isPlainContainer(followed(old)) ? inline(value, replacing: old) : value
        case .string, .data, .date:
            switch old {
            case .string, .data, .date: return value
            default: return reference(value, replacing: old)
            }
        }
    }

    /// The stored form of `value` in a container of the property list, where it replaces `old` if that is not nil: a reference if
    /// `old` is one.
    mutating func inline(_ value: PropertyList, replacing old: PropertyList?) -> PropertyList {
        switch value {
        case .null: .uid(0)
        case .uid: value
        default: old?.isUID == true ? reference(value, replacing: old) : value
        }
    }

    /// The uid of a new object for `value`, which replaces `old` if that is not nil.
    mutating func reference(_ value: PropertyList, replacing old: PropertyList?) -> PropertyList {
        switch value {
        case .null: return .uid(0)
        case .uid: return value
        // As a leaf it would be read as nil.
        case "$null": return .uid(append(["NS.string": value, "$class": .uid(addClass(named: "NSString"))]))
        case .date(let date):
            // GNUstep stores dates as leaves.
            if case .date? = followed(old) { return .uid(append(value)) }
            let seconds = PropertyList.real(date.timeIntervalSinceReferenceDate)
            return .uid(append(["NS.time": seconds, "$class": .uid(addClass(named: "NSDate"))]))
        default: return .uid(append(value))
        }
    }

    private func isPlainContainer(_ value: PropertyList?) -> Bool {
        switch value {
        case .array, .set: true
        case .dictionary(let entries): classUID(of: entries) == nil && entries["$classname"] == nil
        default: false
        }
    }
}

// MARK: - Classes

extension KeyedArchiveEditor {
    /// Adds a class entry that describes the class `name`, unless the archive has one.
    ///
    /// - Parameters:
    ///   - name: The name of the class in the archive.
    ///   - superclasses: The names of its superclasses, nearest first. They are used only if the class is added. NSObject is
    ///     appended if it is missing.
    /// - Returns: The uid of the class entry, to be stored under `$class` with `.uid(_:)`.
    /// - Complexity: O(*n*), where *n* is the number of objects, on the first call and after an edit of a class entry; otherwise
    ///   O(1).
    @discardableResult
    public mutating func addClass(named name: String, superclasses: [String] = []) -> UInt32 {
        if classIndex == nil { classIndex = classEntriesByName() }
        if let uid = classIndex?[name] { return uid }
        var chain = [name] + superclasses
        if chain.last != ArchivedClass.rootName { chain.append(ArchivedClass.rootName) }
        var index = classIndex
        let uid = append(["$classname": .string(name), "$classes": .array(chain.map { .string($0) })])
        index?[name] = uid
        classIndex = index
        return uid
    }

    private func classEntriesByName() -> [String: UInt32] {
        var index: [String: UInt32] = [:]
        for (uid, object) in objects.enumerated() {
            let uid = UInt32(truncatingIfNeeded: uid)
            guard isClassEntry(object), let name = className(of: object), index[name] == nil else { continue }
            index[name] = uid
        }
        return index
    }

    /// Any object may have a field `$classname`. A class entry has no class.
    private func isClassEntry(_ object: PropertyList) -> Bool {
        guard case .dictionary(let entries) = object else { return false }
        return entries["$classname"] != nil && classUID(of: entries) == nil
    }

    /// Renames the class `name` in the entries that describe it and in those of its subclasses.
    ///
    /// Objects refer to the entry of their class, so all of them get the new name. Names in `$classhints` and names that programs
    /// encoded themselves do not change.
    ///
    /// - Throws: `KeyedArchiveError` with the code `notFound` if no entry has the name.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public mutating func renameClass(_ name: String, to newName: String) throws(KeyedArchiveError) {
        var isKnown = false
        for uid in objects.indices where isClassEntry(objects[uid]) {
            guard case .dictionary(var entries) = objects[uid] else { continue }
            var hasChanged = false
            if className(of: objects[uid]) == name {
                entries["$classname"] = .string(newName)
                hasChanged = true
            }
            if var chain = classList(of: objects[uid]), chain.contains(where: { $0.className == name }) {
                for position in chain.indices where chain[position].className == name {
                    chain[position] = .string(newName)
                }
                entries["$classes"] = .array(chain)
                hasChanged = true
            }
            guard hasChanged else { continue }
            isKnown = true
            objects[uid] = .dictionary(entries)
        }
        guard isKnown else { throw notFound(nil, "The archive describes no class of the name \(name)") }
        classIndex = nil
    }
}

// MARK: - Unreachable objects

extension KeyedArchiveEditor {
    /// Removes the objects that cannot be reached from any value encoded by key, including those that were unreachable before the
    /// edits.
    ///
    /// The other objects keep their uids. A removed object becomes "$null", which is nil, and slots after the last remaining
    /// object are dropped.
    ///
    /// - Returns: The uids of the removed objects, in ascending order.
    /// - Complexity: O(*n*), where *n* is the number of values in the archive.
    @discardableResult
    public mutating func removeUnreachableObjects() -> [UInt32] {
        let reached = reachedObjects()
        var removed: [UInt32] = []
        var end = 1
        for uid in objects.indices.dropFirst() {
            if reached.contains(uid) {
                end = uid + 1
            } else if !objects[uid].isNullText {
                removed.append(UInt32(truncatingIfNeeded: uid))
                objects[uid] = Self.null
            }
        }
        if end < objects.count { objects.removeLast(objects.count - end) }
        classIndex = nil
        return removed
    }

    private func reachedObjects() -> BitSet {
        var reached = BitSet(count: objects.count)
        // All of the root except `$objects`: `$top`, and entries that archives rarely have.
        var remaining = [surroundings]
        while let value = remaining.popLast() {
            switch value {
            case .uid(let uid):
                guard objects.indices.contains(Int(uid)), reached.insert(Int(uid)) else { continue }
                remaining.append(objects[Int(uid)])
            case .array(let elements), .set(let elements): remaining += elements
            case .dictionary(let entries): remaining += entries.values
            default: break
            }
        }
        return reached
    }
}
