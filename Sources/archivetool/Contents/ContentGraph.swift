import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a file holds as a graph of values, whichever kind of file it is: what `graph` draws and `diff` compares.
///
/// Nodes and edges lie in flat lists. Each object of an archive is one node, however often it is referred to, so that
/// cycles and shared objects are nothing special. Node 0 is the top: what was encoded by key, or the property list.
struct ContentGraph {
    /// How the values inside a value are found.
    enum Shape: UInt8 {
        /// It has none.
        case leaf
        /// By the keys that a program or the format has given them.
        case fields
        /// By position.
        case list
        /// They have no order.
        case set
        /// By keys, which may be any values. The order does not count.
        case dictionary
    }

    /// A value.
    struct Node {
        /// How the values inside it are found.
        var shape: Shape
        /// What a leaf holds; null for others.
        var leaf = Leaf.null
        /// The position of the class in `classes`; nil for what has none.
        var classIndex: Int?
        /// The uid in a keyed archive, the position of the object in a typedstream.
        var number: UInt32?
        /// Whether it is one thing that several places can refer to, and not just a value: an object of a class.
        var hasIdentity = false
        /// The edges to the values inside it.
        var edges = 0..<0
    }

    /// The way from a value to one inside it.
    struct Edge {
        /// The position of the key in `keys`; nil for elements, and for keys that are no strings.
        var key: Int?
        /// The node of a dictionary's key that is no string.
        var keyNode: Int?
        /// The node that it leads to.
        var target: Int
    }

    /// What a file says about a class.
    struct Class: Equatable {
        /// The name.
        var name: String
        /// The class and its superclasses.
        var chain: [String] = []
        /// The versions of the classes in the chain; empty where none has one.
        var versions: [Int] = []
        /// Names that a reader may take instead.
        var fallbacks: [String] = []
    }

    /// The values, by the order in which they are met, those near the top first.
    private(set) var nodes: [Node] = []
    /// The edges of all nodes, one node after the other.
    private(set) var edges: [Edge] = []
    /// The keys of fields and dictionaries, each once.
    private(set) var keys: [String] = []
    /// The classes in the order in which they are met.
    private(set) var classes: [Class] = []

    private var keyIndex: [String: Int] = [:]
    private var classIndex: [String: Int] = [:]
    private let edgeLimit: Int
    /// Bytes of keys and leaves that may still be looked at.
    private var byteBudget: Int

    /// A graph without nodes.
    ///
    /// - Parameter byteCount: The size of the file. What its containers unfold to has to be in proportion.
    init(byteCount: Int) {
        let byteCount = min(byteCount, 1 << 40)
        edgeLimit = 1_000_000 + 2 * byteCount
        // Long keys that all objects of a class share may be some tens of times as long as the references to them.
        byteBudget = 1 << 26 + 64 * byteCount
    }

    /// The edges of a node.
    func edges(of node: Int) -> ArraySlice<Edge> { edges[nodes[node].edges] }

    /// The name of a node's class.
    func className(of node: Int) -> String? { nodes[node].classIndex.map { classes[$0].name } }
}

// MARK: - Building

extension ContentGraph {
    /// Adds a node.
    mutating func add(_ node: Node) -> Int {
        byteBudget -= node.leaf.byteCount
        nodes.append(node)
        return nodes.count - 1
    }

    /// The position of `key` in `keys`.
    mutating func key(_ key: String) -> Int {
        byteBudget -= key.utf8.count
        if let known = keyIndex[key] { return known }
        keys.append(key)
        keyIndex[key] = keys.count - 1
        return keys.count - 1
    }

    /// The position of the class `name` in `classes`. What is known besides, `describe` says, which is asked once.
    mutating func classNamed(_ name: String, _ describe: () -> Class) -> Int {
        if let known = classIndex[name] { return known }
        classes.append(describe())
        classIndex[name] = classes.count - 1
        return classes.count - 1
    }

    /// Adds an edge. Those of a node come one after the other.
    ///
    /// - Throws: `Unfolding` where there are too many for the file, or the keys and leaves that were added are too long.
    mutating func addEdge(from node: Int, key: Int? = nil, keyNode: Int? = nil, to target: Int) throws(Unfolding) {
        guard edges.count < edgeLimit, byteBudget >= 0 else { throw Unfolding() }
        if nodes[node].edges.isEmpty { nodes[node].edges = edges.count..<edges.count }
        edges.append(Edge(key: key, keyNode: keyNode, target: target))
        nodes[node].edges = nodes[node].edges.lowerBound..<edges.count
    }

    /// A file whose values refer to each other more often than its size can account for, since the same container, key or
    /// text stands for many.
    struct Unfolding: Error, CustomStringConvertible {
        /// A sentence for the user.
        var description: String {
            "what its values share unfolds to many times its size: it was damaged, or made to exhaust its readers"
        }
    }
}

// MARK: - Places

extension ContentGraph {
    /// The step from `node` along its edge at `position`, counted from its first.
    func step(from node: Int, at position: Int) -> KeyedArchive.Path.Step {
        let edge = edges[nodes[node].edges.lowerBound + position]
        return edge.key.map { .key(keys[$0]) } ?? .index(position)
    }
}

// MARK: - Leaves

extension ContentGraph {
    /// A value without values inside it.
    enum Leaf: Equatable {
        /// Nil.
        case null
        /// Nil at a uid of its own: a reference to an object that was to be archived only if something else did, and
        /// nothing did.
        case nullObject
        case boolean(Bool)
        case integer(Int128)
        /// A number with a fraction, and whether the file has it in 32 bits.
        case real(Double, isSingle: Bool)
        case string(String)
        case data(Data)
        /// Seconds since 2001-01-01 00:00 UTC.
        case date(Double)
        /// A uid that is not followed, in a property list.
        case uid(UInt32)
        /// The value of an object of one of Foundation's classes: the class and a text.
        case named(String, String)
        /// Bytes of a C string or a name in a typedstream.
        case bytes(kind: String, [UInt8])
        /// What is wrong here.
        case damage(String)

        /// The bytes that it takes, about.
        var byteCount: Int {
            switch self {
            case .string(let text), .named(_, let text), .damage(let text): text.utf8.count
            case .data(let data): data.count
            case .bytes(_, let bytes): bytes.count
            default: 0
            }
        }

        /// Whether both say the same. A real is the same in 32 and in 64 bits, and every NaN is.
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
