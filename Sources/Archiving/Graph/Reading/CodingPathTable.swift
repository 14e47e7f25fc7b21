/// One step of a coding path, small enough to be kept for every instance. It becomes a `CodingKey` when somebody asks.
struct CodingPathStep: BitwiseCopyable {
    enum Kind: UInt8 {
        /// No step: the root, or a value in the place of the value that it is the single value of.
        case none
        /// The string object of a key.
        case key
        /// A key of an enumeration, by the number of its type and its byte.
        case givenKey
        /// A position in an array or set.
        case index
        /// The key of a dictionary, by the uid object that leads to it.
        case dictionaryKey
        /// A key that is not in the archive, by its place in a list of such keys.
        case missingKey
    }

    var kind: Kind
    var value: UInt32

    static let root = CodingPathStep(kind: .none, value: 0)

    static func key(_ reference: UInt32) -> CodingPathStep { CodingPathStep(kind: .key, value: reference) }
    /// - Parameter type: The number of the key's type in the table of paths.
    @inline(__always)
    static func givenKey(_ type: UInt32, byte: Int) -> CodingPathStep {
        CodingPathStep(kind: .givenKey, value: type &<< 8 | UInt32(truncatingIfNeeded: byte))
    }
    static func index(_ index: Int) -> CodingPathStep {
        CodingPathStep(kind: .index, value: UInt32(truncatingIfNeeded: index))
    }
    static func missingKey(_ place: Int) -> CodingPathStep {
        CodingPathStep(kind: .missingKey, value: UInt32(truncatingIfNeeded: place))
    }
    static func dictionaryKey(_ uid: UInt32) -> CodingPathStep { CodingPathStep(kind: .dictionaryKey, value: uid) }
}

/// Where instances were met: every entry is one step and the entry of what it was taken from.
///
/// An instance's contents are written long after the values around it, so the way to it cannot be read off the stack.
struct CodingPathTable: ~Copyable {
    typealias Index = UInt32

    /// Not private: Swift 6.3 crashes on a debug build where another file destroys a table of private entries.
    struct Entry: BitwiseCopyable {
        /// The entry of what the step was taken from, and the kind of step in the highest bits: a step of its own would make
        /// half as much again of the table.
        private let parentAndKind: UInt32
        private let value: UInt32

        @inline(__always)
        init(parent: Index, step: CodingPathStep) {
            parentAndKind = parent | UInt32(step.kind.rawValue) &<< UInt32(CodingPathTable.indexBits)
            value = step.value
        }

        var parent: Index { parentAndKind & (1 << UInt32(CodingPathTable.indexBits) - 1) }

        var step: CodingPathStep {
            let kind = CodingPathStep.Kind(rawValue: UInt8(parentAndKind >> UInt32(CodingPathTable.indexBits)))
            return CodingPathStep(kind: kind ?? .none, value: value)
        }
    }

    private var entries: PlainArray<Entry>
    /// The types of keys that steps name. Key tables know their numbers, also in the next archive.
    private var keyTypes: [any CodingKey.Type] = []

    /// The entry of the root.
    static var root: Index { 0 }

    /// Bits of an index. No archive has room for as many objects.
    private static var indexBits: Int { 29 }

    init(in arena: inout Arena) {
        entries = PlainArray(capacity: 8, in: &arena)
        entries.append(Entry(parent: 0, step: .root))
    }

    /// Whether the table has outgrown the arena that it began in.
    var hasGrown: Bool { entries.isOwned }

    mutating func removeAll() {
        entries.truncate(to: 1)
    }

    /// Gives up the memory. The table is of no use afterwards.
    mutating func releaseMemory() {
        entries.releaseMemory()
    }

    mutating func append(_ step: CodingPathStep, to parent: Index) -> Index {
        // Behind so many steps, paths end early.
        guard entries.count < 1 << Self.indexBits else { return parent }
        entries.append(Entry(parent: parent, step: step))
        return Index(truncatingIfNeeded: entries.count - 1)
    }

    /// The number of a type of keys, for steps. Only keys that are told by one byte are asked for by it.
    mutating func number(of type: any CodingKey.Type) -> UInt32 {
        if keyTypes.isEmpty { keyTypes.reserveCapacity(16) }
        keyTypes.append(type)
        return UInt32(truncatingIfNeeded: keyTypes.count - 1)
    }

    /// The key of a step that is one of an enumeration.
    func givenKey(_ step: CodingPathStep) -> any CodingKey {
        keyTypes[Int(step.value >> 8)].key(ofByte: UInt8(truncatingIfNeeded: step.value))
    }

    /// The steps from the root to `index`, in that order.
    func steps(to index: Index) -> [CodingPathStep] {
        var steps: [CodingPathStep] = []
        var index = index
        while index != Self.root {
            steps.append(entries[Int(index)].step)
            index = entries[Int(index)].parent
        }
        return steps.reversed()
    }
}

extension CodingKey {
    /// The key that `byte` is. All of a key of this type is one byte, or nothing.
    fileprivate static func key(ofByte byte: UInt8) -> any CodingKey {
        withUnsafePointer(to: byte) { UnsafeRawPointer($0).assumingMemoryBound(to: Self.self).pointee }
    }
}
