// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import FuzzCases
import TestSupport
import Testing

/// What a part is shows only when it is loaded: then it is checked like everything else.
@Suite(.inTurn) struct `A part of an archive that is loaded later` {
    class Node: Codable, ArchiveDescribing {
        class var archiveName: String { "Node" }
        var name: String
        init(_ name: String) { self.name = name }
    }

    /// Only the encoder registers it.
    final class Branch: Node {
        override class var archiveName: String { "Branch" }
    }

    final class Tree: Codable, ArchiveDescribing {
        static let archiveName = "Tree"
        @Deferred var nodes: [Node]
        @Deferred var node: Node?
        init(_ nodes: [Node]) { (self.nodes, node) = (nodes, nodes.first) }
    }

    /// A tree in which everything has another type than the reader expects.
    struct Lie<Value: Codable>: Codable, ArchiveDescribing {
        static var archiveName: String { "Tree" }
        var nodes: Value
        var node: Value
    }

    private static let lies: [@Sendable () throws -> Data] = [
        { try ArchiveEncoder().encode(Lie(nodes: "text", node: "text")) },
        { try ArchiveEncoder().encode(Lie(nodes: [1, 2], node: [1])) },
        { try ArchiveEncoder().encode(Lie(nodes: ["a": Node("a")], node: ["a": Node("a")])) },
        { try ArchiveEncoder().encode(Lie(nodes: Data([1]), node: Data([1]))) },
        { try ArchiveEncoder().encode(Lie(nodes: [[Node("a")]], node: [[Node("a")]])) },
        { try ArchiveEncoder().encode(Lie(nodes: [Tree([])], node: [Tree([])])) },
        { try ArchiveEncoder().encode(Tree([Branch("not registered")])) },
    ]

    @Test(arguments: lies.indices)
    func `and is something else is an error then, each time, and stays in the archive`(index: Int) throws {
        let data = try Self.lies[index]()
        let tree = try ArchiveDecoder().decode(Tree.self, from: data)
        for _ in 0..<2 {
            #expect(throws: DecodingError.self) { try tree.$nodes.load() }
            #expect(throws: DecodingError.self) { try tree.$node.load() }
        }
        #expect(tree.nodes.isEmpty && tree.node == nil)
        #expect(tree.$nodes.error is DecodingError && !tree.$nodes.isLoaded)
        let again = try ArchiveDecoder().decode(Tree.self, from: ArchiveEncoder().encode(tree))
        #expect(throws: DecodingError.self) { try again.$nodes.load() }
    }

    @Test(arguments: lies.indices) func `and is something else is an error in a document, and is saved as it is`(
        index: Int
    ) throws {
        try TemporaryFolder.with { folder in
            let url = folder["tree"]
            try Self.lies[index]().write(to: url)
            let document = try ArchiveDocument<Tree>(contentsOf: url)
            #expect(throws: DecodingError.self) { try document.root.$nodes.load() }
            document.root.node = Node("new")
            try document.save()
            #expect(throws: DecodingError.self) { try document.root.$nodes.load() }
            try document.compact()
            let again = try ArchiveDocument<Tree>(contentsOf: url)
            #expect(again.root.node?.name == "new")
            #expect(throws: DecodingError.self) { try again.root.$nodes.load() }
            #expect(throws: DecodingError.self) { try document.root.$nodes.load() }
        }
    }

    /// What each list has four times, down to what takes long to compare.
    private static let repeated: [@Sendable (RawArchive) -> RawArchive.Reference] = [
        { $0.array([]) },
        { $0.text(String(repeating: "long ", count: 200_000)) },
        { raw in
            let keys = (0..<5000).map { raw.text("key \($0)") } + [raw.text("key 0")]
            return raw.fields([("NS.keys", raw.array(keys)), ("NS.objects", raw.array(keys))], class: "NSDictionary")
        },
    ]

    @Test(.timeLimit(.minutes(1)), arguments: repeated.indices)
    func `and unfolds to 4^60 lists is saved as it is, at the cost of its bytes`(index: Int) throws {
        let data = RawArchive.data { raw in
            let innermost = Self.repeated[index](raw)
            let list = (0..<60).reduce(innermost) { inner, _ in raw.array(Array(repeating: inner, count: 4)) }
            let nodes = raw.object(raw.fields([("NS.objects", list)], class: "NSArray"))
            return raw.object(raw.fields([("nodes", nodes), ("node", raw.uid(0))], class: "Tree"))
        }
        try TemporaryFolder.with { folder in
            let url = folder["tree"]
            try data.write(to: url)
            let document = try ArchiveDocument<Tree>(contentsOf: url)
            // The lists belong to the file that was closed, so that they are copied, and compared with the copy.
            document.close()
            for name in ["first", "second"] {
                document.root.node = Node(name)
                try document.save(to: url)
            }
            let again = try ArchiveDocument<Tree>(contentsOf: url)
            #expect(again.root.node?.name == "second")
            #expect(throws: DecodingError.self) { try again.root.$nodes.load() }
        }
    }

    /// The names of the decoder hold, whatever is registered elsewhere or was loaded before.
    @Test func `is made of classes that the decoder knows, each time`() throws {
        var knowing = ArchiveDecoder()
        knowing.classes.register(Branch.self, name: "Branch")
        try TemporaryFolder.with { folder in
            let url = folder["tree"]
            try ArchiveEncoder().encode(Tree([Branch("a")]), to: url)
            let known = try ArchiveDocument<Tree>(contentsOf: url, decoder: knowing)
            #expect(known.root.nodes[0] is Branch)
            // The encoder's names are others.
            var encoder = ArchiveEncoder()
            encoder.classes.register(Branch.self, name: "Branch")
            let document = try ArchiveDocument<Tree>(contentsOf: url, encoder: encoder)
            #expect(throws: DecodingError.self) { try document.root.$nodes.load() }
            document.root.node = nil
            try document.save()
            #expect(throws: DecodingError.self) { try document.root.$nodes.load() }
            try document.revert()
            #expect(throws: DecodingError.self) { try document.root.$nodes.load() }
            #expect(known.root.nodes[0] is Branch)
        }
    }

    @Test(arguments: EntryPoints.all.map(\.name).filter { $0.hasPrefix("deferred") || $0.hasPrefix("document") })
    func `makes nothing that is not registered`(entryPoint: String) throws {
        let entryPoint = try #require(EntryPoints.named(entryPoint))
        let data = try #require(Seeds.named("shelf-forbidden")).data
        #expect(entryPoint.run(data).violation == nil)
        #expect(Forbidden.count == 0)
    }

    /// Fifteen objects are the same bytes of the file. Written one behind the other, they need longer offsets than before.
    @Test func `is written whole, with room for more objects, where objects lie in each other`() throws {
        // Object 12 is the root, an array of uid 2 (13), which is 14, an array of 15 to 29: each is the data of 15.
        let content = [UInt8](repeating: 7, count: 6000)
        let objects: [[UInt8]] =
            [hex("A1 0D"), hex("80 02"), BinaryFile.head(0xA0, count: 15) + (15..<30)]
            + [BinaryFile.head(0x40, count: content.count) + content] + Array(repeating: hex("08"), count: 14)
        let archive = ByteArchive(slots: [12, 14], objects: objects)
        var bytes = archive.file.bytes
        let table = bytes.count - 32 - 4 * (12 + objects.count)
        for number in 16..<30 {
            bytes.replaceSubrange(table + 4 * number..<table + 4 * number + 4, with: bytes[table + 60..<table + 64])
        }
        try TemporaryFolder.with { folder in
            let url = folder["overlapping"]
            try Data(bytes).write(to: url)
            let document = try ArchiveDocument<[Deferred<[Data]>]>(contentsOf: url)
            document.root += (0..<300).map { Deferred(wrappedValue: [Data("\($0)".utf8)]) }
            try document.save()
            let again = try ArchiveDocument<[Deferred<[Data]>]>(contentsOf: url)
            #expect(again.root.count == 301)
            #expect(again.root[0].wrappedValue == Array(repeating: Data(content), count: 15))
            #expect(again.root[300].wrappedValue == [Data("299".utf8)])
        }
    }
}
