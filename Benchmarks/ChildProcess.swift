// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Tasks that run in a separate process, so that none is affected by memory, caches or garbage of an earlier one. The option is
/// the first argument; the arguments of the task follow.
enum ChildTask: String, CaseIterable {
    /// `--measure-part TASK FILE SMALL-FILE`
    case part = "--measure-part"
    /// `--measure-memory WORKLOAD CONTENDER encode|decode [COUNT]`
    case memory = "--measure-memory"
    /// `--measure-growth COUNT ROUNDS`
    case growth = "--measure-growth"
    /// `--measure-cold CONTENDER encode|decode [FILE]`
    case cold = "--measure-cold"
    /// `--measure-document TASK FOLDER COUNT`
    case document = "--measure-document"
    /// `--measure-query TASK FOLDER COUNT`
    case query = "--measure-query"
    /// `--repeat WORKLOAD CONTENDER encode|decode COUNT`, for `scripts/count-instructions`
    case repetition = "--repeat"

    /// Performs the task in this process and prints its figures.
    ///
    /// - Throws: `UsageProblem` for invalid arguments, or the errors of the task.
    func perform(_ arguments: [String]) throws {
        let figures: [Double]
        switch self {
        case .part: figures = try PartComparison.measure(arguments)
        case .memory: figures = try MemoryComparison.measure(arguments)
        case .growth: figures = try Growth.measure(arguments)
        case .cold: figures = try ColdStart.measure(arguments)
        case .document: figures = try DocumentTask.measure(arguments)
        case .query: figures = try QueryTask.measure(arguments)
        case .repetition: figures = try Repetition.perform(arguments)
        }
        print(figures.map { String($0) }.joined(separator: " "))
    }

    /// Performs the task in another process.
    ///
    /// - Returns: The figures that it printed.
    /// - Throws: `FailedProcess` if the process failed, or printed another number of figures than `count`.
    func run(_ arguments: [String], figures count: Int) throws -> [Double] {
        let process = Process()
        process.executableURL = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        process.arguments = [rawValue] + arguments
        return try Benchmarks.figures(of: process, count: count)
    }

    /// The problem for invalid arguments of the task.
    func misuse(_ arguments: [String]) -> UsageProblem {
        UsageProblem(message: "\(rawValue) does not take '\(arguments.joined(separator: " "))'")
    }
}

/// Starts a process and waits for it.
///
/// - Returns: The figures that it printed.
/// - Throws: `FailedProcess` if the process failed, or printed another number of figures than `count`.
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

/// A measuring process that failed. It has printed the reason itself.
struct FailedProcess: Error, CustomStringConvertible {
    var arguments: [String]

    var description: String { "'Benchmarks \(arguments.joined(separator: " "))' failed" }
}

/// Creates a folder that exists while `body` runs.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "archiving-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}
