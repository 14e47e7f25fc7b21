// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// The figures of docs/security.md on flipped bits.
@Suite(.inTurn)
struct `Archives without a checksum` {
    @Test func `decodes other values from many archives with a changed bit`() throws {
        struct Invoice: Codable, Equatable, ArchiveDescribing {
            static let archiveName = "Invoice"
            var number = 4711
            var customer = "Ada Lovelace"
            var total = 129.5
            var isPaid = true
        }

        let data = try ArchiveEncoder().encode(Invoice())
        var otherValues = 0
        for bit in 0..<data.count * 8 {
            var changed = data
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            guard let invoice = try? ArchiveDecoder().decode(Invoice.self, from: changed) else { continue }
            if invoice != Invoice() { otherValues += 1 }
        }
        let text = try Repository.text(of: "docs/security.md").split(separator: /\s+/).joined(separator: " ")
        let sentence = "\(otherValues) of \(data.count * 8) bit flips"
        #expect(text.contains(sentence), "docs/security.md does not say \(sentence)")
    }
}
