// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn)
struct `An unarchiver that keeps its error` {
    struct Reason: Error, Equatable { var number: Int }

    /// An unarchiver by the policy, for a string, numbers and an item.
    private func keeping() throws -> KeyedUnarchiver {
        let unarchiver = try unarchiver { archiver in
            archiver.encode("text", forKey: "text")
            archiver.encode(7, forKey: "seven")
            archiver.encode(true, forKey: "true")
            archiver.encode(1.5, forKey: "real")
            archiver.encode(Data([1]), forKey: "data")
            archiver.encode(Date(), forKey: "date")
            archiver.encodePoint(x: 1, y: 2, forKey: "point")
            archiver.encodeRect(x: 1, y: 2, width: 3, height: 4, forKey: "rect")
            try archiver.encode(CodedItem("item", 1), forKey: "item")
            try archiver.encode([CodedItem("item", 1)], forKey: "items")
            archiver.encodeNext(9)
        }
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        return unarchiver
    }

    /// Ways to meet another kind of value.
    static let failures: [(String, @Sendable (KeyedUnarchiver) throws -> Bool)] = [
        ("text", { try $0.decodeInteger(forKey: "text") == 0 }), ("text", { try !$0.decodeBool(forKey: "text") }),
        ("seven", { try $0.decodeBool(forKey: "seven") == false }),
        ("text", { try $0.decodeDouble(forKey: "text") == 0 }),
        ("seven", { try $0.decodeIfPresent(String.self, forKey: "seven") == nil }),
        ("text", { try $0.decodeIfPresent(Data.self, forKey: "text") == nil }),
        ("text", { try $0.decodeIfPresent(Date.self, forKey: "text") == nil }),
        ("text", { try $0.decodeBytes(forKey: "text") == nil }),
        ("data", { try $0.decodeBytes(forKey: "data", minimumLength: 2) == nil }),
        ("text", { try $0.decodePoint(forKey: "text") == (0, 0) }),
        ("text", { try $0.decodeRect(forKey: "text") == (0, 0, 0, 0) }),
        ("text", { try $0.decodeIfPresent(Int.self, forKey: "text") == nil }),
        ("text", { try $0.decodeIfPresent(CodedItem.self, forKey: "text") == nil }),
        ("text", { try $0.decodeIfPresent([CodedItem].self, forKey: "text") == nil }),
        ("text", { try $0.decodeIfPresent([Int].self, forKey: "text") == nil }),
        ("text", { try $0.decodeObject(of: [Int.self], forKey: "text") == nil }),
        ("item", { try $0.decodeObject(of: [HashedItem.self], forKey: "item") == nil }),
        ("text", { try $0.decodeObject(forKey: "text") == nil }),
        ("text", { try $0.decodeArray(of: [Int.self], forKey: "text") == nil }),
        ("text", { try $0.decode(Reference<CodedItem>.self, forKey: "text").wrappedValue == nil }),
        ("text", { try $0.decode(WeakReference<CodedItem>.self, forKey: "text").wrappedValue == nil }),
        ("$0", { try $0.decodeNextIfPresent(String.self) == nil }), ("$0", { try $0.decodeNextPoint() == (0, 0) }),
    ]

    @Test(arguments: failures.indices)
    func `returns 0 or nil, and has the error`(index: Int) throws {
        let (path, decode) = Self.failures[index]
        let unarchiver = try keeping()
        #expect(unarchiver.error == nil)
        #expect(try decode(unarchiver))
        let error = KeyedFailure(try #require(unarchiver.error))
        #expect(error.path == path)
        #expect(error.says("\"\(path)\""))
        // The same call throws where that is the policy.
        let throwing = try keeping()
        throwing.decodingFailurePolicy = .throwError
        #expect(try keyedFailure { try decode(throwing) }.text == error.text)
        #expect(throwing.error == nil)
    }

    @Test func `keeps the first error, and returns 0 or nil from then on`() throws {
        let unarchiver = try keeping()
        #expect(try unarchiver.decodeInteger(forKey: "seven") == 7)
        #expect(try unarchiver.decodeInteger(forKey: "text") == 0)
        let first = KeyedFailure(try #require(unarchiver.error)).text
        #expect(try unarchiver.decodeIfPresent(String.self, forKey: "seven") == nil)
        #expect(try unarchiver.decodeInteger(forKey: "seven") == 0)
        #expect(try unarchiver.decodeBool(forKey: "true") == false)
        #expect(try unarchiver.decodeDouble(forKey: "real") == 0)
        #expect(try unarchiver.decodeFloat(forKey: "real") == 0)
        #expect(try unarchiver.decodeIfPresent(String.self, forKey: "text") == nil)
        #expect(try unarchiver.decodeIfPresent(Data.self, forKey: "data") == nil)
        #expect(try unarchiver.decodeBytes(forKey: "data") == nil)
        #expect(try unarchiver.decodeIfPresent(Date.self, forKey: "date") == nil)
        #expect(try unarchiver.decodePoint(forKey: "point") == (0, 0))
        #expect(try unarchiver.decodeRect(forKey: "rect") == (0, 0, 0, 0))
        #expect(try unarchiver.decodeIfPresent(Int.self, forKey: "seven") == nil)
        #expect(try unarchiver.decodeIfPresent(CodedItem.self, forKey: "item") == nil)
        #expect(try unarchiver.decodeObject(of: [CodedItem.self], forKey: "item") == nil)
        #expect(try unarchiver.decodeArray(of: [CodedItem.self], forKey: "items") == nil)
        #expect(try unarchiver.decode(Reference<CodedItem>.self, forKey: "item").wrappedValue == nil)
        #expect(try unarchiver.decodeNextIfPresent(Int.self) == nil)
        #expect(KeyedFailure(try #require(unarchiver.error)).text == first)
    }

    @Test func `throws where a method has nothing else to return`() throws {
        let unarchiver = try keeping()
        #expect(try keyedFailure { try unarchiver.decode(Int.self, forKey: "text") }.code == "typeMismatch")
        #expect(try keyedFailure { try unarchiver.decode(CodedItem.self, forKey: "text") }.code == "typeMismatch")
        #expect(try keyedFailure { try unarchiver.decode(Int.self, forKey: "missing") }.code == "valueNotFound")
        #expect(try keyedFailure { try unarchiver.decode([Int].self, forKey: "text") }.code == "typeMismatch")
    }

    @Test func `throws the error that it has where a method has nothing else to return`() throws {
        let unarchiver = try keeping()
        #expect(try unarchiver.decodeInteger(forKey: "text") == 0)
        let first = KeyedFailure(try #require(unarchiver.error)).text
        for error in [
            try keyedFailure { try unarchiver.decode(CodedItem.self, forKey: "item") },
            try keyedFailure { try unarchiver.decode([CodedItem].self, forKey: "items") },
            try keyedFailure { try unarchiver.decode(URL.self, forKey: "text") },
            try keyedFailure { try unarchiver.decode(Int.self, forKey: "seven") },
            try keyedFailure { try unarchiver.decode(String.self, forKey: "text") },
            try keyedFailure { try unarchiver.decodeNext(Int.self) },
        ] { #expect(error.text == first) }
    }

    @Test func `has what an initializer has met, whatever that returned`() throws {
        let data = try KeyedPlace.object.archive { $0.encode("text", forKey: "number") }
        var found: Int?
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        unarchiver.userInfo[ScribeReader.key] = ScribeReader { found = try $0.decodeInteger(forKey: "number") }
        #expect(try unarchiver.decodeIfPresent(Scribe.self, forKey: "root") == nil)
        #expect(found == 0)
        let error = KeyedFailure(try #require(unarchiver.error))
        #expect(error.code == "typeMismatch")
        #expect(error.path == "root.number")
    }

    @Test func `keeps the errors of initializers as they are`() throws {
        let data = try KeyedPlace.object.archive { $0.encode(1, forKey: "number") }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        unarchiver.userInfo[ScribeReader.key] = ScribeReader { _ in throw Reason(number: 1) }
        #expect(try unarchiver.decodeIfPresent(Scribe.self, forKey: "root") == nil)
        #expect(unarchiver.error as? Reason == Reason(number: 1))
        #expect(throws: Reason(number: 1)) { try unarchiver.decode(Scribe.self, forKey: "root") }
    }
}

@Suite(.inTurn)
struct `fail(with:)` {
    typealias Reason = `An unarchiver that keeps its error`.Reason

    /// An unarchiver for an object whose initializer goes on after it has failed, once or twice.
    private func failing(_ policy: KeyedUnarchiver.DecodingFailurePolicy) throws -> KeyedUnarchiver {
        let data = try KeyedPlace.object.archive { $0.encode(1, forKey: "number") }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        unarchiver.decodingFailurePolicy = policy
        unarchiver.userInfo[ScribeReader.key] = ScribeReader { coder throws in
            coder.fail(with: Reason(number: 1))
            coder.fail(with: Reason(number: 2))
        }
        return unarchiver
    }

    @Test func `is thrown by the program's own call`() throws {
        let unarchiver = try failing(.throwError)
        #expect(throws: Reason(number: 1)) { try unarchiver.decode(Scribe.self, forKey: "root") }
        #expect(unarchiver.error as? Reason == Reason(number: 1))
        #expect(throws: Reason(number: 1)) { try unarchiver.decodeIfPresent(Scribe.self, forKey: "root") }
    }

    @Test func `is nil for the program's own call, where the policy says so`() throws {
        let unarchiver = try failing(.setErrorAndReturn)
        #expect(try unarchiver.decodeIfPresent(Scribe.self, forKey: "root") == nil)
        #expect(unarchiver.error as? Reason == Reason(number: 1))
        #expect(throws: Reason(number: 1)) { try unarchiver.decode(Scribe.self, forKey: "root") }
    }

    @Test func `at the top fails what is decoded afterwards`() throws {
        let unarchiver = try unarchiver { try $0.encode(CodedItem("item", 1), forKey: "item") }
        unarchiver.fail(with: Reason(number: 1))
        unarchiver.fail(with: Reason(number: 2))
        #expect(unarchiver.error as? Reason == Reason(number: 1))
        #expect(throws: Reason(number: 1)) { try unarchiver.decode(CodedItem.self, forKey: "item") }
        #expect(throws: Reason(number: 1)) { try unarchiver.decodeInteger(forKey: "missing") }
        #expect(throws: Reason(number: 1)) { try unarchiver.decodeIfPresent(String.self, forKey: "missing") }
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        #expect(try unarchiver.decodeIfPresent(CodedItem.self, forKey: "item") == nil)
        #expect(try unarchiver.decodeObject(of: [CodedItem.self], forKey: "item") == nil)
    }

    private final class Patient: Coding {
        let age: Int
        init(age: Int) { self.age = age }
        init(coder: KeyedUnarchiver) throws {
            age = try coder.decodeInteger(forKey: "age")
            if age < 0 { coder.fail(with: Reason(number: age)) }
        }
        func encode(with coder: KeyedArchiver) throws { coder.encode(age, forKey: "age") }
    }

    private struct Ward: Codable {
        @Coded var patients: [Patient]
    }

    @Test func `is thrown through a Codable value, and by a deep copy`() throws {
        let ward = Ward(patients: [Patient(age: -1)])
        let data = try ArchiveEncoder().encode(ward)
        #expect(throws: Reason(number: -1)) { try ArchiveDecoder().decode(Ward.self, from: data) }
        // The decoder's next call begins anew.
        let healthy = try ArchiveEncoder().encode(Ward(patients: [Patient(age: 4)]))
        #expect(try ArchiveDecoder().decode(Ward.self, from: healthy).patients.map(\.age) == [4])
        let keyed = try KeyedArchiver.archivedData(withRootObject: ward)
        #expect(throws: Reason(number: -1)) { try KeyedUnarchiver.unarchivedObject(of: Ward.self, from: keyed) }
        #expect(throws: Reason(number: -1)) { try deepCopy(of: Patient(age: -1)) }
        #expect(throws: Reason(number: -1)) { try deepCopy(of: ward) }
    }
}
