// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Opening, changing and saving a large document, compared with decoding and encoding all of it.
///
/// Each figure comes from a separate process, so that none is affected by memory of an earlier one.
struct DocumentComparison: ResultRow {
    var task: DocumentTask
    /// The number of books in the document.
    var count: Int
    /// The bytes of the archive or of the database.
    var size: Int
    var time: Timing
    var processor: Timing
    /// The median of the bytes that the process read from files and wrote to files; nil if the system does not count them.
    var bytesRead: Double?
    var bytesWritten: Double?
    /// The median of the bytes.
    var memory: Double
    /// For tasks that only read, the time relative to decoding everything. For tasks that save, the time relative to encoding
    /// everything, and to copying the file.
    var timeOverDecoding: Double?
    var timeOverEncoding: Double?
    var timeOverCopying: Double?

    /// The maximum number of rounds of a document.
    private static func rounds(_ options: Options, count: Int) -> Int {
        min(options.rounds, count > 1_000_000 ? 2 : 5)
    }

    // MARK: - The table

    static var tableName: String { "documents" }
    static var rows: WritableKeyPath<Results, [DocumentComparison]> { \.documents }

    static var layout: TableLayout {
        TableLayout([
            ("operation", 48), ("books", 10), ("time", 7), ("median", 7), ("processor", 9), ("÷ decode", 8),
            ("÷ encode", 8), ("÷ copy", 6), ("read", 10), ("written", 10), ("memory", 10),
        ])
    }

    static func introduction(to rows: [DocumentComparison], rounds: Int) -> String {
        """
        Books on shelves, a thousand on each, in an archive of \((rows.first?.size ?? 0) / 1_000_000) MB at first. \
        Each figure is from a separate process; up to
        5 rounds. time: wall time, including waiting for the disk, the best and the median. processor: the best processor
        time. read, written: bytes that the process read from files and wrote to files, including those that the system
        copied for it. memory: the growth of the peak resident memory. The file is in the system's cache, and the process
        has performed the same task with a small file before.
        """
    }

    static func measure(_ options: Options, report: (DocumentComparison) throws -> Void) throws {
        let hasTables = DocumentTables.isAvailable()
        if !hasTables { printNote("There is no python3 with SQLite: documents are measured without SQLite.") }
        let tasks = DocumentTask.allCases.filter { hasTables || !$0.isOfTables }
        for count in Set([min(options.largest, 1_000_000), options.largest]).sorted() {
            try withTemporaryFolder { folder in
                try measure(tasks, count, rounds: rounds(options, count: count), in: folder, report: report)
            }
        }
    }

    var cells: [String] {
        [
            task.title, Figure.grouped(count), Figure.duration(time.minimum), Figure.duration(time.median),
            Figure.duration(processor.minimum), Figure.percent(timeOverDecoding, decimals: 2),
            Figure.percent(timeOverEncoding, decimals: 1), Figure.ratio(timeOverCopying),
            Figure.megabytes(bytesRead), Figure.megabytes(bytesWritten), Figure.megabytes(memory),
        ]
    }

    // MARK: - Processes

    /// Measures in turns, so that a slow minute of the machine affects all tasks.
    private static func measure(
        _ tasks: [DocumentTask], _ count: Int, rounds: Int, in folder: URL, report: (DocumentComparison) throws -> Void
    ) throws {
        if tasks.contains(.tableCreate) {
            var rows = HoldingsRows(count: count)
            try rows.write(to: folder)
        }
        var figures: [DocumentTask: [DocumentFigures]] = [:]
        for _ in 0..<rounds {
            for task in tasks {
                figures[task, default: []].append(try run(task, in: folder, count: count))
            }
        }
        func timing(_ task: DocumentTask, _ figure: KeyPath<DocumentFigures, Double>) -> Timing {
            var samples = Samples()
            for figures in figures[task] ?? [] { samples.add(figures[keyPath: figure]) }
            return Timing(samples)
        }
        func median(_ task: DocumentTask, _ figure: KeyPath<DocumentFigures, Double?>) -> Double? {
            var samples = Samples()
            for figure in (figures[task] ?? []).compactMap({ $0[keyPath: figure] }) { samples.add(figure) }
            return samples.times.isEmpty ? nil : samples.median
        }
        func times(_ task: DocumentTask) -> Double { timing(task, \.time).minimum }
        for task in tasks {
            let time = times(task)
            try report(
                DocumentComparison(
                    task: task, count: count, size: try size(of: task.isOfTables ? "database" : "archive", in: folder),
                    time: timing(task, \.time), processor: timing(task, \.processor),
                    bytesRead: median(task, \.read), bytesWritten: median(task, \.written),
                    memory: timing(task, \.memory).median,
                    timeOverDecoding: task.reads ? time / times(.decode) : nil,
                    timeOverEncoding: task.reads ? nil : time / times(.encode),
                    timeOverCopying: task.reads ? nil : time / times(.copy)))
        }
    }

    private static func run(_ task: DocumentTask, in folder: URL, count: Int) throws -> DocumentFigures {
        let edited = folder.appending(path: "edited")
        if task.edits {
            try copyFile(folder.appending(path: task.isOfTables ? "database" : "archive"), to: edited)
        } else if task == .tableCreate {
            try? FileManager.default.removeItem(at: folder.appending(path: "database"))
        }
        defer {
            try? FileManager.default.removeItem(at: edited)
            try? FileManager.default.removeItem(at: folder.appending(path: "edited.journal"))
        }
        return DocumentFigures(
            task.isOfTables
                ? try DocumentTables.run(task, in: folder, count: count)
                : try ChildTask.document.run(
                    [task.rawValue, folder.path, String(count)], figures: DocumentFigures.count))
    }

    private static func size(of file: String, in folder: URL) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: folder.appending(path: file).path)[.size] as? Int ?? 0
    }
}
