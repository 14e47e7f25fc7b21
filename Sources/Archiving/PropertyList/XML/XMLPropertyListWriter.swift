// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Writes a binary property list as XML, in CoreFoundation's layout.
///
/// XML represents some values of the binary format differently, or not at all:
/// - A null, a set, a date that is not finite or more than 2^53 seconds from 2001, a key that is not a string, and a
///   text with a character outside `XMLCharacters` are rejected.
/// - A date loses its fraction of a second, as in CoreFoundation; it is rounded down.
/// - A 32-bit real is written with the digits of the equal 64-bit real, and is read as that.
/// - A NaN is written as "nan", without its sign and payload.
/// - A dictionary whose only entry is "CF$UID" with an integer is read as a uid, or rejected if the integer is out of
///   range.
/// - An unpaired surrogate is written as U+FFFD.
/// - Of several values for a key, only the first is written, which readers of the binary format find. Those of XML take the last.
///
/// The carriage return is written as `&#13;`, since XML would convert it to a line feed.
struct XMLPropertyListWriter: ~Copyable {
    private struct Frame {
        let node: Node
        let offset: Int
        var position = 0
    }

    private let list: BinaryPropertyListReader
    private let outputLimit: Int
    private var output: ByteWriter
    private var frames: [Frame] = []
    /// Whether no dictionary has a key twice, as in what an archiver has written.
    private let hasDistinctKeys: Bool
    /// For each frame of a dictionary, the keys that were written, if they are not distinct.
    private var keys: [Set<ExactText>] = []
    private var omittedCount = 0

    private init(_ list: BinaryPropertyListReader, _ hasDistinctKeys: Bool) {
        self.list = list
        self.hasDistinctKeys = hasDistinctKeys
        let byteCount = list.objects.limit + list.objectCount * list.offsetSize
        outputLimit = PropertyListLimits.expansion(ofByteCount: byteCount)
        output = ByteWriter(capacity: 1024 + byteCount)
    }

    /// Returns the XML of `list`, in UTF-8.
    ///
    /// An object with several references is written at each of them.
    ///
    /// - Parameter hasDistinctKeys: Whether no dictionary has a key twice.
    /// - Throws: `PropertyListError` if the list is damaged, has a value that XML cannot represent, is nested deeper
    ///   than `PropertyListLimits.nesting` or contains itself, or expands to more than `PropertyListLimits.expansion`.
    /// - Complexity: O(*m*), where *m* is the number of bytes of the XML.
    static func xml(
        of list: BinaryPropertyListReader, hasDistinctKeys: Bool = false
    ) throws(PropertyListError) -> StoredBytes {
        var writer = XMLPropertyListWriter(list, hasDistinctKeys)
        try writer.writeDocument()
        return writer.output.takeBytes()
    }
}

// MARK: - Structure

extension XMLPropertyListWriter {
    private mutating func writeDocument() throws(PropertyListError) {
        append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """)
        try write(list.top)
        while let frame = frames.last {
            guard frame.position < frame.node.count else {
                frames.removeLast()
                if frame.node.kind == .dictionary { keys.removeLast() }
                indent()
                append(frame.node.kind == .dictionary ? "</dict>\n" : "</array>\n")
                continue
            }
            frames[frames.count - 1].position += 1
            if frame.node.kind == .dictionary {
                let key = list.reference(frame.position, in: frame.node.payload)
                if !hasDistinctKeys, frame.node.count > 1, try isRepeated(key, in: frame) { continue }
                try writeKey(key, of: frame)
                try write(list.reference(frame.node.count + frame.position, in: frame.node.payload))
            } else {
                try write(list.reference(frame.position, in: frame.node.payload))
            }
        }
        append("</plist>\n")
    }

    /// Writes the object `reference`; of a container with contents, only the beginning.
    private mutating func write(_ reference: Int) throws(PropertyListError) {
        let offset = try list.offset(of: reference)
        let node = try list.objects.node(at: offset)
        guard output.count <= outputLimit else { throw PropertyListError(.tooLarge, at: offset, found: outputLimit) }
        indent()
        switch node.kind {
        case .array, .dictionary:
            let isDictionary = node.kind == .dictionary
            guard node.count > 0 else { return append(isDictionary ? "<dict/>\n" : "<array/>\n") }
            guard frames.count < PropertyListLimits.nesting else {
                throw PropertyListError(.nestedTooDeep, at: offset, found: PropertyListLimits.nesting)
            }
            frames.append(Frame(node: node, offset: offset))
            if isDictionary { keys.append([]) }
            append(isDictionary ? "<dict>\n" : "<array>\n")
        case .ascii, .utf16:
            append("<string>")
            if let character = appendEscaped(node) { throw unrepresentable(at: offset, "string", character) }
            append("</string>\n")
        case .false: append("<false/>\n")
        case .true: append("<true/>\n")
        case .integer: appendElement("integer", list.objects.integer(node).description)
        case .real64: appendElement("real", description(list.objects.real64(node)))
        case .real32: appendElement("real", description(Double(list.objects.real32(node))))
        case .date: appendElement("date", try description(date: list.objects.real64(node), at: offset))
        case .data: appendData(list.objects.bytes(node))
        case .uid: appendUID(try list.objects.uid(node))
        case .null: throw unrepresentable(at: offset, "there is no element for null")
        case .set: throw unrepresentable(at: offset, "there is no element for sets")
        }
    }

    private mutating func isRepeated(_ reference: Int, in dictionary: Frame) throws(PropertyListError) -> Bool {
        let node = try list.node(reference)
        guard node.kind == .ascii || node.kind == .utf16 else { return false }
        let key = ExactText(list.objects.string(node))
        if keys[keys.count - 1].insert(key).inserted { return false }
        omittedCount += node.byteCount
        guard output.count + omittedCount <= outputLimit else {
            throw PropertyListError(.tooLarge, at: dictionary.offset, found: outputLimit)
        }
        return true
    }

    private mutating func writeKey(_ reference: Int, of dictionary: Frame) throws(PropertyListError) {
        let node = try list.node(reference)
        guard node.kind == .ascii || node.kind == .utf16 else {
            throw PropertyListError(.nonStringKey, at: dictionary.offset)
        }
        indent()
        append("<key>")
        if let character = appendEscaped(node) {
            throw unrepresentable(at: try list.offset(of: reference), "key", character)
        }
        append("</key>\n")
    }

    @inline(never)
    private func unrepresentable(
        at offset: Int, _ detail: StaticString, _ character: Unicode.Scalar? = nil
    ) -> PropertyListError {
        var path: [any CodingKey] = []
        for frame in frames {
            let position = frame.position - 1
            guard frame.node.kind == .dictionary else {
                path.append(ArchiveKey(intValue: position))
                continue
            }
            // The keys have been written, and so they are strings.
            guard let key = try? list.node(list.reference(position, in: frame.node.payload)) else { break }
            path.append(ArchiveKey(stringValue: list.objects.string(key)))
        }
        return PropertyListError(.unrepresentableInXML, at: offset, detail, path: path, character: character)
    }
}

// MARK: - Text

extension XMLPropertyListWriter {
    private mutating func append(_ text: StaticString) { output.append(text) }

    private mutating func indent() { indent(by: frames.count) }

    private mutating func indent(by count: Int) {
        for _ in 0..<count { output.append(UInt8(ascii: "\t")) }
    }

    private mutating func appendElement(_ name: StaticString, _ text: String) {
        append("<")
        append(name)
        append(">")
        output.append(utf8: text)
        append("</")
        append(name)
        append(">\n")
    }

    /// Writes the text of `node`. If it has a character that XML cannot represent, returns the first one.
    private mutating func appendEscaped(_ node: Node) -> Unicode.Scalar? {
        let bytes = list.objects.bytes(node)
        let isASCII = node.kind == .ascii && bytes.withBytes { $0.isASCII }
        let text = isASCII ? "" : list.objects.string(node)
        let isWritten = isASCII ? bytes.withBytes { appendEscaped($0) } : text.withUTF8Span { appendEscaped($0) }
        guard !isWritten else { return nil }
        return list.objects.string(node).unicodeScalars.first { !XMLCharacters.include($0) }
    }

    /// Writes a text up to the first character that XML cannot represent, and returns whether there is none.
    private mutating func appendEscaped(_ utf8: RawSpan) -> Bool {
        var runStart = 0
        for index in 0..<utf8.byteCount {
            let escape: StaticString
            switch utf8[index] {
            case UInt8(ascii: "&"): escape = "&amp;"
            case UInt8(ascii: "<"): escape = "&lt;"
            case UInt8(ascii: ">"): escape = "&gt;"
            case UInt8(ascii: "\r"): escape = "&#13;"
            default:
                guard XMLCharacters.isUnrepresentable(utf8, at: index) else { continue }
                return false
            }
            output.append(contentsOf: utf8.extracting(runStart..<index))
            output.append(escape)
            runStart = index + 1
        }
        output.append(contentsOf: utf8.extracting(runStart..<utf8.byteCount))
        return true
    }
}

// MARK: - Values

extension XMLPropertyListWriter {
    /// The fewest digits that are read as `value`, without a fraction if it is integral, except for zero, as in Apple's
    /// writer.
    private func description(_ value: Double) -> String {
        if value.isNaN { return "nan" }
        let description = value.description
        return value != 0 && description.hasSuffix(".0") ? String(description.dropLast(2)) : description
    }

    private func description(date seconds: Double, at offset: Int) throws(PropertyListError) -> String {
        guard let whole = Int64(exactly: seconds.rounded(.down)), whole.magnitude <= GregorianDate.secondsLimit else {
            throw unrepresentable(at: offset, "it is a date that is not finite or too far away")
        }
        return GregorianDate(secondsSinceReference: whole).description
    }

    private mutating func appendUID(_ uid: UInt32) {
        append("<dict>\n")
        indent(by: frames.count + 1)
        append("<key>CF$UID</key>\n")
        indent(by: frames.count + 1)
        appendElement("integer", uid.description)
        indent()
        append("</dict>\n")
    }

    /// The length of a line of base64 with its tabs, each of which counts as eight characters.
    private static let lineLength = 76
    /// The maximum number of tabs of a line of base64.
    private static let lineIndentation = 8

    private mutating func appendData(_ data: StoredBytes) {
        append("<data>\n")
        let indentation = min(frames.count, Self.lineIndentation)
        let bytesInLine = (Self.lineLength - 8 * indentation) / 4 * 3
        for start in stride(from: 0, to: data.count, by: bytesInLine) {
            indent(by: indentation)
            output.append(utf8: data.part(start..<min(start + bytesInLine, data.count)).data.base64EncodedString())
            append("\n")
        }
        indent()
        append("</data>\n")
    }
}
