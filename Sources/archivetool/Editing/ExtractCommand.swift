import Archiving
import SequentialArchiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Command {
    /// The command `extract`.
    static let extract = Command(
        name: "extract",
        summary: "Make an archive of one part of another.",
        operands: [.input],
        options: Selection.options + [Extraction.format, Extraction.raw],
        discussion: """
            The new archive has the part under the key “root”, with everything that it leads to, and nothing else: what a \
            program decodes from it is what it would have decoded there. References that lead out of the part are kept, so \
            that an object which refers to its owner takes the owner along. Objects are numbered anew; the name of the \
            archiver and the format stay.

            Of a property list, the part is a property list; of a typedstream, --uid chooses an object, which becomes a \
            typedstream.
            """,
        examples: [
            Example(
                "archivetool extract farm.archive --path owner -o owner.archive", "The owner, in a file of its own."),
            Example("archivetool extract farm.archive --path photo --raw -o photo.png", "The bytes of data."),
        ],
        run: { try Extraction(arguments: $0, session: $1).run() })
}

/// What `extract` does.
private struct Extraction {
    let arguments: Arguments
    let session: Session

    static let format = Option(
        name: "format", letter: "f", value: "FORMAT", choices: ["binary", "xml", "plist"],
        help:
            "“binary” or “xml”. Unless it is given, that of FILE. “plist” is the plain property list that the archive means:"
            + " arrays, dictionaries and values, without the archive.")
    static let raw = Option(
        name: "raw", help: "Write the bytes of data, or the text of a string in UTF-8, and no archive.")

    func run() throws -> ExitStatus {
        let isPlain = arguments.value(Self.format) == "plist"
        guard arguments.has(Selection.path) || arguments.has(Selection.uid) || isPlain else {
            throw ToolError(.usage, "Which part? --path or --uid says it; “archivetool show” shows what there is")
        }
        let input = try Input(arguments.operands.first, in: session)
        session.progress.begin("extracting from \(input.name)")
        defer { session.progress.end() }
        switch input.content {
        case .archive(let archive):
            try write(Selection.value(in: archive, arguments) ?? archive.root, of: archive, input)
        case .propertyList(let list, let format, _):
            if arguments.has(Selection.uid) {
                throw ToolError(.usage, "\(input.name) is a property list, whose values have no uids; use --path")
            }
            let part = try ValuePath(arguments.value(Selection.path) ?? "").value(in: list)
            try write(part, format.written, bytes: part.rawBytes)
        case .typedStream(let stream): try write(stream, input)
        }
        return .success
    }

    private func write(_ value: KeyedArchive.Value, of archive: KeyedArchive, _ input: Input) throws {
        if let damage = value.damage {
            throw ToolError(.unreadable, "That part of \(input.name) is damaged: \(damage)")
        }
        if arguments.has(Self.raw) {
            return try write(raw: value.data ?? value.string.map { Data($0.utf8) }, value.className ?? "\(value.kind)")
        }
        let list: PropertyList
        do {
            if arguments.value(Self.format) == "plist" {
                let byteCount = input.source.byteCount
                let graph = try ContentGraph(value, byteCount: byteCount, detail: .values)
                var tree = ReadableTree(graph, .plain, repeats: true, byteCount: byteCount)
                var root = try? tree.tree().root
                if root == nil {
                    // Where all know each other, as in a nib, there is no end of repetitions.
                    tree = ReadableTree(graph, .plain, byteCount: byteCount)
                    root = try tree.tree().root
                }
                list = root.map { $0.isNull ? "" : $0 } ?? ""
                if tree.cutCount > 0 {
                    session.note("\(tree.cutCount) references to what is there already are {$ref: number}")
                }
                return try write(list, archive.format, bytes: nil)
            }
            list = try ArchivePart.propertyList(of: value, byteCount: input.source.byteCount)
        } catch let error as ContentGraph.Unfolding {
            throw ToolError(.unreadable, "That part of \(input.name) cannot be extracted: \(error)")
        } catch let error as KeyedArchiveError {
            throw ToolError(.unreadable, "That part of \(input.name) is damaged: \(error)")
        }
        try write(list, archive.format, bytes: nil)
    }

    private func write(_ list: PropertyList, _ original: PropertyListFormat, bytes: Data?) throws {
        if arguments.has(Self.raw) { return try write(raw: bytes, "value of another kind") }
        let format: PropertyListFormat =
            switch arguments.value(Self.format) {
            case "binary": .binary
            case "xml": .xml
            default: original
            }
        if format == .binary { try session.checkBinaryOutput() }
        do throws(PropertyListError) {
            session.output.write(bytes: try list.data(format: format))
        } catch {
            throw ToolError(.unreadable, "That part cannot be written in this format: \(error)")
        }
    }

    private func write(raw bytes: Data?, _ kind: String) throws {
        guard let bytes else {
            throw ToolError(
                .unreadable,
                "--raw writes data and strings, and that part (\(VisibleText.name(kind))) is neither; leave --raw out")
        }
        session.output.write(bytes: bytes)
    }

    private func write(_ stream: TypedStream, _ input: Input) throws {
        guard let number = try arguments.integer(Selection.uid, in: 0...Int(UInt32.max)) else {
            throw ToolError(.usage, "\(input.name) is a typedstream, whose values have no keys; use --uid")
        }
        guard stream.objects.indices.contains(number) else {
            throw ToolError(
                .unreadable,
                "There is no object #\(number) in \(input.name): it has \(stream.objects.count), from #0 on")
        }
        if arguments.has(Self.raw) || arguments.has(Self.format) {
            throw ToolError(.usage, "\(input.name) is a typedstream, for which there are neither --raw nor --format")
        }
        try session.checkBinaryOutput()
        session.output.write(bytes: try TypedStreamPart.stream(of: number, in: stream).data())
    }
}

extension PropertyList {
    /// The bytes of data, or of the text of a string; nil for others.
    fileprivate var rawBytes: Data? {
        switch self {
        case .data(let data): data
        case .string(let text): Data(text.utf8)
        default: nil
        }
    }
}

extension Session {
    /// Checks that binary data would not go to a terminal.
    func checkBinaryOutput() throws(ToolError) {
        guard surroundings.isOutputTerminal else { return }
        throw ToolError(
            .usage, "Binary data is not written to a terminal; name a file with --output, or pipe it somewhere")
    }
}
