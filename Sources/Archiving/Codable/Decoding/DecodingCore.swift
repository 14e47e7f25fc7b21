/// The state that the decoders of one archive share: types and keys.
struct DecodingCore: ~Copyable {
    /// The address of this core. It is the first field because the thread sanitizer takes the first field for the
    /// address of a core that is passed inout. With `contents` first, the archive's bytes, which sessions share, would
    /// seem to be written.
    private let address: UnsafeMutablePointer<DecodingCore>
    /// The contents of the archive.
    let contents: ArchiveContents
    /// The state that both coders share.
    let state: UnsafeMutablePointer<GraphReadingState>
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// The decoder of `$top`; nil after the root object and all waiting values are decoded.
    var top: Unmanaged<ArchiveDecoding>?
    private var types: PointerTable<DecodingType>
    private var readers: [DecodableReader] = []
    private var keyTables: PointerTable<DecodingKeyTable>
    /// The storage of values that pass from one function to the next.
    var scratch: ScratchStack
    private var nestingLimit: Int
    /// Whether the program held a decoder after its value was decoded.
    var hadKeptDecoder = false
    /// The first absent keys that the latest values requested, by `ArchivedFields.missedCount`, for errors.
    var missedKeys = SIMD4<KeyNames.Number>()
    /// The depth of the deepest decoder.
    private var deepest = 0

    deinit {
        // The arena with their memory still exists here.
        types.releaseAll(state.pointee.arena)
        keyTables.releaseAll(state.pointee.arena)
    }

    init(state: UnsafeMutablePointer<GraphReadingState>, address: UnsafeMutablePointer<DecodingCore>) {
        self.state = state
        self.address = address
        types = PointerTable(in: &state.pointee.arena)
        keyTables = PointerTable(in: &state.pointee.arena)
        scratch = ScratchStack(in: &state.pointee.arena)
        contents = state.pointee.contents
        nestingLimit = state.pointee.settings.limits.nesting
    }

    mutating func begin(_ userInfo: [CodingUserInfoKey: any Sendable]) {
        if !userInfo.isEmpty { self.userInfo = userInfo }
        nestingLimit = state.pointee.settings.limits.nesting
    }

    /// Whether the core can be reused for another archive: everything in it is small, and the program held no decoder.
    var isReusable: Bool {
        !hadKeptDecoder && deepest <= StackGuard.reusableDepth && !types.hasGrown && !keyTables.hasGrown
    }

    /// Records a decoder of the depth `depth`.
    mutating func note(depth: Int) {
        deepest = max(deepest, depth)
    }

    /// Returns the first `count` keys in `missedKeys`.
    func keyNames(missed count: Int) -> [String] {
        missedKeys.indices.prefix(count).compactMap { state.pointee.keyNames.name(of: missedKeys[$0]) }
    }

    /// Prepares the core for another archive, which may be read on another thread.
    mutating func reset() {
        types.visitRecords { $0.pointee.reset() }
        keyTables.visitRecords { $0.pointee.reset() }
        if !userInfo.isEmpty { userInfo = [:] }
    }
}

extension DecodingCore {
    @inline(__always)
    mutating func type<Value: Decodable>(_ type: Value.Type) -> UnsafeMutablePointer<DecodingType> {
        let key = PointerTable<DecodingType>.key(type)
        if let known = types.find(key) { return known }
        return makeType(type, key)
    }

    /// Creates the record of a type. The type is dynamic, so that the function is compiled once.
    @inline(never)
    private mutating func makeType(
        _ type: any Decodable.Type, _ key: UnsafeRawPointer
    ) -> UnsafeMutablePointer<DecodingType> {
        make(type, key)
    }

    private mutating func make<Value: Decodable>(
        _ type: Value.Type, _ key: UnsafeRawPointer
    ) -> UnsafeMutablePointer<DecodingType> {
        let state = state
        let facts = DecodingFacts.facts(of: type, key)
        guard facts._withUnsafeGuaranteedRef({ $0.kind == .instance }) else {
            return types.insert(key, DecodingType(facts, identity: key, reader: nil), in: &state.pointee.arena)
        }
        let isMigrating = facts._withUnsafeGuaranteedRef { $0.migrations != nil }
        let reader: DecodableReader =
            isMigrating
            ? MigratingReading<Value>(core: address, identity: key)
            : InstanceReading<Value>(core: address, identity: key)
        readers.append(reader)
        let made = types.insert(
            key, DecodingType(facts, identity: key, reader: .passUnretained(reader)), in: &state.pointee.arena)
        reader.type = made
        return made
    }

    /// Returns the record of a registered type, or nil if the type is not `Decodable`.
    mutating func type(registered type: any Any.Type) -> UnsafeMutablePointer<DecodingType>? {
        guard let decodable = type as? any Decodable.Type else { return nil }
        return self.type(decodable)
    }

    @inline(__always)
    mutating func keyTable<Key: CodingKey>(_ type: Key.Type) -> UnsafeMutablePointer<DecodingKeyTable> {
        let key = PointerTable<DecodingKeyTable>.key(type)
        if let known = keyTables.find(key) { return known }
        let state = state
        let table = DecodingKeyTable(of: type, number: state.pointee.paths.number(of: type), in: &state.pointee.arena)
        return keyTables.insert(key, table, in: &state.pointee.arena)
    }

    /// Counts the root object, which has no decoder of its own, as a level of nesting.
    @inline(__always)
    mutating func countRoot() { nestingLimit &-= 1 }

    /// Returns the number of values around the one whose decoder has the depth `depth`.
    func level(of depth: Int) -> Int { depth + (state.pointee.settings.limits.nesting - nestingLimit) }

    /// Returns whether the stack has space left, independent of the depth.
    func hasStack() -> Bool { state.pointee.stack.hasRoom() }

    /// Returns whether the limits and the stack allow another level of nesting below `depth`.
    @inline(__always)
    func hasRoom(atDepth depth: Int) -> Bool {
        depth < nestingLimit && (depth < StackGuard.freeDepth || state.pointee.stack.hasRoom())
    }
}
