// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What other programs make of packed arrays: data.
@Suite(.inTurn) struct `A packed array of numbers, to others,` {
    private func archive(_ value: some Encodable, _ format: PropertyListFormat = .binary) throws -> Data {
        var encoder = ArchiveEncoder()
        encoder.numericArrays = .packed
        encoder.outputFormat = format
        return try encoder.encode(value)
    }

    private static let bytes = Data("packedi2".utf8) + Data([2, 1, 0xFE, 0xFF])

    @Test(arguments: PropertyListFormat.allCases)
    func `is data to Foundation`(format: PropertyListFormat) throws {
        let data = try archive([258, -2] as [Int16], format)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSData.self, from: data) == Self.bytes as NSData)
        let list = try archive(["a": [258, -2] as [Int16]], format)
        let classes: [AnyClass] = [NSDictionary.self, NSString.self, NSData.self]
        let object = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: list)
        #expect(object as? [String: Data] == ["a": Self.bytes])
    }

    @Test func `may be written by Foundation`() throws {
        for object in [Self.bytes as NSData, NSMutableData(data: Self.bytes)] {
            let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
            #expect(try ArchiveDecoder().decode([Int16].self, from: data) == [258, -2])
            #expect(try ArchiveDecoder().decode([Double].self, from: data) == [258, -2])
        }
    }

    @Test(.needs(.tool("python3")))
    func `is data to Python, which unpacks it as the format says`() throws {
        func evaluate(_ value: some Encodable, _ format: String) throws -> String {
            let expression = "o(top['root'])[:8], __import__('struct').unpack('<\(format)', o(top['root'])[8:])"
            return try Plistlib.evaluate(expression, in: PropertyListFormat.allCases.map { try archive(value, $0) })
        }
        #expect(try evaluate([1, -2], "2q") == "(b'packedi8', (1, -2))")
        #expect(try evaluate([-128, 127] as [Int8], "2b") == "(b'packedi1', (-128, 127))")
        #expect(try evaluate([258, -2] as [Int16], "2h") == "(b'packedi2', (258, -2))")
        #expect(try evaluate([.min] as [Int32], "i") == "(b'packedi4', (-2147483648,))")
        #expect(try evaluate([.max, 3] as [UInt], "2Q") == "(b'packedu8', (18446744073709551615, 3))")
        #expect(try evaluate([200] as [UInt8], "B") == "(b'packedu1', (200,))")
        #expect(try evaluate([65_534] as [UInt16], "H") == "(b'packedu2', (65534,))")
        #expect(try evaluate([.max] as [UInt32], "I") == "(b'packedu4', (4294967295,))")
        #expect(try evaluate([0.5, -.infinity] as [Float], "2f") == "(b'packedf4', (0.5, -inf))")
        #expect(try evaluate([0.1, -2.5], "2d") == "(b'packedf8', (0.1, -2.5))")
    }

    @Test(.needs(.tool("python3")))
    func `may be written by Python`() throws {
        func numbers<Number: Decodable>(_ element: String, _ pack: String, as type: Number.Type) throws -> [[Number]] {
            let object = "b'packed\(element)' + __import__('struct').pack(\(pack))"
            return try Plistlib.archives("[\(object)]").map {
                try KeyedUnarchiver(forReadingFrom: $0).decode([Number].self, forKey: "object")
            }
        }
        #expect(
            try numbers("f8", "'<3d', 0.1, -2.5, 1e300", as: Double.self) == [[0.1, -2.5, 1e300], [0.1, -2.5, 1e300]])
        #expect(try numbers("i4", "'<2i', -7, 70000", as: Int.self) == [[-7, 70000], [-7, 70000]])
        #expect(try numbers("u2", "'<1H', 65535", as: Float.self) == [[65535], [65535]])
    }
}
