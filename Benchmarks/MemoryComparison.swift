// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The memory that contenders need for one workload, each in a separate process.
///
/// The figures count resident pages, so they are precise to about a megabyte.
struct MemoryComparison: ResultRow {
    /// The memory of one contender in one direction, in bytes.
    struct Peak: Codable {
        /// The peak memory above the memory in use before the call.
        var growth: Int
        /// The reference size, which is included in the growth: that of the output or of the decoded value.
        var result: Int

        /// The growth as a multiple of the result; nil if the result is too small for a precision of pages.
        var ratio: Double? { result < 200_000 ? nil : Double(growth) / Double(result) }
    }

    var name: String
    var encoding: [Contender: Peak] = [:]
    var decoding: [Contender: Peak] = [:]

    // MARK: - The table

    static var tableName: String { "memory" }
    static var rows: WritableKeyPath<Results, [MemoryComparison]> { \.memory }

    static var layout: TableLayout {
        TableLayout([
            ("workload", 10), ("output", 9), ("encode", 9), ("÷ output", 8), ("json", 5), ("plist", 5),
            ("value", 9), ("decode", 9), ("÷ value", 7), ("json", 5), ("plist", 5),
        ])
    }

    static func introduction(to rows: [MemoryComparison], rounds: Int) -> String {
        """
        The growth of the peak resident memory during the call. Each figure is from a separate process, which encoded and
        decoded a small value before. output: the size of the archive. value: the size of the decoded value. ÷ output,
        ÷ value: the growth as a multiple of these; the same for JSON and the property list, with their own output. The
        ratio is omitted for less than 0.2 MB, because the precision is that of pages.
        """
    }

    static func measure(_ options: Options, report: (MemoryComparison) throws -> Void) throws {
        guard canMeasureMemory else { return }
        for workload in allWorkloads where options.includes(workload: workload.name) {
            var row = MemoryComparison(name: workload.name)
            for contender in Contender.coders {
                row.encoding[contender] = try peak(workload.name, contender, .encode)
                row.decoding[contender] = try peak(workload.name, contender, .decode)
            }
            try report(row)
        }
    }

    var cells: [String] {
        func cells(_ peaks: [Contender: Peak]) -> [String] {
            guard let ours = peaks[.archive], ours.ratio != nil else {
                return Array(repeating: Figure.missing, count: 2 + Contender.coders.count)
            }
            return [Figure.megabytes(Double(ours.result)), Figure.megabytes(Double(ours.growth))]
                + Contender.coders.map { Figure.ratio(peaks[$0]?.ratio) }
        }
        return [name] + cells(encoding) + cells(decoding)
    }

    // MARK: - Processes

    /// - Parameter count: The number of instances of a workload of class instances; nil for the usual one.
    static func peak(
        _ workload: String, _ contender: Contender, _ direction: Direction, count: Int? = nil
    ) throws -> Peak {
        let arguments = [workload, contender.rawValue, direction.rawValue] + (count.map { [String($0)] } ?? [])
        let figures = try ChildTask.memory.run(arguments, figures: 2)
        return Peak(growth: Int(figures[0]), result: Int(figures[1]))
    }

    /// Measures in a process that was started with `ChildTask.memory`.
    ///
    /// - Returns: The growth and the size of the result.
    static func measure(_ arguments: [String]) throws -> [Double] {
        let count = arguments.count == 4 ? Int(arguments[3]) : nil
        let workloads = count.map { graphWorkloads(count: $0) } ?? allWorkloads
        guard arguments.count == (count == nil ? 3 : 4),
            let workload = workloads.first(where: { $0.name == arguments[0] }),
            let contender = Contender(rawValue: arguments[1]), let direction = Direction(rawValue: arguments[2])
        else { throw ChildTask.memory.misuse(arguments) }
        // The figures are those of the value, without the code of the libraries, which is read from disk on first use.
        let small = try contender.encode(Farm.oldMacDonalds)
        _ = try contender.decode(Farm.self, from: small)
        let peak = try measure(workload.prepare(), contender, direction)
        return [Double(peak.growth), Double(peak.result)]
    }

    private static func measure(
        _ prepared: some PreparedWorkload, _ contender: Contender, _ direction: Direction
    ) throws -> Peak {
        guard direction == .decode else {
            let start = beginMeasuringMemory()
            let output = try prepared.encode(with: contender)
            return Peak(growth: peakMemory() - start, result: output.count)
        }
        let archive = try prepared.encode(with: contender)
        let start = beginMeasuringMemory()
        let value = try prepared.decode(archive, with: contender)
        let growth = peakMemory() - start
        let size = beginMeasuringMemory() - start
        guard prepared.isFaithful(value, to: contender) else {
            throw UnfaithfulRoundTrip(contender: contender, workload: "memory")
        }
        return Peak(growth: growth, result: size)
    }

    /// Releases free memory and begins to measure.
    ///
    /// - Returns: The memory in use now, including that of live values.
    private static func beginMeasuringMemory() -> Int {
        releaseFreeMemory()
        resetPeakMemory()
        return peakMemory()
    }
}
