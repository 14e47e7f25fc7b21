// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private enum Hostile {
    /// `depth` objects, each of which is all shapes at once and refers to the next; the last one to the object `last`.
    fileprivate static func nested(depth: Int, last: UInt32) throws -> Data {
        var objects: [PropertyList] = []
        for index in 0..<depth {
            let uid = UInt32(2 * index + 1)
            let next = index + 1 < depth ? uid + 2 : last
            let nextUID = PropertyList.uid(next)
            objects.append([
                "link": ["_0": nextUID], "children": ["NS.objects": [nextUID]], "entries": .uid(uid + 1),
                "boxes": ["NS.objects": [nextUID]], "next": nextUID, "NS.objects": [nextUID],
            ])
            objects.append(["NS.keys": ["k"], "NS.objects": [nextUID], "$class": .uid(UInt32(2 * depth + 1))])
        }
        objects.append(["$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]])
        return try handmadeArchive(objects: objects)
    }
}

/// Archives made to be deep, or large, when they are decoded.
@Suite(.inTurn) struct `A hostile archive` {
    typealias Chain = `A deep graph`.Chain
    typealias Tree = `A deep graph`.Tree
    typealias Table = `A deep graph`.Table

    struct Box: Decodable {
        var boxes: Set<Hidden>?

        struct Hidden: Decodable, Hashable {
            init(from decoder: any Decoder) throws { _ = try Box(from: decoder) }
        }
    }

    final class Node: Codable {
        var next: Node?
    }

    struct Bare: Decodable {
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd { _ = try container.decode(Bare.self) }
        }
    }

    enum Shape: String, Codable, CaseIterable {
        case chain, tree, table, box, node, bare

        func decode(_ data: Data, by decoder: ArchiveDecoder) throws {
            switch self {
            case .chain: _ = try decoder.decode(Chain.self, from: data)
            case .tree: _ = try decoder.decode(Tree.self, from: data)
            case .table: _ = try decoder.decode(Table.self, from: data)
            case .box: _ = try decoder.decode(Box.self, from: data)
            case .node: _ = try decoder.decode(Node.self, from: data)
            case .bare: _ = try decoder.decode(Bare.self, from: data)
            }
        }
    }

    @Test(arguments: Shape.allCases)
    func `of many levels is an error on a small stack and on a large one`(shape: Shape) async {
        await #expect(processExitsWith: .success) { [shape] in
            let data = try Hostile.nested(depth: 20_000, last: 0)
            for stackSize in [512 << 10, 8 << 20] {
                for nesting in [10_000, Int.max] {
                    let error = try onThread(stackSize: stackSize) {
                        var decoder = ArchiveDecoder()
                        decoder.limits.nesting = nesting
                        return try failure { try shape.decode(data, by: decoder) }
                    }
                    #expect(error.kind == .dataCorrupted)
                    #expect(error.says("nested"))
                    #expect(!error.path.isEmpty)
                }
            }
        }
    }

    @Test(arguments: Shape.allCases.filter { $0 != .node })
    func `whose value contains itself is an error that names the value`(shape: Shape) async {
        await #expect(processExitsWith: .success) { [shape] in
            for (depth, last) in [(1, 1), (2, 1), (3, 3), (3, 5)] as [(Int, UInt32)] {
                let data = try Hostile.nested(depth: depth, last: last)
                for stackSize in [512 << 10, 8 << 20] {
                    let error = try onThread(stackSize: stackSize) {
                        try failure { try shape.decode(data, by: ArchiveDecoder()) }
                    }
                    #expect(error.kind == .dataCorrupted)
                    let named = (1...6).filter { error.says("uid \($0) ") }
                    #expect(named.count == 1, "\(error.text)")
                    #expect((named.first ?? 0) >= last)
                    #expect(error.says("itself"))
                }
            }
        }
    }

    @Test(arguments: [(1, 1), (3, 1), (3, 3)])
    func `whose instance refers back to itself is the error of a cycle`(depth: Int, last: UInt32) throws {
        let error = try failure(decoding: Node.self, from: Hostile.nested(depth: depth, last: last))
        #expect(error.kind == .dataCorrupted)
        #expect(error.path == Array(repeating: "next", count: depth).joined(separator: "."))
        // The nodes have the odd uids.
        #expect(error.says("Node.next", "leads back to the Node (uid \(last))"), "\(error)")
    }

    @Test func `of instances that are shared counts each once`() throws {
        final class Pair: Decodable {
            var left: Pair?
            var right: Pair?
        }
        let objects = (0..<40).map { index in
            let next = PropertyList.uid(UInt32(index + 2))
            return index == 39 ? [:] : ["left": next, "right": next] as PropertyList
        }
        var decoder = ArchiveDecoder()
        decoder.limits.work = 1000
        let pair = try decoder.decode(Pair.self, from: handmadeArchive(objects: objects))
        #expect(pair.left === pair.right)
        #expect(pair.left?.left?.right === pair.right?.right?.left)
    }
}
