import ArchiveDocuments
import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// Short random lives of documents: edits of all kinds, all ways to save, other programs, and a model that says what must be there.
@MainActor @Suite(.inTurn) struct `Random lives of a document` {
    struct Stamp: Codable, Equatable, ArchiveDescribing {
        static let archiveName = "Stamp"
        var place = ""
        var year: Int?
    }

    /// What the document's program knows.
    final class Note: Codable, ArchiveDescribing, Emptiable {
        static let archiveName = "Note"
        var id = 0
        var text: String?
        var tags: [String] = []
        var stamp = Stamp()
        var links: [Note] = []
        @WeakReference var friend: Note?
        @Deferred var extra: [Note] = []
        @Deferred var list: ArchivedList<Note> = []
        @Deferred var index: ArchivedDictionary<String, Note> = ArchivedDictionary([:])

        init() {}

        convenience init(_ id: Int) {
            self.init()
            self.id = id
        }
    }

    /// What a newer program knows besides: it does not know the texts.
    final class Rater: Codable, ArchiveDescribing, Emptiable {
        struct Stamp: Codable, ArchiveDescribing {
            static let archiveName = "Stamp"
            var color: String?
        }

        static let archiveName = "Note"
        var id = 0
        var rating: Int?
        var stamp = Stamp()
        var links: [Rater] = []
        @Deferred var list: ArchivedList<Rater> = []

        init() {}
    }

    /// What the file has.
    final class Whole: Codable, ArchiveDescribing {
        struct Stamp: Codable, Equatable, ArchiveDescribing {
            static let archiveName = "Stamp"
            var place: String
            var year: Int?
            var color: String?
        }

        static let archiveName = "Note"
        var id: Int
        var text: String?
        var rating: Int?
        var tags: [String]
        var stamp: Stamp
        var links: [Whole]
        @WeakReference var friend: Whole?
        var extra: [Whole]
        var list: [Whole]
        var index: [String: Whole]
    }

    /// A note by ids.
    struct Entry: Equatable {
        var text: String?
        var rating: Int?
        var tags: [String] = []
        var stamp = Whole.Stamp(place: "")
        var links: [Int] = []
        var friend: Int?
        var extra: [Int] = []
        var list: [Int] = []
        var index: [String: Int] = [:]

        var neighbours: [Int] { links + extra + list + index.values }
    }

    struct Model: Equatable {
        var entries = [0: Entry()]

        /// The notes that the root reaches. A friend that it does not reach is none.
        var reachable: [Int: Entry] {
            var found: [Int: Entry] = [:]
            var remaining = [0]
            while let id = remaining.popLast() {
                guard found[id] == nil, let entry = entries[id] else { continue }
                found[id] = entry
                remaining += entry.neighbours
            }
            return found.mapValues { entry in
                var entry = entry
                if let friend = entry.friend, found[friend] == nil { entry.friend = nil }
                return entry
            }
        }
    }

    /// Returns the notes in the file at `url`, each of which has one instance.
    nonisolated static func contents(of url: URL) throws -> [Int: Entry] {
        let root = try ArchiveDecoder().decode(Whole.self, from: Data(contentsOf: url))
        var found: [Int: Whole] = [:]
        var remaining = [root]
        while let note = remaining.popLast() {
            if let known = found[note.id] {
                #expect(known === note)
                continue
            }
            found[note.id] = note
            remaining += note.links + note.extra + note.list + note.index.values
        }
        return found.mapValues { note in
            Entry(
                text: note.text, rating: note.rating, tags: note.tags, stamp: note.stamp, links: note.links.map(\.id),
                friend: note.friend?.id, extra: note.extra.map(\.id), list: note.list.map(\.id),
                index: note.index.mapValues(\.id))
        }
    }

    /// One life: a document, its file, and the model of both.
    final class Life {
        var random: SeededGenerator
        let folder: TemporaryFolder
        var url: URL
        let journal: ArchiveJournal
        var encoder = ArchiveEncoder()
        var document: ArchiveDocument<Note>
        var model = Model()
        var saved = Model()
        /// The instances that were changed since the last save.
        var changed: [Note] = []
        var nextID = 1
        /// The steps, for a failure.
        var steps: [String] = []

        init(_ seed: UInt64, in folder: TemporaryFolder) throws {
            random = SeededGenerator(state: seed)
            self.folder = folder
            url = folder.url.appending(path: "document")
            journal = seed % 3 == 0 ? .enabled : .disabled
            if seed % 4 == 1 { encoder.checksum = .crc64 }
            document = ArchiveDocument(root: Note(0), journal: journal, encoder: encoder)
            if seed % 5 == 2 { document.memoryLimit = 600 }
            try document.save(to: url)
        }

        func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

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

        /// Makes one change, in the graph and in the model.
        func edit() throws {
            let note = try walk()
            let isNew = number(2) == 0
            let other = isNew ? Note(nextID) : try walk()
            if isNew {
                model.entries[nextID] = Entry()
                nextID += 1
            }
            guard var entry = model.entries[note.id] else { throw Unknown(id: note.id) }
            changed.append(note)
            let kind = number(14)
            steps.append("edit \(kind) of \(note.id) with \(other.id)")
            switch kind {
            case 0:
                note.text = number(3) == 0 ? nil : "text \(number(9))"
                entry.text = note.text
            case 1:
                note.tags.append("tag \(number(3))")
                entry.tags = note.tags
            case 2:
                note.stamp.year = number(2) == 0 ? nil : number(3000)
                entry.stamp.year = note.stamp.year
            case 3, 4:
                note.links.append(other)
                entry.links.append(other.id)
            case 5:
                guard !note.links.isEmpty else { break }
                let place = number(note.links.count)
                note.links.remove(at: place)
                entry.links.remove(at: place)
            case 6:
                // A weak reference to a new note has no owner.
                let friend = isNew ? nil : other
                note.friend = friend
                entry.friend = friend?.id
            case 7:
                note.extra.append(other)
                entry.extra.append(other.id)
            case 8:
                guard !note.extra.isEmpty else { break }
                let place = number(note.extra.count)
                note.extra.remove(at: place)
                entry.extra.remove(at: place)
            case 9:
                note.list.append(other)
                entry.list.append(other.id)
            case 10:
                let place = number(note.list.count + 1)
                note.list.insert(other, at: place)
                entry.list.insert(other.id, at: place)
            case 11:
                guard !note.list.isEmpty else { break }
                let place = number(note.list.count)
                note.list.remove(at: place)
                entry.list.remove(at: place)
            case 12:
                let key = "key \(number(4))"
                note.index[key] = other
                entry.index[key] = other.id
            default:
                guard let key = note.index.keys.sorted().randomElement(using: &random) else { break }
                note.index[key] = nil
                entry.index[key] = nil
            }
            model.entries[note.id] = entry
        }

        struct Unknown: Error { var id: Int }
        struct Difference: Error { var description: String }

        /// Whether a note refers weakly to one that the root does not reach: when that is deallocated, the note has changed.
        private var hasLostFriends: Bool {
            let reachable = model.reachable
            return model.entries.contains { $0.value.friend != nil && reachable[$0.key]?.friend != $0.value.friend }
        }

        func didSave() {
            saved = model
            changed = []
        }

        /// Saves, in one of the ways.
        func save() async throws {
            let kind = number(9)
            steps.append("save \(kind)")
            switch kind {
            case 0, 1, 2: try document.save()
            case 3, 4:
                for note in changed { document.markChanged(note) }
                let forgotten = try document.verifyMarks()
                #expect(forgotten.isEmpty || hasLostFriends)
                try document.save(changes: .marked)
            case 5: try await document.save(progress: nil)
            case 6:
                let snapshot = try document.snapshot()
                let (before, marked) = (model, changed.count)
                if number(2) == 0 { try edit() }
                try snapshot.write()
                try document.didSave(snapshot)
                saved = before
                changed.removeFirst(marked)
                return
            case 7:
                url = folder.url.appending(path: "document \(steps.count)")
                try document.save(to: url)
            default: try document.compact()
            }
            didSave()
        }

        /// Closes the document and opens it again.
        func reopen() throws {
            steps.append("reopen")
            document.close()
            document = try ArchiveDocument(contentsOf: url, journal: journal, encoder: encoder)
            (model, changed) = (saved, [])
        }

        /// Lets a newer program change the file, and goes on with what it wrote.
        func rate() throws {
            try reopen()
            steps.append("rate")
            let (rater, wasSaved) = (try ArchiveDocument<Rater>(contentsOf: url), saved)
            defer { rater.close() }
            var note = rater.root
            for _ in 0..<number(4) {
                let links = note.links + (note.list.isEmpty ? [] : [note.list[0]])
                guard let next = links.randomElement(using: &random) else { break }
                note = next
            }
            note.rating = number(2) == 0 ? nil : number(10)
            note.stamp.color = number(2) == 0 ? nil : "red"
            model = wasSaved
            model.entries[note.id]?.rating = note.rating
            model.entries[note.id]?.stamp.color = note.stamp.color
            try rater.save()
            let isChanged = model != wasSaved
            didSave()
            if isChanged {
                // The document does not replace what it has not read.
                let before = document.root.text
                document.root.text = "lost"
                let error = #expect(throws: ArchiveDocumentError.self) { try document.save() }
                #expect(error?.code == .fileChanged)
                document.root.text = before
            }
            try document.revert()
        }

        /// Does what changes nothing.
        func rest() throws {
            let kind = number(5)
            steps.append("rest \(kind)")
            switch kind {
            case 0: try reopen()
            case 1:
                try document.revert()
                (model, changed) = (saved, [])
            case 2:
                if model == saved { try document.unload() }
            case 3:
                if journal == .enabled { try document.checkpoint() }
            default:
                // What was modified in place stays.
                do { try document.root.$extra.unload() } catch let error as ArchiveDocumentError {
                    #expect(error.code == .partChanged)
                }
            }
        }

        /// Compares the file with the model.
        func check() throws {
            if journal == .enabled { try document.checkpoint() }
            let found = try `Random lives of a document`.contents(of: url)
            let expected = saved.reachable
            if found != expected {
                let ids = Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }
                let differences = ids.sorted().map {
                    "\($0): \(found[$0].map { "\($0)" } ?? "-")\n   is not \(expected[$0].map { "\($0)" } ?? "-")"
                }
                throw Difference(description: differences.joined(separator: "\n"))
            }
            if model == saved, !hasLostFriends {
                if try document.hasChanges() { throw Difference(description: "There are changes after a save") }
            }
            let archive = try KeyedArchive(contentsOf: url)
            try archive.validate()
            var decoder = ArchiveDecoder()
            if encoder.checksum == .crc64 {
                decoder.checksum = .required
                _ = try decoder.decode(Whole.self, from: Data(contentsOf: url))
            }
        }
    }

    private func run(_ seed: UInt64) async throws {
        try await TemporaryFolder.with { folder in
            let life = try Life(seed, in: folder)
            do {
                for _ in 0..<12 + life.number(20) {
                    switch life.number(10) {
                    case 0..<6: try life.edit()
                    case 6, 7:
                        try await life.save()
                        try life.check()
                    case 8: try life.rest()
                    default: if life.journal == .disabled, life.model == life.saved { try life.rate() }
                    }
                }
                try life.document.save()
                life.didSave()
                try life.check()
                try life.reopen()
                try life.document.compact()
                try life.check()
                var editor = try KeyedArchiveEditor(KeyedArchive(contentsOf: life.url))
                #expect(editor.removeUnreachableObjects().isEmpty)
                try compare(try Data(contentsOf: life.url), isRead: seed % 100 == 0)
            } catch {
                Issue.record("seed \(seed): \(error)\n\(life.steps.joined(separator: "\n"))")
            }
        }
    }

    /// Foundation reads the file, and plistlib if `isRead`: both find the objects that this library finds.
    private func compare(_ data: Data, isRead: Bool) throws {
        let count = try KeyedArchive(data).objects.count
        let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        #expect((list?["$objects"] as? [Any])?.count == count)
        if isRead {
            let other = try Plistlib.evaluate("len(objects)", in: [data])
            #expect(Int(other) == count)
        }
    }

    @Test(arguments: 0..<50) func `lose nothing`(chunk: UInt64) async throws {
        for seed in chunk * 50..<chunk * 50 + 50 { try await run(seed) }
    }
}
