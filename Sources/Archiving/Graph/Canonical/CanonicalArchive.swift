// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Converts an archive to an equivalent one whose bytes depend only on the value. The order in which the program encoded its
/// objects does not matter, nor does the order of sets and dictionaries, whose hash seeds vary between processes.
///
/// - Keys of objects are sorted by their UTF-8.
/// - Every scalar is stored once, and has at most one leaf. Objects are never merged, however equal they are.
/// - Elements of sets, and keys of dictionaries, are sorted: leaves by value, then objects by their contents; see
///   `CanonicalContents.sortCollections()`.
/// - Slots are numbered as a traversal from `$top` finds them: all that an object references, then all that its first object
///   references. Unreachable objects are omitted.
enum CanonicalArchive {
    /// Returns the canonical form of the archive `list`, which this library's writer has written.
    ///
    /// - Parameter hasChecksum: Whether the archive gets the entry of a checksum, without the checksum itself.
    /// - Throws: `PropertyListError` if the list is damaged or not such an archive, or if the result is larger than 4 GiB.
    /// - Complexity: O(*n* log *n*), where *n* is the number of objects in the list; O(*n* log² *n*) if a collection contains
    ///   objects that only references distinguish. The memory is proportional to *n*.
    static func bytes(
        of list: BinaryPropertyListReader, hasChecksum: Bool = false
    ) throws(PropertyListError) -> StoredBytes {
        var contents = try CanonicalContents(list)
        contents.sortCollections()
        var writer = CanonicalWriter(contents)
        return try writer.write(hasChecksum: hasChecksum)
    }
}

/// Numbers the slots of an archive and writes it.
private struct CanonicalWriter {
    typealias Part = CanonicalContents.Part
    typealias Reference = BinaryPropertyListWriter.Reference

    private let contents: CanonicalContents
    private let list: BinaryPropertyListWriter
    /// The scalars that were written. The seed varies, so that an attacker cannot choose scalars that collide; it does not
    /// affect which scalars are found.
    private let scalars = StringTable(capacity: 512, limit: .max, seed: .random(in: 0...UInt64.max))
    /// The written scalar for each scalar that was read.
    private let written: PlainTable<Reference>
    /// The uid objects of leaves, by written scalar.
    private let leaves = PlainTable<Reference>()
    /// The uid object of each object, by its slot in the list that was read.
    private let objects: PlainTable<Reference>
    /// The contents of each slot.
    private let slots = PlainTable<Reference>()
    /// The objects that have a number and are to be written.
    private var pending = [Pending]()
    private let pairs = PlainTable<Reference>()
    private let elements = PlainTable<Reference>()

    struct Pending: BitwiseCopyable {
        let slot: UInt32
        let number: UInt32
    }

    private static let none = Reference.max

    init(_ contents: CanonicalContents) {
        self.contents = contents
        list = BinaryPropertyListWriter(byteCapacity: contents.list.limit, objectCapacity: contents.list.objectCount)
        written = PlainTable(repeating: Self.none, count: contents.list.objectCount)
        objects = PlainTable(repeating: Self.none, count: contents.slots.count)
    }

    mutating func write(hasChecksum: Bool) throws(PropertyListError) -> StoredBytes {
        if hasChecksum {
            pairs.append(list.append(StoredChecksum.key.description))
            pairs.append(StoredChecksum.bytes(of: 0).withBytes { list.append(data: $0) })
        }
        _ = leaf(contents.root.null)
        let top = appendContents(of: contents.topSlot)
        while let next = pending.popLast() {
            let start = pending.count
            slots[Int(next.number)] = appendContents(of: Int(next.slot))
            pending[start...].reverse()
            guard list.bytes.count <= BinaryFormat.byteLimit else { throw Self.tooLarge }
        }
        let keys = ["$archiver", "$objects", "$top", "$version"].map { list.append($0) }
        let archiver = scalar(contents.root.archiver)
        let objects = slots.withSpan { list.append(array: $0) }
        let root = [keys[0], archiver, keys[1], objects, keys[2], top, keys[3], scalar(contents.root.version)]
        guard let bytes = list.finish(top: list.append(pairs: root)) else { throw Self.tooLarge }
        return bytes
    }

    private static var tooLarge: PropertyListError { PropertyListError(.tooLarge, at: BinaryFormat.byteLimit) }
}

extension CanonicalWriter {
    /// Returns the scalar whose bytes are those of the object `reference` of the list that was read.
    @inline(__always)
    private func scalar(_ reference: Int) -> Reference {
        let known = written[reference]
        if known != Self.none { return known }
        return append(reference)
    }

    private func append(_ reference: Int) -> Reference {
        contents.list.bytes.withBytes(contents.range(of: reference)) { bytes in
            var new = list.append(leaf: bytes)
            let hash = scalars.digest(bytes).hash
            let known = scalars.find(written: new, hash, in: list)
            if known > 0 {
                list.removeLast()
                new = known
            } else {
                scalars.insert(new, hash: hash)
            }
            written[reference] = new
            return new
        }
    }

    /// Returns the uid object of the leaf that holds the scalar `reference` of the list that was read.
    @inline(__always)
    private func leaf(_ reference: Int) -> Reference {
        // The first object is a uid, so that no scalar is the object 0, which the table of scalars does not find.
        let uid = slots.count == 0 ? list.append(uid: 0) : Self.none
        let contents = scalar(reference)
        if leaves.count <= Int(contents) {
            leaves.append(Self.none, count: Int(contents) + 1 - leaves.count)
        }
        if leaves[Int(contents)] == Self.none {
            leaves[Int(contents)] = uid == Self.none ? list.append(uid: UInt32(truncatingIfNeeded: slots.count)) : uid
            slots.append(contents)
        }
        return leaves[Int(contents)]
    }

    @inline(__always)
    private mutating func reference(_ part: Part) -> Reference {
        switch part.kind {
        case .leaf: return leaf(Int(part.value))
        case .object:
            let known = objects[Int(part.value)]
            if known != Self.none { return known }
            let number = UInt32(truncatingIfNeeded: slots.count)
            slots.append(0)
            pending.append(Pending(slot: part.value, number: number))
            let uid = list.append(uid: number)
            objects[Int(part.value)] = uid
            return uid
        default: return scalar(Int(part.value))
        }
    }

    /// Writes the dictionary of `slot`, after the pairs that are already there.
    private mutating func appendContents(of slot: Int) -> Reference {
        let end = contents.slots[slot].end
        var place = contents.slots[slot].start
        while place < end {
            let part = contents.parts[place]
            place &+= 1
            guard part.kind == .array else {
                pairs.append(reference(part))
                continue
            }
            elements.removeAll()
            for index in place..<place &+ Int(part.value) { elements.append(reference(contents.parts[index])) }
            place &+= Int(part.value)
            pairs.append(elements.withSpan { list.append(array: $0) })
        }
        defer { pairs.removeAll() }
        return pairs.withSpan { list.append(pairs: $0) }
    }
}
