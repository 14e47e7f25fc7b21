// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A class instance` {
    final class Owner: Codable, Hashable {
        var name: String

        init(_ name: String) { self.name = name }
        static func == (left: Owner, right: Owner) -> Bool { left.name == right.name }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    enum Payload: Codable {
        case owned(Owner)
        case both(first: Owner, [Owner])
    }

    struct Animal: Codable {
        var owner: Owner
    }

    struct Farm: Codable {
        var owner: Owner
        var animals: [Animal]
        var optional: Owner?
        var byName: [String: Owner]
        var byOwner: [Owner: Int]
        var set: Set<Owner>
        var payload: [Payload]
        var deep: [[String: [Owner?]]]

        init(_ owner: Owner) {
            self.owner = owner
            animals = [Animal(owner: owner), Animal(owner: owner)]
            optional = owner
            byName = ["a": owner, "b": owner]
            byOwner = [owner: 1]
            set = [owner]
            payload = [.owned(owner), .both(first: owner, [owner, owner])]
            deep = [["x": [nil, owner]]]
        }

        /// Every reference there is.
        var all: [Owner?] {
            var all: [Owner?] = [owner, optional] + animals.map(\.owner)
            all += byName.values.map { $0 } + byOwner.keys.map { $0 } + set.map { $0 }
            for payload in payload {
                switch payload {
                case .owned(let owner): all.append(owner)
                case .both(let first, let others): all += [first] + others
                }
            }
            return all + deep.flatMap { $0.values.flatMap { $0.compactMap { $0 } } }
        }
    }

    @Test func `is stored in the archive once, however many references it has`() throws {
        let archive = try InspectedArchive(of: Farm(Owner("A")))
        #expect(archive.count(ofClass: "Owner") == 1)
        #expect(archive.objects.filter { $0 == "A" }.count == 1)
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `comes back as one instance, wherever it is referred to`(format: PropertyListFormat) throws {
        let again = try roundTrip(Farm(Owner("A")), format: format)
        #expect(again.all.count == 13)
        for reference in again.all { #expect(reference === again.owner) }
        #expect(again.owner.name == "A")
    }

    @Test func `that is equal to another stays another`() throws {
        let owners = [Owner("A"), Owner("A"), Owner("A")]
        let archive = try InspectedArchive(of: owners + owners)
        #expect(archive.count(ofClass: "Owner") == 3)
        let again = try roundTrip(owners + owners)
        #expect(Set(again.map { ObjectIdentifier($0) }).count == 3)
        for index in 0..<3 { #expect(again[index] === again[index + 3]) }
    }

    @Test func `is not mixed up with another that took its address`() throws {
        // Each temporary dies as soon as it is encoded; only the archive can keep it from giving its address to the next.
        struct Source: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                for index in 0..<5000 { try container.encode(Owner("temporary \(index)")) }
            }
        }
        let again = try transcode(Source(), as: [Owner].self)
        #expect(again.map(\.name) == (0..<5000).map { "temporary \($0)" })
        let deep = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            for index in 0..<3000 {
                try container.encode(["k": Animal(owner: Owner("\(index)"))])
                try container.encode(["k": Animal(owner: Owner("\(-index)"))])
            }
        }
        let animals = try transcode(deep, as: [[String: Animal]].self)
        #expect(animals.map { $0["k"]?.owner.name } == (0..<3000).flatMap { ["\($0)", "\(-$0)"] })
    }

    @Test func `that makes temporaries in its own encode(to:) is safe`() throws {
        final class Maker: Encodable {
            let index: Int
            init(_ index: Int) { self.index = index }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(Owner("first \(index)"), forKey: "first")
                try container.encode(Owner("second \(index)"), forKey: "second")
            }
        }
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            for index in 0..<2000 { try container.encode(Maker(index)) }
        }
        let again = try transcode(value, as: [[String: Owner]].self)
        #expect(again.map { $0["first"]?.name } == (0..<2000).map { "first \($0)" })
        #expect(again.map { $0["second"]?.name } == (0..<2000).map { "second \($0)" })
    }

    @Test func `is released when the archive is done`() throws {
        weak var leaked: Owner?
        let data: Data
        do {
            let owner = Owner("A")
            leaked = owner
            data = try ArchiveEncoder().encode([owner, owner])
        }
        #expect(leaked == nil)
        do {
            let again = try ArchiveDecoder().decode([Owner].self, from: data)
            leaked = again[0]
            withExtendedLifetime(again) { #expect(leaked?.name == "A") }
        }
        #expect(leaked == nil)
    }

    @Test func `is released when encoding fails`() throws {
        struct Failing: Encodable {
            struct Failure: Error {}
            func encode(to encoder: any Encoder) throws { throw Failure() }
        }
        weak var leaked: Owner?
        do {
            let owner = Owner("A")
            leaked = owner
            let value = Encoding { encoder in
                var container = encoder.unkeyedContainer()
                try container.encode(owner)
                try container.encode(Failing())
            }
            #expect(throws: Failing.Failure.self) { try ArchiveEncoder().encode(value) }
        }
        #expect(leaked == nil)
    }

    @Test func `decoded as two types is two values, each shared`() throws {
        final class Copy: Codable { var name: String }
        struct Value: Codable, Equatable { var name: String }
        let owner = Owner("A")
        try decoding(archiveOf: [owner, owner, owner, owner, owner, owner]) { decoder in
            var container = try decoder.unkeyedContainer()
            let first = try container.decode(Owner.self)
            let second = try container.decode(Copy.self)
            let value = try container.decode(Value.self)
            let third = try container.decode(Owner.self)
            let fourth = try container.decode(Copy.self)
            let fields = try container.decode([String: String].self)
            #expect(first === third)
            #expect(second === fourth)
            #expect(first.name == "A")
            #expect(second.name == "A")
            #expect(value == Value(name: "A"))
            #expect(fields == ["name": "A"])
        }
    }

    @Test func `is a class of its own even when it was decoded in a failed attempt`() throws {
        let owner = Owner("A")
        try decoding(archiveOf: ["list": [owner], "other": [owner]]) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            #expect(throws: DecodingError.self) { try container.decode([Int].self, forKey: "list") }
            let first = try container.decode([Owner].self, forKey: "list")
            let second = try container.decode([Owner].self, forKey: "other")
            #expect(first[0] === second[0])
        }
    }

    @Test func `is encoded in breadth-first order`() throws {
        final class Node: Codable {
            var left: Node?
            var right: Node?
            init(_ left: Node? = nil, _ right: Node? = nil) {
                self.left = left
                self.right = right
            }
        }
        let shared = Node()
        let root = Node(Node(shared), Node(nil, shared))
        #expect(
            try archiveText(root) == "Node{left: Node{left: #1=Node{}}, right: Node{right: #1}}")
        let again = try roundTrip(root)
        #expect(again.left?.left != nil)
        #expect(again.left?.left === again.right?.right)
    }

    @Test(arguments: [1, 2, 40, 1_000])
    func `is one of many, each with its own uid`(count: Int) throws {
        let owners = (0..<count).map { Owner("\($0 % 10)") }
        let again = try roundTrip([owners, owners.reversed()])
        #expect(Set(again[0].map { ObjectIdentifier($0) }).count == count)
        for index in 0..<count where again[0][index] !== again[1][count - 1 - index] {
            Issue.record("\(index) became two instances")
            return
        }
        #expect(again[0].map(\.name) == owners.map(\.name))
    }
}
