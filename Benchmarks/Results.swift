// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The results of a run, which `--json` prints and `--results` reads.
///
/// Times are nanoseconds of processor time, sizes are bytes.
struct Results: Codable {
    var rounds: Int
    /// Whether the program was built with optimisation. Otherwise the figures are meaningless.
    var isOptimised = Results.isOptimisedBuild
    var times: [Comparison] = []
    var memory: [MemoryComparison] = []
    var instances: [InstanceMemory] = []
    var archivers: [ArchiverComparison] = []
    var parts: [PartComparison] = []
    var growth: [Growth] = []
    var cold: [ColdStart] = []
    var documents: [DocumentComparison] = []
    var queries: [QueryComparison] = []

    init(rounds: Int) {
        self.rounds = rounds
    }

    private static var isOptimisedBuild: Bool {
        #if DEBUG
            false
        #else
            true
        #endif
    }
}

/// A row of one of the tables. The type represents the table.
protocol ResultRow: Codable {
    /// The name that `--only` takes.
    static var tableName: String { get }

    /// The place of the rows in the results.
    static var rows: WritableKeyPath<Results, [Self]> { get }

    static var layout: TableLayout { get }

    /// The sentences before the table.
    static func introduction(to rows: [Self], rounds: Int) -> String

    /// The text of each column.
    var cells: [String] { get }

    /// Measures the rows and reports each when it is complete.
    static func measure(_ options: Options, report: (Self) throws -> Void) throws
}

extension ResultRow {
    /// The table's head. It needs the first row.
    static func head(rows: [Self], rounds: Int) -> String {
        introduction(to: rows, rounds: rounds) + "\n\n" + layout.header
    }

    var line: String { Self.layout.row(cells) }
}

/// All tables, in the order in which they are measured.
var allTables: [any ResultRow.Type] {
    [
        Comparison.self, MemoryComparison.self, InstanceMemory.self, ArchiverComparison.self, PartComparison.self,
        Growth.self, ColdStart.self, DocumentComparison.self, QueryComparison.self,
    ]
}
