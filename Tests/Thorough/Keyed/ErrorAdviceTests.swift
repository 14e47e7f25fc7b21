// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private final class Note: Coding {
    init(coder: KeyedUnarchiver) throws {}
    func encode(with coder: KeyedArchiver) throws {}
}

private final class Item: Codable {
    var name = "a"
}

@Suite(.inTurn) struct `An error that has a way out names it` {
    @Test func `in an archive without a root object`() throws {
        let data = try keyedArchive { archiver in
            archiver.encode(5, forKey: "state")
            archiver.encode("x", forKey: "opaque")
        }
        let error = try failure(decoding: Item.self, from: data)
        #expect(error.kind == .keyNotFound && error.key == "root")
        #expect(error.says("\"state\"", "KeyedArchive(…).top[\"state\"]?.decode(…)", "KeyedArchive(…).top.decode(…)"))
        let keyed = try keyedFailure { try KeyedUnarchiver.unarchivedObject(of: Note.self, from: data) }
        #expect(keyed.code == "valueNotFound" && keyed.says("KeyedArchive(…).top[\"state\"]?.decode(…)"))
        // What it names works.
        struct Top: Decodable { var state: Int, opaque: String }
        #expect(try KeyedArchive(data).top.decode(Top.self).state == 5)
        #expect(try KeyedArchive(data).top["state"]?.decode(Int.self) == 5)
    }

    @Test func `for values that were encoded without a key`() throws {
        let data = try keyedArchive { archiver in
            archiver.encodeNext(5)
            archiver.encodeNext("x")
        }
        let error = try failure(decoding: Item.self, from: data)
        #expect(error.kind == .keyNotFound && error.says("without a key", "KeyedUnarchiver's decodeNext(_:)"))
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        for key in ["$0", "$6"] {
            let error = try keyedFailure { try unarchiver.decode(Int.self, forKey: key) }
            #expect(error.code == "valueNotFound" && error.says("\"\(key)\"", "without a key", "decodeNext(_:)"))
        }
        #expect(try !keyedFailure { try unarchiver.decode(Int.self, forKey: "$a") }.says("without a key"))
        #expect(try unarchiver.decodeNext(Int.self) == 5)
        #expect(try unarchiver.decodeNext(String.self) == "x")
    }
}
