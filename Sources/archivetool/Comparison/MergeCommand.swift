// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import ArchiveInspection
import Archiving

extension Command {
    static let merge = Command(
        name: "merge",
        summary: "Merge two changed versions of an archive.",
        operands: [
            Operand(
                name: "BASE", help: "The archive that both versions were changed from; “-” for standard input.",
                isFile: true),
            Operand(name: "MINE", help: "The first version.", isFile: true),
            Operand(name: "THEIRS", help: "The second version.", isFile: true),
        ],
        options: [Merging.prefer],
        discussion: """
            Writes an archive with the changes of both versions, in the format of MINE. Instances are the same if they have \
            the same uid and class, so both versions must be saved by a program that keeps the uids, as documents do. \
            Values, such as lists and structs, are merged at the place that holds them.

            What both versions have changed is a conflict. Then the conflicts are listed on standard error, nothing is \
            written, and the exit status is 1. --prefer takes the values of one version.

            As a merge driver of git:

                git config merge.archive.driver "archivetool merge %O %A %B -o %A"
                echo "*.archive merge=archive" >> .gitattributes
            """,
        examples: [
            Example(
                "archivetool merge base.archive mine.archive theirs.archive -o merged.archive", "Merges two files."),
            Example(
                "archivetool merge base.archive mine.archive theirs.archive --prefer mine -o merged.archive",
                "Decides all conflicts."),
        ],
        run: { try Merging(arguments: $0, session: $1).run() })
}

private struct Merging {
    let arguments: Arguments
    let session: Session

    static let prefer = Option(
        name: "prefer", value: "VERSION", choices: ["base", "mine", "theirs"],
        help: "Take the values of “base”, “mine” or “theirs” in conflicts.")

    func run() throws -> ExitStatus {
        if arguments.operands.count(where: { $0 == "-" }) > 1 {
            throw ToolError(.usage, "Several files are “-”, but there is only one standard input")
        }
        let archives = try arguments.operands.map { try Input($0, in: session).archive(for: "merge") }
        session.progress.begin("merging")
        let merge: ArchiveMerge
        do {
            merge = try ArchiveMerge(base: archives[0], mine: archives[1], theirs: archives[2])
        } catch let error as ArchiveMergeError {
            throw ToolError(.unreadable, error.description)
        }
        let preferred = arguments.value(Self.prefer)
        if preferred == nil, !merge.conflicts.isEmpty {
            list(merge.conflicts)
            throw ToolError(
                .found, "nothing was written; conflicts: \(merge.conflicts.count). --prefer decides all of them")
        }
        let data = try merge.data { _ in preferred == "theirs" ? .theirs : preferred == "base" ? .base : .mine }
        let merged = try KeyedArchive(data)
        try merged.validate()
        let format = archives[1].format
        try session.write(merged.data(format: format), isBinary: format == .binary)
        return .success
    }

    private static let stepLimit = 100_000

    private func list(_ conflicts: [ArchiveMerge.Conflict]) {
        var stepCount = 0
        for (place, conflict) in conflicts.enumerated() {
            stepCount += conflict.path.steps.count
            guard stepCount <= Self.stepLimit else {
                return session.writeToError("and \(conflicts.count - place) other conflicts\n")
            }
            session.writeToError("conflict: " + VisibleText.escaped(conflict.description) + "\n")
        }
    }
}
