// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The contents of an archive as a flat list. The keys of every object are sorted.
struct CanonicalContents {
    /// A step in the contents of an object. A key is followed by its value, and an array by its elements.
    struct Part: BitwiseCopyable, Equatable {
        enum Kind: UInt8 {
            /// The reference of the key.
            case key
            /// The number of elements.
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

    struct Slot: BitwiseCopyable {
        /// The reference of the leaf or the dictionary.
        let contents: Int
        let isLeaf: Bool
        /// The range of the parts.
        var start = 0
        var end = 0
        /// The collection of the object plus 1; 0 for another object.
        var collection = 0
    }

    /// The elements of a set, or the keys and values of a dictionary.
    struct Collection: BitwiseCopyable {
        let slot: Int
        /// The position of the first element or key.
        let first: Int
        let count: Int
        /// The distance of a value from its key; 0 in a set.
        let valueDistance: Int
        /// Whether some of its objects are equal, as far as hashes show.
        var isTied = false

        /// The positions of the elements or keys.
        var places: Range<Int> { first..<first + count }
    }

    let list: BinaryPropertyListReader
    let root: Root
    /// The slots by number, followed by `$top`.
    let slots = PlainTable<Slot>()
    let parts = PlainTable<Part>()
    let collections = PlainTable<Collection>()
    /// The positions of keys in the order of their UTF-8, from 1, by reference; 0 for other objects.
    let keyRanks: PlainTable<UInt32>
    /// Numbers that order objects in collections, by slot. Empty until they are needed.
    var colors = [UInt64]()

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
        try rankKeys()
        parts.reserve(2 * list.objectCount)
        var fields = [UInt64]()
        for slot in 0..<slots.count where !slots[slot].isLeaf { try readContents(of: slot, &fields) }
        findCollections()
    }

    /// The slot that represents `$top`.
    var topSlot: Int { slots.count - 1 }

    /// The collection in `slot`, if it is one.
    func collection(in slot: Int) -> Collection? {
        slots[slot].collection > 0 ? collections[slots[slot].collection - 1] : nil
    }

    /// The positions of the parts of `slot` before the entries of `collection`; of all if it is nil.
    func places(of slot: Int, before collection: Collection?) -> Range<Int> {
        slots[slot].start..<(collection?.first ?? slots[slot].end)
    }
}

// MARK: - Reading

extension CanonicalContents {
    /// The references in the outermost dictionary.
    struct Root {
        let archiver, objects, top, version: Int
        /// The string "$null".
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
        for reference in list.references(try list.node(root.objects)) {
            slots.append(Slot(contents: reference, isLeaf: try list.node(reference).isScalar))
        }
        slots.append(Slot(contents: root.top, isLeaf: false))
    }

    private func rankKeys() throws(PropertyListError) {
        var keys = [(utf8: [UInt8], reference: Int)]()
        for slot in 0..<slots.count where !slots[slot].isLeaf {
            let node = try list.node(slots[slot].contents)
            guard node.kind == .dictionary else { throw PropertyListError(.notAnArchive, at: node.payload) }
            for index in 0..<node.count {
                let reference = list.reference(index, in: node.payload)
                guard reference >= keyRanks.count || keyRanks[reference] == 0 else { continue }
                let key = try list.node(reference)
                guard key.isText else { throw PropertyListError(.nonStringKey, at: node.payload) }
                keyRanks[reference] = 1
                keys.append((Array(list.string(key).utf8), reference))
            }
        }
        keys.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var rank: UInt32 = 1
        for index in keys.indices {
            if index > 0, keys[index - 1].utf8 != keys[index].utf8 { rank += 1 }
            keyRanks[keys[index].reference] = rank
        }
    }

    /// Appends the parts of the dictionary in `slot`, sorted by key.
    private func readContents(of slot: Int, _ fields: inout [UInt64]) throws(PropertyListError) {
        let dictionary = try list.node(slots[slot].contents)
        fields.removeAll(keepingCapacity: true)
        for index in 0..<dictionary.count {
            let key = keyRanks[list.reference(index, in: dictionary.payload)]
            fields.append(UInt64(key) << 32 | UInt64(index))
        }
        fields.sort()
        slots[slot].start = parts.count
        for field in fields {
            let index = Int(truncatingIfNeeded: field & 0xFFFF_FFFF)
            parts.append(Part(.key, list.reference(index, in: dictionary.payload)))
            let reference = list.reference(dictionary.count + index, in: dictionary.payload)
            let value = try list.node(reference)
            guard value.kind == .array else {
                parts.append(try part(reference, value))
                continue
            }
            parts.append(Part(.array, value.count))
            for index in 0..<value.count {
                let element = list.reference(index, in: value.payload)
                parts.append(try part(element, try list.node(element)))
            }
            // Several dictionaries may share an array.
            guard parts.count <= PropertyListLimits.expansion(ofByteCount: list.limit) else {
                throw PropertyListError(.tooLarge, at: 0)
            }
        }
        slots[slot].end = parts.count
    }

    /// Returns the part of `node`: a scalar or a uid.
    @inline(__always)
    private func part(_ reference: Int, _ node: Node) throws(PropertyListError) -> Part {
        guard node.kind == .uid else {
            guard node.isScalar else { throw PropertyListError(.notAnArchive, at: node.payload) }
            return Part(.scalar, reference)
        }
        let number = Int(try list.uid(node))
        guard number < topSlot else {
            throw PropertyListError(.referenceOutOfRange, at: node.payload, found: number)
        }
        let slot = slots[number]
        return slot.isLeaf ? Part(.leaf, slot.contents) : Part(.object, number)
    }

    /// The bytes of the scalar `reference`, with its marker.
    func range(of reference: Int) -> Range<Int> {
        guard let start = try? list.offset(of: reference), let node = try? list.node(at: start) else { return 0..<0 }
        return start..<node.end(referenceSize: list.referenceSize)
    }
}

extension Node {
    fileprivate var isText: Bool { kind == .ascii || kind == .utf16 }

    fileprivate var isScalar: Bool {
        switch kind {
        case .uid, .array, .set, .dictionary: false
        default: true
        }
    }
}

// MARK: - Collections

extension CanonicalContents {
    /// Finds the sets and dictionaries with more than one entry.
    private func findCollections() {
        var kinds = [UInt32: Node]()
        for slot in 0..<topSlot where slots[slot].end - slots[slot].start > 5 {
            let (start, count) = (slots[slot].start, slots[slot].end - slots[slot].start)
            guard hasKey("$class", at: start), parts[start + 1].kind == .object, parts[start + 3].kind == .array else {
                continue
            }
            let name = kinds[parts[start + 1].value] ?? className(Int(parts[start + 1].value))
            kinds[parts[start + 1].value] = name
            let number = Int(parts[start + 3].value)
            var distance = 0
            if list.isString(name, "NSDictionary") {
                guard count == 6 + 2 * number, hasKey("NS.keys", at: start + 2),
                    hasKey("NS.objects", at: start + 4 + number),
                    parts[start + 5 + number] == parts[start + 3]
                else { continue }
                distance = number + 2
            } else if !list.isString(name, "NSSet") || count != 4 + number || !hasKey("NS.objects", at: start + 2) {
                continue
            }
            guard number > 1 else { continue }
            collections.append(Collection(slot: slot, first: start + 4, count: number, valueDistance: distance))
            slots[slot].collection = collections.count
        }
    }

    private func hasKey(_ key: StaticString, at place: Int) -> Bool {
        guard parts[place].kind == .key, let node = try? list.node(Int(parts[place].value)) else { return false }
        return list.isString(node, key)
    }

    /// Returns the name in the class entry `slot`; another object if it has none.
    private func className(_ slot: Int) -> Node {
        for place in slots[slot].start..<slots[slot].end where hasKey("$classname", at: place) {
            if parts[place + 1].kind == .scalar, let name = try? list.node(Int(parts[place + 1].value)) { return name }
        }
        return Node(kind: .null, count: 0, payload: 0)
    }

    struct Entry: BitwiseCopyable {
        let order: UInt64
        let key: Part
        let value: Part
    }

    /// Sorts the entries of `collection` by their keys, then by their values.
    ///
    /// - Returns: Whether that determines their order.
    func sort(_ collection: Collection, _ entries: inout [Entry]) -> Bool {
        entries.removeAll(keepingCapacity: true)
        for place in collection.places {
            let (key, value) = (parts[place], parts[place + collection.valueDistance])
            entries.append(Entry(order: order(key), key: key, value: value))
        }
        entries.sort { compare($0, $1) < 0 }
        var isSorted = true
        for (index, entry) in entries.enumerated() {
            parts[collection.first + index] = entry.key
            parts[collection.first + index + collection.valueDistance] = entry.value
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
        return result != 0 ? result : compare(left.value, right.value)
    }
}

// MARK: - Order

extension CanonicalContents {
    /// The order of a part, as far as 64 bits have it: first scalars by type and value, then objects by color.
    private func order(_ part: Part) -> UInt64 {
        guard part.kind != .object else {
            return 7 << 61 | (colors.isEmpty ? 0 : colors[Int(part.value)] >> 3)
        }
        guard let node = try? list.node(Int(part.value)) else { return 0 }
        let (type, word): (UInt64, UInt64) =
            switch node.kind {
            case .integer: (1, UInt64(bitPattern: Int64(clamping: list.integer(node))) ^ 1 << 63)
            case .real32: (2, Self.ordered(UInt64(list.real32(node).bitPattern) << 32))
            case .real64: (3, Self.ordered(list.real64(node).bitPattern))
            case .date: (4, Self.ordered(list.real64(node).bitPattern))
            case .data: (5, firstBytes(of: node))
            case .ascii, .utf16: (6, firstBytes(of: node))
            default: (0, UInt64(node.kind.rawValue) << 3)
            }
        return type << 61 | word >> 3
    }

    /// The bits of a real in the order of the reals: -NaN, -∞, …, -0.0, 0.0, …, ∞, NaN.
    private static func ordered(_ bits: UInt64) -> UInt64 { bits >> 63 == 1 ? ~bits : bits | 1 << 63 }

    /// The first eight bytes of data, or of the UTF-8 of a string, followed by zeros if there are less.
    private func firstBytes(of node: Node) -> UInt64 {
        guard node.kind == .utf16 else {
            // The list has at least eight bytes after its objects.
            let word = list.bytes.word(at: node.payload)
            return node.count < 8 ? word & ~(.max >> UInt64(8 * node.count)) : word
        }
        let utf8 = list.string(node).utf8.prefix(8)
        return utf8.reduce(0) { $0 << 8 | UInt64($1) } << UInt64(64 - 8 * utf8.count)
    }

    /// Compares two parts by type and value. Objects of one color are equal.
    func compare(_ left: Part, _ right: Part) -> Int {
        let (leftOrder, rightOrder) = (order(left), order(right))
        return leftOrder == rightOrder ? compareExactly(left, right) : leftOrder < rightOrder ? -1 : 1
    }

    /// Compares two parts of the same order.
    private func compareExactly(_ left: Part, _ right: Part) -> Int {
        if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue ? -1 : 1 }
        guard left.kind != .object, left.value != right.value, let first = try? list.node(Int(left.value)),
            let second = try? list.node(Int(right.value))
        else { return 0 }
        switch first.kind {
        case .integer: return Self.compare(list.integer(first), list.integer(second))
        case .real64, .date:
            let (first, second) = (list.real64(first).bitPattern, list.real64(second).bitPattern)
            return Self.compare(Self.ordered(first), Self.ordered(second))
        case .ascii where second.kind == .ascii, .data:
            // At least the first seven bytes are equal.
            for index in 7..<max(7, min(first.count, second.count)) {
                let bytes = (list.bytes.byte(at: first.payload + index), list.bytes.byte(at: second.payload + index))
                if bytes.0 != bytes.1 { return Self.compare(bytes.0, bytes.1) }
            }
            return first.count - second.count
        case .ascii, .utf16:
            let (first, second) = (Array(list.string(first).utf8), Array(list.string(second).utf8))
            return first == second ? 0 : first.lexicographicallyPrecedes(second) ? -1 : 1
        default: return 0
        }
    }

    private static func compare<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left == right ? 0 : left < right ? -1 : 1
    }
}
