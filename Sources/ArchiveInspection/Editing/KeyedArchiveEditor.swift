import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A keyed archive that can be changed without the types of what is in it.
///
/// ```swift
/// var editor = try KeyedArchiveEditor(KeyedArchive(contentsOf: url))
/// try editor.renameClass("OldFarm.Cow", to: "Cow")
/// try editor.set("Bella", at: ["root", "animals", 3, "name"])
/// try editor.remove(at: ["root", "owner"])
/// try editor.write(to: url)
/// ```
///
/// What is not edited comes out as it was: every value of its kind, every object under its uid, the keys of every dictionary in
/// their order, and objects that nothing refers to. New objects are added at the end. An object that an edit leaves behind
/// stays, since others may refer to it; `removeUnreachableObjects()` clears them away.
///
/// An editor is a value: a copy of it is edited on its own. An edit that throws has changed nothing. What an edit has put in can
/// always be written, as far as the format has room for it.
///
/// <doc:EditingArchives> has examples of edits by path (`set`, `insert`, `remove`).
public struct KeyedArchiveEditor: Sendable {
    /// The root dictionary. What is under `$top` and `$objects` is taken out of it.
    private var root: PropertyList.Dictionary
    /// `$top`, a dictionary.
    var topList: PropertyList
    /// `$objects`.
    var objects: [PropertyList]
    /// The class entries by their names, found when they are first asked for; nil while nobody has, and after an edit that
    /// may have changed one.
    var classIndex: [String: UInt32]?

    /// Begins with what is in `archive`.
    ///
    /// - Throws: As `KeyedArchive.propertyList()`: an archive is read whole to be edited.
    /// - Complexity: O(*n*), where *n* is the number of bytes that the archive unfolds to.
    public init(_ archive: KeyedArchive) throws(KeyedArchiveError) {
        guard case .dictionary(let root) = try archive.propertyList() else { throw KeyedArchiveError(.notAnArchive) }
        try self.init(root)
    }

    /// Begins with an archive that has nothing in it.
    public init() {
        root = [
            "$version": .integer(Int128(KeyedArchiveFormat.version)), "$archiver": .string(KeyedArchiveFormat.archiver),
            "$top": .null, "$objects": .null,
        ]
        topList = .dictionary([:])
        objects = [Self.null]
    }

    private init(_ root: PropertyList.Dictionary) throws(KeyedArchiveError) {
        self.root = root
        guard case .array(let objects)? = root["$objects"] else {
            throw KeyedArchiveError(.wrongKind(.init("$objects")))
        }
        guard case .dictionary? = root["$top"], let topList = root["$top"] else {
            throw KeyedArchiveError(.wrongKind(.init("$top")))
        }
        self.objects = objects
        self.topList = topList
        self.root["$objects"] = .null
        self.root["$top"] = .null
    }

    /// What slot 0 holds, and every slot that nothing is in.
    static var null: PropertyList { "$null" }
}

extension KeyedArchiveEditor {
    /// All of the root but `$objects`.
    var surroundings: PropertyList {
        var root = root
        root["$top"] = topList
        return .dictionary(root)
    }
}

// MARK: - The result

extension KeyedArchiveEditor {
    /// The whole archive as it is now: what `KeyedArchive.propertyList()` gives.
    public var propertyList: PropertyList {
        var list = surroundings
        list.changeEntries { $0["$objects"] = .array(objects) }
        return list
    }

    /// The archive as it is now.
    ///
    /// - Throws: `KeyedArchiveError` where it is larger than 4 GiB.
    /// - Complexity: O(*n*), where *n* is the number of values in the archive.
    public func archive() throws(KeyedArchiveError) -> KeyedArchive { try KeyedArchive(propertyList) }

    /// The archive as it is now, in the given format.
    ///
    /// - Throws: `PropertyListError` where it is larger than 4 GiB, or XML is asked for and the archive has what XML has not.
    /// - Complexity: O(*n*), where *n* is the number of values in the archive.
    public func data(format: PropertyListFormat = .binary) throws(PropertyListError) -> Data {
        try propertyList.data(format: format)
    }

    /// Writes the archive as it is now, in the given format, to the file at `url`, which may be the one that it was read
    /// from.
    ///
    /// The file is replaced as a whole, as `ArchiveEncoder.encode(_:to:)` does it.
    ///
    /// - Throws: As `data(format:)`, and `CocoaError` where the file cannot be written.
    /// - Complexity: O(*n*), where *n* is the number of values in the archive.
    public func write(to url: URL, format: PropertyListFormat = .binary) throws {
        try ArchiveFile.write(data(format: format), to: url)
    }
}

extension KeyedArchiveEditor: CustomStringConvertible {
    /// How many objects the archive has as it is now.
    public var description: String {
        "Editor of a keyed archive of " + DumpOutput.count(objects.count, "object", "objects")
    }
}

// MARK: - Objects as they are stored

extension KeyedArchiveEditor {
    /// What was encoded by key, `$top`, as it is stored: values and uids.
    public var top: PropertyList.Dictionary {
        if case .dictionary(let top) = topList { top } else { [:] }
    }

    /// The number of objects: uids are below it.
    public var objectCount: Int { objects.count }

    /// The object `uid` as it is stored: a leaf, or a dictionary with its class under `$class` and uids that are not followed.
    /// Nil where the archive has no such object.
    public subscript(uid uid: UInt32) -> PropertyList? {
        objects.indices.contains(Int(uid)) ? objects[Int(uid)] : nil
    }

    /// Adds an object that is stored as `contents`. It is `addObject(ofClass:superclasses:fields:)` that makes one of a class.
    ///
    /// - Returns: Its uid, to be put somewhere with `.uid(_:)`.
    /// - Throws: `KeyedArchiveError` of the code `notFound` where `contents` has a uid that the archive does not have,
    ///   `wrongKind` where it is a uid itself, `limit` where it is nested deeper than an archive can be.
    /// - Complexity: O(*n*), where *n* is the number of values in `contents`.
    @discardableResult
    public mutating func addObject(_ contents: PropertyList) throws(KeyedArchiveError) -> UInt32 {
        try checkObject(contents, "A new object")
        return append(contents)
    }

    /// Lets the object `uid` be stored as `contents`. All that refer to it see the new one.
    ///
    /// - Throws: `KeyedArchiveError`, as `addObject(_:)` does, and of the code `notFound` where there is no object `uid`, or
    ///   `wrongKind` where that is 0, which is nil.
    /// - Complexity: O(*n*), where *n* is the number of values in `contents`.
    public mutating func replaceObject(_ uid: UInt32, with contents: PropertyList) throws(KeyedArchiveError) {
        guard uid != 0 else { throw wrongKind(0, "Object 0 cannot be replaced: its uid is that of nil") }
        try checkUID(uid, "Object \(uid) cannot be replaced")
        try checkObject(contents, "Object \(uid)")
        mutate(Place(.object(uid))) { $0 = Self.slotContents(contents) }
    }

    private func checkObject(_ contents: PropertyList, _ name: String) throws(KeyedArchiveError) {
        if case .uid(let uid) = contents {
            throw wrongKind(nil, "\(name) cannot be uid \(uid): an object is a value, and no reference to another")
        }
        try check(contents, at: 0, name)
    }

    /// A slot has no null of its own.
    private static func slotContents(_ contents: PropertyList) -> PropertyList {
        if case .null = contents { null } else { contents }
    }

    /// Adds an object. The uids in `contents` have been checked.
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
    /// The levels of containers that an object may have: the root and `$objects` are around it.
    private static var levels: Int { PropertyListLimits.nesting - 2 }

    /// Checks that `value` can stand `depth` levels inside an object: that its uids are there, and that it is not too deep.
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
