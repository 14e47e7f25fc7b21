/// The Codable side of one archiver: its types, its keys, its encoders, and what is still open.
final class EncodingSession {
    unowned(unsafe) let archiver: KeyedArchiver
    let graph: UnsafeMutablePointer<ArchiveGraph>
    let userInfo: [CodingUserInfoKey: any Sendable]
    var paths = CodingPathTable()
    private var types = PointerTable<EncodingType>()
    private var namedTypes: [EncodingType] = []
    private var keyTables = PointerTable<EncodingKeyTable>()
    private var classUIDs: [ObjectIdentifier: ArchiveGraph.Reference] = [:]
    /// The encoder that values and instances at the root are written with, used again and again.
    private var knownRoot: ArchiveEncoding?
    /// Encoders that somebody still holds although their value has been encoded. What they hold is written at the end.
    private var late: [ArchiveEncoding] = []
    private var stack = StackGuard()

    init(archiver: KeyedArchiver, userInfo: [CodingUserInfoKey: any Sendable]) {
        self.archiver = archiver
        self.userInfo = userInfo
        graph = archiver.graph
    }

    /// Ends the session: encoders that somebody still holds take no more.
    func close() {
        for encoder in late { encoder.close() }
        late = []
        knownRoot = nil
    }
}

// MARK: - Types and keys

extension EncodingSession {
    @inline(__always)
    func type<Value: Encodable>(_ type: Value.Type) -> EncodingType {
        let key = unsafeBitCast(ObjectIdentifier(type), to: UnsafeRawPointer.self)
        if let known = types.find(key) { return known._withUnsafeGuaranteedRef { $0 } }
        return makeType(type, key)
    }

    @inline(never)
    private func makeType<Value: Encodable>(_ type: Value.Type, _ key: UnsafeRawPointer) -> EncodingType {
        let made = EncodingType(facts: .facts(of: type), session: self)
        types.insert(key, made)
        return made
    }

    /// A type that has a name in the archive, whatever it conforms to.
    func type<Value>(naming type: Value.Type) -> EncodingType {
        let made = EncodingType(facts: EncodingFacts(naming: type), session: self)
        namedTypes.append(made)
        return made
    }

    /// The uid of the class entry of a class that is not the one an encoding was asked for: a subclass, or a superclass.
    func classUID(of type: any Any.Type) -> ArchiveGraph.Reference {
        let identifier = ObjectIdentifier(type)
        if let known = classUIDs[identifier] { return known }
        let uid = graph.pointee.classUID(ArchivedClass(type, in: archiver.classes))
        classUIDs[identifier] = uid
        return uid
    }

    @inline(__always)
    func keyTable<Key: CodingKey>(_ type: Key.Type) -> EncodingKeyTable {
        let key = unsafeBitCast(ObjectIdentifier(type), to: UnsafeRawPointer.self)
        if let known = keyTables.find(key) { return known._withUnsafeGuaranteedRef { $0 } }
        let made = EncodingKeyTable(isIndexed: KeyTable<ArchiveGraph.Reference>.canIndex(type))
        keyTables.insert(key, made)
        return made
    }
}

/// The key objects of one `CodingKey` type.
final class EncodingKeyTable {
    private var references = KeyTable<ArchiveGraph.Reference>(empty: 0)
    private let isIndexed: Bool

    init(isIndexed: Bool) {
        self.isIndexed = isIndexed
    }

    @inline(__always)
    func reference<Key: CodingKey>(_ key: Key, in graph: UnsafeMutablePointer<ArchiveGraph>) -> ArchiveGraph.Reference {
        guard isIndexed else { return graph.pointee.userKey(key.stringValue) }
        let entry = references.entry(KeyTable<ArchiveGraph.Reference>.byte(of: key))
        if entry.pointee == 0 { entry.pointee = graph.pointee.userKey(key.stringValue) }
        return entry.pointee
    }
}

// MARK: - Roots

extension EncodingSession {
    /// Encodes `value` into `$top` under `key`, with every instance that it leads to.
    func encodeTop<Value: Encodable>(_ value: Value, key: String) throws {
        try encodeTop(key: key) { try $0.reference(to: value, at: .root, inline: false) }
    }

    /// Lets `body` write a value for `$top` under `key`, then writes every instance that it led to.
    func encodeTop(key: String, _ body: (ArchiveEncoding) throws -> ArchiveGraph.Reference) throws {
        archiver.addTop(key: graph.pointee.userKey(key), value: try body(root))
        try archiver.writePendingInstances()
        while !late.isEmpty {
            let encoders = late
            late = []
            for encoder in encoders { encoder.writePostponed() }
            try archiver.writePendingInstances()
        }
    }

    /// The encoder whose parts are the values of `$top`, and the instances.
    private var root: ArchiveEncoding {
        if let knownRoot { return knownRoot }
        let root = ArchiveEncoding(session: self, depth: 0)
        root.beginTop()
        knownRoot = root
        return root
    }

    /// Writes the contents of an instance.
    func write(
        _ instance: KeyedArchiver.PendingInstance, of type: EncodingType, _ body: EncodingFacts.InstanceBody
    ) throws {
        try root.encode(instance, type) { try body(instance.object, $0) }
    }

    func addLate(_ encoder: ArchiveEncoding) {
        late.append(encoder)
    }

    /// Whether the stack has room for one more level of nesting.
    @inline(__always)
    func hasStack(atDepth depth: Int) -> Bool {
        depth < StackGuard.freeDepth || stack.hasRoom()
    }
}

// MARK: - Paths

extension EncodingSession {
    /// What a user sees of the way to a value.
    func keys(_ steps: [CodingPathStep]) -> [any CodingKey] {
        steps.compactMap { step in
            switch step.kind {
            case .none: nil
            case .key: ArchiveKey(stringValue: graph.pointee.userKeyName(step.value))
            case .index: ArchiveKey(intValue: Int(step.value))
            case .dictionaryKey: ArchiveKey(stringValue: graph.pointee.leafDescription(step.value))
            }
        }
    }
}
