#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A property of a `Codable` type that refers to instances of `Coding` classes.
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
/// The instances are objects of the same graph as everything else in the archive: one that a `Coding` class refers to as
/// well is archived once, and comes back as one. Arrays, sets, dictionaries and optionals of instances can be wrapped, and
/// those of each other, and also values of protocols that `Coding` classes conform to: those come back as what is
/// registered in the decoder's `classes` under their names.
///
/// Other encoders, which have no graph, write each instance as the data of an archive of its own.
@propertyWrapper
public struct Coded<Value> {
    /// The value.
    public var wrappedValue: Value

    /// A wrapper around `wrappedValue`.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// A wrapper around `value`.
    public init(_ value: Value) {
        wrappedValue = value
    }
}

extension Coded: Sendable where Value: Sendable {}
extension Coded: Equatable where Value: Equatable {}
extension Coded: Hashable where Value: Hashable {}

// MARK: - Shapes

/// What writes and reads the values of a wrapper, which lie in memory as the wrapper does.
typealias CodedShape = NativelyEncodable & NativelyDecodable

extension Coded: CodedShape {
    static var encodingForm: any NativelyEncodable.Type { shape }
    static var decodingForm: any NativelyDecodable.Type { shape }

    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        try shape.write(valueAt: address, in: encoder, at: step, inline: inline)
    }

    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws {
        try shape.read(value, in: decoder, at: step, into: address)
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

/// A container of instances, as one of wrappers that can be encoded and decoded.
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

/// An instance of a class that is known.
private enum CodedObject<Object: Coding>: CodedShape {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        let object = address.load(as: UnsafeRawPointer.self)
        let writer = encoder.core.pointee.codingWriter(of: Object.self as any Coding.Type)
        return try writer._withUnsafeGuaranteedRef { try $0.reference(to: object) { encoder.pathIndex(step) } }
    }

    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws {
        let object = try decoder.instance(ofCoding: Object.self, value, at: step)
        address.initializeMemory(
            as: Object.self, to: Unmanaged<Object>.fromOpaque(object).takeUnretainedValue())
    }
}

extension CodedObject: SkippableValue {
    static func isUnknown(_ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep) throws -> Bool {
        try decoder.isUnknown(coding: Object.self, value, at: step)
    }
}

/// A container of instances.
private enum CodedElements<Container: CodedContainer>: CodedShape {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        let wrappers = address.assumingMemoryBound(to: Container.self).pointee.wrappers
        return try encoder.reference(to: wrappers, at: step, inline: inline)
    }

    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws {
        let wrappers = try decoder.decode(Container.Wrappers.self, from: value, at: step)
        address.initializeMemory(as: Container.self, to: Container(wrappers))
    }
}

/// A value of a protocol.
private enum CodedAny<Value>: CodedShape {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        let value = address.assumingMemoryBound(to: Value.self).pointee
        guard let object = codingObject(value) else {
            throw CodableErrors.notEncodable(value, path: encoder.keys(step))
        }
        return try encoder.reference(toCoding: object, at: step)
    }

    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws {
        let result = try decoder.polymorphicValue(value, as: Value.self, at: step)
        address.initializeMemory(as: Value.self, to: result)
    }
}

extension CodedAny: SkippableValue {
    static func isUnknown(_ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep) throws -> Bool {
        try decoder.isUnregistered(value, at: step)
    }
}

// MARK: - Codable

extension Coded: Encodable {
    /// Encodes the instances into the graph of an archive, or with another encoder as data.
    ///
    /// - Throws: What `encode(with:)` throws; `EncodingError.invalidValue` where a value is no instance of a `Coding`
    ///   class.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if encoder is ArchiveEncoding { return try container.encode(self) }
        if let elements = wrappedValue as? any CodedContainer { return try container.encode(elements.wrappers) }
        guard let object = codingObject(wrappedValue) else {
            throw CodableErrors.notEncodable(wrappedValue, path: encoder.codingPath)
        }
        do {
            try container.encode(KeyedArchiver.archivedData(withRootObject: object))
        } catch {
            throw CodableErrors.encodingError(error, object)
        }
    }
}

extension Coded: Decodable {
    /// Finds the instances in the graph of an archive, or with another decoder in data.
    ///
    /// - Throws: What `init(coder:)` throws; `DecodingError` where something else is there, or a class that is not allowed.
    public init(from decoder: any Decoder) throws {
        if let archive = decoder as? ArchiveDecoding {
            self = try archive.decode(Self.self, from: archive.value, at: .root)
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
        } catch let error as UnarchivingError {
            throw CodableErrors.decodingError(error, as: Value.self)
        }
        guard let object = decoded as? Value else {
            throw CodableErrors.notRegistered("the data", as: Value.self, path: decoder.codingPath)
        }
        wrappedValue = object
    }

    private static func elements<Container: CodedContainer>(
        _ type: Container.Type, from decoder: any Decoder
    ) throws -> Value {
        let wrappers = try decoder.singleValueContainer().decode(Container.Wrappers.self)
        return withUnsafePointer(to: Container(wrappers)) {
            UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee
        }
    }
}

// MARK: - Cycles

extension Coded: DeferrableValue {
    static var canBeDeferred: Bool { (Value.self as? any DeferrableValue.Type)?.canBeDeferred ?? false }

    // The wrapper lies in memory as the value in it.
    static func initializePlaceholder(at address: UnsafeMutableRawPointer) -> AnyObject? {
        (Value.self as? any DeferrableValue.Type)?.initializePlaceholder(at: address)
    }

    static func isPlaceholder(at address: UnsafeRawPointer) -> Bool {
        (Value.self as? any DeferrableValue.Type)?.isPlaceholder(at: address) ?? false
    }
}

// MARK: - Keyed containers

extension KeyedDecodingContainer {
    /// Finds an instance; nil where the key is not there.
    ///
    /// - Throws: As `init(from:)` of the wrapper.
    public func decode<Value>(_ type: Coded<Value?>.Type, forKey key: Key) throws -> Coded<Value?> {
        try decodeIfPresent(type, forKey: key) ?? Coded(nil)
    }
}

extension KeyedEncodingContainer {
    /// Encodes an instance; nothing at all for nil.
    ///
    /// - Throws: As `encode(to:)` of the wrapper.
    public mutating func encode<Value>(_ value: Coded<Value?>, forKey key: Key) throws {
        if value.wrappedValue != nil { try encodeValue(value, forKey: key) }
    }
}
