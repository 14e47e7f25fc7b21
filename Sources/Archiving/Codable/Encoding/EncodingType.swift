/// What an encoder knows of a type, found out once per process: how its values go into an archive.
///
/// Finding out takes dynamic casts and the making of names, so it happens outside the hot path.
final class EncodingFacts: Sendable {
    let type: any Any.Type
    /// What writes the values, where the archive has a form of its own for them.
    let native: (any NativelyEncodable.Type)?
    let kind: TypeKind
    /// What encodes values by their addresses.
    let values: AddressedEncoding
    /// For a memoizable type, its cases. Alive as long as the process.
    let cases: Unmanaged<RawValueCases>?

    private init<Value: Encodable>(_ type: Value.Type) {
        self.type = type
        native = NativeTypes.encodable(type)
        kind = .of(type, isNative: native != nil, isRawValue: type is any RawRepresentable.Type)
        values = AddressedEncoding.of(type)
        cases = kind == .memoizable ? RawValueCases.cases(of: type) : nil
    }

    private static let known = MetatypeCache<EncodingFacts>()

    /// What is known of `type`, whose address is `key`. It lives as long as the process.
    static func facts<Value: Encodable>(of type: Value.Type, _ key: UnsafeRawPointer) -> Unmanaged<EncodingFacts> {
        if let facts = known.object(for: key) { return facts }
        return known.enter(EncodingFacts(type), for: key)
    }
}

/// A type in one encoding: what is known of it, and its class entry in this archive.
struct EncodingType: ~Copyable {
    let kind: TypeKind
    let native: (any NativelyEncodable.Type)?
    /// Kept by `GraphWritingState`.
    let writer: Unmanaged<InstanceWriter>?
    /// Kept there, too.
    let codingWriter: Unmanaged<CodingWriter>?
    /// Alive as long as the process.
    let facts: Unmanaged<EncodingFacts>
    /// What encodes values by their addresses: part of the facts.
    let values: Unmanaged<AddressedEncoding>
    /// The uid of the class entry. 0 until the first object of the class is complete.
    fileprivate(set) var classUID: ArchiveGraph.Reference = 0
    /// For a memoizable type, what each value became, inline and as a leaf in turn. 0 where it was not met yet.
    private var memo = TableMemory<ArchiveGraph.Reference>.empty

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

    /// Forgets what belongs to one archive.
    mutating func reset() {
        classUID = 0
        if memo.capacity > 0 { memo.clear() }
    }

    /// The type itself.
    var type: any Any.Type { facts._withUnsafeGuaranteedRef { $0.type } }

    /// For a memoizable type, its cases.
    var cases: Unmanaged<RawValueCases>? { facts._withUnsafeGuaranteedRef { $0.cases } }
}

// MARK: - Memo

extension EncodingType {
    /// Values that the first table has room for; most enumerations have fewer cases.
    private static var initialValues: Int { 16 }

    /// What the value of one byte became before; 0 where it was not met.
    @inline(__always)
    func remembered(_ byte: UInt8, inline: Bool) -> ArchiveGraph.Reference {
        let index = 2 &* Int(byte) &+ (inline ? 0 : 1)
        return index < memo.capacity ? memo[index] : 0
    }

    @inline(never)
    mutating func remember(
        _ reference: ArchiveGraph.Reference, for byte: UInt8, inline: Bool, in arena: inout Arena
    ) {
        let index = 2 * Int(byte) + (inline ? 0 : 1)
        if index >= memo.capacity {
            let count = index < 2 * Self.initialValues ? 2 * Self.initialValues : 2 * (Int(UInt8.max) + 1)
            var grown = TableMemory<ArchiveGraph.Reference>(capacity: count, in: &arena)
            grown.base.update(from: memo.base, count: memo.capacity)
            swap(&grown, &memo)
        }
        memo[index] = reference
    }
}

// MARK: - Class entry

extension EncodingType {
    /// The uid of the class entry, which is written where there is none yet.
    mutating func makeClassUID(_ graph: UnsafeMutablePointer<ArchiveGraph>) -> ArchiveGraph.Reference {
        if classUID == 0 {
            classUID = graph.pointee.classUID(TypeNames.names(of: type))
        }
        return classUID
    }
}
