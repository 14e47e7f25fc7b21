#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The file of a document, as it was read or saved last.
final class DocumentFile {
    /// The archive, which parts that are not loaded refer to.
    private(set) var open: OpenArchive
    private(set) var contents: FileContents
    private(set) var url: URL

    /// The archive in a file, and what tells whether the file is still the one.
    struct FileContents: Sendable {
        let archive: ArchiveSource
        let identity: FileIdentity?

        init(_ url: URL) throws {
            // Before the contents: what changes between is noticed.
            identity = FileIdentity(url.path)
            let storage = try ArchiveStorage(contentsOf: url)
            do throws(KeyedArchiveError) {
                archive = ArchiveSource(try StoredArchive(storage), format: .binary)
            } catch {
                throw CodableErrors.damaged(error, path: [])
            }
        }
    }

    init(_ contents: FileContents, _ url: URL, _ decoder: ArchiveDecoder) {
        self.contents = contents
        self.url = url
        open = OpenArchive(
            contents.archive.stored, classes: decoder.classes, types: [:], limits: decoder.limits,
            userInfo: decoder.userInfo, errorHandler: decoder.deferredErrorHandler)
        // Something that is not loaded may refer to an instance that the program has changed and refers to no more.
        open.keepInstances()
    }

    deinit {
        // Instances refer to the archive by their deferred properties. If none does, they go with it.
        if !isKnownUniquelyReferenced(&open) { open.stopKeepingInstances() }
    }

    func decodeRoot<Root: Decodable>(_ type: Root.Type) throws -> Root {
        try open.decode { try $0.decodeRoot(type) }
    }

    /// Whether the file is the one that was read or written last, unchanged.
    var isCurrent: Bool { FileIdentity(url.path) == contents.identity }

    /// Whether the archive can be copied and continued: it has objects, as every archive has that an archiver wrote, and no program has
    /// written into its file. Uid 0 is nil.
    var canBeContinued: Bool {
        let archive = contents.archive
        return archive.contents.slotCount > 0 && archive.stored.storage.pages?.isUnchanged ?? true
    }

    /// Goes on with a file at `url`, in which all objects have their uids but those that are gone.
    func goOn(with contents: FileContents, at url: URL, without isGone: ((UInt32) -> Bool)?) {
        self.contents = contents
        self.url = url
        open.source = contents.archive
        if let isGone { open.forgetInstances(where: isGone) }
    }
}
