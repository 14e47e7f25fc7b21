// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Writes a property list from its leaves up, optionally each distinct leaf once.
///
/// References to finished objects wait in `pending` until their container is finished.
struct PropertyListBuilder: ~Copyable {
    typealias Reference = BinaryPropertyListWriter.Reference

    private var writer: BinaryPropertyListWriter
    /// The leaves by the hash of their bytes: 1, 1.0 and true are distinct, and so are the two spellings of "é".
    private var leaves: [Int: Reference] = [:]
    private var pending: [Reference] = []
    /// The place among the pending ones of each key of the dictionary in progress, by its reference; -1 for none.
    private var keyPlaces: [Int] = []
    private let sharesLeaves: Bool

    init(byteCapacity: Int, sharesLeaves: Bool) {
        writer = BinaryPropertyListWriter(byteCapacity: byteCapacity)
        self.sharesLeaves = sharesLeaves
    }

    /// Whether the list exceeds the maximum size; `finish(top:)` would throw.
    var isTooLarge: Bool { writer.bytes.count > BinaryFormat.byteLimit }

    mutating func finish(top: Reference) throws(PropertyListError) -> StoredBytes {
        guard let bytes = writer.finish(top: top) else { throw PropertyListError(.tooLarge, at: 0) }
        return bytes
    }
}

// MARK: - Leaves

extension PropertyListBuilder {
    /// Returns the reference of a leaf with the bytes of `reference`, which is the newest object. If an equal leaf was written
    /// before, the newest one is removed.
    private mutating func unique(_ reference: Reference) -> Reference {
        guard sharesLeaves else { return reference }
        // Seeded per process, so that no file can be prepared with leaves that collide.
        var hasher = Hasher()
        writer.hash(reference, into: &hasher)
        let hash = hasher.finalize()
        guard let known = leaves[hash] else {
            leaves[hash] = reference
            return reference
        }
        guard writer.isEqual(known, toLast: reference) else { return reference }
        writer.removeLast()
        return known
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
    mutating func push(_ reference: Reference) { pending.append(reference) }

    /// Removes all but the last value of each key from the pending keys and values from `first` on. Equal keys are one object.
    mutating func keepLastValues(from first: Int) {
        guard pending.count - first > 2 else { return }
        if keyPlaces.count < writer.objectCount {
            keyPlaces.append(contentsOf: repeatElement(-1, count: writer.objectCount - keyPlaces.count))
        }
        var end = first
        for place in stride(from: first, to: pending.count - 1, by: 2) {
            let key = Int(pending[place])
            if keyPlaces[key] < 0 {
                keyPlaces[key] = end
                pending[end] = pending[place]
                pending[end + 1] = pending[place + 1]
                end += 2
            } else {
                pending[keyPlaces[key] + 1] = pending[place + 1]
            }
        }
        for place in stride(from: first, to: end, by: 2) { keyPlaces[Int(pending[place])] = -1 }
        pending.removeLast(pending.count - end)
    }

    mutating func popLast() -> Reference { pending.removeLast() }

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
