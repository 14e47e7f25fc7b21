// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// Random graphs, decoded once for each instance of them with an initializer that throws.
///
/// Wherever an initializer throws, the decoding throws its error, no instance is left, and the next decoding is right.
@Suite(.inTurn) struct `A random graph with an instance that fails` {
    /// Kinds of references that a graph has.
    enum Forms: CaseIterable {
        case plain, wrapped, parts, mixed, published

        fileprivate var edges: [FailingEdge] {
            switch self {
            case .plain:
                [.plain, .list, .weakly, .polymorphic, .defaulted, .coded, .codedPlain, .codedList, .codedKnot]
            case .wrapped: [.reference, .references, .named, .weakReference, .weakly, .coded, .codedReference]
            case .parts: [.part, .partList, .reference, .weakly, .weakReference]
            case .mixed: FailingEdge.allCases
            // A cycle that the initializers close by storing a published instance is theirs.
            case .published: [.weakly, .reference, .references, .named, .weakReference, .part, .coded, .codedReference]
            }
        }
    }

    /// The number of decodings that fail, for each of the forms.
    private static let runs = Extent.count(1_500, of: 4_000)

    @Test(arguments: Forms.allCases) func `leaves nothing behind`(forms: Forms) throws {
        var runs = 0
        var seed: UInt64 = 0
        while runs < Self.runs {
            runs += try FailureTrial(forms, seed).run()
            seed += 1
        }
    }
}

/// The decodings of one graph.
private struct FailureTrial {
    private let seed: UInt64
    private let data: Data
    /// The number of instances.
    private let count: Int
    /// Whether an unarchiver decodes a `Cell`; otherwise a decoder decodes a `Knot`.
    private let isCell: Bool
    /// The instances that the root retains: if one fails, the decoding fails.
    private let needed: Set<Int>
    /// Those that are decoded with the root. Some are needed only by instances that nothing retains.
    private let decoded: Set<Int>
    private let text: String
    private let textWithParts: String

    init(_ forms: `A random graph with an instance that fails`.Forms, _ seed: UInt64) throws {
        var generator = SeededGenerator(state: seed)
        let graph = FailingGraph(forms.edges, publishes: forms == .published, using: &generator)
        defer { graph.clear() }
        self.seed = seed
        count = graph.nodes.count
        let root = seed % 3 == 0 ? graph.nodes[graph.nodes.count - 1] : graph.nodes[0]
        let shape = FailingShape(root)
        needed = Set(shape.nodes.map(\.number))
        decoded = Set(FailingShape(root, followsObserved: true).nodes.map(\.number))
        text = shape.text
        textWithParts = try FailingShape(root) { try $0.parts { throw $0 } }.text
        isCell = root is Cell
        if let cell = root as? Cell {
            let archiver = KeyedArchiver()
            archiver.classes.register(Knot.self)
            try archiver.encode(cell, forKey: "root")
            data = try archiver.finishEncoding()
        } else {
            var encoder = ArchiveEncoder()
            encoder.classes.register(Knot.self)
            data = try encoder.encode(#require(root as? Knot))
        }
    }

    private func decode() throws -> any FailingNode {
        guard isCell else {
            var decoder = ArchiveDecoder()
            decoder.classes.register(Knot.self)
            return try decoder.decode(Knot.self, from: data)
        }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        unarchiver.classes.register(Knot.self)
        defer { if seed % 2 == 0 { unarchiver.finishDecoding() } }
        return try unarchiver.decode(Cell.self, forKey: "root")
    }

    /// Decodes the graph with each of its instances failing, and after each of them the valid graph.
    ///
    /// - Returns: The number of decodings with an instance that fails.
    func run() throws -> Int {
        try checkNothingIsLeft("the graph was encoded")
        for number in 1...count {
            for moment in [FailingNodes.Moment.early, .late] {
                FailingNodes.fail(number, moment)
                try runFailing(number)
                FailingNodes.fail(0, .never)
                try runValid()
            }
        }
        return 2 * count
    }

    private func runFailing(_ number: Int) throws {
        let failure = InitializerFailure(number: number)
        do {
            let root = try decode()
            try #require(!needed.contains(number), "seed \(seed): \(number) did not fail")
            try #require(FailingShape(root).text == text, "seed \(seed): without \(number)")
            // A part with the instance fails, and nothing of it is left.
            _ = try FailingShape(root) { node in
                let alive = FailingNodes.Token.count
                var hasFailed = false
                let parts = try node.parts { error in
                    try #require(Self.is(error, failure), "seed \(seed): \(error)")
                    hasFailed = true
                }
                if hasFailed, parts.joined().isEmpty {
                    try #require(FailingNodes.Token.count == alive, "seed \(seed): a part without \(number)")
                }
                return parts
            }
            try #require(FailingShape(root).text == text, "seed \(seed): after a part without \(number)")
            FailingNodes.clearAll()
        } catch let error where Self.is(error, failure) {
            try #require(decoded.contains(number), "seed \(seed)")
        }
        try checkNothingIsLeft("\(number) has failed")
    }

    /// Returns whether `error` is `failure`, or says that the initializer had received an empty collection.
    private static func `is`(_ error: any Error, _ failure: InitializerFailure) -> Bool {
        error as? InitializerFailure == failure
            || "\(error)".contains("empty collection") && "\(error)".contains("\(failure)")
    }

    private func runValid() throws {
        do {
            let root = try decode()
            let shape = FailingShape(root)
            try #require(shape.text == text, "seed \(seed)")
            let whole = try FailingShape(root) { try $0.parts { throw $0 } }
            try #require(whole.text == textWithParts, "seed \(seed), with parts")
            FailingNodes.clearAll()
        }
        try checkNothingIsLeft("all was decoded")
    }

    private func checkNothingIsLeft(_ moment: String) throws {
        let count = FailingNodes.Token.count
        FailingNodes.clearAll()
        try #require(count == 0, "seed \(seed): \(count) instances are left after \(moment)")
    }
}
