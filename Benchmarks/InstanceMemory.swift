// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The memory for the encoding of class instances, in several numbers.
///
/// Each figure is from a process of its own.
struct InstanceMemory: ResultRow {
    var name: String
    /// The number of instances in the value.
    var count: Int
    /// The peak of encoding, and the size of the archive.
    var encoding: MemoryComparison.Peak

    // MARK: - The table

    static var tableName: String { "instances" }
    static var rows: WritableKeyPath<Results, [InstanceMemory]> { \.instances }

    static var layout: TableLayout {
        TableLayout([
            ("workload", 10), ("instances", 9), ("output", 9), ("encode", 9), ("÷ output", 8), ("tables each", 11),
        ])
    }

    static func introduction(to rows: [InstanceMemory], rounds: Int) -> String {
        """
        The growth of the peak resident memory during an encoding of class instances, each in a separate process. ÷ output:
        the growth as a multiple of the archive's size. tables each: the rest of the growth, for one instance.
        """
    }

    static func measure(_ options: Options, report: (InstanceMemory) throws -> Void) throws {
        guard canMeasureMemory else { return }
        let usual = 100_000
        for count in options.largest > usual ? [usual, options.largest] : [usual] {
            for workload in graphWorkloads(count: count) where options.includes(workload: workload.name) {
                let peak = try MemoryComparison.peak(workload.name, .archive, .encode, count: count)
                try report(InstanceMemory(name: workload.name, count: count, encoding: peak))
            }
        }
    }

    var cells: [String] {
        [
            name, Figure.grouped(count), Figure.megabytes(Double(encoding.result)),
            Figure.megabytes(Double(encoding.growth)), Figure.ratio(encoding.ratio),
            "\(Figure.significant(Double(encoding.growth - encoding.result) / Double(count))) B",
        ]
    }
}
