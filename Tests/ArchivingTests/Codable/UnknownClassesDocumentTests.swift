import Archiving
import Foundation
import Testing

private protocol Shape: Codable { var area: Double { get } }

extension UnknownObject: Shape {
    fileprivate var area: Double { 0 }
}

/// The examples of docs/unknown-classes.md, as they are printed there, and what it says of them.
@Suite("The document on unknown classes")
struct UnknownClassesDocumentTests {
    final class Pen: Codable {
        var name: String
        init(_ name: String) { self.name = name }
    }

    final class Circle: Shape {
        var radius = 1.0
        var pen: Pen
        var area: Double { 3 * radius * radius }
        init(_ pen: Pen) { self.pen = pen }
    }

    /// What this version does not know.
    final class Spiral: Shape {
        var turns = 3
        var pen: Pen
        var area: Double { 0 }
        init(_ pen: Pen) { self.pen = pen }
    }

    struct Drawing: Codable {
        var title: String
        @Polymorphic fileprivate var shapes: [any Shape]
    }

    struct Document: Codable {
        var name: String
        var window: UnknownObject?
    }

    private let data: Data

    init() throws {
        var encoder = ArchiveEncoder()
        encoder.classes.register(Circle.self, name: "Circle")
        encoder.classes.register(Spiral.self, name: "Spiral")
        encoder.classes.register(Pen.self, name: "Pen")
        let pen = Pen("red")
        data = try encoder.encode(Drawing(title: "First", shapes: [Circle(pen), Spiral(pen)]))
    }

    private var decoder: ArchiveDecoder {
        var decoder = ArchiveDecoder()
        decoder.classes.register(Pen.self, name: "Pen")
        decoder.classes.register(Circle.self, name: "Circle")
        return decoder
    }

    @Test("keeps what is not understood")
    func keeps() throws {
        var decoder = decoder
        decoder.classes.unknownClasses = .placeholder
        var drawing = try decoder.decode(Drawing.self, from: data)

        var lines: [String] = []
        for case let unknown as UnknownObject in drawing.shapes {
            lines.append("\(unknown.className) \(unknown.classChain) \(unknown.keys)")
            lines.append("\(unknown["turns"]?.integer ?? 0)")
        }
        #expect(lines == [#"Spiral ["Spiral", "NSObject"] ["turns", "pen"]"#, "3"])

        drawing.title = "Changed"
        (drawing.shapes[0] as? Circle)?.pen.name = "blue"
        var encoder = ArchiveEncoder()
        encoder.classes.register(Pen.self, name: "Pen")
        encoder.classes.register(Circle.self, name: "Circle")
        let saved = try encoder.encode(drawing)

        decoder.classes.register(Spiral.self, name: "Spiral")
        let again = try decoder.decode(Drawing.self, from: saved)
        #expect(again.title == "Changed")
        let spiral = try #require(again.shapes[1] as? Spiral)
        #expect(spiral.turns == 3)
        #expect(spiral.pen.name == "blue")
        #expect(spiral.pen === (again.shapes[0] as? Circle)?.pen)
    }

    @Test("keeps it by key, and carries it along")
    func keepsByKey() throws {
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        let object = try unarchiver.decodeObject(of: [UnknownObject.self], forKey: "root")
        #expect((object as? UnknownObject)?["title"]?.string == "First")

        let window = try ArchiveDecoder().decode(UnknownObject.self, from: data)
        let saved = try ArchiveEncoder().encode(Document(name: "a", window: window))
        let again = try ArchiveDecoder().decode(Document.self, from: saved)
        #expect(again.window?["shapes"]?[1]["turns"]?.integer == 3)
    }

    @Test("leaves it out")
    func skips() throws {
        var decoder = decoder
        decoder.classes.unknownClasses = .skip
        let known = try decoder.decode(Drawing.self, from: data)
        #expect(known.shapes.map { $0 is Circle } == [true])
    }
}
