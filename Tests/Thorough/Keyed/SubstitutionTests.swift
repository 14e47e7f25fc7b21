// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Records its calls, and makes the given replacements.
final class CodingRecorder: KeyedArchiverDelegate, KeyedUnarchiverDelegate {
    private(set) var log: [String] = []
    /// By name: another instance, or nil for nothing.
    var encoded: [String: Player?] = [:]
    var decoded: [String: any Coding] = [:]
    /// By name in the archive.
    var classes: [String: any Any.Type] = [:]

    private func name(_ object: (any Coding)?) -> String { object.map { ($0 as? Player)?.name ?? "?" } ?? "nil" }

    func archiver(_ archiver: KeyedArchiver, willEncode object: any Coding) -> (any Coding)? {
        log.append("will \(name(object))")
        guard let replacement = encoded[name(object)] else { return object }
        return replacement
    }

    func archiver(_ archiver: KeyedArchiver, didEncode object: any Coding) { log.append("did \(name(object))") }

    func archiver(_ archiver: KeyedArchiver, willReplace object: any Coding, with replacement: (any Coding)?) {
        log.append("\(name(object)) > \(name(replacement))")
    }

    func archiverWillFinish(_ archiver: KeyedArchiver) { log.append("will finish") }
    func archiverDidFinish(_ archiver: KeyedArchiver) { log.append("did finish") }

    func unarchiver(
        _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses: [String]
    ) -> (any Any.Type)? {
        log.append("cannot \(name) \(originalClasses.joined(separator: ":"))")
        return classes[name]
    }

    func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: any Coding) -> (any Coding)? {
        log.append("did \(name(object))")
        return decoded[name(object)]
    }

    func unarchiver(_ unarchiver: KeyedUnarchiver, willReplace object: any Coding, with replacement: any Coding) {
        log.append("\(name(object)) > \(name(replacement))")
    }

    func unarchiverWillFinish(_ unarchiver: KeyedUnarchiver) { log.append("will finish") }
    func unarchiverDidFinish(_ unarchiver: KeyedUnarchiver) { log.append("did finish") }
}

/// Names what is to take its place, on either side.
class Player: Coding {
    let name: String
    var team: [Player] = []
    var rival: Player?
    /// nil for itself; the inner nil for nothing.
    var replacement: Player??
    /// How often it was asked.
    private(set) var replacementCalls = 0
    private(set) var awakeCalls = 0
    private(set) var encodeCalls = 0

    init(_ name: String) { self.name = name }

    required init(coder: KeyedUnarchiver) throws {
        name = try coder.decode(String.self, forKey: "name")
        team = try coder.decodeIfPresent([Player].self, forKey: "team") ?? []
        rival = try coder.decodeIfPresent(Player.self, forKey: "rival")
    }

    func encode(with coder: KeyedArchiver) throws {
        encodeCalls += 1
        coder.encode(name, forKey: "name")
        if !team.isEmpty { try coder.encode(team, forKey: "team") }
        try coder.encodeConditional(rival, forKey: "rival")
    }

    func replacementObject(for coder: KeyedArchiver) -> (any Coding)? {
        replacementCalls += 1
        return replacement ?? self
    }

    func awakeAfter(using coder: KeyedUnarchiver) throws -> any Coding {
        awakeCalls += 1
        return self
    }

    var archivedClass: any Coding.Type { type(of: self) }
    class var unarchivedClass: any Coding.Type { self }
}

@Suite(.inTurn) struct `An archiver that replaces` {
    private func archive(
        _ recorder: CodingRecorder? = nil, _ body: (KeyedArchiver) throws -> Void
    ) throws -> InspectedArchive {
        let archiver = KeyedArchiver()
        archiver.delegate = recorder
        try body(archiver)
        return try InspectedArchive(archiver.finishEncoding())
    }

    // MARK: - By the instance

    @Test func `archives what the instance names in its place, once, wherever it is met`() throws {
        let (player, substitute) = (Player("P"), Player("S"))
        player.replacement = .some(substitute)
        let archive = try archive {
            try $0.encode([player, substitute, player], forKey: "root")
            try $0.encode(player, forKey: "one")
            try $0.encodeConditional(player, forKey: "weak")
        }
        #expect(archive.text == "NSArray[#1=Player{name: @\"S\", rival: nil}, #1, #1]")
        #expect(archive.top("one") == archive.top("weak") && archive.follow(archive.top("one"))?["name"] != nil)
        #expect(player.replacementCalls == 1 && player.encodeCalls == 0 && substitute.encodeCalls == 1)
        // A replacement is not asked for a replacement of itself.
        #expect(substitute.replacementCalls == 0)
    }

    @Test func `archives nothing where the instance says so`() throws {
        let player = Player("P")
        player.replacement = .some(nil)
        let archive = try archive {
            try $0.encode([Player("Q"), player], forKey: "root")
            try $0.encode(player, forKey: "one")
            try $0.encodeConditional(player, forKey: "weak")
        }
        #expect(archive.text == "NSArray[Player{name: @\"Q\", rival: nil}, NSNull{}]")
        #expect(archive.top("one") == .uid(0) && archive.top("weak") == .uid(0))
        #expect(player.replacementCalls == 1 && player.encodeCalls == 0)
    }

    @Test(arguments: [true, false])
    func `asks once where conditional references come first`(isReplaced: Bool) throws {
        let (player, substitute) = (Player("P"), Player("S"))
        if isReplaced { player.replacement = .some(substitute) }
        let archive = try archive {
            try $0.encodeConditional(player, forKey: "first")
            try $0.encodeConditional(player, forKey: "second")
            try $0.encode(player, forKey: "root")
        }
        #expect(archive.text == "Player{name: @\"\(isReplaced ? "S" : "P")\", rival: nil}")
        #expect(archive.top("first") == archive.top("root") && archive.top("second") == archive.top("root"))
        #expect(player.replacementCalls == 1)
    }

    @Test(arguments: [true, false])
    func `does the same through Codable`(asElement: Bool) throws {
        struct Box: Codable {
            @Coded var players: [Player]
            @Coded var other: any Coding
        }
        let (player, substitute) = (Player("P"), Player("S"))
        player.replacement = .some(substitute)
        let box = Box(players: asElement ? [player] : [substitute], other: player)
        #expect(
            try archiveText(box)
                == "Box{players: NSArray[#1=Player{name: @\"S\", rival: nil}], other: #1}")
        #expect(player.replacementCalls == 1)
    }

    @Test func `names the class that the instance requests`() throws {
        final class Coach: Player {
            override var archivedClass: any Coding.Type { Player.self }
        }
        let archive = try archive { try $0.encode([Coach("C"), Player("P"), Coach("D")], forKey: "root") }
        #expect(
            archive.text
                == "NSArray[Player{name: @\"C\", rival: nil}, Player{name: @\"P\", rival: nil}, "
                + "Player{name: @\"D\", rival: nil}]")
        #expect(archive.classNames.count == 2)
        #expect(archive.classEntry("Coach") == nil)
    }

    // MARK: - By the delegate

    @Test func `notifies its delegate of each object once, in order`() throws {
        let (a, b, c, unseen) = (Player("a"), Player("b"), Player("c"), Player("unseen"))
        a.team = [b, c, b]
        b.rival = unseen
        c.rival = a
        let recorder = CodingRecorder()
        let archiver = KeyedArchiver()
        archiver.delegate = recorder
        try archiver.encode(a, forKey: "a")
        // Objects are asked about when they are met, and written when the one that refers to them is complete.
        let first = ["will a", "will b", "will c", "did a", "will unseen", "did b", "did c"]
        #expect(recorder.log == first)
        try archiver.encode(b, forKey: "b")
        try archiver.encode(Player?.none, forKey: "nil")
        try archiver.encode([Player("d"), a], forKey: "list")
        try archiver.encodeConditional(unseen, forKey: "weak")
        archiver.encode("a string", forKey: "string")
        #expect(recorder.log == first + ["will d", "did d"])
        _ = try archiver.finishEncoding()
        _ = try archiver.finishEncoding()
        #expect(recorder.log == first + ["will d", "did d", "will finish", "did finish"])
    }

    @Test func `does what its delegate says of what the instance has named`() throws {
        let (p, q, s, t, gone) = (Player("p"), Player("q"), Player("s"), Player("t"), Player("gone"))
        p.replacement = .some(s)
        q.replacement = .some(nil)
        let recorder = CodingRecorder()
        recorder.encoded = ["s": t, "gone": nil]
        let archive = try archive(recorder) {
            try $0.encode([p, q, gone, p, s, t, Player("u")], forKey: "root")
        }
        #expect(
            archive.text
                == "NSArray[#1=Player{name: @\"t\", rival: nil}, #2=NSNull{}, #2, #1, #1, #1, "
                + "Player{name: @\"u\", rival: nil}]")
        #expect(
            recorder.log == [
                "p > s", "will s", "s > t", "q > nil", "will gone", "gone > nil", "will u", "did t", "did u",
                "will finish", "did finish",
            ])
        #expect(t.replacementCalls == 0)
    }
}
