#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A keyed archive to look into: what is in it, without decoding it.
///
/// ```swift
/// let archive = try KeyedArchive(contentsOf: url)
/// print(archive.root["animals"]?[3].className ?? "no class")
/// let owner = try archive.root["owner"]!.decode(Owner.self)
/// print(archive)
/// ```
///
/// It opens what `ArchiveEncoder`, `KeyedArchiver`, Cocoa's `NSKeyedArchiver` and its subclasses, and GNUstep have written,
/// in the binary format and in XML. Its values are read where they lie, when they are asked for, so opening an archive
/// costs the same however large it is, and a part of it costs what the part costs. No type is needed for it, and nothing
/// that the archive names is created.
///
/// What is damaged shows itself when it is met: as a value of the kind `damaged`, which says what is wrong with it. The rest
/// can still be read. `validate()` goes through all of an archive at once.
///
/// Keys and uids are those of the format: `docs/keyed-archive-format.md`.
public struct KeyedArchive: Sendable {
    /// What values keep.
    package let source: ArchiveSource

    /// Opens the archive in `data`, binary or XML.
    ///
    /// The bytes are not copied, unless they are XML, which is turned into the binary form.
    ///
    /// - Throws: `KeyedArchiveError` where the data is no property list, or one that is no keyed archive: its `$version`,
    ///   `$objects` or `$top` are missing or something else than they have to be.
    /// - Complexity: O(1) for a binary archive, O(*n*) for XML, where *n* is the number of bytes.
    public init(_ data: Data) throws(KeyedArchiveError) {
        try self.init(ArchiveStorage(data))
    }

    /// Opens the archive in the file at `url`. A binary archive of more than 1 MiB is read page by page, when what is in the
    /// page is asked for; the file stays open as long as the archive or one of its values is there.
    ///
    /// Another program that replaces the file, as `ArchiveEncoder.encode(_:to:)` does, changes nothing: what was opened
    /// stays as it was. One that makes it shorter or writes into it meanwhile makes a damaged archive of it, which
    /// is an error where it is met; it cannot make anything worse of it.
    ///
    /// - Throws: As for data, and what the file system reports.
    /// - Complexity: O(1) for a binary archive: what is not asked for is not read from the file.
    public init(contentsOf url: URL) throws {
        try self.init(ArchiveStorage(contentsOf: url))
    }

    init(_ storage: ArchiveStorage) throws(KeyedArchiveError) {
        source = ArchiveSource(
            try StoredArchive(storage), format: PropertyListFormat(detectedIn: storage.bytes) ?? .binary)
    }
}

/// The bytes of an archive that is open, and what is known of it.
package final class ArchiveSource: Sendable {
    let stored: StoredArchive
    package let format: PropertyListFormat

    init(_ stored: StoredArchive, format: PropertyListFormat) {
        self.stored = stored
        self.format = format
    }

    package var contents: ArchiveContents { stored.contents }

    /// Loads at once what is not loaded yet: all of the archive is going to be looked at.
    package func expectWalk() { stored.storage.pages?.loadAll() }
}

// MARK: - What it says of itself

extension KeyedArchive {
    /// The format that the archive was read from.
    public var format: PropertyListFormat { source.format }

    /// The name of the archiver that wrote it: "NSKeyedArchiver", or that of a subclass of it. Nil where it says nothing.
    public var archiver: String? {
        let contents = source.contents
        guard let root = try? contents.node(contents.list.top),
            let name = try? contents.value(of: "$archiver", in: root)
        else { return nil }
        return try? contents.text(name)
    }
}

// MARK: - Where to begin

extension KeyedArchive {
    /// What the archiver was given by key: `$top`. Its fields are the keys.
    public var top: Value {
        let top = ArchivedValue(node: source.contents.top, uid: 0, isNull: false)
        return Value(source: source, place: .top, value: top)
    }

    /// The root object: what is under the key "root". Archives that many values were put into by key often have none; for
    /// those it is `top`.
    public var root: Value { top[KeyedArchiveFormat.rootKey] ?? top }

    /// All objects by their uids, from 0, which is nil, up.
    public var objects: Objects { Objects(source: source) }

    /// The object `uid`. One that the archive does not have is of the kind `damaged`, as it would be where a reference leads
    /// to it.
    public subscript(uid uid: UInt32) -> Value { source.object(uid) }

    /// The objects of an archive by their uids.
    public struct Objects: RandomAccessCollection, Sendable {
        let source: ArchiveSource

        /// 0, the uid of nil.
        public var startIndex: Int { 0 }
        /// The number of objects.
        public var endIndex: Int { source.contents.slotCount }

        /// The object of the uid `position`. It is a programming error, and traps, to ask for one that is not there.
        public subscript(position: Int) -> Value {
            require(indices.contains(position), "Object \(position) of \(count)")
            return source.object(UInt32(truncatingIfNeeded: position))
        }
    }
}

// MARK: - Bytes

extension KeyedArchive {
    /// The archive in the given format.
    ///
    /// The binary form is the bytes as they were read, to the last, if that is the format they were in. What XML does not
    /// hold is told at `PropertyList.data(format:)`.
    ///
    /// - Throws: `PropertyListError` where XML is asked for and the archive has what XML has not, is nested deeper than 512
    ///   levels, or is damaged, and where it is in a file that has become shorter.
    /// - Complexity: O(1) for a binary archive from data in the binary format, otherwise O(*n*), where *n* is the number of
    ///   bytes.
    public func data(format: PropertyListFormat = .binary) throws(PropertyListError) -> Data {
        let storage = source.stored.storage
        if let pages = storage.pages, !pages.loadAll() {
            throw PropertyListError(.truncated, at: storage.bytes.count)
        }
        switch format {
        case .binary: return storage.bytesAsData
        case .xml: return Data(owning: try XMLPropertyListWriter.xml(of: source.contents.list))
        }
    }
}

// MARK: - Values

extension KeyedArchive {
    /// A value in an archive: an object, or what stands inside one.
    ///
    /// ```swift
    /// let animal = archive.root["animals"]![3]
    /// animal.className                     // "Farm.Cow"
    /// animal["name"]?.string               // "Bella"
    /// animal["barn"] == archive.root["barn"]   // the same object?
    /// ```
    ///
    /// References are followed: the value under a key is the object that its uid leads to. Two values of one archive are
    /// equal where they are the same object, not where they hold the same. Values that stand inside an object and are none
    /// themselves, such as numbers, are equal where they are the same object of the property list: writers have equal ones
    /// once.
    ///
    /// A value keeps its archive.
    public struct Value: Sendable {
        /// Where a value was found.
        package enum Place: Hashable {
            case top
            case slot(UInt32)
            /// An object of the property list, which stands inside another.
            case inline(Int)
        }

        package let source: ArchiveSource
        package let place: Place
        /// nil where the archive is damaged here.
        package let archived: ArchivedValue?

        init(source: ArchiveSource, place: Place, value: ArchivedValue?) {
            self.source = source
            self.place = place
            archived = value
        }
    }
}

extension ArchiveSource {
    /// The object `uid`.
    package func object(_ uid: UInt32) -> KeyedArchive.Value {
        KeyedArchive.Value(source: self, place: .slot(uid), value: try? contents.object(uid))
    }

    /// What the property list has as the object `reference`, or what it leads to where it is a uid.
    package func value(_ reference: Int) -> KeyedArchive.Value {
        guard let node = try? contents.node(reference) else {
            return KeyedArchive.Value(source: self, place: .inline(reference), value: nil)
        }
        guard node.kind == .uid else {
            let value = ArchivedValue(node: node, uid: 0, isNull: node.kind == .null)
            return KeyedArchive.Value(source: self, place: .inline(reference), value: value)
        }
        guard let uid = try? contents.list.objects.uid(node) else {
            return KeyedArchive.Value(source: self, place: .inline(reference), value: nil)
        }
        return object(uid)
    }
}

extension KeyedArchive.Value: Hashable {
    /// Whether both are the same object of the same archive, or the same object of its property list.
    public static func == (left: KeyedArchive.Value, right: KeyedArchive.Value) -> Bool {
        left.source === right.source && left.place == right.place
    }

    /// Feeds what tells this value from others into `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(source))
        hasher.combine(place)
    }
}

extension KeyedArchive.Value {
    /// The uid of the object; nil for a value that is none: one that stands inside an object, or `top`.
    public var uid: UInt32? {
        if case .slot(let uid) = place { uid } else { nil }
    }

    /// The archive that the value is in.
    public var archive: KeyedArchive { KeyedArchive(source) }
}

extension KeyedArchive {
    package init(_ source: ArchiveSource) { self.source = source }
}
