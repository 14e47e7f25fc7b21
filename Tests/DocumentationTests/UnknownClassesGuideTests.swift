// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private protocol Shape: Codable { var area: Double { get } }

extension UnknownObject: Shape {
    var area: Double { 0 }
}

private struct Drawing: Codable {
    var title: String
    @Polymorphic var shapes: [any Shape]
}

private final class Pen: Codable, ArchiveDescribing {
    static let archiveName = "Pen"
    var name = "red"
}

private final class Circle: Shape {
    var radius = 1.0
    var pen: Pen
    var area: Double { 3 * radius * radius }
    init(_ pen: Pen) { self.pen = pen }
}

/// What the version that is shown does not know.
private final class Spiral: Shape {
    var turns = 3
    var pen: Pen
    var area: Double { 0 }
    init(_ pen: Pen) { self.pen = pen }
}

/// The code of the article on objects of unknown classes, and what else it says.
@Suite(.inTurn)
struct `The guide to unknown classes`: DocumentedOutput {
    /// A drawing of the newer version.
    private let data: Data

    init() throws {
        var encoder = ArchiveEncoder()
        encoder.classes.register(Circle.self, name: "Circle")
        encoder.classes.register(Spiral.self, name: "Spiral")
        let pen = Pen()
        data = try encoder.encode(Drawing(title: "First", shapes: [Circle(pen), Spiral(pen)]))
    }

    @Test func `keeps what is not understood`() throws {
        var decoder = ArchiveDecoder()
        decoder.classes.register(Circle.self, name: "Circle")
        decoder.classes.unknownClasses = .placeholder
        var drawing = try decoder.decode(Drawing.self, from: data)

        for case let unknown as UnknownObject in drawing.shapes {
            print(unknown.value.class?.chain ?? [])  // ["Spiral", "NSObject"]
            print(unknown.value.keys, unknown.value["turns"]?.integer ?? 0)  // ["turns", "pen"] 3
        }
        #expect(drawing.shapes.map { $0 is UnknownObject } == [false, true])

        drawing.title = "Changed"
        var encoder = ArchiveEncoder()
        encoder.classes.register(Circle.self, name: "Circle")
        let saved = try encoder.encode(drawing)

        let archive = try KeyedArchive(saved)
        #expect(archive.root["title"]?.string == "Changed")
        #expect(archive.root["shapes"]?[1].className == "Spiral")
        #expect(archive.root["shapes"]?[1]["turns"]?.integer == 3)

        // What both refer to has changed for both.
        (drawing.shapes[0] as? Circle)?.pen.name = "blue"
        decoder.classes.register(Spiral.self, name: "Spiral")
        let again = try decoder.decode(Drawing.self, from: encoder.encode(drawing))
        let spiral = try #require(again.shapes[1] as? Spiral)
        #expect(spiral.turns == 3)
        #expect(spiral.pen.name == "blue")
        #expect(spiral.pen === (again.shapes[0] as? Circle)?.pen)
    }

    struct Document: Codable {
        var name: String
        var window: UnknownObject?
    }

    @Test func `keeps it by key, and carries it along`() throws {
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        let object = try unarchiver.decodeObject(of: [UnknownObject.self], forKey: "root")
        #expect((object as? UnknownObject)?.value["title"]?.string == "First")

        let window = try ArchiveDecoder().decode(UnknownObject.self, from: data)
        let saved = try ArchiveEncoder().encode(Document(name: "a", window: window))
        let again = try ArchiveDecoder().decode(Document.self, from: saved)
        #expect(again.window?.value["shapes"]?[1]["turns"]?.integer == 3)
    }

    @Test func `leaves it out`() throws {
        var decoder = ArchiveDecoder()
        decoder.classes.register(Circle.self, name: "Circle")
        decoder.classes.unknownClasses = .skip
        let known = try decoder.decode(Drawing.self, from: data)  // the circles
        #expect(known.shapes.map { $0 is Circle } == [true])
    }
}
