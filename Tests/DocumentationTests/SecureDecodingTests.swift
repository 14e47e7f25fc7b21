// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// The code of the catalog's article on secure decoding, unchanged.
@Suite(.inTurn)
struct `The article on secure decoding`: DocumentedOutput {
    @Test func `lets in what is registered, and nothing else`() throws {
        class Message: Codable {
            var text: String
            init(text: String) { self.text = text }
        }

        final class Picture: Message {}
        final class Command: Message {}

        let data = try ArchiveEncoder().encode([Message(text: "Hello"), Picture(text: "A cat")])

        var decoder = ArchiveDecoder()
        decoder.classes.register(Picture.self)
        let messages = try decoder.decode([Message].self, from: data)  // Command could not come
        #expect(messages[1] is Picture && messages.map(\.text) == ["Hello", "A cat"])
        let other = try ArchiveEncoder().encode([Message(text: "Hello"), Command(text: "rm")])
        #expect(throws: DecodingError.self) { try decoder.decode([Message].self, from: other) }
    }

    @Test func `lets in what a list names, and says which classes are in an archive`() throws {
        final class Owner: Coding {
            let name: String

            init(name: String) { self.name = name }

            init(coder: KeyedUnarchiver) throws {
                name = try coder.decode(String.self, forKey: "name")
            }

            func encode(with coder: KeyedArchiver) throws {
                coder.encode(name, forKey: "name")
            }
        }

        let archiver = KeyedArchiver()
        try archiver.encode(Owner(name: "Anna"), forKey: "owner")
        try archiver.encodeObject(["a", 1, Owner(name: "Bert")] as [Any], forKey: "things")
        let archive = try archiver.finishEncoding()

        let unarchiver = try KeyedUnarchiver(forReadingFrom: archive)
        let owner = try unarchiver.decode(Owner.self, forKey: "owner")  // an Owner, or an error
        let things = try unarchiver.decodeObject(
            of: [[Any].self, String.self, Int.self, Owner.self], forKey: "things")
        #expect(owner.name == "Anna")
        let list = try #require(things as? [Any])
        #expect(list[0] as? String == "a" && list[1] as? Int == 1)
        #expect((list[2] as? Owner)?.name == "Bert")
        let names = try KeyedArchive(archive).classes.map(\.name)
        #expect(names.contains { $0.contains("Owner") })
    }

    @Test func `refuses what the initializer refuses, and what a limit does`() throws {
        struct Percentage: Codable {
            let value: Int

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                value = try container.decode(Int.self)
                guard (0...100).contains(value) else {
                    throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(value) is no percentage")
                }
            }
        }
        #expect(try ArchiveDecoder().decode(Percentage.self, from: ArchiveEncoder().encode(40)).value == 40)
        #expect(throws: DecodingError.self) {
            try ArchiveDecoder().decode(Percentage.self, from: ArchiveEncoder().encode(400))
        }
        var careful = ArchiveDecoder()
        careful.limits.objects = 10_000
        careful.limits.work = 100_000
        careful.limits.nesting = 100
        // 16 bytes count one step.
        let text = String(repeating: "a", count: 1_600_001)
        #expect(throws: DecodingError.self) {
            try careful.decode(String.self, from: ArchiveEncoder().encode(text))
        }
        let shorter = try ArchiveEncoder().encode(String(text.dropLast(16)))
        #expect(try careful.decode(String.self, from: shorter).count == 1_599_985)
    }

    @Test func `finds damage by a checksum`() throws {
        let percentages = [40, 60]
        var encoder = ArchiveEncoder()
        encoder.checksum = .crc64
        let checked = try encoder.encode(percentages)

        var strict = ArchiveDecoder()
        strict.checksum = .required
        let read = try strict.decode([Int].self, from: checked)
        #expect(read == percentages)
        for bit in 0..<8 * checked.count {
            var damaged = checked
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: DecodingError.self) { try strict.decode([Int].self, from: damaged) }
        }
    }

    /// docs/security.md has the two numbers.
    @Test func `decodes other values from many archives with a changed bit`() throws {
        struct Invoice: Codable, Equatable {
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
