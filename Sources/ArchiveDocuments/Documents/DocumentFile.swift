// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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
    var contents: FileContents
    /// Whether the program may have instances of objects that the root does not reach.
    var hasUnreachedInstances = false
    private(set) var url: URL
    /// The objects that the root reached in the last fetch with unsaved changes.
    var reach: FetchedReach?

    /// The archive in a file, and the file itself.
    struct FileContents: Sendable {
        let archive: ArchiveSource
        /// The file, or nil if it is not a regular one. It stays open also after it was read whole, so that no other
        /// file gets its number.
        let file: OpenedFile?
        /// The journal of the file; nil if there is none.
        var journal: DocumentJournal?
        /// The number of changes that the journal had when the contents were read.
        var journalCount = 0

        init(_ archive: ArchiveSource, _ file: OpenedFile?) {
            self.archive = archive
            self.file = file
        }

        init(_ url: URL, _ checksum: ArchiveChecksum.Policy) throws {
            var file: OpenedFile?
            archive = try ArchiveSource(contentsOf: url, openedAs: &file, checksum)
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
        open.keepInstances(findsUIDs: contents.journal != nil)
    }

    deinit {
        // Instances reference the archive by their deferred properties. If none does, they are released with it.
        if !isKnownUniquelyReferenced(&open) { open.stopKeepingInstances() }
    }

    /// Opens the archive at `url`.
    convenience init(_ url: URL, _ journal: ArchiveJournal, _ decoder: ArchiveDecoder) throws {
        self.init(
            journal == .enabled
                ? try FileContents.withJournal(url, decoder.checksum) : try FileContents(url, decoder.checksum),
            url, decoder)
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
        reach = nil
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

// MARK: - Replacing

extension DocumentFile {
    /// Replaces the file at `url` by `draft`, and removes its journal.
    ///
    /// - Parameters:
    ///   - old: The file that may be replaced, or nil for any file.
    ///   - own: The journal of the document, which may be that of another file.
    /// - Returns: The contents of the new file.
    /// - Throws: `ArchiveDocumentError` with the code `fileChanged` if the file is another one. Then it is as before.
    static func commit(
        _ draft: ArchiveDraft, at url: URL, ifStill old: OpenedFile?, _ own: DocumentJournal?
    ) throws -> FileContents {
        // Before the file gets its name: nothing can fail afterwards, and no other program has changed it yet.
        let contents = try FileContents(draft.file)
        let journal = own?.url == url ? own : try DocumentJournal.replaced(at: url)
        if let journal { try journal.recordCheckpoint(try ArchiveIdentity(draft.file, contents.archive)) }
        guard try draft.commit(ifStill: old) else { throw ArchiveDocumentError(.fileChanged) }
        journal?.remove()
        return contents
    }

    /// Writes the archive as a whole, with all changes in its journal, and removes the journal.
    ///
    /// - Returns: The number of written bytes; nil if the journal has no changes.
    /// - Throws: `ArchiveDocumentError` if another program has changed the file, and `CocoaError`.
    func checkpoint() throws -> Int? {
        guard let journal = contents.journal, journal.hasChanges else { return nil }
        let archive = contents.archive
        let draft = try ArchiveDraft(for: url) { output in
            try output.write(0..<archive.contents.byteCount, of: archive)
        }
        contents = try Self.commit(draft, at: url, ifStill: contents.file, journal)
        open.source = contents.archive
        reach = nil
        contents.journal = try? DocumentJournal(contents, url)
        return contents.archive.contents.byteCount
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
