import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where a file goes that a command has changed: to the output, or in the place of the one that was read.
struct Destination {
    static let inPlace = Option(
        name: "in-place", letter: "i", help: "Replace FILE, as a whole. It keeps its permissions.")

    private let file: String
    private let session: Session
    private let isInPlace: Bool

    /// - Throws: `ToolError` where the command line names two places, or none that can be replaced.
    init(_ arguments: Arguments, in session: Session) throws(ToolError) {
        file = arguments.operands[0]
        self.session = session
        isInPlace = arguments.has(Self.inPlace)
        guard isInPlace else { return }
        if file == "-" { throw ToolError(.usage, "--in-place replaces FILE, and “-” is none; use --output") }
        if arguments.has(.output) {
            throw ToolError(.usage, "--in-place and --output both say where the result goes; give one of them")
        }
    }

    /// Writes `bytes`. A file is replaced when all is written, and not at all where that fails.
    func write(_ bytes: Data, isBinary: Bool) throws {
        if isInPlace {
            try session.output.redirect(to: file)
        } else if isBinary {
            try session.checkBinaryOutput()
        }
        session.output.write(bytes: bytes)
    }
}
