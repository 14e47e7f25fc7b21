// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Data where an array of numbers is expected` {
    struct Holder: Codable { var list: [Int] }

    private func holder(_ data: Data) throws -> Data {
        try handmadeArchive(["list": .uid(2), "$class": .uid(3)], .data(data), classEntry("Holder"))
    }

    // MARK: - Damage

    @Test(arguments: [0, 1, 5, 6, 7, 8, 9, 100])
    func `is an error where it does not start as packed numbers do`(count: Int) throws {
        // "packed" alone, and cut off, is no header either.
        let all = count < 8 ? Data("packedi".utf8.prefix(count)) : Data(repeating: 0x70, count: count)
        for data in [all, Data(repeating: 0, count: count)] {
            let error = try failure(decoding: Holder.self, from: holder(data))
            #expect(error.kind == .typeMismatch && error.path == "list")
            #expect(error.says("Found data of \(count) bytes (uid 2) at \"list\", where Array<Int> is expected"))
            #expect(error.says("it does not start with \"packed\" and their type. Decode Data to get the raw bytes"))
            let list = try failure(decoding: [Double].self, from: archive(ofData: data))
            #expect(list.kind == .typeMismatch && list.says("where Array<Double> is expected"))
            #expect(
                try failure(decoding: ContiguousArray<Int8>.self, from: archive(ofData: data)).kind == .typeMismatch)
            #expect(try failure(decoding: [String].self, from: archive(ofData: data)).kind == .typeMismatch)
            let container = try failure { try decoding(archive(ofData: data)) { _ = try $0.unkeyedContainer() } }
            #expect(container.kind == .typeMismatch)
            #expect(try ArchiveDecoder().decode(Data.self, from: archive(ofData: data)) == data)
        }
    }

    @Test(arguments: [
        "i0", "i3", "i5", "i6", "i7", "i9", "i:", "f1", "f2", "f3", "f0", "u0", "u3", "x8", "I8", "8i", "  ", "\0\0",
        "i\u{7F}", "\u{B2}",
    ])
    func `is an error where the header names no type`(element: String) throws {
        let data = packedData(element, Array(repeating: 0, count: 16))
        for _ in 0..<2 {
            let error = try failure(decoding: Holder.self, from: holder(data))
            #expect(error.kind == .dataCorrupted && error.path == "list")
            #expect(error.says("Found data of 24 bytes (uid 2) at \"list\", where Array<Int> is expected"))
            #expect(error.says("not one of i1, i2, i4, i8, u1, u2, u4, u8, f4 and f8", "damaged", "Decode Data"))
        }
        #expect(try failure(decoding: [Float].self, from: archive(ofData: data)).kind == .dataCorrupted)
        #expect(try ArchiveDecoder().decode(Data.self, from: archive(ofData: data)) == data)
    }

    @Test func `names the type of the header in the error`() throws {
        let error = try failure(decoding: [Int].self, from: archive(ofData: packedData("x8")))
        #expect(error.says("have the type \"x8\", which"))
    }

    @Test(arguments: ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"])
    func `is an error where the length is not that of whole numbers`(element: String) throws {
        let width = try #require(element.last?.wholeNumberValue)
        let names = [
            "i2": "Int16", "i4": "Int32", "i8": "Int64", "u2": "UInt16", "u4": "UInt32", "u8": "UInt64", "f4": "Float",
            "f8": "Double",
        ]
        for count in 0..<(3 * width) {
            let data = packedData(element, Array(repeating: 0, count: count))
            guard count % width != 0 else {
                let numbers = Array(repeating: 0, count: count / width)
                #expect(try ArchiveDecoder().decode([Int].self, from: archive(ofData: data)) == numbers)
                continue
            }
            let error = try failure(decoding: Holder.self, from: holder(data))
            #expect(error.kind == .dataCorrupted && error.path == "list")
            #expect(error.says("Found data of \(count + 8) bytes (uid 2) at \"list\", where Array<Int> is expected"))
            #expect(
                error.says("the \(count) bytes after the header are not a whole number of", "damaged", "Decode Data"))
            #expect(error.says("not a whole number of \(names[element] ?? "?") values of \(width) bytes each"))
        }
    }

    @Test func `is an error of an unarchiver as well`() throws {
        func code(_ data: Data) throws -> String {
            let unarchiver = try KeyedUnarchiver(forReadingFrom: archive(ofData: data))
            let error = try keyedFailure { try unarchiver.decode([Int].self, forKey: "root") }
            #expect(error.path == "root")
            let list = try keyedFailure { try unarchiver.decodeArray(of: [Int.self], forKey: "root") }
            #expect(list.code == error.code && list.path == "root")
            return error.code
        }
        #expect(try code(Data([1, 2, 3])) == "typeMismatch")
        #expect(try code(packedData("i3")) == "damaged")
        #expect(try code(packedData("i8", [1])) == "damaged")
    }

    // MARK: - Other writers

    @Test(arguments: ["NS.data", "NS.bytes"])
    func `may be an object of a class of data`(key: String) throws {
        let data = try handmadeArchive(
            .dictionary([key: .data(packedData("i2", [1, 0, 2, 0])), "$class": .uid(2)]),
            classEntry("NSMutableData", "NSData"))
        #expect(try ArchiveDecoder().decode([Int].self, from: data) == [1, 2])
        #expect(try ArchiveDecoder().decode(ContiguousArray<Int16>.self, from: data) == [1, 2])
        #expect(try ArchiveDecoder().decode(Data.self, from: data) == packedData("i2", [1, 0, 2, 0]))
    }

    @Test func `may be stored inline in the object`() throws {
        let data = try handmadeArchive(
            ["list": .data(packedData("u1", [3, 4])), "$class": .uid(2)], classEntry("Holder"))
        #expect(try ArchiveDecoder().decode(Holder.self, from: data).list == [3, 4])
    }

    // MARK: - Limits

    @Test func `counts with its header as data`() throws {
        // 8 bytes of header and 1000 numbers of 8 bytes, 16 of which count one step, and a step for each number.
        let data = try ArchiveEncoder.packing.encode((0..<1000).map(Double.init))
        var decoder = ArchiveDecoder()
        decoder.limits.work = 1_510
        #expect(try decoder.decode([Double].self, from: data).count == 1000)
        #expect(try decoder.decode(ContiguousArray<Int>.self, from: data).count == 1000)
        decoder.limits.work = 1_500
        let error = try failure { try decoder.decode([Double].self, from: data) }
        #expect(error.kind == .dataCorrupted && error.says("limit", "1500"))
        #expect(throws: (any Error).self) { try decoder.decode(ContiguousArray<Int>.self, from: data) }
    }

    typealias DecodableType = any (Decodable & Sendable).Type

    static let types: [DecodableType] = [[UInt8].self, [Double].self, ContiguousArray<Int>.self, [Int?].self]

    @Test(arguments: types)
    func `counts a step for each number`(type: DecodableType) throws {
        /// The least limit under which `count` numbers are decoded.
        func work(_ count: Int) throws -> Int {
            let data = try ArchiveEncoder.packing.encode([UInt8](repeating: 1, count: count))
            var decoder = ArchiveDecoder()
            return try #require(
                (0..<2 * count + 50).first { work in
                    decoder.limits.work = work
                    return (try? decoder.decode(type, from: data)) != nil
                })
        }
        let least = try work(100)
        #expect(least >= 100)
        // 16 numbers are 16 bytes, too: one more step.
        #expect(try work(116) == least + 17)
        #expect(try work(260) == least + 170)
    }

    @Test func `that is referred to again and again counts again and again`() throws {
        // 4000 arrays of 1000 numbers, of which the archive has one.
        let data = try handmadeArchive(
            ["NS.objects": .array(Array(repeating: .uid(2), count: 4000)), "$class": .uid(3)],
            .data(packedData("u1", Array(repeating: 7, count: 1000))), classEntry("NSArray"))
        // 1 250 000 steps, and 17 for each byte.
        #expect(4000 * 1000 > 1_250_000 + 17 * data.count)
        let error = try failure(decoding: [[Int]].self, from: data)
        #expect(error.kind == .dataCorrupted && error.says("limit work"))
        var decoder = ArchiveDecoder()
        decoder.limits.work = 4_400_000
        #expect(try decoder.decode([[Int]].self, from: data).count == 4000)
    }
}
