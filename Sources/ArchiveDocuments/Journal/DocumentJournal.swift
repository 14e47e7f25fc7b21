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
    /// The saves in an existing journal are not read, and it stays. ``ArchiveDocument/save(changes:)`` throws ``ArchiveDocumentError``
    /// with the code `unreadJournal` while it exists; ``ArchiveDocument/save(to:)`` writes to another file.
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
        /// The archive's file.
        var base: OpenedFile
        /// Its identity; nil until it is needed.
        var identity: ArchiveIdentity?
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

    /// Whether the document was closed.
    var isClosed: Bool { state.withLock { $0.lock == nil } }

    /// Whether the journal has changes of the archive.
    var hasChanges: Bool { state.withLock { $0.log.position != nil } }

    /// Returns whether `contents` have all changes in the journal.
    func isCurrent(_ contents: DocumentFile.FileContents) -> Bool {
        state.withLock { $0.lock == nil || $0.log.position == contents.position }
    }

    /// Releases the lock. Snapshots of the document are then written as those of a document without a journal.
    func close() { state.withLock { $0.lock = nil } }

    /// Returns the lock if it is that of the file that is at the URL now.
    func currentLock() -> FileLock? {
        state.withLock { state in
            guard let file = FileIdentity(url.path), let lock = state.lock, lock.isLock(of: file) else { return nil }
            return lock
        }
    }

    /// Continues with `file`, for which it has the lock, and `log`, as they were read again.
    func goOn(_ file: OpenedFile, _ version: FileVersion?, _ log: JournalLog) {
        state.withLock { state in
            (state.base, state.identity, state.version, state.log) = (file, nil, version, log)
        }
    }
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
            guard try begin(&state) else { return nil }
            try state.log.append(.edit, record)
            state.version = version
            new.position = state.log.position
            return (new, state.log.byteCount - before)
        }
    }

    /// Creates the file of the journal, if there is none.
    ///
    /// - Returns: Whether a record can be written to it.
    private func begin(_ state: inout State) throws -> Bool {
        if state.log.file != nil { return state.log.isIntact }
        let identity = try state.identity ?? ArchiveIdentity(state.base)
        state.identity = identity
        do {
            if try state.log.create(for: identity) { return true }
        } catch let error as CocoaError where error.code == .fileWriteNoPermission {
            // The program may write the file, but no other in its folder.
            return false
        }
        // The existing file is obsolete, or no journal.
        guard try JournalFile.replaceable(at: url, state.base, nil) == nil else { return false }
        return try state.log.create(for: identity)
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
            guard let lock = state.lock, let named = FileIdentity(url.path), lock.isLock(of: named) else {
                return false
            }
            guard old == nil || position == state.log.position else { throw ArchiveDocumentError(.outdatedSnapshot) }
            // Before the new file gets its name.
            let newLock = draft.lock()
            let isOwn = state.log.isIntact
            var log =
                try isOwn
                ? state.log
                : JournalFile.replaceable(at: url, state.base, state.log.position) ?? JournalLog(url)
            let identity: ArchiveIdentity?
            do { identity = try log.replace(old, by: draft) } catch {
                if isOwn { state.log = log }
                throw error
            }
            contents.flushError = log.remove(after: draft)
            (state.lock, state.base, state.identity) = (newLock, draft.file, identity)
            (state.version, state.log) = (FileVersion(draft.file, contents.archive), JournalLog(url))
            contents.journal = self
            return true
        }
    }
}

extension JournalLog {
    /// Replaces the file of the archive by `draft`, which has all changes in the journal. The caller holds the lock of the file.
    ///
    /// - Parameter old: The file that may be replaced; nil for any file.
    /// - Returns: The identity of the new file, if the journal has a file.
    /// - Throws: `ArchiveDocumentError` if the file is another one, and `CocoaError`. Then it is as before.
    mutating func replace(_ old: OpenedFile?, by draft: ArchiveDraft) throws -> ArchiveIdentity? {
        func check() throws {
            if let old, !draft.isTarget(old) { throw ArchiveDocumentError(changeAt: url) }
        }
        try check()
        // If the program ends before the journal is removed, the next one finds that it is obsolete.
        let identity = file == nil ? nil : try ArchiveIdentity(draft.file)
        if let identity { try appendCheckpoint(identity) }
        try check()
        try draft.replaceTarget()
        return identity
    }

    /// Removes the file after `draft` has replaced the archive's, and its name is on the disk.
    ///
    /// - Returns: The error if that failed. Then the file stays, and it is obsolete.
    func remove(after draft: ArchiveDraft) -> (any Error)? {
        do { try remove { try draft.flushName() } } catch { return error }
        return nil
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
        switch journal {
        case .ignored: try Self(url, checksum)
        case .disabled: try readWithJournal(url, checksum)
        case .enabled: try lockedWithJournal(url, checksum, own)
        }
    }

    /// Reads both files. Another program may append to the journal meanwhile, or write both.
    private static func readWithJournal(_ url: URL, _ checksum: ArchiveChecksum.Policy) throws -> Self {
        var attempt = 0
        while true {
            attempt += 1
            let base = try Self(url, checksum)
            guard let file = base.file else { return base }
            let isLast = attempt == attempts
            do {
                var contents = base
                if case .journal(let journal) = try JournalFile.find(at: url, toWrite: false) {
                    contents = try base.replaying(journal, file)?.contents ?? base
                }
                if isLast || file.isUnchanged(at: url.path) { return contents }
            } catch {
                // The journal may be that of the next archive.
                if isLast || attempt > 2 && file.isUnchanged(at: url.path) { throw error }
            }
        }
    }

    /// Locks the archive's file, and reads both.
    private static func lockedWithJournal(
        _ url: URL, _ checksum: ArchiveChecksum.Policy, _ own: DocumentJournal?
    ) throws -> Self {
        for _ in 0..<attempts {
            let ownLock = own?.currentLock()
            let lock = try ownLock ?? Self.lock(url, checksum)
            var contents = try Self(url, checksum)
            guard let file = contents.file, lock.isLock(of: file.identity) else { continue }
            var version = FileVersion(file, contents.archive)
            var log = JournalLog(url)
            switch try JournalFile.find(at: url, toWrite: true) {
            case .nothing: break
            case .foreign: throw ArchiveDocumentError(.foreignJournal)
            case .journal(let journal):
                if let read = try contents.replaying(journal, file) {
                    (contents, version, log) = read
                } else {
                    try journal.removeObsolete()
                }
            }
            if let own, ownLock != nil {
                own.goOn(file, version, log)
                contents.journal = own
            } else {
                contents.journal = DocumentJournal(url, lock, file, version, log)
            }
            return contents
        }
        throw ArchiveDocumentError(.documentInUse)
    }

    private static func lock(_ url: URL, _ checksum: ArchiveChecksum.Policy) throws -> FileLock {
        let attempt = try? ArchiveFile.withErrors(url) { path throws(Platform.Failure) in try FileLock.lock(path) }
        switch attempt?.outcome {
        case .taken?: throw ArchiveDocumentError(.documentInUse)
        case .locked(let lock)? where attempt?.isReadOnly == false: return lock
        default:
            // Throws the error of a file that cannot be read.
            _ = try Self(url, checksum)
            throw ArchiveDocumentError(.journalUnsupported)
        }
    }

    /// Returns the contents with the changes in `journal`; nil if the archive in `file` has all of them.
    private func replaying(
        _ journal: JournalFile, _ file: OpenedFile
    ) throws -> (contents: Self, version: FileVersion, log: JournalLog)? {
        switch try journal.relation(to: file) {
        case .obsolete: return nil
        case .other: throw ArchiveDocumentError(.journalOfAnotherFile)
        case .base: break
        }
        guard var version = FileVersion(file, archive) else { throw ArchiveDocumentError(.journalOfAnotherFile) }
        let (log, edits) = try journal.records()
        for bytes in edits {
            guard let edit = FileEdit(decoding: bytes, oldCount: version.byteCount), version.append(edit) else {
                throw ArchiveDocumentError(.damagedJournal)
            }
        }
        var contents = edits.isEmpty ? self : Self(try ArchiveSource(version), file)
        contents.position = log.position
        return (contents, version, log)
    }

    /// Starts a journal for the file at `url`, which has these contents.
    ///
    /// - Parameter position: The part of an existing journal that the document has read.
    func startingJournal(at url: URL, _ position: JournalLog.Position?) throws -> DocumentJournal? {
        let lock = try ArchiveFile.withErrors(url) { path throws(Platform.Failure) in try FileLock.lock(path) }
        guard case .locked(let lock) = lock.outcome, let file, lock.isLock(of: file.identity) else { return nil }
        try JournalFile.replaceable(at: url, file, position)?.removeObsolete()
        return DocumentJournal(url, lock, file, FileVersion(file, archive), JournalLog(url))
    }
}
