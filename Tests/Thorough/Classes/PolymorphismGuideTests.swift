// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What the article on names, subclasses and protocols says, besides its code.
@Suite(.inTurn)
struct `The guide to polymorphism and names` {
    // MARK: Names

    final class Keeper: Codable { var name = "Fred" }
    struct Cage: Codable { var number = 1 }

    struct Location: Codable, ArchiveDescribing {
        static let archiveName = "Location"
        static let archiveAliases = ["OldZoo.Place"]
        var latitude: Double
        var longitude: Double
    }

    @Test func `names types`() throws {
        var classes = ClassRegistry()
        classes.register(Keeper.self, name: "Keeper", aliases: ["OldZoo.Warden"])  // a name and former names
        classes.register(Cage.self)  // by the name that it has anyway
        #expect(classes.name(for: Keeper.self) == "Keeper")
        #expect(classes.type(named: "OldZoo.Warden") == Keeper.self)
        #expect(classes.name(for: Cage.self) == ClassRegistry().name(for: Cage.self))
        #expect(classes.type(named: classes.name(for: Cage.self)) == Cage.self)
        #expect(classes.name(for: Location.self) == "Location")
        let location = try KeyedArchive(ArchiveEncoder().encode(Location(latitude: 47, longitude: 8)))
        #expect(location.root.className == "Location")
    }

    // MARK: Subclasses

    class Animal: Codable {
        var name: String
        init(name: String) { self.name = name }
    }

    final class Dog: Animal {
        var isGood = true

        private enum CodingKeys: CodingKey { case isGood }

        override init(name: String) { super.init(name: name) }

        required init(from decoder: any Decoder) throws {
            isGood = try decoder.container(keyedBy: CodingKeys.self).decode(Bool.self, forKey: .isGood)
            try super.init(from: decoder)
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(isGood, forKey: .isGood)
            try super.encode(to: encoder)
        }
    }

    @Test func `brings subclasses back`() throws {
        let data = try ArchiveEncoder().encode([Animal(name: "Bella"), Dog(name: "Rex")])

        var decoder = ArchiveDecoder()
        decoder.classes.register(Dog.self)
        let animals = try decoder.decode([Animal].self, from: data)
        #expect(animals[1] is Dog)
        #expect(animals.map(\.name) == ["Bella", "Rex"])

        struct Twice: Codable {
            var animal: Animal
            var dog: Dog
        }
        let dog = Dog(name: "Rex")
        let twice = try decoder.decode(Twice.self, from: ArchiveEncoder().encode(Twice(animal: dog, dog: dog)))
        #expect(twice.animal === twice.dog)
    }

    final class Cat: Animal {}

    @Test func `refuses subclasses that are not registered, unless it is configured to allow them`() throws {
        let data = try ArchiveEncoder().encode([Dog(name: "Rex"), Cat(name: "Tom")] as [Animal])
        var decoder = ArchiveDecoder()
        decoder.classes.register(Dog.self)
        let error = try failure { try decoder.decode([Animal].self, from: data) }
        #expect(error.kind == .typeMismatch)
        #expect(error.path == "[1]")
        #expect(error.says("Cat", "a subclass that is not registered"))
        decoder.classes.unknownClasses = .decodeAsRequested
        let animals = try decoder.decode([Animal].self, from: data)
        #expect(animals[0] is Dog)
        #expect(type(of: animals[1]) == Animal.self)
        #expect(animals[1].name == "Tom")
    }

    // MARK: Unknown names

    final class Item: Codable { var name = "item" }

    /// Objects of the classes `names`, with the field of an `Item`.
    private func archive(_ names: String...) throws -> Data {
        var objects: [PropertyList] = [["NS.objects": .array([]), "$class": .uid(2)]]
        objects.append(["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]])
        objects.append("a name")
        var elements: [PropertyList] = []
        for name in names {
            elements.append(.uid(UInt32(objects.count + 1)))
            objects.append(["name": .uid(3), "$class": .uid(UInt32(objects.count + 2))])
            objects.append(["$classname": .string(name), "$classes": [.string(name), "NSObject"]])
        }
        objects[0] = ["NS.objects": .array(elements), "$class": .uid(2)]
        return try handmadeArchive(objects: objects)
    }

    @Test func `reads objects of unknown names by their keys, and those of registered classes as these`() throws {
        let own = ClassRegistry().name(for: Item.self)
        for names in [["OldModule.Item"], ["LOItem"], ["LOItem", "LOOther"], ["LOItem", own], [own, "LOItem"]] {
            let data = try archive(names[0], names.last ?? own)
            #expect(try ArchiveDecoder().decode([Item].self, from: data).map(\.name) == ["a name", "a name"])
        }
        var decoder = ArchiveDecoder()
        decoder.classes.register(Item.self, name: "Item", aliases: ["LOItem", "LOOther"])
        #expect(try decoder.decode([Item].self, from: archive("LOItem", "LOOther", "Item")).count == 3)
        decoder = ArchiveDecoder()
        decoder.classes.register(Keeper.self, name: "Keeper")
        #expect(throws: DecodingError.self) { try decoder.decode([Item].self, from: archive("Keeper")) }
        decoder.classes.register(Animal.self)
        let animal = ClassRegistry().name(for: Animal.self)
        #expect(throws: DecodingError.self) { try decoder.decode([Cat].self, from: archive(animal)) }
        // The name is not checked for a struct.
        struct Plain: Codable { var name: String }
        #expect(try ArchiveDecoder().decode([Plain].self, from: archive("A", "B")).count == 2)
    }

    // MARK: Values behind a protocol

    @Test func `brings values behind protocols back, also from JSON, and copies them`() throws {
        protocol Shape: Codable {
            var area: Double { get }
        }

        struct Square: Shape {
            var side: Double
            var area: Double { side * side }
        }

        enum Unit: String, Shape {
            case one
            var area: Double { 1 }
        }

        final class Blob: Shape {
            var area: Double
            init(area: Double) { self.area = area }
        }

        struct Drawing: Codable {
            @Polymorphic var background: any Shape
            @Polymorphic var frame: (any Shape)?
            @Polymorphic var shapes: [any Shape]
            @Polymorphic var byName: [String: [any Shape]]
        }

        let blob = Blob(area: 7)
        let drawing = Drawing(
            background: blob, frame: nil, shapes: [Square(side: 2), Unit.one, blob], byName: ["all": [blob]])

        var encoder = ArchiveEncoder()
        var decoder = ArchiveDecoder()
        for type in [Square.self, Unit.self, Blob.self] as [any Any.Type] {
            encoder.classes.register(type, name: "\(type)")
            decoder.classes.register(type, name: "\(type)")
        }

        let again = try decoder.decode(Drawing.self, from: encoder.encode(drawing))
        #expect("\(again.shapes.map(\.area))" == "[4.0, 1.0, 7.0]")
        #expect(again.shapes[2] as? Blob === again.background as? Blob)
        #expect(again.byName["all"]?[0] as? Blob === again.background as? Blob)
        #expect(again.frame == nil)
        #expect(throws: DecodingError.self) { try ArchiveDecoder().decode(Drawing.self, from: encoder.encode(drawing)) }

        let root = try decoder.decode(
            Polymorphic<any Shape>.self, from: encoder.encode(Polymorphic<any Shape>(wrappedValue: Unit.one)))
        #expect(root.wrappedValue as? Unit == .one)

        let json = JSONDecoder()
        json.userInfo[ClassRegistry.userInfoKey] = decoder.classes
        let writer = JSONEncoder()
        writer.userInfo[ClassRegistry.userInfoKey] = encoder.classes
        let text = try writer.encode(drawing)
        #expect(String(decoding: text, as: UTF8.self).contains("\"class\":\"Square\""))
        #expect(try json.decode(Drawing.self, from: text).shapes.map(\.area) == [4.0, 1.0, 7.0])

        let twin = try deepCopy(of: drawing)
        #expect(twin.background as? Blob === twin.shapes[2] as? Blob)
        #expect(!(twin.background as? Blob === blob))
    }

    // MARK: Values that are archived once

    struct Country: Codable, ArchivedOnce {
        let id: String
        var name: String
    }

    struct City: Codable {
        var name: String
        var country: Country
    }

    @Test func `archives values with an id once`() throws {
        let country = Country(id: "fr", name: "France")
        let cities = ["Paris", "Lyon"].map { City(name: $0, country: country) }
        let archive = try InspectedArchive(of: cities)
        #expect(archive.count(ofClass: "Country") == 1)
        #expect(try roundTrip(cities).map(\.country.name) == ["France", "France"])
        let other = Country(id: "fr", name: "Francia")
        #expect(try roundTrip([country, other]).map(\.name) == ["France", "France"])
    }
}
