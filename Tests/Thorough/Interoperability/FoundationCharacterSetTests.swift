// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private struct Rule: Codable, Equatable {
    var first = CharacterSet.letters
    var rest: CharacterSet? = CharacterSet(charactersIn: "a"..."z")
    var others = [CharacterSet(), CharacterSet(charactersIn: "-_𝄞é"), CharacterSet(charactersIn: "abc").inverted]
}

@Suite(.inTurn) struct `Character sets of Foundation` {
    private static let sets: [CharacterSet] = [
        CharacterSet(), CharacterSet(charactersIn: "A"..."Z"), CharacterSet(charactersIn: "a"),
        CharacterSet(charactersIn: "azé𝄞"),
        .alphanumerics, .symbols, .whitespacesAndNewlines, .urlQueryAllowed, CharacterSet(charactersIn: "abc").inverted,
        CharacterSet.letters.inverted, CharacterSet(charactersIn: "\u{10000}"..."\u{2FFFF}"),
        CharacterSet(charactersIn: "\u{0}"..."\u{10FFFF}"),
    ]

    /// Foundation's own sets.
    private static let ownSets: [(number: Int, set: CharacterSet)] = [
        (1, .controlCharacters), (2, .whitespaces), (3, .whitespacesAndNewlines), (4, .decimalDigits), (5, .letters),
        (6, .lowercaseLetters), (7, .uppercaseLetters), (8, .nonBaseCharacters), (9, .decomposables),
        (10, .alphanumerics), (11, .punctuationCharacters), (12, .illegalCharacters), (13, .capitalizedLetters),
        (14, .symbols), (15, .newlines),
    ]

    @Test(arguments: PropertyListFormat.allCases)
    func `come back from both coders`(format: PropertyListFormat) throws {
        #expect(try roundTrip(Rule(), format: format) == Rule())
        #expect(try roundTrip(Self.sets, format: format) == Self.sets)
        let unarchiver = try unarchiver { archiver in
            try archiver.encode(CharacterSet.letters, forKey: "set")
            try archiver.encodeObject(CharacterSet.letters, forKey: "any")
        }
        #expect(try unarchiver.decode(CharacterSet.self, forKey: "set") == .letters)
        #expect(try unarchiver.decodeObject(of: [CharacterSet.self], forKey: "any") as? CharacterSet == .letters)
    }

    @Test func `are objects of the shortest form`() throws {
        func text(_ set: CharacterSet) throws -> String { try InspectedArchive(ArchiveEncoder().encode(set)).text }
        #expect(try text(CharacterSet(charactersIn: "A"..."Z")) == "NSCharacterSet{NSRange: 279172874266}")
        #expect(try text(CharacterSet(charactersIn: "cabz")) == #"NSCharacterSet{NSString: "abcz"}"#)
        #expect(try text(CharacterSet()) == "NSCharacterSet{NSRange: 0}")
        #expect(try text(.letters).hasPrefix("NSCharacterSet{NSBitmap: "))
    }

    @Test(arguments: sets)
    func `are read by Foundation's coder`(set: CharacterSet) throws {
        let object = try withFoundationUnarchiver(of: ArchiveEncoder().encode(set)) {
            try #require($0.decodeObject(of: NSCharacterSet.self, forKey: "root"))
        }
        #expect(object as CharacterSet == set)
    }

    @Test(arguments: sets + ownSets.map(\.set))
    func `are read from what Foundation's coder writes`(set: CharacterSet) throws {
        let data = foundationArchive(of: set as NSCharacterSet)
        #expect(try ArchiveDecoder().decode(CharacterSet.self, from: data) == set)
        let array = foundationArchive(of: [set as NSCharacterSet] as NSArray)
        #expect(try ArchiveDecoder().decode([CharacterSet].self, from: array) == [set])
    }

    @Test func `are read from the numbers of Foundation's own sets`() throws {
        for (number, set) in Self.ownSets {
            let object: PropertyList = ["NSBuiltinID": .integer(Int128(number)), "$class": .uid(2)]
            #expect(try decoded(object) == set, "\(number)")
            #expect(
                try decoded(["NSBuiltinID": .integer(Int128(number)), "NSIsInverted": true, "$class": .uid(2)])
                    == set.inverted)
        }
        let object: PropertyList = ["NSBuiltinID": 16, "$class": .uid(2)]
        let error = try failure { try decoded(object) }
        #expect(error.kind == .dataCorrupted && error.says("character set 16"))
    }

    private func decoded(_ object: PropertyList) throws -> CharacterSet {
        try ArchiveDecoder().decode(
            CharacterSet.self,
            from: handmadeArchive(object, classEntry("NSMutableCharacterSet", "NSCharacterSet"), "xyz"))
    }

    @Test func `are read from every other form`() throws {
        let xyz = CharacterSet(charactersIn: "xyz")
        #expect(try decoded(["NSString": "xyz", "$class": .uid(2)]) == xyz)
        #expect(try decoded(["NSStringObject": .uid(3), "NSIsInverted": true, "$class": .uid(2)]) == xyz.inverted)
        #expect(
            try decoded(["NSRange": .integer(0x78 << 32 | 3), "NSIsInverted": true, "$class": .uid(2)]) == xyz.inverted)
        // The end of the first plane may be cut off. GNUstep's planes have no numbers.
        let x = Data(repeating: 0, count: 15) + [0x07]
        #expect(try decoded(["NSBitmap": .data(x), "$class": .uid(2)]) == xyz)
        #expect(try decoded(["$0": .data(x), "$class": .uid(2)]) == xyz)
        #expect(try decoded(["$0": 0, "$class": .uid(2)]) == .alphanumerics)
        var planes = Data(count: 2 * 8192)
        planes[8192] = 1
        #expect(try decoded(["$0": .data(planes), "$class": .uid(2)]) == CharacterSet(charactersIn: "\u{10000}"))
    }

    @Test func `are an error where the bitmap or the class is another`() throws {
        for data in [
            Data(count: 8193), Data(count: 8192) + [17] + Data(count: 8192),
            Data(count: 8192) + [0] + Data(count: 8192),
        ] {
            let error = try failure { try decoded(["NSBitmap": .data(data), "$class": .uid(2)]) }
            #expect(error.kind == .dataCorrupted && error.says("8192"))
        }
        let twice = Data(count: 8192) + [2] + Data(count: 8192) + [2] + Data(count: 8192)
        #expect(try failure { try decoded(["NSBitmap": .data(twice), "$class": .uid(2)]) }.kind == .dataCorrupted)
        #expect(try failure { try decoded(["$0": 17, "$class": .uid(2)]) }.says("GNUstep"))
        #expect(try failure { try decoded(["other": 1, "$class": .uid(2)]) }.says("bitmap"))
    }

    @Test func `are read from the form in which they encode themselves`() throws {
        let bitmap = CharacterSet.letters.bitmapRepresentation
        let own = try handmadeArchive(
            ["bitmap": .uid(2), "$class": .uid(3)], .data(bitmap), classEntry("Foundation.CharacterSet"))
        #expect(try ArchiveDecoder().decode(CharacterSet.self, from: own) == .letters)
    }
}
