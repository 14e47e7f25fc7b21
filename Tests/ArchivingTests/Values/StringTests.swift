// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A string` {
    /// Strings that are often handled incorrectly.
    static let samples = [
        "", " ", "a", "$null", "$nullx", "$nul", "$class", "nul\0inside", "\0", "tab\tline\nreturn\r\nend",
        "e\u{301}", "\u{e9}", "\u{301}", "\u{301}\u{302}", "\u{1f404}", "\u{1f469}\u{200d}\u{1f33e}",
        "\u{1f1eb}\u{1f1f7}",
        "\u{feff}byte order mark", "\u{fffe}", "\u{ffff}", "\u{fffd}", "\u{d7ff}\u{e000}", "\u{10ffff}", "<&>\"'",
        "]]>",
        "\u{43f}\u{440}\u{438}\u{432}\u{435}\u{442}", "ascii then \u{e9}", "\u{7f}", "\u{80}", "\u{2028}\u{2029}",
        String(repeating: "x", count: 14), String(repeating: "x", count: 15), String(repeating: "x", count: 16),
        String(repeating: "\u{e9}", count: 14), String(repeating: "\u{e9}", count: 15),
        String(repeating: "\u{1f404}", count: 128), String(repeating: "y", count: 255),
        String(repeating: "y", count: 256), String(repeating: "\u{e9}", count: 65_536),
    ]

    private static func isSame(_ left: String, _ right: String) -> Bool {
        left.unicodeScalars.elementsEqual(right.unicodeScalars)
    }

    @Test func `comes back scalar for scalar`() throws {
        struct Fields: Codable { var text: String }
        for sample in Self.samples {
            #expect(Self.isSame(try roundTrip(sample), sample))
            #expect(Self.isSame(try roundTrip(Fields(text: sample)).text, sample))
            #expect(Self.isSame(try #require(try roundTrip([sample, "x"]).first), sample))
            #expect(Self.isSame(try #require(try roundTrip([sample: 1]).keys.first), sample))
            #expect(Self.isSame(try #require(try roundTrip(["a": sample])["a"]), sample))
            #expect(Self.isSame(try #require(try roundTrip([sample as String?]).first ?? nil), sample))
        }
        let all = try roundTrip(Self.samples + Self.samples)
        for (again, sample) in zip(all, Self.samples + Self.samples) { #expect(Self.isSame(again, sample)) }
        #expect(all.count == 2 * Self.samples.count)
    }

    /// Whether XML has all characters of `text`.
    private static func isXML(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy {
            ($0.value >= 0x20 && $0 != "\u{fffe}" && $0 != "\u{ffff}") || ["\t", "\n", "\r"].contains($0)
        }
    }

    @Test func `comes back from XML, or is an error if XML does not have its characters`() throws {
        for sample in Self.samples {
            if Self.isXML(sample) {
                #expect(Self.isSame(try roundTrip([sample], format: .xml)[0], sample))
            } else {
                #expect(throws: EncodingError.self) { try roundTrip([sample], format: .xml) }
            }
        }
        #expect(Self.samples.count { !Self.isXML($0) } == 4)
    }

    @Test func `that XML cannot represent is reported with its coding path`() throws {
        struct Animal: Encodable {
            var names: [String: [String]]
        }
        var encoder = ArchiveEncoder()
        encoder.outputFormat = .xml
        let error = try #require(throws: EncodingError.self) {
            try encoder.encode(Animal(names: ["given": ["Bella", "Bell\u{7}"]]))
        }
        guard case .invalidValue(_, let context) = error else { return }
        #expect(context.codingPath.map(\.stringValue) == ["names", "given", "Index 1"])
        let underlying = try #require(context.underlyingError as? PropertyListError)
        #expect(underlying.description.contains("U+0007"))
        #expect(underlying.code == .unrepresentableInXML && underlying.character == "\u{7}")

        let archiver = KeyedArchiver(requiringSecureCoding: false)
        archiver.outputFormat = .xml
        archiver.encode("a\u{ffff}", forKey: "title")
        let refused = try #require(throws: ArchivingError.self) { try archiver.finishEncoding() }
        #expect(refused.code == .unrepresentableInXML)
        #expect(refused.codingPath.map(\.stringValue) == ["title"])
    }

    @Test func `that Foundation reads is the same there`() throws {
        for sample in Self.samples where sample != "$null" {
            let list = try PropertyListSerialization.propertyList(from: ArchiveEncoder().encode(sample), format: nil)
            let objects = try #require((list as? [String: Any])?["$objects"] as? [Any])
            #expect(Self.isSame(try #require(objects[1] as? String), sample))
        }
    }

    @Test func `is a leaf, and equal strings are one`() throws {
        let archive = try InspectedArchive(of: ["a", "b", "a", "\u{e9}", "\u{e9}", "e\u{301}"])
        guard case .array(let elements)? = archive.objects[1]["NS.objects"] else {
            Issue.record("No array")
            return
        }
        #expect(elements[0] == elements[2])
        #expect(elements[0] != elements[1])
        #expect(elements[3] == elements[4])
        #expect(elements[4] != elements[5])
        #expect(archive.objects.filter { $0 == "a" }.count == 1)
    }

    @Test func `"$null" is an object, because the leaf means nil`() throws {
        for (value, text) in [
            ("$null", #"NSString{NS.string: null}"#),
            (["$null", "$null"], #"NSArray[#1=NSString{NS.string: null}, #1]"#),
            (["$null": 1], #"NSDictionary[NSString{NS.string: null}: @1]"#),
            (["a": "$null"], #"NSDictionary[@"a": NSString{NS.string: null}]"#),
            (["$null", nil], #"NSArray[NSString{NS.string: null}, NSNull{}]"#),
        ] as [(any Encodable, String)] {
            #expect(try archiveText(value) == text)
        }
        struct Fields: Codable, Equatable { var text = "$null", optional: String? = "$null", none: String? }
        #expect(try roundTrip(Fields()) == Fields())
        let list = ["$null", nil, "x", "$null"]
        #expect(try roundTrip(list) == list)
        #expect(try roundTrip(Set(list)) == Set(list))
        enum Null: String, Codable {
            case null = "$null"
            case other
        }
        #expect(try roundTrip([Null.null, .other, .null]) == [.null, .other, .null])
    }

    @Test func `"$null" as a leaf is nil`() throws {
        let data = try handmadeArchive(
            ["NS.objects": [.uid(2), .uid(0)], "$class": .uid(3)], "$null", ["$classname": "NSArray"])
        #expect(try ArchiveDecoder().decode([String?].self, from: data) == [nil, nil])
        #expect(try failure(decoding: [String].self, from: data).kind == .valueNotFound)
    }

    @Test func `as NSMutableString and foreign coders write it is read`() throws {
        let mutable = try handmadeArchive(
            ["NS.string": "text", "$class": .uid(2)],
            ["$classname": "NSMutableString", "$classes": ["NSMutableString", "NSString", "NSObject"]])
        #expect(try ArchiveDecoder().decode(String.self, from: mutable) == "text")
        let bytes = try handmadeArchive(
            ["NS.bytes": .data(Data("caf\u{e9}".utf8)), "$class": .uid(2)],
            ["$classname": "NSString", "$classes": ["NSString", "NSObject"]])
        #expect(try ArchiveDecoder().decode(String.self, from: bytes) == "caf\u{e9}")
    }

    @Test func `is refused if another kind of value is stored`() throws {
        for (value, found) in [(3, "3"), (true, "true"), (2.5, "2.5"), ([1], "NSArray"), (["a": 1], "NSDictionary")]
            as [(any Encodable, String)]
        {
            func check(_ value: some Encodable) throws {
                let error = try failure(decoding: [String: String].self, fromArchiveOf: ["key": value])
                #expect(error.kind == .typeMismatch)
                #expect(error.type == String.self)
                #expect(error.path == "key")
                #expect(error.says(found, "String", "key"))
            }
            try check(value)
        }
    }
}
