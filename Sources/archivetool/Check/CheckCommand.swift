import Archiving

extension Command {
    private static let quiet = Option(name: "quiet", letter: "q", help: "Write nothing; the exit status says it.")
    private static let json = Option(name: "json", help: "Write JSON, for programs.")
    private static let limit = Option(
        name: "limit", value: "N", help: "Stop after N problems of a file: 1000 unless said otherwise.")

    /// The command `check`.
    static let check = Command(
        name: "check",
        summary: "Check files, and say everything that is wrong with them.",
        operands: [
            Operand(
                name: "FILE", help: "The files to check; “-”, or nothing, for standard input.", isOptional: true,
                isRepeated: true)
        ],
        options: [quiet, json, limit],
        discussion: """
            Of a keyed archive, every value is read: references and uids have to lead somewhere, objects need classes that \
            are described, and objects of Foundation's what such objects have. All problems are told, with the object and a \
            way to it. Property lists that are no archives, and typedstreams, are read up to the first thing that is \
            wrong: what follows it cannot be told apart.

            Objects that nothing refers to are no damage; a note tells of them.

            The exit status is 0 if nothing is wrong with any file, 1 if one is damaged, and 3 if one cannot be read \
            or is nothing of the kind.
            """,
        examples: [
            .init("archivetool check *.plist", "All of these."),
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
                    let result = try FileCheck(InputSource(operand, in: session), limit: limit, in: session)
                    if !result.problems.isEmpty, status == .success { status = .found }
                    if arguments.has(json) {
                        results.append(result)
                    } else if !arguments.has(quiet) {
                        result.write(to: session.output)
                    }
                } catch let error as ToolError where error.status == .unreadable {
                    // The others are checked all the same.
                    session.output.flush()
                    status = session.report(error)
                }
                session.progress.end()
            }
            if arguments.has(json), !arguments.has(quiet) { FileCheck.writeJSON(results, to: session.output) }
            return status
        })
}
