import ArchiveInspection
import Archiving

extension Command {
    /// The command `rename`.
    static let rename = Command(
        name: "rename",
        summary: "Give classes in an archive other names.",
        operands: [
            Operand(name: "FILE", help: "The file to read; “-” for standard input."),
            Operand(
                name: "NAMES", help: "The old name and the new one; or, for several classes at once, OLD=NEW for each.",
                isRepeated: true),
        ],
        options: [Destination.inPlace, Renaming.nested],
        discussion: """
            Changes the names where an archive describes its classes: those of the classes, and those in the chains of \
            superclasses of others. All names are changed at once, so that two classes can exchange theirs. Names in \
            “$classhints”, and those that a program has encoded itself, stay. Everything else stays as it is, under the \
            same uids, and in the same format.

            How many objects it is about is said on standard error. A name that no class has is an error. Classes of \
            typedstreams can be renamed, too.
            """,
        examples: [
            Example(
                "archivetool rename farm.archive Old.Farm Farm -o new.archive", "Writes another file."),
            Example(
                "archivetool rename farm.archive Old.Farm=Farm Old.Cow=Cow --in-place",
                "Replaces the file; it keeps its permissions."),
        ],
        run: { try Renaming(arguments: $0, session: $1).run() })
}

/// What `rename` does.
private struct Renaming {
    let arguments: Arguments
    let session: Session

    static let nested = Option(
        name: "nested", help: "Change the names in archives and typedstreams inside of data, too.")

    func run() throws -> ExitStatus {
        let names = try names()
        let destination = try Destination(arguments, in: session)
        let input = try Input(arguments.operands[0], in: session)
        session.progress.begin("renaming in \(input.name)")
        var renaming = ClassRenaming(names, changesNested: arguments.has(Self.nested))
        switch input.content {
        case .archive(let archive):
            let editor = try renaming.renamed(archive)
            try check(renaming, input)
            guard let editor else { return .success }
            try destination.write(editor.data(format: archive.format), isBinary: archive.format == .binary)
        case .typedStream(var stream):
            _ = renaming.rename(&stream)
            try check(renaming, input)
            try destination.write(stream.data(), isBinary: true)
        case .propertyList: _ = try input.archive(for: "rename")
        }
        session.progress.end()
        report(renaming)
        return .success
    }

    private func names() throws -> [(old: String, new: String)] {
        let words = arguments.operands.dropFirst()
        var names: [(old: String, new: String)] = []
        if words.count == 2, let old = words.first, let new = words.last, !old.contains("="), !new.contains("=") {
            names = [(old, new)]
        } else {
            for word in words {
                guard let sign = word.firstIndex(of: "=") else {
                    throw ToolError(
                        .usage, "“\(word)” has no “=”; give the old name and the new one, or OLD=NEW for each class")
                }
                names.append((String(word[..<sign]), String(word[word.index(after: sign)...])))
            }
        }
        var known: Set<String> = []
        for name in names {
            guard !name.old.isEmpty, !name.new.isEmpty else {
                throw ToolError(.usage, "“\(name.old)=\(name.new)” lacks a name; a class has a name of some letters")
            }
            guard name.old != name.new else {
                throw ToolError(.usage, "The old and the new name are both “\(name.old)”")
            }
            guard known.insert(name.old).inserted else {
                throw ToolError(.usage, "“\(name.old)” is given two new names; an object has one class")
            }
        }
        return names
    }

    private static let shownNames = 40

    /// Checks that there was something to rename.
    private func check(_ renaming: ClassRenaming, _ input: Input) throws(ToolError) {
        guard let missing = renaming.names.indices.first(where: { renaming.entryCounts[$0] == 0 }) else { return }
        let old = renaming.names[missing].old
        let known = renaming.known.sorted()
        let hint = nearest(to: old, among: known).map { "; did you mean “\($0)”?" } ?? "."
        let list = known.prefix(Self.shownNames).map { VisibleText.name($0) }.joined(separator: ", ")
        let more = known.count > Self.shownNames ? " and \(known.count - Self.shownNames) more" : ""
        throw ToolError(
            .unreadable,
            "No class in \(input.name) is called “\(old)”\(hint)"
                + (known.isEmpty ? " There are no classes" : " The classes are: \(list)\(more)"))
    }

    private func report(_ renaming: ClassRenaming) {
        for (index, name) in renaming.names.enumerated() {
            let (objects, entries) = (renaming.objectCounts[index], renaming.entryCounts[index])
            session.note(
                "\(VisibleText.name(name.old)) is \(VisibleText.name(name.new)) now: \(objects)"
                    + " \(objects == 1 ? "object" : "objects"), \(entries) class \(entries == 1 ? "entry" : "entries")")
            let isGivenAway = renaming.names.contains { $0.old == name.new }
            if renaming.wasTaken[index], !isGivenAway {
                session.note(
                    "there was a class \(VisibleText.name(name.new)) already; its objects and those that were"
                        + " renamed are of one name now")
            }
        }
        if renaming.nestedCount > 0 {
            session.note(
                "\(renaming.nestedCount) \(renaming.nestedCount == 1 ? "archive" : "archives") inside of data changed")
        }
    }
}
