/// What is drawn of a graph: boxes with rows, and arrows from rows to boxes. All renderers take it.
struct Picture {
    /// A box: an object or a container.
    struct Box {
        /// The name of the class, or what else it is.
        var title: String
        /// The uid, as it is shown: `#3`.
        var number: String
        /// The siblings that are drawn as this one box, since they are alike; often 1.
        var count = 1
        /// The boxes between it and the first one, which hang under each other.
        var layer = 0
        /// The box that it hangs under; nil for the first one.
        var parent: Int?
        /// The position of its class in `classes`; nil for containers and others that have no colour.
        var classIndex: Int?
        /// Its fields and elements.
        var rows: [Row] = []
    }

    /// A line in a box: a field or an element.
    struct Row {
        /// The key or the position.
        var key: String
        /// What is there, if it is no box of its own.
        var value: String
        /// How it is meant.
        var kind = Kind.value

        /// What a row says.
        enum Kind {
            /// A value.
            case value
            /// Nil.
            case null
            /// The beginning of an arrow.
            case reference
            /// A reference to a box that is drawn elsewhere, without an arrow.
            case stub
            /// What was left out.
            case omission
        }
    }

    /// A reference from a row to a box.
    struct Edge {
        /// The box that it comes from, and its row there.
        var source: Int
        var row: Int
        /// The box that it leads to.
        var target: Int
        /// The key or position.
        var label: String
        /// Whether it is drawn with dashes: it leads back to what its box hangs under, or its key was named.
        var isDashed = false
        /// Whether it is an arrow where boxes are in layers: what leads far away is the name of the other box.
        var isArrow = true
    }

    /// A class in the legend.
    struct Class {
        var name: String
        /// The objects of it that are drawn.
        var count: Int
        /// The position of its colour.
        var colour: Int
    }

    /// The boxes, of which the first is where the picture begins.
    var boxes: [Box] = []
    /// The arrows, in the order of boxes and rows.
    var edges: [Edge] = []
    /// The classes that are drawn in colour, in the order in which they are met.
    var classes: [Class] = []
    /// The objects that are not drawn, since they do not fit or are too deep.
    var omittedCount = 0
    /// What the picture is of.
    var name = ""

    /// What is said where not all is drawn; nil where all is.
    var omission: String? {
        guard omittedCount > 0 else { return nil }
        return omittedCount == 1 ? "1 more object is not drawn" : "\(omittedCount) more objects are not drawn"
    }

    /// What is said where a box is drawn for several objects; nil where none is.
    var crowding: String? {
        let count = boxes.reduce(0) { $0 + ($1.count > 1 ? $1.count : 0) }
        return count == 0 ? nil : "× \(count) objects like their siblings: of each kind the first is drawn"
    }

    /// What dashes say.
    static let dashedMeaning = "leads back to what it hangs under, or is declared conditional"
}

// MARK: - Colours

extension Picture {
    /// The colours of a class: of its heading, and of its border and the arrows to it.
    struct Colour {
        /// On a light background.
        let fill: String
        let stroke: String
        /// On a dark background.
        let darkFill: String
        let darkStroke: String

        init(_ fill: String, _ stroke: String, _ darkFill: String, _ darkStroke: String) {
            self.fill = fill
            self.stroke = stroke
            self.darkFill = darkFill
            self.darkStroke = darkStroke
        }
    }

    /// Hues that lie far from those in front of them. Classes take them in the order in which they are met, so that the same
    /// archive has the same colours; where there are more classes than colours, they come again.
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

    /// The colour of what has no class, and of Foundation's containers.
    static let plainColour = Colour("#e9ebee", "#6b7480", "#2f353d", "#8a94a1")
}
