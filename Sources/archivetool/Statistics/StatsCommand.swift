// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

extension Command {
    private static let json = Option(name: "json", help: "Write JSON, for programs.")
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
        options: [json, byClass, top, order],
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
            var statistics =
                switch input.content {
                case .archive(let archive):
                    try Statistics(archive, byteCount: try input.binaryByteCount(archive))
                case .propertyList(let list, let format, _):
                    Statistics(list, format: format, byteCount: input.source.byteCount)
                case .typedStream(let stream): Statistics(stream, byteCount: input.source.byteCount)
                }
            statistics.trimShared()
            let report = StatisticsReport(
                statistics: statistics, name: VisibleText.escaped(input.source.label), limit: limit, order: order)
            if arguments.has(byClass) {
                report.writeClasses(to: session.output)
            } else if arguments.has(json) {
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
