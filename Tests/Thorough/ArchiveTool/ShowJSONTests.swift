// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@testable import archivetool

@Suite(.inTurn) struct `show --json` {
    private func json(_ arguments: String...) throws -> Any {
        let run = try Tool.inProcess("show", on: HandMade.farm.data(), ["--json"] + arguments)
        try #require(run.status == 0, "\(run.errors)")
        return try JSONSerialization.jsonObject(with: run.bytes, options: .fragmentsAllowed)
    }

    @Test func `writes a whole file as convert does`() throws {
        let farm = try HandMade.farm.data()
        let converted = try Tool.inProcess("convert", on: farm, ["--to", "json"])
        #expect(try Tool.inProcess("show", on: farm, ["--json"]).bytes == converted.bytes)
    }

    @Test func `writes a part`() throws {
        let cow = try #require(json("--path", "animals[0]") as? [String: Any])
        #expect(cow["$class"] as? String == "Farm.Cow" && cow["name"] as? String == "Bella")
        let owner = try #require(cow["owner"] as? [String: Any])
        #expect(owner["name"] as? String == "Ann" && owner["$id"] as? Int == 3)
        #expect(try json("--uid", "2") as? String == "Green Hill")
    }

    @Test func `numbers shared objects of each class without uids`() throws {
        let farm = try #require(json("--path", "/root", "--no-uids") as? [String: Any])
        #expect(farm["$id"] as? String == "Farm 1")
        let owner = try #require(farm["owner"] as? [String: Any])
        #expect(owner["$id"] as? String == "Owner 1" && owner["farm"] as? [String: String] == ["$ref": "Farm 1"])
        let animals = try #require(farm["animals"] as? [[String: Any]])
        #expect(animals.map { $0["$id"] as? String ?? $0["$ref"] as? String } == ["Farm.Cow 1", "Farm.Cow 1"])
    }

    @Test func `writes the classes`() throws {
        let classes = try #require(json("--classes") as? [[String: Any]])
        #expect(classes.map { $0["class"] as? String } == ["Farm", "Owner", "NSArray", "Farm.Cow"])
        #expect(classes.map { $0["uid"] as? Int } == [8, 9, 10, 11])
        #expect(classes.map { $0["objects"] as? Int } == [1, 1, 1, 1])
        #expect(classes.last?["superclasses"] as? [String] == ["Farm.Animal", "NSObject"])
    }

    @Test(arguments: ["--depth=1", "--nested", "--bytes=4", "--characters=4"])
    func `refuses options of the tree`(option: String) throws {
        let run = try Tool.inProcess("show", on: HandMade.farm.data(), ["--json", option])
        #expect(run.status == 2 && run.errors.contains("is for the tree"))
    }

    @Test func `has colours, which change nothing but colours`() throws {
        let farm = try HandMade.farm.data()
        let plain = try Tool.inProcess("convert", on: farm, ["--to", "json"]).output
        let colored = try Tool.inProcess("convert", on: farm, ["--to", "json", "--color", "always"]).output
        #expect(colored.contains("\u{1B}[36m\"name\"\u{1B}[0m: \u{1B}[32m\"Ann\"\u{1B}[0m"))
        #expect(colored.contains("\u{1B}[36m\"size\"\u{1B}[0m: \u{1B}[33m12\u{1B}[0m"))
        #expect(colored.withoutColors == plain && plain.withoutColors == plain)
    }
}
