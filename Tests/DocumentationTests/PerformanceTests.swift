import Archiving
import Foundation
import Testing

/// The code of the catalog's article on performance, as it stands there.
@Suite("The article on performance")
struct PerformanceTests {
    @Test("packs numbers that differ")
    func packing() throws {
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

    @Test("decodes a part")
    func parts() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).archive")
        defer { try? FileManager.default.removeItem(at: url) }
        try ArchiveEncoder().encode(Document(), to: url)
        let archive = try KeyedArchive(contentsOf: url)
        let title = archive.root["title"]?.string
        let section = try archive.root["sections"]?[3].decode(Section.self)
        #expect(title == "Poems")
        #expect(section == Section(number: 3))
    }
}
