// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import ExampleCommandLine

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A creature: a folder with a small archive and image files.
///
/// Creating a creature reads nothing. The archive is read once, on the first access to its data. An image is read only when it is
/// requested, which is why images are separate files and not data in the archive.
final class Creature {
    /// The images of a creature.
    enum ImageSize: String, CaseIterable {
        case full
        case thumbnail
    }

    let number: Int
    let folder: URL
    private var knownData: CreatureData?

    /// Creates the creature in `folder`.
    init(number: Int, folder: URL) {
        self.number = number
        self.folder = folder
    }

    // MARK: Data

    private var dataFile: URL { folder.appending(path: "data.plist") }

    /// The data of the creature, read on first access.
    ///
    /// - Throws: `UnreadableCreature` if the file is damaged, `CreatureError.old` if it needs a migration, and the errors of the
    ///   file system.
    var data: CreatureData {
        get throws {
            if let knownData { return knownData }
            if try form == .monsters { throw CreatureError.old(number) }
            let data = try reading { try ArchiveDecoder().decode(CreatureData.self, from: dataFile) }
            knownData = data
            return data
        }
    }

    /// Saves new data. The file is replaced as a whole: other programs read either the old data or the new.
    func save(_ data: CreatureData) throws {
        try data.write(to: folder)
        knownData = data
    }

    /// Adds the name of the file to errors.
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

    /// Returns the file of an image without reading it; nil if it does not exist.
    func imageFile(_ size: ImageSize) throws -> URL? {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .first { $0.hasPrefix("\(size.rawValue).") }
            .map { folder.appending(path: $0) }
    }
}

extension CreatureData {
    /// Writes the data to a file in `folder`.
    func write(to folder: URL) throws {
        var encoder = ArchiveEncoder()
        // The file is small, and XML is readable.
        encoder.outputFormat = .xml
        try encoder.encode(self, to: folder.appending(path: "data.plist"))
    }
}

// MARK: - Migration

extension Creature {
    /// The form of the data in the file.
    enum Form: Equatable {
        /// By this program.
        case version(Int)
        /// The form of this program's predecessor, Monsters; see `MonsterData`.
        case monsters
    }

    /// The form of the data, determined without decoding it.
    var form: Form {
        get throws {
            let archive = try reading { try KeyedArchive(contentsOf: dataFile) }
            if let data = archive.top[MonsterData.key], MonsterData.names.contains(data.className ?? "") {
                return .monsters
            }
            return .version(archive.root.class?.versions.first ?? 0)
        }
    }

    /// Rewrites the data if it is in an older form.
    ///
    /// - Returns: Whether the data was rewritten.
    func migrate() throws -> Bool {
        switch try form {
        case .version(let version) where version >= CreatureData.archiveVersion: return false
        case .version: try save(data)
        case .monsters: try save(CreatureData(reading { try MonsterData.read(from: dataFile) }))
        }
        return true
    }
}

/// An error in the use of creatures.
enum CreatureError: Error, Equatable, CustomStringConvertible {
    case notFound(String)
    case noImage(Int)
    case old(Int)
    case badTitle
    case badRating(Double)

    var description: String {
        switch self {
        case .notFound(let number): "There is no creature \(number); `creatures list` shows all creatures"
        case .noImage(let number): "Creature \(number) has no such image"
        case .old(let number):
            "Creature \(number) was saved by Monsters, without secure coding; `creatures migrate` converts it"
        case .badTitle: "The title is neither a text nor a number"
        case .badRating(let rating): "The rating \(rating) is not from 0 to 10"
        }
    }
}

/// An unreadable file of a creature, which has not been changed.
struct UnreadableCreature: Error, CustomStringConvertible {
    let file: URL
    let reason: any Error

    var description: String { "\(file.path) cannot be read: \(sentence(for: reason))" }
}
