// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A graph whose vertices are to be distinguished. Each vertex has a signature, which represents all its properties, and
/// labelled edges to other vertices.
struct RefinementGraph {
    struct Edge: BitwiseCopyable {
        let from: UInt32
        let to: UInt32
        /// The label, and the direction of the edge in the lowest bit.
        let code: UInt32
    }

    fileprivate var edges = [Edge]()
    /// The signatures of all vertices, in order, and the start of each.
    fileprivate var signatures = [UInt64]()
    fileprivate var starts = [Int]()

    var count: Int { starts.count }

    /// Adds a vertex, whose signature `sign(_:)` then extends.
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
                code: UInt32(truncatingIfNeeded: label) << 1))
    }

    fileprivate func precedes(_ left: UInt32, _ right: UInt32) -> Bool {
        func signature(_ vertex: Int) -> ArraySlice<UInt64> {
            signatures[starts[vertex]..<(vertex + 1 < count ? starts[vertex + 1] : signatures.count)]
        }
        return signature(Int(left)).lexicographicallyPrecedes(signature(Int(right)))
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

    /// An edge between a vertex of the cell that splits others and a vertex of a cell that may be split.
    private struct Touch: BitwiseCopyable {
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
    private var ends: [Int]
    /// The parts of cells that were split, in the order of the splits.
    private var splits = [(part: Int, cell: Int)]()
    private var splitters = [Int]()
    private var isSplitter: [Bool]
    /// The neighbors of all vertices, each with the code of the edge in the lower half; those of one vertex in order.
    private var neighbors: [UInt64]
    private var starts: [Int]
    /// The hash of all differences that were found since a vertex was set apart; nil if none is.
    private var trace: UInt64?
    /// The number of edges that were visited.
    private var work = 0

    init(_ graph: RefinementGraph) {
        let count = graph.count
        order = (0..<count).map { Vertex(truncatingIfNeeded: $0) }
        order.sort(by: graph.precedes)
        places = Array(repeating: 0, count: count)
        cells = places
        ends = places
        isSplitter = Array(repeating: false, count: count)
        neighbors = Array(repeating: 0, count: 2 * graph.edges.count)
        starts = Array(repeating: 0, count: count + 2)
        for edge in graph.edges {
            starts[Int(edge.from) + 2] += 1
            starts[Int(edge.to) + 2] += 1
        }
        for vertex in 1..<starts.count { starts[vertex] += starts[vertex - 1] }
        for edge in graph.edges {
            for (vertex, other, code) in [(edge.from, edge.to, edge.code), (edge.to, edge.from, edge.code | 1)] {
                neighbors[starts[Int(vertex) + 1]] = UInt64(other) << 32 | UInt64(code)
                starts[Int(vertex) + 1] += 1
            }
        }
        for vertex in 0..<count { neighbors[starts[vertex]..<starts[vertex + 1]].sort() }
        for place in 0..<count {
            let isFirst = place == 0 || graph.precedes(order[place - 1], order[place])
            let cell = isFirst ? place : cells[Int(order[place - 1])]
            if isFirst { addSplitter(cell) }
            places[Int(order[place])] = place
            cells[Int(order[place])] = cell
            ends[cell] = place + 1
        }
    }

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
            for place in range {
                let (vertex, code) = (neighbors[place] >> 32, UInt32(truncatingIfNeeded: neighbors[place]))
                let cell = cells[Int(vertex)]
                if ends[cell] - cell > 1 || trace != nil {
                    touches.append(Touch(place: UInt64(cell) << 32 | vertex, code: code))
                }
            }
        }
        touches.sort { ($0.place, $0.code) < ($1.place, $1.code) }
        // The touches of a vertex are adjacent, and the vertices of a cell.
        var runs = [Range<Int>]()
        var start = 0
        while start < touches.count {
            runs.removeAll(keepingCapacity: true)
            let cell = touches[start].cell
            while start < touches.count, touches[start].cell == cell {
                var end = start + 1
                while end < touches.count, touches[end].place == touches[start].place { end += 1 }
                runs.append(start..<end)
                start = end
            }
            split(cell, &runs, touches)
        }
    }

    /// Splits `cell` by the touches of its vertices, of which `runs` has those of one vertex each. Vertices with the same labels
    /// stay together, and untouched vertices stay together before the others.
    private mutating func split(_ cell: Int, _ runs: inout [Range<Int>], _ touches: [Touch]) {
        func precedes(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
            touches[left].lexicographicallyPrecedes(touches[right]) { $0.code < $1.code }
        }
        if runs.count > 1 { runs.sort(by: precedes) }
        if trace != nil {
            record(UInt64(cell), UInt64(runs.count))
            for run in runs { for touch in touches[run] { record(UInt64(run.count), UInt64(touch.code)) } }
        }
        guard ends[cell] - cell > 1 else { return }
        // Groups are split off from the last one to the first one.
        var parts = 0
        var end = runs.count
        while end > 0 {
            var start = end - 1
            while start > 0, !precedes(runs[start - 1], runs[end - 1]) { start -= 1 }
            if ends[cell] - cell > end - start {
                let place = ends[cell] - (end - start)
                for index in start..<end {
                    move(touches[runs[index].lowerBound].vertex, to: place + index - start)
                }
                setApart(place, from: cell)
                parts += 1
            }
            end = start
        }
        addSplitters(among: parts, of: cell)
    }

    private mutating func move(_ vertex: Vertex, to place: Int) {
        let other = order[place]
        order.swapAt(place, places[Int(vertex)])
        places[Int(other)] = places[Int(vertex)]
        places[Int(vertex)] = place
    }

    /// Makes a cell of the vertices from `part` to the end of `cell`.
    private mutating func setApart(_ part: Int, from cell: Int) {
        for vertex in order[part..<ends[cell]] { cells[Int(vertex)] = part }
        (ends[part], ends[cell]) = (ends[cell], part)
        splits.append((part, cell))
    }

    /// Adds `cell` and the newest parts of it, without the largest if it has not been one.
    private mutating func addSplitters(among count: Int, of cell: Int) {
        guard count > 0 else { return }
        let parts = splits[(splits.count - count)...].map(\.part)
        var largest = cell
        if !isSplitter[cell] {
            for part in parts where ends[part] - part > ends[largest] - largest { largest = part }
        }
        for part in [cell] + parts where part != largest && !isSplitter[part] { addSplitter(part) }
    }

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
        for place in 0..<order.count where ends[place] - place > 1 && cells[Int(order[place])] == place {
            if areInterchangeable(place) {
                for part in (place + 1..<ends[place]).reversed() { setApart(part, from: place) }
            }
            while ends[place] - place > 1 {
                setApart(ends[place] - 1, from: place)
                addSplitters(among: 1, of: place)
                refine()
            }
        }
    }

    /// Returns whether all vertices of `cell` have the same neighbors, so that nothing distinguishes them.
    private func areInterchangeable(_ cell: Int) -> Bool {
        func neighbors(_ vertex: Vertex) -> ArraySlice<UInt64> {
            self.neighbors[starts[Int(vertex)]..<starts[Int(vertex) + 1]]
        }
        let first = neighbors(order[cell])
        return order[cell + 1..<ends[cell]].allSatisfy { neighbors($0) == first }
    }

    /// Splits cells by the consequences of setting their vertices apart, unless it takes too long.
    private mutating func lookAhead() {
        let limit = work + 1 << 20 + 64 * (order.count + neighbors.count)
        var cell = 0
        while cell < order.count {
            if ends[cell] - cell > 1, !areInterchangeable(cell) {
                var traces = [(trace: UInt64, vertex: Vertex)]()
                for vertex in Array(order[cell..<ends[cell]]) {
                    let count = splits.count
                    trace = 0
                    move(vertex, to: ends[cell] - 1)
                    setApart(ends[cell] - 1, from: cell)
                    addSplitters(among: 1, of: cell)
                    refine()
                    undoSplits(to: count)
                    traces.append((trace ?? 0, vertex))
                    trace = nil
                    // The cost of a whole cell does not depend on the order of its vertices.
                    guard work <= limit else { return }
                }
                traces.sort { $0.trace < $1.trace }
                for (index, entry) in traces.enumerated() { move(entry.vertex, to: cell + index) }
                var parts = 0
                for index in (1..<traces.count).reversed() where traces[index - 1].trace != traces[index].trace {
                    setApart(cell + index, from: cell)
                    parts += 1
                }
                addSplitters(among: parts, of: cell)
                refine()
            }
            cell = ends[cell]
        }
    }
}
