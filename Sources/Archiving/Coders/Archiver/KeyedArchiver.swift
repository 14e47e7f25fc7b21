// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes values and object graphs by key into a keyed archive: Cocoa's `NSKeyedArchiver` for Swift classes.
///
/// ```swift
/// let archiver = KeyedArchiver()
/// try archiver.encode(window, forKey: "window")
/// archiver.encode(3, forKey: "count")
/// let data = try archiver.finishEncoding()
/// ```
///
/// Instances of `Coding` classes encode themselves with `encode(with:)`, each once, regardless of the number of
/// references. You can also encode any `Encodable` value into the same graph. An archiver creates one archive. Use it
/// on one thread at a time.
///
/// Values that an object encodes are stored in its entry in the archive; values that the program itself encodes are
/// stored at the top. The format reserves keys that start with "$": such a key gets another "$" in front and loses it
/// again on decoding. If an object encodes a key twice, the archive fails; the error is thrown when the object is
/// complete.
public final class KeyedArchiver {
    let session: EncodingSession
    let graph: ArchiveGraph
    /// The frame of the object in progress. It is a constant, as its entries and the keys are, so that access needs no retain.
    let frame: EncodingFrame
    private let entries: EntryList
    private let keys: KeyCache<ArchiveGraph.Reference>
    /// Whether the archiver ends the session. Otherwise the encoders of Codable values have made the archiver.
    private let ownsSession: Bool

    private var object = ObjectInProgress()
    private(set) var replacements: [ObjectIdentifier: Replacement] = [:]
    private var archive: Data?

    /// The format of the archive. The default is binary.
    public var outputFormat = PropertyListFormat.binary

    /// The arrangement of the archive's bytes. The default is no option.
    public var outputFormatting: ArchiveEncoder.OutputFormatting = []

    /// A Boolean value that indicates whether only instances of classes that support secure coding can be encoded.
    public let requiresSecureCoding: Bool

    /// The delegate, which observes encoding and can replace instances. The archiver does not retain it.
    public weak var delegate: (any KeyedArchiverDelegate)? {
        didSet { hasDelegate = delegate != nil }
    }
    private(set) var hasDelegate = false

    private struct ObjectInProgress {
        /// The class of the object; nil if values are encoded at the top.
        var type: (any Any.Type)?
        var nonKeyedCount = 0
    }

    struct Replacement {
        /// Retained, so that no other object has its address.
        let original: AnyObject
        let replacement: (any Coding)?
    }

    /// Creates an archiver for a new archive.
    ///
    /// - Parameter requiresSecureCoding: Whether it is an error to encode an instance of a class that does not support
    ///   secure coding.
    public convenience init(requiringSecureCoding requiresSecureCoding: Bool = true) {
        self.init(requiringSecureCoding: requiresSecureCoding, EncodingSession.begin(), ownsSession: true)
    }

    /// Creates an archiver for `Coding` classes inside Codable values, which `session` encodes.
    convenience init(in session: EncodingSession) {
        self.init(requiringSecureCoding: true, session, ownsSession: false)
    }

    private init(requiringSecureCoding requiresSecureCoding: Bool, _ session: EncodingSession, ownsSession: Bool) {
        self.requiresSecureCoding = requiresSecureCoding
        self.session = session
        self.ownsSession = ownsSession
        (graph, frame, keys) = (session.graph, session.frame, session.records.names)
        entries = frame.entries
        if ownsSession { session.use(self) }
    }

    deinit {
        guard ownsSession else { return }
        session.use(nil)
        session.end()
    }
}

// MARK: - Settings

extension KeyedArchiver {
    /// The checksum of the archive. The default is none.
    public var checksum: ArchiveChecksum {
        get { graph.hasChecksum ? .crc64 : .none }
        set { graph.hasChecksum = newValue == .crc64 }
    }

    /// The `userInfo` of the encoders that `encode(to:)` receives. Empty by default.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { session.extras.userInfo }
        set { session.changeExtras { $0.userInfo = newValue } }
    }

    /// The names of types in the archive. Empty by default: every type has its own name. A type keeps the name that it
    /// has when its first object is written.
    public var classes: ClassRegistry {
        get { graph.classes }
        set { graph.classes = newValue }
    }

    /// The implementation of Foundation that reads the archive. The default is that of the platform. It applies to values
    /// that are encoded after it is set.
    public var foundationReader: ArchiveEncoder.FoundationReader {
        get { graph.writesAbsentDateParts ? .openSource : .apple }
        set { graph.writesAbsentDateParts = newValue == .openSource }
    }
}

// MARK: - The object in progress

extension KeyedArchiver {
    /// Whether the program's own call is writing the contents of instances.
    var isWriting: Bool { object.type != nil || session.isWorking }

    /// Writes an instance of `type`: `encode` encodes its values, and `finish` fills its slot with the entries of the frame. An error
    /// fails the archive.
    ///
    /// - Parameter path: The path of the first reference to the instance.
    @inline(__always)
    func write(
        _ type: any Any.Type, at path: CodingPathTable.Index, encode: () throws -> Void, finish: () -> Void
    ) throws {
        let top = object
        object = ObjectInProgress(type: type)
        frame.path = path
        do {
            try encode()
            if let failure = session.failure { throw failure }
        } catch {
            session.fail(ArchivingError.converted(error))
            endObject(top)
            throw error
        }
        finish()
        endObject(top)
    }

    @inline(__always)
    private func endObject(_ top: ObjectInProgress) {
        entries.removeAll()
        frame.path = CodingPathTable.root
        object = top
    }

    @inline(__always)
    func checkOpen() {
        require(
            !session.isFinished,
            "A value was encoded after finishEncoding() or after the call of ArchiveEncoder; an archiver creates one archive"
        )
    }

    /// Returns the object of the key `name`, or that of the next value without a key if `name` is nil: `$0`, `$1` and so on.
    @inline(__always)
    func key(_ name: String?) -> ArchiveGraph.Reference {
        guard let name else { return nextKey() }
        return keys.value(of: name) ?? newKey(name)
    }

    @inline(never)
    private func newKey(_ name: String) -> ArchiveGraph.Reference {
        let key = graph.userKey(name)
        keys.set(key, for: name)
        return key
    }

    @inline(never)
    private func nextKey() -> ArchiveGraph.Reference {
        checkOpen()
        return graph.key("$\(object.nonKeyedCount)")
    }

    /// Adds the leaf that `leaf` writes under the key `name`, or as the next value without a key if `name` is nil.
    @inline(__always)
    func setLeaf(_ name: String?, _ leaf: (ArchiveGraph) -> ArchiveGraph.Reference) {
        // The object of a key precedes that of its value.
        let key = key(name)
        add(leaf(graph), name, key)
    }

    /// Adds `value` under `key`, which `key(_:)` returned for `name`. Writes the pending instances unless an object is in
    /// progress: they are written after it.
    @inline(__always)
    func set(_ name: String?, _ key: ArchiveGraph.Reference, to value: ArchiveGraph.Reference) throws {
        add(value, name, key)
        if object.type == nil { try writePendingInstances() }
    }

    @inline(__always)
    private func add(_ value: ArchiveGraph.Reference, _ name: String?, _ key: ArchiveGraph.Reference) {
        checkOpen()
        guard name != nil, object.type != nil else { return addElsewhere(value, name, key) }
        if entries.set(key, to: value) != nil { noteDuplicate(key) }
    }

    @inline(never)
    private func addElsewhere(_ value: ArchiveGraph.Reference, _ name: String?, _ key: ArchiveGraph.Reference) {
        var key = key
        if name == nil {
            // Other values without a key may have been encoded since the key was the next one.
            key = nextKey()
            object.nonKeyedCount += 1
        }
        let list = object.type == nil ? graph.top : entries
        if list.set(key, to: value) != nil { noteDuplicate(key) }
    }

    @inline(never)
    private func noteDuplicate(_ key: ArchiveGraph.Reference) {
        let (name, owner) = (graph.userKeyName(key), object.type.map { "\($0)" } ?? "The archive")
        session.fail(
            ArchivingError(.duplicateKey, path: session.codingPath(frame.path)) {
                "\(owner) has two values under the key \"\(name)\" at \($0). An object has one value for each key: in a"
                    + " subclass, use keys that its superclasses do not use"
            })
    }

    /// Writes the pending instances, unless the program's own call writes some. An error fails the archive.
    @inline(never)
    func writePendingInstances() throws {
        if !isWriting { try session.write { ArchivingError.converted($0) } }
    }

    func pathIndex(_ key: ArchiveGraph.Reference) -> CodingPathTable.Index { session.path(.key(key), in: frame.path) }

    /// Records that `replacement` is archived instead of `object`. The dictionary is changed outside of the property, so that
    /// reading it needs no exclusivity check.
    func replace(_ object: any Coding, with replacement: (any Coding)?) {
        var changed = replacements
        replacements = [:]
        changed[ObjectIdentifier(object)] = Replacement(original: object, replacement: replacement)
        replacements = changed
    }
}

// MARK: - Nil and bytes

extension KeyedArchiver {
    /// Encodes nil for a key: the key exists, and an object under it is nil.
    public func encodeNil(forKey name: String) { setLeaf(name) { _ in ArchiveGraph.null } }

    /// Encodes bytes for a key, in the object's own entry. `Data` has a separate entry.
    public func encodeBytes(_ bytes: some ContiguousBytes, forKey name: String) { setBytes(name, bytes) }

    /// Encodes bytes as the object's next value without a key, in its own entry.
    public func encodeNextBytes(_ bytes: some ContiguousBytes) { setBytes(nil, bytes) }

    private func setBytes(_ name: String?, _ bytes: some ContiguousBytes) {
        bytes.withBytes { bytes in setLeaf(name) { $0.list.append(data: bytes) } }
    }
}

// MARK: - Points, sizes and rectangles

/// Encodes geometry in Cocoa's form: under a key as a string such as "{3, 4}" or "{{0, 0}, {640, 480}}", without a key
/// as its numbers in order.
extension KeyedArchiver {
    /// Encodes a point for a key.
    public func encodePoint(x: Double, y: Double, forKey name: String) { encode(text: [x, y], name) }

    /// Encodes a point as the object's next two values without a key.
    public func encodeNextPoint(x: Double, y: Double) { encodeNext(numbers: [x, y]) }

    /// Encodes a size for a key.
    public func encodeSize(width: Double, height: Double, forKey name: String) { encode(text: [width, height], name) }

    /// Encodes a size as the object's next two values without a key.
    public func encodeNextSize(width: Double, height: Double) { encodeNext(numbers: [width, height]) }

    /// Encodes a rectangle for a key.
    public func encodeRect(x: Double, y: Double, width: Double, height: Double, forKey name: String) {
        encode(text: [x, y, width, height], name)
    }

    /// Encodes a rectangle as the object's next four values without a key.
    public func encodeNextRect(x: Double, y: Double, width: Double, height: Double) {
        encodeNext(numbers: [x, y, width, height])
    }

    private func encode(text numbers: [Double], _ name: String) { encode(Geometry.text(of: numbers), forKey: name) }

    private func encodeNext(numbers: [Double]) { for number in numbers { encodeNext(number) } }
}

// MARK: - Archives

extension KeyedArchiver {
    /// Finishes the archive. It is a programming error to encode anything afterwards; the call traps.
    ///
    /// Another call returns the same data.
    ///
    /// - Returns: The archive, in `outputFormat`.
    /// - Throws: `ArchivingError`, or an error that an `encode(with:)` or `encode(to:)` has thrown: an archive with a
    ///   failure is not returned, even if the program has caught the error. A value that failed before any part of it
    ///   was archived does not count.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public func finishEncoding() throws -> Data {
        if let archive { return archive }
        checkOpen()
        require(
            !isWriting, "encode(with:) or encode(to:) called finishEncoding(); only the archiver's creator may call it")
        if hasDelegate { delegate?.archiverWillFinish(self) }
        try writePendingInstances()
        let data: Data
        let unregistered = graph.unregisteredTypes
        do throws(PropertyListError) {
            data = try session.finish(outputFormat, isCanonical: outputFormatting.contains(.sortedKeys))
        } catch {
            session.fail(ArchivingError.notWritable(error))
            throw ArchivingError.notWritable(error)
        }
        if let refused = UnregisteredTypes(unregistered, graph.classes, in: try KeyedArchive(data)) {
            let error = ArchivingError(.notEncodable, path: refused.path) { _ in refused.sentence }
            session.fail(error)
            throw error
        }
        archive = data
        if hasDelegate { delegate?.archiverDidFinish(self) }
        return data
    }

    /// Returns an archive of `object` for the key "root".
    ///
    /// ```swift
    /// let data = try KeyedArchiver.archivedData(withRootObject: window)
    /// ```
    ///
    /// `ArchiveEncoder.encode(_:to:)` writes these objects to a file, as the archive of `Coded(wrappedValue: window)`.
    ///
    /// - Parameters:
    ///   - object: An instance of a `Coding` class, a collection of instances, or another `ArchivableValue`.
    ///   - requiringSecureCoding: Whether an instance of a class that declares no support for secure coding is an
    ///     error.
    ///   - classes: The names that types have in the archive.
    /// - Returns: The archive.
    /// - Throws: `ArchivingError`, and errors of `encode(with:)`.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public static func archivedData<Archivable: ArchivableValue>(
        withRootObject object: Archivable, requiringSecureCoding: Bool = true, classes: ClassRegistry = ClassRegistry()
    ) throws -> Data {
        try archive(requiringSecureCoding: requiringSecureCoding, classes) {
            try $0.encode(object, forKey: KeyedArchiveFormat.rootKey)
        }
    }

    /// Returns an archive of `value` for the key "root".
    ///
    /// - Throws: As for an instance, and errors of `encode(to:)`.
    @_disfavoredOverload
    public static func archivedData<Value: Encodable>(
        withRootObject value: Value, requiringSecureCoding: Bool = true, classes: ClassRegistry = ClassRegistry()
    ) throws -> Data {
        try archive(requiringSecureCoding: requiringSecureCoding, classes) {
            try $0.encode(value, forKey: KeyedArchiveFormat.rootKey)
        }
    }

    private static func archive(
        requiringSecureCoding requiresSecureCoding: Bool, _ classes: ClassRegistry,
        _ encode: (KeyedArchiver) throws -> Void
    ) throws -> Data {
        let archiver = KeyedArchiver(requiringSecureCoding: requiresSecureCoding)
        if !classes.isEmpty { archiver.classes = classes }
        try encode(archiver)
        return try archiver.finishEncoding()
    }
}
