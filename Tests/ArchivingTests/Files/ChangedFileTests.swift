// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// No file is mapped into memory, so that one which another program changes is at worst a damaged archive.
@Suite(.inTurn)
struct `A file that changes after an archive of it was opened` {
    /// An archive of some 2 MB whose parts are read page by page.
    private static func open(_ body: (KeyedArchive, URL) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let texts = (0..<20_000).map { String(repeating: "\($0) ", count: 16) }
            try ArchiveEncoder().encode(texts, to: folder["archive"])
            let archive = try KeyedArchive(contentsOf: folder["archive"])
            #expect(archive.isLoadedByPage)
            try body(archive, folder["archive"])
        }
    }

    @Test func `by becoming shorter gives errors`() throws {
        try Self.open { archive, url in
            #expect(truncate(url.path, 4096) == 0)
            #expect(throws: DecodingError.self) { try archive.root.decode([String].self) }
        }
    }

    @Test func `by being written to gives errors or other values`() throws {
        try Self.open { archive, url in
            let size = try Data(contentsOf: url).count
            let handle = try FileHandle(forWritingTo: url)
            try handle.write(contentsOf: Data(repeating: 0xFF, count: size))
            try handle.close()
            #expect(throws: DecodingError.self) { try archive.root.decode([String].self) }
        }
    }

    @Test func `by being replaced goes on as it was`() throws {
        try Self.open { archive, url in
            try ArchiveEncoder().encode(["another"], to: url)
            let texts = try archive.root.decode([String].self)
            #expect(texts.count == 20_000)
            #expect(texts.last == String(repeating: "19999 ", count: 16))
        }
    }
}
