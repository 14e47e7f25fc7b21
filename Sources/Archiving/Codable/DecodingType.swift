import Synchronization

/// What a decoder knows of a type, found out once per process: how its values come out of an archive.
final class DecodingFacts: Sendable {
    /// Reads the value that stands at a place, and initialises the memory at the address with it.
    typealias ValueReader = @Sendable (ArchivedValue, ArchiveDecoding, CodingPathStep, UnsafeMutableRawPointer) throws -> Void

    enum Shape {
        /// `init(from:)` tells.
        case value
        /// A class: `init(from:)` tells, once for each object.
        case instance
        /// The archive has a form of its own for it.
        case native(ValueReader)
    }

    let type: any Any.Type
    let shape: Shape
    /// Whether the same leaf surely decodes equally, so that the result can be remembered: an enumeration of one byte
    /// that is its raw value.
    let isMemoizable: Bool
    /// Whether nil is a value of the type.
    let isOptional: Bool

    private init(type: any Any.Type, shape: Shape, isMemoizable: Bool, isOptional: Bool) {
        self.type = type
        self.shape = shape
        self.isMemoizable = isMemoizable
        self.isOptional = isOptional
    }

    private static let known = Mutex<[ObjectIdentifier: DecodingFacts]>([:])

    static func facts<Value: Decodable>(of type: Value.Type) -> DecodingFacts {
        let identifier = ObjectIdentifier(type)
        if let facts = known.withLock({ $0[identifier] }) { return facts }
        let facts = make(type)
        return known.withLock { known in
            if let other = known[identifier] { return other }
            known[identifier] = facts
            return facts
        }
    }

    private static func make<Value: Decodable>(_ type: Value.Type) -> DecodingFacts {
        let isOptional = type is any ExpressibleByNilLiteral.Type
        if let reader = nativeReader(for: type) {
            return DecodingFacts(type: type, shape: .native(reader), isMemoizable: false, isOptional: isOptional)
        }
        if type is AnyClass {
            return DecodingFacts(type: type, shape: .instance, isMemoizable: false, isOptional: false)
        }
        let isMemoizable =
            MemoryLayout<Value>.size == 1 && _isPOD(type) && type is any (RawRepresentable & Decodable).Type
        return DecodingFacts(type: type, shape: .value, isMemoizable: isMemoizable, isOptional: isOptional)
    }
}

/// A type in one decoding.
final class DecodingType {
    let facts: DecodingFacts
    /// The type's address, by which instances are told apart.
    let identity: UnsafeRawPointer
    /// A class entry that is known to be that of an object with fields, and no dictionary. 0 for none.
    var plainClassUID: UInt32 = 0
    /// For a memoizable type: the byte that each leaf became, in the place of the leaf's position in the file.
    private var memo: UnsafeMutablePointer<MemoEntry>?

    private struct MemoEntry: BitwiseCopyable {
        /// The position of the leaf, which is never 0.
        var payload: Int
        var byte: UInt8
    }

    private static let memoSize = 64

    init(facts: DecodingFacts, identity: UnsafeRawPointer) {
        self.facts = facts
        self.identity = identity
    }

    deinit {
        memo?.deallocate()
    }

    /// What the leaf at `payload` became before; nil where that is not known.
    @inline(__always)
    func memo(_ payload: Int) -> UInt8? {
        guard let memo else { return nil }
        let entry = memo[payload & (Self.memoSize &- 1)]
        return entry.payload == payload ? entry.byte : nil
    }

    func remember(_ byte: UInt8, for payload: Int) {
        let table: UnsafeMutablePointer<MemoEntry>
        if let memo {
            table = memo
        } else {
            table = .allocate(capacity: Self.memoSize)
            table.initialize(repeating: MemoEntry(payload: 0, byte: 0), count: Self.memoSize)
            memo = table
        }
        table[payload & (Self.memoSize - 1)] = MemoEntry(payload: payload, byte: byte)
    }
}
