// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `The settings of an encoder and a decoder` {
    struct Point: Codable, Equatable { var x = 1, y = 2.5, name = "p" }

    @Test func `are the defaults unless set`() {
        let encoder = ArchiveEncoder()
        #expect(encoder.outputFormat == .binary)
        #expect(encoder.outputFormatting == [])
        #expect(encoder.userInfo.isEmpty)
        let decoder = ArchiveDecoder()
        #expect(decoder.userInfo.isEmpty)
        #expect(decoder.limits == DecodingLimits())
    }

    @Test func `choose the format, which the decoder detects by itself`() throws {
        var encoder = ArchiveEncoder()
        let binary = try encoder.encode(Point())
        encoder.outputFormat = .xml
        let xml = try encoder.encode(Point())
        #expect(binary.starts(with: Array("bplist00".utf8)))
        #expect(xml.starts(with: Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>".utf8)))
        #expect(try ArchiveDecoder().decode(Point.self, from: binary) == Point())
        #expect(try ArchiveDecoder().decode(Point.self, from: xml) == Point())
        // A 32-bit real, of which XML has none, is not among the fields.
        #expect(try PropertyList(binary) == PropertyList(xml))
    }

    @Test func `of XML write uids as CF$UID`() throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = .xml
        let text = String(decoding: try encoder.encode(7), as: UTF8.self)
        let squeezed = text.filter { !$0.isWhitespace }
        #expect(squeezed.contains("<key>root</key><dict><key>CF$UID</key><integer>1</integer></dict>"))
        #expect(squeezed.contains("<array><string>$null</string><integer>7</integer></array>"))
    }

    @Test func `make the same bytes each time`() throws {
        let value = [["a": [Point(), Point(x: 3)]], ["b": []]]
        for format in PropertyListFormat.allCases {
            var encoder = ArchiveEncoder()
            encoder.outputFormat = format
            let data = try encoder.encode(value)
            for _ in 0..<10 { #expect(try encoder.encode(value) == data) }
        }
    }

    // MARK: userInfo

    struct Reporter: Codable {
        var found = "none"

        init() {}
        init(from decoder: any Decoder) throws {
            let written = try decoder.singleValueContainer().decode(String.self)
            found = written + "/" + (decoder.userInfo[.note] as? String ?? "none")
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(encoder.userInfo[.note] as? String ?? "none")
        }
    }

    final class Holder: Codable {
        var reporter = Reporter()
    }

    @Test func `hand userInfo to every value, however deep`() throws {
        struct Deep: Codable {
            var list = [["k": Reporter()]], holder = Holder(), optional: Reporter? = Reporter()
        }
        var encoder = ArchiveEncoder()
        encoder.userInfo[.note] = "out"
        var decoder = ArchiveDecoder()
        decoder.userInfo[.note] = "in"
        let again = try decoder.decode(Deep.self, from: encoder.encode(Deep()))
        #expect(again.list[0]["k"]?.found == "out/in")
        #expect(again.holder.reporter.found == "out/in")
        #expect(again.optional?.found == "out/in")
        let plain = try roundTrip(Deep())
        #expect(plain.holder.reporter.found == "none/none")
    }

    @Test func `hand userInfo to nested and super encoders and decoders`() throws {
        var encoder = ArchiveEncoder()
        encoder.userInfo[.note] = "out"
        let data = try encoder.encode(
            Encoding { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                let parent = container.superEncoder()
                #expect(parent.userInfo[.note] as? String == "out")
                var list = container.nestedUnkeyedContainer(forKey: "list")
                #expect(list.superEncoder().userInfo[.note] as? String == "out")
                try list.encode(Reporter())
            })
        try decoding(data) { decoder in
            #expect(decoder.userInfo.isEmpty)
            let container = try decoder.container(keyedBy: AnyKey.self)
            #expect(try container.superDecoder().userInfo.isEmpty)
        }
    }

    @Test func `are values: a copy that is changed leaves the other as it was`() throws {
        let encoder = ArchiveEncoder()
        var copy = encoder
        copy.outputFormat = .xml
        copy.userInfo[.note] = "copy"
        copy.classes.register(Point.self, name: "Point")
        #expect(encoder.outputFormat == .binary)
        #expect(encoder.userInfo.isEmpty)
        #expect(try InspectedArchive(of: Point(), by: encoder).classNames.contains("Point") == false)
        #expect(try InspectedArchive(of: Point(), by: copy).classNames.contains("Point"))
    }
}

extension CodingUserInfoKey {
    fileprivate static var note: CodingUserInfoKey {
        guard let key = CodingUserInfoKey(rawValue: "note") else { preconditionFailure("Any text is a key") }
        return key
    }
}
