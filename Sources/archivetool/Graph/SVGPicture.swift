// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Writes a picture as SVG, for light and dark screens (`prefers-color-scheme`) and with a description. It loads no other
/// files.
struct SVGPicture {
    let picture: Picture
    let layout: PictureLayout
    private var arrows: [Place: Int] = [:]
    var text = ""

    private struct Place: Hashable {
        let box: Int
        let row: Int
    }

    static let margin = 24.0
    private static let tipLength = 8.0
    static let legendRowHeight = 22.0
    /// The least width, for the legend.
    static let leastWidth = 420.0
    /// The maximal width of a row of the legend.
    static let legendWidth = 1200.0

    /// Places the boxes of `picture`, and removes its long arrows.
    init(_ picture: inout Picture) {
        layout = PictureLayout(&picture)
        self.picture = picture
        for (position, edge) in picture.edges.enumerated() where edge.isArrow {
            arrows[Place(box: edge.source, row: edge.row)] = position
        }
    }
}

// MARK: - Size

extension SVGPicture {
    /// The maximal proportion of the sides. There is empty space beside longer boxes.
    private static let proportion = 3.0
    /// The maximal proportion of height and width, and the height up to which any proportion is allowed.
    private static let (steepest, steepHeight) = (4.0, 1500.0)

    /// The size of the boxes and the legend.
    private var content: (width: Double, height: Double) {
        let legend = Double(legendRows().count) * Self.legendRowHeight
        return (
            max(layout.width, Self.leastWidth) + 2 * Self.margin,
            layout.height + 2 * Self.margin + (legend > 0 ? legend + 14 : 0)
        )
    }

    /// Whether neither side is longer than `size`, and the proportion is allowed.
    func fits(_ size: Double) -> Bool {
        let (width, height) = content
        return width <= size && height <= size && (height <= Self.steepHeight || height <= Self.steepest * width)
    }
}

// MARK: - The document

extension SVGPicture {
    static func document(_ picture: Picture) -> String {
        var picture = picture
        var writer = SVGPicture(&picture)
        writer.writeDocument()
        return writer.text
    }

    private mutating func writeDocument() {
        let (contentWidth, contentHeight) = content
        let width = max(contentWidth, contentHeight / Self.proportion).rounded(.up)
        let height = max(contentHeight, contentWidth / Self.proportion).rounded(.up)
        let style = Self.style(colours: Set(picture.classes.map(\.colour)).sorted(), width: width, height: height)
        text += """
            <svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" width="\(number(width))" \
            height="\(number(height))" viewBox="0 0 \(number(width)) \(number(height))" \
            preserveAspectRatio="xMinYMin meet" role="img" aria-labelledby="title description">
            <title id="title">\(XMLText.escaped(picture.name))</title>
            <desc id="description">\(XMLText.escaped(picture.summary))</desc>
            <style>
            \(style)</style>
            <rect class="page" width="100%" height="100%"/>
            <g transform="translate(\(number(Self.margin)) \(number(Self.margin)))">

            """
        for edge in picture.edges.indices where picture.edges[edge].isArrow { write(arrow: edge) }
        for box in picture.boxes.indices { write(box: box) }
        for edge in picture.edges.indices where picture.edges[edge].isArrow { writeDot(edge) }
        text += "</g>\n"
        write(legendRows(), top: layout.height + 2 * Self.margin + 4)
        text += "</svg>\n"
    }

    /// A number with at most one digit after the point.
    func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        let digits = "\(abs(tenths) / 10)" + (tenths % 10 == 0 ? "" : ".\(abs(tenths) % 10)")
        return tenths < 0 ? "-" + digits : digits
    }

    private func style(of box: Int) -> String {
        picture.boxes[box].classIndex.map { "c\(picture.classes[$0].colour)" } ?? "c"
    }
}

// MARK: - Boxes

extension SVGPicture {
    private mutating func write(box position: Int) {
        let box = picture.boxes[position]
        let place = layout.places[position]
        let (x, y, width, height) = (place.x, place.y, place.width, place.height)
        let bottom = y + PictureLayout.headingHeight
        text += "<g class=\"b \(style(of: position))\"><title>\(XMLText.escaped(picture.name(of: position)))</title>"
        let frame = "width=\"\(number(width))\" height=\"\(number(height))\" rx=\"6\"/>"
        // Similar siblings are a pile.
        if box.count > 1 { text += "<rect class=\"box\" x=\"\(number(x + 4))\" y=\"\(number(y + 4))\" \(frame)" }
        text += "<rect class=\"box\" x=\"\(number(x))\" y=\"\(number(y))\" \(frame)"
        text += "<path class=\"head\" d=\"M\(number(x + 0.6)) \(number(bottom))"
        text += "V\(number(y + 6))a5.4 5.4 0 0 1 5.4 -5.4H\(number(x + width - 6))"
        text += "a5.4 5.4 0 0 1 5.4 5.4V\(number(bottom))z\"/>"
        text += "<text class=\"name\" x=\"\(number(x + PictureLayout.padding))\" y=\"\(number(y + 18))\">"
        text += XMLText.escaped(box.heading) + "</text>"
        if !box.number.isEmpty {
            text += "<text class=\"uid\" text-anchor=\"end\" x=\"\(number(x + width - PictureLayout.padding))\""
            text += " y=\"\(number(y + 18))\">\(XMLText.escaped(box.number))</text>"
        }
        for (rowPosition, row) in box.rows.enumerated() {
            let baseline = place.middle(ofRow: rowPosition) + 4
            // The key is beside the beginning of the arrow.
            let isRight = arrows[Place(box: position, row: rowPosition)].map { !leavesLeft($0) } ?? false
            let edge = isRight ? x + width - PictureLayout.padding : x + PictureLayout.padding
            text += "<text\(row.kind == .reference ? " class=\"ref\"" : "") x=\"\(number(edge))\""
            text += " y=\"\(number(baseline))\"\(isRight ? " text-anchor=\"end\"" : "")>\(contents(of: row))</text>"
        }
        text += "</g>\n"
    }

    private func contents(of row: Picture.Row) -> String {
        let key = XMLText.isolated(row.key)
        guard row.kind != .reference else { return key }
        let value = XMLText.isolated(row.value)
        let separator = key.isEmpty || value.isEmpty ? "" : row.kind == .stub ? " " : ": "
        return (key.isEmpty ? "" : "<tspan class=\"key\">\(key)\(separator)</tspan>")
            + (row.kind == .value || row.kind == .stub ? value : "<tspan class=\"faint\">\(value)</tspan>")
    }
}

// MARK: - Arrows

extension SVGPicture {
    /// Whether an arrow begins at the left side of its box, since it refers to the layer before.
    private func leavesLeft(_ edge: Int) -> Bool {
        let edge = picture.edges[edge]
        return picture.boxes[edge.target].layer < picture.boxes[edge.source].layer
    }

    /// The beginning of an arrow.
    private func start(of edge: Int) -> (x: Double, y: Double) {
        let place = layout.places[picture.edges[edge].source]
        return (leavesLeft(edge) ? place.x : place.right, place.middle(ofRow: picture.edges[edge].row))
    }

    private mutating func write(arrow position: Int) {
        let edge = picture.edges[position]
        let (source, target) = (picture.boxes[edge.source], picture.boxes[edge.target])
        let place = layout.places[edge.target]
        let (x, y) = start(of: position)
        // An arrow to the same layer or the one before ends at the right side.
        let endsRight = target.layer <= source.layer
        let tip = endsRight ? place.right : place.x
        let end = tip + (endsRight ? Self.tipLength : -Self.tipLength)
        // Through the space between layers, or round boxes in the same layer.
        let bendStart = target.layer > source.layer ? max(x, end - 58) : x
        let bulge = max(x, tip) + 34 + min(24, abs(y - place.tip) / 12)
        let bend = target.layer == source.layer ? bulge : (bendStart + end) / 2
        var path = "M\(number(x)) \(number(y))H\(number(bendStart))"
        path += "C\(number(bend)) \(number(y)) \(number(bend)) \(number(place.tip)) \(number(end)) \(number(place.tip))"
        let label = [picture.name(of: edge.source), edge.label, "→", picture.name(of: edge.target)].map(
            XMLText.isolated)
        text += "<g class=\"e \(style(of: edge.target))\"><title>\(label.joined(separator: " "))</title>"
        text += "<path\(edge.isDashed ? " class=\"dash\"" : "") d=\"\(path)\"/>"
        text += "<path class=\"tip\" d=\"M\(number(tip)) \(number(place.tip))"
        text += "L\(number(end)) \(number(place.tip - 4))V\(number(place.tip + 4))z\"/></g>\n"
    }

    private mutating func writeDot(_ edge: Int) {
        let (x, y) = start(of: edge)
        text += "<circle class=\"dot \(style(of: picture.edges[edge].target))\" cx=\"\(number(x))\""
        text += " cy=\"\(number(y))\" r=\"2.8\"/>\n"
    }
}
