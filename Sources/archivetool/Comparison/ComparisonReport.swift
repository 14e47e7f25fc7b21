// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The differences of a comparison, for people and for programs.
struct ComparisonReport {
    let comparison: Comparison
    /// Whether both files have a root object, at which paths begin.
    let hasRoot: Bool
    let descriptions: [Comparison.Difference]

    /// All differences, in the order of the left file.
    var differences: [Comparison.Difference] { descriptions + comparison.ordered }

    /// Scalars of strings in reports.
    private static let textLimit = 60

    private struct Line {
        var mark = "~"
        var path: String
        var old: String?
        var new: String?
        /// The word for programs.
        var change: String
    }

    private func line(_ difference: Comparison.Difference) -> Line {
        let place = difference.place
        var line = Line(path: path(to: place, on: Side.left), change: "changed")
        switch difference.change {
        case .only(let side, let node):
            let text = text(of: node, on: side, hasPlace: true)
            let isOld = side == Side.left
            line = Line(
                mark: isOld ? "-" : "+", path: path(to: place, on: side), old: isOld ? text : nil,
                new: isOld ? nil : text, change: isOld ? "removed" : "added")
        case .replaced(let nodes):
            var texts = Side.both.map { text(of: nodes[$0], on: $0) }
            if texts[0] == texts[1] {
                // The difference is in the cut end of a text, or in the kind.
                texts = Side.both.map { comparison.graphs[$0].kind(of: nodes[$0]) + " " + texts[$0] }
            }
            (line.old, line.new) = (texts[0], texts[1])
        case .class(let names):
            (line.old, line.new) = ("class " + VisibleText.name(names.left), "class " + VisibleText.name(names.right))
            line.change = "class"
        case .reference(let nodes, let places):
            let texts = Side.both.map { side in
                comparison.graphs[side].name(of: nodes[side])
                    + (places[side].map { ", the one at \(path(to: $0, on: side))" } ?? ", an object of its own")
            }
            (line.old, line.new, line.change) = (texts[0], texts[1], "reference")
        case .description(let name, let texts):
            (line.path, line.old, line.new, line.change) = (name, texts.left, texts.right, "description")
        }
        return line
    }

    /// The path of a place, as for `--path`. A long path begins at an object near the place.
    private func path(to place: Comparison.Place, on side: Int) -> String {
        let path = comparison.path(to: place, on: side)
        let isFromRoot = hasRoot && path.start == nil && path.steps.count > 1 && path.steps.first == "root"
        let steps = path.steps.dropFirst(isFromRoot ? 1 : 0).map { VisibleText.escaped($0) }
        guard let start = path.start else { return ValuePath.text(of: steps, isFromTop: hasRoot && !isFromRoot) }
        return comparison.graphs[side].name(of: start) + "/" + steps.joined(separator: "/")
    }

    private func text(of node: Int, on side: Int, hasPlace: Bool = false) -> String {
        let graph = comparison.graphs[side]
        let edges = graph.edges(of: node)
        var text = graph.name(of: node)
        switch graph.nodes[node].shape {
        case .leaf: return graph.nodes[node].leaf.text(limit: Self.textLimit)
        case .list, .set: text += ", \(counted(edges.count, "element"))"
        case .dictionary: text += ", \(counted(edges.count, "entry"))"
        case .fields:
            // The first leaves identify the object.
            let leaves = edges.prefix(8).filter { graph.nodes[$0.target].shape == .leaf }.prefix(3)
            var fields = leaves.map { edge in
                VisibleText.shortened(graph.key(of: edge) ?? "", limit: 30) + ": "
                    + graph.nodes[edge.target].leaf.text(limit: 30)
            }
            if fields.count < edges.count { fields.append("…") }
            text += " {" + fields.joined(separator: ", ") + "}"
        }
        let place = hasPlace ? comparison.knownPlace(of: node, on: side) : nil
        return text + (place.map { ", the one at \(path(to: $0, on: side))" } ?? "")
    }

    // MARK: Output

    /// Writes a line for each difference, and their number.
    func write(to output: Output) {
        let differences = differences
        for difference in differences {
            let line = line(difference)
            output.write(line.mark + " ", line.mark == "+" ? .good : line.mark == "-" ? .damage : .mark)
            output.write(line.path, .key)
            output.write(": ")
            output.write(line.old ?? "", .damage)
            output.write(line.old != nil && line.new != nil ? " → " : "")
            output.write(line.new ?? "", .good)
            output.write("\n")
        }
        output.write(
            (differences.isEmpty ? "no differences" : counted(differences.count, "difference")) + "\n", .heading)
    }

    /// Writes an object with a list of the differences.
    func writeJSON(to output: Output) {
        let list = differences.map { difference in
            let line = line(difference)
            let newPath = path(to: difference.place, on: Side.right)
            let hasMoved = difference.place.visit != nil && newPath != line.path
            return PropertyList.fields([
                ("change", .string(line.change)), ("path", .string(line.path)),
                ("newPath", hasMoved ? .string(newPath) : nil), ("old", line.old.map { .string($0) }),
                ("new", line.new.map { .string($0) }),
            ])
        }
        var writer = JSONWriter(to: output)
        writer.write(["differences": .array(list)])
    }
}
