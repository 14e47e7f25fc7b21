// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import SequentialArchiving

extension Command {
    static let show = Command(
        name: "show",
        summary: "Show an archive, a property list or a typedstream as a tree.",
        operands: [.input],
        options: Selection.options + ShowCommand.options,
        discussion: """
            Writes each key with its value. The kind of the file is detected from its bytes.

            The contents of an object are written once, at the first reference to it. Another reference is marked “(above)”; \
            “(below)” if the object has a section of its own further down; and “(cycle)” within the object. #7 is the object \
            with the uid 7, which “--uid 7” shows alone. “nil” may be a conditional reference to an object that was not \
            archived. Damage is shown in its place.

            Control characters of a file never reach the terminal.
            """,
        examples: [
            .init("archivetool show farm.plist", "The whole archive."),
            .init("archivetool show farm.plist --path owner/name", "The “name” of the “owner” of the root object."),
            .init("archivetool show farm.plist --path animals/0 --depth 1", "The first animal and its fields."),
            .init("archivetool show farm.plist --path /root", "From the top, where the keys of the archiver are."),
            .init("archivetool show document.sketch --nested", "With the archives in data."),
            .init("archivetool show farm.plist --classes", "The classes and their superclasses."),
            .init("archivetool show farm.plist --path 'animals[0]' --json | jq .name", "For another program."),
            .init("cat farm.plist | archivetool show --color always | less -R", "Page by page, in colour."),
        ],
        run: { try ShowCommand(arguments: $0, session: $1).run() })
}

private struct ShowCommand {
    let arguments: Arguments
    let session: Session

    static let depth = Option(name: "depth", value: "N", help: "Show N levels of contents; “…” marks the others.")
    static let nested = Option(name: "nested", help: "Show archives, property lists and typedstreams in data.")
    static let nestedLimit = Option(
        name: "nested-limit", value: "N", help: "Show N levels of archives in archives (4 by default).")
    static let classes = Option(name: "classes", help: "List only the classes, with their superclasses.")
    static let bytes = Option(name: "bytes", value: "N", help: "Show N bytes of data (16 by default).")
    static let characters = Option(
        name: "characters", value: "N", help: "Show N characters of a string (200 by default).")
    static let noUIDs = Option(
        name: "no-uids",
        help: "Hide the uids of objects with only one reference. With --json, number shared objects for each class.")
    static let json = Option(name: "json", help: "Write the file, the part or the classes as JSON, for programs.")
    private static let layout = [depth, nested, nestedLimit, bytes, characters]
    static let options = layout + [noUIDs, classes, json]

    func run() throws -> ExitStatus {
        if arguments.has(Self.json), let option = Self.layout.first(where: { arguments.has($0) }) {
            throw ToolError(
                .usage, "\(option.spelling) is for the tree, and --json writes all values; leave one of them out")
        }
        let input = try Input(arguments.operands.first, in: session)
        if arguments.has(Self.classes) {
            let list = try ClassList(input)
            if arguments.has(Self.json) {
                list.writeJSON(to: session.output)
            } else {
                list.write(to: session.output)
            }
            return .success
        }
        if arguments.has(Self.json) {
            var writer = JSONWriter(to: session.output)
            try ReadableTree.write(
                input, part: Selection.part(of: input, arguments), hidesUIDs: arguments.has(Self.noUIDs), to: &writer)
            return .success
        }
        var target = TreeColors(to: session.output)
        let options = try dumpOptions()
        var unopenedCount = 0
        let nested =
            try nestedContents(input, options)
            ?? { data in
                if NestedContents.canOpen(data) { unopenedCount += 1 }
                return nil
            }
        if case .typedStream(let stream) = input.content {
            if let option = (Selection.options + [Self.depth]).first(where: { arguments.has($0) }) {
                throw ToolError(
                    .usage, "\(input.name) is a typedstream, which is shown whole; leave \(option.spelling) out")
            }
            target.write(stream.description)
            writeData(in: stream, nested, to: &target)
        } else {
            let part = try Selection.part(of: input, arguments)
            switch part ?? input.whole {
            case .value(let value) where part != nil: options.write(value, nested, to: &target)
            case .value(let top): options.write(top.archive, nested, to: &target)
            case .list(let list):
                guard case .propertyList(_, let form, let refusal) = input.content else { break }
                if refusal.code != .notAnArchive { session.note("shown as a property list: \(refusal)") }
                PropertyListTree(options: options, textOfData: nested)
                    .write(list, format: part == nil ? form : nil, to: &target)
            case .stream: break
            }
        }
        target.write("\n")
        target.finish()
        if unopenedCount > 0 {
            session.note("data contains archives or property lists (\(unopenedCount)): --nested shows them")
        }
        return .success
    }

    private func dumpOptions() throws -> TreeOptions {
        TreeOptions(
            byteLimit: try arguments.integer(Self.bytes, in: 0...Int.max) ?? 16,
            stringLimit: try arguments.integer(Self.characters, in: 0...Int.max) ?? 200,
            depthLimit: try arguments.integer(Self.depth, in: 0...Int.max) ?? .max,
            showsUIDs: !arguments.has(Self.noUIDs))
    }

    private func nestedContents(
        _ input: Input, _ options: TreeOptions
    ) throws -> ((Data) -> String?)? {
        let limit = try arguments.integer(Self.nestedLimit, in: 0...16)
        guard arguments.has(Self.nested) || limit != nil else { return nil }
        let contents = NestedContents(levelLimit: limit ?? 4, byteCount: input.source.byteCount, dump: options)
        return { contents.text(of: $0) }
    }

    /// Writes the archives in the data of a typedstream after its tree, which the library writes.
    private func writeData(in stream: TypedStream, _ nested: (Data) -> String?, to target: inout TreeColors) {
        for (index, object) in stream.objects.enumerated() {
            for case .bytes(let bytes?) in object.groups.lazy.flatMap(\.values) {
                guard let text = nested(Data(bytes)) else { continue }
                target.write("\n\nIn the data of #\(index):")
                for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                    target.write(line.isEmpty ? "\n" : "\n    " + line)
                }
            }
        }
    }
}
