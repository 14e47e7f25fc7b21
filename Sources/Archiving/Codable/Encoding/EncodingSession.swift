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

    override func explained(_ error: any Error) -> any Error { ArchivingError.converted(error) }

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

// MARK: - Instances

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
