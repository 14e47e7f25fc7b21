// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A property of a `Codable` type whose values are instances of `Coding` classes.
///
/// ```swift
/// struct Desktop: Codable {
///     var name: String
///     @Coded var front: Window
///     @Coded var others: [Window]
///     @Coded var byTitle: [String: Window]
///     @Coded var menu: Menu?
/// }
/// ```
///
/// The instances are objects of the archive's graph. An instance that a `Coding` class references as well is archived
/// once and decoded as one instance. `Coded` wraps instances, arrays, sets, dictionaries and optionals of them, and
/// combinations of these. It also wraps values of protocols that `Coding` classes conform to. Those values are decoded
/// as the types that the decoder's `classes` registers under their names.
///
/// Other encoders have no graph. They write each instance as the data of an archive of its own.
@propertyWrapper
public struct Coded<Value> {
    /// The value.
    public var wrappedValue: Value

    /// Creates a wrapper around `wrappedValue`.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    package init(_ value: Value) { wrappedValue = value }
}

extension Coded: TransparentWrapper {}
extension Coded: Sendable where Value: Sendable {}
extension Coded: Equatable where Value: Equatable {}
extension Coded: Hashable where Value: Hashable {}

// MARK: - Shapes

extension Coded: CodedShape {
    static var encodingForm: any NativelyEncodable.Type { shape }
    static var decodingForm: any NativelyDecodable.Type { shape }

    static func write(
        _ value: Self, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        // The record of the type has the writer of the shape.
        try encoding.reference(to: value, at: step, inline: inline)
    }

    static func read(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Self {
        try decoder.read(shape, as: Self.self, value, at: step)
    }

    private static var shape: any CodedShape.Type {
        if let type = Value.self as? any Coding.Type { return object(type) }
        if let type = Value.self as? any CodedContainer.Type { return container(type) }
        return CodedAny<Value>.self
    }

    private static func object<Object: Coding>(_ type: Object.Type) -> any CodedShape.Type { CodedObject<Object>.self }

    private static func container<Container: CodedContainer>(_ type: Container.Type) -> any CodedShape.Type {
        CodedElements<Container>.self
    }
}

/// A container of instances that converts to a Codable container of wrappers.
private protocol CodedContainer {
    associatedtype Wrappers: Codable

    var wrappers: Wrappers { get }
    init(_ wrappers: Wrappers)
}

extension Optional: CodedContainer {
    fileprivate var wrappers: Coded<Wrapped>? { map { Coded($0) } }
    fileprivate init(_ wrappers: Coded<Wrapped>?) { self = wrappers?.wrappedValue }
}

extension Array: CodedContainer {
    fileprivate var wrappers: [Coded<Element>] { map { Coded($0) } }
    fileprivate init(_ wrappers: [Coded<Element>]) { self = wrappers.map(\.wrappedValue) }
}

extension Set: CodedContainer {
    fileprivate var wrappers: Set<Coded<Element>> { Set<Coded<Element>>(map { Coded($0) }) }
    fileprivate init(_ wrappers: Set<Coded<Element>>) { self = Self(wrappers.map(\.wrappedValue)) }
}

extension Dictionary: CodedContainer where Key: Codable {
    fileprivate var wrappers: [Key: Coded<Value>] { mapValues { Coded($0) } }
    fileprivate init(_ wrappers: [Key: Coded<Value>]) { self = wrappers.mapValues(\.wrappedValue) }
}

// MARK: - In archives

private enum CodedObject<Object: Coding>: CodedShape {
    static func write(
        _ value: Coded<Object>, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        try encoding.session.archiver.reference(to: value.wrappedValue) { encoding.pathIndex(step) }
    }

    static func read(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Coded<Object> {
        Coded(
            Reinterpretation.instance(
                try decoder.instance(decoder.session.type(coding: Object.self), value, at: step), as: Object.self))
    }

    static func isUnknown(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Bool {
        try decoder.isUnknownObject(decoder.session.type(coding: Object.self), value, step)
    }
}

private enum CodedElements<Container: CodedContainer>: CodedShape {
    static func write(
        _ value: Coded<Container>, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        try encoding.reference(to: value.wrappedValue.wrappers, at: step, inline: inline)
    }

    static func read(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Coded<Container> {
        Coded(Container(try decoder.decodeWhole(Container.Wrappers.self, from: value, at: step)))
    }
}

private enum CodedAny<Value>: CodedShape {
    static func write(
        _ value: Coded<Value>, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        guard let object = codingObject(value.wrappedValue) else {
            throw EncodingError.notEncodable(value.wrappedValue, path: encoding.keys(step))
        }
        return try encoding.reference(toCoding: object, at: step)
    }

    static func read(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Coded<Value> {
        Coded(try decoder.polymorphicValue(value, as: Value.self, at: step))
    }

    static func isUnknown(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Bool {
        try decoder.isUnregistered(value, at: step)
    }
}

// MARK: - Codable

extension Coded: Encodable {
    /// Encodes the instances into the graph of an archive, or as data with another encoder.
    ///
    /// - Throws: Errors of `encode(with:)`, and `EncodingError.invalidValue` if a value is not an instance of a
    ///   `Coding` class.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if encoder is ValueEncoder { return try container.encode(self) }
        if let elements = wrappedValue as? any CodedContainer { return try container.encode(elements.wrappers) }
        guard let object = codingObject(wrappedValue) else {
            throw EncodingError.notEncodable(wrappedValue, path: encoder.codingPath)
        }
        do {
            try container.encode(KeyedArchiver.archivedData(withRootObject: object))
        } catch {
            throw EncodingError.converted(error, object)
        }
    }
}

extension Coded: Decodable {
    /// Decodes the instances from the graph of an archive, or from data with another decoder.
    ///
    /// - Throws: Errors of `init(coder:)`, and `DecodingError` if the value has another type or its class is not
    ///   allowed.
    public init(from decoder: any Decoder) throws {
        if let own = try Self(inArchive: decoder) {
            self = own
            return
        }
        if let container = Value.self as? any CodedContainer.Type {
            wrappedValue = try Self.elements(container, from: decoder)
            return
        }
        let classes = ClassRegistry(in: decoder.userInfo)
        let type = Value.self as? any Coding.Type
        let data = try decoder.singleValueContainer().decode(Data.self)
        let types: [any Any.Type] =
            type.map { [$0] } ?? classes.types.filter { ProtocolConformance.mayBe($0, a: Value.self) }
        let decoded: Any?
        do {
            decoded = try KeyedUnarchiver.unarchivedObject(of: types, from: data, classes: classes)
        } catch {
            throw DecodingError.converted(error)
        }
        guard let object = decoded as? Value else {
            throw DecodingError.notRegistered("the data", as: Value.self, path: decoder.codingPath)
        }
        wrappedValue = object
    }

    private static func elements<Container: CodedContainer>(
        _ type: Container.Type, from decoder: any Decoder
    ) throws -> Value {
        Reinterpretation.same(Container(try decoder.singleValueContainer().decode(Container.Wrappers.self)))
    }
}

// MARK: - Keyed containers

extension KeyedDecodingContainer {
    /// Decodes an instance. The value is nil if the key is absent.
    ///
    /// - Throws: Errors of the wrapper's `init(from:)`.
    public func decode<Value>(_ type: Coded<Value?>.Type, forKey key: Key) throws -> Coded<Value?> {
        try decodeIfPresent(type, forKey: key) ?? Coded(nil)
    }
}

extension KeyedEncodingContainer {
    /// Encodes an instance. A nil value writes no key.
    ///
    /// - Throws: Errors of the wrapper's `encode(to:)`.
    public mutating func encode<Value>(_ value: Coded<Value?>, forKey key: Key) throws {
        if value.wrappedValue != nil { try encodeValue(value, forKey: key) }
    }
}

/// A property wrapper with the value as its only stored property, which is coded in place of it.
protocol TransparentWrapper: FilledLater {
    associatedtype Wrapped

    init(wrappedValue: Wrapped)
    var wrappedValue: Wrapped { get }
}

// MARK: - Archives

extension NativelyDecodable where Self: Decodable, Decoded == Self {
    /// Creates the value that `decoder` decodes from an archive; nil if it is another decoder.
    init?(inArchive decoder: any Decoder) throws {
        guard let archive = DecodingFrame.behind(decoder) else { return nil }
        self = try archive.decode(Self.self, from: archive.value, at: .root)
    }
}

// MARK: - Keyed containers

// The generic types select the general overloads, so that the overloads for wrappers do not recurse.

extension KeyedDecodingContainer {
    package func decodeValue<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decode(type, forKey: key)
    }
}

extension KeyedEncodingContainer {
    package mutating func encodeValue(_ value: some Encodable, forKey key: Key) throws {
        try encode(value, forKey: key)
    }
}
