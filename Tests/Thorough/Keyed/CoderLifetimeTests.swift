// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Coders and what they hold` {
    final class Piece: Coding {
        let name: String
        var next: Piece?
        var payload: Data?
        /// The coder, as long as another object retains it.
        private(set) weak var coder: KeyedUnarchiver?

        init(_ name: String, next: Piece? = nil) {
            self.name = name
            self.next = next
        }

        init(coder: KeyedUnarchiver) throws {
            name = try coder.decode(String.self, forKey: "name")
            self.coder = coder
            next = try coder.decodeIfPresent(Piece.self, forKey: "next")
            payload = try coder.decodeIfPresent(Data.self, forKey: "payload")
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(name, forKey: "name")
            try coder.encode(next, forKey: "next")
            coder.encode(payload, forKey: "payload")
            if name == "failing" { throw Refusal() }
        }

        struct Refusal: Error {}

        /// `count` pieces in a chain.
        static func chain(_ count: Int) -> Piece {
            var first = Piece("end")
            for index in 1..<count { first = Piece("\(index)", next: first) }
            return first
        }

        /// Takes a chain apart from its beginning: it would go in one recursion otherwise.
        func takeApart() -> Int {
            var count = 1
            var piece = self
            while let next = piece.next {
                piece.next = nil
                piece = next
                count += 1
            }
            return count
        }
    }

    struct Box: Codable {
        @Coded var piece: Piece
    }

    // MARK: - Memory

    @Test(arguments: ["fine", "failing"])
    func `let go of instances and delegates with the archiver`(name: String) throws {
        weak var observed: Piece?
        weak var replaced: Player?
        do {
            let archiver = KeyedArchiver()
            let (piece, player) = (Piece(name), Player("p"))
            player.replacement = .some(Player("q"))
            (observed, replaced) = (piece, player)
            try? archiver.encodeConditional(Piece("weak"), forKey: "weak")
            try? archiver.encode([player, Player("r")], forKey: "players")
            try? archiver.encode(Box(piece: piece), forKey: "box")
            _ = try? archiver.finishEncoding()
        }
        #expect(observed == nil && replaced == nil)
        do {
            let piece = Piece(name)
            observed = piece
            _ = try? ArchiveEncoder().encode(Box(piece: piece))
        }
        #expect(observed == nil)
    }

    @Test func `let go of instances, and of themselves, with the unarchiver`() throws {
        weak var observed: Piece?
        weak var coder: KeyedUnarchiver?
        let data = try keyedArchive {
            try $0.encode(Box(piece: Piece("a", next: Piece("b"))), forKey: "root")
            try $0.encode(Piece("c"), forKey: "c")
        }
        do {
            let unarchiver = try keyedUnarchiver(data)
            let box = try unarchiver.decode(Box.self, forKey: "root")
            (observed, coder) = (box.piece.next, unarchiver)
            #expect(box.piece.coder === unarchiver && observed?.coder === unarchiver)
        }
        #expect(observed == nil && coder == nil)
        do {
            let box = try ArchiveDecoder().decode(Box.self, from: data)
            observed = box.piece.next
            // A decoded value does not retain its coder.
            #expect(box.piece.coder == nil && observed != nil)
        }
        #expect(observed == nil)
    }

    // MARK: - Threads

    @Test func `serve many tasks at once`() async throws {
        let (encoder, decoder) = (ArchiveEncoder(), ArchiveDecoder())
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for seed in 0..<100 {
                group.addTask {
                    let data = try encoder.encode((0..<20).map { Box(piece: Piece("\(seed) \($0)")) })
                    await Task.yield()
                    let boxes = try decoder.decode([Box].self, from: data)
                    let pieces = try KeyedUnarchiver.unarchivedObject(
                        of: [Box].self, from: KeyedArchiver.archivedData(withRootObject: boxes))
                    return pieces.enumerated().allSatisfy { $1.piece.name == "\(seed) \($0)" }
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }
}
