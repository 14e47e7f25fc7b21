// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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
