// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A property that references many class instances, and opens each cycle that contains it.
///
/// ```swift
/// final class Node: Codable {
///     @References var neighbours: [Node]
/// }
/// ```
///
/// `References` is to a collection what `Reference` is to an optional. The archive is that of a plain property, and the
/// decoder decodes the instances from a list of waiting work. It wraps arrays, sets, and dictionaries whose values are
/// instances. A plain collection opens cycles, too, if the initializer stores it unchanged, but takes stack in long chains.
///
/// In a hand-written `init(from:)` the collection may still be empty while the root object is being decoded. When
/// `ArchiveDecoder` returns, it is complete.
///
/// Other encoders and decoders store the instances as values in the property's place, as for a plain property.
@propertyWrapper
public struct References<Value: ReferenceCollection> {
    private var value: Value
    /// The decoder sets the collection in it later.
    private var awaited: AwaitedInstance?

    /// Creates references to the instances in `wrappedValue` and keeps them alive. The collection is empty by default.
    public init(wrappedValue: Value = Value()) { value = wrappedValue }

    fileprivate init(awaiting awaited: AwaitedInstance) { (value, self.awaited) = (Value(), awaited) }

    /// The referenced instances.
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

    /// The awaited collection. It is empty until the decoder has set it.
    private var complete: Value { (awaited?.object as? Boxed<Value>)?.value ?? Value() }
}

/// A collection that `References` can wrap: an array or a set of class instances, or a dictionary with such values.
public protocol ReferenceCollection: Emptiable {
    /// The class of the referenced instances.
    associatedtype Referent: AnyObject
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

/// A complete collection is immutable, and is published to other threads as a whole.
extension References: @unchecked Sendable where Value: Sendable {}

extension References: Equatable where Value: Equatable {
    /// Returns whether the collections are equal, as for plain properties.
    public static func == (left: References, right: References) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension References: Hashable where Value: Hashable {
    /// Hashes the collection, as for a plain property.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension References: CustomStringConvertible {
    /// The collection's description.
    public var description: String { "\(wrappedValue)" }
}

// MARK: - Codable

extension References: Encodable where Value: Encodable {
    /// Encodes the collection in place of the references.
    ///
    /// - Throws: Errors of the encoder. In an archive, `encode(to:)` of the instances runs later; if it throws, the
    ///   whole encoding fails.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension References: Decodable where Value: Decodable, Value.Referent: Decodable {
    /// Decodes references from an archive, or the instances themselves from another decoder.
    ///
    /// - Throws: `DecodingError` if the value is not such a collection, or if the class of an object is not allowed. An
    ///   error of an instance's initializer is thrown here if the instance is needed at once; otherwise the whole
    ///   decoding throws it.
    public init(from decoder: any Decoder) throws {
        self =
            try Self(inArchive: decoder) ?? Self(wrappedValue: decoder.singleValueContainer().decode(Value.self))
    }
}

extension References: NativelyEncodable where Value: Encodable {
    static func write(
        _ value: Self, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        guard value.awaited == nil else { return try encoding.reference(to: value.complete, at: step, inline: inline) }
        return try encoding.reference(to: value.value, at: step, inline: inline)
    }
}

extension References: NativelyDecodable where Value: Decodable, Value.Referent: Decodable {
    static func read(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Self {
        guard decoder.session.top != nil, value.node.kind == .dictionary || value.node.kind == .array else {
            return Self(wrappedValue: try decoder.decode(Value.self, from: value, at: step))
        }
        // Fast path: most collections of references are empty.
        if try decoder.referringElements(of: value, at: step).count == 0 { return Self() }
        let awaited = AwaitedInstance()
        let waiting = AwaitedCollection<Value>(decoder.session, value, awaited, decoder.pathIndex(step))
        decoder.session.awaited.values.append(waiting)
        decoder.session.awaited.append(.unprepared(waiting.number))
        return Self(awaiting: awaited)
    }
}

private final class AwaitedCollection<Value: ReferenceCollection & Decodable>: WaitingValue
where Value.Referent: Decodable {
    private unowned let session: DecodingSession
    private let value: ArchivedValue
    private var awaited: AwaitedInstance
    private let path: CodingPathTable.Index

    init(
        _ session: DecodingSession, _ value: ArchivedValue, _ awaited: AwaitedInstance,
        _ path: CodingPathTable.Index
    ) {
        (self.session, self.value, self.awaited, self.path) = (session, value, awaited, path)
        super.init(isHashed: (Value.self as? any FillableCollection.Type)?.hashesInstances ?? false)
    }

    override var isWanted: Bool { !isKnownUniquelyReferenced(&awaited) }

    override func prepare() throws {
        guard isWanted, let top = session.top else { return }
        try top.with(nil, value, at: path) { decoder in
            let known = session.type(Value.Referent.self)
            let elements = try decoder.referringElements(of: value, at: .root)
            try decoder.countVisits(elements.count)
            // The list of waiting work is a stack: the instance that is required last is decoded first.
            for index in (0..<elements.count).reversed() {
                let step = CodingPathStep.index(index)
                let element = try decoder.resolve(elements.reference(index, in: decoder.archive), at: step)
                if decoder.canAwait(known, element), try !decoder.isSkipped(known, element, at: step) {
                    try decoder.requireInstance(known, element, at: step)
                }
            }
        }
    }

    override func finish() throws -> DecodedInstanceTable.Index? {
        guard isWanted, let top = session.top else { return nil }
        return try session.unlessInProgress {
            let known = session.type(Value.self)
            let result = try top.with(nil, value, at: path) {
                try known.nativeReading(as: Value.self, $0, $0.value, .root)
            }
            session.instances.fulfilled.append(awaited)
            awaited.fulfil(Boxed(result))
        }
    }
}
