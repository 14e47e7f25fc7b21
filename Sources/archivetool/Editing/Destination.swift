// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The destination of a changed file: the output, or the file that was read.
struct Destination {
    static let inPlace = Option(
        name: "in-place", letter: "i", help: "Replace FILE as a whole. It keeps its permissions.")

    private let file: String
    private let session: Session
    private let isInPlace: Bool

    /// - Throws: `ToolError` if the command line names two destinations, or one that cannot be replaced.
    init(_ arguments: Arguments, in session: Session) throws(ToolError) {
        file = arguments.operands[0]
        self.session = session
        isInPlace = arguments.has(Self.inPlace)
        guard isInPlace else { return }
        if file == "-" { throw ToolError(.usage, "--in-place replaces FILE, and “-” is none; use --output") }
        if arguments.has(.output) {
            throw ToolError(.usage, "--in-place and --output are two destinations; give one of them")
        }
    }

    func write(_ bytes: Data, isBinary: Bool) throws {
        if isInPlace {
            try session.output.redirect(to: file)
        } else if isBinary {
            try session.checkBinaryOutput()
        }
        session.output.write(bytes: bytes)
    }
}

extension Session {
    func checkBinaryOutput() throws(ToolError) {
        guard surroundings.isOutputTerminal else { return }
        throw ToolError(
            .usage, "Binary data is not written to a terminal; name a file with --output, or pipe it to a program")
    }
}
