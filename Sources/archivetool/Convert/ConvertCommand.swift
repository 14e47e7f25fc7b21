import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Command {
    /// The command `convert`.
    static let convert = Command(
        name: "convert",
        summary: "Convert between binary and XML property lists and JSON.",
        operands: [.input],
        options: [ConvertCommand.target, ConvertCommand.compact],
        discussion: """
            Converts keyed archives and other property lists. Old text property lists, “.strings” files and ordinary JSON \
            are read as property lists, too:

                binary         the binary property list (also: binary1, bplist)
                xml            the XML property list (also: xml1)
                json           a tree to read or to search
                json-lossless  every value, from which the same list can be made again

            In “json”, objects have their class under “$class”, and what is met again is a “$ref” to an “$id”; it cannot be \
            converted back. Typedstreams can be converted to “json” only. \
            docs/archivetool.md describes both forms of JSON.

            XML has no 32-bit reals, no null and no set, and no fractions of seconds; a note says so where that changes a \
            value.
            """,
        examples: [
            .init("archivetool convert farm.plist --to xml", "XML on standard output."),
            .init(
                "archivetool convert farm.plist --to binary -o farm.plist", "A file may be replaced by its conversion."),
            .init(
                "archivetool convert farm.plist --to json | jq '.\"$top\".root.name'", "A value for another program."),
            .init(
                "archivetool convert farm.plist --to json-lossless -o farm.json", "To edit it in an editor, and then:"),
            .init("archivetool convert farm.json --to binary -o farm.plist", "Back from the lossless form."),
        ],
        run: { try ConvertCommand(arguments: $0, session: $1).run() })
}

/// What `convert` does.
private struct ConvertCommand {
    let arguments: Arguments
    let session: Session

    static let target = Option(
        name: "to", letter: "t", value: "FORM",
        choices: Form.allCases.map(\.rawValue) + Form.otherNames.keys.sorted(),
        help: "What to convert to: binary, xml, json or json-lossless.")
    static let compact = Option(name: "compact", help: "Write JSON on one line.")

    private enum Form: String, CaseIterable {
        case binary
        case xml
        case json
        case lossless = "json-lossless"

        static let otherNames: [String: Form] = [
            "binary1": .binary, "bplist": .binary, "bplist00": .binary, "xml1": .xml, "lossless": .lossless,
        ]

        init?(name: String) {
            guard let form = Form(rawValue: name) ?? Self.otherNames[name] else { return nil }
            self = form
        }
    }

    func run() throws -> ExitStatus {
        guard let form = arguments.value(Self.target).flatMap({ Form(name: $0) }) else {
            throw ToolError(.usage, "--to is missing: one of “binary”, “xml”, “json” and “json-lossless”")
        }
        if form == .binary, session.surroundings.isOutputTerminal {
            throw ToolError(
                .usage, "Binary data is not written to a terminal; name a file with --output, or pipe it somewhere")
        }
        let source = try InputSource(arguments.operands.first, in: session)
        let input = try Input(source, in: session)
        session.progress.begin("converting \(source.name)")
        if form == .json {
            try writeTree(input)
            return .success
        }
        switch input.content {
        case .archive(let archive):
            try write(archive.propertyList(), from: ListForm(archive.format), as: form) {
                format throws(PropertyListError) in
                try archive.data(format: format)
            }
        case .propertyList(let list, let written, _):
            if written == .json { session.note("\(input.name) is JSON, which is read as a property list") }
            try write(list, from: written, as: form) { format throws(PropertyListError) in
                // What is in the wanted format already is not written anew.
                ListForm(format) == written ? (try? source.data()) ?? Data() : try list.data(format: format)
            }
        case .typedStream:
            throw ToolError(
                .usage, "\(input.name) is a typedstream, which has no keys: it can be converted to “json” only")
        }
        return .success
    }

    private func write(
        _ list: PropertyList, from written: ListForm, as form: Form,
        _ data: (PropertyListFormat) throws(PropertyListError) -> Data
    ) throws {
        switch form {
        case .binary: session.output.write(bytes: try data(.binary))
        case .xml:
            let xml = try data(.xml)
            session.output.write(bytes: xml)
            if written != .xml { try noteLosses(from: list, to: xml) }
        case .json, .lossless:
            var writer = writer
            LosslessJSON.write(list, to: &writer)
        }
    }

    private var writer: JSONWriter { JSONWriter(to: session.output, isCompact: arguments.has(Self.compact)) }

    /// Writes readable JSON.
    private func writeTree(_ input: Input) throws(ToolError) {
        let byteCount = input.source.byteCount
        // What is in front of the tree.
        var file: PropertyList.Dictionary = [:]
        let graph: ContentGraph
        do throws(ContentGraph.Unfolding) {
            switch input.content {
            case .archive(let archive):
                file["$archiver"] = archive.archiver.map { .string($0) } ?? .null
                graph = try ContentGraph(archive.top, byteCount: byteCount, detail: .values)
            case .propertyList(let list, _, _): graph = try ContentGraph(list, byteCount: byteCount)
            case .typedStream(let stream):
                file["$typedstream"] = [
                    "version": .integer(Int128(stream.streamerVersion)),
                    "system": .integer(Int128(stream.systemVersion)),
                    "byteOrder": .string("\(stream.byteOrder)"),
                ]
                graph = try ContentGraph(stream, byteCount: byteCount)
            }
        } catch {
            throw ReadableTree.endless
        }
        var maker = ReadableTree(graph, .json, byteCount: byteCount)
        let (root, objects) = try maker.tree()
        file["$top"] = root
        if !objects.isEmpty { file["$objects"] = .array(objects) }
        var writer = writer
        writer.write(file.count > 1 ? .dictionary(file) : root)
    }

    /// Says where XML does not hold a value as it was, and where not everybody can read it.
    private func noteLosses(from list: PropertyList, to xml: Data) throws {
        if try PropertyList(xml) != list {
            session.note(
                "XML does not hold all of it: dates lose fractions of a second, and 32-bit reals become 64-bit ones of the"
                    + " same value; json-lossless keeps everything")
        }
        if xml.contains(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }) {
            session.note(
                "There are control characters in strings, which Apple's readers and this tool take as they are; strict"
                    + " readers of XML refuse them")
        }
    }
}
