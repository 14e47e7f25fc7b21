/// One step of a coding path, small enough to be kept for every instance. It becomes a `CodingKey` when somebody asks.
struct CodingPathStep: BitwiseCopyable {
    enum Kind: UInt8 {
        /// No step: the root, or a value in the place of the value that it is the single value of.
        case none
        /// The string object of a key.
        case key
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
