import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The file of a document, as it was last read or saved.
final class DocumentFile {
    /// The archive that unloaded parts reference.
    private(set) var open: OpenArchive
    private(set) var contents: FileContents
    private(set) var url: URL

    /// The archive in a file, and the file itself.
    struct FileContents: Sendable {
        let archive: ArchiveSource
        /// The file, or nil if it is not a regular one. It stays open also after it was read whole, so that no other
        /// file gets its number.
        let file: OpenedFile?

        init(_ url: URL) throws {
            var file: OpenedFile?
            archive = try ArchiveSource(contentsOf: url, openedAs: &file)
            self.file = file
        }

        /// Reads `file`, which this process has written.
        init(_ file: OpenedFile) throws {
            archive = try ArchiveSource(file)
            self.file = file
        }
    }

    init(_ contents: FileContents, _ url: URL, _ decoder: ArchiveDecoder) {
        self.contents = contents
        self.url = url
        open = OpenArchive(contents.archive, decoder)
        // An unloaded part may reference an instance that the program has changed and no longer references.
        open.keepInstances()
    }

    deinit {
        // Instances reference the archive by their deferred properties. If none does, they are released with it.
        if !isKnownUniquelyReferenced(&open) { open.stopKeepingInstances() }
    }

    func decodeRoot<Root: Decodable>(_ type: Root.Type) throws -> Root {
        try open.decodeRoot(type)
    }

    /// Whether the file is the one that was last read or written, unchanged.
    var isCurrent: Bool { contents.file?.isUnchanged(at: url.path) ?? false }

    /// Whether a save can copy the archive and append to it: the archive has objects, and no program has written into
    /// its file. Every archive of an archiver has objects, because uid 0 is nil.
    var canBeContinued: Bool {
        let archive = contents.archive
        return archive.contents.slotCount > 0 && archive.isFileUnchanged
    }

    /// Adopts the file at `url`, in which all remaining objects keep their uids.
    func goOn(with contents: FileContents, at url: URL, without isGone: ((UInt32) -> Bool)?) {
        self.contents = contents
        self.url = url
        open.source = contents.archive
        if let isGone {
            open.forgetInstances(where: isGone)
            open.changeUnknownKeys { $0.remove(where: isGone) }
        }
    }
}

extension OpenArchive {
    /// Enters the unknown keys of values that a save has written, except those that its compaction has removed.
    func enter(_ written: [(uid: UInt32, list: UnknownKeys.List)], without isGone: ((UInt32) -> Bool)?) {
        guard !written.isEmpty else { return }
        changeUnknownKeys { keys in
            for (uid, list) in written where isGone.map({ !$0(uid) }) ?? true { keys.insert(uid, list) }
        }
    }
}

extension OpenArchive {
    /// The parts that could not be read, in the order of their uids.
    var unreadableParts: [(path: KeyedArchive.Path, error: any Error)] {
        let errors = partErrors.sorted { $0.key < $1.key }
        guard !errors.isEmpty else { return [] }
        let archive = source
        let paths = KeyedArchive(archive).paths(to: Set(errors.map { archive.object($0.key) }))
        return errors.map { uid, error in
            (paths[archive.object(uid)] ?? KeyedArchive.Path(), error)
        }
    }
}
