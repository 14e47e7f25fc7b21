import ArchiveInspection
import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Command {
    private static let file = Operand(name: "FILE", help: "The file to read; “-” for standard input.")
    private static let path = Operand(name: "PATH", help: "Keys and positions with “/” between them, as for --path.")
    private static let value = Operand(
        name: "VALUE", help: "The value, of the type that an option says.", isOptional: true)
    private static let paragraph = """


        What is not changed stays as it is, under the same uids. The format stays that of FILE; a text becomes XML. What \
        was removed from an archive may still be in it, since other objects may refer to it: --compact leaves out what \
        nothing leads to, and numbers the objects anew.
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

    /// The command `set`.
    static let set = changing(
        "set", "Put a value in the place of another one, or under a new key.", [file, path, value], types: true,
        """
        Without a type, the value has that of the one that is there, which has to be a leaf. References to the old value \
        from elsewhere stay.
        """,
        [
            Example("archivetool set farm.plist name -string \"Blue Hill\" --in-place", "Changes the file."),
            Example("archivetool set farm.plist animals/0/milk -json '[18, 19]' -o new.plist", "Adds a list."),
        ]
    ) { file, arguments in
        try file.set(ValuePath(arguments.operands[1]), arguments, isNew: false)
    }

    /// The command `insert`.
    static let insert = changing(
        "insert", "Put a value in front of an element, at the end of a list, or under a key that is not there yet.",
        [file, path, value], types: true,
        "The last step of PATH is the position that the value has then, or the new key.",
        [Example("archivetool insert list.plist milk/0 -integer 17", "In front of the first element.")]
    ) { file, arguments in
        try file.set(ValuePath(arguments.operands[1]), arguments, isNew: true)
    }

    /// The command `remove`.
    static let remove = changing(
        "remove", "Take a value out of its list, or a key away.", [file, path], "What the value refers to stays.",
        [Example("archivetool remove farm.plist animals/0 --compact -o new.plist", "Without what nothing leads to.")]
    ) { file, arguments in
        try file.remove(ValuePath(arguments.operands[1]))
    }

    /// The command `move`.
    static let move = changing(
        "move", "Take a value from one place to another.", [file, path, Operand(name: "TO", help: "The new place.")],
        "The value is taken away first: TO is the place that it has at the end. An object stays the same object.",
        [Example("archivetool move farm.plist animals/0 animals/2", "The first one comes behind the two next ones.")]
    ) { file, arguments in
        try file.move(ValuePath(arguments.operands[1]), to: ValuePath(arguments.operands[2]))
    }

    /// The command `compact`.
    static let compact = Command(
        name: "compact", summary: "Leave out the objects that nothing leads to, and number the others anew.",
        operands: [file], options: [Destination.inPlace],
        discussion: """
            Objects are numbered in the order in which they are met, so that archives that say the same in the same order \
            become the same. The format and the name of the archiver stay.
            """,
        examples: [Example("archivetool compact farm.plist --in-place", "Replaces the file.")],
        run: { arguments, session in
            let destination = try Destination(arguments, in: session)
            let input = try Input(arguments.operands[0], in: session)
            let archive = try input.archive(for: "compact")
            let file = try FileChange(input)
            try file.write(to: destination, isCompact: true)
            let count = archive.objects.count - archive.unreachableObjects.count
            session.note("\(count) of \(archive.objects.count) objects are left")
            return .success
        })
}

/// A file whose values are changed.
struct FileChange {
    static let compact = Option(
        name: "compact", help: "Leave out the objects that nothing leads to, and number the others anew.")

    let name: String
    private let byteCount: Int
    private let format: PropertyListFormat
    private var content: Content

    private enum Content {
        case archive(KeyedArchiveEditor)
        case list(PropertyList)
    }

    /// - Throws: Where it is a typedstream, or a damaged archive.
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
            throw ToolError(
                .unreadable, "\(name) is a typedstream, in which only classes can be changed: “rename” does")
        }
    }

    /// Writes the file as it is now.
    func write(to destination: Destination, isCompact: Bool) throws {
        let list: PropertyList
        switch content {
        case .archive(let editor) where isCompact:
            do {
                list = try ArchivePart.propertyList(of: editor.archive().top, byteCount: byteCount)
            } catch let error as ContentGraph.Unfolding {
                throw ToolError(.unreadable, "\(name) cannot be numbered anew: \(error)")
            }
        case .archive(let editor): list = editor.propertyList
        case .list(let changed): list = changed
        }
        do {
            try destination.write(list.data(format: format), isBinary: format == .binary)
        } catch let error as PropertyListError {
            throw ToolError(.unreadable, "\(name) cannot be written in its format any more: \(error)")
        }
    }
}

// MARK: - Changes

extension FileChange {
    /// Sets the value that `arguments` have, or inserts it.
    fileprivate mutating func set(_ path: ValuePath, _ arguments: Arguments, isNew: Bool) throws {
        let type = try ValueType.given(arguments) ?? knownType(path, isNew: isNew)
        let text = arguments.operands.count > 2 ? arguments.operands[2] : nil
        guard let text = type == .null ? text ?? "" : text else {
            throw ToolError(.usage, "VALUE is missing behind \(path.text)")
        }
        let value = try type.value(text)
        switch content {
        case .archive(var editor):
            let place = try path.place(in: editor.archive())
            let added = type == .json ? try editor.add(value) : value
            if isNew { try editor.insert(added, at: place) } else { try editor.set(added, at: place) }
            content = .archive(editor)
        case .list(let list):
            let value = type == .json ? value.withTaggedValues : value
            content = .list(try list.changed(at: path, isNew ? .insert(value) : .set(value)))
        }
    }

    /// The type of the leaf that is at `path`.
    private func knownType(_ path: ValuePath, isNew: Bool) throws -> ValueType {
        var found: PropertyList?
        switch content {
        case .archive(let editor): if !isNew { found = try path.value(in: editor.archive()).leaf }
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
                "Which type? There is no value at \(path.text) that says it; -string, -integer, -float, -bool, -date,"
                    + " -data, -json, -uid or -null does")
        }
    }

    fileprivate mutating func remove(_ path: ValuePath) throws {
        switch content {
        case .archive(var editor):
            _ = try path.value(in: editor.archive())
            try editor.remove(at: path.place(in: editor.archive()))
            content = .archive(editor)
        case .list(let list): content = .list(try list.changed(at: path, .remove))
        }
    }

    fileprivate mutating func move(_ path: ValuePath, to target: ValuePath) throws {
        switch content {
        case .archive(var editor):
            _ = try path.value(in: editor.archive())
            let place = try path.place(in: editor.archive())
            guard let value = editor.uid(at: place).map({ .uid($0) }) ?? editor.value(at: place) else { return }
            try editor.remove(at: place)
            try editor.insert(value, at: target.place(in: editor.archive()))
            content = .archive(editor)
        case .list(let list):
            let value = try path.value(in: list)
            content = .list(try list.changed(at: path, .remove).changed(at: target, .insert(value)))
        }
    }
}

extension KeyedArchive.Value {
    /// The value of a leaf, whether it is an object or not; nil for others.
    fileprivate var leaf: PropertyList? {
        switch try? foundationValue() {
        case .string(let text)?: .string(text)
        case .number(.boolean(let boolean))?: .boolean(boolean)
        case .number(.integer(let integer))?: .integer(integer)
        case .number(.real(let real))?: .real(real)
        case .data(let data)?: .data(data)
        case .date(let date)?: .date(date)
        default: nil
        }
    }
}

// MARK: - Places

extension ValuePath {
    /// How it is called in sentences.
    fileprivate var text: String { steps.isEmpty ? "the root" : "“\(Self.text(of: steps))”" }

    /// The way for the library's editor, whose last step may lead to something new.
    ///
    /// - Throws: `ToolError` where a step in front of the last one leads nowhere.
    fileprivate func place(in archive: KeyedArchive) throws -> KeyedArchive.Path {
        guard !steps.isEmpty else { throw ToolError(.usage, "PATH is the root itself; name a place in it") }
        var isFromTop = isFromTop || archive.root == archive.top
        isFromTop = isFromTop || steps.first == .name("root") && archive.root["root"] == nil
        var place: [KeyedArchive.Path.Step] = isFromTop ? [] : ["root"]
        for (position, step) in steps.enumerated() {
            let around = try ValuePath(isFromTop: isFromTop, steps: Array(steps[..<position])).value(in: archive)
            switch step {
            case .position(let index): place.append(.index(index))
            case .name(let name): place.append(around.isList ? Int(name).map { .index($0) } ?? .key(name) : .key(name))
            }
        }
        return KeyedArchive.Path(place)
    }
}

extension KeyedArchive.Value {
    /// Whether what is in it is found by positions: a list, which may be empty.
    fileprivate var isList: Bool {
        kind == .array || kind == .set || !elements.isEmpty || self["NS.objects"] != nil && self["NS.keys"] == nil
            || classChain.contains { ["NSArray", "NSSet", "NSOrderedSet"].contains($0) }
    }
}

extension PropertyList {
    /// What is done at a place.
    fileprivate enum Change {
        case set(PropertyList)
        case insert(PropertyList)
        case remove
    }

    /// The list with a change at `path`.
    ///
    /// - Throws: `ToolError` where there is no such place.
    fileprivate func changed(at path: ValuePath, _ change: Change) throws(ToolError) -> PropertyList {
        guard let last = path.steps.last else { throw ToolError(.usage, "PATH is the root itself; name a place in it") }
        // The containers on the way, from the outermost one, which say what is wrong where a step leads nowhere.
        var containers: [PropertyList] = []
        for position in path.steps.indices {
            containers.append(
                try ValuePath(isFromTop: path.isFromTop, steps: Array(path.steps[..<position])).value(in: self))
        }
        if case .remove = change { _ = try path.value(in: self) }
        var value = try containers[containers.count - 1].changed(directlyAt: last, change)
        for (container, step) in zip(containers, path.steps).dropLast().reversed() {
            value = try container.changed(directlyAt: step, .set(value))
        }
        return value
    }

    private func changed(directlyAt step: ValuePath.Step, _ change: Change) throws(ToolError) -> PropertyList {
        switch (self, step) {
        case (.dictionary(var entries), _):
            let key: String
            switch step {
            case .name(let name): key = name
            case .position(let position):
                guard entries.indices.contains(position) else { throw Self.missing(position, entries.count) }
                key = entries[position].key
            }
            switch change {
            case .set(let value): entries[key] = value
            case .remove: entries[key] = nil
            case .insert(let value):
                guard entries[key] == nil else {
                    throw ToolError(.unreadable, "There is a key “\(key)” already; “set” puts another value there")
                }
                entries[key] = value
            }
            return .dictionary(entries)
        case (.array(var elements), _), (.set(var elements), _):
            let position: Int? =
                switch step {
                case .name(let name): Int(name)
                case .position(let position): position
                }
            guard let position else {
                throw ToolError(.unreadable, "A list has positions from 0 to \(elements.count - 1), and no keys")
            }
            var isEnd = false
            if case .insert = change { isEnd = position == elements.count }
            guard elements.indices.contains(position) || isEnd else { throw Self.missing(position, elements.count) }
            switch change {
            case .set(let value): elements[position] = value
            case .insert(let value): elements.insert(value, at: position)
            case .remove: elements.remove(at: position)
            }
            if case .set = self { return .set(elements) }
            return .array(elements)
        default: throw ToolError(.unreadable, "There is a value at that place which has no contents")
        }
    }

    private static func missing(_ position: Int, _ count: Int) -> ToolError {
        ToolError(.unreadable, "There is no position \(position) in a list of \(count)")
    }
}
