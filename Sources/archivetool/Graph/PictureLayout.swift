// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The places of boxes: layers from left to right, with a horizontal band for each subtree.
///
/// - Complexity: O(*n*), where *n* is the number of boxes and rows. It does not recurse.
struct PictureLayout {
    struct Place {
        var x = 0.0
        var y = 0.0
        var width = 0.0
        var height = 0.0

        /// The end of arrows to it.
        var tip: Double { y + PictureLayout.headingHeight / 2 }
        var right: Double { x + width }

        func middle(ofRow row: Int) -> Double {
            y + PictureLayout.headingHeight + 3 + (Double(row) + 0.5) * PictureLayout.rowHeight
        }
    }

    private(set) var places: [Place]
    private(set) var width = 0.0
    private(set) var height = 0.0

    static let headingHeight = 27.0
    static let rowHeight = 17.0
    static let padding = 10.0
    static let fontSize = 12.0
    static let headingSize = 13.0
    private static let bottom = 6.0
    private static let leastWidth = 90.0
    /// The least distances of boxes and of layers.
    private static let boxDistance = 16.0
    private static let layerDistance = 74.0
    /// The maximal height of an arrow. A longer one becomes the name of the other box.
    private static let farthest = 700.0

    /// Places the boxes of `picture`, and removes its long arrows.
    init(_ picture: inout Picture) {
        places = picture.boxes.map { box in
            Place(height: Self.headingHeight + Double(box.rows.count) * Self.rowHeight + Self.bottom)
        }
        placeVertically(picture)
        for position in picture.edges.indices where picture.edges[position].isArrow {
            let edge = picture.edges[position]
            let climb = abs(places[edge.target].tip - places[edge.source].middle(ofRow: edge.row))
            guard climb > Self.farthest, picture.boxes[edge.target].parent != edge.source else { continue }
            picture.edges[position].isArrow = false
            picture.boxes[edge.source].rows[edge.row].kind = .stub
        }
        placeHorizontally(picture)
    }

    /// A band is as high as its box, or as the bands of its children. A box is at the top of its band, so the first one is at the
    /// top left of the picture.
    private mutating func placeVertically(_ picture: Picture) {
        // In the order of the rows with references to them.
        var order = Array(picture.boxes.indices)
        var rows = Array(repeating: 0, count: order.count)
        for edge in picture.edges.reversed() where picture.boxes[edge.target].parent == edge.source {
            rows[edge.target] = edge.row
        }
        order.sort { (picture.boxes[$0].parent ?? -1, rows[$0], $0) < (picture.boxes[$1].parent ?? -1, rows[$1], $1) }
        var below = Array(repeating: 0.0, count: places.count)
        var bands = below
        for box in picture.boxes.indices.reversed() {
            bands[box] = max(places[box].height + Self.boxDistance, below[box])
            if let parent = picture.boxes[box].parent { below[parent] += bands[box] }
        }
        var starts = below
        for box in order {
            let start = picture.boxes[box].parent.map { starts[$0] } ?? 0
            if let parent = picture.boxes[box].parent { starts[parent] += bands[box] }
            places[box].y = start
            starts[box] = start
        }
        height = (bands.first ?? Self.boxDistance) - Self.boxDistance
    }

    private mutating func placeHorizontally(_ picture: Picture) {
        var widths = Array(repeating: 0.0, count: (picture.boxes.map(\.layer).max() ?? 0) + 1)
        for (position, box) in picture.boxes.enumerated() {
            places[position].width = Self.width(of: box)
            widths[box.layer] = max(widths[box.layer], places[position].width)
        }
        var starts = [0.0]
        for width in widths { starts.append(starts[starts.count - 1] + width + Self.layerDistance) }
        for (position, box) in picture.boxes.enumerated() { places[position].x = starts[box.layer] }
        width = starts[starts.count - 1] - Self.layerDistance
        // Space for arrows at the right of the last layer.
        if picture.edges.contains(where: { $0.isArrow && picture.boxes[$0.source].layer == widths.count - 1 }) {
            width += Self.layerDistance
        }
    }

    private static func width(of box: Picture.Box) -> Double {
        var heading = TextWidth.monospaced(box.heading, size: headingSize) + 2 * padding
        if !box.number.isEmpty { heading += TextWidth.monospaced(box.number, size: 11) + 14 }
        let rows = box.rows.map { TextWidth.monospaced($0.text, size: fontSize) + 2 * padding }
        return max(leastWidth, heading, rows.max() ?? 0).rounded(.up)
    }
}

extension Picture.Box {
    var heading: String { count > 1 ? "\(title) × \(count)" : title }
}

extension Picture.Row {
    var text: String {
        kind == .reference ? key : key + (key.isEmpty || value.isEmpty || kind == .stub ? " " : ": ") + value
    }
}
