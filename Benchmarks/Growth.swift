// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation

/// The cost of a class graph of a certain size, and its growth from the next smaller size.
///
/// Each size has a separate process.
struct Growth: ResultRow {
    /// The number of instances in the graph.
    var count: Int
    /// The best time of a call.
    var encoding: Double
    var decoding: Double
    /// The bytes of the archive.
    var size: Int
    /// The factors of the time and of the number of instances since the previous row.
    var encodingFactor: Double?
    var decodingFactor: Double?
    var countFactor: Double?

    // MARK: - The table

    static var tableName: String { "growth" }
    static var rows: WritableKeyPath<Results, [Growth]> { \.growth }

    static var layout: TableLayout {
        TableLayout(
            firstIsText: false,
            [
                ("instances", 11), ("× before", 8), ("encode", 8), ("each", 8), ("× before", 8), ("decode", 8),
                ("each", 8),
                ("× before", 8), ("bytes each", 10),
            ])
    }

    static func introduction(to rows: [Growth], rounds: Int) -> String {
        """
        The class graph in several sizes, each in a separate process; processor time, the best of \(rounds). each: for one
        instance. × before: the factors of the number of instances and of the time since the previous row.
        """
    }

    static func measure(_ options: Options, report: (Growth) throws -> Void) throws {
        var before: Growth?
        for count in counts(upTo: options.largest) {
            let figures = try ChildTask.growth.run([String(count), String(options.rounds)], figures: 3)
            var row = Growth(count: count, encoding: figures[0], decoding: figures[1], size: Int(figures[2]))
            if let before {
                row.encodingFactor = row.encoding / before.encoding
                row.decodingFactor = row.decoding / before.decoding
                row.countFactor = Double(row.count) / Double(before.count)
            }
            try report(row)
            before = row
        }
    }

    /// Sizes that increase tenfold, and the largest size.
    private static func counts(upTo largest: Int) -> [Int] {
        let tenfold = Array(sequence(first: 10_000) { $0 <= largest / 10 ? $0 * 10 : nil })
        return (tenfold.filter { $0 < largest }) + [largest]
    }

    var cells: [String] {
        [
            Figure.grouped(count), Figure.ratio(countFactor),
            Figure.duration(encoding), Figure.duration(encoding / Double(count)), Figure.ratio(encodingFactor),
            Figure.duration(decoding), Figure.duration(decoding / Double(count)), Figure.ratio(decodingFactor),
            Figure.significant(Double(size) / Double(count)),
        ]
    }

    /// The factor of the time for ten times as many instances, between the previous row and this one.
    ///
    /// If the number of instances has another factor, the result follows from the exponent of the growth.
    func factorForTenfold(_ direction: Direction) -> Double? {
        guard let countFactor, countFactor > 1,
            let factor = direction == .encode ? encodingFactor : decodingFactor
        else { return nil }
        return exp(log(10) * log(factor) / log(countFactor))
    }

    // MARK: - Processes

    /// Measures in a process that was started with `ChildTask.growth`.
    ///
    /// - Returns: The best times for encoding and decoding, and the size of the archive.
    static func measure(_ arguments: [String]) throws -> [Double] {
        let numbers = arguments.compactMap { Int($0) }
        guard numbers.count == 2, arguments.count == 2, numbers.allSatisfy({ $0 > 0 }) else {
            throw ChildTask.growth.misuse(arguments)
        }
        let graph = Node.graph(count: numbers[0], seed: 12)
        let archive = try ArchiveEncoder().encode(graph)
        try verify(archive, against: graph)
        var encoding = Samples()
        var decoding = Samples()
        for _ in 0..<numbers[1] {
            encoding.add(try timePerCall(calls: 1) { try ArchiveEncoder().encode(graph) })
            decoding.add(try timePerCall(calls: 1) { try ArchiveDecoder().decode(Node.self, from: archive) })
        }
        return [encoding.minimum, decoding.minimum, Double(archive.count)]
    }

    private static func verify(_ archive: Data, against graph: Node) throws {
        let decoded = try ArchiveDecoder().decode(Node.self, from: archive)
        guard Node.isFaithful(original: graph, decoded: decoded, sharing: true) else {
            throw UnfaithfulRoundTrip(contender: .archive, workload: tableName)
        }
    }
}
