// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The checksum that an archive gets.
///
/// ```swift
/// var encoder = ArchiveEncoder()
/// encoder.checksum = .crc64
/// let data = try encoder.encode(farm)
/// ```
///
/// It finds damage, such as a flipped bit of a disk or the missing end of a copied file. It is no protection against a person
/// who changes an archive, and who can compute it too: sign an archive for that.
public enum ArchiveChecksum: Hashable, Sendable {
    /// None, as in the archives of Cocoa.
    case none
    /// The CRC-64 of the whole archive, under the key "$crc64" of `$top`. Unarchivers ignore it, because they read only the keys
    /// that a program requests. The archive gets two objects of 16 bytes and their references. It finds each error of up to 64
    /// adjacent bits, and one in 2⁶⁴ others is not found.
    ///
    /// Only a binary archive can have it: an encoder of XML archives throws an error.
    case crc64

    /// The requirement of a decoder for the checksum of an archive.
    public enum Policy: Hashable, Sendable {
        /// A checksum must match; an archive may have none.
        case ifPresent
        /// The archive must have a checksum, and it must match.
        case required
        /// A checksum is not computed.
        case ignored
    }
}

// MARK: - Verification

extension ArchiveChecksum.Policy {
    /// Checks the archive in `storage`.
    ///
    /// - Throws: `KeyedArchiveError` if the checksum does not match, or is required and absent.
    @inline(__always)
    func check(_ storage: ArchiveStorage) throws(KeyedArchiveError) {
        if self == .ifPresent, storage.pages == nil, !StoredChecksum.isPresent(in: storage.bytes) { return }
        try checkPresent(storage)
    }

    @inline(never)
    private func checkPresent(_ storage: ArchiveStorage) throws(KeyedArchiveError) {
        guard self != .ignored else { return }
        switch ArchiveChecksum.State(of: storage) {
        case .none: if self == .required { throw KeyedArchiveError(.noChecksum) }
        case .matches: break
        case .differs(let stored, let computed): throw KeyedArchiveError(.checksum(stored: stored, computed: computed))
        case .unreadable: throw KeyedArchiveError(PropertyListError(.truncated, at: storage.bytes.count))
        }
    }
}

extension ArchiveChecksum {
    package enum State: Equatable, Sendable {
        case none
        case matches(UInt64)
        case differs(stored: UInt64, computed: UInt64)
        case unreadable

        init(of storage: ArchiveStorage) {
            let bytes = storage.bytes
            guard bytes.count >= StoredChecksum.objects.upperBound else {
                self = .none
                return
            }
            guard storage.pages?.load(0, StoredChecksum.objects.upperBound) ?? true else {
                self = .unreadable
                return
            }
            guard StoredChecksum.isPresent(in: bytes) else {
                self = .none
                return
            }
            let stored = StoredChecksum.stored(in: bytes)
            guard let computed = storage.pages.map({ $0.checksum() }) ?? StoredChecksum.computed(for: bytes) else {
                self = .unreadable
                return
            }
            self = stored == computed ? .matches(stored) : .differs(stored: stored, computed: computed)
        }
    }
}

extension KeyedArchive {
    /// The checksum of the archive in comparison with its contents.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes, if there is a checksum.
    package var checksumState: ArchiveChecksum.State {
        format == .binary ? ArchiveChecksum.State(of: source.stored.storage) : .none
    }
}

extension PagedFile {
    /// Returns the checksum of all pages, which are not kept in memory for it; nil if they cannot be read.
    fileprivate func checksum() -> UInt64? {
        guard !isEdited, !isComplete else { return loadAll() ? StoredChecksum.computed(for: bytes) : nil }
        return file.checksum()
    }
}

extension OpenedFile {
    /// Returns a digest of the whole file: its checksum, and the bytes that the checksum counts as zeros. Nil if the file cannot
    /// be read, or another program has changed it.
    ///
    /// The bytes are not added to the sum: that of a file followed by itself is a constant.
    package func digest() -> (checksum: UInt64, excluded: UInt64)? {
        let head = OwnedMemory(byteCount: StoredChecksum.place.upperBound)
        guard let count = Int(exactly: identity.byteCount), read(0..<min(head.count, count), into: head),
            let checksum = checksum()
        else { return nil }
        return (checksum, StoredChecksum.stored(in: StoredBytes(head)))
    }

    /// Returns the checksum of the file; nil if it cannot be read, or another program has changed it.
    func checksum() -> UInt64? {
        guard let end = Int(exactly: identity.byteCount) else { return nil }
        let buffer = OwnedMemory(byteCount: min(1 << 18, end))
        var sum = Checksum()
        var position = 0
        while position < end {
            let range = 0..<min(buffer.count, end - position)
            var filled = 0
            while filled < range.upperBound {
                let rest = filled..<range.upperBound
                guard let count = try? Platform.readFile(file, at: position + filled, into: buffer, rest), count > 0
                else { return nil }
                filled += count
            }
            StoredChecksum.add(StoredBytes(buffer).part(range), at: position, to: &sum)
            position += filled
        }
        return isUnchanged ? sum.value : nil
    }
}

extension ArchiveContents {
    package var checksumObjects: (key: Int, value: Int)? {
        guard StoredChecksum.hasPlace(list.bytes),
            let place = (try? index(of: StoredChecksum.key, in: top)) ?? nil
        else { return nil }
        let key = list.reference(place, in: top.payload)
        let value = list.reference(top.count + place, in: top.payload)
        guard (try? list.offset(of: key)) == StoredChecksum.objects.lowerBound,
            (try? list.offset(of: value)) == StoredChecksum.objects.lowerBound + StoredChecksum.keySize
        else { return nil }
        return (key, value)
    }
}
