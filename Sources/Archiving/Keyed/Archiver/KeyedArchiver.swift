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
    /// The graph. Its address is stable for as long as the archiver lives.
    let graph: UnsafeMutablePointer<ArchiveGraph>
    /// What is known of values by key. nil while none was encoded: encoders of Codable values need none of it.
    @exclusivity(unchecked) private var keyed: UnsafeMutablePointer<KeyedArchivingState>?
    var writers: [CodingWriter] = []
    /// What the layer above keeps with the archiver.
    var companion: ArchiverCompanion?
    private var archive: Data?

    /// Whether the archive is read once, in this process.
    var isForCopy = false

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
        graph = .allocate(capacity: 1)
        graph.initialize(to: ArchiveGraph())
    }

    deinit {
        companion?.end()
        if let keyed {
            keyed.pointee.releaseAll(graph.pointee.arena)
            keyed.deinitialize(count: 1)
            keyed.deallocate()
        }
        graph.deinitialize(count: 1)
        graph.deallocate()
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

    /// Whether nothing was encoded by key.
    var isUnkeyed: Bool { keyed == nil }

    @inline(__always)
    var state: UnsafeMutablePointer<KeyedArchivingState> { keyed ?? makeState() }

    @inline(never)
    private func makeState() -> UnsafeMutablePointer<KeyedArchivingState> {
        let state = UnsafeMutablePointer<KeyedArchivingState>.allocate(capacity: 1)
        state.initialize(to: KeyedArchivingState(in: &graph.pointee.arena))
        keyed = state
        return state
    }
}

/// What a layer above keeps with an archiver.
class ArchiverCompanion {
    /// Takes note that the program calls, which may be on another thread than before.
    func beginCall() {}

    /// Writes what is still open. Nothing more comes.
    func writeRest() throws {}

    /// `error`, which occurred while instances were written, as the archiver throws it.
    func explained(_ error: any Error) -> any Error { error }

    /// Lets go of the archive, which is finished or given up.
    func close() {}

    /// Gives up whatever needs the graph, which is about to go. Nothing more is asked of the companion.
    func end() {}
}

// MARK: - Entries

extension KeyedArchiver {
    /// The state, for a value that is about to be encoded.
    @inline(__always)
    func openState() -> UnsafeMutablePointer<KeyedArchivingState> {
        let state = state
        require(
            !state.pointee.isFinished, "A value was encoded after finishEncoding(); an archiver makes one archive")
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
        let state = state
        let path = graph.pointee.keys(graph.pointee.paths.steps(to: state.pointee.path))
        state.pointee.fail(
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
        let state = state
        if !state.pointee.isInObject, !state.pointee.isDraining { try drain() }
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
            data = try finish(outputFormat, outputFormatting)
        } catch {
            state.pointee.fail(ArchivingError.notWritable(error))
            throw ArchivingError.notWritable(error)
        }
        state.pointee.isFinished = true
        companion?.close()
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
        let state = state
        companion?.beginCall()
        do {
            try companion?.writeRest()
        } catch {
            state.pointee.fail(companion?.explained(error) ?? error)
        }
        if let failure = state.pointee.failure { throw failure }
        // What a root object was entered under is there already.
        if graph.pointee.top.references.count == 0 { swap(&graph.pointee.top, &state.pointee.entries.pointee) }
    }

    /// The archive, which is finished by this where it was not before.
    ///
    /// - Throws: As `finishEncoding()`.
    public var encodedData: Data {
        get throws { try finishEncoding() }
    }

    /// Ends the archive.
    ///
    /// - Returns: The bytes of the binary archive, which the caller releases with `Platform.release(_:)`.
    func finish() throws(PropertyListError) -> UnsafeMutableRawBufferPointer {
        guard let bytes = graph.pointee.finish() else {
            throw PropertyListError(.tooLarge, at: BinaryFormat.byteLimit)
        }
        return bytes
    }

    /// Ends the archive, and arranges it as is asked for.
    func finish(_ format: PropertyListFormat, _ formatting: OutputFormatting) throws(PropertyListError) -> Data {
        var bytes = try finish()
        if formatting.contains(.sortedKeys) { bytes = try replace(bytes, CanonicalArchive.bytes(of:)) }
        if format == .xml { bytes = try replace(bytes, XMLPropertyListWriter.xml(of:)) }
        return Data(owning: bytes)
    }

    /// What `transform` makes of the property list in `bytes`, which are released.
    private func replace(
        _ bytes: UnsafeMutableRawBufferPointer,
        _ transform: (BinaryPropertyListReader) throws(PropertyListError) -> UnsafeMutableRawBufferPointer
    ) throws(PropertyListError) -> UnsafeMutableRawBufferPointer {
        defer { if let base = bytes.baseAddress { Platform.release(base) } }
        return try transform(try BinaryPropertyListReader(UnsafeRawBufferPointer(bytes)))
    }

    /// Enters `value` into `$top` under `key`.
    func addTop(key: ArchiveGraph.Reference, value: ArchiveGraph.Reference) {
        _ = graph.pointee.top.set(key, to: value)
    }
}
