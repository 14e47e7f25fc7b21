// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

@testable import archivetool

/// `archivetool`, as a process or within this one.
enum Tool {
    static var program: Program {
        get throws { try #require(Program.built("archivetool")) }
    }

    /// No properties of the terminal in which the tests run.
    static let environment: [String: String?] = ["NO_COLOR": nil, "COLUMNS": nil]

    /// Runs the program.
    static func run(_ arguments: String..., input: Data = Data()) throws -> Program.Run {
        try run(arguments, input: input)
    }

    /// Runs the program.
    static func run(_ arguments: [String], input: Data = Data()) throws -> Program.Run {
        try program.run(arguments, input: input, environment: environment, seconds: 300)
    }

    /// Runs a command line of the shell, for which `$1` is the program.
    static func shell(_ line: String, input: Data) throws -> Program.Run {
        try Program.shell.run(["-c", line, "sh", program.path], input: input, environment: environment, seconds: 300)
    }

    /// Runs the program with a stack of 1 MB, an eighth of the usual one, so that recursion is found in smaller files.
    static func runWithSmallStack(_ arguments: [String], input: Data) throws -> Program.Run {
        try shell("ulimit -s 1024; exec \"$1\" " + arguments.map { "'\($0)'" }.joined(separator: " "), input: input)
    }

    /// Runs a command line in this process, which takes a hundredth of the time. There is no standard input.
    static func inProcess(_ arguments: [String], surroundings: Session.Surroundings = .init()) -> Program.Run {
        var bytes: [UInt8] = []
        let errors = LockedText()
        let session = Session(output: Output { bytes += $0 }, surroundings: surroundings) { errors.append($0) }
        let status = ArchiveTool.run(arguments, in: session)
        return Program.Run(ending: .exit(status.rawValue), bytes: Data(bytes), errors: errors.text)
    }

    /// Runs a command in this process for a file that has these contents.
    static func inProcess(_ command: String, on contents: Data, _ options: [String] = []) throws -> Program.Run {
        try TemporaryFolder.with { try inProcess([command, $0.write(contents)] + options) }
    }

    /// Compares two files that have these contents, in this process.
    static func differences(_ left: Data, _ right: Data, _ options: [String]) throws -> Program.Run {
        try TemporaryFolder.with { folder in
            try inProcess(["diff", folder.write(left, to: "left"), folder.write(right, to: "right")] + options)
        }
    }

    /// The bytes of all rows in what `stats --json` writes.
    static func byteCount(ofRowsIn statistics: [String: Any]) -> Int {
        var sum = 0
        for table in ["byClass", "byKind", "parts"] {
            let rows = statistics[table] as? [[String: Any]] ?? []
            for row in rows { sum += row["bytes"] as? Int ?? 0 }
        }
        return sum
    }
}

/// Conversions of files of the corpus, which several suites use. Each is made once.
actor Conversions {
    static let shared = Conversions()

    private var runs: [String: Program.Run] = [:]

    /// What `convert --to` writes for the file `name` of the corpus.
    func run(_ name: String, to form: String) throws -> Program.Run {
        if let known = runs[name + " " + form] { return known }
        let run = Tool.inProcess(["convert", "--to", form, try Corpus.url(name).path])
        runs[name + " " + form] = run
        return run
    }
}

/// A text that several threads may write to.
final class LockedText: @unchecked Sendable {
    private let lock = NSLock()
    private var content = ""

    var text: String { lock.withLock { content } }

    func append(_ text: String) { lock.withLock { content += text } }
}

extension TemporaryFolder {
    /// Writes `list` to the file `name`, and gives its path.
    func write(
        _ list: PropertyList, format: PropertyListFormat = .binary, to name: String = "list.plist"
    ) throws -> String {
        try write(list.data(format: format), to: name)
    }
}
