#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The Codable side of one writing of an archive.
///
/// The state that encoders use at every call is in `core`, at a fixed address. Access needs no reference counting and
/// no exclusivity check.
final class EncodingSession {
    let writing: GraphWriting
    fileprivate let core: UnsafeMutablePointer<EncodingCore>
    /// The program's archiver that owns the session; nil for a session of an `ArchiveEncoder`.
    private unowned(unsafe) let owner: KeyedArchiver?
    /// The archiver that belongs to the session; nil until it is needed.
    @exclusivity(unchecked) private var ownArchiver: KeyedArchiver?
    /// The encoder of the root object, or around it.
    ///
    /// One thread at a time uses a session, and no encoding with this encoder replaces it.
    @exclusivity(unchecked) private var top: ArchiveEncoding
    /// The encoder around values that are encoded by key.
    private var values: ArchiveEncoding?

    fileprivate init(_ writing: GraphWriting, owner: KeyedArchiver? = nil) {
        self.writing = writing
        self.owner = owner
        core = writing.graph.pointee.arena.take(1, of: EncodingCore.self) ?? .allocate(capacity: 1)
        core.initialize(to: EncodingCore(writing, address: core))
        top = ArchiveEncoding(core: core, depth: 0)
        core.pointee.session = self
    }

    deinit {
        ownArchiver?.leaveSession()
        // Encoders have their frames in the arena of the graph.
        close()
        core.deinitialize(count: 1)
        if !writing.graph.pointee.arena.contains(core) { core.deallocate() }
    }

    /// Ends a session: encoders that the program still holds accept no more data.
    fileprivate func close() {
        writing.closePostponed()
        core.pointee.close()
        top.close()
        values?.close()
        values = nil
    }

    /// The archiver with which `Coding` classes encode themselves.
    var archiver: KeyedArchiver {
        if let known = ownArchiver ?? owner { return known }
        let made = KeyedArchiver(writing, belongingTo: self)
        ownArchiver = made
        return made
    }

    var userInfo: [CodingUserInfoKey: any Sendable] {
        get { core.pointee.userInfo }
        set { core.pointee.userInfo = newValue }
    }
}

extension EncodingSession: ReencodingSession {
    func reference(to value: any Encodable) throws -> ArchiveGraph.Reference {
        try reference(to: value, at: .root, in: CodingPathTable.root)
    }
}

extension KeyedArchiver {
    /// The Codable side of the archiver, created if it does not exist.
    var encodingSession: EncodingSession {
        if session == nil { resumeSession() }
        if let session { return unsafeDowncast(session, to: EncodingSession.self) }
        let made = EncodingSession(writing, owner: self)
        keep(session: made)
        return made
    }
}

// MARK: - Beginning and ending

/// One encoding of a root object, with the idle session or a new one.
struct RootEncoding: ~Copyable {
    /// The session of the last small encoding.
    static let idle = IdleObject<EncodingSession>()

    let session: EncodingSession

    init(
        classes: ClassRegistry, userInfo: [CodingUserInfoKey: any Sendable],
        _ numericArrays: KeyedArchiver.NumericArrays = .objects
    ) {
        KeptContainers.letGo()
        session = Self.idle.take() ?? EncodingSession(GraphWriting())
        let graph = session.writing.graph
        if !classes.isEmpty { graph.pointee.classes = classes }
        graph.pointee.packsNumbers = numericArrays == .packed
        if !userInfo.isEmpty { session.userInfo = userInfo }
    }

    /// The implementation of Foundation that reads the archive.
    var foundationReader: KeyedArchiver.FoundationReader {
        get { session.writing.graph.pointee.writesAbsentDateParts ? .openSource : .apple }
        nonmutating set { session.writing.graph.pointee.writesAbsentDateParts = newValue == .openSource }
    }

    /// The closure that receives the progress, or nil.
    var progress: ArchiveProgress.Handler? {
        get { session.writing.state.pointee.meter.progress }
        nonmutating set { session.writing.state.pointee.meter.progress = newValue }
    }

    /// Ends an encoding whose archive is complete.
    consuming func end() {
        guard session.isReusable else { return session.close() }
        session.reset()
        session.writing.reset()
        Self.idle.leave(session)
    }

    /// Ends an encoding that failed.
    consuming func giveUp() { session.close() }
}

extension EncodingSession {
    /// Whether the session can be reused: everything is small, and the program has no reference to its coders.
    var isReusable: Bool {
        guard writing.isSmall, core.pointee.isReusable, isKnownUniquelyReferenced(&top) else { return false }
        // `Coding` classes of the program may still refer to the archiver.
        return ownArchiver == nil
    }

    /// Prepares the session for another archive, which may be written on another thread. The graph's owner resets the
    /// graph.
    func reset() { core.pointee.reset() }
}

extension KeyedArchiver {
    /// Returns the archive that `encode` encodes with a new archiver.
    static func archive(
        requiringSecureCoding requiresSecureCoding: Bool, _ classes: ClassRegistry,
        _ encode: (KeyedArchiver) throws -> Void
    ) throws -> Data {
        KeptContainers.letGo()
        let archiver = KeyedArchiver(requiringSecureCoding: requiresSecureCoding)
        if !classes.isEmpty { archiver.classes = classes }
        try encode(archiver)
        return try archiver.finishEncoding()
    }
}

// MARK: - Values

extension EncodingSession {
    /// Encodes `value` as the root object, with all instances that it references.
    func encodeRoot<Value: Encodable>(_ value: Value) throws {
        let type = core.pointee.type(Value.self)
        if case .value = type.pointee.kind {
            addRoot(try ArchiveEncoding.encodeRoot(with: &top, type) { try value.encode(to: $0) })
        } else {
            addRoot(try top.reference(to: value, type: type, at: .root, inline: false))
        }
        try writing.writeRest()
    }

    /// Encodes `value` as the root object, with all instances that it references.
    func encodeRoot<Value: EncodableWithConfiguration>(
        _ value: Value, configuration: Value.EncodingConfiguration
    ) throws {
        top.frame.pointee.archivedType = Value.self
        addRoot(
            try ArchiveEncoding.encodeRoot(with: &top, nil) { try value.encode(to: $0, configuration: configuration) })
        try writing.writeRest()
    }

    /// Encodes instances that the root object does not reference.
    func encodeInstances(_ instances: some Sequence<AnyObject>) throws {
        let encoder = values ?? ArchiveEncoding(core: core, depth: 0)
        values = encoder
        for instance in instances { _ = try encoder.reference(toInstance: instance, at: .root) }
        try writing.writeRest()
    }

    /// Encodes `value`, which belongs to a key of an object at `path`, and returns the reference to it.
    func reference<Value: Encodable>(
        to value: Value, at step: CodingPathStep, in path: CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        let encoder = values ?? ArchiveEncoding(core: core, depth: 0)
        values = encoder
        let outer = encoder.frame.pointee.path
        encoder.frame.pointee.path = path
        defer { encoder.frame.pointee.path = outer }
        return try encoder.reference(to: value, at: step, inline: true)
    }

    /// Returns the writer of instances of the class `type`.
    func writer(ofInstances type: any Encodable.Type) -> Unmanaged<InstanceWriter>? {
        let type = core.pointee.type(type)
        return type.pointee.writer ?? type.pointee.codingWriter?._withUnsafeGuaranteedRef { .passUnretained($0) }
    }

    /// Returns a conditional reference to an instance that is encoded by key.
    func conditionalReference<Object: AnyObject & Encodable>(
        to object: Object, at step: CodingPathStep
    ) throws -> ArchiveGraph.Reference {
        try top.conditionalReference(to: object, at: step)
    }

    private func addRoot(_ root: ArchiveGraph.Reference) {
        _ = writing.graph.pointee.top.set(ArchivePrologue.rootKey, to: root)
    }
}
