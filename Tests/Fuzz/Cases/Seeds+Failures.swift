// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// MARK: - Initializers that throw

extension Seeds {
    static func fragile() throws -> [Seed] {
        let lasts = [1, 2, 0]
        return [
            Seed("fragile", .fragile, try archive(nodes(failing: 0))),
            Seed("fragile-failing", .fragile, try archive(nodes(failing: -1))),
            Seed("fragile-node", .fragile, try archive(nodes(failing: 0)[0])),
            Seed(
                "fragile-failing-late", .fragile,
                try archive(
                    zip(nodes(failing: 0), lasts).map { node, last in
                        node.last = last == 0 ? -1 : last
                        return node
                    })),
            Seed("fragile-cells", .fragile, try archive { try $0.encode(cells(failing: 0), forKey: "root") }),
            Seed("fragile-cells-failing", .fragile, try archive { try $0.encode(cells(failing: -1), forKey: "root") }),
        ]
    }

    /// A ring of each kind of references, and a node after it.
    private static func nodes(failing number: Int) -> [Fragile] {
        let nodes = (1...3).map { Fragile($0) }
        for (index, node) in nodes.enumerated() {
            let other = nodes[(index + 1) % nodes.count]
            (node.far, node.owner) = (other, other)
            // No ring of plain references, which is an error.
            if index < 2 { (node.next, node.up) = (other, other) }
            (node.others, node.near, node.named) = ([other], [node, other], ["a": other])
            (node.part, node.main) = ([node, Fragile(4)], other)
        }
        let last = Fragile(number)
        nodes[1].cell = cells(failing: number)
        nodes[1].part = [nodes[0], last]
        return nodes + [last]
    }

    private static func cells(failing number: Int) -> FragileCell {
        let cells = (1...3).map { FragileCell($0) }
        for (index, cell) in cells.enumerated() {
            let other = cells[(index + 1) % cells.count]
            (cell.far, cell.others) = (other, [cell, other])
            if index < 2 { cell.next = other }
        }
        cells[2].node = Fragile(number)
        return cells[0]
    }
}
