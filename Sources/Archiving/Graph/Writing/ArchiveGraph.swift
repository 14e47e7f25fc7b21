/// The object graph of an archive that is being written.
///
/// The format's `$objects` is a list of *slots*; a *uid* is the number of a slot. Slots are reserved in the order in which
/// objects are first referenced, and filled when their contents are complete. Objects are written directly to the binary
/// property list. A `Reference` is an object of this list: a number or a key inside a dictionary, or a uid object, which
/// references a slot.
///
/// `docs/keyed-archive-format.md` describes the format.
struct ArchiveGraph: ~Copyable {
    typealias Reference = BinaryPropertyListWriter.Reference

    /// A slot and the uid object that references it.
    struct Slot: BitwiseCopyable {
        var index: UInt32
        var uid: Reference
    }

    /// The names of types.
    var classes = ClassRegistry()
    /// Whether an array of numbers is encoded as one data object.
    var packsNumbers = false
    /// Whether the platform's Foundation reads date components only if the archive has their calendar and time zone, or nil.
    static var readersRequireDateParts: Bool {
        #if canImport(Darwin)
            false
        #else
            true
        #endif
    }
    /// Whether date components without a calendar or a time zone have nil in its place.
    var writesAbsentDateParts = readersRequireDateParts
    /// The memory of the initial tables.
    var arena: Arena
    var list: BinaryPropertyListWriter
    /// The entries of `$top`.
    var top: EntryList
    /// The contents of each slot; 0, the string "$null", until they are complete.
    var slots: PlainArray<Reference>
    /// Strings as leaves. The uid object of each string is the next object.
    var strings: StringTable
    var nullLookalike: Reference = 0
    /// Strings inside dictionaries: keys and class names.
    var keys: StringTable
    /// Keys that are not ASCII, because readers treat keys that are canonically equivalent in Unicode as one key.
    var unicodeKeys: [String: Reference] = [:]
    /// The class entries of Foundation's classes: the string object of the name, and the uid.
    var cocoaClasses: PlainArray<(name: Reference, uid: Reference)>
    /// The class entries of Swift types.
    var classEntries: ClassEntries
    var numbers: NumberTable
    var objects: ObjectTable
    /// Instances that have only conditional references so far.
    var conditionals = ConditionalInstances()
    var pending: PendingInstances
    /// The paths at which instances were first referenced.
    let paths = CodingPathTable()
    /// The transcriptions of other archives, by their sources.
    var transcriptions: [ObjectIdentifier: ArchiveTranscription] = [:]
    /// The types of copied class entries, by uid.
    var foreignClassTypes: [UInt32: any Any.Type] = [:]
    /// The key "NS.objects" and the class of arrays, which are frequent; 0 until the first array.
    var objectsKey: Reference = 0
    var arrayClass: Reference = 0
    var cocoaNames = CocoaNames()
    var emptyCollections = EmptyCollections()

    deinit {
        // Before the arena is destroyed.
        objects.releaseAll()
        classEntries.releaseAll(arena)
    }

    /// The uid object of `$null`, slot 0.
    static var null: Reference { ArchivePrologue.null }

    /// The number of strings up to which equal strings are always found; see `StringTable`.
    static var stringLimit: Int { 4096 }

    init() {
        var arena = Arena()
        list = BinaryPropertyListWriter(byteCapacity: 1024, objectCapacity: 96, in: &arena)
        slots = PlainArray(capacity: 32, in: &arena)
        // The address of the bytes varies between runs, and with it the buckets of keys, so an attacker cannot prepare keys
        // that collide. The seed of strings is constant: the buckets of strings decide which of very many strings are found
        // again, and the same value must produce the same archive.
        let seed = UInt64(UInt(bitPattern: list.bytes.base))
        strings = StringTable(capacity: 32, limit: Self.stringLimit, seed: 0, in: &arena)
        keys = StringTable(capacity: 32, limit: .max, seed: seed, in: &arena)
        cocoaClasses = PlainArray(capacity: 8, in: &arena)
        classEntries = ClassEntries(in: &arena)
        top = EntryList(references: PlainArray(capacity: 4, in: &arena))
        numbers = NumberTable(capacity: 16, in: &arena)
        objects = ObjectTable(in: &arena)
        pending = PendingInstances(in: &arena)
        self.arena = arena
        list.append(ArchivePrologue.bytes, offsets: ArchivePrologue.offsets)
        slots.append(ArchivePrologue.nullText)
    }

    static var nullText: UnsafeBufferPointer<UInt8> {
        let text: StaticString = "$null"
        return UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }
}

// MARK: - Slots

extension ArchiveGraph {
    /// Reserves the next slot. It holds "$null" until `fill(_:with:)`.
    mutating func reserveSlot() -> Slot {
        let index = UInt32(truncatingIfNeeded: slots.count)
        slots.append(0)
        return Slot(index: index, uid: list.append(uid: index))
    }

    @inline(__always)
    mutating func fill(_ slot: Slot, with contents: Reference) {
        slots[Int(slot.index)] = contents
    }

    /// Fills `slot` with the contents of the slot of `uid`.
    mutating func fill(_ slot: Slot, withContentsOf uid: Reference) {
        guard let index = self.uid(uid) else { return fill(slot, with: uid) }
        fill(slot, with: slots[Int(index)])
    }

    /// Returns the number of the slot of the uid object `reference`; `nil` if it is not a uid object.
    func uid(_ reference: Reference) -> UInt32? {
        guard let (node, objects) = list.object(reference), node.kind == .uid else { return nil }
        return try? objects.uid(node)
    }

    /// Returns the uid object of a new slot that holds `contents`.
    @inline(__always)
    mutating func leaf(_ contents: Reference) -> Reference {
        let index = UInt32(truncatingIfNeeded: slots.count)
        slots.append(contents)
        return list.append(uid: index)
    }
}

// MARK: - Reuse

extension ArchiveGraph {
    /// Whether the whole graph fits into its initial arena.
    var isSmall: Bool {
        classes.isEmpty && !list.hasGrown && !top.references.isOwned && !slots.isOwned && !strings.hasGrown
            && !keys.hasGrown
            && !cocoaClasses.isOwned && !classEntries.hasGrown && !numbers.hasGrown && !objects.hasGrown
            && !pending.hasGrown
            && !paths.hasGrown && conditionals.isEmpty && transcriptions.isEmpty
    }

    /// Prepares the graph for another archive. Call this method only if the graph is small.
    mutating func reset() {
        list.truncate(to: ArchivePrologue.offsets.count)
        top.removeAll()
        slots.truncate(to: 1)
        strings.removeAll()
        keys.removeAll()
        if !unicodeKeys.isEmpty { unicodeKeys = [:] }
        cocoaClasses.removeAll()
        classEntries.removeAll()
        numbers.removeAll()
        objects.removeAll()
        pending.reset()
        paths.removeAll()
        nullLookalike = 0
        objectsKey = 0
        arrayClass = 0
        cocoaNames = CocoaNames()
        emptyCollections = EmptyCollections()
        packsNumbers = false
        writesAbsentDateParts = Self.readersRequireDateParts
    }
}

// MARK: - Finishing

extension ArchiveGraph {
    /// Writes the dictionaries around the graph, and returns the bytes of the whole archive.
    ///
    /// - Returns: `nil` if the archive is larger than the writer can address (4 GiB). The caller releases the bytes with
    ///   `Platform.release(_:)`.
    mutating func finish() -> UnsafeMutableRawBufferPointer? {
        let isLarge = list.objectCount >= Self.largeCount
        if isLarge { releaseTables() }
        let topDictionary = list.append(dictionary: top.references.base, count: top.references.count / 2)
        let objects = list.append(array: UnsafeBufferPointer(slots.elements))
        if isLarge { slots.releaseMemory() }
        var root = (
            ArchivePrologue.versionKey, ArchivePrologue.version, ArchivePrologue.archiverKey, ArchivePrologue.archiver,
            ArchivePrologue.topKey, topDictionary, ArchivePrologue.objectsKey, objects
        )
        let rootDictionary = withUnsafePointer(to: &root) {
            list.append(dictionary: UnsafeRawPointer($0).assumingMemoryBound(to: Reference.self), count: 4)
        }
        return list.finish(top: rootDictionary)
    }

    /// The number of objects from which tables are released as soon as possible. A graph of this size is not small and not
    /// reused for another archive.
    private static var largeCount: Int { 4096 }

    /// Releases the tables that are no longer searched, because finishing the archive needs memory too.
    private mutating func releaseTables() {
        objects.endSearch()
        paths.releaseMemory()
        strings.releaseMemory()
        numbers.releaseMemory()
    }
}
