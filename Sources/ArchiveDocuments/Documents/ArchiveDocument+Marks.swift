// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// How a save finds what has changed.
public enum ArchiveChanges: Sendable {
    /// All loaded instances are encoded and compared with the file.
    case compared
    /// The instances that were passed to ``ArchiveDocument/markChanged(_:)`` are encoded and compared, and the new
    /// instances that they reference. Changes of other instances are not saved.
    case marked
}

extension ArchiveDocument {
    /// Records that `instance` may have changed, for ``save(changes:)`` with `.marked`.
    ///
    /// ```swift
    /// book.title = "Emma"
    /// document.markChanged(book)
    /// try document.save(changes: .marked)
    /// ```
    ///
    /// Mark the instance whose property was set: also the one with the array to which an instance was added. New
    /// instances need no mark if a marked one references them. A root that is a struct needs no mark itself, and neither
    /// does a new root.
    ///
    /// Marks last until a save of the document succeeds, or ``revert()``. The document retains marked instances until then.
    public func markChanged(_ instance: AnyObject) { marks.insert(instance) }

    /// A Boolean value that indicates whether an instance was marked, or the root was set, since the last save.
    public var isEdited: Bool { !marks.isEmpty || tracking.hasChanges }

    /// Returns the paths of the instances that have changed since the last save and are not marked: their changes would be
    /// lost. Call it in debug builds before a save of marked changes:
    ///
    /// ```swift
    /// let forgotten = try document.verifyMarks()
    /// precondition(forgotten.isEmpty, "Changed without a mark: \(forgotten)")
    /// ```
    ///
    /// - Throws: The errors of ``hasChanges()``.
    /// - Complexity: O(*n*), where *n* is the number of loaded instances.
    public func verifyMarks() throws -> [KeyedArchive.Path] {
        guard let file = continuedFile else { return [] }
        let graph = try graph(updating: file)
        let old = file.contents.archive.contents
        let new = graph.objects.archive
        var comparison = ArchiveComparison(of: new.contents, to: old, graph.counterparts, keeping: graph.kept)
        let forgotten = graph.objects.instances.filter { instance in
            if let object = file.open.instance(instance.old), marks.contains(object) { return false }
            return !comparison.isUnchanged(instance.uid)
        }
        guard !forgotten.isEmpty else { return [] }
        let archive = KeyedArchive(new)
        return forgotten.map { archive.path(to: archive[uid: $0.uid]) ?? KeyedArchive.Path() }
    }
}

/// The instances that were marked as changed.
struct DocumentMarks {
    private struct Mark {
        let instance: AnyObject
        let age: Int
    }

    private var marked: [ObjectIdentifier: Mark] = [:]
    /// The number of snapshots that were taken before the root was set; nil if it was not set.
    private var rootAge: Int?
    private var snapshotCount = 0

    var isEmpty: Bool { marked.isEmpty && rootAge == nil }
    var instances: [AnyObject] { marked.values.map(\.instance) }

    func contains(_ instance: AnyObject) -> Bool { marked[ObjectIdentifier(instance)] != nil }

    mutating func insert(_ instance: AnyObject) {
        marked[ObjectIdentifier(instance)] = Mark(instance: instance, age: snapshotCount)
    }

    mutating func setRoot() { rootAge = snapshotCount }

    mutating func beginSnapshot() -> Int {
        snapshotCount += 1
        return snapshotCount
    }

    /// Removes the marks that precede the snapshot `number`, which is saved.
    mutating func endSnapshot(_ number: Int) {
        marked = marked.filter { $0.value.age >= number }
        if let age = rootAge, age < number { rootAge = nil }
    }

    mutating func removeAll() { endSnapshot(beginSnapshot()) }
}
