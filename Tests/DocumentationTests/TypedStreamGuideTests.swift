// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing

/// The code of docs/typedstream-format.md, unchanged, and the bytes that it describes.
@Suite(.inTurn)
struct `The guide to typedstreams`: DocumentedOutput {
    private let data = SequentialSamples.hello

    @Test func `prints a string`() throws {
        let stream = try TypedStream(data)
        print(stream)
        let shown = try MarkdownPage(path: "docs/typedstream-format.md").blocks.first {
            $0.lines.first?.hasPrefix("Typedstream of version") == true
        }
        #expect(stream.description == shown?.lines.joined(separator: "\n"))
        #expect(try stream.data() == data)
    }

    @Test func `has a second string that is short`() throws {
        let second = Data(streamBytes("92 84 93 96 03 'two' 86"))
        let stream = try TypedStream(data + second)
        #expect(stream.groups.count == 2 && stream.objects[1].groups[0].values[0] == .bytes(Array("two".utf8)))
        #expect(stream.classChain(of: stream.objects[1]).map(\.name) == ["NSMutableString", "NSString", "NSObject"])
        #expect(try stream.data().suffix(9) == second)
    }

    @Test func `describes damage and its place`() {
        var output: [String] = []
        func print(_ items: Any...) { output.append(items.map { "\($0)" }.joined(separator: " ")) }
        for data in [data, data.dropLast()] {
            do {
                let stream = try TypedStream(data)
                for object in stream.objects where stream.className(of: object) == "NSMutableString" {
                    guard case .bytes(let bytes?) = object.groups[0].values[0] else { continue }
                    let text = String(decoding: bytes, as: UTF8.self)
                    print(text)
                }
            } catch {
                print(error, error.byteOffset ?? 0)
            }
        }
        #expect(output.count == 2 && output[0] == "Hello" && output[1].hasSuffix(" \(data.count - 1)"))
    }

    @Test func `changes a text`() throws {
        var stream = try TypedStream(data)
        stream.objects[0].groups[0].values[0] = .bytes(Array("Goodbye".utf8))
        let changed = try stream.data()
        #expect(changed == data.dropLast(7) + Data(streamBytes("07 'Goodbye' 86")))
    }

    @Test func `says how numbers in a table are stored`() throws {
        // 300 different strings, and those with these numbers again. The types of the first group are string 0.
        let types = String(repeating: ":", count: 299)
        let names = (1..<300).map { "n\($0)" }
        let all = TypedStream.Group(
            Array(repeating: .selector, count: 299), names.map { TypedStream.Value.name(Array($0.utf8)) })
        let numbers: [(number: Int, bytes: String)] = [
            (0, "92"), (1, "93"), (109, "FF"), (110, "00"), (237, "7F"), (238, "81 80 00"),
        ]
        for (number, bytes) in numbers {
            let name = number == 0 ? types : names[number - 1]
            let stream = handmadeStream([all, TypedStream.Group([.selector], [.name(Array(name.utf8))])])
            let end = Data(streamBytes("84 01 ':'" + bytes))
            #expect(try stream.data().suffix(end.count) == end, "\(number)")
        }
    }

    @Test func `names what takes its own bytes, and what is refused`() throws {
        expectRefusal(streamFile("84 01 's' 82 409C0000"), .badValue, at: 19)
        expectRefusal(streamFile("84 01 'f' 82 01000001"), .badValue, at: 19)
        expectRefusal(Data("GNUstep archive00002af9:00000003".utf8), .notATypedStream, at: 0)
        #expect(try TypedStream(streamFile("84 01 'B' 05")).groups[0].values == [.unsigned(5)])
        #expect(try TypedStream(streamFile("84 00")).groups[0].values.isEmpty)
    }

    /// An array of two places.
    private let oldFile = streamFile(
        """
        84 01 '@' 84 84 84 07 'NSArray' 00 84 84 08 'NSObject' 00 85 84 01 'i' 02
        92 84 84 84 05 'Place' 00 94 92 84 84 84 08 'NSString' 01 94 84 01 '+' 04 'lake' 86 95 03 86
        92 84 96 92 84 98 98 04 'hill' 86 95 01 86 86
        """)

    final class Place: SequentialCoding, Coding {
        var name: String
        var visits: Int

        // The old files.
        init(coder: SequentialUnarchiver) throws {
            name = try coder.decode(String.self)
            visits = try coder.decode(Int.self)
        }

        func encode(with coder: SequentialArchiver) throws {
            try coder.encode(name)
            try coder.encode(Int32(visits))
        }

        // The new ones.
        init(coder: KeyedUnarchiver) throws {
            name = try coder.decode(String.self, forKey: "name")
            visits = try coder.decodeInteger(forKey: "visits")
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(name, forKey: "name")
            coder.encode(visits, forKey: "visits")
        }
    }

    @Test func `has a class that is read from an old file and saved with keys`() throws {
        let places = try SequentialUnarchiver.unarchivedObject(of: [Place].self, from: oldFile)
        let archiver = KeyedArchiver()
        try archiver.encode(places, forKey: "places")
        let newFile = try archiver.finishEncoding()
        #expect(places.map(\.name) == ["lake", "hill"] && places.map(\.visits) == [3, 1])
        let again = try KeyedUnarchiver(forReadingFrom: newFile).decode([Place].self, forKey: "places")
        #expect(again.map(\.name) == ["lake", "hill"] && again.map(\.visits) == [3, 1])
    }
}
