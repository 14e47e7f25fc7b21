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
    /// The log up to its first record.
    private let start: JournalLog
    private let bytes: StoredBytes
    /// The file of the archive whose changes it has; nil if its header cannot be read.
    private let archive: ArchiveIdentity?
    private let isEarlier: Bool

    /// The file that has the name of a journal.
    enum Found {
        case nothing
        /// A file that is none.
        case foreign
        case journal(JournalFile)
    }

    /// The relation of an archive to a journal.
    enum Relation {
        /// The archive whose changes it has.
        case base
        /// An archive that has all saves in it.
        case obsolete
        case other
    }

    /// The beginning of all journals, also of those that an earlier version has written.
    private static let title = Array(JournalLog.title.prefix(14))

    private init(_ file: CompanionFile, at url: URL) throws {
        bytes = try ArchiveFile.withErrors(url) { _ throws(Platform.Failure) in try file.contents() }
        var log = JournalLog(url)
        log.file = file
        log.byteCount = JournalLog.headerSize
        isEarlier = !bytes.starts(with: JournalLog.title)
        archive = isEarlier ? nil : Self.header(of: bytes, &log.headerChecksum)
        start = log
    }

    /// Looks for the journal of the archive at `url`.
    ///
    /// - Parameter toWrite: Whether it is to be written to.
    static func find(at url: URL, toWrite: Bool) throws -> Found {
        let found = try ArchiveFile.withErrors(url) { path throws(Platform.Failure) in
            try CompanionFile.find(JournalLog.suffix, of: path, beginningWith: title, toWrite: toWrite)
        }
        return switch found {
        case .nothing: .nothing
        case .other: .foreign
        case .file(let file): .journal(try JournalFile(file, at: url))
        }
    }

    /// Returns whether the archive at `url` has a journal.
    static func exists(for url: URL) -> Bool {
        switch try? find(at: url, toWrite: false) {
        case .nothing?, .foreign?: false
        default: true
        }
    }

    /// Returns the journal of the archive at `url`, which a document is about to replace; nil if there is none.
    ///
    /// - Parameters:
    ///   - file: The archive's file.
    ///   - position: The part of its journal that the document has read.
    ///   - isLocked: Whether the caller has locked the file. Then an obsolete journal is removed.
    /// - Throws: `ArchiveDocumentError` with the code `unreadJournal` if it has saves that the document has not read.
    static func replaceable(
        at url: URL, _ file: OpenedFile?, _ position: JournalLog.Position?, isLocked: Bool = true
    ) throws -> JournalLog? {
        guard case .journal(let journal) = try find(at: url, toWrite: isLocked) else { return nil }
        if let log = try? journal.records().log, log.position == position { return log }
        guard try journal.relation(to: file) == .obsolete else { throw ArchiveDocumentError(.unreadJournal) }
        if isLocked { try journal.removeObsolete() }
        return nil
    }

    /// Removes the journal, whose archive has all saves in it and is locked.
    func removeObsolete() throws { try start.removeObsolete() }
}

// MARK: - Reading

extension JournalFile {
    /// Returns what `file` is for the journal. If it is not the base, none of the records but the last one is read.
    func relation(to file: OpenedFile?) throws -> Relation {
        if isEarlier { throw ArchiveDocumentError(.journalOfEarlierVersion) }
        // Without a record, or without all of the header, no save was acknowledged.
        guard let archive else {
            guard bytes.count < JournalLog.headerSize else { throw ArchiveDocumentError(.damagedJournal) }
            return .obsolete
        }
        guard let file else { return bytes.count == JournalLog.headerSize ? .obsolete : .other }
        if try archive.matches(file) { return .base }
        if bytes.count == JournalLog.headerSize { return .obsolete }
        return try checkpoint?.matches(file) == true ? .obsolete : .other
    }

    /// The file to which the archive was written last; nil if there was a save since.
    private var checkpoint: ArchiveIdentity? {
        let size = JournalLog.recordOverhead + 1 + 8 * ArchiveIdentity.count
        let offset = bytes.count - size
        guard offset >= JournalLog.headerSize, let record = record(at: offset), record.end == bytes.count,
            JournalLog.Kind(rawValue: bytes.byte(at: record.contents.lowerBound)) == .checkpoint
        else { return nil }
        return ArchiveIdentity(bytes, at: record.contents.lowerBound + 1)
    }

    /// Reads the records. One at the end that is incomplete is ignored: the save that wrote it was interrupted.
    ///
    /// - Returns: The log with all records, and the edits in them.
    /// - Throws: `ArchiveDocumentError` with the code `damagedJournal`.
    func records() throws -> (log: JournalLog, edits: [StoredBytes]) {
        guard archive != nil else { throw ArchiveDocumentError(.damagedJournal) }
        var log = start
        var edits: [StoredBytes] = []
        while let record = record(at: log.byteCount) {
            guard record.number == UInt64(log.recordCount),
                let kind = JournalLog.Kind(rawValue: bytes.byte(at: record.contents.lowerBound))
            else { throw ArchiveDocumentError(.damagedJournal) }
            if kind == .edit { edits.append(bytes.part(record.contents.lowerBound + 1..<record.contents.upperBound)) }
            log.byteCount = record.end
            log.recordCount += 1
        }
        log.editCount = edits.count
        // Only the last record can be incomplete.
        guard !hasHead(after: log.byteCount) else { throw ArchiveDocumentError(.damagedJournal) }
        log.hasRest = log.byteCount < bytes.count
        return (log, edits)
    }

    private static func header(of bytes: StoredBytes, _ checksum: inout UInt64) -> ArchiveIdentity? {
        let end = JournalLog.headerSize - 8
        guard bytes.count >= JournalLog.headerSize else { return nil }
        var sum = Checksum()
        sum.add(bytes, 0..<end)
        guard sum.value == bytes.number(at: end, size: 8) else { return nil }
        checksum = sum.value
        return ArchiveIdentity(bytes, at: JournalLog.title.count)
    }

    /// A complete record.
    private struct Record {
        let number: UInt64
        /// The place of its contents, which are not empty.
        let contents: Range<Int>
        var end: Int { contents.upperBound + 8 }
    }

    /// Returns the record at `offset`; nil if there is none that is complete.
    private func record(at offset: Int) -> Record? {
        guard let head = head(at: offset) else { return nil }
        let start = offset + 24
        guard head.count > 0, head.count <= UInt64(bytes.count - offset - JournalLog.recordOverhead) else { return nil }
        let contents = start..<start + Int(head.count)
        var sum = Checksum()
        sum.add(head.checksum)
        sum.add(bytes, contents)
        guard bytes.number(at: contents.upperBound, size: 8) == sum.value else { return nil }
        return Record(number: head.number, contents: contents)
    }

    /// Returns what a record at `offset` begins with; nil if none does.
    private func head(at offset: Int) -> (number: UInt64, count: UInt64, checksum: UInt64)? {
        guard bytes.count - offset > JournalLog.recordOverhead, bytes.number(at: offset, size: 4) == JournalLog.mark
        else { return nil }
        let number = bytes.number(at: offset + 4, size: 4)
        let count = bytes.number(at: offset + 8, size: 8)
        let checksum = start.headChecksum(number: number, count: count)
        return bytes.number(at: offset + 16, size: 8) == checksum ? (number, count, checksum) : nil
    }

    /// Returns whether a record begins after `offset`. Its contents are not compared with their checksum: those of many
    /// records could overlap.
    private func hasHead(after offset: Int) -> Bool {
        guard offset + JournalLog.recordOverhead < bytes.count else { return false }
        let first = UInt8(truncatingIfNeeded: JournalLog.mark >> 24)
        return (offset + 1..<bytes.count - JournalLog.recordOverhead).contains {
            bytes.byte(at: $0) == first && head(at: $0) != nil
        }
    }
}

extension ArchiveIdentity {
    /// Reads the identity at `offset` of `bytes`, which has all its bytes.
    fileprivate init(_ bytes: StoredBytes, at offset: Int) {
        self.init((0..<Self.count).map { bytes.number(at: offset + 8 * $0, size: 8) })
    }
}
