/// A property that refers to a class instance, and may close a cycle.
///
/// ```swift
/// final class Node: Codable {
///     var name: String
///     @Reference var next: Node?
/// }
/// ```
///
/// There is nothing else to write: `Codable` is synthesised as for a plain property. In an archive the reference is what
/// a plain property is as well, one uid. What differs is the decoding: the instance that it leads to is not decoded inside
/// the one that has the reference, but from a list, so that a chain of references may lead back to where it began, and
/// takes no stack however long it is.
///
/// While the root object is being decoded, in an `init(from:)` that is written by hand, the property may still be nil. When
/// `ArchiveDecoder` returns, every reference has its instance.
///
/// With other encoders and decoders the instance is a value that stands in the property's place, as that of a plain
/// property does.
@propertyWrapper
public struct Reference<Target: AnyObject> {
    // Two properties and no enumeration: that would be a generic type of its own, to be looked up at every use.
    private var target: Target?
    /// What has the instance when the root object is decoded. It is a `Target`: that was found out before.
    private var awaited: AwaitedInstance?

    /// A reference to `wrappedValue`, which it keeps alive.
    public init(wrappedValue: Target?) {
        target = wrappedValue
    }

    /// A reference to `target`, which it keeps alive.
    public init(_ target: Target?) {
        self.target = target
    }

    /// A reference to nothing.
    public init() {}

    init(awaiting awaited: AwaitedInstance) {
        self.awaited = awaited
    }

    /// The instance.
    public var wrappedValue: Target? {
        get {
            guard let awaited else { return target }
            return awaited.pointer.map { Unmanaged<Target>.fromOpaque($0).takeUnretainedValue() }
        }
        set {
            awaited = nil
            target = newValue
        }
    }
}

extension Reference: Sendable where Target: Sendable {}

extension Reference: Equatable where Target: Equatable {
    /// Whether both lead to equal instances, or to nothing, as with plain properties.
    public static func == (left: Reference, right: Reference) -> Bool {
        let (left, right) = (left.wrappedValue, right.wrappedValue)
        return left === right || left == right
    }
}

extension Reference: Hashable where Target: Hashable {
    /// Hashes the instance as a plain property does.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(wrappedValue)
    }
}

extension Reference: CustomStringConvertible {
    /// The instance's own description.
    public var description: String { wrappedValue.map { "\($0)" } ?? "nil" }
}

// MARK: - Codable

extension Reference: Encodable where Target: Encodable {
    /// Encodes the instance, or nil, in the reference's place.
    ///
    /// - Throws: What the encoder throws. `encode(to:)` of the instance runs later in archives, and ends the encoding
    ///   where it throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension Reference: Decodable where Target: Decodable {
    /// Reads a reference from an archive, or, from another decoder, the instance itself.
    ///
    /// - Throws: `DecodingError` where something else is there, or an object of a class that is not allowed. What the
    ///   initializer of the instance throws: here where the instance is needed at once, otherwise the whole decoding
    ///   throws it.
    public init(from decoder: any Decoder) throws {
        if let archive = decoder as? ArchiveDecoding {
            self = try archive.decode(Self.self, from: archive.value, at: .root)
        } else {
            self.init(wrappedValue: try decoder.singleValueContainer().decode(Target?.self))
        }
    }
}

extension Reference: NativelyEncodable where Target: Encodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        guard let target = address.assumingMemoryBound(to: Self.self).pointee.wrappedValue else {
            return ArchiveGraph.null
        }
        return try encoder.reference(to: target, at: step, inline: inline)
    }
}

extension Reference: NativelyDecodable where Target: Decodable {
    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws {
        address.initializeMemory(as: Self.self, to: try decoder.reference(value, at: step))
    }
}

extension ArchiveDecoding {
    fileprivate func reference<Target: Decodable>(
        _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> Reference<Target> {
        if isNil(value) { return Reference() }
        let known = core.pointee.type(Target.self)
        if try isSkipped(known, value, at: step) { return Reference() }
        guard canAwait(known, value) else {
            return Reference(wrappedValue: try decode(Target.self, known, from: value, at: step))
        }
        switch try awaitedInstance(known, value, at: step) {
        case .complete(let object):
            return Reference(wrappedValue: Unmanaged<Target>.fromOpaque(object).takeUnretainedValue())
        case .awaited(let awaited): return Reference(awaiting: awaited)
        }
    }
}

// MARK: - Keyed containers

extension KeyedDecodingContainer {
    /// Reads a reference; one to nothing where the key is not there.
    ///
    /// - Throws: As `init(from:)` of the reference.
    public func decode<Target: Decodable>(
        _ type: Reference<Target>.Type, forKey key: Key
    ) throws -> Reference<Target> {
        try decodeIfPresent(type, forKey: key) ?? Reference()
    }
}

extension KeyedEncodingContainer {
    /// Writes a reference; nothing at all for one to nothing, as with an optional.
    ///
    /// - Throws: As `encode(to:)` of the reference.
    public mutating func encode<Target: Encodable>(_ reference: Reference<Target>, forKey key: Key) throws {
        // The instance itself, which is what a reference is encoded as: its type is at hand, that of the reference is not.
        if let target = reference.wrappedValue { try encodeValue(target, forKey: key) }
    }

    /// Writes a value. Its type is no more known here, so that this is not the method for references again.
    mutating func encodeValue(_ value: some Encodable, forKey key: Key) throws {
        try encode(value, forKey: key)
    }
}
