import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The Codable side of one archiver.
///
/// What encoders use at every call is in `core`, at an address that does not move, so that using it takes no reference
/// count and no check for exclusive access.
final class EncodingSession {
    private let archiver: KeyedArchiver
    fileprivate let core: UnsafeMutablePointer<EncodingCore>
    /// The encoder of the root object, or the one around it.
    private var top: ArchiveEncoding

    private init(classes: ClassRegistry) {
        archiver = KeyedArchiver(classes: classes)
        core = archiver.graph.pointee.arena.take(1, of: EncodingCore.self) ?? .allocate(capacity: 1)
        core.initialize(to: EncodingCore(graph: archiver.graph, classes: classes, address: core))
        top = ArchiveEncoding(core: core, depth: 0)
    }

    deinit {
        // Encoders before the graph that their frames lie in.
        close()
        core.deinitialize(count: 1)
        if !archiver.graph.pointee.arena.contains(core) { core.deallocate() }
    }
}

// MARK: - Beginning and ending

extension EncodingSession {
    /// A session that the last small encoding has left, empty, for the next one; 0 while there is none.
    ///
    /// Who takes it has it alone. To make all of a session anew costs more than to encode one small value with it.
    private static let idle = Atomic<UInt>(0)

    /// An empty session.
    static func begin(classes: ClassRegistry, userInfo: [CodingUserInfoKey: any Sendable]) -> EncodingSession {
        let session = (classes.isEmpty ? takeIdle() : nil) ?? EncodingSession(classes: classes)
        if !userInfo.isEmpty { session.core.pointee.userInfo = userInfo }
        return session
    }

    private static func takeIdle() -> EncodingSession? {
        let address = UnsafeRawPointer(bitPattern: idle.exchange(0, ordering: .acquiring))
        return address.map { Unmanaged<EncodingSession>.fromOpaque($0).takeRetainedValue() }
    }

    /// Ends a session whose archive is complete.
    func end() {
        guard isReusable else { return close() }
        archiver.graph.pointee.reset()
        core.pointee.reset()
        let address = UInt(bitPattern: Unmanaged.passRetained(self).toOpaque())
        let other = UnsafeRawPointer(bitPattern: Self.idle.exchange(address, ordering: .acquiringAndReleasing))
        other.map { Unmanaged<EncodingSession>.fromOpaque($0).release() }
    }

    /// Ends a session: encoders that somebody still holds take no more.
    func close() {
        core.pointee.close()
        top.close()
    }

    /// Whether the session has nothing that outlasts the archive: everything is small, and nobody holds an encoder.
    private var isReusable: Bool {
        archiver.classes.isEmpty && archiver.graph.pointee.isSmall && core.pointee.isReusable
            && isKnownUniquelyReferenced(&top)
    }

    /// The types of the class entries in the archive, by uid.
    var classTypes: [UInt32: any Any.Type] { archiver.graph.pointee.classTypes }

    /// The bytes of the archive, which the caller releases with `Platform.release(_:)`.
    func finish() throws(PropertyListError) -> UnsafeMutableRawBufferPointer {
        try archiver.finish()
    }
}

/// What the encoders of one archive share: its types, its keys, and what is still open.
struct EncodingCore: ~Copyable {
    let graph: UnsafeMutablePointer<ArchiveGraph>
    let classes: ClassRegistry
    fileprivate(set) var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// Where this is.
    private let address: UnsafeMutablePointer<EncodingCore>
    /// The encoder that instances are written with.
    private var instances: ArchiveEncoding?
    private var types: PointerTable<EncodingType>
    private var keyTables: PointerTable<EncodingKeyTable>
    private var writers: [InstanceWriter] = []
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

    fileprivate init(
        graph: UnsafeMutablePointer<ArchiveGraph>, classes: ClassRegistry,
        address: UnsafeMutablePointer<EncodingCore>
    ) {
        self.address = address
        self.graph = graph
        types = PointerTable(in: &graph.pointee.arena)
        keyTables = PointerTable(in: &graph.pointee.arena)
        self.classes = classes
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
        guard facts._withUnsafeGuaranteedRef({ $0.isInstance }) else {
            return types.insert(key, EncodingType(facts, writer: nil), in: &graph.pointee.arena)
        }
        let writer = EncodableInstanceWriter<Value>(core: address)
        writers.append(writer)
        let made = types.insert(
            key, EncodingType(facts, writer: Unmanaged.passUnretained(writer)), in: &graph.pointee.arena)
        writer.type = made
        return made
    }

    /// The uid of the class entry of a class that is not the one an encoding was asked for: a subclass, or a superclass.
    mutating func classUID(of type: any Any.Type) -> ArchiveGraph.Reference {
        graph.pointee.classUID(TypeNames.names(of: type), in: classes)
    }

    @inline(__always)
    mutating func keyTable<Key: CodingKey>(_ type: Key.Type) -> UnsafeMutablePointer<EncodingKeyTable> {
        let key = PointerTable<EncodingKeyTable>.key(type)
        if let known = keyTables.find(key) { return known }
        let graph = graph
        let table = EncodingKeyTable(
            isIndexed: KeyTable<ArchiveGraph.Reference>.canIndex(type), in: &graph.pointee.arena)
        return keyTables.insert(key, table, in: &graph.pointee.arena)
    }
}

/// The key objects of one `CodingKey` type.
struct EncodingKeyTable: ~Copyable {
    private var references: KeyTable<ArchiveGraph.Reference>
    private let isIndexed: Bool

    init(isIndexed: Bool, in arena: inout Arena) {
        references = KeyTable(in: &arena)
        self.isIndexed = isIndexed
    }

    /// Forgets what belongs to one archive.
    mutating func reset() {
        if isIndexed { references.removeAll() }
    }

    @inline(__always)
    mutating func reference<Key: CodingKey>(
        _ key: Key, in graph: UnsafeMutablePointer<ArchiveGraph>
    ) -> ArchiveGraph.Reference {
        guard isIndexed else { return graph.pointee.userKey(key.stringValue) }
        let entry = references.entry(KeyTable<ArchiveGraph.Reference>.byte(of: key))
        if entry.pointee == 0 { entry.pointee = graph.pointee.userKey(key.stringValue) }
        return entry.pointee
    }
}

// MARK: - Instances

/// Writes instances of a class by their `encode(to:)`.
private final class EncodableInstanceWriter<Value: Encodable>: InstanceWriter {
    private let core: UnsafeMutablePointer<EncodingCore>
    var type: UnsafeMutablePointer<EncodingType>?

    init(core: UnsafeMutablePointer<EncodingCore>) {
        self.core = core
    }

    override func write(_ instance: PendingInstance) throws {
        guard let type else { return }
        let encoder = core.pointee.encoderOfInstances()
        var object = instance.object
        try withUnsafePointer(to: &object) { address in
            let value = UnsafeRawPointer(address).assumingMemoryBound(to: Value.self)
            try encoder._withUnsafeGuaranteedRef { encoder in
                try encoder.encode(instance, type) { try value.pointee.encode(to: $0) }
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

    /// Whether the stack has room for one more level of nesting.
    @inline(__always)
    mutating func hasStack(atDepth depth: Int) -> Bool {
        depth < StackGuard.freeDepth || stack.hasRoom()
    }
}

// MARK: - Roots

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

    private func addRoot(_ root: ArchiveGraph.Reference) {
        archiver.addTop(key: ArchivePrologue.rootKey, value: root)
    }

    /// Writes the instances that were met, and what is still open.
    private func writeRest() throws {
        try archiver.writePendingInstances()
        while true {
            let late = core.pointee.takeLate()
            if late.isEmpty { return }
            for encoder in late { encoder.writePostponed() }
            try archiver.writePendingInstances()
        }
    }
}

// MARK: - Paths

extension EncodingCore {
    /// What a user sees of the way to a value.
    func keys(_ steps: [CodingPathStep]) -> [any CodingKey] { graph.pointee.keys(steps) }
}
