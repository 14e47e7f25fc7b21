// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import Synchronization
import TestSupport
import Testing

/// Expects that a value with declared fields and its twin, a Codable value with the same keys, have the same archive, and
/// that each of them is read from it.
func expectSameArchive<Declared: ArchivedFields & Equatable, Twin: Codable & Equatable>(
    _ declared: Declared, _ twin: Twin, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    for format in PropertyListFormat.allCases {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        let archive = try encoder.encode(declared)
        let twinArchive = try encoder.encode(twin)
        let (text, twinText) = (try InspectedArchive(archive).text, try InspectedArchive(twinArchive).text)
        #expect(text == twinText, sourceLocation: sourceLocation)
        let decoder = ArchiveDecoder()
        for data in [archive, twinArchive] {
            #expect(try decoder.decode(Declared.self, from: data) == declared, sourceLocation: sourceLocation)
            #expect(try decoder.decode(Twin.self, from: data) == twin, sourceLocation: sourceLocation)
        }
        // The canonical form is independent of the order of keys, and of the objects.
        encoder.outputFormatting = .sortedKeys
        #expect(try encoder.encode(declared) == encoder.encode(twin), sourceLocation: sourceLocation)
    }
}

// MARK: - Lifetimes

/// A property whose lifetime is counted, for each suite.
final class LifeToken<Suite> {
    init() { lifeCounts.withLock { $0[ObjectIdentifier(Suite.self), default: 0] += 1 } }

    deinit { lifeCounts.withLock { $0[ObjectIdentifier(Suite.self), default: 0] -= 1 } }

    /// The number of instances that are alive.
    static var count: Int { lifeCounts.withLock { $0[ObjectIdentifier(Suite.self), default: 0] } }
}

private let lifeCounts = Mutex<[ObjectIdentifier: Int]>([:])
