// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A figure with bounds.
enum Measure: String, Codable {
    /// JSONEncoder's time over this library's.
    case encodeAgainstJSON
    case encodeAgainstPropertyList
    /// The time of the contender `plain` over this library's.
    case encodeAgainstPlain
    case decodeAgainstJSON
    case decodeAgainstPropertyList
    case decodeAgainstPlain
    /// This library's time over the empty encoder's.
    case encodeOverEmpty
    /// This library's time over that of the contender `plain`.
    case encodeOverPlain
    case decodeOverPlain
    /// The size of the archive over JSON's.
    case bytesOverJSON
    /// The peak memory over the size of the output, or over that of the decoded value.
    case encodeMemory
    case decodeMemory
    /// The factor of the time for ten times as many instances, at its maximum.
    case encodeGrowth
    case decodeGrowth

    /// Whether smaller figures are better, so that the bound is a ceiling.
    var isSmallerBetter: Bool {
        switch self {
        case .encodeAgainstJSON, .encodeAgainstPropertyList, .encodeAgainstPlain: false
        case .decodeAgainstJSON, .decodeAgainstPropertyList, .decodeAgainstPlain: false
        case .encodeOverEmpty, .encodeOverPlain, .decodeOverPlain, .bytesOverJSON: true
        case .encodeMemory, .decodeMemory, .encodeGrowth, .decodeGrowth: true
        }
    }

    /// The tolerated ratio. Times on a busy machine vary by this much; sizes do not.
    private var tolerated: Double { self == .bytesOverJSON ? 0.99 : 0.85 }

    /// The table that contains the figure.
    var tableName: String {
        switch self {
        case .encodeMemory, .decodeMemory: MemoryComparison.tableName
        case .encodeGrowth, .decodeGrowth: Growth.tableName
        default: Comparison.tableName
        }
    }

    /// The figure of a row, if it was measured and is defined.
    func value(of workload: String, in results: Results) -> Double? {
        let times = results.times.first { $0.name == workload }
        let memory = results.memory.first { $0.name == workload }
        switch self {
        case .encodeAgainstJSON: return times?.encodingRatio(.json, .archive)
        case .encodeAgainstPropertyList: return times?.encodingRatio(.propertyList, .archive)
        case .encodeAgainstPlain: return times?.encodingRatio(.plain, .archive)
        case .decodeAgainstJSON: return times?.decodingRatio(.json, .archive)
        case .decodeAgainstPropertyList: return times?.decodingRatio(.propertyList, .archive)
        case .decodeAgainstPlain: return times?.decodingRatio(.plain, .archive)
        case .encodeOverEmpty: return times?.encodingRatio(.archive, .empty)
        case .encodeOverPlain: return times?.encodingRatio(.archive, .plain)
        case .decodeOverPlain: return times?.decodingRatio(.archive, .plain)
        case .bytesOverJSON: return times?.sizeRatio
        case .encodeMemory: return memory?.encoding[.archive]?.ratio
        case .decodeMemory: return memory?.decoding[.archive]?.ratio
        case .encodeGrowth: return results.growth.compactMap { $0.factorForTenfold(.encode) }.max()
        case .decodeGrowth: return results.growth.compactMap { $0.factorForTenfold(.decode) }.max()
        }
    }

    /// The floor or ceiling that follows from a measured figure, with three digits, rounded towards tolerance.
    func floor(for value: Double) -> Double {
        let bound = isSmallerBetter ? value / tolerated : value * tolerated
        let scale = pow(10, 2 - Foundation.floor(log10(bound)))
        return (bound * scale).rounded(isSmallerBetter ? .up : .down) / scale
    }
}

/// The target and the floor of one figure of one workload. One of them can be absent.
struct Bound: Codable {
    var workload: String
    var measure: Measure
    /// The desired figure. A missed target is only reported.
    var target: Double?
    /// A figure that was reached, less the variation between machines. A figure below it is an error.
    var floor: Double?

    /// Whether a figure misses a bound.
    func isMissed(_ bound: Double?, by value: Double) -> Bool {
        guard let bound else { return false }
        return measure.isSmallerBetter ? value > bound : value < bound
    }

    func sentence(_ value: Double, _ bound: Double?) -> String {
        let figures = [value, bound ?? .nan].map(Figure.significant)
        return "\(workload), \(measure.rawValue): \(figures[0]), "
            + (measure.isSmallerBetter ? "at most \(figures[1])" : "at least \(figures[1])")
    }
}

/// The committed bounds, in a file beside this one for each version of Swift, such as `Floors-6.3.json`.
struct FloorTable {
    var bounds: [Bound]

    /// The version of the compiler that built this program.
    private static var swiftVersion: String {
        #if compiler(>=6.5)
            "6.5"
        #elseif compiler(>=6.4)
            "6.4"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }

    /// The version whose bounds are the first ones of a version that has no file.
    private static let firstVersion = "6.3"

    private static func url(_ version: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Floors-\(version).json")
    }

    /// Reads the file from its place when this program was built.
    ///
    /// - Parameter isForNewFloors: Whether the bounds of another version will do, because their floors are replaced.
    static func committed(isForNewFloors: Bool = false) throws -> FloorTable {
        var url = url(swiftVersion)
        if !FileManager.default.fileExists(atPath: url.path) {
            guard isForNewFloors else { throw NoFloors(version: swiftVersion) }
            url = Self.url(firstVersion)
        }
        return FloorTable(bounds: try JSONDecoder().decode([Bound].self, from: Data(contentsOf: url)))
    }

    /// There is no file for the version of the compiler.
    struct NoFloors: Error, CustomStringConvertible {
        let version: String

        var description: String {
            "There are no floors for Swift \(version). Write Benchmarks/Floors-\(version).json with --floors, on an idle machine"
        }
    }

    /// Returns the same bounds with floors that follow from the results. A floor without a measured figure stays.
    func updated(with results: Results) -> FloorTable {
        FloorTable(
            bounds: bounds.map { bound in
                guard let value = bound.measure.value(of: bound.workload, in: results) else { return bound }
                var bound = bound
                bound.floor = bound.measure.floor(for: value)
                return bound
            })
    }

    /// The file, with one bound per line.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let lines = try bounds.map { "  " + String(decoding: try encoder.encode($0), as: UTF8.self) }
            return "[\n" + lines.joined(separator: ",\n") + "\n]"
        }
    }

    /// The result of a check.
    struct Outcome {
        var violations: [String] = []
        var missedTargets: [String] = []
        var checkedCount = 0
    }

    /// Compares results with the bounds of the tables to be measured. A floor without a figure is violated.
    func check(_ results: Results, _ options: Options) -> Outcome {
        var outcome = Outcome()
        for bound in bounds {
            guard let value = bound.measure.value(of: bound.workload, in: results) else {
                if bound.floor != nil, isExpected(bound, options) {
                    outcome.violations.append("\(bound.workload), \(bound.measure.rawValue): not measured")
                }
                continue
            }
            if bound.isMissed(bound.target, by: value) {
                outcome.missedTargets.append(bound.sentence(value, bound.target))
            }
            guard bound.floor != nil else { continue }
            outcome.checkedCount += 1
            if bound.isMissed(bound.floor, by: value) {
                outcome.violations.append(bound.sentence(value, bound.floor))
            }
        }
        return outcome
    }

    private func isExpected(_ bound: Bound, _ options: Options) -> Bool {
        options.includes(table: bound.measure.tableName)
            && (bound.measure.tableName == Growth.tableName || options.includes(workload: bound.workload))
            && (bound.measure.tableName != MemoryComparison.tableName || canMeasureMemory)
    }
}
