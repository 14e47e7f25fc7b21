// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// An error at each place there is: before and after everything that a value with all kinds of containers, instances and
/// cycles encodes.
@Suite(.inTurn) struct `An encoding that fails at any position` {
    /// Lets the steps up to one pass.
    final class Countdown {
        private(set) var taken = 0
        private let limit: Int

        init(_ limit: Int = .max) { self.limit = limit }

        func step() throws {
            if taken == limit { throw Failure() }
            taken += 1
        }
    }

    struct Leaf: Encodable, Hashable {
        let countdown: Countdown
        let number: Int

        func encode(to encoder: any Encoder) throws {
            try countdown.step()
            var container = encoder.singleValueContainer()
            try container.encode(number)
            try countdown.step()
        }

        static func == (left: Leaf, right: Leaf) -> Bool { left.number == right.number }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    class Node: Encodable {
        let countdown: Countdown
        let name: String
        @Reference var next: Node?
        weak var previous: Node?

        init(_ countdown: Countdown, _ name: String) { (self.countdown, self.name) = (countdown, name) }

        func encode(to encoder: any Encoder) throws {
            try countdown.step()
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(name, forKey: "name")
            try countdown.step()
            try container.encode(_next, forKey: "next")
            try container.encodeConditional(previous ?? self, forKey: "previous")
            try countdown.step()
            try container.encode(Leaf(countdown: countdown, number: 7), forKey: "leaf")
        }
    }

    final class Branch: Node {
        var pieces: [Piece] = []

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(Coded(wrappedValue: pieces), forKey: "pieces")
            try countdown.step()
            try super.encode(to: container.superEncoder())
            try countdown.step()
        }
    }

    /// Of the other kind.
    final class Piece: Coding {
        let countdown: Countdown
        let node: Node
        var twin: Piece?

        init(_ countdown: Countdown, _ node: Node) { (self.countdown, self.node) = (countdown, node) }
        init(coder: KeyedUnarchiver) throws { throw Failure() }

        func encode(with coder: KeyedArchiver) throws {
            try countdown.step()
            coder.encode("half", forKey: "text")
            try coder.encode(twin, forKey: "twin")
            try countdown.step()
            try coder.encode(Leaf(countdown: countdown, number: 8), forKey: "leaf")
            try coder.encode(node, forKey: "node")
            try countdown.step()
        }
    }

    /// Everything at once. Its nodes and its pieces refer to each other in cycles.
    struct Whole: Encodable {
        let countdown: Countdown
        let branch: Branch
        let piece: Piece

        init(_ countdown: Countdown) {
            self.countdown = countdown
            branch = Branch(countdown, "branch")
            let node = Node(countdown, "node")
            branch.next = node
            node.next = branch
            node.previous = branch
            piece = Piece(countdown, branch)
            piece.twin = Piece(countdown, node)
            piece.twin?.twin = piece
            branch.pieces = [piece]
        }

        func takeApart() {
            branch.next?.next = nil
            branch.pieces = []
            piece.twin?.twin = nil
        }

        func encode(to encoder: any Encoder) throws {
            try countdown.step()
            var container = encoder.container(keyedBy: AnyKey.self)
            try countdown.step()
            try container.encode("text", forKey: "text")
            try container.encode([1: Leaf(countdown: countdown, number: 1)], forKey: "table")
            try container.encode([[Leaf(countdown: countdown, number: 2), nil]], forKey: "lists")
            try container.encode(Set([Leaf(countdown: countdown, number: 3)]), forKey: "set")
            try countdown.step()
            var list = container.nestedUnkeyedContainer(forKey: "list")
            try countdown.step()
            try list.encode(branch)
            try list.encode(Leaf(countdown: countdown, number: 4))
            try countdown.step()
            var inner = list.nestedContainer(keyedBy: AnyKey.self)
            try inner.encode(branch, forKey: "branch")
            try countdown.step()
            try Leaf(countdown: countdown, number: 5).encode(to: inner.superEncoder(forKey: "super"))
            try list.encodeConditional(branch)
            try countdown.step()
            try container.encode(Coded(wrappedValue: piece), forKey: "piece")
            try Leaf(countdown: countdown, number: 6).encode(to: container.superEncoder())
            try countdown.step()
        }
    }

    /// How an archive of it is made.
    enum Way: CaseIterable, Sendable {
        case encoder, sortedXML, archiver, archivedData, pieceArchiver

        func data(of whole: Whole, _ encoder: ArchiveEncoder) throws -> Data {
            switch self {
            case .encoder, .sortedXML: return try encoder.encode(whole)
            case .archivedData: return try KeyedArchiver.archivedData(withRootObject: whole)
            case .archiver, .pieceArchiver:
                let archiver = KeyedArchiver()
                archiver.encode("before", forKey: "before")
                if self == .archiver {
                    try archiver.encode(whole, forKey: "whole")
                } else {
                    try archiver.encode([whole.piece], forKey: "pieces")
                }
                return try archiver.finishEncoding()
            }
        }

        var encoder: ArchiveEncoder {
            var encoder = ArchiveEncoder()
            if self == .sortedXML {
                encoder.outputFormat = .xml
                encoder.outputFormatting = .sortedKeys
            }
            return encoder
        }
    }

    /// The archive of a whole that lets `limit` steps pass, and how many it took.
    private func data(_ way: Way, _ encoder: ArchiveEncoder, limit: Int = .max) throws -> (data: Data, steps: Int) {
        let whole = Whole(Countdown(limit))
        defer { whole.takeApart() }
        return (try way.data(of: whole, encoder), whole.countdown.taken)
    }

    @Test(arguments: Way.allCases)
    func `throws that error, and leaves an encoder that gives what a new one gives`(way: Way) throws {
        let encoder = way.encoder
        let (expected, steps) = try data(way, encoder)
        // As counted by hand: 8 of the whole, 2 of each of its 6 leaves, 3 + 2 of the node and its leaf, 2 + 5 of the branch,
        // 5 of each of two pieces. Without the whole there are only the latter four.
        #expect(steps == (way == .pieceArchiver ? 22 : 42))
        for limit in 0..<steps {
            #expect(throws: Failure(), "\(limit)") { try data(way, encoder, limit: limit) }
            #expect(try data(way, encoder).data == expected, "after \(limit)")
        }
        #expect(try data(way, way.encoder, limit: steps).data == expected)
    }

    @Test(arguments: Way.allCases)
    func `keeps the old file, and makes no new one`(way: Way) throws {
        let encoder = way.encoder
        func write(limit: Int, _ file: URL) throws -> Int {
            let whole = Whole(Countdown(limit))
            defer { whole.takeApart() }
            switch way {
            case .encoder, .sortedXML: try encoder.encode(whole, to: file)
            case .archiver, .archivedData: try KeyedArchiver.archivedData(withRootObject: whole).write(to: file)
            case .pieceArchiver: try encoder.encode(Coded(wrappedValue: whole.piece), to: file)
            }
            return whole.countdown.taken
        }
        try TemporaryFolder.with { folder in
            let (old, new) = (folder["old"], folder["new"])
            let steps = try write(limit: .max, old)
            let expected = try Data(contentsOf: old)
            for limit in 0..<steps {
                for file in [old, new] { #expect(throws: Failure(), "\(limit)") { try write(limit: limit, file) } }
                #expect(try Data(contentsOf: old) == expected, "\(limit)")
                #expect(try folder.names() == ["old"], "\(limit)")
            }
            #expect(try write(limit: steps, new) == steps)
            #expect(try Data(contentsOf: new) == expected)
        }
    }

    /// A value with a container that catches what the value in it throws; nil for none in it.
    private struct Catching: Encodable {
        let inner: Whole?
        let outer: Whole

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode("before", forKey: "before")
            if let inner { try? container.encode(inner, forKey: "failing") }
            try container.encode(outer, forKey: "outer")
        }
    }

    @Test func `leaves nothing where the error is caught, or fails the whole archive`() throws {
        func text(_ limit: Int?) throws -> String {
            let inner = limit.map { Whole(Countdown($0)) }
            let outer = Whole(Countdown())
            defer {
                inner?.takeApart()
                outer.takeApart()
            }
            return try archiveText(Catching(inner: inner, outer: outer))
        }
        let steps = try data(.encoder, ArchiveEncoder()).steps
        let expected = try text(nil)
        var caught = 0
        for limit in 0..<steps {
            do {
                #expect(try text(limit) == expected, "\(limit)")
                caught += 1
            } catch let error as Failure {
                // That of an instance: it is encoded when no caller is left that could catch the error.
                #expect(error == Failure())
            }
        }
        // The steps before the first instance is met. An instance that is known is encoded, and may be the next to fail.
        #expect(caught >= 10)
        #expect(try text(steps) != expected)
    }
}
