// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// Encoders and decoders are used within what they encode and decode, by everything that has a say in it.
@Suite(.inTurn) struct `A coder that is used inside itself` {
    /// What is done inside.
    enum Deed: String, CaseIterable, Sendable {
        case encode, decode, file, archiver, copy, failure, look
    }

    /// What the types below do, each at the beginning and at the end of what it encodes or decodes.
    struct Inside: Sendable {
        @TaskLocal static var current: Inside?

        let deeds: [Deed]
        /// How deep coders may still be used in each other.
        let levels: Int
        let file: URL
        let expected: Data

        static func enter() throws {
            guard let current, current.levels > 0 else { return }
            let deeper = Inside(
                deeds: current.deeds, levels: current.levels - 1, file: current.file, expected: current.expected)
            try $current.withValue(deeper) { try deeper.act() }
        }

        func act() throws {
            for deed in deeds {
                switch deed {
                case .encode: #expect(try Self.encoder.encode(Sheet()) == expected)
                case .decode: #expect(try Self.decoder.decode(Sheet.self, from: expected).isWhole)
                case .file:
                    try Self.encoder.encode(Sheet(), to: file)
                    #expect(try Self.decoder.decode(Sheet.self, from: file).isWhole)
                    #expect(try Data(contentsOf: file) == expected)
                case .archiver:
                    let data = try KeyedArchiver.archivedData(withRootObject: Stamp(Sticker("s")))
                    #expect(try KeyedUnarchiver.unarchivedObject(of: Stamp.self, from: data).sticker.text == "s")
                case .copy: #expect(try deepCopy(of: Sheet()).isWhole)
                case .failure:
                    #expect(throws: Failure.self) { try Self.encoder.encode([Failing()]) }
                    #expect(throws: DecodingError.self) {
                        _ = try Self.decoder.decode([Sheet].self, from: expected)
                    }
                case .look:
                    let archive = try KeyedArchive(expected)
                    try archive.validate()
                    #expect(try archive.root.decode(Sheet.self, using: Self.decoder).isWhole)
                }
            }
        }

        /// The same for all levels.
        static let encoder = {
            var encoder = ArchiveEncoder()
            encoder.classes = classes
            encoder.outputFormatting = .sortedKeys
            return encoder
        }()
        static let decoder = {
            var decoder = ArchiveDecoder()
            decoder.classes = classes
            return decoder
        }()
        private static let classes = {
            var classes = ClassRegistry()
            classes.register(Sheet.self, name: "Sheet")
            classes.register(Sticker.self, name: "Sticker")
            classes.register(Stamp.self, name: "Stamp")
            return classes
        }()
    }

    struct Failing: Encodable {
        func encode(to encoder: any Encoder) throws {
            try Inside.enter()
            var container = encoder.unkeyedContainer()
            try container.encode(Sheet())
            throw Failure()
        }
    }

    /// A struct with an instance of each kind, which refer to each other.
    struct Sheet: Codable {
        var title = "sheet"
        var sticker: Sticker
        @Coded var stamp: Stamp
        var stickers: [Sticker]

        init() {
            sticker = Sticker("sheet")
            stamp = Stamp(sticker)
            stickers = [sticker, Sticker("other")]
        }

        var isWhole: Bool {
            title == "sheet" && sticker.text == "sheet" && stamp.sticker === sticker && stickers.count == 2
                && stickers[0] === sticker && stickers[1].text == "other"
        }

        private enum CodingKeys: CodingKey {
            case title, sticker, stamp, stickers
        }

        init(from decoder: any Decoder) throws {
            try Inside.enter()
            let container = try decoder.container(keyedBy: CodingKeys.self)
            title = try container.decode(String.self, forKey: .title)
            sticker = try container.decode(Sticker.self, forKey: .sticker)
            _stamp = try container.decode(Coded<Stamp>.self, forKey: .stamp)
            try Inside.enter()
            stickers = try container.decode([Sticker].self, forKey: .stickers)
        }

        func encode(to encoder: any Encoder) throws {
            try Inside.enter()
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(title, forKey: .title)
            try container.encode(sticker, forKey: .sticker)
            try container.encode(_stamp, forKey: .stamp)
            try Inside.enter()
            try container.encode(stickers, forKey: .stickers)
        }
    }

    final class Sticker: Codable {
        let text: String

        init(_ text: String) { self.text = text }

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            try Inside.enter()
            text = try container.decode(String.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try Inside.enter()
            try container.encode(text)
        }
    }

    final class Stamp: Coding {
        let sticker: Sticker

        init(_ sticker: Sticker) { self.sticker = sticker }

        init(coder: KeyedUnarchiver) throws {
            try Inside.enter()
            let value = try coder.decodeDouble(forKey: "value")
            sticker = try coder.decode(Sticker.self, forKey: "sticker")
            guard value == 0.5 else { throw Failure() }
            try Inside.enter()
        }

        func encode(with coder: KeyedArchiver) throws {
            try Inside.enter()
            coder.encode(0.5, forKey: "value")
            try coder.encode(sticker, forKey: "sticker")
            try Inside.enter()
        }
    }

    /// Lets `body` run with `levels` of `deeds` inside of everything.
    private func inside(_ levels: Int, _ deeds: [Deed], _ body: (Inside) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let inside = Inside(
                deeds: deeds, levels: levels, file: folder["sheet"], expected: try Inside.encoder.encode(Sheet()))
            try Inside.$current.withValue(inside) { try body(inside) }
            #expect(try folder.names().count <= 1)
        }
    }

    /// Two levels deep; three where that is not too much.
    @Test(arguments: Deed.allCases)
    func `gives what it gives alone, several levels deep`(deed: Deed) throws {
        let levels = [.encode, .decode, .copy, .archiver].contains(deed) ? 3 : 2
        try inside(levels, [deed]) { try $0.act() }
    }

    @Test(arguments: Deed.allCases)
    func `gives what it gives alone, after something else was done there`(deed: Deed) throws {
        for other in Deed.allCases { try inside(1, [deed, other]) { try $0.act() } }
    }

    @Test func `writes the file last that it is in the middle of writing`() throws {
        /// What is encoded writes another version to the same file first.
        struct Version: Codable, Equatable {
            var number: Int
            var file: URL?

            init(_ number: Int, _ file: URL?) { (self.number, self.file) = (number, file) }
            init(from decoder: any Decoder) throws {
                number = try decoder.singleValueContainer().decode(Int.self)
            }

            func encode(to encoder: any Encoder) throws {
                if number > 0, let file {
                    try ArchiveEncoder().encode(Version(number - 1, file), to: file)
                    #expect(try ArchiveDecoder().decode(Version.self, from: file).number == number - 1)
                }
                var container = encoder.singleValueContainer()
                try container.encode(number)
            }
        }
        try inside(0, []) { inside in
            try ArchiveEncoder().encode(Version(20, inside.file), to: inside.file)
            #expect(try ArchiveDecoder().decode(Version.self, from: inside.file).number == 20)
        }
    }

    /// The archiver itself, not another one: what is encoded inside goes into the same archive.
    @Test func `takes what an object inside encodes to its end before it goes on`() throws {
        final class Box: Coding {
            let archiver: () -> KeyedArchiver?
            init(_ archiver: @escaping () -> KeyedArchiver?) { self.archiver = archiver }
            init(coder: KeyedUnarchiver) throws { archiver = { nil } }
            func encode(with coder: KeyedArchiver) throws {
                #expect(archiver() === coder)
                coder.encode(1, forKey: "before")
                try coder.encode(Inside.encoder.encode(Sheet()), forKey: "data")
                coder.encode(2, forKey: "after")
            }
        }
        let archiver = KeyedArchiver()
        try archiver.encode(Box { [weak archiver] in archiver }, forKey: "box")
        let archive = try KeyedArchive(archiver.finishEncoding())
        let box = try #require(archive.top["box"])
        #expect(box["before"]?.integer == 1 && box["after"]?.integer == 2)
        #expect(try Inside.decoder.decode(Sheet.self, from: #require(box["data"]?.data)).isWhole)
    }
}
