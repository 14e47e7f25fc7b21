/// What the command line asks for.
struct Options {
    /// How often each contender is timed, unless `--rounds` says otherwise.
    static let defaultRounds = 11
    /// How many instances the growth and the documents end with, unless `--largest` says otherwise.
    static let defaultLargest = 1_000_000

    /// What goes to standard output.
    enum Output {
        /// The tables, row by row.
        case tables
        /// The results as one JSON object; the tables go to standard error.
        case json
        /// A table of floors that follow from the results; the tables go to standard error.
        case floors

        /// Prints a line for people, where no program reads.
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

          --only NAME[,NAME]  make these alone. Workloads, of which times and memory are measured:
                              \(workloadNames.joined(separator: ", "));
                              tables: \(tableNames.joined(separator: ", "))
          --rounds N          time each contender N times, interleaved (default \(defaultRounds))
          --largest N         let the tables of growth and of documents end with a graph of N instances
                              (default \(defaultLargest)); five million need about 4 GB of memory
          --results FILE      measure nothing: take what an earlier run printed with --json
          --json              print the results as JSON on standard output; tables go to standard error
          --floors            print Benchmarks/Floors.json anew, with the floors that follow from the results
          --check             compare the results with Benchmarks/Floors.json; below a floor, the exit code is 1.
                              Without --only, makes the tables that have floors alone
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

    // MARK: - What is to be made

    private static var workloadNames: [String] { allWorkloads.map(\.name) }
    private static var tableNames: [String] { allTables.map { $0.tableName } }
    /// What is made of a workload that is named.
    private static let workloadTables = [Comparison.tableName, MemoryComparison.tableName]
    /// What is made for a check.
    private static let checkedTables = workloadTables + [Growth.tableName]

    /// Whether a table is to be made: one that is named, and of workloads that are named both that are about them, unless
    /// one of the two is named as well.
    func includes(table: String) -> Bool {
        if only.isEmpty { return !check || Options.checkedTables.contains(table) }
        let isImplied = Options.workloadTables.contains(table) && !only.contains(where: Options.workloadTables.contains)
        return only.contains(table) || isImplied && only.contains(where: Options.workloadNames.contains)
    }

    /// Whether the rows of a workload are to be made: one that is named, or any where none is.
    func includes(workload: String) -> Bool {
        only.contains(workload) || !only.contains(where: Options.workloadNames.contains)
    }

    // MARK: - Values

    private mutating func setOutput(_ output: Output) throws {
        guard self.output == .tables || self.output == output else {
            throw UsageProblem(message: "--json and --floors cannot both have the standard output")
        }
        self.output = output
    }

    private static func value(of option: String, from argument: String?) throws -> String {
        guard let argument, !argument.isEmpty else { throw UsageProblem(message: "\(option) wants a value") }
        return argument
    }

    private static func number(of option: String, from argument: String?, least: Int = 1) throws -> Int {
        let value = try value(of: option, from: argument)
        guard let number = Int(value), number >= least else {
            throw UsageProblem(message: "\(option) wants a number from \(least) up, not '\(value)'")
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

/// A command line that cannot be run, in one sentence.
struct UsageProblem: Error {
    var message: String
}
