// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// A class entry may name superclasses and other names without end, and as many entries as there are objects may share
/// them.
@Suite(.inTurn) struct `A class entry` {
    private static func entry(
        _ archive: RawArchive, _ name: String, _ more: [(String, RawArchive.Reference)]
    ) -> RawArchive.Reference {
        archive.fields([("$classname", archive.text(name))] + more)
    }

    /// Objects of a class each, all of which have the same list under `key`.
    private static func sharing(_ key: String, _ names: Int, classes: Int = 1500) -> @Sendable (RawArchive) -> Int {
        { archive in
            let list = archive.array(Array(repeating: archive.text("Ancestor"), count: names))
            return archive.list(
                (0..<classes).map { number in
                    let entry = archive.object(entry(archive, "C\(number)", [(key, list)]))
                    return archive.object(archive.fields([("$class", entry)]))
                })
        }
    }

    static let readers: [Reader] = [
        .decoder([Chain].self), .decoder([Relative?].self, .skip), .decoder([Relative].self, .decodeAsRequested),
        .decoder(Guess.self), .decoder([UnknownObject].self), .listed(.skip), .listed(.placeholder),
        .listed(and: [UnknownObject.self]), .unarchiver("[Link]", .skip) { try $0.decode([Link].self, forKey: "root") },
    ]

    @Test(arguments: readers)
    func `with a long chain costs what its bytes cost, or is refused`(reader: Reader) {
        for key in ["$classes", "$classhints", "$classversions"] {
            let data = RawArchive.data(Self.sharing(key, 20_000, classes: 500))
            do {
                _ = try reader.read(data)
            } catch {
                #expect("\(error)".utf8.count < 8000)
            }
        }
    }

    /// Each object would look for the name behind all other keys.
    @Test func `with very many keys describes no class`() throws {
        let data = RawArchive.data { archive in
            let others = Array(repeating: (key: archive.text("k"), value: archive.integer(1)), count: 64)
            let name = [(key: archive.text("$classname"), value: archive.text("Crowd"))]
            let (few, many) = (archive.dictionary(others.dropLast() + name), archive.dictionary(others + name))
            return archive.list(
                [few, many].map { entry in
                    archive.object(archive.fields([("$class", archive.object(entry))]))
                })
        }
        let archive = try KeyedArchive(data)
        #expect(archive.root.elements.map(\.className) == ["Crowd", nil])
        #expect(Set(archive.classes.map(\.name)) == ["NSArray", "Crowd"])
        #expect(archive.problems().count == 1)
        var decoder = ArchiveDecoder()
        decoder.classes.unknownClasses = .placeholder
        #expect(
            "\(#expect(throws: (any Error).self) { try decoder.decode([UnknownObject].self, from: data) } as Any)"
                .contains("has 65 keys; the limit is 64"))
    }

    @Test func `with a long chain that all share does not become as many lists`() throws {
        let data = RawArchive.data(Self.sharing("$classes", 20_000))
        let archive = try KeyedArchive(data)
        let classes = archive.classes
        #expect(classes.reduce(0) { $0 + $1.chain.count } < 1_000_000)
        #expect(archive.objects.reduce(0) { $0 + ($1.class?.chain.count ?? 0) } < 1_000_000)
        #expect(archive.tree.utf8.count < 16 * data.count)
        #expect(archive.problems().count <= 100)
        #expect(archive.unreachableObjects.isEmpty)
    }
}
