// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Declared fields` {
    private final class Station: ArchivedFields {
        var name = ""
        var next: Station?

        init() {}

        static let fields = FieldList<Station> {
            Field("name", \.name)
            Field("next", \.next)
        }
    }

    private final class CodableStation: Codable {
        var name = "one"
        var next: CodableStation?
    }

    @Test func `close a ring`() throws {
        let first = Station()
        first.next = Station()
        first.next?.next = first
        let ring = try ArchiveDecoder().decode(Station.self, from: ArchiveEncoder().encode(first))
        #expect(ring.next?.next === ring && ring.next !== ring)
        (first.next, ring.next) = (nil, nil)
    }

    @Test func `have the archive of a Codable class`() throws {
        let station = Station()
        station.name = "one"
        var (encoder, codable) = (ArchiveEncoder(), ArchiveEncoder())
        encoder.classes.register(Station.self, name: "Station")
        codable.classes.register(CodableStation.self, name: "Station")
        (encoder.outputFormatting, codable.outputFormatting) = (.sortedKeys, .sortedKeys)
        #expect(try encoder.encode(station) == codable.encode(CodableStation()))
    }
}
