import Archiving
import Foundation
import Testing

/// The examples of docs/looking-into-archives.md, as they are printed there, and what it says of them.
@Suite("The document on looking into archives")
struct LookingDocumentTests {
    final class Owner: Codable {
        var name: String
        @WeakReference var farm: Farm?

        init(name: String) { self.name = name }
    }

    final class Animal: Codable {
        var name: String
        var weight: Float
        var owner: Owner

        init(name: String, weight: Float, owner: Owner) { (self.name, self.weight, self.owner) = (name, weight, owner) }
    }

    final class Farm: Codable {
        var name: String
        var owner: Owner
        var animals: [Animal]
        var prices: [String: Double]
        var photo: Data

        init() {
            name = "Green Hill"
            owner = Owner(name: "Ann")
            animals = [
                Animal(name: "Bella", weight: 612.5, owner: owner), Animal(name: "Daisy", weight: 480.25, owner: owner),
            ]
            prices = ["milk": 1.5]
            photo = Data(repeating: 7, count: 20480)
            owner.farm = self
        }
    }

    private let data: Data
    private let archive: KeyedArchive

    init() throws {
        var encoder = ArchiveEncoder()
        encoder.classes.register(Farm.self, name: "Farm")
        encoder.classes.register(Owner.self, name: "Owner")
        encoder.classes.register(Animal.self, name: "Animal")
        data = try encoder.encode(Farm())
        archive = try KeyedArchive(data)
    }

    @Test("opens a file, and tells what is in it")
    func beginning() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "farm-\(UUID().uuidString)")
        try data.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }

        let archive = try KeyedArchive(contentsOf: url)
        #expect(archive.root.className ?? "no class" == "Farm")
        #expect(archive.root["animals"]?[1]["name"]?.string ?? "no name" == "Daisy")

        let owner = try archive.root["owner"]?.decode(Owner.self)
        #expect(owner?.name == "Ann")
    }

    @Test("says what an archive says of itself")
    func opening() throws {
        #expect(archive.format == .binary)
        #expect(archive.archiver == "NSKeyedArchiver")
        #expect(archive.objects.count > 10)
        #expect(
            Set(archive.classes.map(\.name)).isSuperset(of: ["Farm", "Owner", "Animal", "NSArray", "NSDictionary"]))
        #expect(archive.top.keys == ["root"])
        let error = #expect(throws: KeyedArchiveError.self) { try KeyedArchive(Data("Hello".utf8)) }
        #expect(error?.code == .notAnArchive)
    }

    @Test("walks by keys, positions and paths")
    func walking() throws {
        let animals = archive.root["animals"]
        let bella = archive.root["animals"]?[0]
        #expect(animals?.count == 2 && bella?["name"]?.string == "Bella")

        var names: [String] = []
        for animal in archive.root["animals"]?.elements ?? archive.root.elements {
            names.append(animal["name"]?.string ?? "")
        }
        #expect(names == ["Bella", "Daisy"])
        var prices: [String: Double] = [:]
        for (key, price) in archive.root["prices"]?.entries ?? archive.root.entries {
            prices[key.string ?? ""] = price.double ?? 0
        }
        #expect(prices == ["milk": 1.5])
        var kinds: [String: KeyedArchive.Value.Kind] = [:]
        for (key, value) in archive.root.fields { kinds[key] = value.kind }
        #expect(kinds == ["name": .string, "owner": .object, "animals": .object, "prices": .object, "photo": .data])
        #expect(animals?.fields.map(\.key) == ["NS.objects"])

        #expect(archive["root", "animals", 1, "name"]?.string == "Daisy")
        let daisy = try #require(archive.root["animals"]?[1])
        let path = try #require(archive.path(to: daisy))
        #expect("\(path)" == "root.animals[1]")
        #expect(archive[path] == daisy)
    }

    @Test("has leaves that do not convert")
    func leaves() throws {
        #expect(archive.root["name"]?.string == "Green Hill")
        #expect(archive.root["animals"]?[0]["weight"]?.float == 612.5)
        #expect(archive.root["name"]?.integer == nil)
        let other = try openArchive(top: ["real": 2.0, "true": true, "large": 9_007_199_254_740_993, "nil": .uid(0)])
        #expect(other.top["real"]?.integer == nil && other.top["true"]?.integer == nil)
        #expect(other.top["large"]?.double == nil)
        #expect(other.top["nil"]?.isNull == true && other.top["other"] == nil)
    }

    @Test("tells objects apart, and who refers to them")
    func identity() throws {
        #expect(archive.root["owner"] == archive.root["animals"]?[0]["owner"])
        #expect(archive.root["owner"]?.uid != nil)
        #expect(archive.root["owner"]?["farm"] == archive.root)
        #expect(archive.root["animals"]?[0]["weight"]?.uid == nil)

        let references = try archive.references()
        let owner = try #require(archive.root["owner"])
        #expect(references.count(of: owner) == 3)
        #expect(references.owners(of: owner).map { $0.className ?? "" } == ["Farm", "Animal", "Animal"])
        // By the farm, the owner leads to all there is.
        #expect(owner.reach.objects == archive.root.reach.objects && owner.reach.byteCount > 20480)
        #expect(archive.unreachableObjects.isEmpty)
    }

    @Test("shows damage where it is")
    func damage() throws {
        let archive = try openArchive(["owner": .uid(99), "name": "Green Hill", "$class": .uid(2)], classEntry("Farm"))
        let owner = archive.root["owner"]
        let damage = try #require(owner?.damage)
        #expect("\(damage)" == "The keyed archive is damaged: uid 99 is referenced, but there are only 3 objects")
        #expect(owner?.kind == .damaged && owner?.string == nil)
        #expect(archive.root["name"]?.string == "Green Hill")
        #expect(throws: KeyedArchiveError.self) { try archive.validate() }
        #expect(archive.problems() == [damage] && self.archive.problems().isEmpty)
    }

    @Test("decodes parts")
    func parts() throws {
        let owner = try archive.root["owner"]?.decode(Owner.self)
        let weights = try archive.root["animals"]?.elements.map { try $0["weight"]?.decode(Float.self) }
        let prices = try archive.root["prices"]?.decode([String: Double].self)
        #expect(owner?.name == "Ann" && weights == [612.5, 480.25] && prices == ["milk": 1.5])
        #expect(owner?.farm == nil, "A weak reference does not make the farm")
        let animals = try #require(archive.root["animals"]).decode([Animal].self)
        #expect(animals[0].owner === animals[1].owner)
        #expect(try archive.root["owner"]?.decode(Owner.self) !== owner)
        struct Top: Decodable { var root: Owner }
        #expect(try archive.top.decode(Top.self).root.name == "Green Hill")
    }

    @Test("opens archives in data")
    func archivesInData() throws {
        let outer = try KeyedArchive(
            ArchiveEncoder().encode(["document": ArchiveEncoder().encode(["title": "Inside"])]))
        var title: String?
        if let data = outer.root["document"], data.mayBeArchive {
            let document = try data.openArchive()
            title = document.root["title"]?.string ?? ""
        }
        #expect(title == "Inside")
        #expect(archive.root["photo"]?.mayBeArchive == false)
    }

    @Test("reads what files of Apple's programs have")
    func applesArchives() throws {
        let list: PropertyList = [
            "$version": 100_000, "$archiver": "MSArchiver",
            "$top": ["IB.objectdata": .uid(1), "count": 3, "$0": 4, "$$own": 5, "conditional": .uid(2)],
            "$objects": [
                "$null", ["NS.object.0": "a", "NS.object.1": "b", "$class": .uid(3)], "$null",
                ["$classname": "NSArray", "$classhints": ["List"]],
            ],
        ]
        let archive = try KeyedArchive(list.data())
        #expect(archive.archiver == "MSArchiver" && archive.root == archive.top)
        #expect(archive.top.keys == ["IB.objectdata", "count", "$0", "$own", "conditional"])
        #expect(
            archive.top["$0"]?.integer == 4 && archive.top["$own"]?.integer == 5 && archive.top["count"]?.integer == 3)
        #expect(archive.top["conditional"]?.isNull == true)
        let array = try #require(archive.top["IB.objectdata"])
        #expect(array.elements.map(\.string) == ["a", "b"])
        #expect(array.classChain == ["NSArray"] && array.class?.fallbacks == ["List"])
    }
}

// MARK: - Printing

extension LookingDocumentTests {
    /// The farm whose description the document shows.
    private static func printedFarm() throws -> KeyedArchive {
        let photo = hex("89504e47 0d0a1a0a 0000000d 49484452") + [UInt8](repeating: 0, count: 20464)
        return try openArchive(
            [
                "name": .uid(2), "owner": .uid(3), "animals": .uid(6), "founded": .uid(11), "debts": .uid(0),
                "photo": .data(Data(photo)), "$class": .uid(13),
            ], "Green Hill", ["name": .uid(4), "farm": .uid(1), "$class": .uid(5)], "Ann", classEntry("Owner"),
            ["NS.objects": [.uid(7), .uid(9), .uid(7)], "$class": .uid(10)],
            ["name": .uid(8), "owner": .uid(3), "$class": .uid(12)], "Bella", ["$class": .uid(14)],
            classEntry("NSArray"),
            ["NS.time": 549_824_400.0, "$class": .uid(15)], classEntry("Farm.Cow"), classEntry("Farm"),
            classEntry("NSNull"), classEntry("NSDate"))
    }

    @Test("prints what it shows")
    func printing() throws {
        let archive = try Self.printedFarm()
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../docs/looking-into-archives.md")
        let document = try String(contentsOf: url.standardized, encoding: .utf8)
        let start = try #require(document.range(of: "```\nKeyed archive by")).lowerBound
        let printed = document[start...].dropFirst(4).prefix { $0 != "`" }
        #expect(archive.description == printed.trimmingCharacters(in: .newlines))
        #expect((archive.root["animals"] ?? archive.root).description.hasPrefix("NSArray #6, 3 elements"))

        var output = ""
        archive.dump(to: &output, options: KeyedArchive.DumpOptions(byteLimit: 64, depthLimit: 3, listsClasses: true))
        #expect(output.hasPrefix("Keyed archive by NSKeyedArchiver") && output.contains("Farm.Cow"))
    }
}
