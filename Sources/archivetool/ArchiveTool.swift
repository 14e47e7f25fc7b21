// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

// For all files of the tool: the small part of Foundation, if the platform has it.
#if canImport(FoundationEssentials)
    @_exported import FoundationEssentials
#else
    @_exported import Foundation
#endif

@main
enum ArchiveTool {
    static let version = "unreleased"

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

final class Session {
    let output: Output
    private(set) var surroundings: Surroundings
    /// How far the command is; without a terminal for errors, nothing shows it.
    let progress: Progress
    private let errors: @Sendable (String) -> Void

    struct Surroundings {
        var isInputTerminal = false
        var isOutputTerminal = false
        var columns: Int?
        /// Whether the environment disables colours (no-color.org).
        var asksForNoColor = false
    }

    init(output: Output, surroundings: Surroundings, writeToError: @escaping @Sendable (String) -> Void) {
        self.output = output
        self.surroundings = surroundings
        errors = writeToError
        let progress = Progress(columns: surroundings.columns ?? 80, write: writeToError)
        self.progress = progress
        if surroundings.isOutputTerminal { output.beforeWriting = { progress.end() } }
        output.hasColor = surroundings.isOutputTerminal && !surroundings.asksForNoColor
    }

    static func ofProcess() -> Session {
        var surroundings = Surroundings()
        surroundings.isInputTerminal = Platform.isTerminal(Platform.standardInput)
        surroundings.isOutputTerminal = Platform.isTerminal(Platform.standardOutput)
        surroundings.columns =
            Platform.environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
            ?? Platform.columns(of: Platform.standardOutput)
        surroundings.asksForNoColor =
            Platform.environment("NO_COLOR").map { !$0.isEmpty } ?? false || Platform.environment("TERM") == "dumb"
        let session = Session(output: Output(), surroundings: surroundings) { text in
            // A failure cannot be reported anywhere.
            try? Platform.write(Array(text.utf8), to: Platform.standardError)
        }
        if Platform.isTerminal(Platform.standardError), Platform.environment("TERM") != "dumb" {
            session.progress.start()
        }
        return session
    }

    func apply(_ arguments: Arguments) throws {
        if let name = arguments.value(.output), name != "-" {
            try output.redirect(to: name)
            surroundings.isOutputTerminal = false
            output.hasColor = false
        }
        switch arguments.value(.color) {
        case "always": output.hasColor = true
        case "never": output.hasColor = false
        default: break
        }
    }

    var width: Int { min(max(surroundings.columns ?? 80, 40), 200) }

    var helpWidth: Int { min(width, 100) }

    // MARK: Messages

    func writeToError(_ text: String) { progress.interrupt { errors(text) } }

    /// Writes a fact about the output to standard error.
    func note(_ text: String) { writeToError("archivetool: note: " + VisibleText.escaped(text) + "\n") }

    func report(_ error: any Error) -> ExitStatus {
        let error = ToolError(describing: error)
        writeToError("archivetool: error: " + VisibleText.escaped(error.message) + "\n")
        return error.status
    }
}

extension ToolError {
    init(describing error: any Error) {
        switch error {
        case let error as ToolError: self = error
        case let error as DamagedInput: self.init(.unreadable, error.message)
        case let error as Platform.Failure: self.init(.unreadable, error.description)
        default: self.init(.unreadable, "\(error)")
        }
    }
}
