// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation

/// Measures this library's coders against those of JSON and property lists, and against the cost of Codable itself.
///
///     swift run -c release Benchmarks
///     swift run -c release Benchmarks --only farms,graph --rounds 21
///     swift run -c release Benchmarks --only parts
///     swift run -c release Benchmarks --json --chart chart.svg > results.json
@main
struct BenchmarkCommand {
    static func main() {
        do {
            let arguments = Array(CommandLine.arguments.dropFirst())
            // To measure what they earn.
            if ProcessInfo.processInfo.environment["ARCHIVING_PORTABLE"] != nil { RuntimeLayout.withdrawAll() }
            if let task = arguments.first.flatMap(ChildTask.init) {
                return try task.perform(Array(arguments.dropFirst()))
            }
            let options = try Options(arguments: arguments)
            if options.wantsHelp {
                print(Options.help)
                return
            }
            try run(options)
        } catch let problem as UsageProblem {
            leave(saying: "\(problem.message)\n\n\(Options.help)", status: 2)
        } catch {
            leave(saying: "\(error)", status: 1)
        }
    }

    private static func run(_ options: Options) throws {
        let results = try results(options)
        if let path = options.chartPath {
            try Data(Chart(results.times).svg.utf8).write(to: URL(filePath: path))
        }
        switch options.output {
        case .tables: break
        case .json: print(try results.json)
        case .floors: print(try FloorTable.committed(isForNewFloors: true).updated(with: results).json)
        }
        if options.check {
            try check(results, options)
        }
    }

    // MARK: - Measuring and printing

    private static func results(_ options: Options) throws -> Results {
        if let path = options.resultsPath {
            let results = try JSONDecoder().decode(Results.self, from: Data(contentsOf: URL(filePath: path)))
            for table in allTables {
                showRows(of: table, in: results, options)
            }
            return results
        }
        var results = Results(rounds: options.rounds)
        if !results.isOptimised {
            options.output.show(
                "This is a debug build: its figures are meaningless. Use `swift run -c release Benchmarks`.\n")
        }
        for table in allTables where options.includes(table: table.tableName) {
            try measure(table, options, &results)
        }
        return results
    }

    /// Measures a table, and prints each row when it is complete, since one row can take a minute.
    private static func measure<Row: ResultRow>(
        _ table: Row.Type, _ options: Options, _ results: inout Results
    ) throws {
        try Row.measure(options) { row in
            results[keyPath: Row.rows].append(row)
            let rows = results[keyPath: Row.rows]
            if rows.count == 1 { options.output.show(Row.head(rows: rows, rounds: results.rounds)) }
            options.output.show(row.line)
            flushOutput()
        }
        if !results[keyPath: Row.rows].isEmpty { options.output.show("") }
    }

    private static func showRows<Row: ResultRow>(of table: Row.Type, in results: Results, _ options: Options) {
        let rows = results[keyPath: Row.rows]
        guard !rows.isEmpty else { return }
        options.output.show(Row.head(rows: rows, rounds: results.rounds))
        for row in rows { options.output.show(row.line) }
        options.output.show("")
    }

    // MARK: - Checking

    private static func check(_ results: Results, _ options: Options) throws {
        let outcome = try FloorTable.committed().check(results, options)
        for note in outcome.missedTargets { options.output.show("target missed: \(note)") }
        guard outcome.violations.isEmpty else {
            let lines = outcome.violations.map { "below the floor: \($0)" }
            leave(saying: lines.joined(separator: "\n"), status: 1)
        }
        options.output.show("floors: \(outcome.checkedCount) checked, none violated")
    }
}

extension Results {
    /// One JSON object with sorted keys.
    fileprivate var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
