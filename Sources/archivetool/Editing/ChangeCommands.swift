// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving

extension Command {
    private static let file = Operand(name: "FILE", help: "The file to read; “-” for standard input.")
    private static let path = Operand(name: "PATH", help: "Keys and positions with “/” between them, as for --path.")
    private static let value = Operand(name: "VALUE", help: "The value, of the type of an option.", isOptional: true)
    private static let paragraph = """


        All other values keep their uids and their order. The format stays that of FILE; a text becomes XML. A removed \
        value may stay in an archive, since other objects may reference it: --compact removes unreferenced objects, and \
        renumbers the others.
        """

    private static func changing(
        _ name: String, _ summary: String, _ operands: [Operand], types: Bool = false, _ discussion: String,
        _ examples: [Example], _ change: @escaping @Sendable (inout FileChange, Arguments) throws -> Void
    ) -> Command {
        Command(
            name: name, summary: summary, operands: operands,
            options: [Destination.inPlace, FileChange.compact] + (types ? ValueType.options : []),
            discussion: discussion + paragraph, examples: examples,
            run: { arguments, session in
                let destination = try Destination(arguments, in: session)
                var file = try FileChange(Input(arguments.operands[0], in: session))
                do {
                    try change(&file, arguments)
                    try file.write(to: destination, isCompact: arguments.has(FileChange.compact))
                } catch let error as KeyedArchiveError {
                    throw ToolError(.unreadable, "\(file.name) cannot be changed like this: \(error)")
                }
                return .success
            })
    }

    static let set = changing(
        "set", "Replace a value, or add one under a new key.", [file, path, value], types: true,
        """
        Without an option, the value has the type of the existing one, which must be a leaf. Other references to the old \
        value stay.
        """,
        [
            Example("archivetool set farm.plist name -string \"Blue Hill\" --in-place", "Changes the file."),
            Example("archivetool set farm.plist animals/0/milk -json '[18, 19]' -o new.plist", "Adds a list."),
        ]
    ) { try $0.set(ValuePath($1.operands[1]), $1, isNew: false) }

    static let insert = changing(
        "insert", "Insert a value before an element, at the end of a list, or under a new key.",
        [file, path, value], types: true,
        "The last step of PATH is the position of the value in the changed list, or the new key.",
        [Example("archivetool insert list.plist milk/0 -integer 17", "Inserts before the first element.")]
    ) { try $0.set(ValuePath($1.operands[1]), $1, isNew: true) }

    static let remove = changing(
        "remove", "Remove an element or a key.", [file, path], "Objects that the value references stay.",
        [Example("archivetool remove farm.plist animals/0 --compact -o new.plist", "Removes a cow and its objects.")]
    ) { try $0.remove(ValuePath($1.operands[1])) }

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
            try FileChange(input).write(to: destination, isCompact: true)
            let count = archive.objects.count - archive.unreachableObjects.count
            session.note("\(count) of \(archive.objects.count) objects stay")
            return .success
        })
}

/// A file whose values are edited.
struct FileChange {
    static let compact = Option(name: "compact", help: "Remove unreferenced objects, and renumber the others.")

    let name: String
    private let byteCount: Int
    private let format: PropertyListFormat
    private var content: Content

    private enum Content {
        case archive(KeyedArchiveEditor)
        case list(PropertyList)
    }

    /// - Throws: An error if it is a typedstream, or a damaged archive.
    init(_ input: Input) throws {
        name = input.name
        byteCount = input.source.byteCount
        switch input.content {
        case .archive(let archive):
            content = .archive(try KeyedArchiveEditor(archive))
            format = archive.format
        case .propertyList(let list, let form, _):
            content = .list(list)
            format = form.written
        case .typedStream:
            throw ToolError(.unreadable, "\(name) is a typedstream; only “rename” changes typedstreams")
        }
    }

    func write(to destination: Destination, isCompact: Bool) throws {
        let list: PropertyList
        switch content {
        case .archive(let editor) where isCompact:
            do {
                list = try ArchivePart.propertyList(of: KeyedArchive(editor.propertyList).top, byteCount: byteCount)
            } catch let error as ContentGraph.Refusal {
                throw ToolError(.unreadable, "\(name) cannot be renumbered: \(error)")
            }
        case .archive(let editor): list = editor.propertyList
        case .list(let changed): list = changed
        }
        do {
            try destination.write(list.data(format: format), isBinary: format == .binary)
        } catch let error as PropertyListError {
            throw ToolError(.unreadable, "\(name) cannot be written in its format after this change: \(error)")
        }
    }
}

// MARK: - Changes

extension FileChange {
    /// Sets or inserts the value in `arguments`.
    fileprivate mutating func set(_ path: ValuePath, _ arguments: Arguments, isNew: Bool) throws {
        let type = try ValueType.given(arguments) ?? knownType(path, isNew: isNew)
        let text = arguments.operands.count > 2 ? arguments.operands[2] : nil
        guard let text = type == .null ? text ?? "" : text else {
            throw ToolError(.usage, "VALUE is missing after \(path.text)")
        }
        let value = try type.value(text)
        switch content {
        case .archive(var editor):
            let place = try path.place(in: KeyedArchive(editor.propertyList))
            let added = type == .json ? try editor.add(value) : value
            if isNew { try editor.insert(added, at: place) } else { try editor.set(added, at: place) }
            content = .archive(editor)
        case .list(let list):
            let value = type == .json ? value.withTaggedValues : value
            content = .list(try list.changed(at: path, isNew ? .insert(value) : .set(value)))
        }
    }

    /// The type of the leaf at `path`.
    private func knownType(_ path: ValuePath, isNew: Bool) throws -> ValueType {
        var found: PropertyList?
        switch content {
        case .archive(let editor): if !isNew { found = try path.value(in: KeyedArchive(editor.propertyList)).leaf }
        case .list(let list): if !isNew { found = try path.value(in: list) }
        }
        switch found {
        case .string: return .string
        case .integer: return .integer
        case .real, .real32: return .float
        case .boolean: return .bool
        case .date: return .date
        case .data: return .data
        default:
            throw ToolError(
                .usage,
                "The type is missing, since there is no leaf at \(path.text); give -string, -integer, -float, -bool, -date,"
                    + " -data, -json, -uid or -null")
        }
    }

    fileprivate mutating func remove(_ path: ValuePath) throws {
        switch content {
        case .archive(var editor):
            _ = try path.value(in: KeyedArchive(editor.propertyList))
            try editor.remove(at: path.place(in: KeyedArchive(editor.propertyList)))
            content = .archive(editor)
        case .list(let list): content = .list(try list.changed(at: path, .remove))
        }
    }

    fileprivate mutating func move(_ path: ValuePath, to target: ValuePath) throws {
        switch content {
        case .archive(var editor):
            _ = try path.value(in: KeyedArchive(editor.propertyList))
            let place = try path.place(in: KeyedArchive(editor.propertyList))
            guard let value = editor.uid(at: place).map({ .uid($0) }) ?? editor.value(at: place) else { return }
            try editor.remove(at: place)
            try editor.insert(value, at: target.place(in: KeyedArchive(editor.propertyList)))
            content = .archive(editor)
        case .list(let list):
            let value = try path.value(in: list)
            content = .list(try list.changed(at: path, .remove).changed(at: target, .insert(value)))
        }
    }
}

// MARK: - Places

extension ValuePath {
    /// The path for messages.
    fileprivate var text: String { steps.isEmpty ? "the root" : "“\(Self.text(of: steps))”" }

    fileprivate static let isRoot = ToolError(.usage, "PATH is the root itself; give a path to a value in it")

    /// The path for the library's editor, whose last step need not exist.
    ///
    /// - Throws: `ToolError` if another step does not exist.
    fileprivate func place(in archive: KeyedArchive) throws -> KeyedArchive.Path {
        guard !steps.isEmpty else { throw Self.isRoot }
        let isFromTop =
            isFromTop || archive.root == archive.top || steps.first == .name("root") && archive.root["root"] == nil
        var place: [KeyedArchive.Path.Step] = isFromTop ? [] : ["root"]
        for (position, step) in steps.enumerated() {
            let around = try ValuePath(isFromTop: isFromTop, steps: steps[..<position]).value(in: archive)
            switch step {
            case .name(let name) where !around.isList || Int(name) == nil: place.append(.key(name))
            default: place.append(.index(step.number ?? 0))
            }
        }
        return KeyedArchive.Path(place)
    }
}

extension KeyedArchive.Value {
    /// The value of a leaf, which may be an object; nil for other values.
    fileprivate var leaf: PropertyList? {
        switch try? foundationValue() {
        case .string(let text)?: .string(text)
        case .boolean(let boolean)?: .boolean(boolean)
        case .integer(let integer)?: .integer(integer)
        case .real(let real)?: .real(real)
        case .data(let data)?: .data(data)
        case .date(let date)?: .date(date)
        default: nil
        }
    }

    /// Whether its contents have positions.
    fileprivate var isList: Bool {
        kind == .array || kind == .set || !elements.isEmpty || self["NS.objects"] != nil && self["NS.keys"] == nil
            || (self.class?.chain ?? []).contains { ["NSArray", "NSSet", "NSOrderedSet"].contains($0) }
    }
}

extension PropertyList {
    fileprivate enum Change {
        case set(PropertyList)
        case insert(PropertyList)
        case remove
    }

    /// The list with a change at `path`.
    ///
    /// - Throws: `ToolError` if a step, or for `remove` the last one, does not exist.
    fileprivate func changed(at path: ValuePath, _ change: Change) throws -> PropertyList {
        guard !path.steps.isEmpty else { throw ValuePath.isRoot }
        var existing = path.steps[...]
        if case .remove = change {} else { existing = existing.dropLast() }
        _ = try ValuePath(isFromTop: path.isFromTop, steps: existing).value(in: self)
        return try changed(at: path.steps[...], change)
    }

    /// The list with a change at `steps`, all but the last of which exist. It recurses, at most to the depth of a list.
    private func changed(at steps: ArraySlice<ValuePath.Step>, _ change: Change) throws -> PropertyList {
        guard let step = steps.first else { return self }
        let rest = steps.dropFirst()
        switch self {
        case .dictionary(var entries):
            var key = ""
            switch step {
            case .name(let name): key = name
            case .position(let position):
                guard entries.indices.contains(position) else { throw Self.missing(position, entries.count) }
                key = entries[position].key
            }
            switch change {
            case _ where !rest.isEmpty: entries[key] = try entries[key]?.changed(at: rest, change)
            case .set(let value): entries[key] = value
            case .remove: entries[key] = nil
            case .insert(let value):
                guard entries[key] == nil else {
                    throw ToolError(.unreadable, "There already is a key “\(key)”; “set” replaces its value")
                }
                entries[key] = value
            }
            return .dictionary(entries)
        case .array(var elements), .set(var elements):
            guard let position = step.number else {
                throw ToolError(.unreadable, "A list has positions from 0 to \(elements.count - 1), and no keys")
            }
            if case .insert(let value) = change, rest.isEmpty, position == elements.count {
                elements.append(value)
            } else {
                guard elements.indices.contains(position) else { throw Self.missing(position, elements.count) }
                switch change {
                case _ where !rest.isEmpty: elements[position] = try elements[position].changed(at: rest, change)
                case .set(let value): elements[position] = value
                case .insert(let value): elements.insert(value, at: position)
                case .remove: elements.remove(at: position)
                }
            }
            if case .set = self { return .set(elements) }
            return .array(elements)
        default: throw ToolError(.unreadable, "The value at that place is a leaf, which has no contents")
        }
    }

    private static func missing(_ position: Int, _ count: Int) -> ToolError {
        ToolError(.unreadable, "There is no position \(position) in a list of \(count)")
    }
}
