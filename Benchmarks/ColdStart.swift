// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The times of the first call in a process, for types that have not been used before, and of the second call.
struct ColdStart: ResultRow {
    /// Calls of one direction, each in fresh processes.
    struct Calls: Codable {
        var first: Timing
        var second: Timing
    }

    var contender: Contender
    var encoding: Calls
    var decoding: Calls

    // MARK: - The table

    static var tableName: String { "cold" }
    static var rows: WritableKeyPath<Results, [ColdStart]> { \.cold }

    static var layout: TableLayout {
        TableLayout([
            ("coder", 19), ("first encode", 12), ("best", 8), ("second", 8), ("first decode", 12), ("best", 8),
            ("second", 8),
        ])
    }

    static func introduction(to rows: [ColdStart], rounds: Int) -> String {
        """
        One farm in a new process: processor time of the first and the second call, as medians of
        \(processCount(rounds)) processes, and the best first call. The libraries are loaded and in the system's cache.
        """
    }

    /// The number of processes for so many rounds. They take milliseconds, and differ by a third.
    private static func processCount(_ rounds: Int) -> Int { 5 * rounds }

    static func measure(_ options: Options, report: (ColdStart) throws -> Void) throws {
        var samples: [Contender: [Direction: (first: Samples, second: Samples)]] = [:]
        try withTemporaryFolder { folder in
            for contender in Contender.coders {
                try contender.encode(Farm.oldMacDonalds).write(to: file(of: contender, in: folder))
            }
            for _ in 0..<processCount(options.rounds) {
                for contender in Contender.coders {
                    for direction in Direction.allCases {
                        let path = file(of: contender, in: folder).path
                        let figures = try ChildTask.cold.run(
                            [contender.rawValue, direction.rawValue, path], figures: 2)
                        samples[contender, default: [:]][direction, default: (Samples(), Samples())].first.add(
                            figures[0])
                        samples[contender, default: [:]][direction, default: (Samples(), Samples())].second.add(
                            figures[1])
                    }
                }
            }
        }
        for contender in Contender.coders {
            guard let encode = samples[contender]?[.encode], let decode = samples[contender]?[.decode] else { continue }
            try report(
                ColdStart(
                    contender: contender,
                    encoding: Calls(first: Timing(encode.first), second: Timing(encode.second)),
                    decoding: Calls(first: Timing(decode.first), second: Timing(decode.second))))
        }
    }

    private static func file(of contender: Contender, in folder: URL) -> URL {
        folder.appending(path: contender.rawValue)
    }

    var cells: [String] {
        [contender.coderName]
            + [encoding, decoding].flatMap { calls in
                [calls.first.median, calls.first.minimum, calls.second.median].map(Figure.duration)
            }
    }

    // MARK: - Processes

    /// Measures in a process that was started with `ChildTask.cold`.
    ///
    /// - Returns: The times of the first call and of the second.
    static func measure(_ arguments: [String]) throws -> [Double] {
        guard arguments.count == 3, let contender = Contender(rawValue: arguments[0]),
            let direction = Direction(rawValue: arguments[1])
        else { throw ChildTask.cold.misuse(arguments) }
        let farm = Farm.oldMacDonalds
        switch direction {
        case .encode:
            return try (0..<2).map { _ in try timePerCall(calls: 1) { try contender.encode(farm) } }
        case .decode:
            let archive = try Data(contentsOf: URL(filePath: arguments[2]))
            let times = try (0..<2).map { _ in
                try timePerCall(calls: 1) { try contender.decode(Farm.self, from: archive) }
            }
            guard try contender.decode(Farm.self, from: archive) == farm else {
                throw UnfaithfulRoundTrip(contender: contender, workload: tableName)
            }
            return times
        }
    }
}

extension Contender {
    /// The name of the contender's coders.
    fileprivate var coderName: String {
        switch self {
        case .archive, .plain: "ArchiveEncoder"
        case .json: "JSONEncoder"
        case .propertyList: "PropertyListEncoder"
        case .empty: "empty"
        }
    }
}
