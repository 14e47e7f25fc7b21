// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation

extension Probes {
    /// Numbers of all widths at their boundaries, and texts.
    static func numbers(_ report: inout Report) {
        report.section("Numbers and texts")
        integers(Int8.self, &report)
        integers(Int16.self, &report)
        integers(Int32.self, &report)
        integers(Int64.self, &report)
        integers(Int128.self, &report)
        integers(Int.self, &report)
        integers(UInt8.self, &report)
        integers(UInt16.self, &report)
        integers(UInt32.self, &report)
        integers(UInt64.self, &report)
        integers(UInt128.self, &report)
        integers(UInt.self, &report)
        reals(Float.self, &report) { $0.bitPattern == $1.bitPattern }
        reals(Double.self, &report) { $0.bitPattern == $1.bitPattern }
        report.value("Bool", [true, false])
        report.value("Optional", [1, nil, -1] as [Int?])
        report.value("Optional twice", [[1.5, nil], []] as [[Double?]])
        report.value("String", texts)
        for (index, text) in texts.enumerated() { report.value("String \(index)", text) }
        report.value("keys", Dictionary(uniqueKeysWithValues: texts.map { ($0, $0.utf8.count) }))
        report.value("Set", Set(0..<100))
    }

    private static let texts = [
        "", "a", "fifteen bytes..", "sixteen bytes...", "naïve", "\u{E4}\u{F6}\u{FC}", "🐄", "a🐄b", "$null", "$key",
        "e\u{301}", "\u{FEFF}", "line\nline\ttab", String(repeating: "long ", count: 100),
        String(repeating: "längér ", count: 100),
    ]

    private static func integers<Number: FixedWidthInteger & Codable>(_ type: Number.Type, _ report: inout Report) {
        var numbers = (0..<Number.bitWidth).flatMap { shift -> [Number] in
            let power = Number(truncatingIfNeeded: 1) << Number(shift)
            return [power &- 1, power, power &+ 1, 0 &- power]
        }
        numbers += [Number.min, Number.max, Number.max / 3]
        report.value("\(type)", numbers)
        report.value("\(type) alone", [Number.min, Number.max].map { Alone(number: $0) })
    }

    private static func reals<Number: BinaryFloatingPoint & Codable>(
        _ type: Number.Type, _ report: inout Report, isSame: (Number, Number) -> Bool
    ) {
        let numbers: [Number] = [
            0, -0.0, 1, -1, 0.1, 1 / 3, .pi, .infinity, -.infinity, .leastNonzeroMagnitude, .leastNormalMagnitude,
            .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .ulpOfOne, 1e10, 16_777_217, 9_007_199_254_740_993,
        ]
        report.value("\(type)", numbers) { $0.count == $1.count && zip($0, $1).allSatisfy(isSame) }
        report.value("\(type) alone", numbers.map { Alone(number: $0) }) {
            $0.count == $1.count && zip($0, $1).allSatisfy { isSame($0.number, $1.number) }
        }
        report.value("\(type), no number", [Number.nan, -Number.nan, Number.signalingNaN]) { $1.allSatisfy(\.isNaN) }
    }

    struct Alone<Number: Codable & Equatable>: Codable, Equatable {
        var number: Number
        var optional: Number?

        init(number: Number) {
            self.number = number
            optional = number
        }
    }
}

// MARK: - Conversions

extension Probes {
    /// Every number as every type of numbers, for both decoders.
    static func conversions(_ report: inout Report) {
        report.section("Numbers as other types")
        let reals: [Double] = [
            0, -0.0, 0.5, -1.5, 127, 128, 255, 256, 65_535.5, 2_147_483_647, 2_147_483_648, 4_294_967_296,
            9_007_199_254_740_992, 9_223_372_036_854_774_784, 9_223_372_036_854_775_808, -9_223_372_036_854_775_808,
            18_446_744_073_709_551_616, 1e38, -1e39, 1e300, .leastNonzeroMagnitude, .infinity, -.infinity, .nan,
        ]
        for real in reals {
            converted("\(real)", real, .real(real), &report)
            converted("\(Float(real)) as a Float", Float(real), .real32(Float(real)), &report)
        }
        let integers: [Int128] = [0, -1, 127, 128, -129, 1 << 24 + 1, 1 << 31, 1 << 53 + 1, 1 << 63, 1 << 64, 1 << 100]
        for integer in integers { converted("\(integer)", integer, .integer(integer), &report) }
        for flag in [true, false] { converted("\(flag)", flag, .boolean(flag), &report) }
    }

    private static func converted<Value: Encodable>(
        _ name: String, _ value: Value, _ plain: PropertyList, _ report: inout Report
    ) {
        guard let data = try? ArchiveEncoder().encode(["value": value]) else {
            return report.line("\(name): not encodable")
        }
        var words: [String] = []
        func tried<Number: Codable>(_ type: Number.Type) {
            let decoded = try? ArchiveDecoder().decode([String: Number].self, from: data)["value"]
            let unarchived = try? KeyedUnarchiver.unarchivedObject(of: [String: Number].self, from: data)["value"]
            let both = [decoded, unarchived].map { $0.map { "\($0)" } ?? "-" }
            words.append(both[0] == both[1] ? both[0] : "\(both[0])/\(both[1])")
        }
        tried(Int8.self)
        tried(Int16.self)
        tried(Int32.self)
        tried(Int64.self)
        tried(Int128.self)
        tried(UInt8.self)
        tried(UInt16.self)
        tried(UInt32.self)
        tried(UInt64.self)
        tried(UInt128.self)
        tried(Float.self)
        tried(Double.self)
        tried(Bool.self)
        report.line("\(name): \(words.joined(separator: " "))")
        keyed(name, plain, &report)
    }

    /// The conversions of Cocoa's methods.
    private static func keyed(_ name: String, _ number: PropertyList, _ report: inout Report) {
        report.result("\(name) by key") {
            let list: PropertyList = [
                "$archiver": "NSKeyedArchiver", "$version": 100_000, "$objects": ["$null"],
                "$top": ["value": number],
            ]
            let unarchiver = try KeyedUnarchiver(forReadingFrom: try list.data())
            var words: [String] = []
            func tried(_ body: () throws -> some Any) { words.append((try? body()).map { "\($0)" } ?? "-") }
            tried { try unarchiver.decodeInteger(forKey: "value") }
            tried { try unarchiver.decodeDouble(forKey: "value") }
            tried { try unarchiver.decodeFloat(forKey: "value") }
            tried { try unarchiver.decodeBool(forKey: "value") }
            tried { try unarchiver.decode(Int8.self, forKey: "value") }
            tried { try unarchiver.decode(UInt32.self, forKey: "value") }
            tried { try unarchiver.decode(UInt64.self, forKey: "value") }
            return words.joined(separator: " ")
        }
    }
}
