// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The file of a journal, which is written at its end.
///
/// The file has a header and records. All numbers have eight bytes, the highest first.
///
/// | header | record |
/// |---|---|
/// | the text "archivejournal2\n" | the checksum of the header, plus the number of the record, from 0 |
/// | the identity of the archive's file, 7 numbers | the number of bytes of the contents |
/// | a random number | a byte for the kind |
/// | the checksum of these | the contents: an edit, or the identity of a file |
/// | | the checksum of these |
///
/// A record of another journal, or of another place in this one, therefore begins with another number.
struct JournalLog: Sendable {
    enum Kind: UInt8 {
        /// The archive has changed.
        case edit = 1
        /// The archive was written as a whole to the file with an identity. If the archive has that file, the journal is
        /// obsolete; if the program ended before the file got its name, the record has no meaning.
        case checkpoint = 2
    }

    /// The location of the archive.
    let url: URL
    /// The file; nil if there is none yet, or another program has removed it.
    var file: CompanionFile?
    /// The number of bytes of the header and the complete records.
    private(set) var byteCount = 0
    /// The number of complete records.
    private var recordCount = 0
    /// The number of those that are edits.
    private var editCount = 0
    private var headerChecksum: UInt64 = 0
    /// Whether the file may have bytes behind the last complete record.
    var hasRest = false

    /// The suffix that the name of an archive gets for its journal.
    static let suffix = ".journal"
    static let headerSize = 16 + 8 * (ArchiveIdentity.count + 2)
    /// The number of bytes of a record besides its contents.
    static let recordOverhead = 25
    static let title = Array("archivejournal2\n".utf8)

    /// A log in `file`, or without a file yet, for the archive at `url`.
    init(_ url: URL, _ file: CompanionFile? = nil) {
        self.url = url
        self.file = file
    }

    /// How much of which journal a document has read or written.
    struct Position: Equatable, Sendable {
        let headerChecksum: UInt64
        let editCount: Int
    }

    /// The position of a document that has all edits; nil if there are none.
    var position: Position? {
        editCount == 0 ? nil : Position(headerChecksum: headerChecksum, editCount: editCount)
    }

    /// Whether the file is the one that this log has read or written, and no other program has changed it.
    var isIntact: Bool { file?.isIntact(count: hasRest ? nil : byteCount) ?? false }

    /// Records that the file has a header with the checksum `checksum`.
    private mutating func begin(_ checksum: UInt64) {
        headerChecksum = checksum
        byteCount = Self.headerSize
    }

    /// Records that the next record is complete, with `count` bytes of contents.
    mutating func add(_ kind: Kind, _ count: Int) {
        byteCount += count + Self.recordOverhead
        recordCount += 1
        if kind == .edit { editCount += 1 }
    }
}

// MARK: - Reading

extension JournalLog {
    /// Reads the header of `bytes`, which are long enough for one.
    ///
    /// - Returns: The file of the archive; nil if the header is damaged.
    mutating func readHeader(of bytes: StoredBytes) -> ArchiveIdentity? {
        let end = Self.headerSize - 8
        var sum = Checksum()
        sum.add(bytes, 0..<end)
        guard sum.value == bytes.number(at: end, size: 8) else { return nil }
        begin(sum.value)
        return ArchiveIdentity(bytes, at: Self.title.count)
    }

    /// Returns the next record in `bytes`; nil if there is none that is complete.
    func nextRecord(in bytes: StoredBytes) -> (kind: Kind, contents: StoredBytes)? {
        let rest = bytes.count - byteCount - Self.recordOverhead
        guard rest >= 0, bytes.number(at: byteCount, size: 8) == headerChecksum &+ UInt64(recordCount) else {
            return nil
        }
        let count = bytes.number(at: byteCount + 8, size: 8)
        guard count <= UInt64(rest), let kind = Kind(rawValue: bytes.byte(at: byteCount + 16)) else { return nil }
        let contents = byteCount + 17..<byteCount + 17 + Int(count)
        var sum = Checksum()
        sum.add(bytes, byteCount..<contents.upperBound)
        guard bytes.number(at: contents.upperBound, size: 8) == sum.value else { return nil }
        return (kind, bytes.part(contents))
    }

    /// Returns whether a record begins in `bytes` after the next one. It may be incomplete.
    func hasRecordAfterNext(in bytes: StoredBytes) -> Bool {
        let end = bytes.count - Self.recordOverhead
        return byteCount < end
            && (byteCount + 1...end).contains { offset in
                let number = bytes.number(at: offset, size: 8) &- headerChecksum &- UInt64(recordCount) &- 1
                return number < UInt64(bytes.count)
            }
    }
}

// MARK: - Writing

extension JournalLog {
    /// Creates the file, for changes of the archive with the identity `archive`.
    ///
    /// - Returns: Whether it is created: false if another file has its name, or the folder permits none.
    /// - Throws: `CocoaError`.
    mutating func create(for archive: ArchiveIdentity) throws -> Bool {
        var header = Self.title
        for number in archive.numbers + [UInt64.random(in: .min ... .max)] { header.append(bytesOf: number) }
        let checksum = header.appendChecksum()
        file = try withErrors { path throws(Platform.Failure) in
            try CompanionFile.make(Self.suffix, of: path, StoredBytes(header))
        }
        if file != nil { begin(checksum) }
        return file != nil
    }

    /// Appends a record to the file, which is on the disk when the function returns.
    ///
    /// - Throws: `CocoaError`. Then the log has no new record, and the next one is written to the same place.
    mutating func append(_ kind: Kind, _ contents: some Collection<UInt8>) throws {
        guard let file else { return }
        var record: [UInt8] = []
        record.reserveCapacity(contents.count + Self.recordOverhead)
        record.append(bytesOf: headerChecksum &+ UInt64(recordCount))
        record.append(bytesOf: UInt64(contents.count))
        record.append(kind.rawValue)
        record.append(contentsOf: contents)
        record.appendChecksum()
        let end = byteCount
        if hasRest { try withErrors { _ throws(Platform.Failure) in try file.truncate(to: end) } }
        hasRest = true
        do {
            try withErrors { _ throws(Platform.Failure) in
                try file.adaptAccess()
                try file.write(StoredBytes(record), at: end)
            }
        } catch {
            // Otherwise the next program would find a save that has failed.
            if (try? file.truncate(to: end)) != nil { hasRest = false }
            throw error
        }
        hasRest = false
        add(kind, contents.count)
    }

    /// Replaces the file of the archive by `draft`, which has all changes in the journal, and removes the journal. The caller holds
    /// the lock of the file.
    ///
    /// - Parameter old: The file that may be replaced; nil for any file.
    /// - Returns: The error if the name of the new file may not be on the disk. Then the journal stays, and it is obsolete.
    /// - Throws: `ArchiveDocumentError` if the file is another one, and `CocoaError`. Then it is as before.
    mutating func replace(_ old: OpenedFile?, by draft: ArchiveDraft) throws -> (any Error)? {
        func check() throws {
            if let old, !draft.isTarget(old) { throw ArchiveDocumentError(changeAt: url) }
        }
        try check()
        if file != nil {
            // If the program ends before the journal is removed, the next one finds that it is obsolete.
            var identity: [UInt8] = []
            for number in try ArchiveIdentity(draft.file).numbers { identity.append(bytesOf: number) }
            try append(.checkpoint, identity)
            try check()
        }
        try draft.replaceTarget()
        do { try draft.flushName() } catch { return error }
        file?.remove()
        return nil
    }

    /// Removes the file, which is obsolete, after the name of the archive is on the disk.
    func removeObsolete() throws {
        try withErrors { _ throws(Platform.Failure) in try file?.flushName() }
        file?.remove()
    }

    private func withErrors<Result>(_ body: (String) throws(Platform.Failure) -> Result) throws -> Result {
        try ArchiveFile.withErrors(url, body)
    }
}

extension [UInt8] {
    /// Appends the bytes of `number`, the highest first.
    fileprivate mutating func append(bytesOf number: UInt64) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// Appends the checksum of these bytes, and returns it.
    @discardableResult
    fileprivate mutating func appendChecksum() -> UInt64 {
        var sum = Checksum()
        sum.add(StoredBytes(self), 0..<count)
        append(bytesOf: sum.value)
        return sum.value
    }
}
