// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The records in the file of a journal.
///
/// The file has a header and records. All numbers have eight bytes, the highest first, unless stated otherwise.
///
/// | header | record |
/// |---|---|
/// | the text "archivejournal1\n" | the number 0x4A726E6C, 4 bytes |
/// | the identity of the archive's file, 4 numbers | the number of the record, from 0, 4 bytes |
/// | a random number | the number of bytes of its contents |
/// | the checksum of these | the checksum of the header's and of these |
/// | | the contents: a byte for the kind, and an edit or the identity of a file |
/// | | the checksum of the one before and of the contents |
struct JournalLog: Sendable {
    /// The kind of a record: its first byte.
    enum Kind: UInt8 {
        /// The archive has changed.
        case edit = 1
        /// The archive was written as a whole to the file with an identity. If the archive has that file, the journal is
        /// obsolete; if the program ended before the file got its name, the record has no meaning.
        case checkpoint = 2
    }

    /// The file; nil if there is none yet.
    private var file: JournalFile?
    /// The number of bytes of the header and the complete records.
    private(set) var byteCount = 0
    /// The number of complete records.
    private(set) var recordCount = 0
    /// The checksum of the header.
    private var headerChecksum: UInt64 = 0
    /// Whether the file may have bytes behind the last complete record.
    private var hasRest = false

    static let headerSize = 64
    /// The number of bytes of a record besides its contents.
    static let recordOverhead = 32
    private static let title = Array("archivejournal1\n".utf8)
    private static let mark: UInt64 = 0x4A72_6E6C

    /// A log without a file.
    init() {}

    var hasFile: Bool { file != nil }
    /// Whether the file has records.
    var hasRecords: Bool { recordCount > 0 }

    /// Removes the file.
    mutating func remove() {
        file?.remove()
        self = JournalLog()
    }
}

// MARK: - Reading

extension JournalLog {
    /// The contents of a journal's file.
    struct Contents {
        /// The file of the archive that it belongs to; nil if the first save was interrupted.
        fileprivate(set) var archive: ArchiveIdentity?
        /// The contents of its records.
        fileprivate(set) var records: [(kind: Kind, bytes: StoredBytes)] = []

        /// The file to which the archive was written last; nil if there was a save since.
        var checkpoint: ArchiveIdentity? {
            guard let last = records.last, last.kind == .checkpoint else { return nil }
            return ArchiveIdentity(last.bytes, at: 0)
        }
    }

    /// Reads `file`. A record at the end that is incomplete is ignored: the save that wrote it was interrupted.
    ///
    /// - Throws: `ArchiveDocumentError` with the code `damagedJournal`, and `CocoaError`.
    init(_ file: JournalFile, _ contents: inout Contents) throws {
        self.file = file
        let bytes = try file.contents()
        contents = Contents()
        hasRest = true
        guard bytes.count >= Self.headerSize, let header = Self.header(of: bytes) else {
            // The header is on the disk before the first record is written.
            let isInterrupted = bytes.count <= Self.headerSize && Self.isInterrupted(bytes)
            guard isInterrupted else { throw ArchiveDocumentError(.damagedJournal) }
            return
        }
        (contents.archive, headerChecksum) = header
        byteCount = Self.headerSize
        while let record = record(in: bytes, at: byteCount) {
            guard Int(record.number) == recordCount,
                let kind = Kind(rawValue: bytes.byte(at: record.contents.lowerBound))
            else { throw ArchiveDocumentError(.damagedJournal) }
            let start = record.contents.lowerBound + 1
            contents.records.append((kind, bytes.part(start..<record.contents.upperBound)))
            byteCount = record.end
            recordCount += 1
        }
        // Only the last record can be incomplete.
        guard !hasRecord(in: bytes, after: byteCount) else { throw ArchiveDocumentError(.damagedJournal) }
        hasRest = byteCount < bytes.count
    }

    /// Returns whether `bytes` are the beginning of a header, or zeros in its place.
    private static func isInterrupted(_ bytes: StoredBytes) -> Bool {
        zip(bytes, title).allSatisfy { $0 == $1 || $0 == 0 }
    }

    private static func header(of bytes: StoredBytes) -> (ArchiveIdentity, UInt64)? {
        guard zip(bytes, title).allSatisfy(==), let archive = ArchiveIdentity(bytes, at: title.count) else {
            return nil
        }
        var sum = Checksum()
        sum.add(bytes, 0..<headerSize - 8)
        guard sum.value == bytes.number(at: headerSize - 8, count: 8) else { return nil }
        return (archive, sum.value)
    }

    /// A complete record.
    private struct Record {
        let number: UInt32
        /// The place of its contents, which are not empty.
        let contents: Range<Int>
        var end: Int { contents.upperBound + 8 }
    }

    /// Returns the record at `offset`; nil if there is none that is complete.
    private func record(in bytes: StoredBytes, at offset: Int) -> Record? {
        let room = bytes.count - offset - Self.recordOverhead
        guard room > 0, bytes.number(at: offset, count: 4) == Self.mark else { return nil }
        let number = bytes.number(at: offset + 4, count: 4)
        let count = bytes.number(at: offset + 8, count: 8)
        let start = offset + 24
        guard count > 0, count <= UInt64(room) else { return nil }
        let head = headChecksum(number: number, count: count)
        guard bytes.number(at: offset + 16, count: 8) == head else { return nil }
        let contents = start..<start + Int(count)
        var sum = Checksum()
        sum.add(head)
        sum.add(bytes, contents)
        guard bytes.number(at: contents.upperBound, count: 8) == sum.value else { return nil }
        return Record(number: UInt32(number), contents: contents)
    }

    /// Returns whether there is a record after `offset`, which none begins at.
    private func hasRecord(in bytes: StoredBytes, after offset: Int) -> Bool {
        guard offset + Self.recordOverhead < bytes.count else { return false }
        let first = UInt8(truncatingIfNeeded: Self.mark >> 24)
        return (offset + 1..<bytes.count - Self.recordOverhead).contains {
            bytes.byte(at: $0) == first && record(in: bytes, at: $0) != nil
        }
    }

    private func headChecksum(number: UInt64, count: UInt64) -> UInt64 {
        var sum = Checksum()
        sum.add(headerChecksum)
        sum.add(number)
        sum.add(count)
        return sum.value
    }
}

// MARK: - Writing

extension JournalLog {
    /// Appends a record, which is on the disk when the function returns. Creates the file if there is none.
    ///
    /// - Parameter archive: The file of the archive at `url`, for the header.
    /// - Throws: `JournalFile.InUse` if another document has created the file, and `CocoaError`. Then the log has no new
    ///   record.
    mutating func append(_ kind: Kind, _ contents: StoredBytes, for archive: ArchiveIdentity, at url: URL) throws {
        if byteCount == 0 { try writeHeader(for: archive, at: url) }
        guard let file else { throw ArchiveDocumentError(.damagedJournal) }
        if hasRest { try file.truncate(to: byteCount) }
        let count = UInt64(contents.count + 1)
        let head = headChecksum(number: UInt64(recordCount), count: count)
        var record = RecordBytes(capacity: contents.count + Self.recordOverhead + 1)
        record.append(Self.mark, count: 4)
        record.append(UInt64(recordCount), count: 4)
        record.append(count)
        record.append(head)
        record.bytes.append(kind.rawValue)
        record.bytes.append(contentsOf: contents)
        let whole = StoredBytes(record.bytes)
        var sum = Checksum()
        sum.add(head)
        sum.add(whole, 24..<whole.count)
        record.append(sum.value)
        hasRest = true
        do {
            try file.append(StoredBytes(record.bytes))
        } catch {
            // Otherwise the next program would find a save that has failed.
            if (try? file.truncate(to: byteCount)) != nil { hasRest = false }
            throw error
        }
        hasRest = false
        byteCount += record.bytes.count
        recordCount += 1
    }

    private mutating func writeHeader(for archive: ArchiveIdentity, at url: URL) throws {
        var header = RecordBytes(capacity: Self.headerSize)
        header.bytes.append(contentsOf: Self.title)
        for number in archive.numbers { header.append(number) }
        header.append(UInt64.random(in: .min ... .max))
        var sum = Checksum()
        let bytes = StoredBytes(header.bytes)
        sum.add(bytes, 0..<bytes.count)
        header.append(sum.value)
        let made = try file ?? JournalFile.made(for: url)
        file = made
        hasRest = true
        if try made.contents().count > 0 { try made.truncate(to: 0) }
        try made.append(StoredBytes(header.bytes))
        made.flushName()
        hasRest = false
        headerChecksum = sum.value
        byteCount = Self.headerSize
    }
}

/// Bytes that are assembled.
private struct RecordBytes {
    var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    /// Appends the last `count` bytes of `number`, the highest first.
    mutating func append(_ number: UInt64, count: Int = 8) {
        for shift in stride(from: 8 * (count - 1), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }
}

extension StoredBytes {
    /// The number of `count` bytes, at most 8, at `offset`, which are in bounds.
    fileprivate func number(at offset: Int, count: Int) -> UInt64 {
        (offset..<offset + count).reduce(0) { $0 << 8 | UInt64(byte(at: $1)) }
    }
}

// MARK: - Identities

extension ArchiveIdentity {
    fileprivate var numbers: [UInt64] { [byteCount, seconds, nanoseconds, checksum] }

    /// The identity as bytes.
    var bytes: StoredBytes {
        var record = RecordBytes(capacity: 32)
        for number in numbers { record.append(number) }
        return StoredBytes(record.bytes)
    }

    /// Reads the identity at `offset`; nil if there are too few bytes.
    fileprivate init?(_ bytes: StoredBytes, at offset: Int) {
        guard bytes.count - offset >= 32 else { return nil }
        self.init(
            byteCount: bytes.number(at: offset, count: 8), seconds: bytes.number(at: offset + 8, count: 8),
            nanoseconds: bytes.number(at: offset + 16, count: 8), checksum: bytes.number(at: offset + 24, count: 8))
    }
}
