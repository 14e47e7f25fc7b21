// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

private protocol Motif: Codable {}

private struct Line: Motif {}

private struct Pattern: Motif {
    var name = "Stripes"
}

extension UnknownObject: Motif {}

/// Those of archives that are looked into, and changed.
extension `Examples in documentation comments` {
    private struct Owner: Codable {
        var name = "Ann"
    }

    private struct Barn: Codable {
        var name = "South"
    }

    private final class Cow: Codable {
        var name: String
        var age = 4
        var barn = Barn()
        var home = Barn()

        init(_ name: String) { self.name = name }
    }

    private struct Farm: Codable {
        var animals = ["Ada", "Eve", "Ida", "Bella"].map { Cow($0) }
        var owner = Owner()
        var barn = Barn()
    }

    private static func farm() throws -> Data {
        var encoder = ArchiveEncoder()
        encoder.classes.register(Cow.self, name: "Farm.Cow")
        encoder.classes.register(Owner.self, name: "Owner")
        return try encoder.encode(Farm())
    }

    @Test func `the example of characters that XML does not have works`() throws {
        let list: PropertyList = ["title": "Bell\u{7}"]
        let (replaced, count) = list.replacingCharactersUnrepresentableInXML()
        print(replaced["title"]?.string ?? "", count)  // Bell� 1
        let xml = try replaced.data(format: .xml)
        #expect(try PropertyList(xml) == ["title": "Bell\u{FFFD}"])
    }

    @Test func `the examples of mixed dictionaries work`() throws {
        struct Color: Codable {
            var red = 0.5
        }
        struct Favourites: Codable {
            var name = "Documents"
            var color = Color()
        }
        do {
            let data = try ArchiveEncoder().encode(["visible": true])
            let settings = try ArchiveDecoder().decode([String: PropertyList].self, from: data)
            #expect(settings == ["visible": true])
        }
        let data = try ArchiveEncoder().encode(Favourites())
        let favourites = try ArchiveDecoder().decode([String: KeyedArchive.Value].self, from: data)
        let name = favourites["name"]?.string
        let color = try favourites["color"]?.decode(Color.self)
        #expect(name == "Documents" && color?.red == 0.5)
    }

    @Test func `the example of KeyedArchive and its values works`() throws {
        try TemporaryFolder.with { folder in
            let url = folder["farm"]
            try Self.farm().write(to: url)
            do {
                let archive = try KeyedArchive(contentsOf: url)
                print(archive.root["animals"]?[3].className ?? "no class")
                let owner = try archive.root["owner"]!.decode(Owner.self)
                print(archive)
                #expect(owner.name == "Ann")
            }
            let archive = try KeyedArchive(contentsOf: url)
            let owner = try archive.root["owner"]!.decode(Owner.self)
            #expect(owner.name == "Ann")
        }
        let archive = try KeyedArchive(Self.farm())
        let animal = archive.root["animals"]![3]
        _ = animal.className  // "Farm.Cow"
        _ = animal["name"]?.string  // "Bella"
        _ = animal["barn"] == archive.root["barn"]  // the same object?
        #expect(animal.className == "Farm.Cow" && animal["name"]?.string == "Bella")
        _ = archive["root", "animals", 3, "name"]?.string  // "Bella"
        let path: KeyedArchive.Path = ["root", "animals", 3]
        print(path)  // root.animals[3]
        #expect(archive["root", "animals", 3, "name"]?.string == "Bella" && archive[path] == animal)
    }

    @Test func `the example of KeyedArchive.dump works`() throws {
        let archive = try KeyedArchive(ArchiveEncoder().encode(["one"]))
        struct StandardError: TextOutputStream {
            func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
        }
        var output = StandardError()
        archive.dump(to: &output, depthLimit: 2, listsClasses: true)
        output.write("")
    }

    @Test func `a dump has its parameters`() throws {
        let archive = try openArchive(
            ["name": .uid(2), "$class": .uid(3)], .string(String(repeating: "a", count: 50)), classEntry("Farm.Cow"))
        var text = ""
        archive.dump(to: &text, stringLimit: 40, showsUIDs: false, listsClasses: true)
        #expect(
            text == """
                Keyed archive by NSKeyedArchiver, binary, 4 objects
                root: Farm.Cow
                    name: "\(String(repeating: "a", count: 40))"… (length 50)

                Classes:
                    class Farm.Cow #3: NSObject
                """)
    }

    @Test func `the example of KeyedArchive.nesting works`() throws {
        let archive = try KeyedArchive(ArchiveEncoder().encode([["a": [1]]]))
        let (depth, path) = archive.nesting()
        #expect(depth == 3 && path == [.key("root"), .index(0), .key("a")])
    }

    @Test func `the example of KeyedArchive.sizes works`() throws {
        let archive = try KeyedArchive(Self.farm())
        let sizes = try archive.sizes()
        for object in archive.objects { print(object.className ?? "", sizes.byteCount(of: object)) }
        let objects = archive.objects.map { sizes.byteCount(of: $0) }.reduce(0, +)
        let all = objects + sizes.sharedByteCount + sizes.headByteCount + sizes.frameByteCount
        #expect(try all == archive.data().count)
    }

    @Test func `the example of foundationValue works`() throws {
        let frame: PropertyList = ["NS.special": 3, "NS.rectval": "{{1, 2}, {30, 40}}", "$class": .uid(2)]
        let archive = try openArchive(
            top: ["root": .uid(3)], frame, classEntry("NSValue"),
            ["NS.keys": ["frame"], "NS.objects": [.uid(1)], "$class": .uid(4)], classEntry("NSDictionary"))
        switch try archive.root["frame"]?.foundationValue() {
        case .rect(let x, let y, let width, let height)?: print("at \(x), \(y): \(width) by \(height)")
        case .attributedString(let text, _)?: print(text)
        default: break
        }
        if case .dictionary(let entries)? = try archive.root.foundationValue() {
            for (key, value) in entries { print(key.string ?? "?", try value.foundationValue() as Any) }
        }
        #expect(archive.root["frame"]?.className == "NSValue")
    }

    @Test func `the example of FoundationValue.Record works`() throws {
        let style: PropertyList = ["NSLineSpacing": 1.5, "$class": .uid(2)]
        let archive = try openArchive(
            top: ["root": .uid(3)], style, classEntry("NSParagraphStyle"),
            ["NS.keys": ["NSParagraphStyle"], "NS.objects": [.uid(1)], "$class": .uid(4)], classEntry("NSDictionary"))
        if case .record(let style)? = try archive.root["NSParagraphStyle"]?.foundationValue() {
            print(style["lineSpacing"]?.value ?? "not set")
        }
        guard case .record(let record)? = try archive.root["NSParagraphStyle"]?.foundationValue() else {
            Issue.record("no record")
            return
        }
        #expect(record["lineSpacing"]?.value?.description == "1.5")
    }

    @Test func `the example of the contents of a PropertyList works`() throws {
        let data = try ArchiveEncoder().encode("Bella")
        let list = try PropertyList(data)
        let name = list["$archiver"]?.string
        let count = list["$objects"]?.array?.count
        #expect(name == "NSKeyedArchiver" && count == 2)
    }

    @Test func `the example of KeyedArchive and PropertyList works`() throws {
        let archive = try KeyedArchive([
            "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
            "$objects": ["$null", "Bella"],
        ])
        _ = archive.root.string  // "Bella"
        #expect(archive.root.string == "Bella")
        do {
            let archive = try KeyedArchive(ArchiveEncoder().encode(Owner()))
            _ = try archive.root.propertyList()
            // { "name": uid 2, "age": 4, "$class": uid 3 }
            let list = try archive.root.propertyList()
            #expect(list["name"] == .uid(2) && list["$class"] == .uid(3))
        }
    }

    @Test func `the example of KeyedArchiveEditor works`() throws {
        var encoder = ArchiveEncoder()
        encoder.classes.register(Cow.self, name: "OldFarm.Cow")
        try TemporaryFolder.with { folder in
            let url = folder["farm"]
            try encoder.encode(Farm()).write(to: url)
            do {
                var editor = try KeyedArchiveEditor(KeyedArchive(contentsOf: url))
                try editor.renameClass("OldFarm.Cow", to: "Cow")
                try editor.set("Bella", at: ["root", "animals", 3, "name"])
                try editor.remove(at: ["root", "owner"])
                try editor.propertyList.data().write(to: url, options: .atomic)
            }
            let archive = try KeyedArchive(contentsOf: url)
            #expect(archive.root["animals"]?[3]["name"]?.string == "Bella" && archive.root["owner"] == nil)
            #expect(archive.root["animals"]?[0].className == "Cow")
        }
        var editor = try KeyedArchiveEditor(KeyedArchive(encoder.encode(Farm())))
        let barn = try editor.addObject(ofClass: "Farm.Barn", fields: ["name": "North", "stalls": 12])
        try editor.set(.uid(barn), at: ["root", "barn"])
        try editor.set(7, at: ["root", "animals", 3, "age"])
        try editor.set(.uid(barn), at: ["root", "animals", 3, "home"])
        let archive = try editor.archive()
        #expect(archive.root["barn"]?["stalls"]?.integer == 12)
        #expect(archive.root["animals"]?[3]["age"]?.integer == 7)
        #expect(archive.root["animals"]?[3]["home"] == archive.root["barn"])
    }

    @Test func `the example of UnknownObject works`() throws {
        struct Drawing: Codable {
            @Polymorphic var shapes: [any Motif]
        }
        var encoder = ArchiveEncoder()
        encoder.classes.register(Pattern.self, name: "Pattern")
        let data = try encoder.encode(Drawing(shapes: [Pattern()]))
        var decoder = ArchiveDecoder()
        decoder.classes.unknownClasses = .placeholder
        let drawing = try decoder.decode(Drawing.self, from: data)  // has a "Pattern", which this version does not know

        for case let unknown as UnknownObject in drawing.shapes {
            print(unknown.value.className ?? "", unknown.value["name"]?.string ?? "")
        }
        let saved = try ArchiveEncoder().encode(drawing)  // and the "Pattern" is still there
        #expect(try KeyedArchive(saved).root["shapes"]?[0].className == "Pattern")
        #expect(try KeyedArchive(saved).root["shapes"]?[0]["name"]?.string == "Stripes")
    }
}
