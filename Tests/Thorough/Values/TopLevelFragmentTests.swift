// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `At the top level` {
    struct Nothing: Codable {}

    @Test func `a fragment is what root refers to`() throws {
        #expect(try archiveText(3) == "@3")
        #expect(try archiveText(2.5) == "@2.5")
        #expect(try archiveText(Float(2.5)) == "@2.5f")
        #expect(try archiveText(true) == "@true")
        #expect(try archiveText("x") == #"@"x""#)
        #expect(try archiveText("") == #"@"""#)
        #expect(try archiveText(Int?.none) == "nil")
        #expect(try archiveText([Int]()) == "NSArray[]")
        #expect(try archiveText([String: Int]()) == "NSDictionary[]")
        #expect(try archiveText(Set<Int>()) == "NSSet[]")
    }

    @Test func `the property list has the four entries of an archive`() throws {
        let list = try InspectedArchive(of: 3).list
        #expect(
            list == [
                "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
                "$objects": ["$null", 3],
            ])
        #expect(
            try InspectedArchive(of: Int?.none).list == [
                "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(0)],
                "$objects": ["$null"],
            ])
        #expect(
            try InspectedArchive(of: [Int]()).list == [
                "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
                "$objects": [
                    "$null", ["NS.objects": [], "$class": .uid(2)],
                    ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]],
                ],
            ])
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `fragments come back`(format: PropertyListFormat) throws {
        #expect(try roundTrip(3, format: format) == 3)
        #expect(try roundTrip(2.5, format: format) == 2.5)
        #expect(try roundTrip(false, format: format) == false)
        #expect(try roundTrip("text", format: format) == "text")
        #expect(try roundTrip("", format: format) == "")
        #expect(try roundTrip(Int?.none, format: format) == nil)
        #expect(try roundTrip(Int?.some(3), format: format) == 3)
        #expect(try roundTrip([Int](), format: format) == [])
        #expect(try roundTrip([[Int]](), format: format) == [])
        #expect(try roundTrip([String: [Int]](), format: format) == [:])
        #expect(try roundTrip(Set<String>(), format: format) == [])
    }

    @Test func `values that encode nothing are objects without fields, and come back`() throws {
        final class NoOne: Codable {}
        struct Silent: Codable {
            init() {}
            init(from decoder: any Decoder) {}
            func encode(to encoder: any Encoder) {}
        }
        let archive = try InspectedArchive(of: Nothing())
        #expect(archive.text == "Nothing{}")
        #expect(archive.objects.count == 3)
        #expect(archive.objects[1] == ["$class": .uid(2)])
        #expect(try archiveText(NoOne()) == "NoOne{}")
        #expect(try archiveText(Silent()) == "Silent{}")
        #expect(try archiveText([Silent(), Silent()]) == "NSArray[Silent{}, Silent{}]")
        #expect(try roundTrip([Silent(), Silent()]).count == 2)
        #expect(try roundTrip(["a": Nothing()]).count == 1)
        let instance = NoOne()
        let again = try roundTrip([instance, instance, NoOne()])
        #expect(again[0] === again[1])
        #expect(again[0] !== again[2])
        struct Fields: Codable { var nothing = Nothing(), silent = Silent(), optional: Silent? = Silent() }
        #expect(try archiveText(Fields()) == "Fields{nothing: Nothing{}, silent: Silent{}, optional: Silent{}}")
        #expect(try roundTrip(Fields()).optional != nil)
    }

    @Test func `an object without fields is no array, no set and no scalar`() throws {
        struct One: Codable { var x = 1 }
        for error in [
            try failure(decoding: [Int].self, fromArchiveOf: Nothing()),
            try failure(decoding: Set<Int>.self, fromArchiveOf: Nothing()),
            try failure(decoding: [String].self, fromArchiveOf: One()),
            try failure(decoding: Int.self, fromArchiveOf: Nothing()),
            try failure(decoding: String.self, fromArchiveOf: Nothing()),
        ] {
            #expect(error.kind == .typeMismatch)
            #expect(error.path == "")
        }
    }

    @Test func `nil is missing if a value is requested`() throws {
        let error = try failure(decoding: Int.self, fromArchiveOf: Int?.none)
        #expect(error.kind == .valueNotFound)
        #expect(error.type == Int.self)
        #expect(error.path == "")
        #expect(try failure(decoding: String.self, fromArchiveOf: Int?.none).kind == .valueNotFound)
        #expect(try failure(decoding: [Int].self, fromArchiveOf: Int?.none).kind == .valueNotFound)
        #expect(try failure(decoding: [String: Int].self, fromArchiveOf: Int?.none).kind == .valueNotFound)
        #expect(try failure(decoding: Set<Int>.self, fromArchiveOf: Int?.none).kind == .valueNotFound)
    }
}
