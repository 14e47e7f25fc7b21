// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import Synchronization
import TestSupport
import Testing

/// Saves that the program does not wait for.
@MainActor @Suite(.inTurn) struct `A document that is saved while the program goes on` {
    final class Note: Codable {
        var text: String
        @Deferred var others: [Note]

        init(_ text: String, _ others: [Note] = []) {
            self.text = text
            self.others = others
        }
    }

    /// A save that waits, when it writes, until the test lets it go on.
    private final class Gate: Sendable {
        private let opened = DispatchSemaphore(value: 0)
        private let reached = AsyncStream<Void>.makeStream()

        /// What the save calls.
        var progress: @Sendable (ArchiveProgress) -> Void {
            { progress in
                guard progress.completedCount < progress.totalCount ?? 0 else { return }
                self.reached.continuation.yield()
                self.opened.wait()
                self.opened.signal()
            }
        }

        /// Waits until the save writes.
        func wait() async {
            for await _ in reached.stream { return }
        }

        func open() { opened.signal() }
    }

    /// In a function, since the macro takes `try` from what it takes apart.
    private func hasChanges(_ document: ArchiveDocument<Note>) throws -> Bool { try document.hasChanges() }

    private func withDocument(_ body: (ArchiveDocument<Note>, URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "note")
        try ArchiveEncoder().encode(Note("a", [Note("b"), Note("c")]), to: url)
        try await body(try ArchiveDocument<Note>(contentsOf: url), url)
    }

    private func texts(_ url: URL) throws -> [String] {
        let note = try ArchiveDecoder().decode(Note.self, from: url)
        return [note.text] + note.others.map(\.text)
    }

    @Test func `is written as it was when the save began`() async throws {
        try await withDocument { document, url in
            document.root.text = "first"
            let gate = Gate()
            let save = Task { try await document.save(progress: gate.progress) }
            await gate.wait()
            document.root.text = "second"
            document.root.others[0].text = "B"
            document.root.others.append(Note("new"))
            gate.open()
            let report = try await save.value
            #expect(report.objectsWritten == 1)
            #expect(try texts(url) == ["first", "b", "c"])
            #expect(try hasChanges(document))
            try await document.save(progress: nil)
            #expect(try texts(url) == ["second", "B", "c", "new"])
        }
    }

    @Test func `has the changes in the next save, which waits for the first`() async throws {
        try await withDocument { document, url in
            document.root.text = "first"
            let gate = Gate()
            let first = Task { try await document.save(progress: gate.progress) }
            await gate.wait()
            document.root.text = "second"
            let second = Task { try await document.save(progress: nil) }
            // The second one can begin.
            await Task.yield()
            document.root.others[1].text = "C"
            gate.open()
            let reports = [try await first.value, try await second.value]
            #expect(reports.map(\.objectsWritten) == [1, 2])
            #expect(try texts(url) == ["second", "b", "C"])
            #expect(try !hasChanges(document))
        }
    }

    @Test func `cannot be saved or reverted by a synchronous call meanwhile, but closed`() async throws {
        try await withDocument { document, url in
            document.root.text = "first"
            let gate = Gate()
            let save = Task { try await document.save(progress: gate.progress) }
            await gate.wait()
            let error = #expect(throws: ArchiveDocumentError.self) { try document.save() }
            #expect(error?.code == .saving)
            #expect(throws: ArchiveDocumentError.self) { try document.revert() }
            document.close()
            gate.open()
            _ = try await save.value
            #expect(document.url == nil)
            #expect(try texts(url) == ["first", "b", "c"])
            // What was not loaded is still there.
            #expect(document.root.others.map(\.text) == ["b", "c"])
            let other = url.deletingLastPathComponent().appending(path: "other")
            try await document.save(to: other, progress: nil)
            #expect(try texts(other) == ["first", "b", "c"])
            #expect(document.url == other)
        }
    }

    @Test func `stays closed if it is closed during its first save`() async throws {
        try await withDocument { _, url in
            let document = ArchiveDocument(root: Note("new", [Note("other")]))
            let other = url.deletingLastPathComponent().appending(path: "other")
            let gate = Gate()
            let save = Task { try await document.save(to: other, progress: gate.progress) }
            await gate.wait()
            document.close()
            gate.open()
            _ = try await save.value
            #expect(document.url == nil)
            #expect(throws: ArchiveDocumentError.self) { try document.save() }
            #expect(try texts(other) == ["new", "other"])
            try document.save(to: url)
            #expect(document.url == url)
            #expect(try texts(url) == ["new", "other"])
        }
    }

    @Test func `is not saved over a file that another program has written meanwhile`() async throws {
        try await withDocument { document, url in
            document.root.text = "mine"
            let gate = Gate()
            let save = Task { try await document.save(progress: gate.progress) }
            await gate.wait()
            try ArchiveEncoder().encode(Note("theirs"), to: url)
            gate.open()
            let error = await #expect(throws: ArchiveDocumentError.self) { _ = try await save.value }
            #expect(error?.code == .fileChanged)
            #expect(try texts(url) == ["theirs"])
            #expect(document.root.text == "mine" && document.url == url)
            try document.revert()
            document.root.text = "both"
            try await document.save(progress: nil)
            #expect(try texts(url) == ["both"])
        }
    }

    @Test func `has its changes and the old file if the save is cancelled`() async throws {
        try await withDocument { document, url in
            let before = try Data(contentsOf: url)
            // Nothing but the document has the changed note from then on.
            document.root.others[1].text = "C"
            let others = document.root.$others
            document.root.others = []
            let save = Task {
                _ = try await document.save { _ in
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
            await #expect(throws: CancellationError.self) { _ = try await save.value }
            #expect(try Data(contentsOf: url) == before)
            #expect(others.wrappedValue.count == 2)
            let report = try await document.save(progress: nil)
            #expect(report.objectsWritten == 2)
            #expect(try texts(url) == ["a"])
            let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil)
            let objects = (list as? [String: Any])?["$objects"] as? [Any]
            #expect(objects?.contains { $0 as? String == "C" } == true)
        }
    }

    @Test func `reports how many bytes are written, and last that all are`() async throws {
        try await withDocument { document, url in
            document.root.text = String(repeating: "x", count: 20_000_000)
            let steps = Mutex<[ArchiveProgress]>([])
            try await document.save { progress in steps.withLock { $0.append(progress) } }
            let counts = steps.withLock { $0.map(\.completedCount) }
            #expect(counts.count > 2)
            #expect(counts == counts.sorted())
            #expect(steps.withLock { $0.dropLast().allSatisfy { $0.fraction ?? 1 < 1 } })
            #expect(steps.withLock { $0.last?.fraction } == 1)
            let size = try Data(contentsOf: url).count
            #expect(abs((counts.last ?? 0) - size) < 200)
        }
    }
}
