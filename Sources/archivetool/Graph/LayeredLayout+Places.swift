// MARK: - Coordinates

extension LayeredLayout {
    /// The least distances between what is above each other.
    private static let boxDistance = 20.0
    private static let lineDistance = 9.0
    /// The distance of layers, and how much wider it gets for segments that go far up or down.
    private static let layerDistance = 54.0
    private static let steepness = 0.1
    private static let steepLimit = 110.0
    /// The same for each segment.
    private static let crowding = 0.8
    private static let crowdingLimit = 130.0
    /// Times that the boxes are moved, to the right and to the left in turn.
    private static let moveCount = 16

    /// Moves the items of each layer up and down, in their order, so that segments are as straight as they can be.
    mutating func placeVertically() {
        for layer in layers {
            var y = 0.0
            for (place, item) in layer.enumerated() {
                items[item].y = y
                if place + 1 < layer.count { y += distance(item, layer[place + 1]) }
            }
        }
        let sides = SegmentSides(self)
        for move in 0..<Self.moveCount {
            let isRightward = move % 2 == 0
            for layer in isRightward ? Array(layers.indices) : layers.indices.reversed() {
                // In the end both sides count.
                let usesBoth = move >= Self.moveCount - 2
                place(layers[layer], sides, left: isRightward || usesBoth, right: !isRightward || usesBoth)
            }
        }
        let top = items.map(\.y).min() ?? 0
        for item in items.indices { items[item].y -= top }
        height = items.map { $0.y + $0.height }.max() ?? 0
    }

    private func distance(_ upper: Int, _ lower: Int) -> Double {
        let isLine = items[upper].box == nil || items[lower].box == nil
        return items[upper].height + (isLine ? Self.lineDistance : Self.boxDistance)
    }

    /// Places the items of a layer as near as possible, by the squares of the distances, to where their segments want them.
    ///
    /// Those that would come too near to each other form a block, which goes where all of them together are best off.
    private mutating func place(_ layer: [Int], _ sides: SegmentSides, left: Bool, right: Bool) {
        struct Block {
            var place: Double
            var weight: Double
            var count: Int
        }
        var blocks: [Block] = []
        var offsets: [Double] = []
        for (position, item) in layer.enumerated() {
            let offset = position == 0 ? 0 : offsets[position - 1] + distance(layer[position - 1], item)
            offsets.append(offset)
            let (wanted, weight) = wantedPlace(of: item, sides, left, right)
            var block = Block(place: wanted - offset, weight: weight, count: 1)
            while let last = blocks.last, last.place > block.place {
                blocks.removeLast()
                let weight = last.weight + block.weight
                block.place = (last.place * last.weight + block.place * block.weight) / weight
                block.weight = weight
                block.count += last.count
            }
            blocks.append(block)
        }
        var position = 0
        for block in blocks {
            for _ in 0..<block.count {
                items[layer[position]].y = block.place + offsets[position]
                position += 1
            }
        }
    }

    private func wantedPlace(
        of item: Int, _ sides: SegmentSides, _ left: Bool, _ right: Bool
    ) -> (place: Double, weight: Double) {
        // What has no segments on that side hardly resists.
        var sum = items[item].y * 0.01
        var weight = 0.01
        func add(_ segment: Segment, _ place: Double) {
            // The longer a line, the straighter it should be.
            let isLong = (items[segment.left].box == nil ? 1 : 0) + (items[segment.right].box == nil ? 1 : 0)
            let strength = [1.0, 2.0, 8.0][isLong]
            sum += strength * place
            weight += strength
        }
        if left {
            for segment in sides.toTheLeft[item] {
                let segment = segments[segment]
                add(segment, items[segment.left].y + segment.leftPort - segment.rightPort)
            }
        }
        if right {
            for segment in sides.toTheRight[item] {
                let segment = segments[segment]
                add(segment, items[segment.right].y + segment.rightPort - segment.leftPort)
            }
        }
        return (sum / weight, weight)
    }

    /// Places the layers beside each other. Where segments have far to go up or down, there is more room between.
    mutating func placeHorizontally() {
        var climbs = Array(repeating: 0.0, count: layers.count)
        for segment in segments {
            let climb = abs(
                items[segment.left].y + segment.leftPort - items[segment.right].y - segment.rightPort)
            climbs[items[segment.left].layer] = max(climbs[items[segment.left].layer], climb)
        }
        var counts = Array(repeating: 0.0, count: layers.count)
        for segment in segments { counts[items[segment.left].layer] += 1 }
        var x = 0.0
        for layer in layers.indices {
            let layerWidth = layers[layer].map { items[$0].width }.max() ?? 0
            for item in layers[layer] {
                items[item].x = x
                // A line goes through the whole layer.
                if items[item].box == nil { items[item].width = layerWidth }
            }
            width = x + layerWidth
            x =
                width + Self.layerDistance + min(Self.steepLimit, Self.steepness * climbs[layer])
                + min(Self.crowdingLimit, Self.crowding * counts[layer])
        }
    }

    /// The right ends of all layers.
    var layerEnds: [Double] {
        layers.map { layer in layer.map { items[$0].x + items[$0].width }.max() ?? 0 }
    }
}
