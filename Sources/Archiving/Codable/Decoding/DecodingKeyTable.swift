/// What is known of the keys of one `CodingKey` type in one archive.
struct DecodingKeyTable: ~Copyable {
    struct Entry: BitwiseCopyable {
        /// The number of the key's name, `$` mangled as objects have it. 0 while nobody has asked.
        var number: KeyNames.Number
        /// The reference that stood for the key where it was found last, plus 1. 0 for none.
        var referencePlusOne: Int
        /// Where a class instance keeps the reference under the key, once one has led back.
        var place: Unmanaged<ReferencePlace>?
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

    /// Forgets what belongs to one archive.
    mutating func reset() {
        if isIndexed { entries.removeAll() }
    }

    @inline(__always)
    mutating func entry<Key: CodingKey>(_ key: Key) -> UnsafeMutablePointer<Entry> {
        entries.entry(KeyTable<Entry>.byte(of: key))
    }

    /// The step to the part under `key`, if keys are indexed.
    @inline(__always)
    func step<Key: CodingKey>(_ key: Key) -> CodingPathStep? {
        isIndexed ? .givenKey(pathNumber, byte: KeyTable<Entry>.byte(of: key)) : nil
    }
}
