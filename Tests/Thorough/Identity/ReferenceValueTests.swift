// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import Synchronization
import TestSupport
import Testing

/// The wrappers as values: what they are equal to, what they are on other threads, and under other coders.
@Suite(.inTurn) struct `A reference as a value` {
    /// Equal only to itself, and says so in a way that would never end in a ring.
    final class Ring: Codable, Equatable {
        @Reference var next: Ring?
        static func == (left: Ring, right: Ring) -> Bool { left._next == right._next }
    }

    struct Animal: Codable, Hashable {
        var name: String
        @Reference var owner: Owner?
        @References var friends: [Owner]

        init(_ name: String, _ owner: Owner?, friends: [Owner] = []) {
            self.name = name
            self.owner = owner
            self.friends = friends
        }
    }

    struct Pet: Codable, Equatable {
        var name: String
        @WeakReference var keeper: Owner? = nil
    }

    // MARK: - Equality

    @Test func `is equal to one to an equal instance, as an optional is`() {
        let owner = Owner("a")
        let values: [Owner?] = [nil, owner, Owner("a"), Owner("b")]
        for left in values {
            for right in values {
                #expect((Reference(wrappedValue: left) == Reference(wrappedValue: right)) == (left == right))
                #expect((WeakReference(wrappedValue: left) == WeakReference(wrappedValue: right)) == (left == right))
                #expect((Pet(name: "p", keeper: left) == Pet(name: "p", keeper: right)) == (left == right))
                #expect((Animal("x", left) == Animal("x", right)) == (left == right))
                let (lefts, rights) = ([left].compactMap { $0 }, [right].compactMap { $0 })
                #expect((References(wrappedValue: lefts) == References(wrappedValue: rights)) == (lefts == rights))
            }
        }
        withExtendedLifetime(values) {}
    }

    @Test func `is equal to one to the same instance, whose own equality is not asked`() {
        let ring = Ring()
        ring.next = ring
        defer { ring.next = nil }
        #expect(Reference(wrappedValue: ring) == Reference(wrappedValue: ring))
        #expect(WeakReference(wrappedValue: ring) == WeakReference(wrappedValue: ring))
        #expect(ring == ring)
    }

    @Test func `has the hash of its instance`() throws {
        #expect(Reference(wrappedValue: Owner("a")).hashValue == Owner?.some(Owner("a")).hashValue)
        #expect(Reference<Owner>().hashValue == Owner?.none.hashValue)
        #expect(References(wrappedValue: [Owner("a")]).hashValue == [Owner("a")].hashValue)
        #expect(Set([Animal("x", Owner("a")), Animal("x", Owner("a")), Animal("x", nil)]).count == 2)
    }

    @Test func `that was decoded is equal to what was encoded`() throws {
        let animal = Animal("x", Owner("a"), friends: [Owner("b"), Owner("a")])
        let again = try roundTrip([animal, animal])
        #expect(again == [animal, animal])
        #expect(again[0].hashValue == animal.hashValue)
        #expect(again[0].owner === again[1].owner)
        #expect(again[0] != Animal("x", Owner("a"), friends: [Owner("b")]))
    }

    @Test func `is described as its instance is`() {
        let owner = Owner("a")
        #expect("\(Reference(wrappedValue: owner))" == "owner a")
        #expect("\(WeakReference(wrappedValue: owner))" == "owner a")
        #expect("\(Reference<Owner>())" == "nil")
        #expect("\(WeakReference<Owner>())" == "nil")
        #expect("\(References(wrappedValue: [owner]))" == "[owner a]")
    }

    @Test func `begins as one to nothing`() {
        #expect(Reference<Owner>().wrappedValue == nil)
        #expect(WeakReference<Owner>().wrappedValue == nil)
        #expect(References<[Owner]>().wrappedValue == [])
        #expect(References<[String: Owner]>().wrappedValue == [:])
    }

    // MARK: - Threads

    final class Leaf: Codable, Sendable {
        let name: String
        init(_ name: String) { self.name = name }
    }

    struct Leaves: Codable, Sendable {
        @Reference var first: Leaf? = nil
        @WeakReference var second: Leaf? = nil
        @References var all: [Leaf] = []
    }

    @Test func `is read on many threads at once`() throws {
        let leaf = Leaf("a")
        let again = try roundTrip(Leaves(first: leaf, second: leaf, all: [leaf, Leaf("b")]))
        let expected = try #require(again.first)
        let right = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<1000 where again.second === expected && again.all[0] === expected && again.first === expected {
                right.withLock { $0 += 1 }
            }
        }
        let count = right.withLock { $0 }
        #expect(count == 8000)
    }

    // MARK: - Other coders

    private static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test func `is the instance itself in JSON`() throws {
        let animal = Animal("x", Owner("a"), friends: [Owner("b"), Owner("b")])
        #expect(
            try Self.json(animal) == #"{"friends":[{"name":"b"},{"name":"b"}],"name":"x","owner":{"name":"a"}}"#)
        #expect(try Self.json(Animal("x", nil)) == #"{"friends":[],"name":"x"}"#)
        #expect(try Self.json([Reference(wrappedValue: Owner("a")), Reference()]) == #"[{"name":"a"},null]"#)
    }

    @Test func `that is weak is nil in JSON`() throws {
        let owner = Owner("a")
        #expect(try Self.json(Pet(name: "p", keeper: owner)) == #"{"keeper":null,"name":"p"}"#)
        #expect(try Self.json(Pet(name: "p", keeper: nil)) == #"{"name":"p"}"#)
        #expect(try Self.json([WeakReference(wrappedValue: owner)]) == "[null]")
        withExtendedLifetime(owner) {}
    }

    @Test func `comes out of JSON`() throws {
        func decode<Value: Decodable>(_ text: String) throws -> Value {
            try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        }
        let animal: Animal = try decode(#"{"name":"x","owner":{"name":"a"},"friends":[{"name":"b"}]}"#)
        #expect(animal == Animal("x", Owner("a"), friends: [Owner("b")]))
        for text in [#"{"name":"x","friends":[]}"#, #"{"name":"x","friends":[],"owner":null}"#] {
            #expect(try decode(text) == Animal("x", nil))
        }
        for text in [#"{"name":"p"}"#, #"{"name":"p","keeper":null}"#, #"{"name":"p","keeper":{"name":"a"}}"#] {
            #expect(try decode(text) == Pet(name: "p", keeper: nil))
        }
        #expect(throws: DecodingError.self) { try decode(#"{"name":"x","owner":7,"friends":[]}"#) as Animal }
        #expect(throws: DecodingError.self) { try decode(#"{"name":"x","friends":[null]}"#) as Animal }
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
    func `goes through a property list and back`(format: PropertyListSerialization.PropertyListFormat) throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        let animals = [Animal("x", Owner("a"), friends: [Owner("b")]), Animal("y", nil)]
        let data = try encoder.encode(animals)
        #expect(try PropertyListDecoder().decode([Animal].self, from: data) == animals)
        let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [[String: NSObject]]
        #expect(list?[0]["owner"] == ["name": "a"] as NSDictionary)
        #expect(list?[1]["owner"] == nil)

        let owner = Owner("a")
        let pets = try encoder.encode([Pet(name: "p", keeper: owner), Pet(name: "q", keeper: nil)])
        #expect(try PropertyListDecoder().decode([Pet].self, from: pets).map(\.keeper) == [nil, nil])
        let petList = try PropertyListSerialization.propertyList(from: pets, format: nil) as? [[String: NSObject]]
        // This is how Foundation writes nil.
        #expect(petList == [["name": "p" as NSString, "keeper": "$null" as NSString], ["name": "q" as NSString]])
        withExtendedLifetime(owner) {}
    }
}
