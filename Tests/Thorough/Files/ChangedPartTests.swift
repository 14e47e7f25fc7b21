// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import FileFaultContent
import Foundation
import TestSupport
import Testing

/// What was taken out of an archive in a large file, while the file was whole, and is used when it is not any more.
@Suite(.inTurn) struct `A part of a file that has changed` {
    /// A document with an archive in it, and objects of classes that the reader does not know. The file is larger than what
    /// is read at once.
    struct Document: Codable {
        var inner: Data
        @Polymorphic var things: [any Codable & AnyObject]
        var padding: Data
    }

    final class Thing: Codable {
        var name: String
        var picture: Data

        init(_ number: Int) {
            name = "thing \(number)"
            picture = Data(repeating: 7, count: 3000)
        }
    }

    private static let writer = {
        var encoder = ArchiveEncoder()
        encoder.classes.register(Document.self, name: "Document")
        encoder.classes.register(Thing.self, name: "Thing")
        return encoder
    }()

    private static let reader = {
        var decoder = ArchiveDecoder()
        decoder.classes.register(Document.self, name: "Document")
        decoder.classes.unknownClasses = .placeholder
        return decoder
    }()

    /// Opens the archive of a document in a file, and lets `change` change the file after `prepare` has looked at it.
    private func opened<Part>(
        _ prepare: (KeyedArchive) throws -> Part, _ change: (FileHandle) throws -> Void, _ body: (Part) throws -> Void
    ) throws {
        try TemporaryFolder.with { folder throws in
            let inner = try ArchiveEncoder().encode((0..<20_000).map { "text \($0)" })
            let document = Document(
                inner: inner, things: (0..<50).map { Thing($0) }, padding: Data(count: 1 << 20))
            let file = folder["archive"]
            try Self.writer.encode(document, to: file)
            let archive = try KeyedArchive(contentsOf: file)
            #expect(archive.isLoadedByPage)
            let part = try prepare(archive)
            let handle = try FileHandle(forUpdating: file)
            try change(handle)
            try body(part)
        }
    }

    private static func empty(_ handle: FileHandle) throws { try handle.truncate(atOffset: 0) }

    private static func overwrite(_ handle: FileHandle) throws {
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: Data(repeating: 0x51, count: Int(size)))
    }

    private static let changes: [@Sendable (FileHandle) throws -> Void] = [{ try empty($0) }, { try overwrite($0) }]

    /// The requested value exists, and an archive in an archive is requested as a whole.
    @Test(arguments: changes.indices)
    func `is an archive inside, which is whole when it is open`(change: Int) throws {
        try opened {
            try #require($0.root["inner"]).openArchive()
        } _: {
            try Self.changes[change]($0)
        } _: { inner throws in
            try inner.validate()
            let texts = try inner.root.decode([String].self)
            #expect(texts.count == 20_000 && texts.last == "text 19999")
        }
    }

    @Test(arguments: changes.indices)
    func `is an archive inside, which is whole also when it is opened only then`(change: Int) throws {
        try opened {
            try #require($0.root["inner"])
        } _: {
            try Self.changes[change]($0)
        } _: { inner throws in
            #expect(try inner.openArchive().root.decode([String].self).last == "text 19999")
        }
    }

    @Test(arguments: changes.indices)
    func `is an embedded archive that is missing if it was not requested before`(change: Int) throws {
        try opened {
            $0
        } _: {
            try Self.changes[change]($0)
        } _: { archive throws in
            // What is there instead is a text, of which there may be many in a good archive.
            #expect((try? archive.root["inner"]?.openArchive()) == nil)
        }
    }

    /// An unknown object keeps its archive, and its contents are read on request.
    @Test(arguments: changes.indices)
    func `is an unknown object, which gives errors, and nothing that was not there`(change: Int) throws {
        try opened {
            try #require($0.root["things"]).decode([UnknownObject].self, using: Self.reader)
        } _: {
            try Self.changes[change]($0)
        } _: { objects in
            #expect(objects.count == 50)
            for (index, object) in objects.enumerated() {
                if let name = object.value["name"]?.string { #expect(name == "thing \(index)") }
                if let picture = object.value["picture"]?.data { #expect(picture == Data(repeating: 7, count: 3000)) }
                _ = (object.value.keys, object.value.class?.chain, object.description, object.value.damage)
            }
            do {
                let data = try ArchiveEncoder().encode(objects)
                let things = try KeyedArchive(data).root.elements
                #expect(things.allSatisfy { $0["picture"]?.data == Data(repeating: 7, count: 3000) })
            } catch {
                #expect(error is EncodingError, "\(error)")
            }
        }
    }

    @Test(arguments: changes.indices)
    func `is an editor, which has all of it`(change: Int) throws {
        try opened {
            try KeyedArchiveEditor($0)
        } _: {
            try Self.changes[change]($0)
        } _: { editor in
            let document = try KeyedArchive(editor.propertyList.data()).root
            #expect(document["things"]?[49]["name"]?.string == "thing 49")
            #expect(document["padding"]?.data?.count == 1 << 20)
        }
    }
}
