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

extension `The article on main-actor models`.Keeper {
    var count: Int { names.count }
}

/// The code of the article on main-actor models, and what else it says.
@MainActor @Suite(.inTurn)
struct `The article on main-actor models`: DocumentedOutput {
    @MainActor final class Account: @MainActor Codable, ArchiveDescribing {
        nonisolated static let archiveName = "Account"
        var name: String
        var friends: [Account] = []
        @WeakReference var bestFriend: Account?

        init(name: String) { self.name = name }
    }

    @MainActor final class Keeper: Coding {
        private var names: [String] = []

        init(names: [String]) { self.names = names }

        nonisolated init(coder: KeyedUnarchiver) throws {
            let names = try coder.decode([String].self, forKey: "names")
            MainActor.assumeIsolated { self.names = names }
        }

        nonisolated func encode(with coder: KeyedArchiver) throws {
            try coder.encode(MainActor.assumeIsolated { names }, forKey: "names")
        }
    }

    @Test func `brings back friends, and saves them`() async throws {
        let anna = Account(name: "Anna")
        let bert = Account(name: "Bert")
        anna.friends = [bert]
        bert.bestFriend = anna

        let data = try ArchiveEncoder().encode(anna)
        let again = try ArchiveDecoder().decode(Account.self, from: data)
        print(again.friends[0].bestFriend === again)  // true
        #expect(try KeyedArchive(data).root.className == "Account")

        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: url) }
        let document = ArchiveDocument(root: anna)
        try await document.save(to: url, progress: nil)
        #expect(try ArchiveDecoder().decode(Account.self, from: url).friends[0].name == "Bert")
    }

    @Test func `brings back a class that codes itself`() throws {
        let data = try KeyedArchiver.archivedData(withRootObject: Keeper(names: ["Anna", "Bert"]))
        #expect(try KeyedUnarchiver.unarchivedObject(of: Keeper.self, from: data).count == 2)
    }

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
