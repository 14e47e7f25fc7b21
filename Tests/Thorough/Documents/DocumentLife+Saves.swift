// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

extension `Random lives of a document`.Life {
    typealias Lives = `Random lives of a document`

    /// Whether a note refers weakly to one that the root does not reach: when that is deallocated, the note has changed.
    var hasLostFriends: Bool {
        let reachable = model.reachable
        return model.entries.contains { $0.value.friend != nil && reachable[$0.key]?.friend != $0.value.friend }
    }

    func didSave() {
        saved = model
        changed = []
    }

    /// The archive has everything that was saved.
    func didCheckpoint() { archived = saved.contents }

    /// Forgets the instances of the document.
    private func forget() { (model, changed, held) = (saved, [], []) }

    private func require(_ condition: Bool, _ text: @autoclosure () -> String) throws {
        if !condition { throw Lives.Difference(description: text()) }
    }

    private func expect(_ found: Lives.Contents, _ expected: Lives.Contents, _ name: String) throws {
        try require(found == expected, "The \(name) has\n\(found)\nand not\n\(expected)")
    }

    /// Expects `body` to throw an error with `code`.
    private func expect(_ code: ArchiveDocumentError.Code, _ body: () throws -> Void) throws {
        do { try body() } catch let error as ArchiveDocumentError {
            return try require(error.code == code, "The error is not \(code) but \(error.code)")
        }
        try require(false, "There is no error \(code)")
    }

    private func mark() throws {
        for note in changed { document.markChanged(note) }
        let forgotten = try document.verifyMarks()
        try require(forgotten.isEmpty || hasLostFriends, "There are forgotten marks: \(forgotten)")
    }

    /// Saves, in one of the ways.
    func save() async throws {
        let kind = number(10)
        steps.append("save \(kind)")
        switch kind {
        case 0, 1: try document.save()
        case 2, 3, 4:
            try mark()
            try document.save(changes: .marked)
        case 5, 6: return try await saveWithEdits()
        case 7: return try saveSnapshot()
        case 8:
            let old = url
            url = folder["document \(steps.count)"]
            try document.save(to: url)
            // The old file gets the saves in its journal.
            try expect(Lives.contents(of: old), saved.contents, "old file")
            checked = nil
            didSave()
            return didCheckpoint()
        default:
            try document.compact()
            didSave()
            return didCheckpoint()
        }
        didSave()
    }

    /// Saves asynchronously, and edits meanwhile.
    private func saveWithEdits() async throws {
        let isMarked = number(2) == 0
        if isMarked { try mark() }
        let (before, count) = (model, changed.count)
        var isBegun = false
        let task = Task { @MainActor in
            isBegun = true
            // The graph is encoded before this suspends.
            try await document.save(changes: isMarked ? .marked : .compared, progress: nil)
        }
        while !isBegun { await Task.yield() }
        for _ in 0..<number(3) { try edit() }
        _ = try await task.value
        saved = before
        changed.removeFirst(count)
    }

    /// Saves a snapshot, with edits before and after it is written.
    private func saveSnapshot() throws {
        let isMarked = number(2) == 0
        if isMarked { try mark() }
        let snapshot = try document.snapshot(changes: isMarked ? .marked : .compared)
        let (before, count) = (model, changed.count)
        if number(2) == 0 { try edit() }
        try snapshot.write()
        if number(2) == 0 { try edit() }
        try document.didSave(snapshot)
        saved = before
        changed.removeFirst(count)
    }

    // MARK: - Opening

    /// Closes the document and opens it again.
    func reopen() throws {
        steps.append("reopen")
        document.close()
        if journal == .enabled { didCheckpoint() }
        try open()
    }

    private func open() throws {
        if number(4) == 0 { encoder.checksum = encoder.checksum == .none ? .crc64 : .none }
        forget()
        let limit = document.memoryLimit
        document = try ArchiveDocument(contentsOf: url, journal: journal, encoder: encoder)
        document.memoryLimit = limit
    }

    /// Ends the program without a checkpoint, and begins it again.
    private func abandon() throws {
        steps.append("abandon")
        forget()
        document = ArchiveDocument(root: Note(-1))
        try open()
    }

    /// Does what changes nothing.
    func rest() throws {
        let kind = number(9)
        steps.append("rest \(kind)")
        switch kind {
        case 0: try reopen()
        case 1: try abandon()
        case 2:
            try document.revert()
            forget()
        case 3, 4:
            if model == saved {
                try document.unload()
            } else if model.contents != saved.contents {
                try expect(.partChanged) { try document.unload() }
            }
        case 5:
            try document.checkpoint()
            if journal == .enabled { didCheckpoint() }
        case 6: held = []
        case 7: held = try (0..<3).map { _ in try walk() }
        default:
            // What was modified in place stays.
            do { try document.root.$extra.unload() } catch let error as ArchiveDocumentError {
                try require(error.code == .partChanged, "\(error)")
            }
        }
    }

    // MARK: - Other programs

    /// Lets another program have the file.
    func meetOthers() throws {
        switch number(3) {
        case 0: if model == saved { try rate() }
        case 1: try replace()
        default: try openWithoutJournal()
        }
    }

    /// Lets a newer program change the file, and goes on with what it wrote.
    private func rate() throws {
        try reopen()
        if journal == .enabled { document.close() }
        steps.append("rate")
        let (rater, wasSaved) = (try ArchiveDocument<Lives.Rater>(contentsOf: url), saved)
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
        if isChanged { checked = nil }
        didSave()
        didCheckpoint()
        if journal == .enabled { return try open() }
        if isChanged {
            // The document does not replace what it has not read.
            document.root.text = "lost"
            try expect(.fileChanged) { try document.save() }
        }
        try document.revert()
        forget()
    }

    /// Lets another program write the file anew, and goes on with that or with another file.
    private func replace() throws {
        if journal == .enabled {
            try document.checkpoint()
            didCheckpoint()
        }
        let root = try ArchiveDecoder().decode(Lives.Whole.self, from: url)
        let note = root.links.randomElement(using: &random) ?? root
        note.text = "another"
        var other = saved
        other.entries = saved.reachable
        other.entries[note.id]?.text = note.text
        try encoder.encode(root, to: url)
        checked = nil
        if document.root.text == "lost" { document.root.text = nil } else { document.root.text = "lost" }
        changed.append(document.root)
        model.entries[model.root]?.text = document.root.text
        let kind = number(3)
        steps.append("replace \(kind)")
        try expect(.fileChanged) { try document.save() }
        try expect(Lives.contents(of: url), other.contents, "other file")
        if kind == 0 {
            url = folder["document \(steps.count)"]
            try document.save(to: url)
            didSave()
            return didCheckpoint()
        }
        saved = other
        didCheckpoint()
        if kind == 1 { try document.revert() } else { try open() }
        forget()
    }

    /// A program that ignores the journal finds the last checkpoint, and one without a journal reads it. Neither saves.
    private func openWithoutJournal() throws {
        guard FileManager.default.fileExists(atPath: url.path + ".journal") else { return }
        steps.append("open without journal")
        let other = try ArchiveDocument<Note>(contentsOf: url, journal: .ignored)
        try require(other.root.id == archived.root, "The root is \(other.root.id)")
        // The document has the lock, for which a save waits a second.
        if steps.count.isMultiple(of: 8) {
            other.root.text = "lost"
            try expect(.documentInUse) { try other.save() }
        }
        let reader = try ArchiveDocument<Lives.Whole>(contentsOf: url)
        try expect(Lives.contents(of: reader.root), saved.contents, "archive and journal")
    }

    // MARK: - Checks

    /// Compares the file with the model.
    func check() throws {
        if journal == .enabled, number(3) == 0 {
            try document.checkpoint()
            didCheckpoint()
        }
        // Without a journal, the archive has everything. With one, a save writes it, too, if the journal would become too large.
        if journal == .disabled || !FileManager.default.fileExists(atPath: url.path + ".journal") { didCheckpoint() }
        try expect(Lives.contents(of: url), archived, "archive")
        if journal == .enabled { try checkJournal() }
        try KeyedArchive(contentsOf: url).validate()
        if model == saved, !hasLostFriends {
            try require(!document.hasChanges(), "There are changes after a save")
        }
        try checkChecksum()
        if seed % 50 == 0, number(2) == 0 { try Lives.checkOtherReaders(of: url, archived) }
    }

    /// Reads a copy of the archive with one of the journal, which the document has open.
    private func checkJournal() throws {
        let copy = folder["copy"]
        defer {
            try? FileManager.default.removeItem(at: copy)
            try? FileManager.default.removeItem(atPath: copy.path + ".journal")
        }
        try FileManager.default.copyItem(at: url, to: copy)
        let path = url.path + ".journal"
        if FileManager.default.fileExists(atPath: path) {
            try FileManager.default.copyItem(atPath: path, toPath: copy.path + ".journal")
        }
        let document = try ArchiveDocument<Lives.Whole>(contentsOf: copy, journal: .enabled)
        try expect(Lives.contents(of: document.root), saved.contents, "journal")
    }

    /// A document keeps the checksum of its file, and a save gives one to a file that it writes. A checkpoint does not.
    private func checkChecksum() throws {
        var bytes = try Data(contentsOf: url)
        var decoder = ArchiveDecoder()
        decoder.checksum = .required
        let hasChecksum = (try? decoder.decode(Lives.Whole.self, from: bytes)) != nil
        if let checked {
            let isWritten = encoder.checksum == .crc64 && checked.bytes != bytes && journal == .disabled
            try require(hasChecksum || !checked.hasChecksum && !isWritten, "The archive has no checksum")
        }
        checked = (bytes, hasChecksum)
        guard hasChecksum else { return }
        let bit = number(bytes.count * 8)
        bytes[bit / 8] ^= 1 << (bit % 8)
        let damaged = try? decoder.decode(Lives.Whole.self, from: bytes)
        try require(damaged == nil, "The flipped bit \(bit) is not found")
    }

    /// Saves, opens and compacts the document. Then its archive has no unreferenced objects.
    func end() throws {
        try document.save()
        didSave()
        try check()
        try reopen()
        try document.compact()
        didCheckpoint()
        try check()
        var editor = try KeyedArchiveEditor(KeyedArchive(contentsOf: url))
        let removed = editor.removeUnreachableObjects()
        try require(removed.isEmpty, "The archive has unreferenced objects: \(removed)")
    }
}
