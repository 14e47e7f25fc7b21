// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The object graph of an archive that is being written.
///
/// The format's `$objects` is a list of *slots*; a *uid* is the number of a slot. Slots are reserved in the order in which
/// objects are first referenced, and filled when their contents are complete. Objects are written directly to the binary
/// property list. A `Reference` is an object of this list: a number or a key inside a dictionary, or a uid object, which
/// references a slot.
///
/// `docs/keyed-archive-format.md` describes the format.
package final class ArchiveGraph {
    package typealias Reference = UInt32

    package struct Slot: BitwiseCopyable {
        package var index: UInt32
        package var uid: Reference
    }

    var classes = ClassRegistry()
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
    var hasChecksum = false
    let list = BinaryPropertyListWriter(byteCapacity: 1024, objectCapacity: 96)
    let top = EntryList(capacity: 4)
    /// The contents of each slot; 0, the string "$null", until they are complete.
    let slots = PlainTable<Reference>(capacity: 32)
    /// Strings as leaves. The uid object of each string is the next object.
    ///
    /// The seed is constant: the buckets of strings decide which of very many strings are found again, and the same value must
    /// produce the same archive.
    let strings = StringTable(capacity: 32, limit: ArchiveGraph.stringLimit, seed: 0)
    /// Strings inside dictionaries: keys and class names.
    ///
    /// The seed varies between runs, and with it the buckets of keys, so an attacker cannot prepare keys that collide.
    let keys = StringTable(capacity: 32, limit: .max, seed: ArchiveGraph.keySeed)
    struct CocoaClassEntry: BitwiseCopyable {
        let name: Reference
        let uid: Reference
    }

    let cocoaClasses = PlainTable<CocoaClassEntry>()
    let classEntries = MetatypeTable<ClassEntry>()
    let numbers = NumberTable(capacity: 16)
    var foreignClassTypes: [UInt32: any Any.Type] = [:]
    let collected = PlainTable<Reference>()
    var cocoaNames = CocoaNames()

    package static var null: Reference { ArchivePrologue.null }

    /// The number of strings up to which equal strings are always found; see `StringTable`.
    static var stringLimit: Int { 4096 }

    private static let keySeed = UInt64.random(in: 0...UInt64.max)

    init() { writePrologue() }

    private func writePrologue() {
        list.append(ArchivePrologue.objects)
        slots.append(ArchivePrologue.nullText)
    }
}

// MARK: - Slots

extension ArchiveGraph {
    /// Reserves the next slot. It holds "$null" until `fill(_:with:)`.
    package func reserveSlot() -> Slot {
        let index = UInt32(truncatingIfNeeded: slots.count)
        slots.append(0)
        return Slot(index: index, uid: list.append(uid: index))
    }

    @inline(__always)
    func fill(_ slot: Slot, with contents: Reference) { slots[Int(slot.index)] = contents }

    func fill(_ slot: Slot, withContentsOf uid: Reference) {
        guard let index = self.uid(uid) else { return fill(slot, with: uid) }
        fill(slot, with: slots[Int(index)])
    }

    func uid(_ reference: Reference) -> UInt32? { list.uid(reference) }

    @inline(__always)
    func leaf(_ contents: Reference) -> Reference {
        let index = UInt32(truncatingIfNeeded: slots.count)
        slots.append(contents)
        return list.append(uid: index)
    }
}

// MARK: - Reuse

extension ArchiveGraph {
    private static var keptSlots: Int { 1 << 9 }

    /// Whether all tables are small enough to be kept for another archive.
    var isSmall: Bool {
        classes.isEmpty && !list.hasGrown && !top.hasGrown && slots.capacity <= Self.keptSlots
            && collected.capacity <= Self.keptSlots && !strings.hasGrown && !keys.hasGrown && !classEntries.hasGrown
            && !numbers.hasGrown
    }

    /// Prepares the graph for another archive. Call this method only if the graph is small.
    func reset() {
        list.truncate(to: ArchivePrologue.count)
        top.removeAll()
        slots.truncate(to: 1)
        strings.removeAll()
        keys.removeAll()
        cocoaClasses.removeAll()
        resetClassEntries()
        numbers.removeAll()
        cocoaNames = CocoaNames()
        hasChecksum = false
        writesAbsentDateParts = Self.readersRequireDateParts
    }
}

// MARK: - Finishing

extension ArchiveGraph {
    /// Writes the dictionaries around the graph, so that the list has the bytes of the whole archive.
    ///
    /// - Throws: An error if the archive is larger than the writer can address (4 GiB).
    func finish() throws(PropertyListError) {
        let isLarge = isLarge
        if isLarge { releaseTables() }
        if hasChecksum { appendChecksum() }
        let topDictionary = top.references.withSpan { list.append(pairs: $0) }
        let objects = slots.withSpan { list.append(array: $0) }
        if isLarge { slots.removeAll(keepingCapacity: 0) }
        let root = list.append(pairs: [
            ArchivePrologue.versionKey, ArchivePrologue.version, ArchivePrologue.archiverKey,
            ArchivePrologue.archiver, ArchivePrologue.topKey, topDictionary, ArchivePrologue.objectsKey, objects,
        ])
        guard list.end(top: root) else { throw PropertyListError(.tooLarge, at: BinaryFormat.byteLimit) }
    }

    /// Adds the entry of the checksum to `$top`. `StoredChecksum` moves it to the beginning of the archive.
    @inline(never)
    private func appendChecksum() {
        let key = StoredChecksum.bytes(of: StoredChecksum.signature)
        let name = key.part(1..<key.count - 1).withBytes { list.append(ascii: $0) }
        let value = StoredChecksum.bytes(of: 0).withBytes { list.append(data: $0) }
        top.references.append(name)
        top.references.append(value)
    }

    /// Whether tables are released as soon as possible. A graph of this size is not small and not reused for another archive.
    var isLarge: Bool { list.objectCount >= Self.largeCount }

    private static var largeCount: Int { 4096 }

    /// Releases the tables that are no longer searched, because finishing the archive needs memory too.
    private func releaseTables() {
        strings.releaseMemory()
        numbers.releaseMemory()
        collected.removeAll(keepingCapacity: 0)
    }
}

/// The first objects of every archive, which are copied from a template.
///
/// The references are the positions in this list. The table of keys does not contain them: a program's keys never start with a
/// single "$", and a program's key "root" is another string object.
enum ArchivePrologue {
    typealias Reference = BinaryPropertyListWriter.Reference

    static let nullText: Reference = 0
    static let null: Reference = 1
    static let classKey: Reference = 2
    static let classNameKey: Reference = 3
    static let classesKey: Reference = 4
    /// "NSObject", the last class of every class chain.
    static let rootClassName: Reference = 5
    static let versionKey: Reference = 6
    static let version: Reference = 7
    static let archiverKey: Reference = 8
    static let topKey: Reference = 9
    static let objectsKey: Reference = 10
    static let archiver: Reference = 11
    static let rootKey: Reference = 12

    static let objects: WrittenObjects = {
        let list = BinaryPropertyListWriter()
        _ = list.append("$null")
        _ = list.append(uid: 0)
        for name in ["$class", "$classname", "$classes", ArchivedClass.rootName, "$version"] {
            _ = list.append(name)
        }
        _ = list.append(Int64(KeyedArchiveFormat.version))
        for name in ["$archiver", "$top", "$objects", KeyedArchiveFormat.archiver, KeyedArchiveFormat.rootKey] {
            _ = list.append(name)
        }
        return list.takeObjects()
    }()

    static var count: Int { objects.offsets.count }
}

/// The entries of an object that is being written, keys and values alternating; or the elements of a collection.
final class EntryList {
    typealias Reference = ArchiveGraph.Reference

    let references: PlainTable<Reference>
    /// A set of key bits. A key is new if its bit is not set.
    private var keyBits: UInt64 = 0
    private var keyPositions: [Reference: Int] = [:]

    init(capacity: Int) { references = PlainTable(capacity: capacity) }

    var hasGrown: Bool { references.capacity > 1 << 10 }

    @inline(__always)
    func removeAll() {
        references.removeAll()
        keyBits = 0
        if !keyPositions.isEmpty { keyPositions = [:] }
    }

    @inline(__always)
    func append(_ element: Reference) { references.append(element) }

    /// Sets the value of `key`. Returns the position of the value that it replaces; `nil` if the key is new.
    @inline(__always)
    func set(_ key: Reference, to value: Reference) -> Int? {
        let bit: UInt64 = 1 &<< UInt64(key & 63)
        if keyBits & bit != 0, let position = position(of: key) {
            references[position] = value
            return position
        }
        keyBits = keyBits | bit
        references.append(key, value)
        return nil
    }

    func mayHave(_ key: Reference) -> Bool {
        keyBits & 1 &<< UInt64(key & 63) != 0 && position(of: key) != nil
    }

    private static var linearSearchLimit: Int { 64 }

    @inline(never)
    func position(of key: Reference) -> Int? {
        if references.count <= 2 * Self.linearSearchLimit {
            for index in stride(from: 0, to: references.count, by: 2) where references[index] == key {
                return index + 1
            }
            return nil
        }
        // Indexes the keys that were appended since the last call.
        // The dictionary is changed outside of the property, so that `removeAll()` needs no exclusivity check.
        var positions = keyPositions
        keyPositions = [:]
        for index in stride(from: 2 * positions.count, to: references.count, by: 2) {
            positions[references[index]] = index + 1
        }
        keyPositions = positions
        return positions[key]
    }
}
