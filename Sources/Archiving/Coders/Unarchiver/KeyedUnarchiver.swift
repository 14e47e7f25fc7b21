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
    let session: DecodingSession
    // Those of the session, as constants, so that access to them needs no reference to it.
    let archive: ArchiveContents
    let keys: KeyCache<RequestedKey>
    private(set) var frame: DecodingFrame
    private(set) var allowed = AllowedTypes.unlisted
    private var callDepth = 0
    private(set) var isFinished = false
    /// The delegate's types for class entries, by uid, if a list determined the allowed types.
    var supplied: [UInt32: (any Any.Type)?] = [:]
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

    init(_ session: DecodingSession, ownsSession: Bool) {
        self.session = session
        self.ownsSession = ownsSession
        archive = session.archive
        keys = session.keys.strings
        frame = session.topForValues
        frame.openFields()
        if ownsSession { session.use(self) }
    }

    deinit {
        guard ownsSession else { return session.types.forgetClasses() }
        session.use(nil)
        session.end()
    }

    /// The names of types in the archive. Empty by default: every type has its own name.
    public var classes: ClassRegistry {
        get { session.settings.classes }
        set {
            session.settings.classes = newValue
            forgetTypes()
        }
    }

    private func forgetTypes() {
        supplied = [:]
        session.types.forgetClasses()
    }
}

// MARK: - Whole archives

extension KeyedUnarchiver {
    /// Decodes the instance, or the collection of instances, for the key "root" of an archive.
    ///
    /// ```swift
    /// let window = try KeyedUnarchiver.unarchivedObject(of: Window.self, from: data)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class of the instance, or a superclass of it; or another `ArchivableValue`, such as `[Window]`.
    ///   - data: The whole archive.
    ///   - classes: The names of types in the archive, and the subclasses that it may contain.
    ///   - limits: The limits of the decoding.
    /// - Returns: The instance.
    /// - Throws: The errors of `decode(_:forKey:)`.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public static func unarchivedObject<Archivable: ArchivableValue>(
        of type: Archivable.Type, from data: Data, classes: ClassRegistry = ClassRegistry(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> Archivable {
        try unarchive(data, classes, limits) { try $0.decode(type, forKey: KeyedArchiveFormat.rootKey) }
    }

    /// Decodes the value for the key "root" of an archive.
    ///
    /// - Throws: The errors of `decode(_:forKey:)`.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    @_disfavoredOverload
    public static func unarchivedObject<Value: Decodable>(
        of type: Value.Type, from data: Data, classes: ClassRegistry = ClassRegistry(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> Value {
        try unarchive(data, classes, limits) { try $0.decode(type, forKey: KeyedArchiveFormat.rootKey) }
    }

    /// Decodes the object for the key "root" of an archive as one of `types`. Returns `nil` if it is nil.
    ///
    /// - Throws: The errors of `decodeObject(of:forKey:)`, and `ArchivingError.Code.valueNotFound` if the key is
    ///   absent.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public static func unarchivedObject(
        of types: [any Any.Type], from data: Data, classes: ClassRegistry = ClassRegistry(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> Any? {
        try unarchive(data, classes, limits) { unarchiver in
            try unarchiver.requireField(KeyedArchiveFormat.rootKey)
            return try unarchiver.decodeObject(of: types, forKey: KeyedArchiveFormat.rootKey)
        }
    }

    private static func unarchive<Result>(
        _ data: Data, _ classes: ClassRegistry, _ limits: DecodingLimits, _ decode: (KeyedUnarchiver) throws -> Result
    ) throws -> Result {
        let unarchiver = try KeyedUnarchiver(data, ReadingSettings(classes: classes, limits: limits))
        defer { unarchiver.finishDecoding() }
        return try decode(unarchiver)
    }
}

// MARK: - Allowed types

/// The types that a call may create, and the calls inside it that name no type.
enum AllowedTypes: BitwiseCopyable {
    case unlisted
    /// A class and those that inherit from it.
    case type(any Any.Type)
    /// A list, by its number in the unarchiver.
    case list(Int)
}

private struct AllowedLists {
    private var lists: [AllowedTypeList] = []
    private var numbers: [[ObjectIdentifier]: Int] = [:]

    subscript(number: Int) -> AllowedTypeList { lists[number] }

    /// Returns the number of the list `types`. Equal lists have one number.
    mutating func number(of types: [any Any.Type]) -> Int {
        let key = types.map { ObjectIdentifier($0) }
        if let known = numbers[key] { return known }
        numbers[key] = lists.count
        lists.append(AllowedTypeList(types))
        return lists.count - 1
    }
}

extension KeyedUnarchiver {
    func allowed(_ types: [any Any.Type]) -> AllowedTypes { .list(allowedLists.number(of: types)) }

    func allowedTypes(_ number: Int) -> AllowedTypeList { allowedLists[number] }

    /// The types that a call without a type may create: the class that the enclosing call requested, or the list that
    /// it passed; `nil` at the top of the archive, and everywhere if secure coding is not required.
    public var allowedClasses: [any Any.Type]? {
        guard requiresSecureCoding else { return nil }
        switch allowed {
        case .unlisted: return nil
        case .type(let type): return [type]
        case .list(let number): return allowedTypes(number).given
        }
    }
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
            session.instances.forgetReferences(isFailure: true)
        }
        if hasDelegate { delegate?.unarchiverDidFinish(self) }
    }

    func close() { isFinished = true }

    /// Returns the result of `body`, which decodes a value of the object in progress for the program or an `init(coder:)`. When the
    /// program's own call returns, all waiting references are complete.
    @inline(__always)
    func perform<Result>(_ body: (DecodingFrame) throws -> Result) throws -> Result {
        checkOpen()
        callDepth += 1
        defer { callDepth -= 1 }
        if !ownsSession || callDepth > 1 { return try request(body) }
        session.observer?.beginDecoding()
        session.retain(self)
        defer { session.retain(nil) }
        do {
            if session.hasFailed, let failure = session.failure { throw failure }
            // The program may be on another thread than before.
            session.forgetStack()
            let result = try request(body)
            try session.finish()
            session.pauseDecoding(isComplete: true)
            return result
        } catch {
            session.noteUse()
            session.pauseDecoding(isComplete: false)
            // The program receives the error and may continue with another value.
            session.openCycles.removeAll()
            if session.hasFailed { session.clearFilled() }
            throw ArchivingError.converted(session.explained(error))
        }
    }

    /// Returns the result of `body`, which requests a value. If it throws, it leaves nothing behind.
    @inline(__always)
    private func request<Result>(_ body: (DecodingFrame) throws -> Result) throws -> Result {
        let mark = session.mark
        do { return try body(frame) } catch { throw failed(error, since: mark) }
    }

    /// Leaves nothing of a request that began at `mark` and has thrown `error`. Returns the error for the program.
    @inline(never)
    private func failed(_ error: any Error, since mark: DecodingMeter.Mark) -> any Error {
        if session.leaveNothing(since: mark, after: error) { frame.forgetLastRequest() }
        return ArchivingError.converted(error)
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
        guard let type = frame.ownType?.type, type == Swift.type(of: object) else {
            misuse(
                "publish(_:) received \(Swift.type(of: object)), but its coder decodes another type:"
                    + " an init(coder:) must publish self, with the coder that it received")
        }
        session.instances.publish(object, as: frame.value.uid)
    }
}

// MARK: - Making instances

extension KeyedUnarchiver {
    func suppliedType(_ name: String, _ chain: [String]) -> (any Any.Type)? {
        delegate?.unarchiver(self, cannotDecodeObjectOfClassName: name, originalClasses: chain)
    }

    /// Returns the instance of `value`, an object of the class of `actual`. It may be a replacement.
    func instance(
        as actual: DecodingType, _ value: ArchivedValue, _ allowed: AllowedTypes, in outer: DecodingFrame,
        at step: CodingPathStep
    ) throws -> AnyObject {
        guard value.uid != 0 else { return try makeDetached(actual, value, allowed, in: outer, at: step) }
        switch session.instances.state(value.uid, as: actual.identity) {
        case .complete(let object): return object
        case .inProgress(let index):
            if let published = session.instances.takePublished(index) { return published }
            throw outer.cycle(to: index, at: step)
        case .unknown(let entry):
            try outer.checkUnblocked(entry)
            return try make(actual, value, entry, allowed, in: outer, at: step)
        }
    }

    func make(_ type: DecodingType, _ uid: UInt32, at path: CodingPathTable.Index) throws {
        guard case .unknown(let entry) = session.instances.state(uid, as: type.identity) else { return }
        try session.topForValues.with(nil, .null, at: path) { outer in
            _ = try make(type, outer.object(uid), entry, .type(type.type), in: outer, at: .root)
        }
    }

    /// Decodes the instance of `value`, a part of the value of `outer`, and enters it in the table.
    ///
    /// - Parameter entry: The entry of the instance, whose state is unknown.
    func make(
        _ type: DecodingType, _ value: ArchivedValue, _ entry: DecodedInstanceTable.Index, _ allowed: AllowedTypes,
        in outer: DecodingFrame, at step: CodingPathStep
    ) throws -> AnyObject {
        try session.makeInstance(value.uid, as: type.identity, entry, by: type) { index in
            let made = try read(type, value, allowed, in: outer, at: step)
            let own = try type.awakened(made, self)
            if own == nil, !hasDelegate { return (made, false) }
            guard let other = try replacement(for: made, own, type, index, { outer.path(step) }) else {
                return (made, false)
            }
            return (other, true)
        } fail: { index, error in
            session.failed(index, error, type) { outer.pathIndex(step) }
        } check: {
            try outer.checkStack()
        }
    }

    /// Decodes the instance of `value`, which has no uid: a new one each time.
    func makeDetached(
        _ actual: DecodingType, _ value: ArchivedValue, _ allowed: AllowedTypes, in outer: DecodingFrame,
        at step: CodingPathStep
    ) throws -> AnyObject {
        let mark = session.mark
        let made = try read(actual, value, allowed, in: outer, at: step)
        // It stays until the decoding ends.
        session.keep(since: mark)
        let (instance, own) = (actual.instance(made), try actual.awakened(made, self))
        let object = hasDelegate ? replacement(for: instance, own ?? instance) : own ?? instance
        if !session.isSubclass(Swift.type(of: object), of: actual.type) { session.instances.hasReplacements = true }
        detached.append(object)
        return object
    }

    private func read(
        _ type: DecodingType, _ value: ArchivedValue, _ allowed: AllowedTypes, in outer: DecodingFrame,
        at step: CodingPathStep
    ) throws -> AnyObject {
        if requiresSecureCoding, !type.facts.isSecure {
            throw ArchivingError.notSecure(reading: type.type, path: outer.path(step))
        }
        return try outer.with(type, value, step) { frame in
            frame.openFields()
            // Exchanged, so that each is retained once.
            var (other, otherAllowed) = (frame, allowed)
            swap(&self.frame, &other)
            swap(&self.allowed, &otherAllowed)
            defer {
                swap(&self.frame, &other)
                self.allowed = otherAllowed
            }
            let made = try type.read(self)
            try frame.recordRequestsIfNeeded(type.type)
            return made
        }
    }

    /// Returns the replacement of the instance `made`, which proposes `own`, after the delegate; nil if it is not replaced.
    ///
    /// - Throws: An error that says that the instance can no longer be replaced.
    @inline(never)
    private func replacement(
        for made: AnyObject, _ own: (any Coding)?, _ type: DecodingType, _ index: DecodedInstanceTable.Index,
        _ path: () -> [any CodingKey]
    ) throws -> (any Coding)? {
        let instance = type.instance(made)
        let object = hasDelegate ? replacement(for: instance, own ?? instance) : own ?? instance
        guard object !== instance else { return nil }
        let isSubclass = session.isSubclass(Swift.type(of: object), of: type.type)
        let instances = session.instances
        guard !instances.isHandedOut(index), isSubclass || !instances.isAwaited(index) else {
            let (first, second) = (type.type, Swift.type(of: object))
            throw ArchivingError(.replaced, path: path()) {
                "The \(first) at \($0) was replaced by a \(second) after other objects received the first, or while they"
                    + " wait for a \(first). Replace it before publish(_:), or by an instance of the same class"
            }
        }
        if !isSubclass { session.instances.hasReplacements = true }
        return object
    }

    @inline(never)
    private func replacement(for object: any Coding, _ own: any Coding) -> any Coding {
        guard let delegate else { return own }
        if own !== object { delegate.unarchiver(self, willReplace: object, with: own) }
        let result = delegate.unarchiver(self, didDecode: own) ?? own
        if result !== own { delegate.unarchiver(self, willReplace: own, with: result) }
        return result
    }
}
