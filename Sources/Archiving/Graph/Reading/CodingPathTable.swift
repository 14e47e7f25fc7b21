// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// One step of a coding path, small enough to store one for every instance. It is converted to a `CodingKey` on request.
package struct CodingPathStep: BitwiseCopyable {
    enum Kind: UInt8 {
        /// No step: the root, or a value that is the single value of another one.
        case none
        case key
        /// A case of a key enumeration, by the number of its type and its byte.
        case givenKey
        /// A position in an array or set.
        case index
        /// The key of a dictionary, a string, a number or a Boolean value, by its object.
        case dictionaryKey
        /// The integer of a key whose text is that integer.
        case integerKey
        /// Another key that is not in the archive, or has an integer besides its text, by its position in the table of paths.
        case otherKey
        /// A declared field, by the number of its type's names and its own number.
        case field
    }

    var kind: Kind
    var value: UInt32

    package static let root = CodingPathStep(kind: .none, value: 0)

    var isKey: Bool { kind == .key || kind == .givenKey }

    static func key(_ reference: UInt32) -> CodingPathStep { CodingPathStep(kind: .key, value: reference) }
    @inline(__always)
    static func givenKey(_ type: UInt32, byte: Int) -> CodingPathStep {
        CodingPathStep(kind: .givenKey, value: type &<< 8 | UInt32(truncatingIfNeeded: byte))
    }
    static func index(_ index: Int) -> CodingPathStep {
        CodingPathStep(kind: .index, value: UInt32(truncatingIfNeeded: index))
    }
    @inline(__always)
    static func field(_ field: Int, of names: UInt32) -> CodingPathStep {
        CodingPathStep(kind: .field, value: names &<< Self.fieldBits | UInt32(truncatingIfNeeded: field))
    }

    private static let fieldBits: UInt32 = 12
    static let fieldLimit = 1 << Int(fieldBits)
    var fieldNumber: (names: Int, field: Int) {
        (Int(value >> Self.fieldBits), Int(value) & (Self.fieldLimit - 1))
    }

    package static func dictionaryKey(_ uid: UInt32) -> CodingPathStep {
        CodingPathStep(kind: .dictionaryKey, value: uid)
    }
    /// The step to the key of an entry of a dictionary, which other coders write as an array of keys and values.
    static func key(inEntry position: Int) -> CodingPathStep { .index(2 &* position) }
    /// The step to the value of an entry whose key is neither a string, a number nor a Boolean value.
    static func value(inEntry position: Int) -> CodingPathStep { .index(2 &* position &+ 1) }
}

extension Node.Kind {
    var isName: Bool {
        switch self {
        case .ascii, .utf16, .integer, .real64, .real32, .true, .false: true
        default: false
        }
    }
}

extension ArchiveKey {
    /// The key of a dictionary that is the leaf `node`.
    init(_ node: Node, in objects: NodeScanner) {
        switch node.kind {
        case .ascii, .utf16: self.init(stringValue: objects.string(node))
        case .integer:
            let integer = objects.integer(node)
            self = Int(exactly: integer).map { Self(integer: $0) } ?? Self(stringValue: String(integer))
        case .real64: self.init(stringValue: String(objects.real64(node)))
        case .real32: self.init(stringValue: String(objects.real32(node)))
        default: self.init(stringValue: "\(node.kind)")
        }
    }
}

/// The paths of instances: every entry is one step and the index of its parent entry.
///
/// The contents of an instance are written long after the values around it, so its path is not available on the stack.
///
/// Most steps are the positions of an array's elements, one after the other. Those of a run of elements are not stored.
final class CodingPathTable {
    typealias Index = UInt32

    private struct Entry: BitwiseCopyable {
        /// The parent entry, and the kind of the step in the highest bits. A separate field for the kind would increase the
        /// table by half.
        private let parentAndKind: UInt32
        private let value: UInt32

        @inline(__always)
        init(parent: Index, step: CodingPathStep) {
            parentAndKind = parent | UInt32(step.kind.rawValue) &<< UInt32(CodingPathTable.indexBits)
            value = step.value
        }

        var parent: Index { parentAndKind & (1 << UInt32(CodingPathTable.indexBits) - 1) }

        var step: CodingPathStep {
            let kind = UInt8(truncatingIfNeeded: parentAndKind >> UInt32(CodingPathTable.indexBits))
            return CodingPathStep(kind: CodingPathStep.Kind(rawValue: kind) ?? .none, value: value)
        }
    }

    /// A run of entries that are not stored, the steps to the elements of an array. They follow a stored entry: the step to an
    /// earlier element, or to the array.
    private struct Run: BitwiseCopyable {
        let first: Index
        let place: UInt32
    }

    private let entries = PlainTable<Entry>()
    private let runs = PlainTable<Run>()
    private var count: Index = 1
    /// The entry that would continue the last one in a run: its parent, and its position in the array.
    private var nextParent = CodingPathTable.root
    private var nextPosition: UInt32 = 0
    private var isInRun = false
    /// The types of keys in steps. Key tables keep their numbers for the next archive.
    private var keyTypes: [any CodingKey.Type] = []
    private var fieldNames: [[String]] = []
    private var otherKeys: [ArchiveKey] = []
    private var otherPlaces: [ArchiveKey: UInt32] = [:]
    /// The last path, and the one around it: attempts of a program fail at one place several times, and at those beside it.
    private var (last, around) = (KnownPath(), KnownPath())

    private struct KnownPath {
        var index = CodingPathTable.root
        var keys: [any CodingKey] = []
    }

    static var root: Index { 0 }

    /// The bits of an index. No archive has space for more objects.
    private static var indexBits: Int { 29 }

    private static var keptCapacity: Int { 1024 }

    init() { entries.append(Entry(parent: 0, step: .root)) }

    var hasGrown: Bool { entries.capacity > Self.keptCapacity || runs.capacity > Self.keptCapacity }

    var storedCount: Int { entries.count + runs.count }

    func removeAll() {
        entries.truncate(to: 1)
        runs.removeAll()
        count = 1
        (nextParent, nextPosition, isInRun) = (Self.root, 0, false)
        if !otherKeys.isEmpty { (otherKeys, otherPlaces) = ([], [:]) }
        if last.index != Self.root { (last, around) = (KnownPath(), KnownPath()) }
    }

    func releaseMemory() {
        entries.removeAll(keepingCapacity: 0)
        entries.append(Entry(parent: 0, step: .root))
        runs.removeAll(keepingCapacity: 0)
        removeAll()
    }

    @inline(__always)
    func append(_ step: CodingPathStep, to parent: Index) -> Index {
        let index = count
        // Paths end early after this number of steps.
        guard index < 1 << UInt32(Self.indexBits) else { return parent }
        if step.kind == .index, parent == nextParent, step.value == nextPosition {
            if !isInRun { beginRun() }
            nextPosition &+= 1
            count = index &+ 1
            return index
        }
        entries.append(Entry(parent: parent, step: step))
        if step.kind == .index {
            (nextParent, nextPosition) = (parent, step.value &+ 1)
        } else {
            (nextParent, nextPosition) = (index, 0)
        }
        isInRun = false
        count = index &+ 1
        return index
    }

    @inline(never)
    private func beginRun() {
        runs.append(Run(first: count, place: UInt32(truncatingIfNeeded: entries.count &- 1)))
        isInRun = true
    }

    private func entry(_ index: Index) -> (step: CodingPathStep, parent: Index) {
        // The number of runs that begin before the entry or with it.
        let low = firstIndex(below: runs.count) { runs[$0].first > index }
        guard low > 0 else { return storedEntry(Int(index)) }
        let run = runs[low - 1]
        let place = Int(run.place)
        // The entries from the next stored one up to the next run, or to the end, are all stored.
        let (endPlace, end) = low < runs.count ? (Int(runs[low].place) + 1, runs[low].first) : (entries.count, count)
        let next = Int(end) - (endPlace - place - 1)
        guard Int(index) < next else { return storedEntry(place + 1 + Int(index) - next) }
        let position = index - run.first
        let (step, parent) = storedEntry(place)
        return step.kind == .index
            ? (CodingPathStep(kind: .index, value: step.value &+ 1 &+ position), parent)
            : (CodingPathStep(kind: .index, value: position), run.first - 1)
    }

    private func storedEntry(_ place: Int) -> (step: CodingPathStep, parent: Index) {
        (entries[place].step, entries[place].parent)
    }

    /// Returns the number of a key type, for steps. Only keys that one byte identifies use it.
    func number(of type: any CodingKey.Type) -> UInt32 {
        if keyTypes.isEmpty { keyTypes.reserveCapacity(16) }
        keyTypes.append(type)
        return UInt32(truncatingIfNeeded: keyTypes.count - 1)
    }

    func number(of names: [String]) -> UInt32 {
        fieldNames.append(names)
        return UInt32(truncatingIfNeeded: fieldNames.count - 1)
    }

    /// Returns the step to the value of `key`, which keeps its integer and need not be in the archive.
    func step(to key: some CodingKey) -> CodingPathStep {
        if let integer = key.intValue.flatMap({ Int32(exactly: $0) }), key.stringValue == String(integer) {
            return CodingPathStep(kind: .integerKey, value: UInt32(bitPattern: integer))
        }
        let key = ArchiveKey(key)
        let place = otherPlaces[key] ?? UInt32(truncatingIfNeeded: otherKeys.count)
        if Int(place) == otherKeys.count {
            otherKeys.append(key)
            otherPlaces[key] = place
        }
        return CodingPathStep(kind: .otherKey, value: place)
    }

    private func ownKey(_ step: CodingPathStep) -> (any CodingKey)? {
        switch step.kind {
        case .none, .key, .dictionaryKey: return nil
        case .index: return ArchiveKey(intValue: Int(step.value))
        case .givenKey: return keyTypes[Int(step.value >> 8)].key(ofByte: UInt8(truncatingIfNeeded: step.value))
        case .integerKey: return ArchiveKey(integer: Int(Int32(bitPattern: step.value)))
        case .otherKey: return otherKeys[Int(step.value)]
        case .field:
            let (names, field) = step.fieldNumber
            return ArchiveKey(stringValue: fieldNames[names][field])
        }
    }

    /// Returns the coding path from the root to `index`.
    ///
    /// - Parameter key: Returns the key that is the object of a step, with the kind `key` or `dictionaryKey`.
    func path(to index: Index, _ key: (CodingPathStep) -> ArchiveKey) -> [any CodingKey] {
        if index == last.index { return last.keys }
        let (step, parent) = entry(index)
        var steps: [CodingPathStep] = []
        var known = parent
        while known != around.index, known != last.index, known != Self.root {
            let (step, next) = entry(known)
            steps.append(step)
            known = next
        }
        var keys = known == around.index ? around.keys : known == last.index ? last.keys : []
        for step in steps.reversed() where step.kind != .none { keys.append(ownKey(step) ?? key(step)) }
        around = KnownPath(index: parent, keys: keys)
        if step.kind != .none { keys.append(ownKey(step) ?? key(step)) }
        last = KnownPath(index: index, keys: keys)
        return keys
    }
}

extension CodingKey {
    fileprivate static func key(ofByte byte: UInt8) -> any CodingKey { Reinterpretation.key(Self.self, ofByte: byte) }
}
