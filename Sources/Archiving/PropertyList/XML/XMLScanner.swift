// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

struct XMLTag {
    enum Kind {
        case opening, closing, empty
    }

    let element: Element
    let kind: Kind
    let offset: Int
}

extension XMLTag {
    enum Element: CaseIterable {
        case plist, dictionary, array, key, string, integer, real, `true`, `false`, date, data

        var name: StaticString {
            switch self {
            case .plist: "plist"
            case .dictionary: "dict"
            case .array: "array"
            case .key: "key"
            case .string: "string"
            case .integer: "integer"
            case .real: "real"
            case .true: "true"
            case .false: "false"
            case .date: "date"
            case .data: "data"
            }
        }

        init?(name: StoredBytes) {
            let found = Self.allCases.first { $0.name.utf8CodeUnitCount == name.count && name.has($0.name, at: 0) }
            guard let found else { return nil }
            self = found
        }
    }
}

/// The text between an opening and a closing tag: UTF-8 with entities and CDATA resolved, not checked for validity.
struct XMLText {
    let bytes: StoredBytes
    let offset: Int

    func damaged(_ detail: StaticString) -> PropertyListError { PropertyListError(.badXML, at: offset, detail) }
}

/// Reads XML in UTF-8 as a sequence of tags and texts, as far as property lists require: parts that cannot hold a value
/// are skipped.
///
/// The internal subset of the document type is skipped too, so only XML's own five entities are defined. Line ends stay
/// unchanged, and texts may contain control characters, as in CoreFoundation (and in Apple's old nibs).
struct XMLScanner: ~Copyable {
    /// The document, without zeros at its end.
    private let document: StoredBytes
    private(set) var position: Int

    init(_ document: StoredBytes, from start: Int) {
        var end = document.count
        // Old programs also wrote the terminator of the C string.
        while end > start, document[end - 1] == 0 { end -= 1 }
        self.document = document.part(0..<end)
        position = start
    }

    private var end: Int { document.count }

    private func damaged(_ offset: Int, _ detail: StaticString) -> PropertyListError {
        PropertyListError(.badXML, at: offset, detail)
    }
}

// MARK: - Bytes

extension XMLScanner {
    private func starts(with text: StaticString, at offset: Int) -> Bool {
        document.has(text, at: offset)
    }

    private mutating func skipWhiteSpace() {
        while position < end, document[position].isXMLWhiteSpace { position += 1 }
    }

    private mutating func skip(past terminator: StaticString, from offset: Int) throws(PropertyListError) {
        var index = offset
        while index < end {
            if starts(with: terminator, at: index) {
                position = index + terminator.utf8CodeUnitCount
                return
            }
            index += 1
        }
        throw PropertyListError(.truncated, at: position)
    }

    private mutating func skipAside() throws(PropertyListError) -> Bool {
        if starts(with: "<!--", at: position) {
            try skip(past: "-->", from: position + 4)
            return true
        }
        if starts(with: "<?", at: position) {
            try skip(past: "?>", from: position + 2)
            return true
        }
        return false
    }
}

// MARK: - Tags

extension XMLScanner {
    /// Returns the next tag, after white space, comments and processing instructions; nil at the end of the document.
    ///
    /// - Parameter isProlog: Whether a document type is permitted here.
    mutating func nextTag(isProlog: Bool = false) throws(PropertyListError) -> XMLTag? {
        while true {
            skipWhiteSpace()
            guard position < end else { return nil }
            guard document[position] == UInt8(ascii: "<") else { throw damaged(position, "text outside of an element") }
            guard position + 1 < end else { throw PropertyListError(.truncated, at: position) }
            if try skipAside() { continue }
            guard document[position + 1] == UInt8(ascii: "!") else { return try tag() }
            guard isProlog, starts(with: "<!DOCTYPE", at: position) else {
                throw damaged(position, "a declaration that is not permitted here")
            }
            try skipDocumentType()
        }
    }

    private mutating func tag() throws(PropertyListError) -> XMLTag {
        let start = position
        let isClosing = document[start + 1] == UInt8(ascii: "/")
        let nameStart = start + (isClosing ? 2 : 1)
        var nameEnd = nameStart
        while nameEnd < end, !isNameEnd(document[nameEnd]) { nameEnd += 1 }
        var index = nameEnd
        if isClosing {
            while index < end, document[index].isXMLWhiteSpace { index += 1 }
        } else {
            index = try endOfAttributes(from: index, tag: start)
        }
        guard index < end else { throw PropertyListError(.truncated, at: start) }
        let isEmpty = !isClosing && document[index - 1] == UInt8(ascii: "/")
        guard document[index] == UInt8(ascii: ">"),
            index - (isEmpty ? 1 : 0) == nameEnd || document[nameEnd].isXMLWhiteSpace
        else {
            throw damaged(start, "a malformed tag")
        }
        guard let element = XMLTag.Element(name: document.part(nameStart..<nameEnd)) else {
            throw damaged(start, "an element that property lists do not have")
        }
        position = index + 1
        return XMLTag(element: element, kind: isClosing ? .closing : isEmpty ? .empty : .opening, offset: start)
    }

    private func isNameEnd(_ byte: UInt8) -> Bool {
        byte.isXMLWhiteSpace || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
    }

    /// The position of the `>` of a tag. Attributes have no meaning in a property list, but may quote a `>`.
    private func endOfAttributes(from offset: Int, tag start: Int) throws(PropertyListError) -> Int {
        var quote: UInt8?
        for index in offset..<end {
            let byte = document[index]
            if quote != nil {
                if byte == quote { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                return index
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "<") {
                throw damaged(start, "a tag that does not end")
            }
        }
        return end
    }

    private mutating func skipDocumentType() throws(PropertyListError) {
        let start = position
        position += 9
        // One for the document type itself, one for a declaration in its internal subset, if any.
        var openAngles = 1
        while position < end {
            switch document[position] {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let quote = document[position]
                position += 1
                while position < end, document[position] != quote { position += 1 }
            case UInt8(ascii: "<"):
                if try skipAside() { continue }
                openAngles += 1
            case UInt8(ascii: ">"):
                openAngles -= 1
                if openAngles == 0 {
                    position += 1
                    return
                }
            default: break
            }
            position += 1
        }
        throw PropertyListError(.truncated, at: start)
    }
}

// MARK: - Text

extension XMLScanner {
    /// Returns the text from here to the end of the element that `tag` opened, and moves past its closing tag.
    mutating func text(of tag: XMLTag) throws(PropertyListError) -> XMLText {
        let start = position
        guard tag.kind == .opening else {
            return XMLText(bytes: .empty, offset: start)
        }
        // A text that differs from the document's bytes.
        var text: [UInt8] = []
        var runStart = start
        var isVerbatim = true
        while true {
            while position < end, document[position] != UInt8(ascii: "<"), document[position] != UInt8(ascii: "&") {
                position += 1
            }
            guard position + 1 < end else { throw PropertyListError(.truncated, at: tag.offset) }
            let runEnd = position
            if starts(with: "</", at: position) {
                try close(tag)
                let run = document.part(runStart..<runEnd)
                if isVerbatim { return XMLText(bytes: run, offset: start) }
                text += run
                return XMLText(bytes: text.withBytes { StoredBytes(copying: $0) }, offset: start)
            }
            isVerbatim = false
            text += document.part(runStart..<runEnd)
            if document[position] == UInt8(ascii: "&") {
                text += try entity()
            } else if starts(with: "<![CDATA[", at: position) {
                let contents = position + 9
                try skip(past: "]]>", from: contents)
                text += document.part(contents..<position - 3)
            } else if try !skipAside() {
                throw damaged(position, "an element where text should be")
            }
            runStart = position
        }
    }

    private mutating func close(_ tag: XMLTag) throws(PropertyListError) {
        let offset = position
        let closing = try self.tag()
        guard closing.element == tag.element else {
            throw damaged(offset, "a closing tag that does not match the opening tag")
        }
    }

    /// The maximum length of the name of an entity, or of the number of a character with its zeros.
    private static let entityLimit = 16

    /// Returns the text of the reference at the position: one of XML's five names, or the number of a character.
    private mutating func entity() throws(PropertyListError) -> String.UTF8View {
        let start = position
        var semicolon = start + 1
        while semicolon < end, document[semicolon] != UInt8(ascii: ";") {
            guard semicolon - start <= Self.entityLimit, document[semicolon] != UInt8(ascii: "<") else {
                throw damaged(start, "an ampersand that starts no entity")
            }
            semicolon += 1
        }
        guard semicolon < end else { throw PropertyListError(.truncated, at: start) }
        position = semicolon + 1
        if document[start + 1] == UInt8(ascii: "#") {
            guard let character = character(start + 2..<semicolon) else {
                throw damaged(start, "a number that is not a character")
            }
            return String(character).utf8
        }
        switch String(decoding: document.part(start + 1..<semicolon), as: UTF8.self) {
        case "amp": return "&".utf8
        case "lt": return "<".utf8
        case "gt": return ">".utf8
        case "quot": return "\"".utf8
        case "apos": return "'".utf8
        default: throw damaged(start, "an entity that property lists do not have")
        }
    }

    /// The character whose number is at `digits`: decimal, or hexadecimal after an x.
    private func character(_ digits: Range<Int>) -> Unicode.Scalar? {
        guard let first = digits.first else { return nil }
        let isHexadecimal = document[first] == UInt8(ascii: "x")
        let digits = isHexadecimal ? digits.dropFirst() : digits
        guard !digits.isEmpty else { return nil }
        var value: UInt32 = 0
        for index in digits {
            guard let digit = document[index].digitValue(radix: isHexadecimal ? 16 : 10), value <= 0x10FFFF else {
                return nil
            }
            value = value * (isHexadecimal ? 16 : 10) + UInt32(digit)
        }
        return Unicode.Scalar(value)
    }
}

extension UInt8 {
    /// The value of this ASCII digit, or letter if `radix` is 16; nil for other characters.
    func digitValue(radix: Int) -> Int? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f") where radix == 16: Int(self - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F") where radix == 16: Int(self - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
