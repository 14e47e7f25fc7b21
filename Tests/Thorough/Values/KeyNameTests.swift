// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

@Suite(.inTurn) struct `A key` {
    /// Names that are special to the format, or unusual, and their stored forms.
    static let names: [(name: String, written: String)] = [
        ("", ""), (" ", " "), ("$", "$$"), ("$class", "$$class"), ("$$class", "$$$class"), ("$$x", "$$$x"),
        ("$0", "$$0"), ("$null", "$$null"), ("$top", "$$top"), ("$objects", "$$objects"), ("a$", "a$"),
        ("NS.objects", "NS.objects"), ("NS.keys", "NS.keys"), ("NS.string", "NS.string"), ("NS.time", "NS.time"),
        ("NS.object.0", "NS.object.0"), ("NS.number", "NS.number"), ("CF$UID", "CF$UID"), ("root", "root"),
        ("super", "super"), ("\u{43a}\u{43b}\u{44e}\u{447}", "\u{43a}\u{43b}\u{44e}\u{447}"),
        ("$\u{e9}", "$$\u{e9}"), ("\u{1f404}\u{1f404}", "\u{1f404}\u{1f404}"), ("a.b", "a.b"), ("<&>\"", "<&>\""),
        ("two\nlines", "two\nlines"), ("0", "0"), ("nul\0", "nul\0"),
        (String(repeating: "k", count: 1000), String(repeating: "k", count: 1000)),
    ]

    @Test func `is stored unchanged, with one more dollar sign if it starts with one`() throws {
        for (name, written) in Self.names {
            let value = Encoding { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(7, forKey: AnyKey(name))
            }
            let archive = try InspectedArchive(of: value)
            guard case .dictionary(let fields) = archive.objects[1] else {
                Issue.record("No object for \(name)")
                continue
            }
            #expect(fields.keys == [written, "$class"])
            #expect(fields[written] == 7)
        }
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `comes back whatever it is`(format: PropertyListFormat) throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        // XML has no control characters.
        let names = Self.names.map(\.name).filter { format == .binary || !$0.contains("\0") }
        let data = try encoder.encode(
            Encoding { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                for (index, name) in names.enumerated() {
                    try container.encode(index, forKey: AnyKey(name))
                }
            })
        try decoding(data) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            #expect(container.allKeys.map(\.stringValue) == names)
            for (index, name) in names.enumerated() {
                #expect(container.contains(AnyKey(name)))
                #expect(try container.decode(Int.self, forKey: AnyKey(name)) == index)
            }
            #expect(!container.contains("$$$class"))
            #expect(!container.contains("$version"))
            let error = try failure { try container.decode(String.self, forKey: "$class") }
            #expect(error.path == "$class")
            #expect(error.kind == .typeMismatch)
        }
    }

    @Test func `of a nested or super container may start with a dollar`() throws {
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: "$class")
            try nested.encode(1, forKey: "$x")
            var list = container.nestedUnkeyedContainer(forKey: "$0")
            try list.encode(2)
            var parent = container.superEncoder(forKey: "$super").singleValueContainer()
            try parent.encode(3)
        }
        #expect(try archiveText(value) == "Encoding{$$class: Encoding{$$x: 1}, $$0: NSArray[@2], $$super: 3}")
        try decoding(archiveOf: value) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            let nested = try container.nestedContainer(keyedBy: AnyKey.self, forKey: "$class")
            #expect(nested.codingPath.text == "$class")
            #expect(try nested.decode(Int.self, forKey: "$x") == 1)
            #expect(try container.decode([Int].self, forKey: "$0") == [2])
            #expect(try container.superDecoder(forKey: "$super").singleValueContainer().decode(Int.self) == 3)
        }
    }

    @Test func `of a struct that looks like one of Foundation's objects is the struct's`() throws {
        struct Impostor: Codable, Equatable {
            var objects = 5, keys = "x", time = 1.5, string = 3, number = "n", bytes = [1]
            enum CodingKeys: String, CodingKey {
                case objects = "NS.objects"
                case keys = "NS.keys"
                case time = "NS.time"
                case string = "NS.string"
                case number = "NS.number"
                case bytes = "NS.bytes"
            }
        }
        #expect(try roundTrip([Impostor()]) == [Impostor()])
        #expect(try roundTrip(["a": Impostor()]) == ["a": Impostor()])
        struct Lists: Codable, Equatable {
            var keys = ["a"], objects = [1]
            enum CodingKeys: String, CodingKey {
                case keys = "NS.keys"
                case objects = "NS.objects"
            }
        }
        #expect(try roundTrip(Lists()) == Lists())
    }

    @Test func `of an enumeration of more than 256 cases is its name`() throws {
        #expect(ManyKeys.allCases.count == 300)
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: ManyKeys.self)
            for (index, key) in ManyKeys.allCases.enumerated() { try container.encode(index, forKey: key) }
        }
        let data = try ArchiveEncoder().encode(value)
        guard case .dictionary(let fields) = try InspectedArchive(data).objects[1] else {
            Issue.record("No object")
            return
        }
        #expect(fields.keys.dropLast() == ManyKeys.allCases.map(\.stringValue)[...])
        try decoding(data) { decoder in
            let container = try decoder.container(keyedBy: ManyKeys.self)
            for (index, key) in ManyKeys.allCases.enumerated().reversed() {
                #expect(try container.decode(Int.self, forKey: key) == index)
            }
        }
    }

    @Test func `of a type with a payload is its name`() throws {
        enum Column: CodingKey {
            case column(UInt8)
            init?(stringValue: String) {
                guard let number = UInt8(stringValue) else { return nil }
                self = .column(number)
            }
            init?(intValue: Int) { nil }
            var stringValue: String { if case .column(let number) = self { "\(number)" } else { "" } }
            var intValue: Int? { Int(stringValue) }
        }
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: Column.self)
            for number in UInt8.min...UInt8.max { try container.encode(number, forKey: .column(number)) }
        }
        try decoding(archiveOf: value) { decoder in
            let container = try decoder.container(keyedBy: Column.self)
            #expect(container.allKeys.count == 256)
            for number in (UInt8.min...UInt8.max).reversed() {
                #expect(try container.decode(UInt8.self, forKey: .column(number)) == number)
            }
        }
    }

    @Test func `has as many objects in the file as there are names, not values`() throws {
        struct Row: Encodable { var name = 1, value = 2 }
        let list = try ArchiveEncoder().encode((0..<100).map { _ in Row() })
        let text = String(decoding: list, as: UTF8.self)
        #expect(text.components(separatedBy: "name").count == 3)  // also in $classname
        #expect(text.components(separatedBy: "value").count == 2)
    }

    @Test func `is found whichever of its canonical forms the file has`() throws {
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: "caf\u{e9}")
        }
        try decoding(archiveOf: value) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            #expect(try container.decode(Int.self, forKey: "cafe\u{301}") == 1)
        }
    }
}
