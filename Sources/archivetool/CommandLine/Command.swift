// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

struct Command: Sendable {
    let name: String
    let summary: String
    var operands: [Operand] = []
    /// Its own options, without those of all commands (`Option.common`).
    var options: [Option] = []
    /// Paragraphs of the help. Indented lines are not wrapped.
    let discussion: String
    var examples: [Example] = []
    let run: @Sendable (Arguments, Session) throws -> ExitStatus

    struct Operand: Sendable {
        let name: String
        let help: String
        var isFile = false
        var isOptional = false
        /// Whether any number of them may be given, which only the last operand allows.
        var isRepeated = false

        static let file = Operand(name: "FILE", help: "The file to read; “-” for standard input.", isFile: true)
        static let input = Operand(
            name: "FILE", help: "The file to read; “-”, or nothing, for standard input.", isFile: true, isOptional: true
        )
    }

    struct Example: Sendable {
        let line: String
        let help: String

        init(_ line: String, _ help: String) {
            self.line = line
            self.help = help
        }
    }

    /// The synopsis: `archivetool show [OPTIONS] [FILE]`.
    var usage: String {
        var words = ["archivetool", name, "[OPTIONS]"]
        for operand in operands {
            let word = operand.isRepeated ? operand.name + "..." : operand.name
            words.append(operand.isOptional ? "[\(word)]" : word)
        }
        return words.joined(separator: " ")
    }

    var allOptions: [Option] { options + Option.common }
}

enum ExitStatus: Int32, Sendable {
    case success = 0
    /// Damage that `check` found, differences, conflicts, or no hit of `find`.
    case found = 1
    case usage = 2
    /// The input cannot be read, or is of the wrong kind.
    case unreadable = 3
    case unwritable = 4
}

struct ToolError: Error {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }
}

/// An option of a command: `--depth N`, or a flag such as `--nested`.
struct Option: Sendable {
    /// The name without its hyphens.
    let name: String
    var letter: Character?
    var value: String?
    /// The allowed values; empty if all are.
    var choices: [String] = []
    let help: String

    static let help = Option(name: "help", letter: "h", help: "Show this help.")
    static let output = Option(
        name: "output", letter: "o", value: "FILE",
        help: "Write to FILE instead of standard output. The file is replaced as a whole.")
    static let color = Option(
        name: "color", value: "WHEN", choices: ["auto", "always", "never"],
        help: "Colours: “auto” (on a terminal, unless NO_COLOR is set), “always” or “never”.")

    static let json = Option(name: "json", help: "Write JSON, for programs.")
    static let quiet = Option(name: "quiet", letter: "q", help: "Write nothing; use the exit status.")

    static let common = [output, color, help]

    var isRepeatable = false

    /// The option on the command line: `--output`.
    var spelling: String { "--" + name }
}

struct Arguments: Sendable {
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]

    func has(_ option: Option) -> Bool { values[option.name] != nil }

    func value(_ option: Option) -> String? { values[option.name]?.last }

    func values(_ option: Option) -> [String] { values[option.name] ?? [] }

    func integer(_ option: Option, in range: ClosedRange<Int>) throws(ToolError) -> Int? {
        guard let text = value(option) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let bounds =
                range.upperBound == .max
                ? "from \(range.lowerBound) up" : "from \(range.lowerBound) to \(range.upperBound)"
            throw ToolError(.usage, "\(option.spelling) takes a whole number \(bounds), not “\(text)”")
        }
        return number
    }
}

// MARK: - Reading a command line

extension Arguments {
    /// Parses `words`, the command line after the name of `command`. All words after `--` are operands, and so is `-`.
    init(_ words: [String], of command: Command) throws(ToolError) {
        var remaining = words[...]
        while let word = remaining.popFirst() {
            if word == "--" {
                operands += remaining
                remaining = []
            } else if word.hasPrefix("--") {
                try readLong(word.dropFirst(2), &remaining, command)
            } else if command.allOptions.contains(where: { "-" + $0.name == word }) {
                // As in plutil: -string.
                try readLong(word.dropFirst(), &remaining, command)
            } else if word.hasPrefix("-"), word != "-", Double(word) == nil {
                try readLetters(word.dropFirst(), &remaining, command)
            } else {
                operands.append(word)
            }
        }
        let limit = command.operands.last?.isRepeated == true ? Int.max : command.operands.count
        if operands.count > limit {
            throw ToolError(
                .usage,
                "“\(operands[limit])” is one more than “\(command.name)” takes; usage: \(command.usage)")
        }
        if operands.count < command.operands.count(where: { !$0.isOptional }) {
            throw ToolError(
                .usage, "\(command.operands[operands.count].name) is missing; usage: \(command.usage)")
        }
    }

    private mutating func readLong(
        _ word: Substring, _ remaining: inout ArraySlice<String>, _ command: Command
    ) throws(ToolError) {
        let end = word.firstIndex(of: "=")
        let name = String(word[..<(end ?? word.endIndex)])
        guard let option = command.allOptions.first(where: { $0.name == name }) else {
            let hint = nearest(to: name, among: command.allOptions.map(\.name)).map { "; did you mean “--\($0)”?" }
            throw ToolError(
                .usage,
                "“\(command.name)” has no option “--\(name)”"
                    + (hint ?? "; “archivetool help \(command.name)” lists its options"))
        }
        try take(option, end.map { String(word[word.index(after: $0)...]) }, &remaining)
    }

    private mutating func readLetters(
        _ word: Substring, _ remaining: inout ArraySlice<String>, _ command: Command
    ) throws(ToolError) {
        var word = word
        while let letter = word.popFirst() {
            guard let option = command.allOptions.first(where: { $0.letter == letter }) else {
                throw ToolError(
                    .usage,
                    "“\(command.name)” has no option “-\(letter)”; “archivetool help \(command.name)” lists its options"
                )
            }
            // The value may follow directly: -oFILE.
            let rest = option.value == nil || word.isEmpty ? nil : String(word.first == "=" ? word.dropFirst() : word)
            if rest != nil { word = "" }
            try take(option, rest, &remaining)
        }
    }

    private mutating func take(
        _ option: Option, _ attached: String?, _ remaining: inout ArraySlice<String>
    ) throws(ToolError) {
        guard let valueName = option.value else {
            if let attached {
                throw ToolError(.usage, "\(option.spelling) takes no value, and “\(attached)” was given")
            }
            values[option.name, default: []].append("")
            return
        }
        let value: String
        if let attached {
            value = attached
        } else if let next = remaining.first, !next.hasPrefix("--") {
            value = next
            remaining.removeFirst()
        } else {
            let found = remaining.first.map { "“\($0)” follows" } ?? "nothing follows"
            throw ToolError(.usage, "\(option.spelling) needs a value, \(option.spelling)=\(valueName); \(found)")
        }
        guard option.choices.isEmpty || option.choices.contains(value) else {
            let hint = nearest(to: value, among: option.choices).map { "; did you mean “\($0)”?" } ?? ""
            let list = option.choices.map { "“\($0)”" }.joined(separator: ", ")
            throw ToolError(.usage, "\(option.spelling) takes one of \(list), not “\(value)”\(hint)")
        }
        values[option.name, default: []].append(value)
    }
}

// MARK: - Suggestions

/// The one of `names` that is most similar to `word`; nil if none is.
func nearest(to word: String, among names: [String]) -> String? {
    let word = String(word.prefix(64)).lowercased()
    let ranked = names.map { (name: $0, distance: editDistance(word, $0.lowercased())) }
    if let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= max(1, best.name.count / 3) {
        return best.name
    }
    return word.count < 2 ? nil : names.first { $0.lowercased().hasPrefix(word) }
}

/// The Damerau-Levenshtein distance: the number of insertions, deletions, changes and exchanges of neighbours.
private func editDistance(_ left: String, _ right: String) -> Int {
    let left = Array(left)
    let right = Array(right)
    var before: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
        var next = [row + 1]
        for column in right.indices {
            var distance = min(
                last[column + 1] + 1, next[column] + 1, last[column] + (left[row] == right[column] ? 0 : 1))
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                distance = min(distance, before[column - 1] + 1)
            }
            next.append(distance)
        }
        before = last
        last = next
    }
    return last[right.count]
}
