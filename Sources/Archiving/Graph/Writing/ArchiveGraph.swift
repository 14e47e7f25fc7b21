/// An archive's object graph while it is written.
///
/// What the format calls `$objects` is a list of *slots*; a *uid* is the number of a slot. Slots are taken in the order
/// in which objects are met, contents follow when they are complete. Everything goes straight into the binary property
/// list; a `Reference` is an object of that list: a number or a key that stands inside a dictionary, or a uid object
/// that leads to a slot.
///
/// Format: `docs/keyed-archive-format.md`.
struct ArchiveGraph: ~Copyable {
    typealias Reference = BinaryPropertyListWriter.Reference

    /// A slot together with the uid object that leads to it.
    struct Slot: BitwiseCopyable {
        var index: UInt32
        var uid: Reference
    }

    /// The names that types have.
    var classes = ClassRegistry()
    /// Whether an array of numbers is one piece of data.
    var packsNumbers = false
    /// Where the first tables are.
    var arena: Arena
    var list: BinaryPropertyListWriter
    /// The entries of `$top`.
    var top: EntryList
    /// What each slot holds. 0, which is the string "$null", until its contents are complete.
    var slots: PlainArray<Reference>
    /// Strings as leaves. The uid of each is the object behind it.
    var strings: StringTable
    var nullLookalike: Reference = 0
    /// Strings inside dictionaries, which are keys and class names.
    var keys: StringTable
    /// Keys that are not ASCII: readers take two that Unicode calls equal for one.
    var unicodeKeys: [String: Reference] = [:]
    /// The entries of Foundation's classes: the string object of the name, and the uid.
    var cocoaClasses: PlainArray<(name: Reference, uid: Reference)>
    /// The entries of Swift types.
    var classEntries: ClassEntries
    var numbers: NumberTable
    var objects: ObjectTable
    /// Instances that were met by references which do not archive them.
    var conditionals = ConditionalInstances()
    var pending: PendingInstances
    /// Where instances were met.
    var paths: CodingPathTable
    /// What was taken over from archives that were read, by their sources.
    var transcriptions: [ObjectIdentifier: ArchiveTranscription] = [:]
    /// The types of class entries that were taken over, by uid.
    var foreignClassTypes: [UInt32: any Any.Type] = [:]
    /// The key "NS.objects" and the class of arrays, which most archives have many of. 0 until the first one.
    var objectsKey: Reference = 0
    var arrayClass: Reference = 0
    var cocoaNames = CocoaNames()
    var emptyCollections = EmptyCollections()

    deinit {
        // While the arena is still there.
        objects.releaseAll()
        classEntries.releaseAll(arena)
    }

    /// The uid object that leads to `$null`, slot 0.
    static var null: Reference { ArchivePrologue.null }

    /// Strings up to which equal ones are surely found; see `StringTable`.
    private static var stringLimit: Int { 4096 }

    init() {
        var arena = Arena()
        list = BinaryPropertyListWriter(byteCapacity: 1024, objectCapacity: 96, in: &arena)
        slots = PlainArray(capacity: 32, in: &arena)
        // The address of the bytes differs from run to run, and with it the places of keys: nobody can prepare keys
        // that collide. Places of strings decide which of very many are found again, so they have to be the same.
        let seed = UInt64(UInt(bitPattern: list.bytes.base))
        strings = StringTable(capacity: 32, limit: Self.stringLimit, seed: 0, in: &arena)
        keys = StringTable(capacity: 32, limit: .max, seed: seed, in: &arena)
        cocoaClasses = PlainArray(capacity: 8, in: &arena)
        classEntries = ClassEntries(in: &arena)
        top = EntryList(references: PlainArray(capacity: 4, in: &arena))
        numbers = NumberTable(capacity: 16, in: &arena)
        objects = ObjectTable(in: &arena)
        pending = PendingInstances(in: &arena)
        paths = CodingPathTable(in: &arena)
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
    /// Takes the next slot. Until `fill(_:with:)` it holds "$null".
    mutating func reserveSlot() -> Slot {
        let index = UInt32(truncatingIfNeeded: slots.count)
        slots.append(0)
        return Slot(index: index, uid: list.append(uid: index))
    }

    @inline(__always)
    mutating func fill(_ slot: Slot, with contents: Reference) {
        slots[Int(slot.index)] = contents
    }

    /// Lets `slot` hold what the slot behind `uid` holds.
    mutating func fill(_ slot: Slot, withContentsOf uid: Reference) {
        guard let index = self.uid(uid) else { return fill(slot, with: uid) }
        fill(slot, with: slots[Int(index)])
    }

    /// The number of the slot that the uid object `reference` leads to; nil where it is no uid object.
    func uid(_ reference: Reference) -> UInt32? {
        guard let (node, objects) = list.object(reference), node.kind == .uid else { return nil }
        return try? objects.uid(node)
    }

    /// The uid object of a new slot that holds `contents`.
    @inline(__always)
    mutating func leaf(_ contents: Reference) -> Reference {
        let index = UInt32(truncatingIfNeeded: slots.count)
        slots.append(contents)
        return list.append(uid: index)
    }
}

// MARK: - Again

extension ArchiveGraph {
    /// Whether the graph was so small that all of it lies in the arena it began in.
    var isSmall: Bool {
        classes.isEmpty && !list.hasGrown && !top.references.isOwned && !slots.isOwned && !strings.hasGrown
            && !keys.hasGrown
            && !cocoaClasses.isOwned && !classEntries.hasGrown && !numbers.hasGrown && !objects.hasGrown
            && !pending.hasGrown
            && !paths.hasGrown && conditionals.isEmpty && transcriptions.isEmpty
    }

    /// Makes ready for another archive. Only for a small graph.
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
    }
}

// MARK: - The end

extension ArchiveGraph {
    /// Writes what surrounds the graph, and hands over the bytes of the whole archive.
    ///
    /// - Returns: nil where the archive is larger than the writer can address (4 GiB). The caller releases the bytes with
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

    /// Objects in the list from which on tables are given up as soon as they can be. A graph of as many is not small, and not
    /// used for another archive.
    private static var largeCount: Int { 4096 }

    /// Gives up the tables that nothing is looked for in any more: what the archive ends with needs room as well.
    private mutating func releaseTables() {
        objects.endSearch()
        paths.releaseMemory()
        strings.releaseMemory()
        numbers.releaseMemory()
    }
}
