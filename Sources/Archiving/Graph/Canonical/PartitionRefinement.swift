// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A graph whose vertices are to be distinguished. Each vertex has a signature, which represents all its properties, and
/// labelled edges to other vertices.
struct RefinementGraph: ~Copyable {
    struct Edge: BitwiseCopyable {
        let from: UInt32
        let to: UInt32
        let label: UInt32
    }

    private(set) var edges = [Edge]()
    /// The signatures of all vertices, in order.
    private(set) var signatures = [UInt64]()
    /// The start of each vertex's signature.
    private(set) var starts = [Int]()

    var vertexCount: Int { starts.count }

    mutating func addVertex() -> Int {
        starts.append(signatures.count)
        return starts.count - 1
    }

    /// Appends `word` to the signature of the newest vertex.
    mutating func sign(_ word: UInt64) {
        signatures.append(word)
    }

    mutating func addEdge(from: Int, to: Int, label: Int) {
        edges.append(
            Edge(
                from: UInt32(truncatingIfNeeded: from), to: UInt32(truncatingIfNeeded: to),
                label: UInt32(truncatingIfNeeded: label)))
    }
}

/// Sorts the vertices of a graph by their properties, independently of their numbers.
///
/// Two vertices are in one cell until a difference between them is known; the initial cells are those of equal signatures. A
/// *splitter* is a cell that splits other cells by the edges of their vertices to and from it. Every part of a cell that was
/// split becomes a splitter, except the largest, whose edges follow from those of the others (Hopcroft; Paige and Tarjan).
/// Without splitters left, the vertices of a cell differ only in their relations to equal vertices; `refineToTheEnd()` resolves
/// these.
///
/// The order of cells and splitters depends only on signatures, edges and counts, so that the result does not depend on the
/// numbers of vertices.
struct PartitionRefinement: ~Copyable {
    typealias Vertex = OrderedPartition.Vertex

    /// An edge from the perspective of one of its ends.
    struct Neighbor: BitwiseCopyable {
        let vertex: Vertex
        /// The label, and the direction of the edge in the lowest bit.
        let code: UInt32
    }

    /// An edge between a splitter and a vertex in a cell that may be split.
    struct Touch: BitwiseCopyable {
        /// The start of the vertex's cell, then the vertex.
        let place: UInt64
        let code: UInt32

        var cellStart: UInt64 { place >> 32 }
        var vertex: Vertex { Vertex(truncatingIfNeeded: place) }
    }

    /// The touches of one vertex.
    struct Run: BitwiseCopyable {
        let start: Int
        let count: Int
    }

    private var partition: OrderedPartition
    /// The pending splitters, from `nextSplitter` on.
    private var splitters = [UInt32]()
    private var nextSplitter = 0
    private var neighbors: [Neighbor]
    /// The start of each vertex's neighbors, followed by the end of the last.
    private var neighborStarts: [Int]
    private var touches = [Touch]()
    private var runs = [Run]()
    /// A hash of the refinement since tracing began: cells, labels and counts, without the numbers of vertices. nil without tracing.
    private var trace: UInt64?
    /// The number of visited vertices and edges.
    private var work = 0

    /// Sorts the vertices of `graph` by their signatures.
    ///
    /// - Complexity: O(*n* log *n*) comparisons of signatures, where *n* is the number of vertices.
    init(_ graph: consuming RefinementGraph) {
        let count = graph.vertexCount
        let starts = graph.starts
        let signatures = graph.signatures
        func signature(_ vertex: Vertex) -> ArraySlice<UInt64> {
            signatures[starts[Int(vertex)]..<(Int(vertex) + 1 < count ? starts[Int(vertex) + 1] : signatures.count)]
        }
        partition = OrderedPartition(vertexCount: count) { signature($0).lexicographicallyPrecedes(signature($1)) }
        neighborStarts = Array(repeating: 0, count: count + 2)
        neighbors = Array(repeating: Neighbor(vertex: 0, code: 0), count: 2 * graph.edges.count)
        link(graph)
        for cell in 0..<partition.cellCount { addSplitter(cell) }
    }

    /// Returns the position of `vertex` in the order.
    func rank(of vertex: Int) -> Int { partition.place(of: Vertex(truncatingIfNeeded: vertex)) }
}

// MARK: - Refinement

extension PartitionRefinement {
    /// Adds every edge to both of its ends.
    private mutating func link(_ graph: borrowing RefinementGraph) {
        for edge in graph.edges {
            neighborStarts[Int(edge.from) + 2] += 1
            neighborStarts[Int(edge.to) + 2] += 1
        }
        for vertex in 1..<neighborStarts.count { neighborStarts[vertex] += neighborStarts[vertex - 1] }
        for edge in graph.edges {
            neighbors[neighborStarts[Int(edge.from) + 1]] = Neighbor(vertex: edge.to, code: edge.label << 1)
            neighborStarts[Int(edge.from) + 1] += 1
            neighbors[neighborStarts[Int(edge.to) + 1]] = Neighbor(vertex: edge.from, code: edge.label << 1 | 1)
            neighborStarts[Int(edge.to) + 1] += 1
        }
    }

    private mutating func addSplitter(_ cell: Int) {
        partition.setSplitter(true, cell)
        splitters.append(UInt32(truncatingIfNeeded: cell))
    }

    /// Splits cells until no cell distinguishes vertices of another cell.
    private mutating func refine() {
        while nextSplitter < splitters.count {
            let splitter = Int(splitters[nextSplitter])
            nextSplitter += 1
            partition.setSplitter(false, splitter)
            // A trace must include all edges, even if no cell can be split.
            if trace != nil || !partition.isDiscrete { split(by: splitter) }
        }
        splitters.removeAll(keepingCapacity: true)
        nextSplitter = 0
    }

    private mutating func split(by splitter: Int) {
        touches.removeAll(keepingCapacity: true)
        var singleTouches: UInt64 = 0
        for place in partition[splitter].places {
            let vertex = Int(partition.vertex(at: place))
            work += 1 + neighborStarts[vertex + 1] - neighborStarts[vertex]
            for index in neighborStarts[vertex]..<neighborStarts[vertex + 1] {
                let neighbor = neighbors[index]
                let start = UInt64(partition[partition.cell(of: neighbor.vertex)].start)
                if partition[partition.cell(of: neighbor.vertex)].count > 1 {
                    touches.append(Touch(place: start << 32 | UInt64(neighbor.vertex), code: neighbor.code))
                } else if trace != nil {
                    singleTouches &+= Self.hash(start, UInt64(neighbor.code))
                }
            }
        }
        record(singleTouches, UInt64(touches.count))
        touches.sort { ($0.place, $0.code) < ($1.place, $1.code) }
        // The runs of one cell are adjacent.
        var start = 0
        while start < touches.count {
            let first = touches[start]
            runs.removeAll(keepingCapacity: true)
            while start < touches.count, touches[start].cellStart == first.cellStart {
                var end = start + 1
                while end < touches.count, touches[end].place == touches[start].place { end += 1 }
                runs.append(Run(start: start, count: end - start))
                start = end
            }
            splitByRuns(partition.cell(of: first.vertex))
        }
    }

    /// Splits `cell` by the runs of its vertices. Vertices with the same labels stay together, and untouched vertices stay
    /// together after the others.
    private mutating func splitByRuns(_ cell: Int) {
        let touches = touches
        func labels(_ run: Run) -> ArraySlice<Touch> { touches[run.start..<run.start + run.count] }
        func precedes(_ left: Run, _ right: Run) -> Bool {
            labels(left).lexicographicallyPrecedes(labels(right)) { $0.code < $1.code }
        }
        runs.sort(by: precedes)
        let isFullyTouched = runs.count == partition[cell].count
        let firstPart = partition.cellCount
        record(UInt64(partition[cell].start), UInt64(partition[cell].count))
        var start = 0
        while start < runs.count {
            var end = start + 1
            while end < runs.count, !precedes(runs[start], runs[end]) { end += 1 }
            record(UInt64(end - start), UInt64(runs[start].count))
            for touch in labels(runs[start]) { record(UInt64(touch.code), 1) }
            // If no other vertices remain, the last part keeps the cell.
            if end < runs.count || !isFullyTouched {
                let part = partition.makePart(of: cell)
                for index in start..<end { partition.move(touches[runs[index].start].vertex, to: part) }
            }
            start = end
        }
        addSplitters(of: cell, from: firstPart)
    }

    /// Adds splitters for `cell` and its parts, which are the cells from `firstPart` on. If `cell` was a pending splitter, all
    /// parts become splitters; otherwise, all except the largest.
    private mutating func addSplitters(of cell: Int, from firstPart: Int) {
        let parts = firstPart..<partition.cellCount
        guard !parts.isEmpty else { return }
        var largest = cell
        if !partition[cell].isSplitter {
            for part in parts where partition[part].count > partition[largest].count { largest = part }
            if largest != cell { addSplitter(cell) }
        }
        for part in parts where part != largest { addSplitter(part) }
    }

    @inline(__always)
    private mutating func record(_ first: UInt64, _ second: UInt64) {
        if let trace { self.trace = Self.hash(trace, Self.hash(first, second)) }
    }

    @inline(__always)
    private static func hash(_ first: UInt64, _ second: UInt64) -> UInt64 {
        let product = (first &+ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: second ^ 0xE703_7ED1_A0B4_28DB)
        return product.high ^ product.low ^ (first << 23 | first >> 41)
    }
}

// MARK: - Complete refinement

extension PartitionRefinement {
    /// The maximum cost of looking ahead: `workFactor` for each vertex and edge, plus `workFloor`.
    private static let workFactor = 64
    private static let workFloor = 1 << 20

    /// Refines the partition until every vertex has a cell of its own.
    ///
    /// Vertices that are in one cell after `refine()` have the same neighborhoods, but need not be interchangeable: in a ring
    /// of three and a ring of six, all vertices look the same. `lookAhead()` therefore tentatively separates each vertex from
    /// its cell, and splits the cell if the consequences differ. If a separation determines the whole partition, equal traces
    /// indicate that the vertices are interchangeable without a change to the graph. This method then separates one vertex of
    /// each remaining cell, and refines the partition again.
    ///
    /// This method is not exact for every graph; no fast exact algorithm is known. The exceptions are strongly regular and
    /// similar graphs, and objects in rings so large that looking ahead exceeds its limit. All of these objects have equal
    /// contents.
    ///
    /// - Complexity: O(*m* log² *m*), where *m* is the number of vertices and edges.
    mutating func refineToTheEnd() {
        refine()
        lookAhead()
        for place in 0..<partition.vertexCount {
            let vertex = partition.vertex(at: place)
            guard partition[partition.cell(of: vertex)].count > 1 else { continue }
            setApart(vertex)
            refine()
        }
    }

    struct Trace: BitwiseCopyable {
        var trace: UInt64
        let vertex: Vertex
    }

    /// Splits cells by the traces of their vertices.
    private mutating func lookAhead() {
        let limit = work + Self.workFloor + Self.workFactor * (partition.vertexCount + neighbors.count)
        var traces = [Trace]()
        var place = 0
        while place < partition.vertexCount {
            let cell = partition.cell(of: partition.vertex(at: place))
            let places = partition[cell].places
            place = places.upperBound
            guard places.count > 1 else { continue }
            traces.removeAll(keepingCapacity: true)
            for place in places { traces.append(Trace(trace: 0, vertex: partition.vertex(at: place))) }
            for index in 0..<traces.count {
                traces[index].trace = traceOfSettingApart(traces[index].vertex)
                // The cost of a whole cell does not depend on the order of its vertices, so neither does reaching the limit.
                guard work <= limit else { return }
            }
            splitByTraces(cell, &traces)
            refine()
        }
    }

    /// Returns the trace of the refinement after `vertex` is separated, and restores the cells.
    private mutating func traceOfSettingApart(_ vertex: Vertex) -> UInt64 {
        let cellCount = partition.cellCount
        trace = 0
        defer { trace = nil }
        setApart(vertex)
        refine()
        partition.unite(to: cellCount)
        return trace ?? 0
    }

    private mutating func setApart(_ vertex: Vertex) {
        let part = partition.makePart(of: partition.cell(of: vertex))
        partition.move(vertex, to: part)
        addSplitter(part)
    }

    private mutating func splitByTraces(_ cell: Int, _ traces: inout [Trace]) {
        traces.sort { $0.trace < $1.trace }
        let firstPart = partition.cellCount
        var start = 0
        while start < traces.count {
            var end = start + 1
            while end < traces.count, traces[end].trace == traces[start].trace { end += 1 }
            guard end < traces.count else { break }
            let part = partition.makePart(of: cell)
            for index in start..<end { partition.move(traces[index].vertex, to: part) }
            start = end
        }
        addSplitters(of: cell, from: firstPart)
    }
}
