// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// An object of a class that the program does not know, with its whole contents.
///
/// ```swift
/// var decoder = ArchiveDecoder()
/// decoder.classes.unknownClasses = .placeholder
/// let drawing = try decoder.decode(Drawing.self, from: data)    // has a "Pattern", which this version does not know
///
/// for case let unknown as UnknownObject in drawing.shapes {
///     print(unknown.value.className ?? "", unknown.value["name"]?.string ?? "")
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

    /// Creates an unknown object from the object that `coder` is decoding.
    ///
    /// - Throws: `ArchivingError.Code.typeMismatch` if that object has no uid. Archivers give every object a uid.
    public init(coder: KeyedUnarchiver) throws {
        let object = coder.decodedObject
        guard object.uid != 0 else {
            throw ArchivingError(.typeMismatch, path: coder.decodedPath) {
                "Found an object without a uid at \($0), where an UnknownObject is expected: no archiver writes one"
            }
        }
        value = coder.foreignObjects.source.object(object.uid)
        coder.foreignObjects.add(object.uid)
    }

    fileprivate init(_ value: KeyedArchive.Value) { self.value = value }

    var uid: UInt32 { value.uid ?? 0 }
}

extension UnknownObject: Hashable, CustomStringConvertible {
    /// Returns whether both are the same instance.
    public static func == (left: UnknownObject, right: UnknownObject) -> Bool { left === right }

    /// Hashes the identity of the instance.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// The class and the uid.
    public var description: String { "an object of the unknown class \(value.className ?? "") (uid \(uid))" }
}

// MARK: - Archiving

extension UnknownObject {
    /// Returns the first encoded instance, if several represent the same object of the same archive.
    public func replacementObject(for coder: KeyedArchiver) -> (any Coding)? {
        coder.session.transcription(of: value.source).instance(uid, self)
    }

    /// Throws an error. Archivers copy the object from its archive when it is encoded for a key.
    ///
    /// - Throws: `ArchivingError.Code.notEncodable`.
    public func encode(with coder: KeyedArchiver) throws {
        throw coder.error(self, "encode(with:) cannot write it. Encode the object for a key")
    }

    func contents(in archiver: KeyedArchiver) throws -> ArchiveGraph.Reference {
        let source = value.source
        do {
            return try archiver.session.transcription(of: source).contents(of: uid, type: UnknownObject.self) {
                try archiver.reference(toObject: $0, of: source, at: archiver.frame.path)
            }
        } catch let error as KeyedArchiveError {
            throw archiver.error(self, error.description, error)
        }
    }
}

extension KeyedArchiver {
    /// Returns a reference to `value`, copied with all objects that it references.
    ///
    /// - Parameter inline: Whether a value that is stored inside an object needs no object of its own.
    /// - Throws: `KeyedArchiveError` if the archive of the value is damaged.
    func reference(
        to value: KeyedArchive.Value, at path: CodingPathTable.Index, inline: Bool
    ) throws -> ArchiveGraph.Reference? {
        if let damage = value.damage { throw damage }
        let source = value.source
        let transcription = session.transcription(of: source)
        let object = { (uid: UInt32) in try self.reference(toObject: uid, of: source, at: path) }
        switch value.place {
        case .top: return nil
        case .slot(let uid): return try object(uid) ?? transcription.reference(to: uid, object)
        case .inline(let reference):
            let copy = try transcription.copy(of: reference, object)
            guard !inline else { return copy }
            let slot = graph.reserveSlot()
            graph.fill(slot, with: copy)
            return slot.uid
        }
    }

    /// Returns the reference to the object `uid` of `source`: the program's instance or an unknown object. Returns nil for
    /// a value without a class.
    fileprivate func reference(
        toObject uid: UInt32, of source: ArchiveSource, at path: CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference? {
        if let instance = source.instances?.instance(uid) { return try reference(toInstance: instance, at: path) }
        let value = source.object(uid)
        return value.classUID == nil ? nil : try reference(toInstance: UnknownObject(value), at: path)
    }

    private func reference(
        toInstance instance: AnyObject, at path: CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference? {
        if let coding = codingObject(instance) { return try reference(to: coding, path: { path }) }
        guard let encodable = instance as? any Encodable else { return nil }
        return try reference(to: encodable, at: .root, in: path)
    }

    fileprivate func error(
        _ object: UnknownObject, _ reason: String, _ underlying: KeyedArchiveError? = nil
    ) -> ArchivingError {
        let found = "\(object)"
        return ArchivingError(.notEncodable, path: session.codingPath(frame.path), underlying: underlying) {
            "Found \(found) at \($0), which cannot be archived again: \(reason)"
        }
    }
}

// MARK: - Other coders

extension UnknownObject {
    /// Throws an error. Decoders of archives create unknown objects with ``init(coder:)``.
    ///
    /// - Throws: `DecodingError.dataCorrupted`.
    public convenience init(from decoder: any Decoder) throws {
        throw DecodingError.needsArchive(
            Self.self, "Decode it with ArchiveDecoder, and in `init(from:)` through a container", decoder)
    }

    /// Throws an error. Archives write the object without this method, and other encoders cannot represent it.
    ///
    /// - Throws: `EncodingError.invalidValue`.
    public func encode(to encoder: any Encoder) throws {
        throw EncodingError.needsArchive(
            self, "Encode it with ArchiveEncoder, and in `encode(to:)` through a container", encoder)
    }
}

final class UnknownObjectWriter: CodingWriter<UnknownObject> {
    override func writePending(of session: EncodingSession, _ count: inout Int) throws {
        let archiver = session.archiver
        while let pending = try session.nextPendingInstance(of: number, &count) {
            guard let unknown = pending.object as? UnknownObject else { preconditionFailure("Not an unknown object") }
            try archiver.write(UnknownObject.self, at: pending.path) {
                archiver.graph.fill(pending.slot, with: try unknown.contents(in: archiver))
            } finish: {
            }
            if archiver.hasDelegate { archiver.delegate?.archiver(archiver, didEncode: unknown) }
        }
    }
}
