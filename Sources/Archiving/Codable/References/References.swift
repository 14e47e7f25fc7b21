/// A property that refers to many class instances, and may close cycles.
///
/// ```swift
/// final class Node: Codable {
///     @References var neighbours: [Node]
/// }
/// ```
///
/// It is to a collection what `Reference` is to an optional: the archive is that of a plain property, and the instances
/// are not decoded inside the one that has the references, but from a list. An array, a set, or a dictionary whose values
/// are instances can be wrapped.
///
/// While the root object is being decoded, in an `init(from:)` that is written by hand, the collection may still be empty.
/// When `ArchiveDecoder` returns, it is complete.
///
/// With other encoders and decoders the instances are values that stand in the property's place, as those of a plain
/// property do.
@propertyWrapper
public struct References<Value: ReferenceCollection> {
    private var value: Value
    /// What has the collection when the root object is decoded.
    private var awaited: AwaitedInstance?

    /// References to the instances in `wrappedValue`, which they keep alive.
    public init(wrappedValue: Value) {
        value = wrappedValue
    }

    /// References to the instances in `value`, which they keep alive.
    public init(_ value: Value) {
        self.value = value
    }

    /// No references.
    public init() {
        value = Value()
    }

    fileprivate init(awaiting awaited: AwaitedInstance) {
        value = Value()
        self.awaited = awaited
    }

    /// The instances.
    public var wrappedValue: Value {
        get { awaited == nil ? value : complete }
        _modify {
            if awaited != nil {
                value = complete
                awaited = nil
            }
            yield &value
        }
    }

    /// The collection that was awaited; empty until it is there.
    private var complete: Value {
        awaited?.pointer.map { Unmanaged<Complete>.fromOpaque($0).takeUnretainedValue().value } ?? Value()
    }

    /// A collection that is complete. It does not change any more.
    fileprivate final class Complete {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }
}

/// A collection that `References` can wrap: an array or a set of class instances, or a dictionary with such values.
public protocol ReferenceCollection {
    /// The class whose instances are referred to.
    associatedtype Referent: AnyObject

    /// An empty collection.
    init()
}

extension Array: ReferenceCollection where Element: AnyObject {
    /// The class of the elements.
    public typealias Referent = Element
}

extension ContiguousArray: ReferenceCollection where Element: AnyObject {
    /// The class of the elements.
    public typealias Referent = Element
}

extension Set: ReferenceCollection where Element: AnyObject {
    /// The class of the elements.
    public typealias Referent = Element
}

extension Dictionary: ReferenceCollection where Value: AnyObject {
    /// The class of the values.
    public typealias Referent = Value
}

/// Complete collections do not change, and are made known to other threads as a whole.
extension References: @unchecked Sendable where Value: Sendable {}

extension References: Equatable where Value: Equatable {
    /// Whether the collections are equal, as with plain properties.
    public static func == (left: References, right: References) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension References: Hashable where Value: Hashable {
    /// Hashes the collection as a plain property does.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(wrappedValue)
    }
}

extension References: CustomStringConvertible {
    /// The collection's own description.
    public var description: String { "\(wrappedValue)" }
}

// MARK: - Codable

extension References: Encodable where Value: Encodable {
    /// Encodes the collection in the references' place.
    ///
    /// - Throws: What the encoder throws. `encode(to:)` of the instances runs later in archives, and ends the encoding
    ///   where it throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension References: Decodable where Value: Decodable, Value.Referent: Decodable {
    /// Reads references from an archive, or, from another decoder, the instances themselves.
    ///
    /// - Throws: `DecodingError` where something else is there, or objects of a class that is not allowed. What the
    ///   initializers of the instances throw: here where one is needed at once, otherwise the whole decoding throws it.
    public init(from decoder: any Decoder) throws {
        if let archive = decoder as? ArchiveDecoding {
            self = try archive.decode(Self.self, from: archive.value, at: .root)
        } else {
            self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
        }
    }
}

extension References: NativelyEncodable where Value: Encodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        let references = address.assumingMemoryBound(to: Self.self)
        if references.pointee.awaited == nil {
            return try encoder.reference(to: references.pointee.value, at: step, inline: inline)
        }
        return try encoder.reference(to: references.pointee.complete, at: step, inline: inline)
    }
}

extension References: NativelyDecodable where Value: Decodable, Value.Referent: Decodable {
    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws {
        address.initializeMemory(as: Self.self, to: try decoder.references(value, at: step))
    }
}

extension ArchiveDecoding {
    fileprivate func references<Value: ReferenceCollection & Decodable>(
        _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> References<Value> where Value.Referent: Decodable {
        guard core.pointee.top != nil, value.node.kind == .dictionary || value.node.kind == .array else {
            return References(wrappedValue: try decode(Value.self, from: value, at: step))
        }
        let elements = try referringElements(of: value, at: step)
        // Most instances refer to nothing.
        if elements.count == 0 { return References() }
        let awaited = AwaitedInstance()
        deferred(AwaitedCollection<Value>(core, value, awaited, pathIndex(step)))
        return References(awaiting: awaited)
    }
}

extension ArchiveDecoding {
    /// The elements of a collection, or the values of a dictionary.
    fileprivate func referringElements(
        of value: ArchivedValue, at step: CodingPathStep
    ) throws -> ArchivedElements {
        // To find out that something is no dictionary takes a look at its class.
        if let elements = archive.usualElements(of: value) { return elements }
        return try dictionary(value, at: step)?.values ?? elements(of: value, at: step)
    }
}

/// A collection whose instances are still to be made.
private final class AwaitedCollection<Value: ReferenceCollection & Decodable>: DeferredValue
where Value.Referent: Decodable {
    private let core: UnsafeMutablePointer<DecodingCore>
    private let value: ArchivedValue
    private var awaited: AwaitedInstance
    private let path: CodingPathTable.Index

    init(
        _ core: UnsafeMutablePointer<DecodingCore>, _ value: ArchivedValue, _ awaited: AwaitedInstance,
        _ path: CodingPathTable.Index
    ) {
        self.core = core
        self.value = value
        self.awaited = awaited
        self.path = path
    }

    /// Whether anybody still has the references.
    private var isWanted: Bool { !isKnownUniquelyReferenced(&awaited) }

    override func prepare() throws {
        guard isWanted, let top = core.pointee.top else { return }
        try top._withUnsafeGuaranteedRef { top in
            try top.with(nil, value, at: path) { try $0.requireInstances(Value.Referent.self) }
        }
    }

    override func finish() throws -> InstanceTable.Index? {
        guard isWanted, let top = core.pointee.top else { return nil }
        return try top._withUnsafeGuaranteedRef { top in
            try core.pointee.state.unlessInProgress {
                let result = try top.with(nil, value, at: path) {
                    try $0.decode(Value.self, from: $0.value, at: .root)
                }
                if !core.pointee.state.pointee.hashed.isTooEarly { put(result) }
            }
        }
    }

    /// Gives the references `result`; nil for nothing.
    private func put(_ result: Value?) {
        let complete = result.map { Unmanaged.passRetained(References<Value>.Complete($0)) }
        awaited.replace(with: complete.map { UnsafeRawPointer($0.toOpaque()) })
        complete?.release()
    }

    override func isHashedByItself() throws -> Bool? {
        guard let found = awaited.pointer, let top = core.pointee.top else { return false }
        let complete = Unmanaged<References<Value>.Complete>.fromOpaque(found).takeUnretainedValue().value
        // One that nobody refers to: to hash it comes to an end.
        let other = try? top._withUnsafeGuaranteedRef {
            try $0.session.attempt {
                try $0.with(nil, value, at: CodingPathTable.root) {
                    try $0.decode(Value.self, from: $0.value, at: .root)
                }
            }
        }
        guard let other, (other as? any Collection)?.isEmpty == false else { return nil }
        put(nil)
        knownHash = hash()
        put(other)
        let isHashedByItself = hash() != knownHash
        put(complete)
        return isHashedByItself
    }

    override func circularHash() -> any Error {
        let keys = core.pointee.top?._withUnsafeGuaranteedRef {
            $0.keys(core.pointee.state.pointee.paths.steps(to: path))
        }
        return UnarchivingError.circularHash(path: keys ?? [])
    }
}

extension ArchiveDecoding {
    /// Asks for the instances that the elements, or the values, of this decoder's collection are.
    fileprivate func requireInstances<Referent: Decodable>(_ type: Referent.Type) throws {
        let known = core.pointee.type(type)
        let elements = try referringElements(of: value, at: .root)
        try countVisits(elements.count)
        // The last is made first.
        for index in (0..<elements.count).reversed() {
            let element = try resolve(elements.reference(index, in: archive), at: .index(index))
            if canAwait(known, element), try !isSkipped(known, element, at: .index(index)) {
                try requireInstance(known, element, at: .index(index))
            }
        }
    }
}
