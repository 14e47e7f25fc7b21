import ArchiveInspection
import Archiving
import SequentialArchiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Command {
    /// The command `show`.
    static let show = Command(
        name: "show",
        summary: "Show an archive, a property list or a typedstream as a tree.",
        operands: [.input],
        options: Selection.options + ShowCommand.options,
        discussion: """
            Writes what is under each key, and what that leads to. What the file is, is found out from its bytes.

            The contents of an object are written once, where something refers to it first. Elsewhere it is “(above)”, or \
            “(below)” where it has a section of its own further down, or “(cycle)” inside itself. #7 is the object with \
            the uid 7, which “--uid 7” shows alone. “nil” is nothing: also a conditional reference to an object that \
            nothing else archived. What is damaged says so, and the rest is shown all the same.

            Nothing in a file can reach the terminal as anything but visible characters.
            """,
        examples: [
            .init("archivetool show farm.plist", "The whole archive."),
            .init(
                "archivetool show farm.plist --path owner/name", "What is under “name” of the root object's “owner”."),
            .init(
                "archivetool show farm.plist --path animals/0 --depth 1",
                "The first animal, without what is in its contents."),
            .init("archivetool show farm.plist --path /root", "From the top on, where the keys of the archiver are."),
            .init("archivetool show document.sketch --nested", "Archives inside of data are opened."),
            .init("archivetool show farm.plist --classes", "Only the classes, with those they inherit from."),
            .init("cat farm.plist | archivetool show --color always | less -R", "Page by page, in colour."),
        ],
        run: { try ShowCommand(arguments: $0, session: $1).run() })
}

/// What `show` does.
private struct ShowCommand {
    let arguments: Arguments
    let session: Session

    static let depth = Option(
        name: "depth", value: "N", help: "Show N levels of contents; what is left out is marked with “…”.")
    static let nested = Option(
        name: "nested", help: "Open archives, property lists and typedstreams inside of data, and show them there.")
    static let nestedLimit = Option(
        name: "nested-limit", value: "N",
        help: "Levels of archives in archives that --nested opens: 4 unless said otherwise.")
    static let classes = Option(
        name: "classes",
        help: "List the classes that the file describes, with those they inherit from, and nothing else.")
    static let bytes = Option(name: "bytes", value: "N", help: "Show N bytes of data: 16 unless said otherwise.")
    static let characters = Option(
        name: "characters", value: "N", help: "Show N characters of a string: 200 unless said otherwise.")
    static let noUIDs = Option(
        name: "no-uids", help: "Leave out the uids of objects that only one place refers to.")
    static let options = [depth, nested, nestedLimit, classes, bytes, characters, noUIDs]

    func run() throws -> ExitStatus {
        let input = try Input(arguments.operands.first, in: session)
        if arguments.has(Self.classes) {
            session.progress.begin("listing the classes of \(input.name)")
            try ClassList(output: session.output).write(input)
            return .success
        }
        session.progress.begin("showing \(input.name)")
        var target = TreeColors(to: session.output)
        let options = try dumpOptions()
        var unopenedCount = 0
        let nested =
            try nestedContents(input, options)
            ?? { data in
                if NestedContents.canOpen(data) { unopenedCount += 1 }
                return nil
            }
        switch input.content {
        case .archive(let archive):
            if let part = try Selection.value(in: archive, arguments) {
                part.dump(to: &target, options: options, textOfData: nested)
            } else {
                archive.dump(to: &target, options: options, textOfData: nested)
            }
        case .propertyList(let list, let format, let refusal):
            try writeList(list, format, refusal, options, nested, to: &target)
        case .typedStream(let stream):
            if let option = (Selection.options + [Self.depth]).first(where: { arguments.has($0) }) {
                throw ToolError(
                    .usage, "\(input.name) is a typedstream, which is shown whole: \(option.spelling) is for archives")
            }
            target.write(stream.description)
            writeData(in: stream, nested, to: &target)
        }
        target.write("\n")
        target.finish()
        if unopenedCount > 0 {
            session.note(
                unopenedCount == 1
                    ? "there is an archive or a list inside of data: --nested opens it"
                    : "there are \(unopenedCount) archives or lists inside of data: --nested opens them")
        }
        return .success
    }

    private func dumpOptions() throws -> KeyedArchive.DumpOptions {
        KeyedArchive.DumpOptions(
            byteLimit: try arguments.integer(Self.bytes, in: 0...Int.max) ?? 16,
            stringLimit: try arguments.integer(Self.characters, in: 0...Int.max) ?? 200,
            depthLimit: try arguments.integer(Self.depth, in: 0...Int.max) ?? .max,
            showsUIDs: !arguments.has(Self.noUIDs))
    }

    private func nestedContents(
        _ input: Input, _ options: KeyedArchive.DumpOptions
    ) throws -> ((Data) -> String?)? {
        let limit = try arguments.integer(Self.nestedLimit, in: 0...16)
        guard arguments.has(Self.nested) || limit != nil else { return nil }
        let contents = NestedContents(levelLimit: limit ?? 4, byteCount: input.source.byteCount, dump: options)
        return { contents.text(of: $0) }
    }

    private func writeList(
        _ list: PropertyList, _ format: ListForm, _ refusal: KeyedArchiveError,
        _ options: KeyedArchive.DumpOptions, _ nested: @escaping (Data) -> String?, to target: inout TreeColors
    ) throws {
        if arguments.has(Selection.uid) {
            throw ToolError(.usage, "--uid is for keyed archives, and this is none: \(refusal)")
        }
        if refusal.code != .notAnArchive { session.note("shown as a property list: \(refusal)") }
        let tree = PropertyListTree(
            byteLimit: options.byteLimit, stringLimit: options.stringLimit, depthLimit: options.depthLimit,
            textOfData: nested)
        if let path = arguments.value(Selection.path) {
            tree.write(try ValuePath(path).value(in: list), format: nil, to: &target)
        } else {
            tree.write(list, format: format, to: &target)
        }
    }

    /// Writes what is in the data of a typedstream, below it: the lines of its objects are the library's.
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
