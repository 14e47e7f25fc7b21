/// Writes a property list from its leaves up, optionally each distinct leaf once.
///
/// References to finished objects wait in `pending` until their container is finished.
struct PropertyListBuilder: ~Copyable {
    typealias Reference = BinaryPropertyListWriter.Reference

    private var writer: BinaryPropertyListWriter
    private var leaves = UniqueLeaves()
    private var pending: [Reference] = []
    private let sharesLeaves: Bool

    init(byteCapacity: Int, sharesLeaves: Bool) {
        writer = BinaryPropertyListWriter(byteCapacity: byteCapacity)
        self.sharesLeaves = sharesLeaves
    }

    /// Whether the list exceeds the maximum size; `finish(top:)` would throw.
    var isTooLarge: Bool { writer.bytes.count > BinaryFormat.byteLimit }

    /// Returns the bytes.
    mutating func finish(top: Reference) throws(PropertyListError) -> StoredBytes {
        guard let bytes = writer.finish(top: top) else { throw PropertyListError(.tooLarge, at: 0) }
        return bytes
    }
}

// MARK: - Leaves

extension PropertyListBuilder {
    private mutating func unique(_ reference: Reference) -> Reference {
        sharesLeaves ? leaves.unify(reference, in: &writer) : reference
    }

    mutating func appendNull() -> Reference { unique(writer.appendNull()) }
    mutating func append(_ value: Bool) -> Reference { unique(writer.append(value)) }
    mutating func append(_ value: Int128) -> Reference { unique(writer.append(value)) }
    mutating func append(_ value: Double) -> Reference { unique(writer.append(value)) }
    mutating func append(_ value: Float) -> Reference { unique(writer.append(value)) }
    mutating func append(_ value: String) -> Reference { unique(writer.append(value)) }
    mutating func append(ascii: RawSpan) -> Reference { unique(writer.append(ascii: ascii)) }
    mutating func append(date seconds: Double) -> Reference { unique(writer.append(date: seconds)) }
    mutating func append(data: RawSpan) -> Reference { unique(writer.append(data: data)) }
    mutating func append(uid: UInt32) -> Reference { unique(writer.append(uid: uid)) }
}

// MARK: - Containers

extension PropertyListBuilder {
    enum Container {
        case array, set, dictionary
    }

    var pendingCount: Int { pending.count }

    /// Adds `reference` to the pending ones; in a dictionary, keys and values alternate.
    mutating func push(_ reference: Reference) {
        pending.append(reference)
    }

    /// Removes and returns the last pending reference. There must be one.
    mutating func popLast() -> Reference {
        pending.removeLast()
    }

    /// Writes a container of all pending references from `first` on.
    mutating func append(_ container: Container, from first: Int) -> Reference {
        defer { pending.removeLast(pending.count - first) }
        let contents = Array(pending[first...])
        switch container {
        case .array: return writer.append(array: contents)
        case .set: return writer.append(set: contents)
        case .dictionary: return writer.append(pairs: contents)
        }
    }
}

// MARK: - Uniqueness

/// The leaves of a property list in progress, each distinct one once.
///
/// Leaves are equal if their bytes are equal: 1, 1.0 and true are distinct, and so are the two spellings of "é".
private struct UniqueLeaves: ~Copyable {
    typealias Reference = BinaryPropertyListWriter.Reference

    /// Open addressing: an entry is half a hash and a reference plus one; zero is free.
    private var slots = [UInt64](repeating: 0, count: 16)
    private var count = 0

    /// The single reference for the leaf `reference`, the newest object of `writer`. If an equal leaf was written
    /// before, the newest one is removed.
    mutating func unify(_ reference: Reference, in writer: inout BinaryPropertyListWriter) -> Reference {
        // Seeded per process, so that no file can be prepared with leaves that collide.
        var hasher = Hasher()
        writer.hash(reference, into: &hasher)
        let hash = UInt64(UInt32(truncatingIfNeeded: hasher.finalize()))
        let mask = slots.count - 1
        var index = Int(truncatingIfNeeded: hash) & mask
        while slots[index] != 0 {
            if slots[index] >> 32 == hash {
                let known = Reference(truncatingIfNeeded: slots[index]) &- 1
                if writer.isEqual(known, toLast: reference) {
                    writer.removeLast()
                    return known
                }
            }
            index = (index + 1) & mask
        }
        slots[index] = hash << 32 | (UInt64(reference) + 1)
        count += 1
        if count > slots.count / 2 { grow() }
        return reference
    }

    private mutating func grow() {
        var larger = [UInt64](repeating: 0, count: slots.count * 2)
        let mask = larger.count - 1
        for slot in slots where slot != 0 {
            var index = Int(truncatingIfNeeded: slot >> 32) & mask
            while larger[index] != 0 { index = (index + 1) & mask }
            larger[index] = slot
        }
        slots = larger
    }
}
