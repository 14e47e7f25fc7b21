// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

/// The part of a file that a command works on.
enum Part {
    case value(KeyedArchive.Value)
    case list(PropertyList)
    /// A typedstream, or one of its objects.
    case stream(TypedStream, object: Int?)
}

/// The options `--path` and `--uid`, which select a part of a file.
enum Selection {
    static let path = Option(
        name: "path", value: "PATH",
        help:
            "The part at PATH: keys and positions with “/” between them, from the root object, or from the top if PATH"
            + " begins with “/”. Write “/” in a key as “\\/”, and “\\” as “\\\\”; “[3]” is always a position.")
    static let uid = Option(name: "uid", value: "N", help: "The object with the number N, which “show” writes as #N.")

    static let options = [path, uid]

    /// The part that the options select; nil without them.
    ///
    /// - Throws: `ToolError` if it does not exist, with what exists instead.
    static func part(of input: Input, _ arguments: Arguments) throws -> Part? {
        if arguments.has(path), arguments.has(uid) {
            throw ToolError(.usage, "--path and --uid both select a part; give one of them")
        }
        let number = try arguments.integer(uid, in: 0...Int(UInt32.max))
        let steps = arguments.value(path).map { ValuePath($0) }
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
    init(_ text: String) {
        isFromTop = text.first == "/"
        steps = PathScanner.steps(of: text, separatedBy: ["/"]).map { step in
            let name = step.text
            guard step.isPlain, name.first == "[", name.last == "]", let position = Int(name.dropFirst().dropLast())
            else { return .name(name) }
            return .position(position)
        }
    }

    /// The text of `steps`.
    static func text(of steps: some Sequence<Step>) -> String { steps.map(text).joined(separator: "/") }

    private static func text(_ step: Step) -> String {
        switch step {
        case .name(let name): escaped(name)
        case .position(let position): "[\(position)]"
        }
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
        let start = isFromTop ? "/" : ""
        let shown = 6
        guard path.steps.count > 2 * shown else { return start + cut(steps.joined(separator: "/")) }
        let (first, last) = (steps.prefix(shown - (isFromTop ? 0 : 1)), steps.suffix(shown))
        return start + cut(first.joined(separator: "/")) + "/…/" + cut(last.joined(separator: "/"))
            + " (\(path.steps.count) steps)"
    }

    private static func cut(_ text: String) -> String {
        text.unicodeScalars.count > 200 ? String(text.unicodeScalars.prefix(200)) + "…" : text
    }
}

/// Splits paths and patterns into steps. A backslash makes the next character literal.
enum PathScanner {
    struct Character: Equatable {
        let scalar: Unicode.Scalar
        var isEscaped = false
    }

    /// The steps between `separators`, without empty ones.
    static func steps(of text: String, separatedBy separators: Set<Unicode.Scalar>) -> [[Character]] {
        characters(of: text).split { !$0.isEscaped && separators.contains($0.scalar) }.map { Array($0) }
    }

    static func characters(of text: String) -> [Character] {
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
    /// Whether no character is escaped.
    var isPlain: Bool { allSatisfy { !$0.isEscaped } }
}

// MARK: - Values at paths

extension ValuePath {
    /// The value at the path in `archive`.
    ///
    /// - Throws: `ToolError` if there is none, with the step that failed, and what exists there.
    func value(in archive: KeyedArchive) throws(ToolError) -> KeyedArchive.Value {
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

    /// The value at the path in `list`, a property list that is no archive.
    func value(in list: PropertyList) throws(ToolError) -> PropertyList {
        try follow(from: list) { value, step in
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
    }

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
            let path = Self.text(of: steps[..<position])
            let place =
                path.isEmpty
                ? (isFromTop ? "the top" : "the \(name(value)) at the root") : "the \(name(value)) at “\(path)”"
            throw ToolError(
                .unreadable,
                "There is no “\(Self.text(step))” in \(place): \(Self.sentence(contents(value), step))")
        }
        return value
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
    /// The position in a list; nil for a key that is no number.
    var number: Int? {
        switch self {
        case .name(let name): Int(name)
        case .position(let position): position
        }
    }
}

extension [PropertyList] {
    /// The element at `position`; nil if there is none.
    func element(at position: Int) -> PropertyList? { indices.contains(position) ? self[position] : nil }
}

extension PropertyList {
    /// The name of a container's kind; nil for other values.
    var containerName: String? {
        switch self {
        case .array: "array"
        case .set: "set"
        case .dictionary: "dictionary"
        default: nil
        }
    }
}
