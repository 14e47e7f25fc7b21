// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// The code of the article on performance, as to packed arrays, and what else it says.
@Suite(.inTurn)
struct `The guide to packed arrays`: DocumentedOutput {
    let remarks: Set<String> = ["… samples: packed 3 × Float [0.5, -0.25, 1.0] …"]

    private let recording: Recording
    private let data: Data

    struct Precise: Codable {
        var samples: [Double]  // was [Float]
    }

    struct Recording: Codable, Equatable {
        var title: String
        var rate: Int
        var samples: [Float]
    }

    init() throws {
        let recording = Recording(title: "Waves", rate: 44_100, samples: [0.5, -0.25, 1])

        var encoder = ArchiveEncoder()
        encoder.numericArrays = .packed
        let data = try encoder.encode(recording)
        (self.recording, self.data) = (recording, data)
    }

    @Test func `packs and reads a recording`() throws {
        let again = try ArchiveDecoder().decode(Recording.self, from: data)
        #expect(again == recording)
        #expect(try ArchiveDecoder().decode(Precise.self, from: data).samples == [0.5, -0.25, 1])
        // What was written before is read as well.
        #expect(try ArchiveDecoder().decode(Recording.self, from: ArchiveEncoder().encode(recording)) == recording)
    }

    @Test func `looks into a recording`() throws {
        let archive = try KeyedArchive(data)
        print(archive.root.tree)  // … samples: packed 3 × Float [0.5, -0.25, 1.0] …
        _ = archive.root["samples"]?.kind  // .data
        let samples = try archive.root["samples"]?.decode([Float].self)
        #expect(archive.root.tree.contains("samples: packed 3 × Float [0.5, -0.25, 1.0]"))
        #expect(archive.root["samples"]?.kind == .data)
        #expect(samples == [0.5, -0.25, 1])
    }

    @Test func `says how much room it takes`() throws {
        let samples = (0..<100_000).map { Float($0) / 7 }
        let long = Recording(title: "Long", rate: 1, samples: samples)
        var encoder = ArchiveEncoder()
        let objects = try encoder.encode(long).count
        encoder.numericArrays = .packed
        let packed = try encoder.encode(long).count
        #expect(2 * packed < objects)
    }
}
