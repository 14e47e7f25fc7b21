// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

extension `GNUstep` {
    private struct Location: Codable, ArchiveDescribing {
        static let archiveName = "Location"
        var latitude = 51.5
        var longitude = 0.25
    }

    private final class Farm: Codable, ArchiveDescribing {
        static let archiveName = "Farm"
        var name = "Farm"
        var location = Location()
        @Deferred var animals: ArchivedList<String> = ["cow", "hen"]

        init() {}
    }

    /// A farm of an older program, which does not know the animals.
    private final class OlderFarm: Codable, ArchiveDescribing {
        static let archiveName = "Farm"
        var name: String
    }

    @Test(arguments: [ArchiveChecksum.none, .crc64], [ArchiveJournal.disabled, .enabled])
    func `reads each state of a document`(checksum: ArchiveChecksum, journal: ArchiveJournal) throws {
        try TemporaryFolder.with { folder in
            let url = folder["farm"]
            func expect(_ name: String, _ latitude: String, _ animals: String) throws {
                let text = try GNUstepPeers.read(Data(contentsOf: url))
                #expect(text == "Farm(name=\(name) location=Location(\(latitude) 0.250000) animals=\(animals))")
            }
            var encoder = ArchiveEncoder()
            encoder.checksum = checksum
            try encoder.encode(Farm(), to: url)
            try expect("Farm", "51.500000", "cow,hen")
            let document = try ArchiveDocument<Farm>(contentsOf: url, journal: journal, encoder: encoder)
            func save(_ changes: ArchiveChanges) throws {
                try document.save(changes: changes)
                if journal == .enabled { try document.checkpoint() }
            }
            document.root.name = "Ferme"
            document.root.animals.append("pig")
            try save(.compared)
            try expect("Ferme", "51.500000", "cow,hen,pig")
            document.root.animals.insert("ewe", at: 1)
            document.root.location.latitude = -3
            document.markChanged(document.root)
            try save(.marked)
            try expect("Ferme", "-3.000000", "cow,ewe,hen,pig")
            for index in 0..<300 { document.root.name = "Name \(index)" }
            try save(.compared)
            try document.compact()
            try expect("Name 299", "-3.000000", "cow,ewe,hen,pig")
            document.close()
            let older = try ArchiveDocument<OlderFarm>(contentsOf: url, journal: journal, encoder: encoder)
            older.root.name = "Hof"
            try older.save()
            older.close()
            try expect("Hof", "-3.000000", "cow,ewe,hen,pig")
        }
    }
}
