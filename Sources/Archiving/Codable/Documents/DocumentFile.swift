#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The file of a document, as it was read or saved last.
final class DocumentFile {
    /// The archive, which parts that are not loaded refer to.
    let open: OpenArchive
    private var identity: FileIdentity?
    private var url: URL

    init(_ url: URL, _ decoder: ArchiveDecoder) throws {
        let (stored, identity) = try Self.read(url)
        self.url = url
        self.identity = identity
        open = OpenArchive(
            stored, classes: decoder.classes, types: [:], limits: decoder.limits, userInfo: decoder.userInfo,
            errorHandler: decoder.deferredErrorHandler)
        // Something that is not loaded may refer to an instance that the program has changed and refers to no more.
        open.keepInstances()
    }

    deinit {
        // Instances refer to the archive by their deferred properties.
        open.stopKeepingInstances()
    }

    private static func read(_ url: URL) throws -> (StoredArchive, FileIdentity?) {
        // Before the contents: what changes between is noticed.
        let identity = FileIdentity(url.path)
        let storage = try ArchiveStorage(contentsOf: url)
        do throws(KeyedArchiveError) {
            return (try StoredArchive(storage), identity)
        } catch {
            throw CodableErrors.damaged(error, path: [])
        }
    }

    func decodeRoot<Root: Decodable>(_ type: Root.Type) throws -> Root {
        try open.decode { try $0.decodeRoot(type) }
    }

    /// Whether the file is the one that was read or written last, unchanged.
    var isCurrent: Bool { FileIdentity(url.path) == identity }

    /// Whether the archive has any objects, as every archive has that an archiver wrote.
    var hasObjects: Bool { open.source.contents.slotCount > 0 }

    /// What has to be written for what is loaded now.
    func update(to graph: DocumentGraph) throws -> ArchiveUpdate {
        let update = graph.update(open.source.contents)
        try update.update()
        return update
    }

    /// Writes the file with what has changed to the file at `url`.
    ///
    /// The document goes on with the new file, in which all objects have their uids.
    ///
    /// - Returns: The bytes that were not copied.
    func write(_ update: ArchiveUpdate, to url: URL) throws -> Int {
        let storage = open.source.stored.storage
        return try replace(url) { output throws(FileReplacement.Failure) in try update.write(storage, to: output) }
    }

    /// Writes the file without what nothing refers to, if that is more than `part` of it.
    ///
    /// - Returns: The bytes that were written; nil if it is less.
    func compact(ifMoreThan part: Double) throws -> Int? {
        let contents = open.source.contents
        let compaction = try compaction()
        guard Double(contents.byteCount - compaction.byteCount) > part * Double(contents.byteCount) else { return nil }
        return try write(compaction, referenceSize: contents.list.referenceSize, to: url)
    }

    /// Goes on with a copy of the archive that has room for more objects. Only this document has it: the file stays as it is.
    ///
    /// - Parameter url: Where the document is about to be written: the copy is in the same folder while it is made.
    /// - Returns: The bytes that were written.
    func makeRoom(near url: URL) throws -> Int {
        let referenceSize = open.source.contents.list.referenceSize + 1
        let compaction = try compaction()
        let copy = url.deletingLastPathComponent().appending(path: ".\(UUID().uuidString).tmp")
        defer { try? FileManager.default.removeItem(at: copy) }
        var count = 0
        try ArchiveFile.write(to: copy) { output throws(FileReplacement.Failure) in
            count = try compaction.write(referenceSize: referenceSize, to: output)
        }
        open.source = ArchiveSource(try Self.read(copy).0, format: .binary)
        open.forgetInstances { !compaction.keeps($0) }
        return count
    }

    private func write(_ compaction: ArchiveCompaction, referenceSize: Int, to url: URL) throws -> Int {
        let count = try replace(url) { output throws(FileReplacement.Failure) in
            try compaction.write(referenceSize: referenceSize, to: output)
        }
        open.forgetInstances { !compaction.keeps($0) }
        return count
    }

    private func compaction() throws -> ArchiveCompaction {
        open.source.expectWalk()
        do throws(KeyedArchiveError) {
            return try ArchiveCompaction(of: open.source.contents, and: open.partUIDs)
        } catch {
            throw CodableErrors.damaged(error, path: [])
        }
    }

    private func replace(
        _ url: URL, _ contents: (FileReplacement.Output) throws(FileReplacement.Failure) -> Int
    ) throws -> Int {
        var count = 0
        let written = try ArchiveFile.write(to: url) { output throws(FileReplacement.Failure) in
            count = try contents(output)
        }
        let (stored, identity) = try Self.read(url)
        // Another program may have replaced it at once.
        guard let written, identity == written else { throw ArchiveDocumentError(.fileChanged) }
        open.source = ArchiveSource(stored, format: .binary)
        self.identity = identity
        self.url = url
        return count
    }
}
