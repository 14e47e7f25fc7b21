// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private class Animal: Codable {
    var name: String
    var friend: Animal?

    init(_ name: String, friend: Animal? = nil) { (self.name, self.friend) = (name, friend) }
}

private struct Farm: Codable {
    var animals: [Animal]
    var values: [String: KeyedArchive.Value]
}

@Suite(.inTurn) struct `Values of archives as Codable values` {
    private func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
        try ArchiveDecoder().decode(type, from: data)
    }

    private struct Mixed: Encodable {
        var text = "Bella"
        var number = 7
        var flag = true
        var real = 1.5
        var date = Date(timeIntervalSinceReferenceDate: 5)
        var list = [1, 2, 3]
        var nothing: Int?
        var animal = Animal("Bella")
        var data = Data([1])

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(text, forKey: .text)
            try container.encode(number, forKey: .number)
            try container.encode(flag, forKey: .flag)
            try container.encode(real, forKey: .real)
            try container.encode(date, forKey: .date)
            try container.encode(list, forKey: .list)
            try container.encodeNil(forKey: .nothing)
            try container.encode(animal, forKey: .animal)
            try container.encode(data, forKey: .data)
        }

        enum CodingKeys: String, CodingKey { case text, number, flag, real, date, list, nothing, animal, data }
    }

    private struct Read: Codable {
        var text, number, flag, real, date, list, nothing, animal, data: KeyedArchive.Value
        var absent: KeyedArchive.Value?
    }

    private func check(_ read: Read) throws {
        #expect(read.text.string == "Bella" && read.number.integer == 7 && read.flag.boolean == true)
        #expect(read.real.double == 1.5 && read.date.date == Date(timeIntervalSinceReferenceDate: 5))
        #expect(read.list.elements.map(\.integer) == [1, 2, 3])
        #expect(read.text.elements.isEmpty && read.nothing.elements.isEmpty)
        #expect(read.nothing.isNull && read.absent == nil)
        #expect(read.animal["name"]?.string == "Bella" && read.data.data == Data([1]))
        #expect(try read.animal.decode(Animal.self).name == "Bella")
        #expect(try read.number.propertyList() == 7)
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `decode from every kind of value`(format: PropertyListFormat) throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        let read = try decode(Read.self, encoder.encode(Mixed()))
        try check(read)
        // A value inside an object is found in it.
        let archive = read.number.archive
        #expect(read.number == archive.root["number"] && read.animal == archive.root["animal"])
        // They are copied as often as the program likes.
        try check(roundTrip(read, format: format))
        try check(roundTrip(roundTrip(read)))
    }

    @Test func `decode from mixed dictionaries of Foundation`() throws {
        let object: NSDictionary = [
            "name": "Bella", "ages": [1, 2.5, NSNull()] as NSArray, "url": NSURL(string: "http://a/b")!,
        ]
        let data = foundationArchive(of: object)
        let values = try decode([String: KeyedArchive.Value].self, data)
        #expect(values.count == 3)
        #expect(values["name"]?.string == "Bella" && values["ages"]?[1].double == 2.5)
        #expect(values["url"]?.className == "NSURL")
        #expect(try values["url"]?.decode(URL.self) == URL(string: "http://a/b"))
        // Foundation reads the copy.
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: ArchiveEncoder().encode(values))
        unarchiver.requiresSecureCoding = false
        #expect(unarchiver.decodeObject(forKey: "root") as? NSDictionary == object)
    }

    @Test func `keep the archive's bytes`() throws {
        var values = try decode([KeyedArchive.Value].self, ArchiveEncoder().encode(["a", "b"]))
        values = values.reversed()
        #expect(values.map(\.string) == ["b", "a"])
        #expect(values[0].archive.root.count == 2)
    }

    @Test func `come from single values, unkeyed containers and any place of an object`() throws {
        struct Wrapper: Codable {
            var value: KeyedArchive.Value
            init(from decoder: any Decoder) throws { value = try KeyedArchive.Value(from: decoder) }
            func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
        }
        struct Several: Codable {
            var number: Wrapper
            var other: Wrapper
        }
        struct Source: Codable {
            var number = 3
            var other = "x"
        }
        let read = try roundTrip(decode(Several.self, ArchiveEncoder().encode(Source())))
        #expect(read.number.value.integer == 3 && read.other.value.string == "x")
        let list = try decode([Wrapper].self, ArchiveEncoder().encode([1, 2]))
        #expect(try roundTrip(list).map(\.value.integer) == [1, 2])
        let root = try decode(KeyedArchive.Value.self, ArchiveEncoder().encode(Source()))
        #expect(root["number"]?.integer == 3)
        #expect(try decode(Source.self, ArchiveEncoder().encode(root)).number == 3)
        // A number that was inside an object becomes an object in a list.
        let number = try decode([String: KeyedArchive.Value].self, ArchiveEncoder().encode(Source()))["number"]
        #expect(try decode([Int].self, ArchiveEncoder().encode([number, number])) == [3, 3])
    }

    // MARK: - Identity

    @Test func `are encoded with all objects, each once`() throws {
        let bella = Animal("Bella")
        let rosa = Animal("Rosa", friend: bella)
        bella.friend = rosa
        let data = try ArchiveEncoder().encode(["a": bella, "b": rosa, "c": bella])
        let values = try decode([String: KeyedArchive.Value].self, data)
        #expect(values["a"] == values["c"] && values["a"] != values["b"])
        let copy = try ArchiveEncoder().encode(values)
        #expect(try failure { try decode([String: Animal].self, copy) }.says("Animal.friend", "@Reference"))
        #expect(try KeyedArchive(copy).objects.filter { $0["name"]?.string == "Bella" }.count == 1)
    }

    @Test func `are encoded with the program's instances`() throws {
        let bella = Animal("Bella")
        let data = try ArchiveEncoder().encode(
            ["animals": [bella], "values": ["x": Animal("Rosa", friend: bella)]] as Farms)
        let farm = try decode(Farm.self, data)
        farm.animals[0].name = "Anna"
        for copy in [try decode(Farms.self, ArchiveEncoder().encode(farm))] {
            #expect(copy.animals[0].name == "Anna")
            #expect(copy.values["x"]?.name == "Rosa" && copy.values["x"]?.friend === copy.animals[0])
        }
    }

    private struct Farms: Codable, ExpressibleByDictionaryLiteral {
        var animals: [Animal]
        var values: [String: Animal]

        init(dictionaryLiteral elements: (String, Any)...) {
            animals = elements[0].1 as? [Animal] ?? []
            values = elements[1].1 as? [String: Animal] ?? [:]
        }
    }

    @Test func `share objects with unknown objects`() throws {
        struct Both: Codable {
            var unknown: UnknownObject
            var value: KeyedArchive.Value
            var inside: [KeyedArchive.Value]
        }
        struct Source: Codable {
            var unknown: Animal
            var value: Animal
            var inside: [Animal]
        }
        let bella = Animal("Bella", friend: Animal("Rosa"))
        let friend = try #require(bella.friend)
        let data = try ArchiveEncoder().encode(Source(unknown: bella, value: bella, inside: [friend]))
        let both = try decode(Both.self, data)
        #expect(both.unknown.value == both.value)
        let copy = try decode(Source.self, ArchiveEncoder().encode(both))
        #expect(copy.unknown === copy.value && copy.unknown.friend === copy.inside[0])
        #expect(copy.unknown.friend?.name == "Rosa")
    }

    @Test func `are part of deep copies`() throws {
        let farm = try decode(
            Farm.self,
            ArchiveEncoder().encode(["animals": [Animal("Bella")], "values": ["x": Animal("Rosa")]] as Farms))
        let copy = try deepCopy(of: farm)
        #expect(copy.values["x"]?["name"]?.string == "Rosa" && copy.animals[0] !== farm.animals[0])
    }

    // MARK: - Errors

    @Test func `need an archive`() throws {
        let decoding = try #require(throws: DecodingError.self) {
            try JSONDecoder().decode([String: KeyedArchive.Value].self, from: Data(#"{"a": 1}"#.utf8))
        }
        guard case .dataCorrupted(let context) = decoding else { return }
        #expect(context.codingPath.map(\.stringValue) == ["a"])
        #expect("\(context)".contains("needs an archive"))
        let value = try decode(KeyedArchive.Value.self, ArchiveEncoder().encode("a"))
        let encoding = try #require(throws: EncodingError.self) { try JSONEncoder().encode(["a": value]) }
        guard case .invalidValue(_, let context) = encoding else { return }
        #expect(context.codingPath.map(\.stringValue) == ["a"])
        #expect("\(context)".contains("Use ArchiveEncoder"))
        #expect(throws: EncodingError.self) {
            try ArchiveEncoder().encode(KeyedArchive(ArchiveEncoder().encode("a")).top)
        }
    }

    @Test func `are encoded unless their archive is damaged`() throws {
        let data = try handmadeArchive(["a": .uid(9), "b": .uid(2)], "text")
        let archive = try KeyedArchive(data)
        let damaged = try #require(archive.root["a"])
        #expect(damaged.kind == .damaged)
        #expect(throws: EncodingError.self) { try ArchiveEncoder().encode(damaged) }
        #expect(throws: EncodingError.self) { try ArchiveEncoder().encode(archive.root) }
        #expect(try decode(String.self, ArchiveEncoder().encode(try #require(archive.root["b"]))) == "text")
    }
}
