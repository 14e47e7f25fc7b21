// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing
import ThoroughSupport

/// Typedstreams that programs on Apple's and NeXT's systems wrote, against what pytypedstream found in them.
@Suite(.inTurn, .needs(.corpus))
struct `Typedstreams by Apple's frameworks` {
    static let names = Corpus.names.filter { $0.hasSuffix(".typedstream") }

    /// What pytypedstream prints of the file.
    private static func text(_ name: String, _ kind: String) throws -> String {
        String(decoding: try #require(try Corpus.finding(name, "\(kind).txt")), as: UTF8.self)
    }

    /// The file whose name starts with `prefix`.
    private func stream(_ prefix: String) throws -> TypedStream { try TypedStream(Corpus.data(Corpus.name(prefix))) }

    @Test func `are all there`() {
        #expect(Self.names.count == 57)
    }
}

// MARK: - Value by value

extension `Typedstreams by Apple's frameworks` {
    /// A number of 8 bytes, which pytypedstream does not know: it ends there, and says why. The last bytes of the file are
    /// 87 00E68EE7FDFFFFFF 86, and 0xFFFFFFFDE78EE600 is -9 000 000 000.
    private static let wideNumber = "d6d87ba85b"
    private static let behindWideNumber = [
        "\t\t\t-9000000000", "\t\tend typed values", "\tend literal object", "end typed values",
    ]

    /// A number without a sign, which pytypedstream reads as 253. The byte is FD, -3, and the number is 2^64 - 3: of 253 an
    /// integer of two bytes would have been made, 81 FD00, as for every number above 127.
    private static let unsignedNumber = "33da63dcd2"

    /// What is expected of a file: what pytypedstream prints, but for these two.
    private static func listing(_ name: String) throws -> [String] {
        let text = try text(name, "read")
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if name.hasPrefix(wideNumber) {
            let end = try #require(lines.firstIndex(of: "[pytypedstream read exit 1]"))
            try #require(lines[end + 1].hasSuffix("Invalid head tag in this context: -121 (0x87)"))
            try #require(lines[end - 1].isEmpty)
            return lines[..<(end - 1)] + behindWideNumber
        }
        try #require(lines.removeLast().isEmpty)
        if name.hasPrefix(unsignedNumber) {
            let line = try #require(lines.firstIndex(of: "\t\t\t253"))
            lines[line] = "\t\t\t18446744073709551613"
        }
        return lines
    }

    @Test(arguments: names)
    func `have the groups, values, classes and references that pytypedstream finds`(name: String) throws {
        let found = TypedStreamListing.lines(try TypedStream(Corpus.data(name)))
        let expected = try Self.listing(name)
        if found != expected {
            let line = zip(found, expected).enumerated().first { $1.0 != $1.1 }
            Issue.record(
                "\(found.count) lines, not \(expected.count); line \((line?.offset ?? -1) + 1): \(line as Any)")
        }
    }

    @Test(arguments: names)
    func `are written byte for byte as they were`(name: String) throws {
        let data = try Corpus.data(name)
        let stream = try TypedStream(data)
        #expect(try stream.data() == data)
        #expect(TypedStream.isTypedStream(data))
        // In the other byte order it is the same again.
        var turned = stream
        turned.byteOrder = stream.byteOrder == .littleEndian ? .bigEndian : .littleEndian
        let bytes = try turned.data()
        #expect(bytes.count == data.count && bytes != data)
        var back = try TypedStream(bytes)
        #expect(back == turned)
        back.byteOrder = stream.byteOrder
        #expect(try back == stream && back.data() == data)
    }

    @Test(arguments: names)
    func `have a text that says all of them`(name: String) throws {
        let data = try Corpus.data(name)
        let stream = try TypedStream(data)
        let text = stream.description
        #expect(text.utf8.count < 20 * data.count)
        // Each object is there, and nothing is missing.
        let lines = text.split(separator: "\n")
        let starts = Set(lines.compactMap { $0.firstMatch(of: #/(?:^|: )#(\d+) /#).flatMap { Int($0.1) } })
        #expect(starts == Set(stream.objects.indices))
        #expect(!text.contains("missing") && !text.contains("nothing refers"))
    }

    @Test(arguments: names)
    func `are refused where they are cut off`(name: String) throws {
        let data = try Corpus.data(name)
        guard data.count < 1500 else { return }
        let stream = try TypedStream(data)
        // Where a group at the top begins, or the header ends, nothing is missing.
        let complete = Set(stream.groups.compactMap(\.byteOffset))
        for count in data.indices where !complete.contains(count) {
            let error = #expect(throws: TypedStreamError.self, "\(count)") { try TypedStream(data.prefix(count)) }
            #expect(error?.byteOffset.map { $0 <= count } == true, "\(count)")
        }
    }
}

// MARK: - Single files

extension `Typedstreams by Apple's frameworks` {
    @Test func `have numbers without a sign as if they had one`() throws {
        let number = try stream(Self.unsignedNumber)
        #expect(number.objects[0].groups.map(\.types) == [[.cString], [.unsignedLongLong]])
        #expect(number.objects[0].groups[1].values == [.unsigned(UInt64.max - 2)])
    }

    @Test func `have numbers of 8 bytes`() throws {
        let number = try stream(Self.wideNumber)
        #expect(number.objects[0].groups[1].values == [.integer(-9_000_000_000)])
    }

    /// What pytypedstream's `decode` says of an object, whatever it is made of.
    static let decoded: [(prefix: String, line: String)] = [
        ("132e890418", "type b'@': NSNumber, type b'c': 1"), ("33da63dcd2", "type b'@': NSNumber, type b'Q': 253"),
        ("7e0d15e1d1", ""), ("470757715d", ""), ("daa88bb9c9", ""), ("307b53d391", ""), ("f0ae176391", ""),
    ]

    @Test(arguments: decoded)
    func `have the numbers that pytypedstream decodes`(prefix: String, line: String) throws {
        let name = try Corpus.name(prefix)
        let golden = try Self.text(name, "decode").trimmingCharacters(in: .newlines)
        if !line.isEmpty { #expect(golden == line) }
        let object = try stream(prefix).objects[0]
        guard case .cString(let type?)? = object.groups[0].values.first else {
            Issue.record("no type")
            return
        }
        let types = String(decoding: try stream(prefix).cStrings[type], as: UTF8.self)
        #expect(object.groups[1].types.map(\.description) == [types])
        let value = object.groups[1].values[0]
        let number = value.integer.map { "\($0)" } ?? value.real.map { "\($0)" } ?? "253"
        #expect(golden == "type b'@': NSNumber, type b'\(types)': \(number)")
    }

    @Test func `have the texts of messages`() throws {
        var count = 0
        for name in Self.names {
            let stream = try TypedStream(Corpus.data(name))
            guard let object = stream.objects.first, stream.className(of: object).hasSuffix("AttributedString"),
                case .object(let index?)? = object.groups.first?.values.first
            else { continue }
            let text = try #require(stream.objects[index].groups.first?.values.first?.bytes, "\(name)")
            // The text as Python writes one, where nothing in it has to be escaped.
            guard text.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != 0x27 && $0 != 0x5C }) else { continue }
            count += 1
            let golden = try Self.text(name, "decode")
            #expect(golden.contains("String('\(String(decoding: text, as: UTF8.self))')"), "\(name)")
        }
        #expect(count >= 5)
    }
}

// MARK: - In other files

extension `Typedstreams by Apple's frameworks` {
    /// Property lists with typedstreams in them: the beginnings of the files' names, and how many Python finds in each.
    static let surrounding: [(prefix: String, count: Int)] = [
        ("0b4a850007", 4), ("0ef8714965", 10), ("1e91c446b6", 9), ("2afa01b77d", 4), ("8a7bd4087d", 5),
        ("a61598165a", 411), ("c8d176788c", 5), ("d7518e7451", 16), ("d9faf88d1b", 4), ("e3e3831ad3", 3),
    ]

    @Test(arguments: surrounding)
    func `in property lists and keyed archives are what pytypedstream finds`(prefix: String, count: Int) throws {
        let name = try Corpus.name(prefix)
        let embedded = try #require(GoldenDump(of: name)?["embedded"]?.array).filter {
            $0["kind"]?.string == "typedstream"
        }
        #expect(embedded.count == count)
        let list = try PropertyList(Corpus.data(name))
        for entry in embedded {
            let path = try #require(entry["path"]?.string)
            var value = list
            for step in path.split(separator: "/").map(String.init) {
                // The paths have "_" where a key has a stroke.
                let next = value[step] ?? value[step.replacing("_", with: "/")] ?? Int(step).flatMap { value[$0] }
                value = try #require(next, "\(path)")
            }
            guard case .data(let data) = value else {
                Issue.record("\(path) is no data")
                continue
            }
            #expect(data.count == entry["size"]?.integer && TypedStream.isTypedStream(data), "\(path)")
            let stream = try TypedStream(data)
            #expect(try stream.data() == data, "\(path)")
            let expected = try #require(entry["pytypedstream_read"]?.string)
                .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let found = TypedStreamListing.lines(stream)
            #expect(found == expected || found + [""] == expected, "\(path)")
        }
        // These are all: nothing else in the file begins like one.
        #expect(Self.typedStreams(in: list) == count)
    }

    /// How many values begin like a typedstream.
    private static func typedStreams(in list: PropertyList) -> Int {
        switch list {
        case .data(let data): TypedStream.isTypedStream(data) ? 1 : 0
        case .array(let elements), .set(let elements): elements.reduce(0) { $0 + typedStreams(in: $1) }
        case .dictionary(let entries): entries.reduce(0) { $0 + typedStreams(in: $1.value) }
        default: 0
        }
    }
}
