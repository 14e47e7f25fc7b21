/// The state of an archiver while values are encoded by key, at a fixed address.
struct KeyedArchivingState: ~Copyable {
    typealias Reference = ArchiveGraph.Reference

    /// The entries of the object in progress, or of `$top`.
    var entries: UnsafeMutablePointer<EntryList>
    private let topEntries: UnsafeMutablePointer<EntryList>
    private let objectEntries: UnsafeMutablePointer<EntryList>
    /// The number of values without a key so far in the object in progress.
    var nonKeyedCount = 0
    private var topNonKeyedCount = 0
    /// The coding path of the object in progress.
    private(set) var path = CodingPathTable.root
    /// The class of the object in progress.
    private(set) var writer: (any Any.Type)?
    /// Whether an object is in progress.
    private(set) var isInObject = false
    /// The replacements of instances that named one, or that were queried before they had a uid.
    var replacements: [ObjectIdentifier: Replacement] = [:]
    var types: PointerTable<CodingType>
    /// The objects of keys.
    var keys = KeyCache<Reference>(filledWith: 0)
    /// The elements of collections in progress, each collection's after those of the outer one.
    var elements = PlainArray<Reference>()

    struct Replacement {
        /// Retained, so that no other object has its address.
        let original: AnyObject
        let replacement: (any Coding)?
    }

    init(in arena: inout Arena) {
        topEntries = .allocate(capacity: 1)
        topEntries.initialize(to: EntryList(references: PlainArray()))
        objectEntries = .allocate(capacity: 1)
        objectEntries.initialize(to: EntryList(references: PlainArray()))
        entries = topEntries
        types = PointerTable(in: &arena)
    }

    /// Whether no state outlasts the archive, and the tables are still in their initial memory.
    var isReusable: Bool { !types.hasGrown && replacements.isEmpty && !isInObject }

    /// Prepares for another archive.
    mutating func reset() {
        topEntries.pointee.removeAll()
        nonKeyedCount = 0
        types.visitRecords { $0.pointee.reset() }
        keys.reset()
    }

    /// Releases the state, which cannot be used afterwards.
    func releaseAll(_ arena: borrowing Arena) {
        types.releaseAll(arena)
        for entries in [topEntries, objectEntries] {
            entries.deinitialize(count: 1)
            entries.deallocate()
        }
    }

    /// Directs the following values to an object of the class `writer`, with the coding path `path`.
    @inline(__always)
    mutating func beginObject(_ writer: any Any.Type, at path: CodingPathTable.Index) {
        entries = objectEntries
        topNonKeyedCount = nonKeyedCount
        nonKeyedCount = 0
        self.path = path
        self.writer = writer
        isInObject = true
    }

    /// Directs the following values to `$top` again.
    @inline(__always)
    mutating func endObject() {
        entries.pointee.removeAll()
        entries = topEntries
        nonKeyedCount = topNonKeyedCount
        path = CodingPathTable.root
        writer = nil
        isInObject = false
    }
}
