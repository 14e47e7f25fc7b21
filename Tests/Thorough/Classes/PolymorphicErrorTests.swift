// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private protocol Shape {
    var area: Double { get }
}

private struct Square: Shape, Codable {
    var side: Double
    var area: Double { side * side }
}

private struct Circle: Shape, Codable {
    var radius: Double
    var area: Double { 3 * radius * radius }
}

/// Codable, but no shape.
private struct Colour: Codable {
    var red: Double
}

/// A shape, but not Codable.
private struct Secret: Shape {
    var area: Double { 0 }
}

private struct Drawing: Codable {
    @Polymorphic var shapes: [any Shape]
}

private struct Picture: Codable {
    @Polymorphic var shape: any Shape
}

@Suite(.inTurn) struct `A polymorphic value that cannot be read` {
    private var decoder: ArchiveDecoder {
        var decoder = ArchiveDecoder()
        decoder.classes.register(Square.self, name: "Square")
        decoder.classes.register(Colour.self, name: "Colour")
        decoder.classes.register(Secret.self, name: "Secret")
        return decoder
    }

    /// An archive of a picture whose shape is `shape`, with one class entry behind it.
    private func picture(_ shape: PropertyList, _ entry: PropertyList) throws -> Data {
        try handmadeArchive(
            ["shape": shape, "$class": .uid(4)], shape == .uid(2) ? ["side": 2.5, "$class": .uid(3)] : "unused", entry,
            classEntry("Picture"))
    }

    @Test func `is read where nothing is wrong`() throws {
        let data = try picture(.uid(2), classEntry("Square"))
        #expect(try decoder.decode(Picture.self, from: data).shape.area == 6.25)
    }

    @Test func `because its type is not registered is named, with the place`() throws {
        let data = try ArchiveEncoder().encode(Drawing(shapes: [Square(side: 1), Circle(radius: 2)]))
        var decoder = ArchiveDecoder()
        decoder.classes.register(Square.self)
        let error = try failure { try decoder.decode(Drawing.self, from: data) }
        #expect(error.kind == .typeMismatch)
        #expect(error.path == "shapes[1]")
        #expect(error.says(ClassRegistry().name(for: Circle.self), "shapes[1]", "Shape", "register"))
        let none = try failure(decoding: Drawing.self, from: data)
        #expect(none.path == "shapes[0]" && none.says(ClassRegistry().name(for: Square.self)))
    }

    @Test(arguments: ["Colour", "Secret"])
    func `because what is registered is no such type, or cannot be decoded`(name: String) throws {
        struct Red: Encodable { var red = 1.0 }
        let data = try handmadeArchive(
            ["shape": .uid(2), "$class": .uid(4)], ["red": 1.0, "side": 1.0, "$class": .uid(3)], classEntry(name),
            classEntry("Picture"))
        let error = try failure { try decoder.decode(Picture.self, from: data) }
        #expect(error.kind == .typeMismatch)
        #expect(error.path == "shape")
        #expect(error.says(name, "Shape"))
        #expect(error.says("`protocol Shape: Codable`") == (name == "Secret"))
    }

    @Test func `because of one of its fields says where`() throws {
        let data = try handmadeArchive(
            ["NS.objects": [.uid(2)], "$class": .uid(4)], ["side": "long", "$class": .uid(3)], classEntry("Square"),
            classEntry("NSArray"))
        let error = try failure { try decoder.decode(Polymorphic<[any Shape]>.self, from: data) }
        #expect(error.kind == .typeMismatch)
        #expect(error.path == "[0].side")
    }

    @Test func `because it is no object`() throws {
        for (shape, word) in [(5, "integer 5"), ("text", "text"), ([:], "dictionary")] as [(PropertyList, String)] {
            let error = try failure { try decoder.decode(Picture.self, from: picture(shape, "unused")) }
            #expect(error.kind == .typeMismatch)
            #expect(error.path == "shape")
            #expect(error.says(word, "Shape"))
        }
    }

    @Test func `because it is nil, or not there`() throws {
        let null = try failure { try decoder.decode(Picture.self, from: picture(.uid(0), "unused")) }
        #expect(null.kind == .valueNotFound)
        #expect(null.path == "shape")
        let missing = try failure { try decoder.decode(Picture.self, from: ArchiveEncoder().encode([String: Int]())) }
        #expect(missing.kind == .keyNotFound)
        #expect(missing.key == "shape")
    }

    @Test(
        arguments: [
            "Square", 7, [], ["$classes": ["Square"]], ["$classname": 5, "$classes": ["Square"]],
            ["$classname": ["Square"]], "$null",
        ] as [PropertyList])
    func `because its class entry is none`(entry: PropertyList) throws {
        let error = try failure { try decoder.decode(Picture.self, from: picture(.uid(2), entry)) }
        #expect(error.kind == .dataCorrupted)
        #expect(error.path == "shape")
    }

    @Test(arguments: [.uid(0), .uid(99)] as [PropertyList])
    func `because its class is missing`(reference: PropertyList) throws {
        let data = try handmadeArchive(["side": 1.0, "$class": reference])
        let error = try failure { try decoder.decode(Polymorphic<any Shape>.self, from: data) }
        #expect(error.kind == .dataCorrupted)
    }

    @Test func `because its type is one of Foundation's is named too`() throws {
        let data = try ArchiveEncoder().encode([Date()])
        let error = try failure { try decoder.decode(Polymorphic<[any Shape]>.self, from: data) }
        #expect(error.kind == .typeMismatch)
        #expect(error.path == "[0]")
        #expect(error.says("NSDate"))
    }

    @Test func `is not looked for among superclasses`() throws {
        let data = try picture(.uid(2), classEntry("Cube", "Square"))
        let error = try failure { try decoder.decode(Picture.self, from: data) }
        #expect(error.kind == .typeMismatch)
        #expect(error.says("Cube"))
    }

    @Test func `is an error where unknown classes are decoded as requested, too: a protocol is no class`() throws {
        var decoder = decoder
        decoder.classes.unknownClasses = .decodeAsRequested
        let error = try failure { try decoder.decode(Picture.self, from: picture(.uid(2), classEntry("Cube"))) }
        #expect(error.kind == .typeMismatch)
        #expect(error.says("Cube"))
    }

    @Test func `is not written, where its type is not Encodable`() throws {
        for value in [[Secret()], [Square(side: 1), Secret()]] as [[any Shape]] {
            let error = try failure { try ArchiveEncoder().encode(Drawing(shapes: value)) }
            #expect(error.kind == .invalidValue)
            #expect(error.path == "shapes[\(value.count - 1)]")
            #expect(error.says("Secret", "Encodable", "`protocol Shape: Codable`"))
        }
    }
}

// MARK: - Other coders

@Suite(.inTurn) struct `Other coders and polymorphic values` {
    private var classes: ClassRegistry {
        var classes = ClassRegistry()
        classes.register(Square.self, name: "Square")
        classes.register(Circle.self, name: "Circle")
        return classes
    }

    private struct Album: Codable {
        @Polymorphic var first: any Shape
        @Polymorphic var second: (any Shape)?
        @Polymorphic var all: [any Shape]
        @Polymorphic var byName: [String: [any Shape]]
    }

    private let album = Album(
        first: Square(side: 2), second: nil, all: [Circle(radius: 1), Square(side: 1)],
        byName: ["x": [Circle(radius: 2)]])

    @Test func `write the name beside the value`() throws {
        let encoder = JSONEncoder()
        encoder.userInfo[ClassRegistry.userInfoKey] = classes
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(album), as: UTF8.self)
        #expect(
            text
                == #"{"all":[{"class":"Circle","value":{"radius":1}},{"class":"Square","value":{"side":1}}],"#
                + #""byName":{"x":[{"class":"Circle","value":{"radius":2}}]},"#
                + #""first":{"class":"Square","value":{"side":2}}}"#)
    }

    @Test func `read what they wrote`() throws {
        let json = (JSONEncoder(), JSONDecoder())
        json.0.userInfo[ClassRegistry.userInfoKey] = classes
        json.1.userInfo[ClassRegistry.userInfoKey] = classes
        let list = (PropertyListEncoder(), PropertyListDecoder())
        list.0.userInfo[ClassRegistry.userInfoKey] = classes
        list.1.userInfo[ClassRegistry.userInfoKey] = classes
        for again in [
            try json.1.decode(Album.self, from: json.0.encode(album)),
            try list.1.decode(Album.self, from: list.0.encode(album)),
        ] {
            #expect(again.first.area == 4 && again.first is Square)
            #expect(again.second == nil)
            #expect(again.all.map(\.area) == [3, 1])
            #expect(again.byName["x"]?.map(\.area) == [12])
        }
    }

    @Test func `write Swift names without a registry, and read nothing without one`() throws {
        let data = try JSONEncoder().encode(Picture(shape: Square(side: 1)))
        let name = ClassRegistry().name(for: Square.self)
        #expect(String(decoding: data, as: UTF8.self).contains("\"\(name)\""))
        let error = try failure { try JSONDecoder().decode(Picture.self, from: data) }
        #expect(error.kind == .typeMismatch)
        #expect(error.path == "shape")
        #expect(error.says(name, "Shape"))
        let decoder = JSONDecoder()
        var classes = ClassRegistry()
        classes.register(Square.self)
        decoder.userInfo[ClassRegistry.userInfoKey] = classes
        #expect(try decoder.decode(Picture.self, from: data).shape.area == 1)
    }

    @Test func `say what is wrong, and where`() throws {
        let decoder = JSONDecoder()
        var classes = classes
        classes.register(Colour.self, name: "Colour")
        decoder.userInfo[ClassRegistry.userInfoKey] = classes
        func error(_ shape: String) throws -> CodingFailure {
            try failure { try decoder.decode(Drawing.self, from: Data(#"{"shapes":[\#(shape)]}"#.utf8)) }
        }
        let unknown = try error(#"{"class":"Oval","value":{}}"#)
        #expect(unknown.kind == .typeMismatch && unknown.path == "shapes[0]" && unknown.says("Oval"))
        let other = try error(#"{"class":"Colour","value":{"red":1}}"#)
        #expect(other.kind == .typeMismatch && other.path == "shapes[0]" && other.says("Colour"))
        let nameless = try error(#"{"value":{"side":1}}"#)
        #expect(nameless.kind == .keyNotFound && nameless.key == "class")
        let empty = try error(#"{"class":"Square"}"#)
        #expect(empty.kind == .keyNotFound && empty.key == "value")
        let wrong = try error(#"{"class":"Square","value":{"side":"x"}}"#)
        #expect(wrong.kind == .typeMismatch && wrong.path == "shapes[0].value.side")
    }

    @Test func `do not write what is not Encodable`() throws {
        let error = try failure { try JSONEncoder().encode(Drawing(shapes: [Square(side: 1), Secret()])) }
        #expect(error.kind == .invalidValue)
        #expect(error.path == "shapes[1]")
    }

    @Test func `need no registry for what is no protocol`() throws {
        struct Plain: Codable, Equatable {
            @Polymorphic var numbers: [Int]
            @Polymorphic var name: String?
        }
        let plain = Plain(numbers: [1, 2], name: nil)
        let data = try JSONEncoder().encode(plain)
        #expect(String(decoding: data, as: UTF8.self) == #"{"numbers":[1,2]}"#)
        #expect(try JSONDecoder().decode(Plain.self, from: data) == plain)
    }
}
