// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A part of an archive` {
    final class Owner: Codable {
        var name: String
        @WeakReference var friend: Owner?
        init(name: String) { self.name = name }
    }

    struct Animal: Codable, Equatable {
        var name: String
        var weight: Double
    }

    enum Mood: Codable, Equatable {
        case calm
        case hungry(since: Int, Animal)
    }

    enum Colour: String, Codable { case red, green }

    final class Tractor: Coding {
        let power: Int
        let driver: Owner?

        init(power: Int, driver: Owner?) { (self.power, self.driver) = (power, driver) }

        init(coder: KeyedUnarchiver) throws {
            power = try coder.decode(Int.self, forKey: "power")
            driver = try coder.decodeIfPresent(Owner.self, forKey: "driver")
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(power, forKey: "power")
            try coder.encode(driver, forKey: "driver")
        }
    }

    final class Both: Coding, Codable {
        let number: Int
        init(number: Int) { self.number = number }
        init(coder: KeyedUnarchiver) throws { number = try coder.decode(Int.self, forKey: "number") }
        func encode(with coder: KeyedArchiver) throws { coder.encode(number, forKey: "number") }
        init(from decoder: any Decoder) throws {
            Issue.record("A class that is both is Coding")
            number = -1
        }
        func encode(to encoder: any Encoder) throws { Issue.record("A class that is both is Coding") }
    }

    struct Farm: Codable {
        var name: String
        var owner: Owner
        var tenant: Owner
        var animals: [Animal]
        var byName: [String: Animal]
        var byNumber: [Int: Owner]
        var mood: Mood
        var colour: Colour
        var count: Int
        var founded: Date
        var maybe: Int?
        @Coded var tractor: Tractor?
        @Coded var both: Both?
    }

    private static func farm() -> Farm {
        let owner = Owner(name: "Anna")
        owner.friend = owner
        let animals = [Animal(name: "Bella", weight: 512.5), Animal(name: "Daisy", weight: 0.1)]
        return Farm(
            name: "The Farm", owner: owner, tenant: owner, animals: animals, byName: ["Bella": animals[0]],
            byNumber: [7: owner], mood: .hungry(since: 3, animals[1]), colour: .green, count: 2,
            founded: Date(timeIntervalSinceReferenceDate: 1000.25), maybe: nil,
            tractor: Tractor(power: 90, driver: owner),
            both: Both(number: 5))
    }

    private func archive(_ format: PropertyListFormat) throws -> KeyedArchive {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        return try KeyedArchive(encoder.encode(Self.farm()))
    }

    private func part(_ key: String, _ format: PropertyListFormat = .binary) throws -> KeyedArchive.Value {
        try #require(archive(format).root[key])
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `is decoded as what it is`(format: PropertyListFormat) throws {
        let archive = try archive(format)
        let root = archive.root
        func decode<Value: Decodable>(_ type: Value.Type, _ key: String) throws -> Value {
            try #require(root[key]).decode(type)
        }
        #expect(try decode(Owner.self, "owner").name == "Anna")
        #expect(try decode([Animal].self, "animals").map(\.name) == ["Bella", "Daisy"])
        #expect(try #require(root["animals"])[1].decode(Animal.self) == Animal(name: "Daisy", weight: 0.1))
        #expect(try decode([String: Animal].self, "byName")["Bella"]?.weight == 512.5)
        #expect(try root["byName"]?["Bella"]?.decode(Animal.self).name == "Bella")
        #expect(try #require(root["byNumber"]).entries[0].value.decode(Owner.self).name == "Anna")
        #expect(try #require(root["byNumber"]).entries[0].key.decode(Int.self) == 7)
        #expect(try decode(Mood.self, "mood") == .hungry(since: 3, Animal(name: "Daisy", weight: 0.1)))
        #expect(try decode(Colour.self, "colour") == .green)
        #expect(try decode(Date.self, "founded") == Date(timeIntervalSinceReferenceDate: 1000.25))
        #expect(try decode(String.self, "name") == "The Farm")
        // Inline values.
        #expect(root["count"]?.uid == nil)
        #expect(try decode(Int.self, "count") == 2 && decode(Int8.self, "count") == 2)
        #expect(try decode(Int?.self, "count") == 2)
        #expect(try root["animals"]?[0]["weight"]?.decode(Double.self) == 512.5)
        // All of it.
        #expect(try root.decode(Farm.self).byNumber[7]?.name == "Anna")
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `is decoded as a Coding class`(format: PropertyListFormat) throws {
        let root = try archive(format).root
        let tractor = try #require(root["tractor"]).decode(Tractor.self)
        #expect(tractor.power == 90 && tractor.driver?.name == "Anna" && tractor.driver?.friend === tractor.driver)
        #expect(try #require(root["both"]).decode(Both.self).number == 5)
        let data = try KeyedArchiver.archivedData(withRootObject: tractor)
        #expect(try KeyedArchive(data).root["driver"]?.decode(Owner.self).name == "Anna")
        #expect(try KeyedArchive(data).root.decode(Tractor.self).power == 90)
    }

    @Test func `at the top is what was encoded by key`() throws {
        struct Top: Decodable {
            var name: String
            var count: Int
            var owner: Owner
            var price: Int
            var missing: Int?
            enum CodingKeys: String, CodingKey {
                case name, count, owner, missing
                case price = "$price"
            }
        }
        let archive = try KeyedArchive(
            try keyedArchive { archiver in
                archiver.encode("The Farm", forKey: "name")
                archiver.encode(3, forKey: "count")
                try archiver.encode(Owner(name: "Anna"), forKey: "owner")
                archiver.encode(9, forKey: "$price")
            })
        for value in [archive.top, archive.root] {
            let top = try value.decode(Top.self)
            #expect(top.name == "The Farm" && top.count == 3 && top.owner.name == "Anna" && top.price == 9)
            #expect(top.missing == nil)
        }
        #expect(try archive.top["$price"]?.decode(Int.self) == 9)
    }

    @Test func `has each object once, and another call makes others`() throws {
        struct Both: Decodable {
            var owner: Owner
            var tenant: Owner
        }
        let root = try archive(.binary).root
        let both = try root.decode(Both.self)
        #expect(both.owner === both.tenant && both.owner.friend === both.owner)
        let again = try root.decode(Both.self)
        #expect(again.owner !== both.owner)
        let owners = try (0..<2).map { _ in try #require(root["owner"]).decode(Owner.self) }
        #expect(owners[0] !== owners[1] && owners[0].friend === owners[0])
        let tractors = try (0..<2).map { _ in try #require(root["tractor"]).decode(Tractor.self) }
        #expect(tractors[0] !== tractors[1] && tractors[0].driver !== tractors[1].driver)
    }

    @Test func `is decoded with the settings of a decoder`() throws {
        struct Told: Decodable {
            let text: String?
            init(from decoder: any Decoder) { text = decoder.userInfo[.named("told")] as? String }
        }
        var decoder = ArchiveDecoder()
        decoder.userInfo[.named("told")] = "so"
        #expect(try part("owner").decode(Told.self, using: decoder).text == "so")
        #expect(try part("owner").decode(Told.self).text == nil)
    }

    class Vehicle: Codable {
        var wheels = 4
        init() {}
    }

    final class Truck: Vehicle {
        var load = 7.5
        override init() { super.init() }
        required init(from decoder: any Decoder) throws {
            load = try decoder.container(keyedBy: AnyKey.self).decode(Double.self, forKey: "load")
            try super.init(from: decoder)
        }
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(load, forKey: "load")
        }
    }

    @Test func `is of the class that the registry has for it`() throws {
        var encoder = ArchiveEncoder()
        encoder.classes.register(Truck.self, name: "Truck")
        let list: [Vehicle] = [Vehicle(), Truck()]
        let archive = try KeyedArchive(encoder.encode(list))
        #expect(archive.root[1].className == "Truck")
        var decoder = ArchiveDecoder()
        decoder.classes = encoder.classes
        let vehicle = try archive.root[1].decode(Vehicle.self, using: decoder)
        #expect((vehicle as? Truck)?.load == 7.5)
        #expect(!(try archive.root[0].decode(Vehicle.self, using: decoder) is Truck))
    }
}

// MARK: - What goes wrong

extension `A part of an archive` {
    @Test func `has limits of its own`() throws {
        let archive = try KeyedArchive(ArchiveEncoder().encode([[1], Array(repeating: 2, count: 1000)]))
        var decoder = ArchiveDecoder()
        decoder.limits.work = 100
        #expect(try archive.root[0].decode([Int].self, using: decoder) == [1])
        let error = try failure { try archive.root[1].decode([Int].self, using: decoder) }
        #expect(error.kind == .dataCorrupted && error.says("limit"))
        let chain = try openArchive(
            ["driver": .uid(2), "power": 1, "$class": .uid(3)], ["name": "Anna", "$class": .uid(4)],
            ["$classname": .string(ClassRegistry().name(for: Tractor.self))],
            ["$classname": .string(ClassRegistry().name(for: Owner.self))])
        #expect(try chain.root.decode(Tractor.self, using: decoder).driver?.name == "Anna")
        decoder.limits.work = 1
        let limit = #expect(throws: ArchivingError.self) { try chain.root.decode(Tractor.self, using: decoder) }
        #expect(limit?.code == .limit)
    }

    @Test func `that is something else is an error with its path inside the part`() throws {
        let mismatch = try failure { try part("owner").decode(Int.self) }
        #expect(mismatch.kind == .typeMismatch && mismatch.path == "", "\(mismatch)")
        let missing = try failure { try part("owner").decode(Animal.self) }
        #expect(missing.path == "" && [.keyNotFound, .typeMismatch].contains(missing.kind), "\(missing)")
        let inside = try failure { try part("animals").decode([Int].self) }
        #expect(inside.path.hasPrefix("[0]"), "\(inside)")
        let null = try openArchive(top: ["root": .uid(0)])
        #expect(try failure { try null.root.decode(Int.self) }.kind == .valueNotFound)
        #expect(try null.root.decode(Int?.self) == nil)
        let list = try openArchive(["NS.objects": [["x": 1], ["x": "one"]], "$class": .uid(2)], classEntry("NSArray"))
        let element = try failure { try list.root.decode([[String: Int]].self) }
        #expect(element.kind == .typeMismatch && element.path == "[1].x", "\(element)")
        let piece = try failure { try list.root[1].decode([String: Int].self) }
        #expect(piece.kind == .typeMismatch && piece.path == "x", "\(piece)")
    }

    @Test func `that is of another class is an error of the unarchiver`() throws {
        let error = #expect(throws: ArchivingError.self) { try part("tractor").decode(Both.self) }
        #expect(error?.code == .classNotAllowed, "\(error as Any)")
        #expect(error?.description.contains("Tractor") == true)
        #expect(throws: ArchivingError.self) { try part("name").decode(Tractor.self) }
        #expect(throws: ArchivingError.self) { try part("count").decode(Tractor.self) }
        #expect(throws: ArchivingError.self) { try openArchive(top: ["root": .uid(0)]).root.decode(Tractor.self) }
        #expect(throws: ArchivingError.self) { try openArchive(top: ["root": .uid(9)]).root.decode(Tractor.self) }
    }

    @Test func `does not care for damage elsewhere`() throws {
        let archive = try openArchive(
            ["good": .uid(2), "bad": .uid(99), "worse": .uid(3), "$class": .uid(77)],
            ["name": "Bella", "weight": 1, "$class": .uid(4)], .uid(2), ["$classname": "Cow"], ["$class": .uid(3)])
        #expect(try archive.root["good"]?.decode(Animal.self) == Animal(name: "Bella", weight: 1))
        #expect(!archive.problems().isEmpty)
        for key in ["bad", "worse"] {
            let error = try failure { try archive.root[key]?.decode(Animal.self) }
            #expect(error.kind == .dataCorrupted && error.path == "", "\(error)")
            #expect(error.says("damaged") || error.says("uid"))
        }
        // The very bytes: an object that nothing says anything about.
        let raw = try ByteArchive(slots: [12, 13], hex("70"), ascii("sound")).open()
        #expect(try raw[uid: 2].decode(String.self) == "sound")
        #expect(try failure { try raw.root.decode(String.self) }.kind == .dataCorrupted)
    }
}
