// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A picture of a graph: boxes with rows, and arrows from rows to boxes.
struct Picture {
    struct Box {
        var title: String
        var number: String
        /// The number of similar siblings that it represents.
        var count = 1
        var layer = 0
        /// The box above it in the tree; nil for the first one.
        var parent: Int?
        /// The position of its class in `classes`; nil for boxes without colour.
        var classIndex: Int?
        var rows: [Row] = []
    }

    struct Row {
        var key: String
        var value: String
        var kind = Kind.value

        enum Kind {
            case value, null
            case reference
            /// A reference without an arrow to a box.
            case stub
            case omission
        }
    }

    struct Edge {
        var source: Int
        var row: Int
        var target: Int
        var label: String
        /// Whether it refers to a box above its own in the tree, or `--conditional` names its key.
        var isDashed = false
        /// Whether SVG has an arrow for it. A long reference is the name of the other box.
        var isArrow = true
    }

    struct Class {
        var name: String
        var count: Int
        var colour: Int
    }

    var boxes: [Box] = []
    var edges: [Edge] = []
    var classes: [Class] = []
    var omittedCount = 0
    var name = ""

    var omission: String? {
        guard omittedCount > 0 else { return nil }
        return omittedCount == 1 ? "1 more object is not drawn" : "\(omittedCount) more objects are not drawn"
    }

    var crowding: String? {
        let count = boxes.reduce(0) { $0 + ($1.count > 1 ? $1.count : 0) }
        return count == 0 ? nil : "\(count) similar siblings: the first of each kind is drawn"
    }

    static let dashedMeaning = "refers back to an object above it, or is conditional"
}

// MARK: - Colours

extension Picture {
    typealias Colour = (fill: String, stroke: String, darkFill: String, darkStroke: String)

    /// Hues that differ much from those before them, for classes in the order of boxes. The thirteenth class has the first one.
    static let colours: [Colour] = [
        ("#d1e4fa", "#2760a5", "#263c54", "#76aae2"),  // blue
        ("#fae3d1", "#88511f", "#543b26", "#e2a576"),  // orange
        ("#d1fae4", "#208850", "#26543b", "#76e2a9"),  // green
        ("#fad1e0", "#a52755", "#542636", "#e276a4"),  // rose
        ("#e3d1fa", "#5d27a5", "#3a2654", "#a576e2"),  // violet
        ("#d1f6fa", "#207f88", "#264f54", "#76d7e2"),  // turquoise
        ("#faf0d1", "#887020", "#544926", "#e2c976"),  // gold
        ("#fad1f7", "#a5279d", "#542651", "#e276db"),  // magenta
        ("#e4fad1", "#518820", "#3b5426", "#a9e276"),  // lime
        ("#fad5d1", "#a53427", "#542b26", "#e28176"),  // red
        ("#d1d5fa", "#2734a5", "#262b54", "#7681e2"),  // indigo
        ("#d1faee", "#208868", "#265446", "#76e2c2"),  // mint
    ]

    /// The colour of boxes without a class, and of Foundation's containers.
    static let plainColour: Colour = ("#e9ebee", "#6b7480", "#2f353d", "#8a94a1")
}

// MARK: - In words

extension Picture {
    /// Whether a reference has the key `key`, which may be that of a class: `Animal.parent`.
    func hasReference(under key: String) -> Bool {
        edges.contains { $0.label == key || "\(boxes[$0.source].title).\($0.label)" == key }
    }

    func name(of box: Int) -> String {
        let (title, number, count) = (boxes[box].title, boxes[box].number, boxes[box].count)
        return title + (number.isEmpty ? "" : " " + number) + (count > 1 ? " × \(count)" : "")
    }

    var summary: String {
        var text =
            "\(boxes.count) \(boxes.count == 1 ? "box" : "boxes") and "
            + "\(edges.count) \(edges.count == 1 ? "reference" : "references")."
        if !classes.isEmpty {
            let list = classes.prefix(Self.summaryLimit).map { "\($0.name) (\($0.count))" }
            text += " Classes: " + list.joined(separator: ", ") + (classes.count > list.count ? ", …" : "") + "."
        }
        var next = 0
        for box in boxes.indices.prefix(Self.summaryLimit) {
            var references: [String] = []
            while next < edges.count, edges[next].source == box {
                let edge = edges[next]
                references.append("\(edge.label) → \(name(of: edge.target))\(edge.isDashed ? " (dashed)" : "")")
                next += 1
            }
            guard !references.isEmpty else { continue }
            text += " \(name(of: box)): " + references.prefix(Self.summaryLimit).joined(separator: ", ")
            text += references.count > Self.summaryLimit ? ", …." : "."
        }
        if let crowding { text += " \(crowding)." }
        if let omission { text += " \(omission)." }
        return text
    }

    private static let summaryLimit = 30
}

enum DOTPicture {
    static func document(_ picture: Picture) -> String {
        var text = """
            digraph \(quoted(picture.name)) {
                rankdir=LR;
                node [shape=box, style="filled,rounded", fontname="Helvetica", fontsize=11, margin="0.12,0.06"];
                edge [fontname="Helvetica", fontsize=10, color="\(Picture.plainColour.stroke)", arrowsize=0.7];

            """
        for (position, box) in picture.boxes.enumerated() {
            let colour = box.classIndex.map { Picture.colours[picture.classes[$0].colour] } ?? Picture.plainColour
            var label = escaped(picture.name(of: position)) + "\\n"
            for row in box.rows where row.kind != .reference && row.kind != .stub {
                label += escaped(row.key.isEmpty ? row.value : "\(row.key): \(row.value)") + "\\l"
            }
            text += "    n\(position) [label=\"\(label)\", fillcolor=\"\(colour.fill)\", color=\"\(colour.stroke)\"];\n"
        }
        if let omission = picture.omission {
            text += "    omitted [label=\"… \(escaped(omission))\", style=dashed, shape=note];\n"
        }
        for edge in picture.edges {
            let style = edge.isDashed ? ", style=dashed, constraint=false" : ""
            text += "    n\(edge.source) -> n\(edge.target) [label=\(quoted(edge.label))\(style)];\n"
        }
        return text + "}\n"
    }

    private static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// `text` with escapes for quotes, and for backslashes and ampersands, which are special in labels.
    private static func escaped(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "&": output += "&amp;"
            case "\0"..<" ", "\u{7F}": output += " "
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }
}
