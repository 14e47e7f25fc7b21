// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import FileFaultContent
import Foundation
import TestSupport
import Testing

extension TemporaryFolder {
    /// Gives `body` a folder in which the file "archive" has the version 1.
    static func withArchive(_ body: (TemporaryFolder, URL) throws -> Void) throws {
        try with { folder in
            try folder["archive"].write(version: 1)
            try body(folder, folder["archive"])
        }
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

    /// Sets the permissions of the file, or of the target of a link, to `mode`.
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
