// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

extension ArchiveDocument {
    /// Releases everything that the next read decodes again: values of deferred properties, and instances to which neither the
    /// program nor the rest of the graph has a strong reference.
    ///
    /// ```swift
    /// try document.unload()
    /// print(document.root.$books.isLoaded)  // false
    /// ```
    ///
    /// Instances that the program still has stay the instances of their objects. A `weak` variable of the program does not keep its
    /// instance. These stay in memory: a deferred property that the program has set, or modified in place; elements that the program
    /// has put into an ``ArchivedList`` or an ``ArchivedDictionary``; instances in cycles of strong references; and those to which
    /// another instance that stays refers weakly.
    ///
    /// - Throws: ``ArchiveDocumentError`` with the code `partChanged` if the document has unsaved changes, and `noFile` if it has no
    ///   file. Errors of ``hasChanges()``.
    /// - Complexity: O(*n*), where *n* is the number of loaded instances.
    public func unload() throws {
        try requireNoSave()
        guard let file else { throw ArchiveDocumentError(.noFile) }
        if try hasChanges() { throw ArchiveDocumentError(.partChanged) }
        try releaseParts(of: file)
    }

    private func releaseParts(of file: DocumentFile) throws {
        for part in file.open.loadedParts { part.release() }
        var graph: DocumentGraph? = try graph(updating: file)
        let uids = graph?.objects.unreached.map(\.uid) ?? []
        file.open.letGo(of: uids)
        graph = nil
        file.open.keep(uids)
    }

    /// Releases the loaded values after a save if they are too large.
    ///
    /// - Parameters:
    ///   - saved: Everything that was loaded.
    ///   - isUnchanged: Whether the graph is as it was saved.
    func applyMemoryLimit(to saved: borrowing DocumentGraph, isUnchanged: Bool) {
        guard let memoryLimit, saved.objects.archive.contents.byteCount > memoryLimit, let file else { return }
        // The save has succeeded. A graph that cannot be encoded again stays loaded.
        if isUnchanged || (try? hasChanges()) == false { try? releaseParts(of: file) }
    }
}
