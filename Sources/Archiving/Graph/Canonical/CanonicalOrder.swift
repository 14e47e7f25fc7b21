// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension CanonicalContents {
    /// Sorts the entries of sets and dictionaries in an order that depends only on the value.
    ///
    /// Leaves are sorted by their bytes. If a collection has several objects, `CanonicalOrder` gives each of them a *color*, a
    /// number that orders it, by its contents and by the objects that refer to it.
    func sortCollections() throws(PropertyListError) {
        var entries = [Entry]()
        for index in 0..<collections.count { collections[index].isTied = !sort(collections[index], &entries) }
        guard (0..<collections.count).contains(where: { collections[$0].isTied }) else { return }
        var order = CanonicalOrder(self)
        try order.setColors()
        for index in 0..<collections.count where collections[index].isTied { _ = sort(collections[index], &entries) }
    }
}

/// Orders the objects of collections, by their contents and by the references to them.
///
/// An object that `$top` reaches by keys, by positions in arrays, and by collections without ties is *anchored*: its position in
/// a traversal distinguishes it. The others are *loose*. `PartitionRefinement` distinguishes them by their contents, by the
/// objects that refer to them, and by their references to each other. To that end, a loose object to which only one reference
/// leads, not from a collection with ties, is a part of the object that refers to it.
struct CanonicalOrder {
    typealias Part = CanonicalContents.Part
    typealias Collection = CanonicalContents.Collection

    private enum Place {
        case unreached
        case anchored(Int)
        /// A loose object, which becomes a vertex or remains a part of one.
        case loose
        case vertex(Int)
    }

    private let contents: CanonicalContents
    private var places: [Place]
    private var anchoredCount = 0
    private var loose = [Int]()
    /// The number of references to each slot, of which those from collections with ties count twice.
    private let referenceCounts: PlainTable<UInt32>
    /// The reached collections with ties, first the anchored ones.
    private var tied = [Collection]()
    private var stack = [Int]()
    private let parts = PlainTable<Part>()
    private var graph = RefinementGraph()
    /// The scalars of loose objects, and the number of lesser ones for each, by reference.
    private var scalars = [Int]()
    private let ranks: PlainTable<UInt32>

    init(_ contents: CanonicalContents) {
        self.contents = contents
        places = Array(repeating: .unreached, count: contents.slots.count)
        referenceCounts = PlainTable(repeating: 0, count: contents.slots.count)
        ranks = PlainTable(repeating: 0, count: contents.list.objectCount)
    }

    /// Sets the colors of all objects that compete for a place in a collection with ties: each gets one of its own.
    mutating func setColors() throws(PropertyListError) {
        try reach()
        try buildGraph()
        var refinement = PartitionRefinement(graph)
        refinement.refineToTheEnd()
        contents.colors.append(0, count: contents.slots.count)
        for slot in places.indices {
            switch places[slot] {
            case .anchored(let number): contents.colors[slot] = UInt64(number)
            case .vertex(let number):
                contents.colors[slot] = UInt64(anchoredCount + refinement.rank(of: number))
            case .unreached, .loose: break
            }
        }
    }

    private func tiedCollection(in slot: Int) -> Collection? {
        guard let collection = contents.collection(in: slot), collection.isTied else { return nil }
        return collection
    }
}

// MARK: - Traversal

extension CanonicalOrder {
    private mutating func reach() throws(PropertyListError) {
        stack.append(contents.topSlot)
        while let slot = stack.popLast() {
            try contents.read(slot, into: parts, before: tiedCollection(in: slot))
            for index in 0..<parts.count where parts[index].kind == .object {
                let slot = Int(parts[index].value)
                guard case .unreached = places[slot] else { continue }
                places[slot] = .anchored(anchoredCount)
                anchoredCount += 1
                reached(slot)
            }
        }
        for collection in tied { reachEntries(of: collection) }
        while let slot = stack.popLast() {
            let collection = tiedCollection(in: slot)
            try contents.read(slot, into: parts, before: collection)
            for index in 0..<parts.count { reachLoose(parts[index], 1) }
            if let collection { reachEntries(of: collection) }
        }
    }

    private mutating func reached(_ slot: Int) {
        if let collection = tiedCollection(in: slot) { tied.append(collection) }
        stack.append(slot)
    }

    private mutating func reachEntries(of collection: Collection) {
        for place in collection.first..<collection.end { reachLoose(contents.elements[place], 2) }
    }

    private mutating func reachLoose(_ part: Part, _ count: UInt32) {
        let number = Int(part.value)
        if part.kind == .scalar || part.kind == .leaf, ranks[number] == 0 {
            ranks[number] = 1
            scalars.append(number)
        }
        guard part.kind == .object else { return }
        referenceCounts[number] = min(referenceCounts[number] + count, 2)
        guard case .unreached = places[number] else { return }
        places[number] = .loose
        loose.append(number)
        reached(number)
    }
}

// MARK: - The graph of loose objects

extension CanonicalOrder {
    /// Builds the graph of the loose objects, in which references between them are edges, and other contents are signatures.
    ///
    /// Further vertices are the anchored collections with ties, and the entries of all dictionaries with ties.
    private mutating func buildGraph() throws(PropertyListError) {
        contents.rank(scalars) { ranks[$0] = UInt32($1) }
        loose.removeAll { referenceCounts[$0] == 1 }
        for (vertex, slot) in loose.enumerated() { places[slot] = .vertex(vertex) }
        var owners = [(collection: Collection, vertex: Int, label: Int)]()
        for slot in loose {
            let vertex = graph.addVertex()
            graph.sign(0)
            stack.append(slot)
            // The labels 0 to 2 are those of the edges of anchored collections and of entries.
            var label = 3
            while let slot = stack.popLast() {
                let collection = tiedCollection(in: slot)
                try contents.read(slot, into: parts, before: collection)
                graph.sign(UInt64(parts.count))
                for index in 0..<parts.count { add(parts[index], to: vertex, label: label + index) }
                label += parts.count
                if let collection { owners.append((collection, vertex, label)) }
                label += 1
            }
        }
        for collection in tied {
            guard case .anchored(let number) = places[collection.slot] else { continue }
            owners.append((collection, graph.addVertex(), 0))
            graph.sign(1)
            graph.sign(UInt64(number))
        }
        for (collection, vertex, label) in owners { addEntries(of: collection, to: vertex, label: label) }
    }

    private mutating func addEntries(of collection: Collection, to vertex: Int, label: Int) {
        for place in collection.places {
            let (key, value) = (contents.elements[place], contents.elements[place + collection.valueDistance])
            if collection.valueDistance == 0, key.kind == .object, case .vertex(let other) = places[Int(key.value)] {
                graph.addEdge(from: vertex, to: other, label: label)
                continue
            }
            let entry = graph.addVertex()
            graph.sign(2)
            graph.addEdge(from: vertex, to: entry, label: label)
            add(key, to: entry, label: 1)
            add(value, to: entry, label: 2)
        }
    }

    /// Adds a part to the signature of `vertex`, the newest one, and an edge if it is another vertex. A loose object that is a
    /// part of `vertex` itself is visited later.
    private mutating func add(_ part: Part, to vertex: Int, label: Int) {
        var number = Int(part.value)
        switch part.kind {
        case .key: number = Int(contents.keyRanks[number])
        case .array: break
        case .scalar, .leaf: number = Int(ranks[number])
        case .object:
            switch places[number] {
            case .anchored(let position): number = position + 2
            case .vertex(let other):
                graph.addEdge(from: vertex, to: other, label: label)
                number = 1
            case .loose, .unreached:
                stack.append(number)
                number = 0
            }
        }
        graph.sign(UInt64(part.kind.rawValue + 1) << 48 | UInt64(number))
    }
}
