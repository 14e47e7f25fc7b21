import Archiving
import SequentialArchiving

extension Command {
    /// The command `diff`.
    static let diff = Command(
        name: "diff",
        summary: "Compare two archives by what they say, not by their bytes.",
        operands: [
            Operand(name: "OLD", help: "The file to compare; “-” for standard input."),
            Operand(name: "NEW", help: "The file to compare it with."),
        ],
        options: DiffOptions.all,
        discussion: """
            Tells which values differ, each with the path to it, as --path takes it: “-” stands in front of what is only \
            in OLD, “+” of what is only in NEW, “~” of what is another value, with the old and the new one.

            It does not matter where in a file objects and class entries are, which uids they have, in which order keys \
            are, and whether the file is binary or XML. It matters which objects are one: an object that several places \
            refer to, against several objects that are equal, is a difference. Strings, numbers, dates and other values \
            that cannot change have no identity. Objects that nothing leads to are not compared.

            Elements of arrays are aligned, so that one that was inserted is one difference; sets and dictionaries are \
            compared without order. Both files have to be of one kind: keyed archives, property lists or typedstreams.
            """,
        examples: [
            Example("archivetool diff before.archive after.archive", "Tells what a new version of a program writes."),
            Example("archivetool diff a.plist b.plist --quiet && echo same", "Only asks whether they say the same."),
        ],
        run: { arguments, session in
            let (left, right) = (arguments.operands[0], arguments.operands[1])
            if left == "-", right == "-" {
                throw ToolError(.usage, "OLD and NEW are both “-”, and there is one standard input")
            }
            return try DiffOptions(arguments).compare(
                Input(left, in: session), Input(right, in: session), in: session)
        })
}

/// What a command line asks of a comparison.
private struct DiffOptions {
    private static let json = Option(name: "json", help: "Write the differences as JSON.")
    private static let quiet = Option(
        name: "quiet", letter: "q", help: "Write nothing; the exit status tells whether there are differences.")
    private static let asPropertyLists = Option(
        name: "as-property-lists",
        help:
            "Compare keyed archives as the property lists that they are, with uids and positions, and with property lists."
    )

    static let all = [json, quiet, asPropertyLists]

    private let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    func compare(_ left: Input, _ right: Input, in session: Session) throws -> ExitStatus {
        let sides = try sides(left, right, in: session)
        session.progress.begin("comparing \(left.name) with \(right.name)")
        let report: ComparisonReport
        do throws(Comparison.TooMuch) {
            let comparison = try Comparison(
                sides.left, sides.right, hasWholeSeconds: left.isXML || right.isXML)
            report = ComparisonReport(comparison, hasRoot: sides.hasRoot, descriptions: sides.descriptions)
        } catch {
            throw ToolError(.unreadable, "\(left.name) and \(right.name) cannot be compared: \(error)")
        }
        session.progress.end()
        let differences = report.differences
        if !arguments.has(Self.quiet) {
            if arguments.has(Self.json) {
                report.writeJSON(to: session.output)
            } else {
                report.write(to: session.output)
            }
            for place in report.comparison.unaligned {
                session.note(
                    "the elements of “\(report.path(to: place))” differ in too many places to be aligned, and were"
                        + " compared by position")
            }
        }
        return differences.isEmpty ? .success : .found
    }

    private struct Sides {
        var left: ContentGraph
        var right: ContentGraph
        var hasRoot = false
        var descriptions: [Comparison.Difference] = []
    }

    private func sides(_ left: Input, _ right: Input, in session: Session) throws -> Sides {
        if arguments.has(Self.asPropertyLists) {
            return Sides(
                left: try graph(left, in: session) { try left.propertyList(for: Self.asPropertyLists) },
                right: try graph(right, in: session) { try right.propertyList(for: Self.asPropertyLists) })
        }
        switch (left.content, right.content) {
        case (.archive(let leftArchive), .archive(let rightArchive)):
            var sides = Sides(
                left: try graph(left, in: session, leftArchive), right: try graph(right, in: session, rightArchive))
            sides.hasRoot = leftArchive.root != leftArchive.top && rightArchive.root != rightArchive.top
            if leftArchive.archiver != rightArchive.archiver {
                let names = [leftArchive, rightArchive].map { $0.archiver.map { VisibleText.name($0) } ?? "none" }
                sides.descriptions = [
                    Comparison.Difference(
                        place: Comparison.Place(), change: .description("$archiver", names[0], names[1]))
                ]
            }
            return sides
        case (.propertyList(let leftList, _, _), .propertyList(let rightList, _, _)):
            return Sides(
                left: try graph(left, in: session) { leftList }, right: try graph(right, in: session) { rightList })
        case (.typedStream(let leftStream), .typedStream(let rightStream)):
            return Sides(
                left: try graph(left, in: session, leftStream), right: try graph(right, in: session, rightStream))
        default:
            let hint =
                left.isTypedStream || right.isTypedStream
                ? "" : "; --as-property-lists compares both as property lists"
            throw ToolError(
                .unreadable,
                "\(left.name) is \(left.kind) and \(right.name) is \(right.kind), which have nothing to compare\(hint)")
        }
    }

    private func graph(_ input: Input, in session: Session, _ list: () throws -> PropertyList) throws -> ContentGraph {
        try reading(input, session) { try ContentGraph(list(), byteCount: input.source.byteCount) }
    }

    private func graph(_ input: Input, in session: Session, _ archive: KeyedArchive) throws -> ContentGraph {
        try reading(input, session) { try ContentGraph(archive.top, byteCount: input.source.byteCount) }
    }

    private func graph(_ input: Input, in session: Session, _ stream: TypedStream) throws -> ContentGraph {
        try reading(input, session) { try ContentGraph(stream, byteCount: input.source.byteCount) }
    }

    private func reading(_ input: Input, _ session: Session, _ body: () throws -> ContentGraph) throws -> ContentGraph {
        session.progress.begin("reading \(input.name)")
        do {
            return try body()
        } catch let error as ContentGraph.Unfolding {
            throw ToolError(.unreadable, "\(input.name) cannot be compared: \(error)")
        }
    }
}

extension Input {
    /// What it holds, in words.
    fileprivate var kind: String {
        switch content {
        case .archive: "a keyed archive"
        case .propertyList: "a property list"
        case .typedStream: "a typedstream"
        }
    }

    fileprivate var isTypedStream: Bool { if case .typedStream = content { true } else { false } }

    /// Whether dates in it have no fractions of seconds.
    fileprivate var isXML: Bool {
        switch content {
        case .archive(let archive): archive.format == .xml
        case .propertyList(_, let format, _): format == .xml
        case .typedStream: false
        }
    }

    /// The property list that it is, for `option`.
    fileprivate func propertyList(for option: Option) throws -> PropertyList {
        switch content {
        case .archive(let archive): return try archive.propertyList()
        case .propertyList(let list, _, _): return list
        case .typedStream:
            throw ToolError(
                .unreadable, "\(name) is a typedstream, and no property list, which \(option.spelling) needs")
        }
    }
}
