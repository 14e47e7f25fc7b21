/// What a decoder knows of a type, found out once per process: how its values come out of an archive.
final class DecodingFacts: Sendable {
    let type: any Any.Type
    /// What reads the values, where the archive has a form of its own for them.
    let native: (any NativelyDecodable.Type)?
    let isInstance: Bool
    /// Whether the same leaf surely decodes equally, so that the result can be remembered: an enumeration of one byte
    /// that is its raw value.
    let isMemoizable: Bool
    /// Whether a value is decoded once for each object.
    let isArchivedOnce: Bool
    /// Whether nil is a value of the type.
    let isOptional: Bool
    /// Whether values are numbers or strings, which hold no references.
    let isLeaf: Bool

    private init<Value: Decodable>(_ type: Value.Type) {
        self.type = type
        native = NativeTypes.decodable(type)
        isInstance = native == nil && type is AnyClass
        isMemoizable =
            native == nil && MemoryLayout<Value>.size == 1 && _isPOD(type)
            && type is any (RawRepresentable & Decodable).Type
        isArchivedOnce = native == nil && !isInstance && type is any ArchivedOnce.Type
        isLeaf = type is any DecodableLeaf.Type
        isOptional = type is any ExpressibleByNilLiteral.Type
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
    enum Kind: UInt8 {
        /// `init(from:)` tells.
        case value
        /// `init(from:)` tells, and has told before if the leaf is the same.
        case memoizable
        /// `init(from:)` tells, once for each object.
        case once
        /// A class: `init(from:)` tells, once for each object.
        case instance
        /// The archive has a form of its own for it.
        case native
    }

    let kind: Kind
    let native: (any NativelyDecodable.Type)?
    let isOptional: Bool
    /// Whether values are numbers or strings, which hold no references.
    let isLeaf: Bool
    /// For a class, what makes its instances. Kept by the session.
    let reader: Unmanaged<DecodableReader>?
    /// Alive as long as the process.
    let facts: Unmanaged<DecodingFacts>
    /// The type's address, by which instances are told apart.
    let identity: UnsafeRawPointer
    /// For a class: a class entry, and what its objects are made as where this class is asked for. 0 for none.
    private(set) var classUID: UInt32 = 0
    private(set) var actual: UnsafeMutablePointer<DecodingType>?
    /// The same for other class entries.
    private var others: [UInt32: UnsafeMutablePointer<DecodingType>] = [:]
    /// The name that is not the class's own and that its objects have in this archive. A program may read a class under
    /// another name without saying so, but no two different ones as the same.
    private(set) var otherName: String?
    /// A class entry that is known to be that of an object with fields, and no dictionary. 0 for none.
    var plainClassUID: UInt32 = 0
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
        (kind, native, isOptional, isLeaf) = facts._withUnsafeGuaranteedRef { facts in
            let kind: Kind =
                facts.isInstance
                ? .instance : facts.isArchivedOnce ? .once : facts.isMemoizable ? .memoizable : .value
            return (facts.native == nil ? kind : .native, facts.native, facts.isOptional, facts.isLeaf)
        }
    }

    /// Forgets what belongs to one archive.
    mutating func reset() {
        plainClassUID = 0
        classUID = 0
        actual = nil
        otherName = nil
        if !others.isEmpty { others = [:] }
        if memo.capacity > 0 { memo.clear() }
    }

    /// The type itself.
    var type: any Any.Type { facts._withUnsafeGuaranteedRef { $0.type } }

    /// What objects with the class entry `uid` are made as where this class is asked for; nil where that is not known yet.
    @inline(__always)
    func actual(_ uid: UInt32) -> UnsafeMutablePointer<DecodingType>? {
        uid == classUID ? actual : others.isEmpty ? nil : others[uid]
    }

    /// Whether objects under `name`, which nobody knows, may be of this class: no others have been.
    mutating func accept(_ name: String) -> Bool {
        if otherName == nil { otherName = name }
        return otherName == name
    }

    mutating func remember(_ actual: UnsafeMutablePointer<DecodingType>, forClass uid: UInt32) {
        if classUID == 0 {
            classUID = uid
            self.actual = actual
        } else {
            others[uid] = actual
        }
    }

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
