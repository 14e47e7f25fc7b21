// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// Objects that no Swift type would be written as, kept as `UnknownObject`.
@Suite(.inTurn) struct `What is in an unknown object` {
    /// What the archive has after it was read as an unknown object and written again.
    private func rewritten(_ data: Data) throws -> InspectedArchive {
        let unknown = try ArchiveDecoder().decode(UnknownObject.self, from: data)
        return try InspectedArchive(ArchiveEncoder().encode(unknown))
    }

    @Test func `comes back value for value`() throws {
        let wide = Int128(1) << 100
        let data = try handmadeArchive(objects: [
            [
                "real32": .real32(0.1), "real64": 0.1, "nan": .real(.nan), "wide": .integer(wide), "negative": -1,
                "big": .integer(Int128(UInt64.max)), "yes": true, "inlineText": "inline",
                "inlineData": .data(Data([7])),
                "inlineDate": .date(Date(timeIntervalSinceReferenceDate: 0.25)), "$0": 5, "$1": .uid(2), "$$price": 6,
                "ключ": "значение", "nested": [["deep": [.uid(2), .uid(2), 1]], []], "none": .uid(0), "gone": .uid(4),
                "$class": .uid(3),
            ],
            "leaf", ["$classname": "Thing", "$classhints": ["Other"]], "$null",
        ])
        let again = try rewritten(data)
        var root = try #require(dictionary(again.follow(again.root)))
        let leaf = try #require(root["$1"])
        #expect(again.follow(leaf) == "leaf")
        #expect(again.follow(root["$class"]) == ["$classname": "Thing", "$classhints": ["Other"]])
        root["$class"] = nil
        #expect(
            PropertyList.dictionary(root) == [
                "real32": .real32(0.1), "real64": 0.1, "nan": .real(.nan), "wide": .integer(wide), "negative": -1,
                "big": .integer(Int128(UInt64.max)), "yes": true, "inlineText": "inline",
                "inlineData": .data(Data([7])),
                "inlineDate": .date(Date(timeIntervalSinceReferenceDate: 0.25)), "$0": 5, "$1": leaf, "$$price": 6,
                "ключ": "значение", "nested": [["deep": [leaf, leaf, 1]], []], "none": .uid(0), "gone": .uid(0),
            ])
    }

    private func dictionary(_ list: PropertyList?) -> PropertyList.Dictionary? {
        if case .dictionary(let dictionary)? = list { dictionary } else { nil }
    }

    @Test func `keeps the description of its class, versions and all`() throws {
        let entry: PropertyList = [
            "$classname": "Child", "$classes": ["Child", "Parent", "NSObject"], "$classversions": [3, 1, 0], "extra": 9,
        ]
        let again = try rewritten(
            handmadeArchive(["a": 1, "other": .uid(2), "$class": .uid(3)], ["$class": .uid(3)], entry))
        let root = again.follow(again.root)
        #expect(again.follow(root?["$class"]) == entry)
        #expect(again.follow(root?["other"])?["$class"] == root?["$class"])
        #expect(again.objects.count == 4)
    }

    @Test func `may refer back to itself, through containers without a class too`() throws {
        // 2 is a plain array that contains itself by its uid, and the root.
        let again = try rewritten(
            handmadeArchive(
                ["list": .uid(2), "me": .uid(1), "$class": .uid(3)], [.uid(2), .uid(1), 7], ["$classname": "Loop"]))
        let root = again.follow(again.root)
        #expect(root?["me"] == again.root)
        let list = try #require(root?["list"])
        #expect(again.follow(list) == [list, again.root, 7])
    }

    @Test func `is linear where containers are shared a thousand million times`() throws {
        // Each list holds the one before it twice; a property list has each once.
        var list: PropertyList = [1]
        for _ in 0..<12 { list = [list, list] }
        let data = try handmadeArchive(["list": list, "$class": .uid(2)], ["$classname": "Lists"])
        // As the format allows: the same object for both elements.
        let small = SharedContainers.archive(levels: 40)
        #expect(small.count < 2000)
        let unknown = try ArchiveDecoder().decode(UnknownObject.self, from: small)
        #expect(try ArchiveEncoder().encode(unknown).count < 2000)
        #expect(try rewritten(data).objects.count == 3)
    }

    @Test func `that several uids have is written once for all of them`() throws {
        // 251 slots are one and the same dictionary, whose list has 20 000 uids of theirs.
        let data = SharedContainers.sharedObject(slots: 251, references: 20_000)
        let unknown = try ArchiveDecoder().decode(UnknownObject.self, from: data)
        #expect(unknown.value["list"]?.count == 20_000)
        let again = try ArchiveEncoder().encode(unknown)
        #expect(again.count < 2 * data.count)
        let archive = try KeyedArchive(again)
        #expect(archive.problems().isEmpty)
        #expect(archive.root["list"]?[19_999]["list"]?[0].className == "root")
    }

    @Test func `that contains itself without a uid is an error`() throws {
        let unknown = try ArchiveDecoder().decode(UnknownObject.self, from: SharedContainers.selfContaining())
        let error = #expect(throws: EncodingError.self) { try ArchiveEncoder().encode(unknown) }
        #expect(String(describing: error).contains("contains itself"))
        let archiver = KeyedArchiver()
        #expect(throws: ArchivingError.self) { try archiver.encode(unknown, forKey: "root") }
    }

    @Test func `that is damaged is an error when it is written`() throws {
        let unknown = try ArchiveDecoder().decode(
            UnknownObject.self, from: handmadeArchive(["a": .uid(99), "$class": .uid(2)], ["$classname": "Broken"]))
        #expect(unknown.value.className == "Broken")
        #expect(unknown.value["a"]?.kind == .damaged)
        let error = #expect(throws: EncodingError.self) { try ArchiveEncoder().encode(unknown) }
        #expect(String(describing: error).contains("uid 99"), "\(String(describing: error))")
    }

    @Test func `may be a chain of a hundred thousand, on a small stack`() throws {
        let count = 100_000
        let objects: [PropertyList] =
            (1...count).map { ["next": .uid($0 < count ? UInt32($0 + 1) : 0), "$class": .uid(UInt32(count + 1))] }
            + [["$classname": "Link"]]
        let data = try handmadeArchive(objects: objects)
        let again = try onThread(stackSize: 512 << 10) {
            try ArchiveEncoder().encode(ArchiveDecoder().decode(UnknownObject.self, from: data))
        }
        #expect(try KeyedArchive(again).objects.count == count + 2)
        #expect(try KeyedArchive(again).problems().isEmpty)
    }

    @Test func `may be nested as deep as a property list can be, on a small stack`() throws {
        // The root, $objects and the object are around it.
        let list = (1..<505).reduce([1] as PropertyList) { list, _ in [list] }
        let data = try handmadeArchive(["list": list, "$class": .uid(2)], ["$classname": "Deep"])
        let again = try onThread(stackSize: 128 << 10) {
            try ArchiveEncoder().encode(ArchiveDecoder().decode(UnknownObject.self, from: data))
        }
        let archive = try InspectedArchive(again)
        #expect(archive.follow(archive.root)?["list"] == list)
    }

    @Test func `is written to more than one archive at once`() throws {
        let first = try ArchiveDecoder().decode(
            UnknownObject.self, from: handmadeArchive(["n": 1, "$class": .uid(2)], ["$classname": "A"]))
        let second = try ArchiveDecoder().decode(
            UnknownObject.self, from: handmadeArchive(["n": 2, "$class": .uid(2)], ["$classname": "B"]))
        let both = try InspectedArchive(of: [first, second, first])
        let elements = both.follow(both.root)?["NS.objects"]
        #expect(both.follow(elements?[0])?["n"] == 1)
        #expect(both.className(of: both.follow(elements?[0]) ?? .null) == "A")
        #expect(both.follow(elements?[1])?["n"] == 2)
        #expect(both.className(of: both.follow(elements?[1]) ?? .null) == "B")
        #expect(elements?[2] == elements?[0])
    }
}

/// Archives whose property list refers to the same container from many places, which no tree of values can say.
enum SharedContainers {
    /// An archive whose object 1 has the object `contents` of `more` under "list".
    private static func archive(_ more: (UInt8) -> [[UInt8]], contents: UInt8) -> Data {
        // From 12 to 17: what is in the list begins at 18.
        let objects: [[UInt8]] = [
            [0xD2, 13, 14, 18 + contents, 16], ascii("list"), ascii("$class"),
            [0xD1, 17, 10], [0x80, 2], ascii("$classname"),
        ]
        return ByteArchive(slots: [12, 15], objects: objects + more(18)).data
    }

    /// A list of two references to a list of two references, and so on.
    static func archive(levels: Int) -> Data {
        archive(
            { first in [[0xA0]] + (0..<levels).map { [0xA2, first + UInt8($0), first + UInt8($0)] } },
            contents: UInt8(levels))
    }

    /// An object of a class that is in `slots` slots, and whose list has `references` uids of those.
    static func sharedObject(slots: Int, references: Int) -> Data {
        func number(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
        func list(_ marker: UInt8, _ elements: [Int]) -> [UInt8] {
            elements.count < 15
                ? [marker | UInt8(elements.count)] + elements.flatMap(number)
                : [marker | 0x0F, 0x11] + number(elements.count) + elements.flatMap(number)
        }
        // 18 is the list, 19 and so on are the uids; the class is in the slot behind the last.
        let uids = (1...slots).map { [0x81] + number($0) }
        let objects: [[UInt8]] = [
            [0xD4] + [1, 2, 3, 4, 5, 6, 7, 8].flatMap(number),
            ascii("$version"), ascii("$archiver"), ascii("$objects"), ascii("$top"),
            [0x12, 0x00, 0x01, 0x86, 0xA0], ascii("NSKeyedArchiver"),
            list(0xA0, [9] + Array(repeating: 10, count: slots) + [11]), [0xD1] + [12, 13].flatMap(number),
            ascii("$null"), [0xD2] + [14, 15, 18, 16].flatMap(number), [0xD1] + [17, 12].flatMap(number),
            ascii("root"), [0x80, 1], ascii("list"), ascii("$class"), [0x81] + number(slots + 1), ascii("$classname"),
            list(0xA0, (0..<references).map { 19 + $0 % slots }),
        ]
        var file = BinaryFile(offsetSize: 4, referenceSize: 2)
        file.objects = objects + uids
        return Data(file.bytes)
    }

    /// A list whose only element it is itself.
    static func selfContaining() -> Data { archive({ first in [[0xA1, first]] }, contents: 0) }
}
