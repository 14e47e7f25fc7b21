import Archiving

/// The options `--path` and `--uid`, which choose a part of an archive.
enum Selection {
    static let path = Option(
        name: "path", value: "PATH",
        help:
            "The part that PATH leads to: keys and positions with “/” between them, from the root object on, or from the"
            + " top where PATH begins with “/”. A “/” in a key is written “\\/”, a “\\” as “\\\\”; “[3]” is always a position."
    )
    static let uid = Option(
        name: "uid", value: "N", help: "The object with the number N, which “show” writes as #N.")

    /// Both.
    static let options = [path, uid]

    /// The value that the options choose; nil where neither was given.
    ///
    /// - Throws: `ToolError` where there is no such thing; it says what there is instead.
    static func value(in archive: KeyedArchive, _ arguments: Arguments) throws -> KeyedArchive.Value? {
        if arguments.has(path), arguments.has(uid) {
            throw ToolError(.usage, "--path and --uid both choose a part; give one of them")
        }
        if let uid = try arguments.integer(uid, in: 0...Int(UInt32.max)) {
            guard uid < archive.objects.count else {
                throw ToolError(
                    .unreadable,
                    "There is no object #\(uid): the archive has \(archive.objects.count), from #0 (nil) to"
                        + " #\(archive.objects.count - 1)")
            }
            return archive.objects[uid]
        }
        return try arguments.value(path).map { try ValuePath($0).value(in: archive) }
    }
}

/// A way to a value, as it is written on the command line: `animals/3/name`, or `/root/animals/3/name`.
struct ValuePath {
    /// A step from a value to one inside it.
    enum Step: Equatable {
        /// To what is under a key; in a list, where it is a number, to the element at that position.
        case name(String)
        /// `[3]`: to an element of a list, or to the value of the entry at that position.
        case position(Int)
    }

    /// Whether it begins at the top, where the keys of the archiver are, and not at the root object.
    let isFromTop: Bool
    let steps: [Step]

    init(isFromTop: Bool, steps: [Step]) {
        self.isFromTop = isFromTop
        self.steps = steps
    }

    /// How `steps` are written.
    static func text(of steps: some Sequence<Step>) -> String { steps.map(text).joined(separator: "/") }

    /// Reads a way. Empty steps, as in `a//b` or behind the last `/`, are left out.
    init(_ text: String) {
        isFromTop = text.first == "/"
        var steps: [Step] = []
        var name = ""
        var isLiteral = false
        var isEscaped = false
        func end() {
            defer {
                name = ""
                isLiteral = false
            }
            guard !name.isEmpty else { return }
            if !isLiteral, name.first == "[", name.last == "]", let position = Int(name.dropFirst().dropLast()) {
                steps.append(.position(position))
            } else {
                steps.append(.name(name))
            }
        }
        for scalar in text.unicodeScalars {
            if isEscaped {
                name.unicodeScalars.append(scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
                isLiteral = true
            } else if scalar == "/" {
                end()
            } else {
                name.unicodeScalars.append(scalar)
            }
        }
        if isEscaped { name += "\\" }
        end()
        self.steps = steps
    }

    /// How `steps`, a path of the library's, is written here.
    static func text(of path: KeyedArchive.Path, in archive: KeyedArchive) -> String {
        var steps = path.steps[...]
        let hasRoot = archive.root != archive.top
        let isFromTop = hasRoot && !(steps.count > 1 && steps.first == .key("root"))
        if hasRoot, !isFromTop { steps = steps.dropFirst() }
        let text = steps.map { step in
            switch step {
            case .index(let position): String(position)
            case .key(let key): escaped(key)
            }
        }
        return (isFromTop ? "/" : "") + text.joined(separator: "/")
    }

    /// The same, with no more than so many steps and characters that it fits into a report.
    static func shortText(of path: KeyedArchive.Path, in archive: KeyedArchive) -> String {
        let shown = 6
        guard path.steps.count > 2 * shown else { return cut(text(of: path, in: archive)) }
        let start = text(of: KeyedArchive.Path(Array(path.steps.prefix(shown))), in: archive)
        let end = path.steps.suffix(shown).map { if case .key(let key) = $0 { escaped(key) } else { "\($0.number)" } }
        return cut(start) + "/…/" + cut(end.joined(separator: "/")) + " (\(path.steps.count) steps)"
    }

    private static func cut(_ text: String) -> String {
        text.unicodeScalars.count > 200 ? String(text.unicodeScalars.prefix(200)) + "…" : text
    }

    /// A key as it is written in a path.
    static func escaped(_ key: String) -> String {
        var text = ""
        for scalar in key.unicodeScalars {
            if scalar == "/" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
        return text.first == "[" ? "\\" + text : text
    }
}

extension KeyedArchive.Path.Step {
    /// The position; 0 for a key.
    fileprivate var number: Int { if case .index(let position) = self { position } else { 0 } }
}

// MARK: - Following

extension ValuePath {
    /// What the way leads to in `archive`.
    ///
    /// - Throws: `ToolError` where a step leads nowhere; it names the step, and what there is in its place.
    func value(in archive: KeyedArchive) throws(ToolError) -> KeyedArchive.Value {
        // The way that the library writes begins with "root".
        let isFromTop = isFromTop || steps.first == .name("root") && archive.root["root"] == nil
        return try follow(from: isFromTop ? archive.top : archive.root) { value, step in
            switch step {
            case .position(let position): Self.element(position, of: value)
            case .name(let name):
                value[name]
                    ?? Int(name).flatMap { number in
                        value.elements.isEmpty
                            ? value.entries.first { $0.key.integer == number }?.value : Self.element(number, of: value)
                    }
            }
        } contents: { value in
            if !value.elements.isEmpty || !value.entries.isEmpty && value.keys.isEmpty {
                return .positions(max(value.elements.count, value.entries.count))
            }
            return .keys(value.keys)
        } name: { value in
            (value.className.map { VisibleText.name($0) } ?? "\(value.kind)") + (value.uid.map { " #\($0)" } ?? "")
        }
    }

    /// What the way leads to in `list`, a property list that is no archive.
    ///
    /// - Throws: As for archives.
    func value(in list: PropertyList) throws(ToolError) -> PropertyList {
        try follow(from: list) { value, step in
            switch (value, step) {
            case (.dictionary(let dictionary), .name(let name)): dictionary[name]
            case (.dictionary(let dictionary), .position(let position)):
                dictionary.indices.contains(position) ? dictionary[position].value : nil
            case (.array(let elements), .position(let position)), (.set(let elements), .position(let position)):
                elements.indices.contains(position) ? elements[position] : nil
            case (.array(let elements), .name(let name)), (.set(let elements), .name(let name)):
                Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            default: nil
            }
        } contents: { value in
            switch value {
            case .dictionary(let dictionary): .keys(dictionary.keys)
            case .array(let elements), .set(let elements): .positions(elements.count)
            default: .keys([])
            }
        } name: { value in
            switch value {
            case .dictionary: "dictionary"
            case .array: "array"
            case .set: "set"
            default: "value without contents"
            }
        }
    }

    /// What there is in a value that steps can lead to.
    private enum Contents {
        case keys([String])
        case positions(Int)
    }

    private func follow<Value>(
        from start: Value, _ next: (Value, Step) -> Value?, contents: (Value) -> Contents, name: (Value) -> String
    ) throws(ToolError) -> Value {
        var value = start
        for (position, step) in steps.enumerated() {
            if let found = next(value, step) {
                value = found
                continue
            }
            let way = Self.text(of: steps[..<position])
            let place =
                way.isEmpty
                ? (isFromTop ? "the top" : "the \(name(value)) at the root") : "the \(name(value)) at “\(way)”"
            throw ToolError(
                .unreadable, "“\(Self.text(step))” leads nowhere in \(place): \(Self.sentence(contents(value), step))")
        }
        return value
    }

    private static func text(_ step: Step) -> String {
        switch step {
        case .name(let name): escaped(name)
        case .position(let position): "[\(position)]"
        }
    }

    private static let shownKeys = 20

    private static func sentence(_ contents: Contents, _ step: Step) -> String {
        switch contents {
        case .positions(let count): return "it has positions from 0 to \(count - 1)"
        case .keys(let keys) where keys.isEmpty: return "there is nothing in it"
        case .keys(let keys):
            let shown = keys.prefix(shownKeys).map { "“\(escaped(String($0.prefix(100))))”" }.joined(separator: ", ")
            let more = keys.count > shownKeys ? " and \(keys.count - shownKeys) more" : ""
            var hint = ""
            if case .name(let name) = step, let near = nearest(to: name, among: Array(keys.prefix(1000))) {
                hint = "; did you mean “\(escaped(near))”?"
            }
            return "its keys are \(shown)\(more)\(hint)"
        }
    }

    private static func element(_ position: Int, of value: KeyedArchive.Value) -> KeyedArchive.Value? {
        let elements = value.elements
        if elements.indices.contains(position) { return elements[position] }
        let entries = value.entries
        return entries.indices.contains(position) ? entries[position].value : nil
    }
}
