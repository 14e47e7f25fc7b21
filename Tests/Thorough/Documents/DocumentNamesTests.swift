// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Names of the types in a document` {
    class Animal: Codable {
        var name = "a"
        init() {}
    }

    final class Dog: Animal {}

    struct Farm: Codable, ArchiveDescribing {
        static let archiveName = "Farm"
        var animals: [Animal] = [Animal(), Dog()]
        var names: [String: Date] = [:]
    }

    @Test func `are warnings if they are those of Swift`() throws {
        try TemporaryFolder.with { folder in
            let document = ArchiveDocument(root: Farm())
            #expect(document.warnings.isEmpty)
            try document.save(to: folder["file"])
            let names = [String(reflecting: Animal.self), String(reflecting: Dog.self)]
            #expect(document.warnings.map(\.typeName) == names)
            #expect(document.warnings[0].description.hasPrefix("Objects of DocumentsTests."))
            var encoder = ArchiveEncoder()
            encoder.classes.register(Dog.self, name: "Dog")
            encoder.classes.register(Animal.self, name: "Animal")
            let registered = ArchiveDocument(root: Farm(), encoder: encoder)
            try registered.save(to: folder["other"])
            #expect(registered.warnings.isEmpty)
        }
    }

    private func path(of error: (any Error)?) -> [String]? {
        guard case .invalidValue(_, let context)? = error as? EncodingError else { return nil }
        #expect("\(context)".contains("is not registered"))
        return context.codingPath.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }
    }

    @Test(arguments: [PropertyListFormat.binary, .xml]) func `have to be registered if the registry requires it`(
        format: PropertyListFormat
    ) throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        encoder.outputFormatting = format == .xml ? .sortedKeys : []
        encoder.classes.unregisteredTypes = .fail
        #expect(path(of: #expect(throws: EncodingError.self) { try encoder.encode(Farm()) }) == [])
        encoder.classes.register(Farm.self)
        encoder.classes.register(Animal.self)
        #expect(path(of: #expect(throws: EncodingError.self) { try encoder.encode(Farm()) }) == ["animals", "1"])
        try TemporaryFolder.with { folder in
            let document = ArchiveDocument(root: Farm(), encoder: encoder)
            let error = #expect(throws: EncodingError.self) { try document.save(to: folder["file"]) }
            #expect(path(of: error) == ["animals", "1"])
            #expect(!FileManager.default.fileExists(atPath: folder["file"].path))
        }
        encoder.classes.register(Dog.self)
        var decoder = ArchiveDecoder()
        decoder.classes = encoder.classes
        let farm = try decoder.decode(Farm.self, from: encoder.encode(Farm()))
        #expect(farm.animals[1] is Dog)
        let none: [String: [Int]] = ["a": [1]]
        #expect(try ArchiveDecoder().decode([String: [Int]].self, from: encoder.encode(none)) == none)
    }

    struct Herd: Codable {
        var farms = [Farm()]
        var card = Coded(wrappedValue: Card())
    }

    @Test func `that have to be registered are all named in one error`() throws {
        var encoder = ArchiveEncoder()
        encoder.classes.unregisteredTypes = .fail
        encoder.classes.register(Herd.self, Animal.self)
        let error = #expect(throws: EncodingError.self) { try encoder.encode(Herd()) }
        #expect(path(of: error) == ["farms", "0"])
        guard case .invalidValue(_, let context)? = error else { return }
        #expect(
            (context.underlyingError as? ArchivingError)?.description
                == "Found a Farm at \"farms[0]\", which is not registered, nor are Dog, Card. Register them in the classes of"
                + " encoder and decoder, or set unregisteredTypes to .write: register(Farm.self, Dog.self, Card.self)")
        let archiver = KeyedArchiver()
        archiver.classes = encoder.classes
        try archiver.encode(Herd(), forKey: "herd")
        let failed = #expect(throws: ArchivingError.self) { try archiver.finishEncoding() }
        #expect(failed?.codingPath.map(\.stringValue) == ["herd", "farms", "Index 0"])
        #expect(failed?.debugDescription.contains("register(Farm.self, Dog.self, Card.self)") == true)
        encoder.classes.register(Farm.self, Dog.self, Card.self)
        let herd = try ArchiveDecoder(classes: encoder.classes).decode(Herd.self, from: encoder.encode(Herd()))
        #expect(herd.farms[0].animals[1] is Dog)
    }

    final class Card: Coding {
        static var supportsSecureCoding: Bool { true }
        init() {}
        init(coder: KeyedUnarchiver) throws {}
        func encode(with coder: KeyedArchiver) throws {}
    }

    @Test func `have to be registered for an archiver too`() throws {
        let archiver = KeyedArchiver()
        archiver.classes.unregisteredTypes = .fail
        try archiver.encode([Card()], forKey: "cards")
        let error = #expect(throws: ArchivingError.self) { try archiver.finishEncoding() }
        #expect(error?.codingPath.map(\.stringValue).first == "cards")
    }
}
