// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Classes whose initializers do not store a value in the property that has the name of its key.
@Suite(.inTurn) struct `A property that waits is proven by encoding its instance again` {
    /// A page whose keys and properties are crossed.
    protocol Page: AnyObject {
        var number: Int { get }
        var before: Self? { get set }
        var after: Self? { get set }
        init(_ number: Int)
    }

    final class CrossedPage: Codable, Page {
        let number: Int
        var before: CrossedPage?
        var after: CrossedPage?
        nonisolated(unsafe) static var decodedCount = 0

        private enum CodingKeys: CodingKey { case number, before, after }
        init(_ number: Int) { self.number = number }
        init(from decoder: any Decoder) throws {
            Self.decodedCount += 1
            let container = try decoder.container(keyedBy: CodingKeys.self)
            number = try container.decode(Int.self, forKey: .number)
            after = try container.decodeIfPresent(CrossedPage.self, forKey: .before)
            before = try container.decodeIfPresent(CrossedPage.self, forKey: .after)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(number, forKey: .number)
            try container.encodeIfPresent(after, forKey: .before)
            try container.encodeIfPresent(before, forKey: .after)
        }
    }

    final class CodingPage: Coding, Page {
        let number: Int
        var before: CodingPage?
        var after: CodingPage?

        init(_ number: Int) { self.number = number }
        init(coder: KeyedUnarchiver) throws {
            number = try coder.decodeInteger(forKey: "number")
            after = try coder.decodeIfPresent(CodingPage.self, forKey: "before")
            before = try coder.decodeIfPresent(CodingPage.self, forKey: "after")
        }
        func encode(with coder: KeyedArchiver) throws {
            coder.encode(number, forKey: "number")
            try coder.encode(after, forKey: "before")
            try coder.encode(before, forKey: "after")
        }
    }

    /// Stores two keys in one property or the other, as a flag in the file says.
    final class FlaggedPage: Codable, Page {
        let number: Int
        var before: FlaggedPage?
        var after: FlaggedPage?

        private enum CodingKeys: CodingKey { case number, isCrossed, first, second }
        init(_ number: Int) { self.number = number }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            number = try container.decode(Int.self, forKey: .number)
            let first = try container.decodeIfPresent(FlaggedPage.self, forKey: .first)
            let second = try container.decodeIfPresent(FlaggedPage.self, forKey: .second)
            (before, after) =
                try container.decode(Bool.self, forKey: .isCrossed) ? (second, first) : (first, second)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(number, forKey: .number)
            let isCrossed = number % 2 == 1
            try container.encode(isCrossed, forKey: .isCrossed)
            try container.encodeIfPresent(isCrossed ? after : before, forKey: .first)
            try container.encodeIfPresent(isCrossed ? before : after, forKey: .second)
        }
    }

    /// A graph of up to four pages with random references, as the numbers of the pages before and after each.
    private func links(seed: UInt64) -> [(before: Int?, after: Int?)] {
        var generator = SeededGenerator(state: seed)
        let count = Int.random(in: 1...4, using: &generator)
        return (0..<count).map { _ in
            func target() -> Int? {
                Int.random(in: 0..<4, using: &generator) == 0 ? nil : Int.random(in: 0..<count, using: &generator)
            }
            return (target(), target())
        }
    }

    private func pages<P: Page>(_ type: P.Type, _ links: [(before: Int?, after: Int?)]) -> [P] {
        let pages = links.indices.map { P($0) }
        for (page, link) in zip(pages, links) {
            page.before = link.before.map { pages[$0] }
            page.after = link.after.map { pages[$0] }
        }
        return pages
    }

    /// The references that can be reached from `root`, by the numbers of the pages, and whether each page is one instance.
    private func shape<P: Page>(_ root: P) -> (links: [Int: [Int?]], pages: [P]) {
        var found: [P] = []
        var links: [Int: [Int?]] = [:]
        var remaining = [root]
        while let page = remaining.popLast() {
            if found.contains(where: { $0 === page }) { continue }
            found.append(page)
            links[page.number] = [page.before?.number, page.after?.number]
            remaining += [page.before, page.after].compactMap { $0 }
        }
        return (links, found)
    }

    private func checkRandomGraphs<P: Page>(_ type: P.Type, copy: (P) throws -> P) throws {
        for seed in 0..<3_000 {
            let originals = pages(type, links(seed: UInt64(seed)))
            let expected = shape(originals[0])
            let found = shape(try copy(originals[0]))
            #expect(found.links == expected.links, "seed \(seed)")
            #expect(found.pages.count == expected.pages.count, "seed \(seed)")
            for page in originals + found.pages { (page.before, page.after) = (nil, nil) }
        }
    }

    @Test func `in random graphs of a class that crosses its keys`() throws {
        try checkRandomGraphs(CrossedPage.self) { try roundTrip($0) }
    }

    @Test func `in random graphs of a class that crosses its keys by a flag`() throws {
        try checkRandomGraphs(FlaggedPage.self) { try roundTrip($0) }
    }

    @Test func `in random graphs of a class with init(coder:) that crosses its keys`() throws {
        try checkRandomGraphs(CodingPage.self) {
            try KeyedUnarchiver.unarchivedObject(
                of: CodingPage.self, from: KeyedArchiver.archivedData(withRootObject: $0))
        }
    }

    @Test func `which calls init(from:) once for each instance`() throws {
        let originals = pages(CrossedPage.self, [(1, 2), (2, 0), (0, 1)])
        defer { for page in originals { (page.before, page.after) = (nil, nil) } }
        CrossedPage.decodedCount = 0
        let copy = try roundTrip(originals[0])
        #expect(CrossedPage.decodedCount == 3)
        for page in shape(copy).pages { (page.before, page.after) = (nil, nil) }
    }

    @Test func `after a ring of two as after a ring of three`() throws {
        for links in [[(1, 1), (0, 0)], [(2, 1), (0, 2), (1, 0)], [(1, 1), (0, 0)]] as [[(before: Int?, after: Int?)]] {
            let originals = pages(CrossedPage.self, links)
            let copy = try roundTrip(originals[0])
            #expect(shape(copy).links == shape(originals[0]).links)
            for page in originals + shape(copy).pages { (page.before, page.after) = (nil, nil) }
        }
    }

    // MARK: Values that belong in no property

    struct Family {
        var mother: Person?
    }

    /// Keeps what it decodes in a struct, beside a property of the same type and name.
    final class Person: Codable {
        var family = Family()
        var mother: Person?
        var children: [Person] = []

        private enum CodingKeys: CodingKey { case mother, children }
        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            family.mother = try container.decodeIfPresent(Person.self, forKey: .mother)
            children = try container.decode([Person].self, forKey: .children)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(family.mother, forKey: .mother)
            try container.encode(children, forKey: .children)
        }
    }

    @Test func `and is an error if the value belongs in a struct`() throws {
        let (mother, child) = (Person(), Person())
        mother.children = [child]
        child.family.mother = mother
        defer { child.family.mother = nil }
        let error = try failure(decoding: Person.self, fromArchiveOf: mother)
        #expect(error.kind == .dataCorrupted)
        #expect(error.says("cycle", "children[0].mother", "@Reference"), "\(error)")
    }

    /// Refers to its mother through another object, which has the reference already.
    final class Household: Codable {
        var mother: Member?
    }

    final class Member: Codable {
        var household = Household()
        /// Not archived.
        var guest: Member?
        var children: [Member] = []

        private enum CodingKeys: CodingKey { case household, mother, children }
        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            household = try container.decode(Household.self, forKey: .household)
            // The household has it, or gets it later.
            if let mother = try container.decodeIfPresent(Member.self, forKey: .mother) { household.mother = mother }
            children = try container.decode([Member].self, forKey: .children)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(household, forKey: .household)
            try container.encodeIfPresent(household.mother, forKey: .mother)
            try container.encode(children, forKey: .children)
        }
    }

    @Test func `and stays empty if the instance encodes the value without it`() throws {
        let (mother, child) = (Member(), Member())
        mother.children = [child]
        child.household.mother = mother
        defer { child.household.mother = nil }
        let copy = try roundTrip(mother)
        #expect(copy.children[0].household.mother === copy)
        #expect(copy.children[0].guest == nil)
        copy.children[0].household.mother = nil
    }

    // MARK: Several properties

    /// Encodes one of two properties under one key.
    final class Either: Codable {
        var left: Either?
        var right: Either?

        private enum CodingKeys: CodingKey { case one }
        init() {}
        init(from decoder: any Decoder) throws {
            right = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Either.self, forKey: .one)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(left ?? right, forKey: .one)
        }
    }

    @Test func `and is an error if several properties are encoded under the key`() throws {
        let value = Either()
        value.right = value
        defer { value.right = nil }
        let error = try failure(decoding: Either.self, fromArchiveOf: value)
        #expect(error.says("cycle", "\"left\", \"right\"", "\"one\"", "@Reference"), "\(error)")
    }

    /// Reads the keys of its first version into the other properties.
    final class Versioned: Codable {
        var left: Versioned?
        var right: Versioned?
        var version = 1

        private enum CodingKeys: CodingKey { case version, left, right }
        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let left = try container.decodeIfPresent(Versioned.self, forKey: .left)
            let right = try container.decodeIfPresent(Versioned.self, forKey: .right)
            version = try container.decodeIfPresent(Int.self, forKey: .version) ?? 0
            (self.left, self.right) = version == 1 ? (left, right) : (right, left)
            version = 1
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            if version != 0 { try container.encode(version, forKey: .version) }
            try container.encodeIfPresent(left, forKey: .left)
            try container.encodeIfPresent(right, forKey: .right)
        }
    }

    @Test(arguments: [0, 2])
    func `and is an error if an older version may have had it elsewhere`(version: Int) throws {
        let value = Versioned()
        value.left = value
        value.version = version
        defer { value.left = nil }
        let error = try failure(decoding: Versioned.self, fromArchiveOf: value)
        #expect(error.says("cycle", "\"left\"", "@Reference"), "\(error)")
    }

    @Test func `in the archive of the current version`() throws {
        let value = Versioned()
        value.left = value
        let copy = try roundTrip(value)
        #expect(copy.left === copy && copy.right == nil)
        (value.left, copy.left) = (nil, nil)
    }

    /// Has a property more than the archive.
    final class Extended: Codable {
        var parent: Extended?
        var children: [Extended] = []
        var rating: Int

        private enum CodingKeys: CodingKey { case parent, children, rating }
        init(rating: Int) { self.rating = rating }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            parent = try container.decodeIfPresent(Extended.self, forKey: .parent)
            children = try container.decode([Extended].self, forKey: .children)
            rating = try container.decodeIfPresent(Int.self, forKey: .rating) ?? 3
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(parent, forKey: .parent)
            try container.encode(children, forKey: .children)
            if rating > 0 { try container.encode(rating, forKey: .rating) }
        }
    }

    @Test func `also if a new version of the class encodes more, and has one property of the type`() throws {
        let (root, child) = (Extended(rating: 0), Extended(rating: 0))
        root.children = [child]
        child.parent = root
        let copy = try roundTrip(root)
        #expect(copy.children[0].parent === copy && copy.children[0].rating == 3)
        (child.parent, copy.children[0].parent) = (nil, nil)
    }

    // MARK: Classes that cannot be encoded again

    /// An archive of `Node` with the name of this class has its objects.
    final class DecodableNode: Decodable {
        var next: DecodableNode?
    }

    final class Node: Codable {
        var next: Node?
    }

    @Test func `and is an error if its class is not Encodable`() throws {
        let node = Node()
        node.next = node
        defer { node.next = nil }
        var decoder = ArchiveDecoder()
        decoder.classes.register(DecodableNode.self, name: "Node")
        var encoder = ArchiveEncoder()
        encoder.classes.register(Node.self, name: "Node")
        let data = try encoder.encode(node)
        let error = try #require(throws: DecodingError.self) { try decoder.decode(DecodableNode.self, from: data) }
        #expect("\(error)".contains("DecodableNode cannot be encoded again"), "\(error)")
        #expect("\(error)".contains("@Reference"))
    }

    /// Cannot be encoded without its owner.
    final class Owned: Codable {
        struct Missing: Error {}
        var owner: Owned?

        private enum CodingKeys: CodingKey { case owner }
        init() {}
        init(from decoder: any Decoder) throws {
            owner = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Owned.self, forKey: .owner)
        }
        func encode(to encoder: any Encoder) throws {
            guard let owner else { throw Missing() }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(owner, forKey: .owner)
        }
    }

    @Test func `and is an error if its class throws without it`() throws {
        let owned = Owned()
        owned.owner = owned
        defer { owned.owner = nil }
        let error = try failure(decoding: Owned.self, fromArchiveOf: owned)
        #expect(error.says("cycle", "Owned cannot be encoded again", "Missing", "@Reference"), "\(error)")
    }
}
