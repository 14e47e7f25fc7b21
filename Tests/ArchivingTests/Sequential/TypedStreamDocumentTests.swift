import Archiving
import Foundation
import Testing

/// The examples of docs/typedstream-format.md, as they are printed there, and the bytes that it tells of.
@Suite("The document on typedstreams")
struct TypedStreamDocumentTests {
    /// Section 1, row by row.
    private let data = Data(
        streamBytes(
            """
            04
            0B 'streamtyped'
            81 E8 03
            84 01 '@'
            84
            84 84 0F 'NSMutableString' 01
            84 84 08 'NSString' 01
            84 84 08 'NSObject' 00
            85
            84 01 '+'
            05 'Hello'
            86
            """))

    @Test("prints a string")
    func printing() throws {
        let stream = try TypedStream(data)
        #expect(
            stream.description == """
                Typedstream of version 4, little-endian, system 1000, 1 object
                @: #0 NSMutableString v1 > NSString v1 > NSObject v0
                    +: "Hello"
                """)
        #expect(try stream.data() == data)
    }

    @Test("has a second string that is short")
    func secondString() throws {
        let stream = try TypedStream(data + Data(streamBytes("92 84 93 96 03 'two' 86")))
        #expect(stream.groups.count == 2 && stream.objects[1].groups[0].values[0].bytes == Array("two".utf8))
        #expect(stream.classChain(of: stream.objects[1]).map(\.name) == ["NSMutableString", "NSString", "NSObject"])
        #expect(try stream.data().suffix(9) == Data(streamBytes("92 84 93 96 03 'two' 86")))
    }

    @Test("tells errors from texts")
    func errors() {
        var output: [String] = []
        func print(_ items: Any...) { output.append(items.map { "\($0)" }.joined(separator: " ")) }
        for data in [data, data.dropLast()] {
            do {
                let stream = try TypedStream(data)
                for object in stream.objects where stream.className(of: object) == "NSMutableString" {
                    let text = String(decoding: object.groups[0].values[0].bytes ?? [], as: UTF8.self)
                    print(text)
                }
            } catch {
                print(error.code == .truncated, error.byteOffset ?? 0)
            }
        }
        #expect(output == ["Hello", "true \(data.count - 1)"])
    }

    @Test("changes a text")
    func changing() throws {
        var stream = try TypedStream(data)
        stream.objects[0].groups[0].values[0] = .bytes(Array("Goodbye".utf8))
        let changed = try stream.data()
        #expect(changed == data.dropLast(7) + Data(streamBytes("07 'Goodbye' 86")))
    }

    @Test("says how numbers in a table are stored")
    func references() throws {
        // 300 different strings, and those with these numbers again.
        let numbers: [(number: Int, bytes: String)] = [
            (0, "92"), (1, "93"), (109, "FF"), (110, "00"), (237, "7F"), (238, "81 80 00"),
        ]
        for (number, bytes) in numbers {
            // The types of the first group are string 0.
            let names = (1..<300).map { "n\($0)" }
            let all = names.map { TypedStream.Value.name(Array($0.utf8)) }
            let first = TypedStream.Group(Array(repeating: .selector, count: 299), all)
            let types = String(repeating: ":", count: 299)
            let second = TypedStream.Group(
                [.selector], [.name(Array((number == 0 ? types : names[number - 1]).utf8))])
            let data = try handmadeStream([first, second]).data()
            #expect(data.suffix(3 + hex(bytes).count) == Data(streamBytes("84 01 ':'" + bytes)), "\(number)")
        }
    }

    @Test("names what takes its own bytes, and what is refused")
    func limits() throws {
        expectRefusal(streamFile("84 01 's' 82 409C0000"), .badValue, at: 19)
        expectRefusal(streamFile("84 01 'f' 82 01000001"), .badValue, at: 19)
        expectRefusal(Data("GNUstep archive00002af9:00000003".utf8), .notATypedStream, at: 0)
        #expect(try TypedStream(streamFile("84 01 'B' 05")).groups[0].values == [.unsigned(5)])
        #expect(try TypedStream(streamFile("84 00")).groups[0].values.isEmpty)
    }
}
