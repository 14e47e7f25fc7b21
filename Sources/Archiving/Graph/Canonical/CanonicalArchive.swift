// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Converts an archive to an equivalent one whose bytes depend only on the value. The order in which the program encoded its
/// objects does not matter, nor does the order of sets and dictionaries, whose hash seeds vary between processes.
///
/// - Keys of objects are sorted by their UTF-8.
/// - Every scalar is stored once, and has at most one leaf; equal dates are one object. Other objects are never merged, however
///   equal they are.
/// - Elements of sets, and keys of dictionaries, are sorted: leaves by bytes, then objects by their contents; see
///   `CanonicalContents.sortCollections()`.
/// - Slots are numbered as a traversal from `$top` finds them: all that an object references, then all that its first object
///   references. Unreachable objects are omitted.
enum CanonicalArchive {
    /// Returns the canonical form of the archive `list`, which this library's writer has written.
    ///
    /// - Parameter hasChecksum: Whether the archive gets the entry of a checksum, without the checksum itself.
    /// - Throws: `PropertyListError` if the list is damaged or not such an archive, or if the result is larger than 4 GiB.
    /// - Complexity: O(*n* log *n*), where *n* is the number of objects in the list; O(*n* log² *n*) if a set, or the keys of a
    ///   dictionary, have several objects. The memory is proportional to *n*.
    static func bytes(
        of list: BinaryPropertyListReader, hasChecksum: Bool = false
    ) throws(PropertyListError) -> StoredBytes {
        let contents = try CanonicalContents(list)
        try contents.sortCollections()
        return try CanonicalWriter(contents).write(hasChecksum: hasChecksum)
    }
}

/// Numbers the slots of an archive and writes it.
private final class CanonicalWriter {
    typealias Part = CanonicalContents.Part
    typealias Reference = BinaryPropertyListWriter.Reference

    private let contents: CanonicalContents
    private let list: BinaryPropertyListWriter
    /// The scalars that were written. The seed varies, so that an attacker cannot choose scalars that collide; it does not
    /// affect which scalars are found.
    private let scalars: StringTable
    /// The written scalar or uid object for each one that was read.
    private let written: PlainTable<Reference>
    /// The uid objects of leaves, by written scalar.
    private let leaves = PlainTable<Reference>()
    /// The uid object of each object, by its slot in the list that was read.
    private let objects: PlainTable<Reference>
    private let slots: PlainTable<Reference>
    private let pending = PlainTable<Pending>()
    private let pairs = PlainTable<Reference>()
    private let elements = PlainTable<Reference>()

    struct Pending: BitwiseCopyable {
        let slot: UInt32
        let number: UInt32
    }

    private static let none = Reference.max

    init(_ contents: CanonicalContents) {
        self.contents = contents
        let count = contents.list.objectCount
        list = BinaryPropertyListWriter(byteCapacity: contents.list.limit, objectCapacity: count)
        scalars = StringTable(
            capacity: 1 << (Int.bitWidth - count.leadingZeroBitCount), limit: .max, seed: .random(in: 0...UInt64.max))
        written = PlainTable(repeating: Self.none, count: count)
        objects = PlainTable(repeating: Self.none, count: contents.slots.count)
        slots = PlainTable(capacity: contents.slots.count)
    }

    func write(hasChecksum: Bool) throws(PropertyListError) -> StoredBytes {
        if hasChecksum {
            pairs.append(list.append(StoredChecksum.key.description))
            pairs.append(StoredChecksum.bytes(of: 0).withBytes { list.append(data: $0) })
        }
        _ = try leaf(contents.root.null)
        let top = try appendContents(of: contents.topSlot)
        while pending.count > 0 {
            let next = pending.removeLast()
            let start = pending.count
            slots[Int(next.number)] = try appendContents(of: Int(next.slot))
            // The first object that was found is the next one.
            var (first, last) = (start, pending.count &- 1)
            while first < last {
                (pending[first], pending[last]) = (pending[last], pending[first])
                (first, last) = (first &+ 1, last &- 1)
            }
            guard list.bytes.count <= BinaryFormat.byteLimit else { throw Self.tooLarge }
        }
        let keys = ["$archiver", "$objects", "$top", "$version"].map { list.append($0) }
        let archiver = try scalar(contents.root.archiver)
        let objects = slots.withSpan { list.append(array: $0) }
        let root = [keys[0], archiver, keys[1], objects, keys[2], top, keys[3], try scalar(contents.root.version)]
        guard let bytes = list.finish(top: list.append(pairs: root)) else { throw Self.tooLarge }
        return bytes
    }

    private static var tooLarge: PropertyListError { PropertyListError(.tooLarge, at: BinaryFormat.byteLimit) }
}

extension CanonicalWriter {
    /// Returns the scalar whose bytes are those of the object `reference` of the list that was read.
    @inline(__always)
    private func scalar(_ reference: Int) throws(PropertyListError) -> Reference {
        if reference < written.count, written[reference] != Self.none { return written[reference] }
        return try append(reference)
    }

    private func append(_ reference: Int) throws(PropertyListError) -> Reference {
        let new = contents.list.bytes.withBytes(try contents.range(of: reference)) { bytes in
            scalars.share(list.append(leaf: bytes), scalars.digest(bytes).hash, in: list)
        }
        written[reference] = new
        return new
    }

    /// Returns the uid object of the leaf that holds the scalar `reference` of the list that was read.
    private func leaf(_ reference: Int) throws(PropertyListError) -> Reference {
        // The first object is a uid, so that no scalar is the object 0, which the table of scalars does not find.
        let uid = slots.count == 0 ? list.append(uid: 0) : Self.none
        let contents = try scalar(reference)
        if leaves.count <= Int(contents) {
            leaves.append(Self.none, count: max(Int(contents) + 1, list.objectCount * 2) - leaves.count)
        }
        if leaves[Int(contents)] == Self.none {
            leaves[Int(contents)] = uid == Self.none ? list.append(uid: UInt32(truncatingIfNeeded: slots.count)) : uid
            slots.append(contents)
        }
        return leaves[Int(contents)]
    }

    private func object(_ slot: Int) -> Reference {
        if objects[slot] != Self.none { return objects[slot] }
        let number = UInt32(truncatingIfNeeded: slots.count)
        slots.append(0)
        pending.append(Pending(slot: UInt32(truncatingIfNeeded: slot), number: number))
        objects[slot] = list.append(uid: number)
        return objects[slot]
    }

    private func reference(_ part: Part) throws(PropertyListError) -> Reference {
        switch part.kind {
        case .leaf: try leaf(Int(part.value))
        case .object: object(Int(part.value))
        default: try scalar(Int(part.value))
        }
    }

    /// Returns the uid object or the scalar of a value that was read; nil for an array.
    @inline(__always)
    private func value(_ reference: Int) throws(PropertyListError) -> Reference? {
        if reference < written.count, written[reference] != Self.none { return written[reference] }
        return try newValue(reference)
    }

    private func newValue(_ reference: Int) throws(PropertyListError) -> Reference? {
        let part = try contents.part(reference)
        guard part.kind != .array else { return nil }
        written[reference] = try self.reference(part)
        return written[reference]
    }

    /// Writes the dictionary of `slot`, after the pairs that are already there.
    private func appendContents(of slot: Int) throws(PropertyListError) -> Reference {
        var sorted = contents.collection(in: slot)?.first
        try contents.visitFields(of: slot) { key, value throws(PropertyListError) in
            pairs.append(try scalar(key))
            if let known = try self.value(value) { return pairs.append(known) }
            elements.removeAll()
            let array = try contents.list.node(value)
            for index in 0..<array.count {
                if let first = sorted {
                    elements.append(try reference(contents.elements[first &+ index]))
                } else if let element = try self.value(contents.list.reference(index, in: array.payload)) {
                    elements.append(element)
                } else {
                    throw PropertyListError(.notAnArchive, at: array.payload)
                }
            }
            if let first = sorted { sorted = first &+ array.count }
            pairs.append(elements.withSpan { list.append(array: $0) })
        }
        defer { pairs.removeAll() }
        return pairs.withSpan { list.append(pairs: $0) }
    }
}
