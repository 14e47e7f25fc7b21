import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The bytes of an archive, at a fixed address for the lifetime of the storage.
///
/// A reader keeps addresses into the bytes between calls. This is safe because the storage retains the owner of the bytes: a
/// `Data`, memory, or a file that is loaded page by page. If a program mutates its copy of the `Data`, copy-on-write gives that
/// copy new bytes.
final class ArchiveStorage: @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer
    private let owner: Owner
    /// The names in all class entries of the archive; `nil` until they are requested.
    private let knownClassNames = Mutex<Set<String>?>(nil)

    /// The owner of the bytes.
    private enum Owner {
        case data(Data)
        /// Memory that `Platform` allocated.
        case memory
        /// A file that is loaded page by page.
        case pages(PagedFile)
        /// Another storage, of which the bytes are a part.
        case part(ArchiveStorage)
    }

    private init(_ bytes: UnsafeRawBufferPointer, _ owner: Owner) {
        self.bytes = bytes
        self.owner = owner
    }

    /// Borrows the bytes of `data`.
    convenience init(_ data: Data) {
        // Data of a few bytes is stored inline and has no address of its own. No archive is that short, but the reader must be
        // able to report this.
        let bytes = data.withUnsafeBytes { $0 }
        if bytes.count <= Self.inlineLimit {
            self.init(Self.copy(data), .memory)
        } else {
            self.init(bytes, .data(data))
        }
    }

    /// Takes ownership of memory that `Platform` allocated.
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

// MARK: - Names of classes

extension ArchiveStorage {
    /// Returns the names in all class entries of the archive in the bytes, which `find` determines at the first call. All decoders of
    /// its parts share them.
    func classNames(_ find: () -> Set<String>) -> Set<String> {
        knownClassNames.withLock { known in
            let names = known ?? find()
            known = names
            return names
        }
    }
}

// MARK: - Files

extension ArchiveStorage {
    /// The maximum size of a file that is read at once. Page-by-page loading saves time only for larger files.
    private static let pagingFloor = 1 << 20

    /// The number of attempts to read a small file that other programs are changing.
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
                self.init(try Data(contentsOf: url))
                return
            }
            if let (bytes, owner) = Self.contents(of: file) {
                self.init(bytes, owner)
                return
            }
        }
        throw CocoaError(.fileReadUnknown, userInfo: ["NSURL": url, "NSFilePath": url.path])
    }

    /// Opens `file`, which no program changes meanwhile; nil otherwise.
    convenience init?(_ file: OpenedFile) {
        guard let (bytes, owner) = Self.contents(of: file) else { return nil }
        self.init(bytes, owner)
    }

    private static func contents(of file: OpenedFile) -> (UnsafeRawBufferPointer, Owner)? {
        guard file.identity.byteCount > pagingFloor else {
            return file.contents().map { (UnsafeRawBufferPointer($0), .memory) }
        }
        guard let pages = PagedFile(file), pages.load(0, BinaryFormat.headerSize),
            BinaryPropertyListReader.hasHeader(pages.bytes) || pages.loadAll()
        else { return nil }
        return (pages.bytes, .pages(pages))
    }

    /// The file that loads the bytes page by page; `nil` for other storage.
    var pages: PagedFile? {
        if case .pages(let pages) = owner { return pages }
        return nil
    }
}

extension ArchiveStorage {
    /// Copies the bytes in `range`, which must be in bounds, to the end of the output of `writer`.
    func copy(_ range: Range<Int>, to writer: inout ChunkedOutput) throws(FileReplacement.Failure) {
        // The system copies each range with a call. Copying short ranges here is faster.
        guard let pages, range.count > 1 << 15 else {
            guard pages?.load(range.lowerBound, range.upperBound) ?? true else { throw .unreadable }
            return try writer.write(UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
        try writer.write(range.count) { output throws(FileReplacement.Failure) in try pages.copy(range, to: output) }
    }
}

// MARK: - Data

extension ArchiveStorage {
    /// The bytes as data, without a copy. The pages of a file must be loaded before.
    var bytesAsData: Data {
        if case .data(let data) = owner { return data }
        guard let base = bytes.baseAddress else { return Data() }
        return Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: bytes.count,
            deallocator: .custom { [self] _, _ in withExtendedLifetime(self) {} })
    }
}

extension Data {
    /// Takes ownership of memory that `Platform` allocated.
    init(owning bytes: UnsafeMutableRawBufferPointer) {
        guard let base = bytes.baseAddress else {
            self.init()
            return
        }
        self.init(bytesNoCopy: base, count: bytes.count, deallocator: .free)
    }
}
