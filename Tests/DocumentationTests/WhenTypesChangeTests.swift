import Archiving
import Foundation
import TestSupport
import Testing

private struct Contact: Codable, ArchiveMigrating {
    static let archiveName = "Contact"
    static let archiveVersion = 3
    static let archiveMigrations: [ArchiveMigration] = [
        // 1 to 2: the name is split in two.
        .from(1) { fields in
            let words = try fields.decode(String.self, forKey: "name").split(separator: " ").map(String.init)
            fields.remove("name")
            fields.set(words.dropLast().joined(separator: " "), forKey: "givenName")
            fields.set(words.last ?? "", forKey: "familyName")
        },
        // 2 to 3: centimetres become metres.
        .from(2) { fields in
            let height = try fields.decodeIfPresent(Double.self, forKey: "height")
            fields.set(height.map { $0 / 100 }, forKey: "height")
        },
    ]

    var givenName: String
    var familyName: String
    var height: Double?
}

private final class Tag: Codable, ArchiveDescribing {
    static let archiveName = "Tag"
    var text: String
    init(text: String) { self.text = text }
}

/// Types as they were.
private enum First {
    struct Contact: Codable, ArchiveDescribing {
        static let archiveName = "Contact"
        static let archiveVersion = 1
        var name = "Ada King Lovelace"
    }

    struct Tag: Codable, ArchiveDescribing {
        static let archiveName = "Tag"
        var text: String
    }

    struct Recording: Codable {
        var rate = 44_100
        var samples: [Float] = [0.5]
    }
}

private enum Second {
    struct Contact: Codable, ArchiveDescribing {
        static let archiveName = "Contact"
        static let archiveVersion = 2
        var givenName = "Ada"
        var familyName = "Lovelace"
        var height: Double?
    }
}

/// A type as it will be.
private enum Fourth {
    struct Contact: Codable, ArchiveDescribing {
        static let archiveName = "Contact"
        static let archiveVersion = 4
        var givenName = "Ada"
        var familyName = "Lovelace"
    }
}

private class Animal: Codable {
    var name = "Rex"
}

/// The superclass that `Dog` did not have.
private class Pet: Animal {
    private(set) var owner = "nobody"

    private enum PetKeys: CodingKey { case owner }

    override init() { super.init() }

    required init(from decoder: any Decoder) throws {
        owner = try decoder.container(keyedBy: PetKeys.self).decodeIfPresent(String.self, forKey: .owner) ?? "nobody"
        try super.init(from: decoder)
    }
}

private final class Dog: Pet {}

private final class OldDog: Animal {}

/// The code of the article on types that change, as far as it is new there, and what else it says.
@Suite(.inTurn)
struct `The article on types that change` {
    private func contact(_ value: some Encodable) throws -> Contact {
        try ArchiveDecoder().decode(Contact.self, from: ArchiveEncoder().encode(value))
    }

    @Test func `takes every version to the current one`() throws {
        let first = try contact(First.Contact())
        #expect(first.givenName == "Ada King" && first.familyName == "Lovelace" && first.height == nil)
        let second = try contact(Second.Contact(height: 150))
        #expect(second.givenName == "Ada" && second.height == 1.5)
        #expect(try contact(Second.Contact()).height == nil)
        #expect(try contact(second).height == 1.5)
        #expect(throws: DecodingError.self) { try contact(Fourth.Contact()) }
    }

    @Test func `makes a class of a struct, and a struct of a class`() throws {
        let old = First.Tag(text: "a")
        let tags = try ArchiveDecoder().decode([Tag].self, from: ArchiveEncoder().encode([old, old]))
        #expect(tags.map(\.text) == ["a", "a"] && tags[0] !== tags[1])
        let back = try ArchiveDecoder().decode([First.Tag].self, from: ArchiveEncoder().encode([tags[0], tags[0]]))
        #expect(back.map(\.text) == ["a", "a"])
    }

    @Test func `reads a number as a wider one`() throws {
        struct Recording: Codable {
            var rate: Double
            var samples: [Double]
        }
        let recording = try ArchiveDecoder().decode(
            Recording.self, from: ArchiveEncoder().encode(First.Recording()))
        #expect(recording.rate == 44_100 && recording.samples == [0.5])
    }

    @Test func `reads a class that was renamed and has another superclass`() throws {
        var encoder = ArchiveEncoder()
        encoder.classes.register(OldDog.self, name: "OldZoo.Dog")
        let data = try encoder.encode([OldDog()] as [Animal])

        var classes = ClassRegistry()
        classes.register(Dog.self, name: "Dog", aliases: ["OldZoo.Dog", "Zoo.Animals.Dog"])
        var decoder = ArchiveDecoder()
        decoder.classes = classes
        let dog = try #require(try decoder.decode([Animal].self, from: data)[0] as? Dog)
        #expect(dog.name == "Rex" && dog.owner == "nobody")
    }
}
