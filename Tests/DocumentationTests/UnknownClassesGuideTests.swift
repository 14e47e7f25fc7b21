import Archiving
import Foundation
import Testing

protocol Shape: Codable { var area: Double { get } }

extension UnknownObject: Shape {
    var area: Double { 0 }
}

struct Drawing: Codable {
    var title: String
    @Polymorphic var shapes: [any Shape]
}

private struct Circle: Shape {
    var radius = 1.0
    var area: Double { 3 * radius * radius }
}

/// What the version that is shown does not know.
private struct Spiral: Shape {
    var turns = 3
    var pen = "red"
    var area: Double { 0 }
}

/// The code of docs/unknown-classes.md, as it stands there; what else it says is tested in `UnknownClassesDocumentTests`.
@Suite("The code of the guide to unknown classes")
struct UnknownClassesGuideTests: DocumentedOutput {
    @Test("keeps what is not understood, or leaves it out")
    func drawing() throws {
        var newer = ArchiveEncoder()
        newer.classes.register(Circle.self, name: "Circle")
        newer.classes.register(Spiral.self, name: "Spiral")
        let data = try newer.encode(Drawing(title: "First", shapes: [Circle(), Spiral()]))
        var decoder = ArchiveDecoder()
        decoder.classes.register(Circle.self, name: "Circle")
        decoder.classes.unknownClasses = .placeholder
        var drawing = try decoder.decode(Drawing.self, from: data)

        for case let unknown as UnknownObject in drawing.shapes {
            print(unknown.className, unknown.classChain)  // Spiral ["Spiral", "NSObject"]
            print(unknown.keys, unknown["turns"]?.integer ?? 0)  // ["turns", "pen"] 3
        }

        drawing.title = "Changed"
        var encoder = ArchiveEncoder()
        encoder.classes.register(Circle.self, name: "Circle")
        let saved = try encoder.encode(drawing)
        let archive = try KeyedArchive(saved)
        #expect(archive.root["title"]?.string == "Changed")
        #expect(archive.root["shapes"]?[1].className == "Spiral")
        #expect(archive.root["shapes"]?[1]["turns"]?.integer == 3)
        decoder.classes.unknownClasses = .skip
        let known = try decoder.decode(Drawing.self, from: data)  // the circles
        #expect(known.shapes.map { $0 is Circle } == [true])
    }

    @Test("reads any object, and carries it along")
    func anyObject() throws {
        struct Document: Codable {
            var name: String
            var window: UnknownObject?
        }
        let data = try ArchiveEncoder().encode(Document(name: "a"))
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        let object = try unarchiver.decodeObject(of: [UnknownObject.self], forKey: "root")
        let unknown = try #require(object as? UnknownObject)
        let saved = try ArchiveEncoder().encode(Document(name: "b", window: unknown))
        #expect(try ArchiveDecoder().decode(Document.self, from: saved).window?["name"]?.string == "a")
    }
}
