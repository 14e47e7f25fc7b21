// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A property that references a class instance without keeping it alive: a parent, an owner, a delegate.
///
/// ```swift
/// final class Node: Codable {
///     var children: [Node] = []
///     @WeakReference var parent: Node?
/// }
/// ```
///
/// In memory it is a weak property. In an archive it is a *conditional* object, as in Cocoa. The encoder archives the
/// instance only if another reference in the same archive is strong, whether earlier or later; otherwise the property
/// is decoded as nil. The decoded instance is the same one that the strong references have.
///
/// In a hand-written `init(from:)` the property may still be nil while the root object is being decoded. It is also nil
/// if no decoded object keeps the instance alive.
///
/// Other encoders write nil, and other decoders decode nil, because they have no other place for the instance.
///
/// The type does not conform to `Hashable`, because its value changes when the instance is deallocated.
@propertyWrapper
public struct WeakReference<Target: AnyObject> {
    private weak var target: Target?
    /// The decoder sets the instance in it later. The decoder has checked that the instance is a `Target`.
    private var awaited: AwaitedWeakInstance?

    /// Creates a reference to `wrappedValue` without keeping it alive, or an empty reference.
    public init(wrappedValue: Target? = nil) { target = wrappedValue }

    /// Creates a reference to `object`, which the decoder has checked to be a `Target`, or to an awaited instance.
    @inline(__always)
    init(_ object: AnyObject?, _ awaited: AwaitedWeakInstance?) {
        target = object.map { Reinterpretation.instance($0, as: Target.self) }
        self.awaited = awaited
    }

    /// The referenced instance, or `nil` if it was deallocated.
    public var wrappedValue: Target? {
        get {
            guard let awaited else { return target }
            // An awaited instance is decoded later, and a replacement may have another class.
            if awaited.origin != nil { return awaited.object as? Target }
            return awaited.object.map { Reinterpretation.instance($0, as: Target.self) }
        }
        set {
            awaited = nil
            target = newValue
        }
    }
}

extension WeakReference {
    /// Whether the reference has no instance, and none that can still be decoded.
    var isEmpty: Bool { wrappedValue == nil && awaited?.origin == nil }
}

/// A wrapper that does not archive its value.
package protocol WeakWrapper {}

extension WeakReference: WeakWrapper {}

extension WeakReference: Sendable where Target: Sendable {}

extension WeakReference: Equatable where Target: Equatable {
    /// Returns whether both reference equal instances or both are empty, as for plain properties.
    public static func == (left: WeakReference, right: WeakReference) -> Bool {
        let (left, right) = (left.wrappedValue, right.wrappedValue)
        return left === right || left == right
    }
}

extension WeakReference: CustomStringConvertible {
    /// The instance's description, or "nil".
    public var description: String { wrappedValue.map { "\($0)" } ?? "nil" }
}

// MARK: - Codable

extension WeakReference: Encodable where Target: Encodable {
    /// Encodes a conditional reference into an archive, or nil with another encoder.
    ///
    /// - Throws: Errors of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if encoder is ValueEncoder {
            try container.encode(self)
        } else {
            try container.encodeNil()
        }
    }
}

extension WeakReference: Decodable where Target: Decodable {
    /// Decodes a conditional reference from an archive. With another decoder the reference is empty.
    ///
    /// - Throws: `DecodingError` if the value is not an instance of `Target`, or if its class is not allowed.
    public init(from decoder: any Decoder) throws { self = try Self(inArchive: decoder) ?? Self() }
}

extension WeakReference: NativelyEncodable where Target: Encodable {
    static func write(
        _ value: Self, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        let reference = value
        if let target = reference.wrappedValue {
            if reference.awaited == nil { encoding.session.extras.observer?.pin(target) }
            return try encoding.conditionalReference(to: target, at: step)
        }
        guard let origin = reference.awaited?.origin else { return ArchiveGraph.null }
        return encoding.conditionalReference(toObject: origin.uid, of: origin.archive)
    }
}

extension EncodingFrame {
    fileprivate func conditionalReference(toObject uid: UInt32, of archive: any ReadingObserver) -> Reference {
        if let known = session.extras.observer?.reference(to: uid, of: archive, in: graph) { return known }
        if session.extras.purpose == .copy { return ArchiveGraph.null }
        return session.transcription(of: archive.source).conditionalReference(to: uid)
    }
}

extension WeakReference: NativelyDecodable where Target: Decodable {
    static func read(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Self {
        if decoder.isNil(value) { return Self() }
        let known = decoder.session.type(Target.self)
        // No strong reference can share an instance that has no uid.
        guard decoder.canAwait(known, value), try !decoder.isSkipped(known, value, at: step) else { return Self() }
        let (object, awaited) = try decoder.awaitedWeakInstance(known, value, at: step)
        return Self(object, awaited)
    }
}

// MARK: - Keyed containers

extension KeyedDecodingContainer {
    /// Decodes a weak reference. The reference is empty if the key is absent.
    ///
    /// - Throws: Errors of the reference's `init(from:)`.
    public func decode<Target: Decodable>(
        _ type: WeakReference<Target>.Type, forKey key: Key
    ) throws -> WeakReference<Target> {
        try decodeIfPresent(type, forKey: key) ?? WeakReference()
    }
}

extension KeyedEncodingContainer {
    /// Encodes a weak reference. An empty reference writes no key, like an optional.
    ///
    /// - Throws: Errors of the reference's `encode(to:)`.
    public mutating func encode<Target: Encodable>(_ reference: WeakReference<Target>, forKey key: Key) throws {
        if !reference.isEmpty { try encodeValue(reference, forKey: key) }
    }
}
