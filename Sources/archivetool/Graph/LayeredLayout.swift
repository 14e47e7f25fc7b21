/// Places boxes in layers from left to right, so that arrows lead to the right, but for those that close a cycle.
///
/// The steps are the usual ones for such drawings: cycles are broken, each box gets the layer behind the last of those that
/// refer to it, arrows over several layers get a place in each of them, the layers are ordered so that few arrows cross, and
/// the boxes are moved so that arrows are straight. Long arrows to the same box join on their way: a few lines run
/// through the picture, and it is no question where they lead.
///
/// Nothing recurses, and each step takes time in proportion to the boxes, arrows and places, or a little more.
struct LayeredLayout {
    /// A box that is to be placed.
    struct Box {
        var width: Double
        var height: Double
        /// Where arrows reach it, from its top.
        var port: Double
    }

    /// An arrow from a place on the side of a box.
    struct Edge {
        var source: Int
        /// Where it begins, from the top of the box.
        var port: Double
        var target: Int
        /// Which arrows to the same box it can join: those of the same style.
        var style: Int
    }

    /// A box, or the place of long arrows in a layer between.
    struct Item {
        /// The box; nil for a place of arrows.
        var box: Int?
        var layer: Int
        var width: Double
        var height: Double
        var x = 0.0
        var y = 0.0
        /// What orders the layers at first: when the item is met in a walk from the first box.
        var rank = 0.0
    }

    /// A piece of an arrow, from an item to one in the next layer to the right.
    struct Segment {
        var left: Int
        /// Where it begins, from the top of the left item.
        var leftPort: Double
        var right: Int
        /// Where it ends, from the top of the right item.
        var rightPort: Double
        /// The line that it belongs to.
        var line: Int
    }

    /// All arrows to the same box that have the same style and direction.
    struct Line {
        var target: Int
        var style: Int
        /// Whether it leads to the left.
        var isBack: Bool
        /// The arrows.
        var edges: [Int] = []
    }

    /// The boxes, and behind them the places of long arrows.
    var items: [Item]
    /// The items of each layer, from the top.
    var layers: [[Int]] = []
    var segments: [Segment] = []
    private(set) var lines: [Line] = []
    /// Arrows from a box to itself.
    private(set) var loops: [Int] = []
    /// Arrows that are drawn without regard for what is between, since their places would be too many.
    private(set) var directEdges: [Int] = []
    /// The size of the whole.
    var width = 0.0
    var height = 0.0

    let boxes: [Box]
    let edges: [Edge]
    /// The ranks of arrows, as those of items.
    private var edgeRanks: [Double] = []
    private var isBack: [Bool] = []

    /// Places of long arrows, at most. With more, only the steps from layer to layer are ordered.
    private static let placeLimit = 12_000

    /// Places `boxes`.
    init(_ boxes: [Box], _ edges: [Edge]) {
        self.boxes = boxes
        self.edges = edges
        items = boxes.map { Item(box: 0, layer: 0, width: $0.width, height: $0.height) }
        for box in items.indices { items[box].box = box }
        guard !boxes.isEmpty else { return }
        let order = breakCycles()
        assignLayers(order)
        collectLines()
        addSegments()
        orderLayers()
        placeVertically()
        placeHorizontally()
    }
}

// MARK: - Cycles and layers

extension LayeredLayout {
    /// Finds the arrows that lead back to where a walk comes from.
    ///
    /// - Returns: The boxes, each in front of those that its other arrows lead to.
    private mutating func breakCycles() -> [Int] {
        let successors = Adjacency(boxes.count, edges.indices.map { (edges[$0].source, $0) })
        isBack = Array(repeating: false, count: edges.count)
        edgeRanks = Array(repeating: 0, count: edges.count)
        var order: [Int] = []
        var isMet = Array(repeating: false, count: boxes.count)
        var isOpen = Array(repeating: false, count: boxes.count)
        var rank = 0.0
        for start in boxes.indices where !isMet[start] {
            var stack = [(box: start, next: 0)]
            isMet[start] = true
            isOpen[start] = true
            rank += 1
            items[start].rank = rank
            while let (box, next) = stack.popLast() {
                let outgoing = successors[box]
                guard next < outgoing.count else {
                    isOpen[box] = false
                    order.append(box)
                    continue
                }
                stack.append((box, next + 1))
                let edge = outgoing[outgoing.startIndex + next]
                let target = edges[edge].target
                rank += 1
                edgeRanks[edge] = rank
                if isOpen[target] {
                    isBack[edge] = true
                } else if !isMet[target] {
                    isMet[target] = true
                    isOpen[target] = true
                    rank += 1
                    items[target].rank = rank
                    stack.append((target, 0))
                }
            }
        }
        return order.reversed()
    }

    /// Puts each box behind the last of those that refer to it.
    private mutating func assignLayers(_ order: [Int]) {
        let successors = Adjacency(
            boxes.count, edges.indices.filter { !isBack[$0] }.map { (edges[$0].source, edges[$0].target) })
        for box in order {
            for target in successors[box] { items[target].layer = max(items[target].layer, items[box].layer + 1) }
        }
    }
}

// MARK: - Lines

extension LayeredLayout {
    /// Gathers the arrows that join.
    private mutating func collectLines() {
        struct Name: Hashable {
            var target: Int
            var style: Int
            var isBack: Bool
        }
        var known: [Name: Int] = [:]
        for (position, edge) in edges.enumerated() {
            guard edge.source != edge.target else {
                loops.append(position)
                continue
            }
            let name = Name(target: edge.target, style: edge.style, isBack: isBack[position])
            let line = known[name] ?? lines.count
            if line == lines.count {
                known[name] = line
                lines.append(Line(target: edge.target, style: edge.style, isBack: name.isBack))
            }
            lines[line].edges.append(position)
        }
    }

    /// Cuts the lines at the layers that they go through.
    private mutating func addSegments() {
        let layerCount = (items.map(\.layer).max() ?? 0) + 1
        var placeCount = 0
        for line in lines.indices {
            let target = items[lines[line].target].layer
            let farthest = lines[line].edges.map { abs(items[edges[$0].source].layer - target) }.max() ?? 0
            placeCount += max(0, farthest - 1)
            let isTooMuch = placeCount > Self.placeLimit
            addSegments(of: line, isTooMuch: isTooMuch)
        }
        layers = Array(repeating: [], count: layerCount)
        for item in items.indices.sorted(by: { (items[$0].rank, $0) < (items[$1].rank, $1) }) {
            layers[items[item].layer].append(item)
        }
    }

    private mutating func addSegments(of line: Int, isTooMuch: Bool) {
        let target = lines[line].target
        let end = items[target].layer
        let step = lines[line].isBack ? -1 : 1
        // The place of the line in each layer that it goes through, the nearest to the target first.
        var places: [Int] = []
        for edge in lines[line].edges {
            let source = edges[edge].source
            let distance = abs(items[source].layer - end)
            guard distance > 1, isTooMuch else { continue }
            directEdges.append(edge)
        }
        for edge in lines[line].edges {
            let source = edges[edge].source
            let distance = abs(items[source].layer - end)
            if distance > 1, isTooMuch { continue }
            while places.count < distance - 1 {
                let next = places.last ?? target
                let layer = end - step * (places.count + 1)
                items.append(Item(layer: layer, width: 0, height: 0, rank: edgeRanks[edge]))
                places.append(items.count - 1)
                connect(items.count - 1, 0, next, next == target ? boxes[target].port : 0, line)
            }
            for place in places.prefix(max(0, distance - 1)) {
                items[place].rank = min(items[place].rank, edgeRanks[edge])
            }
            let next = distance > 1 ? places[distance - 2] : target
            connect(source, edges[edge].port, next, next == target ? boxes[target].port : 0, line)
        }
    }

    /// Adds a piece of a line, which leads from `start` to `end`, to the right or to the left.
    private mutating func connect(_ start: Int, _ startPort: Double, _ end: Int, _ endPort: Double, _ line: Int) {
        if lines[line].isBack {
            segments.append(Segment(left: end, leftPort: endPort, right: start, rightPort: startPort, line: line))
        } else {
            segments.append(Segment(left: start, leftPort: startPort, right: end, rightPort: endPort, line: line))
        }
    }
}
