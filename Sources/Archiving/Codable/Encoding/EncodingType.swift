/// What an encoder knows of a type, found out once per process: how its values go into an archive.
///
/// Finding out takes dynamic casts and the making of names, so it happens outside the hot path.
final class EncodingFacts: Sendable {
    let type: any Any.Type
    /// What writes the values, where the archive has a form of its own for them.
    let native: (any NativelyEncodable.Type)?
    /// Whether the values are instances of a class that encode themselves.
    let isInstance: Bool
    /// The class, where its instances are archived by `encode(with:)`.
    let coding: (any Coding.Type)?
    /// Whether equal bits surely encode equally, so that the result can be remembered: an enumeration of one byte that is
    /// its raw value.
    let isMemoizable: Bool
    /// Whether values with the same id are archived once.
    let isArchivedOnce: Bool
    /// The names of the class entry under an empty registry.
    let names: Unmanaged<TypeNames>
    /// What encodes values by their addresses.
    let values: AddressedEncoding

    private init<Value: Encodable>(_ type: Value.Type) {
        self.type = type
        native = NativeTypes.encodable(type)
        isInstance = native == nil && type is AnyClass
        coding = isInstance ? type as? any Coding.Type : nil
        isMemoizable =
            native == nil && MemoryLayout<Value>.size == 1 && _isPOD(type)
            && type is any (RawRepresentable & Encodable).Type
        isArchivedOnce =
            native == nil && !isInstance && archiveDescription(of: type, as: (any ArchivedOnce.Type).self) != nil
        names = TypeNames.names(of: type)
        values = AddressedEncoding.of(type)
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
    enum Kind: UInt8 {
        /// `encode(to:)` tells.
        case value
        /// `encode(to:)` tells, and has told before if the bits are the same.
        case memoizable
        /// `encode(to:)` tells, once for each id.
        case once
        /// A class: `encode(to:)` tells, later, from the work list.
        case instance
        /// A class: `encode(with:)` tells, later, from the work list.
        case coding
        /// The archive has a form of its own for it.
        case native
    }

    let kind: Kind
    let native: (any NativelyEncodable.Type)?
    /// Kept by the session.
    let writer: Unmanaged<InstanceWriter>?
    /// Kept by the archiver.
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
        (kind, native) = facts._withUnsafeGuaranteedRef { facts in
            let isInstance = writer != nil
            let kind: Kind =
                codingWriter != nil
                ? .coding
                : isInstance ? .instance : facts.isArchivedOnce ? .once : facts.isMemoizable ? .memoizable : .value
            return (facts.native == nil ? kind : .native, facts.native)
        }
    }

    /// Forgets what belongs to one archive.
    mutating func reset() {
        classUID = 0
        if memo.capacity > 0 { memo.clear() }
    }

    /// The type itself.
    var type: any Any.Type { facts._withUnsafeGuaranteedRef { $0.type } }

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
            classUID = graph.pointee.classUID(facts._withUnsafeGuaranteedRef { $0.names })
        }
        return classUID
    }
}
