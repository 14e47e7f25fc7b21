// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

struct TextError: Error {
    let line: Int
    let position: Int
    let sentence: String

    var description: String { "line \(line): \(sentence)" }
}

/// Parses texts as property lists. It does not recurse.
struct TextParser {
    enum Dialect {
        /// JSON (RFC 8259). Numbers with a fraction or an exponent are reals.
        case json
        /// The old property lists of NeXTSTEP, with the numbers and dates of GNUstep, and `.strings` files. Unquoted text is a
        /// string.
        ///
        ///     { name = "Bella"; milk = (18, 19); photo = <0fbd 77>; weight = <*R612.5>; /* a comment */ }
        case list
    }

    static let unsafeKey =
        "a key has more than \(HashedText.markLimit) combining marks in a row, which would take too long to compare with"
        + " others"

    private let bytes: [UInt8]
    private let dialect: Dialect
    private let nestingLimit: Int
    private var position = 0
    private var open: [Container] = []

    static let listNestingLimit = 512
    /// Levels of JSON in the lossless form, which has three for each level of a list.
    static let losslessNestingLimit = 2048

    private struct Container {
        let isDictionary: Bool
        /// The character at the end; nil for a `.strings` file, which has no braces.
        let end: UInt8?
        var elements: [PropertyList] = []
        var entries: [PropertyList.Dictionary.Element] = []
        var key = ""

        var value: PropertyList { isDictionary ? .dictionary(PropertyList.Dictionary(entries)) : .array(elements) }
    }

    /// - Parameter bytes: The text in UTF-8.
    init(_ bytes: [UInt8], _ dialect: Dialect, nestingLimit: Int = Self.listNestingLimit) {
        self.bytes = bytes
        self.dialect = dialect
        self.nestingLimit = nestingLimit
        // The byte order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// The value of the text: of a property list a dictionary or an array, of JSON any value.
    mutating func parse() throws(TextError) -> PropertyList {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw error("the text is not UTF-8") }
        try skipSpace()
        var finished: PropertyList?
        if dialect == .list, peek != UInt8(ascii: "{"), peek != UInt8(ascii: "(") {
            open.append(Container(isDictionary: true, end: nil))
            finished = try beginItem(mayEnd: true)
            if finished == [:] { throw error("a “{”, a “(” or a pair, key = value, is missing here") }
        }
        while true {
            if finished == nil { finished = try begin() }
            while let value = finished {
                guard !open.isEmpty else {
                    try skipSpace()
                    guard position == bytes.count else { throw error("there is more text after the value") }
                    return value
                }
                finished = try add(value)
            }
        }
    }

    // MARK: Containers

    /// Reads a leaf or an empty container; nil if a container has begun.
    private mutating func begin() throws(TextError) -> PropertyList? {
        try skipSpace()
        let isJSON = dialect == .json
        switch peek {
        case UInt8(ascii: "{"): return try begin(Container(isDictionary: true, end: UInt8(ascii: "}")))
        case UInt8(ascii: "[") where isJSON: return try begin(Container(isDictionary: false, end: UInt8(ascii: "]")))
        case UInt8(ascii: "(") where !isJSON: return try begin(Container(isDictionary: false, end: UInt8(ascii: ")")))
        case UInt8(ascii: "<") where !isJSON: return try angled()
        case UInt8(ascii: "\""): return .string(try quoted())
        case nil where isJSON: throw error("the text ends, but a value is missing")
        default: return isJSON ? try jsonLeaf() : .string(try string())
        }
    }

    private mutating func begin(_ container: Container) throws(TextError) -> PropertyList? {
        guard open.count < nestingLimit else { throw error("values are nested deeper than \(nestingLimit) levels") }
        position += 1
        open.append(container)
        return try beginItem(mayEnd: true)
    }

    /// Reads the key of the next value; or the end of the container, which it returns.
    private mutating func beginItem(mayEnd: Bool) throws(TextError) -> PropertyList? {
        while true {
            try skipSpace()
            let last = open.count - 1
            let end = open[last].end
            if mayEnd, end.map({ peek == $0 }) ?? (position == bytes.count) {
                if end != nil { position += 1 }
                return open.removeLast().value
            }
            guard open[last].isDictionary else { return nil }
            if dialect == .json, peek != UInt8(ascii: "\"") { throw error("a key, a string, is missing here") }
            let key = try string()
            guard HashedText.isSafe(key) else { throw error(Self.unsafeKey) }
            open[last].key = key
            try skipSpace()
            if skip(dialect == .json ? ":" : "=") { return nil }
            // In a `.strings` file, a key may be its own value.
            guard dialect == .list, skip(";") else {
                throw error("“\(dialect == .json ? ":" : "=")” has to follow the key")
            }
            open[last].entries.append((key, .string(key)))
        }
    }

    private mutating func add(_ value: PropertyList) throws(TextError) -> PropertyList? {
        let last = open.count - 1
        let (isDictionary, end) = (open[last].isDictionary, open[last].end)
        if isDictionary {
            open[last].entries.append((open[last].key, value))
        } else {
            open[last].elements.append(value)
        }
        try skipSpace()
        let separator: Unicode.Scalar = isDictionary && dialect == .list ? ";" : ","
        let hasSeparator = skip(separator)
        guard hasSeparator || end.map({ peek == $0 }) ?? false else {
            let other = end.map { " or “\(Unicode.Scalar($0))”" } ?? ""
            throw error("“\(separator)”\(other) has to follow \(isDictionary ? "an entry" : "an element")")
        }
        return try beginItem(mayEnd: !hasSeparator || dialect == .list)
    }

    // MARK: Leaves

    private mutating func jsonLeaf() throws(TextError) -> PropertyList {
        for (word, value) in [("true", PropertyList.boolean(true)), ("false", .boolean(false)), ("null", .null)]
        where bytes[position...].starts(with: word.utf8) {
            position += word.utf8.count
            return value
        }
        let start = position
        _ = skip("-")
        let first = position
        guard skipDigits() else { throw error("a value is missing here") }
        if bytes[first] == UInt8(ascii: "0"), position > first + 1 { throw error("a number begins with 0") }
        if skip("."), !skipDigits() { throw error("digits have to follow the point") }
        if skip("e") || skip("E") {
            _ = skip("+") || skip("-")
            guard skipDigits() else { throw error("digits have to follow the “e”") }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        return Int128(text).map { .integer($0) } ?? .real(Double(text) ?? .nan)
    }

    private mutating func skipDigits() -> Bool {
        let start = position
        while let byte = peek, 0x30...0x39 ~= byte { position += 1 }
        return position > start
    }

    /// Data, or a number or date of GNUstep.
    private mutating func angled() throws(TextError) -> PropertyList {
        position += 1
        guard let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")) else { throw error("“>” is missing") }
        let text = String(decoding: bytes[position..<end], as: UTF8.self)
        defer { position = end + 1 }
        if text.utf8.first == UInt8(ascii: "*") {
            // Numbers and dates are short. A long text may take long to compare.
            guard HashedText.isSafe(text) else { throw error("a value has too many combining marks") }
            let content = String(text.dropFirst(2))
            switch text.dropFirst().first {
            case "I": if let number = Int128(content) { return .integer(number) }
            case "R": if let number = Double(content) { return .real(number) }
            case "B": if content == "Y" || content == "N" { return .boolean(content == "Y") }
            case "D": if let date = Self.date(content) { return .date(date) }
            default: break
            }
            throw error("“<\(text)>” is no number, Boolean or date")
        }
        var digits: [UInt8] = []
        for byte in bytes[position..<end] where !Self.isSpace(byte) {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("data has hexadecimal digits between “<” and “>”")
            }
            digits.append(UInt8(digit))
        }
        guard digits.count % 2 == 0 else { throw error("data has an odd number of digits") }
        return .data(Data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }))
    }

    /// `2001-01-01 00:00:00 +0000`
    private static func date(_ text: String) -> Date? {
        let parts = text.split(separator: " ")
        guard parts.count == 3, parts[2].count == 5 else { return nil }
        let zone = "\(parts[2].prefix(3)):\(parts[2].suffix(2))"
        return try? Date("\(parts[0])T\(parts[1])\(zone)", strategy: .iso8601)
    }

    // MARK: Strings

    private mutating func string() throws(TextError) -> String {
        if peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'") { return try quoted() }
        let start = position
        while let byte = peek, Self.isPlain(byte) { position += 1 }
        guard position > start else { throw error("a value is missing here") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func quoted() throws(TextError) -> String {
        let quote = bytes[position]
        position += 1
        // Escapes are in UTF-16.
        var units: [UInt16] = []
        while true {
            let start = position
            while let byte = peek, byte != quote, byte != UInt8(ascii: "\\"), byte >= 0x20 || dialect == .list {
                position += 1
            }
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
            guard let byte = peek else { throw error("the text ends in a string") }
            guard byte == quote || byte == UInt8(ascii: "\\") else { throw error("a control character is in a string") }
            position += 1
            if byte == quote, units.isEmpty { return text }
            units += text.utf16
            guard byte == quote else {
                units += try escape()
                continue
            }
            if dialect == .json, String(validating: units, as: UTF16.self) == nil {
                throw error("a string has a single surrogate")
            }
            return String(decoding: units, as: UTF16.self)
        }
    }

    private static let escapes: [UInt8: UInt16] = [
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
        UInt8(ascii: "t"): 0x09, UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F,
    ]

    private mutating func escape() throws(TextError) -> [UInt16] {
        guard let byte = peek else { throw error("the text ends in a string") }
        position += 1
        if let unit = Self.escapes[byte] { return [unit] }
        switch byte {
        case UInt8(ascii: "u"),
            UInt8(ascii: "U") where dialect == .list:
            let digits = bytes[position...].prefix(4).prefix { Character(Unicode.Scalar($0)).isHexDigit }
            guard digits.count == 4 || dialect == .list,
                let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
            else { throw error("hexadecimal digits have to follow “\\\(Unicode.Scalar(byte))”") }
            position += digits.count
            return [unit]
        case _ where dialect == .json: throw error("the escape “\\\(Unicode.Scalar(byte))” is unknown")
        case UInt8(ascii: "a"): return [0x07]
        case UInt8(ascii: "v"): return [0x0B]
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            position -= 1
            let digits = bytes[position...].prefix(3).prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
            position += digits.count
            let code = digits.reduce(0) { $0 << 3 | Int($1 & 7) }
            // Characters of NeXTSTEP's encoding.
            return Array(NextStepText.string([UInt8(min(code, 0xFF))]).utf16)
        default:
            // Any other character represents itself. The string has the rest of one of several bytes.
            if byte >= 0x80 { position -= 1 }
            return byte < 0x80 ? [UInt16(byte)] : []
        }
    }

    // MARK: Bytes

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let byte = peek, byte == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isPlain(_ byte: UInt8) -> Bool {
        Character(Unicode.Scalar(byte)).isLetter && byte < 0x80 || 0x30...0x39 ~= byte || "_$/:.-".utf8.contains(byte)
    }

    private mutating func skipSpace() throws(TextError) {
        while let byte = peek {
            if Self.isSpace(byte), dialect == .list || byte != 0x0B && byte != 0x0C {
                position += 1
            } else if dialect == .list, bytes[position...].starts(with: "//".utf8) {
                position = bytes[position...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
            } else if dialect == .list, bytes[position...].starts(with: "/*".utf8) {
                let start = position
                position += 2
                while position < bytes.count, !bytes[position...].starts(with: "*/".utf8) { position += 1 }
                guard position < bytes.count else {
                    position = start
                    throw error("the comment does not end")
                }
                position += 2
            } else {
                return
            }
        }
    }

    private func error(_ sentence: String) -> TextError {
        TextError(
            line: 1 + bytes[..<min(position, bytes.count)].count { $0 == 0x0A }, position: position, sentence: sentence)
    }
}
