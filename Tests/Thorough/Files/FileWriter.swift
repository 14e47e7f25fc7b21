// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The program `file-writer`, which says in lines what it does.
enum FileWriter {
    static var program: Program {
        get throws { try #require(Program.built("file-writer")) }
    }

    /// Starts it with a pipe for what it says.
    static func start(_ arguments: String..., options: [String] = []) throws -> ProgramProcess {
        try program.start(arguments + options, output: .pipe)
    }

    /// Runs it to its end.
    static func run(_ arguments: String..., options: [String] = []) throws -> Program.Run {
        try program.run(arguments + options)
    }

    /// The user and the group called "nobody", or any other without a relation to these tests.
    static let stranger: uid_t = 65534

    /// What makes the program one without rights.
    static var withoutRights: [String] { getuid() == 0 ? ["user=\(stranger)"] : [] }
}

extension Need {
    /// Only the superuser can change to another user, and make files that belong to others.
    static let superuser = Need("superuser", "run the tests as root") { getuid() == 0 }
}
