import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A graph as a tree that is a property list: what a program has archived, without the archive.
///
/// Collections are arrays and dictionaries, values of Foundation's are values, and other objects are dictionaries with their
/// class under `$class`. Two kinds of trees are made: plain property lists, and those of readable JSON (`docs/archivetool.md`), in
/// which every value says what it is.
struct ReadableTree {
    enum Kind {
        case plain
        case json
    }

    /// Whether what several places share is there several times, but for what would be in itself. Otherwise it has an `$id`
    /// where it is met first, and is a `$ref` elsewhere.
    private let repeats: Bool

    private let graph: ContentGraph
    private let kind: Kind
    private var frames: [Frame] = []
    /// Nodes that are around the one that is being made, or, in JSON, that were made or wait.
    private var isKnown: Set<Int> = []
    /// Nodes that several places refer to.
    private var isShared: [Bool]
    /// The numbers of containers that have none of their own, which begin with "@".
    private var labels: [Int: Int] = [:]
    /// Objects that would be too deep, and have a place of their own.
    private var waiting: [Int] = []
    /// Values and bytes that it may still become.
    private var budget: Int
    /// References to what is there elsewhere.
    private(set) var cutCount = 0

    /// Levels from which on an object of JSON stands in a list of its own. Readers of JSON do not bear more than some hundred.
    private static let depthLimit = 64

    private struct Frame {
        let node: Int
        var next = 0
        var head: [PropertyList.Dictionary.Element] = []
        var elements: [PropertyList] = []
        var entries: [PropertyList.Dictionary.Element] = []
        /// Keys that are no strings, with their values.
        var pairs: [PropertyList]?
        /// A key of that kind, whose value comes next.
        var key: PropertyList?
    }

    /// - Parameter byteCount: The size of the file, to which the tree has to be in proportion.
    init(_ graph: ContentGraph, _ kind: Kind, repeats: Bool = false, byteCount: Int) {
        self.graph = graph
        self.repeats = repeats
        self.kind = kind
        budget = 1 << 24 + 128 * min(byteCount, 1 << 40)
        isShared = Array(repeating: false, count: graph.nodes.count)
        var isMet = isShared
        for node in graph.nodes.indices {
            for edge in graph.edges(of: node) {
                for target in [edge.target, edge.keyNode ?? edge.target].prefix(edge.keyNode == nil ? 1 : 2) {
                    if isMet[target] { isShared[target] = true }
                    isMet[target] = true
                }
            }
        }
    }

    /// The tree of the node 0, and behind it the objects that would be too deep there. It does not recurse.
    ///
    /// - Throws: `ToolError` where it would be many times as large as the file, or deeper than a property list may be.
    mutating func tree() throws(ToolError) -> (root: PropertyList, objects: [PropertyList]) {
        let root = try tree(of: 0)
        var objects: [PropertyList] = []
        while objects.count < waiting.count { objects.append(try tree(of: waiting[objects.count], isApart: true)) }
        return (root, objects)
    }

    private mutating func tree(of node: Int, isApart: Bool = false) throws(ToolError) -> PropertyList {
        var finished = try begin(node, isApart: isApart)
        while true {
            if let value = finished {
                guard !frames.isEmpty else { return value }
                add(value)
            }
            let last = frames.count - 1
            let edges = graph.edges(of: frames[last].node)
            guard frames[last].next < edges.count else {
                finished = end()
                continue
            }
            let edge = edges[edges.startIndex + frames[last].next]
            if let keyNode = edge.keyNode, frames[last].key == nil, kind == .json {
                frames[last].key = .null
                finished = try begin(keyNode)
                continue
            }
            frames[last].next += 1
            finished = try begin(edge.target)
        }
    }

    // MARK: - Containers

    /// A leaf, or a reference; nil for a container, which is the last frame then.
    private mutating func begin(_ node: Int, isApart: Bool = false) throws(ToolError) -> PropertyList? {
        let description = graph.nodes[node]
        budget -= 16 + description.leaf.byteCount
        guard budget > 0 else { throw Self.endless }
        guard description.shape != .leaf else {
            return kind == .json ? description.leaf.taggedValue : description.leaf.plainValue
        }
        if !isApart {
            let isDeep = kind == .json && frames.count >= Self.depthLimit && !description.edges.isEmpty
            if isKnown.contains(node) || isDeep {
                if isDeep, isKnown.insert(node).inserted {
                    isShared[node] = true
                    waiting.append(node)
                }
                cutCount += 1
                return ["$ref": label(of: node)]
            }
            isKnown.insert(node)
        }
        guard frames.count < JSONParser.listNestingLimit else {
            throw ToolError(
                .unreadable, "Its values refer to each other over more than 512 levels, as no property list may")
        }
        var frame = Frame(node: node)
        if !repeats, isShared[node] { frame.head.append(("$id", label(of: node))) }
        if let name = graph.className(of: node), description.shape == .fields || kind == .json {
            frame.head.append(("$class", .string(name)))
        }
        if description.shape == .dictionary, kind == .json, !hasOnlyStringKeys(node) { frame.pairs = [] }
        frames.append(frame)
        return nil
    }

    /// What is written for a container all of whose values are there.
    private mutating func end() -> PropertyList {
        let frame = frames.removeLast()
        if repeats { isKnown.remove(frame.node) }
        let name = graph.className(of: frame.node)
        switch graph.nodes[frame.node].shape {
        case .list, .set:
            let isPlain = graph.nodes[frame.node].shape == .list && (name == nil || name == "NSArray")
            if kind == .plain && frame.head.isEmpty || isPlain && !isShared[frame.node] {
                return .array(frame.elements)
            }
            let key = name == nil && graph.nodes[frame.node].shape == .set ? "$set" : "$elements"
            return .dictionary(PropertyList.Dictionary(frame.head + [(key, .array(frame.elements))]))
        case .dictionary:
            let head = name == "NSDictionary" ? frame.head.filter { $0.key != "$class" } : frame.head
            let pairs = frame.pairs.map { [("$entries", PropertyList.array($0))] } ?? []
            return .dictionary(PropertyList.Dictionary(head + pairs + frame.entries))
        default: return .dictionary(PropertyList.Dictionary(frame.head + frame.entries))
        }
    }

    /// Adds a value to the innermost container. In plain lists, nil is left out of dictionaries, and an empty string in lists.
    private mutating func add(_ value: PropertyList) {
        let last = frames.count - 1
        if frames[last].key == .null, kind == .json {
            // It is the key of an entry.
            frames[last].key = .array([value])
            return
        }
        let node = frames[last].node
        let edges = graph.edges(of: node)
        let edge = edges[edges.startIndex + frames[last].next - 1]
        switch graph.nodes[node].shape {
        case .list, .set: frames[last].elements.append(kind == .plain && value.isNull ? "" : value)
        default:
            if frames[last].pairs != nil {
                let key = frames[last].key?[0] ?? .string(edge.key.map { graph.keys[$0] } ?? "")
                frames[last].pairs?.append(.array([key, value]))
                frames[last].key = nil
                return
            }
            guard kind == .json || !value.isNull else { return }
            let key = edge.key.map { graph.keys[$0] } ?? edge.keyNode.map { keyText(of: $0) } ?? ""
            budget -= key.utf8.count
            // A key that begins with “$” says something of the value, unless there is another one in front of it.
            frames[last].entries.append((kind == .json && key.utf8.first == UInt8(ascii: "$") ? "$" + key : key, value))
        }
    }

    private func hasOnlyStringKeys(_ node: Int) -> Bool {
        var known: Set<Int> = []
        return graph.edges(of: node).allSatisfy { edge in edge.key.map { known.insert($0).inserted } ?? false }
    }

    /// The text of a key that is no string, for a plain list.
    private func keyText(of node: Int) -> String {
        let description = graph.nodes[node]
        guard description.shape == .leaf else {
            return (graph.className(of: node) ?? "value") + (description.number.map { " #\($0)" } ?? "")
        }
        return description.leaf.text(limit: 200)
    }

    private mutating func label(of node: Int) -> PropertyList {
        if let number = graph.nodes[node].number { return .integer(Int128(number)) }
        let label = labels[node] ?? labels.count + 1
        labels[node] = label
        return .string("@\(label)")
    }

    static let endless = ToolError(
        .unreadable,
        "The tree of this file would be many times its size: the same values are in it again and again. Convert it to"
            + " json-lossless, or show a part with “show --path”")
}

// MARK: - Leaves

extension ContentGraph.Leaf {
    /// The value in a plain property list; null for nil.
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

    /// The value in JSON, where what JSON has not says what it is.
    fileprivate var taggedValue: PropertyList {
        switch self {
        case .data(let data): ["$data": .string(data.base64EncodedString())]
        case .date: ["$date": .string(plainValue.description)]
        case .uid(let uid): ["$uid": .integer(Int128(uid))]
        case .real(let value, _) where !value.isFinite: ["$real": .string(value.description)]
        case .named("NSURL", let text): ["$url": .string(text)]
        case .named("NSUUID", let text): ["$uuid": .string(text)]
        case .named("NSDecimalNumber", let text): ["$decimal": .string(text)]
        case .named("class", let name): ["$describedClass": .string(name)]
        case .named(let name, _): ["$class": .string(name)]
        case .bytes(_, let bytes) where String(validating: bytes, as: UTF8.self) == nil:
            ["$data": .string(Data(bytes).base64EncodedString())]
        case .damage(let sentence): ["$damaged": .string(sentence)]
        default: plainValue
        }
    }
}
