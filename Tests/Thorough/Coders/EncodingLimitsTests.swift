// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `The limit of nesting of an encoder` {
    final class Plain: Codable {
        var next: Plain?
        var others: [Plain] = []
        init(_ next: Plain? = nil) { self.next = next }
    }

    final class Referring: Codable {
        @Reference var next: Referring?
        init(_ next: Referring? = nil) { self.next = next }
    }

    final class Several: Codable {
        @References var next: [Several]
        init(_ next: [Several] = []) { self.next = next }
    }

    final class Weak: Codable {
        @WeakReference var next: Weak?
        init(_ next: Weak? = nil) { self.next = next }
    }

    final class Declared: ArchivedFields {
        var next: Declared?
        init() {}
        static let fields = FieldList<Declared> { Field("next", \.next) }
    }

    final class Late: Codable {
        @Deferred var next: Late?
        init(_ next: Late? = nil) { self.next = next }
    }

    indirect enum Tree: Codable {
        case leaf
        case node(Tree)
    }

    struct Inner<Value: Codable>: Codable {
        var value: Value
    }

    /// A single value.
    struct Single: Codable {
        @Reference var node: Referring?
        init(_ node: Referring?) { _node = Reference(wrappedValue: node) }
        init(from decoder: any Decoder) throws {
            _node = try decoder.singleValueContainer().decode(Reference<Referring>.self)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(_node)
        }
    }

    static func chain(_ count: Int) -> Plain { (1..<count).reduce(Plain()) { node, _ in Plain(node) } }

    /// A network in which the first element of an array refers to the second one, and so on: at most two levels by the shortest way.
    static func network(_ count: Int) -> [Plain] {
        let nodes = (0..<count).map { _ in Plain() }
        for (node, next) in zip(nodes, nodes.dropFirst()) { node.next = next }
        return nodes
    }

    private func depth(_ value: some Codable) -> Int {
        var (low, high) = (0, 4096)
        while low < high {
            let middle = (low + high) / 2
            var encoder = ArchiveEncoder()
            encoder.limits.nesting = middle
            if (try? encoder.encode(value)) == nil { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The smallest limit of a decoder.
    private func decodingDepth<Value: Codable>(_ value: Value) throws -> Int {
        let data = try ArchiveEncoder().encode(value)
        var (low, high) = (0, 4096)
        while low < high {
            let middle = (low + high) / 2
            var decoder = ArchiveDecoder()
            decoder.limits.nesting = middle
            if (try? decoder.decode(Value.self, from: data)) == nil { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func chain<Node>(_ new: (Node?) -> Node) -> Node { (0..<50).reduce(new(nil)) { node, _ in new(node) } }

    /// The limit of the encoder and that of the decoder agree.
    @Test func `is that of a decoder, for plain properties and for references`() throws {
        func check(_ value: some Codable, _ expected: Int) throws {
            let (encoding, decoding) = (depth(value), try decodingDepth(value))
            #expect(encoding == expected && decoding == expected, "\(type(of: value)): \(encoding), \(decoding)")
        }
        try check(Self.chain(1), 2)
        try check(Self.chain(100), 101)
        try check(Self.network(10), 12)
        try check(Inner(value: Self.network(10)), 13)
        try check(Array(Self.network(10).reversed()), 3)
        let tree = Plain()
        tree.others = [Plain(), Self.chain(5)]
        try check(tree, 8)
        try check([[[1, 2, 3]]], 3)
        try check(["a": ["b": [Plain()]]], 5)
        try check(Inner(value: Inner(value: Inner(value: Plain()))), 5)
        try check(Tree.node(.node(.node(.leaf))), 8)

        try check(chain(Referring.init), 1)
        try check([chain(Referring.init)], 2)
        try check(chain { Several($0.map { [$0] } ?? []) }, 2)
        try check(chain(Late.init), 1)
        let strong = (0..<50).map { _ in Weak() }
        for (node, next) in zip(strong, strong.dropFirst()) { node.next = next }
        try check(strong, 2)
        try check(
            chain { next in
                let node = Declared()
                node.next = next
                return node
            }, 1)
    }

    struct Layout: Codable {
        var children: [Layout] = []
    }

    /// A value that is never destroyed, which would take stack for each level.
    private static let layout = (0..<1_500).reduce(Layout()) { inner, _ in Layout(children: [inner]) }

    @Test(arguments: [1_000, 1_023, 1_024, 1_025, 2_000, 3_001])
    func `is reached by structures in arrays`(limit: Int) throws {
        // 1501 structures, each with an array.
        try onThread(stackSize: 64 << 20) {
            var encoder = ArchiveEncoder()
            encoder.limits.nesting = limit
            #expect(throws: EncodingError.self) { try encoder.encode(Self.layout) }
            encoder.limits.nesting = 3_002
            _ = try encoder.encode(Self.layout)
        }
    }

    @Test(arguments: [PropertyListFormat.binary, .xml], [true, false])
    func `names the path, the depth, the limit, and what to write`(format: PropertyListFormat, isSorted: Bool) throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        encoder.outputFormatting = isSorted ? .sortedKeys : []
        encoder.limits.nesting = 101
        #expect(try encoder.encode(Self.chain(100)) == plain(encoder).encode(Self.chain(100)))
        let error = #expect(throws: EncodingError.self) { try encoder.encode([Self.chain(200)]) }
        guard case .invalidValue(_, let context) = error else { return }
        #expect(context.codingPath.count < 100 && context.codingPath.first?.intValue == 0)
        #expect(context.codingPath[1].stringValue == "next")
        #expect((context.underlyingError as? ArchivingError)?.code == .limit)
        for part in ["202 levels", "limit of 101", "[0].next.next", "@Reference", "@References", "limits.nesting"] {
            #expect(context.debugDescription.contains(part), "\(part): \(context.debugDescription)")
        }
    }

    private func plain(_ encoder: ArchiveEncoder) -> ArchiveEncoder {
        var encoder = encoder
        encoder.limits = EncodingLimits()
        return encoder
    }

    @Test func `changes no byte of an archive, and no other encoding at the same time`() async throws {
        let value = Inner(value: [Single(chain(Referring.init)), Single(nil)])
        var encoder = ArchiveEncoder()
        let expected = try encoder.encode(value)
        encoder.limits.nesting = 100
        let limited = encoder
        await withTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    for _ in 0..<20 {
                        let own = Inner(value: [
                            Single((0..<50).reduce(Referring()) { node, _ in Referring(node) }), Single(nil),
                        ])
                        let data = try? (number.isMultiple(of: 2) ? limited : ArchiveEncoder()).encode(own)
                        #expect(data == expected)
                    }
                }
            }
        }
    }

    @Test func `is none by default`() throws {
        #expect(ArchiveEncoder().limits == EncodingLimits() && EncodingLimits().nesting == .max)
        _ = try ArchiveEncoder().encode(Self.chain(2_000))
    }
}
