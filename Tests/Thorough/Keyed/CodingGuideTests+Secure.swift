// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Secure coding, and what becomes of errors.
extension `The guide to coding` {
    // MARK: Secure coding

    /// An archive of an owner, a string and a truck under "things".
    private static func things() throws -> Data {
        let archiver = KeyedArchiver()
        try archiver.encodeObject([Owner(name: "Anna"), "a string"] as [Any], forKey: "things")
        try archiver.encode(Truck(), forKey: "truck")
        return try archiver.finishEncoding()
    }

    @Test func `makes what the list has`() throws {
        let data = try Self.things()
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        unarchiver.classes.register(Owner.self)
        unarchiver.classes.register(Truck.self)
        let things = try unarchiver.decodeObject(of: [[Any].self, Owner.self, String.self], forKey: "things")
        #expect((things as? [Any])?.count == 2)
        #expect(((things as? [Any])?.first as? Owner)?.name == "Anna")
        #expect((things as? [Any])?.last as? String == "a string")
        // A registered subclass of a class in the list.
        #expect(try unarchiver.decodeObject(of: [Vehicle.self], forKey: "truck") is Truck)
    }

    struct List: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let types: [any Any.Type]
    }

    @Test(
        arguments: [
            List(testDescription: "without the array", types: [Owner.self, String.self]),
            List(testDescription: "without the class", types: [[Any].self, String.self, Truck.self]),
            List(testDescription: "without the string", types: [[Any].self, Owner.self, Int.self]),
            List(testDescription: "with nothing", types: []),
        ], [true, false])
    func `refuses what the list has not, also what was made before`(_ list: List, afterAnother: Bool) throws {
        let unarchiver = try KeyedUnarchiver(forReadingFrom: Self.things())
        unarchiver.classes.register(Owner.self)
        if afterAnother {
            _ = try unarchiver.decodeObject(of: [[Any].self, Owner.self, String.self], forKey: "things")
        }
        let error = #expect(throws: UnarchivingError.self) {
            try unarchiver.decodeObject(of: list.types, forKey: "things")
        }
        #expect(error?.code == .classNotAllowed)
    }

    /// Counts how many of it were made from archives.
    final class Counted: Coding {
        nonisolated(unsafe) static var count = 0
        init() {}
        init(coder: KeyedUnarchiver) throws { Self.count += 1 }
        func encode(with coder: KeyedArchiver) throws {}
    }

    @Test func `makes nothing of what it refuses`() throws {
        let archiver = KeyedArchiver()
        try archiver.encodeObject([Counted(), Counted()] as [Any], forKey: "all")
        try archiver.encode(Counted(), forKey: "one")
        let coder = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        coder.classes.register(Counted.self)
        #expect(throws: UnarchivingError.self) { try coder.decodeObject(of: [[Any].self, Owner.self], forKey: "all") }
        #expect(throws: UnarchivingError.self) { try coder.decodeObject(of: [Counted.self], forKey: "all") }
        #expect(throws: UnarchivingError.self) { try coder.decodeObject(forKey: "one") }
        #expect(throws: UnarchivingError.self) { try coder.decode(Owner.self, forKey: "one") }
        #expect(throws: UnarchivingError.self) { try coder.decode([Owner].self, forKey: "all") }
        #expect(throws: UnarchivingError.self) { try coder.decode(Reference<Owner>.self, forKey: "one") }
        #expect(Counted.count == 0)
        _ = try coder.decode([Counted].self, forKey: "all")
        #expect(Counted.count == 2)
    }

    /// Decodes what it has without saying what that may be.
    final class Bag: Coding {
        let content: Any?
        init(_ content: Any?) { self.content = content }
        init(coder: KeyedUnarchiver) throws { content = try coder.decodeObject(forKey: "content") }
        func encode(with coder: KeyedArchiver) throws { try coder.encodeObject(content, forKey: "content") }
    }

    @Test func `holds what an initializer decodes against the list of the call around it`() throws {
        let data = try KeyedArchiver.archivedData(withRootObject: Bag("a string"))
        var classes = ClassRegistry()
        classes.register(Bag.self)
        let types: [any Any.Type] = [Bag.self, String.self]
        let bag = try KeyedUnarchiver.unarchivedObject(of: types, from: data, classes: classes) as? Bag
        #expect(bag?.content as? String == "a string")
        for body in [
            { try KeyedUnarchiver.unarchivedObject(of: [Bag.self, Int.self], from: data, classes: classes) as Any },
            { try KeyedUnarchiver.unarchivedObject(of: Bag.self, from: data) },
        ] {
            let error = #expect(throws: UnarchivingError.self) { try body() }
            #expect(error?.code == .classNotAllowed)
            #expect(error?.codingPath.text == "root.content")
        }
        // Where a class is named, more of the same are fine.
        let nested = try KeyedArchiver.archivedData(withRootObject: Bag(Bag("inner")))
        #expect(throws: UnarchivingError.self) { try KeyedUnarchiver.unarchivedObject(of: Bag.self, from: nested) }
        let own = try KeyedArchiver.archivedData(withRootObject: Bag(Bag(nil)))
        let again = try KeyedUnarchiver.unarchivedObject(of: Bag.self, from: own)
        #expect(again.content is Bag)
    }

    @Test func `makes without secure coding what is registered, and nothing else`() throws {
        let unarchiver = try KeyedUnarchiver(forReadingFrom: Self.things(), requiringSecureCoding: false)
        #expect(throws: UnarchivingError.self) { try unarchiver.decodeObject(forKey: "truck") }
        unarchiver.classes.register(Truck.self)
        #expect(try unarchiver.decodeObject(forKey: "truck") is Truck)
    }

    // MARK: Errors

    /// Finds something wrong, and goes on.
    final class Patient: Coding {
        struct Complaint: Error {}
        let age: Int
        init(age: Int) { self.age = age }
        init(coder: KeyedUnarchiver) throws {
            age = try coder.decodeInteger(forKey: "age")
            if age < 0 { coder.fail(with: Complaint()) }
        }
        func encode(with coder: KeyedArchiver) throws { coder.encode(age, forKey: "age") }
    }

    @Test func `throws the error of an initializer that went on, or keeps it`() throws {
        let archiver = KeyedArchiver()
        try archiver.encode([Patient(age: 3), Patient(age: -1)], forKey: "all")
        let data = try archiver.finishEncoding()

        let throwing = try KeyedUnarchiver(forReadingFrom: data)
        #expect(throws: Patient.Complaint.self) { try throwing.decode([Patient].self, forKey: "all") }

        let returning = try KeyedUnarchiver(forReadingFrom: data)
        returning.decodingFailurePolicy = .setErrorAndReturn
        #expect(try returning.decodeIfPresent([Patient].self, forKey: "all") == nil)
        #expect(returning.error is Patient.Complaint)
    }

    struct Ward: Codable {
        @Coded var patients: [Patient]
    }

    @Test func `throws the error of an initializer that went on inside a Codable value as well`() throws {
        let ward = Ward(patients: [Patient(age: -1)])
        let data = try ArchiveEncoder().encode(ward)
        #expect(throws: Patient.Complaint.self) { try ArchiveDecoder().decode(Ward.self, from: data) }
        // The decoder's next call begins anew.
        let healthy = try ArchiveEncoder().encode(Ward(patients: [Patient(age: 4)]))
        #expect(try ArchiveDecoder().decode(Ward.self, from: healthy).patients.map(\.age) == [4])
        let keyed = try KeyedArchiver.archivedData(withRootObject: ward)
        #expect(throws: Patient.Complaint.self) { try KeyedUnarchiver.unarchivedObject(of: Ward.self, from: keyed) }
        #expect(throws: Patient.Complaint.self) { try deepCopy(of: Patient(age: -1)) }
        #expect(throws: Patient.Complaint.self) { try deepCopy(of: ward) }
    }

    struct Size: Codable {
        var width: Int
    }

    struct Frame: Codable {
        @Coded var owner: Owner
    }

    @Test func `turns the errors of one side into those of the other`() throws {
        let archive = try handmadeArchive(top: ["root": .uid(1)], ["$class": .uid(2)], ["$classname": "Size"])
        let inside = #expect(throws: UnarchivingError.self) {
            try KeyedUnarchiver.unarchivedObject(of: Size.self, from: archive)
        }
        #expect(inside?.code == .valueNotFound)
        guard case DecodingError.keyNotFound? = inside?.underlyingError else { throw Patient.Complaint() }

        let frame = try handmadeArchive(
            ["owner": .uid(2), "$class": .uid(4)], ["$class": .uid(3)],
            ["$classname": .string(ClassRegistry().name(for: Owner.self))], ["$classname": "Frame"])
        let around = #expect(throws: DecodingError.self) { try ArchiveDecoder().decode(Frame.self, from: frame) }
        guard case DecodingError.valueNotFound(_, let context)? = around else { throw Patient.Complaint() }
        #expect(context.codingPath.text == "owner")
        #expect((context.underlyingError as? UnarchivingError)?.code == .valueNotFound)

        let draft = try handmadeArchive(
            ["$class": .uid(2)], ["$classname": .string(ClassRegistry().name(for: Draft.self))])
        #expect(throws: CocoaError.self) { try KeyedUnarchiver.unarchivedObject(of: Draft.self, from: draft) }
    }

    @Test func `names what it cannot encode`() throws {
        struct Plain {}
        let archiver = KeyedArchiver()
        let error = #expect(throws: ArchivingError.self) {
            try archiver.encodeObject(["a": [Plain()]], forKey: "plain")
        }
        #expect(error?.code == .notEncodable)
        #expect(error?.description.contains("Plain") == true)
    }

    @Test func `goes on after an error, and has the first one`() throws {
        let archive = try handmadeArchive(top: ["width": 0.5, "height": 3])
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archive)
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        let width = try unarchiver.decodeInteger(forKey: "width")
        let height = try unarchiver.decodeInteger(forKey: "height")
        if let error = unarchiver.error { print("The size is not there: \(error)") }
        #expect(unarchiver.error.map { "\($0)".contains("0.5") } == true)
        #expect((unarchiver.error as? UnarchivingError)?.code == .numberOutOfRange)
        // From the error on, whatever is stored there.
        #expect((width, height) == (0, 0))
        #expect(throws: UnarchivingError.self) { try unarchiver.decode(Int.self, forKey: "height") }
    }
}
