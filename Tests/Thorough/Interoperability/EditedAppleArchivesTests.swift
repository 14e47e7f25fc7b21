// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// Archives that programs on Apple's systems wrote, as property lists and edited. Nothing of them may change but what is
/// edited.
@Suite(.inTurn, .needs(.corpus))
struct `Archives by Apple's frameworks, edited` {
    /// The archive in the file; nil where it is another property list, or no archive that can be read whole.
    private func archive(_ name: String) throws -> (KeyedArchive, PropertyList)? {
        let data = try Corpus.data(name)
        guard let archive = try? KeyedArchive(data), let list = try? archive.propertyList() else { return nil }
        #expect(try isSame(list, PropertyList(data)))
        return (archive, list)
    }

    /// Whether both are the same, with their keys in the same order.
    private func isSame(_ left: PropertyList, _ right: PropertyList) -> Bool {
        left == right && left.description == right.description
    }

    @Test func `are archives for the most part`() throws {
        let count = try Corpus.names.filter { try archive($0) != nil }.count
        #expect(count * 2 > Corpus.names.count, "\(count) of \(Corpus.names.count)")
    }

    @Test(arguments: Corpus.names)
    func `come back from property lists`(name: String) throws {
        guard let (_, list) = try archive(name) else { return }
        #expect(try isSame(KeyedArchive(list).propertyList(), list))
        #expect(try isSame(KeyedArchive(list.data(format: .binary)).propertyList(), list))
        // Nibs have keyboard shortcuts such as U+001B, which XML does not have.
        let (replaced, count) = list.replacingCharactersUnrepresentableInXML()
        #expect(count == 0 || name.contains(".nib"))
        let xml = try KeyedArchive(replaced.data(format: .xml))
        #expect(xml.format == .xml)
        #expect(try isSame(xml.propertyList(), asInXML(replaced)))
        #expect(try isSame(KeyedArchive(xml.propertyList()).propertyList(), asInXML(replaced)))
    }

    /// What XML holds of a value: reals have 64 bits, and dates no fraction of a second.
    private func asInXML(_ list: PropertyList) -> PropertyList {
        switch list {
        case .real32(let value): .real(value.isNaN ? .nan : Double(value))
        case .real(let value) where value.isNaN: .real(.nan)
        case .date(let date):
            .date(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down)))
        case .array(let elements): .array(elements.map(asInXML))
        case .dictionary(let entries):
            .dictionary(.init(entries.map { (key: $0.key, value: asInXML($0.value)) }))
        default: list
        }
    }

    @Test(arguments: Corpus.names)
    func `are as they were when an edit is taken back`(name: String) throws {
        guard let (archive, list) = try archive(name) else { return }
        var editor = try KeyedArchiveEditor(archive)
        #expect(isSame(editor.propertyList, list))
        for (number, described) in archive.classes.enumerated() {
            let newName = "Edited." + described.name
            try editor.renameClass(described.name, to: newName)
            #expect(editor.addClass(named: newName) <= described.uid)
            // To make an archive each time would take long.
            if number < 3 {
                #expect(try editor.archive()[uid: described.uid].describedClass?.name == newName)
            }
            try editor.renameClass(newName, to: described.name)
        }
        try editor.set("text", at: ["a key of this test"])
        #expect(try editor.archive()["a key of this test"]?.string == "text")
        try editor.set(7, at: ["$another"])
        try editor.remove(at: ["a key of this test"])
        try editor.remove(at: ["$another"])
        guard case .dictionary(var root) = list, case .array(let objects)? = root["$objects"] else { return }
        root["$objects"] = .array(objects + ["text"])
        #expect(isSame(editor.propertyList, .dictionary(root)))
    }

    @Test(arguments: Corpus.names)
    func `lose their unreachable objects`(name: String) throws {
        guard let (archive, _) = try archive(name) else { return }
        var editor = try KeyedArchiveEditor(archive)
        let removed = editor.removeUnreachableObjects()
        #expect(removed == archive.unreachableObjects.filter { !$0.isNull }.compactMap(\.uid))
        let again = try editor.archive()
        #expect(again.unreachableObjects.filter { !$0.isNull }.isEmpty)
        #expect(again.root.reachableObjects.map(\.uid) == archive.root.reachableObjects.map(\.uid))
    }

    @Test(arguments: Corpus.names)
    func `have by path what the archive has by path`(name: String) throws {
        guard let (archive, _) = try archive(name) else { return }
        let editor = try KeyedArchiveEditor(archive)
        // A way to each of the first values that are met, as a program would go it.
        var paths: [(KeyedArchive.Path, KeyedArchive.Value)] = [([], archive.top)]
        var next = 0
        while next < paths.count, paths.count < 400 {
            let (path, value) = paths[next]
            next += 1
            for key in value.keys { if let inner = value[key] { paths.append((path.appending(key: key), inner)) } }
            for (position, element) in value.elements.prefix(20).enumerated() {
                paths.append((path.appending(index: position), element))
            }
            for (position, entry) in value.entries.prefix(20).enumerated() {
                paths.append((path.appending(index: position), entry.value))
            }
        }
        // An invalid reference has no value in either.
        for (path, value) in paths where value.damage == nil {
            #expect(try editor.value(at: path) == value.propertyList(), "\(path)")
            #expect(editor.uid(at: path) == value.uid, "\(path)")
        }
    }
}
