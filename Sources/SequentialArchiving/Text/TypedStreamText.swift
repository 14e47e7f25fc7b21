// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// Text for the values, types and classes of a typedstream. Its length is limited, since a file can refer to the same value many
/// times.
enum TypedStreamText {
    private static let nameLimit = 60
    static let chainLimit = 12

    // MARK: - Types and classes

    /// The types as in the file, truncated to one line.
    static func types(_ types: [TypeEncoding]) -> String { visible(TypeEncoding.start(of: types)) }

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

    /// The content of a value, with at most `limit` characters of text.
    ///
    /// - Parameter stream: The stream with the C strings and objects; nil if it is unknown.
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

    /// The values in brackets, truncated to `limit`.
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

    /// A number with all its digits. A NaN shows its bits, unless they are the usual ones.
    private static func number<Number: BinaryFloatingPoint & CustomStringConvertible>(
        _ value: Number, _ bits: some FixedWidthInteger, isUsualNaN: Bool
    ) -> String {
        if value.isNaN { return isUsualNaN ? "nan" : "nan 0x" + String(bits, radix: 16) }
        let text = value.description
        return text.hasSuffix(".0") && text != "-0.0" ? String(text.dropLast(2)) : text
    }

    /// The bytes as text if they are text, with their length if they are truncated.
    private static func bytes(_ bytes: [UInt8], limit: Int) -> String {
        var end = min(bytes.count, limit)
        // Do not cut inside a character.
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
