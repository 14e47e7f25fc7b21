import Archiving
import Foundation

/// One element out of a large archive, against all of it.
///
/// Each figure comes from a process of its own, which this program starts with `measureOption`, so that the memory that one
/// has used is not there for the next.
enum PartComparison {
    static let name = "parts"
    /// What a process that measures one task is started with: the task, the file and a small one follow.
    static let measureOption = "--measure-part"

    private static let sectionCount = 900
    private static let recordCount = 900
    private static let chosen = (section: 450, position: 450)

    /// What is measured.
    private enum Task: String, CaseIterable {
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

    /// What one process needed: nanoseconds of processor time, and bytes.
    private struct Figures {
        var time = Samples()
        var memory = Samples()
    }

    // MARK: - The table

    /// Makes the archive, and the table of what its parts cost.
    ///
    /// - Throws: What a coder or the file system throws, and `UnfaithfulPart` if something else came out than was put in.
    static func table(rounds: Int) throws -> String {
        let url = FileManager.default.temporaryDirectory.appending(path: "archiving-parts-\(UUID().uuidString)")
        let small = url.appendingPathExtension("small")
        defer { for url in [url, small] { try? FileManager.default.removeItem(at: url) } }
        try makeArchive(at: url, sectionCount: sectionCount, recordCount: recordCount)
        // Large enough to be mapped as well.
        try makeArchive(at: small, sectionCount: 2, recordCount: 6_000)
        let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
        var figures: [Task: Figures] = [:]
        for _ in 0..<rounds {
            for task in Task.allCases {
                let (time, memory) = try runProcess(task, url, small)
                figures[task, default: Figures()].time.add(time)
                figures[task, default: Figures()].memory.add(memory)
            }
        }
        guard let whole = figures[.whole] else { return "" }
        let rows = Task.allCases.compactMap { task in figures[task].map { row(task, $0, whole) } }
        return ([header(size: size, rounds: rounds)] + rows).joined(separator: "\n")
    }

    private static func header(size: Int, rounds: Int) -> String {
        """

        \(sectionCount * recordCount) records in \(sectionCount) sections, an archive of \(size / 1_000_000) MB; \
        \(rounds) rounds, each in a process of its own.
        time: processor time, the best and the median. memory: how much the most memory that was in use at a time
        (resident) grew, in the median; pages of the file that were read count. The file is in the system's cache,
        and the process has done the same with a small archive before.

        | what                      |     time |   median |   memory | time ÷ all | memory ÷ all |
        | :------------------------ | -------: | -------: | -------: | ---------: | -----------: |
        """
    }

    private static func row(_ task: Task, _ figures: Figures, _ whole: Figures) -> String {
        let cells = [
            Table.duration(figures.time.minimum), Table.duration(figures.time.median),
            megabytes(figures.memory.median), percent(figures.time.minimum / whole.time.minimum),
            percent(figures.memory.median / whole.memory.median),
        ]
        let padded = zip(cells, [8, 8, 8, 10, 12]).map { cell, width in
            String(repeating: " ", count: max(0, width - cell.count)) + cell
        }
        let title = task.title + String(repeating: " ", count: max(0, 25 - task.title.count))
        return "| " + ([title] + padded).joined(separator: " | ") + " |"
    }

    private static func megabytes(_ bytes: Double) -> String { decimals(bytes / 1e6, 2) + " MB" }

    private static func percent(_ ratio: Double) -> String { decimals(ratio * 100, 3) + " %" }

    private static func decimals(_ number: Double, _ count: Int) -> String {
        number.formatted(.number.precision(.fractionLength(count)).locale(Locale(identifier: "en_US")).grouping(.never))
    }

    // MARK: - Processes

    private static func makeArchive(at url: URL, sectionCount: Int, recordCount: Int) throws {
        let library = Library.example(sectionCount: sectionCount, recordCount: recordCount, seed: 10)
        try ArchiveEncoder().encode(library, to: url)
    }

    private static func runProcess(_ task: Task, _ url: URL, _ small: URL) throws -> (time: Double, memory: Double) {
        let process = Process()
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        process.arguments = [measureOption, task.rawValue, url.path, small.path]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard process.terminationStatus == 0, numbers.count == 2 else { throw UnfaithfulPart(task: task.rawValue) }
        return (numbers[0], numbers[1])
    }

    /// What a process does that was started with `measureOption`: prints its processor time, and its growth.
    static func measure(_ arguments: some Collection<String>) throws {
        let paths = Array(arguments.dropFirst())
        guard let task = arguments.first.flatMap({ Task(rawValue: $0) }), paths.count == 2 else {
            throw UsageProblem(message: "\(measureOption) wants a task and two files")
        }
        let (path, small) = (paths[0], paths[1])
        let url = URL(filePath: path)
        // What is measured is what the large archive needs, and not the code of the libraries, which comes from the disk when
        // it is used first.
        _ = try perform(task, URL(filePath: small), (section: 1, position: 1))
        resetPeakMemory()
        let memory = peakMemory()
        let start = processorTime()
        let result = try perform(task, url)
        let time = processorTime() - start
        let growth = peakMemory() - memory
        guard isFaithful(result) else { throw UnfaithfulPart(task: task.rawValue) }
        print(time, growth)
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

/// A part that is not what was put into the archive.
struct UnfaithfulPart: Error, CustomStringConvertible {
    var task: String

    var description: String { "'\(task)' did not bring back what is in the archive" }
}
