// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - In words

extension Picture {
    /// Whether a reference has the key `key`, which may be that of a class: `Animal.parent`.
    func hasReference(under key: String) -> Bool {
        edges.contains { $0.label == key || "\(boxes[$0.source].title).\($0.label)" == key }
    }

    /// The title and the number of a box: `Farm #1`.
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

    /// The number of boxes, classes and references of a box in the summary.
    private static let summaryLimit = 30
}
