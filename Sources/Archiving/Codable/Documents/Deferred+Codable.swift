#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Decoding

extension Deferred: Decodable where Value: Decodable & DeferredContent {
    /// Creates an unloaded property from an archive. With another decoder, the value is decoded at once.
    ///
    /// - Throws: Errors of the decoder.
    public init(from decoder: any Decoder) throws {
        if let archive = decoder as? ArchiveDecoding {
            self = try archive.decode(Self.self, from: archive.value, at: .root)
        } else {
            self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
        }
    }
}

extension Deferred: NativelyDecodable where Value: Decodable & DeferredContent {
    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws {
        address.initializeMemory(as: Self.self, to: try decoder.deferred(value, at: step))
    }
}

/// A type whose values may be read after they are decoded.
protocol ReadLater {}

extension Deferred: ReadLater {}

extension ArchiveDecoding {
    fileprivate func deferred<Value: Decodable & DeferredContent>(
        _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> Deferred<Value> {
        // nil is either a value or an error. A value inside another object, and one of a trial decoding, must be
        // decoded at once.
        guard !isNil(value), canDefer(value) else {
            try loadContents(of: value, at: step)
            return Deferred(wrappedValue: try decode(Value.self, from: value, at: step))
        }
        return Deferred(
            DeferredPart(of: session.openArchive, uid: value.uid) { archive, uid in
                try archive.decode(Value.self, uid, ifSkipped: Value.emptyContent)
            } isUnchanged: { archive, uid, value in
                guard let value = value as? any Encodable else { return false }
                return try archive.isUnchanged(value, since: uid)
            }, empty: Value.emptyContent)
    }

    fileprivate func loadContents(of value: ArchivedValue, at step: CodingPathStep) throws {
        do throws(KeyedArchiveError) {
            try archive.loadContents(of: value)
        } catch {
            throw damaged(error, step)
        }
    }

    /// Whether `value` can be decoded later, on its own.
    fileprivate func canDefer(_ value: ArchivedValue) -> Bool {
        value.uid != 0 && core.pointee.top != nil && !core.pointee.state.pointee.hashed.isTrial
    }
}

// MARK: - Encoding

extension Deferred: Encodable where Value: Encodable {
    /// Encodes the value in place of the property. An archive gets an unloaded value as a copy; other encoders load it.
    ///
    /// - Throws: Errors of the encoder and of ``load()``. ``DeferredError`` if the program has modified the property
    ///   although it could not be read.
    public func encode(to encoder: any Encoder) throws {
        if isModifiedUnread { throw DeferredError(.unreadablePartModified, KeyedArchive.Path(encoder.codingPath)) }
        if !(encoder is ArchiveEncoding) { try load() }
        var container = encoder.singleValueContainer()
        try encoder is ArchiveEncoding ? container.encode(self) : container.encode(wrappedValue)
    }
}

extension Deferred: NativelyEncodable where Value: Encodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        let property = address.assumingMemoryBound(to: Self.self).pointee
        if let part = try encoder.copiedPart(of: property, at: step) { return part }
        return try encoder.reference(to: property.wrappedValue, at: step, inline: inline)
    }
}

extension ArchiveEncoding {
    /// Returns a reference to a copy of the value of `property`, or nil if it is loaded.
    fileprivate func copiedPart<Value>(of property: Deferred<Value>, at step: CodingPathStep) throws -> Reference? {
        if property.isModifiedUnread {
            throw DeferredError(.unreadablePartModified, KeyedArchive.Path(keys(step)))
        }
        guard let part = property.unloadedPart else { return nil }
        // It refers to no instance in progress.
        if core.pointee.state.pointee.purpose == .comparison { return ArchiveGraph.null }
        guard core.pointee.state.pointee.purpose != .copy else {
            // A deep copy has its own instances.
            _ = try part.load()
            return nil
        }
        if let updated = core.pointee.state.pointee.updated, updated.archive === part.archive {
            return updated.reference(to: part.uid, in: &graph.pointee)
        }
        return try reference(toObject: part.uid, of: part.archive, at: step)
    }

    /// Returns a reference to a copy of the object `uid` of `archive`. Referenced objects are encoded if the program
    /// has them.
    fileprivate func reference(
        toObject uid: UInt32, of archive: OpenArchive, at step: CodingPathStep
    ) throws -> Reference {
        do {
            return try transcription(of: archive).reference(to: uid) { uid in
                guard let instance = archive.instance(uid) else { return nil }
                return try reference(toInstance: instance, at: step)
            }
        } catch let error as KeyedArchiveError {
            throw CodableErrors.notCopied(error, path: keys(step))
        }
    }

    /// Returns a conditional reference to the object `uid` of `archive`, of which the program has no instance.
    func conditionalReference(
        toObject uid: UInt32, of archive: OpenArchive, at step: CodingPathStep
    ) throws -> Reference {
        if let updated = core.pointee.state.pointee.updated, updated.archive === archive {
            return updated.reference(to: uid, in: &graph.pointee)
        }
        return switch core.pointee.state.pointee.purpose {
        case .storage: transcription(of: archive).conditionalReference(to: uid)
        case .copy, .comparison: ArchiveGraph.null
        }
    }

    fileprivate func transcription(of archive: OpenArchive) -> ArchiveTranscription {
        let graph = graph
        return graph.pointee.transcription(of: archive.source) { ArchiveTranscription(archive.source, into: graph) }
    }

    /// Returns a reference to an instance that was decoded from an archive, or nil if it cannot be encoded.
    func reference(toInstance instance: AnyObject, at step: CodingPathStep) throws -> Reference? {
        if let encodable = instance as? any Encodable { return try reference(to: encodable, at: step, inline: false) }
        guard let coding = codingObject(instance) else { return nil }
        return try reference(to: Coded(coding), at: step, inline: false)
    }
}

// MARK: - Keyed containers

extension KeyedDecodingContainer {
    /// Decodes a deferred property. It holds nil if the key is absent and the type has a nil value.
    ///
    /// - Throws: Errors of the property's `init(from:)`.
    public func decode<Value: Decodable & DeferredContent>(
        _ type: Deferred<Value>.Type, forKey key: Key
    ) throws -> Deferred<Value> {
        let canBeAbsent = Value.self is any ExpressibleByNilLiteral.Type
        if canBeAbsent, !contains(key) { return Deferred(wrappedValue: Value.emptyContent) }
        return try decodeValue(type, forKey: key)
    }
}

extension KeyedEncodingContainer {
    /// Encodes a deferred property. A property with nil writes no key, like an optional.
    ///
    /// - Throws: Errors of the property's `encode(to:)`.
    public mutating func encode<Wrapped: Encodable>(_ property: Deferred<Wrapped?>, forKey key: Key) throws {
        if property.isLoaded, property.wrappedValue == nil { return }
        try encodeValue(property, forKey: key)
    }
}

// MARK: - Coding classes

extension KeyedUnarchiver {
    /// Returns the value for a key as a property that is decoded when it is read.
    ///
    /// - Throws: `UnarchivingError.Code.valueNotFound` if the key is absent, or holds nil and the type has no nil
    ///   value.
    public func decodeDeferred<Value: Decodable & DeferredContent>(
        _ type: Value.Type, forKey name: String
    ) throws -> Deferred<Value> {
        let canBeAbsent = Value.self is any ExpressibleByNilLiteral.Type
        if canBeAbsent, !containsValue(forKey: name) { return Deferred(wrappedValue: Value.emptyContent) }
        return try decode(Deferred<Value>.self, forKey: name)
    }

    /// Returns the instance for a key as a property that is decoded when it is read. It holds nil if the key is absent.
    ///
    /// - Throws: `UnarchivingError` if the archive is damaged.
    public func decodeDeferred<Object: Coding>(_ type: Object.Type, forKey name: String) throws -> Deferred<Object?> {
        try decodeCodedIfPresent(Object?.self, forKey: name) ?? Deferred(wrappedValue: nil)
    }

    /// Returns the array of instances for a key as a property that is decoded when it is read.
    ///
    /// - Throws: `UnarchivingError.Code.valueNotFound` if the key is absent or holds nil.
    public func decodeDeferred<Object: Coding>(_ type: [Object].Type, forKey name: String) throws -> Deferred<[Object]>
    {
        try decodeCodedIfPresent(type, forKey: name) ?? Deferred(wrappedValue: try decode(type, forKey: name))
    }

    /// Returns the dictionary of instances for a key as a property that is decoded when it is read.
    ///
    /// - Throws: `UnarchivingError.Code.valueNotFound` if the key is absent or holds nil.
    public func decodeDeferred<Object: Coding>(
        _ type: [String: Object].Type, forKey name: String
    ) throws -> Deferred<[String: Object]> {
        try decodeCodedIfPresent(type, forKey: name) ?? Deferred(wrappedValue: try decode(type, forKey: name))
    }

    private func decodeCodedIfPresent<Value: DeferredContent>(
        _ type: Value.Type, forKey name: String
    ) throws -> Deferred<Value>? {
        try decodeIfPresent(DeferredCoded<Value>.self, forKey: name)?.property
    }
}

extension KeyedArchiver {
    /// Encodes a deferred property. An unloaded value is copied from its archive.
    ///
    /// - Throws: The errors of `encode(_:forKey:)`.
    @_disfavoredOverload
    public func encodeDeferred<Value: Encodable>(_ property: Deferred<Value>, forKey name: String) throws {
        try encode(property, forKey: name)
    }

    /// Encodes a deferred property that holds an instance or nil.
    ///
    /// - Throws: The errors of `encode(_:forKey:)`.
    public func encodeDeferred<Object: Coding>(_ property: Deferred<Object?>, forKey name: String) throws {
        try encode(DeferredCoded(property), forKey: name)
    }

    /// Encodes a deferred property that holds an array of instances.
    ///
    /// - Throws: The errors of `encode(_:forKey:)`.
    public func encodeDeferred<Object: Coding>(_ property: Deferred<[Object]>, forKey name: String) throws {
        try encode(DeferredCoded(property), forKey: name)
    }

    /// Encodes a deferred property that holds a dictionary of instances.
    ///
    /// - Throws: The errors of `encode(_:forKey:)`.
    public func encodeDeferred<Object: Coding>(_ property: Deferred<[String: Object]>, forKey name: String) throws {
        try encode(DeferredCoded(property), forKey: name)
    }
}

/// A deferred property with instances of `Coding` classes, as a Codable value.
private struct DeferredCoded<Value: DeferredContent>: Codable, NativelyEncodable, NativelyDecodable {
    let property: Deferred<Value>

    init(_ property: Deferred<Value>) {
        self.property = property
    }

    init(from decoder: any Decoder) throws {
        property = Deferred(wrappedValue: try decoder.singleValueContainer().decode(Coded<Value>.self).wrappedValue)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Coded(property.wrappedValue))
    }

    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        let property = address.assumingMemoryBound(to: Self.self).pointee.property
        if let part = try encoder.copiedPart(of: property, at: step) { return part }
        return try encoder.reference(to: Coded(property.wrappedValue), at: step, inline: inline)
    }

    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws {
        let property: Deferred<Value>
        if decoder.canDefer(value) {
            property = Deferred(
                DeferredPart(of: decoder.session.openArchive, uid: value.uid) { archive, uid in
                    try archive.decode(Coded<Value>.self, uid, ifSkipped: Coded(Value.emptyContent)).wrappedValue
                } isUnchanged: { archive, uid, value in
                    try archive.isUnchanged(Coded(value), since: uid)
                }, empty: Value.emptyContent)
        } else {
            property = Deferred(
                wrappedValue: try decoder.decode(Coded<Value>.self, from: value, at: step).wrappedValue)
        }
        address.initializeMemory(as: Self.self, to: DeferredCoded(property))
    }
}

// MARK: - Comparing

extension OpenArchive {
    /// Returns whether `value`, decoded from the object `uid`, and all its instances are encoded as in the archive.
    fileprivate func isUnchanged(_ value: some Encodable, since uid: UInt32) throws -> Bool {
        var encoder = ArchiveEncoder()
        encoder.classes = settings.classes
        encoder.userInfo = userInfo
        let graph = try DocumentGraph(of: value, encoder, updating: self, isPart: true)
        let instances = Dictionary(
            (graph.added + graph.conditional).map { ($0.uid, $0.object) }, uniquingKeysWith: { first, _ in first })
        let comparison = ArchiveComparison(of: graph.archive.contents, to: source.contents, graph.counterparts) {
            guard let instance = instances[$0] else { return false }
            return self.instance($1) === instance
        }
        return comparison.isUnchanged(since: uid)
    }
}
