// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.inTurn) struct `The progress of coding` {
    /// The values that a closure received.
    private final class Log: Sendable {
        private let entries = Mutex<[ArchiveProgress]>([])
        var all: [ArchiveProgress] { entries.withLock(\.self) }
        var counts: [Int] { all.map(\.completedCount) }

        func note(_ progress: ArchiveProgress) { entries.withLock { $0.append(progress) } }
    }

    fileprivate struct Value: Codable, Equatable {
        var number: Int
        var name: String

        init(_ number: Int) {
            self.number = number
            name = "value \(number)"
        }
    }

    /// A node whose neighbours are anywhere in the graph.
    fileprivate final class Node: Codable {
        let name: String
        @References var neighbours: [Node] = []
        init(_ number: Int) { name = "node \(number)" }

        static func graph(_ count: Int) -> [Node] {
            let nodes = (0..<count).map { Node($0) }
            for number in 0..<count {
                nodes[number].neighbours = [7919, 104_729, 1_299_709].map { nodes[(number * 31 + $0) % count] }
            }
            return nodes
        }
    }

    /// The root of a tree, which is written level by level and read branch by branch.
    private final class Branch: Codable {
        let name: String
        let branches: [Branch]

        init(_ name: String, levels: Int) {
            self.name = name
            branches = levels == 0 ? [] : (0..<10).map { Branch("\(name).\($0)", levels: levels - 1) }
        }
    }

    private final class Item: Codable, Coding {
        static var supportsSecureCoding: Bool { true }
        let number: Int
        init(_ number: Int) { self.number = number }
        init(coder: KeyedUnarchiver) throws { number = try coder.decodeInteger(forKey: "number") }
        func encode(with coder: KeyedArchiver) throws { coder.encode(number, forKey: "number") }
    }

    /// Archives of different shapes.
    enum Shape: CaseIterable {
        case graph, tree, values, lists, dictionary, numbers, xml

        fileprivate func data() throws -> Data {
            var encoder = ArchiveEncoder()
            if self == .xml { encoder.outputFormat = .xml }
            return switch self {
            case .graph: try encoder.encode(Node.graph(100_000))
            case .tree: try encoder.encode(Branch("", levels: 4))
            case .values, .xml: try encoder.encode((0..<30_000).map { Value($0) })
            case .lists: try encoder.encode((0..<300).map { list in (0..<100).map { Value(list * 100 + $0) } })
            case .dictionary:
                try encoder.encode(Dictionary(uniqueKeysWithValues: (0..<30_000).map { ("\($0)", Value($0)) }))
            case .numbers: try encoder.encode((0..<60).map { list in (0..<1_000).map { list * 1_000 + $0 } })
            }
        }

        fileprivate func decode(_ source: (Data?, URL?), _ progress: @escaping @Sendable (ArchiveProgress) -> Void)
            async throws
        {
            func decode<Root: Decodable>(_ type: Root.Type) async throws {
                if let data = source.0 {
                    _ = try await ArchiveDecoder().decode(type, from: data, progress: progress)
                } else if let url = source.1 {
                    _ = try await ArchiveDecoder().decode(type, from: url, progress: progress)
                }
            }
            switch self {
            case .graph: try await decode([Node].self)
            case .tree: try await decode(Branch.self)
            case .values, .xml: try await decode([Value].self)
            case .lists: try await decode([[Value]].self)
            case .dictionary: try await decode([String: Value].self)
            case .numbers: try await decode([[Int]].self)
            }
        }
    }

    // MARK: Decoding

    @Test(arguments: Shape.allCases, [false, true])
    func `of decoding grows steadily, and reaches 1 at the end`(shape: Shape, isInFile: Bool) async throws {
        let data = try shape.data()
        let log = Log()
        try await TemporaryFolder.with { folder in
            try data.write(to: folder["archive"])
            try await shape.decode(isInFile ? (nil, folder["archive"]) : (data, nil)) { log.note($0) }
        }
        #expect(log.all.allSatisfy { $0.totalCount == data.count })
        #expect(log.all.last?.fraction == 1)
        #expect(log.counts == log.counts.sorted())
        #expect(log.counts.filter { $0 == data.count }.count == 1)
        // No step is large: each reports something that the caller has waited for.
        let fractions = [0] + log.all.compactMap(\.fraction)
        #expect(zip(fractions, fractions.dropFirst()).allSatisfy { $1 - $0 < 0.2 }, "\(fractions)")
    }

    @Test func `of decoding what is small is one call`() async throws {
        let log = Log()
        let data = try ArchiveEncoder().encode([Value(1)])
        let values = try await ArchiveDecoder().decode([Value].self, from: data) { log.note($0) }
        #expect(values == [Value(1)])
        #expect(log.counts == [data.count])
    }

    @Test func `of decoding has what is left for later at the end`() async throws {
        final class Library: Codable {
            var name = "Town"
            @Deferred var values = (0..<30_000).map { Value($0) }
        }
        let log = Log()
        let data = try ArchiveEncoder().encode(Library())
        let library = try await ArchiveDecoder().decode(Library.self, from: data) { log.note($0) }
        #expect(!library.$values.isLoaded)
        #expect(log.counts == [data.count])
        #expect(library.values.last == Value(29_999))
        #expect(log.counts == [data.count])
    }

    @Test func `ends with the decoding, even if a decoder is retained`() async throws {
        struct Keeping: Codable {
            let decoder: any Decoder
            init(from decoder: any Decoder) throws { self.decoder = decoder }
            func encode(to encoder: any Encoder) throws {}
        }
        let log = Log()
        let data = try ArchiveEncoder().encode((0..<30_000).map { Value($0) })
        let kept = try await ArchiveDecoder().decode(Keeping.self, from: data) { log.note($0) }
        #expect(log.counts == [data.count])
        let values = try kept.decoder.singleValueContainer().decode([Value].self)
        #expect(values.count == 30_000)
        #expect(log.counts == [data.count])
    }

    // MARK: Encoding

    @Test func `of encoding counts the objects of the archive`() async throws {
        let log = Log()
        let data = try await ArchiveEncoder().encode(Node.graph(100_000)) { log.note($0) }
        guard case .dictionary(let archive) = try PropertyList(data), case .array(let objects) = archive["$objects"]
        else {
            Issue.record("No archive")
            return
        }
        // The first one is "$null".
        #expect(log.all.last?.completedCount == objects.count - 1)
        #expect(log.all.last?.fraction == 1)
        #expect(log.counts == log.counts.sorted())
        #expect(log.all.dropLast().allSatisfy { $0.totalCount == nil && $0.fraction == nil })
        // One for each 1,024 of the 100,000 elements, and of as many instances.
        #expect(log.counts.count >= 195)
    }

    @Test func `of Coding classes is reported as well`() async throws {
        let log = Log()
        let data = try await ArchiveEncoder().encode((0..<30_000).map { Item($0) }) { log.note($0) }
        #expect(log.counts.count > 25)
        let decoded = Log()
        let items = try await ArchiveDecoder().decode([Item].self, from: data) { decoded.note($0) }
        #expect(items.map(\.number) == Array(0..<30_000))
        #expect(decoded.counts == decoded.counts.sorted())
        #expect(decoded.counts.count > 3)
        #expect(decoded.counts.last == data.count)
    }

    @Test func `that is not observed changes nothing`() async throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormatting = .sortedKeys
        let expected = try encoder.encode(Node.graph(2_000))
        #expect(try await encoder.encode(Node.graph(2_000), progress: nil) == expected)
        #expect(try await encoder.encode(Node.graph(2_000)) { _ in } == expected)
        let nodes = try await ArchiveDecoder().decode([Node].self, from: expected, progress: nil)
        #expect(try encoder.encode(nodes) == expected)
        let watched = try await ArchiveDecoder().decode([Node].self, from: expected) { _ in }
        #expect(try encoder.encode(watched) == expected)
    }
}
