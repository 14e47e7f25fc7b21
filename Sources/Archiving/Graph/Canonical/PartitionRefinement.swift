// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A graph whose vertices are to be distinguished. Each vertex has a signature, which represents all its properties, and
/// labelled edges to other vertices.
struct RefinementGraph {
    struct Edge: BitwiseCopyable {
        let from: UInt32
        let to: UInt32
        let label: UInt32
    }

    fileprivate var edges = [Edge]()
    /// The signatures of all vertices, in order, and the start of each.
    fileprivate var signatures = [UInt64]()
    fileprivate var starts = [Int]()

    mutating func addVertex() -> Int {
        starts.append(signatures.count)
        return starts.count - 1
    }

    /// Appends `word` to the signature of the newest vertex.
    mutating func sign(_ word: UInt64) { signatures.append(word) }

    mutating func addEdge(from: Int, to: Int, label: Int) {
        edges.append(
            Edge(
                from: UInt32(truncatingIfNeeded: from), to: UInt32(truncatingIfNeeded: to),
                label: UInt32(truncatingIfNeeded: label)))
    }
}

/// Sorts the vertices of a graph by their properties, independently of their numbers, by color refinement.
///
/// Two vertices are in one *cell* until a difference between them is known; the initial cells are those of equal signatures.
/// Then vertices of a cell are distinguished by the numbers and labels of their edges to and from other cells. Every part of a
/// cell that was split can split others, except the largest, whose edges follow from those of the others: the time is
/// O(*m* log² *m*), where *m* is the number of vertices and edges.
///
/// The order of cells depends only on signatures, edges and counts, so that it does not depend on the numbers of vertices.
struct PartitionRefinement {
    typealias Vertex = UInt32

    /// An edge from the perspective of one of its ends.
    struct Neighbor: BitwiseCopyable {
        let vertex: Vertex
        /// The label, and the direction of the edge in the lowest bit.
        let code: UInt32
    }

    /// An edge between a vertex of the cell that splits others and a vertex of a cell that may be split.
    struct Touch: BitwiseCopyable {
        /// The cell, then the vertex.
        let place: UInt64
        let code: UInt32

        var cell: Int { Int(place >> 32) }
        var vertex: Vertex { Vertex(truncatingIfNeeded: place) }
    }

    /// The vertices, cell by cell. The number of a cell is the position of its first vertex.
    private var order: [Vertex]
    private var places: [Int]
    private var cells: [Int]
    /// The end of each cell.
    private var ends: [Int]
    /// The parts of cells that were split, in the order of the splits.
    private var splits = [(part: Int, cell: Int)]()
    /// The cells that may split others.
    private var splitters = [Int]()
    private var isSplitter: [Bool]
    /// The neighbors of all vertices, in order, and the start of each vertex's neighbors.
    private var neighbors: [Neighbor]
    private var starts: [Int]
    /// The hash of all differences that were found since a vertex was set apart; nil if none is.
    private var trace: UInt64?
    /// The number of edges that were visited.
    private var work = 0

    init(_ graph: RefinementGraph) {
        let count = graph.starts.count
        func precedes(_ left: Vertex, _ right: Vertex) -> Bool {
            func signature(_ vertex: Vertex) -> ArraySlice<UInt64> {
                let end = Int(vertex) + 1 < count ? graph.starts[Int(vertex) + 1] : graph.signatures.count
                return graph.signatures[graph.starts[Int(vertex)]..<end]
            }
            return signature(left).lexicographicallyPrecedes(signature(right))
        }
        order = (0..<count).map { Vertex(truncatingIfNeeded: $0) }
        order.sort(by: precedes)
        places = Array(repeating: 0, count: count)
        cells = places
        ends = places
        isSplitter = Array(repeating: false, count: count)
        neighbors = Array(repeating: Neighbor(vertex: 0, code: 0), count: 2 * graph.edges.count)
        starts = Array(repeating: 0, count: count + 2)
        for edge in graph.edges {
            starts[Int(edge.from) + 2] += 1
            starts[Int(edge.to) + 2] += 1
        }
        for vertex in 1..<starts.count { starts[vertex] += starts[vertex - 1] }
        for edge in graph.edges {
            for (vertex, other, code) in [
                (edge.from, edge.to, edge.label << 1), (edge.to, edge.from, edge.label << 1 | 1),
            ] {
                neighbors[starts[Int(vertex) + 1]] = Neighbor(vertex: other, code: code)
                starts[Int(vertex) + 1] += 1
            }
        }
        for place in 0..<count {
            let isFirst = place == 0 || precedes(order[place - 1], order[place])
            let cell = isFirst ? place : cells[Int(order[place - 1])]
            if isFirst { addSplitter(cell) }
            places[Int(order[place])] = place
            cells[Int(order[place])] = cell
            ends[cell] = place + 1
        }
    }

    /// Returns the position of `vertex` in the order.
    func rank(of vertex: Int) -> Int { places[vertex] }
}

// MARK: - Refinement

extension PartitionRefinement {
    private mutating func addSplitter(_ cell: Int) {
        isSplitter[cell] = true
        splitters.append(cell)
    }

    /// Splits cells until no cell distinguishes vertices of another cell.
    private mutating func refine() {
        var next = 0
        while next < splitters.count {
            isSplitter[splitters[next]] = false
            splitOthers(by: splitters[next])
            next += 1
        }
        splitters.removeAll(keepingCapacity: true)
    }

    private mutating func splitOthers(by splitter: Int) {
        var touches = [Touch]()
        for vertex in order[splitter..<ends[splitter]] {
            let range = starts[Int(vertex)]..<starts[Int(vertex) + 1]
            work += 1 + range.count
            for neighbor in neighbors[range] {
                let cell = cells[Int(neighbor.vertex)]
                if ends[cell] - cell > 1 || trace != nil {
                    touches.append(Touch(place: UInt64(cell) << 32 | UInt64(neighbor.vertex), code: neighbor.code))
                }
            }
        }
        touches.sort { ($0.place, $0.code) < ($1.place, $1.code) }
        // The touches of a vertex are adjacent, and the vertices of a cell.
        var runs = [Range<Int>]()
        var start = 0
        while start < touches.count {
            var end = start + 1
            while end < touches.count, touches[end].place == touches[start].place { end += 1 }
            runs.append(start..<end)
            if end == touches.count || touches[end].cell != touches[start].cell {
                split(touches[start].cell, runs, touches)
                runs.removeAll(keepingCapacity: true)
            }
            start = end
        }
    }

    /// Splits `cell` by the touches of its vertices, of which `runs` has those of one vertex each. Vertices with the same labels
    /// stay together, and untouched vertices stay together before the others.
    private mutating func split(_ cell: Int, _ runs: [Range<Int>], _ touches: [Touch]) {
        func precedes(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
            touches[left].lexicographicallyPrecedes(touches[right]) { $0.code < $1.code }
        }
        let runs = runs.sorted(by: precedes)
        if trace != nil {
            record(UInt64(cell), UInt64(runs.count))
            for run in runs { for touch in touches[run] { record(UInt64(run.count), UInt64(touch.code)) } }
        }
        var groups = [[Vertex]]()
        for (index, run) in runs.enumerated() {
            if index == 0 || precedes(runs[index - 1], run) { groups.append([]) }
            groups[groups.count - 1].append(touches[run.lowerBound].vertex)
        }
        split(cell, groups)
    }

    /// Splits `groups` of vertices off `cell`, in their order. If no other vertices remain, the first group keeps the cell.
    private mutating func split(_ cell: Int, _ groups: [[Vertex]]) {
        var parts = [cell]
        var place = ends[cell]
        for group in groups.reversed() where place - group.count > cell {
            let end = place
            for vertex in group {
                place -= 1
                let other = order[place]
                order.swapAt(place, places[Int(vertex)])
                places[Int(other)] = places[Int(vertex)]
                places[Int(vertex)] = place
            }
            for vertex in group { cells[Int(vertex)] = place }
            (ends[place], ends[cell]) = (end, place)
            splits.append((place, cell))
            parts.append(place)
        }
        var largest = cell
        if !isSplitter[cell] {
            for part in parts where ends[part] - part > ends[largest] - largest { largest = part }
        }
        for part in parts where part != largest && !isSplitter[part] { addSplitter(part) }
    }

    /// Undoes the newest splits, until there are `count`.
    private mutating func undoSplits(to count: Int) {
        while splits.count > count, let (part, cell) = splits.popLast() {
            for vertex in order[part..<ends[part]] { cells[Int(vertex)] = cell }
            ends[cell] = ends[part]
        }
    }

    private mutating func record(_ first: UInt64, _ second: UInt64) {
        if let trace { self.trace = ByteHash.combine(trace, ByteHash.combine(first, second)) }
    }
}

// MARK: - Complete refinement

extension PartitionRefinement {
    /// Refines the partition until every vertex has a cell of its own.
    ///
    /// Vertices that are in one cell after `refine()` need not be interchangeable: in a ring of three and a ring of six, all look
    /// the same. So each vertex is set apart tentatively, and the cell is split if the consequences differ. If they do not, the
    /// vertices are interchangeable in all but very regular graphs, and any of them is the first.
    mutating func refineToTheEnd() {
        refine()
        lookAhead()
        for place in 0..<order.count {
            while ends[place] - place > 1, cells[Int(order[place])] == place {
                split(place, [[order[ends[place] - 1]]])
                refine()
            }
        }
    }

    /// Splits cells by the consequences of setting their vertices apart, unless it takes too long.
    private mutating func lookAhead() {
        let limit = work + 1 << 20 + 64 * (order.count + neighbors.count)
        var cell = 0
        while cell < order.count {
            let vertices = Array(order[cell..<ends[cell]])
            if vertices.count > 1 {
                var groups = [UInt64: [Vertex]]()
                for vertex in vertices {
                    let count = splits.count
                    trace = 0
                    split(cell, [[vertex]])
                    refine()
                    undoSplits(to: count)
                    groups[trace ?? 0, default: []].append(vertex)
                    trace = nil
                    // The cost of a whole cell does not depend on the order of its vertices.
                    guard work <= limit else { return }
                }
                split(cell, groups.sorted { $0.key < $1.key }.map(\.value))
                refine()
            }
            cell = ends[cell]
        }
    }
}
