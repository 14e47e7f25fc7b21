import Foundation

/// Where this package lies, and what else may be on this machine.
enum Surroundings {
    static let packageRoot = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder that the variable names, or the first of `folders`, in the package's own, that is there; nil where
    /// there is none.
    static func folder(_ variable: String, or folders: String...) -> URL? {
        if let path = ProcessInfo.processInfo.environment[variable] { return existing(URL(filePath: path)) }
        return folders.lazy.compactMap { existing(packageRoot.appending(path: $0)) }.first
    }

    private static func existing(_ url: URL) -> URL? {
        FileManager.default.fileExists(atPath: url.path) ? url.standardizedFileURL : nil
    }

    /// The program of that name in the search path; nil where there is none.
    static func program(_ name: String) -> URL? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map { URL(filePath: String($0)).appending(path: name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}

/// What a program wrote to its standard output and error.
struct ProgramOutput {
    let status: Int32
    let text: String

    /// Runs the program to its end.
    init(_ program: URL, _ arguments: String...) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }
}

/// A folder that is there as long as `body` runs.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "archiving-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}
