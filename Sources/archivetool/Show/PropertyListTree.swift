import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A property list that is no archive as a tree, in the manner of the library's trees of archives.
struct PropertyListTree {
    /// Bytes of data that are shown.
    var byteLimit = 16
    /// Scalars of a string that are shown.
    var stringLimit = 200
    /// Levels of contents that are shown.
    var depthLimit = Int.max
    /// Tells what is in data.
    var textOfData: ((Data) -> String?)?

    /// Levels that lines are indented by. Deeper ones tell their level, so that the text does not grow with its square.
    private static let indentationLimit = 24

    /// A container whose contents are being written.
    private struct Frame {
        let contents: Contents
        let level: Int
        var next = 0

        enum Contents {
            case elements([PropertyList])
            case members([PropertyList])
            case entries(PropertyList.Dictionary)

            var count: Int {
                switch self {
                case .elements(let elements), .members(let elements): elements.count
                case .entries(let entries): entries.count
                }
            }

            /// What is written in front of the value at `position`, and the value.
            func item(_ position: Int) -> (label: String, value: PropertyList) {
                switch self {
                case .elements(let elements): ("[\(position)]: ", elements[position])
                case .members(let elements): ("- ", elements[position])
                case .entries(let entries): (VisibleText.key(entries[position].key) + ": ", entries[position].value)
                }
            }
        }
    }

    /// Writes `list`, without a line feed at the end.
    ///
    /// It does not recurse.
    func write(_ list: PropertyList, format: ListForm?, to output: inout some TextOutputStream) {
        var frames: [Frame] = []
        let prefix = format.map { "Property list, \($0.title), " } ?? ""
        output.write(prefix)
        writeValue(list, level: 0, &frames, &output)
        while let frame = frames.last {
            guard frame.next < frame.contents.count else {
                frames.removeLast()
                continue
            }
            frames[frames.count - 1].next += 1
            let (label, value) = frame.contents.item(frame.next)
            startLine(frame.level, &output)
            output.write(label)
            writeValue(value, level: frame.level + 1, &frames, &output)
        }
    }

    private func startLine(_ level: Int, _ output: inout some TextOutputStream) {
        output.write("\n" + String(repeating: "    ", count: min(level, Self.indentationLimit)))
        if level > Self.indentationLimit { output.write("(level \(level)) ") }
    }

    /// Writes what stands on the line of `value`, and opens a frame for its contents.
    private func writeValue(
        _ value: PropertyList, level: Int, _ frames: inout [Frame], _ output: inout some TextOutputStream
    ) {
        let contents: Frame.Contents
        let name: String
        switch value {
        case .array(let elements): (name, contents) = ("array", .elements(elements))
        case .set(let elements): (name, contents) = ("set", .members(elements))
        case .dictionary(let entries): (name, contents) = ("dictionary", .entries(entries))
        case .string(let text): return output.write(VisibleText.literal(text, limit: stringLimit))
        case .data(let data): return writeData(data, level, &output)
        default: return output.write(value.description)
        }
        let noun =
            name == "dictionary"
            ? (contents.count == 1 ? "entry" : "entries") : contents.count == 1 ? "element" : "elements"
        output.write("\(name), \(contents.count) \(noun)")
        guard contents.count > 0 else { return }
        guard level < depthLimit else { return output.write(" …") }
        frames.append(Frame(contents: contents, level: level))
    }

    private func writeData(_ data: Data, _ level: Int, _ output: inout some TextOutputStream) {
        output.write(VisibleText.bytes(data, limit: byteLimit))
        guard let text = textOfData?(data) else { return }
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
    /// How many bytes there are, and the first of them in hexadecimal.
    static func bytes(_ data: Data, limit: Int) -> String {
        var text = data.count == 1 ? "1 byte" : "\(data.count) bytes"
        guard limit > 0 else { return text }
        text += " <"
        for (position, byte) in data.prefix(limit).enumerated() {
            if position > 0, position % 4 == 0 { text += " " }
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return text + (data.count > limit ? " …>" : ">")
    }

    /// The key of a field: a word as it is, everything else as a literal.
    static func key(_ text: String) -> String {
        guard let first = text.utf8.first, first < 0x80, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= first),
            text.utf8.count <= 200,
            text.utf8.allSatisfy({ byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "$")
            })
        else { return literal(text, limit: 200) }
        return text
    }
}
