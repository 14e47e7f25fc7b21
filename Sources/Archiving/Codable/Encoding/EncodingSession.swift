// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The Codable side of one writing of an archive.
final class EncodingSession {
    let writing: GraphWriting
    fileprivate let core: EncodingCore
    /// The archiver that belongs to the session; nil until it is needed.
    private var ownArchiver: KeyedArchiver?
    /// The encoding of a root object that encodes itself, and the same with its encoder; nil while that is in use.
    private let root: ArchiveEncoding
    private var top: Optional<SpareEncoding>
    /// The encoding around other root objects, and around values that are encoded by key.
    private lazy var values = ArchiveEncoding(core, depth: 0, parent: nil)

    fileprivate init(_ writing: GraphWriting) {
        self.writing = writing
        core = EncodingCore(writing)
        // Not lazily: a lazy property has no storage whose reference could be the only one.
        // The root object itself is the first level.
        root = ArchiveEncoding(core, depth: 1, parent: nil, keepsContainers: true)
        top = SpareEncoding(root)
        core.session = self
    }

    deinit {
        core.session = nil
        ownArchiver?.leaveSession()
        close()
    }

    /// Ends a session.
    fileprivate func close() {
        writing.close()
        core.close()
    }

    /// The archiver with which `Coding` classes encode themselves.
    var archiver: KeyedArchiver {
        if let known = writing.archiver { return known }
        let made = KeyedArchiver(writing, belongingTo: self)
        ownArchiver = made
        return made
    }

    var userInfo: [CodingUserInfoKey: any Sendable] {
        get { core.userInfo }
        set { core.userInfo = newValue }
    }

    /// The types with declared fields of which the archive has values.
    var typesWithFields: [(type: any Any.Type, fields: WrittenFields)] { core.typesWithFields }
}

extension KeyedArchiver {
    /// The Codable side of the archiver, created if it does not exist.
    var encodingSession: EncodingSession {
        if let session = session as? EncodingSession {
            resumeSession()
            return session
        }
        if let spare = takeSpareSession() as? EncodingSession {
            return spare
        }
        let made = EncodingSession(writing)
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
    var writing: GraphWriting { session.writing }

    init(classes: borrowing ClassRegistry, userInfo: borrowing [CodingUserInfoKey: any Sendable]) {
        session = Self.session()
        let graph = session.writing.graph
        if !classes.isEmpty { graph.classes = copy classes }
        if !userInfo.isEmpty { session.userInfo = copy userInfo }
    }

    /// Returns the idle session, or a new one: another call has the idle one, perhaps one of the calling thread.
    fileprivate static func session() -> EncodingSession {
        if let session = idle.take() { return session }
        require(
            idle.isFirstNeed() || !StackGuard.isExhausted,
            "Encoders were called inside each other until the stack was full: an encode(to:), or a property that it reads, such"
                + " as rawValue, encodes its own value. Encode the parts of the value there")
        return EncodingSession(GraphWriting())
    }

    /// Begins an encoding in which types with declared fields encode themselves.
    init(ignoringFields classes: ClassRegistry, userInfo: [CodingUserInfoKey: any Sendable]) {
        session = EncodingSession(GraphWriting())
        session.core.ignoresFields = true
        session.writing.graph.classes = classes
        session.userInfo = userInfo
    }

    /// The implementation of Foundation that reads the archive.
    var foundationReader: KeyedArchiver.FoundationReader {
        get { session.writing.graph.writesAbsentDateParts ? .openSource : .apple }
        nonmutating set { session.writing.graph.writesAbsentDateParts = newValue == .openSource }
    }

    /// The limits on the encoded values.
    var limits: EncodingLimits {
        get { session.core.limits }
        nonmutating set { session.core.limits = newValue }
    }

    /// The closure that receives the progress, or nil.
    var progress: ArchiveProgress.Handler? {
        get { session.writing.meter.progress }
        nonmutating set { session.writing.meter.progress = newValue }
    }

    /// Ends an encoding whose archive is complete.
    consuming func end() {
        let session = session
        // The only reference to the session is left for the next call.
        _ = consume self
        EncodingSession.end(consume session)
    }

    /// Ends an encoding that failed.
    consuming func giveUp() { session.close() }
}

extension EncodingSession {
    /// Whether the session can be reused: everything is small, and the program has no reference to its coders.
    var isReusable: Bool {
        guard writing.isSmall, writing.failure == nil, core.isReusable, hasEncoder() else { return false }
        // `Coding` classes of the program may still refer to the archiver.
        return ownArchiver == nil || isKnownUniquelyReferenced(&ownArchiver)
    }

    /// Whether the program has released the encoder of the root object.
    private func hasEncoder() -> Bool {
        guard var encoder = top.take() else { return false }
        let isReturned = encoder.isReturned()
        _ = top.replace(with: encoder)
        return isReturned
    }

    /// Prepares the session for another archive. The graph's owner resets the graph.
    func reset() {
        core.reset()
        if ownArchiver != nil { ownArchiver = nil }
    }

    /// Leaves `session` for the next call, which may be on another thread, if it can be reused. Otherwise, closes it.
    fileprivate static func end(_ session: consuming EncodingSession) {
        guard session.isReusable else { return session.close() }
        session.reset()
        session.writing.reset()
        RootEncoding.idle.leave(session)
    }
}

extension KeyedArchiver {
    /// Returns the archive that `encode` encodes with a new archiver, for a graph that an earlier call may have left.
    static func archive(
        requiringSecureCoding requiresSecureCoding: Bool, _ classes: ClassRegistry,
        _ encode: (KeyedArchiver) throws -> Void
    ) throws -> Data {
        let session = RootEncoding.session()
        let (data, isReleased) = try archive(
            KeyedArchiver(requiringSecureCoding: requiresSecureCoding, session.writing, session), classes, encode)
        if isReleased { EncodingSession.end(consume session) }
        return data
    }

    /// Returns the archive that `encode` encodes with `archiver`, and whether the program has no reference to the archiver.
    /// The archiver is released before its session is left for another call.
    private static func archive(
        _ archiver: consuming KeyedArchiver, _ classes: ClassRegistry, _ encode: (KeyedArchiver) throws -> Void
    ) throws -> (data: Data, isReleased: Bool) {
        if !classes.isEmpty { archiver.classes = classes }
        try encode(archiver)
        let data = try archiver.finishEncoding()
        return (data, isKnownUniquelyReferenced(&archiver))
    }
}

// MARK: - Values

extension EncodingSession {
    /// Encodes `value` as the root object, with all instances that it references.
    func encodeRoot<Value: Encodable>(_ value: Value) throws {
        let type = core.type(Value.self)
        if type.kind == .value {
            try encodeTop(type) { try value.encode(to: $0) }
        } else {
            addRoot(try values.reference(to: value, type: type, at: .root, inline: false))
        }
        try writing.write()
    }

    /// Encodes `value` as the root object, with all instances that it references.
    func encodeRoot<Value: EncodableWithConfiguration>(
        _ value: Value, configuration: Value.EncodingConfiguration
    ) throws {
        try encodeTop(nil, archivedType: Value.self) { try value.encode(to: $0, configuration: configuration) }
        try writing.write()
    }

    /// Calls `body` with the encoder of the root object, for a value of `type`.
    @inline(__always)
    private func encodeTop(
        _ type: EncodingType?, archivedType: (any Any.Type)? = nil, _ body: (any Encoder) throws -> Void
    ) throws {
        guard core.hasRoom(atDepth: 0) else { throw root.nestedTooDeep(archivedType ?? type?.type as Any, .root) }
        guard var taken = top.take() else { misuse("A session encodes one root object") }
        do {
            addRoot(try ArchiveEncoding.encodeRoot(with: &taken, type, archivedType: archivedType, body))
            _ = top.replace(with: taken)
        } catch {
            _ = top.replace(with: taken)
            throw error
        }
    }

    /// Encodes instances that the root object does not reference.
    func encodeInstances(_ instances: some Sequence<AnyObject>) throws {
        for instance in instances { _ = try values.reference(toInstance: instance, at: .root) }
        try writing.write()
    }

    /// Encodes `value`, which belongs to a key of an object at `path`, and returns the reference to it.
    func reference<Value: Encodable>(
        to value: Value, at step: CodingPathStep, in path: CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        let outer = values.path
        values.path = path
        defer { values.path = outer }
        return try values.reference(to: value, at: step, inline: true)
    }

    /// Returns the writer of instances of the class `type`.
    func writer(ofInstances type: any Encodable.Type) -> InstanceWriter? {
        let type = core.type(type)
        return type.kind == .instance ? writing.writers[Int(type.writerNumber)] : type.codingWriter
    }

    /// Returns a conditional reference to an instance that is encoded by key.
    func conditionalReference<Object: AnyObject & Encodable>(
        to object: Object, at step: CodingPathStep
    ) throws -> ArchiveGraph.Reference {
        try root.conditionalReference(to: object, at: step)
    }

    private func addRoot(_ root: ArchiveGraph.Reference) {
        _ = writing.graph.top.set(ArchivePrologue.rootKey, to: root)
    }
}
