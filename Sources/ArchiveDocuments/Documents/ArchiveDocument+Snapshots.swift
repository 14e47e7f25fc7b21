// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ArchiveDocument {
    /// Encodes the document, for a write that happens later or elsewhere.
    ///
    /// ```swift
    /// let snapshot = try document.snapshot()
    /// let report = try await Task.detached { try snapshot.write() }.value
    /// try document.didSave(snapshot)
    /// ```
    ///
    /// The program may change the graph meanwhile. Marks of instances last until ``didSave(_:at:)``.
    ///
    /// - Parameter changes: How the changes are found.
    /// - Throws: Errors of the encoder. ``ArchiveDocumentError`` if the program has modified a part that could not be read.
    /// - Complexity: O(*n*), where *n* is the number of loaded instances, or of marked ones.
    public func snapshot(changes: ArchiveChanges = .compared) throws -> ArchiveDocumentSnapshot {
        try requireNoSave()
        return snapshot(
            of: try beginSave(to: url, replacing: file?.contents.file, changes, compaction: regularCompaction))
    }

    /// Adopts the file to which `snapshot` was written last, as after a save. Without a write, the method does nothing.
    ///
    /// A framework that writes documents, such as SwiftUI, may have the snapshot written to a temporary file, which it moves
    /// afterwards.
    ///
    /// - Parameters:
    ///   - snapshot: A snapshot of this document.
    ///   - url: The location to which the written file was moved; `nil` if it is where it was written.
    /// - Throws: ``ArchiveDocumentError`` with the code `outdatedSnapshot` if the document was saved, reverted or closed
    ///   since the snapshot was taken, and `fileChanged` if the file at `url` is another one than the written one. The document
    ///   keeps its file, and the file that was written stays as it is.
    public func didSave(_ snapshot: ArchiveDocumentSnapshot, at url: URL? = nil) throws {
        try requireNoSave()
        guard snapshot.stateNumber == stateNumber else { throw ArchiveDocumentError(.outdatedSnapshot) }
        if let url, !snapshot.isWritten(at: url) { throw ArchiveDocumentError(changeAt: url) }
        adopt(snapshot, at: url)
    }

    func snapshot(of save: DocumentSave) -> ArchiveDocumentSnapshot {
        ArchiveDocumentSnapshot(save, markNumber: marks.beginSnapshot(), stateNumber: stateNumber)
    }

    /// - Parameter url: The location of the written file; nil if it is where it was written.
    func adopt(_ snapshot: ArchiveDocumentSnapshot, at url: URL? = nil) {
        guard let (save, result) = snapshot.takeResult() else { return }
        goOn(with: result, of: save, at: url ?? save.target)
        marks.endSnapshot(snapshot.markNumber)
        applyMemoryLimit(to: save.graph, isUnchanged: false)
    }

    /// A number that is another one after each save, ``revert()`` and ``close()``.
    private var stateNumber: Int { saveCount &+ closeCount }
}
