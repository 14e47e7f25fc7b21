// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving

extension Command {
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
        "set", "Replace a value, or add one under a new key.", [.file, path, value], types: true, where: true,
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
                "archivetool set farm.plist milk -integer 20 --where 'name == \"Bella\"' -i",
                "Changes all objects of a name."),
        ]
    ) { file, arguments in try file.changeEach(arguments) { try $0.set($1, arguments, isNew: false) } }

    static let insert = changing(
        "insert", "Insert a value before an element, at the end of a list, or under a new key.",
        [.file, path, value], types: true,
        "The last step of PATH is the position of the value in the changed list, or the new key.",
        [Example("archivetool insert list.plist milk/0 -integer 17", "Inserts before the first element.")]
    ) { try $0.set(ValuePath($1.operands[1]), $1, isNew: true) }

    static let remove = changing(
        "remove", "Remove an element or a key.", [.file, placeOrAll], where: true,
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
        "move", "Move a value to another place.", [.file, path, Operand(name: "TO", help: "The new place.")],
        "TO is the place of the value in the changed file. An object keeps its identity.",
        [Example("archivetool move farm.plist animals/0 animals/2", "Moves the first animal behind the two next ones.")]
    ) { try $0.move(ValuePath($1.operands[1]), to: ValuePath($1.operands[2])) }

    static let compact = Command(
        name: "compact", summary: "Remove unreferenced objects, and renumber the others.",
        operands: [.file], options: [Destination.inPlace],
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

struct Destination {
    static let inPlace = Option(
        name: "in-place", letter: "i", help: "Replace FILE as a whole. It keeps its permissions.")

    private let file: String
    private let session: Session
    private let isInPlace: Bool

    /// - Throws: `ToolError` if the command line names two destinations, or one that cannot be replaced.
    init(_ arguments: Arguments, in session: Session) throws(ToolError) {
        file = arguments.operands[0]
        self.session = session
        isInPlace = arguments.has(Self.inPlace)
        guard isInPlace else { return }
        if file == "-" { throw ToolError(.usage, "--in-place replaces FILE, and “-” is none; use --output") }
        if arguments.has(.output) {
            throw ToolError(.usage, "--in-place and --output are two destinations; give one of them")
        }
    }

    func write(_ bytes: Data, isBinary: Bool) throws {
        if isInPlace { try session.output.redirect(to: file) }
        try session.write(bytes, isBinary: isBinary && !isInPlace)
    }
}

extension Session {
    func write(_ bytes: Data, isBinary: Bool) throws(ToolError) {
        if isBinary { try checkBinaryOutput() }
        output.write(bytes: bytes)
    }

    func checkBinaryOutput() throws(ToolError) {
        guard surroundings.isOutputTerminal else { return }
        throw ToolError(
            .usage, "Binary data is not written to a terminal; name a file with --output, or pipe it to a program")
    }
}

/// The types of values on the command line, with the names of `plutil`.
enum ValueType: String, CaseIterable {
    case string, integer, float, bool, date, data, json, uid, null

    /// A flag for each type, at most one of which may be given.
    static let options = allCases.map { type in Option(name: type.rawValue, help: "VALUE is " + type.meaning + ".") }

    private var meaning: String {
        switch self {
        case .string: "a string"
        case .integer: "a whole number, of up to 128 bits"
        case .float: "a number with a fraction"
        case .bool: "“true” or “false”, “yes” or “no”"
        case .date: "a date: 2018-06-04T17:00:00Z"
        case .data: "data, in Base64"
        case .json:
            "a tree in JSON, in which {\"$class\": NAME, …} is an object, {\"$ref\": N} is #N, and $data and $date are values"
        case .uid: "the number N of an existing object #N"
        case .null: "missing, and the value is nil"
        }
    }

    static func given(_ arguments: Arguments) throws(ToolError) -> ValueType? {
        let given = allCases.filter { arguments.has(options[allCases.firstIndex(of: $0) ?? 0]) }
        if given.count > 1 {
            throw ToolError(.usage, "-\(given[0].rawValue) and -\(given[1].rawValue) are two types; a value has one")
        }
        return given.first
    }

    func value(_ text: String) throws(ToolError) -> PropertyList {
        let value: PropertyList? =
            switch self {
            case .string: .string(text)
            case .integer: Int128(text).map { .integer($0) }
            case .float: Double(text).map { .real($0) }
            case .bool:
                ["true": true, "yes": true, "false": false, "no": false][text.lowercased()].map { .boolean($0) }
            case .date: (try? Date(text, strategy: .iso8601)).map { .date($0) }
            case .data: Data(base64Encoded: text).map { .data($0) }
            case .uid: UInt32(text).map { .uid($0) }
            case .null: .null
            case .json: try Self.tree(text)
            }
        guard let value else { throw ToolError(.usage, "“\(text)” is not \(meaning)") }
        return value
    }

    private static func tree(_ text: String) throws(ToolError) -> PropertyList {
        do throws(TextError) {
            var parser = TextParser(Array(text.utf8), .json)
            return try parser.parse()
        } catch {
            throw ToolError(.usage, "That is no JSON: \(error.description)")
        }
    }
}

extension PropertyList {
    /// The value that a dictionary such as `{"$data": …}` represents; nil for other values.
    fileprivate var taggedValue: PropertyList? {
        guard let entries = dictionary, entries.count == 1, let (tag, value) = entries.first else { return nil }
        switch (tag, value) {
        case ("$data", .string(let text)): return Data(base64Encoded: text).map { .data($0) }
        case ("$date", .string(let text)): return (try? Date(text, strategy: .iso8601)).map { .date($0) }
        case ("$ref", .integer(let number)), ("$uid", .integer(let number)):
            return UInt32(exactly: number).map { .uid($0) }
        default: return nil
        }
    }

    /// A tree of JSON with the data, dates and uids that it represents. It recurses to the nesting limit of the parser.
    var withTaggedValues: PropertyList {
        if let taggedValue { return taggedValue }
        switch self {
        case .array(let elements): return .array(elements.map(\.withTaggedValues))
        case .dictionary(let entries):
            return .dictionary(PropertyList.Dictionary(entries.map { ($0.key, $0.value.withTaggedValues) }))
        default: return self
        }
    }
}

extension KeyedArchiveEditor {
    /// Adds the arrays, dictionaries and objects that a tree of JSON represents. It recurses to the nesting limit of the
    /// parser.
    ///
    /// - Returns: A reference to the added object; a leaf itself.
    mutating func add(_ tree: PropertyList) throws(KeyedArchiveError) -> PropertyList {
        if let value = tree.taggedValue { return value }
        switch tree {
        case .array(let elements):
            var added: [PropertyList] = []
            for element in elements { added.append(try add(element)) }
            return .uid(try addArray(added))
        case .dictionary(let entries):
            var added = PropertyList.Dictionary()
            for (key, value) in entries where key != "$class" { added.append(key: key, value: try add(value)) }
            guard let name = entries["$class"]?.string else { return .uid(try addDictionary(added)) }
            return .uid(try addObject(ofClass: name, fields: added))
        default: return tree
        }
    }
}
