/// A property that refers back to a class instance without keeping it: a parent, an owner, a delegate.
///
/// ```swift
/// final class Node: Codable {
///     var children: [Node] = []
///     @WeakReference var parent: Node?
/// }
/// ```
///
/// In memory it is a weak property. In an archive it is what Cocoa calls a *conditional* object: the instance is archived
/// only if something else in the same archive refers to it strongly, earlier or later; otherwise the reference comes back
/// as nil. When it comes back, it is the same instance that the strong references have.
///
/// While the root object is being decoded, in an `init(from:)` that is written by hand, the property may still be nil. It
/// also is when nothing that was decoded keeps the instance.
///
/// Other encoders write nil, and with other decoders it is nil: they have no other place for the instance.
///
/// It has no `Hashable` conformance: what it is equal to changes when its instance goes.
@propertyWrapper
public struct WeakReference<Target: AnyObject> {
    private weak var target: Target?
    /// What has the instance when the root object is decoded. It is a `Target`: that was found out before.
    private var awaited: AwaitedWeakInstance?

    /// A reference to `wrappedValue`, which it does not keep alive.
    public init(wrappedValue: Target?) {
        target = wrappedValue
    }

    /// A reference to `target`, which it does not keep alive.
    public init(_ target: Target?) {
        self.target = target
    }

    /// A reference to nothing.
    public init() {}

    init(awaiting awaited: AwaitedWeakInstance) {
        self.awaited = awaited
    }

    /// The instance; nil when it is gone.
    public var wrappedValue: Target? {
        get {
            guard let awaited else { return target }
            // What is found later may have been replaced by something else.
            if awaited.origin != nil { return awaited.object as? Target }
            return awaited.object.map { unsafeDowncast($0, to: Target.self) }
        }
        set {
            awaited = nil
            target = newValue
        }
    }
}

extension WeakReference {
    /// Whether there is no instance, and none that can be decoded later.
    fileprivate var isEmpty: Bool { wrappedValue == nil && awaited?.origin == nil }
}

extension WeakReference: Sendable where Target: Sendable {}

extension WeakReference: Equatable where Target: Equatable {
    /// Whether both lead to equal instances, or to nothing, as with plain properties.
    public static func == (left: WeakReference, right: WeakReference) -> Bool {
        let (left, right) = (left.wrappedValue, right.wrappedValue)
        return left === right || left == right
    }
}

extension WeakReference: CustomStringConvertible {
    /// The instance's own description.
    public var description: String { wrappedValue.map { "\($0)" } ?? "nil" }
}

// MARK: - Codable

extension WeakReference: Encodable where Target: Encodable {
    /// Writes a conditional reference into an archive, and nil with every other encoder.
    ///
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if encoder is ArchiveEncoding {
            try container.encode(self)
        } else {
            try container.encodeNil()
        }
    }
}

extension WeakReference: Decodable where Target: Decodable {
    /// Reads a conditional reference from an archive. From another decoder it is a reference to nothing.
    ///
    /// - Throws: `DecodingError` where something else is there, or an object of a class that is not allowed.
    public init(from decoder: any Decoder) throws {
        if let archive = decoder as? ArchiveDecoding {
            self = try archive.decode(Self.self, from: archive.value, at: .root)
        } else {
            self.init()
        }
    }
}

extension WeakReference: NativelyEncodable where Target: Encodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        let reference = address.assumingMemoryBound(to: Self.self).pointee
        if let target = reference.wrappedValue { return try encoder.conditionalReference(to: target, at: step) }
        guard let origin = reference.awaited?.origin else { return ArchiveGraph.null }
        return try encoder.conditionalReference(toObject: origin.uid, of: origin.archive, at: step)
    }
}

extension WeakReference: NativelyDecodable where Target: Decodable {
    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws {
        address.initializeMemory(as: Self.self, to: try decoder.weakReference(value, at: step))
    }
}

extension ArchiveDecoding {
    fileprivate func weakReference<Target: Decodable>(
        _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> WeakReference<Target> {
        if isNil(value) { return WeakReference() }
        let known = core.pointee.type(Target.self)
        // An instance without a uid belongs to nobody else.
        guard canAwait(known, value), try !isSkipped(known, value, at: step) else { return WeakReference() }
        let (object, awaited) = try awaitedWeakInstance(known, value, at: step)
        if let awaited { return WeakReference(awaiting: awaited) }
        return WeakReference(wrappedValue: object.map { Unmanaged<Target>.fromOpaque($0).takeUnretainedValue() })
    }
}

// MARK: - Keyed containers

extension KeyedDecodingContainer {
    /// Reads a weak reference; one to nothing where the key is not there.
    ///
    /// - Throws: As `init(from:)` of the reference.
    public func decode<Target: Decodable>(
        _ type: WeakReference<Target>.Type, forKey key: Key
    ) throws -> WeakReference<Target> {
        try decodeIfPresent(type, forKey: key) ?? WeakReference()
    }
}

extension KeyedEncodingContainer {
    /// Writes a weak reference; nothing at all for one to nothing, as with an optional.
    ///
    /// - Throws: As `encode(to:)` of the reference.
    public mutating func encode<Target: Encodable>(_ reference: WeakReference<Target>, forKey key: Key) throws {
        if !reference.isEmpty { try encodeValue(reference, forKey: key) }
    }
}
