// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// One of the example programs.
enum ExampleProgram: String {
    case items
    case creatures
    case bookcase

    /// Runs it in `folder`, which is its user's folder and that for temporary files as well.
    func run(_ arguments: [String], in folder: TemporaryFolder) throws -> Program.Run {
        let program = try #require(Program.built(rawValue))
        let path = folder.url.path
        return try program.run(
            arguments, environment: ["HOME": path, "CFFIXED_USER_HOME": path, "TMPDIR": path])
    }
}

extension Program.Run {
    /// A run that printed these lines, and had nothing to complain about.
    init(lines: [String]) {
        self.init(ending: .exit(0), bytes: Data(lines.map { $0 + "\n" }.joined().utf8))
    }
}

extension TemporaryFolder {
    /// Runs `items` with these arguments.
    func items(_ arguments: String...) throws -> Program.Run { try ExampleProgram.items.run(arguments, in: self) }

    /// Runs `creatures` with these arguments.
    func creatures(_ arguments: String...) throws -> Program.Run {
        try ExampleProgram.creatures.run(arguments, in: self)
    }

    /// Runs `bookcase` with these arguments.
    func bookcase(_ arguments: String...) throws -> Program.Run {
        try ExampleProgram.bookcase.run(arguments, in: self)
    }

    /// Writes an archive that is made by hand: what is at the top, and the objects behind `$null`.
    func write(
        _ path: String, top: PropertyList = ["root": .uid(1)], _ objects: PropertyList...,
        format: PropertyListFormat = .binary
    ) throws {
        try FileManager.default.createDirectory(
            at: self[path].deletingLastPathComponent(), withIntermediateDirectories: true)
        try handmadeArchive(top: top, objects: objects, format: format).write(to: self[path])
    }
}
