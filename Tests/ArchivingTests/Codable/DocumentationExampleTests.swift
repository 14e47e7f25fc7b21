import Archiving
import Foundation
import Testing

/// The examples of README.md and of the documentation comments, as they are printed there.
@Suite("The documentation's example")
struct DocumentationExampleTests {
    final class Owner: Codable {
        var name: String
        init(name: String) { self.name = name }
    }

    struct Farm: Codable {
        var name: String
        var owner: Owner
        var tenant: Owner?
    }

    struct Location: Codable, Equatable, ArchiveNamed {
        static let archiveName = "Location"
        var latitude: Double
        var longitude: Double
    }

    static var farm: Farm {
        let owner = Owner(name: "Old MacDonald")
        return Farm(name: "The Farm", owner: owner, tenant: owner)
    }

    @Test("of animals in one barn brings back one barn")
    func sharing() throws {
        final class Barn: Codable {
            var name: String
            init(name: String) { self.name = name }
        }

        struct Animal: Codable {
            var name: String
            var barn: Barn
        }

        let barn = Barn(name: "The red barn")
        let animals = [Animal(name: "Daisy", barn: barn), Animal(name: "Bella", barn: barn)]

        let data = try ArchiveEncoder().encode(animals)
        let again = try ArchiveDecoder().decode([Animal].self, from: data)

        #expect(again[0].barn === again[1].barn)
        #expect(again.map(\.name) == ["Daisy", "Bella"])
        #expect(again[0].barn.name == "The red barn")
    }

    @Test("of a farm and its owner comes back from data and from a file")
    func roundTrips() throws {
        let farm = Self.farm
        let data = try ArchiveEncoder().encode(farm)
        let again = try ArchiveDecoder().decode(Farm.self, from: data)
        #expect(again.owner === again.tenant)
        #expect(again.owner.name == "Old MacDonald")

        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).archive")
        defer { try? FileManager.default.removeItem(at: url) }
        try ArchiveEncoder().encode(farm, to: url)
        let loaded = try ArchiveDecoder().decode(Farm.self, from: url)
        #expect(loaded.name == "The Farm")
        #expect(loaded.owner === loaded.tenant)
    }

    final class Folder: Codable {
        var name: String
        var folders: [Folder] = []
        @WeakReference var parent: Folder?
        @Reference var mostRecent: Folder?

        init(name: String) { self.name = name }

        func add(_ folder: Folder) {
            folders.append(folder)
            folder.parent = self
            mostRecent = folder
        }
    }

    @Test("of a parent and its children brings both back")
    func cycle() throws {
        let root = Folder(name: "root")
        root.add(Folder(name: "src"))

        let copy = try ArchiveDecoder().decode(Folder.self, from: ArchiveEncoder().encode(root))
        #expect(copy.folders[0].parent === copy)
        #expect(copy.mostRecent === copy.folders[0])
    }

    class Animal: Codable {
        var name = "Bella"
        init() {}
    }

    final class Dog: Animal {}

    @Test("of subclasses brings them back as what they were")
    func subclasses() throws {
        let data = try ArchiveEncoder().encode([Animal(), Dog()])
        var decoder = ArchiveDecoder()
        decoder.classes.register(Dog.self)
        let animals = try decoder.decode([Animal].self, from: data)  // with a Dog where one was archived
        #expect(animals[1] is Dog)
    }

    @Test("of a protocol brings back what was behind it")
    func protocols() throws {
        var decoder = ArchiveDecoder()
        decoder.classes.register(DocumentationSquare.self)
        let data = try ArchiveEncoder().encode(DocumentationDrawing(shapes: [DocumentationSquare(side: 2)]))
        #expect(try decoder.decode(DocumentationDrawing.self, from: data).shapes[0] is DocumentationSquare)
    }

    @Test("of a copy has the same shape and other instances")
    func copies() throws {
        let farm = Self.farm
        let twin = try deepCopy(of: farm)
        #expect(twin.owner === twin.tenant)
        #expect(twin.owner !== farm.owner)
    }

    @Test("of settings writes what it says: XML, sorted keys, names")
    func settings() throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = .xml
        let xml = try encoder.encode(Self.farm)
        #expect(xml.starts(with: Data("<?xml".utf8)))

        encoder = ArchiveEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(try encoder.encode(Self.farm) == encoder.encode(Self.farm))

        encoder = ArchiveEncoder()
        encoder.classes.register(Owner.self, name: "Owner", aliases: ["OldModule.Owner"])
        let named = try encoder.encode(Self.farm)
        #expect(named.range(of: Data("Owner".utf8)) != nil)
        #expect(named.range(of: Data("DocumentationExampleTests.Owner".utf8)) == nil)

        let location = try ArchiveEncoder().encode(Location(latitude: 51, longitude: 0))
        #expect(location.range(of: Data("Location".utf8)) != nil)
        #expect(location.range(of: Data("DocumentationExampleTests".utf8)) == nil)
    }

    @Test("of looking into an archive finds the owner, and decodes nothing else")
    func looking() throws {
        let data = try ArchiveEncoder().encode(Self.farm)
        let archive = try KeyedArchive(data)
        let owner = try archive.root["owner"]!.decode(Owner.self)
        #expect(owner.name == "Old MacDonald")
        #expect(archive.root["owner"] == archive.root["tenant"])
        #expect(archive.root["animals"]?[1].className == nil)
        #expect(archive.root["owner"]?.className?.hasSuffix("Owner") == true)
        #expect(archive["root", "owner", "name"]?.string == "Old MacDonald")
        #expect(archive.path(to: try #require(archive.root["owner"]?["name"]))?.description == "root.owner.name")
        #expect(String(describing: archive).contains("\"Old MacDonald\""))

        var decoder = ArchiveDecoder()
        decoder.classes.unknownClasses = .placeholder
        let unknown = try decoder.decode(UnknownObject.self, from: data)
        #expect(unknown["name"]?.string == "The Farm")
    }

    @Test("of errors names what is missing and what is there")
    func errors() throws {
        let data = try ArchiveEncoder().encode(["name": "The Farm"])
        #expect {
            try ArchiveDecoder().decode(Farm.self, from: data)
        } throws: { error in
            guard case DecodingError.keyNotFound(let key, let context) = error else { return false }
            return key.stringValue == "owner" && context.debugDescription.contains("\"name\"")
        }
    }
}

private protocol DocumentationShape: Codable {}

private struct DocumentationSquare: DocumentationShape {
    var side: Double
}

private struct DocumentationDrawing: Codable {
    @Polymorphic var shapes: [any DocumentationShape]
}
