/// A command of the tool: what it is called, what it takes, what its help says, and what it does.
struct Command: Sendable {
    /// The word after `archivetool`.
    let name: String
    /// One line, for the list of commands.
    let summary: String
    /// What it takes besides options, in order.
    var operands: [Operand] = []
    /// Its own options. Those that all commands have are in `Option.common`.
    var options: [Option] = []
    /// Paragraphs of help, divided by empty lines. Lines that are indented stay as they are.
    let discussion: String
    /// What people would do with it.
    var examples: [Example] = []
    /// Does it.
    let run: @Sendable (Arguments, Session) throws -> ExitStatus

    /// Something that is given by its place on the command line.
    struct Operand: Sendable {
        let name: String
        let help: String
        var isOptional = false
        /// Whether any number may be given. Only the last operand may be so.
        var isRepeated = false

        /// The file that a command reads; without it, or with `-`, standard input.
        static let input = Operand(
            name: "FILE", help: "The file to read; “-”, or nothing, for standard input.", isOptional: true)
    }

    /// A command line, and what it does.
    struct Example: Sendable {
        let line: String
        let help: String

        init(_ line: String, _ help: String) {
            self.line = line
            self.help = help
        }
    }

    /// The command line in short: `archivetool show [OPTIONS] [FILE]`.
    var usage: String {
        var words = ["archivetool", name, "[OPTIONS]"]
        for operand in operands {
            let word = operand.isRepeated ? operand.name + "..." : operand.name
            words.append(operand.isOptional ? "[\(word)]" : word)
        }
        return words.joined(separator: " ")
    }

    /// All options that it takes.
    var allOptions: [Option] { options + Option.common }
}

/// How a run ended, which the shell sees as the exit status.
enum ExitStatus: Int32, Sendable {
    /// All is well.
    case success = 0
    /// There is damage, or a difference, or nothing that was to be found.
    case found = 1
    /// The command line says something that cannot be done.
    case usage = 2
    /// The input cannot be read, or is not what it has to be.
    case unreadable = 3
    /// The output cannot be written.
    case unwritable = 4
}

/// Why a command cannot do what it was asked for: a sentence that says what was found, where, and what to do.
struct ToolError: Error {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }
}
