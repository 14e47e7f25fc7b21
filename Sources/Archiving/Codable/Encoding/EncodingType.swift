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
    /// The raw values of a memoizable type.
    let rawValues = RawValues()

    private init<Value: Encodable>(_ type: Value.Type) {
        self.type = type
        native = NativeTypes.encodable(type)
        kind = .of(type, isNative: native != nil)
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
    private(set) var kind: TypeKind
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
    /// The references to the values of a memoizable type, alternating inline and leaf; 0 for a value that has not been
    /// encoded.
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

    /// Removes the data of one archive.
    mutating func reset() {
        classUID = 0
        if memo.capacity > 0 { memo.clear() }
    }

    /// The type itself.
    var type: any Any.Type { facts._withUnsafeGuaranteedRef { $0.type } }

    /// Returns the raw values of a memoizable type for a value that is about to be encoded.
    @inline(__always)
    mutating func rawValues() -> RawValues.Finding {
        let finding = facts._withUnsafeGuaranteedRef { $0.rawValues.finding(for: $0.type) }
        if case .none = finding { kind = .value }
        return finding
    }
}

// MARK: - Memo

extension EncodingType {
    /// The number of values in the first table. Most enums have fewer cases.
    private static var initialValues: Int { 16 }

    /// Returns the reference to an earlier value of one byte, or 0 if there is none.
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
    /// Returns the uid of the class entry, and writes the entry if it does not exist.
    mutating func makeClassUID(_ graph: UnsafeMutablePointer<ArchiveGraph>) -> ArchiveGraph.Reference {
        if classUID == 0 {
            classUID = graph.pointee.classUID(TypeNames.names(of: type))
        }
        return classUID
    }
}
