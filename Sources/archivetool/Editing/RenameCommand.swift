// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving

extension Command {
    static let rename = Command(
        name: "rename",
        summary: "Rename classes in an archive.",
        operands: [
            Operand(name: "FILE", help: "The file to read; “-” for standard input.", isFile: true),
            Operand(
                name: "NAMES", help: "The old and the new name; for several classes OLD=NEW for each.",
                isRepeated: true),
        ],
        options: [Destination.inPlace, Renaming.nested],
        discussion: """
            Changes the names of classes in class entries: of the classes, and of superclasses of other classes. All names \
            change at the same time, so two classes can exchange their names. Names in “$classhints”, and names that a \
            program has encoded itself, stay, as do all other values, their uids and the format.

            With --nested, FILE may be a property list that is no archive, such as one of settings: archives in its data change.

            Notes on standard error report the number of objects. A name of no class is an error. FILE may be a \
            typedstream.
            """,
        examples: [
            Example(
                "archivetool rename farm.archive Old.Farm Farm -o new.archive", "Writes another file."),
            Example(
                "archivetool rename farm.archive Old.Farm=Farm Old.Cow=Cow --in-place",
                "Replaces the file; it keeps its permissions."),
            Example(
                "archivetool rename com.example.app.plist Old.Farm Farm --nested --in-place",
                "Changes the archives in settings."),
        ],
        run: { try Renaming(arguments: $0, session: $1).run() })
}

private struct Renaming {
    let arguments: Arguments
    let session: Session

    static let nested = Option(
        name: "nested", help: "Change archives and typedstreams in data as well.")

    func run() throws -> ExitStatus {
        let names = try names()
        let destination = try Destination(arguments, in: session)
        let input = try Input(arguments.operands[0], in: session)
        session.progress.begin("renaming the classes of \(input.name)")
        var renaming = ClassRenaming(names, changesNested: arguments.has(Self.nested))
        switch input.content {
        case .archive(let archive):
            let editor = try renaming.renamed(archive)
            try check(renaming, input)
            guard let editor else { return .success }
            try destination.write(editor.propertyList.data(format: archive.format), isBinary: archive.format == .binary)
        case .typedStream(var stream):
            _ = renaming.rename(&stream)
            try check(renaming, input)
            try destination.write(stream.data(), isBinary: true)
        case .propertyList(let list, let form, _) where renaming.changesNested && !list.hasKeysOfArchives:
            let changed = try renaming.renamed(list)
            try check(renaming, input)
            guard let changed else { return .success }
            try destination.write(changed.data(format: form.written), isBinary: form.written == .binary)
        case .propertyList: _ = try input.archive(for: "rename")
        }
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

    private func check(_ renaming: ClassRenaming, _ input: Input) throws(ToolError) {
        guard let missing = renaming.names.indices.first(where: { renaming.entryCounts[$0] == 0 }) else { return }
        let old = renaming.names[missing].old
        let known = renaming.known.sorted()
        let hint = nearestClass(to: old, among: known) ?? "."
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
                "renamed \(VisibleText.name(name.old)) to \(VisibleText.name(name.new)):"
                    + " \(counted(objects, "object")), \(counted(entries, "class entry"))")
            let isGivenAway = renaming.names.contains { $0.old == name.new }
            if renaming.wasTaken[index], !isGivenAway {
                session.note(
                    "a class \(VisibleText.name(name.new)) already existed; its objects and the renamed ones now have the"
                        + " same class name")
            }
        }
        if renaming.nestedCount > 0 {
            session.note("changed \(counted(renaming.nestedCount, "archive")) in data")
        }
    }
}
