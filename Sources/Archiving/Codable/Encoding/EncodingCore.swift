/// The state that the encoders of one archive share: types, keys, and open values.
struct EncodingCore: ~Copyable {
    let graph: UnsafeMutablePointer<ArchiveGraph>
    /// The state that both coders share.
    let state: UnsafeMutablePointer<GraphWritingState>
    /// The session that owns this core.
    unowned(unsafe) var session: EncodingSession?
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// The address of this core.
    private let address: UnsafeMutablePointer<EncodingCore>
    /// The encoder of the instances.
    private var instances: ArchiveEncoding?
    private var types: PointerTable<EncodingType>
    private var keyTables: PointerTable<EncodingKeyTable>
    /// The writers of subclasses that conform to `Coding` while their superclass does not. nil for a subclass that does
    /// not.
    private var subclassWriters: [ObjectIdentifier: Unmanaged<CodingWriter>?] = [:]
    /// The references to values that are archived once; nil while they are being encoded.
    var storedOnce: [ArchivedOnceKey: ArchiveGraph.Reference?] = [:]
    /// The depth of the deepest encoder.
    private var deepest = 0

    deinit {
        // The arena with their memory still exists here.
        types.releaseAll(graph.pointee.arena)
        keyTables.releaseAll(graph.pointee.arena)
    }

    init(_ writing: GraphWriting, address: UnsafeMutablePointer<EncodingCore>) {
        self.address = address
        graph = writing.graph
        state = writing.state
        types = PointerTable(in: &graph.pointee.arena)
        keyTables = PointerTable(in: &graph.pointee.arena)
    }
}

extension EncodingCore {
    @inline(__always)
    mutating func type<Value: Encodable>(_ type: Value.Type) -> UnsafeMutablePointer<EncodingType> {
        let key = PointerTable<EncodingType>.key(type)
        if let known = types.find(key) { return known }
        return makeType(type, key)
    }

    /// Creates the record of a type. The type is dynamic, so that the function is compiled once.
    @inline(never)
    private mutating func makeType(
        _ type: any Encodable.Type, _ key: UnsafeRawPointer
    ) -> UnsafeMutablePointer<EncodingType> {
        make(type, key)
    }

    private mutating func make<Value: Encodable>(
        _ type: Value.Type, _ key: UnsafeRawPointer
    ) -> UnsafeMutablePointer<EncodingType> {
        let graph = graph
        let facts = EncodingFacts.facts(of: type, key)
        let kind = facts._withUnsafeGuaranteedRef { $0.kind }
        if kind == .coding, let coding = type as? any Coding.Type {
            return types.insert(
                key, EncodingType(facts, codingWriter: codingWriter(of: coding)), in: &graph.pointee.arena)
        }
        guard kind == .instance else {
            return types.insert(key, EncodingType(facts), in: &graph.pointee.arena)
        }
        let writer = EncodableInstanceWriter(core: address)
        state.pointee.keep(writer)
        let made = types.insert(
            key, EncodingType(facts, writer: Unmanaged.passUnretained(writer)), in: &graph.pointee.arena)
        writer.type = made
        return made
    }

    /// Returns the uid of the class entry of a class other than the requested one: a subclass or a superclass.
    mutating func classUID(of type: any Any.Type) -> ArchiveGraph.Reference {
        graph.pointee.classUID(TypeNames.names(of: type))
    }

    /// Returns the writer of instances of `type`, whose superclass is not `Coding`, or nil if `type` is not `Coding`
    /// either.
    @inline(never)
    mutating func codingWriter(of type: AnyClass) -> Unmanaged<CodingWriter>? {
        if let known = subclassWriters[ObjectIdentifier(type)] { return known }
        let writer = (type as? any Coding.Type).map { codingWriter(of: $0) }
        subclassWriters[ObjectIdentifier(type)] = .some(writer)
        return writer
    }

    /// Returns the writer of instances of `type`.
    func codingWriter(of type: any Coding.Type) -> Unmanaged<CodingWriter> { archiver.writer(type) }

    /// The archiver with which `Coding` classes encode themselves.
    var archiver: KeyedArchiver {
        guard let session else { preconditionFailure("An encoder has no session") }
        return session.archiver
    }

    @inline(__always)
    mutating func keyTable<Key: CodingKey>(_ type: Key.Type) -> UnsafeMutablePointer<EncodingKeyTable> {
        let key = PointerTable<EncodingKeyTable>.key(type)
        if let known = keyTables.find(key) { return known }
        let graph = graph
        let table = EncodingKeyTable(of: type, number: graph.pointee.paths.number(of: type), in: &graph.pointee.arena)
        return keyTables.insert(key, table, in: &graph.pointee.arena)
    }
}

/// Writes instances of a class with `encode(to:)`.
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

    override func collect(
        _ object: UnsafeRawPointer, into entries: inout PlainArray<ArchiveGraph.Reference>
    ) throws -> Bool {
        guard let type else { return false }
        return try core.pointee.encoderOfInstances()._withUnsafeGuaranteedRef { encoder in
            try withUnsafePointer(to: object) { address in
                try encoder.collect(type, into: &entries) { encoder in
                    try type.pointee.values._withUnsafeGuaranteedRef {
                        try $0.encode(valueAt: UnsafeRawPointer(address), to: encoder)
                    }
                }
            }
        }
    }
}

extension EncodingCore {
    /// Postpones the writing of `encoder`, which the program still holds after its value was encoded.
    func postpone(_ encoder: ArchiveEncoding) { state.pointee.postpone(encoder) }

    /// Returns the postponed encoder of the value with `uid`, or nil if there is none.
    func postponedEncoder(of uid: ArchiveGraph.Reference) -> ArchiveEncoding? {
        for case let encoder as ArchiveEncoding in state.pointee.postponed
        where encoder.frame.pointee.slot.uid == uid && !encoder.frame.pointee.isReplaced {
            return encoder
        }
        return nil
    }

    /// Returns whether the value of `encoder` was encoded before.
    func isPostponed(_ encoder: ArchiveEncoding) -> Bool { state.pointee.postponed.contains { $0 === encoder } }

    /// Returns whether the object `uid` belongs to a value that is archived once.
    func isStoredOnce(_ uid: ArchiveGraph.Reference) -> Bool { storedOnce.values.contains(uid) }

    /// Whether the core can be reused for another archive: everything in it is small.
    var isReusable: Bool {
        deepest <= StackGuard.reusableDepth && !types.hasGrown && !keyTables.hasGrown
    }

    /// Records an encoder of the depth `depth`.
    mutating func note(depth: Int) {
        deepest = max(deepest, depth)
    }

    /// Prepares the core for another archive, which may be written on another thread.
    mutating func reset() {
        types.visitRecords { $0.pointee.reset() }
        keyTables.visitRecords { $0.pointee.reset() }
        if !userInfo.isEmpty { userInfo = [:] }
        if !storedOnce.isEmpty { storedOnce = [:] }
        if !subclassWriters.isEmpty { subclassWriters = [:] }
    }

    mutating func close() {
        instances?.close()
        instances = nil
    }

    mutating func encoderOfInstances() -> Unmanaged<ArchiveEncoding> {
        if let instances { return Unmanaged.passUnretained(instances) }
        let made = ArchiveEncoding(core: address, depth: 0)
        instances = made
        return Unmanaged.passUnretained(made)
    }

    /// Counts a collection of `count` elements. Each element is counted as well.
    @inline(__always)
    func countCollection(_ count: Int) throws { try state.pointee.meter.count(collection: count, for: graph) }

    /// Counts the element at `index`.
    @inline(__always)
    func countElement(at index: Int) throws { try state.pointee.meter.count(at: index, for: graph) }

    /// Returns whether the stack allows one more level of nesting.
    @inline(__always)
    func hasStack(atDepth depth: Int) -> Bool {
        depth < StackGuard.freeDepth || state.pointee.stack.hasRoom()
    }
}

extension EncodingCore {
    /// Returns the coding path for `steps`.
    func keys(_ steps: [CodingPathStep]) -> [any CodingKey] { graph.pointee.keys(steps) }
}
