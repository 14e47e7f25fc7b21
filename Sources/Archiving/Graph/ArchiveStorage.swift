#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The bytes of an archive, held in place for as long as somebody reads them.
///
/// A reader keeps addresses into the bytes between calls. That is sound because the storage holds what they lie in: a
/// `Data`, memory, or a file that is mapped. A `Data` that others change after it was given here is copied by them first.
final class ArchiveStorage: @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer
    private let owner: Owner

    /// What the bytes lie in.
    private enum Owner {
        case data(Data)
        /// Memory that came from `Platform`.
        case memory
        /// A file that `Platform` has mapped.
        case mapping
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
        case .data, .part: break
        case .memory: bytes.baseAddress.map { Platform.release(UnsafeMutableRawPointer(mutating: $0)) }
        case .mapping: Platform.unmap(bytes)
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
    /// Files up to this many bytes are read at once: mapping pays for larger ones only.
    private static let mappingFloor = 1 << 20

    /// What is in the file at `url`: read where it is small, otherwise mapped, so that only what is looked at is read.
    ///
    /// A file that another program makes shorter while it is mapped ends this one as soon as what is gone is read. Programs
    /// that replace files, as this library does, never do that.
    ///
    /// - Parameter access: How it is going to be read.
    /// - Throws: What the file system reports.
    convenience init(contentsOf url: URL, _ access: Platform.Access = .normal) throws {
        if url.isFileURL, let mapped = Platform.map(url.path, ifLargerThan: Self.mappingFloor, access) {
            self.init(mapped, .mapping)
        } else {
            self.init(try Data(contentsOf: url, options: .mappedIfSafe))
        }
    }

    /// Says how the bytes are going to be read from here on.
    func expect(_ access: Platform.Access) {
        if case .mapping = owner { Platform.advise(access, for: bytes) }
    }
}

// MARK: - Data

extension ArchiveStorage {
    /// The bytes as data, which are not copied.
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
