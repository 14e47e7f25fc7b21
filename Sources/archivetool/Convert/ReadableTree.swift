// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

/// Creates a property list from a graph: the contents of an archive, without the archive.
///
/// Collections become arrays and dictionaries, values of Foundation become values, and other objects become dictionaries with
/// their class under `$class`. In readable JSON (`docs/archivetool.md`), values also have their types.
struct ReadableTree {
    enum Kind {
        case plain
        case json
    }

    /// Whether shared values are repeated. Otherwise the first one has an `$id`, and the others are a `$ref`.
    private let repeats: Bool

    private let graph: ContentGraph
    private let kind: Kind
    private var frames: [Frame] = []
    private var isKnown: Set<Int> = []
    private var isShared: [Bool]
    /// The labels of containers without a uid, which begin with "@"; without uids, of all shared nodes.
    private var labels: [Int: String] = [:]
    private var labelCounts: [String: Int] = [:]
    private let hidesUIDs: Bool
    /// Objects that are too deep in the tree, and follow it.
    private var waiting: [Int] = []
    private var budget: Int
    private(set) var cutCount = 0

    /// The level of objects of JSON that follow the tree. Many readers of JSON accept only some hundred levels.
    private static let depthLimit = 64

    private struct Frame {
        let node: Int
        var next = 0
        var head: [PropertyList.Dictionary.Element] = []
        var elements: [PropertyList] = []
        var entries: [PropertyList.Dictionary.Element] = []
        var pairs: [PropertyList]?
        var key: PropertyList?
    }

    init(_ graph: ContentGraph, _ kind: Kind, repeats: Bool = false, hidesUIDs: Bool = false, byteCount: Int) {
        self.graph = graph
        self.hidesUIDs = hidesUIDs
        self.repeats = repeats
        self.kind = kind
        budget = (repeats ? 1 << 20 : 1 << 24) + (repeats ? 32 : 128) * min(byteCount, 1 << 40)
        isShared = Array(repeating: false, count: graph.nodes.count)
        var isMet = isShared
        // A reference to the part itself is another one.
        isMet[0] = true
        for node in graph.nodes.indices {
            for edge in graph.edges(of: node) {
                for target in [edge.target, edge.keyNode ?? edge.target].prefix(edge.keyNode == nil ? 1 : 2) {
                    if isMet[target] { isShared[target] = true }
                    isMet[target] = true
                }
            }
        }
    }

    /// The tree of the node 0, and the objects that are too deep in it. It does not recurse.
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

    /// A leaf, or a reference; nil if a container has begun.
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
        guard frames.count < TextParser.listNestingLimit else {
            throw ToolError(
                .unreadable, "The tree of this file would have more than 512 levels, which no property list may have")
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

    /// Adds a value to the innermost container. Plain lists have no nil: an array has an empty string, a dictionary no entry.
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
        case .list, .set: frames[last].elements.append(kind == .plain && value == .null ? "" : value)
        default:
            if frames[last].pairs != nil {
                let key = frames[last].key?[0] ?? .string(edge.key.map { graph.keys[$0] } ?? "")
                frames[last].pairs?.append(.array([key, value]))
                frames[last].key = nil
                return
            }
            guard kind == .json || value != .null else { return }
            let key = edge.key.map { graph.keys[$0] } ?? edge.keyNode.map { text(of: $0) } ?? ""
            budget -= key.utf8.count
            // Another “$” escapes a key that begins with “$”.
            frames[last].entries.append((kind == .json && key.utf8.first == UInt8(ascii: "$") ? "$" + key : key, value))
        }
    }

    private func hasOnlyStringKeys(_ node: Int) -> Bool {
        var known: Set<Int> = []
        return graph.edges(of: node).allSatisfy { edge in edge.key.map { known.insert($0).inserted } ?? false }
    }

    private func text(of node: Int) -> String {
        graph.nodes[node].shape == .leaf ? graph.nodes[node].leaf.text(limit: 200) : graph.name(of: node)
    }

    private mutating func label(of node: Int) -> PropertyList {
        if !hidesUIDs, let number = graph.nodes[node].number { return .integer(Int128(number)) }
        if let known = labels[node] {
            budget -= known.utf8.count
            return .string(known)
        }
        let name = hidesUIDs ? graph.className(of: node) : nil
        labelCounts[name ?? "@", default: 0] += 1
        let label = (name.map { $0 + " " } ?? "@") + "\(labelCounts[name ?? "@", default: 0])"
        labels[node] = label
        budget -= label.utf8.count
        return .string(label)
    }

    static let endless = ToolError(
        .unreadable,
        "The tree of this file would be many times its size, since it repeats shared values. Convert it to json-lossless,"
            + " or show a part with “show --path”")
}

// MARK: - Leaves

extension ContentGraph.Leaf {
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

    /// The value in JSON, with a tag for types that JSON does not have.
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

extension ReadableTree {
    /// Writes a file as readable JSON; with `part` only this part of it.
    ///
    /// - Parameter hidesUIDs: Whether shared objects are numbered for each class, instead of by their uids.
    static func write(
        _ input: Input, part: Part? = nil, hidesUIDs: Bool = false, to writer: inout JSONWriter
    ) throws(ToolError) {
        // The entries before the tree.
        var file: PropertyList.Dictionary = [:]
        if part == nil {
            switch input.content {
            case .archive(let archive): file["$archiver"] = archive.archiver.map { .string($0) } ?? .null
            case .propertyList: break
            case .typedStream(let stream):
                file["$typedstream"] = [
                    "version": .count(stream.streamerVersion), "system": .count(stream.systemVersion),
                    "byteOrder": .string("\(stream.byteOrder)"),
                ]
            }
        }
        let graph = try ContentGraph(part ?? input.whole, of: input, detail: .values, to: "converted")
        var maker = ReadableTree(graph, .json, hidesUIDs: hidesUIDs, byteCount: input.source.byteCount)
        let (root, objects) = try maker.tree()
        file["$top"] = root
        if !objects.isEmpty { file["$objects"] = .array(objects) }
        writer.write(file.count > 1 ? .dictionary(file) : root)
    }
}
