// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

extension `Random lives of a document` {
    /// One life: a document, its file, and the model of both.
    @MainActor final class Life {
        let seed: UInt64
        var random: SeededGenerator
        let folder: TemporaryFolder
        var url: URL
        let journal: ArchiveJournal
        var encoder = ArchiveEncoder()
        var document: ArchiveDocument<Note>
        var model = Model()
        var saved = Model()
        /// The contents of the archive without its journal.
        var archived = Model().contents
        /// The bytes of the archive in the last check, and whether they had a checksum.
        var checked: (bytes: Data, hasChecksum: Bool)?
        /// The instances that were changed since the last save.
        var changed: [Note] = []
        /// Instances that the program keeps, whether the graph has them or not.
        var held: [Note] = []
        var nextID = 1
        /// The steps, for a failure.
        var steps: [String] = []

        init(_ seed: UInt64, in folder: TemporaryFolder) throws {
            self.seed = seed
            random = SeededGenerator(state: seed)
            self.folder = folder
            url = folder.url.appending(path: "document")
            journal = seed % 3 == 0 ? .enabled : .disabled
            if seed % 7 < 2 { encoder.checksum = .crc64 }
            document = ArchiveDocument(root: Note(0), journal: journal, encoder: encoder)
            if seed % 11 < 2 { document.memoryLimit = 600 }
            try document.save(to: url)
        }

        func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    }

    struct Unknown: Error { var id: Int }
    struct Difference: Error { var description: String }
}

// MARK: - Edits

extension `Random lives of a document`.Life {
    typealias Note = `Random lives of a document`.Note
    typealias Entry = `Random lives of a document`.Entry
    typealias Unknown = `Random lives of a document`.Unknown

    /// A note that is a few steps from the root.
    func walk() throws -> Note {
        var note = document.root
        for _ in 0..<number(5) {
            var ways: [() throws -> Note?] = []
            if !note.links.isEmpty { ways.append { note.links[self.number(note.links.count)] } }
            if !note.extra.isEmpty { ways.append { note.extra[self.number(note.extra.count)] } }
            if !note.list.isEmpty { ways.append { try note.list.element(at: self.number(note.list.count)) } }
            if let key = note.index.keys.sorted().randomElement(using: &random) { ways.append { note.index[key] } }
            guard !ways.isEmpty, let next = try ways[number(ways.count)]() else { break }
            note = next
        }
        return note
    }

    /// Whether the graph can get `note`, which the program holds, with all that the model has of it. A save may have removed it from
    /// the file: then its unknown keys are lost, and friends that only memory had were not written.
    private func canReturn(_ note: Note) -> Bool {
        let reachable = model.reachable
        var later = model
        later.entries[model.root]?.links.append(note.id)
        let returning = later.reachable.filter { reachable[$0.key] == nil }
        return returning.keys.allSatisfy { id in
            guard let entry = model.entries[id] else { return false }
            return entry.friend == nil && entry.rating == nil && entry.stamp.color == nil
        } && reachable.keys.allSatisfy { id in model.entries[id]?.friend.map { returning[$0] == nil } ?? true }
    }

    /// A note of the graph, or one that the program holds.
    private func anyNote() throws -> Note {
        if number(5) == 0, let note = held.randomElement(using: &random), canReturn(note) { return note }
        return try walk()
    }

    /// Makes one change, in the graph and in the model.
    func edit() throws {
        let note = try anyNote()
        let isNew = number(2) == 0
        let other = isNew ? Note(nextID) : try anyNote()
        if isNew {
            model.entries[nextID] = Entry()
            nextID += 1
        }
        if number(6) == 0 { held = held.suffix(3) + [note] }
        guard var entry = model.entries[note.id] else { throw Unknown(id: note.id) }
        let kind = number(24)
        steps.append("edit \(kind) of \(note.id) with \(other.id)")
        switch kind {
        case 0: replaceRoot(by: other)
        case 1: note.text = number(3) == 0 ? nil : "text \(number(9))"
        case 2: note.tags.append("tag \(number(3))")
        case 3: note.tags.shuffle(using: &random)
        case 4: note.stamp.year = number(2) == 0 ? nil : number(3000)
        case 5: note.stamp = .init(place: "place \(number(4))", year: number(2) == 0 ? nil : number(3))
        case 6:
            // A weak reference to a new note has no owner.
            let friend = isNew || model.reachable[other.id] == nil ? nil : other
            note.friend = friend
            entry.friend = friend?.id
        case 7..<11: edit(&note.links, &entry.links, other)
        case 11..<15: edit(&note.extra, &entry.extra, other)
        case 15..<20: edit(&note.list, &entry.list, other)
        case 20, 21:
            let key = "key \(number(4))"
            note.index[key] = other
            entry.index[key] = other.id
        case 22:
            guard let key = note.index.keys.sorted().randomElement(using: &random) else { break }
            note.index[key] = nil
            entry.index[key] = nil
        default:
            let key = "key \(number(4))"
            note.index = ArchivedDictionary([key: other])
            entry.index = [key: other.id]
        }
        entry.text = note.text
        entry.tags = note.tags
        entry.stamp.place = note.stamp.place
        entry.stamp.year = note.stamp.year
        changed.append(note)
        model.entries[note.id] = entry
    }

    private func replaceRoot(by other: Note) {
        held.append(document.root)
        document.root = other
        model.root = other.id
    }

    /// Makes one change in a list and in its ids.
    private func edit<List: RangeReplaceableCollection<Note> & MutableCollection>(
        _ list: inout List, _ ids: inout [Int], _ other: Note
    ) where List.Index == Int {
        let (place, end) = (number(ids.count + 1), number(ids.count + 1))
        let range = min(place, end)..<max(place, end)
        switch number(ids.isEmpty ? 2 : 6) {
        case 0:
            list.append(other)
            ids.append(other.id)
        case 1:
            list.insert(other, at: place)
            ids.insert(other.id, at: place)
        case 2:
            let place = number(ids.count)
            list[place] = other
            ids[place] = other.id
        case 3:
            let place = number(ids.count)
            held = held.suffix(3) + [list.remove(at: place)]
            ids.remove(at: place)
        case 4:
            let (place, end) = (number(ids.count), number(ids.count))
            list.insert(list.remove(at: place), at: end)
            ids.insert(ids.remove(at: place), at: end)
        default:
            list.replaceSubrange(range, with: [other, other])
            ids.replaceSubrange(range, with: [other.id, other.id])
        }
    }
}
