// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What calls may have done before, in each direction that it concerns.
struct Disturbance: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let disturb: @Sendable () throws -> Void

    init(_ description: String, _ disturb: @escaping @Sendable () throws -> Void) {
        (testDescription, self.disturb) = (description, disturb)
    }

    static let all = values + failures + settings + coders + sizes
}

private typealias Animal = Call.Animal
private typealias Kind = Call.Kind
private typealias Owner = Call.Owner
private typealias Person = Call.Person

// MARK: - Values

extension Disturbance {
    private static let values: [Disturbance] = [
        Disturbance("the same values") { for call in Call.principal { _ = call.result() } },
        Disturbance("values of other types") {
            _ = try roundTrip([Kind.cow: ["duck": Owner()], .duck: [:]])
            _ = try roundTrip(["shared text": [1.5: Kind.duck]])
            _ = try KeyedUnarchiver.unarchivedObject(
                of: [String: [Kind]].self, from: KeyedArchiver.archivedData(withRootObject: ["duck": [Kind.cow]]))
        },
        Disturbance("keys in another order") {
            let keys = [
                "extra", "table", "twin", "owner", "legs", "tags", "more", "weight", "numbers", "name", "kind",
            ]
            _ = try ArchiveDecoder().decode(Animal.self, from: ArchiveEncoder().encode(Animal.with(keys)))
        },
        Disturbance("fewer keys") { () throws in
            let keys = ["name", "kind", "table", "weight", "tags", "owner", "numbers", "twin"]
            #expect(try transcode(Animal.with(keys), as: Animal.self).legs == nil)
        },
        Disturbance("values inside of the property list") {
            let data = try handmadeArchive(top: ["root": ["kind": "duck", "name": "inline"]])
            #expect(try ArchiveDecoder().decode([String: String].self, from: data)["name"] == "inline")
        },
        Disturbance("nested containers") {
            let value = Encoding { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                var list = container.nestedUnkeyedContainer(forKey: "name")
                try list.encode(Owner())
                _ = container.superEncoder()
            }
            try decoding(archiveOf: value) { decoder in
                let container = try decoder.container(keyedBy: AnyKey.self)
                var list = try container.nestedUnkeyedContainer(forKey: "name")
                #expect(try list.decode(Owner.self).name == "owner")
                _ = try container.superDecoder()
            }
        },
        Disturbance("configurations") {
            struct Configured: EncodableWithConfiguration {
                func encode(to encoder: any Encoder, configuration: String) throws {
                    var container = encoder.container(keyedBy: AnyKey.self)
                    try container.encode(configuration, forKey: "name")
                }
            }
            _ = try ArchiveEncoder().encode(Configured(), configuration: "duck")
            try decoding(archiveOf: Animal()) { decoder throws in
                #expect(try Animal(from: decoder).description == Animal.text)
            }
        },
        Disturbance("coded instances in a Codable value") { () throws in
            struct Holder: Codable {
                @Coded var people: [Person]
            }
            let holder = Holder(people: [Person("Ida", age: 1), Person("Ole", age: 2)])
            #expect(try roundTrip(holder).people.map(\.age) == [1, 2])
        },
    ]
}

// MARK: - Failures

extension Disturbance {
    private struct Failing: Codable {
        init() {}
        init(from decoder: any Decoder) throws { throw Failure() }
        func encode(to encoder: any Encoder) throws {}
    }

    private final class FailingInstance: Encodable {
        func encode(to encoder: any Encoder) throws { throw Failure() }
    }

    /// Throws if it has the key "fails".
    private final class Reading: Coding {
        init(coder: KeyedUnarchiver) throws {
            if coder.containsValue(forKey: "fails") { throw Failure() }
        }

        func encode(with coder: KeyedArchiver) {}
    }

    private static func archive(_ body: @escaping (KeyedArchiver) throws -> Void) throws -> Data {
        try KeyedArchiver.archivedData(withRootObject: Scribe(body))
    }

    /// Reads an archive of a `Scribe` as `Reading`.
    private static func read(_ body: @escaping (KeyedArchiver) throws -> Void) throws {
        var classes = ClassRegistry()
        classes.register(Scribe.self, name: "Reading")
        let data = try KeyedArchiver.archivedData(withRootObject: Scribe(body), classes: classes)
        classes = ClassRegistry()
        classes.register(Reading.self, name: "Reading")
        _ = try KeyedUnarchiver.unarchivedObject(of: Reading.self, from: data, classes: classes)
    }

    private static let failures: [Disturbance] = [
        Disturbance("a failure of a part") {
            #expect(throws: Failure.self) {
                try ArchiveEncoder().encode([
                    Encoding { encoder in
                        var container = encoder.container(keyedBy: AnyKey.self)
                        try container.encode(Animal(), forKey: "name")
                        throw Failure()
                    }
                ])
            }
            #expect(throws: Failure.self) {
                try archive { coder in
                    coder.encode(1, forKey: "one")
                    try coder.encode([Person("Ida", age: 1)], forKey: "people")
                    try coder.encode(Scribe { _ in throw Failure() }, forKey: "fails")
                }
            }
            #expect(throws: Failure.self) { try transcode([Animal()], as: [Failing].self) }
            #expect(throws: (any Error).self) {
                try KeyedUnarchiver.unarchivedObject(
                    of: [Failing].self, from: KeyedArchiver.archivedData(withRootObject: [Failing()]))
            }
        },
        Disturbance("a failure of the root") {
            typealias Failing = `A value whose encode(to:) throws`.Failing
            for form in 0..<Failing.forms {
                #expect(throws: Failure.self) { try ArchiveEncoder().encode(Failing(form: form)) }
            }
            #expect(throws: Failure.self) { try ArchiveEncoder().encode(FailingInstance()) }
            #expect(throws: Failure.self) { try transcode(1, as: Disturbance.Failing.self) }
            #expect(throws: Failure.self) { try archive { _ in throw Failure() } }
            #expect(throws: Failure.self) { try read { $0.encode(true, forKey: "fails") } }
        },
        Disturbance("a failure after instances") {
            for failing in [Encoding { _ in throw Failure() } as any Encodable, FailingInstance()] {
                let value = Encoding { encoder in
                    var container = encoder.unkeyedContainer()
                    for _ in 0..<3 { try container.encode(Owner()) }
                    try container.encode(failing)
                }
                #expect(throws: Failure.self) { try ArchiveEncoder().encode(value) }
            }
        },
        Disturbance("failures that are caught") {
            let value = Encoding { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                for _ in 0..<3 {
                    try? container.encode(Encoding { _ in throw Failure() }, forKey: "a")
                }
                try container.encode(Owner(), forKey: "b")
            }
            try decoding(archiveOf: value) { decoder in
                let container = try decoder.container(keyedBy: AnyKey.self)
                #expect(throws: Failure.self) { try container.decode(Failing.self, forKey: "b") }
                #expect(try container.decode(Owner.self, forKey: "b").name == "owner")
            }
        },
        Disturbance("values of other types than those requested") {
            #expect(throws: DecodingError.self) { try transcode(Animal(), as: [Animal].self) }
            #expect(throws: DecodingError.self) { try transcode(Animal(), as: [String: Kind].self) }
            #expect(throws: (any Error).self) {
                try KeyedUnarchiver.unarchivedObject(of: Reading.self, from: Person.archive())
            }
        },
        Disturbance("missing keys") {
            #expect(throws: DecodingError.self) { try transcode(Animal.with(["kind", "name"]), as: Animal.self) }
        },
        Disturbance("a cycle") {
            let owner = Owner()
            owner.next = owner
            defer { owner.next = nil }
            if let again = try? roundTrip([owner]) { again[0].next = nil }
        },
        Disturbance("damaged archives") {
            let data = try ArchiveEncoder().encode([Animal()])
            for offset in stride(from: 8, to: data.count, by: 5) {
                var damaged = data
                damaged[offset] ^= 0xFF
                _ = try? ArchiveDecoder().decode([Animal].self, from: damaged)
            }
            let person = try KeyedArchiver.archivedData(withRootObject: Person("Ida", age: 1))
            for damaged in [person.dropLast(20), Data("bplist00".utf8), Data(count: 100)] {
                #expect(throws: DecodingError.self) { try ArchiveDecoder().decode(Animal.self, from: damaged) }
                #expect(throws: (any Error).self) {
                    try KeyedUnarchiver.unarchivedObject(of: Person.self, from: damaged)
                }
            }
        },
    ]
}

// MARK: - Settings

extension Disturbance {
    private final class Delegate: KeyedArchiverDelegate {
        func archiver(_ archiver: KeyedArchiver, willEncode object: any Coding) -> (any Coding)? { nil }
    }

    private static let settings: [Disturbance] = [
        Disturbance("limits") {
            var decoder = ArchiveDecoder()
            decoder.limits.work = 2
            decoder.limits.nesting = 2
            _ = try? decoder.decode([[Animal]].self, from: ArchiveEncoder().encode([[Animal()]]))
        },
        Disturbance("user info") {
            var (encoder, decoder) = (ArchiveEncoder(), ArchiveDecoder())
            encoder.userInfo[.named("note")] = "note"
            decoder.userInfo[.named("note")] = "note"
            _ = try decoder.decode(Animal.self, from: encoder.encode(Animal()))
            _ = try archive {
                $0.userInfo = [.named("note"): "note"]
                try $0.encode(Kind.duck, forKey: "kind")
            }
        },
        Disturbance("names of classes") {
            var (encoder, decoder) = (ArchiveEncoder(), ArchiveDecoder())
            encoder.classes.register(Animal.self, name: "LOAnimal")
            encoder.classes.register(Owner.self, name: "LOOwner")
            decoder.classes = encoder.classes
            _ = try decoder.decode(Animal.self, from: encoder.encode(Animal()))
            var classes = ClassRegistry()
            classes.register(Person.self, name: "Human")
            let data = try KeyedArchiver.archivedData(withRootObject: Person("Ida", age: 1), classes: classes)
            _ = try KeyedUnarchiver.unarchivedObject(of: Person.self, from: data, classes: classes)
        },
        Disturbance("another format") {
            #expect(try roundTrip(Animal(), format: .xml).description == Animal.text)
            _ = try archive {
                $0.outputFormat = .xml
                $0.outputFormatting = .sortedKeys
                try $0.encode([1.5, 2.5], forKey: "numbers")
            }
        },
        Disturbance("a delegate") {
            let delegate = Delegate()
            try withExtendedLifetime(delegate) { _ = try archive { $0.delegate = delegate } }
        },
    ]
}

// MARK: - Coders

extension Disturbance {
    private static let coders: [Disturbance] = [
        Disturbance("containers that are used after their values") {
            var encoding: [any UnkeyedEncodingContainer] = []
            _ = try ArchiveEncoder().encode([Encoding { encoding.append($0.unkeyedContainer()) }])
            _ = try ArchiveEncoder().encode([Animal()])
            #expect(encoding.count == 1)
            var decoding: (any UnkeyedDecodingContainer)?
            try TestSupport.decoding(archiveOf: [Animal()]) { decoding = try $0.unkeyedContainer() }
            #expect(try decoding?.decode(Animal.self).description == Animal.text)
        },
        Disturbance("coders that are used after their values") {
            let decoders = try transcode([Animal()], as: [`What is kept beyond init(from:)`.Captured].self)
            #expect(try Animal(from: decoders[0].decoder).description == Animal.text)
            nonisolated(unsafe) var archiver: KeyedArchiver?
            _ = try archive {
                $0.encode("kept", forKey: "kept")
                archiver = $0
            }
            _ = try KeyedArchiver.archivedData(withRootObject: Person("Ida", age: 1))
            withExtendedLifetime(archiver) {}
        },
        Disturbance("calls inside of calls") {
            let outer = Encoding { encoder in
                var container = encoder.unkeyedContainer()
                try container.encode([UInt8](ArchiveEncoder().encode(Animal())))
                try container.encode(1)
            }
            try decoding(archiveOf: outer) { decoder in
                var container = try decoder.unkeyedContainer()
                let inner = try Data(container.decode([UInt8].self))
                #expect(try ArchiveDecoder().decode(Animal.self, from: inner).description == Animal.text)
                #expect(try container.decode(Int.self) == 1)
            }
            _ = try archive { coder in
                let inner = try KeyedArchiver.archivedData(withRootObject: Person("Ida", age: 1))
                coder.encode(inner, forKey: "inner")
                coder.encode(try KeyedUnarchiver.unarchivedObject(of: Person.self, from: inner).name, forKey: "name")
            }
        },
    ]

    /// Calls on other threads, whose stacks have few bytes.
    static let onOtherStacks: [Disturbance] = [
        Disturbance("calls on another thread") {
            try onThread(stackSize: 1 << 20) { for call in Call.principal { _ = call.result() } }
        },
        Disturbance("calls on a small stack") {
            try onThread(stackSize: 512 << 10) {
                typealias Tree = `A deep graph`.Tree
                _ = try ArchiveDecoder().decode(Tree.self, from: `A deep graph`.Shape.tree.encode(depth: 40))
            }
        },
    ]
}

// MARK: - Sizes

extension Disturbance {
    private struct ManyFields: Codable {
        static let count = 1_000

        init() {}

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            // Not in the order of the archive: all keys are numbered.
            for index in (0..<Self.count).reversed() {
                #expect(try container.decode(Int.self, forKey: AnyKey("\(index)")) == index)
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            for index in 0..<Self.count { try container.encode("duck", forKey: AnyKey("\(index)")) }
            for index in 0..<Self.count { try container.encode(index, forKey: AnyKey("\(index)")) }
        }
    }

    private static let sizes: [Disturbance] = [
        Disturbance("many keys") { _ = try roundTrip(ManyFields()) },
        Disturbance("many strings as keys") { () throws in
            let many = Dictionary(uniqueKeysWithValues: (0..<300).map { ("name\($0)", $0) })
            #expect(try roundTrip(many) == many)
        },
        Disturbance("many types") { _ = try Level<Disturbance>.roundTrips(40) },
        Disturbance("many objects") { () throws in
            let many = (0..<5_000).map { ["\($0)": Double($0)] }
            #expect(try roundTrip(many) == many)
        },
        Disturbance("many coded instances") {
            let person = Person("Ida", age: 1)
            person.friends = (0..<3_000).map { Person("Friend \($0)", age: $0) }
            let data = try KeyedArchiver.archivedData(withRootObject: person)
            #expect(try KeyedUnarchiver.unarchivedObject(of: Person.self, from: data).friends.count == 3_000)
        },
    ]
}
