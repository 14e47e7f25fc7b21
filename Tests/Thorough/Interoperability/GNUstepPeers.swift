// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// GNUstep's keyed archiver and unarchiver, in two small programs: see CONTRIBUTING.md.
enum GNUstepPeers {
    static let folder = Repository.folder("ARCHIVING_GNUSTEP_PEERS", or: ".build/gnustep-peers")

    private static func run(_ name: String, _ path: String) throws -> Program.Run {
        let run = try Program(path: #require(folder).appending(path: name).path).run([path])
        try #require(run.status == 0, "\(run.output)\(run.errors)")
        return run
    }

    /// What GNUstep's unarchiver finds at the root of `archive`, with a space for line ends and what they are indented by.
    static func read(_ archive: Data) throws -> String {
        let text = try TemporaryFolder.with { try run("peer_read", $0.write(archive)).output }
        return text.split { $0.isWhitespace }.joined(separator: " ")
    }

    /// The archives that GNUstep's archiver writes, by name.
    private static let written = Result {
        try TemporaryFolder.with { folder in
            _ = try run("peer_write", folder.url.path)
            let files = try folder.names().map { ($0, try Data(contentsOf: folder[$0])) }
            return Dictionary(uniqueKeysWithValues: files)
        }
    }

    /// The archive `name` that GNUstep's archiver writes.
    static func archive(_ name: String) throws -> Data {
        let archives = try written.get()
        return try #require(archives[name], "peer_write wrote \(archives.keys.sorted())")
    }
}

extension Need {
    /// GNUstep's programs.
    static let gnustep = Need(
        "gnustep", "scripts/install-peers builds it, or set ARCHIVING_GNUSTEP_PEERS to the folder of its programs"
    ) { GNUstepPeers.folder != nil }
}
