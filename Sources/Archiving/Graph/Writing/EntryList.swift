/// The entries of an object that is being written, keys and values in turn; or the elements of a collection.
struct EntryList: ~Copyable {
    typealias Reference = ArchiveGraph.Reference

    var references: PlainArray<Reference>
    /// A bit for each key; a key is surely new where its bit is not set.
    private var keyBits: UInt64 = 0
    /// The positions of keys, where there are many.
    private var keyPositions: [Reference: Int] = [:]

    init(references: consuming PlainArray<Reference>) {
        self.references = references
    }

    @inline(__always)
    mutating func removeAll() {
        references.removeAll()
        keyBits = 0
        if !keyPositions.isEmpty { keyPositions = [:] }
    }

    /// Appends an element.
    @inline(__always)
    mutating func append(_ element: Reference) {
        references.append(element)
    }

    /// Enters `value` under `key`. What was under that key before is replaced.
    ///
    /// - Returns: The position of the value that was replaced; nil where the key is new.
    @inline(__always)
    mutating func set(_ key: Reference, to value: Reference) -> Int? {
        let bit: UInt64 = 1 &<< UInt64(key & 63)
        if keyBits & bit != 0, let position = position(of: key) {
            references[position] = value
            return position
        }
        keyBits |= bit
        references.append(key)
        references.append(value)
        return nil
    }

    /// Whether there may be a value under `key`.
    mutating func mayHave(_ key: Reference) -> Bool {
        keyBits & 1 &<< UInt64(key & 63) != 0 && position(of: key) != nil
    }

    /// Entries up to which a key is searched one by one.
    private static var linearSearchLimit: Int { 64 }

    /// Where the value of `key` is in `references`; nil where there is none.
    @inline(never)
    mutating func position(of key: Reference) -> Int? {
        if references.count <= 2 * Self.linearSearchLimit {
            for index in stride(from: 0, to: references.count, by: 2) where references[index] == key {
                return index + 1
            }
            return nil
        }
        // Catches up with what was appended since it was last asked.
        for index in stride(from: 2 * keyPositions.count, to: references.count, by: 2) {
            keyPositions[references[index]] = index + 1
        }
        return keyPositions[key]
    }
}
