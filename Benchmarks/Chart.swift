// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A drawing of the speed of each contender as a multiple of JSON's. It has a panel for encoding and one for decoding, a row for
/// each workload, and a logarithmic scale.
///
/// Bars begin at JSON's speed: faster contenders extend to the right, slower ones to the left. The drawing needs no fonts,
/// scripts or other files, and has colours for light and dark pages.
struct Chart {
    private let comparisons: [Comparison]
    /// The powers of ten at the ends of the scale.
    private let exponents: ClosedRange<Int>

    init(_ comparisons: [Comparison]) {
        self.comparisons = comparisons
        let speeds = comparisons.flatMap { comparison in
            Direction.allCases.flatMap { direction in
                Contender.drawn(direction).compactMap { comparison.speed(of: $0, direction) }
            }
        }
        let logarithms = speeds.map(log10)
        exponents = Int(floor(min(0, logarithms.min() ?? 0)))...Int(ceil(max(1, logarithms.max() ?? 1)))
    }

    // MARK: - Measures in pixels

    private enum Layout {
        /// The width of a character of a label, at most on average.
        static let character = 7.0
        static let panel = 330.0
        /// The space between the panels, which also has the figures of the longest bars.
        static let gap = 40.0
        static let head = 74.0
        static let bar = 8.0
        static let rowGap = 12.0
        static let row = 3 * bar + rowGap
        static let foot = 44.0
    }

    /// The space for the names of the workloads.
    private var labels: Double {
        10 + Layout.character * Double(comparisons.map(\.name.count).max() ?? 0) + 10
    }
    private var width: Double { labels + 2 * Layout.panel + 2 * Layout.gap }
    private var height: Double { Layout.head + Double(comparisons.count) * Layout.row + Layout.foot }
    private var bottom: Double { height - Layout.foot }

    private func left(of direction: Direction) -> Double {
        direction == .encode ? labels : labels + Layout.panel + Layout.gap
    }

    /// The position of a speed on the scale of a panel.
    private func position(of speed: Double, _ direction: Direction) -> Double {
        let share = (log10(speed) - Double(exponents.lowerBound)) / Double(exponents.count - 1)
        return left(of: direction) + share * Layout.panel
    }

    // MARK: - Parts of the drawing

    /// The whole file.
    var svg: String {
        let parts =
            [head, style] + legend + Direction.allCases.flatMap(scale)
            + comparisons.indices.flatMap(row) + Direction.allCases.map(baseline) + ["</svg>"]
        return parts.joined(separator: "\n") + "\n"
    }

    private var head: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(pixels(width)) \(pixels(height))" \
        width="\(pixels(width))" height="\(pixels(height))" role="img" aria-labelledby="title description">
        <title id="title">Speed of encoding and decoding, JSON = 1</title>
        <desc id="description">\(description)</desc>
        """
    }

    /// The content of the bars as text, for accessibility.
    private var description: String {
        comparisons.map { comparison in
            let speeds = Direction.allCases.map { direction in
                "\(direction.rawValue) \(Figure.ratio(comparison.speed(of: .archive, direction)))"
            }
            return "\(comparison.name): \(speeds.joined(separator: ", "))"
        }.joined(separator: "; ")
    }

    private var style: String {
        """
        <style>
        text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #24292f; }
        .small { font-size: 10px; fill: #57606a; }
        .figure { font-size: 11px; }
        .title { font-weight: 600; }
        .grid { stroke: #d0d7de; }
        .base { stroke: #24292f; }
        .archive { fill: #0a7ea4; }
        .propertyList { fill: #c2672d; }
        .empty { fill: #a5adb6; }
        @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3; }
        .small { fill: #9aa4af; }
        .grid { stroke: #3b434c; }
        .base { stroke: #e6edf3; }
        .archive { fill: #39b3dc; }
        .propertyList { fill: #e58e54; }
        .empty { fill: #6b757f; }
        }
        </style>
        """
    }

    private var legend: [String] {
        var position = labels
        return Contender.drawn(.encode).flatMap { contender in
            let sample = rectangle(contender.rawValue, x: position, y: 10, width: 12, height: 12)
            let label = text(contender.legend, x: position + 17, y: 20)
            position += contender.legendWidth
            return [sample, label]
        }
    }

    /// A panel's title, and a line for each power of ten.
    private func scale(of direction: Direction) -> [String] {
        let title = text(direction.title, x: left(of: direction), y: 44, class: "title")
        return [title]
            + exponents.flatMap { exponent in
                let x = position(of: pow(10, Double(exponent)), direction)
                let label = exponent < 0 ? "1/\(power(-exponent))" : "\(power(exponent))×"
                return [
                    line("grid", x: x),
                    text(label, x: x, y: 62, class: "small", anchor: "middle"),
                    text(label, x: x, y: bottom + 16, class: "small", anchor: "middle"),
                ]
            }
    }

    /// The line at which the bars begin, in front of them.
    private func baseline(of direction: Direction) -> String {
        line("base", x: position(of: 1, direction))
    }

    private func row(_ index: Int) -> [String] {
        let comparison = comparisons[index]
        let top = Layout.head + Double(index) * Layout.row
        let name = text(
            comparison.name, x: labels - 10, y: top + 1.5 * Layout.bar + 4, anchor: "end")
        return [name]
            + Direction.allCases.flatMap { direction in
                Contender.drawn(direction).enumerated().flatMap { place, contender in
                    bar(comparison, contender, direction, top: top + Double(place) * Layout.bar)
                }
            }
    }

    private func bar(
        _ comparison: Comparison, _ contender: Contender, _ direction: Direction, top: Double
    ) -> [String] {
        guard let speed = comparison.speed(of: contender, direction) else { return [] }
        let (base, end) = (position(of: 1, direction), position(of: speed, direction))
        let bar = rectangle(
            contender.rawValue, x: min(base, end), y: top, width: abs(end - base), height: Layout.bar - 1)
        guard contender == .archive else { return [bar] }
        return [
            bar, text("\(Figure.significant(speed))×", x: max(base, end) + 4, y: top + Layout.bar, class: "figure"),
        ]
    }

    // MARK: - Elements

    private func rectangle(_ name: String, x: Double, y: Double, width: Double, height: Double) -> String {
        """
        <rect class="\(name)" x="\(pixels(x))" y="\(pixels(y))" width="\(pixels(width))" height="\(pixels(height))"/>
        """
    }

    private func line(_ name: String, x: Double) -> String {
        """
        <line class="\(name)" x1="\(pixels(x))" y1="\(pixels(Layout.head - 6))" x2="\(pixels(x))" y2="\(pixels(bottom))"/>
        """
    }

    private func text(_ text: String, x: Double, y: Double, class name: String = "", anchor: String = "start") -> String
    {
        """
        <text class="\(name)" x="\(pixels(x))" y="\(pixels(y))" text-anchor="\(anchor)">\(text)</text>
        """
    }

    /// A length with one decimal.
    private func pixels(_ length: Double) -> String { String((length * 10).rounded() / 10) }

    private func power(_ exponent: Int) -> Int { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}

// MARK: - Contents

extension Comparison {
    /// The speed of a contender as a multiple of JSON's, by the best times.
    fileprivate func speed(of contender: Contender, _ direction: Direction) -> Double? {
        let speed = direction == .encode ? encodingRatio(.json, contender) : decodingRatio(.json, contender)
        return speed.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    }
}

extension Direction {
    fileprivate var title: String {
        self == .encode ? "Encoding: times as fast as JSONEncoder" : "Decoding: times as fast as JSONDecoder"
    }
}

extension Contender {
    /// The contenders with bars in a row, from top to bottom.
    fileprivate static func drawn(_ direction: Direction) -> [Contender] {
        [.archive, .propertyList, .empty].filter { direction == .encode || $0.producesOutput }
    }

    fileprivate var legend: String {
        switch self {
        case .archive, .plain: "this library"
        case .json: "JSON"
        case .propertyList: "binary property list"
        case .empty: "an encoder that does nothing"
        }
    }

    /// The width of the legend's entry, in pixels.
    fileprivate var legendWidth: Double { 40 + 6.2 * Double(legend.count) }
}
