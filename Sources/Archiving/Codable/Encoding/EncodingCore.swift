// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The state that the encoders of one archive share: types, keys, and open values.
final class EncodingCore {
    let graph: ArchiveGraph
    /// The state that both kinds of coders share.
    let writing: GraphWriting
    /// The session that owns this core; nil once it is deallocated. A weak reference would make every reference to the session
    /// slow.
    unowned var session: EncodingSession?
    var userInfo: [CodingUserInfoKey: any Sendable] = [:] { didSet { hasRareState = true } }
    /// The encoder of the instances.
    private var instances: ArchiveEncoding?
    /// The encoding of the instances with declared fields.
    private var fields: ArchiveEncoding?
    /// The elements of the arrays of instances that are being written.
    let elements = PlainTable<ArchiveGraph.Reference>()
    private let types = MetatypeTable<EncodingType>()
    private let keyTables = MetatypeTable<EncodingKeyTable>()
    /// The writers of subclasses that conform to `Coding` while their superclass does not. nil for a subclass that does
    /// not.
    private var subclassWriters: [ObjectIdentifier: CodingWriter?] = [:] { didSet { hasRareState = true } }
    /// The references to values that are archived once; nil while they are being encoded.
    var storedOnce: [ArchivedOnceKey: ArchiveGraph.Reference?] = [:] { didSet { hasRareState = true } }
    /// Whether there is any user info, subclass or value that is archived once.
    private var hasRareState = false
    /// The limits on the encoded values.
    var limits = EncodingLimits() { didSet { freeDepth = min(StackGuard.freeDepth, limits.nesting) } }
    /// The depth of nested values up to which no check is necessary.
    private var freeDepth = StackGuard.freeDepth
    /// The depth of the deepest encoder.
    private var deepest = 0
    /// Whether types with declared fields encode themselves.
    var ignoresFields = false
    /// Whether the program holds an encoding that keeps containers.
    var hasHeldEncoding = false

    init(_ writing: GraphWriting) {
        self.writing = writing
        graph = writing.graph
    }
}

extension EncodingCore {
    @inline(__always)
    func type<Value: Encodable>(_ type: Value.Type) -> EncodingType {
        types.record(of: type) ?? makeType(type)
    }

    /// Creates the record of a type. The type is dynamic, so that the function is compiled once.
    @inline(never)
    private func makeType(_ type: any Encodable.Type) -> EncodingType { make(type) }

    private func make<Value: Encodable>(_ type: Value.Type) -> EncodingType {
        let made = EncodingType(type, in: self)
        types.enter(made, for: type)
        return made
    }

    /// The types with declared fields.
    var typesWithFields: [(type: any Any.Type, fields: WrittenFields)] {
        types.records.compactMap { record in record.fields.map { (record.type, $0) } }
    }

    /// Returns the writer of instances of `type`, whose superclass is not `Coding`, or nil if `type` is not `Coding`
    /// either.
    @inline(never)
    func codingWriter(of type: AnyClass) -> CodingWriter? {
        if let known = subclassWriters[ObjectIdentifier(type)] { return known }
        let writer = conformance(of: type, to: (any Coding.Type).self).map { codingWriter(of: $0) }
        subclassWriters[ObjectIdentifier(type)] = .some(writer)
        return writer
    }

    /// Returns the writer of instances of `type`.
    func codingWriter(of type: any Coding.Type) -> CodingWriter {
        archiver.writer(type)
    }

    /// The archiver with which `Coding` classes encode themselves.
    var archiver: KeyedArchiver {
        guard let session else { preconditionFailure("An encoder has no session") }
        return session.archiver
    }

    @inline(__always)
    func keyTable<Key: CodingKey>(_ type: Key.Type) -> EncodingKeyTable {
        keyTables.record(of: type) ?? makeKeyTable(type)
    }

    @inline(never)
    private func makeKeyTable<Key: CodingKey>(_ type: Key.Type) -> EncodingKeyTable {
        let table = EncodingKeyTable(of: type, number: writing.paths.number(of: type))
        keyTables.enter(table, for: type)
        return table
    }
}

extension EncodingCore {
    /// Returns whether the object `uid` belongs to a value that is archived once.
    func isStoredOnce(_ uid: ArchiveGraph.Reference) -> Bool { storedOnce.values.contains(uid) }
}

// MARK: - Reuse

extension EncodingCore {
    /// Whether the core can be reused for another archive: everything in it is small.
    var isReusable: Bool {
        !hasHeldEncoding && deepest <= StackGuard.reusableDepth && !types.hasGrown && !keyTables.hasGrown
    }

    /// Records an encoder of the depth `depth`.
    func note(depth: Int) {
        if depth > deepest { deepest = depth }
    }

    /// Prepares the core for another archive, which may be written on another thread.
    func reset() {
        for table in keyTables.records { table.reset() }
        for type in types.records { type.fields?.reset() }
        if limits != EncodingLimits() { limits = EncodingLimits() }
        guard hasRareState else { return }
        userInfo = [:]
        storedOnce = [:]
        subclassWriters = [:]
        hasRareState = false
    }

    /// Releases the encodings that reference this core.
    func close() {
        // The encodings inside know their last types, whose writers know the encoding around instances.
        instances?.releaseSpare()
        instances = nil
        fields?.releaseSpare()
        fields = nil
        for table in keyTables.records { table.releaseContainers() }
        types.removeAll()
    }
}

// MARK: - Instances

extension EncodingCore {
    /// The encoding around instances.
    var encoderOfInstances: ArchiveEncoding {
        if let instances { return instances }
        let made = ArchiveEncoding(self, depth: 0, parent: nil)
        instances = made
        return made
    }
}

extension EncodingCore {
    /// The encoding of the instances with declared fields.
    var encoderOfFields: ArchiveEncoding {
        if let fields { return fields }
        let made = ArchiveEncoding(self, depth: 0, parent: nil)
        fields = made
        return made
    }
}

// MARK: - Limits

extension EncodingCore {
    /// Counts a collection of `count` elements. Each element is counted as well.
    @inline(__always)
    func countCollection(_ count: Int) throws { try writing.meter.count(collection: count, for: graph) }

    /// Counts the element at `index`.
    @inline(__always)
    func countElement(at index: Int) throws { try writing.meter.count(at: index, for: graph) }

    /// Returns whether the limits and the stack allow a value in one of the depth `depth`.
    @inline(__always)
    func hasRoom(atDepth depth: Int) -> Bool {
        depth < freeDepth || depth < limits.nesting && writing.hasStack()
    }

    /// Returns whether a value of `type` nests nothing, and the stack has room for its encoding.
    @inline(never)
    func hasRoom(forLeaf type: EncodingType) -> Bool {
        type.nestsNothing && limits.nesting > 0 && writing.hasStack()
    }
}
