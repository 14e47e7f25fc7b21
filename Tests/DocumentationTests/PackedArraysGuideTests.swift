import Archiving
import Foundation
import Testing

struct Precise: Codable {
    var samples: [Double]  // was [Float]
}

/// The code of docs/packed-arrays.md, as it stands there; what else it says is tested in `PackedArraysDocumentTests`.
@Suite("The code of the guide to packed arrays")
struct PackedArraysGuideTests: DocumentedOutput {
    let remarks: Set<String> = ["… samples: packed 3 × Float [0.5, -0.25, 1.0] …"]

    @Test("packs and reads a recording")
    func recordings() throws {
        struct Recording: Codable, Equatable {
            var title: String
            var rate: Int
            var samples: [Float]
        }

        let recording = Recording(title: "Waves", rate: 44_100, samples: [0.5, -0.25, 1])

        var encoder = ArchiveEncoder()
        encoder.numericArrays = .packed
        let data = try encoder.encode(recording)
        let again = try ArchiveDecoder().decode(Recording.self, from: data)
        #expect(again == recording)
        #expect(try ArchiveDecoder().decode(Precise.self, from: data).samples == [0.5, -0.25, 1])
        let archive = try KeyedArchive(data)
        print(archive.root)  // … samples: packed 3 × Float [0.5, -0.25, 1.0] …
        _ = archive.root["samples"]?.kind  // .data
        let samples = try archive.root["samples"]?.decode([Float].self)
        #expect(samples == [0.5, -0.25, 1])
        #expect("\(archive.root)".contains("samples: packed 3 × Float [0.5, -0.25, 1.0]"))
    }
}
