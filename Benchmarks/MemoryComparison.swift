#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How much memory contenders need for one workload, each in a process of its own.
///
/// Counted are the pages of the process that are resident, so that a megabyte can be told and a kilobyte cannot.
struct MemoryComparison: ResultRow {
    /// What one contender needs in one direction, in bytes.
    struct Peak: Codable {
        /// The most that was in use at a time, above what was in use before the call.
        var growth: Int
        /// What it is compared with, and a part of it: the output, or what the decoded value occupies.
        var result: Int

        /// The growth as a multiple of the result; nil where the result is too small for pages to tell.
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
        The most memory in use at a time (resident), above what was in use before the call; each figure from a process of its
        own, in which a small value was encoded and decoded before. output: the archive. value: what the decoded value
        occupies. ÷ output, ÷ value: of these, the growth is a multiple; the same for JSON and the property list, with their
        own output. Where that is less than 0.2 MB, pages do not tell.
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

    private static func peak(_ workload: String, _ contender: Contender, _ direction: Direction) throws -> Peak {
        let arguments = [workload, contender.rawValue, direction.rawValue]
        let figures = try ChildTask.memory.run(arguments, figures: 2)
        return Peak(growth: Int(figures[0]), result: Int(figures[1]))
    }

    /// What a process does that was started with `ChildTask.memory`.
    ///
    /// - Returns: The growth and the size of the result.
    static func measure(_ arguments: [String]) throws -> [Double] {
        guard arguments.count == 3, let workload = allWorkloads.first(where: { $0.name == arguments[0] }),
            let contender = Contender(rawValue: arguments[1]), let direction = Direction(rawValue: arguments[2])
        else { throw ChildTask.memory.misuse(arguments) }
        // What is measured is what the value needs, and not the code of the libraries, which comes from the disk when it is
        // used first.
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

    /// Gives back what is free and counts from there.
    ///
    /// - Returns: What is in use now. It includes the memory that is in use by values which are alive.
    private static func beginMeasuringMemory() -> Int {
        releaseFreeMemory()
        resetPeakMemory()
        return peakMemory()
    }
}
