// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder that a test has for itself.
package struct TemporaryFolder: Sendable {
    package let url: URL

    /// Passes `body` a folder, which is removed afterwards with its contents. All users may read it, and only its owner may write
    /// to it.
    package static func with<Result>(_ body: (TemporaryFolder) throws -> Result) throws -> Result {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        return try body(folder)
    }

    /// The same for what has to wait.
    ///
    /// - Parameter isInMemory: Whether the folder is in memory, if the system has such folders: then a test with thousands of files does
    ///   not wait for the disk.
    package static func with<Result>(
        isInMemory: Bool = false, isolation: isolated (any Actor)? = #isolation,
        _ body: (TemporaryFolder) async throws -> Result
    ) async throws -> Result {
        let memory = "/dev/shm"
        let isUsed = isInMemory && FileManager.default.isWritableFile(atPath: memory)
        let folder = try TemporaryFolder(
            in: isUsed ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory)
        defer { folder.remove() }
        return try await body(folder)
    }

    private init(in parent: URL = FileManager.default.temporaryDirectory) throws {
        url = parent.appending(path: "archiving-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        chmod(url.path, 0o755)
    }

    private func remove() {
        chmod(url.path, 0o755)
        try? FileManager.default.removeItem(at: url)
    }

    /// The address of the file, or of what else is at a path in the folder.
    package subscript(path: String) -> URL { url.appending(path: path) }

    /// The names of all that is in the folder, or in one below it, sorted.
    package func names(in folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: self[folder].path).sorted()
    }

    /// Writes `data` to the file `name`, and gives its path.
    package func write(_ data: Data, to name: String = "file") throws -> String {
        try data.write(to: self[name])
        return self[name].path
    }
}
