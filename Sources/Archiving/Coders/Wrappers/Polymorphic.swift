// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A property of a protocol type, whose values have types that the archive names.
///
/// ```swift
/// protocol Shape: Codable { var area: Double { get } }
///
/// struct Drawing: Codable {
///     @Polymorphic var background: any Shape
///     @Polymorphic var shapes: [any Shape]
///     @Polymorphic var byName: [String: any Shape]
/// }
///
/// var decoder = ArchiveDecoder()
/// decoder.classes.register(Circle.self, name: "Circle")
/// decoder.classes.register(Square.self, name: "Square")
/// let drawing = try decoder.decode(Drawing.self, from: data)
/// ```
///
/// The values can be structs, enums and class instances. The encoder writes each under its name in the encoder's
/// `classes`. The decoder looks that name up only in its own `classes`; an unregistered name is an error. It creates the value of the
/// registered type, and then refuses it if it does not conform to the protocol. `Polymorphic` also wraps arrays, dictionaries and optionals of such values, and combinations of these.
///
/// To encode or decode a root object of a protocol type, use `Polymorphic<any Shape>` itself. A superclass, as in
/// `[Animal]`, needs no wrapper.
///
/// Other encoders write the name beside the value, under `class` and `value`. Other decoders look the name up in the
/// `ClassRegistry` in their `userInfo` under `ClassRegistry.userInfoKey`.
@propertyWrapper
public struct Polymorphic<Value> {
    /// The value.
    public var wrappedValue: Value

    /// Creates a wrapper around `wrappedValue`.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    init(_ value: Value) { wrappedValue = value }
}

extension Polymorphic: TransparentWrapper {}

extension Polymorphic: Emptiable where Value: Emptiable {
    /// Creates a wrapper around the empty value.
    public init() { self.init(Value()) }
}

extension Polymorphic: Sendable where Value: Sendable {}
extension Polymorphic: Equatable where Value: Equatable {}
extension Polymorphic: Hashable where Value: Hashable {}

extension ClassRegistry {
    /// The `userInfo` key of the `ClassRegistry` in which other encoders and decoders look up the names of polymorphic
    /// values.
    public static let userInfoKey = userInfoKeyNamed("Archiving.ClassRegistry")

    private static func userInfoKeyNamed(_ name: String) -> CodingUserInfoKey {
        guard let key = CodingUserInfoKey(rawValue: name) else { preconditionFailure("\(name) is no valid key") }
        return key
    }

    init(in userInfo: [CodingUserInfoKey: Any]) {
        self = userInfo[Self.userInfoKey] as? ClassRegistry ?? ClassRegistry()
    }
}

// MARK: - Containers

/// A container of polymorphic values that converts to a Codable container of wrappers.
private protocol PolymorphicContainer {
    associatedtype Wrappers: Codable

    var wrappers: Wrappers { get }
    init(_ wrappers: Wrappers)
}

extension Optional: PolymorphicContainer {
    fileprivate var wrappers: Polymorphic<Wrapped>? { map { Polymorphic($0) } }
    fileprivate init(_ wrappers: Polymorphic<Wrapped>?) { self = wrappers?.wrappedValue }
}

extension Array: PolymorphicContainer {
    fileprivate var wrappers: [Polymorphic<Element>] { map { Polymorphic($0) } }
    fileprivate init(_ wrappers: [Polymorphic<Element>]) { self = wrappers.map(\.wrappedValue) }
}

extension Dictionary: PolymorphicContainer where Key: Codable {
    fileprivate var wrappers: [Key: Polymorphic<Value>] { mapValues { Polymorphic($0) } }
    fileprivate init(_ wrappers: [Key: Polymorphic<Value>]) { self = wrappers.mapValues(\.wrappedValue) }
}

// MARK: - Encoding

extension Polymorphic: Encodable {
    /// Encodes the value with the name of its type.
    ///
    /// - Throws: `EncodingError.invalidValue` if the value is not `Encodable`.
    public func encode(to encoder: any Encoder) throws {
        if encoder is ValueEncoder {
            var container = encoder.singleValueContainer()
            return try container.encode(self)
        }
        if let value = Self.whole(wrappedValue) { return try value.encode(to: encoder) }
        guard let value = wrappedValue as? any Encodable else {
            throw EncodingError.notEncodable(wrappedValue, as: Value.self, path: encoder.codingPath)
        }
        var container = encoder.container(keyedBy: PolymorphicKeys.self)
        try container.encode(ClassRegistry(in: encoder.userInfo).name(for: type(of: value)), forKey: .class)
        try container.encode(value, forKey: .value)
    }

    /// Returns the form of `value` if it needs no name of its own: a container of wrappers, or a value whose type is
    /// known. Returns `nil` for a value that needs a name.
    fileprivate static func whole(_ value: Value) -> (any Encodable)? {
        if Value.self is any Encodable.Type { return value as? any Encodable }
        guard let container = Value.self as? any PolymorphicContainer.Type else { return nil }
        return wrappers(container, of: value)
    }

    private static func wrappers<Container: PolymorphicContainer>(
        _ type: Container.Type, of value: Value
    ) -> any Encodable {
        Reinterpretation.same(value, as: type).wrappers
    }
}

private enum PolymorphicKeys: String, CodingKey {
    case `class`, value
}

extension Polymorphic: NativelyEncodable {
    static func write(
        _ value: Self, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        let value = value.wrappedValue
        if let whole = whole(value) { return try encoding.reference(to: whole, at: step, inline: inline) }
        if let object = codingObject(value) { return try encoding.reference(toCoding: object, at: step) }
        guard let encodable = value as? any Encodable else {
            throw EncodingError.notEncodable(value, as: Value.self, path: encoding.keys(step))
        }
        return try encoding.objectReference(to: encodable, at: step)
    }
}

extension EncodingFrame {
    /// Encodes `value` as an object with the class of its type, even if the type has another form elsewhere.
    func objectReference<Value: Encodable>(to value: Value, at step: CodingPathStep) throws -> Reference {
        let type = session.type(Value.self)
        switch type.kind {
        case .instance, .coding: return try reference(to: value, type: type, at: step, inline: false)
        case .once: return try referenceOnce(to: value, type: type, at: step)
        case .value: return try encodeObject(type, at: step) { try value.encode(to: $0) }
        case .native:
            let graph = graph
            let slot = graph.reserveSlot()
            let contents = try reference(to: value, type: type, at: step, inline: true)
            // The key before the class entry, as in an object of another kind.
            graph.fill(
                slot, key: graph.key("$0"), value: contents, classUID: type.classUID(in: graph))
            return slot.uid
        }
    }
}

// MARK: - Decoding

extension Polymorphic: Decodable {
    /// Decodes a value of the type that is registered under the name beside it.
    ///
    /// - Throws: `DecodingError.typeMismatch` if the name is not registered, or if its type is not a `Value`.
    public init(from decoder: any Decoder) throws {
        if let own = try Self(inArchive: decoder) {
            self = own
            return
        }
        if let value = try Self.whole({ try $0.init(from: decoder) }) {
            wrappedValue = value
            return
        }
        let container = try decoder.container(keyedBy: PolymorphicKeys.self)
        let name = try container.decode(String.self, forKey: .class)
        let known = ClassRegistry(in: decoder.userInfo).type(named: name)
        if let known, !(known is any Decodable.Type) {
            throw DecodingError.notDecodable(known, as: Value.self, path: decoder.codingPath)
        }
        guard let type = known as? any Decodable.Type, ProtocolConformance.mayBe(type, a: Value.self),
            let value = try container.decode(type, forKey: .value) as? Value
        else { throw DecodingError.notRegistered(name, as: Value.self, path: decoder.codingPath) }
        wrappedValue = value
    }

    /// Returns the result of `decode` if the value needs no name of its own, or `nil` if it needs one.
    fileprivate static func whole(_ decode: (any Decodable.Type) throws -> any Decodable) throws -> Value? {
        if let type = Value.self as? any Decodable.Type { return try decode(type) as? Value }
        guard let container = Value.self as? any PolymorphicContainer.Type else { return nil }
        return try unwrapped(container, decode)
    }

    private static func unwrapped<Container: PolymorphicContainer>(
        _ type: Container.Type, _ decode: (any Decodable.Type) throws -> any Decodable
    ) throws -> Value? {
        guard let wrappers = try decode(Container.Wrappers.self) as? Container.Wrappers else { return nil }
        return Reinterpretation.same(Container(wrappers), as: Value.self)
    }
}

extension Polymorphic: NativelyDecodable {
    static func read(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Self {
        let result =
            try whole { try decoder.decodeWhole($0, from: value, at: step) }
            ?? decoder.polymorphicValue(value, as: Value.self, at: step)
        return Self(wrappedValue: result)
    }

    static func isUnknown(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Bool {
        if let type = Value.self as? any Decodable.Type {
            return try decoder.isUnknown(decoder.session.type(type), value, at: step)
        }
        return Value.self is any PolymorphicContainer.Type ? false : try decoder.isUnregistered(value, at: step)
    }
}

enum ValueMaker {
    case coding(any Coding.Type)
    case decodable(any Decodable.Type)

    struct Key: Hashable {
        let classUID: UInt32
        let requested: ObjectIdentifier
    }

    init?(_ type: any Any.Type) {
        if let coding = conformance(of: type, to: (any Coding.Type).self) {
            self = .coding(coding)
        } else if let decodable = type as? any Decodable.Type {
            self = .decodable(decodable)
        } else {
            return nil
        }
    }

    var type: any Any.Type {
        switch self {
        case .coding(let type): type.unarchivedClass
        case .decodable(let type): type
        }
    }
}

extension DecodingFrame {
    func polymorphicValue<Value>(
        _ value: ArchivedValue, as requested: Value.Type, at step: CodingPathStep
    ) throws -> Value {
        guard let uid = try classUID(of: value, step) else {
            throw mismatch(requested, value, step)
        }
        let result: Any
        switch try valueMaker(ofClass: uid, as: requested, at: step) {
        case .coding(let type):
            result = try instance(session.type(coding: type), value, at: step)
        case .decodable(let type): result = try decodeObject(type, value, at: step)
        }
        // The object may have replaced itself with another one.
        guard let value = result as? Value else {
            throw DecodingError.notRegistered("\(Swift.type(of: result))", as: requested, path: path(step))
        }
        return value
    }

    /// Returns the maker of the values with the class entry `uid` for `requested`. A type that is not a `requested`
    /// creates no values.
    private func valueMaker(
        ofClass uid: UInt32, as requested: any Any.Type, at step: CodingPathStep
    ) throws -> ValueMaker {
        let key = ValueMaker.Key(classUID: uid, requested: ObjectIdentifier(requested))
        if let known = session.types.makers[key] { return known }
        let name = try undamaged(archive.className(uid), at: step)
        let policy = session.settings.classes.unknownClasses
        let known = session.type(ofClass: uid, named: name)
        if let known, ValueMaker(known) == nil {
            throw DecodingError.notDecodable(known, as: requested, path: path(step))
        }
        guard let type = known ?? (policy == .placeholder ? UnknownObject.self : nil), let maker = ValueMaker(type),
            ProtocolConformance.mayBe(maker.type, a: requested)
        else { throw DecodingError.notRegistered(name, as: requested, path: path(step), known == nil ? policy : .fail) }
        session.types.makers[key] = maker
        return maker
    }

    /// Decodes `value`, an object with the class of `type`, even if the type has another form elsewhere.
    func decodeObject<Value: Decodable>(
        _ type: Value.Type, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> Value {
        let known = session.type(type)
        switch known.kind {
        case .instance, .coding:
            return Reinterpretation.instance(try decodeInstance(known, from: value, at: step), as: type)
        case .once: return try decodeOnce(type, known, from: value, at: step)
        case .value:
            return try withDecoder(known, value, step) { decoder in
                decoder.decoding.form = .object
                let made = try Value(from: decoder)
                try decoder.decoding.recordRequestsIfNeeded(type)
                return made
            }
        case .native: return try decode(type, known, from: singleValueOfObject(value, at: step), at: step)
        }
    }
}

/// Whether values of a registered type can have a requested type, as far as the types alone show.
enum ProtocolConformance {
    /// Returns whether an instance of `type` may be a `requested`. Only the value can decide whether it is of a protocol.
    static func mayBe(_ type: any Any.Type, a requested: any Any.Type) -> Bool {
        if requested == AnyObject.self { return type is AnyClass }
        guard requested is AnyClass else { return true }
        return inherits(type, from: requested)
    }

    /// Returns what to write if a value of the protocol `requested` has a type that is not Codable, after a sentence without a full
    /// stop; empty if it is no protocol that can require it.
    static func advice(for requested: any Any.Type) -> String {
        guard requested != Any.self, requested != AnyObject.self, !(requested is AnyClass) else { return "" }
        return ". The protocol \(requested) does not require its types to be: write `protocol \(requested): Codable`"
    }
}

// MARK: - Keyed containers

extension KeyedDecodingContainer {
    /// Decodes a polymorphic value. The value is nil if the key is absent.
    ///
    /// - Throws: Errors of the wrapper's `init(from:)`.
    public func decode<Value>(_ type: Polymorphic<Value?>.Type, forKey key: Key) throws -> Polymorphic<Value?> {
        try decodeIfPresent(type, forKey: key) ?? Polymorphic(nil)
    }
}

extension KeyedEncodingContainer {
    /// Encodes a polymorphic value. A nil value writes no key.
    ///
    /// - Throws: Errors of the wrapper's `encode(to:)`.
    public mutating func encode<Value>(_ value: Polymorphic<Value?>, forKey key: Key) throws {
        if value.wrappedValue != nil { try encodeValue(value, forKey: key) }
    }
}
