import Archiving
import Foundation
import Testing

/// A program that keeps each of its objects in a folder with other files.
@Suite("The creature database")
struct CreatureDatabaseTests {
    /// A database in a folder that is there while `body` runs.
    private func withDatabase<Result>(_ body: (CreatureDatabase) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Creatures-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(CreatureDatabase(in: folder))
    }

    private func names(in folder: URL?) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: #require(folder).path).sorted()
    }

    private let full = Data((0..<1000).map { UInt8(truncatingIfNeeded: $0) })
    private let small = Data([0xFF, 0xD8, 0xFF, 0xD9])

    @Test("is empty at first")
    func empty() throws {
        try withDatabase { database throws in
            #expect(try database.creatures().isEmpty)
            #expect(try names(in: database.folder) == [])
        }
    }

    @Test("has a folder for every creature that was saved")
    func folders() throws {
        try withDatabase { database throws in
            let creatures = [("Potato bug", 4.0), ("House centipede", 3), ("Wolf spider", 5)].map {
                database.newCreature(title: $0.0, rating: $0.1)
            }
            #expect(try names(in: database.folder) == [])
            for creature in creatures { try creature.save() }
            #expect(try names(in: database.folder) == ["1.creature", "2.creature", "3.creature"])
            #expect(try names(in: creatures[0].folder) == ["Data.plist"])

            let again = try database.creatures()
            #expect(try again.map { try $0.data.title } == ["Potato bug", "House centipede", "Wolf spider"])
            #expect(try again.map { try $0.data.rating } == [4, 3, 5])
        }
    }

    @Test("orders folders by number, and passes over what is none of its own")
    func order() throws {
        try withDatabase { database throws in
            for number in 1...11 { try database.newCreature(title: "\(number)", rating: 0).save() }
            for name in ["notes.txt", "x.creature", "1.creature.old", ".creature"] {
                try Data().write(to: database.folder.appendingPathComponent(name))
            }
            #expect(try database.creatures().map { try $0.data.title } == (1...11).map { "\($0)" })
        }
    }

    @Test("reads a file when the data is asked for, and once")
    func lazy() throws {
        try withDatabase { database throws in
            try database.newCreature(title: "Wolf spider", rating: 5).save()
            try database.newCreature(title: "Potato bug", rating: 4).save()

            let creatures = try database.creatures()
            #expect(creatures.map(\.loadCount) == [0, 0])
            #expect(try creatures[1].data.title == "Potato bug")
            #expect(creatures.map(\.loadCount) == [0, 1])
            #expect(try creatures[1].data === creatures[1].data)
            #expect(creatures.map(\.loadCount) == [0, 1])
        }
    }

    @Test("saves a change at once, and touches nothing else")
    func changes() throws {
        try withDatabase { database throws in
            try database.newCreature(title: "Wolf spider", rating: 5).save()
            try database.newCreature(title: "Potato bug", rating: 4).save()
            let creatures = try database.creatures()
            let untouched = try Data(contentsOf: #require(creatures[1].folder).appendingPathComponent("Data.plist"))

            try creatures[0].change { data in
                data.title = "Huntsman"
                data.rating = 4.5
            }
            let again = try database.creatures()
            #expect(try again.map { try $0.data.title } == ["Huntsman", "Potato bug"])
            #expect(try again.map { try $0.data.rating } == [4.5, 4])
            #expect(
                try Data(contentsOf: #require(again[1].folder).appendingPathComponent("Data.plist")) == untouched)
            #expect(try names(in: again[0].folder) == ["Data.plist"])
        }
    }

    @Test("writes property lists that people can read")
    func text() throws {
        try withDatabase { database throws in
            let creature = database.newCreature(title: "Wolf spider", rating: 5)
            try creature.save()
            let file = try #require(creature.folder).appendingPathComponent("Data.plist")
            #expect(try String(decoding: Data(contentsOf: file), as: UTF8.self).hasPrefix("<?xml"))
            let archive = try InspectedArchive(Data(contentsOf: file))
            let data = try #require(archive.follow(archive.list["$top"]?["data"]))
            #expect(archive.className(of: data) == "CreatureData")
            #expect(data["rating"] == .real(5))
        }
    }

    @Test("keeps two images beside the data")
    func images() throws {
        try withDatabase { database throws in
            let creature = database.newCreature(title: "Wolf spider", rating: 5)
            #expect(creature.image == nil)
            try creature.setImages(full: full, thumbnail: small)
            #expect(try names(in: creature.folder) == ["Data.plist", "Full.jpg", "Thumbnail.jpg"])

            let again = try database.creatures()[0]
            #expect(again.image == full)
            #expect(again.thumbnail == small)
            // To look at an image is not to read the data.
            #expect(again.loadCount == 0)
        }
    }

    @Test("deletes a folder with everything in it, and gives no number away that is in use")
    func deletion() throws {
        try withDatabase { database throws in
            for title in ["Wolf spider", "Potato bug", "House centipede"] {
                let creature = database.newCreature(title: title, rating: 1)
                try creature.setImages(full: full, thumbnail: small)
            }
            let creatures = try database.creatures()
            try creatures[1].delete()
            #expect(try names(in: database.folder) == ["1.creature", "3.creature"])
            #expect(try database.creatures().map { try $0.data.title } == ["Wolf spider", "House centipede"])
            #expect(throws: CreatureError.deleted) { try creatures[1].data }
            try creatures[1].delete()

            try database.newCreature(title: "Cone snail", rating: 2).save()
            #expect(try names(in: database.folder) == ["1.creature", "3.creature", "4.creature"])
        }
    }

    @Test("tells of one damaged file, and reads the others")
    func damage() throws {
        try withDatabase { database throws in
            for title in ["Wolf spider", "Potato bug"] { try database.newCreature(title: title, rating: 1).save() }
            let file = database.folder.appendingPathComponent("1.creature/Data.plist")
            try Data(contentsOf: file).prefix(100).write(to: file)
            let creatures = try database.creatures()
            #expect(throws: UnarchivingError.self) { try creatures[0].data }
            #expect(try creatures[1].data.title == "Potato bug")
            // What is not read is not written either.
            #expect(throws: UnarchivingError.self) { try creatures[0].change { $0.title = "" } }
            #expect(try Data(contentsOf: file).count == 100)
        }
    }
}

extension CreatureDatabaseTests {
    @Test("tells of a file that was not written to its end, wherever that was")
    func everyLength() throws {
        try withDatabase { database throws in
            try database.newCreature(title: "Wolf spider", rating: 5).save()
            let file = database.folder.appendingPathComponent("1.creature/Data.plist")
            let data = try Data(contentsOf: file)
            // The last line break does not matter.
            let end = try #require(data.lastIndex(of: UInt8(ascii: ">")))
            for length in 0...end {
                try data.prefix(length).write(to: file)
                let creature = try database.creatures()[0]
                #expect(throws: UnarchivingError.self, "after \(length) bytes") { try creature.data }
            }
        }
    }
}

// MARK: - Old folders

/// The class as the program had it when it was called Monsters, before secure coding.
private final class MonsterData: Coding, ArchiveNamed {
    static let archiveName = "Monsters.MonsterData"
    static let supportsSecureCoding = false

    let title: String
    let rating: Float

    init(title: String, rating: Float) {
        self.title = title
        self.rating = rating
    }

    init(coder: KeyedUnarchiver) throws {
        title = try coder.decode(String.self, forKey: "title")
        rating = try coder.decodeFloat(forKey: "rating")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(title, forKey: "title")
        coder.encode(rating, forKey: "rating")
    }
}

extension CreatureDatabaseTests {
    /// Saves a creature as the old program did.
    private func saveOld(_ data: MonsterData, number: Int, in database: CreatureDatabase) throws {
        let folder = database.folder.appendingPathComponent("\(number).creature")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let archiver = KeyedArchiver(requiringSecureCoding: false)
        try archiver.encode(data, forKey: "data")
        try archiver.finishEncoding().write(to: folder.appendingPathComponent("Data.plist"))
    }

    private func className(_ number: Int, in database: CreatureDatabase) throws -> String? {
        let file = database.folder.appendingPathComponent("\(number).creature/Data.plist")
        return try KeyedUnarchiver(forReadingFrom: file).archivedClassName(forKey: "data")
    }

    @Test("reads what was written under an old name and without secure coding")
    func oldFiles() throws {
        try withDatabase { database throws in
            try saveOld(MonsterData(title: "Wolf spider", rating: 4.5), number: 1, in: database)
            let creature = try database.creatures()[0]
            #expect(try creature.data.title == "Wolf spider")
            #expect(try creature.data.rating == 4.5)
            // Reading changes no file.
            #expect(try className(1, in: database) == "Monsters.MonsterData")
            // The next change does.
            try creature.change { $0.rating = 5 }
            #expect(try className(1, in: database) == "CreatureData")
            #expect(try database.creatures()[0].data.rating == 5)
        }
    }

    @Test("migrates all old files, and only those")
    func migration() throws {
        try withDatabase { database throws in
            try saveOld(MonsterData(title: "Wolf spider", rating: 4.5), number: 1, in: database)
            try database.newCreature(title: "Potato bug", rating: 4).save()
            try saveOld(MonsterData(title: "Cone snail", rating: 0.25), number: 7, in: database)
            let new = try Data(contentsOf: database.folder.appendingPathComponent("2.creature/Data.plist"))

            #expect(try database.migrate() == 2)
            for number in [1, 2, 7] { #expect(try className(number, in: database) == "CreatureData") }
            #expect(try Data(contentsOf: database.folder.appendingPathComponent("2.creature/Data.plist")) == new)
            let creatures = try database.creatures()
            #expect(try creatures.map { try $0.data.title } == ["Wolf spider", "Potato bug", "Cone snail"])
            #expect(try creatures.map { try $0.data.rating } == [4.5, 4, 0.25])
            #expect(try database.migrate() == 0)
        }
    }

    @Test("had a class that secure coding neither writes nor reads")
    func oldProgram() throws {
        let monster = MonsterData(title: "Wolf spider", rating: 4.5)
        let refused = #expect(throws: ArchivingError.self) {
            try KeyedArchiver.archivedData(withRootObject: monster)
        }
        #expect(refused?.code == .notSecure)

        let data = try KeyedArchiver.archivedData(withRootObject: monster, requiringSecureCoding: false)
        let unread = #expect(throws: UnarchivingError.self) {
            try KeyedUnarchiver.unarchivedObject(of: MonsterData.self, from: data)
        }
        #expect(unread?.code == .notSecure)
        let coder = try KeyedUnarchiver(forReadingFrom: data, requiringSecureCoding: false)
        #expect(try coder.decode(MonsterData.self, forKey: "root").rating == 4.5)
    }

    @Test("refuses the file of something else")
    func otherClass() throws {
        try withDatabase { database throws in
            try saveOld(MonsterData(title: "Wolf spider", rating: 4.5), number: 1, in: database)
            let file = database.folder.appendingPathComponent("1.creature/Data.plist")
            let archiver = KeyedArchiver()
            try archiver.encode(ItemStore.Item(name: "Bear", valueInDollars: 1), forKey: "data")
            try archiver.finishEncoding().write(to: file)
            let creature = try database.creatures()[0]
            #expect(throws: UnarchivingError.self) { try creature.data }
        }
    }
}
