// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Creates pictures of a graph.
struct PictureMaker {
    let graph: ContentGraph
    let tree: BoxTree
    var options: PictureOptions
    /// For each box the first of its similar siblings, which represents all of them.
    private(set) var firsts: [Int]
    /// The siblings that are drawn as one box, by the first of them.
    private var crowds: [Int: [Int]] = [:]
    private var drafts: [Int: Draft] = [:]

    /// A box with all its rows.
    struct Draft {
        var title: String
        var number: String
        /// The name of the class, if it has a colour.
        var className: String?
        var rows: [DraftRow]
        /// The number of values that are not among the rows.
        var omittedCount = 0
    }

    /// A field or an element.
    struct DraftRow {
        var key: String
        var value: String
        var isNull = false
        /// The box at the end of the reference.
        var target: Int?
        var isNamed = false
    }

    init(_ graph: ContentGraph, _ tree: BoxTree, _ options: PictureOptions, _ likeness: BoxTree.Likeness) {
        self.graph = graph
        self.tree = tree
        self.options = options
        firsts = tree.firstsAlike(graph, by: likeness)
        for box in firsts.indices where firsts[box] != box { crowds[firsts[box], default: [firsts[box]]].append(box) }
    }

    func crowd(_ box: Int) -> [Int] { crowds[box] ?? [box] }

    /// Makes the siblings that `box` represents separate boxes, except those with the same number in `others`.
    mutating func split(_ box: Int, by others: [Int]) {
        let members = crowd(box)
        crowds[box] = nil
        drafts[box] = nil
        var representatives: [Int: Int] = [:]
        for member in members {
            let first = representatives[others[member]] ?? member
            representatives[others[member]] = first
            firsts[member] = first
            if first != member { crowds[first, default: [first]].append(member) }
        }
    }

    /// Changes the number of rows of all boxes.
    mutating func setRowLimit(_ limit: Int) {
        options.rowLimit = limit
        drafts = [:]
    }
}

// MARK: - Boxes

extension PictureMaker {
    func draft(of box: Int) -> Draft {
        let node = tree.nodes[box]
        let name = graph.className(of: node)
        let isTop = node == 0 && graph.nodes[node].number == nil && [.fields, .list].contains(graph.nodes[node].shape)
        let title = VisibleText.shortened(isTop && name == nil ? "top" : graph.kind(of: node), limit: 40)
        let hasColour = name.map { !BoxTree.containers.contains($0) } ?? false
        return Draft(
            title: title, number: graph.nodes[node].number.map { "#\($0)" } ?? "", className: hasColour ? title : nil,
            rows: rows(of: node))
    }

    private func rows(of node: Int) -> [DraftRow] {
        let shape = graph.nodes[node].shape
        guard shape != .leaf else {
            return [DraftRow(key: "", value: graph.nodes[node].leaf.text(limit: options.textLimit))]
        }
        var rows: [DraftRow] = []
        for (position, edge) in graph.edges(of: node).enumerated() {
            let key = key(of: edge, at: position, shape)
            if let keyNode = edge.keyNode, let target = tree.box(of: keyNode) {
                rows.append(DraftRow(key: "key of " + key, value: name(of: keyNode), target: target))
            }
            let names = [key, (graph.className(of: node) ?? "") + "." + key]
            rows.append(
                DraftRow(
                    key: key, value: text(of: edge.target), isNull: graph.nodes[edge.target].isNull,
                    target: tree.box(of: edge.target), isNamed: names.contains(where: options.conditionalKeys.contains))
            )
        }
        return rows.isEmpty ? [DraftRow(key: "", value: "empty", isNull: true)] : rows
    }

    private func key(of edge: ContentGraph.Edge, at position: Int, _ shape: ContentGraph.Shape) -> String {
        if let key = edge.key {
            let text = VisibleText.shortened(graph.keys[key], limit: options.textLimit)
            return shape == .dictionary || text.isEmpty ? "\"\(text)\"" : text
        }
        guard let keyNode = edge.keyNode else { return shape == .set ? "•" : "[\(position)]" }
        return text(of: keyNode)
    }

    /// The title of an object or a container in a row.
    private func name(of node: Int) -> String {
        VisibleText.shortened(graph.kind(of: node), limit: options.textLimit)
            + (graph.nodes[node].number.map { " #\($0)" } ?? "")
    }

    private func text(of node: Int) -> String {
        let description = graph.nodes[node]
        guard tree.isRow(node) else { return name(of: node) }
        guard description.shape != .leaf else { return description.leaf.text(limit: options.textLimit) }
        var text = ""
        for (position, edge) in graph.edges(of: node).enumerated() {
            guard text.unicodeScalars.count < options.textLimit else {
                text += ", … \(description.edges.count - position) more"
                break
            }
            text += (text.isEmpty ? "" : ", ")
            if let key = edge.key {
                text += VisibleText.shortened(graph.keys[key], limit: options.textLimit) + ": "
            }
            text += graph.nodes[edge.target].leaf.text(limit: options.textLimit / 2)
        }
        return description.shape == .list || description.shape == .set ? "[\(text)]" : "{\(text)}"
    }
}

extension ContentGraph.Node {
    fileprivate var isNull: Bool { shape == .leaf && (leaf == .null || leaf == .nullObject) }
}

// MARK: - Pictures

extension PictureMaker {
    /// The picture of the boxes in `shown`. The parent of a box comes before it.
    mutating func picture(_ shown: [Int]) -> Picture {
        var picture = Picture()
        var places: [Int: Int] = [:]
        var classes: [String: Int] = [:]
        var coveredCount = 0
        for box in shown {
            places[box] = picture.boxes.count
            let draft = known(box)
            let count = crowd(box).count
            coveredCount += count
            var drawn = Picture.Box(title: draft.title, number: draft.number, count: count, layer: tree.layers[box])
            drawn.parent = box == tree.parents[box] ? nil : places[tree.parents[box]]
            if let name = draft.className {
                let position = classes[name] ?? picture.classes.count
                if position == picture.classes.count {
                    classes[name] = position
                    picture.classes.append(
                        Picture.Class(name: name, count: 0, colour: position % Picture.colours.count))
                }
                picture.classes[position].count += count
                drawn.classIndex = position
            }
            picture.boxes.append(drawn)
        }
        picture.omittedCount = tree.nodes.count - coveredCount
        var arrowCounts = Array(repeating: 0, count: shown.count)
        for (place, box) in shown.enumerated() { addRows(of: box, to: place, places, &arrowCounts, &picture) }
        return picture
    }

    private mutating func known(_ box: Int) -> Draft {
        if let known = drafts[box] { return known }
        var draft = draft(of: box)
        let others = crowd(box).dropFirst()
        if !others.isEmpty, graph.nodes[tree.nodes[box]].shape != .list {
            // Two values represent different ones.
            let rows = others.prefix(Self.comparedLimit).map { self.draft(of: $0).rows }
            for position in draft.rows.indices where draft.rows[position].target == nil {
                let value = draft.rows[position].value
                let other = rows.first { $0.indices.contains(position) && $0[position].value != value }
                if let other { draft.rows[position].value = "\(value), \(other[position].value), …" }
            }
        }
        // Later passes skip the rest of a million numbers.
        var valueCount = 0
        let rows = draft.rows.filter { row in
            if row.target == nil { valueCount += 1 }
            return row.target != nil || valueCount <= options.rowLimit
        }
        draft.omittedCount = draft.rows.count - rows.count
        draft.rows = rows
        drafts[box] = draft
        return draft
    }

    private mutating func addRows(
        of box: Int, to place: Int, _ places: [Int: Int], _ arrowCounts: inout [Int], _ picture: inout Picture
    ) {
        let draft = known(box)
        let isOrdered = graph.nodes[tree.nodes[box]].shape == .list
        // Unordered contents have values first, and the beginnings of arrows together.
        let rows =
            isOrdered
            ? draft.rows
            : [0, 1, 2].flatMap { rank in draft.rows.filter { self.rank(of: $0, in: box, places) == rank } }
        var (shownCount, omittedCount, ownArrowCount) = (0, draft.omittedCount, 0)
        var drawnCrowds: Set<Int> = []
        for row in rows {
            let first = row.target.map { firsts[$0] }
            let isChild = first.map { tree.parents[$0] == box && $0 != box } ?? false
            if let first, isChild, crowds[first] != nil, !drawnCrowds.insert(first).inserted { continue }
            let count = first.map { isChild ? crowd($0).count : 1 } ?? 1
            let key = row.key + (count > 1 ? " … × \(count)" : "")
            if let first, let target = places[first] {
                let distance = tree.layers[first] - tree.layers[box]
                let isNear = (-1...1).contains(distance) && ownArrowCount < Self.ownArrowLimit
                let isArrow = isChild || isNear && arrowCounts[target] < Self.arrowLimit
                if isArrow || shownCount < options.rowLimit {
                    if !isArrow { shownCount += 1 } else if !isChild { ownArrowCount += 1 }
                    if !isChild { arrowCounts[target] += 1 }
                    picture.edges.append(
                        Picture.Edge(
                            source: place, row: picture.boxes[place].rows.count, target: target, label: key,
                            isDashed: row.isNamed || tree.isAncestor(first, of: box), isArrow: isArrow))
                    picture.boxes[place].rows.append(
                        Picture.Row(key: key, value: "→ " + row.value, kind: isArrow ? .reference : .stub))
                    continue
                }
            } else if shownCount < options.rowLimit {
                shownCount += 1
                let kind: Picture.Row.Kind = row.isNull ? .null : row.target == nil ? .value : .omission
                let hiddenCount = isChild ? tree.sizes[first ?? box] : 1
                let more = row.target == nil ? "" : hiddenCount > 1 ? " … \(hiddenCount) objects" : " …"
                picture.boxes[place].rows.append(Picture.Row(key: key, value: row.value + more, kind: kind))
                continue
            }
            omittedCount += count
        }
        if omittedCount > 0 {
            picture.boxes[place].rows.append(Picture.Row(key: "", value: "… \(omittedCount) more", kind: .omission))
        }
    }

    private func rank(of row: DraftRow, in box: Int, _ places: [Int: Int]) -> Int {
        guard let first = row.target.map({ firsts[$0] }), places[first] != nil else { return 0 }
        return tree.parents[first] == box ? 2 : 1
    }

    /// Arrows from and to a box, without those of the tree.
    private static let (ownArrowLimit, arrowLimit) = (4, 8)
    /// The number of siblings whose values are compared.
    private static let comparedLimit = 100
}
