import Archiving
import Foundation
import Testing

@testable import archivetool

/// What `archivetool` wrote, and how it ended.
struct ToolRun {
    /// The exit status; -1 where a signal ended it.
    let status: Int32
    let bytes: Data
    let errors: String

    /// Standard output as text.
    var output: String { String(decoding: bytes, as: UTF8.self) }

    /// The program, which is built with the tests; nil where it cannot be found.
    static let program: URL? = {
        var places = [URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath(), Bundle.main.bundleURL]
        places += CommandLine.arguments.map { URL(fileURLWithPath: $0) }
        places += Bundle.allBundles.map(\.bundleURL)
        for place in places where place.path.contains("/.build") || place.path.contains(".xctest") {
            var folder = place.deletingLastPathComponent()
            for _ in 0..<4 {
                let program = folder.appendingPathComponent("archivetool")
                if FileManager.default.isExecutableFile(atPath: program.path) { return program }
                folder.deleteLastPathComponent()
            }
        }
        return nil
    }()

    /// Runs the program as a process.
    ///
    /// - Parameters:
    ///   - input: What is on its standard input.
    ///   - environment: Variables that it gets besides those of the tests.
    init(_ arguments: String..., input: Data = Data(), environment: [String: String] = [:]) throws {
        try self.init(arguments: arguments, input: input, environment: environment)
    }

    /// Runs the program as a process.
    init(arguments: [String], input: Data = Data(), environment: [String: String] = [:]) throws {
        self = try Scratch.with { folder in
            // Files instead of pipes, which somebody would have to read all the time.
            try input.write(to: folder["input"])
            for name in ["output", "errors"] { try Data().write(to: folder[name]) }
            let process = Process()
            let program: URL = try #require(Self.program, "The program archivetool is not beside the tests")
            process.executableURL = program
            process.arguments = arguments
            var variables = ProcessInfo.processInfo.environment
            // A program that crashes is a failed test. What it was doing is found without taking a minute here.
            variables["SWIFT_BACKTRACE"] = "enable=no"
            for name in ["NO_COLOR", "COLUMNS"] { variables[name] = nil }
            process.environment = variables.merging(environment) { $1 }
            process.standardInput = try FileHandle(forReadingFrom: folder["input"])
            process.standardOutput = try FileHandle(forWritingTo: folder["output"])
            process.standardError = try FileHandle(forWritingTo: folder["errors"])
            try process.run()
            process.waitUntilExit()
            return ToolRun(
                status: process.terminationReason == .exit ? process.terminationStatus : -1,
                bytes: try Data(contentsOf: folder["output"]),
                errors: String(decoding: try Data(contentsOf: folder["errors"]), as: UTF8.self))
        }
    }

    private init(status: Int32, bytes: Data, errors: String) {
        self.status = status
        self.bytes = bytes
        self.errors = errors
    }

    /// Runs a command line in this process, which takes a hundredth of the time. There is no standard input.
    static func inProcess(_ arguments: [String], surroundings: Session.Surroundings = .init()) -> ToolRun {
        var bytes: [UInt8] = []
        let errors = LockedText()
        let session = Session(output: Output { bytes += $0 }, surroundings: surroundings) { errors.append($0) }
        let status = ArchiveTool.run(arguments, in: session)
        return ToolRun(status: status.rawValue, bytes: Data(bytes), errors: errors.text)
    }
}

/// A text that several threads may write to.
final class LockedText: @unchecked Sendable {
    private let lock = NSLock()
    private var content = ""

    var text: String { lock.withLock { content } }

    func append(_ text: String) { lock.withLock { content += text } }
}

/// A folder of its own for a test.
struct Scratch {
    let url: URL

    /// Gives `body` a folder, which is removed with everything in it.
    static func with<Result>(_ body: (Scratch) throws -> Result) throws -> Result {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("archivetool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        return try body(Scratch(url: url))
    }

    /// The address of the file called `name`.
    subscript(name: String) -> URL { url.appendingPathComponent(name) }

    /// Writes `list` to the file `name`, and gives its path.
    func write(_ list: PropertyList, format: PropertyListFormat = .binary, to name: String = "list.plist") throws
        -> String
    {
        try write(list.data(format: format), to: name)
    }

    /// Writes `data` to the file `name`, and gives its path.
    func write(_ data: Data, to name: String = "file") throws -> String {
        try data.write(to: self[name])
        return self[name].path
    }

    /// The names of all that is in the folder, sorted.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }
}
