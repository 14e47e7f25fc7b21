// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving

extension Command {
    private static let file = Operand(name: "FILE", help: "The file to read; “-” for standard input.", isFile: true)
    private static let path = Operand(
        name: "PATH", help: "Keys and positions, such as animals[0].name or animals/0/name.")
    private static let placeOrAll = Operand(
        name: "PATH", help: "The place of the value; with --where, it may be missing.", isOptional: true)
    private static let value = Operand(name: "VALUE", help: "The value, of the type of an option.", isOptional: true)
    private static let paragraph = """


        All other values keep their uids and their order. The format stays that of FILE; a text becomes XML. A removed \
        value may stay in an archive, since other objects may reference it: --compact removes unreferenced objects, and \
        renumbers the others.
        """

    private static func changing(
        _ name: String, _ summary: String, _ operands: [Operand], types: Bool = false, where condition: Bool = false,
        _ discussion: String, _ examples: [Example],
        _ change: @escaping @Sendable (inout FileChange, Arguments) throws -> Void
    ) -> Command {
        Command(
            name: name, summary: summary, operands: operands,
            options: [Destination.inPlace, FileChange.compact] + (condition ? [FileChange.condition] : [])
                + (types ? ValueType.options : []),
            discussion: discussion + paragraph, examples: examples,
            run: { arguments, session in
                let destination = try Destination(arguments, in: session)
                var file = try FileChange(Input(arguments.operands[0], in: session))
                do {
                    try change(&file, arguments)
                    try file.write(to: destination, isCompact: arguments.has(FileChange.compact), in: session)
                } catch let error as KeyedArchiveError {
                    throw ToolError(.unreadable, "\(file.name) cannot be changed like this: \(error)")
                }
                return .success
            })
    }

    static let set = changing(
        "set", "Replace a value, or add one under a new key.", [file, path, value], types: true, where: true,
        """
        Without an option, the value has the type of the existing one, which must be a leaf. Other references to the old \
        value stay.

        With --where, PATH begins at each object whose fields satisfy the condition, which “find” describes. The exit \
        status is 1, and nothing is written, if there is none.
        """,
        [
            Example("archivetool set farm.plist name -string \"Blue Hill\" --in-place", "Changes the file."),
            Example("archivetool set farm.plist animals/0/milk -json '[18, 19]' -o new.plist", "Adds a list."),
            Example(
                "archivetool set farm.plist milk -integer 20 --where 'name == \"Bella\"' -i", "Changes all objects of a name."),
        ]
    ) { file, arguments in try file.changeEach(arguments) { try $0.set($1, arguments, isNew: false) } }

    static let insert = changing(
        "insert", "Insert a value before an element, at the end of a list, or under a new key.",
        [file, path, value], types: true,
        "The last step of PATH is the position of the value in the changed list, or the new key.",
        [Example("archivetool insert list.plist milk/0 -integer 17", "Inserts before the first element.")]
    ) { try $0.set(ValuePath($1.operands[1]), $1, isNew: true) }

    static let remove = changing(
        "remove", "Remove an element or a key.", [file, placeOrAll], where: true,
        """
        Objects that the value references stay.

        With --where, PATH begins at each object whose fields satisfy the condition, which “find” describes. Without \
        PATH, the references to these objects are removed.
        """,
        [
            Example("archivetool remove farm.plist animals/0 --compact -o new.plist", "Removes a cow and its objects."),
            Example("archivetool remove farm.plist --where 'milk < 10' --in-place", "Removes the objects from lists."),
        ]
    ) { file, arguments in try file.changeEach(arguments) { try $0.remove($1) } }

    static let move = changing(
        "move", "Move a value to another place.", [file, path, Operand(name: "TO", help: "The new place.")],
        "TO is the place of the value in the changed file. An object keeps its identity.",
        [Example("archivetool move farm.plist animals/0 animals/2", "Moves the first animal behind the two next ones.")]
    ) { try $0.move(ValuePath($1.operands[1]), to: ValuePath($1.operands[2])) }

    static let compact = Command(
        name: "compact", summary: "Remove unreferenced objects, and renumber the others.",
        operands: [file], options: [Destination.inPlace],
        discussion: """
            Objects get new uids in the order of a search from the top in breadth, so archives with equal contents become \
            equal. The format and the name of the archiver stay.
            """,
        examples: [Example("archivetool compact farm.plist --in-place", "Replaces the file.")],
        run: { arguments, session in
            let destination = try Destination(arguments, in: session)
            let input = try Input(arguments.operands[0], in: session)
            let archive = try input.archive(for: "compact")
            let list: PropertyList
            do {
                list = try ArchivePart.propertyList(
                    of: archive.top, byteCount: input.source.byteCount, session.progress)
            } catch let error as ContentGraph.Refusal {
                throw ToolError(.unreadable, "\(input.name) cannot be renumbered: \(error)")
            }
            session.progress.begin("writing the changed file")
            try destination.write(list.data(format: archive.format), isBinary: archive.format == .binary)
            let count = archive.objects.count - archive.unreachableObjects.count
            session.note("\(count) of \(archive.objects.count) objects stay")
            return .success
        })
}
