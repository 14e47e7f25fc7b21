// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A page that shows a graph in a browser, with a search. It loads no other files.
///
/// The graph is JSON in a block of its own, which the script writes only with `fillText` and `textContent`, so that no text from a
/// file becomes markup or script.
struct HTMLPage {
    let maker: PictureMaker
    /// The boxes that are unfolded at first.
    let shown: [Int]
    /// The number of boxes, the nearest before others.
    let limit: Int
    let name: String
    let sizes: RetainedSizes

    /// The number of scalars of keys and strings.
    static let textLimit = 1000
    static let firstSize = 2400.0

    static let script = [
        modelScript, layoutScript, drawingScript, viewScript, searchScript, panelScript, selectionScript, inputScript,
    ].joined(separator: "\n")

    func write(to output: Output) {
        output.write(Self.start)
        // Only `<` could end the block.
        let escape = Array("\\u003c".utf8)
        let data = Output { bytes in
            for part in bytes.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false).enumerated() {
                if part.offset > 0 { output.write(bytes: escape) }
                output.write(bytes: part.element)
            }
        }
        writeData(JSONWriter(to: data, isCompact: true))
        data.flush()
        output.write("</script>\n<script>\n\(Self.script)</script>\n</body>\n</html>\n")
    }

    private func writeData(_ writer: JSONWriter) {
        var writer = writer
        var strings: [String] = []
        var positions: [String: Int] = [:]
        func position(of text: String) -> Int {
            if let known = positions[text] { return known }
            positions[text] = strings.count
            strings.append(text)
            return strings.count - 1
        }
        func list(_ numbers: some Sequence<Int>, _ key: String? = nil) {
            if let key { writer.key(key) }
            writer.beginArray()
            for number in numbers { writer.literal("\(number)") }
            writer.end()
        }
        let count = min(limit, maker.tree.nodes.count)
        writer.beginObject()
        writer.key("name")
        writer.string(name)
        writer.key("omitted")
        writer.literal("\(maker.tree.nodes.count - count)")
        list(shown, "shown")
        writer.key("colours")
        writer.beginArray()
        for colour in Picture.colours + [Picture.plainColour] {
            writer.beginArray()
            for part in [colour.fill, colour.stroke, colour.darkFill, colour.darkStroke] { writer.string(part) }
            writer.end()
        }
        writer.end()
        // A box: title, number, 1 for a colour plus 2 for a list, parent, the sibling that represents it, and three numbers for
        // each row: key, value, and the referenced box, -1 for none and -2 for nil.
        writer.key("boxes")
        writer.beginArray()
        for box in 0..<count {
            let draft = maker.draft(of: box)
            let head = [
                position(of: draft.title), position(of: draft.number),
                (draft.className == nil ? 0 : 1) + (maker.graph.nodes[maker.tree.nodes[box]].shape == .list ? 2 : 0),
                maker.tree.parents[box], maker.firsts[box],
            ]
            let rows = draft.rows.flatMap { row in
                let target = row.target.flatMap { $0 < count ? $0 : nil } ?? (row.isNull ? -2 : -1)
                return [position(of: row.key), position(of: row.value), target]
            }
            list(head + rows)
        }
        writer.end()
        // The retained objects and bytes of each box; 0 for boxes that are no objects.
        let nodes = maker.tree.nodes.prefix(count)
        list(nodes.map { sizes.counts[$0] }, "retained")
        if !sizes.byteCounts.isEmpty { list(nodes.map { sizes.byteCounts[$0] }, "bytes") }
        writer.key("strings")
        writer.beginArray()
        for text in strings { writer.string(text) }
        writer.end()
        writer.end()
    }
}
