// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A graph of objects that is edited in memory and saved to a file incrementally.
///
/// ```swift
/// let document = try ArchiveDocument<Library>(contentsOf: url)
/// document.root.books[1].title = "Emma"
/// let report = try document.save()
/// ```
///
/// The file is an ordinary keyed archive that `ArchiveDecoder`, Cocoa and others read. The decoder decodes the value of
/// a ``Deferred`` property when it is first read.
///
/// **Saving** encodes the loaded instances and compares each with the file. Unloaded parts, and instances whose encoded
/// contents are equal, stay unchanged. Changed and new instances are appended, and objects keep their uids. The file is
/// replaced as a whole, as by `ArchiveEncoder.encode(_:to:)`: the new file is written beside the old one, from a copy
/// of it.
///
/// **Unknown keys.** The keys of an object in the file that its decoding has not requested, because a newer version or another
/// program has written them, stay in it with their values, also if the program changes the object. "When a type
/// changes" in the documentation of `Archiving` has the rule, and ``unknownKeys`` turns it off.
///
/// Unreferenced objects stay in the file until they exceed a fraction of it (``compaction``), or until ``compact()`` is
/// called.
///
/// Decoded instances stay in memory until a save, so that none of their changes is lost. A save releases those that
/// neither ``root`` nor the program references. An instance that a weak reference of a loaded instance references stays.
///
/// **Other programs.** ``save(changes:)`` and ``compact()`` replace only the file that the document has read or saved: if another
/// program has changed the file, they throw ``ArchiveDocumentError`` with the code `fileChanged`. After an error the file
/// is as the other program has left it, and after a success it has the document's contents. Programs that use this
/// library hold a lock of the file between the last check and the rename, if the system has locks. Another program can
/// still change the file between these two calls, and a change that leaves its size and its time as they were is not
/// noticed. If the file was deleted, moved or renamed, the code is `fileMissing`.
///
/// **Journals.** A document with a journal locks its file until ``close()`` or its release, and is the only one that saves it: all
/// others throw the code `documentInUse`. A document without a journal reads the saves in an existing one, and its save replaces
/// both files, unless the journal has saves that it has not read (`unreadJournal`). ``ArchiveJournal`` has the modes.
///
/// **Checksums.** A file with a checksum (`ArchiveEncoder.checksum`) keeps it with every save. A file without gets one with
/// the first save that writes a new file, if the encoder has the setting; ``checkpoint()`` adds none, and a journal has
/// checksums of its own. An opening reads the whole file to verify it, unless `ArchiveDecoder.checksum` is `ignored`.
///
/// A document is not `Sendable`: one task or actor uses it, together with its graph.
public final class ArchiveDocument<Root: Codable> {
    /// The root of the graph.
    public var root: Root {
        didSet { marks.setRoot() }
    }
    /// The file that the document was last read from or saved to, or `nil` if it has none.
    public var url: URL? { file?.url }
    /// The settings of the encoder. Its format is ignored: a document is always binary and unsorted.
    public let encoder: ArchiveEncoder
    /// The settings of the decoder.
    public var decoder: ArchiveDecoder { reading.decoder }
    /// The policy for keys of an object that the program does not decode. The default is `keep`.
    public var unknownKeys: ArchiveUnknownKeys { reading.unknownKeys }
    /// A closure that receives the error of a part that is read without `try` and cannot be decoded: a ``Deferred`` property, or
    /// an element of a list. The reading thread calls it. The part is empty then.
    public var deferredErrorHandler: (@Sendable (any Error) -> Void)? { reading.errorHandler }
    let reading: DocumentReading
    /// The destination of changes.
    public let journal: ArchiveJournal
    /// The fraction of the file, from 0 to 1, that may be unreferenced. If a save finds more, it writes the file
    /// without the unreferenced objects. The default is 0.5; a value of 1 disables compaction.
    ///
    /// Measuring the fraction requires a walk through the whole file, so only some calls of ``save(changes:)`` do it.
    public var compaction = 0.5
    /// The number of bytes that the loaded part of the graph may take in an archive; `nil`, the default, for any number.
    ///
    /// A save that has compared a larger part ends with ``unload()``, unless an asynchronous one finds newer changes.
    public var memoryLimit: Int?
    /// The warnings of the last save, or of the last call of ``hasChanges()``: one for each type that is written under its Swift name,
    /// in the order of the names. Empty before the first of these calls.
    public private(set) var warnings: [ArchiveDocumentWarning] = []
    /// The file as it was last read or saved, or nil if there is none.
    private(set) var file: DocumentFile?
    /// The file that the document had when it was closed, until the next save, which continues it. It retains changed instances
    /// to which only unloaded parts refer.
    private var former: DocumentFile?
    /// The number of times that the document was closed. A save that began before the last time does not give it a file.
    private(set) var closeCount = 0
    var marks = DocumentMarks()
    var tracking = DocumentTracking()
    var fetchedTypes = FetchedTypes()
    /// The number of times that the document got a new file, or new contents of it.
    private(set) var saveCount = 0
    private var savesUntilWalk = ArchiveDocument.savesPerWalk
    private var isSaving = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private static var savesPerWalk: Int { 8 }

    /// Creates a document without a file.
    ///
    /// - Parameters:
    ///   - root: The root of the graph.
    ///   - journal: The destination of the changes after the first save.
    ///   - encoder: The settings of the encoder.
    ///   - decoder: The settings of the decoder, for the file of a later save.
    ///   - unknownKeys: The policy for keys of an object that the program does not decode.
    ///   - deferredErrorHandler: A closure that receives the error of a part that is read without `try`.
    public init(
        root: Root, journal: ArchiveJournal = .disabled, encoder: ArchiveEncoder = ArchiveEncoder(),
        decoder: ArchiveDecoder = ArchiveDecoder(), unknownKeys: ArchiveUnknownKeys = .keep,
        deferredErrorHandler: (@Sendable (any Error) -> Void)? = nil
    ) {
        self.root = root
        self.journal = journal
        self.encoder = encoder
        reading = DocumentReading(decoder: decoder, unknownKeys: unknownKeys, errorHandler: deferredErrorHandler)
    }

    /// Creates a document from the file at `url`. A large file is read page by page.
    ///
    /// - Parameters:
    ///   - url: The location of the file.
    ///   - journal: The destination of changes. Unless it is `.ignored`, changes in an existing journal are read,
    ///     and those of a save that was interrupted are not.
    ///   - encoder: The settings of the encoder.
    ///   - decoder: The settings of the decoder.
    ///   - unknownKeys: The policy for keys of an object that the program does not decode.
    ///   - deferredErrorHandler: A closure that receives the error of a part that is read without `try`.
    /// - Throws: The errors of `ArchiveDecoder.decode(_:from:)`. ``ArchiveDocumentError`` if the journal is damaged, or belongs to
    ///   other contents of the file: `.ignored` opens the file without it. If `journal` is `.enabled`, also if another document
    ///   has the file open with a journal (`documentInUse`), if a file that is no journal has the name of the journal, and if
    ///   the file cannot be locked or its volume is read-only (`journalUnsupported`).
    /// - Complexity: O(*n*), where *n* is the number of decoded values, without those of deferred properties, and the size
    ///   of the journal. If there is a journal, and the file was copied since its last save, also the size of the file.
    public init(
        contentsOf url: URL, journal: ArchiveJournal = .disabled, encoder: ArchiveEncoder = ArchiveEncoder(),
        decoder: ArchiveDecoder = ArchiveDecoder(), unknownKeys: ArchiveUnknownKeys = .keep,
        deferredErrorHandler: (@Sendable (any Error) -> Void)? = nil
    ) throws {
        self.encoder = encoder
        self.journal = journal
        reading = DocumentReading(decoder: decoder, unknownKeys: unknownKeys, errorHandler: deferredErrorHandler)
        let file = try DocumentFile(url, journal, reading)
        root = try file.decodeRoot(Root.self)
        self.file = file
    }
}

// MARK: - Saving

extension ArchiveDocument {
    /// Writes the changes to the file that the document was last read from or saved to.
    ///
    /// - Parameter changes: How the changes are found.
    /// - Returns: A report of the written data.
    /// - Throws: ``ArchiveDocumentError`` if the document has no file, if another program has changed the file
    ///   since (use ``merge(resolving:)``, or ``save(to:)`` to save to another file), or if the program has modified a part that could not be read,
    ///   if another document has the file open with a journal (`documentInUse`), or if there is a journal with saves that this one
    ///   has not read (`unreadJournal`). Errors of the encoder. `CocoaError` if the file cannot be written. After an error the file
    ///   is the old one, and the document keeps its changes, unless only the last step has failed: to flush the folder. Then the
    ///   document has the new file, which can be lost if the machine stops.
    /// - Complexity: O(*n*), where *n* is the number of loaded instances, or of marked ones, and a copy of the file.
    @discardableResult
    public func save(changes: ArchiveChanges = .compared) throws -> ArchiveSaveReport {
        try requireNoSave()
        return try finish(try beginSave(changes))
    }

    /// Writes the document to the file at `url`, which becomes its file. An existing file is replaced. If it is the document's own
    /// file, unchanged, also under another spelling of its path, the method is ``save(changes:)``.
    ///
    /// - Parameter url: The location of the file.
    /// - Returns: A report of the written data.
    /// - Throws: Errors of the encoder, and `CocoaError` if the file cannot be written. ``ArchiveDocumentError`` if the
    ///   program has modified a part that could not be read, if another program has overwritten the document's old
    ///   file before all of it was read, if another document has the file at `url` open with a journal, or if that file has a
    ///   journal with saves that this document has not read. After an error the file at `url` is the old one, with the exception
    ///   of ``save(changes:)``.
    /// - Complexity: As for ``save(changes:)``.
    @discardableResult
    public func save(to url: URL) throws -> ArchiveSaveReport {
        try requireNoSave()
        return try finish(try beginSave(at: url))
    }

    /// Saves the document and removes unreferenced objects from its file.
    ///
    /// Compaction decodes nothing, and objects keep their uids.
    ///
    /// - Returns: A report of the written data.
    /// - Throws: The errors of ``save(changes:)``. `CocoaError` or `DecodingError` if the changes were saved, but the file is
    ///   damaged or could not be written again. If another program changes the file after the changes were saved, or opens
    ///   it with a journal, the method returns.
    /// - Complexity: O(*n*), where *n* is the number of objects in the file.
    @discardableResult
    public func compact() throws -> ArchiveSaveReport {
        try requireNoSave()
        return try finish(try beginSave(compaction: 0), isCompacting: true)
    }

    /// Writes the archive as a whole, with all saves, and removes the journal. Without a journal, or without saves in it,
    /// the method does nothing.
    ///
    /// Unsaved changes stay in the graph. Other programs that read the archive find the last checkpoint: the file is one
    /// also when it is opened first, and after ``compact()``, ``close()``, a save to another file, and a save with which the
    /// journal would have more than a tenth of the archive's bytes and more than 64 KiB.
    ///
    /// - Throws: ``ArchiveDocumentError`` if the document has no file, or another program has changed it. `CocoaError` if
    ///   the file cannot be written. After an error the archive and its journal are the old ones.
    /// - Complexity: A copy of the file.
    public func checkpoint() throws {
        try requireNoSave()
        guard let file else { throw ArchiveDocumentError(.noFile) }
        try file.checkpoint()
    }

    /// Returns whether a save would write anything. The method encodes the document and compares it with its file.
    ///
    /// - Throws: Errors of the encoder. ``ArchiveDocumentError`` if the program has modified a part that could not be
    ///   read.
    /// - Complexity: O(*n*), where *n* is the number of loaded instances.
    public func hasChanges() throws -> Bool {
        guard file != nil, let file = continuedFile else { return true }
        return try !graph(updating: file).update(file.contents.archive).isEmpty
    }

    /// The deferred parts of the file that the program has read without success, and has not replaced: their paths in the file,
    /// and the errors of the last attempts. A path is empty if the damaged file has none to the part any more.
    ///
    /// A save leaves these parts as they are in the file. If the program modifies such a property in place, a save throws
    /// ``ArchiveDocumentError`` with the code `unreadablePartModified`; if it assigns a value, a save replaces the part.
    ///
    /// - Complexity: O(*n*), where *n* is the number of values in the file, if there are any such parts.
    public var unreadableParts: [(path: KeyedArchive.Path, error: any Error)] { file?.open.unreadableParts ?? [] }

    /// Decodes the root from the file and its journal again and discards unsaved changes.
    ///
    /// An instance with declared fields (`ArchivedFields`) stays the instance of the object with its uid and its class, if the file still
    /// has one, so that an undo stack, or a view, that holds the instance shows the state of the file. Its fields are set again, which
    /// calls `didFinishDecoding()`; other properties stay as they are. Instances in deferred parts follow when these are read. Classes
    /// that decode themselves with `init(from:)` or `init(coder:)` get new instances, because only an initializer can decode them.
    ///
    /// - Throws: ``ArchiveDocumentError`` if the document has no file, and the errors of
    ///   ``init(contentsOf:journal:encoder:decoder:unknownKeys:deferredErrorHandler:)``. After an error the document is unchanged.
    public func revert() throws {
        try requireNoSave()
        guard let url, let old = self.file else { throw ArchiveDocumentError(.noFile) }
        try old.requireFile()
        let file = try DocumentFile(url, journal, reading, old.contents.journal)
        file.open.continueInstances(of: old.open)
        try read(file)
    }

    /// Decodes the root from `file`, which becomes the document's file. After an error the document is unchanged, unless it is that
    /// of a failed flush.
    func read(_ file: DocumentFile) throws {
        root = try file.decodeRoot(Root.self)
        let old = self.file?.contents.journal
        if old !== file.contents.journal { old?.close() }
        self.file = file
        saveCount += 1
        markTrackedChanges()
        marks.removeAll()
        if let error = file.contents.flushError { throw error }
    }

    /// Detaches the document from its file, and releases the lock of a document with a journal. ``save(to:)`` can save it again.
    ///
    /// Unsaved changes stay in the graph. The saves in a journal are written to the archive, unless that fails or a save is
    /// running: then the journal stays. The file stays open until the next save, and while the program has an unloaded
    /// deferred property of it.
    /// A running save is completed, and the document stays without a file.
    public func close() {
        // If it fails, the journal has all saves, and the next document of the file reads them.
        if !isSaving { try? file?.checkpoint() }
        file?.contents.journal?.close()
        former = file ?? former
        file = nil
        closeCount += 1
    }
}

// MARK: - Asynchronous saving

extension ArchiveDocument {
    /// Writes the changes to the document's file outside the caller's actor.
    ///
    /// ```swift
    /// let report = try await document.save { progress in
    ///     print(progress.fraction ?? 0)
    /// }
    /// ```
    ///
    /// The loaded instances are encoded first, on the caller's actor. The program may change the graph during the
    /// write; the next save writes those changes. The method first waits for a running save.
    ///
    /// - Parameters:
    ///   - changes: How the changes are found.
    ///   - progress: A closure that receives the number of written bytes, on the writing thread; `nil` for no reports. It
    ///     has no default, because ``save(changes:)`` is the synchronous method also in asynchronous code.
    ///   - isolation: The caller's actor.
    /// - Returns: A report of the written data.
    /// - Throws: The errors of ``save(changes:)``, also if another program changes the file during the write.
    ///   `CancellationError` if the task is cancelled before the file is written. After an error the file is the old one,
    ///   and the document keeps its changes.
    /// - Complexity: As for ``save(changes:)``. The caller's actor is busy for O(*n*), where *n* is the number of loaded
    ///   instances, or of marked ones.
    @discardableResult
    public func save(
        changes: ArchiveChanges = .compared, progress: (@Sendable (ArchiveProgress) -> Void)?,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> ArchiveSaveReport {
        try await saveElsewhere(progress, isolation) { try $0.beginSave(changes) }
    }

    /// Writes the document to the file at `url`, which becomes its file, outside the caller's actor.
    ///
    /// - Parameters:
    ///   - url: The location of the file.
    ///   - progress: As for ``save(changes:progress:isolation:)``.
    ///   - isolation: The caller's actor.
    /// - Returns: A report of the written data.
    /// - Throws: The errors of ``save(to:)``. `CancellationError` if the task is cancelled before the file is written.
    /// - Complexity: As for ``save(changes:progress:isolation:)``.
    @discardableResult
    public func save(
        to url: URL, progress: (@Sendable (ArchiveProgress) -> Void)?,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> ArchiveSaveReport {
        try await saveElsewhere(progress, isolation) { try $0.beginSave(at: url) }
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
        let snapshot = try snapshot(of: begin(self))
        let closeCount = self.closeCount
        let result = try await snapshot.writeElsewhere(progress)
        // The program may have closed the document during the write.
        if self.closeCount == closeCount { adopt(snapshot) }
        if let error = result.flushError { throw error }
        return result.report
    }
}

// MARK: - The steps of a save

extension ArchiveDocument {
    /// Encodes the loaded instances.
    ///
    /// - Parameter changes: Which of them, if the document has a file to update.
    func graph(
        updating file: DocumentFile?, _ changes: ArchiveChanges = .compared, keepsAdded: Bool = false
    ) throws -> DocumentGraph {
        // Before the encoding: a later change is one that it does not have.
        markTrackedChanges()
        do {
            let marked = changes == .marked && file != nil ? marks.instances : nil
            let graph = try DocumentGraph(
                of: root, encoder, updating: file?.open, marked: marked, keepsAdded: keepsAdded)
            warnings = graph.objects.defaultNames.sorted().map { ArchiveDocumentWarning(typeName: $0) }
            return graph
        } catch let error as ArchiveDocumentError where error.code == .unreadablePartModified {
            let steps = error.part?.steps ?? []
            throw ArchiveDocumentError(
                .unreadablePartModified, KeyedArchive.Path([.key(KeyedArchiveFormat.rootKey)] + steps))
        } catch let error as EncodingError {
            // A part that was not read before cannot be copied.
            if (self.file ?? former)?.contents.archive.isFileUnchanged ?? true { throw error }
            throw ArchiveDocumentError(.fileChanged)
        }
    }

    /// The file, or the former one of a closed document, if a save can append to it.
    var continuedFile: DocumentFile? { (file ?? former).flatMap { $0.canBeContinued ? $0 : nil } }

    private func beginSave(_ changes: ArchiveChanges = .compared, compaction: Double? = nil) throws -> DocumentSave {
        guard let url, let file else { throw ArchiveDocumentError(.noFile) }
        guard file.isCurrent else { throw ArchiveDocumentError(changeAt: url) }
        return try beginSave(
            to: url, replacing: file.contents.file, changes, compaction: compaction ?? regularCompaction)
    }

    /// Creates a save to the file at `url`, which may be the document's own file under another spelling of its path.
    private func beginSave(at url: URL) throws -> DocumentSave {
        if let file, file.isCurrent, url.isSamePlace(as: file.url) { return try beginSave() }
        return try beginSave(to: url)
    }

    /// The fraction for a save of changes, if it looks for unreferenced objects.
    var regularCompaction: Double? { savesUntilWalk <= 1 ? compaction : nil }

    /// Creates a save to `url`: of changes to the document's file `old`, or of everything to any file if that is nil.
    func beginSave(
        to url: URL?, replacing old: OpenedFile? = nil, _ changes: ArchiveChanges = .compared,
        compaction: Double? = nil
    ) throws -> DocumentSave {
        // Read once: another program may write into the file at any time.
        let continued = continuedFile
        return DocumentSave(
            graph: try graph(updating: continued, changes), continued: continued?.contents,
            open: (file ?? former)?.open, url: url, replaced: old, base: (file ?? former)?.contents,
            startsJournal: journal == .enabled, compaction: compaction, isChecked: encoder.checksum == .crc64,
            indexes: indexWriter)
    }

    private func finish(_ save: consuming DocumentSave, isCompacting: Bool = false) throws -> ArchiveSaveReport {
        let result = try save.write()
        goOn(with: result, of: save, at: save.target)
        marks.removeAll()
        // The contents of these instances are in the file now.
        let uids = save.graph.objects.unreached.map(\.uid)
        file?.open.letGo(of: uids)
        save.graph.objects.unreached = []
        file?.open.keep(uids)
        applyMemoryLimit(to: save.graph, isUnchanged: true)
        if isCompacting, let error = result.compactionError { throw error }
        if let error = result.flushError { throw error }
        return result.report
    }

    func goOn(with result: DocumentSave.Result, of save: borrowing DocumentSave, at url: URL) {
        guard var contents = result.contents else { return }
        saveCount += 1
        if journal == .enabled, contents.journal == nil {
            // A snapshot's file, which was moved to this location.
            contents.journal = try? contents.startingJournal(at: url, file?.contents.position)
        }
        if let file, let old = file.contents.journal, old !== contents.journal {
            // The old file gets the saves that are in its journal. If that fails, they stay there.
            if !url.isSamePlace(as: file.url) { try? file.checkpoint() }
            old.close()
        }
        if let continued = file ?? former, save.continued != nil {
            continued.goOn(with: contents, at: url, without: result.isGone)
            file = continued
        } else {
            file = DocumentFile(contents, url, reading)
        }
        file?.open.enter(save.graph.objects.added, as: result.addedUIDs)
        file?.open.enter(result.keptKeys, without: result.isGone)
        former = nil
        if result.isInJournal { return }
        savesUntilWalk = save.compaction == nil ? savesUntilWalk - 1 : Self.savesPerWalk
    }

    func requireNoSave() throws {
        if isSaving { throw ArchiveDocumentError(.saving) }
    }
}

extension URL {
    /// Returns whether both locations are one file, although the spellings of their paths or the links in them differ.
    func isSamePlace(as other: URL?) -> Bool {
        guard let other else { return false }
        return self == other || isFileURL && other.isFileURL && FilePlace.areSame(path, other.path)
    }
}
