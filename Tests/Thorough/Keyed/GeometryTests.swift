// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn)
struct `Points, sizes and rectangles` {
    /// Pairs of numbers, and their text in Cocoa's form.
    static let pairs: [(Double, Double, String)] = [
        (3, 4.5, "{3, 4.5}"), (0, 0, "{0, 0}"), (-1, -0.25, "{-1, -0.25}"), (1024, 768, "{1024, 768}"),
        (0.1, 0.2, "{0.1, 0.2}"), (123_456_789, 1_000_000, "{123456789, 1000000}"), (100, 10, "{100, 10}"),
    ]

    @Test(arguments: pairs)
    func `are stored behind a uid as text in braces`(first: Double, second: Double, text: String) throws {
        let archive = try InspectedArchive(
            KeyedPlace.top.archive { archiver in
                archiver.encodePoint(x: first, y: second, forKey: "point")
                archiver.encodeSize(width: first, height: second, forKey: "size")
                archiver.encodeRect(x: first, y: second, width: 7, height: 8.5, forKey: "rect")
            })
        let top = try KeyedPlace.top.entries(in: archive)
        for key in ["point", "size"] {
            #expect(archive.follow(top[key]) == .string(text))
            #expect(top[key] != .string(text))
        }
        #expect(top["point"] == top["size"])
        #expect(archive.follow(top["rect"]) == .string("{\(text), {7, 8.5}}"))
    }

    @Test func `without a key are their numbers, one after the other`() throws {
        let data = try KeyedPlace.top.archive { archiver in
            archiver.encodeNextPoint(x: 1, y: 2.5)
            archiver.encodeNextSize(width: -3, height: 4)
            archiver.encodeNextRect(x: 5, y: 6, width: 7, height: 8)
            archiver.encodeNext("end")
        }
        let archive = try InspectedArchive(data)
        let top = try KeyedPlace.top.entries(in: archive)
        #expect(top.count == 9)
        for (index, number) in [1, 2.5, -3, 4, 5, 6, 7, 8].enumerated() { #expect(top["$\(index)"] == .real(number)) }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        #expect(try unarchiver.decodeNextPoint() == (1, 2.5))
        #expect(try unarchiver.decodeNext(Double.self) == -3)
        #expect(try unarchiver.decodeNext(Double.self) == 4)
        #expect(try unarchiver.decodeNextRect() == (5, 6, 7, 8))
        #expect(try unarchiver.decodeNext(String.self) == "end")
    }

    @Test func `without a key are read from texts as well`() throws {
        let data = try handmadeArchive(
            top: ["$0": .uid(1), "$1": "{3, 4}", "$2": .uid(2), "$3": .uid(0), "$4": 1.5], "{1, 2}",
            "{{5, 6}, {7, 8}}")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        #expect(try unarchiver.decodeNextPoint() == (1, 2))
        #expect(try unarchiver.decodeNextSize() == (3, 4))
        #expect(try unarchiver.decodeNextRect() == (5, 6, 7, 8))
        #expect(try unarchiver.decodeNextPoint() == (0, 0))
        // Half a point is none.
        #expect(try keyedFailure { try unarchiver.decodeNextPoint() }.code == "valueNotFound")
    }

    /// Numbers whose text has an exponent, or has as many digits as there are.
    static let numbers = [
        0, -0.0, 1, 0.1, 1.0 / 3, -1e-7, 1e15, 1e16, 123_456_789_012_345_680, 1e20, -1.5e300, .leastNonzeroMagnitude,
        .greatestFiniteMagnitude, .pi,
    ]

    @Test(arguments: numbers, KeyedPlace.allCases)
    func `come back exactly`(number: Double, place: KeyedPlace) throws {
        let data = try place.archive { archiver in
            archiver.encodePoint(x: number, y: 1, forKey: "point")
            archiver.encodeSize(width: 1, height: number, forKey: "size")
            archiver.encodeRect(x: 1, y: number, width: 2, height: number, forKey: "rect")
            archiver.encodeNextRect(x: number, y: 1, width: number, height: 2)
            archiver.encodeNextSize(width: number, height: 1)
            archiver.encodeNextPoint(x: 1, y: number)
        }
        try place.read(data) { unarchiver throws in
            #expect(try unarchiver.decodePoint(forKey: "point") == (number, 1))
            #expect(try unarchiver.decodePoint(forKey: "point").x.sign == number.sign)
            #expect(try unarchiver.decodeSize(forKey: "size") == (1, number))
            #expect(try unarchiver.decodeRect(forKey: "rect") == (1, number, 2, number))
            #expect(try unarchiver.decodeNextRect() == (number, 1, number, 2))
            #expect(try unarchiver.decodeNextSize() == (number, 1))
            #expect(try unarchiver.decodeNextPoint() == (1, number))
        }
    }

    /// Texts that Cocoa's programs have written.
    static let texts: [(String, Double, Double)] = [
        ("{0, 0}", 0, 0), ("{640, 480}", 640, 480), ("{-12.5, 3}", -12.5, 3), ("{0.5,0.25}", 0.5, 0.25),
        ("{ 1 , 2 }", 1, 2), ("{1e+20, -1e-05}", 1e20, -1e-5), ("{10000000000000000, 1}", 1e16, 1),
        ("{0.10000000000000001, 0.33333333333333331}", 0.1, 1.0 / 3),
        ("{1.7976931348623157e+308, 5e-324}", .greatestFiniteMagnitude, .leastNonzeroMagnitude),
    ]

    @Test(arguments: texts)
    func `are read in Cocoa's form`(text: String, first: Double, second: Double) throws {
        let data = try handmadeArchive(
            top: ["leaf": .uid(1), "inline": .string(text), "rect": .uid(2), "value": .uid(3), "values": .uid(5)],
            .string(text), .string("{\(text), {7, 8}}"),
            ["NS.pointval": .uid(1), "NS.special": 1, "$class": .uid(4)],
            ["$classname": "NSValue", "$classes": ["NSValue", "NSObject"]],
            ["NS.sizeval": .uid(1), "NS.rectval": .uid(2), "NS.special": 2, "$class": .uid(4)])
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        #expect(try unarchiver.decodePoint(forKey: "leaf") == (first, second))
        #expect(try unarchiver.decodeSize(forKey: "leaf") == (first, second))
        #expect(try unarchiver.decodePoint(forKey: "inline") == (first, second))
        #expect(try unarchiver.decodeRect(forKey: "rect") == (first, second, 7, 8))
        #expect(try unarchiver.decodePoint(forKey: "value") == (first, second))
        #expect(try unarchiver.decodeSize(forKey: "values") == (first, second))
        #expect(try unarchiver.decodeRect(forKey: "values") == (first, second, 7, 8))
    }

    @Test(arguments: ["", "{}", "{1}", "{1, 2, 3}", "{1, x}", "1 2 3", "{{1, 2}, {3}}", "{{1, 2}, {3, 4}, 5}"])
    func `are an error where there are fewer numbers, or more`(text: String) throws {
        let unarchiver = try unarchiver { $0.encode(text, forKey: "frame") }
        for error in [
            try keyedFailure { try unarchiver.decodePoint(forKey: "frame") },
            try keyedFailure { try unarchiver.decodeSize(forKey: "frame") },
            try keyedFailure { try unarchiver.decodeRect(forKey: "frame") },
        ] {
            #expect(error.code == "typeMismatch")
            #expect(error.path == "frame")
            #expect(error.says("\"\(text)\"", "\"frame\""))
        }
    }

    @Test func `are no points where they are rectangles, and the other way round`() throws {
        let unarchiver = try unarchiver { archiver in
            archiver.encodePoint(x: 1, y: 2, forKey: "point")
            archiver.encodeRect(x: 1, y: 2, width: 3, height: 4, forKey: "rect")
        }
        #expect(try keyedFailure { try unarchiver.decodeRect(forKey: "point") }.code == "typeMismatch")
        #expect(try keyedFailure { try unarchiver.decodePoint(forKey: "rect") }.code == "typeMismatch")
        #expect(try unarchiver.decodeSize(forKey: "point") == (1, 2))
        #expect(try unarchiver.decodeIfPresent(String.self, forKey: "rect") == "{{1, 2}, {3, 4}}")
    }
}
