import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A deferred property of a large file` {
    private struct Sheet<Part: Codable & DeferredContent>: Codable {
        var name = "Sheet"
        @Deferred var part: Part
    }

    private static let size = 4 << 20

    /// What is loaded of a part that is full of the byte 1, if the file has got the byte 2 since it was opened: both, if it was
    /// read afterwards.
    private func loaded<Part: Codable & DeferredContent>(_ part: Part) throws -> Part {
        try TemporaryFolder.with { folder in
            let url = folder["sheet"]
            try ArchiveEncoder().encode(Sheet(part: part), to: url)
            #expect(try KeyedArchive(contentsOf: url).isLoadedByPage)
            let sheet = try ArchiveDecoder().decode(Sheet<Part>.self, from: url)
            #expect(sheet.name == "Sheet")
            let place = try #require(try Data(contentsOf: url).firstRange(of: Data(repeating: 1, count: 1000)))
            let file = try FileHandle(forUpdating: url)
            try file.seek(toOffset: UInt64(place.lowerBound + Self.size / 2))
            try file.write(contentsOf: Data([2]))
            try file.close()
            return sheet.part
        }
    }

    @Test func `is read when it is loaded, if it is an array`() throws {
        #expect(Set(try loaded([Data(repeating: 1, count: Self.size)])[0]) == [1, 2])
    }

    @Test func `is read when it is loaded, if it is data`() throws {
        #expect(Set(try loaded(Data(repeating: 1, count: Self.size))) == [1, 2])
    }

    @Test func `is read when it is loaded, if it is a string`() throws {
        #expect(Set(try loaded(String(repeating: "\u{1}", count: Self.size)).utf8) == [1, 2])
    }
}
