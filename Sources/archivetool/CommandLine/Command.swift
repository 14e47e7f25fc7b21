// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A command of the tool.
struct Command: Sendable {
    let name: String
    let summary: String
    var operands: [Operand] = []
    /// Its own options, without those of all commands (`Option.common`).
    var options: [Option] = []
    /// Paragraphs of the help. Indented lines are not wrapped.
    let discussion: String
    var examples: [Example] = []
    let run: @Sendable (Arguments, Session) throws -> ExitStatus

    struct Operand: Sendable {
        let name: String
        let help: String
        var isFile = false
        var isOptional = false
        /// Whether any number of them may be given, which only the last operand allows.
        var isRepeated = false

        static let input = Operand(
            name: "FILE", help: "The file to read; “-”, or nothing, for standard input.", isFile: true, isOptional: true
        )
    }

    struct Example: Sendable {
        let line: String
        let help: String

        init(_ line: String, _ help: String) {
            self.line = line
            self.help = help
        }
    }

    /// The synopsis: `archivetool show [OPTIONS] [FILE]`.
    var usage: String {
        var words = ["archivetool", name, "[OPTIONS]"]
        for operand in operands {
            let word = operand.isRepeated ? operand.name + "..." : operand.name
            words.append(operand.isOptional ? "[\(word)]" : word)
        }
        return words.joined(separator: " ")
    }

    var allOptions: [Option] { options + Option.common }
}

enum ExitStatus: Int32, Sendable {
    case success = 0
    /// Damage that `check` found, differences, conflicts, or no hit of `find`.
    case found = 1
    /// The command line is wrong.
    case usage = 2
    /// The input cannot be read, or is of the wrong kind.
    case unreadable = 3
    case unwritable = 4
}

/// An error with a sentence for the user.
struct ToolError: Error {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }
}
