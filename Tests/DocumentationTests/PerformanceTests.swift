// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// The code of the catalog's article on performance, unchanged.
@Suite(.inTurn)
struct `The article on performance` {
    @Test func `says that an archive is smaller than JSON where long strings repeat`() throws {
        let texts = Array(repeating: String(repeating: "text", count: 100), count: 100)
        #expect(try ArchiveEncoder().encode(texts).count < JSONEncoder().encode(texts).count)
    }

    @Test func `packs numbers that differ`() throws {
        let samples = (0..<1000).map { Double($0).squareRoot() }
        var encoder = ArchiveEncoder()
        encoder.numericArrays = .packed
        let data = try encoder.encode(samples)
        #expect(data.count < (try ArchiveEncoder().encode(samples)).count)
        #expect(try ArchiveDecoder().decode([Double].self, from: data) == samples)
    }

    private struct Section: Codable, Equatable {
        var number: Int
    }

    private struct Document: Codable {
        var title = "Poems"
        var sections = (0..<10).map { Section(number: $0) }
    }

    @Test func `decodes a part`() throws {
        try TemporaryFolder.with { folder in
            let url = folder["document"]
            try ArchiveEncoder().encode(Document(), to: url)
            let archive = try KeyedArchive(contentsOf: url)
            let title = archive.root["title"]?.string
            let section = try archive.root["sections"]?[3].decode(Section.self)
            #expect(title == "Poems")
            #expect(section == Section(number: 3))
        }
    }
}
