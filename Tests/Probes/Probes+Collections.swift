// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import ProbeEnumerations

extension Probes {
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
