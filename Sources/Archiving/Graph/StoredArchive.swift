/// A keyed archive: its bytes, and what is known of them before anything is decoded.
struct StoredArchive: Sendable {
    /// Keeps the bytes of `contents`, which are a binary property list.
    let storage: ArchiveStorage
    let contents: ArchiveContents

    /// Opens an archive in either format. An XML archive is turned into the binary form first.
    ///
    /// - Throws: Where the bytes are no property list, or one that is no keyed archive.
    init(_ storage: ArchiveStorage) throws(KeyedArchiveError) {
        do throws(PropertyListError) {
            switch PropertyListFormat(detectedIn: storage.bytes) {
            case .xml:
                self.storage = ArchiveStorage(owning: try XMLPropertyListReader.binary(from: storage.bytes))
            default: self.storage = storage
            }
        } catch {
            throw KeyedArchiveError(error)
        }
        contents = try ArchiveContents(self.storage.bytes, pages: self.storage.pages)
    }

    private init() {
        storage = .none
        contents = .none
    }

    /// An archive without objects, for a reader that has none.
    static let none = StoredArchive()
}
