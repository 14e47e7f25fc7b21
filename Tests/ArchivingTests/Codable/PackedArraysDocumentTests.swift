import Archiving
import Foundation
import Testing

/// The examples of docs/packed-arrays.md, as they are printed there, and what it says.
@Suite("The document on packed arrays")
struct PackedArraysDocumentTests {
    struct Recording: Codable, Equatable {
        var title: String
        var rate: Int
        var samples: [Float]
    }

    struct Precise: Codable {
        var samples: [Double]  // was [Float]
    }

    private let recording = Recording(title: "Waves", rate: 44_100, samples: [0.5, -0.25, 1])

    private func encoded() throws -> Data {
        var encoder = ArchiveEncoder()
        encoder.numericArrays = .packed
        let data = try encoder.encode(recording)
        return data
    }

    @Test("packs and reads a recording")
    func recordings() throws {
        let data = try encoded()
        let again = try ArchiveDecoder().decode(Recording.self, from: data)
        #expect(again == recording)
        #expect(try ArchiveDecoder().decode(Precise.self, from: data).samples == [0.5, -0.25, 1])
        // What was written before is read as well.
        #expect(try ArchiveDecoder().decode(Recording.self, from: ArchiveEncoder().encode(recording)) == recording)
    }

    @Test("looks into a recording")
    func looking() throws {
        let archive = try KeyedArchive(encoded())
        #expect("\(archive.root)".contains("samples: packed 3 × Float [0.5, -0.25, 1.0]"))
        #expect(archive.root["samples"]?.kind == .data)
        let samples = try archive.root["samples"]?.decode([Float].self)
        #expect(samples == [0.5, -0.25, 1])
    }

    @Test("says how much room it takes")
    func room() throws {
        let samples = (0..<100_000).map { Float($0) / 7 }
        let long = Recording(title: "Long", rate: 1, samples: samples)
        var encoder = ArchiveEncoder()
        let objects = try encoder.encode(long).count
        encoder.numericArrays = .packed
        let packed = try encoder.encode(long).count
        #expect(2 * packed < objects)
    }
}
