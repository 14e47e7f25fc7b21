// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Decoding

extension Deferred: Decodable where Value: Decodable & Emptiable {
    /// Creates an unloaded property from an archive. With another decoder, the value is decoded at once.
    ///
    /// - Throws: Errors of the decoder.
    public init(from decoder: any Decoder) throws {
        self = try Self.decoded(from: decoder)
    }
}

extension Deferred: FrameDecodable, DeferredDecodable, PartDecodable where Value: Decodable & Emptiable {
    package init(contents: Value) { self.init(wrappedValue: contents) }

    package init(part: OpenArchive.Part) {
        self.init(
            DeferredPart(part) { part in
                try part.archive.decode(Value.self, part.uid, ifSkipped: Value())
            } isUnchanged: { part, value in
                guard let value = value as? any Encodable else { return false }
                return try part.archive.isUnchanged(value, since: part.uid)
            }, empty: Value())
    }
}

// MARK: - Encoding

extension Deferred: Encodable where Value: Encodable {
    /// Encodes the value in place of the property. An archive gets an unloaded value as a copy; other encoders load it.
    ///
    /// - Throws: Errors of the encoder and of ``load()``. ``ArchiveDocumentError`` if the program has modified the property
    ///   although it could not be read.
    public func encode(to encoder: any Encoder) throws {
        try encodeContents(to: encoder)
    }
}

extension Deferred: FrameEncodable, PartEncodable where Value: Encodable {}

extension Deferred {
    package var contents: Value { wrappedValue }

    package func unloadedPart(at path: () -> [any CodingKey]) throws -> OpenArchive.Part? {
        if isModifiedUnread { throw ArchiveDocumentError(.unreadablePartModified, KeyedArchive.Path(path())) }
        return unloadedPart
    }
}

// MARK: - Keyed containers

extension KeyedDecodingContainer {
    /// Decodes a deferred property. It holds nil if the key is absent and the type has a nil value.
    ///
    /// - Throws: Errors of the property's `init(from:)`.
    public func decode<Value: Decodable & Emptiable>(
        _ type: Deferred<Value>.Type, forKey key: Key
    ) throws -> Deferred<Value> {
        let canBeAbsent = Value.self is any ExpressibleByNilLiteral.Type
        if canBeAbsent, !contains(key) { return Deferred(wrappedValue: Value()) }
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

// MARK: - Declared fields

extension Deferred: AbsentValue where Value: AbsentValue & Emptiable {
    package static var absent: Deferred { Deferred(wrappedValue: Value.absent) }
    package var isAbsent: Bool { isLoaded && wrappedValue.isAbsent }
}

// MARK: - Coding classes

extension KeyedUnarchiver {
    /// Returns the value for a key as a property that is decoded when it is read.
    ///
    /// ```swift
    /// _pages = try coder.decodeDeferred([Page].self, forKey: "pages")
    /// _cover = try coder.decodeDeferred(Page?.self, forKey: "cover")
    /// ```
    ///
    /// - Throws: `ArchivingError.Code.valueNotFound` if the key is absent, or holds nil and the type has no nil
    ///   value.
    public func decodeDeferred<Value: Decodable & Emptiable>(
        _ type: Value.Type, forKey name: String
    ) throws -> Deferred<Value> {
        let canBeAbsent = Value.self is any ExpressibleByNilLiteral.Type
        if canBeAbsent, !containsValue(forKey: name) { return Deferred(wrappedValue: Value()) }
        return try decode(Deferred<Value>.self, forKey: name)
    }

    /// Returns the instance, or the collection of instances, for a key as a property that is decoded when it is read.
    ///
    /// - Throws: As for a `Codable` value.
    @_disfavoredOverload
    public func decodeDeferred<Value: ArchivableValue & Emptiable>(
        _ type: Value.Type, forKey name: String
    ) throws -> Deferred<Value> {
        if let coded = try decodeIfPresent(DeferredCoded<Value>.self, forKey: name) { return coded.property }
        let canBeAbsent = Value.self is any ExpressibleByNilLiteral.Type
        return Deferred(wrappedValue: canBeAbsent ? Value() : try decode(type, forKey: name))
    }
}

extension KeyedArchiver {
    /// Encodes a deferred property. An unloaded value is copied from its archive.
    ///
    /// ```swift
    /// try coder.encodeDeferred($pages, forKey: "pages")
    /// ```
    ///
    /// - Throws: The errors of `encode(_:forKey:)`.
    public func encodeDeferred<Value: Encodable>(_ property: Deferred<Value>, forKey name: String) throws {
        try encode(property, forKey: name)
    }

    /// Encodes a deferred property that holds an instance, or a collection of instances.
    ///
    /// - Throws: The errors of `encode(_:forKey:)`.
    @_disfavoredOverload
    public func encodeDeferred<Value: ArchivableValue & Emptiable>(
        _ property: Deferred<Value>, forKey name: String
    ) throws {
        try encode(DeferredCoded(property), forKey: name)
    }
}

/// A deferred property with instances of `Coding` classes, as a Codable value.
private struct DeferredCoded<Value: Emptiable>: Codable {
    let property: Deferred<Value>

    init(_ property: Deferred<Value>) {
        self.property = property
    }

    init(from decoder: any Decoder) throws {
        self = try Self.decoded(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        try encodeContents(to: encoder)
    }
}

extension DeferredCoded: PartDecodable, PartEncodable {
    init(contents: Coded<Value>) { property = Deferred(wrappedValue: contents.wrappedValue) }

    init(part: OpenArchive.Part) {
        property = Deferred(
            DeferredPart(part) { part in
                try part.archive.decode(Coded<Value>.self, part.uid, ifSkipped: Coded(Value())).wrappedValue
            } isUnchanged: { part, value in
                try part.archive.isUnchanged(Coded(value), since: part.uid)
            }, empty: Value())
    }

    var contents: Coded<Value> { Coded(property.wrappedValue) }

    func load() throws { try property.load() }

    func unloadedPart(at path: () -> [any CodingKey]) throws -> OpenArchive.Part? {
        try property.unloadedPart(at: path)
    }
}

// MARK: - Comparing

extension OpenArchive {
    /// Returns whether `value`, decoded from the object `uid`, and all its instances are encoded as in the archive.
    fileprivate func isUnchanged(_ value: some Encodable, since uid: UInt32) throws -> Bool {
        var encoder = ArchiveEncoder()
        encoder.classes = classes
        encoder.userInfo = userInfo
        let graph = try DocumentGraph(of: value, encoder, updating: self, isPart: true)
        let instances = Dictionary(
            (graph.objects.added + graph.objects.conditional).map { ($0.uid, $0.object) },
            uniquingKeysWith: { first, _ in first })
        var comparison = ArchiveComparison(
            of: graph.objects.archive.contents, to: source.contents, graph.counterparts, keeping: graph.kept
        ) {
            guard let instance = instances[$0] else { return false }
            return self.instance($1) === instance
        }
        return comparison.isUnchanged(since: uid)
    }
}
