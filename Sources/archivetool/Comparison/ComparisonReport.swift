import Archiving

/// What a comparison found, for people and for programs.
struct ComparisonReport {
    let comparison: Comparison
    /// Whether both have a root object, where paths begin then.
    let hasRoot: Bool
    /// What is said of the files, beside their values.
    let descriptions: [Comparison.Difference]

    private var left: ContentGraph { comparison.left }
    private var right: ContentGraph { comparison.right }

    init(_ comparison: Comparison, hasRoot: Bool, descriptions: [Comparison.Difference] = []) {
        self.comparison = comparison
        self.hasRoot = hasRoot
        self.descriptions = descriptions
    }

    /// All differences, in the order of the left file.
    var differences: [Comparison.Difference] { descriptions + comparison.ordered }

    /// Scalars of strings that are shown.
    private static let textLimit = 60
}

// MARK: - Lines

extension ComparisonReport {
    /// A difference as a line.
    struct Line {
        /// `+`, `-` or `~`.
        var mark: String
        var path: String
        /// What is on the left, and on the right.
        var left: String?
        var right: String?
        /// The same in a sentence, where it is about something else than two values.
        var sentence: String?
        /// One word for programs: added, removed, changed, class, reference, description.
        var change: String
    }

    /// `difference` as a line.
    func line(_ difference: Comparison.Difference) -> Line {
        let place = difference.place
        switch difference.change {
        case .added(let node):
            return Line(
                mark: "+", path: path(to: place, on: .right), right: text(of: node, on: .right, mayBeElsewhere: true),
                change: "added")
        case .removed(let node):
            return Line(
                mark: "-", path: path(to: place), left: text(of: node, on: .left, mayBeElsewhere: true),
                change: "removed")
        case .replaced(let leftNode, let rightNode):
            var (leftText, rightText) = (text(of: leftNode, on: .left), text(of: rightNode, on: .right))
            if leftText == rightText {
                // What differs is not seen: it is behind where texts are cut short, or in the kind.
                leftText = kind(of: leftNode, in: left) + " " + leftText
                rightText = kind(of: rightNode, in: right) + " " + rightText
            }
            return Line(mark: "~", path: path(to: place), left: leftText, right: rightText, change: "changed")
        case .class(let leftName, let rightName):
            return Line(
                mark: "~", path: path(to: place), left: "class " + VisibleText.name(leftName),
                right: "class " + VisibleText.name(rightName), change: "class")
        case .reference(let leftNode, let rightNode, let leftPlace, let rightPlace):
            return Line(
                mark: "~", path: path(to: place), left: reference(leftNode, leftPlace, .left),
                right: reference(rightNode, rightPlace, .right), change: "reference")
        case .description(let name, let leftText, let rightText):
            return Line(mark: "~", path: name, left: leftText, right: rightText, change: "description")
        }
    }

    /// A place as it is written on the command line. A way of many steps begins at an object near the place.
    func path(to place: Comparison.Place, on side: Comparison.Side = .left) -> String {
        let way = comparison.way(to: place, on: side)
        var steps = way.steps[...]
        let isFromRoot = hasRoot && way.start == nil && steps.count > 1 && steps.first?.key == "root"
        if isFromRoot { steps = steps.dropFirst() }
        let text = steps.map { step in
            step.key.map { VisibleText.escaped(ValuePath.escaped($0)) }
                ?? (step.isEntry ? "[\(step.position)]" : "\(step.position)")
        }
        let start = way.start.map { "\(name(of: $0, on: side))/" } ?? (hasRoot && !isFromRoot ? "/" : "")
        return start + text.joined(separator: "/")
    }

    private func reference(_ node: Int, _ place: Comparison.Place?, _ side: Comparison.Side) -> String {
        let name = name(of: node, on: side)
        guard let place else { return "\(name), an object of its own" }
        return "\(name), the one at \(path(to: place, on: side))"
    }

    private func graph(_ side: Comparison.Side) -> ContentGraph { side == .left ? left : right }

    private func name(of node: Int, on side: Comparison.Side) -> String {
        let graph = graph(side)
        let name = graph.className(of: node).map { VisibleText.name($0) } ?? kind(of: node, in: graph)
        return name + (graph.nodes[node].number.map { " #\($0)" } ?? "")
    }

    private func kind(of node: Int, in graph: ContentGraph) -> String {
        switch graph.nodes[node].shape {
        case .leaf: graph.nodes[node].leaf.kind
        case .list: "array"
        case .set: "set"
        case .fields, .dictionary: "dictionary"
        }
    }

    /// A value in a few words.
    private func text(of node: Int, on side: Comparison.Side, mayBeElsewhere: Bool = false) -> String {
        let graph = graph(side)
        guard graph.nodes[node].shape != .leaf else { return graph.nodes[node].leaf.text(limit: Self.textLimit) }
        var text = name(of: node, on: side)
        let edges = graph.edges(of: node)
        switch graph.nodes[node].shape {
        case .list, .set: text += ", \(edges.count) \(edges.count == 1 ? "element" : "elements")"
        case .dictionary: text += ", \(edges.count) \(edges.count == 1 ? "entry" : "entries")"
        default:
            // The first fields say which object it is.
            let leaves = edges.prefix(8).filter { graph.nodes[$0.target].shape == .leaf }.prefix(3)
            let fields = leaves.map { edge in
                let key = edge.key.map { VisibleText.shortened(graph.keys[$0], limit: 30) } ?? ""
                return "\(key): \(graph.nodes[edge.target].leaf.text(limit: 30))"
            }
            let more = fields.count < edges.count ? (fields.isEmpty ? "…" : ", …") : ""
            text += " {" + fields.joined(separator: ", ") + more + "}"
        }
        if mayBeElsewhere, let place = comparison.knownPlace(of: node, on: side) {
            text += ", the one at \(path(to: place, on: side))"
        }
        return text
    }
}

// MARK: - Output

extension ComparisonReport {
    /// Writes all differences, a line each, and how many there are.
    func write(to output: Output) {
        let differences = differences
        for difference in differences {
            let line = line(difference)
            let style: Style =
                switch line.mark {
                case "+": .good
                case "-": .damage
                default: .mark
                }
            output.write(line.mark + " ", style)
            output.write(line.path, .key)
            output.write(": ")
            if let left = line.left { output.write(left, .damage) }
            if line.left != nil, line.right != nil { output.write(" → ") }
            if let right = line.right { output.write(right, .good) }
            output.write("\n")
        }
        output.write(Self.count(differences.count) + "\n", .heading)
    }

    /// How many differences there are, in words.
    static func count(_ count: Int) -> String {
        switch count {
        case 0: "no differences"
        case 1: "1 difference"
        default: "\(count) differences"
        }
    }

    /// Writes all differences as JSON: an object with the differences, each with its change, path and values.
    func writeJSON(to output: Output) {
        let list = differences.map { difference in
            let line = line(difference)
            let newPath = path(to: difference.place, on: .right)
            let hasMoved = difference.place.visit != nil && newPath != line.path
            return PropertyList.fields([
                ("change", .string(line.change)), ("path", .string(line.path)),
                ("newPath", hasMoved ? .string(newPath) : nil), ("old", line.left.map { .string($0) }),
                ("new", line.right.map { .string($0) }),
            ])
        }
        let unaligned = comparison.unaligned.map { PropertyList.string(path(to: $0)) }
        var writer = JSONWriter(to: output)
        writer.write(["differences": .array(list), "comparedByPosition": .array(unaligned)])
    }
}
