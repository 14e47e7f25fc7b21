/// A keyed archive: its bytes, and what is known of them before anything is decoded.
struct StoredArchive: Sendable {
    /// Keeps the bytes of `contents`, which are a binary property list.
    let storage: ArchiveStorage
    private let opened: ArchiveContents

    /// What is in the archive. Contents of a file that is loaded page by page say of each object that it has to be loaded,
    /// until all are.
    var contents: ArchiveContents {
        guard let pages = storage.pages, pages.isComplete else { return opened }
        return opened.present
    }

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
        opened = try ArchiveContents(self.storage.bytes, pages: self.storage.pages)
    }

    /// The archive in `storage`, which has been opened before.
    init(_ storage: ArchiveStorage, _ contents: ArchiveContents) {
        self.storage = storage
        opened = contents.unmetered
    }

    private init() {
        storage = .none
        opened = .none
    }

    /// An archive without objects, for a reader that has none.
    static let none = StoredArchive()
}
