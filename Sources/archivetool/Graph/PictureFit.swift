// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The limits of a picture.
struct PictureOptions {
    /// The maximal number of boxes.
    var boxLimit = 300
    var depth: Int?
    /// The maximal width and height.
    var size: Double? = 4000
    var showsLeaves = false
    /// Whether similar siblings are separate boxes, and all rows are drawn.
    var showsAll = false
    /// Keys of conditional references: `parent`, or `Animal.parent`.
    var conditionalKeys: Set<String> = []
    /// The number of scalars of keys and strings.
    var textLimit = 28
    /// The number of rows of a box, without the beginnings of arrows.
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

    /// The number of further boxes that may fail to fit.
    private static let attemptLimit = 40
}
