// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving

/// The limits of a tree, by which the library shows archives, and this program property lists.
struct TreeOptions {
    /// The number of bytes of data that are shown.
    let byteLimit: Int
    /// The number of UTF-16 code units of a string that are shown.
    let stringLimit: Int
    /// The levels of contents that are shown.
    let depthLimit: Int
    /// Whether every object is shown with its uid.
    let showsUIDs: Bool

    func write(
        _ archive: KeyedArchive, _ textOfData: @escaping (Data) -> String?, to output: inout some TextOutputStream
    ) {
        archive.dump(
            to: &output, byteLimit: byteLimit, stringLimit: stringLimit, depthLimit: depthLimit, showsUIDs: showsUIDs,
            textOfData: textOfData)
    }

    func write(
        _ value: KeyedArchive.Value, _ textOfData: @escaping (Data) -> String?, to output: inout some TextOutputStream
    ) {
        value.dump(
            to: &output, byteLimit: byteLimit, stringLimit: stringLimit, depthLimit: depthLimit, showsUIDs: showsUIDs,
            textOfData: textOfData)
    }
}

/// Writes a property list that is no archive as a tree, in the form of the library's trees of archives.
struct PropertyListTree {
    /// The levels of indentation. Deeper levels are numbered.
    private static let indentationLimit = 16

    let options: TreeOptions
    let textOfData: (Data) -> String?

    /// A container whose contents are being written.
    private struct Frame {
        /// The labels and values, except for positions of elements.
        let contents: [(label: String?, value: PropertyList)]
        let level: Int
        var next = 0
    }

    /// Writes `list`, without a line feed at the end. It does not recurse.
    func write(_ list: PropertyList, format: ListForm?, to output: inout some TextOutputStream) {
        var frames: [Frame] = []
        output.write(format.map { "Property list, \($0.title), " } ?? "")
        writeValue(list, level: 0, &frames, &output)
        while let frame = frames.last {
            guard frame.next < frame.contents.count else {
                frames.removeLast()
                continue
            }
            frames[frames.count - 1].next += 1
            let (label, value) = frame.contents[frame.next]
            startLine(frame.level, &output)
            output.write(label ?? "[\(frame.next)]: ")
            writeValue(value, level: frame.level + 1, &frames, &output)
        }
    }

    private func startLine(_ level: Int, _ output: inout some TextOutputStream) {
        output.write("\n" + String(repeating: "    ", count: min(level, Self.indentationLimit)))
        if level > Self.indentationLimit { output.write("(level \(level)) ") }
    }

    /// Writes the first line of `value`, and opens a frame for its contents.
    private func writeValue(
        _ value: PropertyList, level: Int, _ frames: inout [Frame], _ output: inout some TextOutputStream
    ) {
        let contents: [(label: String?, value: PropertyList)]
        switch value {
        case .array(let elements): contents = elements.map { (nil, $0) }
        case .set(let elements): contents = elements.map { ("- ", $0) }
        case .dictionary(let entries): contents = entries.map { (VisibleText.key($0.key) + ": ", $0.value) }
        case .string(let text): return output.write(VisibleText.literal(text, limit: options.stringLimit))
        case .data(let data): return writeData(data, level, &output)
        default: return output.write(value.description)
        }
        let noun = value.dictionary == nil ? "element" : "entry"
        output.write("\(value.containerName ?? ""), \(counted(contents.count, noun))")
        guard !contents.isEmpty else { return }
        guard level < options.depthLimit else { return output.write(" …") }
        frames.append(Frame(contents: contents, level: level))
    }

    private func writeData(_ data: Data, _ level: Int, _ output: inout some TextOutputStream) {
        output.write(VisibleText.bytes(data, limit: options.byteLimit))
        guard let text = textOfData(data) else { return }
        output.write(":")
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard !line.isEmpty else {
                output.write("\n")
                continue
            }
            startLine(level, &output)
            output.write(String(line))
        }
    }
}

extension VisibleText {
    /// A key of a field: a word as it is, other text as a literal.
    static func key(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            Character(Unicode.Scalar(byte)).isLetter && byte < 0x80 || 0x30...0x39 ~= byte || "_.$".utf8.contains(byte)
        }
        let startsWithDigit = text.utf8.first.map { 0x30...0x39 ~= $0 } ?? true
        return isPlain && !startsWithDigit && text.utf8.count <= 200 ? text : literal(text, limit: 200)
    }
}
