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
/// Values are decoded in any order, once, several times, or not at all. Every object becomes one instance, however often
/// it is referred to. Archives may come from anywhere: what is damaged, or another kind of thing than was asked for, is an
/// error. Only the types that are asked for and those in `classes` are ever created; no other name in an archive creates
/// anything. One thread at a time uses an unarchiver.
///
/// What a method says under "Throws" is about the value that it is asked for. Besides, each of them throws an
/// `UnarchivingError` of the code `.damaged` where the archive contradicts itself there, and `.limit` where it asks for
/// more than its limits allow. To decode after `finishDecoding()` is a programming error, and traps.
public final class KeyedUnarchiver {
    /// What to do with an error.
    public enum DecodingFailurePolicy: Sendable, Hashable {
        /// It is thrown.
        case throwError
        /// It is kept in `error`, and methods that can do so return nil, 0 or false, from then on. Those that have no such
        /// value to return throw it.
        case setErrorAndReturn
    }

    /// Keeps the archive, and what the coders of both kinds know of it.
    let reading: GraphReading
    /// What both sides know of the archive.
    let shared: UnsafeMutablePointer<GraphReadingState>
    /// What is known of values by key, at an address that does not move.
    let state: UnsafeMutablePointer<KeyedUnarchivingState>
    private var readers: [CodingReader] = []
    /// What decodes Codable values for the unarchiver, which keeps it, also for the next archive. The layer above makes it
    /// for the first such value; nil until then, and if the unarchiver belongs to a session.
    var topDecoding: AnyObject?
    /// Whether `topDecoding` is used for this archive.
    var usesTopDecoding = false
    /// The session that the unarchiver belongs to; nil if the program has made the unarchiver, or the session is gone.
    @exclusivity(unchecked) private(set) unowned(unsafe) var session: AnyObject?
    /// Whether a session has made the unarchiver, for `Coding` classes inside Codable values.
    private var belongsToSession = false

    /// Whether objects can only be created as what a call names.
    public let requiresSecureCoding: Bool
    /// What to do with an error. It is thrown, unless set.
    @exclusivity(unchecked) public var decodingFailurePolicy = DecodingFailurePolicy.throwError
    /// The first error, where it was not thrown.
    @exclusivity(unchecked) public private(set) var error: (any Error)?

    /// Who is told what the unarchiver does, and may replace instances. The unarchiver does not keep it alive.
    public weak var delegate: (any KeyedUnarchiverDelegate)? {
        didSet {
            hasDelegate = delegate != nil
            state.pointee.forgetClasses()
        }
    }
    @exclusivity(unchecked) private(set) var hasDelegate = false

    /// An unarchiver for an archive, binary or XML.
    ///
    /// - Parameters:
    ///   - data: The whole archive.
    ///   - requiresSecureCoding: Whether objects are only created as what a call names; see `decodeObject(forKey:)`.
    ///   - limits: How much the archive may ask for.
    /// - Throws: `UnarchivingError.Code.damaged` where the data is no keyed archive, `.limit` where it has more objects than
    ///   `limits` allow.
    /// - Complexity: O(1) for a binary archive: nothing is decoded.
    public convenience init(
        forReadingFrom data: Data, requiringSecureCoding requiresSecureCoding: Bool = true,
        limits: DecodingLimits = DecodingLimits()
    ) throws {
        let reading = GraphReading(try Self.archive(in: data), classes: ClassRegistry(), limits: limits)
        self.init(reading, requiringSecureCoding: requiresSecureCoding)
        try checkObjectCount()
    }

    /// The archive in `data`.
    static func archive(in data: Data) throws -> StoredArchive {
        do throws(KeyedArchiveError) {
            return try StoredArchive(ArchiveStorage(data))
        } catch {
            throw UnarchivingError.damaged(error, path: [])
        }
    }

    /// Throws if the archive has more objects than the limits allow.
    private func checkObjectCount() throws {
        do throws(KeyedArchiveError) {
            try shared.pointee.checkObjectCount()
        } catch {
            throw UnarchivingError.damaged(error, path: [])
        }
    }

    /// An unarchiver for the archive in a file, which is read as a whole.
    ///
    /// - Throws: As for data, and what the file system reports.
    public convenience init(
        forReadingFrom url: URL, requiringSecureCoding requiresSecureCoding: Bool = true,
        limits: DecodingLimits = DecodingLimits()
    ) throws {
        try self.init(
            forReadingFrom: Data(contentsOf: url),
            requiringSecureCoding: requiresSecureCoding, limits: limits)
    }

    init(_ reading: GraphReading, requiringSecureCoding requiresSecureCoding: Bool) {
        self.reading = reading
        self.requiresSecureCoding = requiresSecureCoding
        shared = reading.state
        state = .allocate(capacity: 1)
        state.initialize(to: KeyedUnarchivingState(shared))
    }

    deinit {
        topDecoding = nil
        state.pointee.types.releaseAll(shared.pointee.arena)
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// The names that types have in the archive. Empty unless set: every type has its own name.
    public var classes: ClassRegistry {
        get { shared.pointee.classes }
        set {
            shared.pointee.classes = newValue
            forgetClasses()
        }
    }

    /// Forgets what depends on `classes`.
    private func forgetClasses() {
        state.pointee.forgetClasses()
        shared.pointee.valueMakers = [:]
    }
}

extension KeyedUnarchiver {
    /// Lets the unarchiver belong to `session`, which keeps it, and says when the decoding is complete.
    func belong(to session: AnyObject) {
        self.session = session
        belongsToSession = true
    }

    /// Takes note that the session which the unarchiver belongs to is about to go.
    func leaveSession() { session = nil }

    /// Keeps what makes the instances of a class.
    func keep(_ reader: CodingReader) { readers.append(reader) }
}

// MARK: - Again

extension KeyedUnarchiver {
    /// Whether nothing of the unarchiver outlasts the archive, and what the program can set is as it was.
    var isReusable: Bool {
        !hasDelegate && decodingFailurePolicy == .throwError && error == nil && state.pointee.isReusable
    }

    /// Makes ready for another archive. The reading is reset by its owner.
    func reset() {
        state.pointee.reset()
        usesTopDecoding = false
    }

    /// Begins with what `reading` reads now.
    func begin() throws {
        state.pointee.begin(shared.pointee.archive)
        try checkObjectCount()
    }
}

// MARK: - Failure

extension KeyedUnarchiver {
    /// Lets the decoding fail with `error`: it is kept in `error`, unless there is one already, and what the program itself
    /// has called throws it, or returns nil, as `decodingFailurePolicy` says.
    ///
    /// It is for `init(coder:)` of classes that go on after they have found something wrong. Others throw.
    public func fail(with error: any Error) {
        if self.error == nil { self.error = error }
    }

    /// What a method returns that has failed with `error`, if it may return `fallback`.
    @inline(never)
    func handle<Result>(_ error: any Error, else fallback: Result) throws -> Result {
        switch decodingFailurePolicy {
        case .throwError: throw error
        case .setErrorAndReturn:
            fail(with: explained(error))
            return fallback
        }
    }

    /// Whether an error that was kept stands in the way of decoding more, for a method that can say so by what it returns.
    ///
    /// An `init(coder:)` that has let the decoding fail may go on where errors are thrown; the program may not.
    ///
    /// - Throws: The error, where errors are thrown.
    @inline(never)
    func isOver() throws -> Bool {
        guard let error else { return false }
        if decodingFailurePolicy == .setErrorAndReturn { return true }
        if belongsToSession || state.pointee.callDepth > 0 { return false }
        throw error
    }

    /// `error` as the program is told it. Before the unarchiver has decoded a Codable value, a `DecodingError` is the
    /// program's own, and stays what it is.
    func explained(_ error: any Error) -> any Error {
        guard let cycle = CycleReference(in: error) else {
            return usesTopDecoding ? UnarchivingError.converted(error) : error
        }
        let path = keys(cycle.path)
        let begun = keys(cycle.targetPath ?? CodingPathTable.root)
        return UnarchivingError(.cycle, path: path, cycle.sentence(begun: begun, path: path))
    }
}

// MARK: - The end

extension KeyedUnarchiver {
    /// Tells the unarchiver that nothing more will be decoded. To decode afterwards is a programming error, and traps.
    public func finishDecoding() {
        guard !state.pointee.isFinished else { return }
        delegate?.unarchiverWillFinish(self)
        close()
        delegate?.unarchiverDidFinish(self)
    }

    /// Lets nothing be decoded any more.
    func close() {
        state.pointee.isFinished = true
    }

    /// Lets `body` decode something for the program or an `init(coder:)`. When the program's own call returns, whatever
    /// references have asked for is there.
    @inline(__always)
    func perform<Result>(_ body: () throws -> Result) throws -> Result {
        let state = state
        checkOpen()
        state.pointee.callDepth += 1
        defer { state.pointee.callDepth -= 1 }
        if belongsToSession || state.pointee.callDepth > 1 { return try body() }
        reading.resumeDecoding()
        do {
            if let failure = error ?? shared.pointee.failure { throw failure }
            // The program may be on another thread than before.
            shared.pointee.stack = StackGuard()
            let result = try body()
            try finishReferences()
            if let error { throw error }
            reading.pauseDecoding(isComplete: true)
            return result
        } catch {
            reading.pauseDecoding(isComplete: false)
            // The program is told of the error, and may decode something else.
            shared.pointee.openCycles.removeAll()
            throw shared.pointee.outcome(explained(error))
        }
    }

    @inline(__always)
    func checkOpen() {
        require(
            !state.pointee.isFinished,
            "A value was decoded after finishDecoding(), or by an init(coder:) that has kept its coder")
    }

    /// Makes whatever references have asked for, which all of them see.
    @inline(never)
    private func finishReferences() throws {
        if !shared.pointee.awaited.isUnused { try shared.finishWork() }
        if let failure = shared.pointee.failure { throw failure }
        do throws(CycleReference) { try shared.pointee.checkCycles() } catch { throw UnarchivingError.cycle(error) }
        try shared.checkClasses()
        shared.fulfilWeakReferences()
        shared.linkForeignObjects()
    }

    /// Lets references that lead back to `object`, which is being decoded, resolve to it from now on.
    ///
    /// `init(coder:)` calls it as soon as all stored properties have a value, before it decodes what may lead back:
    ///
    /// ```swift
    /// required init(coder: KeyedUnarchiver) throws {
    ///     coder.publish(self)
    ///     children = try coder.decode([Node].self, forKey: "children")
    ///     parent = try coder.decodeIfPresent(Node.self, forKey: "parent")
    /// }
    /// ```
    ///
    /// If the initializer throws after others were given the instance, the whole decoding fails with that error, even if
    /// somebody catches it. To publish another object than the one that is being decoded is a programming error, and
    /// traps.
    public func publish(_ object: AnyObject) {
        checkOpen()
        guard let type = state.pointee.object.pointee.type, type == Swift.type(of: object) else {
            misuse(
                "publish(_:) was given \(Swift.type(of: object)), and its coder decodes another type:"
                    + " an init(coder:) publishes self, with the coder that it was given")
        }
        shared.pointee.instances.publish(object, as: state.pointee.object.pointee.value.uid)
    }
}
