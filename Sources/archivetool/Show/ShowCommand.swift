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
            case .value(let value) where part != nil: value.dump(to: &target, options: options, textOfData: nested)
            case .value(let top): top.archive.dump(to: &target, options: options, textOfData: nested)
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

struct ClassList {
    private struct Entry {
        let number: Int
        let name: String
        let version: Int
        let superclasses: [String]
        let count: Int
        var fallbacks: [String] = []
    }

    private var entries: [Entry] = []

    /// - Throws: `ToolError` if `input` is a property list that is no archive.
    init(_ input: Input) throws {
        switch input.content {
        case .archive(let archive): add(archive)
        case .typedStream(let stream): add(stream)
        case .propertyList: _ = try input.archive(for: "show --classes")
        }
    }

    private mutating func add(_ archive: KeyedArchive) {
        var counts: [UInt32: Int] = [:]
        for object in archive.objects {
            if let uid = object.classUID { counts[uid, default: 0] += 1 }
        }
        entries = archive.classes.map { described in
            // The chain begins with the class itself, unless the archive has it under another name.
            let superclasses =
                described.chain.first == described.name ? described.chain.dropFirst() : described.chain[...]
            return Entry(
                number: Int(described.uid), name: described.name, version: described.versions.first ?? 0,
                superclasses: Array(superclasses), count: counts[described.uid] ?? 0, fallbacks: described.fallbacks)
        }
    }

    private mutating func add(_ stream: TypedStream) {
        var counts: [Int: Int] = [:]
        for object in stream.objects { counts[object.classIndex, default: 0] += 1 }
        entries = stream.classes.enumerated().map { index, described in
            let chain = stream.classChain(of: TypedStream.Object(classIndex: index)).dropFirst()
            return Entry(
                number: index, name: described.name, version: described.version, superclasses: chain.map(\.name),
                count: counts[index] ?? 0)
        }
    }

    // MARK: - Reports

    private static let nameLimit = 32

    func write(to output: Output) {
        if entries.isEmpty { output.write("no classes\n", .heading) }
        for entry in entries {
            output.write("#\(entry.number)", .uid)
            output.write(" ")
            output.write(VisibleText.name(entry.name), .className)
            if entry.version != 0 { output.write(" version \(entry.version)") }
            output.write(list(entry.superclasses, first: " > ", separator: " > "))
            if !entry.fallbacks.isEmpty {
                output.write(list(entry.fallbacks, first: " (or else ", separator: ", ") + ")")
            }
            output.write(", \(counted(entry.count, "object"))\n")
        }
    }

    private func list(_ names: [String], first: String, separator: String) -> String {
        guard !names.isEmpty else { return "" }
        let shown =
            names.prefix(Self.nameLimit).map { VisibleText.name($0) } + (names.count > Self.nameLimit ? ["…"] : [])
        return first + shown.joined(separator: separator)
    }

    /// Writes an object for each class, with as many superclasses as the text has.
    func writeJSON(to output: Output) {
        let list = entries.map { entry in
            func names(_ names: [String]) -> PropertyList { .array(names.prefix(Self.nameLimit).map { .string($0) }) }
            return PropertyList.fields([
                ("uid", .count(entry.number)), ("class", .string(entry.name)), ("version", .count(entry.version)),
                ("superclasses", names(entry.superclasses)),
                ("fallbacks", entry.fallbacks.isEmpty ? nil : names(entry.fallbacks)), ("objects", .count(entry.count)),
            ])
        }
        output.write(json: .array(list), inline: { $0.dictionary != nil })
    }
}

/// Archives, property lists and typedstreams in data, which may have data with more of them.
final class NestedContents {
    private let dump: KeyedArchive.DumpOptions
    private let levelLimit: Int
    private var level = 0
    /// Bytes of data that may still be opened. Archives may contain the same data many times.
    private var budget: Int

    init(levelLimit: Int, byteCount: Int, dump: KeyedArchive.DumpOptions) {
        self.levelLimit = levelLimit
        self.dump = dump
        budget = 1 << 20 + 16 * min(byteCount, 1 << 40)
    }

    /// Whether `data` begins as an archive, a property list or a typedstream does.
    static func canOpen(_ data: Data) -> Bool {
        // XML may begin with white space, of which this reads only some.
        TypedStream.isTypedStream(data) || PropertyListFormat(detectedIn: data.prefix(64)) != nil
    }

    /// The contents of `data` as lines; nil if it cannot be opened.
    func text(of data: Data) -> String? {
        guard level < levelLimit, Self.canOpen(data) else { return nil }
        budget -= data.count
        guard budget >= 0 else { return "… (too much data: the rest is not opened)" }
        level += 1
        defer { level -= 1 }
        if TypedStream.isTypedStream(data) { return (try? TypedStream(data))?.description }
        var text = ""
        do {
            try KeyedArchive(data).dump(to: &text, options: dump, textOfData: self.text)
        } catch {
            guard let list = try? PropertyList(data) else { return nil }
            PropertyListTree(options: dump, textOfData: self.text)
                .write(list, format: PropertyListFormat(detectedIn: data).map { ListForm($0) }, to: &text)
        }
        budget -= text.utf8.count / 64
        return text
    }
}

/// Writes a property list that is no archive as a tree, in the form of the library's trees of archives.
struct PropertyListTree {
    /// The levels of indentation. Deeper levels are numbered.
    private static let indentationLimit = 16

    let options: KeyedArchive.DumpOptions
    let textOfData: (Data) -> String?

    private struct Frame {
        /// The labels and values, except for positions of elements.
        let contents: [(label: String?, value: PropertyList)]
        let level: Int
        var next = 0
    }

    /// Writes `list`, without a line feed at the end. It does not recurse.
    func write(_ list: PropertyList, format: ListForm?, to output: inout some TextOutputStream) {
        var frames: [Frame] = []
        output.write(format.map { "Property list, \($0.title), " } ?? "")
        writeValue(list, level: 0, &frames, &output)
        while let frame = frames.last {
            guard frame.next < frame.contents.count else {
                frames.removeLast()
                continue
            }
            frames[frames.count - 1].next += 1
            let (label, value) = frame.contents[frame.next]
            startLine(frame.level, &output)
            output.write(label ?? "[\(frame.next)]: ")
            writeValue(value, level: frame.level + 1, &frames, &output)
        }
    }

    private func startLine(_ level: Int, _ output: inout some TextOutputStream) {
        output.write("\n" + String(repeating: "    ", count: min(level, Self.indentationLimit)))
        if level > Self.indentationLimit { output.write("(level \(level)) ") }
    }

    private func writeValue(
        _ value: PropertyList, level: Int, _ frames: inout [Frame], _ output: inout some TextOutputStream
    ) {
        let contents: [(label: String?, value: PropertyList)]
        switch value {
        case .array(let elements): contents = elements.map { (nil, $0) }
        case .set(let elements): contents = elements.map { ("- ", $0) }
        case .dictionary(let entries): contents = entries.map { (VisibleText.key($0.key) + ": ", $0.value) }
        case .string(let text): return output.write(VisibleText.literal(text, limit: options.stringLimit))
        case .data(let data): return writeData(data, level, &output)
        default: return output.write(value.description)
        }
        let noun = value.dictionary == nil ? "element" : "entry"
        output.write("\(value.containerName ?? ""), \(counted(contents.count, noun))")
        guard !contents.isEmpty else { return }
        guard level < options.depthLimit else { return output.write(" …") }
        frames.append(Frame(contents: contents, level: level))
    }

    private func writeData(_ data: Data, _ level: Int, _ output: inout some TextOutputStream) {
        ReadableText.write(data, shownByteCount: options.byteLimit, to: &output)
        guard let text = textOfData(data) else { return }
        output.write(":")
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard !line.isEmpty else {
                output.write("\n")
                continue
            }
            startLine(level, &output)
            output.write(String(line))
        }
    }
}

extension VisibleText {
    /// A key of a field: a word as it is, other text as a literal.
    static func key(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            Character(Unicode.Scalar(byte)).isLetter && byte < 0x80 || 0x30...0x39 ~= byte || "_.$".utf8.contains(byte)
        }
        let startsWithDigit = text.utf8.first.map { 0x30...0x39 ~= $0 } ?? true
        return isPlain && !startsWithDigit && text.utf8.count <= 200 ? text : literal(text, limit: 200)
    }
}
