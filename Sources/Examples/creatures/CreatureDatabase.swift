// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// All creatures: the folders "1.creature", "2.creature", … in a folder.
struct CreatureDatabase {
    /// The default folder: `creatures` in the user's folder.
    static let usualFolder = URL.homeDirectory.appending(path: "creatures")

    /// The folder. It is created when the first creature is added.
    let folder: URL

    /// Returns all creatures in the order of their numbers. Only the names of their folders are read.
    func creatures() throws -> [Creature] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .compactMap(Self.number)
            .sorted()
            .map(creature)
    }

    /// Returns the creature with a number.
    func creature(numbered text: String) throws -> Creature {
        guard let number = Int(text), number > 0 else { throw CreatureError.notFound(text) }
        let creature = creature(number)
        guard FileManager.default.fileExists(atPath: creature.folder.path) else { throw CreatureError.notFound(text) }
        return creature
    }

    private func creature(_ number: Int) -> Creature {
        Creature(number: number, folder: folder.appending(path: "\(number).creature"))
    }

    /// Returns the number in the name of a folder; nil for other names.
    private static func number(inName name: String) -> Int? {
        guard let number = name.split(separator: ".").first.flatMap({ Int($0) }), number > 0 else { return nil }
        return name == "\(number).creature" ? number : nil
    }
}

// MARK: - Changes

extension CreatureDatabase {
    /// Adds a creature with copies of its images.
    ///
    /// The creature is created in a folder with a temporary name, which gets the creature's number at the end. Other programs
    /// therefore never see an incomplete creature, even if this program is stopped halfway.
    func add(_ data: CreatureData, images: [Creature.ImageSize: URL]) throws -> Creature {
        let manager = FileManager.default
        let unfinished = folder.appending(path: ".new-\(UUID().uuidString)")
        try manager.createDirectory(at: unfinished, withIntermediateDirectories: true)
        do {
            try data.write(to: unfinished)
            for (size, image) in images {
                let name =
                    image.pathExtension.isEmpty ? "\(size.rawValue).image" : "\(size.rawValue).\(image.pathExtension)"
                try manager.copyItem(at: image, to: unfinished.appending(path: name))
            }
            let creature = creature((try creatures().last?.number ?? 0) + 1)
            try manager.moveItem(at: unfinished, to: creature.folder)
            return creature
        } catch {
            try? manager.removeItem(at: unfinished)
            throw error
        }
    }

    /// Removes a creature and all its files.
    func delete(_ creature: Creature) throws {
        try FileManager.default.removeItem(at: creature.folder)
    }
}
