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
    private static let asPropertyLists = Option(
        name: "as-property-lists",
        help: "Compare keyed archives as property lists, with uids and positions, and with other property lists.")
    static let options = [json, .quiet, asPropertyLists]

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
        if !arguments.has(.quiet) {
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

/// A comparison for git, which calls the program of an external diff with seven arguments: the path, and for each side a file,
/// the name of its object and its mode. For a renamed file, two more follow: the new path, and a text.
///
/// git ends if the program has another exit status than 0, so differences and unreadable versions have this one, too.
struct GitDiff {
    private let path: String
    private let newPath: String?
    private let files: Sides<String>
    private static let argumentCounts = [7, 9]
    private static let noFile = "/dev/null"

    /// - Returns: Nil if the number of arguments is another one.
    init?(_ arguments: [String]) {
        guard Self.argumentCounts.contains(arguments.count) else { return nil }
        path = arguments[0]
        files = Sides(arguments[1], arguments[4])
        newPath = arguments.count > 7 ? arguments[7] : nil
    }

    /// Writes the path, and then the differences that `compare` writes.
    func run(in session: Session, _ compare: (Input, Input) throws -> ExitStatus) -> ExitStatus {
        let name = VisibleText.escaped(path) + (newPath.map { " → " + VisibleText.escaped($0) } ?? "")
        session.output.write("diff \(name)\n", .heading)
        if files.left == Self.noFile {
            session.output.write("+ new file\n", .good)
        } else if files.right == Self.noFile {
            session.output.write("- deleted file\n", .damage)
        } else {
            do {
                _ = try compare(Input(files.left, in: session), Input(files.right, in: session))
            } catch {
                session.output.flush()
                _ = session.report(error)
            }
        }
        return .success
    }
}

struct ComparisonReport {
    let comparison: Comparison
    /// Whether both files have a root object, at which paths begin.
    let hasRoot: Bool
    let descriptions: [Comparison.Difference]

    var differences: [Comparison.Difference] { descriptions + comparison.ordered }

    private static let textLimit = 60

    private struct Line {
        var mark = "~"
        var path: String
        var old: String?
        var new: String?
        var change: String
    }

    private func line(_ difference: Comparison.Difference) -> Line {
        let place = difference.place
        var line = Line(path: path(to: place, on: Side.left), change: "changed")
        switch difference.change {
        case .only(let side, let node):
            let text = text(of: node, on: side, hasPlace: true)
            let isOld = side == Side.left
            line = Line(
                mark: isOld ? "-" : "+", path: path(to: place, on: side), old: isOld ? text : nil,
                new: isOld ? nil : text, change: isOld ? "removed" : "added")
        case .replaced(let nodes):
            var texts = Side.both.map { text(of: nodes[$0], on: $0) }
            if texts[0] == texts[1] {
                // The difference is in the cut end of a text, or in the kind.
                texts = Side.both.map { comparison.graphs[$0].kind(of: nodes[$0]) + " " + texts[$0] }
            }
            (line.old, line.new) = (texts[0], texts[1])
        case .class(let names):
            (line.old, line.new) = ("class " + VisibleText.name(names.left), "class " + VisibleText.name(names.right))
            line.change = "class"
        case .reference(let nodes, let places):
            let texts = Side.both.map { side in
                comparison.graphs[side].name(of: nodes[side])
                    + (places[side].map { ", the one at \(path(to: $0, on: side))" } ?? ", an object of its own")
            }
            (line.old, line.new, line.change) = (texts[0], texts[1], "reference")
        case .description(let name, let texts):
            (line.path, line.old, line.new, line.change) = (name, texts.left, texts.right, "description")
        }
        return line
    }

    /// The path of a place, as for `--path`. A long path begins at an object near the place.
    private func path(to place: Comparison.Place, on side: Int) -> String {
        let path = comparison.path(to: place, on: side)
        let isFromRoot = hasRoot && path.start == nil && path.steps.count > 1 && path.steps.first == "root"
        let steps = path.steps.dropFirst(isFromRoot ? 1 : 0).map { VisibleText.escaped($0) }
        guard let start = path.start else { return ValuePath.text(of: steps, isFromTop: hasRoot && !isFromRoot) }
        return comparison.graphs[side].name(of: start) + "/" + steps.joined(separator: "/")
    }

    private func text(of node: Int, on side: Int, hasPlace: Bool = false) -> String {
        let graph = comparison.graphs[side]
        let edges = graph.edges(of: node)
        var text = graph.name(of: node)
        switch graph.nodes[node].shape {
        case .leaf: return graph.nodes[node].leaf.text(limit: Self.textLimit)
        case .list, .set: text += ", \(counted(edges.count, "element"))"
        case .dictionary: text += ", \(counted(edges.count, "entry"))"
        case .fields:
            // The first leaves identify the object.
            let leaves = edges.prefix(8).filter { graph.nodes[$0.target].shape == .leaf }.prefix(3)
            var fields = leaves.map { edge in
                VisibleText.shortened(graph.key(of: edge) ?? "", limit: 30) + ": "
                    + graph.nodes[edge.target].leaf.text(limit: 30)
            }
            if fields.count < edges.count { fields.append("…") }
            text += " {" + fields.joined(separator: ", ") + "}"
        }
        let place = hasPlace ? comparison.knownPlace(of: node, on: side) : nil
        return text + (place.map { ", the one at \(path(to: $0, on: side))" } ?? "")
    }

    // MARK: Output

    func write(to output: Output) {
        let differences = differences
        for difference in differences {
            let line = line(difference)
            output.write(line.mark + " ", line.mark == "+" ? .good : line.mark == "-" ? .damage : .mark)
            output.write(line.path, .key)
            output.write(": ")
            output.write(line.old ?? "", .damage)
            output.write(line.old != nil && line.new != nil ? " → " : "")
            output.write(line.new ?? "", .good)
            output.write("\n")
        }
        output.write(
            (differences.isEmpty ? "no differences" : counted(differences.count, "difference")) + "\n", .heading)
    }

    func writeJSON(to output: Output) {
        let list = differences.map { difference in
            let line = line(difference)
            let newPath = path(to: difference.place, on: Side.right)
            let hasMoved = difference.place.visit != nil && newPath != line.path
            return PropertyList.fields([
                ("change", .string(line.change)), ("path", .string(line.path)),
                ("newPath", hasMoved ? .string(newPath) : nil), ("old", line.old.map { .string($0) }),
                ("new", line.new.map { .string($0) }),
            ])
        }
        output.write(json: ["differences": .array(list)])
    }
}
