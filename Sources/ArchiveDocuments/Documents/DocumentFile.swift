// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A policy for the keys of an object in a document's file that the program does not decode.
public enum ArchiveUnknownKeys: Sendable, Hashable {
    /// A save keeps them, with their values.
    case keep
    /// A save of the object removes them, and an object with such a key counts as changed.
    case discard
}

/// The settings with which a document reads its file.
struct DocumentReading: Sendable {
    let decoder: ArchiveDecoder
    let unknownKeys: ArchiveUnknownKeys
    let errorHandler: (@Sendable (any Error) -> Void)?
}

/// The file of a document, as it was last read or saved.
final class DocumentFile {
    private(set) var open: OpenArchive
    var contents: FileContents
    /// Whether the program may have instances of objects that the root does not reach.
    var hasUnreachedInstances = false
    private(set) var url: URL
    /// The objects that the root reached in the last fetch with unsaved changes.
    var reach: FetchedReach?

    struct FileContents: Sendable {
        let archive: ArchiveSource
        /// The file, or nil if it is not a regular one. It stays open also after it was read whole, so that no other
        /// file gets its number.
        let file: OpenedFile?
        var journal: DocumentJournal?
        /// The part of a journal that the contents have; nil for none.
        var position: JournalLog.Position?
        /// The error after which the contents may be lost if the machine stops: the name of the file could not be flushed.
        var flushError: (any Error)?

        init(_ archive: ArchiveSource, _ file: OpenedFile?) {
            self.archive = archive
            self.file = file
        }

        init(_ url: URL, _ checksum: ArchiveChecksum.Policy) throws {
            var file: OpenedFile?
            archive = try ArchiveSource(contentsOf: url, openedAs: &file, checksum)
            self.file = file
        }

        init(_ file: OpenedFile) throws {
            archive = try ArchiveSource(file)
            self.file = file
        }
    }

    init(_ contents: FileContents, _ url: URL, _ reading: DocumentReading) {
        self.contents = contents
        self.url = url
        open = OpenArchive(
            contents.archive, reading.decoder, keepsUnknownKeys: reading.unknownKeys == .keep,
            errorHandler: reading.errorHandler)
        // An unloaded part may reference an instance that the program has changed and no longer references.
        open.keepInstances(findsUIDs: contents.journal != nil)
    }

    deinit {
        // Instances reference the archive by their deferred properties. If none does, they are released with it.
        if !isKnownUniquelyReferenced(&open) { open.stopKeepingInstances() }
    }

    /// Opens the archive at `url`.
    ///
    /// - Parameter own: The journal of the document that reads the file again.
    convenience init(
        _ url: URL, _ journal: ArchiveJournal, _ reading: DocumentReading, _ own: DocumentJournal? = nil
    ) throws {
        self.init(try FileContents.opened(url, journal, reading.decoder.checksum, own), url, reading)
    }

    func decodeRoot<Root: Decodable>(_ type: Root.Type) throws -> Root {
        try open.decodeRoot(type)
    }

    /// Whether the file is the one that was last read or written, unchanged, and so is its journal.
    var isCurrent: Bool {
        contents.file?.isUnchanged(at: url.path) ?? false && contents.journal?.isCurrent(contents) ?? true
    }

    func requireFile() throws {
        if url.isFileURL, FileIdentity(url.path) == nil { throw ArchiveDocumentError(.fileMissing) }
    }

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
    ///   - base: The contents that the document has read, perhaps of another file; nil for none.
    ///   - startsJournal: Whether the document continues with a journal.
    /// - Returns: The contents of the new file.
    /// - Throws: `ArchiveDocumentError` if the file is another one, if another document has it open with a journal, or if its
    ///   journal has other saves than `base`. Then both files are as before.
    static func commit(
        _ draft: ArchiveDraft, at url: URL, ifStill old: OpenedFile?, _ base: FileContents?, startsJournal: Bool = false
    ) throws -> FileContents {
        // Before the file gets its name: nothing can fail afterwards, and no other program has changed it yet.
        var contents = try FileContents(draft.file)
        if let journal = base?.journal, journal.url == url,
            try journal.commit(draft, &contents, ifStill: old, base?.position)
        {
            return contents
        }
        let oldLock = draft.lockTarget()
        if case .taken = oldLock { throw ArchiveDocumentError(.documentInUse) }
        // Until the journal is removed.
        let newLock = draft.lock()
        try withExtendedLifetime((oldLock, newLock)) {
            var log = try JournalFile.replaceable(at: url, OpenedFile(url.path), base?.position) ?? JournalLog(url)
            contents.flushError = try log.replace(old, by: draft)
        }
        if startsJournal, base?.journal?.isClosed != true, let newLock {
            contents.journal = DocumentJournal(
                url, newLock, draft.file, contents.archive.version(of: draft.file), JournalLog(url))
        }
        return contents
    }

    /// Writes the archive as a whole, with all changes in its journal, and removes the journal.
    ///
    /// - Throws: `ArchiveDocumentError` if another program has changed the file, and `CocoaError`.
    func checkpoint() throws {
        guard let journal = contents.journal, journal.hasChanges else { return }
        guard isCurrent else { throw ArchiveDocumentError(changeAt: url) }
        let old = contents
        let draft = try ArchiveDraft(for: url) { output in
            try output.write(0..<old.archive.contents.byteCount, of: old.archive)
        }
        contents = try Self.commit(draft, at: url, ifStill: old.file, old)
        open.source = contents.archive
        reach = nil
        if let error = contents.flushError { throw error }
    }
}

extension OpenArchive {
    /// The parts that could not be read, in the order of their uids.
    var unreadableParts: [(path: KeyedArchive.Path, error: any Error)] {
        let errors = partErrors.sorted { $0.key < $1.key }
        guard !errors.isEmpty else { return [] }
        let archive = KeyedArchive(source)
        return errors.map { uid, error in (archive.path(to: archive[uid: uid]) ?? KeyedArchive.Path(), error) }
    }
}
