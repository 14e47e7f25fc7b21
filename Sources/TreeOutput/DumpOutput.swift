// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The output of a dump, which passes the text to its target in small pieces, however long the text is.
package struct DumpOutput: TextOutputStream {
    private var piece = ""
    private let target: (String) -> Void
    /// Whether no line has been started.
    private var isEmpty = true

    /// The number of bytes from which a piece is passed to the target.
    private static let pieceSize = 1000
    /// The number of code units of a string that are written at once.
    private static let chunkSize = 64

    package init(_ target: @escaping (String) -> Void) {
        self.target = target
    }

    package mutating func write(_ text: String) {
        piece += text
        if piece.utf8.count >= Self.pieceSize { flush() }
    }

    package mutating func flush() {
        guard !piece.isEmpty else { return }
        target(piece)
        piece.removeAll(keepingCapacity: true)
    }

    package mutating func startLine(_ indentation: Int) {
        if !isEmpty { write("\n") }
        isEmpty = false
        for _ in 0..<indentation { write("    ") }
    }

    /// Writes an empty line.
    package mutating func leaveLine() { write("\n") }
}

// MARK: - Strings

/// The text of a string in place: UTF-8, or big-endian UTF-16.
package struct TextBytes {
    let bytes: StoredBytes
    let isUTF16: Bool

    /// The number of bytes of UTF-8, or units of UTF-16.
    var count: Int { isUTF16 ? bytes.count / 2 : bytes.count }

    package init(utf8 bytes: StoredBytes) {
        self.bytes = bytes
        isUTF16 = false
    }

    package init(_ node: Node, in objects: NodeScanner) {
        bytes = objects.bytes(node)
        isUTF16 = node.kind == .utf16
    }

    /// Returns `position`, or the start of the scalar that `position` is inside.
    func boundary(_ position: Int) -> Int {
        guard position > 0, position < count else { return min(max(position, 0), count) }
        if isUTF16 {
            // The high bytes of the units.
            return bytes[2 * position] & 0xFC == 0xDC && bytes[2 * position - 2] & 0xFC == 0xD8
                ? position - 1 : position
        }
        for start in (max(0, position - 3)...position).reversed() where bytes[start] & 0xC0 != 0x80 { return start }
        return position  // not UTF-8
    }

    func string(_ range: Range<Int>) -> String {
        if isUTF16 {
            bytes.withBytes(2 * range.lowerBound..<2 * range.upperBound) { UTF16Transcoder.string(bigEndian: $0) }
        } else {
            bytes.string(at: range.lowerBound, length: range.count)
        }
    }
}

extension DumpOutput {
    package mutating func writeLiteral(_ text: TextBytes, from start: Int = 0, to end: Int) {
        write("\"")
        var isAfterText = false
        var position = start
        while position < end {
            var next = text.boundary(min(position + Self.chunkSize, end))
            if next <= position { next = end }
            ReadableText.writeEscaped(text.string(position..<next), isAfterText: &isAfterText, to: &self)
            position = next
        }
        write("\"")
    }

    /// Writes at most `limit` code units of `text` as a string literal, followed by the length if the text is longer.
    package mutating func writeLiteral(_ text: TextBytes, limit: Int) {
        let end = text.boundary(limit)
        writeLiteral(text, to: end)
        guard end < text.count else { return }
        write("… (length \(text.count))")
    }
}

// MARK: - Names

extension DumpOutput {
    /// The maximum number of code units of a name in the output.
    private static let nameLimit = 200

    /// Writes a class name: without quotes if it is unambiguous, otherwise as a literal.
    package mutating func writeClassName(_ text: TextBytes) {
        if isName(text, LineText.isClassName) { return writeName(text) }
        writeLiteral(text, limit: Self.nameLimit)
    }

    /// Writes the key of a field: without quotes if it is a word, otherwise as a literal. Keys of the format that start with
    /// "$" are words. Keys of a program that start with "$" have another "$" in front and are literals.
    package mutating func writeFieldName(_ text: TextBytes) {
        let end = text.boundary(Self.nameLimit)
        let name = text.string(0..<min(end, 2))
        if name == "$$" {
            writeLiteral(text, from: 1, to: end)
            if end < text.count { write("… (length \(text.count - 1))") }
        } else if isName(text, LineText.isWord) {
            writeName(text)
        } else {
            writeLiteral(text, limit: Self.nameLimit)
        }
    }

    private func isName(_ text: TextBytes, _ isUnambiguous: (String) -> Bool) -> Bool {
        text.count <= Self.nameLimit && isUnambiguous(text.string(0..<text.count))
    }

    private mutating func writeName(_ text: TextBytes) { write(text.string(0..<text.count)) }
}
