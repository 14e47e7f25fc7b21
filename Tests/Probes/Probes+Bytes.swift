// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import FuzzCases

extension Probes {
    /// Whether the assumptions about the runtime hold.
    static func assumptions(_ report: inout Report) {
        report.section("Assumptions about the runtime")
        for assumption in RuntimeLayout.Assumption.allCases {
            report.line("\(assumption): \(RuntimeLayout.holds(assumption) ? "holds" : "does not hold")")
        }
    }

    /// The seeds of mutations: their bytes, and what comes of them.
    static func seeds(_ report: inout Report) {
        report.section("Seeds")
        for seed in Seeds.all {
            do {
                try report.keep(seed.data, as: "seed-\(seed.name)")
            } catch {
                report.failure("\(error)")
            }
            report.line("\(seed.name): \(digest(seed.bytes)) \(report.outcomes(of: seed.data))")
            for difference in Repetition(of: seed.data).differences { report.failure("\(seed.name): \(difference)") }
        }
    }

    /// 2,000 files that are damaged in ways that depend on their number alone, each read in one of four parts of all ways.
    static func damagedFiles(_ report: inout Report) {
        report.section("Damaged files")
        let seeds = Seeds.all
        var values = 0
        for number in 0..<2_000 {
            let seed = seeds[number % seeds.count]
            var generator = Generator(seed: UInt64(number))
            let bytes = Mutator.mutate(seed.bytes, using: &generator)
            let outcomes = report.outcomes(of: Data(bytes), part: number / seeds.count % 4, of: 4)
            values += outcomes.contains("v") ? 1 : 0
            report.line("\(number) \(seed.name): \(digest(bytes)) \(outcomes)")
        }
        report.line("\(values) of 2000 files are values in some way")
    }
}

extension Report {
    /// A character for each way to read `data`, and a number for all values that were read.
    mutating func outcomes(of data: Data, part: Int = 0, of parts: Int = 1) -> String {
        var characters = ""
        var values: [UInt8] = []
        for (index, entryPoint) in EntryPoints.inMemory.enumerated() where index % parts == part {
            switch entryPoint.run(data) {
            case .value(let number):
                characters += "v"
                withUnsafeBytes(of: number.littleEndian) { values += $0 }
            case .failure(let failure): characters += letter(of: failure)
            case .violation(let sentence):
                failure(sentence)
                characters += "!"
            }
        }
        return "\(characters) \(digest(values))"
    }

    private func letter(of failure: Outcome.Failure) -> String {
        switch failure {
        case .notAnArchive: "-"
        case .damaged: "d"
        case .badContents: "b"
        case .limit: "l"
        case .notFound: "n"
        case .mismatch: "m"
        case .notAllowed: "a"
        case .cycle: "c"
        case .notWritable: "w"
        case .invalid: "i"
        case .other: "o"
        }
    }
}
