// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private struct Contact: Codable, ArchiveDescribing {
    static let archiveName = "Contact"
    static let archiveVersion = 1
}

/// What a decoder says of the version of its value.
private struct Versions: Decodable, ArchiveDescribing {
    static let archiveName = "Versioned"
    var own: Int?
    var ofSelf: Int?
    var ofOther: Int?

    init(from decoder: any Decoder) throws {
        own = decoder.archivedVersion()
        ofSelf = decoder.archivedVersion(of: Self.self)
        ofOther = decoder.archivedVersion(of: Contact.self)
    }
}

@Suite(.inTurn) struct `A version` {
    struct Versioned: Codable, ArchiveDescribing, Equatable {
        static let archiveVersion = 7
        var x = 1
    }

    struct Plain: Codable {
        var x = 1
    }

    class Base: Codable, ArchiveDescribing {
        class var archiveVersion: Int { 1 }
        var x = 1
        init() {}
    }

    class Middle: Base {
        override class var archiveVersion: Int { 0 }
    }

    class Derived: Middle {
        override class var archiveVersion: Int { 5 }
    }

    final class Inheriting: Derived {}

    /// The class entries of the archive of `value`, by the last parts of their names.
    private func entries(_ value: some Encodable) throws -> [String: PropertyList] {
        let archive = try InspectedArchive(of: value)
        var entries: [String: PropertyList] = [:]
        for object in archive.objects {
            guard case .string(let name)? = object["$classname"] else { continue }
            entries[InspectedArchive.lastPart(of: name)] = object
        }
        return entries
    }

    @Test func `is stored in the class entry`() throws {
        let entry = try #require(try entries(Versioned())["Versioned"])
        let name = PropertyList.string(ClassRegistry().name(for: Versioned.self))
        #expect(entry == ["$classname": name, "$classes": [name, "NSObject"], "$classversions": [7]])
    }

    @Test func `of each class of a chain is stored there, in the chain's order`() throws {
        struct Fields: Encodable {
            var derived = Derived()
            var middle = Middle()
            var base = Base()
            var inheriting = Inheriting()
        }
        let entries = try entries(Fields())
        #expect(entries["Base"]?["$classversions"] == [1])
        #expect(entries["Middle"]?["$classversions"] == [0, 1])
        #expect(entries["Derived"]?["$classversions"] == [5, 0, 1])
        #expect(entries["Inheriting"]?["$classversions"] == [5, 5, 0, 1])
    }

    @Test func `that no class declares is not stored`() throws {
        struct Zero: Codable, ArchiveDescribing {
            static let archiveVersion = 0
            var plain = Plain()
        }
        for entry in try entries([Zero()]).values { #expect(entry["$classversions"] == nil) }
        #expect(try entries([Zero()]).count == 3)
    }

    @Test(arguments: [1, 127, 128, -1, 65_536, Int.max, Int.min])
    func `may be any number`(version: Int) throws {
        let data = try handmadeArchive(
            ["$class": .uid(2)],
            [
                "$classname": "Versioned", "$classes": ["Versioned", "NSObject"],
                "$classversions": [.integer(Int128(version))],
            ])
        #expect(try ArchiveDecoder().decode(Versions.self, from: data).own == version)
    }

    @Test(arguments: PropertyListFormat.allCases, [[], .sortedKeys] as [ArchiveEncoder.OutputFormatting])
    func `is available in init(from:)`(format: PropertyListFormat, formatting: ArchiveEncoder.OutputFormatting) throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        encoder.outputFormatting = formatting
        encoder.classes.register(Versioned.self, name: "Versioned")
        encoder.classes.register(Plain.self, name: "Versioned of another")
        struct Fields: Encodable {
            var versioned = Versioned()
            var plain = Plain()
        }
        let data = try encoder.encode(Fields())
        let again = try ArchiveDecoder().decode([String: Versions].self, from: data)
        #expect(again["versioned"]?.own == 7)
        #expect(again["versioned"]?.ofSelf == 7)
        #expect(again["versioned"]?.ofOther == nil)
        #expect(again["plain"]?.own == 0)
        #expect(again["plain"]?.ofSelf == nil)
    }

    @Test func `is 0 where the type did not have any when it was written`() throws {
        struct Original: Encodable, ArchiveDescribing {
            static let archiveName = "Versioned"
            var x = 1
        }
        let versions = try transcode([Original()], as: [Versions].self)[0]
        #expect(versions.own == 0 && versions.ofSelf == 0)
    }

    @Test func `is that of the file, under the names that are registered and their aliases`() throws {
        struct Old: Codable, ArchiveDescribing {
            static let archiveVersion = 4
            var x = 1
        }
        struct New: Decodable, ArchiveDescribing {
            static let archiveVersion = 9
            var versions: [Int?]
            init(from decoder: any Decoder) throws {
                versions = [decoder.archivedVersion(), decoder.archivedVersion(of: New.self)]
            }
        }
        let data = try ArchiveEncoder().encode([Old()])
        let oldName = ClassRegistry().name(for: Old.self)
        // Under a name that it does not know, the value has a version, but the type has none in the archive.
        #expect(try ArchiveDecoder().decode([New].self, from: data)[0].versions == [4, nil])
        var decoder = ArchiveDecoder()
        decoder.classes.register(New.self, name: "New", aliases: [oldName])
        #expect(try decoder.decode([New].self, from: data)[0].versions == [4, 4])
    }

    @Test func `of each class of a chain is available in its initializer`() throws {
        class Animal: Codable, ArchiveDescribing {
            class var archiveVersion: Int { 2 }
            private(set) var seen: [Int?] = []
            init() {}
            required init(from decoder: any Decoder) throws {
                seen = [decoder.archivedVersion(), decoder.archivedVersion(of: Animal.self)]
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(1, forKey: "animal")
            }
        }
        class Flat: Animal {
            override class var archiveVersion: Int { 6 }
            private(set) var flat: [Int?] = []
            override init() { super.init() }
            required init(from decoder: any Decoder) throws {
                flat = [decoder.archivedVersion(), decoder.archivedVersion(of: Flat.self)]
                try super.init(from: decoder)
            }
        }
        class Nested: Animal {
            override class var archiveVersion: Int { 8 }
            private(set) var nested: [Int?] = []
            override init() { super.init() }
            required init(from decoder: any Decoder) throws {
                nested = [
                    decoder.archivedVersion(), decoder.archivedVersion(of: Nested.self),
                    decoder.archivedVersion(of: Animal.self), decoder.archivedVersion(of: Flat.self),
                ]
                try super.init(from: decoder.container(keyedBy: AnyKey.self).superDecoder())
            }
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                try super.encode(to: container.superEncoder())
            }
        }
        let flat = try roundTrip([Flat()])[0]
        #expect(flat.flat == [6, 6])
        #expect(flat.seen == [6, 2])
        let nested = try roundTrip([Nested()])[0]
        #expect(nested.nested == [8, 8, 2, nil])
        #expect(nested.seen == [2, 2])
    }

    @Test func `is its own class's where superclass and subclass have the same last name`() throws {
        enum Old {
            class Item: Codable, ArchiveDescribing {
                class var archiveVersion: Int { 1 }
                var seen: Int?
                init() {}
                required init(from decoder: any Decoder) throws { seen = decoder.archivedVersion(of: Old.Item.self) }
                func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: AnyKey.self) }
            }
        }
        enum New {
            final class Item: Old.Item {
                override class var archiveVersion: Int { 2 }
            }
        }
        #expect(try roundTrip([New.Item()])[0].seen == 1)
        #expect(try roundTrip([Old.Item()])[0].seen == 1)
    }

    @Test func `is none with other decoders, and of what is no object`() throws {
        let json = try JSONDecoder().decode(Versions.self, from: Data("{}".utf8))
        #expect(json.own == nil && json.ofSelf == nil)
        for plain in [5, "text", true, 1.5] as [PropertyList] {
            let data = try handmadeArchive(
                ["NS.objects": [plain], "$class": .uid(2)],
                ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]])
            let versions = try ArchiveDecoder().decode([Versions].self, from: data)
            #expect(versions[0].own == nil && versions[0].ofSelf == nil)
        }
    }

    @Test func `of an enumeration is there when it is an object`() throws {
        enum Kind: String, Codable, ArchiveDescribing {
            case a
            static let archiveVersion = 3
        }
        enum Payload: Codable, ArchiveDescribing {
            case some(Int)
            static let archiveVersion = 4
        }
        #expect(try entries([Kind.a])["Kind"] == nil)
        #expect(try entries([Payload.some(1)])["Payload"]?["$classversions"] == [4])
        #expect(try entries([Polymorphic<any Codable>(wrappedValue: Kind.a)])["Kind"]?["$classversions"] == [3])
        #expect(try transcode([Polymorphic<any Codable>(wrappedValue: Kind.a)], as: [Versions].self)[0].own == 3)
    }

    @Test(
        arguments: [
            nil, 5, "7", [], [.uid(1)], ["7"], [1.5], [true], [[7]], ["x": 7], .uid(0), .uid(99),
        ] as [PropertyList?])
    func `that is damaged is no version`(versions: PropertyList?) throws {
        var entry: PropertyList.Dictionary = ["$classname": "Versioned", "$classes": ["Versioned", "NSObject"]]
        if let versions { entry["$classversions"] = versions }
        let data = try handmadeArchive(["$class": .uid(2)], .dictionary(entry))
        // An invalid uid is damage that another check may report.
        #expect(try ArchiveDecoder().decode(Versions.self, from: data).own == (versions == .uid(99) ? nil : 0))
    }

    @Test func `beyond the chain is passed over`() throws {
        let data = try handmadeArchive(
            ["$class": .uid(2)],
            ["$classname": "Versioned", "$classes": ["Versioned", "Contact"], "$classversions": [7, 2, 9]])
        let versions = try ArchiveDecoder().decode(Versions.self, from: data)
        #expect(versions.own == 7 && versions.ofSelf == 7 && versions.ofOther == 2)
        let short = try handmadeArchive(
            ["$class": .uid(2)],
            ["$classname": "Versioned", "$classes": ["Versioned", "Contact"], "$classversions": [7]])
        #expect(try ArchiveDecoder().decode(Versions.self, from: short).ofOther == 0)
        let chainless = try handmadeArchive(["$class": .uid(2)], ["$classname": "Versioned", "$classversions": [7]])
        #expect(try ArchiveDecoder().decode(Versions.self, from: chainless).ofSelf == 7)
    }

    private struct Note: Codable, ArchiveDescribing {
        static let archiveName = "Note"
        static let archiveVersion = 3
        var title: String
    }

    private struct NewerNote: Codable, ArchiveDescribing {
        static let archiveName = "Note"
        static let archiveVersion = 4
        var heading: String
    }

    private final class Item: Coding, ArchiveDescribing {
        static let archiveName = "Item"
        static let archiveVersion = 1
        let title: String
        init(coder: KeyedUnarchiver) throws { title = try coder.decode(String.self, forKey: "title") }
        func encode(with coder: KeyedArchiver) throws {}
    }

    private final class NewerItem: Coding, ArchiveDescribing {
        static let archiveName = "Item"
        static let archiveVersion = 2
        init() {}
        init(coder: KeyedUnarchiver) throws {}
        func encode(with coder: KeyedArchiver) throws {}
    }

    @Test func `that is newer is the reason for a missing key`() throws {
        let error = try failure(decoding: [Note].self, fromArchiveOf: [NewerNote(heading: "a")])
        #expect(error.kind == .keyNotFound && error.key == "title")
        #expect(
            error.text
                == "A newer version of the program wrote the object: The Note at \"[0]\" has version 4, a newer version: this"
                + " program knows the versions up to 3. Open it with the program that wrote it. No value for the key"
                + " \"title\" at \"[0]\". The keys are \"heading\"")
        let same = try failure(decoding: [NewerNote].self, fromArchiveOf: [Note(title: "a")])
        #expect(same.says("No value for the key \"heading\"") && !same.says("newer version"))
        let data = try KeyedArchiver.archivedData(withRootObject: NewerItem())
        let item = try #require(throws: ArchivingError.self) {
            try KeyedUnarchiver.unarchivedObject(of: Item.self, from: data)
        }
        #expect(item.code == .valueNotFound && item.description.contains("has version 2, a newer version"))
    }

    private enum Shape: String, Codable { case circle }

    /// A value of version 1, as a program reads it that version 2 has changed in one property.
    private struct Figure: Codable, ArchiveDescribing {
        static let archiveName = "Figure"
        static let archiveVersion = 1
        var corners: Int
        var shape: Shape
        var size: Int8
        var name: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            corners = try container.decode(Int.self, forKey: .corners)
            shape = try container.decode(Shape.self, forKey: .shape)
            size = try container.decode(Int8.self, forKey: .size)
            name = try container.decode(String.self, forKey: .name)
            guard !name.isEmpty else {
                throw DecodingError.dataCorruptedError(forKey: .name, in: container, debugDescription: "Too short")
            }
        }
    }

    private struct NewerFigure: Codable, ArchiveDescribing {
        static let archiveName = "Figure"
        static let archiveVersion = 2
        var corners = PropertyList.integer(4)
        var shape = "circle"
        var size = 7
        var name = "a"
        var inner: [NewerFigure]?
    }

    private static let newer: [(figure: NewerFigure, kind: CodingFailure.Kind, key: String, finding: String)] = [
        (NewerFigure(corners: "four"), .typeMismatch, "corners", "Found the string \"four\""),
        (NewerFigure(shape: "square"), .dataCorrupted, "shape", "Cannot initialize Shape"),
        (NewerFigure(size: 300), .dataCorrupted, "size", "Found the integer 300"),
        (NewerFigure(name: ""), .dataCorrupted, "name", "Too short"),
    ]

    @Test(arguments: newer.indices)
    func `that is newer is the reason for any error of the value`(index: Int) throws {
        let (figure, kind, key, finding) = Self.newer[index]
        let error = try failure(decoding: [String: [Figure]].self, fromArchiveOf: ["all": [figure]])
        #expect(error.kind == kind && error.path == "all[0].\(key)")
        let version = "The Figure at \"all[0]\" has version 2, a newer version: this program knows the versions up to 1"
        for text in [version, finding, "Open it with the program that wrote it"] {
            #expect(error.text.split(separator: text, omittingEmptySubsequences: false).count == 2, "\(error.text)")
        }
        let root = try failure(decoding: Figure.self, fromArchiveOf: figure)
        #expect(root.says("has version 2, a newer version", finding))
        let unarchiver = try KeyedUnarchiver(forReadingFrom: ArchiveEncoder().encode(figure))
        let own = try #require(throws: ArchivingError.self) { try unarchiver.decode(Figure.self, forKey: "root") }
        #expect(own.description.contains("a newer version") && own.description.contains(finding))
        #expect(own.errorDescription == "The archive has an object of a newer version of the program.")
        let archive = try KeyedArchive(ArchiveEncoder().encode(["all": [figure]]))
        let part = try failure { try archive.root["all"]?.decode([Figure].self) }
        #expect(part.says("The Figure at \"[0]\" has version 2", finding))
    }

    private struct Drawing: Codable, ArchiveDescribing {
        static let archiveName = "Drawing"
        static let archiveVersion = 1
        var figures: [Figure]
    }

    private struct NewerDrawing: Codable, ArchiveDescribing {
        static let archiveName = "Drawing"
        static let archiveVersion = 9
        var figures: [NewerFigure]
    }

    @Test func `that is newer is named once, for the innermost object`() throws {
        let error = try failure(
            decoding: Drawing.self, fromArchiveOf: NewerDrawing(figures: [NewerFigure(corners: "four")]))
        #expect(error.says("The Figure at \"figures[0]\" has version 2") && !error.says("version 9"))
    }

    @Test func `that is newer is no reason for a limit or for damage`() throws {
        var decoder = ArchiveDecoder()
        decoder.limits.nesting = 2
        let data = try ArchiveEncoder().encode([[[NewerFigure(corners: "four")]]])
        let limit = try failure { try decoder.decode([[[Figure]]].self, from: data) }
        #expect(limit.says("nested deeper") && !limit.says("newer version"))
        let damaged = try failure {
            try ArchiveDecoder().decode(
                Figure.self,
                from: handmadeArchive(
                    ["$class": .uid(2), "corners": .uid(99)],
                    ["$classname": "Figure", "$classes": ["Figure", "NSObject"], "$classversions": [2]]))
        }
        #expect(damaged.says("99") && !damaged.says("newer version"))
    }
}
