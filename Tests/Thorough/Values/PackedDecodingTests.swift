// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Requested packed numbers` {
    // MARK: - Other types

    struct Conversion: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let check: @Sendable () throws -> Void

        init<Source: Encodable & Sendable, Target: Decodable & Equatable & Sendable>(
            _ source: Source, as expected: Target
        ) {
            testDescription = "\(Source.self) \(source) as \(Target.self)"
            check = {
                let data = try ArchiveEncoder.packing.encode(source)
                #expect(try !InspectedArchive(data).dataObjects.isEmpty)
                #expect(try ArchiveDecoder().decode(Target.self, from: data) == expected)
                // As the same array of objects.
                #expect(try transcode(source, as: Target.self) == expected)
            }
        }
    }

    enum Grade: Int, Codable {
        case good = 1
        case bad
    }

    /// A type that decodes itself from a number.
    struct Meters: Decodable, Equatable {
        var value: Double

        init(_ value: Double) { self.value = value }
        init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Double.self) }
    }

    /// A type that takes its elements one by one.
    struct Place: Decodable, Equatable {
        var x: Int, y: Float

        init(x: Int, y: Float) { (self.x, self.y) = (x, y) }
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            x = try container.decode(Int.self)
            y = try container.decode(Float.self)
        }
    }

    static let conversions: [Conversion] = {
        var all: [Conversion] = []
        all.append(Conversion([1, -2, 127], as: [1, -2, 127] as [Int8]))
        all.append(Conversion([1, 255] as [UInt8], as: [1, 255] as [Int]))
        all.append(Conversion([-1, .min] as [Int8], as: [-1, -128] as [Int64]))
        all.append(Conversion([.min, .max] as [Int16], as: [-32768, 32767] as [Int32]))
        all.append(Conversion([7, .max] as [UInt32], as: [7, 4_294_967_295] as [UInt64]))
        all.append(Conversion([.max] as [Int64], as: [9_223_372_036_854_775_807] as [UInt]))
        all.append(Conversion([.max, 0] as [UInt64], as: [18_446_744_073_709_551_615, 0] as [UInt128]))
        all.append(Conversion([.min, 5] as [Int64], as: [-9_223_372_036_854_775_808, 5] as [Int128]))
        all.append(Conversion([65535] as [UInt16], as: [65535] as [Float]))
        all.append(Conversion([9_007_199_254_740_992, -3], as: [9_007_199_254_740_992, -3] as [Double]))
        all.append(Conversion([.max - 2047] as [UInt64], as: [18_446_744_073_709_549_568] as [Double]))
        all.append(Conversion([.max] as [UInt64], as: [18_446_744_073_709_551_616] as [Double]))
        all.append(Conversion([9_007_199_254_740_993], as: [9_007_199_254_740_992] as [Double]))
        all.append(Conversion([16_777_217, -16_777_219] as [Int32], as: [16_777_216, -16_777_220] as [Float]))
        all.append(Conversion([1, -2], as: [1, -2] as [Decimal]))
        all.append(Conversion([1.5] as [Float], as: [1.5] as [Decimal]))
        all.append(Conversion([0.5, -.infinity, -0.0] as [Float], as: [0.5, -.infinity, 0] as [Double]))
        all.append(Conversion([0.5, 1e300 * 1e300] as [Double], as: [0.5, .infinity] as [Float]))
        all.append(Conversion([3, -4, -0.0] as [Double], as: [3, -4, 0] as [Int]))
        all.append(Conversion([3] as [Float], as: [3] as [UInt8]))
        all.append(Conversion([1, 2], as: ContiguousArray<Double>([1, 2])))
        all.append(Conversion(ContiguousArray<Float>([1, 2]), as: [1, 2] as [Int16]))
        all.append(Conversion([1, 2, 2], as: Set([1, 2])))
        all.append(Conversion([1, 2], as: [1, 2] as [Int?]))
        all.append(Conversion([1.5], as: [1.5] as [CGFloat]))
        all.append(Conversion([1, 2] as [Int8], as: [.good, .bad] as [Grade]))
        all.append(Conversion([2.5], as: [Meters(2.5)]))
        all.append(Conversion([5], as: [Date(timeIntervalSinceReferenceDate: 5)]))
        all.append(Conversion([1, 2], as: Place(x: 1, y: 2)))
        all.append(Conversion([[1, 2], [3, 4]], as: [Place(x: 1, y: 2), Place(x: 3, y: 4)]))
        all.append(Conversion([Int](), as: [Float]()))
        all.append(Conversion([Int](), as: [String]()))
        all.append(Conversion([1], as: [1] as [Int]?))
        return all
    }()

    @Test(arguments: conversions)
    func `as another type are the same numbers`(conversion: Conversion) throws { try conversion.check() }

    @Test func `as reals of another width keep being no number`() throws {
        let narrow = try ArchiveDecoder().decode([Float].self, from: ArchiveEncoder.packing.encode([Double.nan]))
        #expect(narrow.count == 1 && narrow[0].isNaN)
        let wide = try ArchiveDecoder().decode([Double].self, from: ArchiveEncoder.packing.encode([Float.nan]))
        #expect(wide.count == 1 && wide[0].isNaN)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let path: String
        let parts: [String]
        /// The errors of packed numbers and of the same as objects.
        let errors: @Sendable () throws -> (CodingFailure, CodingFailure)

        init<Source: Encodable & Sendable, Target: Decodable & SendableMetatype>(
            _ source: Source, as type: Target.Type, at path: String, _ parts: String...
        ) {
            testDescription = "\(Source.self) \(source) as \(type)"
            self.path = path
            self.parts = parts
            errors = {
                (
                    try failure(decoding: type, from: ArchiveEncoder.packing.encode(source)),
                    try failure(decoding: type, fromArchiveOf: source)
                )
            }
        }
    }

    struct Holder<Element: Codable & Sendable>: Codable, Sendable { var lists: [[Element]] }
    final class Node: Codable { var name = "" }

    static let refusals: [Refusal] = {
        var all: [Refusal] = []
        all.append(
            Refusal(
                [1, 2, 128], as: [Int8].self, at: "[2]", "the integer 128, a packed Int64,", "Int8 cannot hold exactly")
        )
        all.append(Refusal([1, -1], as: [UInt].self, at: "[1]", "the integer -1", "UInt cannot hold exactly"))
        all.append(
            Refusal([.max] as [UInt64], as: [Int].self, at: "[0]", "the integer 18446744073709551615, a packed UInt64,")
        )
        all.append(
            Refusal([0.5], as: [Int].self, at: "[0]", "the number 0.5, a packed Double,", "Int cannot hold exactly"))
        all.append(Refusal([0, .nan] as [Float], as: [Int32].self, at: "[1]", "the number nan, a packed Float,"))
        all.append(Refusal([Double.infinity], as: [UInt8].self, at: "[0]", "the number inf"))
        all.append(Refusal([1, 1e300], as: [Float].self, at: "[1]", "the number 1e+300", "Float cannot hold exactly"))
        all.append(Refusal([-1], as: [UInt128].self, at: "[0]", "UInt128 cannot hold exactly"))
        all.append(
            Refusal([1, 300], as: ContiguousArray<UInt8>.self, at: "[1]", "the integer 300", "UInt8 cannot hold"))
        all.append(Refusal([1, 300], as: [UInt8?].self, at: "[1]", "the integer 300"))
        all.append(
            Refusal(Holder(lists: [[], [1.5, 2.5]]), as: Holder<Int>.self, at: "lists[1][0]", "lists[1][0]", "1.5"))
        all.append(
            Refusal(
                [1, 2], as: [Bool].self, at: "[0]", "the integer 1, a packed Int64, at \"[0]\", where Bool is expected")
        )
        all.append(Refusal([1.5], as: [String].self, at: "[0]", "where String is expected"))
        all.append(Refusal([1], as: [[Int]].self, at: "[0]", "expected"))
        all.append(Refusal([1], as: [Node].self, at: "[0]", "expected"))
        all.append(Refusal([1], as: [[String: Int]].self, at: "[0]", "expected"))
        all.append(Refusal([1], as: [UUID].self, at: "[0]", "expected"))
        return all
    }()

    @Test(arguments: refusals)
    func `as a type that cannot have them are an error, as objects are`(refusal: Refusal) throws {
        let (packed, objects) = try refusal.errors()
        #expect(packed.kind == objects.kind, "\(packed), \(objects)")
        #expect(packed.path == refusal.path && packed.path == objects.path, "\(packed), \(objects)")
        for part in refusal.parts { #expect(packed.says(part), "\(packed)") }
    }

    // MARK: - One by one

    @Test func `are the elements of an unkeyed container`() throws {
        try decoding(ArchiveEncoder.packing.encode([7, 300, -1])) { decoder in
            var container = try decoder.unkeyedContainer()
            #expect(container.count == 3 && container.currentIndex == 0 && !container.isAtEnd)
            #expect(try container.decodeNil() == false)
            #expect(try container.decode(UInt8.self) == 7)
            let narrow = try failure { try container.decode(Int8.self) }
            #expect(narrow.kind == .dataCorrupted && narrow.path == "[1]")
            #expect(try failure { try container.decode(Bool.self) }.kind == .typeMismatch)
            #expect(try failure { try container.decode(String.self) }.kind == .typeMismatch)
            #expect(try failure { try container.nestedUnkeyedContainer() }.kind == .typeMismatch)
            #expect(try failure { try container.nestedContainer(keyedBy: AnyKey.self) }.kind == .typeMismatch)
            // What failed is still there.
            #expect(container.currentIndex == 1)
            #expect(try container.superDecoder().singleValueContainer().decode(Int.self) == 300)
            #expect(try container.decodeIfPresent(Double.self) == -1)
            #expect(container.isAtEnd && container.currentIndex == 3)
            let end = try failure { try container.decode(Int.self) }
            #expect(end.kind == .valueNotFound && end.says("3 elements"))
            #expect(try container.decodeIfPresent(Int.self) == nil)
        }
    }

    @Test func `are the elements of each call for a container`() throws {
        struct Twice: Decodable {
            var first: Int, again: Int, user: String?

            init(from decoder: any Decoder) throws {
                var one = try decoder.unkeyedContainer()
                first = try one.decode(Int.self)
                var other = try decoder.unkeyedContainer()
                again = try other.decode(Int.self)
                user = try other.superDecoder().userInfo[.named("user")] as? String
            }
        }
        var decoder = ArchiveDecoder()
        decoder.userInfo[.named("user")] = "ann"
        let value = try decoder.decode(Twice.self, from: ArchiveEncoder.packing.encode([4, 5]))
        #expect(value.first == 4 && value.again == 4 && value.user == "ann")
    }

    @Test func `are elements that keep their container valid when the decoding is over`() throws {
        let data = try ArchiveEncoder.packing.encode(Array(0..<100))
        var containers = try (0..<3).map { _ in try decoding(data) { try $0.unkeyedContainer() } }
        _ = try ArchiveDecoder().decode([Int].self, from: data)
        for index in containers.indices {
            for number in 0..<100 { #expect(try containers[index].decode(Int.self) == number) }
        }
    }

    // MARK: - By types that the program finds out

    @Test func `are an array to those who list arrays and not data`() throws {
        let unarchiver = try unarchiver { archiver in
            archiver.numericArrays = .packed
            try archiver.encodeObject([1, -2], forKey: "integers")
            try archiver.encodeObject([0.5] as [Float], forKey: "reals")
            try archiver.encodeObject(["rows": [[1, 300]]], forKey: "nested")
        }
        let integers = try unarchiver.decodeObject(of: [[Any].self, Int.self], forKey: "integers")
        #expect(integers as? [Int] == [1, -2])
        #expect(try unarchiver.decodeArray(of: [Int8.self, String.self], forKey: "integers") as? [Int8] == [1, -2])
        #expect(try unarchiver.decodeArray(of: [Double.self, Float.self], forKey: "reals") as? [Float] == [0.5])
        #expect(try unarchiver.decodeArray(of: [Double.self], forKey: "reals") as? [Double] == [0.5])
        #expect(
            try unarchiver.decodeObject(of: [[Any].self, Data.self, Int.self], forKey: "integers") as? Data
                == packedData("i8", hex("0100000000000000 feffffffffffffff")))
        let nested = try unarchiver.decodeObject(
            of: [[AnyHashable: Any].self, [Any].self, String.self, Int16.self, UInt8.self], forKey: "nested")
        #expect((nested as? [AnyHashable: Any])?["rows"] as? [[Int16]] == [[1, 300]])
    }

    @Test func `are an error to those who list no such numbers`() throws {
        let unarchiver = try unarchiver { archiver in
            archiver.numericArrays = .packed
            try archiver.encode([1, 300], forKey: "list")
        }
        let unlisted = try keyedFailure { try unarchiver.decodeArray(of: [String.self], forKey: "list") }
        #expect(unlisted.code == "classNotAllowed" && unlisted.path == "list")
        #expect(unlisted.says("data of 24 bytes with 2 packed Int64"))
        let narrow = try keyedFailure { try unarchiver.decodeArray(of: [Int8.self], forKey: "list") }
        #expect(narrow.code == "numberOutOfRange" && narrow.path == "list[1]" && narrow.says("300", "Int8"))
        let noArray = try keyedFailure { try unarchiver.decodeObject(of: [Int.self], forKey: "list") }
        #expect(noArray.code == "classNotAllowed" && noArray.path == "list")
    }
}
