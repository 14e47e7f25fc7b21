import Archiving
import Foundation
import Testing

/// The examples of docs/coding.md, as they are printed there, and what it says of them.
@Suite("The document on coding")
struct CodingDocumentTests {
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

    @Test("brings an object back with what it refers to")
    func aClass() throws {
        let anna = Owner(name: "Anna")
        let car = Vehicle()
        car.owner = anna
        car.passengers = [Owner(name: "Bert"), anna]

        let data = try KeyedArchiver.archivedData(withRootObject: car)
        let again = try KeyedUnarchiver.unarchivedObject(of: Vehicle.self, from: data)
        #expect(again.passengers[1] === again.owner)
        #expect(again.passengers.map(\.name) == ["Bert", "Anna"])
        #expect(again.wheelCount == 4)
        #expect(try InspectedArchive(data).count(ofClass: "Owner") == 2)
    }

    @Test("chooses keys at the top")
    func keysAtTheTop() throws {
        func write(_ car: Vehicle) throws -> Data {
            let archiver = KeyedArchiver()
            try archiver.encode(car, forKey: "car")
            archiver.encode(3, forKey: "floor")
            let data = try archiver.finishEncoding()
            return data
        }
        let data = try write(Vehicle())

        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        let floor = try unarchiver.decode(Int.self, forKey: "floor")
        let car = try unarchiver.decode(Vehicle.self, forKey: "car")
        #expect(Set(unarchiver.allKeys) == ["car", "floor"])
        unarchiver.finishDecoding()
        #expect(floor == 3)
        #expect(car.owner == nil)
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

    @Test("says when an object is written")
    func whenWritten() throws {
        let archiver = KeyedArchiver()
        try archiver.encode(Link(next: Link(next: Link(next: nil))), forKey: "chain")
        #expect(Link.encodedCount == 3)

        #expect(throws: Link.Broken.self) {
            try archiver.encode(Link(next: Link(next: nil, isBroken: true)), forKey: "broken")
        }
        #expect(throws: Link.Broken.self) { try archiver.finishEncoding() }
    }

    @Test("stops before the stack is full where the links are too many")
    func longChain() throws {
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

    @Test("brings subclasses back that are registered")
    func subclass() throws {
        let truck = Truck()
        truck.load = 7.5
        truck.wheelCount = 6
        let data = try KeyedArchiver.archivedData(withRootObject: truck)

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

    @Test("copies graphs, with the classes that they have")
    func copies() throws {
        let anna = Owner(name: "Anna")
        let car: Vehicle = Truck()
        car.owner = anna
        car.passengers = [Owner(name: "Bert"), anna]
        let twin = try deepCopy(of: car)
        #expect(twin.passengers[1] === twin.owner)
        #expect(twin.owner !== car.owner)
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

    @Test("reads values without keys in their order, object by object")
    func order() throws {
        let archiver = KeyedArchiver()
        try archiver.encode(Route(stops: ["Bern", "Thun"]))
        try archiver.encode(Route(stops: ["Spiez"]))
        archiver.encode("with a key", forKey: "key")
        let coder = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        #expect(try coder.decode(Route.self).stops == ["Bern", "Thun"])
        #expect(try coder.decode(String.self, forKey: "key") == "with a key")
        #expect(try coder.decode(Route.self).stops == ["Spiez"])
    }

    @Test("keeps keys that start with a dollar sign apart from the format's own")
    func dollars() throws {
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

    @Test("has one value for each key")
    func duplicates() throws {
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

    // MARK: Values

    @Test("tells missing keys from values")
    func missing() throws {
        let archiver = KeyedArchiver()
        archiver.encodeNil(forKey: "nothing")
        let coder = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        #expect(coder.containsValue(forKey: "nothing"))
        #expect(coder.allKeys == ["nothing"])

        let speed = try coder.decodeDouble(forKey: "speed")
        #expect(speed == 0)
        let error = #expect(throws: UnarchivingError.self) {
            let price = try coder.decode(Double.self, forKey: "price")
            Issue.record("\(price)")
        }
        #expect(error?.code == .valueNotFound)
        let discount = try coder.decodeIfPresent(Double.self, forKey: "discount")
        #expect(discount == nil)

        #expect(try coder.decodeString(forKey: "nothing") == nil)
        #expect(try coder.decodeIfPresent(Owner.self, forKey: "nothing") == nil)
        let noOwner = #expect(throws: UnarchivingError.self) { try coder.decode(Owner.self, forKey: "nothing") }
        #expect(noOwner?.code == .valueNotFound)
    }

    @Test("takes collections of any shape through Coded")
    func rows() throws {
        let anna = Owner(name: "Anna")
        let rows = [[anna], [], [Owner(name: "Bert"), anna]]
        let archiver = KeyedArchiver()
        try archiver.encode(Coded(rows), forKey: "rows")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        let again = try unarchiver.decode(Coded<[[Owner]]>.self, forKey: "rows").wrappedValue
        #expect(again.map { $0.map(\.name) } == [["Anna"], [], ["Bert", "Anna"]])
        #expect(again[0][0] === again[2][1])
    }

    /// The rows of the document's table: what is in the archive, and what becomes of it.
    struct Conversion: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let value: PropertyList
        let read: @Sendable (KeyedUnarchiver) throws -> String
        let outcome: Result<String, Refused>

        struct Refused: Error, Equatable {
            let code: UnarchivingError.Code
        }

        init(
            _ description: String, _ value: PropertyList, _ outcome: Result<String, Refused>,
            _ read: @escaping @Sendable (KeyedUnarchiver) throws -> String
        ) {
            testDescription = description
            self.value = value
            self.outcome = outcome
            self.read = read
        }
    }

    private static func refused(_ code: UnarchivingError.Code) -> Result<String, Conversion.Refused> {
        .failure(Conversion.Refused(code: code))
    }

    static let conversions: [Conversion] = [
        Conversion("an integer as a narrower one", 200, .success("200")) {
            "\(try $0.decodeInteger(UInt8.self, forKey: "key"))"
        },
        Conversion("an integer that does not fit", 300, refused(.numberOutOfRange)) {
            "\(try $0.decodeInteger(UInt8.self, forKey: "key"))"
        },
        Conversion("an integer as a real", 3, refused(.typeMismatch)) { "\(try $0.decodeDouble(forKey: "key"))" },
        Conversion("a real as an integer", 3.0, refused(.typeMismatch)) { "\(try $0.decodeInteger(forKey: "key"))" },
        Conversion("a narrow real as a wide one", .real32(0.5), .success("0.5")) {
            "\(try $0.decodeDouble(forKey: "key"))"
        },
        Conversion("a wide real as a narrow one", 0.1, .success("0.1")) { "\(try $0.decodeFloat(forKey: "key"))" },
        Conversion("a real beyond the narrow ones", 1e300, refused(.numberOutOfRange)) {
            "\(try $0.decodeFloat(forKey: "key"))"
        },
        Conversion("infinity", .real(.infinity), .success("inf")) { "\(try $0.decodeFloat(forKey: "key"))" },
        Conversion("1 as a Bool", 1, .success("true")) { "\(try $0.decodeBool(forKey: "key"))" },
        Conversion("0 as a Bool", 0, .success("false")) { "\(try $0.decodeBool(forKey: "key"))" },
        Conversion("2 as a Bool", 2, refused(.typeMismatch)) { "\(try $0.decodeBool(forKey: "key"))" },
        Conversion("a Bool as a number", true, refused(.typeMismatch)) { "\(try $0.decodeInteger(forKey: "key"))" },
    ]

    @Test("says which numbers are read as which", arguments: conversions)
    func numbers(_ conversion: Conversion) throws {
        let coder = try KeyedUnarchiver(forReadingFrom: handmadeArchive(top: ["key": conversion.value]))
        do {
            let text = try conversion.read(coder)
            #expect(.success(text) == conversion.outcome)
        } catch let error as UnarchivingError {
            #expect(.failure(Conversion.Refused(code: error.code)) == conversion.outcome)
        }
    }
}
