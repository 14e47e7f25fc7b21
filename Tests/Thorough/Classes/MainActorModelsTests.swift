// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

@MainActor private class Animal: @MainActor Codable {
    init() {}
}

@MainActor private final class Dog: Animal {
    override init() { super.init() }

    required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
}

@MainActor private final class Pen: @MainActor Codable, @MainActor ArchiveDescribing {
    static let archiveName = "Pen"
    @Reference var next: Pen?
    @Deferred var others: [Pen] = []
}

/// Before Swift 6.2.
@MainActor private final class Note: Codable {
    let text: String

    private enum CodingKeys: CodingKey { case text }

    init(text: String) { self.text = text }

    nonisolated init(from decoder: any Decoder) throws {
        text = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .text)
    }

    nonisolated func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(MainActor.assumeIsolated { text }, forKey: .text)
    }
}

/// What the article on main-actor models says, besides its code.
@MainActor @Suite(.inTurn)
struct `The article on main-actor models` {
    @Test func `brings back subclasses, wrappers and isolated descriptions`() throws {
        var decoder = ArchiveDecoder()
        decoder.classes.register(Dog.self)
        let animals = try decoder.decode([Animal].self, from: ArchiveEncoder().encode([Animal(), Dog()]))
        #expect(animals[1] is Dog)

        let pen = Pen()
        pen.next = pen
        pen.others = [pen]
        let data = try ArchiveEncoder().encode(pen)
        let copy = try ArchiveDecoder().decode(Pen.self, from: data)
        #expect(copy.next === copy && copy.others[0] === copy)
        #expect(try KeyedArchive(data).root.className == "Pen")
        for pen in [pen, copy] { (pen.next, pen.others) = (nil, []) }
    }

    @Test func `takes nonisolated methods`() throws {
        #expect(try ArchiveDecoder().decode(Note.self, from: ArchiveEncoder().encode(Note(text: "a"))).text == "a")
    }
}
