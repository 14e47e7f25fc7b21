// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What goes from one thread to the other, and is used by one at a time.
struct Handed<Value>: @unchecked Sendable {
    let value: Value
}

@Suite(.inTurn) struct `The stack under a coder` {
    typealias Piece = `Coders and what they hold`.Piece

    // MARK: - Threads

    /// Each has its own stack, and what is left of that is what counts.
    @Test func `is that of the thread that uses it`() throws {
        let data = try keyedArchive {
            for index in 0..<4 { try $0.encode(Piece.chain(200), forKey: "\(index)") }
        }
        let unarchiver = Handed(value: try keyedUnarchiver(data))
        // Threads whose stacks are all there at once lie above and below one another.
        let counts = try onThread(stackSize: 16 << 20) {
            let first = try unarchiver.value.decode(Piece.self, forKey: "0").takeApart()
            let others = try onThread(stackSize: 8 << 20) {
                let second = try unarchiver.value.decode(Piece.self, forKey: "1").takeApart()
                let third = try onThread(stackSize: 32 << 20) {
                    try unarchiver.value.decode(Piece.self, forKey: "2").takeApart()
                }
                return [second, third]
            }
            return try [first] + others + [unarchiver.value.decode(Piece.self, forKey: "3").takeApart()]
        }
        #expect(counts == [200, 200, 200, 200])
    }

    /// Arrays in each other, as deep as it says. It is encoded and decoded without ever being in memory.
    struct Nest: Codable {
        let depth: Int

        init(depth: Int) { self.depth = depth }

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            depth = container.isAtEnd ? 0 : try container.decode(Nest.self).depth + 1
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            if depth > 0 { try container.encode(Nest(depth: depth - 1)) }
        }

        /// Its archived form, from uid 1 on.
        static func objects(depth: Int) -> [PropertyList] {
            let entry = UInt32(depth + 2)
            let nests = (0...depth).map { index -> PropertyList in
                let elements: [PropertyList] = index < depth ? [.uid(UInt32(index + 2))] : []
                return ["NS.objects": .array(elements), "$class": .uid(entry)]
            }
            return nests + [["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]]]
        }
    }

    /// What is shallow on one thread, and then what is too deep on another whose stack is elsewhere. A program that runs out of
    /// stack is gone.
    @Test(arguments: [[512 << 10, 8 << 20], [4 << 20, 4 << 20]], [false, true])
    func `is not left by any thread that a coder comes to`(
        stackSizes: [Int], isOuterFirst: Bool
    ) async {
        await #expect(processExitsWith: .success) { [stackSizes, isOuterFirst] in
            let (count, few) = (50_000, 25)
            let chain = Piece.chain(count)
            let pieces = try keyedArchive {
                try $0.encode(Piece.chain(few), forKey: "short")
                try $0.encode(chain, forKey: "long")
            }
            _ = chain.takeApart()
            let nest = try handmadeArchive(
                top: ["short": .uid(UInt32(count - few + 1)), "long": .uid(1)], objects: Nest.objects(depth: count))
            var limits = DecodingLimits()
            limits.nesting = .max
            let coders = Handed(
                value: (
                    pieces: try KeyedUnarchiver(forReadingFrom: pieces, limits: limits),
                    nest: try KeyedUnarchiver(forReadingFrom: nest, limits: limits), archiver: KeyedArchiver()
                ))
            let first: @Sendable () throws -> Void = {
                let (pieces, nest, archiver) = coders.value
                try archiver.encode(Nest(depth: few), forKey: "short")
                #expect(try pieces.decode(Piece.self, forKey: "short").takeApart() == few)
                #expect(try nest.decode(Nest.self, forKey: "short").depth == few)
            }
            let second: @Sendable () throws -> Void = {
                let (pieces, nest, archiver) = coders.value
                let errors = [
                    try keyedFailure { try pieces.decode(Piece.self, forKey: "long") },
                    try keyedFailure { try nest.decode(Nest.self, forKey: "long") },
                    try keyedFailure { try archiver.encode(Nest(depth: count), forKey: "long") },
                ]
                #expect(errors.map(\.code) == ["limit", "limit", "limit"])
                #expect(errors.allSatisfy { $0.path.count > 100 })
            }
            // Both threads are there at the same time, so that their stacks are not at the same place.
            try onThread(stackSize: stackSizes[0]) {
                if isOuterFirst { try first() }
                try onThread(stackSize: stackSizes[1]) { try isOuterFirst ? second() : first() }
                if !isOuterFirst { try second() }
            }
        }
    }

    // MARK: - Depth

    /// A chain in which Coding and Codable take turns.
    final class Turn: Coding {
        let next: Box?
        init(_ next: Box?) { self.next = next }
        init(coder: KeyedUnarchiver) throws { next = try coder.decodeIfPresent(Box.self, forKey: "next") }
        func encode(with coder: KeyedArchiver) throws { if let next { try coder.encode(next, forKey: "next") } }

        struct Box: Codable {
            @Coded var turn: Turn
        }
    }

    @Test func `is not left where Coding and Codable take turns`() throws {
        // By hand: a chain of instances that is this long would not even go away.
        let count = 20_000
        var objects: [PropertyList] = []
        for index in 0..<count {
            // uid 1, 3, 5, …: a turn; uid 2, 4, …: the box in it.
            let box = UInt32(2 * index + 2)
            objects.append(["next": .uid(box), "$class": .uid(UInt32(2 * count + 2))])
            objects.append(["turn": .uid(box + 1), "$class": .uid(UInt32(2 * count + 3))])
        }
        objects.append(["$class": .uid(UInt32(2 * count + 2))])
        objects.append(["$classname": "Turn", "$classes": ["Turn", "NSObject"]])
        objects.append(["$classname": "Box", "$classes": ["Box", "NSObject"]])
        let data = try handmadeArchive(objects: objects)
        var classes = ClassRegistry()
        classes.register(Turn.self, name: "Turn")
        var limits = DecodingLimits()
        limits.nesting = .max
        var decoder = ArchiveDecoder()
        (decoder.classes, decoder.limits) = (classes, limits)
        let registry = classes
        let limited = limits
        let (archiveDecoder, stackSize) = (decoder, 512 << 10)
        let keyed = try onThread(stackSize: stackSize) {
            try archivingError {
                let unarchiver = try KeyedUnarchiver(forReadingFrom: data, limits: limited)
                unarchiver.classes = registry
                return try unarchiver.decode(Turn.self, forKey: "root")
            }.code
        }
        #expect(keyed == .limit)
        let codable = try onThread(stackSize: stackSize) {
            let error = try failure { try archiveDecoder.decode(Coded<Turn>.self, from: data) }
            return (error.kind, error.says("nested"))
        }
        #expect(codable == (.dataCorrupted, true))
    }
}
