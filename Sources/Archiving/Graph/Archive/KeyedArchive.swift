// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A keyed archive whose contents you can inspect without decoding them.
///
/// ```swift
/// let archive = try KeyedArchive(contentsOf: url)
/// print(archive.root["animals"]?[3].className ?? "no class")
/// let owner = try archive.root["owner"]!.decode(Owner.self)
/// print(archive)
/// ```
///
/// A `KeyedArchive` opens archives of `ArchiveEncoder`, `KeyedArchiver`, Cocoa's `NSKeyedArchiver` and its subclasses, and
/// GNUstep, in the binary format and in XML. It reads each value in place on access. The cost of opening therefore does not
/// depend on the size of the archive, and reading a part costs only that part. It needs no types, and creates no instances of
/// the classes that the archive names.
///
/// A damaged part appears as a value of the kind `damaged`, whose `damage` describes the problem. The rest remains readable.
/// `validate()`, in the module `ArchiveInspection`, checks the whole archive at once.
///
/// `docs/keyed-archive-format.md` describes the keys and uids of the format.
public struct KeyedArchive: Sendable {
    package let source: ArchiveSource

    /// Opens the archive in `data`, binary or XML.
    ///
    /// Binary data is not copied. XML is converted to the binary form.
    ///
    /// - Throws: `KeyedArchiveError` if the data is not a property list or not a keyed archive. The `$version`, `$objects` and
    ///   `$top` of an archive must exist and have the right types.
    /// - Complexity: O(1) for a binary archive, O(*n*) for XML, where *n* is the number of bytes.
    public init(_ data: Data) throws(KeyedArchiveError) { try self.init(ArchiveStorage(data)) }

    /// Opens the archive in the file at `url`. A binary archive of more than 1 MiB is read page by page on access. The file
    /// remains open as long as the archive or one of its values exists.
    ///
    /// If another program replaces the file, as `ArchiveEncoder.encode(_:to:)` does, the open archive does not change. If
    /// another program truncates or overwrites the file, the archive is damaged: access to a damaged part reports an error and
    /// is memory-safe.
    ///
    /// - Throws: `KeyedArchiveError` as for data, or an error of the file system.
    /// - Complexity: O(1) for a binary archive, whose contents are read on access.
    public init(contentsOf url: URL) throws { try self.init(ArchiveStorage(contentsOf: url)) }

    init(_ storage: ArchiveStorage) throws(KeyedArchiveError) {
        source = ArchiveSource(
            try StoredArchive(storage), format: PropertyListFormat(detectedIn: storage.bytes) ?? .binary)
    }
}

package final class ArchiveSource: Sendable {
    package let stored: StoredArchive
    package let format: PropertyListFormat
    let instances: (any DecodedInstances)?
    let reachable = Mutex<ReachableObjects?>(nil)
    let pathSearch = Mutex<PathSearch?>(nil)

    init(_ stored: StoredArchive, format: PropertyListFormat, instances: (any DecodedInstances)? = nil) {
        self.stored = stored
        self.format = format
        self.instances = instances
    }

    package var contents: ArchiveContents {
        guard stored.isLoaded else { return stored.opened }
        // Each value asks several times.
        return loadedContents.withLock { known in
            if let known { return known }
            let contents = stored.contents
            known = contents
            return contents
        }
    }

    /// The contents after the whole file is loaded.
    private let loadedContents = Mutex<ArchiveContents?>(nil)

    /// Whether no program has changed the file that the archive is read from page by page. Otherwise parts that were not
    /// read before cannot be read.
    package var isFileUnchanged: Bool { stored.storage.pages?.isUnchanged ?? true }

    /// Loads all pages that are not loaded yet, before a pass over the whole archive.
    package func expectWalk() { stored.storage.pages?.loadAll() }
}

protocol DecodedInstances: AnyObject, Sendable {
    /// The program's instance of the object `uid`; nil if there is none any more.
    func instance(_ uid: UInt32) -> AnyObject?
}

// MARK: - Format and archiver

extension KeyedArchive {
    /// The format that the archive was read from.
    public var format: PropertyListFormat { source.format }

    /// The name of the archiver that wrote the archive: "NSKeyedArchiver" or the name of a subclass; `nil` if the archive has
    /// no such name.
    public var archiver: String? {
        let contents = source.contents
        guard let root = try? contents.node(contents.list.top),
            let name = try? contents.value(of: "$archiver", in: root)
        else { return nil }
        return try? contents.text(name)
    }
}

// MARK: - Top, root and objects

extension KeyedArchive {
    /// The values that were encoded by key: `$top`. Its fields are the keys.
    public var top: Value {
        let top = ArchivedValue(node: source.contents.top, uid: 0, isNull: false)
        return Value(source: source, place: .top, value: top)
    }

    /// The root object, which is stored under the key "root". If an archive has no such key, as many archives of several
    /// values, the root is `top`.
    public var root: Value { top[KeyedArchiveFormat.rootKey] ?? top }

    /// All objects, by uid. Uid 0 is nil.
    public var objects: Contents<Value> {
        Contents(.object, count: source.contents.slotCount) { [source] in
            source.object(UInt32(truncatingIfNeeded: $0))
        } describe: {
            $0.description
        }
    }

    /// Returns the object `uid`. If the archive has no such object, the value is of the kind `damaged`, as for an invalid
    /// reference.
    public subscript(uid uid: UInt32) -> Value { source.object(uid) }
}

// MARK: - Bytes

extension KeyedArchive {
    /// Returns the archive in the given format.
    ///
    /// The binary form of a binary archive is its original bytes, and the XML form has no checksum. `PropertyList.data(format:)` describes the values that XML
    /// cannot represent.
    ///
    /// - Throws: `PropertyListError` if the archive is in a file that has been truncated. For XML, also if the archive has
    ///   values that XML cannot represent, is nested deeper than 512 levels, or is damaged.
    /// - Complexity: O(1) for a binary archive in memory in the binary format, otherwise O(*n*), where *n* is the number of
    ///   bytes.
    public func data(format: PropertyListFormat = .binary) throws(PropertyListError) -> Data {
        let storage = source.stored.storage
        if let pages = storage.pages, !pages.loadAll() {
            throw PropertyListError(.truncated, at: storage.bytes.count)
        }
        switch format {
        case .binary: return storage.bytes.data
        case .xml:
            do throws(PropertyListError) {
                if source.contents.checksumObjects != nil, let list = try? propertyList() {
                    return try list.data(format: .xml)
                }
                return try XMLPropertyListWriter.xml(of: source.contents.list).data
            } catch {
                throw error.located(in: self)
            }
        }
    }
}

// MARK: - Values

extension KeyedArchive {
    /// A value in an archive: an object, or a value stored inside an object.
    ///
    /// ```swift
    /// let animal = archive.root["animals"]![3]
    /// animal.className                     // "Farm.Cow"
    /// animal["name"]?.string               // "Bella"
    /// animal["barn"] == archive.root["barn"]   // the same object?
    /// ```
    ///
    /// References are resolved: the value under a key is the object of its uid. Two values of one archive are equal if they are
    /// the same object; their contents are not compared. Values that are stored inside an object, such as numbers, are equal if
    /// they are the same object of the property list. Writers store equal ones once.
    ///
    /// A value retains its archive.
    public struct Value: Sendable {
        package enum Place: Hashable {
            case top
            case slot(UInt32)
            /// An object of the property list that is stored inside another.
            case inline(Int)
        }

        package let source: ArchiveSource
        package let place: Place
        /// `nil` if the archive is damaged here.
        package let archived: ArchivedValue?

        init(source: ArchiveSource, place: Place, value: ArchivedValue?) {
            self.source = source
            self.place = place
            archived = value
        }
    }
}

extension ArchiveSource {
    package func object(_ uid: UInt32) -> KeyedArchive.Value {
        KeyedArchive.Value(source: self, place: .slot(uid), value: try? contents.object(uid))
    }

    /// Returns the property list's object `reference`. If it is a uid, returns the referenced object.
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
    /// Returns whether both values are the same object of the same archive, or the same object of its property list.
    public static func == (left: KeyedArchive.Value, right: KeyedArchive.Value) -> Bool {
        left.source === right.source && left.place == right.place
    }

    /// Hashes the identity of the value into `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(source))
        hasher.combine(place)
    }
}

extension KeyedArchive.Value {
    /// The uid of the object; `nil` for a value inside an object, and for `top`.
    public var uid: UInt32? {
        if case .slot(let uid) = place { uid } else { nil }
    }

    /// The archive that contains the value.
    public var archive: KeyedArchive { KeyedArchive(source) }
}

extension KeyedArchive {
    package init(_ source: ArchiveSource) { self.source = source }

    package var isLoadedByPage: Bool { source.stored.storage.pages != nil }
}
