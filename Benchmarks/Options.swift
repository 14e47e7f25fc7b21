/// What the command line asks for.
struct Options {
    /// How often each contender is timed, unless `--rounds` says otherwise.
    static let defaultRounds = 11

    var only: [String] = []
    var rounds = defaultRounds
    var wantsHelp = false

    static var help: String {
        """
        usage: Benchmarks [--only NAME[,NAME]] [--rounds N] [--help]

          --only NAME[,NAME]  run these alone: \(names.joined(separator: ", "))
          --rounds N          time each contender N times, interleaved (default \(defaultRounds))
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
            case "--help":
                wantsHelp = true
            case "--only":
                let names = try Options.value(of: argument, from: remaining.next()).split(separator: ",")
                only += try names.map { try Options.workloadName($0) }
            case "--rounds":
                let value = try Options.value(of: argument, from: remaining.next())
                guard let count = Int(value), count > 0 else {
                    throw UsageProblem(message: "--rounds wants a number from 1 up, not '\(value)'")
                }
                rounds = count
            default:
                throw UsageProblem(message: "unknown option '\(argument)'")
            }
        }
    }

    /// What `--only` takes.
    private static var names: [String] { allWorkloads.map(\.name) + [ArchiverComparison.name, PartComparison.name] }

    func includes(_ name: String) -> Bool {
        only.isEmpty || only.contains(name)
    }

    private static func value(of option: String, from argument: String?) throws -> String {
        guard let argument, !argument.isEmpty else { throw UsageProblem(message: "\(option) wants a value") }
        return argument
    }

    private static func workloadName(_ name: Substring) throws -> String {
        guard names.contains(String(name)) else {
            throw UsageProblem(message: "no workload is called '\(name)'")
        }
        return String(name)
    }
}

/// A command line that cannot be run, in one sentence.
struct UsageProblem: Error {
    var message: String
}
