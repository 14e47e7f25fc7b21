// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

extension Command {
    static let diff = Command(
        name: "diff",
        summary: "Compare the contents of two archives.",
        operands: [
            Operand(name: "OLD", help: "The file to compare; “-” for standard input.", isFile: true),
            Operand(name: "NEW", help: "The file to compare it with.", isFile: true),
            Operand(
                name: "ARGUMENT", help: "With the seven or nine arguments of git's external diff: the others of them.",
                isOptional: true, isRepeated: true),
        ],
        options: Diff.options,
        discussion: """
            Writes a line with the path of each difference: “-” before a value that only OLD has, “+” before a value that \
            only NEW has, and “~” before a value that differs.

            The uids and the order of objects, the order of keys, and the format do not count. Identity does: a shared \
            object, and several equal objects, are a difference, except for strings, numbers, dates and other immutable \
            values. Unreferenced objects are ignored.

            Elements of arrays are aligned, so that an inserted element is one difference. Both files must be of the same \
            kind: keyed archives, property lists or typedstreams.

            For archives in git, as an external diff:

                git config diff.archive.command "archivetool diff"
                echo "*.archive diff=archive" >> .gitattributes
            """,
        examples: [
            Example(
                "archivetool diff before.archive after.archive", "Compares files of two versions."),
            Example("archivetool diff a.plist b.plist --quiet && echo same", "In a script."),
        ],
        run: { arguments, session in
            if let git = GitDiff(arguments.operands) {
                return git.run(in: session) {
                    try Diff(arguments: arguments, left: $0, right: $1).run(in: session)
                }
            }
            guard arguments.operands.count == 2 else {
                throw ToolError(
                    .usage,
                    "“\(arguments.operands[2])” is one more than “diff” takes: two files, or the seven or nine arguments of"
                        + " an external diff of git")
            }
            let (left, right) = (arguments.operands[0], arguments.operands[1])
            if left == "-", right == "-" {
                throw ToolError(.usage, "OLD and NEW are both “-”, but there is only one standard input")
            }
            return try Diff(arguments: arguments, left: Input(left, in: session), right: Input(right, in: session))
                .run(in: session)
        })
}

private struct Diff {
    let arguments: Arguments
    let left: Input
    let right: Input

    private static let json = Option(name: "json", help: "Write the differences as JSON.")
    private static let quiet = Option(name: "quiet", letter: "q", help: "Write nothing; use the exit status.")
    private static let asPropertyLists = Option(
        name: "as-property-lists",
        help: "Compare keyed archives as property lists, with uids and positions, and with other property lists.")
    static let options = [json, quiet, asPropertyLists]

    func run(in session: Session) throws -> ExitStatus {
        if arguments.has(Self.asPropertyLists) {
            return try compare(.list(propertyList(left)), .list(propertyList(right)), in: session)
        }
        guard left.kind == right.kind else {
            let kinds = [left.kind, right.kind]
            let hint =
                kinds.contains("a typedstream") ? "" : "; --as-property-lists compares both as property lists"
            throw ToolError(
                .unreadable,
                "\(left.name) is \(left.kind) and \(right.name) is \(right.kind), which cannot be compared\(hint)")
        }
        var descriptions: [Comparison.Difference] = []
        if case .archive(let old) = left.content, case .archive(let new) = right.content, old.archiver != new.archiver {
            let names = [old, new].map { $0.archiver.map { VisibleText.name($0) } ?? "none" }
            descriptions = [
                Comparison.Difference(
                    place: Comparison.Place(), change: .description("$archiver", Sides(names[0], names[1])))
            ]
        }
        return try compare(
            left.whole, right.whole, hasRoot: left.hasRoot && right.hasRoot, descriptions, in: session)
    }

    private func compare(
        _ leftPart: Part, _ rightPart: Part, hasRoot: Bool = false, _ descriptions: [Comparison.Difference] = [],
        in session: Session
    ) throws -> ExitStatus {
        let leftGraph = try ContentGraph(leftPart, of: left, to: "compared")
        let rightGraph = try ContentGraph(rightPart, of: right, to: "compared")
        let report: ComparisonReport
        do throws(Comparison.TooMuch) {
            session.progress.begin("comparing \(left.name) with \(right.name)")
            let comparison = try Comparison(leftGraph, rightGraph, hasWholeSeconds: left.isXML || right.isXML)
            report = ComparisonReport(comparison: comparison, hasRoot: hasRoot, descriptions: descriptions)
        } catch {
            throw ToolError(.unreadable, "\(left.name) and \(right.name) cannot be compared: \(error)")
        }
        if !arguments.has(Self.quiet) {
            if arguments.has(Self.json) {
                report.writeJSON(to: session.output)
            } else {
                report.write(to: session.output)
            }
        }
        return report.differences.isEmpty ? .success : .found
    }

    private func propertyList(_ input: Input) throws -> PropertyList {
        switch input.content {
        case .archive(let archive): return try archive.propertyList()
        case .propertyList(let list, _, _): return list
        case .typedStream:
            throw ToolError(
                .unreadable, "\(input.name) is a typedstream; --as-property-lists compares only property lists")
        }
    }
}

extension Input {
    fileprivate var kind: String {
        switch content {
        case .archive: "a keyed archive"
        case .propertyList: "a property list"
        case .typedStream: "a typedstream"
        }
    }

    /// Whether its dates have no fractions of seconds.
    fileprivate var isXML: Bool {
        switch content {
        case .archive(let archive): archive.format == .xml
        case .propertyList(_, let format, _): format == .xml
        case .typedStream: false
        }
    }
}
