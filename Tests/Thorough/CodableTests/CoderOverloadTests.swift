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

    enum Kilometers: EncodingConfigurationProviding, DecodingConfigurationProviding {
        static let encodingConfiguration = 1000.0
        static let decodingConfiguration = 1000.0
    }

    @Test func `take the type that provides a configuration, as JSONEncoder does`() throws {
        let length = Length(meters: 1500)
        let json = try JSONEncoder().encode(length, configuration: Kilometers.self)
        #expect(String(decoding: json, as: UTF8.self) == "1.5")
        let data = try ArchiveEncoder().encode(length, configuration: Kilometers.self)
        #expect(try ArchiveDecoder().decode(Double.self, from: data) == 1.5)
        #expect(try ArchiveDecoder().decode(Length.self, from: data, configuration: Kilometers.self) == length)
        #expect(try ArchiveDecoder().decode(Length.self, from: data, configuration: 1) == Length(meters: 1.5))
    }

    @Test func `take configurations for files as well`() throws {
        try TemporaryFolder.with { folder in
            let url = folder.url.appendingPathComponent("length")
            let length = Length(meters: 1500)
            try ArchiveEncoder().encode(length, configuration: 500, to: url)
            #expect(try ArchiveDecoder().decode(Double.self, from: url) == 3)
            #expect(try ArchiveDecoder().decode(Length.self, from: url, configuration: 500) == length)
            try ArchiveEncoder().encode(length, configuration: Kilometers.self, to: url)
            #expect(try ArchiveDecoder().decode(Double.self, from: url) == 1.5)
            #expect(try ArchiveDecoder().decode(Length.self, from: url, configuration: Kilometers.self) == length)
        }
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `detect the format of the archive, also of one that is not decoded`(format: PropertyListFormat) throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        let other: PropertyListFormat = format == .xml ? .binary : .xml
        var found = other
        #expect(try ArchiveDecoder().decode([Int].self, from: encoder.encode([1]), format: &found) == [1])
        #expect(found == format)
        found = other
        #expect(throws: DecodingError.self) {
            try ArchiveDecoder().decode([Int].self, from: encoder.encode("text"), format: &found)
        }
        #expect(found == format)
        let length = Length(meters: 1500)
        let data = try encoder.encode(length, configuration: 500)
        found = other
        #expect(try ArchiveDecoder().decode(Length.self, from: data, format: &found, configuration: 500) == length)
        #expect(found == format)
        found = other
        let kilometers = try ArchiveDecoder().decode(
            Length.self, from: data, format: &found, configuration: Kilometers.self)
        #expect(kilometers == Length(meters: 3000))
        #expect(found == format)
        found = other
        #expect(throws: DecodingError.self) {
            try ArchiveDecoder().decode([Int].self, from: Data("neither".utf8), format: &found)
        }
        #expect(found == other)
    }
}
