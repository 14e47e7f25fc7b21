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
/// The file has a header and records. All numbers have eight bytes, the highest first, unless stated otherwise.
///
/// | header | record |
/// |---|---|
/// | the text "archivejournal2\n" | the number 0x4A726E6C, 4 bytes |
/// | the identity of the archive's file, 7 numbers | the number of the record, from 0, 4 bytes |
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

    /// The location of the archive.
    let url: URL
    /// The file; nil if there is none yet.
    var file: CompanionFile?
    /// The number of bytes of the header and the complete records.
    var byteCount = 0
    /// The number of complete records.
    var recordCount = 0
    /// The number of those that are edits.
    var editCount = 0
    /// The checksum of the header.
    var headerChecksum: UInt64 = 0
    /// Whether the file may have bytes behind the last complete record.
    var hasRest = false

    /// The suffix that the name of an archive gets for its journal.
    static let suffix = ".journal"
    static let headerSize = 16 + 8 * (ArchiveIdentity.count + 2)
    /// The number of bytes of a record besides its contents.
    static let recordOverhead = 32
    static let title = Array("archivejournal2\n".utf8)
    static let mark: UInt64 = 0x4A72_6E6C

    /// A log without a file, for the archive at `url`.
    init(_ url: URL) { self.url = url }

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

    func headChecksum(number: UInt64, count: UInt64) -> UInt64 {
        var sum = Checksum()
        sum.add(headerChecksum)
        sum.add(number)
        sum.add(count)
        return sum.value
    }
}

// MARK: - Writing

extension JournalLog {
    /// Creates the file, for changes of the archive with the identity `archive`.
    ///
    /// - Returns: Whether it is created: false if another file has its name.
    /// - Throws: `CocoaError`.
    mutating func create(for archive: ArchiveIdentity) throws -> Bool {
        var header = RecordBytes(capacity: Self.headerSize)
        header.bytes.append(contentsOf: Self.title)
        for number in archive.numbers { header.append(number) }
        header.append(UInt64.random(in: .min ... .max))
        var sum = Checksum()
        let bytes = StoredBytes(header.bytes)
        sum.add(bytes, 0..<bytes.count)
        header.append(sum.value)
        file = try withErrors { path throws(Platform.Failure) in
            try CompanionFile.make(Self.suffix, of: path, StoredBytes(header.bytes))
        }
        guard file != nil else { return false }
        headerChecksum = sum.value
        byteCount = Self.headerSize
        return true
    }

    /// Appends a record to the file, which is on the disk when the function returns.
    ///
    /// - Throws: `CocoaError`. Then the log has no new record, and the next one is written to the same place.
    mutating func append(_ kind: Kind, _ contents: StoredBytes) throws {
        guard let file else { return }
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
        let end = byteCount
        if hasRest { try withErrors { _ throws(Platform.Failure) in try file.truncate(to: end) } }
        hasRest = true
        do {
            try withErrors { _ throws(Platform.Failure) in
                try file.adaptAccess()
                try file.write(StoredBytes(record.bytes), at: end)
            }
        } catch {
            // Otherwise the next program would find a save that has failed.
            if (try? file.truncate(to: end)) != nil { hasRest = false }
            throw error
        }
        hasRest = false
        byteCount += record.bytes.count
        recordCount += 1
        if kind == .edit { editCount += 1 }
    }

    /// Records that the archive was written as a whole to the file with the identity `archive`, which is about to replace it.
    mutating func appendCheckpoint(_ archive: ArchiveIdentity) throws {
        var contents = RecordBytes(capacity: 8 * ArchiveIdentity.count)
        for number in archive.numbers { contents.append(number) }
        try append(.checkpoint, StoredBytes(contents.bytes))
    }

    /// Removes the file, after the archive that has all its saves has got its name.
    ///
    /// - Throws: `CocoaError` if that name may not be on the disk. Then the file stays, and it is obsolete.
    func remove(afterFlushOf flush: () throws -> Void) throws {
        try flush()
        file?.remove()
    }

    /// Removes the file, which is obsolete.
    func removeObsolete() throws {
        try remove { try withErrors { _ throws(Platform.Failure) in try file?.flushName() } }
    }

    private func withErrors<Result>(_ body: (String) throws(Platform.Failure) -> Result) throws -> Result {
        try ArchiveFile.withErrors(url, body)
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
