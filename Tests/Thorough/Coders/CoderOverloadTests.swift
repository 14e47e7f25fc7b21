// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `The calls of Foundation's coders` {
    /// A length that is written in a unit.
    struct Length: CodableWithConfiguration, Equatable {
        var meters: Double

        init(meters: Double) { self.meters = meters }

        init(from decoder: any Decoder, configuration metersPerUnit: Double) throws {
            meters = try decoder.singleValueContainer().decode(Double.self) * metersPerUnit
        }

        func encode(to encoder: any Encoder, configuration metersPerUnit: Double) throws {
            var container = encoder.singleValueContainer()
            try container.encode(meters / metersPerUnit)
        }
    }

    @Test func `take a configuration, as JSONEncoder does`() throws {
        let length = Length(meters: 1500)
        let json = try JSONEncoder().encode(length, configuration: 1000)
        #expect(String(decoding: json, as: UTF8.self) == "1.5")
        let data = try ArchiveEncoder().encode(length, configuration: 1000)
        #expect(try ArchiveDecoder().decode(Double.self, from: data) == 1.5)
        #expect(try ArchiveDecoder().decode(Length.self, from: data, configuration: 1000) == length)
        #expect(try ArchiveDecoder().decode(Length.self, from: data, configuration: 1) == Length(meters: 1.5))
    }

    @Test func `take configurations for files as well`() throws {
        try TemporaryFolder.with { folder in
            let url = folder.url.appendingPathComponent("length")
            let length = Length(meters: 1500)
            try ArchiveEncoder().encode(length, configuration: 500, to: url)
            #expect(try ArchiveDecoder().decode(Double.self, from: url) == 3)
            #expect(try ArchiveDecoder().decode(Length.self, from: url, configuration: 500) == length)
        }
    }
}
