// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A journal that was found beside an archive. Only a file that begins as a journal is one.
struct JournalFile {
    /// The log with all complete records. One at the end that is incomplete is ignored: the save that wrote it was interrupted.
    private(set) var log: JournalLog
    private let isOfEarlierVersion: Bool
    /// Whether the header, or a record that is not the last one, is damaged.
    private var isDamaged = false
    private var archive: ArchiveIdentity?
    private var edits: [StoredBytes] = []
    /// The file to which the archive was written last; nil if there was a save since.
    private var checkpoint: ArchiveIdentity?

    /// The file that has the name of a journal.
    enum Found {
        case nothing
        /// A file that is none.
        case foreign
        case journal(JournalFile)
    }

    /// The beginning of all journals, also of those that an earlier version has written.
    private static let title = Array(JournalLog.title.prefix(14))

    /// Looks for the journal of the archive at `url`.
    ///
    /// - Parameter toWrite: Whether it is to be written to.
    static func find(at url: URL, toWrite: Bool) throws -> Found {
        try ArchiveFile.withErrors(url) { path throws(Platform.Failure) in
            switch try CompanionFile.find(JournalLog.suffix, of: path, beginningWith: title, toWrite: toWrite) {
            case .nothing: .nothing
            case .other: .foreign
            case .file(let file): .journal(JournalFile(JournalLog(url, file), try file.contents()))
            }
        }
    }

    /// Reads the records in `bytes`.
    private init(_ start: JournalLog, _ bytes: StoredBytes) {
        log = start
        isOfEarlierVersion = !bytes.starts(with: JournalLog.title)
        // Without all of the header, no save was acknowledged.
        guard !isOfEarlierVersion, bytes.count >= JournalLog.headerSize else { return }
        archive = log.readHeader(of: bytes)
        while archive != nil, let (kind, contents) = log.nextRecord(in: bytes) {
            checkpoint = kind == .edit ? nil : ArchiveIdentity(contents, at: 0)
            if kind == .edit { edits.append(contents) }
            log.add(kind, contents.count)
        }
        log.hasRest = log.byteCount < bytes.count
        // Only the last record can be incomplete.
        isDamaged = archive == nil || log.hasRecordAfterNext(in: bytes)
    }
}

// MARK: - Archives

extension JournalFile {
    /// Returns whether the archive in `file` has all saves that are in the journal.
    func isObsolete(beside file: OpenedFile?) throws -> Bool {
        if isOfEarlierVersion { throw ArchiveDocumentError(.journalOfEarlierVersion) }
        if isDamaged, archive == nil { throw ArchiveDocumentError(.damagedJournal) }
        if !isDamaged, edits.isEmpty { return true }
        return try file.flatMap { try checkpoint?.matches($0) } ?? false
    }

    /// Returns `version`, the archive in `file`, with the changes in the journal, which is not obsolete.
    ///
    /// - Throws: `ArchiveDocumentError` if the journal is that of another archive, or damaged.
    func changed(_ version: FileVersion?, _ file: OpenedFile) throws -> FileVersion {
        // First: the changes of another archive may be anything.
        guard var version, try archive?.matches(file) == true else { throw ArchiveDocumentError(.journalOfAnotherFile) }
        let isPossible = edits.allSatisfy { bytes in
            FileEdit(decoding: bytes, oldCount: version.byteCount).map { version.append($0) } ?? false
        }
        guard !isDamaged, isPossible else { throw ArchiveDocumentError(.damagedJournal) }
        return version
    }

    /// Returns the log of the archive at `url`, which a document is about to replace; nil if there is none. An obsolete one is
    /// removed.
    ///
    /// - Parameters:
    ///   - file: The archive's file, which the caller has locked.
    ///   - position: The part of its journal that the document has read.
    /// - Throws: `ArchiveDocumentError` with the code `unreadJournal` if it has saves that the document has not read.
    static func replaceable(
        at url: URL, _ file: OpenedFile?, _ position: JournalLog.Position?
    ) throws -> JournalLog? {
        guard case .journal(let journal) = try find(at: url, toWrite: true) else { return nil }
        if !journal.isDamaged, position != nil, position == journal.log.position { return journal.log }
        guard try journal.isObsolete(beside: file) else { throw ArchiveDocumentError(.unreadJournal) }
        try journal.log.removeObsolete()
        return nil
    }
}
