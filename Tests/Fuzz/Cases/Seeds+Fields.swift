// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Declared fields

extension Seeds {
    static func fields() throws -> [Seed] {
        let sailors = crew()
        let failing = crew()
        failing[1].number = -1
        let mixed = mixedCrew()
        var voyage = Voyage()
        (voyage.captain, voyage.crew) = (sailors[0], sailors)
        (voyage.ports, voyage.visited, voyage.byName) = ([port(1), port(2)], [port(3), port(4)], ["a": port(5)])
        voyage.kit.owner = sailors[1]
        var tags = Voyage()
        (tags.captain, tags.tags) = (sailor("alone"), tagged().tags)
        return [
            Seed("fields-ring", .fields, try archive(ring(of: 3))),
            Seed("fields-ring-xml", .fields, try archive(ring(of: 3), .xml)),
            Seed("fields-own-names", .fields, try archive(ring(of: 2), names: ClassRegistry())),
            Seed("fields-sailor", .fields, try archive(sailors[0])),
            Seed("fields-crew", .fields, try archive(sailors)),
            Seed("fields-crew-renamed", .fields, try archive(sailors[0], names: Registries.renamed)),
            Seed("fields-failing", .fields, try archive(failing[0])),
            Seed("fields-tags", .fields, try archive(tagged())),
            Seed("fields-set", .fields, try archive(tagged().tags)),
            Seed("fields-mixed", .fields, try archive(mixed)),
            Seed("fields-trunk", .fields, try archive(mixed.trunk)),
            Seed("fields-kit", .fields, try archive(Kit(owner: sailors[1], port: port(2), users: sailors))),
            Seed("fields-voyage", .fields, try archive(voyage)),
            Seed("fields-voyage-tags", .fields, try archive(tags)),
            Seed("fields-attempts", .fields, try archive(Attempts(voyage, tags.tags))),
            Seed("fields-ports", .fields, try archive([port(1), port(1), port(2)])),
            Seed("fields-wide", .fields, try archive(wide())),
            Seed("fields-cargo", .fields, try archive(cargo())),
            Seed(
                "fields-locker", .fields,
                try archive { archiver in
                    try archiver.encode(mixed.locker, forKey: "root")
                    try archiver.encode(mixed, forKey: "sailor")
                }),
        ]
    }

    private static func sailor(_ name: String, _ number: Int = 3) -> Sailor {
        let sailor = Sailor()
        (sailor.name, sailor.number) = (name, number)
        return sailor
    }

    private static func port(_ number: Int) -> Port {
        var port = Port()
        (port.number, port.grade) = (number, .high)
        port.depth = number > 2 ? Double(number) : nil
        return port
    }

    /// A ring of sailors by plain properties.
    private static func ring(of count: Int) -> Sailor {
        let sailors = (0..<count).map { sailor("sailor \($0)", $0) }
        for (index, sailor) in sailors.enumerated() {
            sailor.mate = sailors[(index + 1) % count]
            sailor.boss = sailors[0]
        }
        return sailors[0]
    }

    /// Sailors that refer to each other by fields of most kinds.
    private static func crew() -> [Sailor] {
        let captain = Captain()
        (captain.name, captain.rank) = ("captain", 4)
        let (first, second) = (sailor("first", 1), sailor("second"))
        (captain.second, captain.crew, captain.mate) = (first, [first, second, captain], second)
        (first.boss, first.friend, first.nickname, first.age) = (captain, second, "nick", 40)
        (second.boss, second.guests, second.byName) = (captain, [nil, first], ["c": captain, "f": first])
        (second.visited, second.shelter, second.grades) = ([port(1), port(2)], port(3), [.low, .high])
        (second.far, second.note) = (captain, Data([1, 2, 3]))
        return [captain, first, second]
    }

    /// A sailor with elements whose hashes need fields of other instances, in a cycle.
    private static func tagged() -> Sailor {
        let sailor = sailor("tagged")
        let tags = (1...3).map { number in
            let tag = Tag()
            (tag.number, tag.owner) = (number, sailor)
            return tag
        }
        (tags[0].next, tags[1].next, tags[2].next) = (tags[1], tags[2], tags[0])
        (sailor.tags, sailor.counts) = (Set(tags), [tags[0]: 1, tags[2]: 2])
        return sailor
    }

    /// A sailor with instances of other forms that refer back.
    private static func mixedCrew() -> Sailor {
        let sailor = sailor("mixed")
        let other = self.sailor("other")
        sailor.trunk = Trunk(other)
        sailor.trunk?.inner = Trunk(sailor)
        sailor.kit = Kit(owner: other, port: port(1), users: [other, sailor])
        let (first, second) = (Locker(1), Locker(2))
        (first.owner, first.next, second.owner) = (other, second, sailor)
        sailor.locker = first
        (other.mate, other.locker) = (sailor, second)
        return sailor
    }

    private static func wide() -> Wide {
        let wide = Wide()
        for index in stride(from: 0, to: Wide.count, by: 5) { wide[index] = index }
        wide.next = Wide()
        wide.next?.next = wide
        wide.tags = tagged().tags
        return wide
    }

    private static func cargo() -> Cargo {
        let cargo = Cargo()
        (cargo.name, cargo.goods, cargo.first) = ("cargo", crew(), ring(of: 2))
        cargo.next = Cargo()
        cargo.next?.next = cargo
        return cargo
    }
}
