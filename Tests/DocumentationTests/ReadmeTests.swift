// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing

/// The code of the README, of the landing pages, and of the guide to start with, unchanged.
@Suite(.inTurn)
struct `The README`: DocumentedOutput {
    let remarks: Set<String> = ["a readable tree; each object once", "the class of the first friend"]

    @Test(.needs(.storedProperties))
    func `brings friends back as each other's friends, and prints what it shows`() throws {
        var printed: [String] = []
        func print(_ item: Any) { printed.append("\(item)") }

        final class Person: Codable {
            let name: String
            var friends: [Person] = []
            init(name: String) { self.name = name }
        }

        let anna = Person(name: "Anna")
        let bert = Person(name: "Bert")
        anna.friends = [bert]
        bert.friends = [anna]

        let data = try ArchiveEncoder().encode(anna)
        let again = try ArchiveDecoder().decode(Person.self, from: data)
        print("\(again.name) → \(again.friends[0].name) → \(again.friends[0].friends[0].name)")
        print("one Anna: \(again.friends[0].friends[0] === again)")
        for path in ["README.md", "Sources/Archiving/Archiving.docc/Archiving.md"] {
            let blocks = try MarkdownPage(path: path).blocks
            #expect(blocks[0].language == "swift" && blocks[1].lines == printed, "\(path)")
        }
        do {
            let url = URL.temporaryDirectory.appending(path: "anna.archive")
            try ArchiveEncoder().encode(anna, to: url)
            let loaded = try ArchiveDecoder().decode(Person.self, from: url)
            #expect(loaded.friends[0].friends[0] === loaded)
            try FileManager.default.removeItem(at: url)
            loaded.friends = []
        }
        do {
            let archive = try KeyedArchive(data)
            print(archive.tree)  // a readable tree; each object once
            print(archive.root["friends"]?[0].className ?? "none")  // the class of the first friend

            let friends = try archive.root["friends"]!.decode([Person].self)
            #expect(archive.root["friends"]?[0].className == archive.root.className)
            #expect(friends.map(\.name) == ["Bert"] && friends[0].friends[0].friends[0] === friends[0])
            friends[0].friends = []
        }
        (anna.friends, again.friends) = ([], [])
    }

    @Test func `encodes a farm to data and XML, copies it, looks into it, and says what is wrong`() throws {
        final class Owner: Codable {
            var name: String
            init(name: String) { self.name = name }
        }

        struct Farm: Codable {
            var name: String
            var owner: Owner
            var tenant: Owner?
        }

        let owner = Owner(name: "Old MacDonald")
        let farm = Farm(name: "The Farm", owner: owner, tenant: owner)
        let data = try ArchiveEncoder().encode(farm)
        let again = try ArchiveDecoder().decode(Farm.self, from: data)
        print(again.owner === again.tenant)  // true
        let twin = try deepCopy(of: farm)
        print(twin.owner === twin.tenant)  // true
        print(twin.owner === farm.owner)  // false
        do {
            var encoder = ArchiveEncoder()
            encoder.outputFormat = .xml  // the default is .binary
            let xml = try encoder.encode(farm)
            #expect(xml.starts(with: Data("<?xml".utf8)))
        }
        do {
            var encoder = ArchiveEncoder()
            encoder.outputFormatting = .sortedKeys
            #expect(try encoder.encode(farm) == encoder.encode(farm))
        }
        do {
            var encoder = ArchiveEncoder()
            encoder.numericArrays = .packed
            let numbers = (1...100).map { Double($0).squareRoot() }
            #expect(try encoder.encode(numbers).count < ArchiveEncoder().encode(numbers).count)
        }
        do {
            var classes = ClassRegistry()
            classes.register(Owner.self, name: "Owner")

            var encoder = ArchiveEncoder()
            encoder.classes = classes  // writes "Owner"
            #expect(try KeyedArchive(encoder.encode(farm)).root["owner"]?.className == "Owner")
        }
        do {
            let farm = try ArchiveDecoder().decode(Farm.self, from: data)
            print(farm.name)
        } catch let DecodingError.keyNotFound(key, context) {
            print("\(key.stringValue) is missing: \(context.debugDescription)")
        } catch let DecodingError.typeMismatch(type, context) {
            print("\(type) was wanted: \(context.debugDescription)")
        } catch let DecodingError.dataCorrupted(context) {
            print("not an archive, or a damaged one: \(context.debugDescription)")
        }
    }

    @Test func `says what is missing, and what is there`() throws {
        struct Farm: Codable {
            var owner: String
        }
        let data = try ArchiveEncoder().encode(["name": "The Farm"])
        #expect {
            try ArchiveDecoder().decode(Farm.self, from: data)
        } throws: { error in
            guard case DecodingError.keyNotFound(let key, let context) = error else { return false }
            return key.stringValue == "owner" && context.debugDescription.contains("\"name\"")
        }
    }

    @Test func `brings back a parent`() throws {
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

        let root = Folder(name: "root")
        root.add(Folder(name: "src"))

        let copy = try ArchiveDecoder().decode(Folder.self, from: ArchiveEncoder().encode(root))
        print(copy.folders[0].parent === copy)  // true
    }

    @Test func `brings back a dog`() throws {
        class Animal: Codable {
            var name = ""
        }
        final class Dog: Animal {}

        let pets = try ArchiveEncoder().encode([Dog(), Animal()])
        var decoder = ArchiveDecoder()
        decoder.classes.register(Dog.self)
        let animals = try decoder.decode([Animal].self, from: pets)
        print(animals[0] is Dog)  // true
        #expect(!(animals[1] is Dog))
    }

    @Test func `brings back shapes`() throws {
        protocol Shape: Codable {}
        struct Circle: Shape {}
        struct Drawing: Codable {
            @Polymorphic var shapes: [any Shape]
        }
        var decoder = ArchiveDecoder()
        decoder.classes.register(Circle.self)
        let data = try ArchiveEncoder().encode(Drawing(shapes: [Circle()]))
        #expect(try decoder.decode(Drawing.self, from: data).shapes[0] is Circle)
    }

    @Test func `brings back a ring of stations with declared fields`() throws {
        final class Station: ArchivedFields {
            var name = ""
            var next: Station?

            init() {}

            static let fields = FieldList<Station> {
                Field("name", \.name)
                Field("next", \.next)
            }
        }

        let first = Station()
        first.next = Station()
        first.next?.next = first

        let ring = try ArchiveDecoder().decode(Station.self, from: ArchiveEncoder().encode(first))
        print(ring.next?.next === ring)  // true
        (first.next, ring.next) = (nil, nil)
    }

    @Test func `names a location`() throws {
        struct Location: Codable, ArchiveDescribing {
            static let archiveName = "Location"
            var latitude: Double
            var longitude: Double
        }
        let data = try ArchiveEncoder().encode(Location(latitude: 47, longitude: 8))
        #expect(try KeyedArchive(data).root.className == "Location")
    }

    @Test func `reads items that Cocoa wrote`() throws {
        let data = try handmadeArchive(
            ["NS.objects": [.uid(2)], "$class": .uid(6)],
            [
                "name": .uid(3), "valueInDollars": 12, "serialNumber": .uid(0), "dateCreated": .uid(4),
                "$class": .uid(7),
            ], "Rusty Spork", ["NS.time": 86_400.0, "$class": .uid(5)],
            classEntry("NSDate"), classEntry("NSArray"), classEntry("LOItem"))
        try TemporaryFolder.with { folder in
            let url = folder["items"]
            try data.write(to: url)
            struct Item: Codable {
                var name: String
                var valueInDollars: Int
                var serialNumber: String?
                var dateCreated: Date
            }

            let items = try ArchiveDecoder().decode([Item].self, from: url)
            #expect(items.map(\.name) == ["Rusty Spork"] && items[0].valueInDollars == 12)
            let date = Date(timeIntervalSinceReferenceDate: 86_400)
            #expect(items[0].serialNumber == nil && items[0].dateCreated == date)
        }
    }

    @Test func `reads what NSArchiver wrote`() throws {
        let attributedBody = try SequentialSamples.attributedBody()
        let data = SequentialSamples.hello
        let text = try AttributedText(attributedBody)  // the text of a message, with its runs
        print(text.string, text.links.map(\.value))

        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        let object = try unarchiver.decodeObject()  // whatever it is
        #expect(object as? String == "Hello")
    }
}
