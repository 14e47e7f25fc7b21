// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `The sentence of an error` {
    struct Animal: Codable {
        var name = "Bella"
        var friends = ["Berta"]
    }

    /// The underlying error of decoding `data`.
    private func underlying(
        _ data: Data, _ decoder: ArchiveDecoder = ArchiveDecoder(), sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> any LocalizedError {
        let error = try #require(throws: DecodingError.self, sourceLocation: sourceLocation) {
            try decoder.decode(Animal.self, from: data)
        }
        guard case .dataCorrupted(let context) = error else { throw error }
        return try #require(context.underlyingError as? any LocalizedError, sourceLocation: sourceLocation)
    }

    private static func xml(_ encoding: String.Encoding) -> Data {
        Data(#"<?xml version="1.0"?><plist version="1.0"><string>a</string></plist>"#.data(using: encoding) ?? Data())
    }

    static let files: [(file: Data, name: String, advice: String)] = [
        (Data(), "empty", ""),
        (Data(count: 100), "full of zeros", "It may not have been written completely"),
        (Data("Hello\n".utf8), "plain text", ""),
        (Data("Grüße".utf8), "plain text", ""),
        (Data(#"{"name": "Bella"}"#.utf8), "JSON", "Read it with JSONDecoder"),
        (Data("\u{FEFF} [1]".utf8), "JSON", "Read it with JSONDecoder"),
        (
            Data("{ name = Bella; }".utf8), "JSON, or a property list in the old text format",
            "Read it with JSONDecoder, or convert it"
        ),
        (
            Data([4, 11]) + Data("streamtyped".utf8) + Data([0x81, 0xE8, 3]), "a typedstream",
            "Read it with SequentialUnarchiver of the module SequentialArchiving"
        ),
        (Data("<!DOCTYPE html>\n<html></html>".utf8), "an HTML page", ""),
        (Data("\n<HTML><body>".utf8), "an HTML page", ""),
        (Data("PK\u{3}\u{4}\u{14}\0".utf8), "a zip file", "The files in it may be archives"),
        (Data("NIBArchive\u{1}\0".utf8), "a compiled nib in the format NIBArchive", ""),
        (Data([0x1F, 0x8B, 8, 0]), "compressed by gzip", "Unpack it first"),
        (Data([0x89, 0x50, 0x4E, 0x47]), "a PNG image", ""),
        (Data("bplist16".utf8), "a binary property list of a version that is not described", ""),
        (xml(.utf32BigEndian), "text in UTF-32", "Convert it to UTF-8, which XML property lists have"),
        (xml(.utf32LittleEndian), "text in UTF-32", "Convert it to UTF-8, which XML property lists have"),
        (xml(.utf32), "text in UTF-32", "Convert it to UTF-8, which XML property lists have"),
    ]

    @Test(arguments: files)
    func `names the format of a file that is no property list`(file: Data, name: String, advice: String) throws {
        let found = try #require(try underlying(file) as? PropertyListError)
        #expect(found.code == .notAPropertyList)
        #expect("\(found)" == "The data is not a property list: it is \(name)" + (advice.isEmpty ? "" : ". \(advice)"))
        #expect(found.errorDescription == "The file is \(name), not a property list.")
        let opened = try #require(throws: KeyedArchiveError.self) { try KeyedArchive(file) }
        #expect(opened.code == .notAnArchive)
        #expect(opened.errorDescription == "The file is \(name), not a keyed archive.")
        let list = try #require(throws: PropertyListError.self) { try PropertyList(file) }
        #expect(list == found)
    }

    @Test func `of other bytes says how property lists begin`() throws {
        let found = try #require(try underlying(Data([0xC0, 0xC1, 0xC2, 0])) as? PropertyListError)
        #expect("\(found)" == "The data is not a property list: it starts with neither \"bplist0\" nor XML")
        #expect(found.errorDescription == "The file is not a property list.")
    }

    @Test func `of a property list that is no archive names what is missing`() throws {
        for format in PropertyListFormat.allCases {
            let list = PropertyList.dictionary(["$version": 100_000, "$top": .dictionary(["root": "a"])])
            let found = try #require(try underlying(list.data(format: format)) as? KeyedArchiveError)
            #expect(found.code == .notAnArchive)
            #expect("\(found)" == "The property list is not a keyed archive: $objects is missing")
            #expect(found.errorDescription == "The file is not a keyed archive.")
        }
    }

    @Test func `of a checksum says whether it is wrong or missing`() throws {
        var encoder = ArchiveEncoder()
        encoder.checksum = .crc64
        var data = try encoder.encode(Animal())
        data[60] ^= 1
        let wrong = try #require(try underlying(data) as? KeyedArchiveError)
        #expect(wrong.code == .damaged)
        #expect("\(wrong)".hasPrefix("The keyed archive is damaged: its checksum is 0x"))
        #expect(wrong.errorDescription == "The archive is damaged.")
        #expect(wrong.recoverySuggestion == "Restore the file from a backup.")
        var decoder = ArchiveDecoder()
        decoder.checksum = .required
        let missing = try #require(try underlying(ArchiveEncoder().encode(Animal()), decoder) as? KeyedArchiveError)
        #expect(missing.code == .notFound)
        #expect("\(missing)".hasPrefix("The archive has no checksum, and the decoder requires one."))
        #expect(missing.errorDescription == "The archive has no checksum.")
        #expect(missing.recoverySuggestion == "Choose a file that was saved with a checksum.")
    }

    final class Knot: Codable {
        var next: Knot?
    }

    struct Level: Codable {
        var children: [Level] = []
    }

    /// Errors of encoders, decoders and unarchivers of every code, and their sentences.
    private static func errors() throws -> [(error: any Error, sentence: String)] {
        let knot = Knot()
        knot.next = knot
        var low = ArchiveEncoder()
        low.limits.nesting = 2
        var few = ArchiveDecoder()
        few.limits.objects = 3
        var xml = ArchiveEncoder()
        xml.outputFormat = .xml
        let data = try ArchiveEncoder().encode(Animal())
        let attempts: [(String, () throws -> Void)] = [
            ("Found the string", { _ = try ArchiveDecoder().decode([String: Int].self, from: data) }),
            ("No value for the key", { _ = try ArchiveDecoder().decode(Level.self, from: data) }),
            ("it is JSON", { _ = try ArchiveDecoder().decode(Level.self, from: Data("[]".utf8)) }),
            ("trailer", { _ = try ArchiveDecoder().decode(Level.self, from: data.dropLast(9)) }),
            ("limit objects", { _ = try few.decode(Animal.self, from: data) }),
            ("leads back to", { _ = try ArchiveDecoder().decode(Knot.self, from: ArchiveEncoder().encode(knot)) }),
            ("nested deeper", { _ = try low.encode(["a": ["b": ["c": [1]]]]) }),
            ("U+0007", { _ = try xml.encode("\u{7}") }),
            ("needs an archive", { _ = try JSONDecoder().decode(KeyedArchive.Value.self, from: Data("1".utf8)) }),
            ("Found a uid", { _ = try ArchiveEncoder().encode(PropertyList.uid(3)) }),
        ]
        return try attempts.map { sentence, attempt in
            (try #require(throws: (any Error).self) { try attempt() }, sentence)
        }
    }

    @Test func `is printed once`() throws {
        for (error, sentence) in try Self.errors() {
            #expect("\(error)".components(separatedBy: sentence).count == 2, "\(sentence): \(error)")
            let carried =
                switch error {
                case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
                    DecodingError.keyNotFound(_, let context), DecodingError.valueNotFound(_, let context):
                    context.underlyingError
                case EncodingError.invalidValue(_, let context): context.underlyingError
                default: error
                }
            let shown = try #require(carried as? any LocalizedError, "\(error)")
            #expect("\(shown)".contains(sentence))
            #expect(shown.errorDescription?.hasSuffix(".") == true && shown.recoverySuggestion?.hasSuffix(".") == true)
        }
    }

    @Test func `of a value that is nested too deeply can be printed`() throws {
        var level = Level()
        for _ in 0..<20_000 { level = Level(children: [level]) }
        let error = try #require(throws: EncodingError.self) { try ArchiveEncoder().encode(level) }
        #expect("\(error)".utf8.count < 4000 && "\(error)".contains("the stack has no room for more"))
        guard case .invalidValue(let value, _) = error else { return }
        #expect("\(value)".contains("Level"))
        // Deinitialized in a loop: each level would take stack.
        while let next = level.children.first { level = next }
    }
}
