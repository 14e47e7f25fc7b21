// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension CanonicalContents {
    /// Orders the elements of sets that are objects, and the entries of dictionaries whose keys are objects. The order depends
    /// only on the value.
    ///
    /// - Complexity: O(*m* log² *m*), where *m* is the number of parts; O(*m*) if no set and no dictionary has more than one
    ///   object among its elements or keys.
    mutating func orderElements() {
        guard collections.count > 0 else { return }
        var order = CanonicalOrder(self)
        order.sortElements(of: &self)
    }
}

/// Distinguishes the objects of an archive independently of the order in which they were written.
///
/// Most objects are distinguished by their path. An object that `$top` reaches by keys, by positions in arrays and by
/// dictionary keys that are leaves has a fixed position in a deterministic traversal. Such objects are *anchored*. An object
/// that is reached only through a set, or through a dictionary with objects as keys, is *loose*. It is distinguished by its
/// contents, by the objects that refer to it, and by its references to other loose objects, which `PartitionRefinement`
/// determines.
struct CanonicalOrder: ~Copyable {
    typealias Part = CanonicalContents.Part

    /// A part that represents each slot: the slot itself before it is reached, its number in the traversal if it is anchored,
    /// its vertex if it is loose.
    private var places: [Part]
    private var stack = [UInt32]()
    private var anchoredCount = 0
    /// The slot of each loose vertex.
    private var loose = [UInt32]()
    /// The slots of reached collections with entries of unknown order, first the anchored ones.
    private var open = [UInt32]()

    /// Traverses `contents`.
    init(_ contents: borrowing CanonicalContents) {
        places = []
        for slot in 0..<contents.slots.count { places.append(Part(.object, slot)) }
        anchor(contents.topSlot)
        while stack.count > 0 { anchorContents(of: Int(stack.removeLast()), in: contents) }
        for index in 0..<open.count { loosenEntries(of: Int(open[index]), in: contents) }
        while stack.count > 0 { loosenContents(of: Int(stack.removeLast()), in: contents) }
    }
}

// MARK: - Traversal

extension CanonicalOrder {
    private mutating func anchor(_ slot: Int) {
        guard places[slot].kind == .object else { return }
        places[slot] = Part(.anchored, anchoredCount)
        anchoredCount += 1
        stack.append(UInt32(truncatingIfNeeded: slot))
    }

    private mutating func loosen(_ slot: Int) {
        guard places[slot].kind == .object else { return }
        places[slot] = Part(.loose, loose.count)
        loose.append(UInt32(truncatingIfNeeded: slot))
        stack.append(UInt32(truncatingIfNeeded: slot))
    }

    /// Anchors the objects that `slot` references, except through entries of unknown order.
    private mutating func anchorContents(of slot: Int, in contents: borrowing CanonicalContents) {
        let collection = contents.collection(of: slot)
        if collection != nil { open.append(UInt32(truncatingIfNeeded: slot)) }
        for place in contents.slots[slot].parts where contents.parts[place].kind == .object {
            if let collection, collection.isOpen(place) { continue }
            anchor(Int(contents.parts[place].value))
        }
    }

    private mutating func loosenEntries(of slot: Int, in contents: borrowing CanonicalContents) {
        guard let collection = contents.collection(of: slot) else { return }
        for place in collection.open {
            let key = contents.parts[place]
            let value = contents.parts[place + collection.valueDistance]
            if key.kind == .object { loosen(Int(key.value)) }
            if value.kind == .object { loosen(Int(value.value)) }
        }
    }

    private mutating func loosenContents(of slot: Int, in contents: borrowing CanonicalContents) {
        if contents.collection(of: slot) != nil { open.append(UInt32(truncatingIfNeeded: slot)) }
        for place in contents.slots[slot].parts where contents.parts[place].kind == .object {
            loosen(Int(contents.parts[place].value))
        }
    }
}

// MARK: - Sorting

extension CanonicalOrder {
    /// Sorts the entries of unknown order.
    mutating func sortElements(of contents: inout CanonicalContents) {
        if loose.count > 0 {
            var refinement = PartitionRefinement(graph(of: contents))
            refinement.refineToTheEnd()
            for (vertex, slot) in loose.enumerated() {
                places[Int(slot)] = Part(.loose, refinement.rank(of: vertex))
            }
        }
        let places = places
        for slot in open {
            guard let collection = contents.collection(of: Int(slot)) else { continue }
            contents.sortEntries(of: collection) { part in
                part.kind == .object ? places[Int(part.value)].order : part.order
            }
        }
    }

    /// Returns a graph of the loose objects: the objects are vertices, references between them are edges, and their other
    /// contents are signatures.
    ///
    /// Further vertices follow: the anchored collections that contain loose objects, and the entries of dictionaries with
    /// objects as keys, which link keys to values.
    private func graph(of contents: borrowing CanonicalContents) -> RefinementGraph {
        var graph = RefinementGraph()
        var pairs = [Pair]()
        for slot in loose { addLoose(Int(slot), of: contents, to: &graph, &pairs) }
        for slot in open where places[Int(slot)].kind == .anchored {
            guard let collection = contents.collection(of: Int(slot)) else { continue }
            let vertex = graph.addVertex()
            graph.sign(places[Int(slot)].order)
            addEntries(of: collection, vertex, contents, to: &graph, &pairs)
        }
        for pair in pairs {
            let vertex = graph.addVertex()
            graph.sign(Part(.pair, 0).order)
            graph.addEdge(from: Int(pair.collection), to: vertex, label: 0)
            add(pair.key, of: vertex, label: 1, to: &graph)
            add(pair.value, of: vertex, label: 2, to: &graph)
        }
        return graph
    }

    struct Pair: BitwiseCopyable {
        let collection: UInt32
        let key: Part
        let value: Part
    }

    private func addLoose(
        _ slot: Int, of contents: borrowing CanonicalContents, to graph: inout RefinementGraph,
        _ pairs: inout [Pair]
    ) {
        let vertex = graph.addVertex()
        let parts = contents.slots[slot].parts
        graph.sign(Part(.classEntry, contents.slots[slot].classEntry).order)
        let collection = contents.collection(of: slot)
        for place in parts {
            if let collection, collection.isOpen(place) { continue }
            add(contents.parts[place], of: vertex, label: place - parts.lowerBound, to: &graph)
        }
        if let collection { addEntries(of: collection, vertex, contents, to: &graph, &pairs) }
    }

    private func addEntries(
        of collection: CanonicalContents.Collection, _ vertex: Int, _ contents: borrowing CanonicalContents,
        to graph: inout RefinementGraph, _ pairs: inout [Pair]
    ) {
        if collection.valueDistance > 0 {
            for place in collection.open {
                let value = contents.parts[place + collection.valueDistance]
                pairs.append(
                    Pair(collection: UInt32(truncatingIfNeeded: vertex), key: contents.parts[place], value: value))
            }
            return
        }
        var anchored = [UInt64]()
        for place in collection.open {
            let element = places[Int(contents.parts[place].value)]
            if element.kind == .loose {
                // A label greater than the label of any single part.
                graph.addEdge(from: vertex, to: Int(element.value), label: CanonicalScalars.countLimit)
            } else {
                anchored.append(element.order)
            }
        }
        anchored.sort()
        for order in anchored { graph.sign(order) }
    }

    /// Adds `part` to the signature of `vertex`. For a loose object, adds only that it is loose, and an edge.
    private func add(_ part: Part, of vertex: Int, label: Int, to graph: inout RefinementGraph) {
        guard part.kind == .object else { return graph.sign(part.order) }
        let place = places[Int(part.value)]
        guard place.kind == .loose else { return graph.sign(place.order) }
        graph.sign(Part(.loose, 0).order)
        graph.addEdge(from: vertex, to: Int(place.value), label: label)
    }
}

extension CanonicalContents {
    /// Returns the collection in `slot`, if it has entries of unknown order.
    @inline(__always)
    func collection(of slot: Int) -> Collection? {
        let index = slots[slot].collection
        return index == Slot.none ? nil : collections[Int(index)]
    }
}
