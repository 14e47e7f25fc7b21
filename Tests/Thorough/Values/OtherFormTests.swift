// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Values of Foundation, requested as the types that JSON has for them.
@Suite(.inTurn) struct `A value of Foundation in another form` {
    private struct Values: Codable {
        var url: URL
        var relative: URL
        var id = UUID()
        var date = Date(timeIntervalSinceReferenceDate: 123_456_789.25)
        var whole = Date(timeIntervalSinceReferenceDate: -5)
        var price: Decimal
        var count = Decimal(1200)

        init() throws {
            url = try #require(URL(string: "https://example.org/ä?b=c"))
            relative = try #require(URL(string: "d", relativeTo: URL(string: "https://example.org/a/b")))
            price = try #require(Decimal(string: "27.31"))
        }
    }

    private struct Texts: Decodable, Equatable {
        var url, relative, id: String
    }

    private struct Numbers: Decodable, Equatable {
        var date, whole, price, count: Double
    }

    private struct Small: Decodable, Equatable {
        var date, price: Float
        var whole: Int8
        var count: UInt16
    }

    private func json<Value: Decodable>(_ values: Values, as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: JSONEncoder().encode(values))
    }

    @Test(arguments: [PropertyListFormat.binary, .xml]) func `is that of JSON`(format: PropertyListFormat) throws {
        let values = try Values()
        #expect(try transcode(values, as: Texts.self, format: format) == json(values, as: Texts.self))
        #expect(try transcode(values, as: Numbers.self, format: format) == json(values, as: Numbers.self))
        #expect(try transcode(values, as: Small.self, format: format) == json(values, as: Small.self))
    }

    @Test func `is known in collections and optionals, too`() throws {
        let values = try Values()
        let texts = [values.url.absoluteString, values.relative.absoluteString]
        #expect(try transcode([values.url, values.relative], as: [String].self) == texts)
        #expect(try transcode([values.url, nil], as: [String?].self) == [texts[0], nil])
        #expect(try transcode([values.id], as: Set<String>.self) == [values.id.uuidString])
        #expect(try transcode(["a": values.id], as: [String: String].self) == ["a": values.id.uuidString])
        #expect(try transcode([values.date, values.whole], as: [Double].self) == [123_456_789.25, -5])
        #expect(try transcode(["a": values.price], as: [String: Double].self) == ["a": 27.31])
    }

    @Test func `is out of range for a type that cannot have the number`() throws {
        struct Day: Decodable { var date: Int }
        struct Cents: Decodable { var price: Int }
        for error in [
            try failure(decoding: Day.self, fromArchiveOf: try Values()),
            try failure(decoding: Cents.self, fromArchiveOf: try Values()),
        ] {
            #expect(error.kind == .dataCorrupted || error.kind == .typeMismatch)
        }
    }

    @Test func `is none for other types`() throws {
        let values = try Values()
        #expect(try failure(decoding: [Bool].self, fromArchiveOf: [values.date]).kind == .typeMismatch)
        #expect(try failure(decoding: [Double].self, fromArchiveOf: [values.url]).kind == .typeMismatch)
        #expect(try failure(decoding: [String].self, fromArchiveOf: [values.date]).kind == .typeMismatch)
        #expect(try failure(decoding: [String].self, fromArchiveOf: [values.price]).kind == .typeMismatch)
        #expect(try failure(decoding: [[Int]].self, fromArchiveOf: [values.id]).kind == .typeMismatch)
        #expect(try failure(decoding: [[String: String]].self, fromArchiveOf: [values.url]).kind == .typeMismatch)
    }

    @Test func `is none for data`() throws {
        let data = [Data([1, 2])]
        #expect(try failure(decoding: [String].self, fromArchiveOf: data).kind == .typeMismatch)
        #expect(try failure(decoding: [[String: Int]].self, fromArchiveOf: data).kind == .typeMismatch)
    }

    @Test func `is damage if the value is`() throws {
        let short = try handmadeArchive(["NS.uuidbytes": .data(Data([1])), "$class": .uid(2)], classEntry("NSUUID"))
        #expect(try failure(decoding: String.self, from: short).kind == .dataCorrupted)
        let endless = try handmadeArchive(
            ["NS.base": .uid(1), "NS.relative": "a", "$class": .uid(2)], classEntry("NSURL"))
        #expect(try failure(decoding: String.self, from: endless).kind == .dataCorrupted)
    }

    @Test func `is the same by key`() throws {
        let values = try Values()
        let archiver = KeyedArchiver()
        try archiver.encode(values.url, forKey: "url")
        try archiver.encode(values.id, forKey: "id")
        archiver.encode(values.date, forKey: "date")
        try archiver.encode(values.price, forKey: "price")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        #expect(try unarchiver.decode(String.self, forKey: "url") == values.url.absoluteString)
        #expect(try unarchiver.decode(String.self, forKey: "id") == values.id.uuidString)
        #expect(try unarchiver.decode(Double.self, forKey: "date") == 123_456_789.25)
        #expect(try unarchiver.decodeDouble(forKey: "price") == 27.31)
    }
}
