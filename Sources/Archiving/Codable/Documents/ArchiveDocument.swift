#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A graph of objects that is edited in memory and saved to a file: saving writes what has changed.
///
/// ```swift
/// let document = try ArchiveDocument<Library>(contentsOf: url)
/// document.root.books[1].title = "Emma"
/// let report = try document.save()
/// ```
///
/// The file is an ordinary keyed archive, which `ArchiveDecoder`, Cocoa and others read. What ``Deferred`` properties hold is
/// decoded when it is read.
///
/// **Saving** encodes the instances that are loaded, and compares each with the file. What is not loaded, and every instance whose
/// encoded contents are the same, stays as it is. Changed and new instances are appended; objects keep their uids. The file is
/// replaced as a whole, as by `ArchiveEncoder.encode(_:to:)`: the new one is made beside the old one, from a copy of it.
///
/// What nothing refers to any more stays in the file until it is more than a part of it (``compaction``), or ``compact()`` is
/// called.
///
/// Instances that were decoded stay in memory until a save, so that no change of one is lost. A save lets go of those that nothing
/// refers to.
///
/// A document is not `Sendable`: one task or actor uses it, together with its graph.
public final class ArchiveDocument<Root: Codable> {
    /// The root of the graph.
    public var root: Root
    /// The file that the document was read from or saved to last; `nil` if there is none.
    public private(set) var url: URL?
    /// The settings that instances are encoded with: the format is always binary, and not arranged.
    public var encoder: ArchiveEncoder
    /// The settings that the file is decoded with.
    public let decoder: ArchiveDecoder
    /// The part of the file, from 0 to 1, that nothing may refer to. When saving finds that it is more, the file is written
    /// without it. The default is a half; with 1 it is never done.
    ///
    /// To find out takes a walk through all of the file, so only some of the calls of ``save()`` look.
    public var compaction = 0.5
    /// The file, as it was read or saved last; nil if there is none.
    private var file: DocumentFile?
    /// Calls of `save()` that write before one looks for what nothing refers to.
    private var savesUntilWalk = ArchiveDocument.savesPerWalk
    /// Whether a save is under way that the program does not wait for.
    private var isSaving = false
    /// What waits until no save is.
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private static var savesPerWalk: Int { 8 }

    /// A document that is in no file.
    ///
    /// - Parameters:
    ///   - root: The root of the graph.
    ///   - encoder: The settings that instances are encoded with.
    ///   - decoder: The settings that the file is decoded with once there is one.
    public init(root: Root, encoder: ArchiveEncoder = ArchiveEncoder(), decoder: ArchiveDecoder = ArchiveDecoder()) {
        self.root = root
        self.encoder = encoder
        self.decoder = decoder
    }

    /// The document in the file at `url`, which is read page by page if it is large.
    ///
    /// - Parameters:
    ///   - url: Where the file is.
    ///   - encoder: The settings that instances are encoded with.
    ///   - decoder: The settings that the file is decoded with.
    /// - Throws: As `ArchiveDecoder.decode(_:from:)`.
    /// - Complexity: O(*n*), where *n* is the number of values that are decoded. What is in deferred properties does not count.
    public init(
        contentsOf url: URL, encoder: ArchiveEncoder = ArchiveEncoder(), decoder: ArchiveDecoder = ArchiveDecoder()
    ) throws {
        self.encoder = encoder
        self.decoder = decoder
        let file = DocumentFile(try DocumentFile.FileContents(url), url, decoder)
        root = try file.decodeRoot(Root.self)
        self.file = file
        self.url = url
    }
}

// MARK: - Saving

extension ArchiveDocument {
    /// Writes what has changed to the file that the document was read from or saved to last.
    ///
    /// - Returns: What was written.
    /// - Throws: ``ArchiveDocumentError`` if there is no file, or another program has changed it since: then nothing is written, and
    ///   ``save(to:)`` saves the document to another file. What encoding throws, and `CocoaError` if the file cannot be written. The
    ///   old file is as it was then, and the document has its changes.
    /// - Complexity: O(*n*), where *n* is the number of instances that are loaded, and copying the file.
    @discardableResult
    public func save() throws -> ArchiveSaveReport {
        try requireNoSave()
        return try finish(try beginSave())
    }

    /// Writes the document to the file at `url`, which is its file from then on. A file that is there is replaced.
    ///
    /// - Returns: What was written.
    /// - Throws: What encoding throws, and `CocoaError` if the file cannot be written.
    /// - Complexity: As ``save()``.
    @discardableResult
    public func save(to url: URL) throws -> ArchiveSaveReport {
        try requireNoSave()
        return try finish(try beginSave(to: url))
    }

    /// Saves the document, and writes its file without what nothing refers to.
    ///
    /// Nothing is decoded for that. Objects keep their uids.
    ///
    /// - Returns: What was written.
    /// - Throws: As ``save()``. If the document is saved, and the file cannot be written once more or is damaged, `CocoaError` or
    ///   `DecodingError`.
    /// - Complexity: O(*n*), where *n* is the number of objects in the file.
    @discardableResult
    public func compact() throws -> ArchiveSaveReport {
        try requireNoSave()
        return try finish(try beginSave(compaction: 0), isCompacting: true)
    }

    /// A Boolean value that indicates whether saving would write anything.
    ///
    /// The document is encoded and compared with its file for that.
    ///
    /// - Throws: What encoding throws.
    /// - Complexity: O(*n*), where *n* is the number of instances that are loaded.
    public var hasChanges: Bool {
        get throws {
            guard let file = continuedFile else { return true }
            return try !graph(updating: file).update(file.contents.archive.contents).isEmpty
        }
    }

    /// Takes the root from the file again: changes that were not saved are lost.
    ///
    /// - Throws: ``ArchiveDocumentError`` if there is no file, and as ``init(contentsOf:encoder:decoder:)``. The document is as it
    ///   was then.
    public func revert() throws {
        try requireNoSave()
        guard let url else { throw ArchiveDocumentError(.noFile) }
        let file = DocumentFile(try DocumentFile.FileContents(url), url, decoder)
        root = try file.decodeRoot(Root.self)
        self.file = file
    }

    /// Lets go of the file: the document is in no file from then on, and can be saved with ``save(to:)``.
    ///
    /// Changes that were not saved stay in ``root``. The file stays open as long as the program has a deferred property of it that is
    /// not loaded. A save that is under way is completed.
    public func close() {
        file = nil
        url = nil
    }
}

// MARK: - Saving while the program goes on

extension ArchiveDocument {
    /// Writes what has changed to the document's file, away from the caller's actor.
    ///
    /// ```swift
    /// let report = try await document.save { progress in
    ///     print(progress.fraction ?? 0)
    /// }
    /// ```
    ///
    /// The instances that are loaded are encoded first, on the caller's actor. Then the program may change the graph: the changes
    /// are in the next save. A save that is under way is waited for.
    ///
    /// - Parameters:
    ///   - progress: What is told how many bytes of the file are written, on the thread that writes; `nil` for nothing.
    ///   - isolation: The caller's actor.
    /// - Returns: What was written.
    /// - Throws: As ``save()``, and `CancellationError` if the task is cancelled before the file is written. The old file is as it was
    ///   then, and the document has its changes.
    /// - Complexity: As ``save()``. The caller's actor is busy for O(*n*), where *n* is the number of instances that are loaded.
    @discardableResult
    public func save(
        progress: (@Sendable (ArchiveProgress) -> Void)?, isolation: isolated (any Actor)? = #isolation
    ) async throws -> ArchiveSaveReport {
        try await saveElsewhere(progress, isolation) { try $0.beginSave() }
    }

    /// Writes the document to the file at `url`, which is its file from then on, away from the caller's actor.
    ///
    /// - Parameters:
    ///   - url: Where the file is, or is going to be.
    ///   - progress: As for ``save(progress:isolation:)``.
    ///   - isolation: The caller's actor.
    /// - Returns: What was written.
    /// - Throws: As ``save(to:)``, and `CancellationError` if the task is cancelled before the file is written.
    /// - Complexity: As ``save(progress:isolation:)``.
    @discardableResult
    public func save(
        to url: URL, progress: (@Sendable (ArchiveProgress) -> Void)?,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> ArchiveSaveReport {
        try await saveElsewhere(progress, isolation) { try $0.beginSave(to: url) }
    }

    private func saveElsewhere(
        _ progress: ArchiveProgress.Handler?, _ isolation: isolated (any Actor)?,
        _ begin: (ArchiveDocument) throws -> DocumentSave
    ) async throws -> ArchiveSaveReport {
        while isSaving {
            await withCheckedContinuation { waiting.append($0) }
        }
        isSaving = true
        defer {
            isSaving = false
            let continuations = waiting
            waiting = []
            for continuation in continuations { continuation.resume() }
        }
        try Task.checkCancellation()
        var save = try begin(self)
        let released = save.takeUnused()
        do {
            let result = try await save.writeElsewhere(progress)
            // The document may have been closed meanwhile.
            if file?.open === save.open { goOn(with: result, of: save) }
            return result.report
        } catch {
            save.open?.keep(released.map(\.uid))
            throw error
        }
    }
}

// MARK: - The steps of a save

extension ArchiveDocument {
    /// What is loaded, encoded.
    private func graph(updating file: DocumentFile?) throws -> DocumentGraph {
        try DocumentGraph(of: root, encoder, updating: file?.open)
    }

    /// The file, if it can be continued.
    private var continuedFile: DocumentFile? { file.flatMap { $0.canBeContinued ? $0 : nil } }

    /// Takes what a save to the document's own file writes.
    private func beginSave(compaction: Double? = nil) throws -> DocumentSave {
        guard let url, let file else { throw ArchiveDocumentError(.noFile) }
        guard file.isCurrent else { throw ArchiveDocumentError(.fileChanged) }
        return try beginSave(
            to: url, isForced: false, compaction: compaction ?? (savesUntilWalk <= 1 ? self.compaction : nil))
    }

    /// Takes what a save writes.
    private func beginSave(to url: URL, isForced: Bool = true, compaction: Double? = nil) throws -> DocumentSave {
        // Asked once: another program may write into the file at any time.
        let continued = continuedFile
        return DocumentSave(
            graph: try graph(updating: continued), archive: continued?.contents.archive, open: file?.open, url: url,
            isForced: isForced, compaction: compaction)
    }

    /// Carries a save out, and goes on with the file.
    private func finish(_ save: consuming DocumentSave, isCompacting: Bool = false) throws -> ArchiveSaveReport {
        let result = try save.write()
        goOn(with: result, of: save)
        // What they are is in the file.
        let uids = save.graph.unreached.map(\.uid)
        file?.open.letGo(of: uids)
        save.graph.unreached = []
        file?.open.keep(uids)
        if isCompacting, let error = result.compactionError { throw error }
        return result.report
    }

    /// Goes on with the file that `save` has written.
    private func goOn(with result: DocumentSave.Result, of save: borrowing DocumentSave) {
        guard let contents = result.contents else { return }
        if let file, save.archive != nil {
            file.goOn(with: contents, at: save.url, without: result.isGone)
        } else {
            file = DocumentFile(contents, save.url, decoder)
        }
        url = save.url
        if let file { save.graph.enterInstances(in: file.open, as: result.addedUIDs) }
        savesUntilWalk = save.compaction == nil ? savesUntilWalk - 1 : Self.savesPerWalk
    }

    private func requireNoSave() throws {
        if isSaving { throw ArchiveDocumentError(.saving) }
    }
}

/// What saving a document has written.
public struct ArchiveSaveReport: Sendable, Hashable {
    /// The bytes that were written, besides those that were copied from the old file.
    public let bytesWritten: Int
    /// The instances that were new or changed.
    public let objectsWritten: Int
    /// The instances that were compared with the file and stay as they are. What is not loaded does not count.
    public let objectsKept: Int

    init(bytesWritten: Int = 0, objectsWritten: Int = 0, objectsKept: Int = 0) {
        self.bytesWritten = bytesWritten
        self.objectsWritten = objectsWritten
        self.objectsKept = objectsKept
    }
}

/// Why a document cannot be saved.
public struct ArchiveDocumentError: Error, Equatable, CustomStringConvertible {
    /// What kind of error one is: the static members of `ErrorCode<ArchiveDocumentError>`.
    public typealias Code = ErrorCode<ArchiveDocumentError>

    /// What kind of error it is.
    public let code: Code

    init(_ code: Code) { self.code = code }

    /// What was found, and what to do.
    public var description: String {
        switch code {
        case .noFile: "The document is in no file. Save it with save(to:)"
        case .saving: "The document is being saved by an asynchronous call. Wait until it returns"
        case .fileChanged:
            "The file of the document was changed by another program since it was read. Save the document to another file with"
                + " save(to:), or take the file's contents with revert()"
        default: "The document cannot be saved: \(code)"
        }
    }
}

extension ErrorCode where Failure == ArchiveDocumentError {
    /// The document is in no file.
    public static var noFile: Self { Self("noFile") }
    /// Another program has changed the file.
    public static var fileChanged: Self { Self("fileChanged") }
    /// The document is being saved.
    public static var saving: Self { Self("saving") }
}
