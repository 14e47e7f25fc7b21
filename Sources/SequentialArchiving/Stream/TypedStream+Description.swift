// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import TreeOutput

extension TypedStream: CustomStringConvertible {
    /// The typedstream as readable text: each group with its types, and each object at its first occurrence.
    ///
    ///     Typedstream of version 4, little-endian, system 1000, 4 objects
    ///     @: #0 Crew v0 > NSObject v0
    ///         i: 2
    ///         @: #1 NSMutableString v1 > NSString v1 > NSObject v0
    ///             +: "Ann"
    ///         [2@]: 2 elements
    ///             [0]: #2 Cabin v3 > NSObject v0
    ///                 {_NSRect={_NSPoint=ff}{_NSSize=ff}}: {{0, 0}, {320, 240.5}}
    ///                 @i: → #0, 7
    ///             [1]: #3 Cabin v3
    ///                 {_NSRect={_NSPoint=ff}{_NSSize=ff}}: {{0, 240.5}, {320, 1}}
    ///                 @i: nil, 8
    ///
    /// The number of an object is its position in `objects`. The first object of a class shows its superclasses, and the first
    /// occurrence of an object shows its contents; "→" refers to it. The contents of deeply nested objects follow in sections of
    /// their own; "…" marks such objects. Bytes are shown as text if they are UTF-8 without invisible characters.
    ///
    /// The text also shows streams that a program created and no file can contain. Invalid references are marked as missing, and
    /// unreferenced objects are at the end.
    ///
    /// - Complexity: O(*n*), where *n* is the number of values.
    public var description: String {
        var text = ""
        let write = { (piece: String) in text += piece }
        withoutActuallyEscaping(
            write,
            do: { write in
                var dump = TypedStreamDump(self, output: DumpOutput(write))
                dump.write()
            })
        return text
    }
}

extension TypedStream.Value: CustomStringConvertible {
    /// The value in about 80 characters: its kind and its content, truncated if necessary.
    public var description: String {
        let text = TypedStreamText.kind(of: self) + TypedStreamText.leaf(self, in: nil, limit: 60)
        return text.count <= 80 ? text : text.prefix(79) + "…"
    }
}

// MARK: - Dumps

/// The state of a dump: a typedstream that is being written as text. Shared values that are no objects are truncated.
struct TypedStreamDump: ~Copyable {
    private enum Contents {
        case groups([TypedStream.Group])
        /// Values with one line each, and their types.
        case values([TypeEncoding], [TypedStream.Value])
        /// Elements, several on a line if they fit.
        case elements([TypedStream.Value])
    }

    private static let lineLimit = 100
    /// The level of indentation from which the contents of an object are written in a section of their own.
    private static let indentationLimit = 16
    private static let widestIndentation = 64

    private let stream: TypedStream
    private var tree: TreeText<Contents, Int>
    private var isClassShown: [Bool]

    private var output: DumpOutput {
        get { tree.output }
        _modify { yield &tree.output }
    }

    init(_ stream: TypedStream, output: DumpOutput) {
        self.stream = stream
        tree = TreeText(output, identityCount: stream.objects.count)
        isClassShown = Array(repeating: false, count: stream.classes.count)
    }

    mutating func write() {
        output.startLine(0)
        output.write("Typedstream of version \(stream.streamerVersion), ")
        output.write(stream.byteOrder == .littleEndian ? "little-endian" : "big-endian")
        output.write(", system \(stream.systemVersion), ")
        output.write(LineText.count(stream.objects.count, "object", "objects"))
        tree.open(.groups(stream.groups), count: stream.groups.count, indentation: 0)
        writeSections()
        var isFirst = true
        for index in stream.objects.indices where tree.mark(of: index) == nil {
            if isFirst { tree.startHeading("Objects that nothing refers to:") }
            isFirst = false
            output.startLine(1)
            writeObject(index, indentation: 1)
            writeLines()
        }
        writeSections()
        output.flush()
    }

    private mutating func writeSections() {
        writeLines()
        while let (index, _) = tree.startSection() {
            writeObject(index, indentation: 0)
            writeLines()
        }
    }

    private mutating func writeLines() {
        while let line = tree.nextLine() {
            switch line.contents {
            case .groups(let groups): writeGroup(groups[line.position], indentation: line.indentation)
            case .values(let types, let values):
                let type =
                    line.position < types.count ? TypedStreamText.types([types[line.position]]) : "(no type)"
                output.write(type + ": ")
                writeValue(values[line.position], indentation: line.indentation)
            case .elements(let values):
                output.write("[\(line.position)]: ")
                writeElements(values, from: line.position, indentation: line.indentation)
            }
        }
    }
}

// MARK: - Values

extension TypedStreamDump {
    private mutating func writeGroup(_ group: TypedStream.Group, indentation: Int) {
        output.write(TypedStreamText.types(group.types))
        // If the numbers of types and values differ, values are written one by one.
        let isSound = group.types.count == group.values.count
        if isSound, group.values.isEmpty {
            output.write("(no values)")
        } else if isSound, group.values.count == 1 {
            output.write(": ")
            writeValue(group.values[0], indentation: indentation)
        } else if isSound, let line = inline(group.values) {
            output.write(": " + line)
        } else {
            output.write(":")
            if !isSound { output.write(" (\(group.types.count) types, \(group.values.count) values)") }
            tree.open(
                .values(group.types, group.values), count: group.values.count, indentation: indentation + 1)
        }
    }

    private mutating func writeValue(_ value: TypedStream.Value, indentation: Int) {
        switch value {
        case .object(let index?) where isNew(index): writeObject(index, indentation: indentation)
        case .class(let index?): writeClass(index)
        case .array(let values), .structure(let values):
            if let line = inline(value) { return output.write(line) }
            if case .array = value {
                output.write(LineText.count(values.count, "element", "elements"))
            } else {
                output.write(LineText.count(values.count, "field", "fields"))
            }
            let inner = min(indentation + 1, Self.widestIndentation)
            tree.open(.elements(values), count: values.count, indentation: inner)
        default: output.write(TypedStreamText.leaf(value, in: stream, limit: 200))
        }
    }

    private mutating func writeElements(_ values: [TypedStream.Value], from start: Int, indentation: Int) {
        var next = start
        var length = 0
        while next < values.count, let text = inline(values[next]),
            next == start || length + text.count < Self.lineLimit
        {
            if next > start { output.write(", ") }
            output.write(text)
            length += text.count + 2
            next += 1
        }
        if next > start { tree.skip(next - start - 1) } else { writeValue(values[start], indentation: indentation) }
    }

    private func isNew(_ index: Int) -> Bool { stream.objects.indices.contains(index) && tree.mark(of: index) == nil }

    private mutating func writeObject(_ index: Int, indentation: Int) {
        output.write("#\(index) ")
        writeClass(stream.objects[index].classIndex)
        let groups = stream.objects[index].groups
        if groups.isEmpty || indentation < Self.indentationLimit {
            tree.open(.groups(groups), count: groups.count, of: index, indentation: indentation + 1)
        } else {
            output.write(" …")
            tree.postpone(index, index)
        }
    }

    private mutating func writeClass(_ index: Int) {
        guard stream.classes.indices.contains(index) else {
            return output.write("(class \(index), which is missing)")
        }
        output.write(TypedStreamText.class(stream.classes[index]))
        guard !isClassShown[index] else { return }
        isClassShown[index] = true
        var next = stream.classes[index].superclassIndex
        var count = 1
        while let index = next, stream.classes.indices.contains(index) {
            guard count < TypedStreamText.chainLimit else { return output.write(" > …") }
            count += 1
            output.write(" > " + TypedStreamText.class(stream.classes[index]))
            next = stream.classes[index].superclassIndex
        }
        if let index = next { output.write(" > (class \(index), which is missing)") }
    }

    /// The values as one line; nil if a value needs lines of its own or the line would be too long.
    private func inline(_ values: [TypedStream.Value]) -> String? {
        var text = ""
        return append(values, to: &text) ? text : nil
    }

    private func inline(_ value: TypedStream.Value) -> String? { inline([value]) }

    /// Appends the text of the values. Each level adds a bracket, so the limit also bounds the recursion.
    private func append(_ values: [TypedStream.Value], to text: inout String) -> Bool {
        for (position, value) in values.enumerated() {
            if position > 0 { text += ", " }
            switch value {
            case .object(let index?) where isNew(index): return false
            case .class(_?): return false
            case .array(let values), .structure(let values):
                let brackets = if case .array = value { ("[", "]") } else { ("{", "}") }
                text += brackets.0
                guard text.utf8.count <= Self.lineLimit, append(values, to: &text) else { return false }
                text += brackets.1
            default: text += TypedStreamText.leaf(value, in: stream, limit: Self.lineLimit)
            }
            guard text.utf8.count <= Self.lineLimit else { return false }
        }
        return true
    }
}

/// Text for the values, types and classes of a typedstream. Its length is limited, since a file can refer to the same value many
/// times.
enum TypedStreamText {
    private static let nameLimit = 60
    static let chainLimit = 12

    // MARK: - Types and classes

    static func types(_ types: [TypeEncoding]) -> String { visible(TypeEncoding.start(of: types)) }

    private static func visible(_ text: String) -> String {
        var output = ""
        var isAfterText = false
        ReadableText.writeEscaped(text, isAfterText: &isAfterText, to: &output)
        return output
    }

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
