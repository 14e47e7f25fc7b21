/// A walk through the property list of an archive, from some of its objects to all that they lead to, each once.
///
/// It goes through containers and through uids, and does not recurse.
struct ArchiveWalk: ~Copyable {
    private let contents: ArchiveContents
    /// The objects of the property list that were met.
    private var met: BitSet
    private var remaining: [Int] = []
    /// The slots that were met.
    private(set) var slots: BitSet
    /// The bytes that the objects take which were met.
    private(set) var byteCount = 0
    /// References that may still be followed.
    private var budget: Int

    init(_ contents: ArchiveContents) {
        self.contents = contents
        budget = contents.referenceLimit
        met = BitSet(count: contents.list.objectCount)
        slots = BitSet(count: contents.slotCount)
    }

    /// Goes to everything that `node` leads to, itself not counted.
    mutating func visitContents(of node: Node) {
        push(node)
        walk()
    }

    /// Goes to the object `reference` of the property list and everything that it leads to.
    mutating func visit(reference: Int) {
        push(reference)
        walk()
    }

    /// Goes to the object `uid` and everything that it leads to.
    mutating func visit(uid: UInt32) {
        push(uid: uid)
        walk()
    }

    private mutating func push(_ node: Node) {
        budget -= node.referenceCount
        guard budget >= 0 else { return }
        for position in 0..<node.referenceCount { push(contents.list.reference(position, in: node.payload)) }
    }

    private mutating func push(_ reference: Int) {
        if reference < contents.list.objectCount, met.insert(reference) { remaining.append(reference) }
    }

    private mutating func push(uid: UInt32) {
        guard Int(uid) < contents.slotCount else { return }
        if slots.insert(Int(uid)) { push(contents.object(inSlot: Int(uid))) }
    }

    private mutating func walk() {
        while let reference = remaining.popLast() {
            guard let offset = try? contents.list.offset(of: reference),
                let node = try? contents.list.objects.node(at: offset)
            else { continue }
            byteCount += node.end(referenceSize: contents.list.referenceSize) - offset
            if node.kind == .uid, let uid = try? contents.list.objects.uid(node) {
                push(uid: uid)
            } else {
                push(node)
            }
        }
    }
}

/// Finds the uids that stand in objects, in their containers as well. It does not follow them.
struct ObjectScan: ~Copyable {
    private let contents: ArchiveContents
    private var met: BitSet
    private var touched: [Int] = []
    private var remaining: [Node] = []
    /// The references that were looked at so far.
    private(set) var referenceCount = 0

    init(_ contents: ArchiveContents) {
        self.contents = contents
        met = BitSet(count: contents.list.objectCount)
    }

    /// Hands the uids in the object `uid` to `body`.
    mutating func visitReferences(of uid: UInt32, _ body: (UInt32) -> Void) {
        guard Int(uid) < contents.slotCount,
            let node = try? contents.node(contents.object(inSlot: Int(uid)))
        else { return }
        visitReferences(of: node, body)
    }

    /// Hands the uids in `node` to `body`.
    mutating func visitReferences(of node: Node, _ body: (UInt32) -> Void) {
        remaining.append(node)
        while let node = remaining.popLast() {
            referenceCount += node.referenceCount
            for position in (node.kind == .dictionary ? node.count : 0)..<node.referenceCount {
                visit(contents.list.reference(position, in: node.payload), body)
            }
        }
        for reference in touched { met.remove(reference) }
        touched.removeAll(keepingCapacity: true)
    }

    private mutating func visit(_ reference: Int, _ body: (UInt32) -> Void) {
        guard let node = try? contents.node(reference) else { return }
        if node.kind == .uid {
            guard let uid = try? contents.list.objects.uid(node), Int(uid) < contents.slotCount else { return }
            body(uid)
        } else if node.referenceCount > 0, met.insert(reference) {
            touched.append(reference)
            remaining.append(node)
        }
    }
}

extension ArchiveContents {
    /// References that a walk through all of the archive follows at most.
    ///
    /// Each takes a byte at least, so that there are never more than bytes, unless objects lie in each other, as no writer
    /// lays them; with those, few bytes could ask for more than any machine has time for.
    var referenceLimit: Int { 16 * list.objects.limit }
}

/// Numbers below a limit, a bit for each. Memory that was not touched costs nothing.
struct BitSet: ~Copyable {
    private let words: UnsafeMutablePointer<UInt64>
    let limit: Int

    /// No numbers, of those below `count`.
    init(count: Int) {
        limit = count
        let wordCount = count / 64 + 1
        words = Platform.allocateZeroed(byteCount: wordCount * MemoryLayout<UInt64>.stride)
            .bindMemory(to: UInt64.self, capacity: wordCount)
    }

    deinit {
        Platform.release(UnsafeMutableRawPointer(words))
    }

    /// Whether `number`, which is below the limit, is one of them.
    func contains(_ number: Int) -> Bool {
        words[number >> 6] & 1 << UInt64(number & 63) != 0
    }

    /// Adds `number`, which is below the limit.
    ///
    /// - Returns: Whether it is new.
    mutating func insert(_ number: Int) -> Bool {
        let bit: UInt64 = 1 << UInt64(number & 63)
        guard words[number >> 6] & bit == 0 else { return false }
        words[number >> 6] |= bit
        return true
    }

    /// Takes `number`, which is below the limit, out.
    mutating func remove(_ number: Int) {
        words[number >> 6] &= ~(1 << UInt64(number & 63))
    }

    /// The numbers, in ascending order.
    var elements: [Int] {
        var elements: [Int] = []
        for index in 0...(limit / 64) {
            var word = words[index]
            while word != 0 {
                elements.append(index * 64 + word.trailingZeroBitCount)
                word &= word - 1
            }
        }
        return elements
    }
}
