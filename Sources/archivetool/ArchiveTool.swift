/// The entry point of `archivetool`, and its list of commands.
@main
enum ArchiveTool {
    /// What `--version` tells: the version of the CHANGELOG.
    static let version = "unreleased"

    /// The commands, in the order of the help.
    static let commands: [Command] = [
        .show, .find, .graph, .stats, .check, .convert, .diff, .extract, .set, .insert, .remove, .move, .compact,
        .rename,
    ]

    static func main() {
        Platform.endQuietlyWithoutReaders()
        let session = Session.ofProcess()
        let status = run(Array(CommandLine.arguments.dropFirst()), in: session)
        Platform.exit(status.rawValue)
    }

    /// Runs the command line `arguments`, without the name of the program, and says how it ended.
    static func run(_ arguments: [String], in session: Session) -> ExitStatus {
        do {
            let status = try CommandLineInterface(commands: commands).run(arguments, in: session)
            session.progress.end()
            try session.output.finish()
            return status
        } catch {
            session.progress.end()
            // What was written so far is of use on standard output; a file is written as a whole or not at all.
            let status = session.report(error)
            session.output.abandon()
            return status
        }
    }
}
