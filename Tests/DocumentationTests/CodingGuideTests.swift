import Archiving
import Foundation
import Testing

/// The code of docs/coding.md, as it stands there; what else the document says is tested in `CodingDocumentTests`.
@Suite("The code of the guide to Coding")
struct CodingGuideTests: DocumentedOutput {
    @Test("archives a car and what else it shows of vehicles")
    func vehicles() throws {
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

        let anna = Owner(name: "Anna")
        let car = Vehicle()
        car.owner = anna
        car.passengers = [Owner(name: "Bert"), anna]

        let data = try KeyedArchiver.archivedData(withRootObject: car)
        let again = try KeyedUnarchiver.unarchivedObject(of: Vehicle.self, from: data)
        print(again.passengers[1] === again.owner)  // true
        do {
            let archiver = KeyedArchiver()
            try archiver.encode(car, forKey: "car")
            archiver.encode(3, forKey: "floor")
            let data = try archiver.finishEncoding()

            let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
            let floor = try unarchiver.decode(Int.self, forKey: "floor")
            let car = try unarchiver.decode(Vehicle.self, forKey: "car")
            unarchiver.finishDecoding()
            #expect(floor == 3 && car.wheelCount == 4)
        }
        do {
            let twin = try deepCopy(of: car)
            print(twin.passengers[1] === twin.owner)  // true
            print(twin.owner === car.owner)  // false
        }
        do {
            let archiver = KeyedArchiver()
            let old = KeyedArchiver()
            old.setClassName("LOVehicle", for: Vehicle.self)
            try old.encode(car, forKey: "car")
            let unarchiver = try KeyedUnarchiver(forReadingFrom: old.finishEncoding())
            archiver.setClassName("LOVehicle", for: Vehicle.self)  // in this archive
            unarchiver.setClass(Vehicle.self, forClassName: "LOVehicle")  // in this one
            try archiver.encode(car, forKey: "car")
            #expect(try KeyedArchive(archiver.finishEncoding()).top["car"]?.className == "LOVehicle")
            #expect(try unarchiver.decode(Vehicle.self, forKey: "car").passengers.map(\.name) == ["Bert", "Anna"])
        }
        do {
            let rows = [[anna], [], [anna, Owner(name: "Carl")]]
            let filled = KeyedArchiver()
            try filled.encode(Coded(rows), forKey: "rows")
            let unarchiver = try KeyedUnarchiver(forReadingFrom: filled.finishEncoding())
            let archiver = KeyedArchiver()
            try archiver.encode(Coded(rows), forKey: "rows")
            let again = try unarchiver.decode(Coded<[[Owner]]>.self, forKey: "rows").wrappedValue
            #expect(again.map { $0.map(\.name) } == [["Anna"], [], ["Anna", "Carl"]] && again[0][0] === again[2][0])
            #expect(try archiver.finishEncoding() == filled.encodedData)
        }
    }

    class Vehicle: Coding {
        var wheelCount = 4
        var owner: Owner?

        init() {}

        required init(coder: KeyedUnarchiver) throws {
            wheelCount = try coder.decodeInteger(forKey: "wheelCount")
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(wheelCount, forKey: "wheelCount")
        }
    }

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

    @Test("brings back a truck that is registered")
    func truck() throws {
        var data: Data { get throws { try KeyedArchiver.archivedData(withRootObject: Truck()) } }
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

        var classes = ClassRegistry()
        classes.register(Truck.self)
        let vehicle = try KeyedUnarchiver.unarchivedObject(of: Vehicle.self, from: data, classes: classes)
        print(vehicle is Truck)  // true
        #expect(throws: UnarchivingError.self) {
            try KeyedUnarchiver.unarchivedObject(of: Vehicle.self, from: data)
        }
    }

    @Test("reads numbers that are there, and that are not")
    func missing() throws {
        let archiver = KeyedArchiver()
        archiver.encode(2.5, forKey: "price")
        let coder = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        let speed = try coder.decodeDouble(forKey: "speed")  // 0 if nobody has encoded it
        let price = try coder.decode(Double.self, forKey: "price")  // an error
        let discount = try coder.decodeIfPresent(Double.self, forKey: "discount")  // nil
        #expect(speed == 0 && price == 2.5 && discount == nil)
    }

    @Test("has folders with a parent that is conditional")
    func folders() throws {
        final class Folder: Coding {
            let name: String
            private(set) var folders: [Folder] = []
            private(set) weak var parent: Folder?

            init(name: String) { self.name = name }

            func add(_ folder: Folder) {
                folders.append(folder)
                folder.parent = self
            }

            init(coder: KeyedUnarchiver) throws {
                name = try coder.decode(String.self, forKey: "name")
                coder.publish(self)
                folders = try coder.decode([Folder].self, forKey: "folders")
                parent = try coder.decodeIfPresent(Folder.self, forKey: "parent")
            }

            func encode(with coder: KeyedArchiver) throws {
                coder.encode(name, forKey: "name")
                try coder.encode(folders, forKey: "folders")
                try coder.encodeConditional(parent, forKey: "parent")
            }
        }

        let root = Folder(name: "root")
        root.add(Folder(name: "etc"))

        let whole = try KeyedUnarchiver.unarchivedObject(
            of: Folder.self, from: KeyedArchiver.archivedData(withRootObject: root))
        print(whole.folders[0].parent === whole)  // true

        let part = try KeyedUnarchiver.unarchivedObject(
            of: Folder.self, from: KeyedArchiver.archivedData(withRootObject: root.folders[0]))
        print(part.parent == nil)  // true: the parent was not a part of what was archived
    }

    @Test("has a lease in a house, and alone")
    func houses() throws {
        struct Lease: Codable {
            var months: Int
            @Coded var tenant: Owner
            @Coded var witnesses: [String: [Owner]] = [:]
        }

        final class House: Coding {
            var owner: Owner
            var lease: Lease?

            init(owner: Owner) { self.owner = owner }

            init(coder: KeyedUnarchiver) throws {
                owner = try coder.decode(Owner.self, forKey: "owner")
                lease = try coder.decodeIfPresent(Lease.self, forKey: "lease")
            }

            func encode(with coder: KeyedArchiver) throws {
                try coder.encode(owner, forKey: "owner")
                try coder.encode(lease, forKey: "lease")
            }
        }

        let house = House(owner: Owner(name: "Anna"))
        house.lease = Lease(months: 12, tenant: house.owner)

        let copy = try KeyedUnarchiver.unarchivedObject(
            of: House.self, from: KeyedArchiver.archivedData(withRootObject: house))
        print(copy.lease?.tenant === copy.owner)  // true

        let lease = try ArchiveDecoder().decode(Lease.self, from: ArchiveEncoder().encode(house.lease))
        print(lease.tenant.name)  // Anna
    }

    @Test("goes on after an error")
    func goingOn() throws {
        let archiver = KeyedArchiver()
        archiver.encode("wide", forKey: "width")
        archiver.encode(3, forKey: "height")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        let width = try unarchiver.decodeInteger(forKey: "width")
        let height = try unarchiver.decodeInteger(forKey: "height")
        if let error = unarchiver.error { print("The size is not there: \(error)") }
        #expect(width == 0 && height == 0)
        #expect((unarchiver.error as? UnarchivingError)?.code == .typeMismatch)
    }
}
