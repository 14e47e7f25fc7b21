// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

// MARK: - Typedstreams

extension ContentGraph {
    /// The contents of `stream`: values have positions, since a typedstream has no keys.
    ///
    /// - Parameter object: The object that is node 0; nil for all values at the top.
    init(_ stream: TypedStream, object: Int? = nil, byteCount: Int) throws(Refusal) {
        self.init(byteCount: byteCount)
        var reader = TypedStreamReading(stream: stream, graph: self)
        if let object {
            _ = reader.node(of: .object(object))
        } else {
            _ = reader.add(Node(shape: .list), stream.groups.flatMap(\.values))
        }
        while try reader.expandNext() {}
        self = reader.graph
    }
}

private struct TypedStreamReading {
    let stream: TypedStream
    var graph: ContentGraph
    private var known: [Int?]
    private var chains: [Int: [TypedStream.Class]] = [:]
    private var contents: [[TypedStream.Value]] = []
    private var next = 0

    init(stream: TypedStream, graph: ContentGraph) {
        self.stream = stream
        self.graph = graph
        known = Array(repeating: nil, count: stream.objects.count)
    }

    mutating func add(_ node: ContentGraph.Node, _ values: [TypedStream.Value]) -> Int {
        contents.append(values)
        return graph.add(node)
    }

    mutating func expandNext() throws(ContentGraph.Refusal) -> Bool {
        guard next < contents.count else { return false }
        try expand(next)
        next += 1
        return true
    }

    mutating func expand(_ node: Int) throws(ContentGraph.Refusal) {
        let values = contents[node]
        contents[node] = []
        guard graph.nodes[node].shape == .dictionary else {
            for value in values { try graph.addEdge(from: node, to: self.node(of: value)) }
            return
        }
        for position in stride(from: 0, to: values.count - 1, by: 2) {
            let key = self.node(of: values[position])
            let target = self.node(of: values[position + 1])
            if case .string(let text) = graph.nodes[key].leaf {
                try graph.addEdge(from: node, key: graph.key(text), to: target)
            } else {
                try graph.addEdge(from: node, keyNode: key, to: target)
            }
        }
    }

    // MARK: Values

    mutating func node(of value: TypedStream.Value) -> Int {
        var node = ContentGraph.Node(shape: .leaf)
        switch value {
        case .object(let index?):
            if let known = known[index] { return known }
            let made = object(index)
            known[index] = made
            return made
        case .object(nil), .cString(nil), .name(nil), .bytes(nil), .class(nil): node.leaf = .null
        case .integer, .unsigned, .float, .double: node.leaf = Self.number(value) ?? .null
        case .cString(let index?): node.leaf = .bytes(kind: "C string", stream.cStrings[index])
        case .name(let bytes?): node.leaf = .bytes(kind: "name", bytes)
        case .bytes(let bytes?): node.leaf = .data(Data(bytes))
        case .class(let index?): node.leaf = .named("class", stream.classes[index].name)
        case .ignored: node.leaf = .named("nothing", "stored")
        case .array(let values), .structure(let values):
            node.shape = .list
            return add(node, values)
        }
        return add(node, [])
    }

    /// The classes of `object`. Very many objects may have a long chain.
    private mutating func chain(of object: TypedStream.Object) -> [TypedStream.Class] {
        if let known = chains[object.classIndex] { return known }
        let chain = stream.classChain(of: object)
        graph.count(chain.reduce(0) { $0 + MemoryLayout<TypedStream.Class>.stride + $1.name.utf8.count })
        chains[object.classIndex] = chain
        return chain
    }

    private mutating func object(_ index: Int) -> Int {
        let object = stream.objects[index]
        let chain = chain(of: object)
        let name = stream.className(of: object)
        let values = object.groups.flatMap(\.values)
        var node = ContentGraph.Node(shape: .list, number: UInt32(truncatingIfNeeded: index))
        if let leaf = Self.leaf(name, values) {
            node.shape = .leaf
            node.leaf = leaf
            return add(node, [])
        }
        node.classIndex = graph.classNamed(name) {
            ContentGraph.Class(
                name: name, chain: chain.map(\.name),
                versions: chain.contains { $0.version != 0 } ? chain.map(\.version) : [])
        }
        node.hasIdentity = true
        let (shape, elements) = Self.elements(chain, values)
        node.shape = shape
        return add(node, elements)
    }

    private static func leaf(_ name: String, _ values: [TypedStream.Value]) -> ContentGraph.Leaf? {
        switch (name, values.count) {
        case ("NSString", 1):
            guard case .bytes(let bytes?) = values[0], let text = String(validating: bytes, as: UTF8.self) else {
                return nil
            }
            return .string(text)
        case ("NSNull", 0): return .named(name, "null")
        case ("NSDate", 1): return values[0].real.map { .date($0) }
        // The first value is the type of the number.
        case ("NSNumber", 2): return number(values[1])
        default: return nil
        }
    }

    private static func number(_ value: TypedStream.Value) -> ContentGraph.Leaf? {
        switch value {
        case .integer(let value): .integer(Int128(value))
        case .unsigned(let value): .integer(Int128(value))
        case .float(let value): .real(Double(value), isSingle: true)
        case .double(let value): .real(value, isSingle: false)
        default: nil
        }
    }

    /// The elements of a collection of Foundation, without their count; all values of other objects.
    private static func elements(
        _ chain: [TypedStream.Class], _ values: [TypedStream.Value]
    ) -> (ContentGraph.Shape, [TypedStream.Value]) {
        guard let count = values.first?.integer,
            let name = chain.last(where: { $0.name != "NSObject" })?.name
        else {
            return (.list, values)
        }
        let elements = Array(values.dropFirst())
        let areObjects = elements.allSatisfy { if case .object = $0 { true } else { false } }
        guard areObjects else { return (.list, values) }
        switch name {
        case "NSArray" where elements.count == count: return (.list, elements)
        case "NSSet" where elements.count == count: return (.set, elements)
        case "NSDictionary" where count >= 0 && count <= elements.count && elements.count - count == count:
            return (.dictionary, elements)
        default: return (.list, values)
        }
    }
}
