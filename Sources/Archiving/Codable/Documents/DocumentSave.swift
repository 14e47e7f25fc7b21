#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A save that has taken from the graph of a document what it writes: the program may change the graph meanwhile.
struct DocumentSave: Sendable {
    var graph: DocumentGraph
    /// The archive that is continued; nil if a new one is written.
    let archive: ArchiveSource?
    /// Where parts of the archive are that the program has.
    let open: OpenArchive?
    let url: URL
    /// Whether the file is written even if nothing has changed.
    let isForced: Bool
    /// The part of the file that nothing may refer to; nil if it is not looked for. If no part may, it is looked for although nothing
    /// has changed.
    let compaction: Double?

    /// What was written.
    struct Result: Sendable {
        /// The new file; nil if nothing was written.
        fileprivate(set) var contents: DocumentFile.FileContents?
        /// The uids in it of the instances that were not in the old one, in their order; 0 for one that nothing refers to.
        fileprivate(set) var addedUIDs: [UInt32] = []
        fileprivate(set) var report = ArchiveSaveReport()
        /// Why the new file has what nothing refers to, although it is more than may be.
        fileprivate(set) var compactionError: (any Error)?
        /// What has remained of the archive each time it was written without what nothing refers to.
        fileprivate var compactions: [ArchiveCompaction] = []

        /// Whether the object `uid` of the old file is not in the new one; nil if all are.
        var isGone: ((UInt32) -> Bool)? {
            compactions.isEmpty ? nil : { uid in !compactions.allSatisfy { $0.keeps(uid) } }
        }
    }

    /// Takes out the instances that nothing but the document refers to, and has the document keep them no longer. They are encoded
    /// as they are now. One that the program finds again before they are released is kept again.
    mutating func takeUnused() -> [LiveInstance] {
        open?.letGo(of: graph.unreached.map(\.uid))
        var unused: [LiveInstance] = []
        while var instance = graph.unreached.popLast() {
            if isKnownUniquelyReferenced(&instance.object) {
                unused.append(instance)
            } else {
                open?.keep([instance.uid])
            }
        }
        return unused
    }

    /// Writes the file, away from the caller's actor.
    func writeElsewhere(_ progress: ArchiveProgress.Handler?) async throws -> Result {
        let meter = WritingMeter(progress)
        let result = try write(meter)
        meter.finish()
        return result
    }

    /// Writes the file.
    func write(_ meter: WritingMeter = WritingMeter(nil)) throws -> Result {
        guard let archive else { return try writeWhole(meter) }
        var result = Result()
        var continued = archive
        var update = try graph.update(continued.contents)
        var byteCount = 0
        if isForced || !update.isEmpty {
            while !update.isPossible {
                continued = try archiveWithRoom(continued, &result, &byteCount)
                update = try graph.update(continued.contents)
            }
            result.contents = try replace(update.byteCount, meter) { output throws(FileReplacement.Failure) in
                byteCount += try update.write(continued.stored.storage, to: output)
            }
            result.addedUIDs = graph.added.map { update.assignedUID($0.uid) }
        }
        if let compaction, compaction == 0 || result.contents != nil {
            do {
                try compact(result.contents?.archive ?? continued, above: compaction, &result, &byteCount, meter)
            } catch {
                // Everything is saved, and the file only larger than it could be.
                result.compactionError = error
            }
        }
        result.report = ArchiveSaveReport(
            bytesWritten: byteCount, objectsWritten: update.writtenCount, objectsKept: update.keptCount)
        return result
    }

    /// Writes a document that is in no file yet.
    private func writeWhole(_ meter: WritingMeter) throws -> Result {
        let bytes = graph.archive.storage.bytes
        var result = Result()
        result.contents = try replace(bytes.count, meter) { output throws(FileReplacement.Failure) in
            try output.write(bytes)
        }
        result.addedUIDs = graph.added.map(\.uid)
        result.report = ArchiveSaveReport(bytesWritten: bytes.count, objectsWritten: graph.added.count)
        return result
    }

    /// Replaces the file by one with some `count` bytes, which `write` writes.
    private func replace(
        _ count: Int, _ meter: WritingMeter,
        _ write: (FileReplacement.Output) throws(FileReplacement.Failure) -> Void
    ) throws -> DocumentFile.FileContents {
        meter.expect(count)
        let written = try ArchiveFile.write(to: url) { output throws(FileReplacement.Failure) in
            var metered = output
            metered.checkpoint = { count throws(FileReplacement.Failure) in try meter.advance(count) }
            try write(metered)
            if Task.isCancelled { throw .cancelled }
        }
        // A pipe cannot be read again.
        guard let written else { throw ArchiveDocumentError(.fileChanged) }
        let contents = try DocumentFile.FileContents(url)
        // Another program may have replaced it at once.
        guard contents.identity == written else { throw ArchiveDocumentError(.fileChanged) }
        return contents
    }
}

// MARK: - Writing without what nothing refers to

extension DocumentSave {
    /// Writes the file without what nothing refers to, if that is more than `part` of it.
    private func compact(
        _ archive: ArchiveSource, above part: Double, _ result: inout Result, _ byteCount: inout Int,
        _ meter: WritingMeter
    ) throws {
        let compaction = try compaction(of: archive)
        let size = archive.contents.byteCount
        guard Double(size - compaction.byteCount) > part * Double(size) else { return }
        result.contents = try replace(compaction.byteCount, meter) { output throws(FileReplacement.Failure) in
            byteCount += try compaction.write(referenceSize: archive.contents.list.referenceSize, to: output)
        }
        result.compactions.append(compaction)
    }

    /// A copy of `archive` that has room for more objects. Only this save has it: the file stays as it is.
    private func archiveWithRoom(
        _ archive: ArchiveSource, _ result: inout Result, _ byteCount: inout Int
    ) throws -> ArchiveSource {
        let compaction = try compaction(of: archive)
        // In the folder that is about to be written to.
        let copy = url.deletingLastPathComponent().appending(path: ".\(UUID().uuidString).tmp")
        defer { try? FileManager.default.removeItem(at: copy) }
        try ArchiveFile.write(to: copy) { output throws(FileReplacement.Failure) in
            byteCount += try compaction.write(referenceSize: archive.contents.list.referenceSize + 1, to: output)
        }
        result.compactions.append(compaction)
        return try DocumentFile.FileContents(copy).archive
    }

    private func compaction(of archive: ArchiveSource) throws -> ArchiveCompaction {
        archive.expectWalk()
        do throws(KeyedArchiveError) {
            return try ArchiveCompaction(of: archive.contents, and: open?.partUIDs ?? [])
        } catch {
            throw CodableErrors.damaged(error, path: [])
        }
    }
}

// MARK: - Progress

/// Counts the bytes that a save writes.
final class WritingMeter {
    private let handler: ArchiveProgress.Handler?
    private var completedCount = 0
    private var totalCount = 0

    /// - Parameter handler: What is told of the progress.
    init(_ handler: ArchiveProgress.Handler?) { self.handler = handler }

    /// Takes note that `count` more bytes are going to be written.
    fileprivate func expect(_ count: Int) {
        completedCount = totalCount
        totalCount += count
    }

    /// Takes note that `count` bytes were written.
    fileprivate func advance(_ count: Int) throws(FileReplacement.Failure) {
        if Task.isCancelled { throw .cancelled }
        // The file gets its name when all is written.
        completedCount = min(completedCount + count, totalCount - 1)
        handler?(ArchiveProgress(completedCount: completedCount, totalCount: totalCount))
    }

    /// Takes note that the file is there.
    fileprivate func finish() {
        totalCount = max(totalCount, 1)
        handler?(ArchiveProgress(completedCount: totalCount, totalCount: totalCount))
    }
}
