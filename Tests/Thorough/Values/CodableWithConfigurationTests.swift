// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A value with a configuration` {
    /// Encodes itself in one of two ways, which a configuration selects.
    struct Angle: CodableWithConfiguration, Equatable {
        enum Unit: Sendable { case degrees, turns }

        var degrees: Double

        init(degrees: Double) { self.degrees = degrees }

        init(from decoder: any Decoder, configuration: Unit) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            switch configuration {
            case .degrees: degrees = try container.decode(Double.self, forKey: "degrees")
            case .turns: degrees = try container.decode(Double.self, forKey: "turns") * 360
            }
        }

        func encode(to encoder: any Encoder, configuration: Unit) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            switch configuration {
            case .degrees: try container.encode(degrees, forKey: "degrees")
            case .turns: try container.encode(degrees / 360, forKey: "turns")
            }
        }
    }

    enum Turns: EncodingConfigurationProviding, DecodingConfigurationProviding {
        static let encodingConfiguration = Angle.Unit.turns
        static let decodingConfiguration = Angle.Unit.turns
    }

    private func text(_ angle: Angle, _ unit: Angle.Unit) throws -> String {
        try InspectedArchive(ArchiveEncoder().encode(angle, configuration: unit)).text
    }

    @Test func `is encoded and decoded at the top level`() throws {
        let angle = Angle(degrees: 90)
        #expect(try text(angle, .degrees) == "Angle{degrees: 90.0}")
        #expect(try text(angle, .turns) == "Angle{turns: 0.25}")
        let data = try ArchiveEncoder().encode(angle, configuration: .turns)
        #expect(try ArchiveDecoder().decode(Angle.self, from: data, configuration: .turns) == angle)
        let error = try failure { try ArchiveDecoder().decode(Angle.self, from: data, configuration: .degrees) }
        #expect(error.kind == .keyNotFound)
        #expect(error.key == "degrees")
        #expect(error.says("\"turns\""))
    }

    @Test func `in arrays and optionals is configured too`() throws {
        let angles = [Angle(degrees: 90), Angle(degrees: 180)]
        let data = try ArchiveEncoder().encode(angles, configuration: .turns)
        #expect(try ArchiveDecoder().decode([Angle].self, from: data, configuration: .turns) == angles)
        let optional = try ArchiveEncoder().encode(Optional(angles[0]), configuration: .degrees)
        #expect(try ArchiveDecoder().decode(Angle?.self, from: optional, configuration: .degrees) == angles[0])
        let none = try ArchiveEncoder().encode(Angle?.none, configuration: .degrees)
        #expect(try ArchiveDecoder().decode(Angle?.self, from: none, configuration: .degrees) == nil)
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `as a property is configured by its wrapper`(format: PropertyListFormat) throws {
        struct Clock: Codable, Equatable {
            @CodableConfiguration(from: Turns.self) var hand = Angle(degrees: 0)
            var name = "c"
        }
        var clock = Clock()
        clock.hand = Angle(degrees: 45)
        let again = try roundTrip([clock, clock], format: format)
        #expect(again.map(\.hand) == [clock.hand, clock.hand])
        #expect(again[1].name == "c")
        let archive = try InspectedArchive(of: clock)
        #expect(archive.follow(archive.objects[1]["hand"])?["turns"] == 0.125)
    }

    @Test func `in containers is configured by the one who encodes it`() throws {
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(Angle(degrees: 90), forKey: "a", configuration: Turns.self)
            try container.encodeIfPresent(Angle?.none, forKey: "b", configuration: Turns.self)
            var list = container.nestedUnkeyedContainer(forKey: "list")
            try list.encode(Angle(degrees: 180), configuration: Angle.Unit.degrees)
        }
        try decoding(archiveOf: value) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            #expect(
                try container.decode(Angle.self, forKey: "a", configuration: Turns.self) == Angle(degrees: 90))
            #expect(try container.decodeIfPresent(Angle.self, forKey: "b", configuration: Turns.self) == nil)
            #expect(try container.decodeIfPresent(Angle.self, forKey: "a", configuration: Angle.Unit.turns) != nil)
            var list = try container.nestedUnkeyedContainer(forKey: "list")
            #expect(
                try list.decode(Angle.self, configuration: Angle.Unit.degrees) == Angle(degrees: 180))
        }
    }

    @Test func `has the same coding path as any other`() throws {
        struct Reporting: EncodableWithConfiguration {
            struct Log: Sendable { let note: @Sendable (String) -> Void }
            func encode(to encoder: any Encoder, configuration: String) throws {
                throw EncodingError.invalidValue(
                    configuration, .init(codingPath: encoder.codingPath, debugDescription: configuration))
            }
        }
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(Reporting(), forKey: "a", configuration: "told")
        }
        let error = try failure { try ArchiveEncoder().encode(["k": value]) }
        #expect(error.path == "k.a")
        #expect(error.text == "told")
        let top = try failure { try ArchiveEncoder().encode(Reporting(), configuration: "top") }
        #expect(top.path == "")
        #expect(top.text == "top")
    }
}
