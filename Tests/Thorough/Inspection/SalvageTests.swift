// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

@Suite(.inTurn) struct `A salvaged archive` {
    final class Item: Codable {
        var name = ""
        var numbers: [Int] = []
        var next: Item?

        init(_ number: Int, _ next: Item?) {
            name = "item number \(number)"
            numbers = [number, number * 1000, number % 7]
            self.next = next
        }

        static func list(_ count: Int) -> [Item] {
            var items: [Item] = []
            for number in 0..<count { items.append(Item(number, items.last)) }
            return items
        }
    }

    enum Writer: CaseIterable {
        case encoder, checksum, wide, archiver, document, foundation
    }

    /// An archive, and the former versions of it in the same file.
    private static func versions(of writer: Writer) throws -> [Data] {
        var encoder = ArchiveEncoder()
        switch writer {
        case .encoder: break
        case .checksum: encoder.checksum = .crc64
        case .wide: return [try encoder.encode(Item.list(200))]
        case .archiver:
            let archiver = KeyedArchiver()
            try archiver.encode(["one", "two"], forKey: "words")
            archiver.encode(7, forKey: "number")
            try archiver.encode(["a": ["b", "c"], "d": []], forKey: "lists")
            return [try archiver.finishEncoding()]
        case .document:
            return try TemporaryFolder.with { folder in
                let document = ArchiveDocument(root: Shelf())
                document.root.items = Item.list(20)
                try document.save(to: folder["shelf"])
                var versions = [try Data(contentsOf: folder["shelf"])]
                for number in 0..<3 {
                    document.root.items[number * 3].name = "changed \(number)"
                    document.root.items.append(Item(100 + number, nil))
                    if number == 1 { document.root = Shelf(document.root.items) }
                    try document.save()
                    versions.append(try Data(contentsOf: folder["shelf"]))
                }
                return versions
            }
        case .foundation:
            let list: NSArray = ["one", 2, ["key": "value", "other": Date(timeIntervalSince1970: 0)] as NSDictionary]
            return [try NSKeyedArchiver.archivedData(withRootObject: list, requiringSecureCoding: true)]
        }
        return [try encoder.encode(Item.list(12))]
    }

    final class Shelf: Codable {
        var items: [Item]
        init(_ items: [Item] = []) { self.items = items }
    }

    @Test(arguments: Writer.allCases) func `has the objects of the file, or damage, after any cut`(writer: Writer)
        throws
    {
        let versions = try Self.versions(of: writer)
        let data = try #require(versions.last)
        let slots = try versions.map { try Self.slots($0) }
        let count = data.count
        let step = max(1, count / 600)
        var wholeCount = 0
        for length in stride(from: 0, through: count, by: step) {
            guard let salvaged = try? KeyedArchive(salvaging: data.prefix(length)) else { continue }
            let found = try Self.slots(of: salvaged)
            // Some version of the file has all these objects under these uids.
            let isOfOne = slots.contains { all in
                found.count <= all.count && zip(found, all).allSatisfy { $0 == nil || $0 == $1 }
            }
            #expect(isOfOne, "cut after \(length) of \(count) bytes")
            if found == slots.last { wholeCount += 1 }
        }
        #expect(wholeCount > 0)
    }

    /// The objects of an archive by uid, as property lists; nil for damaged ones.
    private static func slots(_ data: Data) throws -> [PropertyList?] { try slots(of: KeyedArchive(data)) }

    private static func slots(of archive: KeyedArchive) throws -> [PropertyList?] {
        archive.objects.map { object in object.kind == .damaged ? nil : try? object.propertyList() }
    }

    @Test(arguments: [Writer.encoder, .checksum, .wide, .document])
    func `is whole if only the table or the trailer is lost`(writer: Writer) throws {
        let data = try #require(try Self.versions(of: writer).last)
        let trailer = Array(data.suffix(32))
        let table = trailer[24...].reduce(0) { $0 << 8 | Int($1) }
        let original = try KeyedArchive(data)
        for cut in [data.count - 1, data.count - 32, table + 1, table] {
            let archive = try KeyedArchive(salvaging: data.prefix(cut))
            #expect(archive.problems().isEmpty)
            #expect(archive.root.description == original.root.description)
            if writer == .document {
                let names = try ArchiveDecoder().decode(Shelf.self, from: archive.data()).items.map(\.name)
                #expect(names.suffix(3) == ["item number 100", "item number 101", "item number 102"])
            }
        }
        var damaged = data
        damaged[table + 20] ^= 0x7F
        #expect(try KeyedArchive(salvaging: damaged).problems().isEmpty)
        #expect(try KeyedArchive(salvaging: data).data() == data)
    }

    @Test func `is an error for other bytes, and for a file without a part of the list of objects`() throws {
        #expect(throws: KeyedArchiveError.self) { try KeyedArchive(salvaging: Data()) }
        #expect(throws: KeyedArchiveError.self) { try KeyedArchive(salvaging: Data("bplist00".utf8)) }
        #expect(throws: KeyedArchiveError.self) { try KeyedArchive(salvaging: Data(#"{"a": 1}"#.utf8)) }
        let data = try ArchiveEncoder().encode(Item.list(12))
        #expect(throws: KeyedArchiveError.self) { try KeyedArchive(salvaging: data.prefix(data.count / 3)) }
    }
}
