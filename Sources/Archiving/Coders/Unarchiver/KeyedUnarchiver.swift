// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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
/// `ArchivingError` with the code `.damaged` if that part of the archive contradicts itself, or `.limit` if it
/// exceeds the unarchiver's limits. It is a programming error to decode after `finishDecoding()`; the call traps.
public final class KeyedUnarchiver {
    /// The session of the archive.
    let session: DecodingSession
    /// The contents of the archive.
    let archive: ArchiveContents
    /// The instances, and the coding paths, of `session`.
    let instances: InstanceTable
    let paths: CodingPathTable
    /// The innermost object in progress, or `$top`.
    var current: UnarchivedObject
    /// The program's keys: those of the session, as a constant of the unarchiver itself so that access needs no retain.
    let keys: KeyCache<UnarchivedKey>
    /// The depth of nested decoding calls.
    private var callDepth = 0
    /// The depth of nested objects in progress.
    var depth = 0
    private(set) var isFinished = false
    /// The delegate's types for class entries, by uid, if a list determined the allowed types.
    var supplied: [UInt32: (any Any.Type)?] = [:]
    /// The lists of types that calls have passed.
    private var allowedLists = AllowedLists()
    /// Instances without a uid, which no other object references.
    var detached: [AnyObject] = []
    /// Whether the unarchiver ends the session. Otherwise decoders of Codable values have made the unarchiver.
    private let ownsSession: Bool

    /// A Boolean value that indicates whether only types that a call names can be created.
    public var requiresSecureCoding: Bool { session.settings.requiresSecureCoding }

    /// The delegate, which observes decoding and can replace instances. The unarchiver does not retain it.
    public weak var delegate: (any KeyedUnarchiverDelegate)? {
        didSet {
            hasDelegate = delegate != nil
            forgetTypes()
        }
    }
    private(set) var hasDelegate = false

    /// Creates an unarchiver for an archive, binary or XML.
    ///
    /// - Parameters:
    ///   - data: The whole archive.
    ///   - requiresSecureCoding: Whether only types that a call names can be created; see `decodeObject(forKey:)`.
    ///   - limits: The resources that the archive may use.
    /// - Throws: `ArchivingError.Code.damaged` if the data is not a keyed archive, or not that of its checksum, `.limit` if it has more objects
    ///   than `limits` allow.
    /// - Complexity: O(1) for a binary archive: no value is decoded.
    public convenience init(
        forReadingFrom data: Data, requiringSecureCoding requiresSecureCoding: Bool = true,
        limits: DecodingLimits = DecodingLimits()
    ) throws {
        try self.init(data, ReadingSettings(limits: limits, requiresSecureCoding: requiresSecureCoding))
    }

    convenience init(_ data: Data, _ settings: consuming ReadingSettings) throws {
        do throws(KeyedArchiveError) {
            let storage = ArchiveStorage(data)
            try ArchiveChecksum.Policy.ifPresent.check(storage)
            self.init(try DecodingSession.begin(storage, settings), ownsSession: true)
            try session.checkObjectCount()
        } catch {
            throw ArchivingError.damaged(error, path: [])
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
            forReadingFrom: Data(contentsOfFile: url),
            requiringSecureCoding: requiresSecureCoding, limits: limits)
    }

    /// Creates an unarchiver for the archive of `session`.
    init(_ session: DecodingSession, ownsSession: Bool) {
        self.session = session
        self.ownsSession = ownsSession
        archive = session.archive
        instances = session.instances
        paths = session.paths
        keys = session.stringKeys
        current = UnarchivedObject(topOf: archive)
        session.use(self)
    }

    deinit {
        session.use(nil)
        if ownsSession { session.end() } else { session.forgetMatches() }
    }

    /// The names of types in the archive. Empty by default: every type has its own name.
    public var classes: ClassRegistry {
        get { session.settings.classes }
        set {
            session.settings.classes = newValue
            forgetClasses()
        }
    }

    /// Forgets state that depends on `classes`.
    private func forgetClasses() {
        forgetTypes()
        session.forgetValueMakers()
    }

    /// Forgets the types of class entries.
    private func forgetTypes() {
        supplied = [:]
        session.forgetMatches()
    }
}

// MARK: - Allowed types

extension KeyedUnarchiver {
    /// Allows `types` for calls that name no type.
    func allowed(_ types: [any Any.Type]) -> AllowedTypes { .list(allowedLists.number(of: types)) }

    /// The types in the list `number`.
    func allowedTypes(_ number: Int) -> [any Any.Type] { allowedLists[number] }
}

// MARK: - Failure

extension KeyedUnarchiver {
    /// Returns `error` in the form that the program receives.
    func explained(_ error: any Error) -> any Error { ArchivingError.converted(session.explained(error)) }
}

// MARK: - Finishing

extension KeyedUnarchiver {
    /// Ends decoding. It is a programming error to decode afterwards; the call traps.
    ///
    /// If a call has thrown, and no later one has returned a value, the method clears the references between the
    /// instances that the call has decoded, so that they are released with the unarchiver.
    public func finishDecoding() {
        guard !isFinished else { return }
        if hasDelegate { delegate?.unarchiverWillFinish(self) }
        close()
        // Those of a call that has failed, if no later one has succeeded.
        if ownsSession, callDepth == 0 {
            session.awaited.removeAll()
            session.clearFilled()
            session.awaited.clearValues()
            instances.forgetReferences(isFailure: true)
        }
        if hasDelegate { delegate?.unarchiverDidFinish(self) }
    }

    /// Prevents further decoding.
    func close() {
        isFinished = true
    }

    /// Runs `body` to decode for the program or an `init(coder:)`. When the program's own call returns, all waiting
    /// references are complete.
    @inline(__always)
    func perform<Result>(_ body: () throws -> Result) throws -> Result {
        checkOpen()
        callDepth += 1
        defer { callDepth -= 1 }
        if !ownsSession || callDepth > 1 { return try request(body) }
        session.resumeDecoding()
        do {
            if session.hasFailed, let failure = session.failure { throw failure }
            // The program may be on another thread than before.
            session.forgetStack()
            let result = try request(body)
            try session.finish()
            session.pauseDecoding(isComplete: true)
            return result
        } catch {
            session.hasThrown = true
            session.pauseDecoding(isComplete: false)
            // The program receives the error and may continue with another value.
            session.openCycles.removeAll()
            if session.hasFailed { session.clearFilled() }
            throw explained(session.outcome(error))
        }
    }

    /// Returns the result of `body`, which requests a value. If it throws, it leaves nothing behind.
    @inline(__always)
    private func request<Result>(_ body: () throws -> Result) throws -> Result {
        let mark = session.mark
        do { return try body() } catch {
            if session.leaveNothing(since: mark, after: error), session.requests != nil { forgetRequest() }
            throw error
        }
    }

    @inline(__always)
    func checkOpen() {
        require(
            !isFinished,
            "A value was decoded after finishDecoding(), or by an init(coder:) that has kept its coder")
    }

    /// Publishes `object`, which is being decoded: references back to it resolve to it from now on.
    ///
    /// `init(coder:)` calls it as soon as all stored properties have a value, before it decodes single references that may refer
    /// back (<doc:IdentityAndCycles>):
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
        guard let type = current.type, type == Swift.type(of: object) else {
            misuse(
                "publish(_:) received \(Swift.type(of: object)), but its coder decodes another type:"
                    + " an init(coder:) must publish self, with the coder that it received")
        }
        instances.publish(object, as: current.uid)
    }
}
