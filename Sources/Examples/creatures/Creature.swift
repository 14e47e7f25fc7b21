import Archiving
import ExampleCommandLine

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A creature: a folder with a small archive and its images beside it.
///
/// To have a creature reads nothing. The archive is read when somebody asks for its data, once; an image is only read when
/// somebody asks for the image. That is why the images are files of their own, and not data in the archive.
final class Creature {
    /// The images that a creature may have.
    enum ImageSize: String, CaseIterable {
        case full
        case thumbnail
    }

    let number: Int
    let folder: URL
    private var knownData: CreatureData?

    /// The creature in `folder`.
    init(number: Int, folder: URL) {
        self.number = number
        self.folder = folder
    }

    // MARK: Data

    private var dataFile: URL { folder.appending(path: "data.plist") }

    /// What is known of the creature, read when it is asked for first.
    ///
    /// - Throws: `UnreadableCreature` where the file is damaged, `CreatureError.old` where only a migration reads it, and what
    ///   the file system reports.
    var data: CreatureData {
        get throws {
            if let knownData { return knownData }
            if try form == .monsters { throw CreatureError.old(number) }
            let data = try reading { try ArchiveDecoder().decode(CreatureData.self, from: dataFile) }
            knownData = data
            return data
        }
    }

    /// Writes new data. The file is replaced as a whole: whoever reads it finds the old data or the new.
    func save(_ data: CreatureData) throws {
        try data.write(to: folder)
        knownData = data
    }

    /// Lets errors in the file, which do not know where it is, say so.
    private func reading<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as CocoaError {
            throw error
        } catch {
            throw UnreadableCreature(file: dataFile, reason: error)
        }
    }

    // MARK: Images

    /// The file of an image; nil where there is none. The image is not read.
    func imageFile(_ size: ImageSize) throws -> URL? {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .first { $0.hasPrefix("\(size.rawValue).") }
            .map { folder.appending(path: $0) }
    }
}

extension CreatureData {
    /// Writes the data into the file of its name in `folder`.
    func write(to folder: URL) throws {
        var encoder = ArchiveEncoder()
        // The file is small, and people can read it so.
        encoder.outputFormat = .xml
        try encoder.encode(self, to: folder.appending(path: "data.plist"))
    }
}

// MARK: - Migration

extension Creature {
    /// How the data is written in the file.
    enum Form: Equatable {
        /// By this program.
        case version(Int)
        /// By its predecessor, Monsters; see `MonsterData`.
        case monsters
    }

    /// How the data is written. It is looked at, and nothing of it is decoded.
    var form: Form {
        get throws {
            let archive = try reading { try KeyedArchive(contentsOf: dataFile) }
            if let data = archive.top[MonsterData.key], MonsterData.names.contains(data.className ?? "") {
                return .monsters
            }
            return .version(archive.root.class?.versions.first ?? 0)
        }
    }

    /// Writes the data anew if it is in an older form.
    ///
    /// - Returns: Whether it was.
    func migrate() throws -> Bool {
        switch try form {
        case .version(let version) where version >= CreatureData.archiveVersion: return false
        case .version: try save(data)
        case .monsters: try save(CreatureData(reading { try MonsterData.read(from: dataFile) }))
        }
        return true
    }
}

/// What can be wrong with creatures.
enum CreatureError: Error, Equatable, CustomStringConvertible {
    case notFound(String)
    case noImage(Int)
    case old(Int)
    case badTitle
    case badRating(Double)

    var description: String {
        switch self {
        case .notFound(let number): "There is no creature \(number); `creatures list` shows those that there are"
        case .noImage(let number): "Creature \(number) has no such image"
        case .old(let number):
            "Creature \(number) was saved by Monsters, without secure coding; `creatures migrate` brings it over"
        case .badTitle: "The title is neither a text nor a number"
        case .badRating(let rating): "The rating \(rating) is not one from 0 to 10"
        }
    }
}

/// A creature whose file cannot be read, and stays as it is.
struct UnreadableCreature: Error, CustomStringConvertible {
    let file: URL
    let reason: any Error

    var description: String { "\(file.path) cannot be read: \(sentence(for: reason))" }
}
