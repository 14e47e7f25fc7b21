// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Archiving

private enum Deep {
    static let levels = 100_000
    static let smallStack = 512 << 10
    static let largeStack = 8 << 20

    /// The number of objects in an archive.
    static func slotCount(_ data: Data) throws -> Int {
        let list = try BinaryPropertyListReader(StoredBytes(data))
        let root = try list.node(list.top)
        let references = list.references(root)
        for index in 0..<root.count where list.objects.isString(try list.node(references[index]), "$objects") {
            return try list.node(references[root.count + index]).count
        }
        return 0
    }
}

/// Shapes that would need more stack than there is. Each runs in a process of its own: where the stack overflows, only
/// that process ends.
@Suite(.inTurn) struct `A deep graph` {
    final class Node: Codable {
        var value: Int
        var next: Node?

        init(_ value: Int, _ next: Node?) {
            self.value = value
            self.next = next
        }

        /// A list of `count` nodes, made and to be taken apart without recursion.
        static func list(_ count: Int) -> Node {
            var head = Node(count - 1, nil)
            for value in (0..<count - 1).reversed() { head = Node(value, head) }
            return head
        }

        func unlink() {
            var node = self
            while let next = node.next {
                node.next = nil
                node = next
            }
        }
    }

    @Test func `of 200 000 instances in a row is encoded on a stack of 8 MB, and decoding it is an error`() async {
        await #expect(processExitsWith: .success) {
            let list = Node.list(200_000)
            defer { list.unlink() }
            nonisolated(unsafe) let head = list
            let data = try onThread(stackSize: Deep.largeStack) { try ArchiveEncoder().encode(head) }
            // One slot for each node, one for the class, one for "$null": the numbers are inline.
            #expect(try Deep.slotCount(data) == 200_002)
            struct Head: Decodable { var value: Int }
            #expect(try ArchiveDecoder().decode(Head.self, from: data).value == 0)
            for nesting in [DecodingLimits().nesting, Int.max] {
                let error = try onThread(stackSize: Deep.largeStack) {
                    var decoder = ArchiveDecoder()
                    decoder.limits.nesting = nesting
                    return try failure { try decoder.decode(Node.self, from: data) }
                }
                #expect(error.kind == .dataCorrupted)
                #expect(error.says("nested"))
                #expect(error.path.hasPrefix("next.next.next"))
            }
        }
    }

    // MARK: Values

    indirect enum Chain: Codable {
        case end
        case link(Chain)

        static func make(_ depth: Int) -> Chain {
            var chain = Chain.end
            for _ in 0..<depth { chain = .link(chain) }
            return chain
        }
    }

    struct Tree: Codable {
        var children: [Tree]
    }

    struct Table: Codable {
        var entries: [String: Table]
    }

    /// A value in a single value container in a single value container …
    indirect enum Wrap: Codable {
        case end
        case wrap(Wrap)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self = container.decodeNil() ? .end : .wrap(try container.decode([Wrap].self)[0])
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .end: try container.encodeNil()
            case .wrap(let inner): try container.encode([inner])
            }
        }
    }

    /// A value in the superclass's part of a nested container of a value …
    indirect enum Burrow: Encodable {
        case end
        case deeper(Burrow)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            guard case .deeper(let inner) = self else { return }
            var list = container.nestedUnkeyedContainer(forKey: "list")
            var keyed = list.nestedContainer(keyedBy: AnyKey.self)
            var parent = keyed.superEncoder(forKey: "super").unkeyedContainer()
            try parent.encode(inner)
        }
    }

    enum Shape: String, Codable, CaseIterable, Sendable {
        case chain, tree, table, wrap, burrow

        /// The value is never released: that would take the stack that this is about.
        func encode(depth: Int) throws -> Data {
            func archive<Value: Encodable>(_ end: Value, _ step: (Value) -> Value) throws -> Data {
                var value = end
                for _ in 0..<depth { value = step(value) }
                let kept = UnsafeMutablePointer<Value>.allocate(capacity: 1)
                kept.initialize(to: value)
                return try ArchiveEncoder().encode(kept.pointee)
            }
            return switch self {
            case .chain: try archive(Chain.end) { .link($0) }
            case .tree: try archive(Tree(children: [])) { Tree(children: [$0]) }
            case .table: try archive(Table(entries: [:])) { Table(entries: ["k": $0]) }
            case .wrap: try archive(Wrap.end) { .wrap($0) }
            case .burrow: try archive(Burrow.end) { .deeper($0) }
            }
        }
    }

    @Test(arguments: Shape.allCases)
    func `of values cannot be encoded, and says so`(shape: Shape) async {
        await #expect(processExitsWith: .success) { [shape] in
            for stackSize in [Deep.smallStack, Deep.largeStack] {
                let error = try onThread(stackSize: stackSize) { try failure { try shape.encode(depth: Deep.levels) } }
                #expect(error.kind == .invalidValue)
                #expect(error.says("nested", "stack"))
                #expect(!error.path.isEmpty)
            }
        }
    }

    @Test(arguments: Shape.allCases)
    func `of values is encoded and decoded where the stack has room`(shape: Shape) async {
        await #expect(processExitsWith: .success) { [shape] in
            for (stackSize, depth) in [(Deep.smallStack, 20), (Deep.largeStack, 500)] {
                try onThread(stackSize: stackSize) {
                    let data = try shape.encode(depth: depth)
                    switch shape {
                    case .chain: _ = try ArchiveDecoder().decode(Chain.self, from: data)
                    case .tree: _ = try ArchiveDecoder().decode(Tree.self, from: data)
                    case .table: _ = try ArchiveDecoder().decode(Table.self, from: data)
                    case .wrap: _ = try ArchiveDecoder().decode(Wrap.self, from: data)
                    case .burrow: #expect(data.count > depth)
                    }
                }
            }
        }
    }

    // MARK: Containers in containers, in a loop

    @Test(arguments: ["keyed", "unkeyed", "super"])
    func `of nested containers that one value makes does not overflow the stack`(kind: String) async {
        await #expect(processExitsWith: .success) { [kind] in
            try onThread(stackSize: Deep.smallStack) {
                let value = Encoding { encoder in
                    var keyed = encoder.container(keyedBy: AnyKey.self)
                    var unkeyed = keyed.nestedUnkeyedContainer(forKey: "list")
                    for _ in 0..<Deep.levels {
                        switch kind {
                        case "keyed": keyed = keyed.nestedContainer(keyedBy: AnyKey.self, forKey: "k")
                        case "unkeyed": unkeyed = unkeyed.nestedUnkeyedContainer()
                        default: keyed = keyed.superEncoder().container(keyedBy: AnyKey.self)
                        }
                    }
                    try keyed.encode(1, forKey: "innermost")
                }
                do {
                    let data = try ArchiveEncoder().encode(value)
                    #expect(try Deep.slotCount(data) > Deep.levels)
                } catch EncodingError.invalidValue {
                    // Refused is right as well.
                }
            }
        }
    }

    @Test(
        arguments: ["keyed", "unkeyed", "super"], [DecodingLimits().nesting - 10, DecodingLimits().nesting, .max])
    func `of nested containers of one value does not overflow the stack`(kind: String, nesting: Int) async {
        await #expect(processExitsWith: .success) { [kind, nesting] in
            // Object n is {"k": n + 1, "super": n + 1, "NS.objects": [n + 1]}.
            let objects = (0..<20_000).map { index in
                let next = PropertyList.uid(UInt32(min(index + 2, 20_000)))
                return PropertyList.dictionary(["k": next, "super": next, "NS.objects": [next]])
            }
            let data = try handmadeArchive(objects: objects)
            try onThread(stackSize: Deep.smallStack) {
                var decoder = ArchiveDecoder()
                decoder.limits.nesting = nesting
                let probe = try decoder.decode(NestedProbe.self, from: data, configuration: kind)
                #expect(probe.levels > 100)
            }
        }
    }

    /// Requests one container inside the other until it gets an error.
    struct NestedProbe: DecodableWithConfiguration {
        var levels = 0

        init(from decoder: any Decoder, configuration: String) throws {
            var keyed = try decoder.container(keyedBy: AnyKey.self)
            var unkeyed = try decoder.unkeyedContainer()
            do {
                while levels < 19_999 {
                    switch configuration {
                    case "keyed": keyed = try keyed.nestedContainer(keyedBy: AnyKey.self, forKey: "k")
                    case "unkeyed": unkeyed = try unkeyed.nestedUnkeyedContainer()
                    default: keyed = try keyed.superDecoder().container(keyedBy: AnyKey.self)
                    }
                    levels += 1
                }
            } catch DecodingError.dataCorrupted {
                return
            }
        }
    }
}
