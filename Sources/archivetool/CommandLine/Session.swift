import Archiving
import SequentialArchiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a command has around it: where its output goes, whether there is a terminal, and how wide that is.
final class Session {
    let output: Output
    let progress: Progress
    /// What is known of the surroundings.
    private(set) var surroundings: Surroundings
    private let writeToError: @Sendable (String) -> Void

    /// What the process finds, and tests make up.
    struct Surroundings {
        var isInputTerminal = false
        var isOutputTerminal = false
        var isErrorTerminal = false
        /// Columns of the terminal; nil where there is none.
        var columns: Int?
        /// Whether the environment asks for no colours (no-color.org).
        var asksForNoColor = false
    }

    init(output: Output, surroundings: Surroundings, writeToError: @escaping @Sendable (String) -> Void) {
        self.output = output
        self.surroundings = surroundings
        self.writeToError = writeToError
        progress = Progress(isShown: surroundings.isErrorTerminal, write: writeToError)
        output.hasColor = surroundings.isOutputTerminal && !surroundings.asksForNoColor
    }

    /// The session of this process.
    static func ofProcess() -> Session {
        var surroundings = Surroundings()
        surroundings.isInputTerminal = Platform.isTerminal(Platform.standardInput)
        surroundings.isOutputTerminal = Platform.isTerminal(Platform.standardOutput)
        surroundings.isErrorTerminal = Platform.isTerminal(Platform.standardError)
        surroundings.columns =
            Platform.environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
            ?? Platform.columns(of: Platform.standardOutput)
        surroundings.asksForNoColor =
            Platform.environment("NO_COLOR").map { !$0.isEmpty } ?? false || Platform.environment("TERM") == "dumb"
        return Session(output: Output(), surroundings: surroundings) { text in
            var text = text
            // There is no place to say that this failed.
            text.withUTF8 { try? Platform.write(UnsafeRawBufferPointer($0), to: Platform.standardError) }
        }
    }

    /// Follows the options that all commands have.
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
        switch arguments.value(.progress) {
        case "always": progress.isShown = true
        case "never": progress.isShown = false
        default: break
        }
        if surroundings.isOutputTerminal { output.willWrite = { [progress] in progress.hide() } }
    }
}

// MARK: - Widths

extension Session {
    /// The columns that pictures and tables of the output may take.
    var width: Int { min(max(surroundings.columns ?? 80, 40), 200) }

    /// The columns of help, which is hard to read in long lines.
    var helpWidth: Int { min(width, 100) }
}

// MARK: - Messages

extension Session {
    /// Writes a help text or something like it to standard error.
    func writeError(_ text: String) { writeToError(text) }

    /// Says something on standard error that is no error: what a reader of the output should know.
    func note(_ text: String) {
        progress.hide()
        writeToError("archivetool: note: " + Self.message(text) + "\n")
    }

    /// Says on standard error what went wrong, and gives the exit status for it.
    func report(_ error: any Error) -> ExitStatus {
        progress.hide()
        let tool = ToolError(describing: error)
        writeToError("archivetool: error: " + Self.message(tool.message) + "\n")
        return tool.status
    }

    /// A message on one line, without what files or command lines could do to a terminal.
    private static func message(_ text: String) -> String { VisibleText.escaped(text) }
}

extension ToolError {
    /// What any error is for whoever runs the tool.
    init(describing error: any Error) {
        switch error {
        case let error as ToolError: self = error
        case let error as KeyedArchiveError: self.init(.unreadable, error.description)
        case let error as PropertyListError: self.init(.unreadable, error.description)
        case let error as TypedStreamError: self.init(.unreadable, error.description)
        case let error as Platform.Failure: self.init(.unreadable, error.description)
        default: self.init(.unreadable, "\(error)")
        }
    }
}
