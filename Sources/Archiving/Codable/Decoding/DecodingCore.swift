/// What the decoders of one archive share: its types and its keys.
struct DecodingCore: ~Copyable {
    /// Where this is. First, since that is what the thread sanitizer takes for the address of the whole, if it is handed on
    /// inout: the bytes of the archive, which sessions share, would look as if they were written.
    private let address: UnsafeMutablePointer<DecodingCore>
    /// What is in the archive.
    let contents: UnsafePointer<ArchiveContents>
    /// What both sides know of the archive.
    let state: UnsafeMutablePointer<GraphReadingState>
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// The decoder of `$top`; nil when the root object is decoded and nothing is deferred any more.
    var top: Unmanaged<ArchiveDecoding>?
    private var types: PointerTable<DecodingType>
    private var readers: [DecodableReader] = []
    private var keyTables: PointerTable<DecodingKeyTable>
    /// Where values are while they are on their way from one function to the next.
    var scratch: ScratchStack
    private var nestingLimit: Int
    /// What the value is decoded under that is decoded once more; nil if none is.
    var rehearsedKey: DeferralFacts.DecodedKey?
    /// Whether somebody held a decoder after its value was decoded.
    var hadKeptDecoder = false
    /// What observes the value that is being decoded; nil if nothing is to be found out of its type.
    var observation: RawValueObservation?
    /// The depth of the decoder that is nested deepest.
    private var deepest = 0

    deinit {
        // While the arena that they begin in is still there.
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
        nestingLimit = state.pointee.limits.nesting
    }

    @inline(__always)
    var archive: ArchiveContents { contents.pointee }

    mutating func begin(_ userInfo: [CodingUserInfoKey: any Sendable]) {
        if !userInfo.isEmpty { self.userInfo = userInfo }
        nestingLimit = state.pointee.limits.nesting
    }

    /// Whether nothing outlasts the decoding.
    var isReusable: Bool {
        !hadKeptDecoder && deepest <= StackGuard.reusableDepth && !types.hasGrown && !keyTables.hasGrown
    }

    /// Takes note of a decoder that was made for `depth`.
    mutating func note(depth: Int) {
        deepest = max(deepest, depth)
    }

    /// Makes ready for another archive, which may be read on another thread.
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

    /// A type as one that the compiler does not know, so that this is compiled once.
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

    /// A type that is registered; nil where it cannot decode itself.
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

    /// Counts the root object as a level of nesting, for which there is no decoder of its own.
    @inline(__always)
    mutating func countRoot() { nestingLimit &-= 1 }

    /// How many values are around one whose decoder has the depth `depth`.
    func level(of depth: Int) -> Int { depth + (state.pointee.limits.nesting - nestingLimit) }

    /// Whether the stack has room for more, whatever the depth.
    func hasStack() -> Bool { state.pointee.stack.hasRoom() }

    /// Whether the limits and the stack have room for a level of nesting below `depth`.
    @inline(__always)
    func hasRoom(atDepth depth: Int) -> Bool {
        depth < nestingLimit && (depth < StackGuard.freeDepth || state.pointee.stack.hasRoom())
    }
}
