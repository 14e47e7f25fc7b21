// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Adds colours to the lines of trees: those of the library, and those of `PropertyListTree`.
struct TreeColors: TextOutputStream {
    private let output: Output
    private var line = ""

    init(to output: Output) { self.output = output }

    mutating func write(_ text: String) {
        guard output.hasColor else { return output.write(text) }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        line += lines.removeFirst()
        for next in lines {
            output.write(Self.colored(line) + "\n")
            line = String(next)
        }
    }

    mutating func finish() {
        if output.hasColor { output.write(Self.colored(line)) }
        line = ""
    }

    private static let headings = [
        "Keyed archive", "Typedstream of version", "Property list, ", "Unreachable objects:", "Classes:",
        "Objects that nothing refers to:",
    ]

    /// `line` with a colour for its key, and for each word of its value.
    static func colored(_ line: String) -> String {
        var rest = line.utf8[...]
        func take(_ end: String.Index, _ style: Style?) -> String {
            defer { rest = rest[end...] }
            let text = String(rest[..<end]) ?? ""
            return style?.applied(to: text) ?? text
        }
        func end(while isInside: (UInt8) -> Bool) -> String.Index { rest.firstIndex { !isInside($0) } ?? rest.endIndex }
        var result = take(end { $0 == 0x20 }, nil)
        if headings.contains(where: { rest.starts(with: $0.utf8) }) { return result + take(rest.endIndex, .heading) }
        if let keyEnd = keyEnd(in: rest) { result += take(keyEnd, .key) + take(end { $0 == 0x3A || $0 == 0x20 }, nil) }
        var isFirst = true
        while let first = rest.first {
            if first == UInt8(ascii: "\"") {
                result += take(literalEnd(in: rest, rest.startIndex), .string)
            } else if rest.starts(with: "damaged:".utf8) || rest.starts(with: "(damaged".utf8) {
                result += take(rest.endIndex, .damage)
            } else {
                let word = end { $0 != 0x20 && $0 != 0x2C && $0 != 0x22 }
                let isLetter = first | 0x20 >= 0x61 && first | 0x20 <= 0x7A || first == 0x5F
                result += take(word, style(of: rest[..<word]) ?? (isFirst && isLetter ? .className : nil))
                isFirst = false
            }
            result += take(end { $0 == 0x20 || $0 == 0x2C }, nil)
        }
        return result
    }

    private static func style(of word: Substring.UTF8View) -> Style? {
        let second = word.dropFirst().first ?? 0
        switch word.first {
        case UInt8(ascii: "#")?: return .uid
        case UInt8(ascii: "<")?: return .data
        case (0x30...0x39)?: return .number
        case UInt8(ascii: "-")?: return 0x30...0x39 ~= second ? .number : nil
        default: return words[String(word) ?? ""]
        }
    }

    private static let words: [String: Style] = [
        "nil": .number, "true": .number, "false": .number, "(cycle)": .mark, "(above)": .mark, "(below)": .mark,
        "→": .mark, "…": .faint,
    ]

    /// The end of the key at the beginning of a line; nil if it has none.
    private static func keyEnd(in line: Substring.UTF8View) -> String.Index? {
        var index = line.startIndex
        while index < line.endIndex {
            if line[index] == UInt8(ascii: "\"") {
                index = literalEnd(in: line, index)
                continue
            }
            let next = line.index(after: index)
            if line[index] == UInt8(ascii: ":"), index > line.startIndex, next == line.endIndex || line[next] == 0x20 {
                return index
            }
            index = next
        }
        return nil
    }

    private static func literalEnd(in line: Substring.UTF8View, _ start: String.Index) -> String.Index {
        var isEscaped = false
        for index in line[start...].indices.dropFirst() {
            if line[index] == UInt8(ascii: "\""), !isEscaped { return line.index(after: index) }
            isEscaped = line[index] == UInt8(ascii: "\\") && !isEscaped
        }
        return line.endIndex
    }
}
