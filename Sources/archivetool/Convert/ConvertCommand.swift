// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

extension Command {
    static let convert = Command(
        name: "convert",
        summary: "Convert between binary and XML property lists and JSON.",
        operands: [.input],
        options: [ConvertCommand.target, ConvertCommand.compact, ConvertCommand.replacing],
        discussion: """
            Converts keyed archives and other property lists. Old text property lists, “.strings” files and JSON are read as \
            property lists.

                binary         the binary property list (also: binary1, bplist)
                xml            the XML property list (also: xml1)
                json           a tree to read or to search
                json-lossless  every value, which can be converted back

            In “json”, objects have their class under “$class”, and repeated references are a “$ref” to an “$id”; it cannot \
            be converted back. Typedstreams can be converted to “json” only. docs/archivetool.md describes both forms.

            XML has no 32-bit reals, no nulls, no sets, and no fractions of seconds, and a dictionary {"CF$UID": 5} is a \
            uid there. A note reports a value that changes. \
            XML also has no control characters except tab, line feed and carriage return, and no U+FFFE and U+FFFF; a text \
            with one is an error, which --replace-unrepresentable avoids.
            """,
        examples: [
            .init("archivetool convert farm.plist --to xml", "Writes XML to standard output."),
            .init("archivetool convert farm.plist --to binary -o farm.plist", "Replaces a file by its conversion."),
            .init("archivetool convert farm.plist --to json | jq '.\"$top\".root.name'", "For another program."),
            .init(
                "archivetool convert farm.plist --to json-lossless -o farm.json", "To edit it as text, and then:"),
            .init("archivetool convert farm.json --to binary -o farm.plist", "Converts it back."),
        ],
        run: { try ConvertCommand(arguments: $0, session: $1).run() })
}

private struct ConvertCommand {
    let arguments: Arguments
    let session: Session

    static let target = Option(
        name: "to", letter: "t", value: "FORM",
        choices: Form.allCases.map(\.rawValue) + Form.otherNames.keys.sorted(),
        help: "The form to convert to: binary, xml, json or json-lossless.")
    static let compact = Option(name: "compact", help: "Write JSON on one line.")
    static let replacing = Option(
        name: "replace-unrepresentable",
        help: "In “xml”, write U+FFFD for each character that XML does not have, and report their number.")

    private enum Form: String, CaseIterable {
        case binary
        case xml
        case json
        case lossless = "json-lossless"

        static let otherNames: [String: Form] = [
            "binary1": .binary, "bplist": .binary, "bplist00": .binary, "xml1": .xml, "lossless": .lossless,
        ]
    }

    func run() throws -> ExitStatus {
        guard let form = arguments.value(Self.target).flatMap({ Form(rawValue: $0) ?? Form.otherNames[$0] }) else {
            throw ToolError(.usage, "--to is missing: one of “binary”, “xml”, “json” and “json-lossless”")
        }
        if form == .binary { try session.checkBinaryOutput() }
        let input = try Input(arguments.operands.first, in: session)
        guard form != .json else {
            var writer = writer
            try ReadableTree.write(input, to: &writer)
            return .success
        }
        session.progress.begin("converting \(input.name)")
        switch input.content {
        case .archive(let archive):
            try write(
                { try archive.propertyList() }, { try archive.data(format: $0) }, from: ListForm(archive.format),
                as: form)
        case .propertyList(let list, let original, _):
            if original == .json { session.note("\(input.name) is JSON, which is read as a property list") }
            func data(_ format: PropertyListFormat) throws -> Data {
                guard ListForm(format) == original else { return try list.data(format: format) }
                // The bytes of a list in the right format stay. But this reader accepts characters that XML does not have.
                if format == .xml { _ = try list.data(format: .xml) }
                return try input.source.data()
            }
            try write({ list }, data, from: original, as: form)
        case .typedStream:
            throw ToolError(
                .usage, "\(input.name) is a typedstream, which has no keys: it can be converted to “json” only")
        }
        return .success
    }

    private var writer: JSONWriter { JSONWriter(to: session.output, isCompact: arguments.has(Self.compact)) }

    private func write(
        _ list: () throws -> PropertyList, _ data: (PropertyListFormat) throws -> Data, from original: ListForm,
        as form: Form
    ) throws {
        switch form {
        case .binary: session.output.write(bytes: try data(.binary))
        case .xml:
            var changed: PropertyList?
            var count = 0
            if arguments.has(Self.replacing) {
                let (list, replaced) = try list().replacingCharactersUnrepresentableInXML()
                if replaced > 0 { (changed, count) = (list, replaced) }
            }
            session.output.write(bytes: try changed?.data(format: .xml) ?? data(.xml))
            if count > 0 {
                session.note(
                    "\(count == 1 ? "1 character that XML does not have is" : "\(count) characters that XML does not have are")"
                        + " now U+FFFD")
            }
            guard original != .xml else { break }
            let kept = try changed ?? list()
            if kept.isChangedByXML {
                session.note(
                    "XML does not hold all of it: dates lose fractions of a second, and 32-bit reals become 64-bit reals;"
                        + " json-lossless keeps everything")
            }
            if kept.hasUIDsOfXML {
                session.note(
                    "a dictionary whose only entry is CF$UID with an integer is a uid in XML; json-lossless keeps it")
            }
        case .json, .lossless:
            var writer = writer
            LosslessJSON.write(try list(), to: &writer)
        }
    }
}

extension PropertyList {
    /// Whether XML holds other values for it: it has no fractions of seconds, and no 32-bit reals.
    fileprivate var isChangedByXML: Bool {
        var isChanged = false
        forEachLeaf { leaf in
            switch leaf {
            case .date(let date):
                let seconds = date.timeIntervalSinceReferenceDate
                if seconds != seconds.rounded(.down) { isChanged = true }
            case .real32: isChanged = true
            default: break
            }
        }
        return isChanged
    }

    /// Whether a dictionary in it has the form of a uid in XML.
    fileprivate var hasUIDsOfXML: Bool {
        var isFound = false
        forEachDictionary { entries in
            if entries.count == 1, entries[0].key == "CF$UID", case .integer = entries[0].value { isFound = true }
        }
        return isFound
    }
}
