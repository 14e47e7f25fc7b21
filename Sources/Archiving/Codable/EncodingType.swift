import Synchronization

/// What an encoder knows of a type, found out once per process: how its values go into an archive.
///
/// Finding out takes dynamic casts and the making of names, so it happens outside the hot path.
final class EncodingFacts: Sendable {
    /// Writes the value at an address, and gives the object that stands for it: an inline scalar only where the last
    /// argument allows it, otherwise a uid.
    typealias ValueWriter = @Sendable (UnsafeRawPointer, ArchiveEncoding, CodingPathStep, Bool) throws -> ArchiveGraph.Reference
    /// Lets the instance at an address describe itself to an encoder.
    typealias InstanceBody = @Sendable (UnsafeRawPointer, ArchiveEncoding) throws -> Void

    enum Shape {
        /// `encode(to:)` tells.
        case value
        /// A class: `encode(to:)` tells, later, from the work list.
        case instance(InstanceBody)
        /// The archive has a form of its own for it.
        case native(ValueWriter)
    }

    let type: any Any.Type
    let shape: Shape
    /// Whether equal bits surely encode equally, so that the result can be remembered: an enumeration of one byte that is
    /// its raw value.
    let isMemoizable: Bool
    /// The class entry under an empty registry.
    let archivedClass: ArchivedClass

    private init(type: any Any.Type, shape: Shape, isMemoizable: Bool) {
        self.type = type
        self.shape = shape
        self.isMemoizable = isMemoizable
        archivedClass = ArchivedClass(type, in: ClassRegistry())
    }

    /// What is known of a type that is encoded without asking whether it is `Encodable`.
    convenience init(naming type: any Any.Type) {
        self.init(type: type, shape: .value, isMemoizable: false)
    }

    private static let known = Mutex<[ObjectIdentifier: EncodingFacts]>([:])

    static func facts<Value: Encodable>(of type: Value.Type) -> EncodingFacts {
        let identifier = ObjectIdentifier(type)
        if let facts = known.withLock({ $0[identifier] }) { return facts }
        let facts = make(type)
        return known.withLock { known in
            if let other = known[identifier] { return other }
            known[identifier] = facts
            return facts
        }
    }

    private static func make<Value: Encodable>(_ type: Value.Type) -> EncodingFacts {
        if let writer = nativeWriter(for: type) {
            return EncodingFacts(type: type, shape: .native(writer), isMemoizable: false)
        }
        if type is AnyClass {
            let body: InstanceBody = { object, encoder in
                var object = object
                try withUnsafePointer(to: &object) {
                    try UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee.encode(to: encoder)
                }
            }
            return EncodingFacts(type: type, shape: .instance(body), isMemoizable: false)
        }
        let isMemoizable =
            MemoryLayout<Value>.size == 1 && _isPOD(type) && type is any (RawRepresentable & Encodable).Type
        return EncodingFacts(type: type, shape: .value, isMemoizable: isMemoizable)
    }
}

/// A type in one encoding: what is known of it, and its class entry in this archive.
final class EncodingType: InstanceWriter {
    let facts: EncodingFacts
    unowned(unsafe) private let session: EncodingSession
    /// The uid of the class entry. 0 until the first object of the class is complete.
    private var knownClassUID: ArchiveGraph.Reference = 0
    /// For a memoizable type, what each value became, inline and as a leaf. 0 where it was not met yet.
    private var memo: UnsafeMutablePointer<ArchiveGraph.Reference>?

    init(facts: EncodingFacts, session: EncodingSession) {
        self.facts = facts
        self.session = session
    }

    deinit {
        memo?.deallocate()
    }

    @inline(__always)
    var classUID: ArchiveGraph.Reference {
        if knownClassUID == 0 { knownClassUID = makeClassUID() }
        return knownClassUID
    }

    @inline(never)
    private func makeClassUID() -> ArchiveGraph.Reference {
        let classes = session.archiver.classes
        let archivedClass = classes.isEmpty ? facts.archivedClass : ArchivedClass(facts.type, in: classes)
        return session.archiver.graph.pointee.classUID(archivedClass)
    }

    override func write(_ instance: KeyedArchiver.PendingInstance) throws {
        guard case .instance(let body) = facts.shape else { return }
        try session.write(instance, of: self, body)
    }
}

// MARK: - Memo

extension EncodingType {
    private static var valueCount: Int { 256 }

    /// What the value of one byte became before; 0 where it was not met.
    @inline(__always)
    func memo(_ byte: UInt8, inline: Bool) -> ArchiveGraph.Reference {
        guard let memo else { return 0 }
        return memo[Int(byte) &+ (inline ? 0 : Self.valueCount)]
    }

    func remember(_ reference: ArchiveGraph.Reference, for byte: UInt8, inline: Bool) {
        let table: UnsafeMutablePointer<ArchiveGraph.Reference>
        if let memo {
            table = memo
        } else {
            table = .allocate(capacity: 2 * Self.valueCount)
            table.initialize(repeating: 0, count: 2 * Self.valueCount)
            memo = table
        }
        table[Int(byte) + (inline ? 0 : Self.valueCount)] = reference
    }
}
