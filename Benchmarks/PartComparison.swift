// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation

/// Decoding one element of a large archive, compared with decoding all of it.
///
/// Each figure comes from a separate process, so that none is affected by memory of an earlier one.
struct PartComparison: ResultRow {
    /// The measured tasks.
    enum Task: String, CaseIterable, Codable {
        case whole, section, part, open, validate

        var title: String {
            switch self {
            case .whole: "decode all of it"
            case .section: "open, decode one section"
            case .part: "open, decode one record"
            case .open: "open"
            case .validate: "open, validate()"
            }
        }
    }

    var task: Task
    var time: Timing
    /// The median of the bytes.
    var memory: Double
    /// The bytes of the archive.
    var size: Int
    /// The share of the cost of decoding everything.
    var timeShare: Double
    var memoryShare: Double

    private static let sectionCount = 900
    private static let recordCount = 900
    private static let chosen = (section: 450, position: 450)

    // MARK: - The table

    static var tableName: String { "parts" }
    static var rows: WritableKeyPath<Results, [PartComparison]> { \.parts }

    static var layout: TableLayout {
        TableLayout([
            ("operation", 25), ("time", 8), ("median", 8), ("memory", 9), ("time ÷ all", 10), ("memory ÷ all", 12),
        ])
    }

    static func introduction(to rows: [PartComparison], rounds: Int) -> String {
        """
        \(sectionCount * recordCount) records in \(sectionCount) sections, an archive of \
        \((rows.first?.size ?? 0) / 1_000_000) MB; \(rounds) rounds, each in a separate process.
        time: processor time, the best and the median. memory: the median growth of the peak resident memory, including
        pages of the file that were read. The file is in the system's cache, and the process has performed the same task
        with a small archive before.
        """
    }

    /// Creates the archive and measures the cost of its parts.
    ///
    /// - Throws: The errors of a coder or of the file system, and `UnfaithfulPart` if a decoded part differs from the original.
    static func measure(_ options: Options, report: (PartComparison) throws -> Void) throws {
        let (figures, size) = try withTemporaryFolder { folder in
            let url = folder.appending(path: "large")
            let small = folder.appending(path: "small")
            try makeArchive(at: url, sectionCount: sectionCount, recordCount: recordCount)
            // Large enough to be read page by page as well.
            try makeArchive(at: small, sectionCount: 2, recordCount: 6_000)
            var figures: [Task: (time: Samples, memory: Samples)] = [:]
            for _ in 0..<options.rounds {
                for task in Task.allCases {
                    let measured = try ChildTask.part.run([task.rawValue, url.path, small.path], figures: 2)
                    figures[task, default: (Samples(), Samples())].time.add(measured[0])
                    figures[task, default: (Samples(), Samples())].memory.add(measured[1])
                }
            }
            return (figures, try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0)
        }
        guard let whole = figures[.whole] else { return }
        for task in Task.allCases {
            guard let (time, memory) = figures[task] else { continue }
            try report(
                PartComparison(
                    task: task, time: Timing(time), memory: memory.median, size: size,
                    timeShare: time.minimum / whole.time.minimum, memoryShare: memory.median / whole.memory.median))
        }
    }

    var cells: [String] {
        [
            task.title, Figure.duration(time.minimum), Figure.duration(time.median), Figure.megabytes(memory),
            Figure.percent(timeShare), Figure.percent(memoryShare),
        ]
    }

    // MARK: - Processes

    private static func makeArchive(at url: URL, sectionCount: Int, recordCount: Int) throws {
        let library = Library.example(sectionCount: sectionCount, recordCount: recordCount, seed: 10)
        try ArchiveEncoder().encode(library, to: url)
    }

    /// Measures in a process that was started with `ChildTask.part`.
    ///
    /// - Returns: The processor time and the memory growth.
    static func measure(_ arguments: [String]) throws -> [Double] {
        guard arguments.count == 3, let task = Task(rawValue: arguments[0]) else {
            throw ChildTask.part.misuse(arguments)
        }
        // The figures are those of the large archive, without the code of the libraries, which is read from disk on first use.
        _ = try perform(task, URL(filePath: arguments[2]), (section: 1, position: 1))
        resetPeakMemory()
        let memory = peakMemory()
        let start = processorTime()
        let result = try perform(task, URL(filePath: arguments[1]))
        let time = processorTime() - start
        let growth = peakMemory() - memory
        guard isFaithful(result) else { throw UnfaithfulPart(task: task.rawValue) }
        return [Double(time), Double(growth)]
    }

    private static func perform(
        _ task: Task, _ url: URL, _ chosen: (section: Int, position: Int) = chosen
    ) throws -> Any {
        let section = Library.sectionName(chosen.section)
        switch task {
        case .whole: return try ArchiveDecoder().decode(Library.self, from: url)
        case .section:
            let archive = try KeyedArchive(contentsOf: url)
            return try archive["root", "sections", .key(section)]?.decode(Library.Section.self) as Any
        case .part:
            let archive = try KeyedArchive(contentsOf: url)
            return try archive["root", "sections", .key(section), "records", .index(chosen.position)]?
                .decode(Library.Record.self) as Any
        case .open: return try KeyedArchive(contentsOf: url)
        case .validate:
            let archive = try KeyedArchive(contentsOf: url)
            try archive.validate()
            return archive
        }
    }

    private static func isFaithful(_ result: Any) -> Bool {
        let number = chosen.section * recordCount + chosen.position
        switch result {
        case let library as Library:
            let chosen = library.sections[Library.sectionName(chosen.section)]?.records[chosen.position]
            return library.sections.values.reduce(0) { $0 + $1.records.count } == sectionCount * recordCount
                && chosen?.number == number
        case let section as Library.Section: return section.records[chosen.position].number == number
        case let record as Library.Record: return record.number == number && record.owner.name.hasPrefix("Owner")
        case let archive as KeyedArchive: return archive.root["sections"]?.count == sectionCount
        default: return false
        }
    }
}

/// A decoded part that differs from the original.
struct UnfaithfulPart: Error, CustomStringConvertible {
    var task: String

    var description: String { "'\(task)' decoded other values than the archive contains" }
}
