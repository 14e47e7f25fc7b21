import Archiving
import Foundation
import Testing

/// The code of docs/editing-archives.md that the rest of it begins with; that is in `EditingDocumentTests`.
@Suite("The code of the guide to editing")
struct EditingGuideTests {
    @Test("archives a farm under old names")
    func farm() throws {
        final class Owner: Codable {
            var name = "Ada"
            var telephone: String? = "555-0100"
        }

        struct Animal: Codable {
            var name: String
            var weight: Double
            var owner: Owner
        }

        struct Farm: Codable {
            var animals: [Animal]
            var founded: Date
        }

        let owner = Owner()
        let farm = Farm(
            animals: [
                Animal(name: "Bella", weight: 512.5, owner: owner), Animal(name: "Bella", weight: 48, owner: owner),
            ], founded: Date(timeIntervalSinceReferenceDate: 0))
        var encoder = ArchiveEncoder()
        encoder.classes.register(Farm.self, name: "Old.Farm")
        encoder.classes.register(Animal.self, name: "Old.Animal")
        encoder.classes.register(Owner.self, name: "Old.Owner")
        let data = try encoder.encode(farm)
        let archive = try KeyedArchive(data)
        #expect(archive.root.className == "Old.Farm")
        #expect(archive["root", "animals", 1, "owner", "telephone"]?.string == "555-0100")
    }
}
