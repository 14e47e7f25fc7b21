// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A keyed archive: its bytes, and its checked root.
package struct StoredArchive: Sendable {
    /// The owner of the bytes of `contents`, a binary property list.
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
        do throws(PropertyListError) {
            return ArchiveStorage(try XMLPropertyListReader.binary(from: storage.bytes))
        } catch {
            throw KeyedArchiveError(error)
        }
    }

    /// Creates an archive from `storage` and its `contents`, which were opened before.
    init(_ storage: ArchiveStorage, _ contents: ArchiveContents) {
        self.storage = storage
        opened = contents.unmetered
    }

    private init() {
        storage = .none
        opened = .none
    }

    /// An archive without objects, for a reader without an archive.
    static let none = StoredArchive()
}
