// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `An unkeyed container` {
    static var mixed: Encoding {
        Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(true)
            try container.encode(1)
            try container.encode(1.0)
            try container.encode(Float(1))
            try container.encode("one")
            try container.encodeNil()
            try container.encode([1])
        }
    }

    @Test func `of a custom type becomes NS.objects with the type's own class`() throws {
        let archive = try InspectedArchive(of: Self.mixed)
        #expect(archive.text == #"Encoding[@true, @1, @1.0, @1.0f, @"one", NSNull{}, NSArray[@1]]"#)
        #expect(archive.classChain(of: archive.objects[1]) == ["TestSupport.Encoding", "NSObject"])
    }

    @Test func `comes back element by element`() throws {
        try decoding(archiveOf: Self.mixed) { decoder in
            var container = try decoder.unkeyedContainer()
            #expect(try container.decode(Bool.self) == true)
            #expect(try container.decode(Int.self) == 1)
            #expect(try container.decode(Double.self) == 1)
            #expect(try container.decode(Float.self) == 1)
            #expect(try container.decode(String.self) == "one")
            #expect(try container.decodeNil())
            #expect(try container.decode([Int].self) == [1])
            #expect(container.isAtEnd)
        }
    }

    @Test func `counts what was written, nil and nested containers too`() throws {
        var counts: [Int] = []
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            counts.append(container.count)
            try container.encode(1)
            counts.append(container.count)
            try container.encodeNil()
            counts.append(container.count)
            _ = container.nestedUnkeyedContainer()
            counts.append(container.count)
            _ = container.nestedContainer(keyedBy: AnyKey.self)
            counts.append(container.count)
            _ = container.superEncoder()
            counts.append(container.count)
            try container.encode(contentsOf: [4, 5, 6])
            counts.append(container.count)
            counts.append(encoder.unkeyedContainer().count)
        }
        _ = try ArchiveEncoder().encode(value)
        #expect(counts == [0, 1, 2, 3, 4, 5, 8, 8])
    }

    @Test func `requested twice continues at its position`() throws {
        let value = Encoding { encoder in
            var first = encoder.unkeyedContainer()
            try first.encode(1)
            var second = encoder.unkeyedContainer()
            try second.encode(2)
            try first.encode(3)
        }
        #expect(try transcode(value, as: [Int].self) == [1, 2, 3])
    }

    @Test func `returns its count and its current index while it is read`() throws {
        try decoding(archiveOf: ["a", "b"]) { decoder in
            var container = try decoder.unkeyedContainer()
            #expect(container.count == 2)
            #expect(container.currentIndex == 0)
            #expect(!container.isAtEnd)
            _ = try container.decode(String.self)
            #expect(container.currentIndex == 1)
            #expect(!container.isAtEnd)
            _ = try container.decode(String.self)
            #expect(container.currentIndex == 2)
            #expect(container.isAtEnd)
            #expect(container.count == 2)
        }
        try decoding(archiveOf: [Int]()) { decoder in
            let container = try decoder.unkeyedContainer()
            #expect(container.count == 0)
            #expect(container.isAtEnd)
        }
    }

    @Test func `is read independently at each request`() throws {
        try decoding(archiveOf: [1, 2, 3]) { decoder in
            var first = try decoder.unkeyedContainer()
            #expect(try first.decode(Int.self) == 1)
            var second = try decoder.unkeyedContainer()
            #expect(try second.decode(Int.self) == 1)
            var copy = first
            #expect(try copy.decode(Int.self) == 2)
            #expect(try first.decode(Int.self) == 2)
            #expect(try second.decode(Int.self) == 2)
        }
    }

    @Test func `stays at an element that could not be decoded`() throws {
        struct Point: Codable, Equatable { var x: Int }
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode("text")
            try container.encode(Point(x: 1))
            try container.encode(300)
        }
        try decoding(archiveOf: value) { decoder in
            var container = try decoder.unkeyedContainer()
            #expect(throws: DecodingError.self) { try container.decode(Int.self) }
            #expect(throws: DecodingError.self) { try container.decode(Point.self) }
            #expect(throws: DecodingError.self) { try container.nestedContainer(keyedBy: AnyKey.self) }
            #expect(throws: DecodingError.self) { try container.nestedUnkeyedContainer() }
            #expect(try !container.decodeNil())
            #expect(container.currentIndex == 0)
            #expect(try container.decode(String.self) == "text")
            #expect(throws: DecodingError.self) { try container.decode(String.self) }
            #expect(throws: DecodingError.self) { try container.decode([Int].self) }
            #expect(container.currentIndex == 1)
            #expect(try container.decode(Point.self) == Point(x: 1))
            #expect(throws: DecodingError.self) { try container.decode(UInt8.self) }
            #expect(try container.decode(UInt16.self) == 300)
        }
    }

    @Test func `continues past a nil only if nil was requested`() throws {
        try decoding(archiveOf: [1, nil, 3, nil] as [Int?]) { decoder in
            var container = try decoder.unkeyedContainer()
            #expect(try !container.decodeNil())
            #expect(try container.decodeIfPresent(Int.self) == 1)
            #expect(throws: DecodingError.self) { try container.decode(Int.self) }
            #expect(container.currentIndex == 1)
            #expect(try container.decodeIfPresent(Int.self) == nil)
            #expect(container.currentIndex == 2)
            #expect(try container.decode(Int?.self) == 3)
            #expect(try container.decodeNil())
            #expect(container.isAtEnd)
            #expect(try container.decodeIfPresent(String.self) == nil)
        }
    }

    @Test func `has nothing left at its end`() throws {
        let error = try failure {
            try decoding(archiveOf: [1, 2]) { decoder in
                var container = try decoder.unkeyedContainer()
                _ = try container.decode(Int.self)
                _ = try container.decode(Int.self)
                return try container.decode(String.self)
            }
        }
        #expect(error.kind == .valueNotFound)
        #expect(error.path == "[2]")
        #expect(error.type == String.self)
        #expect(error.says("2"))
        let nilError = try failure {
            try decoding(archiveOf: [Int]()) { decoder in
                var container = try decoder.unkeyedContainer()
                return try container.decodeNil()
            }
        }
        #expect(nilError.kind == .valueNotFound)
    }

    @Test func `has nothing present at its end, of any type`() throws {
        try decoding(archiveOf: [7]) { decoder in
            var container = try decoder.unkeyedContainer()
            #expect(try container.decodeIfPresent(Int.self) == 7)
            #expect(try container.decodeIfPresent([Int].self) == nil)
            #expect(try container.decodeIfPresent([String: Int].self) == nil)
            #expect(try container.decodeIfPresent(Date.self) == nil)
            #expect(try container.decodeIfPresent(Int.self) == nil)
            #expect(try container.decodeIfPresent(String.self) == nil)
            #expect(throws: DecodingError.self) { try container.decode([Int].self) }
            #expect(throws: DecodingError.self) { try container.decodeNil() }
        }
    }

    @Test func `does not read data, also if it begins like numbers of an archiver`() throws {
        for text in ["", "abc", "packedu1abc"] {
            let data = Data(text.utf8)
            let errors = [
                try failure(decoding: [UInt8].self, fromArchiveOf: data),
                try failure(decoding: [[Double]].self, fromArchiveOf: [data]),
                try failure { try decoding(archiveOf: data) { try $0.unkeyedContainer() } },
            ]
            for error in errors {
                #expect(error.kind == .typeMismatch)
                #expect(error.says("data of \(data.count) bytes"), "\(error)")
            }
        }
    }

    @Test func `reads the elements of arrays and sets alike`() throws {
        #expect(try transcode([3, 4], as: Set<Int>.self) == [3, 4])
        #expect(try transcode(Set([3]), as: [Int].self) == [3])
        #expect(try transcode(Self.Pair(1, "x"), as: Self.Pair.self) == Self.Pair(1, "x"))
    }

    /// A type that encodes itself as two elements.
    struct Pair: Codable, Equatable {
        var number: Int
        var text: String

        init(_ number: Int, _ text: String) {
            self.number = number
            self.text = text
        }

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            number = try container.decode(Int.self)
            text = try container.decode(String.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(number)
            try container.encode(text)
        }
    }

    @Test func `of elements that are unkeyed themselves nests`() throws {
        let pairs = [[Pair(1, "a"), Pair(2, "b")], [], [Pair(3, "c")]]
        #expect(
            try archiveText(pairs)
                == #"NSArray[NSArray[Pair[@1, @"a"], Pair[@2, @"b"]], NSArray[], NSArray[Pair[@3, @"c"]]]"#)
        #expect(try roundTrip(pairs) == pairs)
    }
}
