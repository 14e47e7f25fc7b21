#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The bytes of an archive, held in place for as long as somebody reads them.
///
/// A reader keeps addresses into the bytes between calls. That is sound because the storage holds the `Data` (or the
/// memory) they lie in: a `Data` that others change after it was given here is copied by them first.
final class ArchiveStorage: @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer
    private let data: Data?
    /// The storage that `bytes` are a part of.
    private let whole: ArchiveStorage?

    /// Borrows the bytes of `data`.
    init(_ data: Data) {
        whole = nil
        // Data of a few bytes lies in the value itself and has no address of its own. No archive is that short, but the
        // reader has to be able to say so.
        if data.count <= Self.inlineLimit {
            self.data = nil
            bytes = Self.copy(data)
        } else {
            self.data = data
            bytes = data.withUnsafeBytes { $0 }
        }
    }

    /// Takes over memory that came from `Platform`.
    init(owning bytes: UnsafeMutableRawBufferPointer) {
        data = nil
        whole = nil
        self.bytes = UnsafeRawBufferPointer(bytes)
    }

    /// Borrows `bytes`, which are a part of `whole`.
    init(_ bytes: UnsafeRawBufferPointer, in whole: ArchiveStorage) {
        data = nil
        self.whole = whole
        self.bytes = bytes
    }

    /// The bytes as data, which are copied unless they were borrowed from data that is nothing else.
    var bytesAsData: Data { data ?? Data(bytes) }

    /// No bytes.
    static let none = ArchiveStorage(Data())

    deinit {
        if data == nil, whole == nil, let base = bytes.baseAddress {
            Platform.release(UnsafeMutableRawPointer(mutating: base))
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
