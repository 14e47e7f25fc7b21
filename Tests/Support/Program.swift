// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A program that is run by tests: one of this package, or another on this machine.
///
/// Every process of the tests is started here, and all that waits for one has a limit. Foundation's `Process` is not used:
/// it takes ten times as long to start a program, and some never end for it if many tests use it at once.
package struct Program: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// The shell, for command lines and scripts.
    package static let shell = Program(path: "/bin/sh")

    /// A program that SwiftPM builds with the tests; nil if it is not beside them.
    package static func built(_ name: String) -> Program? {
        folders.map { $0.appending(path: name).path }.first(where: FileManager.default.isExecutableFile)
            .map(Program.init)
    }

    /// The folder of the modules that SwiftPM builds with the tests; nil if it is not beside them.
    package static let modules: String? = folders.map { $0.appending(path: "Modules").path }
        .first { FileManager.default.fileExists(atPath: "\($0)/Archiving.swiftmodule") }

    /// The object files of the libraries, of which SwiftPM links the tests.
    package static func libraryObjects() throws -> [String] {
        let lists = folders.flatMap { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.filter { $0.hasSuffix("PackageTests.product") }.map {
                folder.appending(path: "\($0)/Objects.LinkFileList")
            }
        }
        guard let list = lists.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
            throw NotStarted(program: "swiftc, without the list of objects of the tests", number: ENOENT)
        }
        // The target of the libraries that is no product is linked with them.
        let libraries = Set((try Repository.libraries() + ["TreeOutput"]).map { "\($0).build" })
        return try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init).filter {
            libraries.contains(URL(filePath: $0).deletingLastPathComponent().lastPathComponent)
        }
    }

    /// Where the tests are, and the folders around them.
    private static let folders: [URL] = {
        var places = [URL(filePath: "/proc/self/exe").resolvingSymlinksInPath(), Bundle.main.bundleURL]
        places += CommandLine.arguments.map { URL(filePath: $0) }
        #if canImport(Darwin)  // the tests are a bundle that another program loads
            places += Bundle.allBundles.map(\.bundleURL)
        #endif
        var folders: [URL] = []
        for place in places where place.path.contains("/.build") || place.path.contains(".xctest") {
            var folder = place
            for _ in 0..<4 {
                folder.deleteLastPathComponent()
                if !folders.contains(folder) { folders.append(folder) }
            }
        }
        return folders
    }()

    /// The program of that name in the search path; nil if there is none.
    package static func installed(_ name: String) -> Program? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile).map(Program.init)
    }

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - input: What is on its standard input.
    ///   - folder: Its working folder; nil for that of the tests.
    ///   - environment: Variables that it gets besides those of the tests; nil removes one.
    ///   - seconds: The time that it has. It is killed then, and the error has its command and what it wrote.
    package func run(
        _ arguments: [String], input: Data = Data(), in folder: URL? = nil, environment: [String: String?] = [:],
        seconds: Int = 120
    ) throws -> Run {
        try TemporaryFolder.with { files in
            // Files rather than pipes, since pipes would have to be read while it runs.
            try input.write(to: files["input"])
            let process = try start(
                arguments, in: folder, environment: environment,
                input: .file(files["input"]), output: .file(files["output"]), errors: .file(files["errors"]))
            let ending = process.end(within: seconds)
            let run = try Run(
                ending: ending ?? .signal(SIGKILL), bytes: Data(contentsOf: files["output"]),
                errors: String(decoding: Data(contentsOf: files["errors"]), as: UTF8.self))
            if ending == nil { throw TookTooLong(command: [path] + arguments, seconds: seconds, run: run) }
            return run
        }
    }

    /// What a program wrote, and how it ended.
    package struct Run: Equatable, Sendable {
        package let ending: ProgramEnding
        /// What it wrote to standard output.
        package let bytes: Data
        /// What it wrote to standard error.
        package let errors: String

        package init(ending: ProgramEnding, bytes: Data, errors: String = "") {
            self.ending = ending
            self.bytes = bytes
            self.errors = errors
        }

        /// The text of the standard output.
        package var output: String { String(decoding: bytes, as: UTF8.self) }

        /// The lines of the standard output that are not empty.
        package var lines: [String] {
            bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        }

        /// The exit code; of a program that a signal ended, its number, negative.
        package var status: CInt {
            switch ending {
            case .exit(let code): code
            case .signal(let number): -number
            }
        }
    }

    /// A program had to be killed, since its time was up.
    package struct TookTooLong: Error, CustomStringConvertible {
        package let command: [String]
        package let seconds: Int
        package let run: Run

        package var description: String {
            "\(command) took longer than \(seconds) s, and wrote: \(run.output.suffix(2000)) \(run.errors.suffix(2000))"
        }
    }

    package struct NotStarted: Error {
        package let program: String
        package let number: CInt
    }
}

/// How a program ended.
package enum ProgramEnding: Equatable, Sendable {
    case exit(CInt)
    case signal(CInt)
}

// MARK: - Starting

extension Program {
    /// One of a program's standard streams.
    package enum Stream {
        case nothing
        case file(URL)
        /// What it writes is read by the methods of `ProgramProcess`.
        case pipe
        case descriptor(CInt)
        /// The same as that of the tests.
        case same
    }

    /// While a program is started, no pipe is there that another would inherit: its end would not be seen before that
    /// program has ended as well.
    private static let starting = NSLock()

    /// Starts the program, and does not wait for its end.
    ///
    /// - Parameter otherEnd: Where what is written to a descriptor can be read, such as the other side of a terminal. The
    ///   process reads it as it reads a pipe, and closes it in the end.
    package func start(
        _ arguments: [String], in folder: URL? = nil, environment: [String: String?] = [:], input: Stream = .nothing,
        output: Stream, errors: Stream = .same, otherEnd: CInt? = nil
    ) throws -> ProgramProcess {
        var variables: [String: String?] = ProcessInfo.processInfo.environment
        // A program that crashes is a failed test. What it was doing is found without taking a minute here.
        variables["SWIFT_BACKTRACE"] = "enable=no"
        variables.merge(environment) { $1 }
        var command = [path] + arguments
        if let folder { command = [Self.shell.path, "-c", #"cd "$0" && exec "$@""#, folder.path] + command }
        Self.starting.lock()
        defer { Self.starting.unlock() }
        var ends: [CInt] = [-1, -1]
        let needsPipe = [output, errors].contains { if case .pipe = $0 { true } else { false } }
        if needsPipe {
            guard pipe(&ends) == 0 else { throw NotStarted(program: command[0], number: errno) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
        defer { if needsPipe { close(ends[1]) } }
        let readable = needsPipe ? ends[0] : otherEnd
        do {
            let values = variables.compactMapValues { $0 }
            let process = try Self.spawn(command, values, [input, output, errors], pipe: ends[1])
            return ProgramProcess(process, [path] + arguments, output: readable)
        } catch {
            if let readable { close(readable) }
            throw error
        }
    }

    private static func spawn(
        _ command: [String], _ variables: [String: String], _ streams: [Stream], pipe: CInt
    ) throws -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        // The threads of tasks block signals, which the program would inherit.
        var blocked = sigset_t()
        sigemptyset(&blocked)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        for (number, stream) in zip(CInt(0)..., streams) {
            let flags = number == 0 ? O_RDONLY : O_WRONLY | O_CREAT
            switch stream {
            case .nothing: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", flags, 0)
            case .file(let url): posix_spawn_file_actions_addopen(&actions, number, url.path, flags, 0o600)
            case .pipe: posix_spawn_file_actions_adddup2(&actions, pipe, number)
            case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            case .same: break
            }
        }
        let words = command.map { strdup($0) } + [nil]
        let values = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + values { free(text) } }
        var process: pid_t = 0
        let number = posix_spawn(&process, command[0], &actions, &attributes, words, values)
        guard number == 0 else { throw NotStarted(program: command[0], number: number) }
        return process
    }
}
