// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The destination of a document's changes.
///
/// One document at a time has a file open with a journal: it locks the file until ``ArchiveDocument/close()``, or until the
/// document is released or the process ends. A document without a journal reads an existing one too, and its save replaces
/// both files, unless the lock is taken or the journal has saves that the document has not read.
public enum ArchiveJournal: Sendable {
    /// A save writes a new file of the archive. The saves in an existing journal are read.
    case disabled
    /// A save appends the changes to a journal: a file beside the archive, whose name is that of the archive with ".journal"
    /// behind it. The archive stays as it is until a checkpoint.
    case enabled
    /// The saves in an existing journal are not read, and it stays. While it exists, ``ArchiveDocument/save(changes:)`` with changes
    /// throws ``ArchiveDocumentError`` with the code `unreadJournal`, or `documentInUse` if another document has the file open with it;
    /// ``ArchiveDocument/save(to:)`` writes to another file.
    case ignored
}

/// The journal of a document: the lock of the archive's file, the file of the journal, and the archive with all changes in it.
///
/// The document and its snapshots share it. Decision 59 has the protocol.
final class DocumentJournal: Sendable {
    /// The location of the archive.
    let url: URL
    private let state: Mutex<State>

    private struct State {
        /// The lock of the archive's file; nil after the document was closed.
        var lock: FileLock?
        var base: OpenedFile
        /// The archive with the changes; nil for an archive that is not binary.
        var version: FileVersion?
        var log: JournalLog
    }

    /// The size of a journal up to which it does not cause a checkpoint, whatever the size of the archive.
    private static let minimumLimit = 1 << 16

    /// - Parameters:
    ///   - lock: The lock of `file`.
    ///   - version: The archive in `file` with the changes in `log`.
    init(_ url: URL, _ lock: FileLock, _ file: OpenedFile, _ version: FileVersion?, _ log: JournalLog) {
        self.url = url
        state = Mutex(State(lock: lock, base: file, version: version, log: log))
    }

    var isClosed: Bool { state.withLock { $0.lock == nil } }

    var hasChanges: Bool { state.withLock { $0.log.position != nil } }

    func isCurrent(_ contents: DocumentFile.FileContents) -> Bool {
        state.withLock { $0.lock == nil || $0.log.position == contents.position }
    }

    /// Releases the lock. Snapshots of the document are then written as those of a document without a journal.
    func close() { state.withLock { $0.lock = nil } }

    /// The lock, if it is that of the file that is at the URL now.
    var currentLock: FileLock? { state.withLock { $0.lock?.ifStill(at: url.path) } }
}

// MARK: - Saves

extension DocumentJournal {
    /// Appends `update` of `contents`, which are those with all changes in the journal.
    ///
    /// - Returns: The contents with the update, and the number of written bytes; nil if the archive has to be written as a
    ///   whole: the document was closed, the journal would become too large, or its file cannot be created or was changed.
    /// - Throws: `ArchiveDocumentError` if another program has changed the archive's file, and `CocoaError`. Then the journal
    ///   has the saves that it had.
    func append(
        _ update: borrowing ArchiveUpdate, to contents: DocumentFile.FileContents
    ) throws -> (contents: DocumentFile.FileContents, byteCount: Int)? {
        let edit = try ArchiveOutput.edit { output in _ = try update.write(contents.archive, to: &output) }
        let record = edit.encoded()
        return try state.withLock { state in
            guard state.lock != nil, var version = state.version, contents.file?.identity == state.base.identity else {
                return nil
            }
            // Otherwise a snapshot was taken before another save.
            guard contents.position == state.log.position else { throw ArchiveDocumentError(.outdatedSnapshot) }
            guard state.base.isUnchanged(at: url.path) else { throw ArchiveDocumentError(changeAt: url) }
            let limit = max(Self.minimumLimit, Int(clamping: state.base.identity.byteCount / 10))
            let before = state.log.byteCount
            guard before + record.count + JournalLog.recordOverhead <= limit, version.append(edit) else { return nil }
            // Before the record is written: nothing can fail afterwards.
            var new = DocumentFile.FileContents(try ArchiveSource(version), contents.file)
            new.journal = self
            let hasBegun = state.log.file != nil || state.log.position != nil
            guard try hasBegun ? state.log.isIntact : state.log.create(for: ArchiveIdentity(state.base)) else {
                return nil
            }
            try state.log.append(.edit, record)
            state.version = version
            new.position = state.log.position
            return (new, state.log.byteCount - before)
        }
    }

    /// Replaces the archive's file by `draft`, which has all changes, and removes the file of the journal.
    ///
    /// - Parameters:
    ///   - contents: The archive in the draft.
    ///   - old: The file that may be replaced; nil for any file.
    ///   - position: The part of the journal that the draft's document has read.
    /// - Returns: Whether the file is replaced: false if the document was closed, or the file at the URL is another one.
    func commit(
        _ draft: ArchiveDraft, _ contents: inout DocumentFile.FileContents, ifStill old: OpenedFile?,
        _ position: JournalLog.Position?
    ) throws -> Bool {
        try state.withLock { state in
            guard state.lock?.ifStill(at: url.path) != nil else { return false }
            guard old == nil || position == state.log.position else { throw ArchiveDocumentError(.outdatedSnapshot) }
            // Before the new file gets its name.
            let newLock = draft.lock()
            if !state.log.isIntact {
                let found = try JournalFile.replaceable(at: url, state.base, state.log.position)
                if let found { state.log = found } else { state.log.file = nil }
            }
            contents.flushError = try state.log.replace(old, by: draft)
            contents.journal = self
            state = State(
                lock: newLock, base: draft.file, version: contents.archive.version(of: draft.file), log: JournalLog(url)
            )
            return true
        }
    }
}

// MARK: - Opening

extension DocumentFile.FileContents {
    /// The number of attempts to read an archive and its journal, while another program replaces them.
    private static let attempts = 10

    /// Reads the archive at `url`, with the changes in its journal unless they are ignored.
    ///
    /// - Parameter own: The journal of the document that reads the file again.
    /// - Throws: `ArchiveDocumentError` if the journal is damaged, belongs to another file, or is in use.
    static func opened(
        _ url: URL, _ journal: ArchiveJournal, _ checksum: ArchiveChecksum.Policy, _ own: DocumentJournal? = nil
    ) throws -> Self {
        var attempt = 0
        while true {
            attempt += 1
            var contents = try Self(url, checksum)
            if journal == .ignored { return contents }
            let lock = journal == .enabled ? try own?.currentLock ?? Self.lock(url) : nil
            guard let file = contents.file else { return contents }
            let isLast = attempt == attempts
            if let lock {
                // Otherwise another program has replaced the file before it was locked.
                if lock.isLock(of: file.identity) {
                    try contents.readJournal(at: url, of: file, lock)
                    return contents
                }
                if isLast { throw ArchiveDocumentError(.documentInUse) }
                continue
            }
            do { try contents.readJournal(at: url, of: file, nil) } catch {
                // It may be that of the next archive.
                if isLast || attempt > 2 && file.isUnchanged(at: url.path) { throw error }
                continue
            }
            if isLast || file.isUnchanged(at: url.path) { return contents }
        }
    }

    private static func lock(_ url: URL) throws -> FileLock {
        let outcome = try ArchiveFile.withErrors(url) { path throws(Platform.Failure) in try FileLock.lock(path) }
        switch outcome {
        case .locked(let lock): return lock
        case .taken: throw ArchiveDocumentError(.documentInUse)
        case .impossible: throw ArchiveDocumentError(.journalUnsupported)
        }
    }

    /// Adds the changes in the journal of the archive at `url`.
    ///
    /// - Parameters:
    ///   - file: The archive's file.
    ///   - lock: Its lock, with which the journal is continued.
    private mutating func readJournal(at url: URL, of file: OpenedFile, _ lock: FileLock?) throws {
        var version = archive.version(of: file)
        var log = JournalLog(url)
        switch try JournalFile.find(at: url, toWrite: lock != nil) {
        case .nothing: break
        case .foreign: if lock != nil { throw ArchiveDocumentError(.foreignJournal) }
        case .journal(let journal):
            if try journal.isObsolete(beside: file) {
                if lock != nil { try journal.log.removeObsolete() }
                break
            }
            let changed = try journal.changed(version, file)
            self = Self(try ArchiveSource(changed), file)
            position = journal.log.position
            (version, log) = (changed, journal.log)
        }
        if let lock { self.journal = DocumentJournal(url, lock, file, version, log) }
    }

    /// Starts a journal for the file at `url`, which has these contents.
    ///
    /// - Parameter position: The part of an existing journal that the document has read.
    func startingJournal(at url: URL, _ position: JournalLog.Position?) throws -> DocumentJournal? {
        guard let file else { return nil }
        let lock = try Self.lock(url)
        guard lock.isLock(of: file.identity) else { return nil }
        try JournalFile.replaceable(at: url, file, position)?.removeObsolete()
        return DocumentJournal(url, lock, file, archive.version(of: file), JournalLog(url))
    }
}
