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
