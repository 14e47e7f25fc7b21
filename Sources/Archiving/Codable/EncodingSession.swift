import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The Codable side of one archiver, which keeps it.
///
/// What encoders use at every call is in `core`, at an address that does not move, so that using it takes no reference
/// count and no check for exclusive access.
final class EncodingSession: ArchiverCompanion {
    private unowned(unsafe) let archiver: KeyedArchiver
    fileprivate let core: UnsafeMutablePointer<EncodingCore>
    /// The encoder of the root object, or the one around it.
    ///
    /// One thread at a time uses a session, and nothing that encodes with this replaces it.
    @exclusivity(unchecked) private var top: ArchiveEncoding
    /// The encoder around values that are encoded by key.
    private var values: ArchiveEncoding?

    fileprivate init(_ archiver: KeyedArchiver) {
        self.archiver = archiver
        core = archiver.graph.pointee.arena.take(1, of: EncodingCore.self) ?? .allocate(capacity: 1)
        core.initialize(to: EncodingCore(archiver, address: core))
        top = ArchiveEncoding(core: core, depth: 0)
    }

    /// Gives up all that lies in the graph, or needs it: encoders have their frames there. There is no `deinit` for that,
    /// since whoever called the session last may have a reference to it for longer than there is an archiver.
    override func end() {
        close()
        core.deinitialize(count: 1)
        if !archiver.graph.pointee.arena.contains(core) { core.deallocate() }
    }

    /// Writes the instances that were met, and what is still open.
    override func writeRest() throws {
        try archiver.writePendingInstances()
        while true {
            let late = core.pointee.takeLate()
            if late.isEmpty { return }
            for encoder in late { encoder.writePostponed() }
            try archiver.writePendingInstances()
        }
    }

    override func beginCall() { core.pointee.forgetStack() }

    override func explained(_ error: any Error) -> any Error { CodableErrors.archivingError(error) }

    /// Ends a session: encoders that somebody still holds take no more.
    override func close() {
        core.pointee.close()
        top.close()
        values?.close()
        values = nil
    }

    var userInfo: [CodingUserInfoKey: any Sendable] {
        get { core.pointee.userInfo }
        set { core.pointee.userInfo = newValue }
    }
}

extension KeyedArchiver {
    /// The Codable side of the archiver, made where there is none.
    var encodingSession: EncodingSession {
        if let companion { return unsafeDowncast(companion, to: EncodingSession.self) }
        let session = EncodingSession(self)
        companion = session
        return session
    }
}

// MARK: - Beginning and ending

/// One encoding of a root object: an archiver with a session, taken from the last one or made anew.
struct RootEncoding: ~Copyable {
    /// An archiver that the last small encoding has left, empty, for the next one; 0 while there is none.
    ///
    /// Who takes it has it alone. To make all of a session anew costs more than to encode one small value with it.
    private static let idle = Atomic<UInt>(0)

    let archiver: KeyedArchiver
    /// Kept by the archiver, which it may not outlive.
    unowned(unsafe) let session: EncodingSession

    init(
        classes: ClassRegistry, userInfo: [CodingUserInfoKey: any Sendable],
        _ numericArrays: KeyedArchiver.NumericArrays = .objects
    ) {
        KeptContainers.letGo()
        if let address = UnsafeRawPointer(bitPattern: Self.idle.exchange(0, ordering: .acquiring)) {
            archiver = Unmanaged<KeyedArchiver>.fromOpaque(address).takeRetainedValue()
        } else {
            archiver = KeyedArchiver()
        }
        session = archiver.encodingSession
        if !classes.isEmpty { archiver.classes = classes }
        archiver.numericArrays = numericArrays
        if !userInfo.isEmpty { session.userInfo = userInfo }
    }

    /// Ends an encoding whose archive is complete.
    consuming func end() {
        guard session.isReusable else { return session.close() }
        session.reset()
        let address = UInt(bitPattern: Unmanaged.passRetained(archiver).toOpaque())
        let other = UnsafeRawPointer(bitPattern: Self.idle.exchange(address, ordering: .acquiringAndReleasing))
        other.map { Unmanaged<KeyedArchiver>.fromOpaque($0).release() }
    }

    /// Ends an encoding that failed.
    consuming func giveUp() { session.close() }
}

extension EncodingSession {
    /// Whether the session has nothing that outlasts the archive: everything is small, and nobody holds an encoder.
    fileprivate var isReusable: Bool {
        archiver.isUnkeyed && archiver.graph.pointee.isSmall && core.pointee.isReusable
            && isKnownUniquelyReferenced(&top)
    }

    /// Makes ready for another archive, which may be written on another thread.
    fileprivate func reset() {
        archiver.graph.pointee.reset()
        archiver.isForCopy = false
        core.pointee.reset()
    }
}

/// What the encoders of one archive share: its types, its keys, and what is still open.
struct EncodingCore: ~Copyable {
    let graph: UnsafeMutablePointer<ArchiveGraph>
    /// It keeps the session.
    private unowned(unsafe) let archiver: KeyedArchiver
    fileprivate(set) var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// Where this is.
    private let address: UnsafeMutablePointer<EncodingCore>
    /// The encoder that instances are written with.
    private var instances: ArchiveEncoding?
    private var types: PointerTable<EncodingType>
    private var keyTables: PointerTable<EncodingKeyTable>
    private var writers: [InstanceWriter] = []
    /// What writes instances of subclasses that are `Coding` while their superclass is not. nil for those that are not.
    private var subclassWriters: [ObjectIdentifier: Unmanaged<CodingWriter>?] = [:]
    /// What stands for the values that are archived once; nil while they are being encoded.
    var storedOnce: [ArchivedOnceKey: ArchiveGraph.Reference?] = [:]
    /// Encoders that somebody still holds although their value has been encoded. What they hold is written at the end.
    private var late: [ArchiveEncoding] = []
    /// Whether there was ever such an encoder.
    private var hadLate = false
    /// The depth of the encoder that is nested deepest.
    private var deepest = 0
    private var stack = StackGuard()

    deinit {
        // While the arena that they begin in is still there.
        types.releaseAll(graph.pointee.arena)
        keyTables.releaseAll(graph.pointee.arena)
    }

    fileprivate init(_ archiver: KeyedArchiver, address: UnsafeMutablePointer<EncodingCore>) {
        self.archiver = archiver
        self.address = address
        graph = archiver.graph
        types = PointerTable(in: &graph.pointee.arena)
        keyTables = PointerTable(in: &graph.pointee.arena)
    }
}

// MARK: - Types and keys

extension EncodingCore {
    @inline(__always)
    mutating func type<Value: Encodable>(_ type: Value.Type) -> UnsafeMutablePointer<EncodingType> {
        let key = PointerTable<EncodingType>.key(type)
        if let known = types.find(key) { return known }
        return makeType(type, key)
    }

    @inline(never)
    private mutating func makeType<Value: Encodable>(
        _ type: Value.Type, _ key: UnsafeRawPointer
    ) -> UnsafeMutablePointer<EncodingType> {
        let graph = graph
        let facts = EncodingFacts.facts(of: type, key)
        if let coding = facts._withUnsafeGuaranteedRef({ $0.coding }) {
            return types.insert(
                key, EncodingType(facts, codingWriter: archiver.writer(coding)), in: &graph.pointee.arena)
        }
        guard facts._withUnsafeGuaranteedRef({ $0.isInstance }) else {
            return types.insert(key, EncodingType(facts), in: &graph.pointee.arena)
        }
        let writer = EncodableInstanceWriter(core: address)
        writers.append(writer)
        let made = types.insert(
            key, EncodingType(facts, writer: Unmanaged.passUnretained(writer)), in: &graph.pointee.arena)
        writer.type = made
        return made
    }

    /// The uid of the class entry of a class that is not the one an encoding was asked for: a subclass, or a superclass.
    mutating func classUID(of type: any Any.Type) -> ArchiveGraph.Reference {
        graph.pointee.classUID(TypeNames.names(of: type))
    }

    /// What writes instances of `type`, whose superclass is not `Coding`, if it is.
    @inline(never)
    mutating func codingWriter(of type: AnyClass) -> Unmanaged<CodingWriter>? {
        if let known = subclassWriters[ObjectIdentifier(type)] { return known }
        let writer = (type as? any Coding.Type).map { archiver.writer($0) }
        subclassWriters[ObjectIdentifier(type)] = .some(writer)
        return writer
    }

    /// What writes instances of `type`.
    func codingWriter(of type: any Coding.Type) -> Unmanaged<CodingWriter> { archiver.writer(type) }

    @inline(__always)
    mutating func keyTable<Key: CodingKey>(_ type: Key.Type) -> UnsafeMutablePointer<EncodingKeyTable> {
        let key = PointerTable<EncodingKeyTable>.key(type)
        if let known = keyTables.find(key) { return known }
        let graph = graph
        let table = EncodingKeyTable(of: type, number: graph.pointee.paths.number(of: type), in: &graph.pointee.arena)
        return keyTables.insert(key, table, in: &graph.pointee.arena)
    }
}

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

    /// Forgets what belongs to one archive.
    mutating func reset() {
        if isIndexed { references.removeAll() }
    }

    @inline(__always)
    mutating func reference<Key: CodingKey>(
        _ key: Key, in graph: UnsafeMutablePointer<ArchiveGraph>
    ) -> ArchiveGraph.Reference {
        reference(ifArchived: key, in: graph) ?? graph.pointee.userKey(key.stringValue)
    }

    /// As `reference(_:in:)`; nil for a key whose value archives leave out.
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

    /// The step to the part under `key`, whose key object is `reference`.
    @inline(__always)
    func step<Key: CodingKey>(_ key: Key, _ reference: ArchiveGraph.Reference) -> CodingPathStep {
        guard isIndexed else { return .key(reference) }
        return .givenKey(pathNumber, byte: KeyTable<ArchiveGraph.Reference>.byte(of: key))
    }
}

// MARK: - Instances

/// Writes instances of a class by their `encode(to:)`.
private final class EncodableInstanceWriter: InstanceWriter {
    private let core: UnsafeMutablePointer<EncodingCore>
    var type: UnsafeMutablePointer<EncodingType>?

    init(core: UnsafeMutablePointer<EncodingCore>) {
        self.core = core
    }

    override func write(_ instance: PendingInstance) throws {
        guard let type else { return }
        let encoder = core.pointee.encoderOfInstances()
        try withUnsafePointer(to: instance.object) { address in
            try encoder._withUnsafeGuaranteedRef { encoder in
                try encoder.encode(instance, type) { encoder in
                    try type.pointee.values._withUnsafeGuaranteedRef {
                        try $0.encode(valueAt: UnsafeRawPointer(address), to: encoder)
                    }
                }
            }
        }
    }
}

// MARK: - Open encoders

extension EncodingCore {
    mutating func addLate(_ encoder: ArchiveEncoding) {
        late.append(encoder)
        hadLate = true
    }

    /// The encoder that somebody still holds of the value behind `uid`; nil where there is none.
    func lateEncoder(of uid: ArchiveGraph.Reference) -> ArchiveEncoding? {
        late.first { $0.frame.pointee.slot.uid == uid && !$0.frame.pointee.isReplaced }
    }

    /// Whether `encoder` is one whose value has been encoded.
    func isLate(_ encoder: ArchiveEncoding) -> Bool { late.contains { $0 === encoder } }

    /// Whether the object behind `uid` is that of a value which is archived once.
    func isStoredOnce(_ uid: ArchiveGraph.Reference) -> Bool { storedOnce.values.contains(uid) }

    fileprivate mutating func takeLate() -> [ArchiveEncoding] {
        defer { late = [] }
        return late
    }

    /// Whether nothing outlasts the archive.
    fileprivate var isReusable: Bool {
        !hadLate && deepest <= StackGuard.reusableDepth && !types.hasGrown && !keyTables.hasGrown
    }

    /// Takes note of an encoder that was made for `depth`.
    mutating func note(depth: Int) {
        deepest = max(deepest, depth)
    }

    /// Makes ready for another archive, which may be written on another thread.
    fileprivate mutating func reset() {
        types.visitRecords { $0.pointee.reset() }
        keyTables.visitRecords { $0.pointee.reset() }
        if !userInfo.isEmpty { userInfo = [:] }
        if !storedOnce.isEmpty { storedOnce = [:] }
        if !subclassWriters.isEmpty { subclassWriters = [:] }
        stack = StackGuard()
    }

    fileprivate mutating func close() {
        for encoder in takeLate() { encoder.close() }
        instances?.close()
        instances = nil
    }

    fileprivate mutating func encoderOfInstances() -> Unmanaged<ArchiveEncoding> {
        if let instances { return Unmanaged.passUnretained(instances) }
        let made = ArchiveEncoding(core: address, depth: 0)
        instances = made
        return Unmanaged.passUnretained(made)
    }

    /// Lets the stack be measured anew.
    fileprivate mutating func forgetStack() { stack = StackGuard() }

    /// Whether the stack has room for one more level of nesting.
    @inline(__always)
    mutating func hasStack(atDepth depth: Int) -> Bool {
        depth < StackGuard.freeDepth || stack.hasRoom()
    }
}

// MARK: - Values

extension EncodingSession {
    /// Encodes `value` as the root object, with every instance that it leads to.
    func encodeRoot<Value: Encodable>(_ value: Value) throws {
        let type = core.pointee.type(Value.self)
        if case .value = type.pointee.kind {
            addRoot(try ArchiveEncoding.encodeRoot(with: &top, type) { try value.encode(to: $0) })
        } else {
            addRoot(try top.reference(to: value, type: type, at: .root, inline: false))
        }
        try writeRest()
    }

    /// Encodes `value` as the root object, with every instance that it leads to.
    func encodeRoot<Value: EncodableWithConfiguration>(
        _ value: Value, configuration: Value.EncodingConfiguration
    ) throws {
        top.frame.pointee.archivedType = Value.self
        addRoot(
            try ArchiveEncoding.encodeRoot(with: &top, nil) { try value.encode(to: $0, configuration: configuration) })
        try writeRest()
    }

    /// What stands for `value`, which is encoded by key in an object that was met at `path`.
    func reference<Value: Encodable>(
        to value: Value, at step: CodingPathStep, in path: CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        if !archiver.isWriting { core.pointee.forgetStack() }
        let encoder = values ?? ArchiveEncoding(core: core, depth: 0)
        values = encoder
        let outer = encoder.frame.pointee.path
        encoder.frame.pointee.path = path
        defer { encoder.frame.pointee.path = outer }
        return try encoder.reference(to: value, at: step, inline: true)
    }

    /// What stands for an instance that is encoded by key, in a reference that does not archive it.
    func conditionalReference<Object: AnyObject & Encodable>(
        to object: Object, at step: CodingPathStep
    ) throws -> ArchiveGraph.Reference {
        try top.conditionalReference(to: object, at: step)
    }

    private func addRoot(_ root: ArchiveGraph.Reference) {
        archiver.addTop(key: ArchivePrologue.rootKey, value: root)
    }
}

// MARK: - Paths

extension EncodingCore {
    /// What a user sees of the way to a value.
    func keys(_ steps: [CodingPathStep]) -> [any CodingKey] { graph.pointee.keys(steps) }
}
