/// The facts about a type that determine the encoding of its values, determined once per process.
///
/// They need dynamic casts and type names, and are therefore determined outside the hot path.
final class EncodingFacts: Sendable {
    let type: any Any.Type
    /// The writer of the values, if archives have their own form for the type.
    let native: (any NativelyEncodable.Type)?
    let kind: TypeKind
    /// The encoder of values by address.
    let values: AddressedEncoding

    private init<Value: Encodable>(_ type: Value.Type) {
        self.type = type
        let known = NativeTypes.encodable(type)
        let own = TypeKind.of(type, isNative: known != nil)
        let form = own == .value ? RawValueTypes.encodable(type) : nil
        native = form ?? known
        kind = form == nil ? own : .native
        values = AddressedEncoding.of(type)
    }

    private static let known = MetatypeCache<EncodingFacts>()

    /// Returns the facts about `type`, whose address is `key`. They live as long as the process.
    static func facts<Value: Encodable>(of type: Value.Type, _ key: UnsafeRawPointer) -> Unmanaged<EncodingFacts> {
        if let facts = known.object(for: key) { return facts }
        return known.enter(EncodingFacts(type), for: key)
    }
}

/// A type in one encoding: its facts, and its class entry in this archive.
struct EncodingType: ~Copyable {
    let kind: TypeKind
    let native: (any NativelyEncodable.Type)?
    /// `GraphWritingState` retains it.
    let writer: Unmanaged<InstanceWriter>?
    /// `GraphWritingState` retains it.
    let codingWriter: Unmanaged<CodingWriter>?
    /// It lives as long as the process.
    let facts: Unmanaged<EncodingFacts>
    /// The encoder of values by address, a part of the facts.
    let values: Unmanaged<AddressedEncoding>
    /// The uid of the class entry. 0 until the first object of the class is complete.
    fileprivate(set) var classUID: ArchiveGraph.Reference = 0

    init(
        _ facts: Unmanaged<EncodingFacts>, writer: Unmanaged<InstanceWriter>? = nil,
        codingWriter: Unmanaged<CodingWriter>? = nil
    ) {
        self.facts = facts
        self.writer = writer
        self.codingWriter = codingWriter
        values = facts._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.values) }
        (kind, native) = facts._withUnsafeGuaranteedRef { ($0.kind, $0.native) }
    }

    /// Removes the data of one archive.
    mutating func reset() {
        classUID = 0
    }

    /// The type itself.
    var type: any Any.Type { facts._withUnsafeGuaranteedRef { $0.type } }
}

// MARK: - Class entry

extension EncodingType {
    /// Returns the uid of the class entry, and writes the entry if it does not exist.
    mutating func makeClassUID(_ graph: UnsafeMutablePointer<ArchiveGraph>) -> ArchiveGraph.Reference {
        if classUID == 0 {
            classUID = graph.pointee.classUID(TypeNames.names(of: type))
        }
        return classUID
    }
}
