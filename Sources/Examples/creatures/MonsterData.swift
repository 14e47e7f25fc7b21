import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A creature as Monsters saved it, the Cocoa program that came before this one.
///
/// Monsters did not use secure coding: what is under "title" was decoded as whatever object is there, and titles such as
/// "1984" are numbers in its files. So the class does not support secure coding, and can only be read without it. That is
/// done here and nowhere else, once for each file, when somebody asks for the migration.
///
/// It is less dangerous than it was in Cocoa, where an archive could name any class of the program, and was given an object
/// of it. Here no class is ever looked up by its name: what can be made is a `MonsterData`, which is asked for, and below
/// it strings, numbers and the like, which this initializer holds against what it expects.
final class MonsterData: Coding {
    static let supportsSecureCoding = false

    /// The key of the data in its file.
    static let key = "Data"
    /// The names of the class: in the files of the first Monsters, and of the one that was written in Swift.
    static let names = ["MonsterData", "Monsters.MonsterData"]

    let title: String
    /// From 0 to 10.
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

    /// Nobody writes this form any more.
    func encode(with coder: KeyedArchiver) throws {
        throw ArchivingOldForm()
    }

    private struct ArchivingOldForm: Error {}

    /// The data in a file of Monsters.
    static func read(from file: URL) throws -> MonsterData {
        let unarchiver = try KeyedUnarchiver(forReadingFrom: file, requiringSecureCoding: false)
        for name in names { unarchiver.classes.register(MonsterData.self, aliases: [name]) }
        let data = try unarchiver.decode(MonsterData.self, forKey: key)
        unarchiver.finishDecoding()
        return data
    }
}

extension CreatureData {
    /// The same creature, as this program keeps it.
    init(_ monster: MonsterData) {
        self.init(title: monster.title, rating: Double(monster.rating) / 2)
    }
}
