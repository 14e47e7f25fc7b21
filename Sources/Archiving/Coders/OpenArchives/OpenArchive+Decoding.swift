// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension OpenArchive {
    /// Creates an open archive for the parts of `source`, which are decoded with the settings of `decoder`.
    ///
    /// - Parameters:
    ///   - keepsUnknownKeys: Whether keys that the program does not request are recorded.
    ///   - errorHandler: The handler of errors in parts that are read without `try`.
    package convenience init(
        _ source: ArchiveSource, _ decoder: ArchiveDecoder, keepsUnknownKeys: Bool = false,
        errorHandler: (@Sendable (any Error) -> Void)? = nil
    ) {
        var settings = decoder.settings
        settings.deferredErrorHandler = errorHandler
        self.init(source.stored, settings, keepsUnknownKeys: keepsUnknownKeys)
    }

    /// Lets instances with declared fields that were decoded from `old`, an earlier state of the file, stay the instances of objects with
    /// the same uids and classes. Their fields are set again when the objects are decoded.
    ///
    /// - Parameters:
    ///   - added: Instances that `old` lacks.
    ///   - uids: Their uids in this archive; 0 for one that is not in it.
    package func continueInstances(of old: OpenArchive, and added: [LiveInstance] = [], as uids: [UInt32] = []) {
        var known: [ObjectIdentifier: Bool] = [:]
        let added = zip(added, uids).compactMap { instance, uid in
            uid == 0 ? nil : DecodedInstance(object: instance.object, uid: uid, type: type(of: instance.object))
        }
        observeInstances(of: old, and: added) { type in
            if let hasFields = known[ObjectIdentifier(type)] { return hasFields }
            let hasFields = type is any (AnyObject & ArchivedFields).Type
            known[ObjectIdentifier(type)] = hasFields
            return hasFields
        }
    }

    /// Calls `body` with the decoder of `$top` to decode a part of the archive. The calling thread must not be decoding
    /// the archive.
    func decode<Value>(_ body: (ProgramDecoder) throws -> Value) throws -> Value {
        let session: DecodingSession
        do throws(KeyedArchiveError) { session = try DecodingSession.begin(source.stored, settings) } catch {
            throw DecodingError(damaged: error)
        }
        return try session.decode(resuming: self, body)
    }

    /// Decodes the root object. The calling thread must not be decoding the archive.
    package func decodeRoot<Root: Decodable>(_ type: Root.Type) throws -> Root {
        try decode { try $0.decodeRoot(type) }
    }

    /// Decodes the object `uid`; returns `empty` if it is an object of an unknown class that is skipped.
    package func decode<Value: Decodable>(
        _ type: Value.Type, _ uid: UInt32, ifSkipped empty: @autoclosure () -> Value
    ) throws -> Value {
        try decode(type, [uid]).first ?? empty()
    }

    /// Decodes the objects `uids`. Objects of unknown classes that are skipped are absent from the result.
    ///
    /// - Parameter reader: A reader whose limits apply to all that it decodes; nil for none.
    package func decode<Value: Decodable>(
        _ type: Value.Type, _ uids: [UInt32], for reader: ArchiveContents? = nil
    ) throws -> [Value] {
        var current: UInt32 = 0
        do {
            return try decode { decoder in
                let top = decoder.decoding
                let rest = top.archive.meter?.rest
                defer { reader?.takeUse(of: top.archive, since: rest) }
                let known = top.session.type(type)
                return try uids.compactMap { uid in
                    current = uid
                    let value = try top.object(uid)
                    return try top.isSkipped(known, value, at: .root)
                        ? nil : top.decode(type, known, from: value, at: .root)
                }
            }
        } catch let error as DecodingError {
            throw error.inside(path(to: current))
        }
    }

    /// Decodes the value at `reference`, an object of the property list, which may be in line in an object.
    ///
    /// - Parameter reader: A reader whose limits apply to all that it decodes.
    package func decode<Value: Decodable>(
        _ type: Value.Type, at reference: Int, for reader: ArchiveContents
    ) throws -> Value {
        try decode { decoder in
            let top = decoder.decoding
            let rest = top.archive.meter?.rest
            defer { reader.takeUse(of: top.archive, since: rest) }
            let value = try top.contents(at: .root) { archive throws(KeyedArchiveError) in
                try archive.value(reference)
            }
            return try top.decode(type, top.session.type(type), from: value, at: .root)
        }
    }

    /// Returns the keys and positions on the path from the top of the archive to the object `uid`.
    private func path(to uid: UInt32) -> [any CodingKey] {
        let path = KeyedArchive(source).path(to: source.object(uid))
        return (path?.steps ?? []).map { step in
            switch step {
            case .key(let key): ArchiveKey(stringValue: key)
            case .index(let index): ArchiveKey(intValue: index)
            }
        }
    }
}

extension ArchiveContents {
    /// Counts what the reader of `other` has counted since `rest` remained.
    fileprivate func takeUse(of other: ArchiveContents, since rest: DecodingMeter.Rest?) {
        guard let rest, let own = other.meter else { return }
        meter?.takeUse(of: own, since: rest)
    }
}

extension KeyedArchive.Path {
    /// Creates the path of a coding path.
    package init(_ keys: [any CodingKey]) {
        self.init(keys.map { key in key.intValue.map { .index($0) } ?? .key(key.stringValue) })
    }
}

// MARK: - Files

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

// MARK: - In a session

/// The reading of an archive whose parts are decoded later.
final class OpenReading {
    let archive: OpenArchive
    /// The requests of the program, if a document keeps what it has not requested; nil otherwise.
    let requests: RequestedKeys?
    /// The entries of the instances that were completed since decoding began. The table of instances may release one of them
    /// before the decoding ends.
    let decoded = ValueList<(uid: UInt32, entry: InstanceTable.Index)>()
    /// Restores the fields of instances of an earlier state of the file, if the decoding fails.
    let restorations = ValueList<() -> Void>()

    init(_ archive: OpenArchive, _ requests: RequestedKeys?) {
        self.archive = archive
        self.requests = requests
    }
}

extension DecodingSession {
    /// The open archive for parts that are decoded later, created if there is none.
    var openArchive: OpenArchive {
        if let open { return open }
        let made = OpenArchive(stored, settings)
        made.beginDecoding()
        let reading = OpenReading(made, nil)
        openReading = reading
        instances.visitComplete { reading.decoded.append(($0, $1)) }
        return made
    }

    /// Begins to decode a part of `archive`, whose other parts were decoded before.
    func resume(_ archive: OpenArchive) {
        let requests =
            archive.keepsUnknownKeys ? RequestedKeys(archive, meter, slotCount: self.archive.slotCount) : nil
        openReading = OpenReading(archive, requests)
        archive.beginDecoding()
    }

    /// Records a complete instance, if deferred parts may refer to it.
    @inline(never)
    func noteDecoded(_ uid: UInt32, _ entry: InstanceTable.Index) { openReading?.decoded.append((uid, entry)) }

    /// Records how to restore an instance of an earlier state of the file, if the decoding fails.
    func noteRestoration(_ restore: @escaping () -> Void) { openReading?.restorations.append(restore) }
}
