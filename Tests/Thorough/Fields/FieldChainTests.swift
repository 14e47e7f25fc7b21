// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Graphs that are deep, with and without cycles. Each runs in a process of its own: where the stack overflows, only that
/// process ends.
@Suite(.inTurn) struct `A deep graph of instances with declared fields` {
    fileprivate static let smallStack = 512 << 10

    final class Link: ArchivedFields {
        var number = 0
        var next: Link?
        weak var previous: Link?
        var others: [Link] = []
        var byName: [String: Link] = [:]
        var part = Part()

        init() {}

        static let fields = FieldList<Link> {
            Field("number", \.number)
            Field("next", \.next)
            Field("previous", \.previous, .conditional)
            Field("others", \.others)
            Field("byName", \.byName)
            Field("part", \.part)
        }

        func clear() { (next, others, byName, part) = (nil, [], [:], Part()) }
    }

    struct Part: ArchivedFields {
        var link: Link?
        init() {}
        static let fields = FieldList<Part> { Field("link", \.link) }
    }

    /// A way from one link to the next.
    enum Way: CaseIterable, Codable {
        case next, others, byName, part

        func connect(_ link: Link, to other: Link) {
            switch self {
            case .next: link.next = other
            case .others: link.others = [other]
            case .byName: link.byName = ["next": other]
            case .part: link.part.link = other
            }
        }

        func follow(_ link: Link) -> Link? {
            switch self {
            case .next: link.next
            case .others: link.others.first
            case .byName: link.byName["next"]
            case .part: link.part.link
            }
        }
    }

    /// Takes `count` links through an archive, both on a small stack.
    ///
    /// - Parameter isRing: Whether the last one refers to the first one.
    private static func roundTrip(_ count: Int, _ way: Way, isRing: Bool) throws {
        let links = (0..<count).map { _ in Link() }
        for index in 0..<count {
            links[index].number = index
            guard isRing || index + 1 < count else { break }
            way.connect(links[index], to: links[(index + 1) % count])
            links[(index + 1) % count].previous = links[index]
        }
        nonisolated(unsafe) let first = links[0]
        let data = try onThread(stackSize: Self.smallStack) { try ArchiveEncoder().encode(first) }
        for link in links { link.clear() }
        try onThread(stackSize: Self.smallStack) {
            let copy = try ArchiveDecoder().decode(Link.self, from: data)
            var copies = [copy]
            copies.reserveCapacity(count)
            while let next = way.follow(copies[copies.count - 1]), next !== copy {
                copies.append(next)
                if copies.count > count { break }
            }
            #expect(copies.count == count)
            #expect(copies.enumerated().allSatisfy { $0.element.number == $0.offset })
            #expect(copies.indices.dropFirst().allSatisfy { copies[$0].previous === copies[$0 - 1] })
            #expect(copy.previous === (isRing ? copies[count - 1] : nil))
            #expect((way.follow(copies[count - 1]) === copy) == isRing)
            for link in copies { link.clear() }
        }
    }

    @Test func `of 200 000 instances in a row comes back on a small stack`() async {
        await #expect(processExitsWith: .success) { try Self.roundTrip(200_000, .next, isRing: false) }
    }

    @Test func `of 200 000 instances in a ring comes back on a small stack`() async {
        await #expect(processExitsWith: .success) { try Self.roundTrip(200_000, .next, isRing: true) }
    }

    @Test func `in a row or a ring comes back on a small stack, by each way`() async {
        await #expect(processExitsWith: .success) {
            for way in Way.allCases {
                for isRing in [false, true] { try Self.roundTrip(20_000, way, isRing: isRing) }
            }
        }
    }

    @Test func `that fails at its end releases all instances on a small stack`() async {
        await #expect(processExitsWith: .success) {
            let count = 100_000
            let links = (0..<count).map { _ in Link() }
            for index in 0..<count { links[index].next = links[(index + 1) % count] }
            var list = try PropertyList(ArchiveEncoder().encode(links[0]))
            for link in links { link.clear() }
            guard case .dictionary(var root) = list, case .array(var objects)? = root["$objects"],
                let last = objects.lastIndex(where: { $0["number"] != nil }),
                case .dictionary(var object) = objects[last]
            else { throw CocoaError(.coderReadCorrupt) }
            object["part"] = "no part"
            objects[last] = .dictionary(object)
            root["$objects"] = .array(objects)
            list = .dictionary(root)
            let data = try list.data(format: .binary)
            try onThread(stackSize: Self.smallStack) {
                let error = try failure(decoding: Link.self, from: data)
                #expect(error.kind == .typeMismatch && error.path.hasSuffix("next.part"), "\(error.path.suffix(100))")
            }
        }
    }

    @Test func `within a Codable class, or with one in it, comes back on a small stack`() async {
        await #expect(processExitsWith: .success) {
            final class Holder: Codable {
                var links: [Link]
                var first: Link
                init(_ links: [Link]) { (self.links, first) = (links, links[0]) }
            }
            let count = 100_000
            let links = (0..<count).map { _ in Link() }
            for index in 0..<count { links[index].next = links[(index + 1) % count] }
            nonisolated(unsafe) let holder = Holder([links[7]])
            let data = try onThread(stackSize: Self.smallStack) { try ArchiveEncoder().encode(holder) }
            for link in links { link.clear() }
            try onThread(stackSize: Self.smallStack) {
                let copy = try ArchiveDecoder().decode(Holder.self, from: data)
                #expect(copy.first === copy.links[0])
                var link = copy.first
                for _ in 0..<count { link = try #require(link.next) }
                #expect(link === copy.first)
                for _ in 0..<count {
                    let next = link.next
                    link.clear()
                    link = next ?? link
                }
            }
        }
    }
}

// MARK: - Codable parts

/// An instance with a part whose initializer reads another instance.
private final class Owner: ArchivedFields {
    var part: Selection?
    var items: [Owner] = []
    weak var parent: Owner?
    var number = 0

    init() {}

    convenience init(_ number: Int) {
        self.init()
        self.number = number
    }

    static let fields = FieldList<Owner> {
        Field("part", \.part)
        Field("items", \.items)
        Field("parent", \.parent, .conditional)
        Field("number", \.number)
    }
}

private struct Selection: Codable {
    let owner: Owner
    let number: Int

    init(_ owner: Owner) { (self.owner, number) = (owner, 0) }

    private enum CodingKeys: CodingKey { case owner }

    init(from decoder: any Decoder) throws {
        owner = try decoder.container(keyedBy: CodingKeys.self).decode(Owner.self, forKey: .owner)
        number = owner.number
    }
}

extension `A deep graph of instances with declared fields` {
    @Test func `with a Codable part in each of 5000 instances comes back on a small stack`() async {
        await #expect(processExitsWith: .success) {
            let root = Owner(0)
            for number in 1...5000 {
                let (owner, item) = (Owner(-number), Owner(number))
                (owner.items, owner.part, item.parent) = ([item], Selection(item), owner)
                root.items.append(owner)
            }
            let data = try ArchiveEncoder().encode(root)
            try onThread(stackSize: Self.smallStack) {
                let copy = try ArchiveDecoder().decode(Owner.self, from: data)
                #expect(copy.items.map { $0.part?.number } == Array(1...5000))
                #expect(copy.items.allSatisfy { $0.part?.owner === $0.items[0] && $0.items[0].parent === $0 })
            }
        }
    }

    @Test func `whose Codable parts all reach each other comes back on a small stack`() async {
        await #expect(processExitsWith: .success) {
            for count in [10, 5000] {
                let owners = (1...count).map { Owner($0) }
                for (index, owner) in owners.enumerated() { owner.part = Selection(owners[(index + 1) % count]) }
                defer { for owner in owners { owner.part = nil } }
                let data = try ArchiveEncoder().encode(owners[0])
                try onThread(stackSize: Self.smallStack) {
                    var copy = try ArchiveDecoder().decode(Owner.self, from: data)
                    for number in 1...count {
                        let part = try #require(copy.part)
                        #expect(copy.number == number && part.owner.number == number % count + 1)
                        copy.part = nil
                        copy = part.owner
                    }
                }
            }
        }
    }
}
