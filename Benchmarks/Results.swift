/// Everything that a run measured: what `--json` prints and `--results` reads.
///
/// Times are nanoseconds of processor time, sizes are bytes.
struct Results: Codable {
    var rounds: Int
    /// Whether the program was built with optimisation; without, the figures mean nothing.
    var isOptimised = Results.isOptimisedBuild
    var times: [Comparison] = []
    var memory: [MemoryComparison] = []
    var archivers: [ArchiverComparison] = []
    var parts: [PartComparison] = []
    var growth: [Growth] = []
    var cold: [ColdStart] = []
    var documents: [DocumentComparison] = []

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

/// A row of one of the tables. The type is the table.
protocol ResultRow: Codable {
    /// The name that `--only` takes.
    static var tableName: String { get }

    /// Where the rows are kept.
    static var rows: WritableKeyPath<Results, [Self]> { get }

    static var layout: TableLayout { get }

    /// What the table says, in sentences before it.
    static func introduction(to rows: [Self], rounds: Int) -> String

    /// One for each column.
    var cells: [String] { get }

    /// Makes the rows and hands over each as soon as it is there.
    static func measure(_ options: Options, report: (Self) throws -> Void) throws
}

extension ResultRow {
    /// The table's head, once there is a first row.
    static func head(rows: [Self], rounds: Int) -> String {
        introduction(to: rows, rounds: rounds) + "\n\n" + layout.header
    }

    var line: String { Self.layout.row(cells) }
}

/// All tables, in the order in which they are made.
var allTables: [any ResultRow.Type] {
    [
        Comparison.self, MemoryComparison.self, ArchiverComparison.self, PartComparison.self, Growth.self,
        ColdStart.self, DocumentComparison.self,
    ]
}
