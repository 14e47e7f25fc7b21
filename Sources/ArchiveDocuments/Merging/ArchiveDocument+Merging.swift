// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ArchiveDocument {
    /// Returns what other programs have changed in the file since the document has read or saved it, and the changes of the
    /// document: `nil` if the file is unchanged.
    ///
    /// ```swift
    /// if let merge = try document.changesOfOthers() {
    ///     for change in merge.changesOfTheirs { print(change) }
    /// }
    /// ```
    ///
    /// The base of the result is the file that the document has read, mine is the document, and theirs is the file at its URL. The
    /// document and the file are not changed.
    ///
    /// - Throws: The errors of ``merge(resolving:)``.
    /// - Complexity: O(*n* log *n*), where *n* is the number of values in the files.
    public func changesOfOthers() throws -> ArchiveMerge? {
        try requireNoSave()
        guard let file else { throw ArchiveDocumentError(.noFile) }
        return file.isCurrent ? nil : try beginMerge(file).merge
    }

    /// Saves the document together with what other programs have changed in its file since the document has read or saved it.
    ///
    /// ```swift
    /// do {
    ///     try document.save()
    /// } catch let error as ArchiveDocumentError where error.code == .fileChanged {
    ///     try document.merge { conflict in
    ///         print(conflict)  // root.books[0].title: base "Emma", mine "Emma I", theirs "Emma II"
    ///         return .mine
    ///     }
    /// }
    /// ```
    ///
    /// The merged archive is decoded, then it replaces the file, and the document reads it. Instances with declared fields
    /// (`ArchivedFields`) stay the same, as with ``revert()``; others are new ones. If no other program has changed the file, the method
    /// saves the document. <doc:Merging> has the rules.
    ///
    /// - Parameter resolution: A closure that decides about each conflict; `nil` if there must be none.
    /// - Returns: A report of the written data.
    /// - Throws: ``ArchiveMergeError`` if there are conflicts and no closure, or if the file is another one, not a changed version.
    ///   ``ArchiveDocumentError`` with the code `mergeWithJournal` if the document has a journal, `unreadJournal` if the file has
    ///   one, and `fileChanged` if another program has overwritten parts of the file that the document has not read, or changes
    ///   the file during the merge. The errors of the closure, of ``save(changes:)`` and of ``revert()``, the latter also if the merged
    ///   archive cannot be decoded. After an error the file is as the other program has left it, and the document is unchanged.
    /// - Complexity: O(*n* log *n*), where *n* is the number of values in the files.
    @discardableResult
    public func merge(
        resolving resolution: ((ArchiveMerge.Conflict) throws -> ArchiveMerge.Resolution)? = nil
    ) throws -> ArchiveSaveReport {
        try requireNoSave()
        guard let file, let url else { throw ArchiveDocumentError(.noFile) }
        if file.isCurrent { return try save() }
        let merge = try beginMerge(file)
        let (data, uids, objectCount) = try merge.merge.merged(resolving: resolution)
        let archive = try KeyedArchive(data).source
        let draft = try ArchiveDraft(for: url) { output in try output.write(archive) }
        // With instances of its own: the document's are read only from a file that has its name.
        _ = try DocumentFile(DocumentFile.FileContents(draft.file), url, reading).decodeRoot(Root.self)
        let contents = try DocumentFile.commit(draft, at: url, ifStill: merge.theirs.file, nil)
        let new = DocumentFile(contents, url, reading)
        let newUIDs = merge.addedUIDs.map { uid in Int(uid) < uids.count ? uids[Int(uid)] : 0 }
        new.open.continueInstances(of: file.open, and: merge.added, as: newUIDs)
        try read(new)
        return ArchiveSaveReport(bytesWritten: data.count, objectsWritten: objectCount)
    }

    private func beginMerge(_ file: DocumentFile) throws -> DocumentMerge {
        try file.requireFile()
        guard journal != .enabled else { throw ArchiveDocumentError(.mergeWithJournal) }
        if case .journal = try JournalFile.find(at: file.url, toWrite: false) {
            throw ArchiveDocumentError(.unreadJournal)
        }
        guard file.canBeContinued else { throw ArchiveDocumentError(.fileChanged) }
        let theirs = try DocumentFile.FileContents(file.url, decoder.checksum)
        let save = try beginSave(to: file.url)
        let (mine, addedUIDs) = try save.changedArchive()
        let merge = try ArchiveMerge(
            base: KeyedArchive(file.contents.archive), mine: KeyedArchive(mine), theirs: KeyedArchive(theirs.archive),
            classKinds: save.graph.classKinds)
        return DocumentMerge(merge: merge, theirs: theirs, added: save.graph.objects.added, addedUIDs: addedUIDs)
    }
}

/// A merge of a document with its file.
private struct DocumentMerge {
    let merge: ArchiveMerge
    let theirs: DocumentFile.FileContents
    let added: [LiveInstance]
    let addedUIDs: [UInt32]
}

extension DocumentGraph {
    /// Whether the types with a class name in the archive are classes, by the names.
    fileprivate var classKinds: [String: Bool] {
        var kinds: [String: Bool] = [:]
        var ambiguous: Set<String> = []
        for (uid, type) in objects.classTypes {
            guard let entry = try? objects.archive.object(uid).propertyList(), let name = entry["$classname"]?.string
            else { continue }
            let isClass = type is AnyClass
            if kinds.updateValue(isClass, forKey: name) ?? isClass != isClass { ambiguous.insert(name) }
        }
        return kinds.filter { !ambiguous.contains($0.key) }
    }
}
