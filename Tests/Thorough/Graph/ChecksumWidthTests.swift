// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import TestSupport
import Testing

@Suite(.inTurn) struct `A checksum of an archive of any size` {
    @Test(arguments: [0, 100, 120] + Array(241...250) + [300, 65_000, 65_535, 65_536])
    func `is right for every width of references`(count: Int) throws {
        var encoder = ArchiveEncoder()
        encoder.checksum = .crc64
        let values = (0..<count).map { "\($0)" }
        var decoder = ArchiveDecoder()
        decoder.checksum = .required
        #expect(try decoder.decode([String].self, from: encoder.encode(values)) == values)
        encoder.outputFormatting = .sortedKeys
        #expect(try decoder.decode([String].self, from: encoder.encode(values)) == values)
    }
}
