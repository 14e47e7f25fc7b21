// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Searches in a large document that is opened for them, compared with decoding all of it and with SQLite.
///
/// Each figure comes from a separate process.
struct QueryComparison: ResultRow {
    var task: QueryTask
    /// The number of books in the document.
    var count: Int
    /// The number of books that were found.
    var found: Int
    var time: Timing
    var processor: Timing
    /// The median of the bytes that the process read from files; nil if the system does not count them.
    var bytesRead: Double?
    /// The median of the bytes.
    var memory: Double
    /// The time relative to decoding everything.
    var timeOverDecoding: Double

    static var tableName: String { "queries" }
    static var rows: WritableKeyPath<Results, [QueryComparison]> { \.queries }

    static var layout: TableLayout {
        TableLayout([
            ("search", 64), ("books", 10), ("found", 7), ("time", 7), ("median", 7), ("processor", 9), ("÷ decode", 8),
            ("read", 10), ("memory", 10),
        ])
    }

    static func introduction(to rows: [QueryComparison], rounds: Int) -> String {
        """
        Searches among the books of the documents table. The time includes the opening of the file. Each figure is from a
        separate process; up to 5 rounds. The columns are those of the documents table. SQLite returns rows, and the other
        searches return instances.
        """
    }

    static func measure(_ options: Options, report: (QueryComparison) throws -> Void) throws {
        let hasTables = DocumentTables.isAvailable()
        if !hasTables { printNote("There is no python3 with SQLite: queries are measured without SQLite.") }
        let tasks = QueryTask.allCases.filter { hasTables || !$0.isOfTables }
        let count = min(options.largest, 1_000_000)
        try withTemporaryFolder { folder in
            _ = try ChildTask.document.run(
                [DocumentTask.encode.rawValue, folder.path, String(count)], figures: DocumentFigures.count)
            try QueryTask.writeIndex(in: folder)
            if hasTables {
                var rows = HoldingsRows(count: count)
                try rows.write(to: folder)
                _ = try DocumentTables.run(.tableCreate, in: folder, count: count)
                try QueryTables.createIndex(in: folder)
            }
            try measure(tasks, count, rounds: min(options.rounds, 5), in: folder, report: report)
        }
    }

    var cells: [String] {
        [
            task.title, Figure.grouped(count), Figure.grouped(found), Figure.duration(time.minimum),
            Figure.duration(time.median), Figure.duration(processor.minimum),
            Figure.percent(timeOverDecoding, decimals: 1), Figure.megabytes(bytesRead), Figure.megabytes(memory),
        ]
    }

    /// Measures in turns, so that a slow minute of the machine affects all tasks.
    private static func measure(
        _ tasks: [QueryTask], _ count: Int, rounds: Int, in folder: URL, report: (QueryComparison) throws -> Void
    ) throws {
        var figures: [QueryTask: [[Double]]] = [:]
        for _ in 0..<rounds {
            for task in tasks {
                let result =
                    task.isOfTables
                    ? try QueryTables.run(task, in: folder)
                    : try ChildTask.query.run(
                        [task.rawValue, folder.path, String(count)], figures: DocumentFigures.count + 1)
                figures[task, default: []].append(result)
            }
        }
        func timing(_ task: QueryTask, _ figure: KeyPath<DocumentFigures, Double>) -> Timing {
            var samples = Samples()
            for figures in figures[task] ?? [] { samples.add(DocumentFigures(figures)[keyPath: figure]) }
            return Timing(samples)
        }
        func found(_ task: QueryTask) -> Int { Int(figures[task]?.last?.last ?? 0) }
        let counts = Dictionary(
            tasks.filter { !$0.isOfTables }.map { ($0.query, found($0)) }, uniquingKeysWith: { first, _ in first })
        for task in tasks {
            guard found(task) == counts[task.query] else { throw UnfaithfulPart(task: task.title) }
            var read = Samples()
            for figure in (figures[task] ?? []).compactMap({ DocumentFigures($0).read }) { read.add(figure) }
            try report(
                QueryComparison(
                    task: task, count: count, found: found(task), time: timing(task, \.time),
                    processor: timing(task, \.processor), bytesRead: read.times.isEmpty ? nil : read.median,
                    memory: timing(task, \.memory).median,
                    timeOverDecoding: timing(task, \.time).minimum / timing(.decode, \.time).minimum))
        }
    }
}
