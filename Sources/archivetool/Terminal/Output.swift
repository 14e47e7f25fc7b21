// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The destination of the output of a command: standard output, or a file that is replaced when the command is done.
///
/// Text streams cannot throw, so `finish` reports failures.
final class Output: TextOutputStream {
    var hasColor = false

    var beforeWriting: () -> Void = {}

    private var buffer: [UInt8] = []
    private var destination: Destination
    private var failure: Platform.Failure?

    private static let bufferSize = 1 << 16

    private enum Destination {
        case stream(CInt, name: String)
        case file(path: String)
        case function((ArraySlice<UInt8>) -> Void)
    }

    init() { destination = .stream(Platform.standardOutput, name: "standard output") }

    init(_ function: @escaping (ArraySlice<UInt8>) -> Void) { destination = .function(function) }

    func redirect(to name: String) throws(ToolError) {
        switch try? Platform.kind(of: name) {
        case .folder: throw ToolError(.unwritable, "“\(name)” is a folder; --output takes the path of a file")
        case .other:
            do throws(Platform.Failure) {
                destination = .stream(try Platform.open(name, toWrite: true), name: "“\(name)”")
            } catch {
                throw ToolError(.unwritable, "“\(name)” cannot be written: \(error.description)")
            }
        case .file, nil: destination = .file(path: name)
        }
    }

    /// Writes `text` unchanged. `VisibleText` prepares text from files.
    func write(_ text: String) {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= Self.bufferSize { flush() }
    }

    func write(_ text: String, _ style: Style) { write(hasColor ? style.applied(to: text) : text) }

    func write(bytes: some Sequence<UInt8>) {
        buffer += bytes
        if buffer.count >= Self.bufferSize { flush() }
    }

    /// Sends the buffered bytes, unless the destination is a file.
    func flush() {
        guard !buffer.isEmpty else { return }
        switch destination {
        case .file: return
        case .function(let function): function(buffer[...])
        case .stream(let file, _):
            beforeWriting()
            do throws(Platform.Failure) {
                if failure == nil { try Platform.write(buffer, to: file) }
            } catch {
                failure = error
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Sends the remaining bytes, or replaces the file.
    ///
    /// - Throws: `ToolError` if something could not be written. The old file stays then.
    func finish() throws(ToolError) {
        flush()
        switch destination {
        case .function: break
        case .stream(_, let name):
            guard let failure, !failure.isBrokenPipe else { break }
            throw ToolError(.unwritable, "\(name) cannot be written: \(failure.description)")
        case .file(let path):
            do {
                try ArchiveFile.write(Data(buffer), to: URL(filePath: path))
            } catch {
                let failure = (error as? CocoaError)?.underlying as? POSIXError
                let sentence = failure.map { Platform.Failure($0.code.rawValue).description } ?? "\(error)"
                throw ToolError(.unwritable, "“\(path)” cannot be written: \(sentence)")
            }
        }
    }
}

/// The kind of a piece of output, which has a colour. Colours add nothing to the text.
enum Style: Sendable {
    case heading, key, className, string, number, uid
    case mark
    case data
    /// Damage, and values of the left side of a comparison.
    case damage
    /// Values of the right side of a comparison.
    case good
    case faint

    var parameters: String {
        switch self {
        case .heading: "1"
        case .key: "36"
        case .className: "1;34"
        case .string: "32"
        case .number: "33"
        case .uid: "35"
        case .mark: "1;35"
        case .data: "2;33"
        case .damage: "1;31"
        case .good: "1;32"
        case .faint: "2"
        }
    }

    func applied(to text: String) -> String { text.isEmpty ? "" : "\u{1B}[\(parameters)m\(text)\u{1B}[0m" }
}

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
