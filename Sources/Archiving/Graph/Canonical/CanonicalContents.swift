// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The contents of an archive as flat lists that do not depend on the order in which it was written. The keys of every object
/// are sorted. Equal leaves and equal class entries are merged. The elements of sets and the entries of dictionaries are sorted
/// as far as their leaves determine the order.
///
/// The remaining elements and keys are objects; `orderElements()` orders them.
struct CanonicalContents: ~Copyable {
    typealias Rank = CanonicalScalars.Rank

    /// A step in the contents of a slot. A key is followed by its value, and an array by its elements.
    struct Part: BitwiseCopyable {
        enum Kind: UInt32 {
            /// The rank of the key, which is a string.
            case key
            /// The number of elements.
            case array
            /// The rank of an inline scalar.
            case scalar
            /// The rank of a scalar in a slot of its own.
            case leaf
            /// The rank of the class.
            case classEntry
            /// The number of an object's slot.
            case object
            /// Used only during ordering, for objects and pairs.
            case anchored, loose, pair
        }

        var kind: Kind
        var value: UInt32

        init(_ kind: Kind, _ value: Int) {
            self.kind = kind
            self.value = UInt32(truncatingIfNeeded: value)
        }

        init(_ kind: Kind, _ rank: Rank) {
            self.kind = kind
            value = rank
        }

        /// The sort key of the part: the kind, then the value.
        @inline(__always)
        var order: UInt64 { UInt64(kind.rawValue) << 32 | UInt64(value) }
    }

    struct Slot: BitwiseCopyable {
        /// The range of the parts.
        var start: UInt32 = 0
        var end: UInt32 = 0
        /// The rank of the scalar, if the slot holds a leaf.
        var leaf: Rank
        /// The rank of the object's class. During reading, the slot of the class entry.
        var classEntry = none
        /// The collection, if the object is one with entries of unknown order.
        var collection = none

        static let none = UInt32.max

        var parts: Range<Int> { Int(start)..<Int(end) }
    }

    let scalars: CanonicalScalars
    /// The slots by number, followed by `$top`.
    var slots: [Slot]
    var parts: [Part]
    /// The slot of each class entry, by its rank.
    var classes = [UInt32]()
    var collections = [Collection]()
    let root: Root
    private let classKey: Rank
    private let partLimit: Int
    /// The entries that are being sorted.
    var entries = [Entry]()

    private init(root: Root, scalars: CanonicalScalars, partLimit: Int) {
        self.root = root
        self.partLimit = partLimit
        classKey = scalars.rank(of: "$class")
        slots = []
        parts = []
        self.scalars = scalars
    }

    /// Reads the contents of the archive `list`.
    ///
    /// - Throws: `PropertyListError` if the list is damaged, or is not an archive in the form of this library.
    /// - Complexity: O(*n* log *n*), where *n* is the number of objects in the list.
    static func read(_ list: BinaryPropertyListReader) throws(PropertyListError) -> CanonicalContents {
        let scalars = try CanonicalScalars(list)
        let root = try Root(list, scalars)
        let limit = min(CanonicalScalars.countLimit, PropertyListLimits.expansion(ofByteCount: list.objects.limit))
        var contents = CanonicalContents(root: root, scalars: scalars, partLimit: limit)
        try contents.readSlots(of: list)
        try contents.rankClasses()
        contents.findCollections()
        return contents
    }

    /// The slot that represents `$top`.
    var topSlot: Int { slots.count - 1 }
}

// MARK: - Reading

extension CanonicalContents {
    /// The contents of the outermost dictionary.
    struct Root: BitwiseCopyable {
        /// The array of the slots, which is not empty.
        let objects: Node
        let top: Node
        /// The scalars under `$archiver` and `$version`.
        let archiver: Rank
        let version: Rank
        /// The string "$null".
        let null: Rank

        init(_ list: BinaryPropertyListReader, _ scalars: CanonicalScalars) throws(PropertyListError) {
            let root = try list.node(list.top)
            objects = try list.node(try Self.value(of: scalars.rank(of: "$objects"), in: root, list, scalars))
            top = try list.node(try Self.value(of: scalars.rank(of: "$top"), in: root, list, scalars))
            archiver = scalars.rank(of: try Self.value(of: scalars.rank(of: "$archiver"), in: root, list, scalars))
            version = scalars.rank(of: try Self.value(of: scalars.rank(of: "$version"), in: root, list, scalars))
            null = scalars.rank(of: "$null")
            guard objects.kind == .array, objects.count > 0, objects.count < CanonicalScalars.countLimit,
                archiver != CanonicalScalars.noRank, version != CanonicalScalars.noRank, null != CanonicalScalars.noRank
            else { throw PropertyListError(.notAnArchive, at: root.payload) }
        }

        private static func value(
            of key: Rank, in root: Node, _ list: BinaryPropertyListReader, _ scalars: CanonicalScalars
        ) throws(PropertyListError) -> Int {
            let references = list.references(root)
            if root.kind == .dictionary, key != CanonicalScalars.noRank {
                for index in 0..<root.count {
                    _ = try list.offset(of: references[index])
                    _ = try list.offset(of: references[root.count + index])
                    if scalars.rank(of: references[index]) == key { return references[root.count + index] }
                }
            }
            throw PropertyListError(.notAnArchive, at: root.payload)
        }
    }

    private mutating func readSlots(of list: BinaryPropertyListReader) throws(PropertyListError) {
        let references = list.references(root.objects)
        for reference in references {
            _ = try list.offset(of: reference)
            slots.append(Slot(leaf: scalars.rank(of: reference)))
        }
        guard slots[0].leaf == root.null else { throw PropertyListError(.notAnArchive, at: root.objects.payload) }
        slots.append(Slot(leaf: CanonicalScalars.noRank))
        var fields = [UInt64]()
        for slot in 0..<topSlot where slots[slot].leaf == CanonicalScalars.noRank {
            try read(try list.node(references[slot]), into: slot, of: list, &fields)
        }
        try read(root.top, into: topSlot, of: list, &fields)
    }

    /// Appends the parts of `dictionary`, sorted by key, as the parts of `slot`.
    private mutating func read(
        _ dictionary: Node, into slot: Int, of list: BinaryPropertyListReader, _ fields: inout [UInt64]
    ) throws(PropertyListError) {
        guard dictionary.kind == .dictionary else { throw PropertyListError(.notAnArchive, at: dictionary.payload) }
        fields.removeAll(keepingCapacity: true)
        let references = list.references(dictionary)
        for index in 0..<dictionary.count {
            _ = try list.offset(of: references[index])
            let key = scalars.rank(of: references[index])
            guard scalars.isString(key) else { throw PropertyListError(.nonStringKey, at: dictionary.payload) }
            fields.append(UInt64(key) << 32 | UInt64(index))
        }
        fields.sort()
        slots[slot].start = UInt32(truncatingIfNeeded: parts.count)
        for field in fields {
            let key = Rank(truncatingIfNeeded: field >> 32)
            parts.append(Part(.key, key))
            let reference = references[dictionary.count + Int(field & 0xFFFF_FFFF)]
            let value = try list.node(reference)
            if value.kind == .array {
                parts.append(Part(.array, value.count))
                for element in list.references(value) {
                    try read(element, try list.node(element), under: CanonicalScalars.noRank, into: slot, of: list)
                }
            } else {
                try read(reference, value, under: key, into: slot, of: list)
            }
            guard parts.count <= partLimit else { throw PropertyListError(.tooLarge, at: 0, found: partLimit) }
        }
        slots[slot].end = UInt32(truncatingIfNeeded: parts.count)
    }

    /// Appends the part of `node`: a scalar or a uid.
    @inline(__always)
    private mutating func read(
        _ reference: Int, _ node: Node, under key: Rank, into slot: Int, of list: BinaryPropertyListReader
    ) throws(PropertyListError) {
        guard node.kind == .uid else {
            let rank = scalars.rank(of: reference)
            guard rank != CanonicalScalars.noRank else { throw PropertyListError(.notAnArchive, at: node.payload) }
            return parts.append(Part(.scalar, rank))
        }
        let number = Int(try list.objects.uid(node))
        guard number < topSlot else {
            throw PropertyListError(.referenceOutOfRange, at: node.payload, found: number)
        }
        let leaf = slots[number].leaf
        if leaf != CanonicalScalars.noRank {
            parts.append(Part(.leaf, leaf))
        } else if key == classKey, key != CanonicalScalars.noRank, slot != topSlot {
            guard slots[slot].classEntry == Slot.none else {
                throw PropertyListError(.notAnArchive, at: node.payload)
            }
            slots[slot].classEntry = UInt32(truncatingIfNeeded: number)
            parts.append(Part(.classEntry, number))
        } else {
            parts.append(Part(.object, number))
        }
    }
}
