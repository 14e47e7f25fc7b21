// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

// A drawing program in two versions: the second has patterns, of which the first knows nothing.

private protocol Mark: Codable {}

extension UnknownObject: Mark {}

private final class Pen: Codable {
    var name: String

    init(_ name: String) { self.name = name }
}

private final class Line: Mark {
    var pen: Pen
    var length: Int

    init(_ pen: Pen, length: Int) { (self.pen, self.length) = (pen, length) }
}

private class Texture: Mark {
    var pen: Pen

    init(_ pen: Pen) { self.pen = pen }
}

private final class Pattern: Texture {
    struct Grid: Codable, Equatable {
        var rows: Int8
        var spacing: [Double]
    }

    var tile: Float = 0.1
    var key = UInt64.max
    var dollar = "$price"
    var image = Data([1, 2, 3])
    var made = Date(timeIntervalSinceReferenceDate: 86_400.5)
    var grid = Grid(rows: -3, spacing: [0.5, 2])
    var pens: [String: Pen] = [:]
    var nothing: Int?
    @WeakReference var sheet: Sheet?
    @Reference var next: Pattern?

    private enum CodingKeys: String, CodingKey {
        case tile, key
        case dollar = "$price"
        case image, made, grid, pens, nothing, sheet, next
    }

    override init(_ pen: Pen) { super.init(pen) }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        tile = try container.decode(Float.self, forKey: .tile)
        key = try container.decode(UInt64.self, forKey: .key)
        dollar = try container.decode(String.self, forKey: .dollar)
        image = try container.decode(Data.self, forKey: .image)
        made = try container.decode(Date.self, forKey: .made)
        grid = try container.decode(Grid.self, forKey: .grid)
        pens = try container.decode([String: Pen].self, forKey: .pens)
        nothing = try container.decodeIfPresent(Int.self, forKey: .nothing)
        _sheet = try container.decode(WeakReference<Sheet>.self, forKey: .sheet)
        _next = try container.decode(Reference<Pattern>.self, forKey: .next)
        try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(tile, forKey: .tile)
        try container.encode(key, forKey: .key)
        try container.encode(dollar, forKey: .dollar)
        try container.encode(image, forKey: .image)
        try container.encode(made, forKey: .made)
        try container.encode(grid, forKey: .grid)
        try container.encode(pens, forKey: .pens)
        try container.encodeNil(forKey: .nothing)
        try container.encode(_sheet, forKey: .sheet)
        try container.encode(_next, forKey: .next)
        try super.encode(to: container.superEncoder())
    }
}

private final class Sheet: Codable {
    var title: String
    var pens: [Pen]
    @Polymorphic var marks: [any Mark]

    init(_ title: String, pens: [Pen], marks: [any Mark]) {
        (self.title, self.pens, self.marks) = (title, pens, marks)
    }
}

private func registry(
    knowsPatterns: Bool, _ policy: ClassRegistry.UnknownClassPolicy = .fail
) -> ClassRegistry {
    var classes = ClassRegistry()
    classes.register(Pen.self, name: "Pen")
    classes.register(Line.self, name: "Line")
    classes.register(Sheet.self, name: "Sheet")
    if knowsPatterns {
        classes.register(Texture.self, name: "Texture")
        classes.register(Pattern.self, name: "Pattern")
    }
    classes.unknownClasses = policy
    return classes
}

private func encoder(knowsPatterns: Bool, sorted: Bool = false) -> ArchiveEncoder {
    var encoder = ArchiveEncoder()
    encoder.classes = registry(knowsPatterns: knowsPatterns)
    if sorted { encoder.outputFormatting = .sortedKeys }
    return encoder
}

private func decoder(knowsPatterns: Bool, _ policy: ClassRegistry.UnknownClassPolicy = .fail) -> ArchiveDecoder {
    var decoder = ArchiveDecoder()
    decoder.classes = registry(knowsPatterns: knowsPatterns, policy)
    return decoder
}

/// A sheet with a line, and two patterns that refer to each other, to the sheet, and to the sheet's pens.
private func sheet() -> Sheet {
    let (red, blue, hidden) = (Pen("red"), Pen("blue"), Pen("hidden"))
    let (first, second) = (Pattern(red), Pattern(blue))
    first.pens = ["edge": blue, "other": hidden]
    first.next = second
    second.next = first
    let sheet = Sheet("one", pens: [red, blue], marks: [Line(red, length: 4), first])
    first.sheet = sheet
    return sheet
}

@Suite(.inTurn) struct `An object of an unknown class` {
    private let archive: Data

    init() throws { archive = try encoder(knowsPatterns: true).encode(sheet()) }

    private func placeholders() throws -> Sheet {
        try decoder(knowsPatterns: false, .placeholder).decode(Sheet.self, from: archive)
    }

    @Test func `holds its class, its keys and its values`() throws {
        let sheet = try placeholders()
        #expect(sheet.marks.count == 2)
        #expect((sheet.marks[0] as? Line)?.length == 4)
        let unknown = try #require(sheet.marks[1] as? UnknownObject)
        #expect(unknown.value.className == "Pattern")
        #expect(unknown.value.class?.chain == ["Pattern", "Texture", "NSObject"])
        #expect(
            Set(unknown.value.keys) == [
                "tile", "key", "$price", "image", "made", "grid", "pens", "nothing", "sheet", "next", "super",
            ])
        #expect(unknown.value["tile"]?.float == 0.1)
        #expect(unknown.value["tile"]?.double == 0.10000000149011612)
        #expect(unknown.value["key"]?.int128 == 18_446_744_073_709_551_615)
        #expect(unknown.value["$price"]?.string == "$price")
        #expect(unknown.value["image"]?.data == Data([1, 2, 3]))
        #expect(unknown.value["made"]?.date == Date(timeIntervalSinceReferenceDate: 86_400.5))
        #expect(unknown.value["grid"]?["rows"]?.integer == -3)
        #expect(unknown.value["grid"]?["spacing"]?.elements.map(\.double) == [0.5, 2])
        #expect(unknown.value["nothing"]?.isNull == true)
        #expect(unknown.value["none"] == nil)
        #expect(unknown.value["next"]?["next"] == unknown.value)
        #expect(unknown.value["next"]?["super"]?["pen"] == unknown.value["pens"]?["edge"])
        #expect(
            try unknown.value["pens"]?["other"]?.decode(Pen.self, using: decoder(knowsPatterns: false)).name == "hidden"
        )
    }

    @Test(arguments: [false, true], [PropertyListFormat.binary, .xml])
    func `is still there when the graph is encoded again`(sorted: Bool, format: PropertyListFormat) throws {
        var second = encoder(knowsPatterns: false, sorted: sorted)
        second.outputFormat = format
        // Twice, so that what was written of an unknown object is read as one.
        var data = try second.encode(placeholders())
        data = try second.encode(decoder(knowsPatterns: false, .placeholder).decode(Sheet.self, from: data))

        let sheet = try decoder(knowsPatterns: true).decode(Sheet.self, from: data)
        let pattern = try #require(sheet.marks[1] as? Pattern)
        #expect(pattern.tile == 0.1)
        #expect(pattern.key == .max)
        #expect(pattern.dollar == "$price")
        #expect(pattern.image == Data([1, 2, 3]))
        #expect(pattern.made == Date(timeIntervalSinceReferenceDate: 86_400.5))
        #expect(pattern.grid == Pattern.Grid(rows: -3, spacing: [0.5, 2]))
        #expect(pattern.pens["other"]?.name == "hidden")
        // What it shares with others it still shares.
        #expect(pattern.pen === sheet.pens[0])
        #expect(pattern.pens["edge"] === sheet.pens[1])
        #expect(pattern.sheet === sheet)
        let next = try #require(pattern.next)
        #expect(next.next === pattern)
        #expect(next.pen === sheet.pens[1])
        #expect((sheet.marks[0] as? Line)?.pen === pattern.pen)
    }

    @Test func `has the same objects as the archive that it was read from`() throws {
        let again = try InspectedArchive(encoder(knowsPatterns: false).encode(placeholders()))
        let before = try InspectedArchive(archive)
        for name in ["Pen", "Line", "Pattern", "Sheet"] {
            #expect(again.count(ofClass: name) == before.count(ofClass: name), "\(name)")
        }
        #expect(again.objects.contains(.real32(0.1)) || again.objects.contains { $0["tile"] == .real32(0.1) })
        #expect(again.classNames.filter { $0 == "Pattern" }.count == 1)
    }

    @Test func `keeps as it was what the program has let go of`() throws {
        let sheet = try placeholders()
        sheet.pens = []
        sheet.marks.removeFirst()
        let data = try encoder(knowsPatterns: false).encode(sheet)
        let again = try decoder(knowsPatterns: true).decode(Sheet.self, from: data)
        let pattern = try #require(again.marks[0] as? Pattern)
        #expect(pattern.pen.name == "red")
        #expect(pattern.pens["edge"]?.name == "blue")
        #expect(pattern.pens["edge"] === pattern.next?.pen)
        #expect(pattern.sheet === again)
    }

    @Test func `is one instance, however often it is referred to`() throws {
        let pattern = Pattern(Pen("red"))
        let sheet = Sheet("two", pens: [], marks: [pattern, pattern, Pattern(Pen("blue"))])
        let data = try encoder(knowsPatterns: true).encode(sheet)
        let again = try decoder(knowsPatterns: false, .placeholder).decode(Sheet.self, from: data)
        let unknown = again.marks.compactMap { $0 as? UnknownObject }
        #expect(unknown.count == 3)
        #expect(unknown[0] === unknown[1])
        #expect(unknown[0] == unknown[1])
        #expect(unknown[0] != unknown[2])
        #expect(Set(unknown).count == 2)
        let inspected = try InspectedArchive(encoder(knowsPatterns: false).encode(again))
        #expect(inspected.count(ofClass: "Pattern") == 2)
    }

    @Test func `is copied with the graph around it`() throws {
        let copy = try deepCopy(of: placeholders())
        let unknown = try #require(copy.marks[1] as? UnknownObject)
        #expect(unknown.value.className == "Pattern")
        copy.pens[0].name = "green"
        let again = try decoder(knowsPatterns: true).decode(
            Sheet.self, from: encoder(knowsPatterns: false).encode(copy))
        #expect((again.marks[1] as? Pattern)?.pen.name == "green")
        #expect((again.marks[1] as? Pattern)?.next?.next === again.marks[1] as? Pattern)
    }

    @Test func `can be requested itself, whatever the policy and the class`() throws {
        let sheet = try decoder(knowsPatterns: true).decode(UnknownObject.self, from: archive)
        #expect(sheet.value.className == "Sheet")
        #expect(sheet.value["title"]?.string == "one")
        struct Holder: Codable {
            var one: UnknownObject
            var none: UnknownObject?
            @Reference var later: UnknownObject?
            @Coded var coded: UnknownObject
        }
        let holder = Holder(one: sheet, later: Reference(wrappedValue: sheet), coded: sheet)
        let again = try ArchiveDecoder().decode(Holder.self, from: ArchiveEncoder().encode(holder))
        #expect(again.one.value.className == "Sheet")
        #expect(again.none == nil)
        #expect(again.later === again.one)
        #expect(again.coded === again.one)
        let back = try decoder(knowsPatterns: true).decode(Sheet.self, from: ArchiveEncoder().encode(again.one))
        #expect((back.marks[1] as? Pattern)?.sheet === back)
    }

    @Test func `is an error without the policy`() {
        let error = #expect(throws: DecodingError.self) {
            try decoder(knowsPatterns: false).decode(Sheet.self, from: archive)
        }
        #expect("\(String(describing: error))".contains("Pattern"))
    }

    @Test func `is an error if only a class of the program is allowed`() throws {
        struct Box: Codable { var texture: Texture }
        let data = try encoder(knowsPatterns: true).encode(Box(texture: Pattern(Pen("red"))))
        var decoder = ArchiveDecoder()
        decoder.classes.register(Texture.self, name: "Texture")
        decoder.classes.register(Pen.self, name: "Pen")
        decoder.classes.unknownClasses = .placeholder
        let error = #expect(throws: DecodingError.self) { try decoder.decode(Box.self, from: data) }
        let text = String(describing: error)
        #expect(text.contains("an UnknownObject is no Texture"), "\(text)")
        #expect(text.contains("Pattern"))
    }

    @Test func `cannot be written by other encoders`() throws {
        let unknown = try #require(placeholders().marks[1] as? UnknownObject)
        let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode([unknown]) }
        #expect(String(describing: error).contains("Pattern"))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([UnknownObject].self, from: Data("[{}]".utf8))
        }
    }

    @Test func `outlives the data that it was read from, and the decoder`() throws {
        let unknown: UnknownObject = try {
            let copy = Data(archive.map { $0 })
            let sheet = try decoder(knowsPatterns: false, .placeholder).decode(Sheet.self, from: copy)
            return try #require(sheet.marks[1] as? UnknownObject)
        }()
        let data = try ArchiveEncoder().encode(unknown)
        let pattern = try decoder(knowsPatterns: true).decode(Pattern.self, from: data)
        #expect(pattern.pens["other"]?.name == "hidden")
        #expect(pattern.next?.next === pattern)
    }
}
