// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
    /// `mallopt` of the C library, whose header Swift does not import.
    @_silgen_name("mallopt")
    private func setAllocationOption(_ option: Int32, _ value: Int32) -> Int32

    private let perturbation: Int32 = -6
#endif

// What a decoding that fails leaves behind: nothing. Every instance has a number whose lifetime is counted.

private enum Suite {}
private typealias Number = CheckedNumber<Suite>

private protocol Member: AnyObject {
    /// Clears the references, so that the instances of a cycle release each other.
    func clear()
}

private final class Plain: Codable, Member {
    var number: Number
    var next: [Plain] = []
    init(_ number: Int) { self.number = Number(number) }
    func clear() { next = [] }
}

private final class Linked: Codable, Member {
    var number: Number
    @Reference var next: Linked?
    init(_ number: Int) { self.number = Number(number) }
    func clear() { next = nil }
}

private final class Connected: Codable, Member {
    var number: Number
    @References var others: [Connected]
    @References var named: [String: Connected]
    init(_ number: Int) {
        self.number = Number(number)
        (others, named) = ([], [:])
    }
    func clear() { (others, named) = ([], [:]) }
}

/// Others refer to it before it is complete.
private final class Publishing: Codable, Member {
    var number = Number(0)
    var children: [Child] = []
    var last: Number?

    init(_ number: Int) { self.number = Number(number) }

    private enum CodingKeys: CodingKey { case number, children, last }

    init(from decoder: any Decoder) throws {
        decoder.publish(self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        number = try container.decode(Number.self, forKey: .number)
        children = try container.decode([Child].self, forKey: .children)
        last = try container.decodeIfPresent(Number.self, forKey: .last)
    }

    func clear() { children = [] }

    final class Child: Codable {
        var number = Number(0)
        @Reference var parent: Publishing?
        @References var parents: [Publishing]
        weak var weakParent: Publishing?
        unowned var owner: Publishing

        init(_ parent: Publishing) {
            (self.owner, self.weakParent, parents) = (parent, parent, [parent])
            self.parent = parent
        }
    }
}

/// Refers to others by properties that the program sets in `init(coder:)`.
private final class CodedPlain: Coding, Member {
    let number: Number
    var next: [CodedPlain] = []

    init(_ number: Int) { self.number = Number(number) }

    init(coder: KeyedUnarchiver) throws {
        number = try coder.decode(Number.self, forKey: "number")
        next = try coder.decode([CodedPlain].self, forKey: "next")
    }

    func encode(with coder: KeyedArchiver) throws {
        try coder.encode(number, forKey: "number")
        try coder.encode(next, forKey: "next")
    }

    func clear() { next = [] }
}

private final class CodedLinked: Coding, Member {
    let number: Number
    @Reference var next: CodedLinked?

    init(_ number: Int) { self.number = Number(number) }

    init(coder: KeyedUnarchiver) throws {
        number = try coder.decode(Number.self, forKey: "number")
        _next = try coder.decode(Reference<CodedLinked>.self, forKey: "next")
    }

    func encode(with coder: KeyedArchiver) throws {
        try coder.encode(number, forKey: "number")
        try coder.encode(next, forKey: "next")
    }

    func clear() { next = nil }
}

/// Has parts that are decoded later.
private final class Whole: Codable, Member {
    var number: Number
    @Reference var next: Whole?
    @Deferred var part: [Whole]
    @Deferred var numbers: [Number]

    init(_ number: Int) {
        self.number = Number(number)
        (part, numbers) = ([], [])
    }

    func clear() { (next, part) = (nil, []) }
}

/// A ring of instances with one kind of reference, and an instance that fails after the ring is complete.
private struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Returns an archive of a ring; with an instance that fails, if that is requested.
    let data: @Sendable (_ fails: Bool) throws -> Data
    /// Decodes the archive, and clears the ring.
    let decode: @Sendable (Data) throws -> Void

    init<Instance: Member & Codable & SendableMetatype>(
        _ name: String, _ make: @escaping @Sendable (Int) -> Instance,
        link: @escaping @Sendable (Instance, Instance) -> Void
    ) {
        testDescription = name
        data = { fails in
            try Self.ring(fails, make, link) { try ArchiveEncoder().encode($0) }
        }
        decode = { data in
            for member in try ArchiveDecoder().decode([Instance].self, from: data) { member.clear() }
        }
    }

    init<Instance: Member & Coding & SendableMetatype>(
        coding name: String, _ make: @escaping @Sendable (Int) -> Instance,
        link: @escaping @Sendable (Instance, Instance) -> Void
    ) {
        testDescription = name
        data = { fails in
            try Self.ring(fails, make, link) { ring in
                let archiver = KeyedArchiver()
                try archiver.encode(ring, forKey: "root")
                return try archiver.finishEncoding()
            }
        }
        decode = { data in
            let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
            defer { unarchiver.finishDecoding() }
            for member in try unarchiver.decode([Instance].self, forKey: "root") { member.clear() }
        }
    }

    private static func ring<Instance: Member>(
        _ fails: Bool, _ make: (Int) -> Instance, _ link: (Instance, Instance) -> Void,
        _ encode: ([Instance]) throws -> Data
    ) throws -> Data {
        let ring = (0..<3).map { make($0) }
        for index in ring.indices { link(ring[index], ring[(index + 1) % ring.count]) }
        defer { for member in ring { member.clear() } }
        return try encode(ring + (fails ? [make(-1)] : []))
    }

    static let all = [
        Kind("plain arrays", Plain.init) { $0.next = [$1] },
        Kind("@Reference", Linked.init) { $0.next = $1 },
        Kind("@References with arrays", Connected.init) { $0.others = [$1] },
        Kind("@References with dictionaries", Connected.init) { $0.named = ["a": $1, "b": $0] },
        Kind("published instances", Publishing.init) { publishing, _ in
            publishing.children = [Publishing.Child(publishing)]
        },
        Kind(coding: "plain arrays of Coding classes", CodedPlain.init) { $0.next = [$1] },
        Kind(coding: "references of Coding classes", CodedLinked.init) { $0.next = $1 },
        Kind("parts that are decoded later", Whole.init) {
            $0.next = $1
            $0.part = [$0, $1]
        },
    ]
}

@Suite(.inTurn) struct `A decoding that fails` {
    @Test(arguments: Kind.all) fileprivate func `releases all of its instances`(kind: Kind) throws {
        for fails in [true, false, true] {
            let data = try kind.data(fails)
            #expect(LifeToken<Suite>.count == 0)
            if fails {
                let error = try failure { try kind.decode(data) }
                #expect(error.says("InitializerFailure", "-1"), "\(error)")
            } else {
                try kind.decode(data)
            }
            #expect(LifeToken<Suite>.count == 0)
        }
    }

    @Test func `releases an instance that failed after others had received it`() throws {
        let publishing = Publishing(1)
        publishing.children = [Publishing.Child(publishing), Publishing.Child(publishing)]
        publishing.last = Number(-2)
        let data = try ArchiveEncoder().encode(publishing)
        publishing.last = nil
        let valid = try ArchiveEncoder().encode(publishing)
        publishing.clear()
        let count = LifeToken<Suite>.count
        #expect(throws: InitializerFailure(number: -2)) { try ArchiveDecoder().decode(Publishing.self, from: data) }
        #expect(LifeToken<Suite>.count == count)
        let copy = try ArchiveDecoder().decode(Publishing.self, from: valid)
        #expect(copy.children.allSatisfy { $0.parent === copy && $0.parents.first === copy && $0.owner === copy })
        copy.clear()
    }

    @Test func `releases a long ring link by link`() throws {
        // To release this many recursively takes more stack than there is.
        let links = (0..<100_000).map { Linked($0) }
        for index in links.indices { links[index].next = links[(index + 1) % links.count] }
        defer { for link in links { link.clear() } }
        let data = try ArchiveEncoder().encode([links[0], Linked(-1)])
        let count = LifeToken<Suite>.count
        #expect(throws: InitializerFailure(number: -1)) { try ArchiveDecoder().decode([Linked].self, from: data) }
        #expect(LifeToken<Suite>.count == count)
    }

    @Test func `of an unarchiver keeps what the program has received, and releases the rest at the end`() throws {
        let ring = (0..<3).map { CodedLinked($0) }
        for index in ring.indices { ring[index].next = ring[(index + 1) % ring.count] }
        defer { for link in ring { link.clear() } }
        let archiver = KeyedArchiver()
        try archiver.encode([ring[0], CodedLinked(-1)], forKey: "bad")
        try archiver.encode(ring[1], forKey: "good")
        let data = try archiver.finishEncoding()
        let count = LifeToken<Suite>.count
        for readsGood in [false, true] {
            do {
                let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
                #expect(throws: InitializerFailure(number: -1)) {
                    try unarchiver.decode([CodedLinked].self, forKey: "bad")
                }
                let good = readsGood ? try unarchiver.decode(CodedLinked.self, forKey: "good") : nil
                unarchiver.finishDecoding()
                if let good {
                    // One of the instances that the first call had decoded.
                    #expect(good.next?.next?.next === good)
                    good.next?.next?.clear()
                }
            }
            #expect(LifeToken<Suite>.count == count)
        }
    }

    @Test func `of a part leaves the instances alone that the program has`() throws {
        let whole = Whole(0)
        let (inside, outside) = (Whole(1), Whole(2))
        (whole.next, outside.next) = (outside, whole)
        (inside.next, whole.part) = (inside, [inside, outside, whole, Whole(-3)])
        let data = try ArchiveEncoder().encode(whole)
        for one in [whole, inside, outside] { one.clear() }
        let count = LifeToken<Suite>.count
        let copy = try ArchiveDecoder().decode(Whole.self, from: data)
        for _ in 0..<3 {
            #expect(throws: InitializerFailure(number: -3)) { try copy.$part.load() }
            #expect(LifeToken<Suite>.count == count + 2)
            #expect(copy.next?.next === copy && copy.next !== copy)
        }
        copy.next?.clear()
        copy.clear()
    }

    @Test func `of a document releases all of its instances`() throws {
        let wholes = (0..<4).map { Whole($0 < 3 ? $0 : -1) }
        for index in 0..<3 { wholes[index].next = wholes[(index + 1) % 3] }
        wholes[0].part = wholes
        let data = try ArchiveEncoder().encode(wholes)
        for whole in wholes { whole.clear() }
        let count = LifeToken<Suite>.count
        try TemporaryFolder.with { folder in
            try data.write(to: folder["document"])
            #expect(throws: InitializerFailure(number: -1)) {
                try ArchiveDocument<[Whole]>(contentsOf: folder["document"])
            }
        }
        #expect(LifeToken<Suite>.count == count)
    }

    @Test func `in a task releases all of its instances`() async throws {
        let ring = (0..<3).map { Linked($0) }
        for index in ring.indices { ring[index].next = ring[(index + 1) % ring.count] }
        let data = try ArchiveEncoder().encode([ring[0], Linked(-1)])
        for link in ring { link.clear() }
        let count = LifeToken<Suite>.count
        await #expect(throws: InitializerFailure(number: -1)) {
            _ = try await ArchiveDecoder().decode([Linked].self, from: data, progress: nil).count
        }
        #expect(LifeToken<Suite>.count == count)
    }

    // MARK: Instances that are released before the decoding ends

    private final class Node: Codable {
        var id: Number
        weak var up: Node?
        @Reference var next: Node?
        @Deferred var notes: [Int]

        init(_ id: Int) {
            self.id = Number(id)
            notes = [id]
        }
    }

    @Test func `in a part that only weak references need leaves nothing of it to later parts`() async {
        await #expect(processExitsWith: .success) {
            #if canImport(Glibc)
                // Released memory does not look like the instance that was there.
                _ = setAllocationOption(perturbation, 50)
            #endif
            let nodes = [0, 1, 2, -1].map { Node($0) }
            nodes[0].up = nodes[1]
            nodes[1].up = nodes[2]
            nodes[2].next = nodes[3]
            let data = try ArchiveEncoder().encode(nodes[0])
            for _ in 0..<1000 {
                let node = try ArchiveDecoder().decode(Node.self, from: data)
                #expect(node.up == nil)
                #expect(try node.$notes.load() == ())
                #expect(node.notes == [0])
            }
        }
    }
}
