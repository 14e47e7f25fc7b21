import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// JSON for people, and for programs that look for something: what an archive, a property list or a typedstream holds, as a
/// tree. `docs/archivetool.md` describes it. The file cannot be made again from it; the lossless form is there for that.
///
/// Keys that begin with "$" say something of the value. A key of a file that begins so has another "$" in front of it.
struct ReadableJSON {
    var writer: JSONWriter
    /// Bytes that may be written. Leaves stand wherever something refers to them, so that a small file could become a text
    /// without end.
    private let byteLimit: Int

    /// Levels of JSON from which on an object stands in a list of its own, at the end. Readers of JSON do not bear more than
    /// some hundred.
    static let depthLimit = 64

    /// A tree of a file of `byteCount` bytes.
    init(writer: JSONWriter, byteCount: Int) {
        self.writer = writer
        byteLimit = 16 << 20 + 128 * min(byteCount, 1 << 40)
    }

    /// Throws where so much was written that the rest has to be left out.
    func checkSize() throws(ToolError) {
        guard writer.byteCount <= byteLimit else { throw Self.endlessTree }
    }

    static let endlessTree = ToolError(
        .unreadable,
        "The tree of this file would be many times its size: the same values are in it again and again. Convert it to"
            + " json-lossless, or show a part with “show --path”")

    /// A key of a file.
    mutating func key(_ key: String) { writer.key(key.utf8.first == UInt8(ascii: "$") ? "$" + key : key) }

    // MARK: - Leaves

    /// A value without contents.
    enum Leaf {
        /// What is JSON already: a number, a Bool, null.
        case literal(String)
        case string(String)
        case real(Double)
        case real32(Float)
        case data(Data)
        case date(Date)
        /// A text, and what it is.
        case tagged(String, String)
    }

    mutating func write(_ leaf: Leaf) {
        switch leaf {
        case .literal(let text): writer.literal(text)
        case .string(let text): writer.string(text)
        case .real(let value) where value.isFinite: writer.literal(value.description)
        case .real(let value): writer.tagged("$real", value.description)
        case .real32(let value) where value.isFinite: writer.literal(value.description)
        case .real32(let value): writer.tagged("$real", value.description)
        case .data(let data): writer.tagged("$data", data.base64EncodedString())
        case .date(let date): writer.tagged("$date", PropertyList.date(date).description)
        case .tagged(let tag, let text): writer.tagged(tag, text)
        }
    }
}

// MARK: - Property lists

extension ReadableJSON {
    private enum ListStep {
        case value(PropertyList)
        case element([PropertyList], Int)
        case entry(PropertyList.Dictionary, Int)
        case end
    }

    /// Writes `list`, a property list. It does not recurse.
    mutating func writeList(_ list: PropertyList) throws(ToolError) {
        var remaining: [ListStep] = [.value(list)]
        while let step = remaining.popLast() {
            switch step {
            case .end: writer.end()
            case .element(let elements, let position):
                if position + 1 < elements.count { remaining.append(.element(elements, position + 1)) }
                remaining.append(.value(elements[position]))
            case .entry(let dictionary, let position):
                if position + 1 < dictionary.count { remaining.append(.entry(dictionary, position + 1)) }
                key(dictionary[position].key)
                remaining.append(.value(dictionary[position].value))
            case .value(let value):
                try checkSize()
                remaining += steps(of: value)
            }
        }
    }

    /// Writes a leaf, or the beginning of a container; gives what is to be written next.
    private mutating func steps(of value: PropertyList) -> [ListStep] {
        switch value {
        case .null: writer.literal("null")
        case .boolean(let value): writer.literal(value ? "true" : "false")
        case .integer(let value): writer.literal("\(value)")
        case .real(let value): write(.real(value))
        case .real32(let value): write(.real32(value))
        case .string(let text): writer.string(text)
        case .date(let date): write(.date(date))
        case .data(let data): write(.data(data))
        case .uid(let uid): writer.tagged("$uid", literal: "\(uid)")
        case .array(let elements):
            writer.beginArray()
            return [.end] + (elements.isEmpty ? [] : [.element(elements, 0)])
        case .set(let elements):
            writer.beginObject()
            writer.key("$set")
            writer.beginArray()
            return [.end, .end] + (elements.isEmpty ? [] : [.element(elements, 0)])
        case .dictionary(let dictionary):
            writer.beginObject()
            return [.end] + (dictionary.isEmpty ? [] : [.entry(dictionary, 0)])
        }
        return []
    }
}
