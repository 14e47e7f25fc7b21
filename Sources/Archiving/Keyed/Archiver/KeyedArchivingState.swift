/// What an archiver knows while values are encoded by key, at an address that does not move.
struct KeyedArchivingState: ~Copyable {
    typealias Reference = ArchiveGraph.Reference

    /// The entries of what is being written: the object, or `$top`.
    var entries: UnsafeMutablePointer<EntryList>
    private let topEntries: UnsafeMutablePointer<EntryList>
    private let objectEntries: UnsafeMutablePointer<EntryList>
    /// Values without a key so far in what is being written.
    var nonKeyedCount = 0
    private var topNonKeyedCount = 0
    /// Where the object that is being written was met.
    private(set) var path = CodingPathTable.root
    /// The class of the object that is being written.
    private(set) var writer: (any Any.Type)?
    /// Whether an object is being written.
    private(set) var isInObject = false
    /// What is archived for instances that named something else, or that were asked before they got their uid.
    var replacements: [ObjectIdentifier: Replacement] = [:]
    var types: PointerTable<CodingType>
    /// The objects of keys.
    var keys = KeyCache<Reference>(filledWith: 0)
    /// The elements of collections that are being written, each behind those of the one around it.
    var elements = PlainArray<Reference>()

    struct Replacement {
        /// Kept, so that its address is nobody else's.
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

    /// Whether nothing outlasts the archive, and the tables still lie where they began.
    var isReusable: Bool { !types.hasGrown && replacements.isEmpty && !isInObject }

    /// Makes ready for another archive.
    mutating func reset() {
        topEntries.pointee.removeAll()
        nonKeyedCount = 0
        types.visitRecords { $0.pointee.reset() }
        keys.reset()
    }

    /// Gives up what the state refers to. It is of no use afterwards.
    func releaseAll(_ arena: borrowing Arena) {
        types.releaseAll(arena)
        for entries in [topEntries, objectEntries] {
            entries.deinitialize(count: 1)
            entries.deallocate()
        }
    }

    /// Lets what is encoded from here on go into an object of the class `writer`, which was met at `path`.
    @inline(__always)
    mutating func beginObject(_ writer: any Any.Type, at path: CodingPathTable.Index) {
        entries = objectEntries
        topNonKeyedCount = nonKeyedCount
        nonKeyedCount = 0
        self.path = path
        self.writer = writer
        isInObject = true
    }

    /// Lets what is encoded from here on go into `$top` again.
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
