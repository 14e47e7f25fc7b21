#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The bytes of an archive, held in place for as long as somebody reads them.
///
/// A reader keeps addresses into the bytes between calls. That is sound because the storage holds what they lie in: a
/// `Data`, memory, or a file that is loaded page by page. A `Data` that others change after it was given here is copied by
/// them first.
final class ArchiveStorage: @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer
    private let owner: Owner

    /// What the bytes lie in.
    private enum Owner {
        case data(Data)
        /// Memory that came from `Platform`.
        case memory
        /// A file that is loaded page by page.
        case pages(PagedFile)
        /// The bytes are a part of others.
        case part(ArchiveStorage)
    }

    private init(_ bytes: UnsafeRawBufferPointer, _ owner: Owner) {
        self.bytes = bytes
        self.owner = owner
    }

    /// Borrows the bytes of `data`.
    convenience init(_ data: Data) {
        // Data of a few bytes lies in the value itself and has no address of its own. No archive is that short, but the
        // reader has to be able to say so.
        if data.count <= Self.inlineLimit {
            self.init(Self.copy(data), .memory)
        } else {
            self.init(data.withUnsafeBytes { $0 }, .data(data))
        }
    }

    /// Takes over memory that came from `Platform`.
    convenience init(owning bytes: UnsafeMutableRawBufferPointer) {
        self.init(UnsafeRawBufferPointer(bytes), .memory)
    }

    /// Borrows `bytes`, which are a part of `whole`.
    convenience init(_ bytes: UnsafeRawBufferPointer, in whole: ArchiveStorage) {
        self.init(bytes, .part(whole))
    }

    /// No bytes.
    static let none = ArchiveStorage(Data())

    deinit {
        switch owner {
        case .data, .part, .pages: break
        case .memory: bytes.baseAddress.map { Platform.release(UnsafeMutableRawPointer(mutating: $0)) }
        }
    }

    private static let inlineLimit = 64

    private static func copy(_ data: Data) -> UnsafeRawBufferPointer {
        let memory = Platform.reallocate(nil, byteCount: max(data.count, 1))
        data.withUnsafeBytes { source in
            if let base = source.baseAddress { memory.copyMemory(from: base, byteCount: source.count) }
        }
        return UnsafeRawBufferPointer(start: memory, count: data.count)
    }
}

// MARK: - Files

extension ArchiveStorage {
    /// Files up to this many bytes are read at once: to load them page by page pays for larger ones only.
    private static let pagingFloor = 1 << 20

    /// What is in the file at `url`: read where it is small or no binary property list, otherwise loaded page by page, so
    /// that only what is looked at is read.
    ///
    /// What others do to the file meanwhile is no danger: see `PagedFile`.
    ///
    /// - Throws: What the file system reports.
    convenience init(contentsOf url: URL) throws {
        if url.isFileURL, let pages = PagedFile(url.path, ifLargerThan: Self.pagingFloor),
            pages.load(0, BinaryFormat.headerSize), BinaryPropertyListReader.hasHeader(pages.bytes)
        {
            self.init(pages.bytes, .pages(pages))
        } else {
            self.init(try Data(contentsOf: url))
        }
    }

    /// What loads the bytes, where they are loaded page by page.
    var pages: PagedFile? {
        if case .pages(let pages) = owner { return pages }
        return nil
    }
}

extension ArchiveStorage {
    /// Copies the bytes in `range`, which there are, behind what `writer` has written.
    func copy(_ range: Range<Int>, to writer: inout ChunkedOutput) throws(FileReplacement.Failure) {
        // The system needs a call for each range. Short ones are copied faster here.
        guard let pages, range.count > 1 << 15 else {
            guard pages?.load(range.lowerBound, range.upperBound) ?? true else { throw .unreadable }
            return try writer.write(UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
        try writer.write(range.count) { output throws(FileReplacement.Failure) in try pages.copy(range, to: output) }
    }
}

// MARK: - Data

extension ArchiveStorage {
    /// The bytes as data, which are not copied. Those of a file have to be loaded before.
    var bytesAsData: Data {
        if case .data(let data) = owner { return data }
        guard let base = bytes.baseAddress else { return Data() }
        return Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: bytes.count,
            deallocator: .custom { [self] _, _ in withExtendedLifetime(self) {} })
    }
}

extension Data {
    /// Takes over memory that came from `Platform`.
    init(owning bytes: UnsafeMutableRawBufferPointer) {
        guard let base = bytes.baseAddress else {
            self.init()
            return
        }
        self.init(bytesNoCopy: base, count: bytes.count, deallocator: .free)
    }
}
