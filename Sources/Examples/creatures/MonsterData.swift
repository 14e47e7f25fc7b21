// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A creature in the form of Monsters, the Cocoa program that preceded this one.
///
/// Monsters did not use secure coding: it decoded any object under "title", and titles such as "1984" are numbers in its files.
/// This class therefore does not support secure coding and can only be read without it. Only the migration does that, once for
/// each file.
///
/// The risk is lower than in Cocoa, where an archive could instantiate any class of the program. This library never looks up a
/// class by name. The archive can create only a `MonsterData`, which is requested, and strings, numbers and similar values in it,
/// which this initializer checks.
final class MonsterData: Coding {
    static let supportsSecureCoding = false

    /// The key of the data in its file.
    static let key = "Data"
    /// The names of the class in the files of the first Monsters, and in those of its Swift version.
    static let names = ["MonsterData", "Monsters.MonsterData"]

    let title: String
    /// The rating, from 0 to 10.
    let rating: Float

    init(coder: KeyedUnarchiver) throws {
        switch try coder.decodeObject(forKey: "title") {
        case let text as String: title = text
        case let number as Int: title = "\(number)"
        default: throw CreatureError.badTitle
        }
        rating = try coder.decodeFloat(forKey: "rating")
        guard (0...10).contains(rating) else { throw CreatureError.badRating(Double(rating)) }
    }

    /// This form is no longer written.
    func encode(with coder: KeyedArchiver) throws {
        throw ArchivingOldForm()
    }

    private struct ArchivingOldForm: Error {}

    /// Reads the data in a file of Monsters.
    static func read(from file: URL) throws -> MonsterData {
        let unarchiver = try KeyedUnarchiver(contentsOf: file, requiringSecureCoding: false)
        for name in names { unarchiver.classes.register(MonsterData.self, aliases: [name]) }
        let data = try unarchiver.decode(MonsterData.self, forKey: key)
        unarchiver.finishDecoding()
        return data
    }
}

extension CreatureData {
    /// Converts the data of Monsters.
    init(_ monster: MonsterData) {
        self.init(title: monster.title, rating: Double(monster.rating) / 2)
    }
}
