// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The state of an ``ArchiveDocument`` at one moment, which any task can write.
public final class ArchiveDocumentSnapshot: Sendable {
    private let save: DocumentSave
    /// Instances that only the document references, which it releases if the snapshot is saved.
    private let released: ReleasedInstances
    /// The number of the snapshot for the marks of the document.
    let markNumber: Int
    let stateNumber: Int
    private let result = Mutex<(save: DocumentSave, result: DocumentSave.Result)?>(nil)

    init(_ save: consuming DocumentSave, markNumber: Int, stateNumber: Int) {
        released = ReleasedInstances(from: &save)
        self.save = save
        self.markNumber = markNumber
        self.stateNumber = stateNumber
    }

    /// Writes the changes to the file that the document had, or to its journal, or all of it to the file at `url`.
    ///
    /// Call ``ArchiveDocument/didSave(_:at:)`` with the snapshot afterwards: otherwise the document does not know the new file.
    ///
    /// - Parameters:
    ///   - url: The location of the file, which is replaced; `nil` for the document's file.
    ///   - progress: A closure that receives the number of written bytes, on this thread; `nil` for no reports.
    /// - Returns: A report of the written data.
    /// - Throws: The errors of ``ArchiveDocument/save(changes:progress:isolation:)``. After an error the file is the old one, with
    ///   the same exception.
    /// - Complexity: O(*n*), where *n* is the number of encoded instances, and a copy of the file, unless the changes are
    ///   appended to a journal.
    @discardableResult
    public func write(
        to url: URL? = nil, progress: (@Sendable (ArchiveProgress) -> Void)? = nil
    ) throws -> ArchiveSaveReport {
        let written = try perform(url, progress)
        if let error = written.flushError { throw error }
        return written.report
    }

    private func perform(_ url: URL?, _ progress: ArchiveProgress.Handler?) throws -> DocumentSave.Result {
        let save = try save.to(url)
        let meter = WritingMeter(progress)
        let written = try save.write(meter)
        meter.finish()
        result.withLock { $0 = (save, written) }
        return written
    }

    /// Writes as `write()`, outside the caller's actor. The caller throws the error of a failed flush.
    func writeElsewhere(_ progress: ArchiveProgress.Handler?) async throws -> DocumentSave.Result {
        try perform(nil, progress)
    }

    /// Returns whether the file of the last write, if there is one, is at `url`, unchanged.
    func isWritten(at url: URL) -> Bool {
        result.withLock { $0?.result.contents?.file?.isUnchanged(at: url.path) ?? true }
    }

    /// Returns the last write, once. The instances that only the document references are released.
    func takeResult() -> (save: DocumentSave, result: DocumentSave.Result)? {
        let taken = result.withLock { result in
            defer { result = nil }
            return result
        }
        if taken != nil { released.forget() }
        return taken
    }
}

/// Instances that only a document references. They are kept again if the snapshot that has their contents is not saved.
///
/// Sendable: the instances are only retained, and the list is changed under a lock.
private final class ReleasedInstances: @unchecked Sendable {
    private let open: OpenArchive?
    private let lock = Mutex(())
    private var instances: [LiveInstance]

    init(from save: inout DocumentSave) {
        open = save.open
        instances = save.takeUnused()
    }

    deinit { open?.keep(instances.map(\.uid)) }

    func forget() {
        var old: [LiveInstance] = []
        lock.withLock { _ in swap(&old, &instances) }
        // Outside of the lock, since the program's own code may run.
        withExtendedLifetime(old) {}
    }
}
