import Archiving
import Foundation

/// What is known of a creature.
///
/// The program was called Monsters once, and its class MonsterData; the files that it wrote are still there.
final class CreatureData: Coding, ArchiveNamed {
    static let archiveName = "CreatureData"
    static let archiveAliases = ["Monsters.MonsterData"]

    var title: String
    var rating: Double

    init(title: String, rating: Double) {
        self.title = title
        self.rating = rating
    }

    init(coder: KeyedUnarchiver) throws {
        title = try coder.decode(String.self, forKey: "title")
        rating = try coder.decodeDouble(forKey: "rating")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(title, forKey: "title")
        coder.encode(rating, forKey: "rating")
    }
}

// MARK: - Folders

/// A creature: a folder of its own, with a file for its data and one for each of its two images.
///
/// Nothing is read before somebody asks for it, so that a list of many creatures is there at once.
final class Creature {
    /// The names of the files in a folder.
    enum FileName {
        static let data = "Data.plist"
        static let image = "Full.jpg"
        static let thumbnail = "Thumbnail.jpg"
    }

    /// Nil for one that was never saved, or was deleted.
    private(set) var folder: URL?
    /// How often the data was read from its file.
    private(set) var loadCount = 0
    private var known: CreatureData?
    private unowned let database: CreatureDatabase

    /// The creature that is in `folder`.
    fileprivate init(in folder: URL, of database: CreatureDatabase) {
        self.folder = folder
        self.database = database
    }

    /// A creature that is nowhere yet.
    fileprivate init(_ data: CreatureData, of database: CreatureDatabase) {
        known = data
        self.database = database
    }
}

extension Creature {
    /// The key of the data in its file.
    private static let dataKey = "data"

    private var dataFile: URL? { folder?.appendingPathComponent(FileName.data) }

    /// The data, which is read when it is asked for first.
    ///
    /// - Throws: What is wrong with the file.
    var data: CreatureData {
        get throws {
            if let known { return known }
            guard let dataFile else { throw CreatureError.deleted }
            let coder = try KeyedUnarchiver(forReadingFrom: dataFile)
            let data = try coder.decode(CreatureData.self, forKey: Self.dataKey)
            coder.finishDecoding()
            known = data
            loadCount += 1
            return data
        }
    }

    /// Changes the data, and saves it.
    func change(_ body: (CreatureData) -> Void) throws {
        body(try data)
        try save()
    }

    /// Writes the data into its file. Gives the creature a folder where it has none.
    func save() throws {
        let data = try data
        let archiver = KeyedArchiver()
        archiver.outputFormat = .xml
        try archiver.encode(data, forKey: Self.dataKey)
        let bytes = try archiver.finishEncoding()
        if folder == nil { folder = try database.newFolder() }
        if let dataFile { try bytes.write(to: dataFile, options: .atomic) }
    }

    /// Removes the folder with everything in it.
    func delete() throws {
        guard let folder else { return }
        try FileManager.default.removeItem(at: folder)
        self.folder = nil
        known = nil
    }
}

// MARK: - Images

extension Creature {
    /// The large image; nil where there is none.
    var image: Data? { folder.flatMap { try? Data(contentsOf: $0.appendingPathComponent(FileName.image)) } }

    /// The small image; nil where there is none.
    var thumbnail: Data? { folder.flatMap { try? Data(contentsOf: $0.appendingPathComponent(FileName.thumbnail)) } }

    /// Keeps both images. Gives the creature a folder where it has none.
    func setImages(full: Data, thumbnail: Data) throws {
        if folder == nil { try save() }
        guard let folder else { return }
        try full.write(to: folder.appendingPathComponent(FileName.image), options: .atomic)
        try thumbnail.write(to: folder.appendingPathComponent(FileName.thumbnail), options: .atomic)
    }
}

/// Why a creature cannot be read.
enum CreatureError: Error, Equatable {
    case deleted
}

// MARK: - The database

/// The folders of all creatures: "1.creature", "2.creature", …
final class CreatureDatabase {
    static let folderExtension = "creature"

    let folder: URL

    /// The database in `folder`, which is made where it is not there yet.
    init(in folder: URL) throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// A creature that is in the database from the first time on that it is saved.
    func newCreature(title: String, rating: Double) -> Creature {
        Creature(CreatureData(title: title, rating: rating), of: self)
    }

    /// All creatures by their numbers. Their data is not read.
    func creatures() throws -> [Creature] {
        try numbers().map { Creature(in: folder(number: $0), of: self) }
    }

    private func numbers() throws -> [Int] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).compactMap { name in
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count == 2 && parts[1] == Self.folderExtension ? Int(parts[0]) : nil
        }.sorted()
    }

    private func folder(number: Int) -> URL {
        folder.appendingPathComponent("\(number).\(Self.folderExtension)")
    }

    /// An empty folder with the number behind the highest.
    fileprivate func newFolder() throws -> URL {
        let folder = folder(number: (try numbers().last ?? 0) + 1)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        return folder
    }

    /// Writes the data of every creature anew that stands in its file under an old name, and leaves the others alone.
    ///
    /// - Returns: How many were written.
    func migrate() throws -> Int {
        var count = 0
        for creature in try creatures() where try creature.isOfOldClass {
            try creature.save()
            count += 1
        }
        return count
    }
}

extension Creature {
    /// Whether the data's class is not written by this name any more.
    fileprivate var isOfOldClass: Bool {
        get throws {
            guard let dataFile else { return false }
            let name = try KeyedUnarchiver(forReadingFrom: dataFile).archivedClassName(forKey: Self.dataKey)
            return name != CreatureData.archiveName
        }
    }
}
