/// Finds the command that a command line names, and runs it.
struct CommandLineInterface {
    let commands: [Command]

    /// Runs the command that `words` begin with.
    ///
    /// - Throws: `ToolError`, and whatever the command throws.
    func run(_ words: [String], in session: Session) throws -> ExitStatus {
        let help = Help(commands: commands, width: session.helpWidth)
        guard let first = words.first else {
            session.writeError(help.overview)
            return .usage
        }
        switch first {
        case "-h", "--help":
            session.output.write(help.overview)
        case "--version":
            session.output.write("archivetool \(ArchiveTool.version)\n")
        case "help":
            guard let name = words.dropFirst().first, name != "help" else {
                session.output.write(help.overview)
                break
            }
            session.output.write(help.text(of: try command(named: name)))
        default:
            let command = try command(named: first)
            let rest = Array(words.dropFirst())
            // Help is given whatever else is wrong with the line.
            if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "-h" || $0 == "--help" }) {
                session.output.write(help.text(of: command))
                break
            }
            let arguments = try Arguments(rest, of: command)
            try arguments.checkOperands(of: command)
            try session.apply(arguments)
            return try command.run(arguments, session)
        }
        return .success
    }

    private func command(named name: String) throws(ToolError) -> Command {
        if let command = commands.first(where: { $0.name == name }) { return command }
        if name.hasPrefix("-") {
            throw ToolError(
                .usage,
                "“\(name)” stands where a command should be; options follow the command: archivetool COMMAND \(name)")
        }
        let hint =
            nearest(to: name, among: commands.map(\.name) + ["help"]).map { "; did you mean “\($0)”?" }
            ?? "; “archivetool --help” lists the commands"
        throw ToolError(.usage, "There is no command “\(name)”\(hint)")
    }
}
