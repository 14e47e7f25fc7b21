/// The key objects of one `CodingKey` type.
struct EncodingKeyTable: ~Copyable {
    private var references: KeyTable<ArchiveGraph.Reference>
    private let isIndexed: Bool
    /// The number of the key type in the table of paths.
    private let pathNumber: UInt32
    /// Whether the keys are those of a class with the macro `@Observable`.
    private let isObserved: Bool
    let containers = ReusableContainers()

    init<Key: CodingKey>(of type: Key.Type, number: UInt32, in arena: inout Arena) {
        references = KeyTable(in: &arena)
        isIndexed = KeyTable<ArchiveGraph.Reference>.canIndex(type)
        isObserved = ObservedKeys.areObserved(type)
        pathNumber = number
    }

    /// Removes the data of one archive.
    mutating func reset() {
        if isIndexed { references.removeAll() }
    }

    @inline(__always)
    mutating func reference<Key: CodingKey>(
        _ key: Key, in graph: UnsafeMutablePointer<ArchiveGraph>
    ) -> ArchiveGraph.Reference {
        reference(ifArchived: key, in: graph) ?? graph.pointee.userKey(key.stringValue)
    }

    /// Returns the same as `reference(_:in:)`, or nil for a key whose value archives omit.
    @inline(__always)
    mutating func reference<Key: CodingKey>(
        ifArchived key: Key, in graph: UnsafeMutablePointer<ArchiveGraph>
    ) -> ArchiveGraph.Reference? {
        guard isIndexed else { return graph.pointee.userKey(key.stringValue) }
        let entry = references.entry(KeyTable<ArchiveGraph.Reference>.byte(of: key))
        if entry.pointee == 0 {
            if isObserved { return Self.enterObserved(key, entry, graph) }
            entry.pointee = graph.pointee.userKey(key.stringValue)
        }
        return entry.pointee
    }

    @inline(never)
    private static func enterObserved<Key: CodingKey>(
        _ key: Key, _ entry: UnsafeMutablePointer<ArchiveGraph.Reference>, _ graph: UnsafeMutablePointer<ArchiveGraph>
    ) -> ArchiveGraph.Reference? {
        guard let name = ObservedKeys.name(of: key) else { return nil }
        entry.pointee = graph.pointee.userKey(name)
        return entry.pointee
    }

    /// Returns the step to the part for `key`, whose key object is `reference`.
    @inline(__always)
    func step<Key: CodingKey>(_ key: Key, _ reference: ArchiveGraph.Reference) -> CodingPathStep {
        guard isIndexed else { return .key(reference) }
        return .givenKey(pathNumber, byte: KeyTable<ArchiveGraph.Reference>.byte(of: key))
    }
}
