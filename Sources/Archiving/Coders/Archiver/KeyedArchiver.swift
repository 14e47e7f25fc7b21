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
    /// The writing of the archive, of which the archiver writes objects by key.
    let session: EncodingSession
    let graph: ArchiveGraph
    /// The frame of the object in progress. It is a constant, as its entries and the keys are, so that access needs no retain.
    let frame: EncodingFrame
    private let entries: EntryList
    private let keys: KeyCache<ArchiveGraph.Reference>
    /// Whether the archiver ends the session. Otherwise the encoders of Codable values have made the archiver.
    private let ownsSession: Bool

    /// The number of values without a key so far in the object in progress.
    private var nonKeyedCount = 0
    /// The class of the object in progress; nil if there is none.
    private var writer: (any Any.Type)?
    /// Whether an object is in progress.
    var isInObject: Bool { writer != nil }
    /// The replacements of instances that named one.
    private(set) var replacements: [ObjectIdentifier: Replacement] = [:]

    struct Replacement {
        /// Retained, so that no other object has its address.
        let original: AnyObject
        let replacement: (any Coding)?
    }

    private var archive: Data?

    /// A Boolean value that indicates whether only instances of classes that support secure coding can be encoded.
    public let requiresSecureCoding: Bool
    /// The format of the archive. The default is binary.
    public var outputFormat: PropertyListFormat {
        get { format }
        set { format = newValue }
    }
    /// The arrangement of the archive's bytes. The default is no option.
    public var outputFormatting: ArchiveEncoder.OutputFormatting {
        get { formatting }
        set { formatting = newValue }
    }
    /// The checksum of the archive. The default is none.
    public var checksum: ArchiveChecksum {
        get { graph.hasChecksum ? .crc64 : .none }
        set { graph.hasChecksum = newValue == .crc64 }
    }
    // Stored properties that are public would need exclusivity checks.
    private var format = PropertyListFormat.binary
    private var formatting: ArchiveEncoder.OutputFormatting = []

    /// The delegate, which observes encoding and can replace instances. The archiver does not retain it.
    public weak var delegate: (any KeyedArchiverDelegate)? {
        didSet { hasDelegate = delegate != nil }
    }
    private(set) var hasDelegate = false

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
        (graph, frame, keys) = (session.graph, session.frame, session.keys)
        entries = frame.entries
        session.use(self)
    }

    deinit {
        session.use(nil)
        if ownsSession { session.end() }
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

// MARK: - Replacements

extension KeyedArchiver {
    /// Records that `replacement` is archived instead of `object`. The dictionary is changed outside of the property, so that
    /// reading it needs no exclusivity check.
    func replace(_ object: any Coding, with replacement: (any Coding)?) {
        var changed = replacements
        replacements = [:]
        changed[ObjectIdentifier(object)] = Replacement(original: object, replacement: replacement)
        replacements = changed
    }
}

// MARK: - The object in progress

extension KeyedArchiver {
    /// Calls `body` to encode values into an object of the class `writer`, at the coding path `path`, and `finish` while the
    /// archiver has them.
    @inline(__always)
    func encodeObject(
        _ writer: any Any.Type, at path: CodingPathTable.Index, _ body: () throws -> Void, finish: () -> Void
    ) throws {
        let topNonKeyedCount = nonKeyedCount
        nonKeyedCount = 0
        frame.path = path
        self.writer = writer
        do {
            try body()
        } catch {
            endObject(topNonKeyedCount)
            throw error
        }
        finish()
        endObject(topNonKeyedCount)
    }

    @inline(__always)
    private func endObject(_ topNonKeyedCount: Int) {
        entries.removeAll()
        nonKeyedCount = topNonKeyedCount
        frame.path = CodingPathTable.root
        writer = nil
    }

    /// The keys and values of the object in progress, alternating.
    @inline(__always)
    var references: PlainTable<ArchiveGraph.Reference> { entries.references }
}

// MARK: - Entries

extension KeyedArchiver {
    /// Traps after the archive is finished.
    @inline(__always)
    func checkOpen() {
        require(
            !session.isFinished,
            "A value was encoded after finishEncoding() or after the call of ArchiveEncoder; an archiver creates one archive"
        )
    }

    /// The object of the key `name`.
    @inline(__always)
    func key(_ name: String) -> ArchiveGraph.Reference {
        keys.value(of: name) ?? newKey(name)
    }

    @inline(never)
    private func newKey(_ name: String) -> ArchiveGraph.Reference {
        let key = graph.userKey(name)
        keys.set(key, for: name)
        return key
    }

    /// The object of the key of the next value that has no key of its own: `$0`, `$1` and so on.
    @inline(never)
    func nextKey() -> ArchiveGraph.Reference {
        checkOpen()
        return graph.key("$\(nonKeyedCount)")
    }

    /// Adds `value` as the next value without a key.
    @inline(never)
    func setNext(to value: ArchiveGraph.Reference) {
        set(nextKey(), to: value)
        nonKeyedCount += 1
    }

    /// Adds `value` under `key` to the object in progress.
    @inline(__always)
    func set(_ key: ArchiveGraph.Reference, to value: ArchiveGraph.Reference) {
        checkOpen()
        guard isInObject else { return setAtTop(key, to: value) }
        if entries.set(key, to: value) != nil { noteDuplicate(key) }
    }

    @inline(never)
    private func setAtTop(_ key: ArchiveGraph.Reference, to value: ArchiveGraph.Reference) {
        if graph.top.set(key, to: value) != nil { noteDuplicate(key) }
    }

    @inline(never)
    private func noteDuplicate(_ key: ArchiveGraph.Reference) {
        let (name, owner) = (graph.userKeyName(key), writer.map { "\($0)" } ?? "The archive")
        session.fail(
            ArchivingError(.duplicateKey, path: session.codingPath(frame.path)) {
                "\(owner) has two values under the key \"\(name)\" at \($0). An object has one value for each key: in a"
                    + " subclass, use keys that its superclasses do not use"
            })
    }

    /// Writes the pending instances, unless an object is in progress: they are written after it.
    @inline(never)
    func writePendingInstancesAtTop() throws {
        if !isWriting { try writePendingInstances() }
    }

    /// The entry in the table of paths for the value under `key` of the object in progress.
    func pathIndex(_ key: ArchiveGraph.Reference) -> CodingPathTable.Index {
        session.path(.key(key), in: frame.path)
    }
}

// MARK: - The archive

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
            data = try session.finish(format, isCanonical: formatting.contains(.sortedKeys))
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
}
