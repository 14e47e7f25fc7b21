// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension Comparison: ResultRow {
    static var tableName: String { "times" }
    static var rows: WritableKeyPath<Results, [Comparison]> { \.times }

    static var layout: TableLayout {
        TableLayout([
            ("workload", 10), ("encode", 8), ("json ÷", 6), ("median", 6), ("plist ÷", 7), ("÷ empty", 7),
            ("÷ plain", 7), ("decode", 8), ("json ÷", 6), ("median", 6), ("plist ÷", 7), ("÷ plain", 7), ("bytes", 10),
            ("÷ json", 6),
        ])
    }

    static func introduction(to rows: [Comparison], rounds: Int) -> String {
        """
        \(rounds) interleaved rounds in one process; processor time with a new coder per call, without deallocation.
        encode, decode: this library's best time per call. json ÷, plist ÷: how many times as long JSONEncoder and
        JSONDecoder, and PropertyListEncoder and PropertyListDecoder (binary, two rounds), take, by best times. median: the
        same for JSON, by medians. ÷ empty: this library's time in multiples of that of an encoder without output. ÷ plain:
        the same for the same graph in plain Codable properties, or for the same numbers unpacked. bytes, ÷ json: the size,
        and in multiples of JSON's.
        """
    }

    static func measure(_ options: Options, report: (Comparison) throws -> Void) throws {
        for workload in allWorkloads where options.includes(workload: workload.name) {
            try report(Comparison(of: workload, rounds: options.rounds))
        }
    }

    var cells: [String] {
        [name] + timeCells(.encode)
            + [Figure.ratio(encodingRatio(.archive, .empty)), Figure.ratio(encodingRatio(.archive, .plain))]
            + timeCells(.decode) + [Figure.ratio(decodingRatio(.archive, .plain))]
            + [Figure.grouped(sizes[.archive] ?? 0), Figure.ratio(sizeRatio)]
    }

    /// This library's time, the ratio of JSON's time to it by minimum and by median, and that of the property list by minimum.
    private func timeCells(_ direction: Direction) -> [String] {
        let timings = direction == .encode ? encoding : decoding
        let ours = timings[.archive]
        return [
            Figure.duration(ours?.minimum),
            Figure.ratio(timings[.json]?.minimum, ours?.minimum),
            Figure.ratio(timings[.json]?.median, ours?.median),
            Figure.ratio(timings[.propertyList]?.minimum, ours?.minimum),
        ]
    }
}

// MARK: - Ratios

extension Comparison {
    /// The ratio of one contender's best encoding time to another's.
    func encodingRatio(_ dividend: Contender, _ divisor: Contender) -> Double? {
        Comparison.ratio(encoding[dividend], encoding[divisor])
    }

    /// The ratio of one contender's best decoding time to another's.
    func decodingRatio(_ dividend: Contender, _ divisor: Contender) -> Double? {
        Comparison.ratio(decoding[dividend], decoding[divisor])
    }

    /// The size of the archive as a multiple of JSON's.
    var sizeRatio: Double? {
        guard let archive = sizes[.archive], let json = sizes[.json], json > 0 else { return nil }
        return Double(archive) / Double(json)
    }

    private static func ratio(_ dividend: Timing?, _ divisor: Timing?) -> Double? {
        guard let dividend, let divisor, divisor.minimum > 0 else { return nil }
        return dividend.minimum / divisor.minimum
    }
}
