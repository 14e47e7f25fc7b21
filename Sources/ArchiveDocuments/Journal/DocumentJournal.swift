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
public enum ArchiveJournal: Sendable {
    /// A save writes a new file of the archive.
    case disabled
    /// A save appends the changes to a journal: a file beside the archive, whose name is that of the archive with ".journal"
    /// behind it. The archive stays as it is until a checkpoint.
    case enabled
}

/// The journal of an archive: its file, and the archive with all changes in it.
final class DocumentJournal: Sendable {
    /// The location of the archive.
    let url: URL
    /// The file of the archive.
    private let archive: ArchiveIdentity
    private let state: Mutex<State>

    private struct State {
        var log: JournalLog
        /// The archive with the changes.
        var version: FileVersion
    }

    /// The size of a journal up to which it does not cause a checkpoint, whatever the size of the archive.
    private static let minimumLimit = 1 << 16

    private init(_ url: URL, _ archive: ArchiveIdentity, _ log: JournalLog, _ version: FileVersion) {
        self.url = url
        self.archive = archive
        state = Mutex(State(log: log, version: version))
    }

    /// Creates a journal without changes of the file `contents` at `url`; nil if it has none, because the archive is not
    /// binary or its file is not a regular one.
    convenience init?(_ contents: DocumentFile.FileContents, _ url: URL) throws {
        guard let file = contents.file, let version = FileVersion(file, contents.archive) else { return nil }
        self.init(url, try ArchiveIdentity(file, contents.archive), JournalLog(), version)
    }

    /// Whether the journal has changes of the archive.
    var hasChanges: Bool { state.withLock { $0.log.hasRecords } }
}

// MARK: - Opening

extension DocumentFile.FileContents {
    /// The number of attempts to open an archive and its journal, while another document writes a checkpoint.
    private static let attempts = 10

    /// Reads the archive at `url` with the changes in its journal.
    ///
    /// - Throws: `ArchiveDocumentError` if the journal is damaged, belongs to another file, or is in use.
    static func withJournal(_ url: URL, _ checksum: ArchiveChecksum.Policy) throws -> DocumentFile.FileContents {
        for _ in 0..<attempts {
            // First: a journal is removed after the archive with its changes has replaced the old one.
            let file = try ArchiveDocumentError.withJournal { try JournalFile.opened(for: url) }
            var contents = try DocumentFile.FileContents(url, checksum)
            if file == nil, JournalFile.exists(for: url) { continue }
            contents.journal = try DocumentJournal(contents, url)
            guard let file else { return contents }
            return try DocumentJournal.replay(file, url, contents)
        }
        throw ArchiveDocumentError(.journalInUse)
    }
}

extension DocumentJournal {
    /// Returns the archive in `contents` with the changes in `file`.
    fileprivate static func replay(
        _ file: JournalFile, _ url: URL, _ base: DocumentFile.FileContents
    ) throws -> DocumentFile.FileContents {
        var journal = JournalLog.Contents()
        var log = try JournalLog(file, &journal)
        guard let archive = base.file, var version = FileVersion(archive, base.archive) else {
            throw ArchiveDocumentError(.journalOfAnotherFile)
        }
        let identity = try ArchiveIdentity(archive, base.archive)
        var contents = base
        if let known = journal.archive, known != identity {
            // The program ended after the archive was replaced by one with all changes.
            guard journal.checkpoint == identity else { throw ArchiveDocumentError(.journalOfAnotherFile) }
            log.remove()
        } else {
            var hasEdits = false
            for record in journal.records where record.kind == .edit {
                guard let edit = FileEdit(decoding: record.bytes, oldCount: version.byteCount), version.append(edit)
                else { throw ArchiveDocumentError(.damagedJournal) }
                hasEdits = true
            }
            if hasEdits {
                contents = DocumentFile.FileContents(try ArchiveSource(version), archive)
            }
        }
        contents.journalCount = log.recordCount
        contents.journal = DocumentJournal(url, identity, log, version)
        return contents
    }
}

// MARK: - Writing

extension DocumentJournal {
    /// Appends `update` of `contents`, which are those with all changes in the journal.
    ///
    /// - Returns: The contents with the update, and the number of written bytes; nil if the journal would become too large.
    func append(
        _ update: borrowing ArchiveUpdate, to contents: DocumentFile.FileContents
    ) throws -> (contents: DocumentFile.FileContents, byteCount: Int)? {
        let edit = try ArchiveOutput.edit { output in _ = try update.write(contents.archive, to: &output) }
        let record = edit.encoded()
        return try state.withLock { state in
            let limit = max(Self.minimumLimit, Int(clamping: archive.byteCount / 10))
            // Otherwise a snapshot was taken before another save.
            guard contents.journalCount == state.log.recordCount else { throw ArchiveDocumentError(.outdatedSnapshot) }
            let before = state.log.byteCount
            var version = state.version
            guard before + record.count + JournalLog.recordOverhead <= limit, version.append(edit) else { return nil }
            // Before the record is written: nothing can fail afterwards.
            var new = DocumentFile.FileContents(try ArchiveSource(version), contents.file)
            new.journal = self
            do {
                try state.log.append(.edit, record, for: archive, at: url)
            } catch is JournalFile.InUse {
                // Another document has begun a journal of the same file.
                throw ArchiveDocumentError(.fileChanged)
            } catch let error as CocoaError where error.code == .fileWriteNoPermission && !state.log.hasFile {
                // The program may write the file, but no other in its folder.
                return nil
            }
            state.version = version
            new.journalCount = state.log.recordCount
            return (new, state.log.byteCount - before)
        }
    }

    /// Records that the archive was written as a whole to `file`, which is about to replace the archive's file.
    func recordCheckpoint(_ file: ArchiveIdentity) throws {
        try state.withLock { state in
            guard state.log.hasRecords else { return }
            try state.log.append(.checkpoint, file.bytes, for: archive, at: url)
        }
    }

    /// Removes the file of the journal.
    func remove() { state.withLock { $0.log.remove() } }

    /// Opens the journal of an archive at `url` that is about to be replaced; nil if there is none. No program has it open.
    static func replaced(at url: URL) throws -> DocumentJournal? {
        guard JournalFile.exists(for: url),
            let file = try ArchiveDocumentError.withJournal({ try JournalFile.opened(for: url) })
        else { return nil }
        var contents = JournalLog.Contents()
        guard let log = try? JournalLog(file, &contents), let archive = contents.archive else {
            // Nothing in it can be read.
            file.remove()
            return nil
        }
        return DocumentJournal(url, archive, log, FileVersion.none)
    }
}

extension ArchiveDocumentError {
    /// Calls `body`, and converts the error of a journal that is in use.
    static func withJournal<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch is JournalFile.InUse { throw ArchiveDocumentError(.journalInUse) }
    }
}
