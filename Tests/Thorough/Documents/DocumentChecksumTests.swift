// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import ArchiveInspection
import Foundation
import TestSupport
import Testing
import ThoroughSupport

@testable import Archiving

@Suite(.inTurn) struct `The checksum of a document` {
    final class Note: Codable {
        var text: String

        init(_ text: String) { self.text = text }
    }

    final class Folder: Codable {
        var notes: [Note]
        @Deferred var attachment: Data

        init(_ count: Int, attachment: Int = 0) {
            notes = (0..<count).map { Note("Note \($0)") }
            self.attachment = Data((0..<attachment).map { UInt8(truncatingIfNeeded: $0 * $0 >> 4) })
        }
    }

    typealias Document = ArchiveDocument<Folder>

    private static var encoder: ArchiveEncoder {
        var encoder = ArchiveEncoder()
        encoder.checksum = .crc64
        return encoder
    }

    private static func decoder(_ policy: ArchiveChecksum.Policy = .required) -> ArchiveDecoder {
        var decoder = ArchiveDecoder()
        decoder.checksum = policy
        return decoder
    }

    /// The texts of the folder at `url`, whose checksum matches.
    private static func texts(_ url: URL) throws -> [String] {
        try KeyedArchive(contentsOf: url).validate()
        return try decoder().decode(Folder.self, from: url).notes.map(\.text)
    }

    private static func flipBit(_ url: URL, at place: Int) throws {
        var data = try Data(contentsOf: url)
        data[place] ^= 1
        try data.write(to: url)
    }

    @Test(arguments: [0, 2 << 20], [true, false]) func `is up to date after every save`(
        attachment: Int, keepsKeys: Bool
    ) throws {
        try TemporaryFolder.with { folder in
            let url = folder["folder"]
            let (decoder, keys) = (Self.decoder(), keepsKeys ? ArchiveUnknownKeys.keep : .discard)
            let first = Document(
                root: Folder(10, attachment: attachment), encoder: Self.encoder, decoder: decoder, unknownKeys: keys)
            try first.save(to: url)
            #expect(try Self.texts(url) == Folder(10).notes.map(\.text))
            // The file has one, and the encoder of this document is not asked to add it.
            let document = try Document(contentsOf: url, decoder: decoder, unknownKeys: keys)
            for round in 0..<Extent.count(100, of: 300) where round < 5 || attachment == 0 {
                document.root.notes[round % 10].text = "Changed \(round)"
                document.root.notes.append(Note("New \(round)"))
                try document.save()
                if round % 50 < 5 { #expect(try Self.texts(url) == document.root.notes.map(\.text)) }
            }
            #expect(try Self.texts(url) == document.root.notes.map(\.text))
            let isUnchanged = try !document.hasChanges()
            #expect(isUnchanged)
            document.root.notes.removeLast(8)
            try document.compact()
            #expect(try Self.texts(url) == document.root.notes.map(\.text))
            #expect(document.root.attachment == Folder(0, attachment: attachment).attachment)
            try document.save(to: folder["copy"])
            #expect(try Self.texts(folder["copy"]) == document.root.notes.map(\.text))
        }
    }

    @Test(arguments: [1, 250, 40_000]) func `is added by a save to a file without one`(count: Int) throws {
        try TemporaryFolder.with { folder in
            let url = folder["folder"]
            try ArchiveEncoder().encode(Folder(count), to: url)
            let document = try Document(contentsOf: url, encoder: Self.encoder)
            try document.save()
            #expect(try KeyedArchive(contentsOf: url).checksumState == .none)
            document.root.notes[0].text = "Changed"
            try document.save()
            #expect(try Self.texts(url) == document.root.notes.map(\.text))
            document.root.notes[0].text = "Changed again"
            try document.save()
            #expect(try Self.texts(url) == document.root.notes.map(\.text))
            #expect(try KeyedArchive(contentsOf: url).top.fields.map(\.key).sorted() == ["$crc64", "root"])
        }
    }

    @Test func `is added by compaction`() throws {
        try TemporaryFolder.with { folder in
            let url = folder["folder"]
            try ArchiveEncoder().encode(Folder(100), to: url)
            let document = try Document(contentsOf: url, encoder: Self.encoder)
            document.root.notes.removeLast(90)
            try document.compact()
            #expect(try Self.texts(url) == Folder(10).notes.map(\.text))
        }
    }

    @Test(arguments: [0, 2 << 20]) func `of the archive stays with a journal, and is that of a checkpoint`(
        attachment: Int
    ) throws {
        try TemporaryFolder.with { folder in
            let url = folder["folder"]
            try Self.encoder.encode(Folder(100, attachment: attachment), to: url)
            let before = try Data(contentsOf: url)
            do {
                let document = try Document(
                    contentsOf: url, journal: .enabled, encoder: Self.encoder, decoder: Self.decoder())
                document.root.notes[3].text = "Changed"
                try document.save()
                #expect(try Data(contentsOf: url) == before)
            }
            do {
                let document = try Document(
                    contentsOf: url, journal: .enabled, encoder: Self.encoder, decoder: Self.decoder())
                #expect(document.root.notes[3].text == "Changed")
            }
            // The archive is verified before the journal is read.
            let place = before.count / 2
            try Self.flipBit(url, at: place)
            let error = #expect(throws: DecodingError.self) {
                _ = try Document(contentsOf: url, journal: .enabled, decoder: Self.decoder(.ifPresent))
            }
            #expect("\(try #require(error))".contains("its checksum is 0x"))
        }
    }

    @Test(arguments: [0, 2 << 20]) func `is that of a checkpoint`(attachment: Int) throws {
        try TemporaryFolder.with { folder in
            let url = folder["folder"]
            try Self.encoder.encode(Folder(100, attachment: attachment), to: url)
            let document = try Document(
                contentsOf: url, journal: .enabled, encoder: Self.encoder, decoder: Self.decoder())
            document.root.notes[3].text = "Changed"
            try document.save()
            try document.checkpoint()
            #expect(try Self.texts(url) == document.root.notes.map(\.text))
            document.root.notes[4].text = "Changed"
            try document.save()
            #expect(try Self.texts(url) != document.root.notes.map(\.text))
            document.close()
            #expect(try Self.texts(url)[4] == "Changed")
        }
    }

    @Test(arguments: [0, 2 << 20]) func `is verified when the document is opened`(attachment: Int) throws {
        try TemporaryFolder.with { folder in
            let url = folder["folder"]
            try Self.encoder.encode(Folder(100, attachment: attachment), to: url)
            let place = try Data(contentsOf: url).count / 2
            try Self.flipBit(url, at: place)
            for policy in [ArchiveChecksum.Policy.ifPresent, .required] {
                #expect(throws: DecodingError.self) { try Document(contentsOf: url, decoder: Self.decoder(policy)) }
            }
            try Self.flipBit(url, at: place)
            let document = try Document(contentsOf: url, decoder: Self.decoder())
            try Self.flipBit(url, at: place)
            #expect(throws: DecodingError.self) { try document.revert() }
            try ArchiveEncoder().encode(Folder(100), to: url)
            #expect(throws: DecodingError.self) { try Document(contentsOf: url, decoder: Self.decoder()) }
            #expect(try Document(contentsOf: url, decoder: Self.decoder(.ifPresent)).root.notes.count == 100)
        }
    }

    @Test func `is in a file that a snapshot writes`() throws {
        try TemporaryFolder.with { folder in
            let url = folder["folder"]
            let document = Document(root: Folder(10), encoder: Self.encoder)
            _ = try document.snapshot().write(to: url)
            #expect(try Self.texts(url) == document.root.notes.map(\.text))
        }
    }
}
