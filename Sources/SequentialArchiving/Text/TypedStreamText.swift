import Archiving

/// How the values, types and classes of a typedstream are written for people to read: as much as a limit allows, so that
/// what a file refers to again and again does not make a text without end.
enum TypedStreamText {
    /// Unicode scalars of a class name.
    private static let nameLimit = 60
    /// Classes of a chain.
    static let chainLimit = 12

    // MARK: - Types and classes

    /// The types as they stand in the file, as far as there is room on a line.
    static func types(_ types: [TypeEncoding]) -> String { visible(TypeEncoding.start(of: types)) }

    /// A text without what cannot be seen, or ends a line.
    private static func visible(_ text: String) -> String {
        var output = ""
        var isAfterText = false
        ReadableText.writeEscaped(text, isAfterText: &isAfterText, to: &output)
        return output
    }

    /// The name of a class and its version: NSString v1.
    static func `class`(_ value: TypedStream.Class) -> String {
        guard !value.name.isEmpty else { return "\"\" v\(value.version)" }
        let start = String(value.name.unicodeScalars.prefix(nameLimit))
        let mark = start.utf8.count < value.name.utf8.count ? "…" : ""
        return visible(start) + "\(mark) v\(value.version)"
    }

    // MARK: - Values

    /// What kind of value it is, for one that stands alone.
    static func kind(of value: TypedStream.Value) -> String {
        switch value {
        case .integer: "integer "
        case .unsigned: "unsigned "
        case .float: "float "
        case .double: "double "
        case .cString: "C string "
        case .name: "name "
        case .bytes: "bytes "
        case .class: "class "
        case .object: "object "
        case .array(let values): "array of \(values.count) "
        case .structure(let values): "struct of \(values.count) "
        case .ignored: ""
        }
    }

    /// What a value says, with so many characters of a text.
    ///
    /// - Parameter stream: Where the C strings are, and nil where that is not known.
    static func leaf(_ value: TypedStream.Value, in stream: TypedStream?, limit: Int) -> String {
        switch value {
        case .integer(let value): return "\(value)"
        case .unsigned(let value): return "\(value)"
        case .float(let value):
            return number(value, value.bitPattern, isUsualNaN: value.bitPattern == Float.nan.bitPattern)
        case .double(let value):
            return number(value, value.bitPattern, isUsualNaN: value.bitPattern == Double.nan.bitPattern)
        case .cString(nil), .name(nil), .bytes(nil), .class(nil), .object(nil): return "nil"
        case .cString(let index?):
            guard let stream else { return "#\(index)" }
            guard stream.cStrings.indices.contains(index) else { return "(C string \(index), which is missing)" }
            return bytes(stream.cStrings[index], limit: limit)
        case .name(let bytes?), .bytes(let bytes?): return self.bytes(bytes, limit: limit)
        case .class(let index?): return "#\(index)"
        case .object(let index?):
            guard let stream else { return "#\(index)" }
            return stream.objects.indices.contains(index) ? "→ #\(index)" : "(object \(index), which is missing)"
        case .array(let values): return "[" + list(values, in: stream, limit: limit) + "]"
        case .structure(let values): return "{" + list(values, in: stream, limit: limit) + "}"
        case .ignored: return "(nothing stored)"
        }
    }

    /// As many of the values as there is room for.
    private static func list(_ values: [TypedStream.Value], in stream: TypedStream?, limit: Int) -> String {
        var text = ""
        for (position, value) in values.enumerated() {
            if position > 0 { text += ", " }
            let room = limit - text.utf8.count - 4
            guard room > 0 else { return text + "…" }
            text += leaf(value, in: stream, limit: room)
        }
        return text
    }

    /// A number with all its digits. A number that is none has its bits, unless they are the usual ones.
    private static func number<Number: BinaryFloatingPoint & CustomStringConvertible>(
        _ value: Number, _ bits: some FixedWidthInteger, isUsualNaN: Bool
    ) -> String {
        if value.isNaN { return isUsualNaN ? "nan" : "nan 0x" + String(bits, radix: 16) }
        let text = value.description
        return text.hasSuffix(".0") && text != "-0.0" ? String(text.dropLast(2)) : text
    }

    /// Bytes as text where they are nothing else, and their length where that is not all.
    private static func bytes(_ bytes: [UInt8], limit: Int) -> String {
        var end = min(bytes.count, limit)
        // Not in the middle of a character.
        while end < bytes.count, end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        guard let text = String(validating: bytes[..<end], as: UTF8.self), text.utf8.allSatisfy(isText) else {
            var output = ""
            ReadableText.write(bytes, shownByteCount: min(ReadableText.shownByteCount, limit / 3), to: &output)
            return output
        }
        return ReadableText.literal(text) + (end < bytes.count ? "… (\(bytes.count) bytes)" : "")
    }

    private static func isText(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n")
            || byte == UInt8(ascii: "\r")
    }
}
