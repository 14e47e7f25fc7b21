// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// The code of the catalog's article on classes that code themselves, unchanged.
@Suite(.inTurn)
struct `The article on classes that code themselves`: DocumentedOutput {
    @Test func `archives owners, trucks, a garage and a house`() throws {
        final class Owner: Coding {
            let name: String
            var age: Int

            init(name: String, age: Int) {
                self.name = name
                self.age = age
            }

            init(coder: KeyedUnarchiver) throws {
                name = try coder.decode(String.self, forKey: "name")
                age = try coder.decodeInteger(forKey: "age")
            }

            func encode(with coder: KeyedArchiver) throws {
                coder.encode(name, forKey: "name")
                coder.encode(age, forKey: "age")
            }
        }

        let data = try KeyedArchiver.archivedData(withRootObject: Owner(name: "Anna", age: 40))
        let anna = try KeyedUnarchiver.unarchivedObject(of: Owner.self, from: data)
        print(anna.name, anna.age)  // Anna 40
        class Vehicle: Coding {
            var wheels = 4
            var owner: Owner?
            var passengers: [Owner] = []

            init() {}

            required init(coder: KeyedUnarchiver) throws {
                wheels = try coder.decodeInteger(forKey: "wheels")
                owner = try coder.decodeIfPresent(Owner.self, forKey: "owner")
                passengers = try coder.decode([Owner].self, forKey: "passengers")
            }

            func encode(with coder: KeyedArchiver) throws {
                coder.encode(wheels, forKey: "wheels")
                try coder.encode(owner, forKey: "owner")
                try coder.encode(passengers, forKey: "passengers")
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
        let truck = Truck()
        truck.owner = anna
        truck.passengers = [anna]

        var classes = ClassRegistry()
        classes.register(Truck.self)
        let vehicle = try KeyedUnarchiver.unarchivedObject(
            of: Vehicle.self, from: KeyedArchiver.archivedData(withRootObject: truck), classes: classes)
        print(vehicle is Truck)  // true
        print(vehicle.passengers[0] === vehicle.owner)  // true
        let archiver = KeyedArchiver()
        try archiver.encode(truck, forKey: "truck")
        archiver.encode(3, forKey: "floor")
        let garage = try archiver.finishEncoding()

        let unarchiver = try KeyedUnarchiver(forReadingFrom: garage)
        unarchiver.classes = classes
        let parked = try unarchiver.decode(Vehicle.self, forKey: "truck")
        let floor = try unarchiver.decode(Int.self, forKey: "floor")
        unarchiver.finishDecoding()
        #expect(parked is Truck && parked.owner?.name == "Anna")
        #expect(floor == 3)
        struct Lease: Codable {
            var months: Int
            @Coded var tenant: Owner
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

        let house = House(owner: anna)
        house.lease = Lease(months: 12, tenant: anna)
        let moved = try KeyedUnarchiver.unarchivedObject(
            of: House.self, from: KeyedArchiver.archivedData(withRootObject: house))
        print(moved.lease?.tenant === moved.owner)  // true
        #expect(moved.lease?.months == 12)
    }

    @Test func `brings back views whose superview is archived along, and no other`() throws {
        final class View: Coding {
            private(set) var subviews: [View] = []
            private(set) weak var superview: View?

            init() {}

            func add(_ view: View) {
                subviews.append(view)
                view.superview = self
            }

            init(coder: KeyedUnarchiver) throws {
                coder.publish(self)
                subviews = try coder.decode([View].self, forKey: "subviews")
                superview = try coder.decodeIfPresent(View.self, forKey: "superview")
            }

            func encode(with coder: KeyedArchiver) throws {
                try coder.encode(subviews, forKey: "subviews")
                try coder.encodeConditional(superview, forKey: "superview")
            }
        }
        let window = View()
        window.add(View())
        let again = try KeyedUnarchiver.unarchivedObject(
            of: View.self, from: KeyedArchiver.archivedData(withRootObject: window))
        #expect(again.subviews[0].superview === again)
        let part = try KeyedUnarchiver.unarchivedObject(
            of: View.self, from: KeyedArchiver.archivedData(withRootObject: window.subviews[0]))
        #expect(part.superview == nil)
    }
}
