// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A picture of a graph: boxes with rows, and arrows from rows to boxes.
struct Picture {
    struct Box {
        /// The class, or the kind of the container.
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
            /// The beginning of an arrow.
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
    /// The classes with colours, in the order of boxes.
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
    struct Colour {
        let fill: String
        let stroke: String
        let darkFill: String
        let darkStroke: String

        init(_ fill: String, _ stroke: String, _ darkFill: String, _ darkStroke: String) {
            self.fill = fill
            self.stroke = stroke
            self.darkFill = darkFill
            self.darkStroke = darkStroke
        }
    }

    /// Hues that differ much from those before them, for classes in the order of boxes. The thirteenth class has the first one.
    static let colours = [
        Colour("#d1e4fa", "#2760a5", "#263c54", "#76aae2"),  // blue
        Colour("#fae3d1", "#88511f", "#543b26", "#e2a576"),  // orange
        Colour("#d1fae4", "#208850", "#26543b", "#76e2a9"),  // green
        Colour("#fad1e0", "#a52755", "#542636", "#e276a4"),  // rose
        Colour("#e3d1fa", "#5d27a5", "#3a2654", "#a576e2"),  // violet
        Colour("#d1f6fa", "#207f88", "#264f54", "#76d7e2"),  // turquoise
        Colour("#faf0d1", "#887020", "#544926", "#e2c976"),  // gold
        Colour("#fad1f7", "#a5279d", "#542651", "#e276db"),  // magenta
        Colour("#e4fad1", "#518820", "#3b5426", "#a9e276"),  // lime
        Colour("#fad5d1", "#a53427", "#542b26", "#e28176"),  // red
        Colour("#d1d5fa", "#2734a5", "#262b54", "#7681e2"),  // indigo
        Colour("#d1faee", "#208868", "#265446", "#76e2c2"),  // mint
    ]

    /// The colour of boxes without a class, and of Foundation's containers.
    static let plainColour = Colour("#e9ebee", "#6b7480", "#2f353d", "#8a94a1")
}
