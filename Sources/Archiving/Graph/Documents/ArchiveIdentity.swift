// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The facts that distinguish the contents of an archive's file from others: its size, the time of its last change, and a
/// checksum of its beginning, its end, and the first and last offsets of its objects.
///
/// It stays the same if the file is renamed, or copied together with its time.
package struct ArchiveIdentity: Equatable, Sendable {
    package let byteCount: UInt64
    package let seconds: UInt64
    package let nanoseconds: UInt64
    package let checksum: UInt64

    package init(byteCount: UInt64, seconds: UInt64, nanoseconds: UInt64, checksum: UInt64) {
        self.byteCount = byteCount
        self.seconds = seconds
        self.nanoseconds = nanoseconds
        self.checksum = checksum
    }

    /// The number of bytes of each part that the checksum includes.
    private static let partSize = 4096

    /// The identity of `file`, which has the archive `source`.
    ///
    /// - Throws: `DecodingError` if another program has changed the file.
    package init(_ file: OpenedFile, _ source: ArchiveSource) throws {
        let storage = source.stored.storage
        let bytes = storage.bytes
        let table = min(source.contents.list.limit, bytes.count)
        let size = Self.partSize
        var sum = Checksum()
        for part in [
            0..<min(size, bytes.count), table..<min(table + size, bytes.count),
            max(0, bytes.count - size)..<bytes.count,
        ] {
            guard storage.pages?.load(part.lowerBound, part.upperBound) ?? true else { throw ArchiveOutput.unreadable }
            sum.add(bytes, part)
        }
        self.init(
            byteCount: UInt64(bytes.count), seconds: UInt64(bitPattern: file.identity.seconds),
            nanoseconds: UInt64(bitPattern: file.identity.nanoseconds), checksum: sum.value)
    }
}

extension FileVersion {
    /// Creates the version without edits of a file with `contents`.
    package init(contents: StoredBytes) { self.init(contents) }

    /// The whole contents; nil if they cannot be read.
    package var contents: StoredBytes? {
        let memory = OwnedMemory(byteCount: byteCount)
        return read(0..<memory.count, into: memory) ? StoredBytes(memory) : nil
    }

    /// Creates the version without edits of `file`, whose contents were read as `source`; nil if these were converted.
    package init?(_ file: OpenedFile, _ source: ArchiveSource) {
        let storage = source.stored.storage
        let head = OwnedMemory(byteCount: BinaryFormat.headerSize)
        guard file.identity.byteCount == Int64(storage.bytes.count), file.read(0..<head.count, into: head),
            BinaryPropertyListReader.hasHeader(StoredBytes(head))
        else { return nil }
        if let pages = storage.pages { self.init(pages) } else { self.init(storage.bytes) }
    }
}
