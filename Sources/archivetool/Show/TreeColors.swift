/// Gives the lines of a tree their colours: those that the library writes of archives and typedstreams, and those of
/// `PropertyListTree`. The text stays what it is; only control sequences are put into it.
///
/// It goes by how the lines are made, `key: Class #7, 3 elements` for example, so that there is one way to write an archive,
/// with colours and without.
struct TreeColors: TextOutputStream {
    private let output: Output
    private var line = ""

    /// Text that goes to `output`.
    init(to output: Output) { self.output = output }

    mutating func write(_ text: String) {
        guard output.hasColor else { return output.write(text) }
        var rest = text[...]
        while let end = rest.firstIndex(of: "\n") {
            line += rest[..<end]
            writeLine()
            output.write("\n")
            rest = rest[rest.index(after: end)...]
        }
        line += rest
    }

    /// Writes the line that has no end yet.
    mutating func finish() {
        guard output.hasColor else { return }
        writeLine()
    }

    private mutating func writeLine() {
        output.write(Self.colored(line))
        line = ""
    }
}

// MARK: - Lines

extension TreeColors {
    private static let headings = [
        "Keyed archive", "Typedstream of version", "Property list, ", "Unreachable objects:", "Classes:",
        "Objects that nothing refers to:",
    ]

    /// `line` with colours.
    static func colored(_ line: String) -> String {
        let bytes = Array(line.utf8)
        let indentation = bytes.prefix { $0 == UInt8(ascii: " ") }.count
        let content = line.dropFirst(indentation)
        if headings.contains(where: { content.hasPrefix($0) }) {
            return String(repeating: " ", count: indentation) + Style.heading.applied(to: String(content))
        }
        var scan = LineScan(bytes, from: indentation)
        return String(repeating: " ", count: indentation) + scan.colored()
    }
}

/// One line of a tree, from its key to its end.
private struct LineScan {
    private let bytes: [UInt8]
    private var position: Int
    private var output = ""

    init(_ bytes: [UInt8], from start: Int) {
        self.bytes = bytes
        position = start
    }

    mutating func colored() -> String {
        if let end = keyEnd {
            put(position..<end, .key)
            put(end..<min(end + 2, bytes.count), nil)
        }
        putClassName()
        while position < bytes.count { putToken() }
        return output
    }

    /// Where the key ends that the line begins with; nil where it has none.
    private var keyEnd: Int? {
        var index = position
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\"") {
                index = literalEnd(index)
                continue
            }
            if bytes[index] == UInt8(ascii: ":"), index > position,
                index + 1 == bytes.count || bytes[index + 1] == UInt8(ascii: " ")
            {
                return index
            }
            index += 1
        }
        return nil
    }

    /// The place behind the literal that begins at `start`.
    private func literalEnd(_ start: Int) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, bytes.count)
    }

    private mutating func put(_ range: Range<Int>, _ style: Style?) {
        let text = String(decoding: bytes[range], as: UTF8.self)
        output += style?.applied(to: text) ?? text
        position = range.upperBound
    }

    // MARK: Values

    private static let words: [String: Style] = [
        "nil": .number, "true": .number, "false": .number, "damaged:": .damage, "array": .className, "set": .className,
        "dictionary": .className,
    ]

    /// Writes the name of a class, where the value is an object.
    private mutating func putClassName() {
        // Another number may stand in front of it: a typedstream has #0 Crew, a set "- ".
        while position < bytes.count, let end = labelEnd(position) {
            put(position..<end, .uid)
            if position < bytes.count { put(position..<position + 1, nil) }
        }
        guard position < bytes.count, isLetter(bytes[position]) else { return }
        var end = position
        while end < bytes.count, !startsMark(end) { end += 1 }
        let word = String(decoding: bytes[position..<end].prefix { $0 != 0x20 && $0 != 0x2C }, as: UTF8.self)
        if let style = Self.words[word] {
            put(position..<(style == .damage ? bytes.count : position + word.utf8.count), style)
        } else if word != "packed", word != "class" {
            put(position..<end, .className)
        }
    }

    private func isLetter(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte >= 0x80 && byte != 0xE2
            || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte & 0xDF && byte < 0x80
    }

    /// Whether the name of a class ends in front of `index`.
    private func startsMark(_ index: Int) -> Bool {
        guard bytes[index] == UInt8(ascii: " "), index + 1 < bytes.count else { return false }
        return [UInt8(ascii: "#"), UInt8(ascii: "@"), UInt8(ascii: "("), 0xE2, UInt8(ascii: "\"")].contains(
            bytes[index + 1])
    }

    /// The end of a label such as #7 or @12; nil where there is none.
    private func labelEnd(_ start: Int) -> Int? {
        guard bytes[start] == UInt8(ascii: "#") || bytes[start] == UInt8(ascii: "@") else { return nil }
        var end = start + 1
        while end < bytes.count, isDigit(bytes[end]) { end += 1 }
        return end > start + 1 ? end : nil
    }

    private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private mutating func putToken() {
        let byte = bytes[position]
        if byte == UInt8(ascii: "\"") { return put(position..<literalEnd(position), .string) }
        if let end = labelEnd(position) { return put(position..<end, .uid) }
        for (mark, style) in [
            ("(cycle)", Style.mark), ("(above)", .mark), ("(below)", .mark), ("→", .mark), ("…", .faint),
            ("nil", .number),
        ] where bytes[position...].starts(with: mark.utf8) {
            return put(position..<position + mark.utf8.count, style)
        }
        if bytes[position...].starts(with: "(damaged".utf8) { return put(position..<bytes.count, .damage) }
        if byte == UInt8(ascii: "<") {
            let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.count
            return put(position..<end, .data)
        }
        var end = position
        // Numbers, dates and UUIDs go up to what divides values.
        while end < bytes.count, ![0x20, 0x2C, 0x29, 0x5D, 0x7D].contains(bytes[end]) { end += 1 }
        let isNumber =
            end > position
            && (isDigit(byte) || byte == UInt8(ascii: "-") && position + 1 < end && isDigit(bytes[position + 1]))
        put(position..<max(end, position + 1), isNumber ? .number : nil)
    }
}
