/// Measures this library's pair against JSON's, the property list's, and the cost of Codable itself.
///
///     swift run -c release Benchmarks
///     swift run -c release Benchmarks --only farms,graph --rounds 21
///     swift run -c release Benchmarks --only parts
@main
struct BenchmarkCommand {
    static func main() {
        do {
            if CommandLine.arguments.dropFirst().first == PartComparison.measureOption {
                return try PartComparison.measure(CommandLine.arguments.dropFirst(2))
            }
            let options = try Options(arguments: CommandLine.arguments.dropFirst())
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
        #if DEBUG
            print("This is a debug build: the figures mean nothing. Use `swift run -c release Benchmarks`.\n")
        #endif
        print(Table.legend(rounds: options.rounds))
        print(Table.header)
        flushOutput()
        for workload in allWorkloads where options.includes(workload.name) {
            print(Table.line(for: try workload.compare(rounds: options.rounds)))
            // A row can take a minute; whoever reads through a pipe wants each one when it is there.
            flushOutput()
        }
        if options.includes(ArchiverComparison.name) {
            print(try ArchiverComparison.table(rounds: options.rounds))
            flushOutput()
        }
        if options.includes(PartComparison.name) {
            print(try PartComparison.table(rounds: options.rounds))
        }
    }
}
