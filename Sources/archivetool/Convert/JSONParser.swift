import Archiving

/// Why a text is no JSON, or no property list.
struct TextError: Error {
    let line: Int
    /// The byte at which it ends to be what it should be.
    let position: Int
    let sentence: String

    var description: String { "line \(line): \(sentence)" }
}

/// Reads JSON (RFC 8259), in UTF-8, as a property list: numbers with a fraction or an exponent become reals. It does not
/// recurse, and follows containers down to a limit.
struct JSONParser {
    private let bytes: [UInt8]
    private var position = 0
    private var open: [Container] = []
    private let nestingLimit: Int

    /// Levels of containers in each other that a property list may have.
    static let listNestingLimit = 512
    /// Those of the lossless form, which has three for each level of a list; what is deeper could not be written.
    static let losslessNestingLimit = 2048

    /// A container whose contents are being read.
    private struct Container {
        var isObject = false
        var elements: [PropertyList] = []
        var entries: [PropertyList.Dictionary.Element] = []
        /// The key of the value that comes next.
        var key = ""

        var value: PropertyList { isObject ? .dictionary(PropertyList.Dictionary(entries)) : .array(elements) }
    }

    init(_ bytes: [UInt8], nestingLimit: Int = Self.listNestingLimit) {
        self.bytes = bytes
        self.nestingLimit = nestingLimit
        // The byte order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// The value that the text is.
    mutating func parse() throws(TextError) -> PropertyList {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw error("the text is not UTF-8") }
        while true {
            skipSpace()
            var finished = try beginValue()
            // What is complete goes into what is around it, which may be complete by that.
            while let value = finished {
                guard !open.isEmpty else {
                    skipSpace()
                    guard position == bytes.count else { throw error("there is more behind the value") }
                    return value
                }
                finished = try add(value)
            }
        }
    }

    // MARK: - Containers

    /// Reads a leaf, or the beginning of a container; nil where that is open now, and a value has to follow.
    private mutating func beginValue() throws(TextError) -> PropertyList? {
        switch try current("a value") {
        case UInt8(ascii: "{"):
            try checkDepth()
            position += 1
            if skip(UInt8(ascii: "}")) { return .dictionary([:]) }
            open.append(Container(isObject: true, key: try key()))
            return nil
        case UInt8(ascii: "["):
            try checkDepth()
            position += 1
            if skip(UInt8(ascii: "]")) { return .array([]) }
            open.append(Container())
            return nil
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    /// Adds `value` to the innermost container; gives that where it is complete now, and nil where another value has to follow.
    private mutating func add(_ value: PropertyList) throws(TextError) -> PropertyList? {
        let last = open.count - 1
        if open[last].isObject {
            open[last].entries.append((open[last].key, value))
            if skip(UInt8(ascii: "}")) { return open.removeLast().value }
            guard skip(UInt8(ascii: ",")) else { throw error("“,” or “}” has to follow an entry") }
            open[last].key = try key()
        } else {
            open[last].elements.append(value)
            if skip(UInt8(ascii: "]")) { return open.removeLast().value }
            guard skip(UInt8(ascii: ",")) else { throw error("“,” or “]” has to follow an element") }
        }
        return nil
    }

    private func checkDepth() throws(TextError) {
        guard open.count < nestingLimit else {
            throw error("values are nested deeper than \(nestingLimit) levels")
        }
    }

    private mutating func key() throws(TextError) -> String {
        skipSpace()
        guard try current("a key") == UInt8(ascii: "\"") else { throw error("a key, a string, has to stand here") }
        let key = try string()
        guard skip(UInt8(ascii: ":")) else { throw error("“:” has to follow the key") }
        return key
    }

    // MARK: - Leaves

    private mutating func word(_ word: StaticString, _ value: PropertyList) throws(TextError) -> PropertyList {
        let expected = word.withUTF8Buffer { Array($0) }
        guard bytes[position...].starts(with: expected) else { throw error("there is no value that begins like this") }
        position += expected.count
        return value
    }

    private mutating func number() throws(TextError) -> PropertyList {
        let start = position
        _ = skipByte(UInt8(ascii: "-"))
        let first = position
        guard skipDigits() else { throw error("a value has to stand here") }
        if bytes[first] == UInt8(ascii: "0"), position > first + 1 { throw error("a number begins with 0") }
        if skipByte(UInt8(ascii: ".")), !skipDigits() { throw error("digits have to follow the point") }
        if skipByte(UInt8(ascii: "e")) || skipByte(UInt8(ascii: "E")) {
            _ = skipByte(UInt8(ascii: "+")) || skipByte(UInt8(ascii: "-"))
            guard skipDigits() else { throw error("digits have to follow the “e”") }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        return Int128(text).map { .integer($0) } ?? .real(Double(text) ?? .nan)
    }

    private mutating func skipDigits() -> Bool {
        let start = position
        while position < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[position] { position += 1 }
        return position > start
    }

    private mutating func string() throws(TextError) -> String {
        position += 1
        var text: [UInt8] = []
        while true {
            let start = position
            while position < bytes.count, bytes[position] != UInt8(ascii: "\""), bytes[position] != UInt8(ascii: "\\"),
                bytes[position] >= 0x20
            {
                position += 1
            }
            text += bytes[start..<position]
            let byte = try current("the end of a string")
            guard byte >= 0x20 else { throw error("a control character stands in a string") }
            position += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
            text += try escape()
        }
    }

    /// What the escape stands for whose backslash was read, in UTF-8.
    private mutating func escape() throws(TextError) -> [UInt8] {
        let byte = try current("an escape")
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): break
        default: throw error("there is no escape like this")
        }
        var value = try unit()
        if 0xD800..<0xDC00 ~= value {
            guard bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
                throw error("a surrogate stands alone")
            }
            position += 2
            let low = try unit()
            guard 0xDC00..<0xE000 ~= low else { throw error("a surrogate stands alone") }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw error("a surrogate stands alone") }
        return Array(String(scalar).utf8)
    }

    private mutating func unit() throws(TextError) -> UInt32 {
        let end = position + 4
        guard end <= bytes.count, bytes[position..<end].allSatisfy({ UInt32(ascii: $0) != nil }) else {
            throw error("four hexadecimal digits have to follow “\\u”")
        }
        defer { position = end }
        return bytes[position..<end].reduce(0) { $0 << 4 | (UInt32(ascii: $1) ?? 0) }
    }

    // MARK: - Bytes

    private func current(_ wanted: String) throws(TextError) -> UInt8 {
        guard position < bytes.count else { throw error("the text ends where \(wanted) should be") }
        return bytes[position]
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    /// Skips white space, and `byte` behind it.
    private mutating func skip(_ byte: UInt8) -> Bool {
        skipSpace()
        return skipByte(byte)
    }

    private mutating func skipByte(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private func error(_ sentence: String) -> TextError {
        TextError(
            line: 1 + bytes[..<min(position, bytes.count)].count { $0 == 0x0A }, position: position, sentence: sentence)
    }
}

extension UInt32 {
    /// The value of a hexadecimal digit; nil for another character.
    fileprivate init?(ascii byte: UInt8) {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self = UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self = UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self = UInt32(byte - UInt8(ascii: "A") + 10)
        default: return nil
        }
    }
}
