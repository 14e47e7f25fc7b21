// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The entry point of `archivetool`.
@main
enum ArchiveTool {
    static let version = "unreleased"

    /// The commands, in the order of the help.
    static let commands: [Command] = [
        .show, .find, .graph, .stats, .check, .convert, .diff, .merge, .extract, .set, .insert, .remove, .move,
        .compact, .rename, .completions, .manual,
    ]

    static func main() {
        Platform.endQuietlyWithoutReaders()
        let session = Session.ofProcess()
        let status = run(Array(CommandLine.arguments.dropFirst()), in: session)
        Platform.exit(status.rawValue)
    }

    /// Runs the command line `arguments`, without the name of the program.
    static func run(_ arguments: [String], in session: Session) -> ExitStatus {
        defer { session.progress.end() }
        do {
            let status = try runCommand(arguments, in: session)
            session.progress.begin("writing")
            try session.output.finish()
            return status
        } catch {
            let status = session.report(error)
            session.output.flush()
            return status
        }
    }

    private static func runCommand(_ words: [String], in session: Session) throws -> ExitStatus {
        let help = Help(commands: commands, width: session.helpWidth)
        let rest = Array(words.dropFirst())
        switch words.first {
        case nil:
            session.writeToError(help.overview)
            return .usage
        case "-h", "--help": session.output.write(help.overview)
        case "--version": session.output.write("archivetool \(version)\n")
        case "help" where rest.isEmpty || rest[0] == "help": session.output.write(help.overview)
        case "help": session.output.write(help.text(of: try command(named: rest[0])))
        case let name?:
            let command = try command(named: name)
            // `--help` works with any other words.
            if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "-h" || $0 == "--help" }) {
                session.output.write(help.text(of: command))
                break
            }
            let arguments = try Arguments(rest, of: command)
            try session.apply(arguments)
            return try command.run(arguments, session)
        }
        return .success
    }

    private static func command(named name: String) throws(ToolError) -> Command {
        if let command = commands.first(where: { $0.name == name }) { return command }
        if name.hasPrefix("-") {
            throw ToolError(
                .usage, "“\(name)” is an option, but the command is missing: archivetool COMMAND \(name)")
        }
        let hint =
            nearest(to: name, among: commands.map(\.name) + ["help"]).map { "; did you mean “\($0)”?" }
            ?? "; “archivetool --help” lists the commands"
        throw ToolError(.usage, "There is no command “\(name)”\(hint)")
    }
}
