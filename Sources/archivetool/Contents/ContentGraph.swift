// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The contents of a file of any kind as a graph, which `graph` draws, `diff` compares and `find` searches.
///
/// Each object of an archive is one node, so that shared objects and cycles need no special case. Node 0 is the top.
struct ContentGraph {
    enum Shape: UInt8 {
        case leaf
        /// By the keys of a program or of the format.
        case fields
        case list
        case set
        /// By keys that may be any values, without order.
        case dictionary
    }

    struct Node {
        var leaf: Leaf
        var shape: Shape
        /// Whether several references to it differ from references to several equal nodes: it is an object of a class.
        var hasIdentity = false
        /// The uid in a keyed archive, or the position of the object in a typedstream.
        var number: UInt32?
        private var classPosition = Position(nil)
        private var firstEdge: UInt32 = 0
        private var edgeCount: UInt32 = 0

        init(shape: Shape, leaf: Leaf = .null, number: UInt32? = nil) {
            self.shape = shape
            self.leaf = leaf
            self.number = number
        }

        var classIndex: Int? {
            get { classPosition.value }
            set { classPosition = Position(newValue) }
        }

        var edges: Range<Int> {
            get { Int(firstEdge)..<Int(firstEdge) + Int(edgeCount) }
            set { (firstEdge, edgeCount) = (UInt32(newValue.lowerBound), UInt32(newValue.count)) }
        }
    }

    struct Edge {
        private let keyPosition: Position
        private let keyNodePosition: Position
        private let targetPosition: UInt32

        init(key: Int?, keyNode: Int?, target: Int) {
            keyPosition = Position(key)
            keyNodePosition = Position(keyNode)
            targetPosition = UInt32(target)
        }

        /// The position of the key in `keys`; nil for elements, and for keys that are no strings.
        var key: Int? { keyPosition.value }
        var keyNode: Int? { keyNodePosition.value }
        var target: Int { Int(targetPosition) }
    }

    /// A position in a list, or none, in four bytes. A graph has very many of them.
    private struct Position {
        private let number: UInt32

        init(_ value: Int?) { number = value.map { UInt32($0) } ?? .max }

        var value: Int? { number == .max ? nil : Int(number) }
    }

    private static let countLimit = Int(UInt32.max) - 1

    struct Class: Equatable {
        var name: String
        var chain: [String] = []
        /// The versions of the classes in the chain; empty if none has one.
        var versions: [Int] = []
        var fallbacks: [String] = []
    }

    /// The values in the order of a search from the top in breadth.
    private(set) var nodes: [Node] = []
    /// The edges of all nodes, those of a node in sequence.
    private(set) var edges: [Edge] = []
    private(set) var keys: [String] = []
    private(set) var classes: [Class] = []

    private var keyIndex: [String: Int] = [:]
    private var classIndex: [String: Int] = [:]
    private let edgeLimit: Int
    private var byteBudget: Int
    /// The archive of a partial graph, whose nodes get their edges when `expand(_:)` is called.
    var reading: KeyedArchiveReading?

    /// An empty graph, for a file of `byteCount` bytes, which bounds its size.
    init(byteCount: Int) {
        let byteCount = min(byteCount, 1 << 40)
        edgeLimit = min(1_000_000 + 2 * byteCount, Self.countLimit)
        // Objects of a class share long keys, which are much longer than the references to them.
        byteBudget = 1 << 26 + 64 * byteCount
    }

    func edges(of node: Int) -> ArraySlice<Edge> { edges[nodes[node].edges] }

    func edge(of node: Int, at position: Int) -> Edge { edges[nodes[node].edges.lowerBound + position] }

    func key(of edge: Edge) -> String? { edge.key.map { keys[$0] } }

    func className(of node: Int) -> String? { nodes[node].classIndex.map { classes[$0].name } }

    func step(from node: Int, at position: Int) -> ValuePath.Step {
        if let key = key(of: edge(of: node, at: position)) { return .name(key) }
        return nodes[node].shape == .dictionary ? .position(position) : .name("\(position)")
    }

    /// The number of steps that reports show. The paths of all objects of a long chain would be much longer than the file.
    static let stepLimit = 64
}

// MARK: - Building

extension ContentGraph {
    mutating func expand(_ node: Int) throws(Refusal) {
        guard var reading else { return }
        self.reading = nil
        defer { self.reading = reading }
        try reading.expand(node, in: &self)
    }

    mutating func add(_ node: Node) -> Int {
        byteBudget -= node.leaf.byteCount
        nodes.append(node)
        return nodes.count - 1
    }

    /// The position of `key` in `keys`.
    ///
    /// - Throws: `Refusal` if it would take too long to compare the key with others.
    mutating func key(_ key: String) throws(Refusal) -> Int {
        guard HashedText.isSafe(key) else { throw .unsafeKey(byteCount: key.utf8.count) }
        byteBudget -= key.utf8.count
        if let known = keyIndex[key] { return known }
        keys.append(key)
        keyIndex[key] = keys.count - 1
        return keys.count - 1
    }

    /// The position of the class `name` in `classes`. The first call for a name calls `describe`.
    mutating func classNamed(_ name: String, _ describe: () -> Class) -> Int {
        if let known = classIndex[name] { return known }
        classes.append(describe())
        classIndex[name] = classes.count - 1
        return classes.count - 1
    }

    /// Adds an edge. All edges of a node have to be added in sequence.
    ///
    /// - Throws: `Refusal` if there are too many edges for the file, or the keys and leaves are too long.
    mutating func addEdge(from node: Int, key: Int? = nil, keyNode: Int? = nil, to target: Int) throws(Refusal) {
        guard edges.count < edgeLimit, nodes.count < Self.countLimit, byteBudget >= 0 else { throw .unfolding }
        if nodes[node].edges.isEmpty { nodes[node].edges = edges.count..<edges.count }
        edges.append(Edge(key: key, keyNode: keyNode, target: target))
        nodes[node].edges = nodes[node].edges.lowerBound..<edges.count
    }

    /// Counts `count` references in an object, or bytes in names of classes, which had to be read for a node.
    mutating func count(_ count: Int) { byteBudget -= count }

    enum Refusal: Error, CustomStringConvertible {
        /// They are out of proportion to its size, since many values share the same container, key or text.
        case unfolding
        case unsafeKey(byteCount: Int)

        var description: String {
            switch self {
            case .unfolding:
                "what its values share unfolds to many times its size: it is damaged, or an attack on its readers"
            case .unsafeKey(let byteCount):
                "a key of \(byteCount) bytes has more than \(HashedText.markLimit) combining marks in a row, which would"
                    + " take too long to compare with others"
            }
        }
    }
}

// MARK: - Leaves

extension ContentGraph {
    enum Leaf: Equatable {
        case null
        /// Nil with a uid of its own: a conditional reference to an object that was not archived.
        case nullObject
        case boolean(Bool)
        case integer(Int128)
        case real(Double, isSingle: Bool)
        case string(String)
        case data(Data)
        /// Seconds since 2001-01-01 00:00 UTC.
        case date(Double)
        case uid(UInt32)
        /// The value of an object of a class of Foundation: the class and a text.
        indirect case named(String, String)
        indirect case bytes(kind: String, [UInt8])
        case damage(String)

        var byteCount: Int {
            switch self {
            case .string(let text), .named(_, let text), .damage(let text): text.utf8.count
            case .data(let data): data.count
            case .bytes(_, let bytes): bytes.count
            default: 0
            }
        }

        /// Whether both have the same value. Reals may be of 32 or 64 bits; every NaN is equal to every other.
        static func == (left: Leaf, right: Leaf) -> Bool {
            switch (left, right) {
            case (.null, .null), (.nullObject, .nullObject), (.null, .nullObject), (.nullObject, .null): true
            case (.boolean(let left), .boolean(let right)): left == right
            case (.integer(let left), .integer(let right)): left == right
            case (.real(let left, _), .real(let right, _)):
                left.bitPattern == right.bitPattern || left.isNaN && right.isNaN
            case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
            case (.data(let left), .data(let right)): left == right
            case (.date(let left), .date(let right)): left.bitPattern == right.bitPattern || left == right
            case (.uid(let left), .uid(let right)): left == right
            case (.named(let leftClass, let left), .named(let rightClass, let right)):
                leftClass == rightClass && left.utf8.elementsEqual(right.utf8)
            case (.bytes(let leftKind, let left), .bytes(let rightKind, let right)):
                leftKind == rightKind && left == right
            case (.damage(let left), .damage(let right)): left == right
            default: false
            }
        }
    }
}

// MARK: - Text for people

extension ContentGraph {
    func kind(of node: Int) -> String {
        if let name = className(of: node) { return VisibleText.name(name) }
        return switch nodes[node].shape {
        case .leaf: nodes[node].leaf.kind
        case .list: "array"
        case .set: "set"
        case .fields, .dictionary: "dictionary"
        }
    }

    func name(of node: Int) -> String { kind(of: node) + (nodes[node].number.map { " #\($0)" } ?? "") }
}

extension ContentGraph.Leaf {
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
        case .named(let name, _): VisibleText.name(name)
        case .bytes(let kind, _): kind
        case .damage: "damaged"
        }
    }

    /// The value on one line, with at most `limit` Unicode scalars of a string.
    func text(limit: Int) -> String {
        switch self {
        case .null: return "nil"
        case .nullObject: return "nil (not archived)"
        case .boolean(let value): return "\(value)"
        case .integer(let value): return "\(value)"
        case .real(let value, let isSingle): return isSingle ? "\(Float(value))" : "\(value)"
        case .string(let value): return VisibleText.literal(value, limit: limit)
        case .data(let value):
            let digits = value.prefix(8).map(\.hexadecimal).joined()
            return counted(value.count, "byte")
                + (digits.isEmpty ? "" : " <\(digits)\(value.count > 8 ? "…" : "")>")
        case .date(let value): return PropertyList.date(Date(timeIntervalSinceReferenceDate: value)).description
        case .uid(let value): return "uid \(value)"
        case .named("NSNull", _): return "null"
        case .named("class", let name): return "class " + VisibleText.name(name)
        // A UUID is never cut.
        case .named(_, let value): return VisibleText.shortened(value, limit: max(limit, 36))
        case .bytes(let kind, let value):
            guard let text = String(validating: value.prefix(4 * limit), as: UTF8.self) else {
                return "\(kind), \(value.count) bytes"
            }
            return kind + " " + VisibleText.literal(text, limit: limit)
        case .damage(let sentence): return "damaged: " + VisibleText.shortened(sentence, limit: max(limit, 200))
        }
    }
}

/// A number with its noun: "1 object", "2 objects", "2 entries".
func counted(_ count: Int, _ noun: String) -> String {
    guard count != 1 else { return "1 \(noun)" }
    // The key, the keys; the entry, the entries.
    let isVowelBefore = noun.dropLast().last.map("aeiou".contains) ?? false
    return "\(count) " + (noun.hasSuffix("y") && !isVowelBefore ? noun.dropLast() + "ies" : noun + "s")
}

// MARK: - Parts and property lists

extension ContentGraph {
    /// The contents of `part`, which is a part of `input`.
    ///
    /// - Parameters:
    ///   - detail: The values of archives that become leaves.
    ///   - purpose: A participle for messages: "searched".
    init(_ part: Part, of input: Input, detail: Detail = .all, to purpose: String) throws(ToolError) {
        do throws(Refusal) {
            try self.init(part, of: input, detail: detail)
        } catch {
            throw ToolError(.unreadable, "\(input.name) cannot be \(purpose): \(error)")
        }
        input.progress.begin("\(input.name) is \(purpose)")
    }

    /// The contents of `part`, which is a part of `input`.
    ///
    /// - Parameter isPartial: Whether the contents of nodes of an archive are read by `expand(_:)`.
    init(_ part: Part, of input: Input, detail: Detail = .all, isPartial: Bool = false) throws(Refusal) {
        let byteCount = input.source.byteCount
        switch part {
        case .value(let value):
            input.progress.begin("reading the objects of \(input.name)", total: value.archive.objects.count)
            try self.init(value, byteCount: byteCount, detail: detail, isPartial: isPartial, input.progress)
        case .list(let list): try self.init(list, byteCount: byteCount)
        case .stream(let stream, let object): try self.init(stream, object: object, byteCount: byteCount)
        }
    }

    /// The contents of `list`, as a tree in which nothing has identity, and uids are leaves.
    init(_ list: PropertyList, byteCount: Int) throws(Refusal) {
        // The reader has unfolded the list already, within its own limits.
        self.init(byteCount: max(byteCount, 128 * byteCount))
        var waiting: [PropertyList?] = []
        add(list, &waiting)
        var next = 0
        while next < waiting.count {
            switch waiting[next] {
            case .array(let elements)?, .set(let elements)?:
                for element in elements { try addEdge(from: next, to: add(element, &waiting)) }
            case .dictionary(let entries)?:
                for (name, value) in entries { try addEdge(from: next, key: key(name), to: add(value, &waiting)) }
            default: break
            }
            waiting[next] = nil
            next += 1
        }
    }

    @discardableResult
    private mutating func add(_ list: PropertyList, _ waiting: inout [PropertyList?]) -> Int {
        var node = Node(shape: .leaf)
        switch list {
        case .null: node.leaf = .null
        case .boolean(let value): node.leaf = .boolean(value)
        case .integer(let value): node.leaf = .integer(value)
        case .real(let value): node.leaf = .real(value, isSingle: false)
        case .real32(let value): node.leaf = .real(Double(value), isSingle: true)
        case .string(let value): node.leaf = .string(value)
        case .date(let value): node.leaf = .date(value.timeIntervalSinceReferenceDate)
        case .data(let value): node.leaf = .data(value)
        case .uid(let value): node.leaf = .uid(value)
        case .array: node.shape = .list
        case .set: node.shape = .set
        case .dictionary: node.shape = .fields
        }
        waiting.append(node.shape == .leaf ? nil : list)
        return add(node)
    }
}

extension Input {
    var whole: Part {
        switch content {
        case .archive(let archive): .value(archive.top)
        case .propertyList(let list, _, _): .list(list)
        case .typedStream(let stream): .stream(stream, object: nil)
        }
    }
}
