// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The bytes of an archive, and what all readers of them share.
final class ArchiveStorage: Sendable {
    let bytes: StoredBytes
    let pages: PagedFile?

    init(_ bytes: StoredBytes, pages: PagedFile? = nil) {
        self.bytes = bytes
        self.pages = pages
    }

    convenience init(_ data: Data) { self.init(StoredBytes(data)) }

    static let none = ArchiveStorage(.empty)
}

// MARK: - Files

extension ArchiveStorage {
    /// The maximum size of a file that is read at once. Page-by-page loading saves time only for larger files.
    private static let pagingFloor = 1 << 20

    private static let attempts = 10

    /// Opens the file at `url`. A small file, or one that is not a binary property list, is read at once. Any other file is
    /// loaded page by page, so that only the accessed parts are read.
    ///
    /// All bytes are of one version of the file: see `OpenedFile` and `PagedFile`.
    ///
    /// - Throws: The error of the file system.
    convenience init(contentsOf url: URL) throws {
        var file: OpenedFile?
        try self.init(contentsOf: url, openedAs: &file)
    }

    /// Opens the file at `url` as `file`, which is nil if it is not a regular file.
    convenience init(contentsOf url: URL, openedAs file: inout OpenedFile?) throws {
        for _ in 0..<Self.attempts {
            file = url.isFileURL ? OpenedFile(url.path) : nil
            guard let file, file.identity.byteCount > 0 else {
                // A pipe, a file without a size as in /proc, or no file: Foundation has the errors.
                self.init(try Data(contentsOfFile: url))
                return
            }
            if let (bytes, pages) = Self.contents(of: file) {
                self.init(bytes, pages: pages)
                return
            }
        }
        throw CocoaError(.fileReadUnknown, userInfo: ["NSURL": url, "NSFilePath": url.path])
    }

    /// Opens `file`, which no program changes meanwhile; nil otherwise.
    convenience init?(_ file: OpenedFile) {
        guard let (bytes, pages) = Self.contents(of: file) else { return nil }
        self.init(bytes, pages: pages)
    }

    /// Reads `version`; nil if another program has changed its file.
    convenience init?(_ version: FileVersion) {
        if let pages = version.byteCount > Self.pagingFloor ? PagedFile(version) : nil {
            self.init(pages.bytes, pages: pages)
            return
        }
        guard let bytes = version.contents, version.isUnchanged else { return nil }
        self.init(bytes)
    }

    private static func contents(of file: OpenedFile) -> (StoredBytes, PagedFile?)? {
        guard file.identity.byteCount > pagingFloor else {
            return file.contents().map { ($0, nil) }
        }
        guard let pages = PagedFile(file), pages.load(0, BinaryFormat.headerSize),
            BinaryPropertyListReader.hasHeader(pages.bytes) || pages.loadAll()
        else { return nil }
        return (pages.bytes, pages)
    }
}

extension ArchiveStorage {
    /// Copies the bytes in `range`, which must be in bounds, to the end of the output of `writer`.
    func copy(_ range: Range<Int>, to writer: inout ChunkedOutput) throws(FileReplacement.Failure) {
        // The system copies each range with a call. Copying short ranges here is faster.
        guard let pages, range.count > 1 << 15 else {
            guard pages?.load(range.lowerBound, range.upperBound) ?? true else { throw .unreadable }
            return try writer.write(bytes, range)
        }
        try writer.write(range.count) { output throws(FileReplacement.Failure) in try pages.copy(range, to: output) }
    }
}

package struct StoredArchive: Sendable {
    let storage: ArchiveStorage
    /// The contents of the archive, which load each object of a file on access if it is read page by page.
    let opened: ArchiveContents

    var isLoaded: Bool { storage.pages?.isComplete ?? false }

    /// The contents of the archive, which load pages only as long as some are missing.
    var contents: ArchiveContents { isLoaded ? opened.present : opened }

    /// Opens an archive in either format. An XML archive is converted to the binary form first.
    ///
    /// - Throws: `KeyedArchiveError` if the bytes are not a property list, or not a keyed archive.
    init(_ storage: ArchiveStorage) throws(KeyedArchiveError) {
        self.storage = try Self.binary(storage)
        opened = try ArchiveContents(self.storage.bytes, pages: self.storage.pages)
    }

    /// Returns the binary form of the archive in `storage`.
    ///
    /// - Throws: `KeyedArchiveError` if the bytes are XML, but not a property list.
    static func binary(_ storage: ArchiveStorage) throws(KeyedArchiveError) -> ArchiveStorage {
        guard PropertyListFormat(detectedIn: storage.bytes) == .xml else { return storage }
        return ArchiveStorage(try KeyedArchiveError.converting(XMLPropertyListReader.binary(from: storage.bytes)))
    }

    init(_ storage: ArchiveStorage, _ contents: ArchiveContents) {
        self.storage = storage
        opened = contents.unmetered
    }

    private init() {
        storage = .none
        opened = .none
    }

    static let none = StoredArchive()
}
