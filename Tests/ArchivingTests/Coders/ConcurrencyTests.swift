// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `One encoder and one decoder` {
    final class Owner: Codable, Sendable {
        let name: String
        init(name: String) { self.name = name }
    }

    enum Kind: String, Codable {
        case cow, duck, hen
    }

    struct Animal: Codable {
        var id: Int
        var kind: Kind
        var owner: Owner
        var notes: [String: [Double]]
    }

    private static func animals(_ seed: Int) -> [Animal] {
        let owner = Owner(name: "owner \(seed)")
        return (0..<50).map {
            Animal(
                id: seed * 1000 + $0, kind: [.cow, .duck, .hen][($0 + seed) % 3], owner: owner,
                notes: ["note \(seed)": [Double($0)]])
        }
    }

    @Test func `serve many tasks at once`() async throws {
        let encoder = ArchiveEncoder()
        let decoder = ArchiveDecoder()
        try await withThrowingTaskGroup(of: (Int, [Animal]).self) { group in
            for seed in 0..<200 {
                group.addTask {
                    let data = try encoder.encode(Self.animals(seed))
                    await Task.yield()
                    return (seed, try decoder.decode([Animal].self, from: data))
                }
            }
            var finished = 0
            for try await (seed, animals) in group {
                finished += 1
                let expected = Self.animals(seed)
                #expect(animals.map(\.id) == expected.map(\.id))
                #expect(animals.map(\.kind) == expected.map(\.kind))
                #expect(animals.map(\.notes) == expected.map(\.notes))
                #expect(animals.allSatisfy { $0.owner === animals[0].owner })
                #expect(animals[0].owner.name == "owner \(seed)")
            }
            #expect(finished == 200)
        }
    }

    @Test func `serve many threads that meet a type for the first time`() async throws {
        struct First<Tag>: Codable { var value: Int }
        struct A {}
        struct B {}
        struct C {}
        func use<Tag: Sendable>(_: Tag.Type, _ value: Int) throws -> Int {
            try roundTrip([First<Tag>(value: value)])[0].value + roundTrip([First<[Tag]>(value: value)])[0].value
        }
        let sums = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<64 {
                group.addTask {
                    switch index % 3 {
                    case 0: try use(A.self, index)
                    case 1: try use(B.self, index)
                    default: try use(C.self, index)
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(sums == 64 * 63)
    }

    @Test func `serve many tasks that meet hundreds of types for the first time`() async throws {
        let sums = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<12 {
                group.addTask {
                    switch index % 3 {
                    case 0: try Level<Int>.roundTrips(99)
                    case 1: try Level<String>.roundTrips(99)
                    default: try Level<Bool>.roundTrips(99)
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sums == [Int](repeating: 4950, count: 12))
    }

    @Test func `read one archive from many tasks`() async throws {
        let data = try ArchiveEncoder().encode(Self.animals(1))
        let decoder = ArchiveDecoder()
        let owners = try await withThrowingTaskGroup(of: Owner.self) { group in
            for _ in 0..<50 { group.addTask { try decoder.decode([Animal].self, from: data)[49].owner } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(owners.allSatisfy { $0.name == "owner 1" })
        #expect(Set(owners.map { ObjectIdentifier($0) }).count == 50)
    }

    final class Parent: Codable {
        var children: [Child] = []
        @Reference var next: Parent?
    }

    final class Child: Codable {
        unowned let parent: Parent
        @WeakReference var itself: Child?
        init(_ parent: Parent) {
            self.parent = parent
            itself = self
        }
    }

    @Test(.needs(.collectionStorage)) func `serve many tasks whose values have cycles`() async throws {
        let encoder = ArchiveEncoder()
        let decoder = ArchiveDecoder()
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for count in 0..<300 {
                group.addTask {
                    let parent = Parent()
                    parent.children = (0..<count % 5).map { _ in Child(parent) }
                    parent.next = parent
                    defer { parent.next = nil }
                    let copy = try decoder.decode(Parent.self, from: encoder.encode(parent))
                    defer { copy.next = nil }
                    #expect(copy.next === copy)
                    #expect(copy.children.allSatisfy { $0.parent === copy && $0.itself === $0 })
                    return copy.children.count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(counts == 600)
    }

    @Test func `may be used inside a value that is being encoded or decoded`() throws {
        struct Sealed: Codable, Equatable {
            var contents: [Int]
            init(_ contents: [Int]) { self.contents = contents }
            init(from decoder: any Decoder) throws {
                let inner = try decoder.singleValueContainer().decode([UInt8].self)
                contents = try ArchiveDecoder().decode([Int].self, from: Data(inner))
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode([UInt8](ArchiveEncoder().encode(contents)))
            }
        }
        let values = [Sealed([1, 2]), Sealed([]), Sealed([3])]
        #expect(try roundTrip(values) == values)
    }
}
