import Archiving

/// The plain property list that a graph means: what a program has archived, without the archive.
///
/// Collections are arrays and dictionaries, values of Foundation's are values, and other objects are dictionaries with their
/// class under `$class`. What several places share is there several times; what refers back to something that it is in is
/// `{$ref: number}`. Nil is left out of dictionaries, and an empty string elsewhere, where a place must be kept.
struct PlainList {
    private let graph: ContentGraph
    private var frames: [Frame] = []
    private var isOpen: Set<Int> = []
    /// Values and bytes that it may still become.
    private var budget: Int
    /// References back that were cut.
    private(set) var cutCount = 0

    private struct Frame {
        let node: Int
        var next = 0
        var elements: [PropertyList] = []
        var entries: [PropertyList.Dictionary.Element] = []
    }

    /// - Parameter byteCount: The size of the file, to which the list has to be in proportion.
    init(_ graph: ContentGraph, byteCount: Int) {
        self.graph = graph
        budget = 1 << 26 + 64 * min(byteCount, 1 << 40)
    }

    /// The list that the node 0 is. It does not recurse.
    ///
    /// - Throws: `ContentGraph.Unfolding` where it would be many times as large as the file, or `ToolError` where it would be
    ///   deeper than lists are.
    mutating func list() throws -> PropertyList {
        var finished = try begin(0)
        while true {
            if let value = finished {
                guard !frames.isEmpty else { return value }
                add(value)
            }
            let last = frames.count - 1
            let node = frames[last].node
            let edges = graph.edges(of: node)
            guard frames[last].next < edges.count else {
                let frame = frames.removeLast()
                isOpen.remove(node)
                let isList = graph.nodes[node].shape == .list || graph.nodes[node].shape == .set
                finished = isList ? .array(frame.elements) : .dictionary(PropertyList.Dictionary(frame.entries))
                continue
            }
            frames[last].next += 1
            finished = try begin(edges[edges.startIndex + frames[last].next - 1].target)
        }
    }

    private mutating func begin(_ node: Int) throws -> PropertyList? {
        let description = graph.nodes[node]
        budget -= 16 + (description.shape == .leaf ? description.leaf.byteCount : 0)
        guard budget > 0 else { throw ContentGraph.Unfolding() }
        if description.shape == .leaf { return description.leaf.plainValue }
        guard isOpen.insert(node).inserted else {
            cutCount += 1
            return ["$ref": .integer(Int128(description.number ?? 0))]
        }
        guard frames.count < JSONParser.listNestingLimit else {
            throw ToolError(
                .unreadable, "Its values refer to each other over more than 512 levels, as no property list may")
        }
        var frame = Frame(node: node)
        if description.shape == .fields, let name = graph.className(of: node) {
            frame.entries.append(("$class", .string(name)))
        }
        frames.append(frame)
        return nil
    }

    /// Adds the value of the edge that was followed last.
    private mutating func add(_ value: PropertyList) {
        let last = frames.count - 1
        let node = frames[last].node
        let edges = graph.edges(of: node)
        let edge = edges[edges.startIndex + frames[last].next - 1]
        switch graph.nodes[node].shape {
        case .list, .set: frames[last].elements.append(value.isNull ? "" : value)
        default:
            guard !value.isNull else { return }
            let key = edge.key.map { graph.keys[$0] } ?? edge.keyNode.map { keyText(of: $0) } ?? ""
            budget -= key.utf8.count
            frames[last].entries.append((key, value))
        }
    }

    /// The text of a key that is no string.
    private func keyText(of node: Int) -> String {
        let description = graph.nodes[node]
        guard description.shape == .leaf else {
            return (graph.className(of: node) ?? "value") + (description.number.map { " #\($0)" } ?? "")
        }
        return description.leaf.text(limit: 200)
    }
}

extension ContentGraph.Leaf {
    /// The value in a property list; null for nil.
    fileprivate var plainValue: PropertyList {
        switch self {
        case .null, .nullObject, .named("NSNull", _): .null
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .real(let value, let isSingle): isSingle ? .real32(Float(value)) : .real(value)
        case .string(let text): .string(text)
        case .data(let data): .data(data)
        case .date(let seconds): .date(.init(timeIntervalSinceReferenceDate: seconds))
        case .uid(let uid): .uid(uid)
        case .named(_, let text): .string(text)
        case .bytes(_, let bytes): .string(String(decoding: bytes, as: UTF8.self))
        case .damage(let sentence): .string("damaged: " + sentence)
        }
    }
}
