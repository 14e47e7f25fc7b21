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
            for place in places(of: slot, before: collection) { color = ByteHash.combine(color, hash(place)) }
            if let collection {
                // A sum does not depend on the order.
                var sum: UInt64 = 0
                for place in collection.places {
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

    /// The position of an object among the anchored ones, or among the loose ones.
    private enum Place {
        case unreached
        case anchored(Int)
        case loose(Int)
    }

    private let contents: CanonicalContents
    private var places: [Place]
    private var anchoredCount = 0
    private var loose = [Int]()
    /// The reached collections with ties, first the anchored ones.
    private var tied = [CanonicalContents.Collection]()
    /// The slots whose contents are to be visited.
    private var stack = [Int]()
    private var graph = RefinementGraph()
    /// The positions of scalars in the order of their values, by reference.
    private var ranks = [Int: Int]()

    /// Returns a color for each object that no other object has.
    static func colors(of contents: CanonicalContents) -> [UInt64] {
        var order = CanonicalOrder(contents)
        order.buildGraph()
        var refinement = PartitionRefinement(order.graph)
        refinement.refineToTheEnd()
        return order.places.map { place in
            // The lowest three bits of a color do not affect the order.
            switch place {
            case .unreached: 0
            case .anchored(let number): UInt64(number) << 3
            case .loose(let vertex): UInt64(order.anchoredCount + refinement.rank(of: vertex)) << 3
            }
        }
    }

    private init(_ contents: CanonicalContents) {
        self.contents = contents
        places = Array(repeating: .unreached, count: contents.slots.count)
        stack.append(contents.topSlot)
        while let slot = stack.popLast() {
            reach(contents.places(of: slot, before: tiedCollection(in: slot)), areLoose: false)
        }
        for collection in tied {
            reach(collection.first..<contents.slots[collection.slot].end, areLoose: true)
        }
        while let slot = stack.popLast() { reach(contents.places(of: slot, before: nil), areLoose: true) }
    }

    private func tiedCollection(in slot: Int) -> CanonicalContents.Collection? {
        guard let collection = contents.collection(in: slot), collection.isTied else { return nil }
        return collection
    }

    private mutating func reach(_ range: Range<Int>, areLoose: Bool) {
        for place in range where contents.parts[place].kind == .object {
            let slot = Int(contents.parts[place].value)
            guard case .unreached = places[slot] else { continue }
            places[slot] = areLoose ? .loose(loose.count) : .anchored(anchoredCount)
            if areLoose { loose.append(slot) } else { anchoredCount += 1 }
            if let collection = tiedCollection(in: slot) { tied.append(collection) }
            stack.append(slot)
        }
    }
}

// MARK: - The graph of loose objects

extension CanonicalOrder {
    /// Builds the graph of the loose objects, in which references between them are edges, and other contents are signatures.
    ///
    /// Further vertices are the anchored collections with ties, and the entries of all collections with ties.
    private mutating func buildGraph() {
        rankScalars()
        for slot in loose {
            let vertex = graph.addVertex()
            let places = contents.places(of: slot, before: tiedCollection(in: slot))
            graph.sign(UInt64(places.upperBound == contents.slots[slot].end ? 0 : 1))
            for place in places { add(place, to: vertex, label: place - places.lowerBound) }
        }
        for collection in tied {
            var vertex = 0
            switch places[collection.slot] {
            case .loose(let number): vertex = number
            case .anchored(let number):
                vertex = graph.addVertex()
                graph.sign(UInt64(number + 2))
            case .unreached: continue
            }
            for place in collection.places {
                let entry = graph.addVertex()
                graph.addEdge(from: vertex, to: entry, label: 0)
                add(place, to: entry, label: 1)
                add(place + collection.valueDistance, to: entry, label: 2)
            }
        }
    }

    /// Adds a part to the signature of the newest vertex. For a loose object, adds only that it is loose, and an edge.
    private mutating func add(_ place: Int, to vertex: Int, label: Int) {
        let part = contents.parts[place]
        var number = Int(part.value)
        switch part.kind {
        case .key: number = Int(contents.keyRanks[number])
        case .array: break
        case .scalar, .leaf: number = ranks[number] ?? 0
        case .object:
            if case .loose(let other) = places[number] { graph.addEdge(from: vertex, to: other, label: label) }
            if case .anchored(let position) = places[number] { number = position + 1 } else { number = 0 }
        }
        graph.sign(UInt64(part.kind.rawValue + 1) << 48 | UInt64(number))
    }

    /// Ranks the scalars of loose objects and of the entries of collections with ties.
    private mutating func rankScalars() {
        var scalars = [Part]()
        for slot in loose + tied.map(\.slot) {
            for place in contents.places(of: slot, before: nil) {
                let part = contents.parts[place]
                if part.kind == .scalar || part.kind == .leaf { scalars.append(Part(.leaf, Int(part.value))) }
            }
        }
        scalars.sort { contents.compare($0, $1) < 0 }
        var rank = 0
        for (index, scalar) in scalars.enumerated() {
            if index > 0, contents.compare(scalars[index - 1], scalar) != 0 { rank += 1 }
            ranks[Int(scalar.value)] = rank
        }
    }
}
