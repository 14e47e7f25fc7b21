import Synchronization

/// The Codable side of one unarchiving.
///
/// What decoders use at every call is in `core`, at an address that does not move, so that using it takes no reference
/// count and no check for exclusive access. Decoders keep their session, and with it the archive.
final class DecodingSession {
    private let unarchiving: Unarchiving
    let core: UnsafeMutablePointer<DecodingCore>
    /// What `Coding` classes are given: the unarchiver that keeps the session, or one that the session keeps.
    private weak var host: KeyedUnarchiver?
    private var guest: KeyedUnarchiver?
    /// The decoder of `$top` in a decoding of its own of the same archive, which only tries something.
    private var trial: ArchiveDecoding?

    fileprivate init(_ unarchiving: Unarchiving, host: KeyedUnarchiver? = nil) {
        self.unarchiving = unarchiving
        self.host = host
        core = unarchiving.state.pointee.arena.take(1, of: DecodingCore.self) ?? .allocate(capacity: 1)
        core.initialize(to: DecodingCore(state: unarchiving.state, address: core))
    }

    deinit {
        trial?.core.pointee.top = nil
        core.deinitialize(count: 1)
        if !unarchiving.state.pointee.arena.contains(core) { core.deallocate() }
    }

    /// What `Coding` classes decode themselves with.
    var unarchiver: KeyedUnarchiver {
        if let known = guest ?? host { return known }
        let made = KeyedUnarchiver(unarchiving, session: self)
        guest = made
        return made
    }
}

extension DecodingSession {
    /// What `body` decodes in a decoding beside this one, which has instances of its own and leaves all deferred values out.
    func attempt<Result>(_ body: (ArchiveDecoding) throws -> Result) rethrows -> Result {
        let top = trial ?? makeTrial()
        return try body(top)
    }

    private func makeTrial() -> ArchiveDecoding {
        let other = unarchiving.other()
        let made = ArchiveDecoding(session: DecodingSession(other), depth: 0)
        made.core.pointee.begin(userInfo)
        made.prepareTop()
        made.core.pointee.top = .passUnretained(made)
        other.state.pointee.hashed.isTrial = true
        trial = made
        return made
    }
}

extension DecodingSession {
    /// What `init(from:)` finds in its decoder's `userInfo`.
    var userInfo: [CodingUserInfoKey: any Sendable] {
        get { core.pointee.userInfo }
        set { core.pointee.userInfo = newValue }
    }
}

// MARK: - Beginning and ending

extension DecodingSession {
    /// The decoder of `$top`, with an empty session, that the last small decoding has left for the next one; 0 while there
    /// is none.
    ///
    /// Who takes it has it alone. To make all of a session anew costs more than to decode one small value with it.
    private static let idle = Atomic<UInt>(0)

    /// Lets `body` decode the root object of `archive` with the decoder of `$top`.
    static func decode<Value>(
        _ archive: StoredArchive, classes: ClassRegistry, types: [UInt32: any Any.Type] = [:], limits: DecodingLimits,
        userInfo: [CodingUserInfoKey: any Sendable], _ body: (ArchiveDecoding) throws -> Value
    ) throws -> Value {
        KeptContainers.letGo()
        var top: ArchiveDecoding
        if let address = UnsafeRawPointer(bitPattern: idle.exchange(0, ordering: .acquiring)) {
            top = Unmanaged<ArchiveDecoding>.fromOpaque(address).takeRetainedValue()
            top.session.unarchiving.begin(archive, classes: classes, types: types, limits: limits)
        } else {
            let unarchiving = Unarchiving(archive, classes: classes, types: types, limits: limits)
            top = ArchiveDecoding(session: DecodingSession(unarchiving), depth: 0)
        }
        top.core.pointee.begin(userInfo)
        top.prepareTop()
        let decoder = Unmanaged.passUnretained(top)
        top.core.pointee.top = decoder
        let value: Value
        do {
            try decoder._withUnsafeGuaranteedRef { try $0.checkObjectCount() }
            // What is made in vain is destroyed here, while the table of instances still holds what it refers to: otherwise
            // a long chain would be released recursively.
            value = try decoder._withUnsafeGuaranteedRef {
                let value = try body($0)
                try $0.finishReferences()
                if let error = $0.session.guest?.error { throw error }
                return value
            }
        } catch {
            top.core.pointee.top = nil
            throw decoder._withUnsafeGuaranteedRef {
                $0.session.endGuest()
                let error = $0.core.pointee.state.pointee.outcome($0.explained(error))
                return CodableErrors.decodingError(error)
            }
        }
        // Before anybody else can take the session.
        top.core.pointee.top = nil
        decoder._withUnsafeGuaranteedRef { $0.session.endGuest() }
        if isKnownUniquelyReferenced(&top), decoder._withUnsafeGuaranteedRef({ $0.session.isReusable }) {
            keep(top)
        }
        return value
    }

    /// Whether nobody holds a decoder, and everything is small.
    private var isReusable: Bool { core.pointee.isReusable && unarchiving.state.pointee.isSmall && guest == nil }

    /// Lets nothing be decoded any more by `Coding` classes that have kept their unarchiver.
    private func endGuest() { guest?.close() }

    private static func keep(_ top: ArchiveDecoding) {
        top.prepareTop()
        top.core.pointee.reset()
        top.session.unarchiving.reset()
        let address = UInt(bitPattern: Unmanaged.passRetained(top).toOpaque())
        let other = UnsafeRawPointer(bitPattern: idle.exchange(address, ordering: .acquiringAndReleasing))
        other.map { Unmanaged<ArchiveDecoding>.fromOpaque($0).release() }
    }
}

/// The Codable side of an unarchiver, which keeps it.
final class HostedDecoding: UnarchiverCompanion {
    let top: ArchiveDecoding

    fileprivate init(_ unarchiver: KeyedUnarchiver) {
        top = ArchiveDecoding(session: DecodingSession(unarchiver.unarchiving, host: unarchiver), depth: 0)
        super.init()
        top.core.pointee.begin([:])
        top.prepareTop()
        top.core.pointee.top = Unmanaged.passUnretained(top)
    }

    deinit {
        // Somebody may still hold one of the session's decoders.
        top.core.pointee.top = nil
    }

    override func explained(_ error: any Error) -> any Error { CodableErrors.unarchivingError(error) }
}

extension KeyedUnarchiver {
    /// An unarchiver that `session` gives to `Coding` classes, and keeps.
    fileprivate convenience init(_ unarchiving: Unarchiving, session: DecodingSession) {
        self.init(unarchiving, requiringSecureCoding: !unarchiving.state.pointee.isCopy)
        becomeGuest(of: session)
    }

    /// What the unarchiver itself keeps, made where there is none.
    var hostedDecoding: HostedDecoding {
        if let companion { return unsafeDowncast(companion, to: HostedDecoding.self) }
        let made = HostedDecoding(self)
        companion = made
        return made
    }

    /// The decoder of `$top` on the Codable side.
    var topDecoder: ArchiveDecoding {
        if let session {
            let session = unsafeDowncast(session, to: DecodingSession.self)
            if let top = session.core.pointee.top { return top.takeUnretainedValue() }
        }
        return hostedDecoding.top
    }
}

/// What the decoders of one archive share: its types and its keys.
struct DecodingCore: ~Copyable {
    /// Where this is. First, since that is what the thread sanitizer takes for the address of the whole, if it is handed on
    /// inout: the bytes of the archive, which sessions share, would look as if they were written.
    private let address: UnsafeMutablePointer<DecodingCore>
    /// What is in the archive.
    let contents: UnsafePointer<ArchiveContents>
    /// The unarchiver's state.
    let state: UnsafeMutablePointer<UnarchivingState>
    fileprivate(set) var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// The decoder of `$top`; nil when the root object is decoded and nothing is deferred any more.
    fileprivate(set) var top: Unmanaged<ArchiveDecoding>?
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
    /// The depth of the decoder that is nested deepest.
    private var deepest = 0

    deinit {
        // While the arena that they begin in is still there.
        types.releaseAll(state.pointee.arena)
        keyTables.releaseAll(state.pointee.arena)
    }

    fileprivate init(state: UnsafeMutablePointer<UnarchivingState>, address: UnsafeMutablePointer<DecodingCore>) {
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

    fileprivate mutating func begin(_ userInfo: [CodingUserInfoKey: any Sendable]) {
        if !userInfo.isEmpty { self.userInfo = userInfo }
        nestingLimit = state.pointee.limits.nesting
    }

    /// Whether nothing outlasts the decoding.
    fileprivate var isReusable: Bool {
        !hadKeptDecoder && deepest <= StackGuard.reusableDepth && !types.hasGrown && !keyTables.hasGrown
    }

    /// Takes note of a decoder that was made for `depth`.
    mutating func note(depth: Int) {
        deepest = max(deepest, depth)
    }

    /// Makes ready for another archive, which may be read on another thread.
    fileprivate mutating func reset() {
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

    @inline(never)
    private mutating func makeType<Value: Decodable>(
        _ type: Value.Type, _ key: UnsafeRawPointer
    ) -> UnsafeMutablePointer<DecodingType> {
        // A class may be asked for by the metatype of a subclass. By its address: the optimiser takes a metatype of `Value`
        // for that of `Value` itself.
        if type != Value.self, let known = self.type(registered: unsafeBitCast(key, to: Any.Type.self)) {
            return known
        }
        let state = state
        let facts = DecodingFacts.facts(of: type, key)
        guard facts._withUnsafeGuaranteedRef({ $0.isInstance && $0.coding == nil }) else {
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
