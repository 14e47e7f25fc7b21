// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The facts that distinguish the contents of an archive's file from others.
///
/// A file with the same number, size and time has the same contents. Of any other file, such as a copy, a digest of the whole
/// contents decides.
struct ArchiveIdentity: Sendable {
    /// The size, seconds and nanoseconds of the time, device, number of the file, checksum, and the bytes that it excludes.
    let numbers: [UInt64]

    static let count = 7

    /// Reads the identity at `offset` of `bytes`; nil if they end before.
    init?(_ bytes: StoredBytes, at offset: Int) {
        guard bytes.count - offset >= 8 * Self.count else { return nil }
        numbers = (0..<Self.count).map { bytes.number(at: offset + 8 * $0, size: 8) }
    }

    /// The identity of `file`.
    ///
    /// - Throws: `ArchiveDocumentError` if another program has changed the file.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    init(_ file: OpenedFile) throws {
        numbers = Self.facts(file) + (try Self.digest(file))
    }

    private static func facts(_ file: OpenedFile) -> [UInt64] {
        let identity = file.identity
        return [
            UInt64(bitPattern: identity.byteCount), UInt64(bitPattern: identity.seconds),
            UInt64(bitPattern: identity.nanoseconds), identity.device, identity.number,
        ]
    }

    private static func digest(_ file: OpenedFile) throws -> [UInt64] {
        guard let digest = file.digest() else { throw ArchiveDocumentError(.fileChanged) }
        return [digest.checksum, digest.excluded]
    }

    /// Returns whether the contents are those of `file`.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes, if another file of the same size has to be read.
    func matches(_ file: OpenedFile) throws -> Bool {
        let facts = Self.facts(file)
        guard numbers.first == facts.first else { return false }
        return try numbers.starts(with: facts) || numbers.suffix(2).elementsEqual(Self.digest(file))
    }
}
