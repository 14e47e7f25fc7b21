// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What the article on classes that code themselves says, besides its code.
@Suite(.inTurn)
struct `The guide to coding` {
    // MARK: A class

    final class Owner: Coding {
        let name: String

        init(name: String) { self.name = name }

        init(coder: KeyedUnarchiver) throws {
            name = try coder.decode(String.self, forKey: "name")
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(name, forKey: "name")
        }
    }

    class Vehicle: Coding {
        var wheelCount = 4
        var owner: Owner?
        var passengers: [Owner] = []

        init() {}

        required init(coder: KeyedUnarchiver) throws {
            wheelCount = try coder.decodeInteger(forKey: "wheelCount")
            owner = try coder.decodeIfPresent(Owner.self, forKey: "owner")
            passengers = try coder.decode([Owner].self, forKey: "passengers")
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(wheelCount, forKey: "wheelCount")
            try coder.encode(owner, forKey: "owner")
            try coder.encode(passengers, forKey: "passengers")
        }
    }

    /// A link of a chain. The last one may fail.
    final class Link: Coding {
        struct Broken: Error {}

        let next: Link?
        let isBroken: Bool
        nonisolated(unsafe) static var encodedCount = 0

        init(next: Link?, isBroken: Bool = false) {
            self.next = next
            self.isBroken = isBroken
        }

        init(coder: KeyedUnarchiver) throws {
            next = try coder.decodeIfPresent(Link.self, forKey: "next")
            isBroken = false
        }

        func encode(with coder: KeyedArchiver) throws {
            if isBroken { throw Broken() }
            let before = Self.encodedCount
            try coder.encode(next, forKey: "next")
            // The next one is written when this one is complete.
            #expect(Self.encodedCount == before)
            Self.encodedCount += 1
        }
    }

    @Test func `says when an object is written`() throws {
        let archiver = KeyedArchiver()
        try archiver.encode(Link(next: Link(next: Link(next: nil))), forKey: "chain")
        #expect(Link.encodedCount == 3)

        #expect(throws: Link.Broken.self) {
            try archiver.encode(Link(next: Link(next: nil, isBroken: true)), forKey: "broken")
        }
        #expect(throws: Link.Broken.self) { try archiver.finishEncoding() }
    }

    @Test func `stops before the stack is full where the links are too many`() throws {
        let count: UInt32 = 10_001
        var objects = (1...count).map { PropertyList.dictionary(["next": .uid($0 + 1), "$class": .uid(count + 1)]) }
        objects[objects.count - 1] = ["$class": .uid(count + 1)]
        objects.append(["$classname": .string(ClassRegistry().name(for: Link.self))])
        let data = try handmadeArchive(objects: objects)
        let error = #expect(throws: UnarchivingError.self) {
            try KeyedUnarchiver.unarchivedObject(of: Link.self, from: data)
        }
        #expect(error?.code == .limit)
    }

    // MARK: A subclass

    /// The archive of a truck.
    private var data: Data {
        get throws {
            let truck = Truck()
            truck.load = 7.5
            truck.wheelCount = 6
            return try KeyedArchiver.archivedData(withRootObject: truck)
        }
    }

    final class Truck: Vehicle {
        var load = 0.0

        override init() { super.init() }

        required init(coder: KeyedUnarchiver) throws {
            load = try coder.decodeDouble(forKey: "load")
            try super.init(coder: coder)
        }

        override func encode(with coder: KeyedArchiver) throws {
            try super.encode(with: coder)
            coder.encode(load, forKey: "load")
        }
    }

    @Test func `brings subclasses back that are registered`() throws {
        var classes = ClassRegistry()
        classes.register(Truck.self)
        let vehicle = try KeyedUnarchiver.unarchivedObject(of: Vehicle.self, from: data, classes: classes)
        #expect(vehicle is Truck)
        #expect(vehicle.wheelCount == 6)
        #expect((vehicle as? Truck)?.load == 7.5)

        let error = #expect(throws: UnarchivingError.self) {
            try KeyedUnarchiver.unarchivedObject(of: Vehicle.self, from: data)
        }
        #expect(error?.code == .classNotAllowed)
    }

    @Test func `copies graphs, with the classes that they have`() throws {
        let anna = Owner(name: "Anna")
        let car: Vehicle = Truck()
        car.owner = anna
        car.passengers = [Owner(name: "Bert"), anna]
        let twin = try deepCopy(of: car)
        #expect(twin.passengers[1] === twin.owner)
        #expect(!(twin.owner === car.owner))
        #expect(twin is Truck)
        #expect(twin.passengers.map(\.name) == ["Bert", "Anna"])
    }

    // MARK: Keys

    final class Route: Coding {
        var stops: [String]

        init(stops: [String]) { self.stops = stops }

        init(coder: KeyedUnarchiver) throws {
            var stops: [String] = []
            for _ in 0..<(try coder.decode(Int.self)) { stops.append(try coder.decode(String.self)) }
            self.stops = stops
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(stops.count)
            for stop in stops { coder.encode(stop) }
        }
    }

    @Test func `reads values without keys in their order, object by object`() throws {
        let archiver = KeyedArchiver()
        try archiver.encode(Route(stops: ["Bern", "Thun"]))
        try archiver.encode(Route(stops: ["Spiez"]))
        archiver.encode("with a key", forKey: "key")
        let coder = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        #expect(try coder.decode(Route.self).stops == ["Bern", "Thun"])
        #expect(try coder.decode(String.self, forKey: "key") == "with a key")
        #expect(try coder.decode(Route.self).stops == ["Spiez"])
    }

    @Test func `keeps keys that start with a dollar sign apart from the format's own`() throws {
        let archiver = KeyedArchiver()
        archiver.encode("own", forKey: "$class")
        archiver.encode("first")
        archiver.encode("not first", forKey: "$0")
        let data = try archiver.finishEncoding()
        let top = try #require(InspectedArchive(data).list["$top"])
        #expect(top["$$class"] != nil && top["$0"] != nil && top["$$0"] != nil)
        let coder = try KeyedUnarchiver(forReadingFrom: data)
        #expect(try coder.decode(String.self, forKey: "$class") == "own")
        #expect(try coder.decode(String.self) == "first")
        #expect(try coder.decode(String.self, forKey: "$0") == "not first")
    }

    @Test func `has one value for each key`() throws {
        final class Twice: Vehicle {
            override func encode(with coder: KeyedArchiver) throws {
                try super.encode(with: coder)
                coder.encode(2, forKey: "wheelCount")
            }
        }
        let error = #expect(throws: ArchivingError.self) {
            try KeyedArchiver.archivedData(withRootObject: Twice())
        }
        #expect(error?.code == .duplicateKey)
        #expect(error?.description.contains("wheelCount") == true)
        #expect(error?.description.contains("Twice") == true)
    }

    @Test func `has one value for each key at the top as well`() throws {
        let archiver = KeyedArchiver()
        archiver.encode(1, forKey: "count")
        archiver.encodeNil(forKey: "count")
        for _ in 0..<2 {
            let error = #expect(throws: ArchivingError.self) { try archiver.finishEncoding() }
            #expect(error?.code == .duplicateKey)
            #expect(error?.description.contains("count") == true)
        }
    }
}
