// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import SequentialArchiving

extension Command {
    static let rename = Command(
        name: "rename",
        summary: "Rename classes in an archive.",
        operands: [
            .file,
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

struct ClassRenaming {
    /// The old and new names. All change at the same time, so two classes can exchange their names.
    let names: [(old: String, new: String)]
    let changesNested: Bool

    private(set) var objectCounts: [Int]
    /// For each of `names`, the number of class entries of the class and its subclasses.
    private(set) var entryCounts: [Int]
    /// For each of `names`, whether a class had the new name before.
    private(set) var wasTaken: [Bool]
    private(set) var known: Set<String> = []
    private(set) var nestedCount = 0

    private static let levelLimit = 16

    init(_ names: [(old: String, new: String)], changesNested: Bool) {
        self.names = names
        self.changesNested = changesNested
        objectCounts = names.map { _ in 0 }
        entryCounts = objectCounts
        wasTaken = names.map { _ in false }
    }

    /// `archive` with the new names; nil if no name changes.
    mutating func renamed(_ archive: KeyedArchive) throws(KeyedArchiveError) -> KeyedArchiveEditor? {
        try renamed(archive, level: 0)
    }

    /// `list`, which is no archive, with the new names in the archives in its data; nil if no name changes.
    mutating func renamed(_ list: PropertyList) throws(KeyedArchiveError) -> PropertyList? { try changed(list, 0) }

    private mutating func renamed(_ archive: KeyedArchive, level: Int) throws(KeyedArchiveError) -> KeyedArchiveEditor?
    {
        var editor = try KeyedArchiveEditor(archive)
        var hasChanged = false
        let present = count(in: archive)
        // Temporary names ensure that no name changes twice.
        let passing = names.indices.map { "\u{FFFD}\($0)\u{FFFD}" }
        for index in names.indices where present[index] {
            try editor.renameClass(names[index].old, to: passing[index])
            hasChanged = true
        }
        for index in names.indices where present[index] { try editor.renameClass(passing[index], to: names[index].new) }
        if changesNested, level < Self.levelLimit {
            for uid in 0..<UInt32(truncatingIfNeeded: archive.objects.count) {
                guard let object = editor[uid: uid], let changed = try changed(object, level) else { continue }
                try editor.replaceObject(uid, with: changed)
                hasChanged = true
            }
        }
        return hasChanged ? editor : nil
    }

    /// Counts the classes with old names and their objects.
    ///
    /// - Returns: For each of `names` whether the archive has it.
    private mutating func count(in archive: KeyedArchive) -> [Bool] {
        var present = names.map { _ in false }
        for described in archive.classes {
            known.insert(described.name)
            for (index, name) in names.enumerated() {
                if described.name == name.new { wasTaken[index] = true }
                guard described.name == name.old || described.chain.contains(name.old) else { continue }
                present[index] = true
                entryCounts[index] += 1
            }
        }
        guard present.contains(true) else { return present }
        for object in archive.objects {
            guard let className = object.className else { continue }
            for (index, name) in names.enumerated() where className == name.old { objectCounts[index] += 1 }
        }
        return present
    }

    /// `object` with the changed archives in its data; nil if none has changed.
    private mutating func changed(_ object: PropertyList, _ level: Int) throws(KeyedArchiveError) -> PropertyList? {
        var hasChanged = false
        let result = try object.mapLeaves { (leaf: PropertyList) throws(KeyedArchiveError) -> PropertyList in
            guard case .data(let data) = leaf, let other = try renamed(data, level) else { return leaf }
            hasChanged = true
            return .data(other)
        }
        return hasChanged ? result : nil
    }

    /// The changed archive or typedstream in `data`; nil if it is none, or does not change.
    private mutating func renamed(_ data: Data, _ level: Int) throws(KeyedArchiveError) -> Data? {
        if TypedStream.isTypedStream(data) {
            guard var stream = try? TypedStream(data), rename(&stream) else { return nil }
            guard let result = try? stream.data() else { return nil }
            nestedCount += 1
            return result
        }
        guard let format = PropertyListFormat(detectedIn: data.prefix(64)) else { return nil }
        guard let archive = try? KeyedArchive(data) else {
            // A list of settings in data may have archives in its data.
            guard level < Self.levelLimit, let list = try? PropertyList(data), !list.hasKeysOfArchives else {
                return nil
            }
            return try changed(list, level + 1).flatMap { try? $0.data(format: format) }
        }
        // A damaged archive does not change.
        guard let editor = try? renamed(archive, level: level + 1) else { return nil }
        guard let result = try? editor.propertyList.data(format: archive.format) else { return nil }
        nestedCount += 1
        return result
    }

    /// Changes the names in `stream`.
    ///
    /// - Returns: Whether it has any of the old names.
    mutating func rename(_ stream: inout TypedStream) -> Bool {
        var hasChanged = false
        for position in stream.classes.indices {
            let className = stream.classes[position].name
            known.insert(className)
            for (index, name) in names.enumerated() where className == name.new { wasTaken[index] = true }
            guard let index = names.firstIndex(where: { $0.old == className }) else { continue }
            stream.classes[position].name = names[index].new
            entryCounts[index] += 1
            objectCounts[index] += stream.objects.count { $0.classIndex == position }
            hasChanged = true
        }
        return hasChanged
    }
}

extension PropertyList {
    /// Whether the list has a key of keyed archives, and was therefore meant to be one.
    var hasKeysOfArchives: Bool { ["$objects", "$archiver", "$top"].contains { self[$0] != nil } }
}
