/// The Codable side of one unarchiver: its types, its keys, its decoders.
final class DecodingSession {
    let unarchiver: KeyedUnarchiver
    let archive: KeyedArchive
    let userInfo: [CodingUserInfoKey: any Sendable]
    private var types = PointerTable<DecodingType>()
    private var keyTables = PointerTable<DecodingKeyTable>()
    private var stack = StackGuard()

    init(unarchiver: KeyedUnarchiver, userInfo: [CodingUserInfoKey: any Sendable]) {
        self.unarchiver = unarchiver
        self.userInfo = userInfo
        archive = unarchiver.archive
    }

    @inline(__always)
    func type<Value: Decodable>(_ type: Value.Type) -> DecodingType {
        let key = unsafeBitCast(ObjectIdentifier(type), to: UnsafeRawPointer.self)
        if let known = types.find(key) { return known._withUnsafeGuaranteedRef { $0 } }
        return makeType(type, key)
    }

    @inline(never)
    private func makeType<Value: Decodable>(_ type: Value.Type, _ key: UnsafeRawPointer) -> DecodingType {
        let made = DecodingType(facts: .facts(of: type), identity: key)
        types.insert(key, made)
        return made
    }

    @inline(__always)
    func keyTable<Key: CodingKey>(_ type: Key.Type) -> DecodingKeyTable {
        let key = unsafeBitCast(ObjectIdentifier(type), to: UnsafeRawPointer.self)
        if let known = keyTables.find(key) { return known._withUnsafeGuaranteedRef { $0 } }
        let made = DecodingKeyTable(isIndexed: KeyTable<DecodingKeyTable.Entry>.canIndex(type))
        keyTables.insert(key, made)
        return made
    }

    /// Whether the limits and the stack have room for a level of nesting below `depth`.
    @inline(__always)
    func hasRoom(atDepth depth: Int) -> Bool {
        depth < StackGuard.freeDepth && depth < unarchiver.limits.nesting
            || depth < unarchiver.limits.nesting && stack.hasRoom()
    }
}

/// What is known of the keys of one `CodingKey` type in one archive.
final class DecodingKeyTable {
    struct Entry: BitwiseCopyable {
        /// The number of the key's name, `$` mangled as objects have it. 0 while nobody has asked.
        var number: KeyNames.Number
        /// The reference that stood for the key where it was found last. -1 for none.
        var reference: Int
    }

    private var entries = KeyTable<Entry>(empty: Entry(number: 0, reference: -1))
    let isIndexed: Bool

    init(isIndexed: Bool) {
        self.isIndexed = isIndexed
    }

    @inline(__always)
    func entry<Key: CodingKey>(_ key: Key) -> UnsafeMutablePointer<Entry> {
        entries.entry(KeyTable<Entry>.byte(of: key))
    }
}
