// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A string where a URL is expected` {
    private struct Bookmark: Codable, Equatable {
        var page: URL
        var others: [URL] = []
        var icon: URL?
    }

    @Test(arguments: ["https://example.org/a?b=c#d", "file:///tmp/a%20b", "relative/path", "mailto:a@b.c"])
    func `is read as one, as UUIDs are`(text: String) throws {
        let data = try ArchiveEncoder().encode(["page": text, "icon": text])
        struct Page: Decodable { var page: URL, icon: URL? }
        let page = try ArchiveDecoder().decode(Page.self, from: data)
        #expect(page.page == URL(string: text) && page.icon == page.page)
        #expect(
            try ArchiveDecoder().decode([URL].self, from: ArchiveEncoder().encode([text, text])) == [
                page.page, page.page,
            ])
        #expect(try ArchiveDecoder().decode(URL.self, from: ArchiveEncoder().encode(text)) == page.page)
        let unarchiver = try unarchiver { $0.encode(text, forKey: "page") }
        #expect(try unarchiver.decode(URL.self, forKey: "page") == page.page)
    }

    @Test func `is read as one from an NSMutableString`() throws {
        let data = try handmadeArchive(
            ["NS.string": "https://example.org", "$class": .uid(2)], classEntry("NSMutableString"))
        #expect(try ArchiveDecoder().decode(URL.self, from: data) == URL(string: "https://example.org"))
    }

    @Test func `that is none is an error, which quotes it`() throws {
        let error = try failure(decoding: [String: URL].self, fromArchiveOf: ["page": "http://[::1"])
        #expect(error.kind == .dataCorrupted && error.path == "page" && error.says("http://[::1"))
        #expect(try failure(decoding: [URL].self, fromArchiveOf: [5]).kind == .typeMismatch)
    }

    @Test func `does not change what is written`() throws {
        let bookmark = Bookmark(page: try #require(URL(string: "https://example.org")))
        #expect(try archiveText(bookmark).contains("page: NSURL{"))
        #expect(try roundTrip(bookmark) == bookmark)
    }
}
