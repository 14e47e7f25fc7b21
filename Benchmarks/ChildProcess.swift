import Foundation

/// Tasks that this program does in a process of its own, so that what one has used, warmed or left behind is not there
/// for the next. The option is the first argument; what follows it is the task's.
enum ChildTask: String, CaseIterable {
    /// `--measure-part TASK FILE SMALL-FILE`
    case part = "--measure-part"
    /// `--measure-memory WORKLOAD CONTENDER encode|decode`
    case memory = "--measure-memory"
    /// `--measure-growth COUNT ROUNDS`
    case growth = "--measure-growth"
    /// `--measure-cold CONTENDER encode|decode [FILE]`
    case cold = "--measure-cold"
    /// `--measure-document TASK FOLDER COUNT`
    case document = "--measure-document"
    /// `--repeat WORKLOAD CONTENDER encode|decode COUNT`, for `scripts/count-instructions`
    case repetition = "--repeat"

    /// Does the task in this process, and prints its figures.
    ///
    /// - Throws: `UsageProblem` for arguments that make no sense, or what the task throws.
    func perform(_ arguments: [String]) throws {
        let figures: [Double]
        switch self {
        case .part: figures = try PartComparison.measure(arguments)
        case .memory: figures = try MemoryComparison.measure(arguments)
        case .growth: figures = try Growth.measure(arguments)
        case .cold: figures = try ColdStart.measure(arguments)
        case .document: figures = try DocumentTask.measure(arguments)
        case .repetition: figures = try Repetition.perform(arguments)
        }
        print(figures.map { String($0) }.joined(separator: " "))
    }

    /// Does the task in another process.
    ///
    /// - Returns: The figures that it printed.
    /// - Throws: `FailedProcess` if it did not end well, or printed another number of figures than `count`.
    func run(_ arguments: [String], figures count: Int) throws -> [Double] {
        let process = Process()
        process.executableURL = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        process.arguments = [rawValue] + arguments
        return try Benchmarks.figures(of: process, count: count)
    }

    /// The problem of arguments that are not what the task takes.
    func misuse(_ arguments: [String]) -> UsageProblem {
        UsageProblem(message: "\(rawValue) does not take '\(arguments.joined(separator: " "))'")
    }
}

/// Starts a process and waits for it.
///
/// - Returns: The figures that it printed.
/// - Throws: `FailedProcess` if it did not end well, or printed another number of figures than `count`.
func figures(of process: Process, count: Int) throws -> [Double] {
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let figures = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard process.terminationStatus == 0, figures.count == count else {
        throw FailedProcess(arguments: process.arguments ?? [])
    }
    return figures
}

/// A process that was to measure something, and did not. What was wrong it has said itself.
struct FailedProcess: Error, CustomStringConvertible {
    var arguments: [String]

    var description: String { "'Benchmarks \(arguments.joined(separator: " "))' failed" }
}

/// Files in a folder of their own for as long as `body` runs.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "archiving-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}
