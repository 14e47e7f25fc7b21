// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

struct PictureMaker {
    let graph: ContentGraph
    let tree: BoxTree
    var options: PictureOptions
    /// For each box the first of its similar siblings, which represents all of them.
    private(set) var firsts: [Int]
    private var crowds: [Int: [Int]] = [:]
    private var drafts: [Int: Draft] = [:]

    struct Draft {
        var title: String
        var number: String
        var className: String?
        var rows: [DraftRow]
        var omittedCount = 0
    }

    struct DraftRow {
        var key: String
        var value: String
        var isNull = false
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
    private static let comparedLimit = 100
}

struct PictureOptions {
    var boxLimit = 300
    var depth: Int?
    var size: Double? = 4000
    var showsLeaves = false
    /// Whether similar siblings are separate boxes, and all rows are drawn.
    var showsAll = false
    /// Keys of conditional references: `parent`, or `Animal.parent`.
    var conditionalKeys: Set<String> = []
    var textLimit = 28
    var rowLimit = 12
}

// MARK: - From a graph to a picture

extension PictureMaker {
    /// The boxes of `graph` from the node `start` on that fit the limits.
    ///
    /// Equal siblings are one box. If the boxes do not fit, siblings of the same class are one box, and boxes have fewer rows. If
    /// that is not enough, the farthest boxes are folded into rows. In the rest of the space, siblings become separate boxes
    /// again if all of them fit, those near the first box before others.
    static func fitting(
        _ graph: ContentGraph, from start: Int = 0, _ options: PictureOptions
    ) -> (maker: PictureMaker, shown: [Int]) {
        let tree = BoxTree(graph, from: start, showsLeaves: options.showsLeaves)
        let likenesses: [BoxTree.Likeness] = options.showsAll ? [.none] : [.equal, .kind]
        var best: (PictureMaker, [Int])?
        var equalFirsts: [Int] = []
        for likeness in likenesses {
            var options = options
            options.rowLimit = options.showsAll ? .max : likeness == .kind ? 8 : 12
            var maker = PictureMaker(graph, tree, options, likeness)
            let candidates = maker.candidates()
            var shown = maker.fit(candidates)
            let fitsWhole = shown.count == candidates.count
            if likeness == .kind { shown = maker.unfold(shown, equalFirsts) }
            equalFirsts = maker.firsts
            best = (maker, shown)
            if fitsWhole { break }
        }
        return best ?? (PictureMaker(graph, tree, options, .none), [0])
    }

    /// The boxes without limit: all but those that a sibling represents, and their subtrees.
    private func candidates() -> [Int] {
        var isCandidate = Array(repeating: true, count: tree.nodes.count)
        for box in tree.nodes.indices.dropFirst() {
            isCandidate[box] =
                isCandidate[tree.parents[box]] && firsts[box] == box && tree.layers[box] <= options.depth ?? .max
        }
        return tree.nodes.indices.filter { isCandidate[$0] }
    }

    /// The nearest of `candidates` that fit, and then further ones that still fit.
    private mutating func fit(_ candidates: [Int]) -> [Int] {
        var (fitting, tooMany) = (1, min(candidates.count, options.boxLimit) + 1)
        if fits(candidates.prefix(tooMany - 1)) { return Array(candidates.prefix(tooMany - 1)) }
        while tooMany - fitting > 1 {
            let middle = (fitting + tooMany) / 2
            if fits(candidates.prefix(middle)) { fitting = middle } else { tooMany = middle }
        }
        return adding(candidates.dropFirst(fitting), to: Array(candidates.prefix(fitting)))
    }

    /// `shown`, and further boxes of `candidates` that fit.
    private mutating func adding(_ candidates: ArraySlice<Int>, to shown: [Int]) -> [Int] {
        var shown = shown
        var isShown = Set(shown)
        var attempts = Self.attemptLimit
        for box in candidates where isShown.contains(tree.parents[box]) && !isShown.contains(box) {
            guard attempts > 0, shown.count < options.boxLimit else { break }
            if fits(shown[...] + [box]) {
                shown.append(box)
                isShown.insert(box)
            } else {
                attempts -= 1
            }
        }
        return shown
    }

    /// The boxes in `shown`, and those of siblings that have a box of their own if all of them fit. `equalFirsts` has the
    /// representatives of equal siblings, which stay one box.
    private mutating func unfold(_ shown: [Int], _ equalFirsts: [Int]) -> [Int] {
        var shown = shown
        let children = tree.children()
        var attempts = Self.attemptLimit
        // The subtrees of the new boxes can have more siblings of the same class, which come later.
        var position = 0
        while position < shown.count, attempts > 0 {
            let box = shown[position]
            position += 1
            guard crowd(box).contains(where: { equalFirsts[$0] != equalFirsts[box] }) else { continue }
            let folded = self
            split(box, by: equalFirsts)
            let siblings = folded.crowd(box).filter { $0 != box && firsts[$0] == $0 }
            let limit = options.boxLimit - shown.count
            var unfolded: [Int]?
            for added in [subtrees(siblings, children, limit: limit), siblings] where added.count <= limit {
                let attempt = (shown + added).sorted()
                if unfolded == nil, fits(attempt[...]) { unfolded = attempt }
            }
            if let unfolded {
                shown = unfolded
            } else {
                self = folded
                attempts -= 1
            }
        }
        return withMoreRows(adding(candidates()[...], to: shown).sorted())
    }

    /// `boxes` and the boxes below them that represent themselves; a few more than `limit` if there are so many.
    private func subtrees(_ boxes: [Int], _ children: [[Int]], limit: Int) -> [Int] {
        var boxes = boxes
        var next = 0
        while next < boxes.count, boxes.count <= limit {
            boxes += children[boxes[next]].filter { firsts[$0] == $0 && tree.layers[$0] <= options.depth ?? .max }
            next += 1
        }
        return boxes
    }

    /// Gives boxes as many rows as in a picture without similar siblings, if they fit.
    private mutating func withMoreRows(_ shown: [Int]) -> [Int] {
        let fewer = self
        setRowLimit(PictureOptions().rowLimit)
        if !fits(shown[...]) { self = fewer }
        return shown
    }

    private mutating func fits(_ shown: ArraySlice<Int>) -> Bool {
        guard let size = options.size else { return true }
        var picture = picture(Array(shown))
        return SVGPicture(&picture).fits(size)
    }

    private static let attemptLimit = 40
}
