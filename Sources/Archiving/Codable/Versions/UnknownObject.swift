/// An object of a class that the program does not know, with all that is in it.
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
/// It stands where a value behind a protocol is decoded that it conforms to: let it conform to your own protocol,
/// `extension UnknownObject: Shape { … }`. It also stands in what `KeyedUnarchiver.decodeObject` gives, and wherever it is
/// asked for itself, whatever the class of the object.
///
/// When it is archived, it is written as it was read: its class with the whole chain, every key and every value, with the
/// kind of number that it was, and whatever those refer to. What it refers to and the program has an instance of is that
/// instance in the new archive, as it is then; so an object that a known and an unknown one share stays one.
///
/// It keeps the bytes of the archive that it was read from; a file that is read page by page stays open as long.
public final class UnknownObject: Coding, Codable, Sendable {
    /// The object as it lies in its archive, to look into: keys, values, and what they refer to.
    public let value: KeyedArchive.Value
    private let foreign: ForeignObjects

    /// Takes over the object that `coder` stands for.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where that has no uid, as no object has that an archiver wrote.
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

// MARK: - Looking into it

extension UnknownObject {
    /// The name of the class.
    public var className: String { value.className ?? "" }

    /// The names of the class and its superclasses.
    public var classChain: [String] { value.classChain }

    /// The keys under which there are values.
    public var keys: [String] { value.keys }

    /// The value under `key`; nil where there is none.
    public subscript(key: String) -> KeyedArchive.Value? { value[key] }

    /// The uid of the object in its archive.
    var uid: UInt32 { value.uid ?? 0 }
}

extension UnknownObject: Hashable {
    /// Whether both are the same instance.
    public static func == (left: UnknownObject, right: UnknownObject) -> Bool { left === right }

    /// Feeds what tells this instance from others into `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension UnknownObject: CustomStringConvertible {
    /// The class and the uid.
    public var description: String { "an object of the unknown class \(className) (uid \(uid))" }
}

// MARK: - Archiving

extension UnknownObject: ForeignCoding {
    /// Of several instances that stand for the same object of the same archive the one that was met first.
    public func replacementObject(for coder: KeyedArchiver) -> (any Coding)? {
        coder.transcription(of: foreign.source).instance(uid, self)
    }

    /// Writes nothing: archivers take the object over as it lies in its archive, once it is encoded under a key.
    ///
    /// - Throws: `ArchivingError.Code.notEncodable`.
    public func encode(with coder: KeyedArchiver) throws {
        throw coder.error(self, "encode(with:) has no part in that; encode it under a key")
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

    /// What stands for the object `uid` of the archive: the instance that the program has, another unknown object, or nil
    /// for what has no class.
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

    /// What stands for an instance that was made from an archive.
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
            "Found \(object) at \(path.pathDescription), which cannot be written again: \(reason)",
            underlying: underlying)
    }
}

// MARK: - Other coders

extension UnknownObject {
    /// Takes over the object that `decoder` stands for. Only decoders of archives have one.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with every other decoder.
    public convenience init(from decoder: any Decoder) throws {
        throw CodableErrors.invalid(
            "An UnknownObject is a part of an archive; \(type(of: decoder)) has none", path: decoder.codingPath)
    }

    /// Writes nothing: archives write the object by `encode(with:)`, and nobody else can.
    ///
    /// - Throws: `EncodingError.invalidValue`.
    public func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self,
            EncodingError.Context(
                codingPath: encoder.codingPath,
                debugDescription: "Found \(self); only archives can hold it, and \(type(of: encoder)) writes none"))
    }
}
