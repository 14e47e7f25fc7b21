/// An object of a class that the program does not know, with its whole contents.
///
/// ```swift
/// var decoder = ArchiveDecoder()
/// decoder.classes.unknownClasses = .placeholder
/// let drawing = try decoder.decode(Drawing.self, from: data)    // has a "Pattern", which this version does not know
///
/// for case let unknown as UnknownObject in drawing.shapes {
///     print(unknown.className, unknown["name"]?.string ?? "")
/// }
/// let saved = try ArchiveEncoder().encode(drawing)              // and the "Pattern" is still there
/// ```
///
/// To get one as a value of a protocol type, conform `UnknownObject` to your protocol:
/// `extension UnknownObject: Shape { … }`. `KeyedUnarchiver.decodeObject` also returns unknown objects. A request for
/// `UnknownObject` itself accepts an object of any class.
///
/// An archiver writes the object as it was read: its class chain, and every key and value with the same number type. It
/// also writes the objects that it references. If the program has an instance of a referenced object, the new archive
/// contains that instance in its current state. An object that a known and an unknown one share therefore stays shared.
///
/// The object retains the bytes of its archive. A file that is read page by page stays open as long.
public final class UnknownObject: Coding, Codable, Sendable {
    /// The object in its archive, for inspection: keys, values, and referenced objects.
    public let value: KeyedArchive.Value
    private let foreign: ForeignObjects

    /// Creates an unknown object from the object that `coder` is decoding.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` if that object has no uid. Archivers give every object a uid.
    public init(coder: KeyedUnarchiver) throws {
        foreign = coder.foreignObjects
        let object = coder.decodedObject
        guard object.uid != 0 else { throw UnarchivingError.foreignValue(path: coder.decodedPath) }
        value = foreign.source.object(object.uid)
        foreign.add(object.uid)
    }

    fileprivate init(_ uid: UInt32, _ foreign: ForeignObjects) {
        self.foreign = foreign
        value = foreign.source.object(uid)
    }
}

// MARK: - Inspection

extension UnknownObject {
    /// The name of the class.
    public var className: String { value.className ?? "" }

    /// The names of the class and its superclasses.
    public var classChain: [String] { value.classChain }

    /// The keys that have values.
    public var keys: [String] { value.keys }

    /// The value for `key`, or `nil` if it is absent.
    public subscript(key: String) -> KeyedArchive.Value? { value[key] }

    /// The uid of the object in its archive.
    var uid: UInt32 { value.uid ?? 0 }
}

extension UnknownObject: Hashable {
    /// Returns whether both are the same instance.
    public static func == (left: UnknownObject, right: UnknownObject) -> Bool { left === right }

    /// Hashes the identity of the instance.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension UnknownObject: CustomStringConvertible {
    /// The class and the uid.
    public var description: String { "an object of the unknown class \(className) (uid \(uid))" }
}

// MARK: - Archiving

extension UnknownObject: ForeignCoding {
    /// Returns the first encoded instance, if several represent the same object of the same archive.
    public func replacementObject(for coder: KeyedArchiver) -> (any Coding)? {
        coder.transcription(of: foreign.source).instance(uid, self)
    }

    /// Throws an error. Archivers copy the object from its archive when it is encoded for a key.
    ///
    /// - Throws: `ArchivingError.Code.notEncodable`.
    public func encode(with coder: KeyedArchiver) throws {
        throw coder.error(self, "encode(with:) cannot write it. Encode the object for a key")
    }

    func contents(in archiver: KeyedArchiver) throws -> ArchiveGraph.Reference {
        do {
            return try archiver.transcription(of: foreign.source).contents(of: uid, type: UnknownObject.self) {
                try reference(to: $0, archiver)
            }
        } catch let error as KeyedArchiveError {
            throw archiver.error(self, error.description, error)
        }
    }

    /// Returns the reference to the object `uid` of the archive: the program's instance or another unknown object.
    /// Returns nil for a value without a class.
    private func reference(to uid: UInt32, _ coder: KeyedArchiver) throws -> ArchiveGraph.Reference? {
        if let instance = foreign.instance(uid) { return try coder.reference(toInstance: instance) }
        guard foreign.source.object(uid).classUID != nil else { return nil }
        return try coder.reference(toInstance: UnknownObject(uid, foreign))
    }
}

extension KeyedArchiver {
    fileprivate func transcription(of source: ArchiveSource) -> ArchiveTranscription {
        let graph = graph
        return graph.pointee.transcription(of: source) { ArchiveTranscription(source, into: graph) }
    }

    /// Returns a reference to an instance that was decoded from an archive, or nil if it cannot be encoded.
    fileprivate func reference(toInstance instance: AnyObject) throws -> ArchiveGraph.Reference? {
        let path = state.pointee.path
        if let coding = codingObject(instance) { return try reference(to: coding, path: { path }) }
        guard let encodable = instance as? any Encodable else { return nil }
        return try encodingSession.reference(to: encodable, at: .root, in: path)
    }

    fileprivate func error(
        _ object: UnknownObject, _ reason: String, _ underlying: KeyedArchiveError? = nil
    ) -> ArchivingError {
        let path = graph.pointee.keys(graph.pointee.paths.steps(to: state.pointee.path))
        return ArchivingError(
            .notEncodable, path: path,
            "Found \(object) at \(path.pathDescription), which cannot be archived again: \(reason)",
            underlying: underlying)
    }
}

// MARK: - Other coders

extension UnknownObject {
    /// Throws an error. Decoders of archives create unknown objects with ``init(coder:)``.
    ///
    /// - Throws: `DecodingError.dataCorrupted`.
    public convenience init(from decoder: any Decoder) throws {
        throw CodableErrors.invalid(
            "An UnknownObject needs an archive, and \(type(of: decoder)) has none. Use ArchiveDecoder",
            path: decoder.codingPath)
    }

    /// Throws an error. Archives write the object without this method, and other encoders cannot represent it.
    ///
    /// - Throws: `EncodingError.invalidValue`.
    public func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self,
            EncodingError.Context(
                codingPath: encoder.codingPath,
                debugDescription: "Found \(self), which \(type(of: encoder)) cannot write. Use ArchiveEncoder"))
    }
}
