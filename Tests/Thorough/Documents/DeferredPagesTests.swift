// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A deferred property of a large file` {
    private struct Sheet<Part: Codable & Emptiable>: Codable {
        var name = "Sheet"
        @Deferred var part: Part
    }

    private static let size = 4 << 20

    /// Loads a part of a file in which another program has overwritten a byte of it since the file was opened: an error, as
    /// it was not read before.
    private func expectError<Part: Codable & Emptiable & Equatable>(_ part: Part) throws {
        try TemporaryFolder.with { folder in
            let url = folder["sheet"]
            try ArchiveEncoder().encode(Sheet(part: part), to: url)
            #expect(try KeyedArchive(contentsOf: url).isLoadedByPage)
            let sheet = try ArchiveDecoder().decode(Sheet<Part>.self, from: url)
            #expect(sheet.name == "Sheet")
            let place = try #require(try Data(contentsOf: url).firstRange(of: Data(repeating: 1, count: 1000)))
            // Longer than the resolution of file times.
            usleep(20_000)
            let file = try FileHandle(forUpdating: url)
            try file.seek(toOffset: UInt64(place.lowerBound + Self.size / 2))
            try file.write(contentsOf: Data([2]))
            try file.close()
            #expect(throws: DecodingError.self) { try sheet.$part.load() }
            #expect(sheet.part == Part() && !sheet.$part.isLoaded)
        }
    }

    @Test func `is read when it is loaded, if it is an array`() throws {
        try expectError([Data(repeating: 1, count: Self.size)])
    }

    @Test func `is read when it is loaded, if it is data`() throws {
        try expectError(Data(repeating: 1, count: Self.size))
    }

    @Test func `is read when it is loaded, if it is a string`() throws {
        try expectError(String(repeating: "\u{1}", count: Self.size))
    }
}
