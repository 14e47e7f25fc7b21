// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@testable import archivetool

@Suite(.inTurn) struct `extract` {
    private final class Owner: Codable, Equatable {
        var name: String
        var pets: [Pet]

        init(_ name: String, _ pets: [Pet]) {
            self.name = name
            self.pets = pets
        }

        static func == (left: Owner, right: Owner) -> Bool { left.name == right.name && left.pets == right.pets }
    }

    private final class Pet: Codable, Equatable {
        var name: String
        var born: Date
        var friends: [Pet] = []

        init(_ name: String) {
            self.name = name
            born = Date(timeIntervalSinceReferenceDate: Double(name.count))
        }

        static func == (left: Pet, right: Pet) -> Bool { left.name == right.name && left.born == right.born }
    }

    private struct Farm: Codable {
        var owners: [Owner]
        var prices: [String: Double]
        var photo: Data
        var size: Int
        var names: Set<String>
    }

    private let farm: Farm = {
        let (rex, tom) = (Pet("Rex"), Pet("Tom"))
        rex.friends = [tom, tom]
        tom.friends = [rex]
        return Farm(
            owners: [Owner("Ann", [rex]), Owner("Bob", [tom, rex])], prices: ["milk": 1.5, "eggs": 0.25],
            photo: Data((0..<200).map { UInt8($0) }), size: 12, names: ["a", "b"])
    }()

    private func extracted(_ data: Data, _ options: String...) throws -> Program.Run {
        try Tool.inProcess("extract", on: data, options)
    }

    private func part<Value: Decodable>(_ type: Value.Type, _ path: String, of data: Data) throws -> Value {
        let run = try extracted(data, "--path", path)
        #expect(run.status == 0 && run.errors == "")
        return try ArchiveDecoder().decode(type, from: run.bytes)
    }

    @Test(arguments: [PropertyListFormat.binary, .xml])
    func `makes an archive that decodes as the part`(format: PropertyListFormat) throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        let data = try encoder.encode(farm)
        #expect(try part(Owner.self, "owners/1", of: data) == farm.owners[1])
        #expect(try part([Owner].self, "owners", of: data) == farm.owners)
        #expect(try part(Pet.self, "owners/0/pets/0/friends/1", of: data).name == "Tom")
        #expect(try part([String: Double].self, "prices", of: data) == farm.prices)
        #expect(try part(Double.self, "prices/milk", of: data) == 1.5)
        #expect(try part(Data.self, "photo", of: data) == farm.photo)
        #expect(try part(Int.self, "size", of: data) == 12)
        #expect(try part(String.self, "owners/0/name", of: data) == "Ann")
        #expect(try part(Date.self, "owners/0/pets/0/born", of: data) == Date(timeIntervalSinceReferenceDate: 3))
        #expect(try part(Set<String>.self, "names", of: data) == ["a", "b"])
        // Identity and cycles are kept.
        let rex = try part(Pet.self, "owners/0/pets/0", of: data)
        #expect(rex.friends[0] === rex.friends[1] && rex.friends[0].friends[0] === rex)
        #expect(try PropertyListFormat(detectedIn: extracted(data, "--path", "owners").bytes) == format)
        let other: PropertyListFormat = format == .xml ? .binary : .xml
        let options = ["--path", "owners", "--format", other == .xml ? "xml" : "binary"]
        let run = try Tool.inProcess("extract", on: data, options)
        #expect(PropertyListFormat(detectedIn: run.bytes) == other)
        #expect(try ArchiveDecoder().decode([Owner].self, from: run.bytes) == farm.owners)
    }

    @Test func `copies exactly the objects that the part references`() throws {
        guard case .dictionary(var list) = `diff`.farm else { return }
        list["$archiver"] = "MyArchiver"
        let data = try PropertyList.dictionary(list).data()
        let run = try extracted(data, "--uid", "7")
        #expect(
            try PropertyList(run.bytes)
                == [
                    "$version": 100_000, "$archiver": "MyArchiver", "$top": ["root": .uid(1)],
                    "$objects": [
                        "$null", ["$class": .uid(2), "name": .uid(3), "weight": 510],
                        HandMade.classEntry("Cow", "Animal", "NSObject"), "Daisy",
                    ],
                ])
        // A reference to an object outside the part is kept, with everything that it reaches.
        let whole = try KeyedArchive(extracted(data, "--path", "owner").bytes)
        #expect(whole.root.className == "Owner" && whole.root["farm"]?["owner"] == whole.root)
        #expect(whole.unreachableObjects.isEmpty && whole.problems().isEmpty)
        #expect(whole.root["farm"]?["debts"]?.uid == 0)
    }

    @Test func `copies the whole archive, with all top-level keys and without unreachable objects`() throws {
        let list = HandMade.archive(
            ["$null", "left behind", "text", ["$class": .uid(4), "n": 1], HandMade.classEntry("Thing")],
            top: ["a": .uid(2), "b": .uid(3), "c": 5])
        let run = try extracted(list.data(), "--path", "/")
        #expect(
            try PropertyList(run.bytes)
                == HandMade.archive(
                    ["$null", "text", ["$class": .uid(3), "n": 1], HandMade.classEntry("Thing")],
                    top: ["a": .uid(1), "b": .uid(2), "c": 5]))
    }

    @Test func `writes the bytes of data and text with --raw`() throws {
        let data = try ArchiveEncoder().encode(farm)
        #expect(try extracted(data, "--path", "photo", "--raw").bytes == farm.photo)
        #expect(try extracted(data, "--path", "owners/1/name", "--raw").output == "Bob")
        let run = try extracted(data, "--path", "owners", "--raw")
        #expect(run.status == 3 && run.output == "")
        #expect(run.errors.contains("--raw writes data and strings, and that part (NSArray) is neither"))
    }

    @Test func `takes parts of property lists`() throws {
        let list: PropertyList = ["a": ["b": [1, .data(Data([7, 0]))]], "c": "text"]
        #expect(try PropertyList(extracted(list.data(), "--path", "a/b").bytes) == [1, .data(Data([7, 0]))])
        let xml = try extracted(list.data(format: .xml), "--path", "a").bytes
        #expect(PropertyListFormat(detectedIn: xml) == .xml)
        #expect(try PropertyList(xml) == ["b": [1, .data(Data([7, 0]))]])
        #expect(try extracted(list.data(), "--path", "a/b/1", "--raw").bytes == Data([7, 0]))
        #expect(try extracted(list.data(), "--path", "c", "--raw").output == "text")
    }

    @Test func `is the part of a file of its own, by a process`() throws {
        try TemporaryFolder.with { folder in
            let file = try folder.write(ArchiveEncoder().encode(farm), to: "farm")
            let run = try Tool.run("extract", file, "--path", "owners/0", "-o", folder["owner"].path)
            #expect(run.status == 0 && run.output == "" && run.errors == "")
            #expect(try ArchiveDecoder().decode(Owner.self, from: folder["owner"]) == farm.owners[0])
            // The file may be the one that is read.
            #expect(try Tool.run("extract", file, "--path", "prices", "-o", file).status == 0)
            #expect(try ArchiveDecoder().decode([String: Double].self, from: folder["farm"]) == farm.prices)
            #expect(try folder.names() == ["farm", "owner"])
        }
    }

    @Test(
        arguments: [
            ([], Int32(2), "No part is selected"), (["--uid", "99"], 3, "There is no object #99"),
            (["--path", "nme"], 3, "did you mean “name”?"), (["--uid", "12", "--path", "name"], 2, "give one of them"),
            (["--path", "name", "--format", "json"], 2, "--format takes one of"),
        ] as [([String], Int32, String)])
    func `says what is wrong`(options: [String], status: Int32, message: String) throws {
        let run = try Tool.inProcess("extract", on: HandMade.farm.data(), options)
        #expect(run.status == status && run.output == "")
        #expect(run.errors.hasPrefix("archivetool: error: ") && run.errors.contains(message), "\(run.errors)")
    }

    @Test func `refuses a part that is damaged`() throws {
        let list = HandMade.archive([
            "$null", ["$class": .uid(3), "good": .uid(2), "bad": .uid(4)], "text", HandMade.classEntry("Farm"),
            ["$class": .uid(3), "deep": .uid(77)],
        ])
        for (path, status) in [("good", Int32(0)), ("bad", 3), ("bad/deep", 3), ("/", 3)] {
            let run = try extracted(list.data(), "--path", path)
            #expect(run.status == status)
            if status == 3 { #expect(run.errors.contains("uid 77 is referenced"), "\(run.errors)") }
        }
    }

    @Test func `writes no binary data to a terminal`() throws {
        var surroundings = Session.Surroundings()
        surroundings.isOutputTerminal = true
        try TemporaryFolder.with { folder in
            let file = try folder.write(HandMade.farm)
            let run = Tool.inProcess(["extract", file, "--path", "owner"], surroundings: surroundings)
            #expect(run.status == 2 && run.bytes.isEmpty)
            let xml = Tool.inProcess(["extract", file, "--path", "owner", "-f", "xml"], surroundings: surroundings)
            #expect(xml.status == 0 && xml.output.hasPrefix("<?xml"))
        }
    }
}
