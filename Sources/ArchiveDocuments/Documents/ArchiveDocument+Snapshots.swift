import Archiving

extension ArchiveDocument {
    /// Encodes the document, for a write that happens later or elsewhere.
    ///
    /// ```swift
    /// let snapshot = try document.snapshot()
    /// let report = try await Task.detached { try snapshot.write() }.value
    /// try document.didSave(snapshot)
    /// ```
    ///
    /// The program may change the graph meanwhile. Marks of instances last until ``didSave(_:)``.
    ///
    /// - Parameter changes: How the changes are found.
    /// - Throws: Errors of the encoder. ``ArchiveDocumentError`` if the program has modified a part that could not be read.
    /// - Complexity: O(*n*), where *n* is the number of loaded instances, or of marked ones.
    public func snapshot(changes: ArchiveChanges = .compared) throws -> ArchiveDocumentSnapshot {
        try requireNoSave()
        let continued = continuedFile
        return snapshot(
            of: DocumentSave(
                graph: try graph(updating: continued, changes), continued: continued?.contents, open: file?.open,
                url: url, replaced: file?.contents.file, isForced: false, usesJournal: true,
                isUnread: journal == .disabled, compaction: savesUntilWalk <= 1 ? compaction : nil,
                isChecked: encoder.checksum == .crc64, indexes: indexWriter))
    }

    /// Adopts the file to which `snapshot` was written last, as after a save. Without a write, the method does nothing.
    ///
    /// - Throws: ``ArchiveDocumentError`` with the code `outdatedSnapshot` if the document was saved, reverted or closed
    ///   since the snapshot was taken. The document keeps its file, and the file that was written stays as it is.
    public func didSave(_ snapshot: ArchiveDocumentSnapshot) throws {
        try requireNoSave()
        guard snapshot.stateNumber == stateNumber else { throw ArchiveDocumentError(.outdatedSnapshot) }
        adopt(snapshot)
    }

    func snapshot(of save: DocumentSave) -> ArchiveDocumentSnapshot {
        ArchiveDocumentSnapshot(save, markNumber: marks.beginSnapshot(), stateNumber: stateNumber)
    }

    func adopt(_ snapshot: ArchiveDocumentSnapshot) {
        guard let (save, result) = snapshot.takeResult() else { return }
        goOn(with: result, of: save)
        marks.endSnapshot(snapshot.markNumber)
        applyMemoryLimit(to: save.graph, isUnchanged: false)
    }

    /// A number that is another one after each save, ``revert()`` and ``close()``.
    private var stateNumber: Int { saveCount &+ closeCount }
}
