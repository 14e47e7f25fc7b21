// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// Everything that writes a file replaces it in the same way, and everything that reads one says in the same way what is
/// wrong.
@Suite(.inTurn) struct `A function` {
    final class Note: Coding, Codable, Equatable {
        let text: String

        init(_ text: String) { self.text = text }
        init(coder: KeyedUnarchiver) throws { text = try coder.decode(String.self, forKey: "text") }
        func encode(with coder: KeyedArchiver) throws { coder.encode(text, forKey: "text") }
        static func == (left: Note, right: Note) -> Bool { left.text == right.text }
    }

    /// What writes an archive to a file.
    enum Writer: CaseIterable, Sendable {
        case encoder, xmlEncoder, object, objects

        func write(_ text: String, to file: URL) throws {
            switch self {
            case .encoder: try ArchiveEncoder().encode([text], to: file)
            case .xmlEncoder:
                var encoder = ArchiveEncoder()
                encoder.outputFormat = .xml
                try encoder.encode([text], to: file)
            case .object: try ArchiveEncoder().encode(Coded(wrappedValue: Note(text)), to: file)
            case .objects: try ArchiveEncoder().encode(Coded(wrappedValue: [Note(text)]), to: file)
            }
        }

        func read(_ file: URL) throws -> String? {
            switch self {
            case .object: try KeyedUnarchiver.unarchivedObject(of: Note.self, from: Data(contentsOf: file)).text
            case .objects: try KeyedUnarchiver(contentsOf: file).decode([Note].self, forKey: "root").first?.text
            case .encoder, .xmlEncoder: try ArchiveDecoder().decode([String].self, from: file).first
            }
        }
    }

    @Test(arguments: Writer.allCases)
    func `that writes keeps permissions and links, and leaves nothing beside the file`(writer: Writer) throws {
        try TemporaryFolder.with { folder throws in
            let (file, link) = (folder["archive"], folder["link"])
            try writer.write("first", to: file)
            try file.setMode(0o640)
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "archive")
            try writer.write("second", to: link)
            #expect(try writer.read(file) == "second")
            #expect(try FileFacts(file).mode == 0o640)
            #expect(try FileFacts(link).kind == S_IFLNK)
            #expect(try folder.names() == ["archive", "link"])
        }
    }

    @Test(arguments: Writer.allCases)
    func `that writes says what the system does not allow`(writer: Writer) throws {
        try TemporaryFolder.with { folder throws in
            let missing = folder["missing"].appendingPathComponent("archive")
            let long = folder[String(repeating: "n", count: 256)]
            let elsewhere = try #require(URL(string: "https://example.invalid/archive"))
            for (file, code) in [
                (missing, CocoaError.fileNoSuchFile), (long, .fileWriteInvalidFileName),
                (elsewhere, .fileWriteUnsupportedScheme),
            ] {
                let error = try cocoaError { try writer.write("text", to: file) }
                #expect(error.code == code)
                #expect((error.userInfo["NSURL"] as? URL) == file)
            }
            #expect(throws: CocoaError.self) { try writer.write("text", to: folder.url) }
            #expect(try folder.names() == [])
        }
    }

    @Test(arguments: Writer.allCases)
    func `that reads says that there is no file, or none that may be read`(writer: Writer) throws {
        try TemporaryFolder.with { folder throws in
            let error = try cocoaError { _ = try writer.read(folder["missing"]) }
            #expect(error.code == .fileReadNoSuchFile)
            #expect(throws: CocoaError.self) { try writer.read(folder.url) }
        }
    }

    /// 1.5 MB, which are loaded page by page by some of them.
    @Test func `that reads reads large files as well`() throws {
        try TemporaryFolder.with { folder throws in
            let text = String(repeating: "large ", count: 250_000)
            for writer in Writer.allCases {
                let file = folder["archive"]
                try writer.write(text, to: file)
                #expect(try writer.read(file) == text)
                let archive = try KeyedArchive(contentsOf: file)
                #expect(archive.isLoadedByPage || archive.format == .xml)
            }
        }
    }

    /// The file that an archive was opened from may be the one that is written.
    @Test func `that writes an archive back to the file it came from does not disturb it`() throws {
        try TemporaryFolder.with { folder throws in
            let file = folder["archive"]
            let texts = (0..<60_000).map { "the text with the number \($0)" }
            try ArchiveEncoder().encode(texts, to: file)
            let archive = try KeyedArchive(contentsOf: file)
            var editor = try KeyedArchiveEditor(archive)
            try editor.set("changed", at: ["root", 59_999])
            try editor.propertyList.data().write(to: file, options: .atomic)
            #expect(archive.root[59_999].string == texts[59_999])
            #expect(try archive.root.decode([String].self) == texts)
            #expect(try ArchiveDecoder().decode([String].self, from: file) == texts.dropLast() + ["changed"])
        }
    }
}
