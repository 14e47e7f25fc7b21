// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private final class Tag: Codable, ArchiveDescribing {
    static let archiveName = "Tag"
    var text: String
    init(text: String) { self.text = text }
}

/// A type as it was.
private struct OldTag: Codable, ArchiveDescribing {
    static let archiveName = "Tag"
    var text: String
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

/// Changes of types that need no migration.
@Suite(.inTurn)
struct `A type that changes` {
    @Test func `makes a class of a struct, and a struct of a class`() throws {
        let old = OldTag(text: "a")
        let tags = try ArchiveDecoder().decode([Tag].self, from: ArchiveEncoder().encode([old, old]))
        #expect(tags.map(\.text) == ["a", "a"] && tags[0] !== tags[1])
        let back = try ArchiveDecoder().decode([OldTag].self, from: ArchiveEncoder().encode([tags[0], tags[0]]))
        #expect(back.map(\.text) == ["a", "a"])
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
