// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A chain of Coding classes` {
    class Vehicle: Coding, ArchiveDescribing {
        class var archiveVersion: Int { 3 }

        let name: String
        /// What the coder said of versions in this class's initializer.
        private(set) var versions: [Int?] = []
        private(set) var keys: [String] = []

        init(_ name: String) { self.name = name }

        required init(coder: KeyedUnarchiver) throws {
            name = try coder.decode(String.self, forKey: "name")
            versions = [
                coder.archivedVersion(), coder.archivedVersion(of: Vehicle.self), coder.archivedVersion(of: Car.self),
                coder.archivedVersion(of: Taxi.self), coder.archivedVersion(of: Boat.self),
            ]
            keys = coder.allKeys
        }

        func encode(with coder: KeyedArchiver) throws { coder.encode(name, forKey: "name") }
    }

    class Car: Vehicle {
        override class var archiveVersion: Int { 0 }

        let doors: Int

        init(_ name: String, doors: Int) {
            self.doors = doors
            super.init(name)
        }

        required init(coder: KeyedUnarchiver) throws {
            doors = try coder.decodeInteger(forKey: "doors")
            try super.init(coder: coder)
        }

        override func encode(with coder: KeyedArchiver) throws {
            try super.encode(with: coder)
            coder.encode(doors, forKey: "doors")
        }
    }

    final class Taxi: Car {
        override class var archiveVersion: Int { 2 }

        var partner: Vehicle?

        override init(_ name: String, doors: Int) { super.init(name, doors: doors) }

        required init(coder: KeyedUnarchiver) throws {
            partner = try coder.decodeIfPresent(Vehicle.self, forKey: "partner")
            try super.init(coder: coder)
        }

        override func encode(with coder: KeyedArchiver) throws {
            try coder.encode(partner, forKey: "partner")
            try super.encode(with: coder)
        }
    }

    /// It adds nothing, and so declares nothing.
    final class Boat: Vehicle {}

    private static let registry = classRegistry(Car.self, Taxi.self, Boat.self)

    // MARK: - Writing

    @Test func `has the keys of all of them in one object, in the order of the calls`() throws {
        let taxi = Taxi("T", doors: 4)
        taxi.partner = Boat("B")
        let archive = try InspectedArchive(KeyedArchiver.archivedData(withRootObject: taxi))
        #expect(archive.text == "Taxi{partner: Boat{name: @\"B\"}, name: @\"T\", doors: 4}")
    }

    @Test func `is named in the class entry of each instance, from its class up`() throws {
        let root: [Vehicle] = [Vehicle("V"), Car("C", doors: 2), Taxi("T", doors: 4), Boat("B")]
        let archive = try InspectedArchive(KeyedArchiver.archivedData(withRootObject: root))
        let list = try #require(archive.follow(archive.root))
        guard case .array(let references)? = list["NS.objects"] else {
            Issue.record("No array: \(list)")
            return
        }
        let chains = references.compactMap { archive.follow($0) }.map { object in
            archive.classChain(of: object).map(InspectedArchive.lastPart)
        }
        #expect(
            chains == [
                ["Vehicle", "NSObject"], ["Car", "Vehicle", "NSObject"], ["Taxi", "Car", "Vehicle", "NSObject"],
                ["Boat", "Vehicle", "NSObject"],
            ])
    }

    @Test func `archives one that is not final by the class of the instance`() throws {
        let data = try keyedArchive {
            try $0.encode(Taxi("T", doors: 4) as Vehicle, forKey: "vehicle")
            try $0.encodeObject(Car("C", doors: 2) as any Coding, forKey: "coding")
            try $0.encode(["k": Boat("B") as Vehicle], forKey: "dictionary")
        }
        let archive = try InspectedArchive(data)
        #expect(Set(archive.classNames.map(InspectedArchive.lastPart)).isSuperset(of: ["Taxi", "Car", "Boat"]))
        #expect(archive.count(ofClass: "Vehicle") == 0)
    }

    // MARK: - Reading

    @Test func `comes back with what every class of it has decoded`() throws {
        let taxi = Taxi("T", doors: 4)
        taxi.partner = taxi.partner ?? Car("C", doors: 2)
        let copy = try KeyedUnarchiver.unarchivedObject(
            of: Taxi.self, from: KeyedArchiver.archivedData(withRootObject: taxi), classes: Self.registry)
        #expect(copy.name == "T" && copy.doors == 4)
        let partner = try #require(copy.partner as? Car)
        #expect(type(of: partner) == Car.self && partner.name == "C" && partner.doors == 2)
        #expect(copy.keys == ["partner", "name", "doors"])
    }

    /// The result of a request for an object of one class as another.
    struct Row: CustomTestStringConvertible {
        var object: Vehicle.Type
        var requested: Vehicle.Type
        var registered: [any Any.Type] = []
        /// nil for an error.
        var made: Vehicle.Type?

        var testDescription: String { "\(object) as \(requested), \(registered) registered" }
    }

    static let rows = [
        Row(object: Vehicle.self, requested: Vehicle.self, made: Vehicle.self),
        Row(object: Taxi.self, requested: Taxi.self, made: Taxi.self),
        Row(object: Taxi.self, requested: Vehicle.self, made: nil),
        Row(object: Taxi.self, requested: Car.self, made: nil),
        Row(object: Taxi.self, requested: Vehicle.self, registered: [Car.self, Boat.self], made: nil),
        Row(object: Taxi.self, requested: Vehicle.self, registered: [Taxi.self], made: Taxi.self),
        Row(object: Taxi.self, requested: Car.self, registered: [Taxi.self], made: Taxi.self),
        Row(object: Car.self, requested: Vehicle.self, registered: [Car.self, Taxi.self], made: Car.self),
        // Not the requested class, although it is known.
        Row(object: Vehicle.self, requested: Car.self, registered: [Vehicle.self], made: nil),
        Row(object: Vehicle.self, requested: Taxi.self, made: nil),
        Row(object: Boat.self, requested: Car.self, registered: [Boat.self], made: nil),
        Row(object: Boat.self, requested: Vehicle.self, registered: [Boat.self], made: Boat.self),
        Row(object: Boat.self, requested: Vehicle.self, made: nil),
    ]

    private func instance(_ type: Vehicle.Type) -> Vehicle {
        switch type {
        case is Taxi.Type: Taxi("x", doors: 4)
        case is Car.Type: Car("x", doors: 2)
        case is Boat.Type: Boat("x")
        default: Vehicle("x")
        }
    }

    @Test(arguments: rows)
    func `is decoded as the class of the object if that is requested or registered`(row: Row) throws {
        let data = try keyedArchive { try $0.encode([instance(row.object)], forKey: "all") }
        func decode<Object: Coding>(_ type: Object.Type) throws -> any Coding.Type {
            let unarchiver = try keyedUnarchiver(data, registering: row.registered)
            return try Swift.type(of: unarchiver.decode([Object].self, forKey: "all")[0])
        }
        let requested: any Coding.Type = row.requested
        if let made = row.made {
            #expect(try decode(requested) == made)
        } else {
            let error = try archivingError { try decode(requested) }
            #expect(error.code == .classNotAllowed && error.codingPath.text == "all[0]")
            #expect(error.debugDescription.contains("\(row.object)"))
        }
    }

    @Test func `may be decoded as the requested class if the registry says so`() throws {
        let data = try KeyedArchiver.archivedData(withRootObject: Taxi("T", doors: 4))
        var classes = ClassRegistry()
        classes.unknownClasses = .decodeAsRequested
        let car = try KeyedUnarchiver.unarchivedObject(of: Car.self, from: data, classes: classes)
        #expect(type(of: car) == Car.self && car.name == "T" && car.doors == 4)
    }

    @Test func `is one instance, whichever of its classes is requested`() throws {
        let data = try keyedArchive { try $0.encode(Taxi("T", doors: 4), forKey: "t") }
        let unarchiver = try keyedUnarchiver(data, registering: [Taxi.self])
        let vehicle = try unarchiver.decode(Vehicle.self, forKey: "t")
        #expect(try unarchiver.decode(Taxi.self, forKey: "t") === vehicle)
        #expect(try unarchiver.decode(Car.self, forKey: "t") === vehicle)
        #expect(try unarchiver.decodeObject(of: [Car.self], forKey: "t") as? Taxi === vehicle)
    }

    // MARK: - Versions

    @Test func `has a version for each of its classes`() throws {
        let data = try keyedArchive {
            try $0.encode(Taxi("T", doors: 4), forKey: "taxi")
            try $0.encode(Vehicle("V"), forKey: "vehicle")
            try $0.encode(Boat("B"), forKey: "boat")
        }
        let unarchiver = try keyedUnarchiver(data)
        // In the superclass's initializer too, the object's own class is the one that the coder speaks of.
        #expect(try unarchiver.decode(Taxi.self, forKey: "taxi").versions == [2, 3, 0, 2, nil])
        #expect(try unarchiver.decode(Vehicle.self, forKey: "vehicle").versions == [3, 3, nil, nil, nil])
        // A class that says nothing of its own has what its superclass says.
        #expect(try unarchiver.decode(Boat.self, forKey: "boat").versions == [3, 3, nil, nil, 3])
        #expect(unarchiver.archivedVersion() == nil && unarchiver.archivedVersion(of: Vehicle.self) == nil)
    }

    @Test func `has the version 0 where the archive says nothing`() throws {
        let entry: PropertyList = ["$classname": "Vehicle", "$classes": ["Vehicle", "NSObject"]]
        let data = try handmadeArchive(["name": .uid(2), "$class": .uid(3)], "V", entry)
        var classes = ClassRegistry()
        classes.register(Vehicle.self, name: "Vehicle")
        let vehicle = try KeyedUnarchiver.unarchivedObject(of: Vehicle.self, from: data, classes: classes)
        #expect(vehicle.versions == [0, 0, nil, nil, nil])
    }
}
