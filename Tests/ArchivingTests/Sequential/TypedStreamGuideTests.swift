// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing

/// The bytes that docs/typedstream-format.md describes, and a class in them.
@Suite(.inTurn)
struct `Typedstreams` {
    /// The bytes that docs/typedstream-format.md takes apart, row by row of section 1: a mutable string, "Hello".
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

    @Test func `has a second string that is short`() throws {
        let second = Data(streamBytes("92 84 93 96 03 'two' 86"))
        let stream = try TypedStream(data + second)
        #expect(stream.groups.count == 2 && stream.objects[1].groups[0].values[0] == .bytes(Array("two".utf8)))
        #expect(stream.classChain(of: stream.objects[1]).map(\.name) == ["NSMutableString", "NSString", "NSObject"])
        #expect(try stream.data().suffix(9) == second)
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

    class Landmark: SequentialCoding {
        var name: String
        var height: Double

        class var classVersion: Int { 2 }

        required init(coder: SequentialUnarchiver) throws {
            name = try coder.decode(String.self)
            // Version 1 had whole metres.
            height =
                coder.archivedVersion(of: Landmark.self) == 1
                ? Double(try coder.decode(Int32.self)) : try coder.decode(Double.self)
        }

        func encode(with coder: SequentialArchiver) throws {
            try coder.encode(name)
            try coder.encode(height)
        }
    }

    @Test func `has a class with versions`() throws {
        let old = streamFile(
            """
            84 01 '@' 84 84 84 08 'Landmark' 01 84 84 08 'NSObject' 00 85
            92 84 84 84 08 'NSString' 01 94 84 01 '+' 05 'tower' 86 84 01 'i' 0C 86
            """)
        let landmark = try SequentialUnarchiver.unarchivedObject(of: Landmark.self, from: old)
        #expect(landmark.name == "tower" && landmark.height == 12)

        landmark.height = 12.5
        let archiver = SequentialArchiver()
        archiver.classes.register(Landmark.self, name: "Landmark")
        try archiver.encode(landmark)
        let unarchiver = try SequentialUnarchiver(forReadingFrom: archiver.finishEncoding())
        unarchiver.classes.register(Landmark.self, name: "Landmark")
        #expect(try unarchiver.decode(Landmark.self).height == 12.5)
    }
}
