/// A picture as SVG, in one file without references to anything outside of it.
///
/// Everything looks good on light and dark screens (`prefers-color-scheme`), and has a description for those who hear it.
struct SVGPicture {
    let picture: Picture
    let layout: LayeredLayout
    private let layerEnds: [Double]
    /// The arrows from each box.
    private let edgesOfBoxes: Adjacency
    /// The pieces of each line.
    private let segmentsOfLines: Adjacency
    /// What was written.
    var text = ""

    // MARK: Sizes

    static let margin = 24.0
    static let headingHeight = 27.0
    static let rowHeight = 17.0
    static let bottom = 6.0
    static let padding = 10.0
    static let fontSize = 12.0
    static let headingSize = 13.0
    private static let tipLength = 8.0
    static let legendRowHeight = 22.0
    /// Room for the legend, where the boxes take less.
    static let leastWidth = 420.0
    /// The width after which the legend begins a new row.
    static let legendWidth = 1200.0

    init(_ picture: Picture) {
        self.picture = picture
        layout = LayeredLayout(
            picture.boxes.map { Self.size(of: $0) },
            picture.edges.map { edge in
                LayeredLayout.Edge(
                    source: edge.source, port: Self.port(ofRow: edge.row), target: edge.target,
                    style: edge.isDashed ? 1 : 0)
            })
        layerEnds = layout.layerEnds
        edgesOfBoxes = Adjacency(picture.boxes.count, picture.edges.indices.map { (picture.edges[$0].source, $0) })
        let segments = layout.segments
        segmentsOfLines = Adjacency(layout.lines.count, segments.indices.map { (segments[$0].line, $0) })
    }

    private static func size(of box: Picture.Box) -> LayeredLayout.Box {
        var width = TextWidth.heading(box.title, size: headingSize) + 2 * padding
        if !box.number.isEmpty { width += TextWidth.monospaced(box.number, size: 11) + 14 }
        for row in box.rows {
            var text = row.key
            if !row.key.isEmpty, !row.value.isEmpty { text += ": " }
            width = max(width, TextWidth.monospaced(text + row.value, size: fontSize) + 2 * padding)
        }
        return LayeredLayout.Box(
            width: max(90, width.rounded(.up)), height: headingHeight + Double(box.rows.count) * rowHeight + bottom,
            port: headingHeight / 2)
    }

    /// The middle of a row, from the top of its box.
    private static func port(ofRow row: Int) -> Double { headingHeight + 3 + (Double(row) + 0.5) * rowHeight }
}

// MARK: - The document

extension SVGPicture {
    /// The whole file.
    static func document(_ picture: Picture) -> String {
        var writer = SVGPicture(picture)
        writer.writeDocument()
        return writer.text
    }

    private mutating func writeDocument() {
        let legend = legendRows()
        let width = max(layout.width, Self.leastWidth) + 2 * Self.margin
        let legendHeight = legend.isEmpty ? 0 : Double(legend.count) * Self.legendRowHeight + 14
        let height = layout.height + 2 * Self.margin + legendHeight
        text += """
            <svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" width="\(number(width))" \
            height="\(number(height))" viewBox="0 0 \(number(width)) \(number(height))" role="img" \
            aria-labelledby="title description">
            <title id="title">\(XMLText.escaped(picture.name))</title>
            <desc id="description">\(XMLText.escaped(picture.summary))</desc>
            <style>
            \(Self.style(colours: Set(picture.classes.map(\.colour)).sorted()))</style>
            <rect class="page" width="100%" height="100%" rx="8"/>
            <g transform="translate(\(number(Self.margin)) \(number(Self.margin)))">

            """
        for line in layout.lines.indices { write(line: line) }
        for edge in layout.directEdges { write(direct: edge) }
        for edge in layout.loops { write(loop: edge) }
        for box in picture.boxes.indices { write(box: box) }
        for edge in picture.edges.indices { writeDot(edge) }
        text += "</g>\n"
        write(legend, top: layout.height + 2 * Self.margin + 4)
        text += "</svg>\n"
    }

    /// A number as it is written, with one digit behind the point where it needs one.
    func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        let digits = "\(abs(tenths) / 10)" + (tenths % 10 == 0 ? "" : ".\(abs(tenths) % 10)")
        return tenths < 0 ? "-" + digits : digits
    }

    /// The class in the style sheet of the colour of a box, and of the arrows to it.
    private func style(of box: Int) -> String {
        picture.boxes[box].classIndex.map { "c\(picture.classes[$0].colour)" } ?? "c"
    }
}

// MARK: - Boxes

extension SVGPicture {
    private mutating func write(box position: Int) {
        let box = picture.boxes[position]
        let item = layout.items[position]
        let (x, y, width, height) = (item.x, item.y, item.width, item.height)
        let name = XMLText.escaped(box.number.isEmpty ? box.title : "\(box.title) \(box.number)")
        text += "<g class=\"b \(style(of: position))\"><title>\(name)</title>"
        text += "<rect class=\"box\" x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\""
        text += " height=\"\(number(height))\" rx=\"6\"/>"
        text += "<path class=\"head\" d=\"M\(number(x + 0.6)) \(number(y + Self.headingHeight))"
        text += "V\(number(y + 6))a5.4 5.4 0 0 1 5.4 -5.4H\(number(x + width - 6))"
        text += "a5.4 5.4 0 0 1 5.4 5.4V\(number(y + Self.headingHeight))z\"/>"
        text += "<text class=\"name\" x=\"\(number(x + Self.padding))\" y=\"\(number(y + 18))\">"
        text += XMLText.escaped(box.title) + "</text>"
        if !box.number.isEmpty {
            text += "<text class=\"uid\" text-anchor=\"end\" x=\"\(number(x + width - Self.padding))\""
            text += " y=\"\(number(y + 18))\">\(XMLText.escaped(box.number))</text>"
        }
        // Arrows are in the order of boxes and rows.
        var edges = edgesOfBoxes[position]
        for (rowPosition, row) in box.rows.enumerated() {
            let baseline = y + Self.port(ofRow: rowPosition) + 4
            guard row.kind == .reference else {
                write(row, x: x + Self.padding, baseline: baseline)
                continue
            }
            // The label stands where the arrow begins.
            let leavesLeft = edges.popFirst().map { self.leavesLeft($0) } ?? false
            text += "<text class=\"ref\" x=\"\(number(leavesLeft ? x + Self.padding : x + width - Self.padding))\""
            text += " y=\"\(number(baseline))\"\(leavesLeft ? "" : " text-anchor=\"end\"")>"
            text += XMLText.escaped(row.key) + "</text>"
        }
        text += "</g>\n"
    }

    private mutating func write(_ row: Picture.Row, x: Double, baseline: Double) {
        text += "<text x=\"\(number(x))\" y=\"\(number(baseline))\">"
        if !row.key.isEmpty {
            text += "<tspan class=\"key\">\(XMLText.escaped(row.key))\(row.value.isEmpty ? "" : ": ")</tspan>"
        }
        let value = XMLText.escaped(row.value)
        text += row.kind == .value ? value : "<tspan class=\"faint\">\(value)</tspan>"
        text += "</text>"
    }

    /// Whether an arrow begins at the left side of its box.
    private func leavesLeft(_ edge: Int) -> Bool {
        let edge = picture.edges[edge]
        return edge.source == edge.target || layout.items[edge.target].layer < layout.items[edge.source].layer
    }
}

// MARK: - Arrows

extension SVGPicture {
    /// The place of a row's arrow on the side of its box.
    private func start(of edge: Int) -> (x: Double, y: Double) {
        let item = layout.items[picture.edges[edge].source]
        return (
            leavesLeft(edge) ? item.x : item.x + item.width, item.y + Self.port(ofRow: picture.edges[edge].row)
        )
    }

    private mutating func write(line position: Int) {
        let line = layout.lines[position]
        var path = ""
        for segment in segmentsOfLines[position] {
            let segment = layout.segments[segment]
            let left = layout.items[segment.left]
            let right = layout.items[segment.right]
            let leftEnd = left.x + left.width
            let layerEnd = layerEnds[left.layer]
            // A line goes straight through the layers between, and reaches its box straight.
            let from = line.isBack || left.box != nil ? leftEnd : left.x
            let to = line.isBack && right.box == nil ? right.x + right.width : right.x
            let bendStart = layerEnd + (line.isBack && left.box != nil ? Self.tipLength : 0)
            let bendEnd = right.x - (!line.isBack && right.box != nil ? Self.tipLength : 0)
            let (leftY, rightY) = (left.y + segment.leftPort, right.y + segment.rightPort)
            path += "M\(number(from)) \(number(leftY))"
            if abs(leftY - rightY) < 0.1 {
                path += "H\(number(to))"
                continue
            }
            if bendStart - from > 0.5 { path += "H\(number(bendStart))" }
            let bend = (bendEnd - bendStart) / 2
            path += "C\(number(bendStart + bend)) \(number(leftY)) \(number(bendEnd - bend)) \(number(rightY))"
            path += " \(number(bendEnd)) \(number(rightY))"
            if to - bendEnd > 0.5 { path += "H\(number(to))" }
        }
        guard !path.isEmpty else { return }
        let target = layout.items[line.target]
        writeArrow(
            path, to: line.target, isDashed: line.style == 1,
            tip: (line.isBack ? target.x + target.width : target.x, target.y + Self.headingHeight / 2),
            pointsLeft: line.isBack, label: label(of: line.edges))
    }

    private mutating func write(direct edge: Int) {
        let (x, y) = start(of: edge)
        let target = layout.items[picture.edges[edge].target]
        let pointsLeft = leavesLeft(edge)
        let tip = (x: pointsLeft ? target.x + target.width : target.x, y: target.y + Self.headingHeight / 2)
        let bend = pointsLeft ? -60.0 : 60.0
        let path =
            "M\(number(x)) \(number(y))C\(number(x + bend)) \(number(y)) \(number(tip.x - bend)) \(number(tip.y))"
            + " \(number(tip.x)) \(number(tip.y))"
        writeArrow(
            path, to: picture.edges[edge].target, isDashed: picture.edges[edge].isDashed, tip: tip,
            pointsLeft: pointsLeft, label: label(of: [edge]))
    }

    private mutating func write(loop edge: Int) {
        let (x, y) = start(of: edge)
        let top = layout.items[picture.edges[edge].target].y + Self.headingHeight / 2
        let path =
            "M\(number(x)) \(number(y))C\(number(x - 26)) \(number(y)) \(number(x - 26)) \(number(top)) \(number(x)) \(number(top))"
        writeArrow(
            path, to: picture.edges[edge].target, isDashed: picture.edges[edge].isDashed, tip: (x, top),
            pointsLeft: false, label: label(of: [edge]))
    }

    private mutating func writeArrow(
        _ path: String, to target: Int, isDashed: Bool, tip: (x: Double, y: Double), pointsLeft: Bool, label: String
    ) {
        let back = tip.x + (pointsLeft ? Self.tipLength : -Self.tipLength)
        text += "<g class=\"e \(style(of: target))\"><title>\(XMLText.escaped(label))</title>"
        text += "<path\(isDashed ? " class=\"dash\"" : "") d=\"\(path)\"/>"
        text += "<path class=\"tip\" d=\"M\(number(tip.x)) \(number(tip.y))"
        text += "L\(number(back)) \(number(tip.y - 4))V\(number(tip.y + 4))z\"/></g>\n"
    }

    private mutating func writeDot(_ edge: Int) {
        let (x, y) = start(of: edge)
        text += "<circle class=\"dot \(style(of: picture.edges[edge].target))\" cx=\"\(number(x))\""
        text += " cy=\"\(number(y))\" r=\"2.8\"/>\n"
    }

    private func label(of edges: [Int]) -> String {
        guard let first = edges.first else { return "" }
        let target = picture.name(of: picture.edges[first].target)
        let sources = edges.prefix(5).map { edge in
            "\(picture.name(of: picture.edges[edge].source)) \(picture.edges[edge].label)"
        }
        return sources.joined(separator: ", ") + (edges.count > 5 ? " and \(edges.count - 5) more" : "") + " → "
            + target
    }
}
