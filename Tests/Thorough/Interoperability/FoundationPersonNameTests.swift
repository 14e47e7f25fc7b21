// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private let ada = PersonNameComponents(
    namePrefix: "Countess", givenName: "Ada", middleName: "King", familyName: "Lovelace", nameSuffix: "FRS",
    nickname: "Ada")

private struct Author: Codable, Equatable {
    var name = ada
    var alias: PersonNameComponents?
    var others = [PersonNameComponents(givenName: "Grace", familyName: "Hopper"), PersonNameComponents()]
}

@Suite(.inTurn) struct `Person names of Foundation` {
    @Test(arguments: PropertyListFormat.allCases)
    func `come back from both coders`(format: PropertyListFormat) throws {
        #expect(try roundTrip(Author(), format: format) == Author())
        let unarchiver = try unarchiver { archiver in
            try archiver.encode(Author(), forKey: "author")
            try archiver.encode(ada, forKey: "name")
            try archiver.encodeObject(ada, forKey: "any")
        }
        #expect(try unarchiver.decode(Author.self, forKey: "author") == Author())
        #expect(try unarchiver.decode(PersonNameComponents.self, forKey: "name") == ada)
        let any = try unarchiver.decodeObject(of: [PersonNameComponents.self], forKey: "any")
        #expect(any as? PersonNameComponents == ada)
    }

    /// Foundation on Linux has the parts in the object, Apple's frameworks in one of their own.
    @Test func `are objects with the parts of both Foundations`() throws {
        let name = PersonNameComponents(givenName: "Ada", nickname: "A")
        let archive = try InspectedArchive(ArchiveEncoder().encode(name))
        let parts = """
            NS.namePrefix: nil, NS.givenName: @"Ada", NS.middleName: nil, NS.familyName: nil, NS.nameSuffix: nil, \
            NS.nickname: @"A"
            """
        #expect(
            archive.text == """
                NSPersonNameComponents{\(parts), NS.nameComponentsPrivate: \
                _NSPersonNameComponentsData{\(parts), NS.phoneticRepresentation: nil}}
                """)
    }

    @Test(arguments: [ada, PersonNameComponents(familyName: "日本"), PersonNameComponents()])
    func `are read by Foundation's coder, and read from it`(name: PersonNameComponents) throws {
        let object = try withFoundationUnarchiver(of: ArchiveEncoder().encode(name)) {
            try #require($0.decodeObject(of: NSPersonNameComponents.self, forKey: "root"))
        }
        #expect(object as PersonNameComponents == name)
        let data = foundationArchive(of: name as NSPersonNameComponents)
        #expect(try ArchiveDecoder().decode(PersonNameComponents.self, from: data) == name)
        let array = foundationArchive(of: [name as NSPersonNameComponents, name as NSPersonNameComponents] as NSArray)
        #expect(try ArchiveDecoder().decode([PersonNameComponents].self, from: array) == [name, name])
    }

    /// An archive of Apple's frameworks.
    private func appleArchive(phonetic: PropertyList) throws -> Data {
        try handmadeArchive(
            ["NS.nameComponentsPrivate": .uid(2), "$class": .uid(6)],
            [
                "NS.givenName": .uid(4), "NS.familyName": .uid(5), "NS.middleName": .uid(0), "NS.namePrefix": .uid(0),
                "NS.nameSuffix": .uid(0), "NS.nickname": .uid(0), "NS.phoneticRepresentation": phonetic,
                "$class": .uid(3),
            ], classEntry("_NSPersonNameComponentsData"), "Ada", "Lovelace", classEntry("NSPersonNameComponents"))
    }

    @Test func `are read from the form of Apple's frameworks`() throws {
        let name = try ArchiveDecoder().decode(PersonNameComponents.self, from: appleArchive(phonetic: .uid(0)))
        #expect(name == PersonNameComponents(givenName: "Ada", familyName: "Lovelace"))
        let empty = try handmadeArchive(["$class": .uid(2)], classEntry("NSPersonNameComponents"))
        #expect(try ArchiveDecoder().decode(PersonNameComponents.self, from: empty) == PersonNameComponents())
    }

    /// The type's Codable form would lose it.
    @Test func `with a phonetic representation are an error in both directions`() throws {
        let read = try failure {
            try ArchiveDecoder().decode(PersonNameComponents.self, from: appleArchive(phonetic: .uid(1)))
        }
        #expect(read.kind == .dataCorrupted && read.says("phonetic"))
        var name = ada
        name.phoneticRepresentation = PersonNameComponents(givenName: "Ey-da")
        let error = #expect(throws: EncodingError.self) { try ArchiveEncoder().encode([name]) }
        #expect("\(try #require(error))".contains("phonetic"))
    }

    @Test func `are an error where a part is none`() throws {
        for fields: PropertyList in [
            ["NS.givenName": 5, "$class": .uid(2)], ["NS.nameComponentsPrivate": 5, "$class": .uid(2)],
        ] {
            let data = try handmadeArchive(fields, classEntry("NSPersonNameComponents"))
            #expect(try failure(decoding: PersonNameComponents.self, from: data).kind == .dataCorrupted)
        }
    }

    @Test func `are read from the form in which they encode themselves, and by their keys as from JSON`() throws {
        let data = try handmadeArchive(
            ["givenName": .uid(3), "familyName": .uid(4), "$class": .uid(2)],
            classEntry("Foundation.PersonNameComponents"), "Ada", "Lovelace")
        let name = try ArchiveDecoder().decode(PersonNameComponents.self, from: data)
        #expect(name == PersonNameComponents(givenName: "Ada", familyName: "Lovelace"))
        let other = try handmadeArchive(["first": .uid(3), "$class": .uid(2)], classEntry("LOName"), "Ada")
        let json = Data(#"{ "first": "Ada" }"#.utf8)
        #expect(
            try ArchiveDecoder().decode(PersonNameComponents.self, from: other)
                == JSONDecoder().decode(PersonNameComponents.self, from: json))
    }
}
