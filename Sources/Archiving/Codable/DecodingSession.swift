/// The Codable side of one unarchiver.
///
/// What decoders use at every call is in `core`, at an address that does not move, so that using it takes no reference
/// count and no check for exclusive access. Decoders keep their session, and with it the archive.
final class DecodingSession {
    private let unarchiver: KeyedUnarchiver
    let core: UnsafeMutablePointer<DecodingCore>

    init(unarchiver: KeyedUnarchiver, userInfo: [CodingUserInfoKey: any Sendable]) {
        self.unarchiver = unarchiver
        core = unarchiver.state.pointee.arena.take(1, of: DecodingCore.self) ?? .allocate(capacity: 1)
        core.initialize(to: DecodingCore(state: unarchiver.state, userInfo: userInfo))
    }

    deinit {
        core.deinitialize(count: 1)
        if !unarchiver.state.pointee.arena.contains(core) { core.deallocate() }
    }
}

/// What the decoders of one archive share: its types and its keys.
struct DecodingCore: ~Copyable {
    let archive: ArchiveContents
    /// The unarchiver's state.
    let state: UnsafeMutablePointer<UnarchivingState>
    let userInfo: [CodingUserInfoKey: any Sendable]
    private var types: PointerTable<DecodingType>
    private var keyTables: PointerTable<DecodingKeyTable>
    /// Keys of superclass parts that are not in the archive, for the paths of their decoders.
    private var missingKeys: [String] = []
    private let nestingLimit: Int
    private var stack = StackGuard()

    deinit {
        // While the arena that they begin in is still there.
        types.releaseAll(state.pointee.arena)
        keyTables.releaseAll(state.pointee.arena)
    }

    fileprivate init(state: UnsafeMutablePointer<UnarchivingState>, userInfo: [CodingUserInfoKey: any Sendable]) {
        self.state = state
        types = PointerTable(in: &state.pointee.arena)
        keyTables = PointerTable(in: &state.pointee.arena)
        self.userInfo = userInfo
        archive = state.pointee.archive
        nestingLimit = state.pointee.limits.nesting
    }
}

extension DecodingCore {
    @inline(__always)
    mutating func type<Value: Decodable>(_ type: Value.Type) -> UnsafeMutablePointer<DecodingType> {
        let key = PointerTable<DecodingType>.key(type)
        if let known = types.find(key) { return known }
        return makeType(type, key)
    }

    @inline(never)
    private mutating func makeType<Value: Decodable>(
        _ type: Value.Type, _ key: UnsafeRawPointer
    ) -> UnsafeMutablePointer<DecodingType> {
        types.insert(
            key, DecodingType(DecodingFacts.facts(of: type, key), identity: key), in: &state.pointee.arena)
    }

    @inline(__always)
    mutating func keyTable<Key: CodingKey>(_ type: Key.Type) -> UnsafeMutablePointer<DecodingKeyTable> {
        let key = PointerTable<DecodingKeyTable>.key(type)
        if let known = keyTables.find(key) { return known }
        let table = DecodingKeyTable(
            isIndexed: KeyTable<DecodingKeyTable.Entry>.canIndex(type), in: &state.pointee.arena)
        return keyTables.insert(key, table, in: &state.pointee.arena)
    }

    /// The step to the part under `key`, which is not in the archive.
    mutating func step(toMissing key: String) -> CodingPathStep {
        missingKeys.append(key)
        return .missingKey(missingKeys.count - 1)
    }

    func missingKey(_ place: UInt32) -> String { missingKeys[Int(place)] }

    /// Whether the limits and the stack have room for a level of nesting below `depth`.
    @inline(__always)
    mutating func hasRoom(atDepth depth: Int) -> Bool {
        depth < nestingLimit && (depth < StackGuard.freeDepth || stack.hasRoom())
    }
}

/// What is known of the keys of one `CodingKey` type in one archive.
struct DecodingKeyTable: ~Copyable {
    struct Entry: BitwiseCopyable {
        /// The number of the key's name, `$` mangled as objects have it. 0 while nobody has asked.
        var number: KeyNames.Number
        /// The reference that stood for the key where it was found last, plus 1. 0 for none.
        var referencePlusOne: Int
    }

    private var entries: KeyTable<Entry>
    let isIndexed: Bool

    init(isIndexed: Bool, in arena: inout Arena) {
        entries = KeyTable(in: &arena)
        self.isIndexed = isIndexed
    }

    @inline(__always)
    mutating func entry<Key: CodingKey>(_ key: Key) -> UnsafeMutablePointer<Entry> {
        entries.entry(KeyTable<Entry>.byte(of: key))
    }
}
