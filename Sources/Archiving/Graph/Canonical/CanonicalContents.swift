// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The objects of an archive with sorted keys, and the elements of its sets and dictionaries, which are to be sorted.
final class CanonicalContents {
    /// A step in the contents of an object. A key is followed by its value, and an array by its elements.
    struct Part: BitwiseCopyable, Equatable {
        enum Kind: UInt8 {
            /// The reference of the key.
            case key
            /// The number of elements; from `part(_:)`, the reference of the array.
            case array
            /// The reference of a scalar: an object without references, which is not a uid.
            case scalar
            /// The reference of a scalar in a slot of its own.
            case leaf
            /// The number of an object's slot.
            case object
        }

        var kind: Kind
        var value: UInt32

        init(_ kind: Kind, _ value: Int) {
            self.kind = kind
            self.value = UInt32(truncatingIfNeeded: value)
        }
    }

    /// The collections and the values that are recognized by their class and their keys.
    enum Form: UInt8 { case unknown, other, set, dictionary, date }

    struct Slot: BitwiseCopyable {
        /// The reference of the leaf or the dictionary.
        let contents: UInt32
        /// The position of the first field in `fieldOrder`, if the slot is not a leaf.
        var firstField: UInt32 = 0
        let isLeaf: Bool
        /// The form that the keys show.
        var form = Form.other
        /// The slot that replaces this one: the first with an equal date, otherwise itself.
        var replacement: UInt32
        /// The collection of the object plus 1; 0 for another object.
        var collection: UInt32 = 0
        /// The form of instances, if the object is a class entry and was needed.
        var instanceForm = Form.unknown
    }

    struct Collection: BitwiseCopyable {
        let slot: Int
        /// The position of the first element or key in `elements`.
        let first: Int
        let count: Int
        /// The distance of a value from its key; 0 in a set.
        let valueDistance: Int
        /// Whether some of its objects are equal, as far as hashes show.
        var isTied = false

        var places: Range<Int> { first..<first + count }
        var end: Int { first + count + valueDistance }
    }

    let list: BinaryPropertyListReader
    let root: Root
    /// The slots by number, followed by `$top`.
    let slots = PlainTable<Slot>()
    /// The positions of fields in the order of their keys, slot by slot.
    private let fieldOrder = PlainTable<UInt32>()
    let collections = PlainTable<Collection>()
    /// The elements of all collections: those of a set, or the keys of a dictionary and then the values.
    let elements = PlainTable<Part>()
    /// The positions of keys in the order of their UTF-8, from 1, by reference; 0 for other objects.
    let keyRanks: PlainTable<UInt32>
    /// Numbers that order objects in collections, by slot. Empty until they are needed.
    let colors = PlainTable<UInt64>()

    /// Reads the archive `list`.
    ///
    /// - Throws: `PropertyListError` if the list is damaged, or is not an archive in the form of this library.
    init(_ list: BinaryPropertyListReader) throws(PropertyListError) {
        guard list.objectCount < Int(UInt32.max), list.limit <= BinaryFormat.byteLimit else {
            throw PropertyListError(.tooLarge, at: 0)
        }
        self.list = list
        root = try Root(list)
        keyRanks = PlainTable(repeating: 0, count: list.objectCount)
        try readSlots()
        try findCollections()
    }

    var topSlot: Int { slots.count - 1 }

    @inline(__always)
    func collection(in slot: Int) -> Collection? {
        let number = Int(slots[slot].collection)
        return number > 0 ? collections[number - 1] : nil
    }
}

// MARK: - Reading

extension CanonicalContents {
    struct Root {
        let archiver, objects, top, version: Int
        let null: Int

        init(_ list: BinaryPropertyListReader) throws(PropertyListError) {
            let root = try list.node(list.top)
            func value(_ key: StaticString) throws(PropertyListError) -> Int {
                let references = list.references(root)
                for index in 0..<(root.kind == .dictionary ? root.count : 0)
                where list.isString(try list.node(references[index]), key) {
                    return references[root.count + index]
                }
                throw PropertyListError(.notAnArchive, at: root.payload)
            }
            (archiver, objects) = (try value("$archiver"), try value("$objects"))
            (top, version) = (try value("$top"), try value("$version"))
            let slots = try list.node(objects)
            null = slots.kind == .array && slots.count > 0 ? list.references(slots)[0] : objects
            guard list.isString(try list.node(null), "$null"), try list.node(archiver).isScalar,
                try list.node(version).isScalar
            else { throw PropertyListError(.notAnArchive, at: root.payload) }
        }
    }

    private func readSlots() throws(PropertyListError) {
        let objects = try list.node(root.objects)
        slots.reserve(objects.count + 1)
        var keys = [(utf8: [UInt8], reference: Int)]()
        for number in 0...objects.count {
            let reference = number < objects.count ? list.reference(number, in: objects.payload) : root.top
            let node = try list.node(reference)
            let isLeaf = number < objects.count && node.isScalar
            if !isLeaf {
                guard node.kind == .dictionary else { throw PropertyListError(.notAnArchive, at: node.payload) }
                for index in 0..<node.count { try note(list.reference(index, in: node.payload), among: &keys) }
            }
            slots.append(
                Slot(
                    contents: UInt32(truncatingIfNeeded: reference), isLeaf: isLeaf,
                    replacement: UInt32(truncatingIfNeeded: number)))
        }
        let forms = rank(&keys)
        var fields = [UInt64]()
        for slot in 0..<slots.count where !slots[slot].isLeaf { try sortFields(of: slot, &fields, forms) }
    }

    /// Appends the key `reference` to `keys` if it is a new one.
    private func note(
        _ reference: Int, among keys: inout [(utf8: [UInt8], reference: Int)]
    ) throws(PropertyListError) {
        guard reference >= keyRanks.count || keyRanks[reference] == 0 else { return }
        let key = try list.node(reference)
        guard key.kind == .ascii || key.kind == .utf16 else {
            throw PropertyListError(.nonStringKey, at: key.payload)
        }
        keyRanks[reference] = 1
        keys.append((Array(list.string(key).utf8), reference))
    }

    /// Ranks the keys, and returns the ranks of those of each form.
    private func rank(_ keys: inout [(utf8: [UInt8], reference: Int)]) -> [(ranks: [UInt32], form: Form)] {
        keys.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let names = ["$class", "NS.keys", "NS.objects", "NS.time"].map { Array($0.utf8) }
        var known: [UInt32] = [0, 0, 0, 0]
        var rank: UInt32 = 1
        for index in keys.indices {
            if index > 0, keys[index - 1].utf8 != keys[index].utf8 { rank += 1 }
            keyRanks[keys[index].reference] = rank
            if let name = names.firstIndex(of: keys[index].utf8) { known[name] = rank }
        }
        return [
            ([known[0], known[2]], .set), ([known[0], known[1], known[2]], .dictionary), ([known[0], known[3]], .date),
        ]
    }

    private func sortFields(
        of slot: Int, _ fields: inout [UInt64], _ forms: [(ranks: [UInt32], form: Form)]
    ) throws(PropertyListError) {
        let dictionary = try list.node(Int(slots[slot].contents))
        fields.removeAll(keepingCapacity: true)
        for index in 0..<dictionary.count {
            fields.append(UInt64(keyRanks[list.reference(index, in: dictionary.payload)]) << 32 | UInt64(index))
        }
        fields.sort()
        slots[slot].firstField = UInt32(truncatingIfNeeded: fieldOrder.count)
        for field in fields { fieldOrder.append(UInt32(truncatingIfNeeded: field)) }
        for (ranks, form) in forms where ranks.count == fields.count {
            if ranks.indices.allSatisfy({ fields[$0] >> 32 == ranks[$0] }) { slots[slot].form = form }
        }
    }

    /// Calls `body` with the references of each key and its value, in the order of the keys.
    @inline(__always)
    func visitFields(
        of slot: Int, _ body: (_ key: Int, _ value: Int) throws(PropertyListError) -> Void
    ) throws(PropertyListError) {
        let dictionary = try list.node(Int(slots[slot].contents))
        let first = Int(slots[slot].firstField)
        for place in first..<first &+ dictionary.count {
            let index = Int(fieldOrder[place])
            try body(
                list.reference(index, in: dictionary.payload),
                list.reference(dictionary.count &+ index, in: dictionary.payload))
        }
    }

    /// Replaces `parts` by those of `slot`; by those before the elements if it has the collection `excluded`.
    func read(
        _ slot: Int, into parts: PlainTable<Part>, before excluded: Collection? = nil
    ) throws(PropertyListError) {
        parts.removeAll()
        var next = collection(in: slot)?.first
        try visitFields(of: slot) { key, value throws(PropertyListError) in
            parts.append(Part(.key, key))
            let part = try part(value)
            guard part.kind == .array else { return parts.append(part) }
            let array = try list.node(value)
            parts.append(Part(.array, array.count))
            if excluded != nil { return }
            for index in 0..<array.count {
                if let first = next {
                    parts.append(elements[first + index])
                } else {
                    parts.append(try element(index, of: array))
                }
            }
            if let first = next { next = first + array.count }
        }
    }

    @inline(__always)
    func part(_ reference: Int) throws(PropertyListError) -> Part {
        let node = try list.node(reference)
        guard node.kind == .uid else {
            if node.kind == .array { return Part(.array, reference) }
            guard node.isScalar else { throw PropertyListError(.notAnArchive, at: node.payload) }
            return Part(.scalar, reference)
        }
        let number = Int(try list.uid(node))
        guard number < topSlot else {
            throw PropertyListError(.referenceOutOfRange, at: node.payload, found: number)
        }
        let slot = slots[number]
        return slot.isLeaf ? Part(.leaf, Int(slot.contents)) : Part(.object, Int(slot.replacement))
    }

    func element(_ index: Int, of array: Node) throws(PropertyListError) -> Part {
        let part = try part(list.reference(index, in: array.payload))
        guard part.kind != .array else { throw PropertyListError(.notAnArchive, at: array.payload) }
        return part
    }

    /// The bytes of the scalar `reference`, with its marker.
    @inline(__always)
    func range(of reference: Int) throws(PropertyListError) -> Range<Int> {
        let start = try list.offset(of: reference)
        return start..<(try list.node(at: start)).end(referenceSize: list.referenceSize)
    }
}

extension Node {
    fileprivate var isScalar: Bool {
        switch kind {
        case .uid, .array, .set, .dictionary: false
        default: true
        }
    }
}

// MARK: - Collections

extension CanonicalContents {
    /// Finds the sets and dictionaries with more than one entry, and equal dates, of which the writer may share some only.
    private func findCollections() throws(PropertyListError) {
        var dates = [UInt64: UInt32]()
        var elementCount = 0
        for slot in 0..<topSlot where !slots[slot].isLeaf && slots[slot].form != .other {
            let form = slots[slot].form
            let dictionary = try list.node(Int(slots[slot].contents))
            /// The value of a field, by the order of keys.
            func value(_ index: Int) -> Int {
                let index = Int(fieldOrder[Int(slots[slot].firstField) + index])
                return list.reference(dictionary.count + index, in: dictionary.payload)
            }
            let type = try part(value(0))
            guard type.kind == .object, try instanceForm(Int(type.value)) == form else { continue }
            let first = try list.node(value(1))
            if form == .date {
                guard first.kind == .real64 else { continue }
                let bits = list.real64(first).bitPattern
                slots[slot].replacement = dates[bits] ?? UInt32(truncatingIfNeeded: slot)
                dates[bits] = slots[slot].replacement
                continue
            }
            let second = form == .set ? first : try list.node(value(2))
            guard first.kind == .array, second.kind == .array, first.count > 1, first.count == second.count else {
                continue
            }
            let valueDistance = form == .set ? 0 : first.count
            collections.append(
                Collection(slot: slot, first: elementCount, count: first.count, valueDistance: valueDistance))
            slots[slot].collection = UInt32(truncatingIfNeeded: collections.count)
            elementCount += first.count + valueDistance
        }
        // Now the replacements of all dates are known.
        for number in 0..<collections.count {
            try visitFields(of: collections[number].slot) { _, value throws(PropertyListError) in
                let array = try list.node(value)
                guard array.kind == .array else { return }
                for index in 0..<array.count { elements.append(try element(index, of: array)) }
            }
        }
    }

    /// The form of the instances of the class entry `slot`.
    private func instanceForm(_ slot: Int) throws(PropertyListError) -> Form {
        if slots[slot].instanceForm == .unknown {
            var form = Form.other
            try visitFields(of: slot) { key, value throws(PropertyListError) in
                guard list.isString(try list.node(key), "$classname") else { return }
                let name = try list.node(value)
                for (text, known) in [("NSSet", Form.set), ("NSDictionary", .dictionary), ("NSDate", .date)]
                where list.isString(name, text) { form = known }
            }
            slots[slot].instanceForm = form
        }
        return slots[slot].instanceForm
    }

    struct Entry: BitwiseCopyable {
        let order: UInt64
        let key: Part
        let value: Part
    }

    /// Sorts the entries of `collection` by their keys, then by their values. Returns whether that determines their order.
    func sort(_ collection: Collection, _ entries: inout [Entry]) -> Bool {
        entries.removeAll(keepingCapacity: true)
        for place in collection.places {
            let (key, value) = (elements[place], elements[place + collection.valueDistance])
            entries.append(Entry(order: order(key), key: key, value: value))
        }
        entries.sort { compare($0, $1) < 0 }
        var isSorted = true
        for (index, entry) in entries.enumerated() {
            elements[collection.first + index] = entry.key
            elements[collection.first + index + collection.valueDistance] = entry.value
            if index > 0, compare(entries[index - 1], entry) == 0 {
                let other = entries[index - 1]
                if entry.key.kind == .object && entry.key != other.key { isSorted = false }
                if entry.value.kind == .object && entry.value != other.value { isSorted = false }
            }
        }
        return isSorted
    }

    @inline(__always)
    private func compare(_ left: Entry, _ right: Entry) -> Int {
        if left.order != right.order { return left.order < right.order ? -1 : 1 }
        let result = compareExactly(left.key, right.key)
        return result != 0 || (left.key, right.key) == (left.value, right.value)
            ? result : compare(left.value, right.value)
    }

    /// Sorts `scalars`, and calls `body` with each one and the number of lesser values.
    func rank(_ scalars: [Int], _ body: (_ scalar: Int, _ rank: Int) -> Void) {
        var entries = scalars.map { scalar in
            let part = Part(.leaf, scalar)
            return Entry(order: order(part), key: part, value: part)
        }
        entries.sort { compare($0, $1) < 0 }
        var rank = 0
        for (index, entry) in entries.enumerated() {
            if index > 0, compare(entries[index - 1], entry) != 0 { rank = index }
            body(Int(entry.key.value), rank)
        }
    }
}

// MARK: - Order

extension CanonicalContents {
    /// The order of a part, as far as 64 bits have it: first scalars by kind and contents, then objects by color.
    private func order(_ part: Part) -> UInt64 {
        if part.kind == .object { return 7 << 61 | (colors.count == 0 ? 0 : colors[Int(part.value)]) }
        guard let (kind, range) = sortedBytes(part) else { return 0 }
        // The list has at least eight bytes after its objects.
        let word = list.bytes.word(at: range.lowerBound) & ~(range.count < 8 ? .max >> UInt64(8 * range.count) : 0)
        return UInt64(kind.rawValue) << 56 | word >> 8
    }

    /// The kind of a scalar, and the bytes that order those of its kind: texts and data by their contents, others with the
    /// marker, so that small numbers are before large ones.
    private func sortedBytes(_ part: Part) -> (kind: Node.Kind, bytes: Range<Int>)? {
        guard let offset = try? list.offset(of: Int(part.value)), let node = try? list.node(at: offset) else {
            return nil
        }
        let isText = node.kind == .ascii || node.kind == .utf16 || node.kind == .data
        return (node.kind, (isText ? node.payload : offset)..<node.end(referenceSize: list.referenceSize))
    }

    /// Compares two parts by type and value. Objects of one color are equal.
    private func compare(_ left: Part, _ right: Part) -> Int {
        let (leftOrder, rightOrder) = (order(left), order(right))
        return leftOrder == rightOrder ? compareExactly(left, right) : leftOrder < rightOrder ? -1 : 1
    }

    /// Compares two parts of the same order.
    private func compareExactly(_ left: Part, _ right: Part) -> Int {
        if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue ? -1 : 1 }
        guard left.kind != .object, left.value != right.value, let (_, first) = sortedBytes(left),
            let (_, second) = sortedBytes(right)
        else { return 0 }
        // At least the first seven bytes are equal.
        for index in 7..<max(7, min(first.count, second.count)) {
            let bytes = (list.bytes.byte(at: first.lowerBound + index), list.bytes.byte(at: second.lowerBound + index))
            if bytes.0 != bytes.1 { return bytes.0 < bytes.1 ? -1 : 1 }
        }
        return first.count - second.count
    }
}
