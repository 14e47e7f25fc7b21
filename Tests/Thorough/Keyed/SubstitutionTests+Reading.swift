// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Awakes as something else.
private class Sleeper: Player {
    static let key = CodingUserInfoKey.named("sleepers")

    /// Which kinds of instances take its place, by its name.
    override func awakeAfter(using coder: KeyedUnarchiver) throws -> any Coding {
        _ = try super.awakeAfter(using: coder)
        let kinds = coder.userInfo[Self.key] as? [String: String] ?? [:]
        switch kinds[name] {
        case "twin": return Twin("\(name)'")
        case "publisher": return Publisher("\(name)'", referring: true)
        case "player": return Player("\(name)'")
        case "stranger": return CodedItem("\(name)'", 0)
        default: return self
        }
    }
}

/// The replacement of a sleeper, wherever it is requested.
private final class Twin: Sleeper {}

/// Publishes itself before it decodes its friend.
private final class Publisher: Sleeper {
    private(set) var friend: Sleeper?
    /// Whether the friend only refers to it.
    let referring: Bool

    init(_ name: String, referring: Bool) {
        self.referring = referring
        super.init(name)
        friend = Friend("\(name)'s friend", of: self, referring: referring)
    }

    required init(coder: KeyedUnarchiver) throws {
        referring = try coder.decodeBool(forKey: "referring")
        try super.init(coder: coder)
        if !referring { coder.publish(self) }
        friend = try coder.decodeIfPresent(Sleeper.self, forKey: "friend")
    }

    override func encode(with coder: KeyedArchiver) throws {
        try super.encode(with: coder)
        coder.encode(referring, forKey: "referring")
        try coder.encode(friend, forKey: "friend")
    }
}

private final class Friend: Sleeper {
    @Reference var publisher: Sleeper?
    private(set) weak var plain: Sleeper?
    let referring: Bool

    init(_ name: String, of publisher: Publisher, referring: Bool) {
        self.referring = referring
        plain = publisher
        super.init(name)
    }

    required init(coder: KeyedUnarchiver) throws {
        referring = try coder.decodeBool(forKey: "referring")
        if referring {
            _publisher = try coder.decode(Reference<Sleeper>.self, forKey: "publisher")
        } else {
            plain = try coder.decode(Sleeper.self, forKey: "publisher")
        }
        try super.init(coder: coder)
    }

    override func encode(with coder: KeyedArchiver) throws {
        try super.encode(with: coder)
        coder.encode(referring, forKey: "referring")
        try coder.encode(plain, forKey: "publisher")
    }
}

@Suite(.inTurn) struct `An unarchiver that replaces` {
    private func unarchiver(
        _ data: Data, _ kinds: [String: String] = [:], _ delegate: CodingRecorder? = nil,
        requiringSecureCoding: Bool = true
    ) throws -> KeyedUnarchiver {
        let unarchiver = try keyedUnarchiver(
            data, requiringSecureCoding: requiringSecureCoding,
            registering: [Player.self, Sleeper.self, Publisher.self, Friend.self, CodedItem.self])
        unarchiver.userInfo[Sleeper.key] = kinds
        unarchiver.delegate = delegate
        return unarchiver
    }

    // MARK: - By the instance

    @Test func `asks each instance once what takes its place`() throws {
        let (player, sleeper) = (Player("p"), Sleeper("s"))
        player.team = [sleeper, sleeper, Player("q")]
        player.rival = sleeper
        let unarchiver = try unarchiver(KeyedArchiver.archivedData(withRootObject: player))
        let copy = try unarchiver.decode(Player.self, forKey: "root")
        #expect(try unarchiver.decode(Player.self, forKey: "root") === copy)
        #expect(copy.awakeCalls == 1 && copy.team.map(\.awakeCalls) == [1, 1, 1])
    }

    @Test func `has what takes an instance's place wherever that is referred to`() throws {
        struct Box: Codable {
            @Coded var sleeper: Sleeper
            @Coded var players: [Player]
        }
        let (player, sleeper) = (Player("p"), Sleeper("s"))
        player.team = [sleeper, sleeper]
        player.rival = sleeper
        let data = try keyedArchive {
            try $0.encode(player, forKey: "player")
            try $0.encode(sleeper, forKey: "sleeper")
            try $0.encode(Box(sleeper: sleeper, players: [sleeper]), forKey: "box")
        }
        let unarchiver = try unarchiver(data, ["s": "twin"])
        let copy = try unarchiver.decode(Player.self, forKey: "player")
        let twin = try #require(copy.rival)
        #expect(twin is Twin && twin.name == "s'" && copy.team.allSatisfy { $0 === twin })
        #expect(try unarchiver.decode(Sleeper.self, forKey: "sleeper") === twin)
        #expect(try unarchiver.decode(Reference<Sleeper>.self, forKey: "sleeper").wrappedValue === twin)
        #expect(try unarchiver.decode(WeakReference<Player>.self, forKey: "sleeper").wrappedValue === twin)
        #expect(try unarchiver.decodeObject(of: [Player.self], forKey: "sleeper") as? Player === twin)
        let box = try unarchiver.decode(Box.self, forKey: "box")
        #expect(box.sleeper === twin && box.players[0] === twin)
    }

    @Test func `passes on an error of the instance, and asks it again`() throws {
        struct Refusal: Error {}
        final class Refusing: Coding {
            init() {}
            init(coder: KeyedUnarchiver) throws {}
            func encode(with coder: KeyedArchiver) throws {}
            func awakeAfter(using coder: KeyedUnarchiver) throws -> any Coding { throw Refusal() }
        }
        let unarchiver = try keyedUnarchiver(KeyedArchiver.archivedData(withRootObject: Refusing()))
        for _ in 0..<2 {
            #expect(throws: Refusal.self) { try unarchiver.decode(Refusing.self, forKey: "root") }
        }
    }

    // MARK: - When others have it, or wait for it

    @Test(arguments: ["twin", "player", "stranger"])
    func `fails where an instance is replaced that others were given`(kind: String) throws {
        let publisher = Publisher("p", referring: false)
        let holder = Player("h")
        holder.team = [publisher]
        let data = try KeyedArchiver.archivedData(withRootObject: holder)
        #expect(try unarchiver(data).decode(Player.self, forKey: "root").team[0] is Publisher)
        let unarchiver = try unarchiver(data, ["p": kind])
        let error = try archivingError { try unarchiver.decode(Player.self, forKey: "root") }
        #expect(error.code == .replaced && error.codingPath.text == "root.team[0]")
        #expect(error.debugDescription.contains("Publisher"))
        // The whole decoding fails with it.
        #expect(try archivingError { try unarchiver.decode(Player.self, forKey: "root") }.code == .replaced)
    }

    @Test func `gives references that wait what takes the place`() throws {
        let publisher = Publisher("p", referring: true)
        let data = try keyedArchive {
            try $0.encode(publisher, forKey: "publisher")
            try $0.encode(publisher.friend, forKey: "friend")
        }
        for (kinds, name) in [([:], "p"), (["p": "publisher"], "p'")] as [([String: String], String)] {
            let unarchiver = try unarchiver(data, kinds)
            let copy = try unarchiver.decode(Publisher.self, forKey: "publisher")
            let friend = try unarchiver.decode(Friend.self, forKey: "friend")
            #expect(copy.name == name && friend.publisher === copy)
            friend.publisher = nil
        }
        // The reference would have a twin, which is a sleeper, but it waits for the publisher that the object is.
        let error = try archivingError {
            try unarchiver(data, ["p": "twin"]).decode(Sleeper.self, forKey: "publisher")
        }
        #expect(error.code == .replaced && error.codingPath.text == "publisher")
    }

    @Test func `gives references that wait an instance of the same class`() throws {
        final class Holder: Coding {
            @Reference var first: Sleeper?
            @Reference var second: Sleeper?
            @WeakReference var third: Sleeper?
            let sleeper: Sleeper?

            init(_ sleeper: Sleeper) { self.sleeper = sleeper }
            init(coder: KeyedUnarchiver) throws {
                _first = try coder.decode(Reference<Sleeper>.self, forKey: "sleeper")
                _second = try coder.decode(Reference<Sleeper>.self, forKey: "sleeper")
                _third = try coder.decode(WeakReference<Sleeper>.self, forKey: "sleeper")
                sleeper = nil
            }
            func encode(with coder: KeyedArchiver) throws { try coder.encode(sleeper, forKey: "sleeper") }
        }
        let data = try KeyedArchiver.archivedData(withRootObject: Holder(Sleeper("s")))
        let copy = try unarchiver(data, ["s": "twin"]).decode(Holder.self, forKey: "root")
        let twin = try #require(copy.first)
        #expect(twin is Twin && twin.name == "s'" && copy.second === twin && copy.third === twin)
        for kind in ["player", "stranger"] {
            let error = try archivingError {
                try unarchiver(data, ["s": kind]).decode(Holder.self, forKey: "root")
            }
            #expect(error.code == .replaced, "\(kind): \(error)")
        }
    }

    @Test func `gives collections that wait what takes the place`() throws {
        let keeper = Keeper()
        let guest = Guest(keeper, "g")
        keeper.guests = [guest]
        keeper.named = ["g": guest]
        let data = try keyedArchive {
            try $0.encode(guest, forKey: "guest")
            try $0.encode(keeper, forKey: "keeper")
        }
        let unarchiver = try keyedUnarchiver(data)
        let copy = try unarchiver.decode(Guest.self, forKey: "guest")
        let keeperAgain = try unarchiver.decode(Keeper.self, forKey: "keeper")
        #expect(copy.name == "g'" && copy.keeper === keeperAgain)
        #expect(keeperAgain.guests.first === copy && keeperAgain.named["g"] === copy)
    }

    @Test func `replaces an object that has no uid as well`() throws {
        let recorder = CodingRecorder()
        let sleeper: PropertyList = ["name": "s", "$class": .uid(1)]
        let entry: PropertyList = ["$classname": "Sleeper", "$classes": ["Sleeper", "NSObject"]]
        let data = try handmadeArchive(top: ["root": sleeper, "list": [sleeper, sleeper]], entry)
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        unarchiver.classes.register(Sleeper.self, name: "Sleeper")
        unarchiver.userInfo[Sleeper.key] = ["s": "twin"]
        unarchiver.delegate = recorder
        let twin = try unarchiver.decode(Sleeper.self, forKey: "root")
        #expect(twin is Twin && twin.name == "s'" && recorder.log == ["s > s'", "did s'"])
        // Nothing says that two of them are the same.
        let list = try unarchiver.decode([Player].self, forKey: "list")
        #expect(list.count == 2 && list[0] !== list[1] && list.allSatisfy { $0 is Twin })
        unarchiver.userInfo[Sleeper.key] = ["s": "stranger"]
        #expect(try archivingError { try unarchiver.decode(Sleeper.self, forKey: "root") }.code == .classNotAllowed)
    }

    // MARK: - By another class

    @Test func `has an instance of another class only if that is valid`() throws {
        let data = try keyedArchive {
            try $0.encode(Sleeper("s"), forKey: "s")
            try $0.encode([Sleeper("t")], forKey: "list")
        }
        let unarchiver = try unarchiver(data, ["s": "player", "t": "stranger"])
        let player = try unarchiver.decode(Player.self, forKey: "s")
        #expect(type(of: player) == Player.self && player.name == "s'")
        #expect(try unarchiver.decode(Player.self, forKey: "s") === player)
        for _ in 0..<2 {
            let error = try archivingError { try unarchiver.decode(Sleeper.self, forKey: "s") }
            #expect(error.code == .classNotAllowed && error.codingPath.text == "s")
            #expect(
                try archivingError { try unarchiver.decode(Reference<Sleeper>.self, forKey: "s") }.code
                    == .classNotAllowed)
            #expect(
                try archivingError { try unarchiver.decode(WeakReference<Sleeper>.self, forKey: "s") }.code
                    == .classNotAllowed)
            #expect(
                try archivingError { try unarchiver.decode([Player].self, forKey: "list") }.code == .classNotAllowed)
            #expect(
                try archivingError { try unarchiver.decode(Coded<Sleeper>.self, forKey: "s") }.code
                    == .classNotAllowed)
        }
    }

    @Test func `checks it against the list of a call`() throws {
        let data = try keyedArchive { try $0.encode(Sleeper("s"), forKey: "s") }
        let both = try unarchiver(data, ["s": "stranger"])
        #expect(try (both.decodeObject(of: [Sleeper.self, CodedItem.self], forKey: "s") as? CodedItem)?.name == "s'")
        // Also where it is there already.
        for unarchiver in [both, try unarchiver(data, ["s": "stranger"])] {
            let error = try archivingError { try unarchiver.decodeObject(of: [Sleeper.self], forKey: "s") }
            #expect(error.code == .classNotAllowed)
        }
    }

    @Test func `checks it for references of Codable types as well`() throws {
        struct Holder: Codable {
            @Reference var reference: Chameleon? = nil
            @WeakReference var weakly: Chameleon? = nil
        }
        let chameleon = Chameleon()
        let data = try keyedArchive {
            try $0.encode(chameleon, forKey: "c")
            try $0.encode(Holder(reference: chameleon), forKey: "h")
            try $0.encode(["weakly": Coded(wrappedValue: chameleon)], forKey: "w")
        }
        let unarchiver = try keyedUnarchiver(data)
        #expect(try archivingError { try unarchiver.decode(Chameleon.self, forKey: "c") }.code == .classNotAllowed)
        #expect(try archivingError { try unarchiver.decode(Holder.self, forKey: "h") }.code == .classNotAllowed)
        #expect(
            try archivingError {
                try unarchiver.decode([String: WeakReference<Chameleon>].self, forKey: "w")
            }.code == .classNotAllowed)
    }
}

/// Has properties that wait for a guest.
private final class Keeper: Codable {
    @Coded var guests: [Guest] = []
    @Coded var named: [String: Guest] = [:]
}

/// Is another one when it awakes.
private final class Guest: Coding {
    let name: String
    private(set) weak var keeper: Keeper?

    init(_ keeper: Keeper?, _ name: String) { (self.keeper, self.name) = (keeper, name) }

    init(coder: KeyedUnarchiver) throws {
        name = try coder.decode(String.self, forKey: "name")
        keeper = try coder.decode(Keeper.self, forKey: "keeper")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(name, forKey: "name")
        try coder.encode(keeper, forKey: "keeper")
    }

    func awakeAfter(using coder: KeyedUnarchiver) throws -> any Coding { Guest(keeper, "\(name)'") }
}

/// Awakes as an instance of a class that has nothing to do with it.
private final class Chameleon: Coding, Codable {
    init() {}
    init(coder: KeyedUnarchiver) throws {}
    func encode(with coder: KeyedArchiver) throws {}
    func awakeAfter(using coder: KeyedUnarchiver) throws -> any Coding { CodedItem("leaf", 1) }
}
