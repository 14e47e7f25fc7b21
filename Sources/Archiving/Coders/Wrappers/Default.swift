// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A property with a default for archives that have no value for it, such as one that was added to a type with existing
/// files.
///
/// ```swift
/// struct Note: Codable {
///     var text: String
///     @DefaultEmpty var tags: [String] = []
///     @DefaultFalse var isPinned: Bool = false
///     @Default<BodySize> var size: Double = BodySize.defaultValue
/// }
///
/// enum BodySize: DefaultProvider {
///     static var defaultValue: Double { 12 }
/// }
///
/// let old = Data(#"{ "text": "Milk" }"#.utf8)
/// let note = try JSONDecoder().decode(Note.self, from: old)
/// print(note.tags, note.isPinned, note.size)  // [] false 12.0
/// ```
///
/// The compiler synthesises `Codable` as for a plain property, and the encoded value is the property's value itself. A
/// property can therefore gain or lose the wrapper without a change to its files. The wrapper works with every encoder
/// and decoder.
///
/// The default is used if the key is absent, and if the value is null and the property's type has no nil. A value of
/// another type is an error, as without the wrapper. An absent key makes a plain optional property nil; with the
/// wrapper it has the default. A wrapped nil is written as null.
///
/// ``DefaultEmpty``, ``DefaultZero``, ``DefaultFalse`` and ``DefaultTrue`` are this wrapper with common defaults. In a
/// struct, give the property an initial value, as above. Then the memberwise initializer takes a value of the
/// property's type; otherwise it takes a wrapper.
///
/// A property that is an optional or a collection may close a cycle of class instances, as without the wrapper.
@propertyWrapper
public struct Default<Provider: DefaultProvider> {
    /// The value.
    public var wrappedValue: Provider.Value

    /// Creates a wrapper around `wrappedValue`, or around the default.
    public init(wrappedValue: Provider.Value = Provider.defaultValue) { self.wrappedValue = wrappedValue }
}

/// A type that provides the default of a ``Default`` property.
///
/// An enumeration can be the provider of its own default:
///
/// ```swift
/// enum Theme: String, Codable, DefaultProvider {
///     case light, dark
///     static var defaultValue: Theme { .light }
/// }
///
/// struct Settings: Codable {
///     @Default<Theme> var theme: Theme = .light
/// }
/// ```
public protocol DefaultProvider {
    /// The type of the property.
    associatedtype Value
    /// The value of a property whose key is absent. The decoder reads it once for each such property.
    static var defaultValue: Value { get }
}

/// A property that is empty if the archive has no value for it. Its type is a collection, a string, or another type
/// with an empty value.
public typealias DefaultEmpty<Value: Emptiable> = Default<DefaultValues.Empty<Value>>

/// A number that is zero if the archive has no value for it.
public typealias DefaultZero<Value: AdditiveArithmetic> = Default<DefaultValues.Zero<Value>>

/// A property that is false if the archive has no value for it.
public typealias DefaultFalse = Default<DefaultValues.False>

/// A property that is true if the archive has no value for it.
public typealias DefaultTrue = Default<DefaultValues.True>

/// The providers of ``DefaultEmpty``, ``DefaultZero``, ``DefaultFalse`` and ``DefaultTrue``.
public enum DefaultValues {
    /// The empty value.
    public enum Empty<Value: Emptiable>: DefaultProvider {
        /// The empty value.
        public static var defaultValue: Value { Value() }
    }

    /// Zero.
    public enum Zero<Value: AdditiveArithmetic>: DefaultProvider {
        /// Zero.
        public static var defaultValue: Value { .zero }
    }

    /// False.
    public enum False: DefaultProvider {
        /// False.
        public static var defaultValue: Bool { false }
    }

    /// True.
    public enum True: DefaultProvider {
        /// True.
        public static var defaultValue: Bool { true }
    }
}

extension Default: Sendable where Provider.Value: Sendable {}
extension Default: Equatable where Provider.Value: Equatable {}
extension Default: Hashable where Provider.Value: Hashable {}

extension Default: CustomStringConvertible {
    /// The value's description.
    public var description: String { "\(wrappedValue)" }
}

// MARK: - Codable

extension Default: Encodable where Provider.Value: Encodable {
    /// Encodes the value in place of the wrapper.
    ///
    /// - Throws: Errors of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension Default: Decodable where Provider.Value: Decodable {
    /// Decodes the value, or uses the default if the value is null and its type has no nil.
    ///
    /// - Throws: Errors of the decoder.
    public init(from decoder: any Decoder) throws {
        if let own = try Self(inArchive: decoder) {
            self = own
            return
        }
        let container = try decoder.singleValueContainer()
        if !(Provider.Value.self is any ExpressibleByNilLiteral.Type), container.decodeNil() {
            self.init()
        } else {
            self.init(wrappedValue: try container.decode(Provider.Value.self))
        }
    }
}

extension Default: NativelyEncodable where Provider.Value: Encodable {
    static func write(
        _ value: Self, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        try encoding.reference(to: value.wrappedValue, at: step, inline: inline)
    }
}

extension Default: NativelyDecodable where Provider.Value: Decodable {
    static func read(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Self {
        let known = decoder.session.type(Provider.Value.self)
        if decoder.isNil(value), !(Provider.Value.self is any ExpressibleByNilLiteral.Type) { return Self() }
        if try decoder.isSkipped(known, value, at: step) { return Self() }
        return Self(wrappedValue: try decoder.decode(Provider.Value.self, known, from: value, at: step))
    }
}

// MARK: - Keyed containers

extension KeyedDecodingContainer {
    /// Decodes a value. The value is the default if the key is absent.
    ///
    /// - Throws: Errors of the wrapper's `init(from:)`.
    public func decode<Provider: DefaultProvider>(
        _ type: Default<Provider>.Type, forKey key: Key
    ) throws -> Default<Provider> where Provider.Value: Decodable {
        contains(key) ? try decodeValue(type, forKey: key) : Default()
    }
}

extension KeyedEncodingContainer {
    /// Encodes the value.
    ///
    /// - Throws: Errors of the value's `encode(to:)`.
    public mutating func encode<Provider: DefaultProvider>(
        _ value: Default<Provider>, forKey key: Key
    ) throws where Provider.Value: Encodable {
        try encodeValue(value.wrappedValue, forKey: key)
    }
}

/// A type with an empty value: that of a property without a value in the archive (``DefaultEmpty``), of references
/// (``References``) until their instances are decoded, or of a part of an archive that cannot be read.
///
/// Optionals, collections, strings and data conform. A custom collection or option set conforms without any code:
/// `extension Permissions: Emptiable {}`.
public protocol Emptiable {
    /// Creates the empty value.
    init()
}

extension Optional: Emptiable {
    /// Creates `nil`.
    public init() { self = nil }
}

extension Array: Emptiable {}
extension ContiguousArray: Emptiable {}
extension Set: Emptiable {}
extension Dictionary: Emptiable {}
extension String: Emptiable {}
extension Data: Emptiable {}

// MARK: - Absent values

/// A type with a value that coders omit, and that an absent value gets: an optional, or a wrapper.
package protocol AbsentValue: SendableMetatype {
    static var absent: Self { get }
    var isAbsent: Bool { get }
}

extension AbsentValue where Self: Emptiable {
    package static var absent: Self { Self() }
}

extension Optional: AbsentValue {
    package var isAbsent: Bool { self == nil }
}

extension Reference: AbsentValue {
    package static var absent: Self { Reference() }
    package var isAbsent: Bool { wrappedValue == nil }
}

extension WeakReference: AbsentValue {
    package static var absent: Self { WeakReference() }
    package var isAbsent: Bool { isEmpty }
}

extension Coded: AbsentValue where Value: AbsentValue {
    package static var absent: Self { Coded(Value.absent) }
    package var isAbsent: Bool { wrappedValue.isAbsent }
}

extension Polymorphic: AbsentValue where Value: AbsentValue {
    package static var absent: Self { Polymorphic(wrappedValue: Value.absent) }
    package var isAbsent: Bool { wrappedValue.isAbsent }
}

extension Default: AbsentValue {
    package static var absent: Self { Default() }
    package var isAbsent: Bool { false }
}

/// Returns `type` if an absent value has one of its values; nil if absence is an error.
func absentValueType(_ type: any Any.Type) -> (any AbsentValue.Type)? {
    // Without a look-up for types of the program and for the most frequent others, none of which conforms.
    NativeTypes.leaf(type) == nil && NativeTypes.mayInclude(type) ? type as? any AbsentValue.Type : nil
}

/// Returns the absent value of `type`, which is `Value`.
func absentValue<Value>(of type: any AbsentValue.Type) -> Value {
    guard let value = type.absent as? Value else { preconditionFailure("\(type) is not \(Value.self)") }
    return value
}

func isAbsent(_ value: Any) -> Bool { (value as? any AbsentValue)?.isAbsent ?? false }
