/// How much of a graph is drawn.
struct PictureOptions {
    /// The boxes that are drawn at most.
    var boxLimit = 300
    /// The steps from the first box to the last ones; nil for all.
    var depth: Int?
    /// Whether leaves that are objects of their own are boxes.
    var showsLeaves = false
    /// Keys whose references are drawn as conditional ones: `parent`, or `Animal.parent`.
    var conditionalKeys: Set<String> = []
    /// Rows of a box that are not the beginnings of arrows.
    var rowLimit = 12
    /// Arrows from a box.
    var arrowLimit = 1000
    /// Unicode scalars of keys and strings.
    var textLimit = 28
}

// MARK: - From a graph to a picture

extension Picture {
    /// The picture of what `start` leads to, the nearest first.
    init(of graph: ContentGraph, from start: Int = 0, options: PictureOptions = PictureOptions()) {
        var selection = PictureSelection(graph: graph, options: options)
        selection.select(from: start)
        selection.draw()
        self = selection.picture
        markConditional(graph, options)
    }
}

/// Chooses what becomes a box, and what its rows are.
private struct PictureSelection {
    let graph: ContentGraph
    let options: PictureOptions
    var picture = Picture()
    /// The boxes of nodes.
    private var boxes: [Int?]
    /// The nodes of boxes.
    private var nodes: [Int] = []
    private var colours: [Int: Int] = [:]

    init(graph: ContentGraph, options: PictureOptions) {
        self.graph = graph
        self.options = options
        boxes = Array(repeating: nil, count: graph.nodes.count)
    }

    // MARK: Boxes

    /// Whether a node is a box, where there is room for it.
    private func isBox(_ node: Int) -> Bool {
        guard graph.nodes[node].shape == .leaf else { return !isFolded(node) }
        guard options.showsLeaves, let number = graph.nodes[node].number, number != 0 else { return false }
        return true
    }

    /// Whether a container is written in the row that refers to it: a value of its own with nothing but leaves in it.
    private func isFolded(_ node: Int) -> Bool {
        guard !graph.nodes[node].hasIdentity, graph.nodes[node].edges.count <= Self.foldedLimit else { return false }
        return graph.edges(of: node).allSatisfy { edge in
            edge.keyNode == nil && graph.nodes[edge.target].shape == .leaf && !isBox(edge.target)
        }
    }

    /// Elements of a container that is written in a row.
    private static let foldedLimit = 64

    /// Finds the boxes, breadth first, and counts those for which there is no room.
    mutating func select(from start: Int) {
        var isKnown = Array(repeating: false, count: graph.nodes.count)
        var queue = [(node: start, depth: 0)]
        isKnown[start] = true
        var next = 0
        while next < queue.count {
            let (node, depth) = queue[next]
            next += 1
            if nodes.count < options.boxLimit, depth <= options.depth ?? .max {
                boxes[node] = nodes.count
                nodes.append(node)
            } else {
                picture.omittedCount += 1
            }
            for edge in graph.edges(of: node) {
                for target in [edge.keyNode, edge.target] {
                    guard let target, !isKnown[target], isBox(target) else { continue }
                    isKnown[target] = true
                    queue.append((target, depth + 1))
                }
            }
        }
    }

    mutating func draw() {
        picture.boxes = nodes.map { box(of: $0) }
        for (position, node) in nodes.enumerated() { addRows(of: node, to: position) }
    }

    private mutating func box(of node: Int) -> Picture.Box {
        let description = graph.nodes[node]
        let number = description.number.map { "#\($0)" } ?? ""
        guard let classIndex = description.classIndex else {
            return Picture.Box(title: plainTitle(of: node), number: number)
        }
        let name = graph.classes[classIndex].name
        let title = VisibleText.shortened(VisibleText.name(name), limit: 40)
        guard !Self.plainClasses.contains(name) else { return Picture.Box(title: title, number: number) }
        let legend = colours[classIndex] ?? picture.classes.count
        if colours[classIndex] == nil {
            colours[classIndex] = legend
            picture.classes.append(Picture.Class(name: title, count: 0, colour: legend % Picture.colours.count))
        }
        picture.classes[legend].count += 1
        return Picture.Box(title: title, number: number, classIndex: legend)
    }

    private func plainTitle(of node: Int) -> String {
        let description = graph.nodes[node]
        return switch description.shape {
        case .leaf: description.leaf.kind
        case .fields: node == 0 && description.number == nil ? "top" : "dictionary"
        case .list: node == 0 && description.number == nil ? "top" : "array"
        case .set: "set"
        case .dictionary: "dictionary"
        }
    }

    /// Containers are not coloured: they say how objects hang together, and there are many of them.
    private static let plainClasses: Set<String> = [
        "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSCountedSet", "NSOrderedSet", "NSMutableOrderedSet",
        "NSDictionary", "NSMutableDictionary",
    ]

    // MARK: Rows

    private mutating func addRows(of node: Int, to box: Int) {
        let shape = graph.nodes[node].shape
        guard shape != .leaf else {
            let text = graph.nodes[node].leaf.text(limit: options.textLimit)
            picture.boxes[box].rows.append(Picture.Row(key: "", value: text))
            return
        }
        var shownCount = 0
        var omittedCount = 0
        var arrowCount = 0
        let edges = Array(graph.edges(of: node).enumerated())
        // Values first, and the beginnings of arrows together, where the order does not mean anything.
        let ordered =
            shape == .list
            ? edges
            : edges.filter { boxes[$0.element.target] == nil } + edges.filter { boxes[$0.element.target] != nil }
        for (position, edge) in ordered {
            let label = key(of: edge, at: position, shape)
            if let keyNode = edge.keyNode, let target = boxes[keyNode] {
                addReference("key of " + label, from: box, to: target)
            }
            if let target = boxes[edge.target], arrowCount < options.arrowLimit {
                arrowCount += 1
                addReference(label, from: box, to: target)
            } else if shownCount < options.rowLimit {
                shownCount += 1
                picture.boxes[box].rows.append(row(label, edge.target))
            } else {
                omittedCount += 1
            }
        }
        if omittedCount > 0 {
            picture.boxes[box].rows.append(Picture.Row(key: "", value: "… \(omittedCount) more", kind: .omission))
        }
        if picture.boxes[box].rows.isEmpty {
            picture.boxes[box].rows.append(Picture.Row(key: "", value: "empty", kind: .null))
        }
    }

    private mutating func addReference(_ label: String, from box: Int, to target: Int) {
        let row = picture.boxes[box].rows.count
        picture.boxes[box].rows.append(Picture.Row(key: label, value: "", kind: .reference))
        picture.edges.append(Picture.Edge(source: box, row: row, target: target, label: label))
    }

    private func key(of edge: ContentGraph.Edge, at position: Int, _ shape: ContentGraph.Shape) -> String {
        if let key = edge.key {
            let text = VisibleText.shortened(graph.keys[key], limit: options.textLimit)
            return shape == .dictionary || text.isEmpty ? "\"\(text)\"" : text
        }
        guard let keyNode = edge.keyNode else { return shape == .set ? "•" : "[\(position)]" }
        return graph.nodes[keyNode].shape == .leaf || isFolded(keyNode) ? text(of: keyNode) : name(of: keyNode)
    }

    private func row(_ key: String, _ node: Int) -> Picture.Row {
        switch graph.nodes[node].leaf {
        case .null where graph.nodes[node].shape == .leaf, .nullObject where graph.nodes[node].shape == .leaf:
            Picture.Row(key: key, value: text(of: node), kind: .null)
        default:
            Picture.Row(
                key: key, value: text(of: node),
                kind: graph.nodes[node].shape == .leaf || isFolded(node) ? .value : .omission)
        }
    }

    /// What an object or a container is called.
    private func name(of node: Int) -> String {
        let name = graph.className(of: node) ?? plainTitle(of: node)
        return VisibleText.shortened(VisibleText.name(name), limit: options.textLimit)
            + (graph.nodes[node].number.map { " #\($0)" } ?? "")
    }

    /// A value that is no box, in a few words.
    private func text(of node: Int) -> String {
        let description = graph.nodes[node]
        guard description.shape != .leaf else { return description.leaf.text(limit: options.textLimit) }
        guard isFolded(node) else { return name(of: node) + " …" }
        var text = ""
        for edge in graph.edges(of: node) {
            guard text.unicodeScalars.count < options.textLimit else {
                text += ", …"
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

extension ContentGraph.Leaf {
    /// What kind of value it is.
    var kind: String {
        switch self {
        case .null, .nullObject: "nil"
        case .boolean: "Boolean"
        case .integer: "integer"
        case .real: "real"
        case .string: "string"
        case .data: "data"
        case .date: "date"
        case .uid: "uid"
        case .named(let name, _): name
        case .bytes(let kind, _): kind
        case .damage: "damaged"
        }
    }
}
