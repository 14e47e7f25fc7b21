import Archiving
import Foundation
import Testing

/// The code of docs/polymorphism-and-names.md, as it stands there; what else it says is tested in
/// `PolymorphismDocumentTests`.
@Suite("The code of the guide to names, subclasses and protocols")
struct NamesGuideTests: DocumentedOutput {
    @Test("registers names")
    func names() throws {
        struct Keeper: Codable {}
        struct Cage: Codable {}
        var classes = ClassRegistry()
        classes.register(Keeper.self, name: "Keeper", aliases: ["OldZoo.Warden"])  // a name and former names
        classes.register(Cage.self)  // by the name that it has anyway
        #expect(classes.name(for: Keeper.self) == "Keeper")
        #expect(classes.type(named: "OldZoo.Warden") is Keeper.Type)
        struct Location: Codable, ArchiveNamed {
            static let archiveName = "Location"
            static let archiveAliases = ["OldZoo.Place"]
            var latitude: Double
            var longitude: Double
        }
        let location = Location(latitude: 47, longitude: 8)
        #expect(try KeyedArchive(ArchiveEncoder().encode(location)).root.className == "Location")
    }

    @Test("brings back a dog, or an animal where one will do")
    func subclasses() throws {
        class Animal: Codable {
            var name: String
            init(name: String) { self.name = name }
        }

        final class Dog: Animal {
            var isGood = true

            private enum CodingKeys: CodingKey { case isGood }

            override init(name: String) { super.init(name: name) }

            required init(from decoder: any Decoder) throws {
                isGood = try decoder.container(keyedBy: CodingKeys.self).decode(Bool.self, forKey: .isGood)
                try super.init(from: decoder)
            }

            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(isGood, forKey: .isGood)
                try super.encode(to: encoder)
            }
        }

        let data = try ArchiveEncoder().encode([Animal(name: "Bella"), Dog(name: "Rex")])

        var decoder = ArchiveDecoder()
        decoder.classes.register(Dog.self)
        let animals = try decoder.decode([Animal].self, from: data)
        print(animals[1] is Dog)  // true
        decoder = ArchiveDecoder()
        #expect(throws: DecodingError.self) { try decoder.decode([Animal].self, from: data) }
        decoder.classes.unknownClasses = .decodeAsRequested
        #expect(try decoder.decode([Animal].self, from: data).map(\.name) == ["Bella", "Rex"])
    }

    @Test("brings back shapes, also from JSON, and copies them")
    func shapes() throws {
        protocol Shape: Codable {
            var area: Double { get }
        }

        struct Square: Shape {
            var side: Double
            var area: Double { side * side }
        }

        enum Unit: String, Shape {
            case one
            var area: Double { 1 }
        }

        final class Blob: Shape {
            var area: Double
            init(area: Double) { self.area = area }
        }

        struct Drawing: Codable {
            @Polymorphic var background: any Shape
            @Polymorphic var frame: (any Shape)?
            @Polymorphic var shapes: [any Shape]
            @Polymorphic var byName: [String: [any Shape]]
        }

        let blob = Blob(area: 7)
        let drawing = Drawing(
            background: blob, frame: nil, shapes: [Square(side: 2), Unit.one, blob], byName: ["all": [blob]])

        var encoder = ArchiveEncoder()
        var decoder = ArchiveDecoder()
        for type in [Square.self, Unit.self, Blob.self] as [any Any.Type] {
            encoder.classes.register(type, name: "\(type)")
            decoder.classes.register(type, name: "\(type)")
        }

        let again = try decoder.decode(Drawing.self, from: encoder.encode(drawing))
        print(again.shapes.map(\.area))  // [4.0, 1.0, 7.0]
        print(again.shapes[2] as? Blob === again.background as? Blob)  // true
        do {
            let json = JSONDecoder()
            json.userInfo[ClassRegistry.userInfoKey] = decoder.classes
            let encoder = JSONEncoder()
            encoder.userInfo[ClassRegistry.userInfoKey] = decoder.classes
            #expect(try json.decode(Drawing.self, from: encoder.encode(drawing)).shapes.map(\.area) == [4, 1, 7])
        }
        let twin = try deepCopy(of: drawing)
        print(twin.background as? Blob === twin.shapes[2] as? Blob)  // true: the same shape
        print(twin.background as? Blob === blob)  // false: other instances
    }

    @Test("archives a country once")
    func countries() throws {
        struct Country: Codable, ArchivedOnce {
            let id: String
            var name: String
        }

        struct City: Codable {
            var name: String
            var country: Country
        }
        let country = Country(id: "CH", name: "Switzerland")
        let cities = ["Bern", "Thun"].map { City(name: $0, country: country) }
        let archive = try KeyedArchive(ArchiveEncoder().encode(cities))
        #expect(archive.root[0]["country"] == archive.root[1]["country"])
    }
}
