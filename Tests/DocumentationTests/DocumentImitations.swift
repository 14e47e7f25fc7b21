// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Foundation

// Imitations of what the article on document apps uses of SwiftUI and Foundation in OS 27, as Apple documents it: the names, the
// requirements, their isolation, and the calls in `Opened`. They are used on all platforms, since older SDKs lack the protocols.

protocol ReadableDocument: AnyObject {
    associatedtype Reader: DocumentReader
    typealias ReadConfiguration = DocumentReadConfiguration

    static var readableContentTypes: [UTType] { get }
    func reader(configuration: sending ReadConfiguration) -> sending Reader
    @MainActor func apply(snapshot: sending Reader.Snapshot, previous: sending Reader.Snapshot?) async throws
}

protocol WritableDocument: AnyObject {
    associatedtype Writer: DocumentWriter
    typealias WriteConfiguration = DocumentWriteConfiguration

    static var writableContentTypes: [UTType] { get }
    func writer(configuration: sending WriteConfiguration) -> sending Writer
    @MainActor func snapshot(contentType: UTType) async throws -> sending Writer.Snapshot
}

protocol Document: ReadableDocument, WritableDocument {}

extension ReadableDocument where Self: WritableDocument {
    static var writableContentTypes: [UTType] { readableContentTypes }
}

protocol DocumentReader<Snapshot> {
    associatedtype Snapshot
    associatedtype Source = URL

    @concurrent func read(from source: sending Source, progress: consuming Subprogress) async throws -> sending Snapshot
}

protocol DocumentWriter<Snapshot> {
    associatedtype Snapshot
    associatedtype Destination = URL

    @concurrent func write(
        snapshot: sending Snapshot, to destination: sending Destination, previous: sending Snapshot?,
        progress: consuming Subprogress
    ) async throws
}

struct DocumentReadConfiguration {
    let contentType: UTType
}

struct DocumentWriteConfiguration {
    let contentType: UTType
}

@MainActor final class URLDocumentConfiguration {
    var fileURL: URL?

    func makeFileCoordinator() -> NSFileCoordinator { NSFileCoordinator() }
}

struct Subprogress: ~Copyable, Sendable {
    let manager: ProgressManager

    consuming func start(totalCount: Int?) -> ProgressManager { manager }
}

/// Counts on one thread after the other.
final class ProgressManager: @unchecked Sendable {
    private(set) var completedCount = 0

    func complete(count: Int) { completedCount += count }
}

#if !canImport(ObjectiveC)
    struct UTType: Sendable, Hashable {
        let identifier: String

        init(exportedAs identifier: String) { self.identifier = identifier }
    }

    @MainActor final class UndoManager {
        private var actions: [() -> Void] = []

        func registerUndo<Target: AnyObject>(
            withTarget target: Target, handler: @escaping @MainActor @Sendable (Target) -> Void
        ) {
            actions.append { handler(target) }
        }

        func undo() {
            let last = actions.removeLast()
            last()
        }
    }

    /// Coordinates nothing: it calls the closure.
    final class NSFileCoordinator {
        struct WritingOptions: OptionSet {
            let rawValue: Int
            static let forMerging = WritingOptions(rawValue: 1)
        }

        func coordinate(
            writingItemAt url: URL, options: WritingOptions, error: inout NSError?, byAccessor accessor: (URL) -> Void
        ) {
            accessor(url)
        }
    }
#endif

/// A document that is open as under SwiftUI, with the parts of it that touch files.
@MainActor final class Opened<Model: Document & SendableMetatype>
where
    Model.Reader.Source == URL, Model.Writer.Destination == URL, Model.Writer.Snapshot: Sendable,
    Model.Reader: Sendable,
    Model.Writer: Sendable
{
    let model: Model
    private let configuration: URLDocumentConfiguration
    private var lastWritten: Model.Writer.Snapshot?
    private(set) var progress = ProgressManager()

    init(_ model: Model, _ configuration: URLDocumentConfiguration) {
        self.model = model
        self.configuration = configuration
    }

    /// Reads the file, as after the opening of the document and after a change by another program.
    func read(_ url: URL) async throws {
        configuration.fileURL = url
        let reader = model.reader(configuration: DocumentReadConfiguration(contentType: Model.readableContentTypes[0]))
        let snapshot = try await reader.read(from: url, progress: Subprogress(manager: ProgressManager()))
        try await model.apply(snapshot: snapshot, previous: nil)
    }

    /// Writes the document to a temporary file in the background, and moves it to `url`.
    func save(to url: URL, _ type: UTType) async throws {
        let snapshot = try await model.snapshot(contentType: type)
        let writer = model.writer(configuration: DocumentWriteConfiguration(contentType: type))
        let temporary = url.deletingLastPathComponent().appending(path: UUID().uuidString)
        progress = ProgressManager()
        try await writer.write(
            snapshot: snapshot, to: temporary, previous: lastWritten, progress: Subprogress(manager: progress))
        guard rename(temporary.path, url.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        lastWritten = snapshot
        configuration.fileURL = url
    }
}
