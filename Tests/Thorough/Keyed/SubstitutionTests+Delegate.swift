// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Is made as what came after it.
private final class OldPlayer: Coding {
    static var unarchivedClass: any Coding.Type { Player.self }

    let name: String

    init(_ name: String) { self.name = name }
    init(coder: KeyedUnarchiver) throws { preconditionFailure("It is not made any more") }
    func encode(with coder: KeyedArchiver) throws { coder.encode(name, forKey: "name") }
}

private final class Captain: Player {}

/// What is always made as a captain.
private class Leader: Player {
    override class var unarchivedClass: any Coding.Type { Chief.self }
}

private final class Chief: Leader {}

@Suite(.inTurn) struct `An unarchiver with a delegate` {
    private func unarchiver(
        _ data: Data, _ recorder: CodingRecorder, _ types: any Any.Type...
    ) throws -> KeyedUnarchiver {
        let unarchiver = try keyedUnarchiver(data, registering: types)
        unarchiver.delegate = recorder
        return unarchiver
    }

    // MARK: - Callbacks

    @Test func `notifies it of each object once, when it is complete`() throws {
        struct Box: Codable {
            @Coded var players: [Player]
        }
        let (a, b, c, d) = (Player("a"), Player("b"), Player("c"), Player("d"))
        a.team = [b, c, b]
        b.team = [c]
        b.rival = Player("unseen")
        c.rival = d
        let data = try keyedArchive {
            try $0.encode(a, forKey: "a")
            try $0.encode(Box(players: [c, Player("e")]), forKey: "box")
            try $0.encode(d, forKey: "d")
            try $0.encode(Player?.none, forKey: "nil")
            $0.encode("text", forKey: "text")
        }
        let recorder = CodingRecorder()
        let unarchiver = try unarchiver(data, recorder)
        // Parts come before the whole: c is a part of b, and d of c.
        let log = ["did d", "did c", "did b", "did a"]
        let copy = try unarchiver.decode(Player.self, forKey: "a")
        #expect(recorder.log == log && copy.team.map(\.name) == ["b", "c", "b"])
        #expect(try unarchiver.decode(Player.self, forKey: "a") === copy)
        #expect(try unarchiver.decode(Player.self, forKey: "d") === copy.team[1].rival)
        #expect(try unarchiver.decodeIfPresent(Player.self, forKey: "nil") == nil)
        #expect(try unarchiver.decode(String.self, forKey: "text") == "text")
        #expect(recorder.log == log)
        #expect(try unarchiver.decode(Box.self, forKey: "box").players[0] === copy.team[1])
        #expect(recorder.log == log + ["did e"])
        unarchiver.finishDecoding()
        unarchiver.finishDecoding()
        #expect(recorder.log == log + ["did e", "will finish", "did finish"])
    }

    @Test func `notifies it of the targets of references when these are decoded`() throws {
        final class Referring: Coding {
            @Reference var strong: Player?
            @WeakReference var weakly: Player?
            init(_ player: Player) { strong = player }
            init(coder: KeyedUnarchiver) throws {
                _strong = try coder.decode(Reference<Player>.self, forKey: "player")
                _weakly = try coder.decode(WeakReference<Player>.self, forKey: "other")
            }
            func encode(with coder: KeyedArchiver) throws {
                try coder.encode(strong, forKey: "player")
                try coder.encode(Player("other"), forKey: "other")
            }
        }
        let recorder = CodingRecorder()
        let data = try KeyedArchiver.archivedData(withRootObject: Referring(Player("p")))
        let copy = try unarchiver(data, recorder).decode(Referring.self, forKey: "root")
        // The object that refers to it has another class, whose name the log does not know; the weak one is not requested.
        #expect(recorder.log == ["did ?", "did p"] && copy.strong?.name == "p" && copy.weakly == nil)
    }

    // MARK: - Replacing

    @Test func `has what the delegate names in the place of an instance`() throws {
        let (a, b) = (Player("a"), Player("b"))
        a.team = [b, b, Player("c")]
        let data = try keyedArchive {
            try $0.encode(a, forKey: "a")
            try $0.encode(b, forKey: "b")
        }
        let recorder = CodingRecorder()
        let (captain, itself) = (Captain("captain"), Player("x"))
        recorder.decoded = ["b": captain, "x": itself]
        let unarchiver = try unarchiver(data, recorder)
        let copy = try unarchiver.decode(Player.self, forKey: "a")
        #expect(copy.team[0] === captain && copy.team[1] === captain && copy.team[2].name == "c")
        #expect(try unarchiver.decode(Player.self, forKey: "b") === captain)
        #expect(recorder.log == ["did b", "b > captain", "did c", "did a"])
        // What takes a place is not asked itself.
        #expect(captain.awakeCalls == 0)
    }

    @Test func `asks it after the instance itself, and notifies it of both changes`() throws {
        final class Restless: Player {
            override func awakeAfter(using coder: KeyedUnarchiver) throws -> any Coding { Player("\(name)2") }
        }
        let recorder = CodingRecorder()
        let last = Player("last")
        recorder.decoded = ["s2": last]
        let data = try keyedArchive { try $0.encode([Restless("r"), Restless("s")], forKey: "all") }
        let unarchiver = try unarchiver(data, recorder, Restless.self)
        let all = try unarchiver.decode([Player].self, forKey: "all")
        #expect(all[0].name == "r2" && all[1] === last)
        #expect(recorder.log == ["r > r2", "did r2", "s > s2", "did s2", "s2 > last"])
    }

    @Test func `checks what the delegate names`() throws {
        let recorder = CodingRecorder()
        recorder.decoded = ["p": CodedItem("stranger", 1)]
        let data = try KeyedArchiver.archivedData(withRootObject: Player("p"))
        let unarchiver = try unarchiver(data, recorder)
        for _ in 0..<2 {
            let error = try archivingError { try unarchiver.decode(Player.self, forKey: "root") }
            #expect(error.code == .classNotAllowed && error.debugDescription.contains("CodedItem"))
        }
        #expect(recorder.log == ["did p", "p > ?"])
    }

    // MARK: - Names

    /// Three objects of a class, and one of its superclass, under unknown names.
    private func foreign() throws -> Data {
        let archiver = KeyedArchiver()
        archiver.classes.register(Captain.self, name: "LOCaptain")
        archiver.classes.register(Player.self, name: "LOPlayer")
        try archiver.encode([Captain("a"), Captain("b"), Captain("c")], forKey: "captains")
        try archiver.encodeObject([Captain("d"), Captain("e")], forKey: "objects")
        return try archiver.finishEncoding()
    }

    private static let question = "cannot LOCaptain LOCaptain:LOPlayer:NSObject"

    @Test func `asks it once for the class of an unknown name`() throws {
        let recorder = CodingRecorder()
        recorder.classes = ["LOCaptain": Captain.self]
        let unarchiver = try unarchiver(foreign(), recorder)
        #expect(try unarchiver.decode([Player].self, forKey: "captains").allSatisfy { $0 is Captain })
        #expect(recorder.log == [Self.question, "did a", "did b", "did c"])
        // A request for another class is a separate question.
        #expect(try unarchiver.decode([Captain].self, forKey: "objects").map(\.name) == ["d", "e"])
        #expect(recorder.log == [Self.question, "did a", "did b", "did c", Self.question, "did d", "did e"])
    }

    @Test(arguments: [0, 1])
    func `makes nothing where it has no answer, or a wrong one`(wrong: Int) throws {
        let recorder = CodingRecorder()
        if wrong == 1 { recorder.classes = ["LOCaptain": CodedItem.self] }
        let unarchiver = try unarchiver(foreign(), recorder)
        let typed = try archivingError { try unarchiver.decode([Player].self, forKey: "captains") }
        #expect(typed.code == .classNotAllowed && typed.codingPath.text == "captains[0]")
        let listed = try archivingError { try unarchiver.decodeArray(of: [Player.self], forKey: "objects") }
        #expect(listed.code == .classNotAllowed && listed.codingPath.text == "objects[0]")
        #expect(!recorder.log.contains { $0.hasPrefix("did") })
    }

    // MARK: - Classes that name others

    @Test func `makes objects of a class as the one that it names`() throws {
        let data = try keyedArchive {
            try $0.encode([OldPlayer("o")], forKey: "old")
            try $0.encode([Leader("l")], forKey: "leaders")
        }
        let unarchiver = try keyedUnarchiver(data, registering: [OldPlayer.self])
        let old = try unarchiver.decode([Player].self, forKey: "old")
        #expect(type(of: old[0]) == Player.self && old[0].name == "o")
        #expect(try unarchiver.decodeArray(of: [Player.self], forKey: "old")?.first as? Player === old[0])
        #expect(try unarchiver.decode([Leader].self, forKey: "leaders")[0] is Chief)
        // The class that is instantiated must be the requested one.
        #expect(
            try archivingError { try unarchiver.decode([OldPlayer].self, forKey: "old") }.code == .classNotAllowed)
        #expect(
            try archivingError { try unarchiver.decodeArray(of: [Captain.self], forKey: "old") }.code
                == .classNotAllowed)
    }
}
