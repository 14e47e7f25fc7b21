/// What the encoders of one archive share: its types, its keys, and what is still open.
struct EncodingCore: ~Copyable {
    let graph: UnsafeMutablePointer<ArchiveGraph>
    /// What both sides know of the archive.
    let state: UnsafeMutablePointer<GraphWritingState>
    /// The session, which keeps this.
    unowned(unsafe) var session: EncodingSession?
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// Where this is.
    private let address: UnsafeMutablePointer<EncodingCore>
    /// The encoder that instances are written with.
    private var instances: ArchiveEncoding?
    private var types: PointerTable<EncodingType>
    private var keyTables: PointerTable<EncodingKeyTable>
    /// What writes instances of subclasses that are `Coding` while their superclass is not. nil for those that are not.
    private var subclassWriters: [ObjectIdentifier: Unmanaged<CodingWriter>?] = [:]
    /// What stands for the values that are archived once; nil while they are being encoded.
    var storedOnce: [ArchivedOnceKey: ArchiveGraph.Reference?] = [:]
    /// What observes the value that is being encoded; nil if nothing is to be found out of its type.
    var observation: RawValueObservation?
    /// The depth of the encoder that is nested deepest.
    private var deepest = 0

    deinit {
        // While the arena that they begin in is still there.
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

    /// A type as one that the compiler does not know, so that this is compiled once.
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

    /// The uid of the class entry of a class that is not the one an encoding was asked for: a subclass, or a superclass.
    mutating func classUID(of type: any Any.Type) -> ArchiveGraph.Reference {
        graph.pointee.classUID(TypeNames.names(of: type))
    }

    /// What writes instances of `type`, whose superclass is not `Coding`, if it is.
    @inline(never)
    mutating func codingWriter(of type: AnyClass) -> Unmanaged<CodingWriter>? {
        if let known = subclassWriters[ObjectIdentifier(type)] { return known }
        let writer = (type as? any Coding.Type).map { codingWriter(of: $0) }
        subclassWriters[ObjectIdentifier(type)] = .some(writer)
        return writer
    }

    /// What writes instances of `type`.
    func codingWriter(of type: any Coding.Type) -> Unmanaged<CodingWriter> {
        guard let session else { preconditionFailure("Encoders encode without a session") }
        return session.archiver.writer(type)
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

extension EncodingCore {
    /// Puts off the writing of what `encoder` holds, which somebody else still holds although its value has been encoded.
    func postpone(_ encoder: ArchiveEncoding) { state.pointee.postpone(encoder) }

    /// The encoder that somebody still holds of the value behind `uid`; nil if there is none.
    func postponedEncoder(of uid: ArchiveGraph.Reference) -> ArchiveEncoding? {
        for case let encoder as ArchiveEncoding in state.pointee.postponed
        where encoder.frame.pointee.slot.uid == uid && !encoder.frame.pointee.isReplaced {
            return encoder
        }
        return nil
    }

    /// Whether `encoder` is one whose value has been encoded.
    func isPostponed(_ encoder: ArchiveEncoding) -> Bool { state.pointee.postponed.contains { $0 === encoder } }

    /// Whether the object behind `uid` is that of a value which is archived once.
    func isStoredOnce(_ uid: ArchiveGraph.Reference) -> Bool { storedOnce.values.contains(uid) }

    /// Whether nothing outlasts the archive.
    var isReusable: Bool {
        deepest <= StackGuard.reusableDepth && !types.hasGrown && !keyTables.hasGrown
    }

    /// Takes note of an encoder that was made for `depth`.
    mutating func note(depth: Int) {
        deepest = max(deepest, depth)
    }

    /// Makes ready for another archive, which may be written on another thread.
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

    /// Counts a collection of `count` elements, each of which is counted as well.
    @inline(__always)
    func countCollection(_ count: Int) throws { try state.pointee.meter.count(collection: count, for: graph) }

    /// Counts the element at `index`.
    @inline(__always)
    func countElement(at index: Int) throws { try state.pointee.meter.count(at: index, for: graph) }

    /// Whether the stack has room for one more level of nesting.
    @inline(__always)
    func hasStack(atDepth depth: Int) -> Bool {
        depth < StackGuard.freeDepth || state.pointee.stack.hasRoom()
    }
}

extension EncodingCore {
    /// What a user sees of the way to a value.
    func keys(_ steps: [CodingPathStep]) -> [any CodingKey] { graph.pointee.keys(steps) }
}
