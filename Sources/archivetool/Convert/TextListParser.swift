import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads the old form of property lists, which NeXTSTEP had, with the numbers and dates that GNUstep has added, and the pairs
/// of `.strings` files.
///
///     { name = "Bella"; milk = (18, 19); photo = <0fbd 77>; weight = <*R612.5>; /* a comment */ }
///
/// What is not quoted is a string, whatever it looks like. It does not recurse, and follows containers down to a limit.
struct TextListParser {
    private let bytes: [UInt8]
    private var position = 0
    private var open: [Container] = []

    /// A container whose contents are being read.
    private struct Container {
        let isDictionary: Bool
        /// Whether it is the whole of a `.strings` file, which has no braces.
        var isFile = false
        var elements: [PropertyList] = []
        var entries: [PropertyList.Dictionary.Element] = []
        var key = ""

        var value: PropertyList { isDictionary ? .dictionary(PropertyList.Dictionary(entries)) : .array(elements) }
    }

    /// - Parameter bytes: The text, in UTF-8.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The dictionary or array that the text is. A single string is nothing that somebody would keep in a file.
    mutating func parse() throws(TextError) -> PropertyList {
        try skipSpace()
        let first = peek
        if first != UInt8(ascii: "{"), first != UInt8(ascii: "(") {
            open.append(Container(isDictionary: true, isFile: true))
            if try !readKey() {
                guard let file = end(), file != [:] else {
                    throw error("a “{”, a “(” or a pair, key = value, has to stand here")
                }
                return file
            }
        }
        while true {
            try skipSpace()
            var finished = try begin()
            while let value = finished {
                guard !open.isEmpty else {
                    try skipSpace()
                    guard position == bytes.count else { throw error("there is more behind the value") }
                    return value
                }
                finished = try add(value)
            }
        }
    }

    // MARK: - Containers

    /// Reads a leaf, or the beginning of a container; nil where that is open now.
    private mutating func begin() throws(TextError) -> PropertyList? {
        switch peek {
        case UInt8(ascii: "{")?, UInt8(ascii: "(")?:
            guard open.count < JSONParser.listNestingLimit else {
                throw error("values are nested deeper than \(JSONParser.listNestingLimit) levels")
            }
            open.append(Container(isDictionary: peek == UInt8(ascii: "{")))
            position += 1
            if open[open.count - 1].isDictionary { return try readKey() ? nil : end() }
            try skipSpace()
            return end()
        case UInt8(ascii: "<")?: return try angled()
        default: return .string(try string())
        }
    }

    /// The innermost container, where it ends here.
    private mutating func end() -> PropertyList? {
        guard let container = open.last, !container.isFile || position == bytes.count else { return nil }
        if container.isFile { return open.removeLast().value }
        guard peek == (container.isDictionary ? UInt8(ascii: "}") : UInt8(ascii: ")")) else { return nil }
        position += 1
        return open.removeLast().value
    }

    /// Adds `value` to the innermost container; gives that where it is complete now.
    private mutating func add(_ value: PropertyList) throws(TextError) -> PropertyList? {
        let last = open.count - 1
        if open[last].isDictionary {
            open[last].entries.append((open[last].key, value))
            try skipSpace()
            if !skip(";"), peek != UInt8(ascii: "}") { throw error("“;” has to follow the value") }
            return try readKey() ? nil : end()
        }
        open[last].elements.append(value)
        try skipSpace()
        if !skip(","), peek != UInt8(ascii: ")") { throw error("“,” or “)” has to follow an element") }
        try skipSpace()
        return end()
    }

    /// Reads a key and what is in front of its value.
    ///
    /// - Returns: Whether there was one; otherwise the container ends here.
    private mutating func readKey() throws(TextError) -> Bool {
        while true {
            try skipSpace()
            let last = open.count - 1
            if open[last].isFile ? position == bytes.count : peek == UInt8(ascii: "}") { return false }
            let key = try string()
            try skipSpace()
            open[last].key = key
            if skip("=") { return true }
            // In a `.strings` file, a key alone is its own value.
            guard skip(";") else { throw error("“=” has to follow the key") }
            open[last].entries.append((key, .string(key)))
        }
    }

    // MARK: - Leaves

    /// Data, or a number or date of GNUstep's.
    private mutating func angled() throws(TextError) -> PropertyList {
        position += 1
        guard let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")) else { throw error("“>” is missing") }
        let text = String(decoding: bytes[position..<end], as: UTF8.self)
        defer { position = end + 1 }
        if text.hasPrefix("*") {
            let content = String(text.dropFirst(2))
            switch text.dropFirst().first {
            case "I": if let number = Int128(content) { return .integer(number) }
            case "R": if let number = Double(content) { return .real(number) }
            case "B": if content == "Y" || content == "N" { return .boolean(content == "Y") }
            case "D": if let date = Self.date(content) { return .date(date) }
            default: break
            }
            throw error("“<\(text)>” is no number, Bool or date")
        }
        var nibbles: [UInt8] = []
        for byte in bytes[position..<end] where !Self.isSpace(byte) {
            guard let nibble = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("data has hexadecimal digits between “<” and “>”")
            }
            nibbles.append(UInt8(nibble))
        }
        guard nibbles.count % 2 == 0 else { throw error("data has an odd number of digits") }
        return .data(Data(stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }))
    }

    /// `2001-01-01 00:00:00 +0000`
    private static func date(_ text: String) -> Date? {
        let parts = text.split(separator: " ")
        guard parts.count == 3, parts[2].count == 5 else { return nil }
        let zone = "\(parts[2].prefix(3)):\(parts[2].suffix(2))"
        return try? Date("\(parts[0])T\(parts[1])\(zone)", strategy: .iso8601)
    }

    private mutating func string() throws(TextError) -> String {
        if let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            position += 1
            return try quoted(until: quote)
        }
        let start = position
        while let byte = peek, Self.isPlain(byte) { position += 1 }
        guard position > start else { throw error("a value has to stand here") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func quoted(until quote: UInt8) throws(TextError) -> String {
        // In UTF-16, since that is what `\U` escapes are.
        var units: [UInt16] = []
        var start = position
        func text(_ end: Int) -> String.UTF16View { String(decoding: bytes[start..<end], as: UTF8.self).utf16 }
        while let byte = peek {
            if byte == quote {
                units += text(position)
                position += 1
                return String(decoding: units, as: UTF16.self)
            }
            position += 1
            guard byte == UInt8(ascii: "\\") else { continue }
            units += text(position - 1)
            if let unit = try escape() { units.append(unit) }
            start = position
        }
        throw error("the text ends in a string")
    }

    private mutating func escape() throws(TextError) -> UInt16? {
        guard let byte = peek else { throw error("the text ends in a string") }
        position += 1
        switch byte {
        case UInt8(ascii: "a"): return 0x07
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "v"): return 0x0B
        case UInt8(ascii: "U"), UInt8(ascii: "u"):
            let digits = bytes[position...].prefix(4).prefix { Character(Unicode.Scalar($0)).isHexDigit }
            position += digits.count
            guard let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else {
                throw error("hexadecimal digits have to follow “\\U”")
            }
            return unit
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            position -= 1
            let digits = bytes[position...].prefix(3).prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
            position += digits.count
            let code = digits.reduce(0) { $0 << 3 | Int($1 & 7) }
            return code < 0x80 ? UInt16(code) : Self.nextStep[min(code - 0x80, Self.nextStep.count - 1)]
        default:
            // Any other character stands for itself; one of several bytes is read on as it is.
            guard byte < 0x80 else {
                position -= 1
                return nil
            }
            return UInt16(byte)
        }
    }

    /// The characters of NeXTSTEP's encoding from 0x80 on, in which octal escapes are.
    private static let nextStep = Array(
        ("\u{A0}ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖÙÚÛÜÝÞµ×÷©¡¢£⁄¥ƒ§¤’“«‹›ﬁﬂ®–†‡·¦¶•‚„”»…‰¬¿¹ˋ´ˆ˜¯˘˙¨²˚¸³˝˛ˇ—±¼½¾àáâãäåçèéêëìÆíªîïðñŁØŒºòóôõ"
            + "öæùúûıüýłøœßþÿ\u{FFFD}\u{FFFD}").utf16)

    // MARK: - Bytes

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let byte = peek, byte == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Whether a string that has the character needs no quotes.
    private static func isPlain(_ byte: UInt8) -> Bool {
        Character(Unicode.Scalar(byte)).isLetter && byte < 0x80
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || "_$/:.-".utf8.contains(byte)
    }

    /// Skips white space and comments.
    private mutating func skipSpace() throws(TextError) {
        while let byte = peek {
            if Self.isSpace(byte) {
                position += 1
            } else if bytes[position...].starts(with: "//".utf8) {
                position = bytes[position...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
            } else if bytes[position...].starts(with: "/*".utf8) {
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
