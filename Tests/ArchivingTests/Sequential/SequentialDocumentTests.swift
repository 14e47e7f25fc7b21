import Archiving
import Foundation
import Testing

/// The examples of docs/sequential-archives.md, as they are printed there, and that of section 9 of docs/typedstream-format.md.
@Suite("The document on sequential archives")
struct SequentialDocumentTests {
    class Landmark: SequentialCoding {
        var name: String
        var height: Double

        class var classVersion: Int { 2 }

        init(name: String, height: Double) {
            self.name = name
            self.height = height
        }

        required init(coder: SequentialUnarchiver) throws {
            name = try coder.decode(String.self)
            // Version 1 had whole metres.
            height =
                coder.version(of: Landmark.self) == 1
                ? Double(try coder.decode(Int32.self)) : try coder.decode(Double.self)
        }

        func encode(with coder: SequentialArchiver) throws {
            try coder.encode(name)
            try coder.encode(height)
        }
    }

    @Test func `has a class with versions`() throws {
        let archiver = SequentialArchiver()
        archiver.classes.register(Landmark.self, name: "Landmark")
        try archiver.encode(Landmark(name: "tower", height: 12.5))
        let unarchiver = try SequentialUnarchiver(forReadingFrom: archiver.finishEncoding())
        unarchiver.classes.register(Landmark.self, name: "Landmark")
        #expect(try unarchiver.decode(Landmark.self).height == 12.5)
        let old = body(
            """
            84 01 "@" 84 84 84 08 "Landmark" 01 84 84 08 "NSObject" 00 85
            92 84 84 84 08 "NSString" 01 94 84 01 "+" 05 "tower" 86 84 01 "i" 0C 86
            """)
        #expect(try SequentialUnarchiver.unarchivedObject(of: Landmark.self, from: old).height == 12)
    }

    @Test func `reads the text of a message`() throws {
        let string = "Bo: see\u{FFFC}"
        func range(_ range: Range<Int>) -> Range<String.Index> {
            string.index(
                string.startIndex, offsetBy: range.lowerBound)..<string.index(
                    string.startIndex, offsetBy: range.upperBound)
        }
        let attributedBody = try SequentialArchiver.archivedData(
            withRootObject: AttributedText(
                string,
                runs: [
                    .init(range: range(0..<2), attributes: ["__kIMMentionConfirmedMention": "bo@example.com"]),
                    .init(range: range(2..<4), attributes: [:]),
                    .init(
                        range: range(4..<7),
                        attributes: ["__kIMLinkAttributeName": try #require(URL(string: "https://example.com"))]),
                    .init(range: range(7..<8), attributes: ["__kIMFileTransferGUIDAttributeName": "at_0_1"]),
                ]))
        let text = try AttributedText(attributedBody)
        var lines = [text.string]
        for mention in text.mentions { lines.append("\(text.string[mention.range]) \(mention.value)") }
        for link in text.links { lines.append("\(link.value)") }
        for file in text.attachments { lines.append("\(file.value)") }
        #expect(lines == [string, "Bo bo@example.com", "https://example.com", "at_0_1"])
    }

    @Test func `encodes and decodes values`() throws {
        let flags: UInt16 = 65535
        let unarchiver = try sequentialUnarchiver { coder in
            let (index, length) = (1, 6)
            try coder.encode(Int32(5))
            try coder.encode(flags, as: .unsignedShort)
            try coder.encode("title", as: .cString)
            try coder.encode("title")
            try coder.encodeValues("iI", index, length)
            try coder.encodeArray([Float(1), 2, 3])
            try coder.encode([1, 2, 3])
            try coder.encodeBytes([1, 2, 3])
        }
        let types = unarchiver.stream.groups.map { $0.types.map(\.description).joined() }
        #expect(types == ["i", "S", "*", "@", "iI", "[3f]", "@", "+"])
        let coder = unarchiver
        let number = try coder.decode(Int.self)
        let same = try coder.decode(UInt16.self, as: .unsignedShort)
        let title = try coder.decode(String.self)
        let name = try coder.decode(String?.self)
        let (index, length) = try coder.decodeValues("iI", as: Int.self, Int.self)
        let vector = try coder.decodeArray(of: Float.self, count: 3)
        let numbers = try coder.decode([Int].self)
        let bytes = try coder.decodeBytes()
        #expect(number == 5 && same == 65535 && title == "title" && name == "title" && index == 1 && length == 6)
        #expect(vector == [1, 2, 3] && numbers == [1, 2, 3] && bytes == [1, 2, 3] && coder.isAtEnd)
    }

    final class Place: SequentialCoding, Coding {
        var name: String
        var visits: Int

        init(_ name: String, _ visits: Int) {
            self.name = name
            self.visits = visits
        }

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
        let oldFile = try SequentialArchiver.archivedData(withRootObject: [Place("lake", 3), Place("hill", 1)])
        let places = try SequentialUnarchiver.unarchivedObject(of: [Place].self, from: oldFile)
        let archiver = KeyedArchiver()
        try archiver.encode(places, forKey: "places")
        let newFile = try archiver.finishEncoding()
        let again = try KeyedUnarchiver(forReadingFrom: newFile).decode([Place].self, forKey: "places")
        #expect(again.map(\.name) == ["lake", "hill"] && again.map(\.visits) == [3, 1])
    }
}
