#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads values and object graphs by key from a keyed archive: Cocoa's `NSKeyedUnarchiver` for Swift classes.
///
/// ```swift
/// let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
/// let window = try unarchiver.decode(Window.self, forKey: "window")
/// let count = try unarchiver.decodeInteger(forKey: "count")
/// unarchiver.finishDecoding()
/// ```
///
/// You can decode values in any order, once, several times, or not at all. Every object becomes one instance,
/// regardless of the number of references to it. Archives can come from untrusted sources: damaged values, and values
/// of another type than requested, are errors. The unarchiver creates only the requested types and those in `classes`;
/// no other name in an archive creates anything. Use an unarchiver on one thread at a time.
///
/// The "Throws" section of a method describes errors of the requested value. Every method also throws an
/// `UnarchivingError` with the code `.damaged` if that part of the archive contradicts itself, or `.limit` if it
/// exceeds the unarchiver's limits. It is a programming error to decode after `finishDecoding()`; the call traps.
public final class KeyedUnarchiver {
    /// How decoding methods report errors.
    public enum DecodingFailurePolicy: Sendable, Hashable {
        /// Methods throw the error.
        case throwError
        /// The unarchiver keeps the error in `error`. From then on, methods return nil, 0 or false if their type has
        /// such a value; other methods throw.
        case setErrorAndReturn
    }

    /// The archive and the state that both kinds of coders share.
    let reading: GraphReading
    /// The state that both coders share.
    let shared: UnsafeMutablePointer<GraphReadingState>
    /// The contents of the archive.
    let archive: ArchiveContents
    /// The state of decoding by key, at a fixed address.
    let state: UnsafeMutablePointer<KeyedUnarchivingState>
    private var readers: [CodingReader] = []
    /// The decoder of Codable values. The layer above creates it for the first such value; nil until then, and if the
    /// unarchiver belongs to a session.
    var topDecoding: AnyObject?
    /// The session that owns the unarchiver; nil if the program created the unarchiver, or the session was deallocated.
    @exclusivity(unchecked) private(set) unowned(unsafe) var session: AnyObject?
    /// Whether a session created the unarchiver, for `Coding` classes inside Codable values.
    private var belongsToSession = false

    /// A Boolean value that indicates whether only types that a call names can be created.
    public var requiresSecureCoding: Bool { shared.pointee.settings.requiresSecureCoding }
    /// How decoding methods report errors. The default is `throwError`.
    @exclusivity(unchecked) public var decodingFailurePolicy = DecodingFailurePolicy.throwError
    /// The first error that was not thrown.
    @exclusivity(unchecked) public private(set) var error: (any Error)?

    /// The delegate, which observes decoding and can replace instances. The unarchiver does not retain it.
    public weak var delegate: (any KeyedUnarchiverDelegate)? {
        didSet {
            hasDelegate = delegate != nil
            state.pointee.forgetClasses()
        }
    }
    @exclusivity(unchecked) private(set) var hasDelegate = false

    /// Creates an unarchiver for an archive, binary or XML.
    ///
    /// - Parameters:
    ///   - data: The whole archive.
    ///   - requiresSecureCoding: Whether only types that a call names can be created; see `decodeObject(forKey:)`.
    ///   - limits: The resources that the archive may use.
    /// - Throws: `UnarchivingError.Code.damaged` if the data is not a keyed archive, `.limit` if it has more objects
    ///   than `limits` allow.
    /// - Complexity: O(1) for a binary archive: no value is decoded.
    public convenience init(
        forReadingFrom data: Data, requiringSecureCoding requiresSecureCoding: Bool = true,
        limits: DecodingLimits = DecodingLimits()
    ) throws {
        let settings = ReadingSettings(limits: limits, requiresSecureCoding: requiresSecureCoding)
        do throws(KeyedArchiveError) {
            self.init(GraphReading(try StoredArchive(ArchiveStorage(data)), settings))
            try shared.pointee.checkObjectCount()
        } catch {
            throw UnarchivingError.damaged(error, path: [])
        }
    }

    /// Creates an unarchiver for the archive in a file, which is read as a whole.
    ///
    /// - Throws: As for data, and file system errors.
    public convenience init(
        contentsOf url: URL, requiringSecureCoding requiresSecureCoding: Bool = true,
        limits: DecodingLimits = DecodingLimits()
    ) throws {
        try self.init(
            forReadingFrom: Data(contentsOf: url),
            requiringSecureCoding: requiresSecureCoding, limits: limits)
    }

    init(_ reading: GraphReading) {
        self.reading = reading
        shared = reading.state
        archive = reading.state.pointee.contents
        state = .allocate(capacity: 1)
        state.initialize(to: KeyedUnarchivingState(shared))
    }

    deinit {
        topDecoding = nil
        state.pointee.types.releaseAll(shared.pointee.arena)
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// The names of types in the archive. Empty by default: every type has its own name.
    public var classes: ClassRegistry {
        get { shared.pointee.settings.classes }
        set {
            shared.pointee.settings.classes = newValue
            forgetClasses()
        }
    }

    /// Forgets state that depends on `classes`.
    private func forgetClasses() {
        state.pointee.forgetClasses()
        shared.pointee.valueMakers = [:]
    }
}

extension KeyedUnarchiver {
    /// Makes `session` the owner of the unarchiver. The session retains it and signals the end of decoding.
    func belong(to session: AnyObject) {
        self.session = session
        belongsToSession = true
    }

    /// Forgets the session that owns the unarchiver, before it is deallocated.
    func leaveSession() { session = nil }

    /// Retains the reader of a class.
    func keep(_ reader: CodingReader) { readers.append(reader) }
}

// MARK: - Failure

extension KeyedUnarchiver {
    /// Records `error` as the failure of the decoding, unless there is one already. The call that the program made
    /// throws it, or returns nil, according to `decodingFailurePolicy`.
    ///
    /// Call it in an `init(coder:)` that continues after an error. Other initializers throw.
    public func fail(with error: any Error) {
        if self.error == nil { self.error = error }
    }

    /// Returns `fallback` for a method that has failed with `error`, if the policy permits it.
    @inline(never)
    func handle<Result>(_ error: any Error, else fallback: Result) throws -> Result {
        switch decodingFailurePolicy {
        case .throwError: throw error
        case .setErrorAndReturn:
            fail(with: explained(error))
            return fallback
        }
    }

    /// Returns whether an earlier error prevents further decoding, for a method that can return a value in that case.
    ///
    /// If errors are thrown, an `init(coder:)` that recorded a failure may continue; the program may not.
    ///
    /// - Throws: The earlier error, if the policy is to throw errors.
    @inline(never)
    func isOver() throws -> Bool {
        guard let error else { return false }
        if decodingFailurePolicy == .setErrorAndReturn { return true }
        if belongsToSession || state.pointee.callDepth > 0 { return false }
        throw error
    }

    /// Returns `error` in the form that the program receives. Before the unarchiver has decoded a Codable value, a
    /// `DecodingError` is the program's own and stays unchanged.
    func explained(_ error: any Error) -> any Error {
        guard let cycle = CycleReference(in: error) else {
            return topDecoding == nil ? error : UnarchivingError.converted(error)
        }
        let path = keys(cycle.path)
        let begun = keys(cycle.targetPath ?? CodingPathTable.root)
        return UnarchivingError(.cycle, path: path, cycle.sentence(begun: begun, path: path))
    }
}

// MARK: - Finishing

extension KeyedUnarchiver {
    /// Ends decoding. It is a programming error to decode afterwards; the call traps.
    ///
    /// If a call has thrown, and no later one has returned a value, the method clears the references between the
    /// instances that the call has decoded, so that they are released with the unarchiver.
    public func finishDecoding() {
        guard !state.pointee.isFinished else { return }
        delegate?.unarchiverWillFinish(self)
        close()
        // Those of a call that has failed, if no later one has succeeded.
        if !belongsToSession, state.pointee.callDepth == 0 { shared.pointee.instances.clearReferences() }
        delegate?.unarchiverDidFinish(self)
    }

    /// Prevents further decoding.
    func close() {
        state.pointee.isFinished = true
    }

    /// Runs `body` to decode for the program or an `init(coder:)`. When the program's own call returns, all waiting
    /// references are complete.
    @inline(__always)
    func perform<Result>(_ body: () throws -> Result) throws -> Result {
        let state = state
        checkOpen()
        state.pointee.callDepth += 1
        defer { state.pointee.callDepth -= 1 }
        if belongsToSession || state.pointee.callDepth > 1 { return try body() }
        reading.resumeDecoding()
        do {
            if let error { throw error }
            if shared.pointee.hasFailed, let failure = shared.failure { throw failure }
            // The program may be on another thread than before.
            shared.pointee.stack = StackGuard()
            let result = try body()
            try finishReferences()
            if let error { throw error }
            reading.pauseDecoding(isComplete: true)
            return result
        } catch {
            reading.pauseDecoding(isComplete: false)
            // The program receives the error and may continue with another value.
            shared.pointee.openCycles.removeAll()
            throw shared.outcome(explained(error))
        }
    }

    @inline(__always)
    func checkOpen() {
        require(
            !state.pointee.isFinished,
            "A value was decoded after finishDecoding(), or by an init(coder:) that has kept its coder")
    }

    /// Decodes the targets of all waiting references.
    @inline(never)
    private func finishReferences() throws {
        if !shared.pointee.awaited.isUnused { try shared.finishWork() }
        if shared.pointee.hasFailed, let failure = shared.failure { throw failure }
        do throws(CycleReference) { try shared.checkCycles() } catch { throw UnarchivingError.cycle(error) }
        try shared.checkClasses()
        shared.fulfilWeakReferences()
        shared.linkForeignObjects()
    }

    /// Publishes `object`, which is being decoded: references back to it resolve to it from now on.
    ///
    /// `init(coder:)` calls it as soon as all stored properties have a value, before it decodes values that may refer
    /// back:
    ///
    /// ```swift
    /// required init(coder: KeyedUnarchiver) throws {
    ///     coder.publish(self)
    ///     children = try coder.decode([Node].self, forKey: "children")
    ///     parent = try coder.decodeIfPresent(Node.self, forKey: "parent")
    /// }
    /// ```
    ///
    /// If the initializer throws after other objects received the instance, the whole decoding fails with that error,
    /// even if a caller catches it. It is a programming error to publish another object than the one in progress; the
    /// call traps.
    public func publish(_ object: AnyObject) {
        checkOpen()
        guard let type = state.pointee.object.pointee.type, type == Swift.type(of: object) else {
            misuse(
                "publish(_:) received \(Swift.type(of: object)), but its coder decodes another type:"
                    + " an init(coder:) must publish self, with the coder that it received")
        }
        shared.pointee.instances.publish(object, as: state.pointee.object.pointee.value.uid)
    }
}
