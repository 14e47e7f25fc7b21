// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A value that an archive decodes later: a part of an open archive, which reads its contents when the program needs them.
package protocol DeferredDecodable: Decodable {
    /// The type of the value in the archive.
    associatedtype Contents: Decodable

    /// Creates a value with `contents`, which were decoded at once.
    init(contents: Contents)

    /// Creates a value whose contents are `part`.
    init(part: OpenArchive.Part)
}

/// A value that an archive may have decoded later.
package protocol DeferredEncodable: Encodable {
    /// The type of the value in the archive.
    associatedtype Contents: Encodable

    /// The contents, decoded if they are not loaded.
    var contents: Contents { get }

    /// Returns the part of an open archive with the contents, or nil if they are loaded.
    ///
    /// - Parameter path: The coding path of the value, for an error.
    /// - Throws: An error if the value can be encoded neither as the part nor as its contents.
    func unloadedPart(at path: () -> [any CodingKey]) throws -> OpenArchive.Part?

    /// Decodes the contents if they are not loaded.
    func load() throws
}

extension OpenArchive {
    /// A part of the archive that is decoded on its own.
    package struct Part: Sendable {
        package let archive: OpenArchive
        /// The uid of the object.
        package let uid: UInt32

        package init(archive: OpenArchive, uid: UInt32) {
            self.archive = archive
            self.uid = uid
        }
    }
}

// MARK: - Decoding

extension DeferredDecodable {
    /// Returns the value of `decoder`, as `init(from:)` has to create it. With a decoder of another kind, its contents are
    /// decoded at once.
    package static func decoded(from decoder: any Decoder) throws -> Self {
        if let archive = DecodingFrame.behind(decoder) {
            return try archive.decode(Self.self, from: archive.value, at: .root)
        }
        return Self(contents: try decoder.singleValueContainer().decode(Contents.self))
    }

    static var decodingForm: any NativelyDecodable.Type { DeferredDecoding<Self>.self }
}

/// The reader of values that are decoded later.
private enum DeferredDecoding<Value: DeferredDecodable>: NativelyDecodable {
    static func read(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Value {
        return try decoder.deferred(value, at: step)
    }
}

extension DecodingFrame {
    fileprivate func deferred<Value: DeferredDecodable>(_ value: ArchivedValue, at step: CodingPathStep) throws -> Value
    {
        // nil is either a value or an error. A value inside another object, and one of a trial decoding, must be
        // decoded at once.
        guard !isNil(value), canDefer(value) else {
            try loadContents(of: value, at: step)
            return Value(contents: try decode(Value.Contents.self, from: value, at: step))
        }
        return Value(part: OpenArchive.Part(archive: session.openArchive, uid: value.uid))
    }

    private func loadContents(of value: ArchivedValue, at step: CodingPathStep) throws {
        try undamaged(archive.loadContents(of: value), at: step)
    }

    /// Whether `value` can be decoded later, on its own.
    private func canDefer(_ value: ArchivedValue) -> Bool {
        value.uid != 0 && session.top != nil
    }
}

// MARK: - Encoding

extension DeferredEncodable {
    /// Encodes the value into `encoder`, as `encode(to:)` has to. An archive gets unloaded contents as a copy; other
    /// encoders load them.
    package func encodeContents(to encoder: any Encoder) throws {
        if try unloadedPart(at: { encoder.codingPath }) != nil, !(encoder is ValueEncoder) { try load() }
        var container = encoder.singleValueContainer()
        try encoder is ValueEncoder ? container.encode(self) : container.encode(contents)
    }

    static var encodingForm: any NativelyEncodable.Type { DeferredEncoding<Self>.self }
}

/// The writer of values that may not be decoded.
private enum DeferredEncoding<Value: DeferredEncodable>: NativelyEncodable {
    static func write(
        _ value: Value, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        if let part = try encoding.copiedPart(of: value, at: step) { return part }
        return try encoding.reference(to: value.contents, at: step, inline: inline)
    }
}

extension EncodingFrame {
    /// Returns a reference to a copy of the contents of `value`, or nil if they are loaded.
    fileprivate func copiedPart(of value: some DeferredEncodable, at step: CodingPathStep) throws -> Reference? {
        guard let part = try value.unloadedPart(at: { keys(step) }) else { return nil }
        // It refers to no instance in progress.
        guard session.extras.purpose != .copy else {
            // A deep copy has its own instances.
            try value.load()
            return nil
        }
        if let updated = session.extras.updated, updated.archive === part.archive {
            return updated.reference(to: part.uid, in: graph)
        }
        return try reference(toObject: part.uid, of: part.archive, at: step)
    }

    /// Returns a reference to a copy of the object `uid` of `archive`. Referenced objects are encoded if the program
    /// has them.
    private func reference(
        toObject uid: UInt32, of archive: OpenArchive, at step: CodingPathStep
    ) throws -> Reference {
        do {
            return try session.transcription(of: archive.source).reference(to: uid) { uid in
                guard let instance = archive.instance(uid) else { return nil }
                return try reference(toInstance: instance, at: step)
            }
        } catch let error as KeyedArchiveError {
            let path = keys(step)
            throw EncodingError.invalid(path, path: path, underlying: error) {
                "The deferred value at \($1) is not loaded, and cannot be copied because its archive is damaged:"
                    + " \(error.description). Assign another value"
            }
        }
    }

    func conditionalReference(
        toObject uid: UInt32, of archive: OpenArchive, at step: CodingPathStep
    ) throws -> Reference {
        if let updated = session.extras.updated, updated.archive === archive {
            return updated.reference(to: uid, in: graph)
        }
        if session.extras.purpose == .copy { return ArchiveGraph.null }
        return session.transcription(of: archive.source).conditionalReference(to: uid)
    }

    /// Returns a reference to an instance that was decoded from an archive, or nil if it cannot be encoded.
    func reference(toInstance instance: AnyObject, at step: CodingPathStep) throws -> Reference? {
        if let encodable = instance as? any Encodable { return try reference(to: encodable, at: step, inline: false) }
        guard let coding = codingObject(instance) else { return nil }
        return try reference(to: Coded(coding), at: step, inline: false)
    }
}
