// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The type of a value in a typedstream, in the notation of Objective-C's `@encode`: `i` for an int, `@` for an object,
/// `{_NSPoint=ff}` for a struct.
///
/// ```swift
/// let types = try TypeEncoding.list("i[4c]@")    // an int, four characters, an object
/// ```
///
/// | type | value |
/// |---|---|
/// | `c`, `C` | a signed or unsigned byte. Objective-C's BOOL is a `c` on most systems |
/// | `s`, `S` | an integer of 2 bytes |
/// | `i`, `I` | an integer of 4 bytes |
/// | `l`, `L` | an integer of 4 or 8 bytes |
/// | `q`, `Q` | an integer of 8 bytes |
/// | `B` | a `bool` of C or C++, or Objective-C's BOOL on newer systems |
/// | `f`, `d` | a floating-point number of 4 or 8 bytes |
/// | `*` | a C string, or null |
/// | `%` | an atom, which is a unique string in NeXT's systems, or null |
/// | `:` | the name of a method, or null |
/// | `+` | a number of bytes and the bytes, or null |
/// | `#` | a class, or null |
/// | `@` | an object, or nil |
/// | `!` | a value that is not stored |
/// | `[4i]` | a fixed number of values of one type |
/// | `{_NSPoint=ff}` | the fields of a struct. The name is "?" if the struct has none, and can be omitted: `{ff}` |
public struct TypeEncoding: Hashable, Sendable {
    package let kind: Kind

    package indirect enum Kind: Hashable, Sendable {
        case character, unsignedCharacter, short, unsignedShort, int, unsignedInt, long, unsignedLong, longLong
        case unsignedLongLong, bool, float, double, cString, atom, selector, bytes, `class`, object, ignored
        case array(count: Int, of: TypeEncoding)
        case structure(name: String?, fields: [TypeEncoding])
    }

    package init(_ kind: Kind) { self.kind = kind }

    package static let character = Self(.character)
    package static let unsignedCharacter = Self(.unsignedCharacter)
    package static let short = Self(.short)
    package static let unsignedShort = Self(.unsignedShort)
    package static let int = Self(.int)
    package static let unsignedInt = Self(.unsignedInt)
    package static let long = Self(.long)
    package static let unsignedLong = Self(.unsignedLong)
    package static let longLong = Self(.longLong)
    package static let unsignedLongLong = Self(.unsignedLongLong)
    package static let bool = Self(.bool)
    package static let float = Self(.float)
    package static let double = Self(.double)
    package static let cString = Self(.cString)
    package static let atom = Self(.atom)
    package static let selector = Self(.selector)
    package static let bytes = Self(.bytes)
    package static let `class` = Self(.class)
    package static let object = Self(.object)
    package static let ignored = Self(.ignored)

    package static func array(count: Int, of element: TypeEncoding) -> Self { Self(.array(count: count, of: element)) }

    package static func structure(name: String?, fields: [TypeEncoding]) -> Self {
        Self(.structure(name: name, fields: fields))
    }
}

// MARK: - Text

extension TypeEncoding: CustomStringConvertible, ExpressibleByStringLiteral {
    /// The type in the notation of typedstreams: `[4i]`.
    public var description: String {
        var text = ""
        write(to: &text)
        return text
    }

    /// Writes the type, truncated once the text has `limit` bytes.
    private func write(to text: inout String, limit: Int = .max) {
        switch kind {
        case .array(let count, let element):
            text += "[\(count)"
            element.write(to: &text, limit: limit)
            text += "]"
        case .structure(let name, let fields):
            text += "{"
            if let name { text += (limit == .max ? name : String(name.unicodeScalars.prefix(limit))) + "=" }
            for field in fields {
                guard text.utf8.count <= limit else { return }
                field.write(to: &text, limit: limit)
            }
            text += "}"
        default: text.unicodeScalars.append(Unicode.Scalar(character ?? 0))
        }
    }

    /// Creates the type that `text` encodes. Any other text is a programming error and traps.
    ///
    /// Use `list(_:)` for a text that is not a literal in the program.
    public init(stringLiteral text: String) {
        do {
            try self.init(parsing: text)
        } catch {
            misuse("\(error)")
        }
    }

    /// Creates the type that `text` encodes.
    ///
    /// - Throws: `TypedStreamError` if `text` encodes no type, several types, or a type that no typedstream has.
    package init(parsing text: String) throws(TypedStreamError) {
        let types = try Self.list(text)
        guard types.count == 1 else {
            throw TypedStreamError(.badType, "\"\(text.prefix(40))\" has \(types.count) types instead of one")
        }
        self = types[0]
    }

    /// Returns the types that `text` encodes, in order: `iI` is two types.
    ///
    /// - Throws: `TypedStreamError` if `text` contains a type that no typedstream has: a pointer, a union or a bit
    ///   field.
    /// - Complexity: O(*n*), where *n* is the length of the text.
    public static func list(_ text: String) throws(TypedStreamError) -> [TypeEncoding] {
        var parser = TypeEncodingParser(text)
        return try parser.list()
    }

    static func text(of types: [TypeEncoding]) -> String {
        types.reduce(into: "") { $1.write(to: &$0) }
    }

    /// The types for an error, truncated to one line.
    static func start(of types: [TypeEncoding]) -> String {
        let limit = 100
        var text = ""
        for type in types {
            guard text.utf8.count <= limit else { break }
            type.write(to: &text, limit: limit)
        }
        return text.unicodeScalars.count <= limit ? text : String(text.unicodeScalars.prefix(limit)) + "…"
    }
}

extension TypeEncoding {
    private static let characters: [(character: UInt8, kind: Kind)] = Array(
        zip(
            "cCsSiIlLqQBfd*%:+#@!".utf8,
            [
                .character, .unsignedCharacter, .short, .unsignedShort, .int, .unsignedInt, .long, .unsignedLong,
                .longLong, .unsignedLongLong, .bool, .float, .double, .cString, .atom, .selector, .bytes, .class,
                .object, .ignored,
            ]))

    init?(character: UInt8) {
        guard let found = Self.characters.first(where: { $0.character == character }) else { return nil }
        self.init(found.kind)
    }

    var character: UInt8? { Self.characters.first { $0.kind == kind }?.character }
}

// MARK: - Size

extension TypeEncoding {
    /// The minimum number of bytes of a value of this type in a typedstream.
    var leastByteCount: Int {
        switch kind {
        case .ignored: 0
        // The general case takes long for large types.
        case .array(let count, let element): count == 0 ? 0 : Self.product(count, element.leastByteCount)
        case .structure(_, let fields): fields.reduce(0) { Self.sum($0, $1.leastByteCount) }
        default: 1
        }
    }

    private static func product(_ left: Int, _ right: Int) -> Int {
        let (product, overflow) = left.multipliedReportingOverflow(by: right)
        return overflow ? .max : product
    }

    private static func sum(_ left: Int, _ right: Int) -> Int {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }

    /// Whether values of the two types are interchangeable: the types are equal except for the names of structs.
    func matches(_ other: TypeEncoding) -> Bool {
        switch (kind, other.kind) {
        case (.array(let count, let element), .array(let otherCount, let otherElement)):
            count == otherCount && element.matches(otherElement)
        case (.structure(_, let fields), .structure(_, let otherFields)):
            fields.count == otherFields.count && zip(fields, otherFields).allSatisfy { $0.matches($1) }
        default: kind == other.kind
        }
    }
}

// MARK: - Parsing

private struct TypeEncodingParser {
    /// The maximum nesting of structs and arrays, which bounds the recursion. Programs have two or three levels.
    private static let depthLimit = 32

    private let text: [UInt8]
    private var position = 0
    private var depth = 0

    init(_ text: String) { self.text = Array(text.utf8) }

    mutating func list() throws(TypedStreamError) -> [TypeEncoding] {
        var types: [TypeEncoding] = []
        while position < text.count { types.append(try one()) }
        return types
    }

    private mutating func one() throws(TypedStreamError) -> TypeEncoding {
        guard position < text.count else { throw error("ends in the middle of a type") }
        let first = text[position]
        position += 1
        if let type = TypeEncoding(character: first) { return type }
        guard depth < Self.depthLimit else { throw error("is nested deeper than \(Self.depthLimit) levels") }
        depth += 1
        defer { depth -= 1 }
        switch first {
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "{"): return try structure()
        case UInt8(ascii: "^"), UInt8(ascii: "("), UInt8(ascii: "b"), UInt8(ascii: "?"), UInt8(ascii: "v"):
            throw error(
                "has \"\(Character(Unicode.Scalar(first)))\": pointers, unions, bit fields and functions cannot be archived"
            )
        default: throw error("has an unknown type: \"\(Character(Unicode.Scalar(first)))\"")
        }
    }

    private mutating func array() throws(TypedStreamError) -> TypeEncoding {
        var count: Int32 = 0
        let start = position
        while position < text.count, case let digit = text[position] &- UInt8(ascii: "0"), digit < 10 {
            guard let longer = Int32(exactly: Int64(count) * 10 + Int64(digit)) else {
                throw error("has an array of more than \(Int32.max) elements")
            }
            count = longer
            position += 1
        }
        guard position > start else { throw error("has an array without a count") }
        let element = try one()
        try close(UInt8(ascii: "]"))
        return .array(count: Int(count), of: element)
    }

    /// Reads the rest of a struct: its name, if an equals sign follows it, its fields, and the brace.
    private mutating func structure() throws(TypedStreamError) -> TypeEncoding {
        var name: String?
        var end = position
        while end < text.count, !Self.endsNames.contains(text[end]) { end += 1 }
        if end < text.count, text[end] == UInt8(ascii: "=") {
            name = String(decoding: text[position..<end], as: UTF8.self)
            position = end + 1
        }
        var fields: [TypeEncoding] = []
        while position < text.count, text[position] != UInt8(ascii: "}") { fields.append(try one()) }
        try close(UInt8(ascii: "}"))
        return .structure(name: name, fields: fields)
    }

    private static let endsNames = Array("={}[]".utf8)

    private mutating func close(_ bracket: UInt8) throws(TypedStreamError) {
        guard position < text.count, text[position] == bracket else {
            throw error("lacks a \"\(Character(Unicode.Scalar(bracket)))\"")
        }
        position += 1
    }

    private func error(_ what: String) -> TypedStreamError {
        let shown = String(decoding: text.prefix(60), as: UTF8.self)
        return TypedStreamError(.badType, "The type encoding \"\(shown)\(text.count > 60 ? "…" : "")\" \(what)")
    }
}
