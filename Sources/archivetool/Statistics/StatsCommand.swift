// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

extension Command {
    private static let top = Option(
        name: "top", value: "N", help: "Show the first N classes and objects (15 by default).")
    private static let order = Option(
        name: "sort", value: "ORDER", choices: StatisticsReport.Order.allCases.map(\.rawValue),
        help: "Sort classes by “bytes”, “count” or “name”. Bars show the bytes or the count.")

    private static let byClass = Option(
        name: "by-class", help: "Write only a line for each class: number, bytes and name, separated by tabs.")

    static let stats = Command(
        name: "stats",
        summary: "Count objects and bytes by class, references, and depth.",
        operands: [.input],
        options: [.json, byClass, top, order],
        discussion: """
            Bytes are the sizes of objects in the file, with the values in them. Keys and values that several objects share \
            have rows of their own, as do the tables of the file. For XML, they are the sizes in the binary form; for other \
            property lists, those of strings and data.

            “depth” is the number of references on the shortest path to the object that is farthest from the top. \
            “unreferenced objects” are remains that no program can decode.
            """,
        examples: [
            .init("archivetool stats document.sketch", "The classes that take the most space."),
            .init("archivetool stats farm.plist --sort count --top 5", "The five classes with the most objects."),
            .init("archivetool stats farm.plist --json", "For a program."),
        ],
        run: { arguments, session in
            let limit = try arguments.integer(top, in: 1...Statistics.sharedLimit) ?? 15
            let order = arguments.value(order).flatMap { StatisticsReport.Order(rawValue: $0) } ?? .bytes
            let input = try Input(arguments.operands.first, in: session)
            session.progress.begin("counting the objects of \(input.name)")
            let statistics =
                switch input.content {
                case .archive(let archive):
                    try Statistics(archive, byteCount: try input.binaryByteCount(archive))
                case .propertyList(let list, let format, _):
                    Statistics(list, format: format, byteCount: input.source.byteCount)
                case .typedStream(let stream): Statistics(stream, byteCount: input.source.byteCount)
                }
            let report = StatisticsReport(
                statistics: statistics, name: VisibleText.escaped(input.source.label), limit: limit, order: order)
            if arguments.has(byClass) {
                report.writeClasses(to: session.output)
            } else if arguments.has(.json) {
                report.writeJSON(to: session.output)
            } else {
                report.write(to: session.output, width: session.width)
            }
            return .success
        })
}

extension Input {
    fileprivate func binaryByteCount(_ archive: KeyedArchive) throws -> Int {
        archive.format == .binary ? source.byteCount : try archive.data(format: .binary).count
    }
}

struct StatisticsReport {
    let statistics: Statistics
    let name: String
    let limit: Int
    let order: Order

    enum Order: String, CaseIterable {
        case bytes
        case count
        case name
    }

    private var rows: [Statistics.Row] {
        statistics.rows.sorted { left, right in
            switch order {
            case .bytes: (right.byteCount ?? 0, right.count, left.name) < (left.byteCount ?? 0, left.count, right.name)
            case .count: (right.count, right.byteCount ?? 0, left.name) < (left.count, left.byteCount ?? 0, right.name)
            case .name: left.name < right.name
            }
        }
    }
}

// MARK: - Text

extension StatisticsReport {
    func write(to output: Output, width: Int) {
        output.write(name + ": " + statistics.title + ", \(statistics.byteCount) bytes\n\n", .heading)
        let label = (statistics.facts.map(\.label.count).max() ?? 0) + 2
        for fact in statistics.facts {
            output.write("  " + Self.padded(fact.label, label))
            output.write(Self.right("\(fact.number)", 10), .number)
            output.write(fact.remark.isEmpty ? "\n" : "  \(fact.remark)\n")
        }
        writeTable(to: output, width: width)
        writeShared(to: output)
        writeLeaves(to: output)
    }

    func writeClasses(to output: Output) {
        for row in rows where !row.isDescription {
            output.write("\(row.count)\t\(row.byteCount.map { "\($0)" } ?? "-")\t\(VisibleText.escaped(row.name))\n")
        }
    }

    private func writeTable(to output: Output, width: Int) {
        let rows = rows
        guard !rows.isEmpty else { return }
        let shown = Array(rows.prefix(limit))
        let hasBytes = rows.contains { $0.byteCount != nil }
        let parts = hasBytes ? statistics.parts : []
        let names = (shown + parts).map { $0.isDescription ? "(\($0.name))" : VisibleText.name($0.name) }
        let nameWidth = min(max(20, names.map(\.count).max() ?? 0), max(20, width * 2 / 5))
        let hasShare = hasBytes && width >= 60
        let isByCount = order == .count || !hasBytes
        let largest = max(
            1, (shown + (isByCount ? [] : parts)).map { isByCount ? $0.count : $0.byteCount ?? 0 }.max() ?? 1)
        let barWidth = max(4, width - nameWidth - 14 - (hasBytes ? 12 : 0) - (hasShare ? 9 : 0))
        output.write("\n" + Self.padded("  Contents", nameWidth + 2) + Self.right("number", 10), .heading)
        output.write(
            (hasBytes ? Self.right("bytes", 12) : "") + (hasShare ? Self.right("share", 9) : "") + "\n", .heading)
        for (row, name) in zip(shown + parts, names) {
            output.write("  ")
            output.write(Self.padded(name, nameWidth), row.isDescription ? .faint : .className)
            output.write(Self.right(row.count > 0 ? "\(row.count)" : "", 10), .number)
            if hasBytes {
                output.write(Self.right(row.byteCount.map { "\($0)" } ?? "", 12), .number)
            }
            if hasShare {
                output.write(Self.right(row.byteCount.map { Self.share($0, of: statistics.byteCount) } ?? "", 9))
            }
            let amount = isByCount ? row.count : row.byteCount ?? 0
            let bar = Self.bar(amount, of: largest, width: barWidth)
            if !bar.isEmpty { output.write("  ") }
            output.write(bar, .good)
            output.write("\n")
        }
        if rows.count > limit {
            let rest = rows.dropFirst(limit)
            let bytes = rest.reduce(0) { $0 + ($1.byteCount ?? 0) }
            output.write(
                "  … and \(rest.count) more, \(rest.reduce(0) { $0 + $1.count }) in number"
                    + (hasBytes ? ", \(bytes) bytes" : "") + " (--top shows more)\n", .faint)
        }
    }

    private func writeShared(to output: Output) {
        guard !statistics.shared.isEmpty else { return }
        output.write("\n  Most references\n", .heading)
        for object in statistics.shared.prefix(limit) {
            output.write("  " + Self.right("\(object.referenceCount)", 10), .number)
            output.write("  ")
            output.write("#\(object.number)", .uid)
            output.write(" ")
            output.write(VisibleText.name(object.name) + "\n", .className)
        }
    }

    private func writeLeaves(to output: Output) {
        guard !statistics.leaves.isEmpty else { return }
        output.write("\n  Values\n", .heading)
        for (kind, count) in statistics.leaves.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            output.write("  " + Self.right("\(count)", 10), .number)
            output.write("  \(kind)\n")
        }
    }

    // MARK: - Columns

    private static func padded(_ text: String, _ width: Int) -> String {
        let count = text.count
        if count > width { return text.prefix(width - 1) + "…" }
        return text + String(repeating: " ", count: width - count)
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count)) + text
    }

    private static func share(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "" }
        let thousandths = (part * 2000 / whole + 1) / 2
        return "\(thousandths / 10).\(thousandths % 10) %"
    }

    /// A bar of at most `width` columns, with eighths of a column.
    static func bar(_ amount: Int, of largest: Int, width: Int) -> String {
        guard amount > 0, largest > 0 else { return "" }
        let eighths = max(1, Int((Double(amount) / Double(largest) * Double(width * 8)).rounded()))
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    }
}

// MARK: - JSON

extension StatisticsReport {
    func writeJSON(to output: Output) {
        let rows = rows
        let shared = statistics.shared.prefix(limit).map { object in
            PropertyList.fields([
                ("uid", .count(object.number)), ("name", .string(object.name)),
                ("references", .count(object.referenceCount)),
            ])
        }
        let leaves = statistics.leaves.sorted { $0.key < $1.key }.map { ($0.key, PropertyList.count($0.value)) }
        let report: [(String, PropertyList?)] =
            [
                ("kind", .string(statistics.kind)),
                ("format", statistics.format.map { .string($0) }), ("bytes", .count(statistics.byteCount)),
            ] + statistics.facts.map { ($0.key, .count($0.number)) }
            + [
                ("byClass", table(rows.filter { !$0.isDescription })), ("byKind", table(rows.filter(\.isDescription))),
                ("parts", statistics.parts.isEmpty ? nil : table(statistics.parts)),
                ("mostReferences", .array(shared)), ("values", .fields(leaves)),
            ]
        output.write(json: .fields(report), inline: \.isFlat)
    }

    private func table(_ rows: [Statistics.Row]) -> PropertyList {
        .array(
            rows.map { row in
                .fields([
                    ("name", .string(row.name)), ("count", row.count > 0 ? .count(row.count) : nil),
                    ("bytes", row.byteCount.map { .count($0) }),
                ])
            })
    }
}
