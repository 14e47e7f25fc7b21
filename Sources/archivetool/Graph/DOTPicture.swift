// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Writes pictures for Graphviz.
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
