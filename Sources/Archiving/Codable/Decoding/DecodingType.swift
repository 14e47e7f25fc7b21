import Synchronization

/// What a decoder knows of a type, found out once per process: how its values come out of an archive.
final class DecodingFacts: Sendable {
    let type: any Any.Type
    /// What reads the values, where the archive has a form of its own for them.
    let native: (any NativelyDecodable.Type)?
    let kind: TypeKind
    /// The class, where its instances are made by `init(coder:)`.
    let coding: (any Coding.Type)?
    /// The type, where objects of former versions are migrated before they are decoded.
    let migrations: (any ArchiveMigrating.Type)?
    /// For a memoizable type, its cases. Alive as long as the process.
    let cases: Unmanaged<RawValueCases>?
    /// Whether values are numbers or strings, which hold no references.
    var isLeaf: Bool { native?.isLeaf ?? false }
    /// Whether nil is a value of the type: 0 while nobody has asked, 1 for no, 2 for yes.
    private let optionality = Atomic<UInt8>(0)

    private init<Value: Decodable>(_ type: Value.Type) {
        self.type = type
        let known = NativeTypes.decodable(type)
        let own = TypeKind.of(
            type, isNative: known != nil, isRawValue: type is any RawRepresentable.Type)
        migrations = known == nil ? archiveDescription(of: type, as: (any ArchiveMigrating.Type).self) : nil
        let isMigrated = migrations != nil && (own == .value || own == .memoizable)
        native = isMigrated ? MigratingForm<Value>.self : known
        kind = isMigrated ? .native : own
        cases = kind == .memoizable ? RawValueCases.cases(of: type) : nil
        coding = own == .coding ? type as? any Coding.Type : nil
    }

    /// Whether nil is a value of the type. Few have to know, and to find out takes long.
    var isOptional: Bool {
        switch optionality.load(ordering: .relaxed) {
        case 0:
            let isOptional = type is any ExpressibleByNilLiteral.Type
            optionality.store(isOptional ? 2 : 1, ordering: .relaxed)
            return isOptional
        case 1: return false
        default: return true
        }
    }

    private static let known = MetatypeCache<DecodingFacts>()

    /// What is known of `type`, whose address is `key`. It lives as long as the process.
    static func facts<Value: Decodable>(of type: Value.Type, _ key: UnsafeRawPointer) -> Unmanaged<DecodingFacts> {
        if let facts = known.object(for: key) { return facts }
        return known.enter(DecodingFacts(type), for: key)
    }
}

/// A type in one decoding.
struct DecodingType: ~Copyable {
    let kind: TypeKind
    let native: (any NativelyDecodable.Type)?
    /// Whether values are numbers or strings, which hold no references.
    let isLeaf: Bool
    /// For a class whose instances are made by `init(from:)`, what makes them. Kept by the session.
    let reader: Unmanaged<DecodableReader>?
    /// Alive as long as the process.
    let facts: Unmanaged<DecodingFacts>
    /// The type's address, by which instances are told apart.
    let identity: UnsafeRawPointer
    /// For a class: what makes the objects of each class entry where this class is asked for.
    var matches = ClassMatches<DecodingType>()
    /// A class entry that is known to be that of an object with fields, and no dictionary. 0 for none.
    var plainClassUID: UInt32 = 0
    /// The reference of a key that the first field of a value had, and that no collection has. -1 for none.
    var plainKey = -1
    /// For a type with migrations: a class entry, and the version of the type in it. 0 for none.
    var versionedClassUID: UInt32 = 0
    var version = 0
    /// For a memoizable type: the byte that each leaf became, in the place of the leaf's position in the file.
    private var memo = TableMemory<MemoEntry>.empty

    struct MemoEntry: BitwiseCopyable {
        /// The position of the leaf, which is never 0.
        var payload: Int
        var byte: UInt8
    }

    private static var memoSize: Int { 32 }

    init(_ facts: Unmanaged<DecodingFacts>, identity: UnsafeRawPointer, reader: Unmanaged<DecodableReader>?) {
        self.identity = identity
        self.facts = facts
        self.reader = reader
        (kind, native, isLeaf) = facts._withUnsafeGuaranteedRef { ($0.kind, $0.native, $0.isLeaf) }
    }

    /// Forgets what belongs to one archive.
    mutating func reset() {
        plainClassUID = 0
        plainKey = -1
        versionedClassUID = 0
        matches.reset()
        if memo.capacity > 0 { memo.clear() }
    }

    /// Whether nil is a value of the type.
    var isOptional: Bool { facts._withUnsafeGuaranteedRef { $0.isOptional } }

    /// For a memoizable type, its cases.
    var cases: Unmanaged<RawValueCases>? { facts._withUnsafeGuaranteedRef { $0.cases } }

    /// The class, where its instances are made by `init(coder:)`.
    var coding: (any Coding.Type)? { facts._withUnsafeGuaranteedRef { $0.coding } }

    /// The type, where objects of former versions are migrated before they are decoded.
    var migrations: (any ArchiveMigrating.Type)? { facts._withUnsafeGuaranteedRef { $0.migrations } }

    /// Whether the values are instances of a class.
    var isClass: Bool { kind == .instance || kind == .coding }

    /// The type itself.
    var type: any Any.Type { facts._withUnsafeGuaranteedRef { $0.type } }

    /// What the leaf at `payload` became before; nil where that is not known.
    @inline(__always)
    func remembered(_ payload: Int) -> UInt8? {
        guard payload > 0, memo.capacity > 0 else { return nil }
        let entry = memo[payload & (Self.memoSize &- 1)]
        return entry.payload == payload ? entry.byte : nil
    }

    mutating func remember(_ byte: UInt8, for payload: Int, in arena: inout Arena) {
        guard payload > 0 else { return }
        if memo.capacity == 0 { memo = TableMemory(capacity: Self.memoSize, in: &arena) }
        memo[payload & (Self.memoSize - 1)] = MemoEntry(payload: payload, byte: byte)
    }
}
