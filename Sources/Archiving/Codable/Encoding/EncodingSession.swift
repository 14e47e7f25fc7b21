#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The Codable side of one writing of an archive.
///
/// What encoders use at every call is in `core`, at an address that does not move, so that using it takes no reference
/// count and no check for exclusive access.
final class EncodingSession {
    let writing: GraphWriting
    fileprivate let core: UnsafeMutablePointer<EncodingCore>
    /// The archiver of the program's that keeps the session; nil if the session is that of an `ArchiveEncoder`.
    private unowned(unsafe) let owner: KeyedArchiver?
    /// The archiver that belongs to the session; nil while nobody has needed it.
    private var ownArchiver: KeyedArchiver?
    /// The encoder of the root object, or the one around it.
    ///
    /// One thread at a time uses a session, and nothing that encodes with this replaces it.
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

    /// Ends a session: encoders that somebody still holds take no more.
    fileprivate func close() {
        writing.closePostponed()
        core.pointee.close()
        top.close()
        values?.close()
        values = nil
    }

    /// What `Coding` classes encode themselves with.
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

extension KeyedArchiver {
    /// The Codable side of the archiver, made if there is none.
    var encodingSession: EncodingSession {
        if session == nil { resumeSession() }
        if let session { return unsafeDowncast(session, to: EncodingSession.self) }
        let made = EncodingSession(writing, owner: self)
        keep(session: made)
        return made
    }
}

// MARK: - Beginning and ending

/// One encoding of a root object, with the session that the last one has left, or a new one.
struct RootEncoding: ~Copyable {
    /// The session of the last small encoding.
    private static let idle = IdleObject<EncodingSession>()

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

    /// What is told of the progress from here on; nil if nobody wants to know.
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
    /// Whether the session has nothing that outlasts the archive: everything is small, and nothing else refers to a coder.
    fileprivate var isReusable: Bool {
        guard writing.isSmall, core.pointee.isReusable, isKnownUniquelyReferenced(&top) else { return false }
        return ownArchiver == nil || ownArchiver?.isReusable == true && SoleReference.isSole(&ownArchiver)
    }

    /// Makes ready for another archive, which may be written on another thread. The graph is reset by its owner.
    fileprivate func reset() {
        core.pointee.reset()
        ownArchiver?.reset()
    }
}

extension KeyedArchiver {
    /// The archiver of the last small archive that one call wrote.
    private static let idle = IdleObject<KeyedArchiver>()

    /// The archive of what `encode` encodes with an archiver of its own.
    static func archive(
        requiringSecureCoding requiresSecureCoding: Bool, _ classes: ClassRegistry,
        _ encode: (KeyedArchiver) throws -> Void
    ) throws -> Data {
        KeptContainers.letGo()
        var archiver =
            (requiresSecureCoding ? idle.take() : nil) ?? KeyedArchiver(requiringSecureCoding: requiresSecureCoding)
        if !classes.isEmpty { archiver.classes = classes }
        try encode(archiver)
        let data = try archiver.finishEncoding()
        if requiresSecureCoding, archiver.isSmall, SoleReference.isSole(&archiver) {
            archiver.resetAll()
            idle.leave(archiver)
        }
        return data
    }

    /// Whether nothing of the archiver outlasts the archive, its session included.
    private var isSmall: Bool {
        guard isReusable, writing.isSmall else { return false }
        guard let ownSession else { return true }
        return unsafeDowncast(ownSession, to: EncodingSession.self).isReusable
    }

    /// Makes ready for another archive, which may be written on another thread.
    private func resetAll() {
        reset()
        if let ownSession { unsafeDowncast(ownSession, to: EncodingSession.self).reset() }
        writing.reset()
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
        try writing.writeRest()
    }

    /// Encodes `value` as the root object, with every instance that it leads to.
    func encodeRoot<Value: EncodableWithConfiguration>(
        _ value: Value, configuration: Value.EncodingConfiguration
    ) throws {
        top.frame.pointee.archivedType = Value.self
        addRoot(
            try ArchiveEncoding.encodeRoot(with: &top, nil) { try value.encode(to: $0, configuration: configuration) })
        try writing.writeRest()
    }

    /// Encodes instances that the root object does not refer to.
    func encodeInstances(_ instances: some Sequence<AnyObject>) throws {
        let encoder = values ?? ArchiveEncoding(core: core, depth: 0)
        values = encoder
        for instance in instances { _ = try encoder.reference(toInstance: instance, at: .root) }
        try writing.writeRest()
    }

    /// What stands for `value`, which is encoded by key in an object that was met at `path`.
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

    /// What stands for an instance that is encoded by key, in a reference that does not archive it.
    func conditionalReference<Object: AnyObject & Encodable>(
        to object: Object, at step: CodingPathStep
    ) throws -> ArchiveGraph.Reference {
        try top.conditionalReference(to: object, at: step)
    }

    private func addRoot(_ root: ArchiveGraph.Reference) {
        _ = writing.graph.pointee.top.set(ArchivePrologue.rootKey, to: root)
    }
}
