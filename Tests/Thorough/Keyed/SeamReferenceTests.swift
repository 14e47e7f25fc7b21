// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Both `Coding` and `Codable`, so that wrappers of either side can refer to it. It cannot be decoded if its number is negative.
private final class Target: Coding, Codable, Hashable {
    let number: Int
    @Reference var owner: Owner?

    init(_ number: Int, _ owner: Owner? = nil) {
        self.number = number
        self.owner = owner
    }

    init(coder: KeyedUnarchiver) throws {
        number = try coder.decode(Int.self, forKey: "number")
        _owner = try coder.decode(Reference<Owner>.self, forKey: "owner")
    }

    func encode(with coder: KeyedArchiver) throws {
        if number < 0 { coder.encode("negative", forKey: "number") } else { coder.encode(number, forKey: "number") }
        try coder.encode(owner, forKey: "owner")
    }

    static func == (left: Target, right: Target) -> Bool { left.number == right.number && left.owner == right.owner }
    func hash(into hasher: inout Hasher) {
        hasher.combine(number)
        hasher.combine(owner)
    }
}

/// It cannot be decoded where its name is empty.
private final class Owner: Codable, Hashable {
    let name: String

    init(_ name: String) { self.name = name }

    private enum CodingKeys: CodingKey { case name }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if name.isEmpty { try container.encode(0, forKey: .name) } else { try container.encode(name, forKey: .name) }
    }

    static func == (left: Owner, right: Owner) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

@Suite(.inTurn) struct `A reference between Coding and Codable` {
    // MARK: - Errors that come late

    private struct Referring: Codable {
        @Reference var target: Target? = nil
        @References var targets: [Target]

        init(_ target: Target?, _ targets: [Target] = []) {
            (_target, _targets) = (Reference(wrappedValue: target), References(wrappedValue: targets))
        }
    }

    /// What is wrong in an instance is found when everything else is decoded.
    @Test(arguments: [true, false])
    func `fails as its own side does, where a Coding instance is wrong`(isInList: Bool) throws {
        let wrong = Target(-1)
        let value = isInList ? Referring(nil, [Target(1), wrong]) : Referring(wrong)
        let data = try ArchiveEncoder().encode(value)
        let path = isInList ? "targets[1].number" : "target.number"
        let codable = try failure(decoding: Referring.self, from: data)
        #expect(codable.kind == .typeMismatch && codable.path == path, "\(codable)")
        let keyed = try archivingError { try KeyedUnarchiver.unarchivedObject(of: Referring.self, from: data) }
        #expect(keyed.code == .typeMismatch && keyed.codingPath.text == "root." + path, "\(keyed)")
    }

    @Test func `fails as its own side does, where a Codable instance is wrong`() throws {
        struct Holder: Codable {
            @Coded var target: Target
        }
        let target = Target(1, Owner(""))
        let data = try KeyedArchiver.archivedData(withRootObject: target)
        let keyed = try archivingError { try KeyedUnarchiver.unarchivedObject(of: Target.self, from: data) }
        #expect(keyed.code == .typeMismatch && keyed.codingPath.text == "root.owner.name", "\(keyed)")
        let box = try ArchiveEncoder().encode(Holder(target: target))
        let codable = try failure(decoding: Holder.self, from: box)
        #expect(codable.kind == .typeMismatch && codable.path == "target.owner.name", "\(codable)")
    }

    @Test func `refers to the one instance, whichever side requests it`() throws {
        struct Both: Codable {
            @Coded var first: Target
            var referring: Referring
            var owner: Owner
        }
        let target = Target(1, Owner("o"))
        let owner = try #require(target.owner)
        let referring = Referring(target, [target, Target(2, owner)])
        let copy = try roundTrip(Both(first: target, referring: referring, owner: owner))
        #expect(copy.referring.target === copy.first && copy.referring.targets[0] === copy.first)
        #expect(copy.first.owner === copy.owner && copy.referring.targets[1].owner === copy.owner)
    }

    @Test func `may close a cycle through a decoder`() throws {
        let ring = `A cycle of Coding instances`.Member.ring(2)
        defer { ring[0].next = nil }
        let copies = try roundTrip(Coded(wrappedValue: ring)).wrappedValue
        defer { copies[0].next = nil }
        #expect(copies.map(\.name) == ["0", "1"])
        #expect(copies[0].next === copies[1] && copies[1].next === copies[0])
        #expect(copies[0].previous === copies[1] && copies[1].previous === copies[0])
    }

    // MARK: - Sets

    private final class Basket: Coding {
        let typed: Set<Target>
        let codable: Set<Target>
        let listed: Set<AnyHashable>
        let coded: Inner

        struct Inner: Codable {
            @Coded var targets: Set<Target>
        }

        init(_ targets: Set<Target>) {
            (typed, codable, listed) = (targets, targets, Set(targets.map { AnyHashable($0) }))
            coded = Inner(targets: targets)
        }

        init(coder: KeyedUnarchiver) throws {
            typed = try coder.decode(Set<Target>.self, forKey: "typed")
            codable = try coder.decode(Coded<Set<Target>>.self, forKey: "codable").wrappedValue
            let types: [any Any.Type] = [Set<AnyHashable>.self, Target.self]
            listed = try coder.decodeObject(of: types, forKey: "listed") as? Set<AnyHashable> ?? []
            coded = try coder.decode(Inner.self, forKey: "coded")
        }

        func encode(with coder: KeyedArchiver) throws {
            try coder.encode(typed, forKey: "typed")
            try coder.encode(Coded(wrappedValue: codable), forKey: "codable")
            try coder.encodeObject(listed, forKey: "listed")
            try coder.encode(coded, forKey: "coded")
        }
    }

    /// Elements have to be what they will be before they are hashed.
    @Test func `is there before a set is made of what has it`() throws {
        let targets = Set((0..<20).map { Target($0 % 2, Owner("\($0)")) })
        #expect(targets.count == 20)
        let data = try keyedArchive {
            try $0.encode(Basket(targets), forKey: "basket")
            try $0.encode(targets, forKey: "top")
        }
        // Each of the sets may be the first to have them.
        for start in 0..<2 {
            let unarchiver = try keyedUnarchiver(data)
            let top = start == 0 ? try unarchiver.decode(Set<Target>.self, forKey: "top") : []
            let copy = try unarchiver.decode(Basket.self, forKey: "basket")
            #expect(copy.typed.count == 20 && copy.typed.allSatisfy { copy.typed.contains($0) }, "\(start)")
            #expect(copy.codable.count == 20 && copy.codable.allSatisfy { copy.codable.contains($0) }, "\(start)")
            #expect(copy.listed.count == 20 && copy.listed.allSatisfy { copy.listed.contains($0) }, "\(start)")
            let inner = copy.coded.targets
            #expect(inner.count == 20 && inner.allSatisfy { inner.contains($0) }, "\(start)")
            #expect(top.allSatisfy { top.contains($0) } && (copy.typed == top) == (start == 0))
        }
        for key in ["typed", "codable", "listed"] {
            let alone = try keyedUnarchiver(data)
            alone.userInfo[OneSet.key] = key
            alone.classes.register(OneSet.self, aliases: [try #require(alone.archivedClassName(forKey: "basket"))])
            let set = try alone.decode(OneSet.self, forKey: "basket").targets
            #expect(set.count == 20 && set.allSatisfy { set.contains($0) }, "\(key)")
        }
    }

    /// Decodes one set of a basket and nothing else.
    private final class OneSet: Coding {
        static let key = CodingUserInfoKey.named("set")
        let targets: Set<AnyHashable>

        init(coder: KeyedUnarchiver) throws {
            let key = coder.userInfo[Self.key] as? String ?? ""
            switch key {
            case "typed": targets = try coder.decode(Set<Target>.self, forKey: key)
            case "codable": targets = try coder.decode(Coded<Set<Target>>.self, forKey: key).wrappedValue
            default:
                let types: [any Any.Type] = [Set<AnyHashable>.self, Target.self]
                targets = try coder.decodeObject(of: types, forKey: key) as? Set<AnyHashable> ?? []
            }
        }

        func encode(with coder: KeyedArchiver) throws {}
    }
}

// MARK: - Replaced

private class Animal: Codable {
    let name: String
    init(_ name: String) { self.name = name }
    required init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: AnyKey.self).decode(String.self, forKey: "name")
    }
}

/// By key, and another animal when it awakes, or none at all.
private final class Tadpole: Animal, Coding {
    init(coder: KeyedUnarchiver) throws { super.init(try coder.decode(String.self, forKey: "name")) }
    override init(_ name: String) { super.init(name) }
    required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
    func encode(with coder: KeyedArchiver) throws { coder.encode(name, forKey: "name") }
    func awakeAfter(using coder: KeyedUnarchiver) throws -> any Coding {
        name == "stranger" ? CodedItem("stranger", 1) : Frog(name)
    }
}

private final class Frog: Animal, Coding {
    init(coder: KeyedUnarchiver) throws { super.init(try coder.decode(String.self, forKey: "name")) }
    override init(_ name: String) { super.init(name) }
    required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
    func encode(with coder: KeyedArchiver) throws { coder.encode(name, forKey: "name") }
}

@Suite(.inTurn) struct `A Codable superclass of a class that awakes as another` {
    private struct Pond: Codable {
        var first: Animal
        var list: [Animal]
        var optional: Animal?
        @WeakReference var weakly: Animal? = nil
    }

    @Test func `has what takes its place, at every access`() throws {
        let tadpole = Tadpole("t")
        let pond = Pond(first: tadpole, list: [tadpole], optional: tadpole, weakly: tadpole)
        var decoder = ArchiveDecoder()
        decoder.classes.register(Tadpole.self)
        let copy = try decoder.decode(Pond.self, from: ArchiveEncoder().encode(pond))
        #expect(copy.first is Frog && copy.first.name == "t")
        #expect(copy.list[0] === copy.first && copy.optional === copy.first && copy.weakly === copy.first)
    }

    @Test func `never has what is none of its own`() throws {
        struct Referring: Codable {
            @Reference var reference: Animal? = nil
            @References var list: [Animal]
            init(_ animal: Animal) {
                (_reference, _list) = (Reference(wrappedValue: animal), References(wrappedValue: [animal]))
            }
        }
        let tadpole = Tadpole("stranger")
        let data = try keyedArchive {
            try $0.encode(tadpole as Animal, forKey: "plain")
            try $0.encode(Referring(tadpole), forKey: "referring")
            try $0.encode([tadpole as Animal], forKey: "list")
        }
        for order in [["plain", "referring", "list"], ["list", "plain", "referring"], ["referring"], ["list"]] {
            let unarchiver = try keyedUnarchiver(data, registering: [Tadpole.self])
            for key in order {
                let error = try archivingError {
                    switch key {
                    case "plain": _ = try unarchiver.decode(Animal.self, forKey: key)
                    case "referring": _ = try unarchiver.decode(Referring.self, forKey: key)
                    default: _ = try unarchiver.decode([Animal].self, forKey: key)
                    }
                }
                #expect([.classNotAllowed, .replaced].contains(error.code), "\(order) \(key): \(error)")
            }
        }
    }
}
