// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// The parts of a value whose error was caught: their references may wait for instances that cannot be created and that are no
/// longer needed.
@Suite(.inTurn) struct `A part that failed` {
    final class Bad: Codable {
        init() {}
    }

    final class Node: Codable {
        var next: Node?
        @Reference var far: Node?
        @Reference var bad: Bad?

        init(_ bad: Bad) { self.bad = bad }
    }

    struct Part: Codable {
        var nodes: [Node]
    }

    struct Root: Codable {
        var part: Part
    }

    // MARK: The same keys, read by types that need more

    final class NeedyBad: Decodable {
        var absent: Int
    }

    final class ReadNode: Decodable {
        var next: ReadNode?
        @Reference var far: ReadNode?
        @Reference var bad: NeedyBad?
    }

    struct NeedyPart: Decodable {
        var nodes: [ReadNode]
        var absent: Int
    }

    struct Careless: Decodable {
        var part: NeedyPart?

        private enum CodingKeys: CodingKey { case part }

        init(from decoder: any Decoder) throws {
            part = try? decoder.container(keyedBy: CodingKeys.self).decode(NeedyPart.self, forKey: .part)
        }
    }

    /// How the nodes of a chain are linked, and in which order they are in the list.
    enum Chain: CaseIterable {
        case firstFirst, lastFirst, referencesFirstFirst, referencesLastFirst

        func data(count: Int, badCount: Int) throws -> Data {
            let bads = (0..<badCount).map { _ in Bad() }
            let nodes = (0..<count).map { Node(bads[$0 % badCount]) }
            for index in 1..<count {
                switch self {
                case .firstFirst, .lastFirst: nodes[index - 1].next = nodes[index]
                case .referencesFirstFirst, .referencesLastFirst: nodes[index - 1].far = nodes[index]
                }
            }
            let isReversed = self == .lastFirst || self == .referencesLastFirst
            defer { for node in nodes { (node.next, node.far) = (nil, nil) } }
            return try ArchiveEncoder().encode(Root(part: Part(nodes: isReversed ? nodes.reversed() : nodes)))
        }
    }

    private func decoder(work: Int? = nil) -> ArchiveDecoder {
        var decoder = ArchiveDecoder()
        decoder.classes.unknownClasses = .decodeAsRequested
        decoder.limits.work = work
        return decoder
    }

    @Test(arguments: Chain.allCases, [1, 500])
    func `takes work in proportion to the instances without references`(chain: Chain, badCount: Int) throws {
        // The paths of errors cost as much as they are long, which is another matter.
        if chain == .firstFirst, badCount > 1 { return }
        // 40 steps for a node: its keys and values, those of what it refers to, and few passes over what was made.
        let data = try chain.data(count: 500, badCount: badCount)
        #expect(try decoder(work: 40 * 500).decode(Careless.self, from: data).part == nil)
    }

    final class Keeper: Decodable {
        var part: NeedyPart?
        var kept: ReadNode

        private enum CodingKeys: CodingKey { case part, kept }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            part = try? container.decode(NeedyPart.self, forKey: .part)
            kept = try container.decode(ReadNode.self, forKey: .kept)
        }
    }

    struct Kept: Codable {
        var part: Part
        var kept: Node
    }

    @Test func `lets the decoding fail if an object has an instance of it`() throws {
        let nodes = (0..<3).map { _ in Node(Bad()) }
        (nodes[1].next, nodes[2].next) = (nodes[0], nodes[1])
        let data = try ArchiveEncoder().encode(Kept(part: Part(nodes: nodes), kept: nodes[1]))
        let error = #expect(throws: DecodingError.self) { try decoder().decode(Keeper.self, from: data) }
        #expect("\(try #require(error))".contains("absent"))
    }

    // MARK: What is let go of

    final class Link: Codable {
        var next: [Link] = []
        @Reference var far: Link?
        init() {}
    }

    struct Links: Codable {
        var links: [Link]
    }

    struct NeedyLinks: Decodable {
        var links: [Link]
        var absent: Int
    }

    @Test(arguments: Chain.allCases) func `is let go of link by link`(chain: Chain) throws {
        // To release this many recursively takes more stack than there is.
        let links = (0..<20_000).map { _ in Link() }
        for index in 1..<links.count {
            switch chain {
            case .firstFirst, .lastFirst: links[index - 1].next = [links[index]]
            case .referencesFirstFirst, .referencesLastFirst: links[index - 1].far = links[index]
            }
        }
        defer { for link in links { (link.next, link.far) = ([], nil) } }
        let isDeep = chain == .firstFirst
        let isReversed = chain == .lastFirst || chain == .referencesLastFirst
        let used = isDeep ? Array(links.suffix(100)) : links
        let data = try ArchiveEncoder().encode(Links(links: isReversed ? used.reversed() : used))
        let error = try failure(decoding: NeedyLinks.self, from: data)
        #expect(error.kind == .keyNotFound)
    }
}
