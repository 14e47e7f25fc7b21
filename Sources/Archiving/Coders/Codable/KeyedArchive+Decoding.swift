// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Parts

extension KeyedArchive.Value {
    /// Decodes this value, a part of the archive, as `type`.
    ///
    /// ```swift
    /// let archive = try KeyedArchive(contentsOf: url)
    /// let owner = try archive.root["owner"]!.decode(Owner.self)
    /// ```
    ///
    /// It reads only the part and the objects that the part references. Each of these objects is one instance; another
    /// call creates other instances. `top` is decoded as an object whose properties are the values that were encoded by
    /// key.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The settings of the decoder.
    /// - Returns: The decoded value.
    /// - Throws: The errors of `ArchiveDecoder.decode(_:from:)`.
    /// - Complexity: O(*n*), where *n* is the number of decoded values.
    @_disfavoredOverload
    public func decode<Value: Decodable>(
        _ type: Value.Type, using decoder: ArchiveDecoder = ArchiveDecoder()
    ) throws -> Value {
        let archived = try found { DecodingError(damaged: $0) }
        let session = try beginReading(decoder) { DecodingError(damaged: $0) }
        return try session.decode {
            try $0.decoding.decode(type, from: archived, at: .root)
        }
    }

    /// Decodes this value, a part of the archive, as an instance of a `Coding` class.
    ///
    /// - Parameters:
    ///   - type: The class of the instance, or a superclass of it if `decoder.classes` registers the class.
    ///   - decoder: The settings of the decoder.
    /// - Returns: The decoded instance.
    /// - Throws: The errors of `KeyedUnarchiver.decode(_:forKey:)`.
    /// - Complexity: O(*n*), where *n* is the number of decoded objects.
    public func decode<Object: Coding>(
        _ type: Object.Type, using decoder: ArchiveDecoder = ArchiveDecoder()
    ) throws -> Object {
        let archived = try found { ArchivingError.damaged($0, path: []) }
        let session = try beginReading(decoder) { ArchivingError.damaged($0, path: []) }
        let unarchiver = KeyedUnarchiver(session, ownsSession: true)
        defer { unarchiver.finishDecoding() }
        let instance = try unarchiver.perform { try $0.instance(session.type(coding: type), archived, at: .root) }
        return Reinterpretation.instance(instance, as: type)
    }

    private func beginReading(
        _ decoder: ArchiveDecoder, _ converted: (KeyedArchiveError) -> any Error
    ) throws -> DecodingSession {
        do throws(KeyedArchiveError) {
            return try DecodingSession.begin(source.stored, decoder.settings)
        } catch {
            throw converted(error)
        }
    }

    private func found(_ error: (KeyedArchiveError) -> any Error) throws -> ArchivedValue {
        guard let archived else { throw error(damage ?? KeyedArchiveError(.notAnArchive)) }
        return archived
    }
}

// MARK: - Archives that stay open

extension ArchiveSource {
    /// Decodes the root object. The calling thread must not be decoding the archive of `observer`.
    package func decodeRoot<Root: Decodable>(
        _ type: Root.Type, _ settings: ReadingSettings, for observer: any ReadingObserver
    ) throws -> Root {
        try session(settings).decode(for: observer) { try $0.decodeRoot(type) }
    }

    /// Calls `body` with the frame of `$top` to decode a part. The calling thread must not be decoding the archive of `observer`.
    package func decode<Value>(
        _ settings: ReadingSettings, for observer: any ReadingObserver, _ body: (DecodingFrame) throws -> Value
    ) throws -> Value {
        try session(settings).decode(for: observer) { try body($0.decoding) }
    }

    private func session(_ settings: ReadingSettings) throws -> DecodingSession {
        do throws(KeyedArchiveError) { return try DecodingSession.begin(stored, settings) } catch {
            throw DecodingError(damaged: error)
        }
    }
}

extension Decoder {
    /// Makes `instance`, which is being decoded, available to references in its own contents.
    ///
    /// Call it in a hand-written `init(from:)` as soon as all stored properties have a value. The values that are
    /// decoded after the call may reference the instance, even as `unowned`:
    ///
    /// ```swift
    /// final class Parent: Codable {
    ///     private(set) var children: [Child] = []
    ///
    ///     init(from decoder: any Decoder) throws {
    ///         decoder.publish(self)
    ///         children = try decoder.container(keyedBy: CodingKeys.self).decode([Child].self, forKey: .children)
    ///     }
    /// }
    ///
    /// final class Child: Codable {
    ///     unowned let parent: Parent
    /// }
    /// ```
    ///
    /// From then on, the instance receives no empty collection that is filled later (<doc:IdentityAndCycles>). If the decoder reaches a
    /// child before its parent, decoding throws the error of a cycle.
    ///
    /// The initializer of a superclass may call it. If the initializer throws after another object has received the
    /// instance, the whole decoding fails with that error, even if the program catches it.
    ///
    /// Other decoders ignore the call.
    ///
    /// - Parameter instance: The instance that this decoder is decoding. To publish another instance, or to publish in
    ///   the initializer of a struct or an enum, is a programming error and traps.
    public func publish(_ instance: AnyObject) { archiveDecoding?.publish(instance) }

    /// The decoder of an archive: this one, or the one behind a migration.
    fileprivate var archiveDecoding: DecodingFrame? {
        DecodingFrame.behind(self) ?? (self as? MigratedDecoding)?.base.decoding
    }
}

extension Decoder {
    /// Returns the `ArchiveDescribing.archiveVersion` of `type` when the archive was written, or 0 if it declared none.
    ///
    /// - Parameter type: The class of the value, or one of its superclasses. `nil` for the class of the object, which in an
    ///   initializer that a subclass inherits or calls is the subclass.
    /// - Returns: The version. `nil` with other decoders, for a value that is not an object of a class, and if the
    ///   value's class does not inherit from `type`.
    /// - Complexity: O(*n*), where *n* is the number of classes in the chain.
    public func archivedVersion(of type: (any Any.Type)? = nil) -> Int? {
        archiveDecoding?.archivedVersion(of: type)
    }
}

extension DecodingFrame {
    fileprivate func publish(_ instance: AnyObject) {
        guard let owner = self.instance, let type = owner.ownType?.type, type == Swift.type(of: instance)
        else {
            misuse(
                "publish(_:) was called with a \(Swift.type(of: instance)), and its decoder decodes another type:"
                    + " an initializer publishes self with the decoder that it received")
        }
        instances.publish(instance, as: owner.value.uid)
    }
}

// MARK: - Archives in files

extension ArchiveSource {
    /// Opens the archive in the file at `url`, page by page if it is large.
    ///
    /// - Parameters:
    ///   - file: The file, or nil if it is not a regular one. It is open also after it was read whole, so that no
    ///     other file gets its number.
    ///   - checksum: The requirement for its checksum.
    /// - Throws: `DecodingError` if the file has no keyed archive, or another checksum, and the errors of the file system.
    package convenience init(
        contentsOf url: URL, openedAs file: inout OpenedFile?, _ checksum: ArchiveChecksum.Policy
    ) throws {
        let storage = try ArchiveStorage(contentsOf: url, openedAs: &file)
        do throws(KeyedArchiveError) { try checksum.check(storage) } catch { throw DecodingError(damaged: error) }
        self.init(try StoredArchive(decoding: storage), format: .binary)
    }

    /// Opens the archive in `file`, which this process has written.
    package convenience init(_ file: OpenedFile) throws {
        guard let storage = ArchiveStorage(file) else { throw CocoaError(.fileReadUnknown) }
        self.init(try StoredArchive(decoding: storage), format: .binary)
    }

    /// Opens the archive in `version`.
    ///
    /// - Throws: `DecodingError` if it has no keyed archive, and `CocoaError` if another program has changed the file.
    package convenience init(_ version: FileVersion) throws {
        guard let storage = ArchiveStorage(version) else { throw CocoaError(.fileReadUnknown) }
        self.init(try StoredArchive(decoding: storage), format: .binary)
    }

    /// Returns the contents of `file`, from which the archive was read, for edits; nil if they were converted.
    package func version(of file: OpenedFile) -> FileVersion? {
        let storage = stored.storage
        let head = OwnedMemory(byteCount: BinaryFormat.headerSize)
        guard file.identity.byteCount == Int64(storage.bytes.count), file.read(0..<head.count, into: head),
            BinaryPropertyListReader.hasHeader(StoredBytes(head))
        else { return nil }
        return storage.pages.map { FileVersion($0) } ?? FileVersion(storage.bytes)
    }
}

// MARK: - Paths

extension KeyedArchive.Path {
    package init(_ keys: [any CodingKey]) {
        self.init(keys.map { key in key.intValue.map { .index($0) } ?? .key(key.stringValue) })
    }

    package var codingPath: [any CodingKey] { steps.map { ArchiveKey($0) } }
}
