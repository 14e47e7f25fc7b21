/// How much of a graph is drawn.
struct PictureOptions {
    /// The boxes that are drawn at most.
    var boxLimit = 300
    /// The boxes in a row from the first one to the last ones; nil for all.
    var depth: Int?
    /// Units of width, and of height, that the picture takes at most; nil where it may take any.
    var size: Double? = 4000
    /// Whether leaves that are objects of their own are boxes.
    var showsLeaves = false
    /// Whether siblings that are alike are boxes of their own, and all rows are drawn.
    var showsAll = false
    /// Keys whose references are drawn as conditional ones: `parent`, or `Animal.parent`.
    var conditionalKeys: Set<String> = []
    /// Unicode scalars of keys and strings.
    var textLimit = 28

    /// Rows of a box that are not the beginnings of arrows.
    var rowLimit = 12
}

// MARK: - From a graph to a picture

extension PictureMaker {
    /// What is drawn of `graph` from the node `start` on, so that it fits.
    ///
    /// Siblings that say the same are one box. If not all boxes fit then, siblings of the same class are one box, and boxes
    /// have fewer rows. And if that does not help, the farthest boxes are left out, so that the largest subtrees are folded
    /// into rows.
    ///
    /// - Returns: The maker, and the boxes that are to be shown.
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

    /// The boxes that would be shown if there were room: none that is shown by another one, and what hangs under it.
    private func candidates() -> [Int] {
        var isCandidate = Array(repeating: true, count: tree.nodes.count)
        for box in tree.nodes.indices.dropFirst() {
            isCandidate[box] =
                isCandidate[tree.parents[box]] && firsts[box] == box && tree.layers[box] <= options.depth ?? .max
        }
        return tree.nodes.indices.filter { isCandidate[$0] }
    }

    /// As many of `candidates` as there is room for: the nearest, and then whatever still fits of the others.
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

    /// Boxes that are tried in vain.
    private static let attemptLimit = 40
}
