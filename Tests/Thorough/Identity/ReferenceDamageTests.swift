// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A reference in a damaged archive` {
    final class Node: Codable {
        var name: String
        @Reference var next: Node?
        @WeakReference var parent: Node?
        @References var others: [Node]

        init(_ name: String) { self.name = name }
        func untie() { (next, others) = (nil, []) }
    }

    final class Other: Codable {
        var number: Int
    }

    struct Both: Decodable {
        var other: Other
        var good: Node
        @Reference var node: Node?
    }

    /// Slots 1 and up; 10 is an empty array, 11 to 13 are the class entries of Node, Other and NSArray.
    private static func archive(_ objects: [PropertyList]) throws -> Data {
        try handmadeArchive(
            objects, from10: ["NS.objects": [], "$class": .uid(13)], classEntry("Node"), classEntry("Other"),
            classEntry("NSArray"))
    }

    private static func node(_ fields: PropertyList.Dictionary) -> PropertyList {
        var node = fields
        if node["name"] == nil { node["name"] = "n" }
        if node["others"] == nil { node["others"] = .uid(10) }
        node["$class"] = .uid(11)
        return .dictionary(node)
    }

    private static let other: PropertyList = ["number": 7, "$class": .uid(12)]

    /// The error of decoding the first of the objects as a node.
    private static func failure(_ objects: PropertyList...) throws -> CodingFailure {
        try TestSupport.failure(decoding: Node.self, from: archive(objects))
    }

    // MARK: - Targets

    @Test func `to an instance of another class is an error that names its keys`() throws {
        let data = try Self.archive([["other": .uid(2), "good": .uid(3), "node": .uid(2)], Self.other, Self.node([:])])
        let error = try TestSupport.failure(decoding: Both.self, from: data)
        #expect(error.kind == .keyNotFound && error.path == "node")
        #expect(error.says("\"name\"", "\"number\""))
        let deep = try Self.failure(Self.node(["next": .uid(2)]), Self.node(["next": .uid(3)]), Self.other)
        #expect(deep.kind == .keyNotFound && deep.path == "next.next")
    }

    @Test func `in a collection to an instance of another class is an error that names its keys`() throws {
        let array: PropertyList = ["NS.objects": [.uid(1), .uid(3)], "$class": .uid(13)]
        let element = try Self.failure(Self.node(["others": .uid(2)]), array, Self.other)
        #expect(element.kind == .keyNotFound && element.path == "others[1]")
        #expect(element.says("\"name\"", "\"number\""))
    }

    @Test(arguments: ["next", "parent"])
    func `to a uid beyond the objects is an error`(key: String) throws {
        let error = try Self.failure(Self.node([key: .uid(99)]))
        #expect(error.kind == .dataCorrupted)
        #expect(error.path == key)
        #expect(error.says("99"))
    }

    @Test func `in a collection to a uid beyond the objects is an error`() throws {
        let array: PropertyList = ["NS.objects": [.uid(1), .uid(1), .uid(99)], "$class": .uid(13)]
        let element = try Self.failure(Self.node(["others": .uid(2)]), array)
        #expect(element.kind == .dataCorrupted)
        #expect(element.path == "others[2]")
        let collection = try Self.failure(Self.node(["others": .uid(99)]))
        #expect(collection.kind == .dataCorrupted)
        #expect(collection.path == "others")
    }

    @Test(arguments: ["text", 7, 1.5, true, .data(Data([1])), [.uid(1)], .uid(2), .uid(10)] as [PropertyList])
    func `to what is no instance is an error`(value: PropertyList) throws {
        let error = try Self.failure(Self.node(["next": value]), "a string")
        #expect(error.path == "next" || error.path.hasPrefix("next."), "\(error)")
        #expect([.typeMismatch, .keyNotFound, .dataCorrupted].contains(error.kind))
    }

    @Test func `of a collection to nil is an error with its index`() throws {
        let array: PropertyList = ["NS.objects": [.uid(1), .uid(0), .uid(1)], "$class": .uid(13)]
        let error = try Self.failure(Self.node(["others": .uid(2)]), array)
        #expect(error.kind == .valueNotFound)
        #expect(error.path == "others[1]")
    }

    @Test(arguments: ["text", 7, .uid(3)] as [PropertyList])
    func `of a collection that is none is an error`(value: PropertyList) throws {
        let error = try Self.failure(Self.node(["others": value]), "unused", Self.node([:]))
        #expect(error.kind == .typeMismatch)
        #expect(error.path == "others")
    }

    // MARK: - What fails behind it

    @Test func `to an instance that fails has the path through the reference`() throws {
        let direct = try Self.failure(Self.node(["next": .uid(2)]), Self.node(["name": 7]))
        #expect(direct.kind == .typeMismatch)
        #expect(direct.path == "next.name")
        let chain = try Self.failure(
            Self.node(["next": .uid(2)]), Self.node(["next": .uid(3)]), ["$class": .uid(11), "next": .uid(1)])
        #expect(chain.kind == .keyNotFound)
        #expect(chain.path == "next.next")
        #expect(chain.key == "name")
        let array: PropertyList = ["NS.objects": [.uid(1), .uid(3)], "$class": .uid(13)]
        let element = try Self.failure(Self.node(["others": .uid(2)]), array, Self.node(["name": 7]))
        #expect(element.path == "others[1].name")
    }

    @Test func `that is weak does not ask whether its instance can be decoded`() throws {
        let data = try Self.archive([Self.node(["parent": .uid(2)]), Self.node(["name": 7])])
        #expect(try ArchiveDecoder().decode(Node.self, from: data).parent == nil)
    }

    // MARK: - Limits

    @Test func `is not nested, but visited`() throws {
        let nodes = (0..<1000).map { Node("\($0)") }
        for index in 0..<1000 { nodes[index].next = nodes[(index + 1) % 1000] }
        defer { nodes[0].next = nil }
        let data = try ArchiveEncoder().encode(nodes[0])
        var decoder = ArchiveDecoder()
        decoder.limits.nesting = 4
        let again = try decoder.decode(Node.self, from: data)
        defer { again.next = nil }
        #expect(again.next?.next?.next?.name == "3")
        decoder.limits.work = 500
        let error = try TestSupport.failure { try decoder.decode(Node.self, from: data) }
        #expect(error.kind == .dataCorrupted)
        #expect(error.says("500"))
    }

    // MARK: - Long chains

    /// A chain, given in the order of its links or the other way round, whose last link is broken.
    @Test(arguments: [false, true])
    func `in a long chain that is broken at its end is an error, and the chain is released`(isReversed: Bool) async {
        await #expect(processExitsWith: .success) { [isReversed] in
            let count = 100_000
            // Slot 1 is the root; link n is slot n + 2, the last of which is missing.
            var objects: [PropertyList] = [["links": .uid(UInt32(count + 2)), "first": .uid(2)]]
            objects += (0..<count).map { ["number": .integer(Int128($0)), "next": .uid(UInt32($0 + 3))] }
            let uids = (0..<count).map { PropertyList.uid(UInt32($0 + 2)) }
            objects.append(["NS.objects": .array(isReversed ? uids.reversed() : uids)])
            // What is at the end of the chain is an array, and no link.
            let data = try handmadeArchive(objects: objects)
            let error = try onThread(stackSize: 512 << 10) {
                try TestSupport.failure(decoding: BrokenChain.self, from: data)
            }
            #expect([.typeMismatch, .keyNotFound, .dataCorrupted].contains(error.kind))
            #expect(error.path.contains("next"))
        }
    }

    final class Link: Decodable {
        var number: Int
        @Reference var next: Link?
    }

    struct BrokenChain: Decodable {
        @References var links: [Link]
        @Reference var first: Link?
    }

    // MARK: - Any byte

    @Test(arguments: PropertyListFormat.allCases)
    func `is read or refused whatever byte is another`(format: PropertyListFormat) throws {
        let nodes = ["a", "b", "c"].map { Node($0) }
        for index in 0..<3 {
            nodes[index].next = nodes[(index + 1) % 3]
            nodes[index].parent = nodes[(index + 2) % 3]
            nodes[index].others = [nodes[0], nodes[index]]
        }
        defer { for node in nodes { node.untie() } }
        var encoder = ArchiveEncoder(format)
        encoder.classes.register(Node.self, name: "Node")
        let data = try encoder.encode(nodes[0])
        var (read, refused) = (0, 0)
        for index in data.indices {
            for change: UInt8 in [0x01, 0x02, 0x80, 0xFF] {
                var damaged = data
                damaged[index] ^= change
                do {
                    let node = try ArchiveDecoder().decode(Node.self, from: damaged)
                    read += 1
                    for other in [node.next?.next, node.next] + node.others { other?.untie() }
                    node.untie()
                } catch is DecodingError {
                    refused += 1
                }
            }
        }
        #expect(read > 0 && refused > 0)
        #expect(read + refused == data.count * 4)
    }
}
