// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// What the article on editing archives says, besides its code.
@Suite(.inTurn)
struct `The guide to editing archives` {
    private let data: Data

    final class Owner: Codable {
        var name = "Ada"
        var telephone: String? = "555-0100"
    }

    struct Animal: Codable {
        var name: String
        var weight: Double
        var owner: Owner
    }

    struct Farm: Codable {
        var animals: [Animal]
        var founded: Date
    }

    init() throws {
        let owner = Owner()
        let farm = Farm(
            animals: [
                Animal(name: "Bella", weight: 512.5, owner: owner), Animal(name: "Bella", weight: 48, owner: owner),
            ], founded: Date(timeIntervalSinceReferenceDate: 0))
        var encoder = ArchiveEncoder()
        encoder.classes.register(Farm.self, name: "Old.Farm")
        encoder.classes.register(Animal.self, name: "Old.Animal")
        encoder.classes.register(Owner.self, name: "Old.Owner")
        let data = try encoder.encode(farm)
        self.data = data
    }

    /// The farm in `data` under the new names.
    private func read(_ data: Data) throws -> Farm {
        var decoder = ArchiveDecoder()
        decoder.classes.register(Farm.self, name: "Farm")
        decoder.classes.register(Animal.self, name: "Animal")
        decoder.classes.register(Owner.self, name: "Old.Owner")
        return try decoder.decode(Farm.self, from: data)
    }

    @Test func `renames classes`() throws {
        #expect(try KeyedArchive(data).root.className == "Old.Farm")
        var editor = try KeyedArchiveEditor(KeyedArchive(data))
        try editor.renameClass("Old.Farm", to: "Farm")
        try editor.renameClass("Old.Animal", to: "Animal")
        let renamed = try editor.propertyList.data()

        let archive = try KeyedArchive(renamed)
        #expect(archive.root.className == "Farm" && archive["root", "animals", 1]?.className == "Animal")
        #expect(Set(archive.classes.map(\.name)) == ["Farm", "Animal", "Old.Owner", "NSArray", "NSDate"])
        #expect(try KeyedArchive(data).objects.count == archive.objects.count)
        let farm = try read(renamed)
        #expect(farm.animals.map(\.weight) == [512.5, 48] && farm.animals[0].owner === farm.animals[1].owner)
        #expect(throws: KeyedArchiveError.self) { try editor.renameClass("Old.Farm", to: "Farm") }

        try editor.set(["Animal", "LivingThing", "NSObject"], at: ["root", "animals", 0, "$class", "$classes"])
        let chain = try editor.archive()["root", "animals", 1]?.class?.chain
        #expect(chain == ["Animal", "LivingThing", "NSObject"])
    }

    /// The table of how values are stored, row by row.
    @Test func `stores values as the place has it`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 5)
        let values: [PropertyList] = [
            true, 1, 2.5, "text", .data(Data([1])), .date(date), [1], ["a": 1], .uid(1), .null,
        ]
        let inline = [true, true, true, false, false, false, true, true, false, false]
        for (value, isInline) in zip(values, inline) {
            var editor = KeyedArchiveEditor()
            try editor.addObject("what uid 1 refers to")
            let object = try editor.addObject(ofClass: "Thing", fields: ["plain": [], "value": value])
            try editor.set(.uid(object), at: ["root"])
            try editor.set(.uid(editor.addArray([value])), at: ["root", "list"])
            try editor.insert(value, at: ["root", "plain", 0])
            let stored = try #require(editor[uid: object]?["value"])
            let element = try #require(editor.value(at: ["root", "list", "NS.objects"])?[0])
            let plain = try #require(editor[uid: object]?["plain"]?[0])
            for reference in [stored, element] {
                guard case .uid(let uid) = reference else {
                    #expect(isInline && reference == value)
                    continue
                }
                switch value {
                case .null: #expect(uid == 0)
                case .uid(let expected): #expect(uid == expected)
                case .date:
                    #expect(editor[uid: uid]?["NS.time"] == 5.0)
                default: #expect(editor[uid: uid] == value)
                }
            }
            if isInline { #expect(stored == value) }
            if case .uid = element {} else { Issue.record("\(value) stands in a list") }
            #expect(plain == (value == .null ? .uid(0) : value))
        }
    }
}
