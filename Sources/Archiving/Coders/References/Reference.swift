// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A property that references a class instance, and opens each cycle that contains it.
///
/// ```swift
/// final class Node: Codable {
///     var name: String
///     @Reference var next: Node?
/// }
/// ```
///
/// The compiler synthesises `Codable` as for a plain property, and the archive is the same: the reference is one uid.
/// So a plain property that closes a cycle can become a reference, and old archives stay readable. The decoder decodes the
/// referenced instance from a list of waiting work, after the instance with the property: a chain of references takes no stack, at any
/// length. <doc:IdentityAndCycles> says which cycles need one.
///
/// In a hand-written `init(from:)` the property may still be nil while the root object is being decoded. When
/// `ArchiveDecoder` returns, every reference has its instance.
///
/// Other encoders and decoders store the instance as a value in the property's place, as for a plain property.
@propertyWrapper
public struct Reference<Target: AnyObject> {
    // Two properties instead of an enum: an enum would be another generic type, with a metadata lookup at every use.
    private var target: Target?
    /// The decoder sets the instance in it later. The decoder has checked that the instance is a `Target`.
    private var awaited: AwaitedInstance?

    /// Creates a reference to `wrappedValue` and keeps it alive, or an empty reference.
    public init(wrappedValue: Target? = nil) { target = wrappedValue }

    /// Creates a reference to `instance`, which the decoder has checked to be a `Target`.
    @inline(__always)
    init(_ instance: ReferencedInstance) {
        switch instance {
        case .complete(let object): target = Reinterpretation.instance(object, as: Target.self)
        case .awaited(let awaited): self.awaited = awaited
        }
    }

    /// The referenced instance, or `nil`.
    public var wrappedValue: Target? {
        get {
            guard let awaited else { return target }
            return awaited.object.map { Reinterpretation.instance($0, as: Target.self) }
        }
        set {
            awaited = nil
            target = newValue
        }
    }
}

extension Reference: Sendable where Target: Sendable {}

extension Reference: Equatable where Target: Equatable {
    /// Returns whether both reference equal instances or both are empty, as for plain properties.
    public static func == (left: Reference, right: Reference) -> Bool {
        let (left, right) = (left.wrappedValue, right.wrappedValue)
        return left === right || left == right
    }
}

extension Reference: Hashable where Target: Hashable {
    /// Hashes the instance, as for a plain property.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension Reference: CustomStringConvertible {
    /// The instance's description, or "nil".
    public var description: String { wrappedValue.map { "\($0)" } ?? "nil" }
}

// MARK: - Codable

extension Reference: Encodable where Target: Encodable {
    /// Encodes the instance, or nil, in place of the reference.
    ///
    /// - Throws: Errors of the encoder. In an archive, `encode(to:)` of the instance runs later; if it throws, the
    ///   whole encoding fails.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension Reference: Decodable where Target: Decodable {
    /// Decodes a reference from an archive, or the instance itself from another decoder.
    ///
    /// - Throws: `DecodingError` if the value is not an instance of `Target`, or if its class is not allowed. An error
    ///   of the instance's initializer is thrown here if the instance is needed at once; otherwise the whole decoding
    ///   throws it.
    public init(from decoder: any Decoder) throws {
        self =
            try Self(inArchive: decoder)
            ?? Self(wrappedValue: decoder.singleValueContainer().decode(Target?.self))
    }
}

extension Reference: NativelyEncodable where Target: Encodable {
    static func write(
        _ value: Self, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        var reference = ArchiveGraph.null
        if value.awaited == nil {
            try withPresent(value.target) { reference = try encoding.reference(to: $0, at: step, inline: inline) }
        } else if let target = value.wrappedValue {
            reference = try encoding.reference(to: target, at: step, inline: inline)
        }
        return reference
    }
}

extension Reference: NativelyDecodable where Target: Decodable {
    static func read(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Self {
        if decoder.isNil(value) { return Self() }
        let known = decoder.session.type(Target.self)
        if try decoder.isSkipped(known, value, at: step) { return Self() }
        guard decoder.canAwait(known, value) else {
            return Self(wrappedValue: try decoder.decode(Target.self, known, from: value, at: step))
        }
        return Self(try decoder.awaitedInstance(known, value, at: step))
    }
}

// MARK: - Keyed containers

extension KeyedDecodingContainer {
    /// Decodes a reference. The reference is empty if the key is absent.
    ///
    /// - Throws: Errors of the reference's `init(from:)`.
    public func decode<Target: Decodable>(
        _ type: Reference<Target>.Type, forKey key: Key
    ) throws -> Reference<Target> {
        try decodeIfPresent(type, forKey: key) ?? Reference()
    }
}

extension KeyedEncodingContainer {
    /// Encodes a reference. An empty reference writes no key, like an optional.
    ///
    /// - Throws: Errors of the reference's `encode(to:)`.
    public mutating func encode<Target: Encodable>(_ reference: Reference<Target>, forKey key: Key) throws {
        guard let target = reference.wrappedValue else { return }
        // A reference is encoded as its instance. The type of the instance is known here; that of the reference needs a
        // lookup.
        try encodeValue(target, forKey: key)
    }
}
