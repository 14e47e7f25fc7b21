import Archiving
import FileFaultContent
import Foundation
import Testing

/// A folder of its own for each test.
struct FaultFolder {
    let url: URL

    /// Gives `body` a folder, which is removed with everything in it.
    static func with<Result>(_ body: (FaultFolder) throws -> Result) throws -> Result {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("file-faults-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        chmod(url.path, 0o755)
        defer {
            chmod(url.path, 0o755)
            try? FileManager.default.removeItem(at: url)
        }
        return try body(FaultFolder(url: url))
    }

    /// The address of the file, or whatever else, called `name`.
    subscript(name: String) -> URL { url.appendingPathComponent(name) }

    /// The names of all that is in the folder, sorted.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }
}

/// What the system says of the file at a path, of a link itself.
struct FileFacts: Equatable {
    let mode: mode_t
    let user: uid_t
    let group: gid_t
    let kind: mode_t

    init(_ url: URL) throws {
        var info = stat()
        guard lstat(url.path, &info) == 0 else { throw CocoaError(.fileReadNoSuchFile) }
        mode = info.st_mode & 0o7777
        kind = info.st_mode & S_IFMT
        user = info.st_uid
        group = info.st_gid
    }
}

extension URL {
    /// Writes the version `version` here.
    func write(version: Int) throws { try ArchiveEncoder().encode(VersionedContent(version: version), to: self) }

    /// The version that is here, all of it; -1 where it is not what was written.
    var version: Int {
        get throws {
            let content = try ArchiveDecoder().decode(VersionedContent.self, from: self)
            return content.isWhole ? content.version : -1
        }
    }

    /// Gives the file, or what a link leads to, the permissions `mode`.
    func setMode(_ mode: mode_t) throws {
        guard chmod(path, mode) == 0 else { throw CocoaError(.fileWriteNoPermission) }
    }
}

/// The error of Cocoa that `body` throws.
func cocoaError(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) throws -> CocoaError {
    let error = try #require(throws: (any Error).self, sourceLocation: sourceLocation) { try body() }
    return try #require(error as? CocoaError, "\(error)", sourceLocation: sourceLocation)
}
