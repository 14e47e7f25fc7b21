// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

/// A path to a value as on the command line: `animals/3/name`, or `/root/animals/3/name`.
struct ValuePath {
    enum Step: Equatable {
        /// A key; in a list a number, which is a position.
        case name(String)
        /// `[3]`: the position of an element, or of an entry of a dictionary.
        case position(Int)
    }

    /// Whether it begins at the top, where the keys of the archiver are, and not at the root object.
    let isFromTop: Bool
    let steps: [Step]

    init(isFromTop: Bool, steps: some Sequence<Step>) {
        self.isFromTop = isFromTop
        self.steps = Array(steps)
    }

    /// Parses a path. Empty steps, as in `a//b`, are ignored.
    init(_ text: String) throws(ToolError) {
        isFromTop = text.first == "/"
        var steps: [Step] = []
        for step in PathScanner.steps(of: text) {
            switch step {
            case .text(let characters):
                guard !characters.contains(PathScanner.Character(scalar: "[")) else {
                    throw ToolError(
                        .usage, "“\(text)” has a “[” that begins no position; write “\\[” for a “[” in a key")
                }
                steps.append(.name(characters.text))
            case .position(let position): steps.append(.position(position))
            case .anyPosition, .anySteps:
                throw ToolError(
                    .usage,
                    "“\(text)” is a pattern, and this command takes the path of one value; “find” takes patterns")
            }
        }
        self.steps = steps
    }

    static func text(of steps: some Collection<Step>) -> String { text(of: steps.map(text), isFromTop: false) }

    static func text(of steps: some Collection<String>, isFromTop: Bool) -> String {
        // Without a “/”, a “.” would separate steps.
        if !isFromTop, steps.count == 1, let step = steps.first { return step.replacing(".", with: "\\.") }
        return (isFromTop ? "/" : "") + steps.joined(separator: "/")
    }

    static func text(_ step: Step) -> String {
        switch step {
        case .name(let name): escaped(name)
        case .position(let position): "[\(position)]"
        }
    }

    static func escaped(_ key: String) -> String {
        var text = ""
        for scalar in key.unicodeScalars {
            if "/\\[*".unicodeScalars.contains(scalar) { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
        return text
    }

    /// The text of a path of the library, shortened to some steps and characters so that it fits a report.
    static func shortText(of path: KeyedArchive.Path, in archive: KeyedArchive) -> String {
        var steps = path.steps.map { step in
            switch step {
            case .index(let position): String(position)
            case .key(let key): escaped(key)
            }
        }
        var isFromTop = false
        if archive.root != archive.top {
            isFromTop = steps.count < 2 || path.steps.first != .key("root")
            if !isFromTop { steps.removeFirst() }
        }
        let shown = 6
        guard path.steps.count > 2 * shown else { return cut(text(of: steps, isFromTop: isFromTop)) }
        let (first, last) = (steps.prefix(shown - (isFromTop ? 0 : 1)), steps.suffix(shown))
        return cut(text(of: first, isFromTop: isFromTop)) + "/…/" + cut(text(of: last, isFromTop: false))
            + " (\(path.steps.count) steps)"
    }

    private static func cut(_ text: String) -> String {
        text.unicodeScalars.count > 200 ? String(text.unicodeScalars.prefix(200)) + "…" : text
    }
}

/// Splits paths and patterns into steps: `animals/0/name`, or `animals[0].name`.
///
/// `/` separates steps; in a text without `/`, so does `.`. A backslash makes the next character literal.
enum PathScanner {
    struct Character: Equatable {
        let scalar: Unicode.Scalar
        var isEscaped = false
    }

    enum Step: Equatable {
        /// A key, or a number as a position in a list.
        case text([Character])
        /// `[3]`
        case position(Int)
        /// `[*]`
        case anyPosition
        /// `..`
        case anySteps
    }

    static func steps(of text: String) -> [Step] {
        let characters = characters(of: text)
        let separators: Set<Unicode.Scalar> =
            characters.contains { $0.scalar == "/" && !$0.isEscaped } ? ["/"] : ["."]
        var steps: [Step] = []
        var step: [Character] = []
        func end() {
            if !step.isEmpty { steps.append(.text(step)) }
            step = []
        }
        var rest = characters[...]
        while let character = rest.popFirst() {
            let scalar = character.isEscaped ? nil : character.scalar
            if let scalar, separators.contains(scalar) {
                end()
                if scalar == ".", rest.first == character { steps.append(.anySteps) }
            } else if scalar == "[", let (position, count) = position(in: rest) {
                end()
                rest = rest.dropFirst(count)
                steps.append(position)
            } else {
                step.append(character)
            }
        }
        end()
        return steps
    }

    /// The position at the beginning of `characters`, after its `[`, and the number of its characters.
    private static func position(in characters: ArraySlice<Character>) -> (Step, count: Int)? {
        let inside = characters.prefix { $0.scalar != "]" }
        guard inside.count < characters.count else { return nil }
        if inside.map(\.scalar) == ["*"] { return (.anyPosition, 2) }
        return Int(Array(inside).text).map { (.position($0), inside.count + 1) }
    }

    private static func characters(of text: String) -> [Character] {
        var characters: [Character] = []
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if !isEscaped, scalar == "\\" {
                isEscaped = true
                continue
            }
            characters.append(Character(scalar: scalar, isEscaped: isEscaped))
            isEscaped = false
        }
        return isEscaped ? characters + [Character(scalar: "\\")] : characters
    }
}

extension [PathScanner.Character] {
    var text: String { String(String.UnicodeScalarView(map(\.scalar))) }
}

// MARK: - Values at paths

extension ValuePath {
    /// The value at the path in `archive`.
    func value(in archive: KeyedArchive) throws(ToolError) -> KeyedArchive.Value {
        try values(in: archive).last ?? archive.top
    }

    /// The value at which the path begins, and those at each of its steps.
    func values(in archive: KeyedArchive) throws(ToolError) -> [KeyedArchive.Value] {
        // Paths of the library begin with "root".
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

    func value(in list: PropertyList) throws(ToolError) -> PropertyList {
        let values = try follow(from: list) { value, step in
            switch (value, step) {
            case (.dictionary(let dictionary), .name(let name)): return dictionary[name]
            case (.dictionary(let dictionary), .position(let position)):
                return dictionary.indices.contains(position) ? dictionary[position].value : nil
            case (.set(let elements), _): return step.number.flatMap { elements.element(at: $0) }
            default: return step.number.flatMap { value[$0] }
            }
        } contents: { value in
            switch value {
            case .array(let elements), .set(let elements): .positions(elements.count)
            case .dictionary(let entries): .keys(entries.map(\.key))
            default: .keys([])
            }
        } name: { value in
            value.containerName ?? "value without contents"
        }
        return values.last ?? list
    }

    private enum Contents {
        case keys([String])
        case positions(Int)
    }

    private func follow<Value>(
        from start: Value, _ next: (Value, Step) -> Value?, contents: (Value) -> Contents, name: (Value) -> String
    ) throws(ToolError) -> [Value] {
        var values = [start]
        var value = start
        for (position, step) in steps.enumerated() {
            if let found = next(value, step) {
                value = found
                values.append(found)
                continue
            }
            let path = Self.text(of: steps[..<position])
            let place =
                path.isEmpty
                ? (isFromTop ? "the top" : "the \(name(value)) at the root") : "the \(name(value)) at “\(path)”"
            let contents = contents(value)
            throw ToolError(
                .unreadable,
                "There is no “\(Self.text(step))” in \(place): "
                    + (dottedKey(at: position, contents) ?? Self.sentence(contents, step)))
        }
        return values
    }

    /// How to write a key with “.” of which the path has the parts as steps from `position` on; nil if there is no such key.
    private func dottedKey(at position: Int, _ contents: Contents) -> String? {
        guard case .keys(let keys) = contents else { return nil }
        var key = ""
        for step in steps[position...].prefix(16) {
            guard case .name(let name) = step else { return nil }
            key += key.isEmpty ? name : "." + name
            if key != name, keys.contains(key) {
                return "write “\(Self.escaped(key).replacing(".", with: "\\."))” for the key “\(key)”"
            }
        }
        return nil
    }

    private static let shownKeys = 20

    private static func sentence(_ contents: Contents, _ step: Step) -> String {
        switch contents {
        case .positions(let count): return "it has positions from 0 to \(count - 1)"
        case .keys(let keys) where keys.isEmpty: return "it has no contents"
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

extension ValuePath.Step {
    var number: Int? {
        switch self {
        case .name(let name): Int(name)
        case .position(let position): position
        }
    }
}

extension [PropertyList] {
    func element(at position: Int) -> PropertyList? { indices.contains(position) ? self[position] : nil }
}

extension PropertyList {
    var containerName: String? {
        switch self {
        case .array: "array"
        case .set: "set"
        case .dictionary: "dictionary"
        default: nil
        }
    }
}

enum Part {
    case value(KeyedArchive.Value)
    case list(PropertyList)
    case stream(TypedStream, object: Int?)
}

enum Selection {
    static let path = Option(
        name: "path", value: "PATH",
        help:
            "The part at PATH, such as animals[0].name or animals/0/name: keys and positions from the root object, or from"
            + " the top if PATH begins with “/”. In a path with “/”, a “.” belongs to the key. “[3]” is always a position, and"
            + " “\\” makes the next character part of a key.")
    static let uid = Option(name: "uid", value: "N", help: "The object with the number N, which “show” writes as #N.")

    static let options = [path, uid]

    /// The part that the options select; nil without them.
    static func part(of input: Input, _ arguments: Arguments) throws -> Part? {
        if arguments.has(path), arguments.has(uid) {
            throw ToolError(.usage, "--path and --uid both select a part; give one of them")
        }
        let number = try arguments.integer(uid, in: 0...Int(UInt32.max))
        let steps = try arguments.value(path).map { text throws(ToolError) in try ValuePath(text) }
        switch input.content {
        case .archive(let archive):
            if let number, number >= archive.objects.count {
                throw ToolError(
                    .unreadable,
                    "There is no object #\(number): the archive has \(archive.objects.count), from #0 (nil) to"
                        + " #\(archive.objects.count - 1)")
            }
            if let number { return .value(archive.objects[number]) }
            return try steps.map { .value(try $0.value(in: archive)) }
        case .propertyList(let list, _, _):
            if number != nil {
                throw ToolError(.usage, "\(input.name) is a property list, whose values have no uids; use --path")
            }
            return try steps.map { .list(try $0.value(in: list)) }
        case .typedStream(let stream):
            if steps != nil {
                throw ToolError(.usage, "\(input.name) is a typedstream, whose values have no keys; use --uid")
            }
            if let number, !stream.objects.indices.contains(number) {
                throw ToolError(
                    .unreadable,
                    "There is no object #\(number) in \(input.name): it has \(stream.objects.count), from #0 on")
            }
            return number.map { .stream(stream, object: $0) }
        }
    }
}
