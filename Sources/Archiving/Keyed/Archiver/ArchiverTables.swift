// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The tables of a keyed archiver. They belong to the graph, so that the archiver of the next archive uses them too.
///
/// The archiver itself is never used for another archive: the program may have kept a reference to it.
final class ArchiverTables: CoderTables {
    /// The entries of `$top`, and those of the object in progress.
    let topEntries = EntryList(capacity: 0)
    let objectEntries = EntryList(capacity: 0)
    /// The objects of keys.
    let keys = KeyCache<ArchiveGraph.Reference>(filledWith: 0)
    /// The writers of `Coding` classes.
    let writers = MetatypeTable<CodingWriter>()
    /// The elements of collections in progress, each collection's after those of the outer one.
    let elements = PlainTable<ArchiveGraph.Reference>()
    /// The archiver that uses the tables.
    let archiver = CoderReference<KeyedArchiver>()

    override var hasGrown: Bool {
        writers.hasGrown || topEntries.hasGrown || objectEntries.hasGrown || elements.capacity > Self.keptElements
    }

    /// The number of elements for which the memory is kept.
    private static var keptElements: Int { 1 << 10 }

    override func reset() {
        topEntries.removeAll()
        keys.reset()
        for writer in writers.records { writer.reset() }
    }
}

extension GraphWriting {
    private var knownArchiverTables: ArchiverTables? { tables as? ArchiverTables }

    /// The tables of the keyed archiver, created if they do not exist.
    var archiverTables: ArchiverTables {
        if let knownArchiverTables { return knownArchiverTables }
        let made = ArchiverTables()
        tables = made
        return made
    }

    /// The keyed archiver of the graph; nil if there is none.
    var archiver: KeyedArchiver? { knownArchiverTables?.archiver.coder }
}
