// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Legend

extension SVGPicture {
    private enum LegendEntry {
        case `class`(Picture.Class)
        case dashes
        case crowding(String)
        case omission(String)

        var label: String {
            switch self {
            case .class(let `class`): `class`.count > 1 ? "\(`class`.name) × \(`class`.count)" : `class`.name
            case .dashes: Picture.dashedMeaning
            case .crowding(let text), .omission(let text): text
            }
        }
    }

    /// The entries in rows, with their horizontal positions.
    func legendRows() -> [[(entry: String, x: Double)]] {
        var entries: [LegendEntry] = picture.classes.map { .class($0) }
        if picture.edges.contains(where: { $0.isDashed && $0.isArrow }) { entries.append(.dashes) }
        if let crowding = picture.crowding { entries.append(.crowding(crowding)) }
        if let omission = picture.omission { entries.append(.omission(omission)) }
        var rows: [[(entry: String, x: Double)]] = []
        var x = 0.0
        for entry in entries {
            let mark: String
            var markWidth = 20.0
            switch entry {
            case .class(let named):
                mark =
                    "<g class=\"c\(named.colour)\"><rect class=\"box swatch\" width=\"13\" height=\"13\" rx=\"3\" y=\"-11\"/></g>"
            case .dashes:
                mark = "<path class=\"dash line\" d=\"M0 -4.5H28\"/>"
                markWidth = 36
            case .crowding:
                markWidth = 0
                mark = ""
            case .omission:
                markWidth = 10
                let width = TextWidth.monospaced(entry.label, size: 12) + 2 * markWidth
                mark =
                    "<g class=\"c\"><rect class=\"box line\" width=\"\(number(width))\" height=\"20\" rx=\"4\" y=\"-15\"/></g>"
            }
            let width = 2 * markWidth + TextWidth.monospaced(entry.label, size: 12) + 14
            if rows.isEmpty || x + width > min(max(layout.width, Self.leastWidth), Self.legendWidth) + 24 {
                rows.append([])
                x = 0
            }
            let label = "<text x=\"\(number(markWidth))\">\(XMLText.escaped(entry.label))</text>"
            rows[rows.count - 1].append((mark + label, x))
            x += width
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
