// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A save with a snapshot of the document's graph. The program may change the graph during the save.
struct DocumentSave: Sendable {
    var graph: DocumentGraph
    /// The file to append to, or nil to write a new one.
    let continued: DocumentFile.FileContents?
    let open: OpenArchive?
    /// The location of the written file; nil for a document without a file.
    private(set) var url: URL?
    /// The file that the save may replace, or nil to replace any file.
    private(set) var replaced: OpenedFile?
    /// The contents that the document has read of its file and the journal of that; nil if it has no file.
    let base: DocumentFile.FileContents?
    private(set) var startsJournal: Bool
    /// The fraction of the file that may be unreferenced, or nil to skip that check. A fraction of 0 is checked even if
    /// nothing has changed.
    let compaction: Double?
    /// Whether a file without a checksum gets one.
    let isChecked: Bool
    let indexes: IndexWriter

    struct Result: Sendable {
        fileprivate(set) var contents: DocumentFile.FileContents?
        /// The uids in the new file of the instances that the old one lacked, in order; 0 for an unreferenced one.
        fileprivate(set) var addedUIDs: [UInt32] = []
        fileprivate(set) var report = ArchiveSaveReport()
        fileprivate(set) var keptKeys: [(uid: UInt32, list: UnknownKeys.List)] = []
        /// Whether the journal has the changes, and the file is the old one.
        fileprivate(set) var isInJournal = false
        /// The error after which the new file may be lost if the machine stops.
        var flushError: (any Error)? { contents?.flushError }
        /// The error that kept unreferenced objects in the new file, although they exceed the fraction.
        fileprivate(set) var compactionError: (any Error)?
        fileprivate var compactions: [ArchiveCompaction] = []

        /// Returns whether a compaction has removed the object `uid`; nil if there was none.
        var isGone: ((UInt32) -> Bool)? {
            compactions.isEmpty ? nil : { uid in compactions.contains { $0.removes(uid) } }
        }
    }

    /// The save to any file at `url`, or to the document's own file if it is nil.
    func to(_ url: URL?) throws -> DocumentSave {
        guard let url, !url.isSamePlace(as: self.url) else {
            guard self.url != nil else { throw ArchiveDocumentError(.noFile) }
            return self
        }
        var save = self
        (save.url, save.replaced, save.startsJournal) = (url, nil, false)
        return save
    }

    /// Whether the file is written even if nothing has changed.
    private var isForced: Bool { replaced == nil }

    var target: URL {
        guard let url else { preconditionFailure("A document without a file has no file to write") }
        return url
    }

    /// Removes and returns the instances that only the document references, and stops keeping them. They are encoded as
    /// they are now. An instance that the program references again before its release is kept again.
    mutating func takeUnused() -> [LiveInstance] {
        open?.letGo(of: graph.objects.unreached.map(\.uid))
        var unused: [LiveInstance] = []
        while let instance = graph.objects.unreached.popLast() {
            let uid = instance.uid
            // Optional: Swift would check a copy of a value of the type `AnyObject`.
            var object: AnyObject? = (consume instance).object
            if !isKnownUniquelyReferenced(&object) {
                open?.keep([uid])
            } else if let object {
                unused.append(LiveInstance(object: object, uid: uid))
            }
        }
        return unused
    }

    /// Writes the file.
    ///
    /// - Throws: `ArchiveDocumentError` with the code `fileChanged` also if the archive to append to can no longer be read
    ///   because another program has changed its file. After an error the file at the URL is the old one.
    func write(_ meter: WritingMeter = WritingMeter(nil)) throws -> Result {
        do {
            return try writeFile(meter)
        } catch {
            if continued?.archive.isFileUnchanged ?? true || error is CancellationError { throw error }
            throw ArchiveDocumentError(.fileChanged)
        }
    }

    private func writeFile(_ meter: WritingMeter) throws -> Result {
        guard let old = self.continued else { return try writeWhole(meter) }
        var result = Result()
        var continued = old.archive
        var update = try self.update(continued)
        var byteCount = 0
        if !isForced, compaction != 0, !update.isEmpty, update.isPossible, let journal = old.journal,
            let written = try journal.append(update, to: old)
        {
            result.contents = written.contents
            result.isInJournal = true
            result.addedUIDs = graph.objects.added.map { update.assignedUID($0.uid) }
            result.keptKeys = update.keptKeys
            result.report = ArchiveSaveReport(
                bytesWritten: written.byteCount, objectsWritten: update.writtenCount, objectsKept: update.keptCount)
            return result
        }
        if isForced || !update.isEmpty || update.indexes != nil {
            try makeRoom(for: &update, in: &continued, &result, &byteCount, self.update)
            result.contents = try replace(replaced, base, update.byteCount, meter) { output in
                byteCount += try update.write(continued, to: &output)
            }
            result.addedUIDs = graph.objects.added.map { update.assignedUID($0.uid) }
            result.keptKeys = update.keptKeys
        }
        if let compaction, compaction == 0 || result.contents != nil {
            do {
                try compact(result.contents?.archive ?? continued, above: compaction, &result, &byteCount, meter)
            } catch {
                // The document is saved; the file is only larger than necessary. If another program has replaced it since, or
                // saves it with a journal, the file is for that program to compact.
                let isOfOther = error is ArchiveDocumentError && result.contents != nil
                result.compactionError = isOfOther ? nil : error
            }
        }
        result.report = ArchiveSaveReport(
            bytesWritten: byteCount, objectsWritten: update.writtenCount, objectsKept: update.keptCount)
        return result
    }

    private func update(_ old: ArchiveSource) throws -> ArchiveUpdate {
        var update = try graph.update(old)
        if isForced || compaction == 0 || !update.isEmpty { try indexes.add(to: &update, graph, open, old) }
        return update
    }

    private func writeWhole(_ meter: WritingMeter) throws -> Result {
        var result = Result()
        if indexes.hasDefinitions(for: graph) {
            var archive = graph.objects.archive
            var update = try firstUpdate(archive)
            var byteCount = 0
            try makeRoom(for: &update, in: &archive, &result, &byteCount, firstUpdate)
            result.contents = try replace(replaced, base, update.byteCount, meter) { output in
                _ = try update.write(archive, to: &output)
            }
        } else {
            let archive = graph.objects.archive
            result.contents = try replace(replaced, base, archive.contents.byteCount, meter) { try $0.write(archive) }
        }
        result.addedUIDs = graph.objects.added.map(\.uid)
        result.report = ArchiveSaveReport(
            bytesWritten: result.contents?.archive.contents.byteCount ?? 0,
            objectsWritten: graph.objects.addedUIDs.count)
        return result
    }

    /// Returns the indexes of the graph as changes of its archive, in a file of its own or in `archive`.
    private func firstUpdate(_ archive: ArchiveSource) throws -> ArchiveUpdate {
        var update = ArchiveUpdate(ofNothingIn: archive.contents)
        try indexes.add(to: &update, graph, nil, archive)
        return update
    }

    /// Returns the archive that the save would write, and the uids in it of the instances that the file lacks. The archive has a
    /// file without a name.
    func changedArchive() throws -> (archive: ArchiveSource, addedUIDs: [UInt32]) {
        guard var continued = continued?.archive else { throw ArchiveDocumentError(.fileChanged) }
        var (result, byteCount) = (Result(), 0)
        var update = try graph.update(continued)
        try makeRoom(for: &update, in: &continued, &result, &byteCount, graph.update)
        let draft = try ArchiveDraft(for: target) { output in _ = try update.write(continued, to: &output) }
        let archive = try DocumentFile.FileContents(draft.file).archive
        return (archive, graph.objects.added.map { update.assignedUID($0.uid) })
    }

    /// Replaces the file `old`, or any file if it is nil, with one of about `count` bytes, written by `write`. The document has read
    /// `base`.
    private func replace(
        _ old: OpenedFile?, _ base: DocumentFile.FileContents?, _ count: Int, _ meter: WritingMeter,
        _ write: (inout ArchiveOutput) throws -> Void
    ) throws -> DocumentFile.FileContents {
        meter.expect(count)
        let draft = try ArchiveDraft(for: target, whileContinued: meter.advance, write)
        return try DocumentFile.commit(draft, at: target, ifStill: old, base, startsJournal: startsJournal)
    }
}

// MARK: - Compaction

extension DocumentSave {
    /// Writes the file without unreferenced objects, if they are more than the fraction `part` of it.
    private func compact(
        _ archive: ArchiveSource, above part: Double, _ result: inout Result, _ byteCount: inout Int,
        _ meter: WritingMeter
    ) throws {
        let compaction = try compaction(of: archive)
        let size = archive.contents.byteCount
        guard Double(size - compaction.byteCount) > part * Double(size) else { return }
        result.contents = try replace(
            result.contents?.file ?? replaced, result.contents ?? base, compaction.byteCount, meter
        ) { output in
            byteCount += try compaction.write(
                referenceSize: archive.contents.list.referenceSize, isChecked: isChecked, to: &output)
        }
        result.compactions.append(compaction)
        // A new instance may be referenced only by one that is unreferenced itself.
        result.addedUIDs = result.addedUIDs.map { compaction.keeps($0) ? $0 : 0 }
    }

    private func lacksChecksum(_ archive: ArchiveSource) -> Bool {
        isChecked && archive.contents.checksumObjects == nil
    }

    /// Replaces `archive` by a copy in which the references are wide enough for `update`, and which has a checksum if the
    /// document's file has to have one. Only this save uses the copy; the file is unchanged.
    ///
    /// - Parameter newUpdate: Returns the same changes of a copy.
    private func makeRoom(
        for update: inout ArchiveUpdate, in archive: inout ArchiveSource,
        _ result: inout Result, _ byteCount: inout Int, _ newUpdate: (ArchiveSource) throws -> ArchiveUpdate
    ) throws {
        while !update.isPossible || lacksChecksum(archive) {
            // The program may have put an instance into the graph again that the file does not reference.
            let referenced = graph.objects.references.map(\.old) + graph.objects.instances.map(\.old)
            let compaction = try compaction(of: archive, keeping: referenced)
            let size = max(update.referenceSize, archive.contents.list.referenceSize)
            // In the folder of the new file, which the save writes to anyway. It is removed before this returns.
            let draft = try ArchiveDraft(for: target) { output in
                byteCount += try compaction.write(referenceSize: size, isChecked: isChecked, to: &output)
            }
            result.compactions.append(compaction)
            archive = try DocumentFile.FileContents(draft.file).archive
            update = try newUpdate(archive)
        }
    }

    private func compaction(of archive: ArchiveSource, keeping others: [UInt32] = []) throws -> ArchiveCompaction {
        archive.expectWalk()
        do throws(KeyedArchiveError) {
            return try ArchiveCompaction(of: archive.contents, and: (open?.partUIDs ?? []) + others)
        } catch {
            throw DecodingError(damaged: error)
        }
    }
}

// MARK: - Progress

/// Counts the bytes that a save writes.
final class WritingMeter {
    private let handler: ArchiveProgress.Handler?
    private var completedCount = 0
    private var totalCount = 0

    init(_ handler: ArchiveProgress.Handler?) { self.handler = handler }

    fileprivate func expect(_ count: Int) {
        completedCount = totalCount
        totalCount += count
    }

    /// Records `count` written bytes.
    ///
    /// - Returns: Whether the save goes on: false if its task is cancelled.
    fileprivate func advance(_ count: Int) -> Bool {
        if Task.isCancelled { return false }
        guard count > 0 else { return true }
        // Not the whole count yet: the file is renamed after the last byte.
        completedCount = min(completedCount + count, totalCount - 1)
        handler?(ArchiveProgress(completedCount: completedCount, totalCount: totalCount))
        return true
    }

    func finish() {
        totalCount = max(totalCount, 1)
        handler?(ArchiveProgress(completedCount: totalCount, totalCount: totalCount))
    }
}
