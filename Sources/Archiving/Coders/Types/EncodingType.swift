// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The facts about a type that determine the encoding of its values, determined once per process.
///
/// They need dynamic casts and type names, and are therefore determined outside the hot path.
final class EncodingFacts: Sendable {
    let kind: TypeKind
    let encoding: ValueEncoding
    let fields: FieldPlan?
    /// Whether the values are leaves, or references to instances, which nest nothing in the value that has them.
    let nestsNothing: Bool

    private init<Value: Encodable>(_ type: Value.Type) {
        if let form = NativeTypes.encodable(type) {
            (kind, fields, nestsNothing) = (.native, nil, form.nestsNothing)
            encoding = Self.encoding(form)
            return
        }
        let declarations = TypeDeclarations(type)
        fields = declarations.fields
        nestsNothing = type is AnyClass
        if declarations.kind == .value, let fields {
            kind = .native
            encoding = Self.encoding(fields.type)
            return
        }
        kind = declarations.kind
        if kind == .coding, let type = declarations.declared as? any Coding.Type {
            encoding = Self.encoding(instancesOf: type)
        } else if kind == .instance, let type = type as? any (AnyObject & Encodable).Type {
            encoding = Self.encoding(instancesOf: type)
        } else {
            encoding = kind == .once ? OnceEncoding<Value>() : PlainEncoding<Value>()
        }
    }

    private static func encoding<Form: NativelyEncodable>(_ form: Form.Type) -> ValueEncoding { NativeEncoding<Form>() }
    private static func encoding<Value: ArchivedFields>(_ type: Value.Type) -> ValueEncoding { FieldsEncoding<Value>() }
    private static func encoding<Object: AnyObject>(instancesOf type: Object.Type) -> ValueEncoding {
        InstanceEncoding<Object>()
    }

    private static let known = MetatypeCache<EncodingFacts>(.encoding)

    static func facts<Value: Encodable>(of type: Value.Type) -> EncodingFacts {
        known.facts(of: type) { EncodingFacts(type) }
    }
}

final class EncodingType {
    let type: any Any.Type
    let kind: TypeKind
    let nestsNothing: Bool
    let encoding: ValueEncoding
    /// The writer of instances of a class that conforms to `Coding`; nil for another type.
    let codingWriter: InstanceWriter?
    let fields: EncodingFields?
    private(set) var writerNumber: UInt32
    private var classEntry: ClassEntry?

    init<Value: Encodable>(_ type: Value.Type, in session: EncodingSession) {
        let facts = EncodingFacts.facts(of: type)
        self.type = type
        nestsNothing = facts.nestsNothing
        if session.extras.purpose == .comparison, facts.fields != nil {
            kind = facts.kind == .native ? .value : facts.kind
            encoding = kind == .value ? PlainEncoding<Value>() : facts.encoding
            fields = nil
        } else {
            kind = facts.kind
            encoding = facts.encoding
            fields = facts.fields.map { EncodingFields($0, session) }
        }
        let coding = kind == .coding ? type as? any Coding.Type : nil
        codingWriter = coding.map { Self.writer(coding: $0, session) }
        writerNumber = codingWriter?.number ?? 0
        if kind == .instance, let type = type as? any (AnyObject & Encodable).Type { setWriter(type, session) }
    }

    init<Object: Coding>(coding type: Object.Type, in session: EncodingSession) {
        self.type = type
        kind = .coding
        nestsNothing = true
        encoding = InstanceEncoding<Object>()
        fields = nil
        let writer = Self.writer(coding: type, session)
        (codingWriter, writerNumber) = (writer, writer.number)
    }

    private func setWriter<Object: AnyObject & Encodable>(_ type: Object.Type, _ session: EncodingSession) {
        // The session retains it.
        writerNumber =
            fields == nil ? EncodableInstanceWriter<Object>(self, session).number : FieldsWriter(self, session).number
    }

    private static func writer<Object: Coding>(coding type: Object.Type, _ session: EncodingSession) -> InstanceWriter {
        type == UnknownObject.self ? UnknownObjectWriter(in: session) : CodingWriter<Object>(in: session)
    }

    func reset() {
        fields?.reset()
        codingWriter?.reset()
    }

    @inline(__always)
    var knownClassUID: ArchiveGraph.Reference { classEntry?.uid ?? 0 }

    func classUID(in graph: ArchiveGraph) -> ArchiveGraph.Reference {
        if let classEntry { return graph.uid(of: classEntry) }
        let entry = graph.classEntry(of: type)
        classEntry = entry
        return graph.uid(of: entry)
    }
}

// MARK: - Values

struct EncodingPlace: BitwiseCopyable {
    let number: UInt64

    /// - Parameters:
    ///   - step: The step to the value.
    ///   - inline: Whether a scalar can be stored inline in the value's place.
    @inline(__always)
    init(step: CodingPathStep, inline: Bool) {
        number = UInt64(step.value) << 32 | (inline ? 1 << 8 : 0) | UInt64(step.kind.rawValue)
    }

    @inline(__always)
    init(_ number: UInt64) { self.number = number }

    @inline(__always)
    var step: CodingPathStep {
        CodingPathStep(
            kind: CodingPathStep.Kind(rawValue: UInt8(truncatingIfNeeded: number)) ?? .none,
            value: UInt32(truncatingIfNeeded: number >> 32))
    }

    @inline(__always)
    var inline: Bool { number & 1 << 8 != 0 }
}

typealias ValueEncoding = ValueFunction<EncodingFrame, EncodingType>

private typealias TypedEncoding<Value> = TypedValueFunction<Value, EncodingFrame, EncodingType>

private final class PlainEncoding<Value: Encodable>: TypedEncoding<Value>, @unchecked Sendable {
    override func call(
        _ value: Value, _ encoder: EncodingFrame, _ type: EncodingType, _ place: UInt64
    ) throws -> ArchiveGraph.Reference {
        let place = EncodingPlace(place)
        return try encoder.encode(type, at: place.step, inline: place.inline) { try value.encode(to: $0) }
    }
}

private final class OnceEncoding<Value: Encodable>: TypedEncoding<Value>, @unchecked Sendable {
    override func call(
        _ value: Value, _ encoder: EncodingFrame, _ type: EncodingType, _ place: UInt64
    ) throws -> ArchiveGraph.Reference {
        try encoder.referenceOnce(to: value, type: type, at: EncodingPlace(place).step)
    }
}

private final class NativeEncoding<Form: NativelyEncodable>: TypedEncoding<Form.Encoded>, @unchecked Sendable {
    override func call(
        _ value: Form.Encoded, _ encoder: EncodingFrame, _ type: EncodingType, _ place: UInt64
    ) throws -> ArchiveGraph.Reference {
        let place = EncodingPlace(place)
        return try Form.write(value, in: encoder, at: place.step, inline: place.inline)
    }
}

private final class InstanceEncoding<Object: AnyObject>: TypedEncoding<Object>, @unchecked Sendable {
    override func call(
        _ value: Object, _ encoder: EncodingFrame, _ type: EncodingType, _ place: UInt64
    ) throws -> ArchiveGraph.Reference {
        try encoder.session.reference(to: value, type) { encoder.pathIndex(EncodingPlace(place).step) }
    }
}

private final class EncodableInstanceWriter<Object: AnyObject & Encodable>: InstanceWriter {
    private let encoding: EncodingFrame
    private let type: EncodingType

    init(_ type: EncodingType, _ session: EncodingSession) {
        self.type = type
        encoding = session.frame
        super.init(in: session)
    }

    override func write(_ instance: PendingInstance) throws {
        let object = Reinterpretation.instance(instance.object, as: Object.self)
        try encoding.encode(instance, type) { try object.encode(to: $0) }
    }
}

enum TypeKind: UInt8 {
    /// With `encode(to:)` and `init(from:)`.
    case value
    /// As `value`, once for each id.
    case once
    /// A class instance: with `encode(to:)` and `init(from:)`, once.
    case instance
    /// A class instance: with `encode(with:)` and `init(coder:)`, once.
    case coding
    /// In a form that archives have for the type.
    case native
}

/// The declarations of a type about its archived form, found by one look-up of its conformances.
struct TypeDeclarations {
    let declared: (any ArchivedType.Type)?
    /// The way in which the values are coded, unless archives have their own form for the type.
    let kind: TypeKind
    let fields: FieldPlan?

    init(_ type: any Any.Type) {
        declared = type as? any ArchivedType.Type
        if type is AnyClass {
            kind = declared is any Coding.Type ? .coding : .instance
        } else {
            kind = archiveDescription(of: type) is any ArchivedOnce.Type ? .once : .value
        }
        fields = kind == .value || kind == .instance ? FieldPlan.plan(ifDeclaredBy: type) : nil
    }
}

/// The key objects of one `CodingKey` type in one archive, and the containers of this key type.
///
/// Nearly every key type is an enum without payloads. Its value is one byte, which is the index in this table, so that the name
/// of a key is requested once. Keys of other types are looked up by name each time.
final class EncodingKeyTable {
    /// The key objects by the bytes of keys; 0 until a key is used.
    private let references = PlainTable<ArchiveGraph.Reference>()
    private let isIndexed: Bool
    private let pathNumber: UInt32
    private let isObserved: Bool

    init<Key: CodingKey>(of type: Key.Type, number: UInt32) {
        isIndexed = Reinterpretation.isByte(type)
        isObserved = ObservedKeys.areObserved(type)
        pathNumber = number
        references.append(0, count: 16)
    }

    func reset() {
        if isIndexed { references.reset(repeating: 0, count: references.count) }
    }

    @inline(__always)
    func reference<Key: CodingKey>(_ key: Key, in graph: ArchiveGraph) -> ArchiveGraph.Reference {
        guard isIndexed else { return graph.userKey(key.stringValue) }
        let byte = Reinterpretation.byte(of: key)
        if byte < references.count, references[byte] != 0 { return references[byte] }
        return enter(key, byte, graph) ?? graph.userKey(key.stringValue)
    }

    /// Returns the same as `reference(_:in:)`, and the step to the value of `key`; nil for a key whose value archives omit.
    @inline(__always)
    func place<Key: CodingKey>(
        ifArchived key: Key, in session: EncodingSession, _ graph: ArchiveGraph
    ) -> (reference: ArchiveGraph.Reference, step: CodingPathStep)? {
        guard isIndexed else {
            let reference = graph.userKey(key.stringValue)
            return (reference, session.step(key, reference))
        }
        let byte = Reinterpretation.byte(of: key)
        let known = byte < references.count ? references[byte] : 0
        guard let reference = known != 0 ? known : enter(key, byte, graph) else { return nil }
        return (reference, .givenKey(pathNumber, byte: byte))
    }

    @inline(never)
    private func enter<Key: CodingKey>(_ key: Key, _ byte: Int, _ graph: ArchiveGraph) -> ArchiveGraph.Reference? {
        if byte >= references.count { references.append(0, count: byte + 1 - references.count) }
        guard let name = isObserved ? ObservedKeys.name(of: key) : key.stringValue else { return nil }
        let reference = graph.userKey(name)
        references[byte] = reference
        return reference
    }

    @inline(__always)
    func step<Key: CodingKey>(
        _ key: Key, _ reference: ArchiveGraph.Reference, in session: EncodingSession
    ) -> CodingPathStep {
        guard isIndexed else { return session.step(key, reference) }
        return .givenKey(pathNumber, byte: Reinterpretation.byte(of: key))
    }
}

// MARK: - Containers

final class KeptEncodingContainer {
    private let container: ReusedContainer
    private(set) var isLent = true

    init(_ container: ReusedContainer) { self.container = container }

    @inline(__always)
    func isFree(keyedBy type: any Any.Type) -> Bool { !isLent && container.isEncodingContainer(keyedBy: type) }

    @inline(__always)
    func lend<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        isLent = true
        return container.encodingContainer(keyedBy: type)
    }

    /// Takes the container back from a value, and returns whether the program has released it.
    @inline(never)
    func takeBack() -> Bool {
        isLent = !container.isReturned
        return !isLent
    }
}
