import Archiving

extension Command {
    private static let json = Option(name: "json", help: "Write JSON, for programs.")
    private static let top = Option(
        name: "top", value: "N", help: "Show the first N classes and objects: 15 unless said otherwise.")
    private static let order = Option(
        name: "sort", value: "ORDER", choices: StatisticsReport.Order.allCases.map(\.rawValue),
        help: "Put classes in the order of their “bytes”, “count” or “name”. Bars show the bytes, or the count.")

    private static let byClass = Option(
        name: "by-class", help: "Write a line for each class and nothing else: number, bytes, name, with tabs between.")

    /// The command `stats`.
    static let stats = Command(
        name: "stats",
        summary: "Count objects and bytes by class, references, and depth.",
        operands: [.input],
        options: [json, byClass, top, order],
        discussion: """
            Bytes are those that objects take in the file, with what stands inside of them; keys and values that several \
            objects share are counted apart, as are the tables of the file. For XML they are those of the binary form. For \
            property lists that are no archives, bytes are those of the contents of strings and data.

            “depth” is the number of references on the shortest way to the object that is farthest from the top; \
            circles do not make it longer. “unreferenced objects” are those that nothing leads to which was archived \
            by key: a program has left them behind.
            """,
        examples: [
            .init("archivetool stats document.sketch", "What makes it large."),
            .init("archivetool stats farm.plist --sort count --top 5", "The five classes with the most objects."),
            .init("archivetool stats farm.plist --json", "The same for a program."),
        ],
        run: { arguments, session in
            let limit = try arguments.integer(top, in: 1...Statistics.sharedLimit) ?? 15
            let order = arguments.value(order).flatMap { StatisticsReport.Order(rawValue: $0) } ?? .bytes
            let input = try Input(arguments.operands.first, in: session)
            session.progress.begin("counting in \(input.name)")
            var statistics =
                switch input.content {
                case .archive(let archive):
                    try Statistics(archive, byteCount: try input.binaryByteCount(archive), progress: session.progress)
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
    /// The bytes of the binary form: those of the file, unless that is XML.
    fileprivate func binaryByteCount(_ archive: KeyedArchive) throws -> Int {
        archive.format == .binary ? source.byteCount : try archive.data(format: .binary).count
    }
}
