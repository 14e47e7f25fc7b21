// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import Observation
import TestSupport
import Testing

#if canImport(SwiftUI)
    import SwiftUI
    import UniformTypeIdentifiers
#endif

// The protocols are those of DocumentImitations.swift.

private struct Note: Codable, Sendable {
    var text = ""
}

@Observable
private final class NoteDocument: Document {
    static let readableContentTypes: [UTType] = [.note]
    var note = Note()

    func reader(configuration: sending ReadConfiguration) -> sending NoteFile { NoteFile() }
    func writer(configuration: sending WriteConfiguration) -> sending NoteFile { NoteFile() }

    @MainActor
    func snapshot(contentType: UTType) async throws -> sending Note { note }

    @MainActor
    func apply(snapshot: sending Note, previous: sending Note?) async throws { note = snapshot }
}

private struct NoteFile: DocumentReader, DocumentWriter {
    @concurrent
    func read(from source: URL, progress: consuming Subprogress) async throws -> sending Note {
        try ArchiveDecoder().decode(Note.self, from: source)
    }

    @concurrent
    func write(
        snapshot: sending Note, to destination: URL, previous: sending Note?,
        progress: consuming Subprogress
    ) async throws {
        try ArchiveEncoder().encode(snapshot, to: destination)
    }
}

extension UTType {
    static let note = UTType(exportedAs: "com.example.note")
    static let trip = UTType(exportedAs: "com.example.trip")
}

@Observable
private final class Stop: ArchivedFields {
    var name = ""

    init() {}

    static let fields = FieldList<Stop> { Field("name", \.name) }
}

@Observable
private final class Trip: ArchivedFields, ArchiveDescribing {
    static let archiveName = "Trip"
    var stops: [Stop] = []

    init() {}

    static let fields = FieldList<Trip> { Field("stops", \.stops) }
}

private struct TripReader: DocumentReader {
    @concurrent
    func read(
        from source: URL, progress: consuming Subprogress
    ) async throws -> sending ArchiveDocument<Trip> {
        try ArchiveDocument<Trip>(contentsOf: source)
    }
}

private struct TripWriter: DocumentWriter {
    @concurrent
    func write(
        snapshot: sending ArchiveDocumentSnapshot, to destination: URL,
        previous: sending ArchiveDocumentSnapshot?, progress: consuming Subprogress
    ) async throws {
        let manager = progress.start(totalCount: 100)
        try snapshot.write(to: destination) { state in
            let percent = Int(100 * (state.fraction ?? 0))
            manager.complete(count: percent - manager.completedCount)
        }
    }
}

@MainActor @Observable
private final class TripDocument: Document {
    nonisolated static let readableContentTypes: [UTType] = [.trip]

    private(set) var archive = ArchiveDocument(root: Trip())
    private let configuration: URLDocumentConfiguration
    @ObservationIgnored private var lastSnapshot: ArchiveDocumentSnapshot?

    init(configuration: URLDocumentConfiguration) { self.configuration = configuration }

    nonisolated func reader(configuration: sending ReadConfiguration) -> sending TripReader {
        TripReader()
    }

    nonisolated func writer(configuration: sending WriteConfiguration) -> sending TripWriter {
        TripWriter()
    }

    func snapshot(contentType: UTType) async throws -> sending ArchiveDocumentSnapshot {
        adoptSavedFile()
        let snapshot = try archive.snapshot(changes: .marked)
        lastSnapshot = snapshot
        return snapshot
    }

    /// Tells the document of the file that the last snapshot was written to, and moved to the URL.
    private func adoptSavedFile() {
        guard let lastSnapshot, let url = configuration.fileURL else { return }
        try? archive.didSave(lastSnapshot, at: url)
    }

    func apply(
        snapshot: sending ArchiveDocument<Trip>, previous: sending ArchiveDocument<Trip>?
    ) async throws {
        adoptSavedFile()
        if archive.url == nil, !archive.isEdited {
            archive = snapshot  // The document was opened.
        } else {
            try reloadOrMerge()  // Another program has changed the file.
        }
    }
}

extension TripDocument {
    func rename(_ stop: Stop, to name: String, _ undoManager: UndoManager?) {
        let oldName = stop.name
        stop.name = name
        archive.markChanged(stop)
        undoManager?.registerUndo(withTarget: self) { document in
            document.rename(stop, to: oldName, undoManager)
        }
    }
}

extension TripDocument {
    private func reloadOrMerge() throws {
        guard let url = configuration.fileURL else { return }
        let coordinator = configuration.makeFileCoordinator()
        var failure: NSError?
        var result: Result<Void, any Error> = .success(())
        coordinator.coordinate(writingItemAt: url, options: .forMerging, error: &failure) { _ in
            result = Result {
                if archive.isEdited {
                    try archive.merge { _ in .mine }
                } else {
                    try archive.revert()
                }
            }
        }
        if let failure { throw failure }
        try result.get()
    }

    /// What another program has changed in the file, one change a line.
    func changesOfOthers() throws -> [String] {
        try archive.changesOfOthers()?.changesOfTheirs.map { "\($0)" } ?? []
    }
}

/// The code of the article on document apps for SwiftUI, with imitations of its protocols.
@MainActor @Suite(.inTurn)
struct `The article on document apps under SwiftUI`: DocumentedOutput {
    private func write(_ names: [String], to url: URL) throws {
        let trip = Trip()
        trip.stops = names.map { name in
            let stop = Stop()
            stop.name = name
            return stop
        }
        try ArchiveEncoder().encode(trip, to: url)
    }

    private func names(_ url: URL) throws -> [String] {
        try ArchiveDecoder().decode(Trip.self, from: url).stops.map(\.name)
    }

    private func opened(_ url: URL) async throws -> Opened<TripDocument> {
        let configuration = URLDocumentConfiguration()
        let opened = Opened(TripDocument(configuration: configuration), configuration)
        try await opened.read(url)
        return opened
    }

    @Test func `reads and writes a value`() async throws {
        try await TemporaryFolder.with { folder in
            let url = folder["note"]
            try ArchiveEncoder().encode(Note(text: "One"), to: url)
            let opened = Opened(NoteDocument(), URLDocumentConfiguration())
            try await opened.read(url)
            #expect(opened.model.note.text == "One")
            opened.model.note.text = "Two"
            try await opened.save(to: url, .note)
            #expect(try ArchiveDecoder().decode(Note.self, from: url).text == "Two")
        }
    }

    @Test func `saves marked changes in the background, also those that are undone`() async throws {
        try await TemporaryFolder.with { folder in
            let url = folder["trip"]
            try write(["Rome", "Bari"], to: url)
            let opened = try await opened(url)
            let (document, undoManager) = (opened.model, UndoManager())
            let stop = document.archive.root.stops[0]
            document.rename(stop, to: "Roma", undoManager)
            #expect(document.archive.isEdited)
            #expect(try document.archive.verifyMarks().isEmpty)
            try await opened.save(to: url, .trip)
            #expect(opened.progress.completedCount == 100)
            #expect(try names(url) == ["Roma", "Bari"])

            undoManager.undo()
            #expect(stop.name == "Rome")
            try await opened.save(to: url, .trip)
            #expect(try names(url) == ["Rome", "Bari"])
            // The second snapshot has adopted the first file, and changes only what differs from it.
            #expect(document.archive.url == url)
            try await opened.save(to: folder["copy"], .trip)
            #expect(!document.archive.isEdited)
        }
    }

    @Test func `saves tracked changes`() async throws {
        try await TemporaryFolder.with { folder in
            let url = folder["trip"]
            try write(["Rome", "Bari"], to: url)
            let opened = try await opened(url)
            let document = opened.model
            for stop in document.archive.root.stops { try document.archive.trackChanges(of: stop) }
            document.archive.root.stops[1].name = "Bologna"
            #expect(document.archive.isEdited)
            try await opened.save(to: url, .trip)
            #expect(try names(url) == ["Rome", "Bologna"])
        }
    }

    @Test func `reads the file again if only another program has changed it, with the same instances`() async throws {
        try await TemporaryFolder.with { folder in
            let url = folder["trip"]
            try write(["Rome", "Bari"], to: url)
            let opened = try await opened(url)
            let stop = opened.model.archive.root.stops[1]
            let other = try await self.opened(url)
            other.model.rename(other.model.archive.root.stops[1], to: "Bologna", nil)
            try await other.save(to: url, .trip)
            #expect(try opened.model.changesOfOthers() == [#"root.stops[1].name: "Bari" → "Bologna""#])
            try await opened.read(url)
            #expect(opened.model.archive.root.stops[1] === stop && stop.name == "Bologna")
            #expect(try opened.model.changesOfOthers() == [])
        }
    }

    @Test func `merges if both have changed the document`() async throws {
        try await TemporaryFolder.with { folder in
            let url = folder["trip"]
            try write(["Rome", "Bari", "Pisa"], to: url)
            let opened = try await opened(url)
            let (document, undoManager) = (opened.model, UndoManager())
            let stop = document.archive.root.stops[0]
            document.rename(document.archive.root.stops[2], to: "Parma", nil)
            try await opened.save(to: url, .trip)
            let other = try await self.opened(url)
            document.rename(stop, to: "Roma", undoManager)
            other.model.rename(other.model.archive.root.stops[0], to: "Rom", nil)
            other.model.rename(other.model.archive.root.stops[1], to: "Bologna", nil)
            try await other.save(to: url, .trip)

            try await opened.read(url)
            #expect(document.archive.root.stops.map(\.name) == ["Roma", "Bologna", "Parma"])
            #expect(document.archive.root.stops[0] === stop)
            #expect(try names(url) == ["Roma", "Bologna", "Parma"])
            undoManager.undo()
            try await opened.save(to: url, .trip)
            #expect(try names(url) == ["Rome", "Bologna", "Parma"])
        }
    }

    @Test func `saves a new document`() async throws {
        try await TemporaryFolder.with { folder in
            let url = folder["trip"]
            let configuration = URLDocumentConfiguration()
            let opened = Opened(TripDocument(configuration: configuration), configuration)
            for name in ["Rome", "Bari"] {
                let stop = Stop()
                stop.name = name
                opened.model.archive.root.stops.append(stop)
                opened.model.archive.markChanged(opened.model.archive.root)
                try await opened.save(to: url, .trip)
            }
            #expect(try names(url) == ["Rome", "Bari"])
        }
    }
}
