// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Foundation
import TestSupport
import Testing

@testable import Archiving

@Suite(.inTurn) struct `A checksum` {
    private final class Cow: Codable {
        var name: String
        var friend: Cow?
        var marks: [Data]

        init(_ name: String, _ friend: Cow? = nil) {
            self.name = name
            self.friend = friend
            marks = [Data(count: 8)]
        }
    }

    private static var farm: [Cow] { [Cow("Bella", Cow("Elsa")), Cow("Berta")] }

    private static func archive(_ formatting: ArchiveEncoder.OutputFormatting = []) throws -> Data {
        var encoder = ArchiveEncoder()
        encoder.checksum = .crc64
        encoder.outputFormatting = formatting
        return try encoder.encode(farm)
    }

    private static func names(in data: Data, _ policy: ArchiveChecksum.Policy = .ifPresent) throws -> [String] {
        var decoder = ArchiveDecoder()
        decoder.checksum = policy
        let cows = try decoder.decode([Cow].self, from: data)
        return cows.map { "\($0.name) \($0.friend?.name ?? "") \($0.marks.map { $0.reduce(0, +) })" }
    }

    private static let names = ["Bella Elsa [0]", "Berta  [0]"]

    /// The error of decoding `data`; nil if there is none.
    private static func error(of data: Data, _ policy: ArchiveChecksum.Policy) -> KeyedArchiveError.Code? {
        do {
            _ = try names(in: data, policy)
            return nil
        } catch DecodingError.dataCorrupted(let context) {
            return (context.underlyingError as? KeyedArchiveError)?.code
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }

    // MARK: The sum

    @Test(arguments: [("", UInt64(0)), ("123456789", 0x995D_C9BB_DF19_39FA), ("a", 0x3302_8477_2E65_2B05)])
    func `is the CRC-64 of xz`(text: String, value: UInt64) {
        var sum = Checksum()
        let bytes = StoredBytes(Array(text.utf8))
        sum.add(bytes, 0..<bytes.count)
        #expect(sum.value == value)
    }

    @Test func `is that of its parts, whatever their sizes`() {
        let bytes = StoredBytes((0..<1000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) })
        var whole = Checksum()
        whole.add(bytes, 0..<bytes.count)
        for size in 1..<40 {
            var sum = Checksum()
            var start = 0
            while start < bytes.count {
                sum.add(bytes, start..<min(start + size, bytes.count))
                start += size
            }
            #expect(sum.value == whole.value)
        }
        var number = Checksum()
        number.add(0x0102_0304_0506_0708)
        var same = Checksum()
        same.add(StoredBytes([1, 2, 3, 4, 5, 6, 7, 8]), 0..<8)
        #expect(number.value == same.value)
    }

    // MARK: Archives

    @Test(arguments: [[], ArchiveEncoder.OutputFormatting.sortedKeys])
    func `is under a key that other readers ignore`(formatting: ArchiveEncoder.OutputFormatting) throws {
        let data = try Self.archive(formatting)
        let archive = try KeyedArchive(data)
        try archive.validate()
        #expect(archive.top.fields.map(\.key).contains("$crc64"))
        #expect(archive.top["$crc64"]?.data?.count == 8)
        for policy in [ArchiveChecksum.Policy.ifPresent, .required, .ignored] {
            #expect(try Self.names(in: data, policy) == Self.names)
        }
    }

    @Test func `costs 22 bytes, and the same archive has the same`() throws {
        let plain = try ArchiveEncoder().encode(Self.farm)
        let data = try Self.archive()
        #expect(data.count == plain.count + 16 + 2 + 4)
        #expect(try Self.archive(.sortedKeys) == Self.archive(.sortedKeys))
        #expect(try KeyedArchive(data).root.kind == KeyedArchive(plain).root.kind)
    }

    @Test(arguments: [0, 242, 243, 244, 245, 246, 300])
    func `is in archives of every width of references`(count: Int) throws {
        var encoder = ArchiveEncoder()
        encoder.checksum = .crc64
        let values = (0..<count).map { "\($0)" }
        var decoder = ArchiveDecoder()
        decoder.checksum = .required
        #expect(try decoder.decode([String].self, from: encoder.encode(values)) == values)
        encoder.outputFormatting = .sortedKeys
        #expect(try decoder.decode([String].self, from: encoder.encode(values)) == values)
    }

    @Test func `is in the archives of a keyed archiver`() throws {
        let archiver = KeyedArchiver()
        archiver.checksum = .crc64
        #expect(archiver.checksum == .crc64)
        archiver.encode(3, forKey: "count")
        let data = try archiver.finishEncoding()
        #expect(try KeyedUnarchiver(forReadingFrom: data).decodeInteger(forKey: "count") == 3)
        var damaged = data
        damaged[30] ^= 1
        let error = #expect(throws: ArchivingError.self) { try KeyedUnarchiver(forReadingFrom: damaged) }
        #expect(error?.code == .damaged)
        // The next archive has none.
        #expect(KeyedArchiver().checksum == .none)
        #expect(try KeyedArchive(ArchiveEncoder().encode(1)).checksumState == .none)
    }

    @Test func `is not in XML`() throws {
        var encoder = ArchiveEncoder()
        encoder.checksum = .crc64
        encoder.outputFormat = .xml
        let error = #expect(throws: EncodingError.self) { try encoder.encode(Self.farm) }
        #expect("\(try #require(error))".contains("a checksum is one of the bytes of a binary archive"))
        let xml = try KeyedArchive(Self.archive()).data(format: .xml)
        #expect(!String(decoding: xml, as: UTF8.self).contains("crc64"))
        #expect(try Self.names(in: xml) == Self.names)
        #expect(Self.error(of: xml, .required) == .notFound)
    }

    @Test func `is that of the result after a conversion`() throws {
        let list = try KeyedArchive(Self.archive()).propertyList()
        #expect(try Self.names(in: list.data(), .required) == Self.names)
        #expect(try Self.names(in: KeyedArchive(list).data(), .required) == Self.names)
        #expect(try Self.names(in: list.data(format: .xml)) == Self.names)
        #expect(try !String(decoding: list.data(format: .xml), as: UTF8.self).contains("crc64"))
    }

    @Test func `is absent after another program has written the list`() throws {
        let value = try PropertyListSerialization.propertyList(from: Self.archive(), format: nil)
        let data = try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
        #expect(try Self.names(in: data) == Self.names)
        #expect(Self.error(of: data, .required) == .notFound)
    }

    @Test func `does not disturb Foundation`() throws {
        var encoder = ArchiveEncoder()
        encoder.checksum = .crc64
        let data = try encoder.encode(["a", "b", "ä"])
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSArray.self, NSString.self], from: data)
        #expect(read as? [String] == ["a", "b", "ä"])
    }

    // MARK: Damage

    @Test(arguments: [[], ArchiveEncoder.OutputFormatting.sortedKeys])
    func `shows every flipped bit`(formatting: ArchiveEncoder.OutputFormatting) throws {
        let data = try Self.archive(formatting)
        for bit in 0..<8 * data.count {
            var damaged = data
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            for policy in [ArchiveChecksum.Policy.ifPresent, .required] {
                #expect(Self.error(of: damaged, policy) == .damaged, "bit \(bit)")
            }
        }
    }

    @Test func `shows every damaged byte, and a missing end`() throws {
        let data = try Self.archive()
        for place in data.indices {
            for value in [0, 0xFF, ~data[place]] where value != data[place] {
                var damaged = data
                damaged[place] = value
                #expect(Self.error(of: damaged, .ifPresent) == .damaged)
            }
        }
        for count in 24..<data.count { #expect(Self.error(of: data.prefix(count), .ifPresent) == .damaged) }
        #expect(Self.error(of: data + [0], .ifPresent) == .damaged)
    }

    @Test func `is named by the error, with the one of the bytes`() throws {
        let data = try Self.archive()
        var damaged = data
        damaged[40] ^= 1
        let stored = data[16..<24].map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let error = #expect(throws: DecodingError.self) { try Self.names(in: damaged) }
        #expect("\(try #require(error))".contains("its checksum is 0x\(stored), and that of its bytes is 0x"))
        #expect(Self.error(of: damaged, .ignored) == nil || Self.error(of: damaged, .ignored) == .damaged)
        let other = try ArchiveEncoder().encode(Self.farm)
        #expect(Self.error(of: other, .ifPresent) == nil)
        #expect(Self.error(of: other, .required) == .notFound)
    }

    @Test func `of a large file is that of all its pages`() throws {
        try TemporaryFolder.with { folder in
            let url = folder["large"]
            var encoder = ArchiveEncoder()
            encoder.checksum = .crc64
            let values = (0..<3000).map { "\($0) " + String(repeating: "a", count: 1000) }
            try encoder.encode(values, to: url)
            var decoder = ArchiveDecoder()
            decoder.checksum = .required
            #expect(try decoder.decode([String].self, from: url) == values)
            var data = try Data(contentsOf: url)
            let place = data.count / 2
            data[place] ^= 1
            try data.write(to: url)
            #expect(throws: DecodingError.self) { try decoder.decode([String].self, from: url) }
            decoder.checksum = .ignored
            #expect(try decoder.decode([String].self, from: url) != values)
        }
    }
}
