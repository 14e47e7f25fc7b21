/// The printed table: one Markdown row per workload, in columns wide enough to be printed one row at a time.
enum Table {
    private static let columns: [(title: String, width: Int)] = [
        ("workload", 10), ("encode", 8), ("json ÷", 6), ("median", 6), ("plist ÷", 7), ("÷ empty", 7),
        ("decode", 8), ("json ÷", 6), ("median", 6), ("plist ÷", 7), ("bytes", 10), ("÷ json", 6),
    ]

    static func legend(rounds: Int) -> String {
        """
        \(rounds) interleaved rounds in one process, processor time, a fresh coder per call, no deallocation timed.
        encode, decode: this library's best time per call. json ÷, plist ÷: how many times longer JSONEncoder and
        JSONDecoder, PropertyListEncoder and PropertyListDecoder (binary) take, best over best; median: the same for
        JSON, median over median. ÷ empty: this library over an encoder that does nothing. bytes ÷ json: the size.

        """
    }

    static var header: String {
        let rule = columns.indices.map { column in
            let dashes = String(repeating: "-", count: columns[column].width - 1)
            return column == 0 ? ":\(dashes)" : "\(dashes):"
        }
        return row(columns.map(\.title)) + "\n" + row(rule)
    }

    static func line(for comparison: Comparison) -> String {
        row(
            [comparison.name]
                + timeCells(comparison.encoding, against: [.json, .propertyList])
                + [ratio(comparison.encoding[.archive]?.minimum, comparison.encoding[.empty]?.minimum)]
                + timeCells(comparison.decoding, against: [.json, .propertyList])
                + [grouped(comparison.sizes[.archive] ?? 0)]
                + [ratio(comparison.sizes[.archive].map(Double.init), comparison.sizes[.json].map(Double.init))]
        )
    }

    // MARK: - Cells

    /// Our time, the first rival's time over ours by minimum and by median, and every other rival's by minimum.
    private static func timeCells(_ samples: [Contender: Samples], against rivals: [Contender]) -> [String] {
        guard let ours = samples[.archive] else { return [] }
        var cells = [duration(ours.minimum)]
        for (index, rival) in rivals.enumerated() {
            cells.append(ratio(samples[rival]?.minimum, ours.minimum))
            if index == 0 {
                cells.append(ratio(samples[rival]?.median, ours.median))
            }
        }
        return cells
    }

    private static func row(_ cells: [String]) -> String {
        let padded = zip(cells, columns).enumerated().map { index, pair in
            let padding = String(repeating: " ", count: max(0, pair.1.width - pair.0.count))
            return index == 0 ? pair.0 + padding : padding + pair.0
        }
        return "| " + padded.joined(separator: " | ") + " |"
    }

    // MARK: - Numbers

    static func duration(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1e6: "\(significant(nanoseconds / 1e3)) µs"
        case ..<1e9: "\(significant(nanoseconds / 1e6)) ms"
        default: "\(significant(nanoseconds / 1e9)) s"
        }
    }

    static func ratio(_ dividend: Double?, _ divisor: Double?) -> String {
        guard let dividend, let divisor, divisor > 0 else { return "-" }
        return significant(dividend / divisor)
    }

    /// A number with three figures, or all those before the point: 0.65, 2.31, 14.2, 226.
    private static func significant(_ value: Double) -> String {
        let decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
        let scale = decimals == 2 ? 100 : decimals == 1 ? 10 : 1
        let scaled = Int((value * Double(scale)).rounded())
        guard decimals > 0 else { return String(scaled) }
        let fraction = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }

    private static func grouped(_ number: Int) -> String {
        var digits = Array(String(number))
        for position in stride(from: digits.count - 3, to: 0, by: -3) {
            digits.insert(" ", at: position)
        }
        return String(digits)
    }
}
