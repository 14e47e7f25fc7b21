import Synchronization

/// The facts about a type that determine the decoding of its values, determined once per process.
final class DecodingFacts: Sendable {
    let type: any Any.Type
    /// The reader of the values, if archives have their own form for the type.
    let native: (any NativelyDecodable.Type)?
    let kind: TypeKind
    /// The class, if `init(coder:)` creates its instances.
    let coding: (any Coding.Type)?
    /// The type, if objects of its former versions are migrated before they are decoded.
    let migrations: (any ArchiveMigrating.Type)?
    /// Whether the values are numbers or strings, which hold no references.
    let isLeaf: Bool
    /// Whether the type has a nil value: 0 if not determined yet, 1 for no, 2 for yes.
    private let optionality = Atomic<UInt8>(0)

    private init<Value: Decodable>(_ type: Value.Type) {
        self.type = type
        let known = NativeTypes.decodable(type)
        let own = TypeKind.of(type, isNative: known != nil)
        migrations = known == nil ? archiveDescription(of: type, as: (any ArchiveMigrating.Type).self) : nil
        let form: (any NativelyDecodable.Type)? =
            own != .value ? nil : migrations != nil ? MigratingForm<Value>.self : RawValueTypes.decodable(type)
        native = form ?? known
        isLeaf = native?.isLeaf ?? false
        kind = form == nil ? own : .native
        coding = own == .coding ? type as? any Coding.Type : nil
    }

    /// Whether the type has a nil value. The test is slow, and few callers need it.
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

    /// Returns the facts about `type`, whose address is `key`. They live as long as the process.
    static func facts<Value: Decodable>(of type: Value.Type, _ key: UnsafeRawPointer) -> Unmanaged<DecodingFacts> {
        if let facts = known.object(for: key) { return facts }
        return known.enter(DecodingFacts(type), for: key)
    }
}

/// A type in one decoding.
struct DecodingType: ~Copyable {
    let kind: TypeKind
    let native: (any NativelyDecodable.Type)?
    /// Whether the values are numbers or strings, which hold no references.
    let isLeaf: Bool
    /// The reader of a class with `init(from:)`. The session retains it.
    let reader: Unmanaged<DecodableReader>?
    /// It lives as long as the process.
    let facts: Unmanaged<DecodingFacts>
    /// The address of the type. It distinguishes the types of instances.
    let identity: UnsafeRawPointer
    /// For a class: the actual type for each class entry if this class is requested.
    var matches = ClassMatches<DecodingType>()
    /// A class entry of objects with fields, not of dictionaries. 0 for none.
    var plainClassUID: UInt32 = 0
    /// The reference of a key that the first field of a value had, and that no collection has. -1 for none.
    var plainKey = -1
    /// A class entry with a name of the type. 0 for none.
    var namedClassUID: UInt32 = 0
    /// For a type with migrations: a class entry, and the version of the type in it. 0 for none.
    var versionedClassUID: UInt32 = 0
    var version = 0
    init(_ facts: Unmanaged<DecodingFacts>, identity: UnsafeRawPointer, reader: Unmanaged<DecodableReader>?) {
        self.identity = identity
        self.facts = facts
        self.reader = reader
        (kind, native, isLeaf) = facts._withUnsafeGuaranteedRef { ($0.kind, $0.native, $0.isLeaf) }
    }

    /// Removes the data of one archive.
    mutating func reset() {
        plainClassUID = 0
        plainKey = -1
        namedClassUID = 0
        versionedClassUID = 0
        matches.reset()
    }

    /// Whether the type has a nil value.
    var isOptional: Bool { facts._withUnsafeGuaranteedRef { $0.isOptional } }

    /// The class, if `init(coder:)` creates its instances.
    var coding: (any Coding.Type)? { facts._withUnsafeGuaranteedRef { $0.coding } }

    /// The type, if objects of its former versions are migrated before they are decoded.
    var migrations: (any ArchiveMigrating.Type)? { facts._withUnsafeGuaranteedRef { $0.migrations } }

    /// Whether the values are instances of a class.
    var isClass: Bool { kind == .instance || kind == .coding }

    /// The type itself.
    var type: any Any.Type { facts._withUnsafeGuaranteedRef { $0.type } }
}
