/// The facts about the keys of one `CodingKey` type in one archive.
struct DecodingKeyTable: ~Copyable {
    struct Entry: BitwiseCopyable {
        /// The number of the key's name, with `$` mangled as in objects. 0 until it is needed.
        var number: KeyNames.Number
        /// The last reference that represented the key, plus 1. 0 for none.
        var referencePlusOne: Int
        /// The key as one of a class, if its reference in an instance was part of a cycle.
        var field: Unmanaged<DecodedField>?
    }

    private var entries: KeyTable<Entry>
    let isIndexed: Bool
    /// The number of the key type in the table of paths.
    private let pathNumber: UInt32
    /// Whether the keys are those of a class with the macro `@Observable`.
    let isObserved: Bool
    let containers = ReusableContainers()

    init<Key: CodingKey>(of type: Key.Type, number: UInt32, in arena: inout Arena) {
        entries = KeyTable(in: &arena)
        isIndexed = KeyTable<Entry>.canIndex(type)
        isObserved = ObservedKeys.areObserved(type)
        pathNumber = number
    }

    /// Removes the data of one archive.
    mutating func reset() {
        if isIndexed { entries.removeAll() }
    }

    @inline(__always)
    mutating func entry<Key: CodingKey>(_ key: Key) -> UnsafeMutablePointer<Entry> {
        entries.entry(KeyTable<Entry>.byte(of: key))
    }

    /// Returns the step to the part for `key`, or nil if the keys are not indexed.
    @inline(__always)
    func step<Key: CodingKey>(_ key: Key) -> CodingPathStep? {
        isIndexed ? .givenKey(pathNumber, byte: KeyTable<Entry>.byte(of: key)) : nil
    }
}
