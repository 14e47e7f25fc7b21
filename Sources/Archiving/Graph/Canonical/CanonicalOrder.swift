// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension CanonicalContents {
    /// The number of references to which contents are hashed before all objects are compared.
    private static var hashDepth: Int { 4 }

    /// Sorts the entries of sets and dictionaries in an order that depends only on the value.
    ///
    /// Leaves are sorted by value. If a collection has several objects, each object gets a *color*, the hash of its contents up
    /// to some references deep. Colors that differ show that objects differ, and determine their order. If a collection has
    /// objects of one color, `CanonicalOrder` compares them exactly, and by the objects that refer to them.
    mutating func sortCollections() {
        var entries = [Entry]()
        var tied = Array(0..<collections.count)
        let hashes = PlainTable<UInt64>()
        for depth in 0...Self.hashDepth {
            if depth > 0 { colors = nextColors(hashes) }
            tied.removeAll { sort(collections[$0], &entries) }
            if tied.isEmpty { return }
        }
        for index in tied { collections[index].isTied = true }
        colors = CanonicalOrder.colors(of: self)
        for index in tied { _ = sort(collections[index], &entries) }
    }

    /// Returns the hashes of the contents of all objects, in which another object is represented by its current color.
    ///
    /// - Parameter hashes: The hashes of scalars by reference; 0 before they are needed. The table is empty at first.
    private func nextColors(_ hashes: PlainTable<UInt64>) -> [UInt64] {
        if hashes.count == 0 { hashes.append(0, count: list.objectCount) }
        func hash(_ place: Int) -> UInt64 {
            let part = parts[place]
            switch part.kind {
            case .array: return UInt64(part.value)
            case .object: return colors.isEmpty ? 0 : colors[Int(part.value)]
            default:
                let reference = Int(part.value)
                if hashes[reference] == 0 {
                    hashes[reference] = list.bytes.withBytes(range(of: reference)) { bytes in
                        UInt64(ByteHash.digest(bytes, seed: 1).hash) << 32
                            | UInt64(ByteHash.digest(bytes, seed: 2).hash)
                    }
                }
                return hashes[reference]
            }
        }
        var next = [UInt64](repeating: 0, count: slots.count)
        for slot in 0..<slots.count where !slots[slot].isLeaf {
            let collection = collection(in: slot)
            var color: UInt64 = 0
            for place in slots[slot].start..<(collection?.first ?? slots[slot].end) {
                color = ByteHash.combine(color, hash(place))
            }
            if let collection {
                // A sum does not depend on the order.
                var sum: UInt64 = 0
                for place in collection.first..<collection.first + collection.count {
                    sum &+= ByteHash.combine(ByteHash.combine(1, hash(place)), hash(place + collection.valueDistance))
                }
                color = ByteHash.combine(color, sum)
            }
            next[slot] = color
        }
        return next
    }
}

/// Distinguishes objects that have equal contents as far as hashes show, or only other references to them.
///
/// An object that `$top` reaches by keys, by positions in arrays, and by collections without ties is *anchored*: its position in
/// a traversal distinguishes it. The others are *loose*. `PartitionRefinement` distinguishes them by their contents, by the
/// objects that refer to them, and by their references to each other.
struct CanonicalOrder {
    typealias Part = CanonicalContents.Part

    private let contents: CanonicalContents
    /// The position of each slot that was reached: among the anchored ones, or among the loose ones.
    private var anchored: [UInt32?]
    private var loose: [UInt32?]
    private var stack = [Int]()
    private var anchoredCount = 0
    private var looseSlots = [Int]()
    /// The slots of reached collections with ties, first the anchored ones.
    private var tied = [Int]()
    private var graph = RefinementGraph()
    /// The positions of scalars in the order of their values, by reference.
    private var ranks = [Int: UInt64]()

    /// Returns a color for each object, which no other object has.
    static func colors(of contents: CanonicalContents) -> [UInt64] {
        var order = CanonicalOrder(contents)
        order.buildGraph()
        var refinement = PartitionRefinement(order.graph)
        refinement.refineToTheEnd()
        return (0..<contents.slots.count).map { slot in
            // The lowest three bits of a color do not affect the order.
            if let number = order.anchored[slot] { return UInt64(number) << 3 }
            return order.loose[slot].map { UInt64(order.anchoredCount + refinement.rank(of: $0)) << 3 } ?? 0
        }
    }

    private init(_ contents: CanonicalContents) {
        self.contents = contents
        anchored = Array(repeating: nil, count: contents.slots.count)
        loose = anchored
        anchor(Part(.object, contents.topSlot))
        while let slot = stack.popLast() {
            let entries = tiedEntries(of: slot)
            for place in contents.slots[slot].start..<contents.slots[slot].end where !entries.contains(place) {
                anchor(contents.parts[place])
            }
        }
        for slot in tied { for place in tiedEntries(of: slot) { loosen(contents.parts[place]) } }
        while let slot = stack.popLast() {
            for place in contents.slots[slot].start..<contents.slots[slot].end { loosen(contents.parts[place]) }
        }
    }

    /// Returns the positions of the entries of the collection in `slot`, if it has ties.
    private func tiedEntries(of slot: Int) -> Range<Int> {
        guard let collection = contents.collection(in: slot), collection.isTied else { return 0..<0 }
        return collection.places
    }

    private mutating func anchor(_ part: Part) {
        guard part.kind == .object, anchored[Int(part.value)] == nil else { return }
        anchored[Int(part.value)] = UInt32(truncatingIfNeeded: anchoredCount)
        anchoredCount += 1
        push(part)
    }

    private mutating func loosen(_ part: Part) {
        guard part.kind == .object, anchored[Int(part.value)] == nil, loose[Int(part.value)] == nil else { return }
        loose[Int(part.value)] = UInt32(truncatingIfNeeded: looseSlots.count)
        looseSlots.append(Int(part.value))
        push(part)
    }

    private mutating func push(_ part: Part) {
        stack.append(Int(part.value))
        if !tiedEntries(of: Int(part.value)).isEmpty { tied.append(Int(part.value)) }
    }
}

// MARK: - The graph of loose objects

extension CanonicalOrder {
    /// Builds the graph of the loose objects, in which references between them are edges, and other contents are signatures.
    ///
    /// Further vertices are the anchored collections with ties, and the entries of all collections with ties.
    private mutating func buildGraph() {
        rankScalars()
        for slot in looseSlots {
            let vertex = graph.addVertex()
            let entries = tiedEntries(of: slot)
            let start = contents.slots[slot].start
            graph.sign(UInt64(entries.isEmpty ? 0 : 1))
            for place in start..<contents.slots[slot].end where !entries.contains(place) {
                add(contents.parts[place], to: vertex, label: place - start + 1)
            }
        }
        for slot in tied {
            guard let collection = contents.collection(in: slot) else { continue }
            let vertex = loose[slot].map { Int($0) } ?? graph.addVertex()
            if let number = anchored[slot] { graph.sign(1 << 32 | UInt64(number)) }
            for place in collection.first..<collection.first + collection.count {
                let entry = graph.addVertex()
                graph.sign(2)
                graph.addEdge(from: vertex, to: entry, label: 0)
                add(contents.parts[place], to: entry, label: 1)
                if collection.valueDistance > 0 {
                    add(contents.parts[place + collection.valueDistance], to: entry, label: 2)
                }
            }
        }
    }

    /// Adds `part` to the signature of the newest vertex. For a loose object, adds only that it is loose, and an edge.
    private mutating func add(_ part: Part, to vertex: Int, label: Int) {
        var word = UInt64(part.value)
        switch part.kind {
        case .key: word = UInt64(contents.keyRanks[Int(part.value)])
        case .array: break
        case .scalar, .leaf: word = ranks[Int(part.value)] ?? 0
        case .object:
            word = UInt64(anchored[Int(part.value)] ?? .max)
            if let other = loose[Int(part.value)] { graph.addEdge(from: vertex, to: Int(other), label: label) }
        }
        graph.sign(UInt64(part.kind.rawValue) << 32 | word)
    }

    /// Ranks the scalars of loose objects and of the entries of collections with ties.
    private mutating func rankScalars() {
        var scalars = [Part]()
        func add(_ places: Range<Int>) {
            for place in places where contents.parts[place].kind == .scalar || contents.parts[place].kind == .leaf {
                scalars.append(Part(.leaf, Int(contents.parts[place].value)))
            }
        }
        for slot in looseSlots { add(contents.slots[slot].start..<contents.slots[slot].end) }
        for slot in tied { add(tiedEntries(of: slot)) }
        scalars.sort { contents.compare($0, $1) < 0 }
        var rank: UInt64 = 0
        for (index, scalar) in scalars.enumerated() {
            if index > 0, contents.compare(scalars[index - 1], scalar) != 0 { rank += 1 }
            ranks[Int(scalar.value)] = rank
        }
    }
}
