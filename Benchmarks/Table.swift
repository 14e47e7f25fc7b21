// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The layout of a Markdown table with fixed column widths, so that it can be printed row by row.
struct TableLayout {
    struct Column {
        var title: String
        var width: Int
        var isText = false
    }

    var columns: [Column]

    /// Creates columns with titles and widths. All are numbers, except the first if `firstIsText` is true.
    init(firstIsText: Bool = true, _ columns: [(title: String, width: Int)]) {
        self.columns = columns.enumerated().map { index, column in
            Column(
                title: column.title, width: max(column.width, column.title.count),
                isText: index == 0 && firstIsText)
        }
    }

    var header: String {
        let rule = columns.map { column in
            let dashes = String(repeating: "-", count: column.width - 1)
            return column.isText ? ":\(dashes)" : "\(dashes):"
        }
        return row(columns.map(\.title)) + "\n" + row(rule)
    }

    func row(_ cells: [String]) -> String {
        let padded = zip(cells, columns).map { cell, column in
            let padding = String(repeating: " ", count: max(0, column.width - cell.count))
            return column.isText ? cell + padding : padding + cell
        }
        return "| " + padded.joined(separator: " | ") + " |"
    }
}

/// Figures in readable form.
enum Figure {
    /// The cell of a figure that was not measured or is undefined.
    static let missing = "-"

    static func duration(_ nanoseconds: Double?) -> String {
        guard let nanoseconds else { return missing }
        return switch nanoseconds {
        case ..<999.5: "\(significant(nanoseconds)) ns"
        case ..<999.5e3: "\(significant(nanoseconds / 1e3)) µs"
        case ..<999.5e6: "\(significant(nanoseconds / 1e6)) ms"
        default: "\(significant(nanoseconds / 1e9)) s"
        }
    }

    static func ratio(_ dividend: Double?, _ divisor: Double?) -> String {
        guard let dividend, let divisor, divisor > 0 else { return missing }
        return significant(dividend / divisor)
    }

    static func ratio(_ ratio: Double?) -> String {
        ratio.map(significant) ?? missing
    }

    static func megabytes(_ bytes: Double?) -> String {
        bytes.map { fixed($0 / 1e6, decimals: 2) + " MB" } ?? missing
    }

    static func percent(_ ratio: Double?, decimals: Int = 3) -> String {
        ratio.map { fixed($0 * 100, decimals: decimals) + " %" } ?? missing
    }

    /// A number with three significant digits, or all digits before the point: 0.65, 2.31, 14.2, 226.
    static func significant(_ value: Double) -> String {
        fixed(value, decimals: value < 9.995 ? 2 : value < 99.95 ? 1 : 0)
    }

    /// A number that is not negative, independent of the locale.
    private static func fixed(_ value: Double, decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
        let scaled = Int((max(0, value) * Double(scale)).rounded())
        guard decimals > 0 else { return String(scaled) }
        let fraction = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }

    /// Digits in groups of three.
    static func grouped(_ number: Int) -> String {
        var digits = Array(String(number))
        for position in stride(from: digits.count - 3, to: 0, by: -3) {
            digits.insert(" ", at: position)
        }
        return String(digits)
    }
}
