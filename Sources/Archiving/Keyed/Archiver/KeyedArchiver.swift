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
/// Instances of `Coding` classes write themselves by their `encode(with:)`, each once, however often they are referred
/// to; any `Encodable` value can be written as well, into the same graph. An archiver makes one archive. One thread at a
/// time uses it.
///
/// What an object encodes stands in its entry in the archive, what the program encodes itself stands at the top. A key
/// that starts with "$", which the format keeps for itself, gets another "$" in front, and loses it again on decoding.
/// A key that is encoded twice in one object lets the archive fail: the error is thrown where the object is complete.
public final class KeyedArchiver {
    /// Keeps the graph, and what the coders of both kinds know of it.
    let writing: GraphWriting
    /// The graph, at an address that does not move.
    let graph: UnsafeMutablePointer<ArchiveGraph>
    /// What both sides know of the archive.
    let shared: UnsafeMutablePointer<GraphWritingState>
    /// What is known of values by key, at an address that does not move.
    let state: UnsafeMutablePointer<KeyedArchivingState>
    /// The session of the encoders of Codable values in the same graph: one that the archiver keeps, or the one that it
    /// belongs to. nil while there is none.
    @exclusivity(unchecked) private(set) unowned(unsafe) var session: AnyObject?
    /// The session that the archiver keeps, also for the next archive.
    private(set) var ownSession: AnyObject?
    private var archive: Data?

    /// Whether only instances of classes that support secure coding can be encoded.
    public let requiresSecureCoding: Bool
    /// How the archive is written. Binary, unless set.
    public var outputFormat = PropertyListFormat.binary
    /// How the bytes of the archive may be arranged. None, unless set.
    public var outputFormatting: OutputFormatting = []

    /// Who is told what the archiver does, and may replace instances. The archiver does not keep it alive.
    public weak var delegate: (any KeyedArchiverDelegate)? {
        didSet { hasDelegate = delegate != nil }
    }
    @exclusivity(unchecked) var hasDelegate = false

    /// An archiver for a new archive.
    ///
    /// - Parameter requiresSecureCoding: Whether it is an error to encode an instance of a class that says that it does not
    ///   support secure coding.
    public init(requiringSecureCoding requiresSecureCoding: Bool = true) {
        self.requiresSecureCoding = requiresSecureCoding
        writing = GraphWriting()
        graph = writing.graph
        shared = writing.state
        state = .allocate(capacity: 1)
        state.initialize(to: KeyedArchivingState(in: &graph.pointee.arena))
    }

    /// An archiver for `Coding` classes inside Codable values, which belongs to `session`, the session of the encoders.
    init(_ writing: GraphWriting, belongingTo session: AnyObject) {
        requiresSecureCoding = true
        self.writing = writing
        self.session = session
        graph = writing.graph
        shared = writing.state
        state = .allocate(capacity: 1)
        state.initialize(to: KeyedArchivingState(in: &graph.pointee.arena))
    }

    deinit {
        session = nil
        ownSession = nil
        state.pointee.releaseAll(graph.pointee.arena)
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// The names that types have in the archive. Empty unless set: every type has its own name. A type whose first object
    /// is written keeps the name that it had then.
    public var classes: ClassRegistry {
        get { graph.pointee.classes }
        set { graph.pointee.classes = newValue }
    }

    /// How arrays of numbers are archived: as objects, unless set. It holds for what is encoded from then on.
    ///
    /// `NumericArrays` tells which arrays, and what other programs make of them.
    public var numericArrays: NumericArrays {
        get { graph.pointee.packsNumbers ? .packed : .objects }
        set { graph.pointee.packsNumbers = newValue == .packed }
    }

    /// Keeps `session`, which encodes Codable values for the archiver.
    func keep(session: AnyObject) {
        ownSession = session
        self.session = session
    }

    /// Uses the session that the archiver keeps, if there is one.
    func resumeSession() { session = ownSession }

    /// Takes note that the session which the archiver belongs to is about to go.
    func leaveSession() { session = nil }

    /// `error`, which occurred while instances were written, as the archiver throws it. Before the archiver has encoded a
    /// Codable value, an `EncodingError` is the program's own, and stays what it is.
    func explained(_ error: any Error) -> any Error { session == nil ? error : ArchivingError.converted(error) }
}

// MARK: - Again

extension KeyedArchiver {
    /// Whether nothing of the archiver outlasts the archive: everything is small, and what the program can set is as it was.
    var isReusable: Bool {
        !hasDelegate && outputFormat == .binary && outputFormatting.isEmpty && shared.pointee.failure == nil
            && state.pointee.isReusable
    }

    /// Makes ready for another archive. The graph is reset by its owner.
    func reset() {
        state.pointee.reset()
        archive = nil
        if ownSession != nil { session = nil }
    }
}

// MARK: - Entries

extension KeyedArchiver {
    /// The state, for a value that is about to be encoded.
    @inline(__always)
    func openState() -> UnsafeMutablePointer<KeyedArchivingState> {
        require(
            !shared.pointee.isFinished, "A value was encoded after finishEncoding(); an archiver makes one archive")
        return state
    }

    /// The object of the key `name`.
    @inline(__always)
    func key(_ name: String) -> ArchiveGraph.Reference {
        state.pointee.keys.value(of: name) ?? newKey(name)
    }

    @inline(never)
    private func newKey(_ name: String) -> ArchiveGraph.Reference {
        let key = graph.pointee.userKey(name)
        state.pointee.keys.set(key, for: name)
        return key
    }

    /// The object of the key of the next value that has no key of its own: `$0`, `$1` and so on.
    private func nextKey() -> ArchiveGraph.Reference {
        graph.pointee.key("$\(openState().pointee.nonKeyedCount)")
    }

    /// Enters `value` as the next one without a key.
    func setNext(to value: ArchiveGraph.Reference) {
        set(nextKey(), to: value)
        state.pointee.nonKeyedCount += 1
    }

    /// Enters the object that `reference` stands for as the next one without a key. One that fails takes no place.
    func setNext(to reference: (ArchiveGraph.Reference) throws -> ArchiveGraph.Reference) throws {
        let key = nextKey()
        setNext(to: try reference(key))
        try drainAtTop()
    }

    /// Enters `value` under `key` in what is being written.
    @inline(__always)
    func set(_ key: ArchiveGraph.Reference, to value: ArchiveGraph.Reference) {
        let state = openState()
        if state.pointee.entries.pointee.set(key, to: value) != nil { noteDuplicate(key) }
    }

    @inline(never)
    private func noteDuplicate(_ key: ArchiveGraph.Reference) {
        let path = graph.pointee.keys(graph.pointee.paths.steps(to: state.pointee.path))
        shared.pointee.fail(
            ArchivingError.duplicateKey(graph.pointee.userKeyName(key), in: state.pointee.writer, path: path))
    }

    /// Enters the object that `reference` stands for under `key`, and writes what it leads to unless an object is being
    /// written already.
    func set(_ key: ArchiveGraph.Reference, to reference: (ArchiveGraph.Reference) throws -> ArchiveGraph.Reference)
        throws
    {
        set(key, to: try reference(key))
        try drainAtTop()
    }

    /// Writes what was met, unless an object is being written: then it has its turn later.
    private func drainAtTop() throws {
        if !isWriting { try drain() }
    }

    /// The entry in the table of paths of what stands under `key` in what is being written.
    func pathIndex(_ key: ArchiveGraph.Reference) -> CodingPathTable.Index {
        graph.pointee.paths.append(.key(key), to: state.pointee.path)
    }
}

// MARK: - The archive

extension KeyedArchiver {
    /// How the bytes of an archive may be arranged.
    public struct OutputFormatting: OptionSet, Sendable {
        /// The bits of the options.
        public let rawValue: UInt

        /// Options from their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The same value gives the same bytes in every process: keys are sorted, and so are the elements of sets and the
        /// entries of dictionaries, whose order in memory differs from run to run.
        ///
        /// It costs a second pass over the archive, in O(*n* log *n*), where *n* is the number of objects, or
        /// O(*n* log² *n*) where sets or keys of dictionaries hold objects. Class instances in sets are told apart by
        /// what they hold and by what refers to them. Only very regular graphs of instances that are equal in all of
        /// that can still differ in their order.
        public static let sortedKeys = OutputFormatting(rawValue: 1 << 0)
    }

    /// Ends the archive. To encode anything from here on is a programming error, and traps.
    ///
    /// Calling it again gives the same data.
    ///
    /// - Returns: The archive, in `outputFormat`.
    /// - Throws: `ArchivingError`, or what an `encode(with:)` or `encode(to:)` has thrown: an archive in which something
    ///   failed is not handed out, even if the error was caught where it was thrown first. A value that failed before
    ///   anything of it was in the archive does not count.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public func finishEncoding() throws -> Data {
        if let archive { return archive }
        let state = openState()
        require(
            !state.pointee.isInObject, "encode(with:) called finishEncoding(); only who made the archiver does")
        delegate?.archiverWillFinish(self)
        try completeTop()
        let data: Data
        do throws(PropertyListError) {
            data = try writing.finish(outputFormat, outputFormatting)
        } catch {
            shared.pointee.fail(ArchivingError.notWritable(error))
            throw ArchivingError.notWritable(error)
        }
        shared.pointee.isFinished = true
        archive = data
        delegate?.archiverDidFinish(self)
        return data
    }

    /// Ends the archive, and writes it to the file at `url`.
    ///
    /// The file is replaced as a whole: whoever reads it finds the old archive or the new one. Where that fails, the archive is
    /// still there, and can be written to another file.
    ///
    /// - Throws: As `finishEncoding()`, and `CocoaError` where the file cannot be written. Then the old file is still there.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public func finishEncoding(to url: URL) throws {
        try ArchiveFile.write(finishEncoding(), to: url)
    }

    /// Writes what is still open, and enters what was encoded by key into `$top`.
    func completeTop() throws {
        // The program may be on another thread than before.
        shared.pointee.stack = StackGuard()
        do {
            // Without a session, what is not written yet belongs to values that have failed.
            if session != nil { try writing.writeRest() }
        } catch {
            shared.pointee.fail(explained(error))
        }
        if let failure = shared.pointee.failure { throw failure }
        // What a root object was entered under is there already.
        guard graph.pointee.top.references.count == 0 else { return }
        for reference in state.pointee.entries.pointee.references.elements { graph.pointee.top.append(reference) }
    }

    /// The archive, which is finished by this where it was not before.
    ///
    /// - Throws: As `finishEncoding()`.
    public var encodedData: Data {
        get throws { try finishEncoding() }
    }
}
