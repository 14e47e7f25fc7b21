// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

extension Command {
    private static let quiet = Option(name: "quiet", letter: "q", help: "Write nothing; use the exit status.")
    private static let json = Option(name: "json", help: "Write JSON, for programs.")
    private static let limit = Option(
        name: "limit", value: "N", help: "Stop after N problems of a file (1000 by default).")

    static let check = Command(
        name: "check",
        summary: "Check files, and report everything that is wrong with them.",
        operands: [
            Operand(
                name: "FILE", help: "The files to check; “-”, or nothing, for standard input.", isFile: true,
                isOptional: true, isRepeated: true)
        ],
        options: [quiet, json, limit],
        discussion: """
            Reads every value of a keyed archive: references need objects, objects need class entries, and objects of \
            Foundation need the contents of their classes. All problems are reported, with the object and a path to it. \
            Other property lists, and typedstreams, are read up to the first problem.

            An archive with a checksum is compared with it: a note says that it matches, and a problem that it does not. \
            Without a note, the archive has none.

            Unreferenced objects are no damage; a note lists them. Others list keys that a dictionary has twice, and say how \
            deep objects are nested, if decoding them may need more stack than a thread has.

            The exit status is 0 if no file is damaged, 1 if one is, and 3 if one cannot be read or is of another kind.
            """,
        examples: [
            .init("archivetool check *.plist", "Checks several files."),
            .init("archivetool check --quiet farm.plist || echo damaged", "In a script."),
            .init("archivetool check --json farm.plist", "For a program."),
        ],
        run: { arguments, session in
            let limit = try arguments.integer(limit, in: 1...1_000_000) ?? 1000
            var status = ExitStatus.success
            var results: [FileCheck] = []
            let operands: [String?] = arguments.operands.isEmpty ? [nil] : arguments.operands
            for operand in operands {
                do {
                    let result = try FileCheck(InputSource(operand, in: session), limit: limit, session.progress)
                    if !result.problems.isEmpty, status == .success { status = .found }
                    if arguments.has(json) {
                        results.append(result)
                    } else if !arguments.has(quiet) {
                        result.write(to: session.output)
                    }
                } catch let error as ToolError where error.status == .unreadable {
                    session.output.flush()
                    status = session.report(error)
                }
            }
            if arguments.has(json), !arguments.has(quiet) { FileCheck.writeJSON(results, to: session.output) }
            return status
        })
}
