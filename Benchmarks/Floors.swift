import Foundation

/// A figure that has bounds.
enum Measure: String, Codable {
    /// How many times longer JSONEncoder takes.
    case encodeAgainstJSON
    case encodeAgainstPropertyList
    /// How many times longer the contender `plain` takes.
    case encodeAgainstPlain
    case decodeAgainstJSON
    case decodeAgainstPropertyList
    case decodeAgainstPlain
    /// This library over the empty encoder.
    case encodeOverEmpty
    /// This library over the contender `plain`.
    case encodeOverPlain
    case decodeOverPlain
    /// The archive over JSON.
    case bytesOverJSON
    /// The most memory over the output, and over the decoded value.
    case encodeMemory
    case decodeMemory
    /// How many times longer ten times as many instances take, where that is most.
    case encodeGrowth
    case decodeGrowth

    /// Whether a small figure is a good one, so that the bound is a ceiling.
    var isSmallerBetter: Bool {
        switch self {
        case .encodeAgainstJSON, .encodeAgainstPropertyList, .encodeAgainstPlain: false
        case .decodeAgainstJSON, .decodeAgainstPropertyList, .decodeAgainstPlain: false
        case .encodeOverEmpty, .encodeOverPlain, .decodeOverPlain, .bytesOverJSON: true
        case .encodeMemory, .decodeMemory, .encodeGrowth, .decodeGrowth: true
        }
    }

    /// What of a good figure must not be lost. Times of a busy machine differ by so much; sizes do not depend on it.
    private var tolerated: Double { self == .bytesOverJSON ? 0.99 : 0.85 }

    /// The table that has the figure.
    var tableName: String {
        switch self {
        case .encodeMemory, .decodeMemory: MemoryComparison.tableName
        case .encodeGrowth, .decodeGrowth: Growth.tableName
        default: Comparison.tableName
        }
    }

    /// The figure of a row, if it was measured and can be told.
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

    /// The floor, or the ceiling, that follows from a measured figure: with three digits, rounded to the side that
    /// tolerates more.
    func floor(for value: Double) -> Double {
        let bound = isSmallerBetter ? value / tolerated : value * tolerated
        let scale = pow(10, 2 - Foundation.floor(log10(bound)))
        return (bound * scale).rounded(isSmallerBetter ? .up : .down) / scale
    }
}

/// What one figure of one workload is to be, and what it must not fall behind. One of them may be missing.
struct Bound: Codable {
    var workload: String
    var measure: Measure
    /// What is wanted. A missed target is said, and no more.
    var target: Double?
    /// What was reached once, less what machines differ by. To fall behind it is an error.
    var floor: Double?

    /// Whether a figure falls behind a bound.
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

/// The committed bounds, in `Floors.json` beside this file.
struct FloorTable {
    var bounds: [Bound]

    /// Reads the file from where it was when this program was built.
    static func committed() throws -> FloorTable {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Floors.json")
        return FloorTable(bounds: try JSONDecoder().decode([Bound].self, from: Data(contentsOf: url)))
    }

    /// The same bounds, with floors that follow from the results; a floor whose figure was not measured stays.
    func updated(with results: Results) -> FloorTable {
        FloorTable(
            bounds: bounds.map { bound in
                guard let value = bound.measure.value(of: bound.workload, in: results) else { return bound }
                var bound = bound
                bound.floor = bound.measure.floor(for: value)
                return bound
            })
    }

    /// The file, one bound a line.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let lines = try bounds.map { "  " + String(decoding: try encoder.encode($0), as: UTF8.self) }
            return "[\n" + lines.joined(separator: ",\n") + "\n]"
        }
    }

    /// What a check has found.
    struct Outcome {
        var violations: [String] = []
        var missedTargets: [String] = []
        var checkedCount = 0
    }

    /// Compares results with the bounds of what was to be measured. A floor whose figure is not there is violated.
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
