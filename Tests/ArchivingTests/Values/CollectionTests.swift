// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Arrays, sets and ranges` {
    struct Point: Codable, Hashable {
        var x: Int
    }

    @Test func `of numbers share equal leaves`() throws {
        let archive = try InspectedArchive(of: [7, 8, 7, 7, 8])
        #expect(archive.objects[1]["NS.objects"] == [.uid(2), .uid(3), .uid(2), .uid(2), .uid(3)])
        #expect(archive.objects.count == 5)
    }

    @Test func `share leaves between them, and never 1, true and 1.0`() throws {
        struct Fields: Encodable {
            var integers = [1, 0], flags = [true, false], reals = [1.0, 0, -0.0], floats: [Float] = [1, 0, -0.0]
            var more = [1, 0], moreFlags = [true], moreReals = [-0.0, 1.0], small: [Int8] = [1], texts = ["1", "true"]
        }
        let archive = try InspectedArchive(of: Fields())
        for leaf in [
            1, 0, true, false, 1.0, 0.0, -0.0, .real32(1), .real32(0), .real32(-0.0), "1", "true",
        ] as [PropertyList] {
            #expect(archive.objects.filter { $0 == leaf }.count == 1, "\(leaf)")
        }
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `of every number type come back`(format: PropertyListFormat) throws {
        func check<Number: FixedWidthInteger & Codable & Hashable>(_: Number.Type) throws {
            let numbers = [Number.min, .max, 0, 1, 0, .max, 42]
            #expect(try roundTrip(numbers, format: format) == numbers)
            #expect(try roundTrip([[Number]](), format: format) == [])
            #expect(try roundTrip([[], numbers], format: format) == [[], numbers])
            #expect(try roundTrip(Set(numbers), format: format) == Set(numbers))
            #expect(try roundTrip(ContiguousArray(numbers), format: format) == ContiguousArray(numbers))
        }
        for type in integerTypes { try check(type) }
        let reals = [0.1, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1]
        #expect(try roundTrip(reals, format: format).map(\.bitPattern) == reals.map(\.bitPattern))
        let floats: [Float] = [0.1, -0.0, .infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1]
        #expect(try roundTrip(floats, format: format).map(\.bitPattern) == floats.map(\.bitPattern))
        let flags = [true, false, true]
        #expect(try roundTrip(flags, format: format) == flags)
    }

    @Test func `of structs, of sets, of optionals nest`() throws {
        let value: [Set<[Point?]>] = [[[Point(x: 1), nil], []], []]
        #expect(try roundTrip(value) == value)
    }

    @Test func `of kind set are NSSet`() throws {
        let archive = try InspectedArchive(of: Set(["a"]))
        #expect(archive.text == #"NSSet[@"a"]"#)
        #expect(archive.classChain(of: archive.objects[1]) == ["NSSet", "NSObject"])
        let points: Set = [Point(x: 1), Point(x: 2), Point(x: 3)]
        #expect(try InspectedArchive(of: points).count(ofClass: "Point") == 3)
        #expect(try roundTrip(points) == points)
    }

    @Test func `of the contiguous kind are NSArray`() throws {
        let points: ContiguousArray = [Point(x: 1), Point(x: 2)]
        #expect(try archiveText(points) == "NSArray[Point{x: 1}, Point{x: 2}]")
        #expect(try roundTrip(points) == points)
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `of the range kind, durations and vectors come back`(format: PropertyListFormat) throws {
        #expect(try roundTrip(1..<5, format: format) == 1..<5)
        #expect(try roundTrip(-1.5...2.5, format: format) == -1.5...2.5)
        #expect(try roundTrip("a"..."b", format: format) == "a"..."b")
        #expect(try roundTrip(3..., format: format).lowerBound == 3)
        #expect(try roundTrip(..<3, format: format).upperBound == 3)
        #expect(try roundTrip(...3, format: format).upperBound == 3)
        #expect(try roundTrip([1..<5, 5..<5], format: format) == [1..<5, 5..<5])
        let duration = Duration(secondsComponent: -3, attosecondsComponent: -1)
        #expect(try roundTrip(duration, format: format) == duration)
        let vector = SIMD4<Float>(1, -0.5, .infinity, 0.1)
        #expect(try roundTrip(vector, format: format) == vector)
    }

    @Test func `of the range kind are unkeyed`() throws {
        #expect(try archiveText(1..<5) == "Range<Swift.Int>[@1, @5]")
        #expect(try archiveText(3...) == "PartialRangeFrom<Swift.Int>[@3]")
    }

    @Test func `with a range upside down is an error, not a trap`() throws {
        let error = try failure(decoding: Range<Int>.self, fromArchiveOf: [5, 1])
        #expect(error.kind == .dataCorrupted)
    }

    @Test func `with an element of another kind fail at that element`() throws {
        let mixed = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(1)
            try container.encode("two")
        }
        for (type, wanted) in [
            (["a": [Int]()], Int.self), (["a": [UInt8]()], UInt8.self), (["a": [Double]()], Double.self),
            (["a": [Float]()], Float.self), (["a": [Bool]()], Bool.self), (["a": Set<Int>()], Int.self),
        ] as [(any Decodable, any Any.Type)] {
            func check<Value: Decodable>(_: Value) throws {
                let error = try failure(decoding: Value.self, fromArchiveOf: ["a": mixed])
                #expect(error.kind == .typeMismatch)
                #expect(error.type == wanted)
                #expect(error.path == (wanted == Bool.self ? "a[0]" : "a[1]"))
            }
            try check(type)
        }
        let error = try failure(decoding: [String].self, fromArchiveOf: mixed)
        #expect(error.kind == .typeMismatch)
        #expect(error.path == "[0]")
    }
}
