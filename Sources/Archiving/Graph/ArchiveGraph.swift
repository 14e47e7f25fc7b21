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

    /// Where the first tables are.
    var arena: Arena
    var list: BinaryPropertyListWriter
    /// The entries of `$top`: keys and values in turn.
    var top: PlainArray<Reference>
    /// What each slot holds. 0, which is the string "$null", until its contents are complete.
    private var slots: PlainArray<Reference>
    /// Strings as leaves: target is a uid.
    private var strings: StringTable
    private var nullLookalike: Reference = 0
    /// Strings inside dictionaries, which are keys and class names: target is the string itself.
    private var keys: StringTable
    /// The entries of Foundation's classes: the string object of the name, and the uid.
    private var foundationClasses: PlainArray<(name: Reference, uid: Reference)>
    var numbers: NumberTable
    private var objects: ObjectTable
    var pending: PendingInstances
    /// Where instances were met.
    var paths: CodingPathTable
    /// The key "NS.objects" and the class of arrays, which most archives have many of. 0 until the first one.
    private var objectsKey: Reference = 0
    private var arrayClass: Reference = 0
    var foundationNames = FoundationNames()

    deinit {
        // While the arena is still there.
        objects.releaseAll()
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
        foundationClasses = PlainArray(capacity: 8, in: &arena)
        top = PlainArray(capacity: 4, in: &arena)
        numbers = NumberTable(capacity: 16, in: &arena)
        objects = ObjectTable(in: &arena)
        pending = PendingInstances(in: &arena)
        paths = CodingPathTable(in: &arena)
        self.arena = arena
        list.append(ArchivePrologue.bytes, offsets: ArchivePrologue.offsets)
        slots.append(ArchivePrologue.nullText)
    }

    fileprivate static var nullText: UnsafeBufferPointer<UInt8> {
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
        guard let (node, objects) = list.object(uid), node.kind == .uid, let index = try? objects.uid(node) else {
            return fill(slot, with: uid)
        }
        fill(slot, with: slots[Int(index)])
    }

    /// The uid object of a new slot that holds `contents`.
    @inline(__always)
    mutating func leaf(_ contents: Reference) -> Reference {
        let index = UInt32(truncatingIfNeeded: slots.count)
        slots.append(contents)
        return list.append(uid: index)
    }
}

// MARK: - Numbers

/// A number stands *inline* in the dictionary of the object that has it, as Cocoa's `encodeInteger:forKey:` writes it,
/// or is a *leaf*, a slot of its own that a uid leads to, wherever only objects may stand.
extension ArchiveGraph {
    @inline(__always)
    mutating func boolean(_ value: Bool, inline: Bool) -> Reference {
        let entry = numbers.entry(value ? 1 : 0, .boolean)
        if entry.pointee.inline == 0 { entry.pointee.inline = list.append(value) }
        return inline ? entry.pointee.inline : leaf(entry)
    }

    @inline(__always)
    mutating func integer(_ value: Int64, inline: Bool) -> Reference {
        let entry = numbers.entry(UInt64(bitPattern: value), .signed)
        if entry.pointee.inline == 0 { entry.pointee.inline = list.append(value) }
        return inline ? entry.pointee.inline : leaf(entry)
    }

    mutating func integer(_ value: UInt64, inline: Bool) -> Reference {
        if let signed = Int64(exactly: value) { return integer(signed, inline: inline) }
        let entry = numbers.entry(value, .unsigned)
        if entry.pointee.inline == 0 { entry.pointee.inline = list.append(value) }
        return inline ? entry.pointee.inline : leaf(entry)
    }

    mutating func integer(_ value: Int128, inline: Bool) -> Reference {
        if let narrow = Int64(exactly: value) { return integer(narrow, inline: inline) }
        if let narrow = UInt64(exactly: value) { return integer(narrow, inline: inline) }
        let number = list.append(value)
        return inline ? number : leaf(number)
    }

    /// As the narrower integers are; what is above `Int128.max`, which no integer of the format can hold, as its decimal
    /// digits.
    mutating func integer(_ value: UInt128, inline: Bool) -> Reference {
        if let narrow = Int128(exactly: value) { return integer(narrow, inline: inline) }
        return string(String(value))
    }

    @inline(__always)
    mutating func real(_ value: Double, inline: Bool) -> Reference {
        let entry = numbers.entry(value.bitPattern, .real64)
        if entry.pointee.inline == 0 { entry.pointee.inline = list.append(value) }
        return inline ? entry.pointee.inline : leaf(entry)
    }

    @inline(__always)
    mutating func real(_ value: Float, inline: Bool) -> Reference {
        let entry = numbers.entry(UInt64(value.bitPattern), .real32)
        if entry.pointee.inline == 0 { entry.pointee.inline = list.append(value) }
        return inline ? entry.pointee.inline : leaf(entry)
    }

    @inline(__always)
    private mutating func leaf(_ entry: UnsafeMutablePointer<NumberTable.Entry>) -> Reference {
        if entry.pointee.leaf == 0 { entry.pointee.leaf = leaf(entry.pointee.inline) }
        return entry.pointee.leaf
    }
}

// MARK: - Strings and keys

extension ArchiveGraph {
    /// The uid of a string leaf. Equal strings share one (see `StringTable` for how far that goes).
    @inline(__always)
    mutating func string(_ string: String) -> Reference {
        var string = string
        return string.withUTF8 { self.string(utf8: $0) }
    }

    @inline(__always)
    mutating func string(utf8: UnsafeBufferPointer<UInt8>) -> Reference {
        guard utf8.isASCII else { return string(nonASCII: utf8) }
        let (known, hash) = strings.find(ascii: UnsafeRawBufferPointer(utf8), in: list)
        if let known { return known }
        if utf8.count == 5, utf8.elementsEqual(Self.nullText) { return stringThatLooksLikeNull() }
        let written = list.append(ascii: UnsafeRawBufferPointer(utf8))
        let uid = leaf(written)
        strings.insert(uid, string: written, count: utf8.count, hash: hash)
        return uid
    }

    @inline(never)
    private mutating func string(nonASCII utf8: UnsafeBufferPointer<UInt8>) -> Reference {
        let written = list.append(utf8: utf8)
        let length = list.bytes(from: written).count
        let (known, hash) = strings.find(written: written, in: list)
        if let known {
            list.removeLast()
            return known
        }
        let uid = leaf(written)
        strings.insert(uid, string: written, count: length, hash: hash)
        return uid
    }

    /// A leaf "$null" means nil to every reader, so the string of that name is written as an object.
    private mutating func stringThatLooksLikeNull() -> Reference {
        if nullLookalike == 0 {
            let slot = reserveSlot()
            let text = list.append(utf8: Self.nullText)
            fill(slot, key: key("NS.string"), value: text, class: .string)
            nullLookalike = slot.uid
        }
        return nullLookalike
    }

    /// The string object of a key, or of a class name, one for all that are equal.
    mutating func key(_ name: String) -> Reference {
        var name = name
        return name.withUTF8 { key(utf8: $0) }
    }

    private mutating func key(utf8: UnsafeBufferPointer<UInt8>) -> Reference {
        if utf8.isASCII {
            let (known, hash) = keys.find(ascii: UnsafeRawBufferPointer(utf8), in: list)
            if let known { return known }
            let written = list.append(ascii: UnsafeRawBufferPointer(utf8))
            keys.insert(written, string: written, count: utf8.count, hash: hash)
            return written
        }
        let written = list.append(utf8: utf8)
        let length = list.bytes(from: written).count
        let (known, hash) = keys.find(written: written, in: list)
        if let known {
            list.removeLast()
            return known
        }
        keys.insert(written, string: written, count: length, hash: hash)
        return written
    }

    /// The string object of a key that a user chose. One that starts with "$", which the format keeps for itself, gets
    /// another "$" in front.
    mutating func userKey(_ name: String) -> Reference {
        var name = name
        return name.withUTF8 { utf8 in
            guard let first = utf8.baseAddress?.pointee, first == UInt8(ascii: "$") else { return key(utf8: utf8) }
            return key("$" + String(decoding: utf8, as: UTF8.self))
        }
    }

    /// The key that a user chose and `userKey(_:)` wrote as `reference`.
    func userKeyName(_ reference: Reference) -> String {
        guard let (node, objects) = list.object(reference) else { return "" }
        let name = objects.string(node)
        return name.hasPrefix("$$") ? String(name.dropFirst()) : name
    }
}

// MARK: - Reading back

extension ArchiveGraph {
    /// The string or the number behind `uid` as text, for the path of an error: the key of a dictionary.
    func leafDescription(_ uid: Reference) -> String {
        guard let (node, objects) = list.object(uid) else { return "" }
        switch node.kind {
        case .uid:
            guard let index = try? objects.uid(node), let (leaf, _) = list.object(slots[Int(index)]), leaf.kind != .uid
            else { return "" }
            return leafDescription(slots[Int(index)])
        case .ascii, .utf16: return objects.string(node)
        case .integer: return String(objects.integer(node))
        case .real64: return String(objects.real64(node))
        case .real32: return String(objects.real32(node))
        case .true: return "true"
        case .false: return "false"
        default: return "a key of uid \(uid)"
        }
    }
}

// MARK: - Objects

extension ArchiveGraph {
    /// The uid of the class entry of `archivedClass`, one of Foundation's, which is written where there is none yet.
    ///
    /// - Complexity: O(*n*), where *n* is the number of Foundation classes in the archive.
    mutating func classUID(_ archivedClass: ArchivedClass) -> Reference {
        let name = key(archivedClass.name)
        for index in 0..<foundationClasses.count where foundationClasses[index].name == name {
            return foundationClasses[index].uid
        }
        let uid = classEntry(name, archivedClass)
        foundationClasses.append((name, uid))
        return uid
    }

    /// The uid of a new class entry for `archivedClass`. Whoever asks knows that there is none for the same type.
    mutating func newClassUID(_ archivedClass: ArchivedClass) -> Reference {
        classEntry(list.append(archivedClass.name), archivedClass)
    }

    /// The uid of a new class entry.
    private mutating func classEntry(_ name: Reference, _ archivedClass: ArchivedClass) -> Reference {
        let classes: Reference
        if archivedClass.superclasses.isEmpty {
            classes = list.append(arrayOf: 2) { $0 == 0 ? name : ArchivePrologue.rootClassName }
        } else {
            let chain = [name] + archivedClass.superclasses.map { key($0) } + [ArchivePrologue.rootClassName]
            classes = chain.withUnsafeBufferPointer { list.append(array: $0) }
        }
        return leaf(dictionary(ArchivePrologue.classNameKey, name, ArchivePrologue.classesKey, classes))
    }

    /// A dictionary of two entries.
    @inline(__always)
    private mutating func dictionary(
        _ key1: Reference, _ value1: Reference, _ key2: Reference, _ value2: Reference
    ) -> Reference {
        var pairs = (key1, value1, key2, value2)
        return withUnsafePointer(to: &pairs) {
            list.append(dictionary: UnsafeRawPointer($0).assumingMemoryBound(to: Reference.self), count: 2)
        }
    }

    /// The uid of the instance at `object`. Where it is met for the first time it gets a slot, and its contents are put on
    /// the work list.
    ///
    /// - Parameter path: Where it is met.
    @inline(__always)
    mutating func instance(
        _ object: UnsafeRawPointer, writer: Unmanaged<InstanceWriter>, path: () -> CodingPathTable.Index
    ) -> Reference {
        if let uid = objects.uid(of: object) { return uid }
        let slot = reserveSlot()
        objects.insert(object, uid: slot.uid)
        pending.append(PendingInstance(object: object, writer: writer, slot: slot, path: path()))
        return slot.uid
    }

    /// Fills `slot` with an object of one entry, as the Foundation containers and values are.
    @inline(__always)
    mutating func fill(_ slot: Slot, key: Reference, value: Reference, class archivedClass: ArchivedClass) {
        let classUID = classUID(archivedClass)
        fill(slot, key: key, value: value, classUID: classUID)
    }

    /// Fills `slot` with an object of one entry and the class behind `classUID`.
    @inline(__always)
    mutating func fill(_ slot: Slot, key: Reference, value: Reference, classUID: Reference) {
        fill(slot, with: dictionary(key, value, ArchivePrologue.classKey, classUID))
    }

    /// Fills `slot` with an object of two entries and the class behind `classUID`.
    @inline(__always)
    mutating func fill(
        _ slot: Slot, _ first: (key: Reference, value: Reference), _ second: (key: Reference, value: Reference),
        classUID: Reference
    ) {
        var pairs = (first, second, (ArchivePrologue.classKey, classUID))
        let object = withUnsafePointer(to: &pairs) {
            list.append(dictionary: UnsafeRawPointer($0).assumingMemoryBound(to: Reference.self), count: 3)
        }
        fill(slot, with: object)
    }

    /// Fills `slot` with the array whose elements are behind the uids `elements`.
    @inline(__always)
    mutating func fill(_ slot: Slot, array elements: UnsafeBufferPointer<Reference>) {
        let array = list.append(array: elements)
        if objectsKey == 0 { objectsKey = key("NS.objects") }
        if arrayClass == 0 { arrayClass = classUID(.array) }
        fill(slot, with: dictionary(objectsKey, array, ArchivePrologue.classKey, arrayClass))
    }

    /// Fills `slot` with an object of the class behind `classUID` whose only contents are `elements`.
    mutating func fill(_ slot: Slot, elements: UnsafeBufferPointer<Reference>, classUID: Reference) {
        let array = list.append(array: elements)
        if objectsKey == 0 { objectsKey = key("NS.objects") }
        fill(slot, with: dictionary(objectsKey, array, ArchivePrologue.classKey, classUID))
    }

    /// Fills `slot` with a dictionary: at `pairs` lie the uids of a key, its value, the next key, its value and so on.
    mutating func fill(_ slot: Slot, dictionary pairs: UnsafeBufferPointer<Reference>) {
        let count = pairs.count / 2
        let keys = list.append(arrayOf: count) { pairs[2 &* $0] }
        let values = list.append(arrayOf: count) { pairs[2 &* $0 &+ 1] }
        var entries = PlainArray<Reference>(capacity: 6)
        entries.append(key("NS.keys"))
        entries.append(keys)
        entries.append(key("NS.objects"))
        entries.append(values)
        let classUID = classUID(.dictionary)
        fill(slot, entries: &entries, classUID: classUID)
    }

    /// Fills `slot` with an object that has `entries` and the class behind `classUID`. The entries are given back empty.
    @inline(__always)
    mutating func fill(_ slot: Slot, entries: inout PlainArray<Reference>, classUID: Reference) {
        entries.append(ArchivePrologue.classKey)
        entries.append(classUID)
        fill(slot, with: list.append(dictionary: entries.base, count: entries.count / 2))
        entries.removeAll()
    }
}

// MARK: - Arrays of numbers

extension ArchiveGraph {
    /// The uid of an array of integers, each a leaf.
    mutating func array<Integer: FixedWidthInteger>(ofIntegers elements: UnsafeBufferPointer<Integer>) -> Reference {
        array(
            of: elements, byteCount: 9, kind: .signed, bits: { UInt64(bitPattern: Int64(truncatingIfNeeded: $0)) },
            store: { $1.store(integer: Int64(truncatingIfNeeded: $0)) })
    }

    /// The uid of an array of reals, each a leaf.
    mutating func array(ofReals elements: UnsafeBufferPointer<Double>) -> Reference {
        array(
            of: elements, byteCount: 9, kind: .real64, bits: { $0.bitPattern }, store: { $1.store(real: $0) })
    }

    /// The uid of an array of 32-bit reals, each a leaf.
    mutating func array(ofReals elements: UnsafeBufferPointer<Float>) -> Reference {
        array(
            of: elements, byteCount: 5, kind: .real32, bits: { UInt64($0.bitPattern) }, store: { $1.store(real: $0) })
    }

    /// The uid of an array of numbers. Room and reference width are settled once, and the ends of the lists are kept in
    /// local variables.
    @inline(__always)
    private mutating func array<Element>(
        of elements: UnsafeBufferPointer<Element>, byteCount: Int, kind: NumberTable.Kind, bits: (Element) -> UInt64,
        store: (Element, UnsafeMutableRawPointer) -> Int
    ) -> Reference {
        let slot = reserveSlot()
        let references = UnsafeMutableBufferPointer<Reference>.allocate(capacity: elements.count)
        defer { references.deallocate() }
        var cursor = list.makeCursor(
            objectCount: 2 * elements.count + 1, byteCount: (byteCount + 5) * elements.count)
        slots.reserve(elements.count)
        var position = 0
        while position < elements.count {
            let element = elements[position]
            // Equal numbers share a leaf while the table takes new ones; a long run of different numbers goes past it.
            if numbers.isFull {
                if let known = numbers.find(bits(element), kind) {
                    references[position] = known
                    position &+= 1
                    continue
                }
            } else {
                let entry = numbers.entry(bits(element), kind)
                if entry.pointee.inline == 0 {
                    entry.pointee.inline = cursor.finishObject(byteCount: store(element, cursor.end))
                }
                if entry.pointee.leaf == 0 {
                    let index = UInt32(truncatingIfNeeded: slots.count)
                    slots.append(entry.pointee.inline)
                    entry.pointee.leaf = cursor.finishObject(byteCount: cursor.end.store(uid: index))
                }
                references[position] = entry.pointee.leaf
                position &+= 1
                continue
            }
            let number = cursor.finishObject(byteCount: store(element, cursor.end))
            let index = UInt32(truncatingIfNeeded: slots.count)
            slots.append(number)
            references[position] = cursor.finishObject(byteCount: cursor.end.store(uid: index))
            position &+= 1
        }
        list.finish(cursor)
        fill(slot, array: UnsafeBufferPointer(references))
        return slot.uid
    }
}

// MARK: - Again

extension ArchiveGraph {
    /// Whether the graph was so small that all of it lies in the arena it began in.
    var isSmall: Bool {
        !list.hasGrown && !top.isOwned && !slots.isOwned && !strings.hasGrown && !keys.hasGrown
            && !foundationClasses.isOwned && !numbers.hasGrown && !objects.hasGrown && !pending.hasGrown
            && !paths.hasGrown
    }

    /// Makes ready for another archive. Only for a small graph.
    mutating func reset() {
        list.truncate(to: ArchivePrologue.offsets.count)
        top.removeAll()
        slots.truncate(to: 1)
        strings.removeAll()
        keys.removeAll()
        foundationClasses.removeAll()
        numbers.removeAll()
        objects.removeAll()
        paths.removeAll()
        nullLookalike = 0
        objectsKey = 0
        arrayClass = 0
        foundationNames = FoundationNames()
    }
}

// MARK: - The end

extension ArchiveGraph {
    /// Writes what surrounds the graph, and hands over the bytes of the whole archive.
    ///
    /// - Returns: nil where the archive is larger than the writer can address (4 GiB). The caller releases the bytes with
    ///   `Platform.release(_:)`.
    mutating func finish() -> UnsafeMutableRawBufferPointer? {
        let topDictionary = list.append(dictionary: top.base, count: top.count / 2)
        let objects = list.append(array: UnsafeBufferPointer(slots.elements))
        var root = (
            ArchivePrologue.versionKey, ArchivePrologue.version, ArchivePrologue.archiverKey, ArchivePrologue.archiver,
            ArchivePrologue.topKey, topDictionary, ArchivePrologue.objectsKey, objects
        )
        let rootDictionary = withUnsafePointer(to: &root) {
            list.append(dictionary: UnsafeRawPointer($0).assumingMemoryBound(to: Reference.self), count: 4)
        }
        return list.finish(top: rootDictionary)
    }
}

/// What every keyed archive says of itself.
enum KeyedArchiveFormat {
    static let version = 100_000
    static let archiver = "NSKeyedArchiver"
    /// `NS.mantissa.bo`: Cocoa's `NSByteOrder`.
    static let littleEndian = 1
    static let bigEndian = 2
    /// The key of the root object in `$top`, Cocoa's `NSKeyedArchiveRootObjectKey`.
    static let rootKey = "root"
}
