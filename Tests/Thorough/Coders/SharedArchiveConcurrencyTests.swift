// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// One thing, and many tasks that use it at once. Each gets what it would get alone.
@Suite(.inTurn) struct `What many tasks share` {
    final class Owner: Codable {
        let name: String
        init(_ name: String) { self.name = name }
    }

    final class Animal: Codable {
        let name: String
        let owner: Owner
        let weights: [Double]
        let picture: Data
        @Reference var friend: Animal?

        init(_ number: Int, _ owner: Owner) {
            name = "animal \(number)"
            self.owner = owner
            weights = [Double(number), 0.5]
            picture = Data(repeating: UInt8(truncatingIfNeeded: number), count: 700)
        }
    }

    struct Zoo: Codable {
        var animals: [Animal]

        init(count: Int) {
            let owner = Owner("the zoo")
            animals = (0..<count).map { Animal($0, owner) }
            for (animal, friend) in zip(animals, animals.dropFirst()) { animal.friend = friend }
        }

        /// What is in it, in a form that can be compared.
        var text: String {
            animals.map { "\($0.name) \($0.weights) \($0.picture.count) \($0.friend?.name ?? "") \($0.owner.name)" }
                .joined(separator: "\n")
        }
    }

    /// Where an archive lies that is shared.
    enum Place: CaseIterable, Sendable {
        /// In memory; in a file that is read at once; in one that is read page by page, by the first task that needs a page.
        case memory, smallFile, largeFile

        /// The number of animals: one takes some 850 bytes.
        var count: Int { self == .largeFile ? 1600 : 60 }

        func with(_ body: (KeyedArchive, Data) async throws -> Void) async throws {
            let data = try ArchiveEncoder().encode(Zoo(count: count))
            if self == .memory { return try await body(KeyedArchive(data), data) }
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("ArchivingTests-\(UUID())")
            try data.write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            #expect(try KeyedArchive(contentsOf: file).isLoadedByPage == (self == .largeFile))
            // Opened again for each use, so that nothing of it is loaded.
            for _ in 0..<2 { try await body(KeyedArchive(contentsOf: file), data) }
        }
    }

    /// Looks at an archive in one of several ways, and gives what it has found as a text.
    enum Look: CaseIterable, Sendable {
        case dump, kinds, problems, reach, references, owner, part, path, bytes, editor

        func text(_ archive: KeyedArchive) throws -> String {
            switch self {
            case .dump: return String(archive.tree.suffix(3000))
            case .kinds: return archive.objects.prefix(500).map { "\($0.kind) \($0.className ?? "")" }.joined()
            case .problems:
                try archive.validate()
                return "\(archive.problems())"
            case .reach: return "\(archive.root.reachableByteCount) \(archive.unreachableObjects.count)"
            case .references:
                let owner = try #require(archive["root", "animals", 0, "owner"])
                return "\(try archive.references().count(of: owner))"
            case .owner: return try archive["root", "animals", 7, "owner"]?.decode(Owner.self).name ?? ""
            case .part: return try archive.root.decode(Zoo.self).text
            case .path: return (0..<50).map { archive["root", "animals", .index($0), "name"]?.string ?? "" }.joined()
            case .bytes: return "\(try archive.data(format: .binary).reduce(0) { $0 &* 31 &+ Int($1) })"
            case .editor: return "\(try KeyedArchiveEditor(archive).propertyList.data().count)"
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `An archive that is open gives each of them the same`(place: Place) async throws {
        let data = try ArchiveEncoder().encode(Zoo(count: place.count))
        let expected = try Look.allCases.map { try $0.text(KeyedArchive(data)) }
        try await place.with { archive, _ in
            try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for task in 0..<20 {
                    // Each begins somewhere else, so that all ways are gone at the same time.
                    group.addTask {
                        let look = (task * 7 + task / 10) % Look.allCases.count
                        return (look, try Look.allCases[look].text(archive))
                    }
                }
                for try await (look, text) in group { #expect(text == expected[look], "\(Look.allCases[look])") }
            }
        }
    }

    @Test func `A value of an open archive outlives it, in whichever task`() async throws {
        try await Place.largeFile.with { archive, _ in
            var archive: KeyedArchive? = archive
            let animals = try #require(archive?["root", "animals"])
            archive = nil
            let names = try await withThrowingTaskGroup(of: String.self) { group in
                for index in stride(from: 0, to: 1600, by: 16) {
                    group.addTask { try animals[index].decode(Animal.self).name }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(names == Set(stride(from: 0, to: 1600, by: 16).map { "animal \($0)" }))
        }
    }

    @Test func `Data is read by many unarchivers`() async throws {
        let data = try KeyedArchiver.archivedData(withRootObject: Zoo(count: 60))
        let expected = Zoo(count: 60).text
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for index in 0..<24 {
                group.addTask {
                    if index % 2 == 0 { return try KeyedUnarchiver.unarchivedObject(of: Zoo.self, from: data).text }
                    let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
                    return try unarchiver.decode(Zoo.self, forKey: "root").text
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts == [String](repeating: expected, count: 24))
    }

    /// Each decoding counts for itself.
    @Test func `The limits of a decoder are those of each of them`() async throws {
        let data = try ArchiveEncoder().encode((0..<1000).map { "text \($0)" })
        var decoder = ArchiveDecoder()
        decoder.limits.work = 3000
        // Two at once would not do in one budget.
        #expect(throws: DecodingError.self) {
            _ = try decoder.decode([String].self, from: ArchiveEncoder().encode((0..<6000).map { "text \($0)" }))
        }
        let shared = decoder
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<32 { group.addTask { try shared.decode([String].self, from: data).count } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == [Int](repeating: 1000, count: 32))
    }

    @Test func `Unknown objects are archived again by each of them`() async throws {
        struct Shelf: Codable {
            @Polymorphic var things: [any Codable & AnyObject]
        }
        let animals = Zoo(count: 20).animals
        var writer = ArchiveEncoder()
        writer.classes.register(Animal.self, name: "Animal")
        writer.classes.register(Owner.self, name: "Owner")
        let data = try writer.encode(Shelf(things: animals))
        var reader = ArchiveDecoder()
        reader.classes.unknownClasses = .placeholder
        let unknown = try reader.decode(Shelf.self, from: data)
        #expect(unknown.things.allSatisfy { $0 is UnknownObject })
        let shared = UncheckedShare(unknown)
        let (encoder, expected) = (writer, try writer.encode(unknown))
        var decoder = ArchiveDecoder()
        decoder.classes = writer.classes
        let (known, names) = (decoder, animals.map(\.name))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<24 {
                group.addTask {
                    let data = try encoder.encode(shared.value)
                    #expect(data == expected)
                    let things = try known.decode(Shelf.self, from: data).things
                    #expect(things.map { ($0 as? Animal)?.name } == names)
                    for thing in shared.value.things { #expect((thing as? UnknownObject)?.value.className == "Animal") }
                }
            }
            try await group.waitForAll()
        }
    }

    /// An array of existentials is not `Sendable`, though all that is in it here is.
    private struct UncheckedShare<Value>: @unchecked Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }
}
