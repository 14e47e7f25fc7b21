// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Vertices in a sequence of *cells*. The vertices of one cell are adjacent, in any order.
///
/// Cells can be split, and splits can be undone, starting with the newest.
struct OrderedPartition: ~Copyable {
    typealias Vertex = UInt32
    typealias CellNumber = UInt32

    struct Cell: BitwiseCopyable {
        /// The position of the first vertex.
        var start: Int
        var count: Int
        /// The cell that it was split from; an initial cell is its own parent.
        let parent: CellNumber
        /// Whether the cell is a pending splitter of `PartitionRefinement`.
        var isSplitter = false

        var places: Range<Int> { start..<start + count }
    }

    /// The vertices, cell by cell.
    private var order: [Vertex]
    /// The position of each vertex in `order`.
    private var places: [UInt32]
    private var cellOfVertex: [CellNumber]
    private var cells = [Cell]()

    /// Creates one cell for each class of vertices in which none precedes another.
    ///
    /// - Complexity: O(*n* log *n*) comparisons, where *n* is the number of vertices.
    init(vertexCount: Int, by precedes: (Vertex, Vertex) -> Bool) {
        order = []
        for vertex in 0..<vertexCount { order.append(Vertex(truncatingIfNeeded: vertex)) }
        order.sort(by: precedes)
        places = Array(repeating: 0, count: vertexCount)
        cellOfVertex = Array(repeating: 0, count: vertexCount)
        for place in 0..<vertexCount {
            if place == 0 || precedes(order[place - 1], order[place]) {
                cells.append(Cell(start: place, count: 0, parent: CellNumber(truncatingIfNeeded: cells.count)))
            }
            cells[cells.count - 1].count += 1
            places[Int(order[place])] = UInt32(truncatingIfNeeded: place)
            cellOfVertex[Int(order[place])] = CellNumber(truncatingIfNeeded: cells.count - 1)
        }
    }
}

// MARK: - Access

extension OrderedPartition {
    var vertexCount: Int { order.count }
    var cellCount: Int { cells.count }

    /// Whether every vertex has a cell of its own.
    var isDiscrete: Bool { cells.count == order.count }

    subscript(cell: Int) -> Cell { cells[cell] }

    func vertex(at place: Int) -> Vertex { order[place] }

    @inline(__always)
    func place(of vertex: Vertex) -> Int { Int(places[Int(vertex)]) }

    @inline(__always)
    func cell(of vertex: Vertex) -> Int { Int(cellOfVertex[Int(vertex)]) }
}

// MARK: - Splitting

extension OrderedPartition {
    mutating func setSplitter(_ isSplitter: Bool, _ cell: Int) {
        cells[cell].isSplitter = isSplitter
    }

    /// Creates an empty cell before `cell`, and returns its number.
    mutating func makePart(of cell: Int) -> Int {
        cells.append(Cell(start: cells[cell].start, count: 0, parent: CellNumber(truncatingIfNeeded: cell)))
        return cells.count - 1
    }

    /// Moves `vertex` to `part`, the newest part of the vertex's cell.
    @inline(__always)
    mutating func move(_ vertex: Vertex, to part: Int) {
        let cell = cell(of: vertex)
        let place = place(of: vertex)
        let target = cells[cell].start
        let other = order[target]
        order[place] = other
        places[Int(other)] = UInt32(truncatingIfNeeded: place)
        order[target] = vertex
        places[Int(vertex)] = UInt32(truncatingIfNeeded: target)
        cellOfVertex[Int(vertex)] = CellNumber(truncatingIfNeeded: part)
        cells[cell].start += 1
        cells[cell].count -= 1
        cells[part].count += 1
    }

    /// Undoes the newest splits, until there are `count` cells.
    mutating func unite(to count: Int) {
        while cells.count > count {
            // After newer parts are merged, a part is directly before the rest of its cell.
            let part = cells.removeLast()
            for place in part.places { cellOfVertex[Int(order[place])] = part.parent }
            cells[Int(part.parent)].start -= part.count
            cells[Int(part.parent)].count += part.count
        }
    }
}
