/// A picture in the language of Mermaid, which many sites show in Markdown.
enum MermaidPicture {
    /// The whole file.
    static func document(_ picture: Picture) -> String {
        var text = "flowchart LR\n    accTitle: \(words(picture.name))\n"
        for (position, box) in picture.boxes.enumerated() {
            var lines = ["<b>\(escaped(picture.name(of: position)))</b>"]
            for row in box.rows where row.kind != .reference && row.kind != .stub {
                lines.append(escaped(row.key.isEmpty ? row.value : "\(row.key): \(row.value)"))
            }
            text += "    n\(position)[\"\(lines.joined(separator: "<br/>"))\"]\n"
        }
        if let omission = picture.omission { text += "    omitted[\"… \(escaped(omission))\"]\n" }
        for edge in picture.edges {
            let arrow = edge.isDashed ? "-.->" : "-->"
            let label = edge.label.isEmpty ? "" : "|\"\(escaped(edge.label))\"|"
            text += "    n\(edge.source) \(arrow)\(label) n\(edge.target)\n"
        }
        for (position, named) in picture.classes.enumerated() {
            let colour = Picture.colours[named.colour]
            let members = picture.boxes.indices.filter { picture.boxes[$0].classIndex == position }
            text += "    classDef c\(position) fill:\(colour.fill),stroke:\(colour.stroke),color:#1f2328\n"
            text += "    class \(members.map { "n\($0)" }.joined(separator: ",")) c\(position)\n"
        }
        return text
    }

    /// `text` as it stands within quotes. Whatever may mean something to Mermaid or HTML is written by its number.
    private static func escaped(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            let isPlain =
                scalar.isASCII
                ? ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
                    || " _,".unicodeScalars.contains(scalar) : true
            if isPlain { output.unicodeScalars.append(scalar) } else { output += "#\(scalar.value);" }
        }
        return output
    }

    /// `text` where there are no quotes.
    private static func words(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            scalar.isASCII && !scalar.properties.isAlphabetic && !("0"..."9").contains(scalar) && scalar != "."
                && scalar != "-"
                ? " " : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
