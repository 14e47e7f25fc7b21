// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

#if canImport(SwiftUI)
    import SwiftUI
    import UniformTypeIdentifiers
#endif

private final class Page: Codable {
    var title: String
    @Reference var link: Page?
    init(title: String) { self.title = title }
}

private final class Album: Codable, ArchiveDescribing {
    static let archiveName = "Album"
    static let archiveVersion = 1
    var title: String
    var thumbnail: Data
    @Deferred var pages: [Page]

    init(title: String, thumbnail: Data, pages: [Page]) {
        self.title = title
        self.thumbnail = thumbnail
        self.pages = pages
    }
}

private func preview(of url: URL) throws -> (title: String, thumbnail: Data) {
    let root = try KeyedArchive(contentsOf: url).root
    return (root["title"]?.string ?? "", root["thumbnail"]?.data ?? Data())
}

@MainActor
private func saveOrReload(_ document: ArchiveDocument<Album>, copy: URL) async throws {
    do {
        try await document.save(progress: nil)
    } catch let error as ArchiveDocumentError where error.code == .fileChanged {
        // The file is as the other program has left it. Keep both versions.
        try ArchiveEncoder().encode(document.root, to: copy)
        try document.revert()
    }
}

// Only Apple's platforms have SwiftUI.
#if canImport(SwiftUI)
    private struct Note: Codable, Sendable {
        var text = ""
    }

    private struct NoteFileDocument: FileDocument {
        static var readableContentTypes: [UTType] { [.note] }
        var note = Note()

        init() {}

        init(configuration: ReadConfiguration) throws {
            guard let data = configuration.file.regularFileContents else { throw CocoaError(.fileReadCorruptFile) }
            note = try ArchiveDecoder().decode(Note.self, from: data)
        }

        func fileWrapper(configuration: WriteConfiguration) throws -> FileWrapper {
            FileWrapper(regularFileWithContents: try ArchiveEncoder().encode(note))
        }
    }

    extension UTType {
        static let album = UTType(exportedAs: "com.example.album")
    }

    private final class AlbumFileDocument: ReferenceFileDocument {
        static var readableContentTypes: [UTType] { [.album] }
        let album: Album

        init(configuration: ReadConfiguration) throws {
            guard let data = configuration.file.regularFileContents else { throw CocoaError(.fileReadCorruptFile) }
            album = try ArchiveDecoder().decode(Album.self, from: data)
        }

        func snapshot(contentType: UTType) throws -> Data {
            try ArchiveEncoder().encode(album)
        }

        func fileWrapper(snapshot: Data, configuration: WriteConfiguration) throws -> FileWrapper {
            FileWrapper(regularFileWithContents: snapshot)
        }
    }

    extension Note: Transferable {
        static var transferRepresentation: some TransferRepresentation {
            CodableRepresentation(contentType: .note, encoder: ArchiveEncoder(), decoder: ArchiveDecoder())
        }
    }
#endif

// Only Apple's platforms have file coordinators, and files that are accessible for a time.
#if os(macOS)
    private func withAccess<Result>(to url: URL, _ body: () throws -> Result) rethrows -> Result {
        let isScoped = url.startAccessingSecurityScopedResource()
        defer { if isScoped { url.stopAccessingSecurityScopedResource() } }
        return try body()
    }

    private func openChosen(_ url: URL) throws -> ArchiveDocument<Album> {
        try withAccess(to: url) { try ArchiveDocument<Album>(contentsOf: url) }
    }

    private func bookmark(of url: URL) throws -> Data {
        try withAccess(to: url) { try url.bookmarkData(options: .withSecurityScope) }
    }

    private func url(of bookmark: Data) throws -> (url: URL, isStale: Bool) {
        var isStale = false
        let url = try URL(
            resolvingBookmarkData: bookmark, options: .withSecurityScope, bookmarkDataIsStale: &isStale)
        return (url, isStale)
    }

    private func saveCoordinated(
        _ document: ArchiveDocument<Album>, at url: URL, presenter: any NSFilePresenter
    ) throws {
        var failure: NSError?
        var result: Result<Void, any Error> = .success(())
        NSFileCoordinator(filePresenter: presenter).coordinate(
            writingItemAt: url, options: .forReplacing, error: &failure
        ) { _ in
            result = Result { _ = try document.save() }
        }
        if let failure { throw failure }
        try result.get()
    }

    @MainActor
    private final class AlbumPresenter: NSObject, NSFilePresenter {
        nonisolated let presentedItemURL: URL?
        nonisolated var presentedItemOperationQueue: OperationQueue { .main }
        private let document: ArchiveDocument<Album>

        init(_ document: ArchiveDocument<Album>, at url: URL) {
            self.document = document
            presentedItemURL = url
        }

        nonisolated func presentedItemDidChange() {
            MainActor.assumeIsolated {
                if (try? document.hasChanges()) == false { try? document.revert() }
            }
        }
    }
#endif

/// The code of the article on document apps, as far as the platform has what it needs.
@MainActor @Suite(.inTurn)
struct `The article on document apps`: DocumentedOutput {
    @Test func `opens in parts, saves in the background, and is previewed`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "album")
        let album = Album(title: "Alps", thumbnail: Data([1, 2]), pages: [Page(title: "Hut"), Page(title: "Sea")])
        album.pages[0].link = album.pages[1]
        try ArchiveEncoder().encode(album, to: url)

        let document = try ArchiveDocument<Album>(contentsOf: url)
        print(document.root.$pages.isLoaded)  // false

        document.root.pages[1].title = "Lake"
        print(try document.hasChanges())  // true
        let report = try await document.save(progress: nil)
        print(report.objectsWritten)  // 1

        #expect(try preview(of: url).title == "Alps")
        #expect(try preview(of: url).thumbnail == Data([1, 2]))
        // What a snapshot of SwiftUI has: also the parts that are not loaded.
        let snapshot = try ArchiveEncoder().encode(ArchiveDecoder().decode(Album.self, from: url))
        let again = try ArchiveDecoder().decode(Album.self, from: snapshot)
        #expect(again.pages[0].link === again.pages[1] && again.pages[1].title == "Lake")

        document.root.title = "Mine"
        try ArchiveEncoder().encode(Album(title: "Theirs", thumbnail: Data(), pages: []), to: url)
        let copy = folder.appending(path: "copy")
        try await saveOrReload(document, copy: copy)
        #expect(document.root.title == "Theirs")
        #expect(try preview(of: copy).title == "Mine")
    }
}
