// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The options of the command line.
struct Options {
    /// The number of rounds of each contender, unless `--rounds` is given.
    static let defaultRounds = 11
    /// The largest number of instances for instances, growth and documents, unless `--largest` is given.
    static let defaultLargest = 1_000_000

    /// The content of standard output.
    enum Output {
        /// The tables, row by row.
        case tables
        /// The results as one JSON object; the tables go to standard error.
        case json
        /// A table of floors that follow from the results; the tables go to standard error.
        case floors

        /// Prints a line for the user where it does not disturb programs that read the output.
        func show(_ text: String) {
            self == .tables ? print(text) : printNote(text)
        }
    }

    var only: [String] = []
    var rounds = defaultRounds
    var largest = defaultLargest
    var output = Output.tables
    var check = false
    var chartPath: String?
    var resultsPath: String?
    var wantsHelp = false

    static var help: String {
        """
        usage: Benchmarks [--only NAME[,NAME]] [--rounds N] [--largest N] [--results FILE]
                          [--json | --floors] [--check] [--chart FILE] [--help]

          --only NAME[,NAME]  measure only these. Workloads, with times and memory:
                              \(workloadNames.joined(separator: ", "));
                              tables: \(tableNames.joined(separator: ", "))
          --rounds N          measure N interleaved rounds of each contender (default \(defaultRounds))
          --largest N         the largest number of instances for instances, growth and
                              documents (default \(defaultLargest)); five million need about 4 GB of memory
          --results FILE      do not measure; use the output of an earlier run with --json
          --json              print the results as JSON on standard output; tables go to standard error
          --floors            print Benchmarks/Floors-VERSION.json with new floors that follow from the results
          --check             compare the results with Benchmarks/Floors-VERSION.json; exit with 1 below a floor.
                              Without --only, measure only the tables with floors
          --chart FILE        draw the times of the workloads into an SVG file
          --help              print this
        """
    }

    /// Reads the arguments that follow the program's name.
    ///
    /// - Throws: `UsageProblem` for an unknown option, a missing or impossible value, or an unknown workload.
    init(arguments: some Sequence<String>) throws {
        var remaining = arguments.makeIterator()
        while let argument = remaining.next() {
            switch argument {
            case "--help": wantsHelp = true
            case "--only":
                let names = try Options.value(of: argument, from: remaining.next()).split(separator: ",")
                only += try names.map { try Options.knownName($0) }
            case "--rounds": rounds = try Options.number(of: argument, from: remaining.next())
            case "--largest": largest = try Options.number(of: argument, from: remaining.next(), least: 10_000)
            case "--json": try setOutput(.json)
            case "--floors": try setOutput(.floors)
            case "--check": check = true
            case "--chart": chartPath = try Options.value(of: argument, from: remaining.next())
            case "--results": resultsPath = try Options.value(of: argument, from: remaining.next())
            default: throw UsageProblem(message: "unknown option '\(argument)'")
            }
        }
    }

    // MARK: - Selection

    private static var workloadNames: [String] { allWorkloads.map(\.name) }
    private static var tableNames: [String] { allTables.map { $0.tableName } }
    /// The tables of a named workload.
    private static let workloadTables = [Comparison.tableName, MemoryComparison.tableName]
    /// The tables with floors.
    private static let checkedTables = workloadTables + [Growth.tableName]

    /// Whether a table is measured: a named one, or both tables of named workloads, unless one of the two is named as well.
    func includes(table: String) -> Bool {
        if only.isEmpty { return !check || Options.checkedTables.contains(table) }
        let isImplied = Options.workloadTables.contains(table) && !only.contains(where: Options.workloadTables.contains)
        return only.contains(table) || isImplied && only.contains(where: Options.workloadNames.contains)
    }

    /// Whether the rows of a workload are measured: a named one, or any if no workload is named.
    func includes(workload: String) -> Bool {
        only.contains(workload) || !only.contains(where: Options.workloadNames.contains)
    }

    // MARK: - Values

    private mutating func setOutput(_ output: Output) throws {
        guard self.output == .tables || self.output == output else {
            throw UsageProblem(message: "--json and --floors cannot both write to standard output")
        }
        self.output = output
    }

    private static func value(of option: String, from argument: String?) throws -> String {
        guard let argument, !argument.isEmpty else { throw UsageProblem(message: "\(option) needs a value") }
        return argument
    }

    private static func number(of option: String, from argument: String?, least: Int = 1) throws -> Int {
        let value = try value(of: option, from: argument)
        guard let number = Int(value), number >= least else {
            throw UsageProblem(message: "\(option) needs a number from \(least) up, not '\(value)'")
        }
        return number
    }

    private static func knownName(_ name: Substring) throws -> String {
        guard workloadNames.contains(String(name)) || tableNames.contains(String(name)) else {
            throw UsageProblem(message: "no workload or table is called '\(name)'")
        }
        return String(name)
    }
}

/// An invalid command line, described in one sentence.
struct UsageProblem: Error {
    var message: String
}
