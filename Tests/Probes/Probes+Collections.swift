// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import ProbeEnumerations

extension Probes {
    /// Arrays of numbers of all types in the packed form.
    static func packedArrays(_ report: inout Report) {
        report.section("Packed arrays")
        packed(Int8.self, &report)
        packed(Int16.self, &report)
        packed(Int32.self, &report)
        packed(Int64.self, &report)
        packed(Int.self, &report)
        packed(UInt8.self, &report)
        packed(UInt16.self, &report)
        packed(UInt32.self, &report)
        packed(UInt64.self, &report)
        packed(UInt.self, &report)
        let reals = (0..<1_000).map { Double($0 - 500) / 7 } + [.infinity, -0.0, .leastNonzeroMagnitude]
        report.value("packed Double", reals, coder: Coders(arrays: .packed))
        report.value("packed Float", reals.map { Float($0) }, coder: Coders(arrays: .packed))
        report.value(
            "packed, nested", ["a": [[1, 2], [], [Int.max]], "b": [[-1]]], coder: Coders(arrays: .packed))
    }

    private static func packed<Number: FixedWidthInteger & Codable>(_ type: Number.Type, _ report: inout Report) {
        for count in [0, 1, 3, 1_000] {
            let numbers = (0..<count).map { Number(truncatingIfNeeded: $0 &* 0x1234_5678_9ABC_DEF1) }
            report.value("packed \(type), \(count)", numbers, coder: Coders(arrays: .packed))
            report.value("packed \(type), \(count), lists", ContiguousArray(numbers), coder: Coders(arrays: .packed))
        }
    }

    /// Many enumerations of each raw type.
    static func enumerations(_ report: inout Report) {
        report.section("Enumerations")
        for (name, types) in manyEnumerations {
            for type in types { enumeration(type, name, &report) }
            report.line("\(types.count) enumerations of \(name)")
        }
        report.value("cases with values", figures)
        report.line("\(manyEnumerations.reduce(0) { $0 + $1.types.count }) enumerations")
    }

    private static func enumeration<Type: ProbeEnumeration>(
        _ type: Type.Type, _ rawType: String, _ report: inout Report
    ) {
        let cases = Array(Type.allCases)
        let values = Enumerated(
            value: cases[0], optional: cases.last, list: cases + cases, set: Set(cases),
            byCase: Dictionary(uniqueKeysWithValues: cases.map { ($0, [$0]) }))
        report.value("\(rawType) \(type)", values)
    }

    struct Enumerated<Value: Codable & Hashable>: Codable, Equatable {
        var value: Value
        var optional: Value?
        var list: [Value]
        var set: Set<Value>
        var byCase: [Value: [Value]]
    }

    indirect enum Figure: Codable, Equatable {
        case empty
        case circle(radius: Double)
        case polygon([Int8], closed: Bool)
        case group(Figure, Figure?)
    }

    private static var figures: [Figure] {
        [
            .empty, .circle(radius: .pi), .polygon([1, -1], closed: true),
            .group(.circle(radius: 1), .group(.empty, nil)),
        ]
    }
}
