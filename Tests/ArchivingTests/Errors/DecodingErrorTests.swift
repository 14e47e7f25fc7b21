// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A decoding error` {
    struct Animal: Codable {
        var name: String
        var age: Int
    }

    struct Farm: Codable {
        var animals: [Animal]
        var byName: [String: Animal]
    }

    @Test func `of a missing key names the key, the place, and the keys that were there`() throws {
        struct Other: Encodable { var title = "x", years = 3 }
        let error = try failure(decoding: [String: [Animal]].self, fromArchiveOf: ["farm": [Other()]])
        #expect(error.kind == .keyNotFound)
        #expect(error.key == "name")
        #expect(error.path == "farm[0]")
        #expect(error.says("\"name\"", "farm[0]", "\"title\"", "\"years\""))
        #expect(!error.says("$class"))
    }

    @Test func `of a missing key in a dictionary names the dictionary's keys`() throws {
        let error = try failure(decoding: Animal.self, fromArchiveOf: ["Name": 1])
        #expect(error.kind == .keyNotFound)
        #expect(error.says("\"name\"", "\"Name\""))
        #expect(!error.says("NS.keys"))
    }

    @Test func `of a missing key names the user's names of keys with dollars`() throws {
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: "$class")
        }
        let error = try failure(decoding: Animal.self, fromArchiveOf: value)
        #expect(error.says("\"$class\""))
        #expect(!error.says("$$class"))
    }

    @Test func `of a missing key says so when there are none, and stays short when there are many`() throws {
        struct Nothing: Encodable {}
        let none = try failure(decoding: Animal.self, fromArchiveOf: Nothing())
        #expect(none.kind == .keyNotFound)
        #expect(none.says("no keys"))
        let many = Dictionary(uniqueKeysWithValues: (0..<10_000).map { ("a key with a long name \($0)", $0) })
        let error = try failure(decoding: Animal.self, fromArchiveOf: many)
        #expect(error.kind == .keyNotFound)
        #expect(error.text.count < 2000)
    }

    @Test func `of another kind of value names what was found, what was wanted and where`() throws {
        struct Other: Encodable { var name = ["x"], age = 3 }
        let error = try failure(decoding: [Animal].self, fromArchiveOf: [Other()])
        #expect(error.kind == .typeMismatch)
        #expect(error.type == String.self)
        #expect(error.path == "[0].name")
        #expect(error.says("NSArray", "String", "[0].name"))
    }

    @Test func `of a missing value says nil`() throws {
        struct Other: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode("x", forKey: "name")
                try container.encodeNil(forKey: "age")
            }
        }
        let error = try failure(decoding: [String: Animal].self, fromArchiveOf: ["a": Other()])
        #expect(error.kind == .valueNotFound)
        #expect(error.type == Int.self)
        #expect(error.path == "a.age")
        #expect(error.says("nil", "Int", "a.age"))
    }

    @Test func `of a damaged element does not advise another call`() throws {
        let damaged = try handmadeArchive(
            ["NS.objects": [.uid(3), .uid(0)], "$class": .uid(2)], classEntry("NSArray"), "a")
        let error = try failure(decoding: [String].self, from: damaged)
        #expect(error.path == "[1]")
        #expect(
            error.says("Found nil at \"[1]\", where String is expected", "if not, the archive is damaged"),
            "\(error.text)")
        #expect(!error.says("decodeIfPresent"))
    }

    @Test func `has the case for the requested and the found value`() throws {
        func check<Wanted: Decodable>(
            _ type: Wanted.Type, _ value: some Encodable, _ kind: CodingFailure.Kind,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let error = try failure(decoding: [String: Wanted].self, fromArchiveOf: ["x": value])
            #expect(error.kind == kind, sourceLocation: sourceLocation)
            #expect(error.path == "x", sourceLocation: sourceLocation)
            #expect(error.says("\"x\""), sourceLocation: sourceLocation)
        }
        try check(Int.self, "x", .typeMismatch)
        try check(Int.self, true, .typeMismatch)
        try check(Int.self, [1], .typeMismatch)
        try check(Int.self, ["a": 1], .typeMismatch)
        try check(Int.self, Int?.none, .valueNotFound)
        try check(Int.self, 1.5, .dataCorrupted)
        try check(UInt8.self, 256, .dataCorrupted)
        try check(UInt.self, -1, .dataCorrupted)
        try check(Double.self, "x", .typeMismatch)
        try check(Double.self, false, .typeMismatch)
        try check(Float.self, 1e300, .dataCorrupted)
        try check(Bool.self, 1, .typeMismatch)
        try check(Bool.self, "true", .typeMismatch)
        try check(String.self, 1, .typeMismatch)
        try check(String.self, ["x"], .typeMismatch)
        try check([Int].self, 1, .typeMismatch)
        try check([Int].self, "x", .typeMismatch)
        try check([Int].self, Int?.none, .valueNotFound)
        try check([Animal].self, 3, .typeMismatch)
        try check(Set<Int>.self, "x", .typeMismatch)
        try check([String: Int].self, 1, .typeMismatch)
        try check([String: Int].self, Int?.none, .valueNotFound)
        try check(Animal.self, 1, .typeMismatch)
        try check(Animal.self, "x", .typeMismatch)
        try check(Animal.self, true, .typeMismatch)
        try check(Animal.self, Int?.none, .valueNotFound)
        try check(Animal.self, [1], .typeMismatch)
        try check([Int].self, Animal(name: "x", age: 1), .typeMismatch)
        try check(Int.self, Animal(name: "x", age: 1), .typeMismatch)
        try check(String.self, Animal(name: "x", age: 1), .typeMismatch)
    }

    @Test func `leaves the container usable`() throws {
        struct Patient: Decodable {
            var name: String
            var number: Int
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyKey.self)
                #expect(throws: DecodingError.self) { try container.decode(Animal.self, forKey: "name") }
                #expect(throws: DecodingError.self) { try container.decode([Animal].self, forKey: "list") }
                #expect(throws: DecodingError.self) { try container.decode(Int.self, forKey: "missing") }
                name = try container.decode(String.self, forKey: "name")
                number = try container.decode([Int].self, forKey: "list")[1]
            }
        }
        struct Source: Encodable { var name = "x", list = [1, 2] }
        let patients = try transcode([Source(), Source()], as: [Patient].self)
        #expect(patients.map(\.name) == ["x", "x"])
        #expect(patients.map(\.number) == [2, 2])
    }

    @Test func `of an instance that failed does not keep it from being decoded after all`() throws {
        final class Node: Codable {
            var x = 1
        }
        final class Strict: Decodable {
            init(from decoder: any Decoder) throws {
                throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "strict"))
            }
        }
        struct Patient: Decodable {
            var first: Node
            var second: Node
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyKey.self)
                #expect(throws: DecodingError.self) { try container.decode(Strict.self, forKey: "a") }
                #expect(throws: DecodingError.self) { try container.decode(Strict.self, forKey: "a") }
                first = try container.decode(Node.self, forKey: "a")
                second = try container.decode(Node.self, forKey: "b")
            }
        }
        let node = Node()
        node.x = 7
        let patient = try transcode(["a": node, "b": node], as: Patient.self)
        #expect(patient.first === patient.second)
        #expect(patient.first.x == 7)
    }

    final class Changing: Codable {
        var next: Changing?
        init() {}
        init(from decoder: any Decoder) throws {
            next = try decoder.container(keyedBy: CodingKeys.self).decode(Changing?.self, forKey: .next) ?? Changing()
        }
    }

    final class ChangingObject: Coding {
        var next: ChangingObject?
        init() {}
        init(coder: KeyedUnarchiver) throws {
            next = try coder.decodeIfPresent(ChangingObject.self, forKey: "next") ?? ChangingObject()
        }
        func encode(with coder: KeyedArchiver) throws { try coder.encode(next, forKey: "next") }
    }

    @Test func `of a cycle that an initializer catches is of its coder, and fails the whole decoding`() throws {
        struct Patient: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyKey.self)
                #expect(throws: DecodingError.self) { try container.decode(Changing.self, forKey: "a") }
            }
        }
        final class PatientObject: Coding {
            let part: ChangingObject
            init(_ part: ChangingObject) { self.part = part }
            init(coder: KeyedUnarchiver) throws {
                part = ChangingObject()
                #expect(throws: ArchivingError.self) { try coder.decode(ChangingObject.self, forKey: "a") }
            }
            func encode(with coder: KeyedArchiver) throws { try coder.encode(part, forKey: "a") }
        }
        let changing = Changing()
        changing.next = changing
        let data = try ArchiveEncoder().encode(["a": changing])
        #expect(throws: DecodingError.self) { try ArchiveDecoder().decode(Patient.self, from: data) }
        let object = ChangingObject()
        object.next = object
        let archive = try KeyedArchiver.archivedData(withRootObject: PatientObject(object))
        #expect(throws: ArchivingError.self) {
            try KeyedUnarchiver.unarchivedObject(of: PatientObject.self, from: archive)
        }
    }

    @Test func `has a short text, and says all when it is printed, also when the archive is gone`() throws {
        func error<Wanted: Decodable>(_ type: Wanted.Type, _ value: some Encodable) throws -> DecodingError {
            let data = try ArchiveEncoder().encode(["x": value])
            let error = #expect(throws: DecodingError.self) {
                try ArchiveDecoder().decode([String: Wanted].self, from: data)
            }
            // Decoders use the tables of the one before.
            _ = try ArchiveDecoder().decode([Int].self, from: ArchiveEncoder().encode([1, 2, 3]))
            return try #require(error)
        }
        let mismatch = try error(Bool.self, 1.5)
        guard case .typeMismatch(let type, let context) = mismatch, type == Bool.self else {
            Issue.record("\(mismatch)")
            return
        }
        #expect(context.debugDescription == "The value has another type")
        let underlying = try #require(context.underlyingError as? ArchivingError)
        #expect(underlying.code == .typeMismatch && underlying.codingPath.text == "x")
        #expect(underlying.description.hasPrefix("Found the number 1.5 (uid "))
        #expect(underlying.description.hasSuffix(") at \"x\", where Bool is expected"))
        #expect("\(mismatch)".contains("\(underlying)"))

        struct Other: Encodable { var title = "x" }
        let missing = try error(Animal.self, Other())
        guard case .keyNotFound(let key, let place) = missing else {
            Issue.record("\(missing)")
            return
        }
        #expect(key.stringValue == "name" && place.debugDescription == "The object has no value for the key")
        #expect("\(missing)".contains("No value for the key \"name\" at \"x\". The keys are \"title\""))
    }

    @Test func `that init(from:) throws comes out as it is`() throws {
        struct Refusal: Error, Equatable {}
        struct Refusing: Decodable {
            init(from decoder: any Decoder) throws { throw Refusal() }
        }
        let data = try ArchiveEncoder().encode(["a": [1]])
        #expect(throws: Refusal()) { try ArchiveDecoder().decode([String: [Refusing]].self, from: data) }
    }

    @Test func `shows only the start of a long string`() throws {
        let error = try failure(
            decoding: Int.self, fromArchiveOf: "start" + String(repeating: "x", count: 1_000_000))
        #expect(error.says("start"))
        #expect(error.text.utf8.count < 500)
    }
}
