// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The limits of a picture.
struct PictureOptions {
    /// The maximal number of boxes.
    var boxLimit = 300
    /// The maximal depth of boxes.
    var depth: Int?
    /// The maximal width and height.
    var size: Double? = 4000
    /// Whether leaves with uids are boxes.
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
    /// that is not enough, the farthest boxes are folded into rows.
    static func fitting(
        _ graph: ContentGraph, from start: Int = 0, _ options: PictureOptions
    ) -> (maker: PictureMaker, shown: [Int]) {
        let tree = BoxTree(graph, from: start, showsLeaves: options.showsLeaves)
        let likenesses: [BoxTree.Likeness] = options.showsAll ? [.none] : [.equal, .kind]
        var best: (PictureMaker, [Int])?
        for likeness in likenesses {
            var options = options
            options.rowLimit = options.showsAll ? .max : likeness == .kind ? 8 : 12
            var maker = PictureMaker(graph, tree, options, likeness)
            let candidates = maker.candidates()
            let shown = maker.fit(candidates)
            best = (maker, shown)
            if shown.count == candidates.count { break }
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
        var shown = Array(candidates.prefix(fitting))
        var isShown = Set(shown)
        var attempts = Self.attemptLimit
        for box in candidates.dropFirst(fitting) where isShown.contains(tree.parents[box]) {
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

    private mutating func fits(_ shown: ArraySlice<Int>) -> Bool {
        guard let size = options.size else { return true }
        var picture = picture(Array(shown))
        return SVGPicture(&picture).fits(size)
    }

    /// The number of further boxes that may fail to fit.
    private static let attemptLimit = 40
}
