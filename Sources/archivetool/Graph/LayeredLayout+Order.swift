// MARK: - The order in the layers

extension LayeredLayout {
    /// Times that all layers are ordered anew, from the left and from the right in turn.
    private static let sweepCount = 12

    /// Orders the layers so that few segments cross.
    ///
    /// In each layer the items go where the middle of their neighbours in the layer beside it is. The best order that was
    /// met is taken: the first one, in which the boxes stand as a walk meets them, where no other has fewer crossings.
    mutating func orderLayers() {
        let sides = SegmentSides(self)
        var places = Array(repeating: 0, count: items.count)
        func number(_ layers: [[Int]]) {
            for layer in layers { for (place, item) in layer.enumerated() { places[item] = place } }
        }
        number(layers)
        var best = layers
        var bestCount = crossingCount(places, sides)
        var current = layers
        for sweep in 0..<Self.sweepCount {
            guard bestCount > 0 else { break }
            let isRightward = sweep % 2 == 0
            let order = isRightward ? Array(current.indices.dropFirst()) : current.indices.dropLast().reversed()
            for layer in order {
                let items = current[layer]
                var middles: [(middle: Double, place: Int, item: Int)] = []
                for (place, item) in items.enumerated() {
                    middles.append((middle(of: item, isRightward, places, sides) ?? Double(place), place, item))
                }
                middles.sort { ($0.middle, $0.place) < ($1.middle, $1.place) }
                current[layer] = middles.map(\.item)
                for (place, item) in current[layer].enumerated() { places[item] = place }
            }
            let count = crossingCount(places, sides)
            if count < bestCount {
                bestCount = count
                best = current
            }
        }
        layers = best
    }

    /// Where the neighbours of `item` in one of the layers beside it are; nil where it has none there.
    private func middle(of item: Int, _ isLeft: Bool, _ places: [Int], _ sides: SegmentSides) -> Double? {
        let neighbours = isLeft ? sides.toTheLeft[item] : sides.toTheRight[item]
        guard !neighbours.isEmpty else { return nil }
        var sum = 0.0
        for segment in neighbours {
            let segment = segments[segment]
            let neighbour = isLeft ? segment.left : segment.right
            let port = isLeft ? segment.leftPort : segment.rightPort
            sum += Double(places[neighbour]) + fraction(of: port, in: neighbour)
        }
        return sum / Double(neighbours.count)
    }

    /// A place within an item as a number below 1.
    private func fraction(of port: Double, in item: Int) -> Double {
        items[item].height > 0 ? 0.9 * port / items[item].height : 0.45
    }

    /// The pairs of segments between the same layers that cross.
    func crossingCount(_ places: [Int], _ sides: SegmentSides) -> Int {
        var count = 0
        for layer in layers.indices.dropLast() {
            var ends: [(left: Double, right: Double)] = []
            for segment in sides.behind[layer] {
                let segment = segments[segment]
                ends.append(
                    (
                        Double(places[segment.left]) + fraction(of: segment.leftPort, in: segment.left),
                        Double(places[segment.right]) + fraction(of: segment.rightPort, in: segment.right)
                    ))
            }
            ends.sort { $0 < $1 }
            count += Self.inversionCount(ends.map(\.right))
        }
        return count
    }

    /// The pairs of numbers of which the larger one comes first, counted while they are merged in order.
    private static func inversionCount(_ numbers: [Double]) -> Int {
        var numbers = numbers
        var merged = numbers
        var count = 0
        var width = 1
        while width < numbers.count {
            var start = 0
            while start < numbers.count {
                let middle = min(start + width, numbers.count)
                let end = min(start + 2 * width, numbers.count)
                var (left, right) = (start, middle)
                for place in start..<end {
                    if left < middle, right >= end || numbers[left] <= numbers[right] {
                        merged[place] = numbers[left]
                        left += 1
                    } else {
                        merged[place] = numbers[right]
                        count += middle - left
                        right += 1
                    }
                }
                start = end
            }
            swap(&numbers, &merged)
            width *= 2
        }
        return count
    }
}

/// The segments at either side of each item, and behind each layer.
struct SegmentSides {
    let toTheLeft: Adjacency
    let toTheRight: Adjacency
    let behind: Adjacency

    init(_ layout: LayeredLayout) {
        let segments = layout.segments
        toTheLeft = Adjacency(layout.items.count, segments.indices.map { (segments[$0].right, $0) })
        toTheRight = Adjacency(layout.items.count, segments.indices.map { (segments[$0].left, $0) })
        behind = Adjacency(
            layout.layers.count, segments.indices.map { (layout.items[segments[$0].left].layer, $0) })
    }
}
