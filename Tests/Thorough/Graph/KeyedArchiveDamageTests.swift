// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Damage in an archive` {
    @Test(arguments: PropertyListFormat.allCases)
    func `shows itself where it is met, and leaves the rest alone`(format: PropertyListFormat) throws {
        let archive = try openArchive(
            ["lost": .uid(9), "behind": .uid(2), "fine": .uid(3), "list": [.uid(9), 1], "$class": .uid(4)], .uid(3),
            "text",
            classEntry("Thing"), format: format)
        let root = archive.root
        #expect(root.kind == .object && root.className == "Thing" && root["fine"]?.string == "text" && root.count == 4)
        let lost = try #require(root["lost"])
        #expect(lost.kind == .damaged && lost.uid == 9 && !lost.isNull)
        #expect(lost.damage?.code == .damaged && lost.damage?.uid == 9)
        #expect(lost.damage?.description.contains("uid 9 is referenced, but there are only 5 objects") == true)
        let behind = try #require(root["behind"])
        #expect(behind.kind == .damaged && behind.uid == 2 && behind == archive[uid: 2])
        #expect(behind.damage?.code == .damaged && behind.damage?.uid == 2)
        #expect(behind.damage?.description.contains("object 2 is itself a uid") == true)
        #expect(root["list"]?[0] == lost && root["list"]?[1].integer == 1)
        for value in [lost, behind] {
            #expect(value.string == nil && value.integer == nil && value.data == nil && value.date == nil)
            #expect(value.boolean == nil && value.double == nil && value.float == nil && value.int128 == nil)
            #expect(value.count == 0 && value.elements.isEmpty && value.entries.isEmpty && value.fields.isEmpty)
            #expect(value["a"] == nil && value.keys == [] && value.className == nil && value.class == nil)
            #expect(value.class == nil && value.describedClass == nil && !value.looksLikeArchive)
            #expect(throws: KeyedArchiveError.self) { try value.openArchive() }
            #expect(throws: DecodingError.self) { try value.decode(Int.self) }
            #expect(throws: DecodingError.self) { try value.decode(Int?.self) }
        }
        #expect(archive.top.damage == nil && root.damage == nil)
    }

    static let bytes: [(name: String, object: String, word: String)] = [
        ("a marker that there is not", "70", "0x70"), ("an integer of 32 bytes", "15 00", "0x15"),
        ("a real of 2 bytes", "21 0000", "0x21"), ("a fill byte", "0F", "0xf"), ("an ordered set", "B1 0D", "0xb1"),
        ("a string longer than the file", "5F 11 FFFF 41", "65535"),
        ("an array longer than the file", "AF 12 7FFFFFFF 09", "2147483647"),
        ("a count that is no integer", "5F 41", "0x41"),
        ("a count of 64 bits", "5F 13 8000000000000000", "9223372036854775807"),
        ("a count of 128 bits", "DF 14 FFFFFFFFFFFFFFFF FFFFFFFFFFFFFFFF", "9223372036854775807"),
    ]

    @Test(arguments: bytes.indices)
    func `in its bytes is reported as such`(index: Int) throws {
        let (name, object, word) = Self.bytes[index]
        let raw = ByteArchive(slots: [12, 13, 14], hex(object), ascii("sound"), hex("A2 0C 0D"))
        let archive = try raw.open()
        #expect(archive.root.kind == .damaged, "\(name)")
        let inline = archive[uid: 3][0]
        #expect(inline.kind == .damaged && inline.uid == nil)
        for error in [archive.root.damage, inline.damage, archive.problems().first] {
            let error = try #require(error)
            #expect(error.code == .damaged)
            #expect(error.description.contains(word), "\(name): \(error)")
        }
        #expect(archive[uid: 2].string == "sound" && archive[uid: 3][1].string == "sound")
        #expect(throws: (any Error).self) { try archive.data(format: .xml) }
        #expect(throws: (any Error).self) { try archive.root.decode(Int.self) }
    }

    @Test func `may be a uid of more than 32 bits`() throws {
        let archive = try ByteArchive(slots: [12, 13], hex("A1 0D"), hex("84 0100000000")).open()
        #expect(archive.root[0].kind == .damaged && archive.root[0].uid == nil)
        #expect(archive.root[0].damage?.code == .damaged)
        #expect(archive.root[0].damage?.description.contains("32 bits") == true)
        // As an object it is a uid, whatever it refers to.
        #expect(archive[uid: 2].kind == .damaged && archive[uid: 2].damage?.uid == 2)
        #expect(archive.problems().map(\.uid) == [nil, 2])
    }

    @Test func `may be an invalid reference or offset`() throws {
        let archive = try ByteArchive(slots: [12, 200], hex("D2 0D C8 0E 0E"), ascii("a"), hex("10 07")).open()
        #expect(archive[uid: 2].kind == .damaged && archive[uid: 2].damage?.code == .damaged)
        #expect(archive[uid: 2].damage?.description.contains("200") == true)
        #expect(archive.root["a"]?.integer == 7 && archive.root.count == 2)
        #expect(archive.root.fields.map(\.key)[0] == "a" && archive.root.fields[1].key.contains("damaged"))
        for offset in [0, 7, 5000, 65535] as [UInt64] {
            var file = ByteArchive(slots: [12], hex("10 07")).file
            var offsets: [UInt64] = [8]
            for object in file.objects.dropLast() { offsets.append((offsets.last ?? 0) + UInt64(object.count)) }
            offsets[12] = offset
            file.offsets = offsets
            let archive = try KeyedArchive(Data(file.bytes))
            #expect(archive.root.kind == .damaged && archive.root.damage?.code == .damaged, "\(offset)")
            #expect(archive.root.damage?.description.contains("\(offset)") == true)
            #expect(archive.problems().count >= 1)
        }
    }

    @Test func `of a file that is cut off is reported when it is opened`() throws {
        let data = try handmadeArchive(["name": "Bella", "$class": .uid(2)], classEntry("Cow"))
        for count in 0..<data.count {
            let error = #expect(throws: KeyedArchiveError.self) { try KeyedArchive(data.prefix(count)) }
            #expect(error.map { [.damaged, .notAnArchive].contains($0.code) } == true, "\(count)")
        }
    }
}

// MARK: - All of it

extension `Damage in an archive` {
    /// A defect, and what is said of it: the uid, words. `A bad archive` has more of them.
    struct Defect: CustomTestStringConvertible, Sendable {
        let name: String
        let uid: UInt32?
        let words: [String]
        let data: @Sendable () throws -> Data

        var testDescription: String { name }

        init(
            _ name: String, _ uid: UInt32?, _ words: String...,
            in data: @autoclosure @escaping @Sendable () throws -> Data
        ) {
            self.name = name
            self.uid = uid
            self.words = words
            self.data = data
        }

        init(_ name: String, _ uid: UInt32?, _ words: String..., in archive: ByteArchive) {
            self.name = name
            self.uid = uid
            self.words = words
            data = { archive.data }
        }
    }

    private static let listed: [Defect] = [
        Defect("a uid out of range", 9, "uid 9", in: try handmadeArchive(["a": .uid(2)], ["b": [["c": .uid(9)]]], "x")),
        Defect(
            "a uid out of range at the top", 2, "uid 2",
            in: try handmadeArchive(top: ["root": .uid(1), "b": .uid(2)], "x")),
        Defect("a uid behind a uid that nobody has, to nil", 1, "object 1", in: try handmadeArchive(top: [:], .uid(0))),
        Defect("a class that is an object", 1, "uid 1", in: try handmadeArchive(["$class": .uid(1)])),
        Defect("a class that is nil", 1, "uid 0", in: try handmadeArchive(["a": 1, "$class": .uid(0)])),
        Defect(
            "a class of an object inside another", 1, "class",
            in: try handmadeArchive(["list": [["a": 1, "$class": .uid(2)]]], "Cow")),
        Defect(
            "a C array with too large a count", 1, "NS.count",
            in: try handmadeArchive(["NS.type": 105, "NS.count": 3, "$0": 1, "$class": .uid(2)], classEntry("Array"))),
        Defect("arrays nested too deep", 1, "512", in: nestedArrays(600, backwards: false)),
        // The root and $objects are two levels. Object 512 has 511 arrays that are not empty, itself among them.
        Defect("arrays nested too deep, the inner ones first", 512, "512", in: nestedArrays(600, backwards: true)),
    ]

    private static let ofBytes: [Defect] = [
        Defect("an unknown marker", nil, "0x70", in: ByteArchive(slots: [12], hex("70"))),
        Defect(
            "an unknown marker of an object that nothing refers to", nil, "0x70",
            in: ByteArchive(slots: [12], hex("10 07"), hex("70"))),
        Defect(
            "a uid of more than 32 bits", nil, "32 bits",
            in: ByteArchive(slots: [12], hex("A1 0D"), hex("84 0100000000"))),
        Defect("a reference out of range", nil, "200", in: ByteArchive(slots: [12], hex("A1 C8"))),
        Defect("a slot out of range", nil, "200", in: ByteArchive(slots: [200])),
        Defect(
            "a reference out of range in a container that nothing refers to", nil, "200",
            in: ByteArchive(slots: [12], hex("10 07"), hex("A1 C8"))),
        Defect(
            "a key that is no string", 1, "not a string", in: ByteArchive(slots: [12], hex("D1 0D 0D"), hex("10 07"))),
        Defect(
            "a key of the top that is no string", nil, "not a string",
            in: ByteArchive(slots: [12], top: hex("D2 0A 0C 0B 0B"), hex("10 07"))),
        Defect("an array that contains itself", 1, "contains itself", in: ByteArchive(slots: [12], hex("A1 0C"))),
        Defect(
            "two arrays that contain each other", 1, "contains itself",
            in: ByteArchive(slots: [12], hex("A1 0D"), hex("A1 0C"))),
        Defect(
            "a dictionary that contains itself", 2, "contains itself",
            in: ByteArchive(slots: [9, 12], hex("D1 0A 0C"))),
    ]

    /// Arrays, each the only element of the one before it, and each an object of its own as well: uid 1 the outermost,
    /// or the innermost.
    static func nestedArrays(_ count: Int, backwards: Bool) -> Data {
        // References take two bytes.
        func reference(_ number: Int) -> [UInt8] { BinaryFile.number(UInt64(number), size: 2) }
        let arrays = (0..<count).map { $0 == count - 1 ? [0xA0] : [0xA1] + reference(13 + $0) }
        var slots = (0..<count).map { 12 + $0 }
        if backwards { slots.reverse() }
        var file = ByteArchive(slots: []).file
        file.objects[0] = [0xD4] + (1...8).flatMap { reference($0) }
        file.objects[6] = BinaryFile.head(0xA0, count: count + 1) + reference(9) + slots.flatMap { reference($0) }
        file.objects[7] = [0xD1] + reference(10) + reference(11)
        file.objects += arrays
        file.referenceSize = 2
        return Data(file.bytes)
    }

    @Test(arguments: listed + ofBytes)
    func `is found by one who goes through all`(defect: Defect) throws {
        try Self.check(KeyedArchive(defect.data()), defect.uid, defect.words)
    }

    /// Expects a defect in `archive`, which every check describes in the same way.
    static func check(_ archive: KeyedArchive, _ uid: UInt32?, _ words: [String]) throws {
        let problem = try #require(archive.problems().first)
        #expect(problem.code == .damaged && problem.uid == uid, "\(problem)")
        for word in words { #expect(problem.description.contains(word), "\(problem)") }
        let error = #expect(throws: KeyedArchiveError.self) { try archive.validate() }
        #expect(error == problem)
        #expect(archive.problems(limit: 1) == [problem] && archive.problems(limit: 0).isEmpty)
        #expect(ArchiveSurvey(archive).contradictions.isEmpty)
    }

    @Test func `is listed up to a limit`() throws {
        let archive = try KeyedArchive(
            handmadeArchive(objects: (0..<500).map { ["lost": .uid(9000 + UInt32($0))] as PropertyList }))
        #expect(archive.problems().count == 100 && archive.problems(limit: 7).count == 7)
        #expect(archive.problems(limit: .max).count == 500)
        let mixed = try openArchive(["a": .uid(77), "$class": .uid(2)], "no class", .uid(1), ["b": .uid(88)])
        // 77, the class of 1, object 3, 88.
        #expect(mixed.problems().count == 4 && Set(mixed.problems().map(\.uid)) == [77, 1, 3, 88])
    }

    /// Archives in which nothing is wrong.
    static let sound: [@Sendable () throws -> Data] = [
        { try handmadeArchive(top: [:]) }, { try handmadeArchive(top: ["a": 1, "b": [1, ["c": .uid(1)]]], "x") },
        { try handmadeArchive(["self": .uid(1), "$class": .uid(2)], classEntry("Loop")) },
        { try handmadeArchive(["$class": .uid(2)], ["$classname": "Bare"]) },
        { try handmadeArchive(.null, .set([1]), .date(Date()), .real32(1), .integer(.max), "$null", .data(Data())) },
        { try handmadeArchive(["NS.keys": [], "NS.objects": [], "$class": .uid(2)], classEntry("NSDictionary")) },
        // What Cocoa's own classes have under their keys is theirs.
        { try handmadeArchive(["NS.keys": 1, "NS.objects": "a", "$class": .uid(2)], classEntry("Thing")) },
        { nestedArrays(500, backwards: false) }, { nestedArrays(500, backwards: true) },
        { try ArchiveEncoder().encode(["a": [1, 2.5], "b": []]) }, { try ArchiveEncoder().encode(Date()) },
        { ByteArchive(slots: [12], hex("10 07"), ascii("unused"), hex("A1 0C")).data },
    ]

    @Test(arguments: sound.indices)
    func `is not found where there is none`(index: Int) throws {
        let archive = try KeyedArchive(Self.sound[index]())
        #expect(archive.problems() == [])
        #expect(throws: Never.self) { try archive.validate() }
        #expect(ArchiveSurvey(archive).damage.isEmpty)
    }
}

// MARK: - Every byte

extension `Damage in an archive` {
    /// Has most kinds of objects, in few bytes.
    private static func small() throws -> Data {
        try handmadeArchive(
            top: ["root": .uid(1), "n": 7],
            ["a": .uid(2), "$$b": [.uid(5), 2.5], "$class": .uid(3)],
            ["NS.objects": [.uid(1), "é"], "$class": .uid(4)],
            ["$classname": "T", "$classes": ["T", "U"]], ["$classname": "NSArray"],
            ["NS.keys": ["k"], "NS.objects": [.uid(0)], "$class": .uid(6)], ["$classname": "NSDictionary"])
    }

    @Test func `done to any one byte is met without a trap, and what is found sound is`() throws {
        let data = try Self.small()
        #expect(try KeyedArchive(data).problems().isEmpty)
        var (opened, sound) = (0, 0)
        var contradicted: [Int] = []
        for position in data.indices {
            let original = data[position]
            // Every bit, the neighbours, the ends: the rest takes too long.
            let values = Set((0..<8).map { original ^ 1 << $0 } + [original &+ 1, original &- 1, 0, 0xFF])
            for value in values where value != original {
                var changed = data
                changed[position] = value
                guard let archive = try? KeyedArchive(changed) else { continue }
                opened += 1
                let survey = ArchiveSurvey(archive)
                if survey.contradictions.count > 0 { contradicted.append(position) }
                guard archive.problems().isEmpty else { continue }
                sound += 1
                #expect(survey.damage.isEmpty, "byte \(position) is \(value)")
            }
        }
        #expect(contradicted.isEmpty)
        #expect(opened > 1000 && sound > 100 && sound < opened)
    }

    @Test func `done to the bytes of XML is met without a trap`() throws {
        let data = try KeyedArchive(Self.small()).data(format: .xml)
        for position in data.indices {
            for value in [0x00, 0x30, 0x3C, 0xFF] as [UInt8] {
                var changed = data
                changed[position] = value
                guard let archive = try? KeyedArchive(changed) else { continue }
                let survey = ArchiveSurvey(archive)
                if archive.problems().isEmpty { #expect(survey.damage.isEmpty, "byte \(position) is \(value)") }
            }
            if let archive = try? KeyedArchive(data.prefix(position)) { _ = ArchiveSurvey(archive) }
        }
    }
}
