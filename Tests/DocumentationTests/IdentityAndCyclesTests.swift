// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// The code of the catalog's article on identity and cycles, unchanged.
@Suite(.inTurn)
struct `The article on identity and cycles`: DocumentedOutput {
    @Test(.needs(.storedProperties)) func `brings back a team and its members`() throws {
        final class Team: Codable {
            let name: String
            var members: [Member] = []
            init(name: String) { self.name = name }
        }

        final class Member: Codable {
            let name: String
            unowned let team: Team
            init(name: String, team: Team) {
                self.name = name
                self.team = team
                team.members.append(self)
            }
        }

        let team = Team(name: "Blue")
        _ = Member(name: "Anna", team: team)

        let again = try ArchiveDecoder().decode(Team.self, from: ArchiveEncoder().encode(team))
        print(again.members[0].team === again)  // true
        #expect(again.members.map(\.name) == ["Anna"])
    }

    @Test func `brings back a long ring`() throws {
        final class Station: Codable {
            let name: String
            @Reference var next: Station?
            @References var nearby: [Station]

            init(name: String) {
                self.name = name
                nearby = []
            }
        }

        let first = Station(name: "0")
        var last = first
        for number in 1..<50_000 {
            let station = Station(name: "\(number)")
            last.next = station
            last = station
        }
        last.next = first  // a ring

        let ring = try ArchiveDecoder().decode(Station.self, from: ArchiveEncoder().encode(first))
        var (station, count) = (ring, 0)
        while count == 0 || station !== ring {
            #expect(station.name == "\(count)")
            station = try #require(station.next)
            count += 1
        }
        #expect(count == 50_000)
        // A ring of strong references is never freed by itself, and a chain without end would take stack.
        for start in [first, ring] {
            var next: Station? = start
            while let station = next { (next, station.next) = (station.next, nil) }
        }
    }

    @Test func `has folders whose parent is archived if something else archives it`() throws {
        final class Folder: Codable {
            let name: String
            var folders: [Folder] = []
            @WeakReference var parent: Folder?

            init(name: String) { self.name = name }

            func add(_ folder: Folder) {
                folders.append(folder)
                folder.parent = self
            }
        }

        let root = Folder(name: "root")
        root.add(Folder(name: "etc"))

        let all = try ArchiveDecoder().decode(Folder.self, from: ArchiveEncoder().encode(root))
        print(all.folders[0].parent === all)  // true

        let part = try ArchiveDecoder().decode(Folder.self, from: ArchiveEncoder().encode(root.folders[0]))
        print(part.parent == nil)  // true: the parent was not a part of what was archived
        #expect(part.name == "etc")
    }

    @Test func `publishes an index before its entries are there`() throws {
        final class Index: Codable {
            private(set) var entries: [Entry] = []
            private(set) var byWord: [String: Entry] = [:]

            private enum CodingKeys: CodingKey { case entries }

            init(words: [String]) {
                for word in words { entries.append(Entry(word: word, index: self)) }
                for entry in entries { byWord[entry.word] = entry }
            }

            init(from decoder: any Decoder) throws {
                decoder.publish(self)
                entries = try decoder.container(keyedBy: CodingKeys.self).decode([Entry].self, forKey: .entries)
                for entry in entries { byWord[entry.word] = entry }
            }
        }

        final class Entry: Codable {
            let word: String
            unowned let index: Index

            init(word: String, index: Index) {
                self.word = word
                self.index = index
            }
        }
        let index = Index(words: ["one", "two"])
        let again = try ArchiveDecoder().decode(Index.self, from: ArchiveEncoder().encode(index))
        #expect(again.byWord["two"] === again.entries[1])
        #expect(again.entries.allSatisfy { $0.index === again })
    }
}
