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
    static let leastWidth = 420.0
    static let legendWidth = 1200.0

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

// MARK: - Legend

extension SVGPicture {
    /// The entries in rows, with their horizontal positions.
    func legendRows() -> [[(entry: String, x: Double)]] {
        var rows: [[(entry: String, x: Double)]] = []
        var x = 0.0
        func add(_ label: String, _ mark: String, markWidth: Double) {
            let width = 2 * markWidth + TextWidth.monospaced(label, size: 12) + 14
            if rows.isEmpty || x + width > min(max(layout.width, Self.leastWidth), Self.legendWidth) + 24 {
                rows.append([])
                x = 0
            }
            let text = "<text x=\"\(number(markWidth))\">\(XMLText.escaped(label))</text>"
            rows[rows.count - 1].append((mark + text, x))
            x += width
        }
        for named in picture.classes {
            add(
                named.count > 1 ? "\(named.name) × \(named.count)" : named.name,
                "<g class=\"c\(named.colour)\"><rect class=\"box swatch\" width=\"13\" height=\"13\" rx=\"3\" y=\"-11\"/></g>",
                markWidth: 20)
        }
        if picture.edges.contains(where: { $0.isDashed && $0.isArrow }) {
            add(Picture.dashedMeaning, "<path class=\"dash line\" d=\"M0 -4.5H28\"/>", markWidth: 36)
        }
        if let crowding = picture.crowding { add(crowding, "", markWidth: 0) }
        if let omission = picture.omission {
            let width = number(TextWidth.monospaced(omission, size: 12) + 20)
            let box = "<rect class=\"box line\" width=\"\(width)\" height=\"20\" rx=\"4\" y=\"-15\"/>"
            add(omission, "<g class=\"c\">\(box)</g>", markWidth: 10)
        }
        return rows
    }

    mutating func write(_ rows: [[(entry: String, x: Double)]], top: Double) {
        for (position, row) in rows.enumerated() {
            let y = top + Double(position) * Self.legendRowHeight + 8
            for (entry, x) in row {
                text +=
                    "<g class=\"legend\" transform=\"translate(\(number(Self.margin + x)) \(number(y)))\">\(entry)</g>\n"
            }
        }
    }
}

// MARK: - Style

extension SVGPicture {
    /// The style sheet for light screens, with differences for dark ones. It has no variables, which some programs do not
    /// support.
    ///
    /// A browser that opens the picture alone enlarges it to its window, up to `magnification`, and never shrinks it. In an
    /// `<img>` the picture has its own size.
    static func style(colours: [Int], width: Double, height: Double) -> String {
        let (maxWidth, maxHeight) = (Int(width * magnification), Int(height * magnification))
        var light = """
            svg:root{min-width:min(100%,\(maxWidth)px);min-height:min(100%,\(maxHeight)px);background:#fff;color-scheme:light dark}
            text{font:\(Int(PictureLayout.fontSize))px ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#1f2328}
            .name{font:600 \(Int(PictureLayout.headingSize))px ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
            .uid{font-size:11px;fill:#59636e}
            .key,.faint{fill:#59636e}
            .faint{font-style:italic}
            .ref{font-weight:600}
            .page{fill:#fff}
            .box{fill:#fff;stroke-width:1.2}
            .e path{fill:none;stroke-width:1.5;stroke-linecap:round}
            .e:hover path{stroke-width:3}
            .e .dash,.line{stroke-dasharray:5 4}
            .e .tip{stroke-width:1;stroke-linejoin:round}
            .line{fill:none;stroke:\(Picture.plainColour.stroke);stroke-width:1.5}
            .legend text{fill:#59636e}

            """
        var dark = """
            svg:root{background:#0d1117}
            text{fill:#e6edf3}
            .uid,.key,.faint,.legend text{fill:#9aa4af}
            .page{fill:#0d1117}
            .box{fill:#151b23}
            .line{stroke:\(Picture.plainColour.darkStroke)}

            """
        let named =
            [("c", Picture.plainColour)] + colours.map { ("c\($0)", Picture.colours[$0]) }
        for (name, colour) in named {
            light += rules(name, fill: colour.fill, stroke: colour.stroke)
            dark += rules(name, fill: colour.darkFill, stroke: colour.darkStroke)
        }
        return light + "@media (prefers-color-scheme:dark){\n" + dark + "}\n"
    }

    private static let magnification = 1.5

    private static func rules(_ name: String, fill: String, stroke: String) -> String {
        """
        .\(name) .head,.\(name) .swatch{fill:\(fill)}
        .\(name) .box,.\(name) path{stroke:\(stroke)}
        .\(name) .head{stroke:none}
        .\(name) .tip,.\(name).dot{fill:\(stroke)}

        """
    }
}

// MARK: - XML

enum XMLText {
    /// `text` for contents, with a writing direction of its own: the text around it keeps its order.
    static func isolated(_ text: String) -> String { escaped(VisibleText.isolated(text)) }

    /// `text` for contents and attributes. Characters that XML does not allow become U+FFFD.
    static func escaped(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "\t", "\n", "\r": output += " "
            default:
                let isAllowed = scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
                output.unicodeScalars.append(isAllowed ? scalar : "\u{FFFD}")
            }
        }
        return output
    }
}

/// The places of boxes: layers from left to right, with a horizontal band for each subtree.
///
/// - Complexity: O(*n*), where *n* is the number of boxes and rows. It does not recurse.
struct PictureLayout {
    struct Place {
        var x = 0.0
        var y = 0.0
        var width = 0.0
        var height = 0.0

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
    private static let boxDistance = 16.0
    private static let layerDistance = 74.0
    /// The maximal height of an arrow. A longer one becomes the name of the other box.
    private static let farthest = 700.0

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
