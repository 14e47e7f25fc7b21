import TestSupport
import Testing

@testable import archivetool

/// What has to be true of every picture.
@Suite(.inTurn) struct `The layout of a graph` {
    private func layout(_ heights: [Double], _ edges: [(Int, Int)]) -> LayeredLayout {
        LayeredLayout(
            heights.map { LayeredLayout.Box(width: 100 + $0, height: $0, port: 13) },
            edges.enumerated().map { position, edge in
                LayeredLayout.Edge(
                    source: edge.0, port: min(heights[edge.0], 20 + Double(position % 5) * 4), target: edge.1, style: 0)
            })
    }

    private func check(_ layout: LayeredLayout) {
        for (position, item) in layout.items.enumerated() {
            #expect(item.x >= 0 && item.y >= -0.001)
            #expect(item.x + item.width <= layout.width + 0.001 && item.y + item.height <= layout.height + 0.001)
            #expect(layout.layers[item.layer].contains(position))
        }
        // No two boxes overlap.
        let boxes = layout.boxes.indices.map { layout.items[$0] }
        for (position, box) in boxes.enumerated() {
            for other in boxes[(position + 1)...] {
                let isApart =
                    box.x + box.width < other.x || other.x + other.width < box.x || box.y + box.height < other.y
                    || other.y + other.height < box.y
                #expect(isApart)
            }
        }
        // Lines go through no box: they have a place in each layer, between the boxes.
        for layer in layout.layers {
            for (upper, lower) in zip(layer, layer.dropFirst()) {
                #expect(layout.items[upper].y + layout.items[upper].height < layout.items[lower].y)
            }
        }
        // Each piece leads to the next layer, and each arrow to the right, but for those that lead back.
        for segment in layout.segments {
            #expect(layout.items[segment.right].layer == layout.items[segment.left].layer + 1)
            let left = layout.items[segment.left]
            #expect(left.x + left.width < layout.items[segment.right].x)
        }
        for line in layout.lines {
            for edge in line.edges {
                let (source, target) = (layout.edges[edge].source, layout.edges[edge].target)
                #expect((layout.items[source].layer < layout.items[target].layer) == !line.isBack)
            }
        }
        let drawn = layout.lines.reduce(0) { $0 + $1.edges.count } + layout.loops.count
        #expect(drawn == layout.edges.count)
    }

    /// Whether the arrows lead where they should, by way of the pieces that are drawn.
    private func checkLines(_ layout: LayeredLayout) {
        var next: [Int: [(item: Int, line: Int)]] = [:]
        for segment in layout.segments {
            let isBack = layout.lines[segment.line].isBack
            next[isBack ? segment.right : segment.left, default: []].append(
                (isBack ? segment.left : segment.right, segment.line))
        }
        for (number, line) in layout.lines.enumerated() {
            for edge in line.edges where !layout.directEdges.contains(edge) {
                var item = layout.edges[edge].source
                for _ in layout.layers {
                    guard let step = next[item]?.first(where: { $0.line == number }) else { break }
                    item = step.item
                    if item == line.target { break }
                }
                #expect(item == line.target)
            }
        }
    }

    @Test func `puts a chain in a row`() {
        let layout = layout([40, 40, 40], [(0, 1), (1, 2)])
        check(layout)
        #expect(layout.items.map(\.layer) == [0, 1, 2])
    }

    @Test func `puts what is referred to twice behind both`() {
        let layout = layout([40, 40, 40], [(0, 1), (0, 2), (1, 2)])
        check(layout)
        checkLines(layout)
        #expect(layout.items[..<3].map(\.layer) == [0, 1, 2])
        // The arrow from 0 to 2 has a place beside box 1.
        #expect(layout.items.count == 4 && layout.items[3].layer == 1 && layout.items[3].box == nil)
    }

    @Test func `lets arrows that close a cycle lead back`() {
        let layout = layout([40, 60, 80], [(0, 1), (1, 2), (2, 0), (2, 2)])
        check(layout)
        checkLines(layout)
        #expect(layout.lines.filter(\.isBack).flatMap(\.edges) == [2])
        #expect(layout.loops == [3])
    }

    @Test func `joins long arrows to the same box`() {
        // From 0, 1 and 2 to 4, which is behind 3: one line with one place in each layer.
        let layout = layout([40, 40, 40, 40, 40], [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4), (1, 4), (2, 4)])
        check(layout)
        checkLines(layout)
        #expect(layout.items.count - 5 == 3)
    }

    @Test func `crosses nothing in a tree`() {
        var edges: [(Int, Int)] = []
        for box in 1..<40 { edges.append(((box - 1) / 3, box)) }
        let layout = layout(Array(repeating: 30, count: 40), edges)
        check(layout)
        for layer in layout.layers {
            // The children of what is above are above the children of what is below.
            let parents = layer.compactMap { item in layout.segments.first { $0.right == item }?.left }
            let places = parents.map { layout.items[$0].y }
            #expect(places == places.sorted())
        }
    }

    @Test func `uncrosses what can be uncrossed`() {
        // 0 refers to 1 and 2; 1 to 4, and 2 to 3, which would cross in the order of the numbers.
        let layout = layout([40, 40, 40, 40, 40, 40], [(0, 1), (0, 2), (5, 3), (1, 4), (2, 3), (0, 5)])
        check(layout)
        var places = Array(repeating: 0, count: layout.items.count)
        for layer in layout.layers { for (place, item) in layer.enumerated() { places[item] = place } }
        #expect(layout.crossingCount(places, SegmentSides(layout)) == 0)
    }

    @Test func `is empty where there is nothing`() {
        let layout = layout([], [])
        #expect(layout.width == 0 && layout.height == 0)
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `keeps its promises for any graph`(seed: UInt64) {
        var generator = SeededGenerator(state: seed)
        let count = Int.random(in: 1...60, using: &generator)
        let heights = (0..<count).map { _ in Double.random(in: 30...200, using: &generator) }
        let edges = (0..<Int.random(in: 0...3 * count, using: &generator)).map { _ in
            (Int.random(in: 0..<count, using: &generator), Int.random(in: 0..<count, using: &generator))
        }
        let layout = layout(heights, edges)
        check(layout)
        checkLines(layout)
    }

    @Test func `draws arrows directly where their places would be too many`() {
        // A chain of 600 boxes each of which refers to all behind it.
        var edges: [(Int, Int)] = []
        for box in 0..<600 { edges += (box + 1..<600).map { (box, $0) } }
        let layout = layout(Array(repeating: 30, count: 600), edges)
        #expect(!layout.directEdges.isEmpty && layout.items.count < 13_000)
        #expect(layout.lines.reduce(0) { $0 + $1.edges.count } == edges.count)
    }
}
