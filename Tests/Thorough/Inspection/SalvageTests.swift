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
        case encoder, checksum, sorted, sortedChecksum, wide, archiver, document, compacted,
            sortedCompacted, foundationCompacted, indexed, foundation
    }

    /// An archive, and the former versions of it in the same file.
    private static func versions(of writer: Writer) throws -> [Data] {
        var encoder = ArchiveEncoder()
        switch writer {
        case .encoder: break
        case .checksum: encoder.checksum = .crc64
        case .sorted: encoder.outputFormatting = .sortedKeys
        case .sortedChecksum:
            encoder.outputFormatting = .sortedKeys
            encoder.checksum = .crc64
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
        case .compacted, .sortedCompacted:
            if writer == .sortedCompacted { encoder.outputFormatting = .sortedKeys }
            return try compacted(encoder.encode(Shelf(Item.list(20)))) { (document: ArchiveDocument<Shelf>) in
                document.root.items.removeFirst(10)
                document.root.items[0].next = nil
            }
        case .foundationCompacted:
            let texts = (0..<20).map { "text \($0)" } as NSArray
            let data = try NSKeyedArchiver.archivedData(withRootObject: texts, requiringSecureCoding: true)
            return try compacted(data) { (document: ArchiveDocument<[String]>) in document.root[3] = "other" }
        case .indexed:
            return try TemporaryFolder.with { folder in
                let document = ArchiveDocument(root: Ledger())
                document.root.entries = (0..<40).map { Entry(amount: $0 % 7) }
                try document.save(to: folder["ledger"])
                _ = try document.fetch(Entry.self, where: #Predicate { $0.amount == 3 })
                document.root.entries.removeLast()
                try document.save()
                try document.compact()
                return [try Data(contentsOf: folder["ledger"])]
            }
        case .foundation:
            let list: NSArray = ["one", 2, ["key": "value", "other": Date(timeIntervalSince1970: 0)] as NSDictionary]
            return [try NSKeyedArchiver.archivedData(withRootObject: list, requiringSecureCoding: true)]
        }
        return [try encoder.encode(Item.list(12))]
    }

    private static func compacted<Root: Codable>(
        _ data: Data, _ change: (ArchiveDocument<Root>) throws -> Void
    ) throws -> [Data] {
        try TemporaryFolder.with { folder in
            try data.write(to: folder["document"])
            let document = try ArchiveDocument<Root>(contentsOf: folder["document"])
            try change(document)
            try document.save()
            try document.compact()
            return [try Data(contentsOf: folder["document"])]
        }
    }

    final class Entry: ArchivedFields, ArchiveIndexed {
        var amount = 0

        init() {}

        init(amount: Int) { self.amount = amount }

        static let fields = FieldList<Entry> { Field("amount", \.amount) }
        static let indexes = [ArchiveIndex<Entry>(\.amount)]
    }

    final class Ledger: ArchivedFields {
        var entries: [Entry] = []

        init() {}

        static let fields = FieldList<Ledger> { Field("entries", \.entries) }
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
        let roots = try versions.map { try KeyedArchive($0).root.uid }
        let count = data.count
        let step = max(1, count / 150)
        var wholeCount = 0
        for length in stride(from: 0, through: count, by: step) {
            guard let salvaged = try? KeyedArchive(salvaging: data.prefix(length)) else { continue }
            let found = try Self.slots(of: salvaged)
            // Some version of the file has all these objects under these uids, and this root.
            let root = salvaged.root
            let isOfOne = zip(slots, roots).contains { all, known in
                found.count <= all.count && zip(found, all).allSatisfy { $0 == nil || $0 == $1 }
                    && (root.uid == nil || root.uid == known)
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

    @Test(arguments: [Writer.encoder, .checksum, .sorted, .sortedChecksum, .wide, .document, .compacted, .indexed])
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

    @Test(arguments: Writer.allCases.filter { $0 != .document })
    func `has each object that is whole in a file that is cut`(writer: Writer) throws {
        let data = try #require(try Self.versions(of: writer).last)
        let slots = try Self.slots(data)
        let (ends, first) = try Self.ends(ofObjectsIn: data)
        #expect(ends.count == slots.count)
        for length in stride(from: first, to: data.count, by: max(1, data.count / 150)) {
            let salvaged = try Self.slots(of: KeyedArchive(salvaging: data.prefix(length)))
            #expect(salvaged.count == slots.count)
            for (uid, end) in ends.enumerated() where end <= length {
                #expect(salvaged[uid] == slots[uid], "uid \(uid), cut after \(length) of \(data.count) bytes")
            }
        }
    }

    /// For each uid, the end of the last byte that its object needs: its own, and those of the objects inside of it. Then
    /// the end of those that no archive can lack: the root, its keys, `$top`, the list of objects, and "$null".
    private static func ends(ofObjectsIn data: Data) throws -> (uids: [Int], first: Int) {
        let bytes = Array(data)
        func number(_ place: Int, _ size: Int) -> Int { bytes[place..<place + size].reduce(0) { $0 << 8 | Int($1) } }
        let (offsetSize, size) = (Int(bytes[bytes.count - 26]), Int(bytes[bytes.count - 25]))
        let (count, top, table) = (
            number(bytes.count - 24, 8), number(bytes.count - 16, 8), number(bytes.count - 8, 8)
        )
        let offsets = (0..<count).map { number(table + $0 * offsetSize, offsetSize) }
        let sorted = offsets.sorted() + [table]
        let own = offsets.map { offset in sorted.first { $0 > offset } ?? table }
        func references(_ object: Int) -> [Int] {
            var place = offsets[object]
            let marker = bytes[place]
            guard marker >> 4 == 0xA || marker >> 4 == 0xD else { return [] }
            var length = Int(marker & 0xF)
            place += 1
            if length == 0xF {
                let width = 1 << Int(bytes[place] & 0xF)
                length = number(place + 1, width)
                place += 1 + width
            }
            return (0..<(marker >> 4 == 0xD ? 2 * length : length)).map { number(place + $0 * size, size) }
        }
        func end(_ object: Int) -> Int { references(object).reduce(own[object]) { max($0, end($1)) } }
        let root = references(top)
        func value(_ key: String) throws -> Int {
            let spelled = [0x50 | UInt8(key.utf8.count)] + Array(key.utf8)
            return try #require(
                zip(root, root.dropFirst(root.count / 2)).first { key, _ in
                    bytes[offsets[key]...].starts(with: spelled)
                }?.1)
        }
        let list = try value("$objects")
        // The indexes of a document are behind the objects.
        let first = [top, list, try value("$top"), references(list)[0]]
        let leaves = root.filter { bytes[offsets[$0]] >> 4 != 0xD }
        return (references(list).map(end), (first + leaves).map { own[$0] }.max() ?? 0)
    }

    /// A table can have bytes that look like a list of objects.
    @Test(arguments: 0..<60) func `is whole without the end of the table, whatever its bytes are`(number: Int) throws {
        let names = (0..<12).map { String(repeating: "a", count: ($0 * number) % 23) + "\($0)" }
        let data = try ArchiveEncoder().encode(["names": names, String(repeating: "k", count: number): ["b"]])
        let table = data.suffix(8).reduce(0) { $0 << 8 | Int($1) }
        let original = try Self.slots(data)
        for cut in stride(from: table, to: data.count, by: 5) {
            let salvaged = try KeyedArchive(salvaging: data.prefix(cut))
            #expect(try Self.slots(of: salvaged) == original && salvaged.problems().isEmpty, "\(cut)")
        }
    }

    @Test func `is an error for a checksum under its own value, and for a file of zeros`() throws {
        let bytes = hex("62706c6973743030 5624637263363448 0000000000000000 d10505 a104 d206070203")
        #expect(throws: KeyedArchiveError.self) { try KeyedArchive(salvaging: Data(bytes)) }
        let zeros = Data(bytes[..<24]) + Data(count: 10_000_000)
        #expect(throws: KeyedArchiveError.self) { try KeyedArchive(salvaging: zeros) }
    }

    @Test func `is an error for other bytes, and for a file without the list of objects`() throws {
        #expect(throws: KeyedArchiveError.self) { try KeyedArchive(salvaging: Data()) }
        #expect(throws: KeyedArchiveError.self) { try KeyedArchive(salvaging: Data("bplist00".utf8)) }
        #expect(throws: KeyedArchiveError.self) { try KeyedArchive(salvaging: Data(#"{"a": 1}"#.utf8)) }
        let data = try ArchiveEncoder().encode(Item.list(12))
        #expect(throws: KeyedArchiveError.self) { try KeyedArchive(salvaging: data.prefix(20)) }
    }
}
