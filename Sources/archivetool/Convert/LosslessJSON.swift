// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// JSON with all values of a property list, as `docs/archivetool.md` describes it.
///
///     { "$format": "archivetool property list", "$version": 1, "value": … }
///
/// Values that JSON does not have are objects with one entry. Large and real numbers are strings, so that no program rounds
/// them, and dictionaries are lists of pairs, so that none sorts them.
enum LosslessJSON {
    static let formatName = "archivetool property list"
    static let version = 1

    /// The integers that every reader of JSON reads exactly.
    private static let plainIntegers: ClosedRange<Int128> = -(1 << 53 - 1)...(1 << 53 - 1)

    static func isDetected(in head: Data) -> Bool {
        let text = String(decoding: head.prefix(512), as: UTF8.self)
        guard text.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) == "{" else { return false }
        return text.contains("\"" + formatName + "\"")
    }
}

// MARK: - Writing

extension LosslessJSON {
    static func write(_ list: PropertyList, to writer: inout JSONWriter) {
        let tree = list.mapped {
            tagged($0)
        } container: { container, made in
            switch container {
            case .dictionary(let entries):
                ["dict": .array(zip(entries, made).map { entry, value in .array([.string(entry.key), value]) })]
            case .set: ["set": .array(made)]
            default: .array(made)
            }
        }
        writer.write(
            ["$format": .string(formatName), "$version": .integer(Int128(version)), "value": tree],
            inline: { isShort($0) || $0.array.map(isPair) ?? false })
    }

    private static func isPair(_ elements: [PropertyList]) -> Bool {
        elements.count == 2 && elements[0].string != nil && isShort(elements[1])
    }

    /// Whether it is a leaf or an empty container, in the form of `tagged`.
    private static func isShort(_ value: PropertyList) -> Bool {
        switch value {
        case .array(let elements): elements.isEmpty
        case .dictionary(let entries): entries.count == 1 && entries[0].value.array?.isEmpty ?? true
        default: true
        }
    }

    private static func tagged(_ leaf: PropertyList) -> PropertyList {
        switch leaf {
        case .integer(let value) where !plainIntegers.contains(value): ["int": .string("\(value)")]
        case .real(let value): ["real": .string(text(of: value))]
        case .real32(let value): ["real32": .string(text(of: value, value.bitPattern, usual: Float.nan.bitPattern))]
        case .date(let date): ["date": .string(text(of: date.timeIntervalSinceReferenceDate))]
        case .data(let data): ["data": .string(data.base64EncodedString())]
        case .uid(let uid): ["uid": .integer(Int128(uid))]
        default: leaf
        }
    }

    /// A number with all its digits, or an unusual NaN with its bits.
    private static func text<Number: BinaryFloatingPoint & CustomStringConvertible>(
        of value: Number, _ bits: some FixedWidthInteger, usual: some FixedWidthInteger
    ) -> String {
        value.isNaN && bits != usual ? "nan:0x" + String(bits, radix: 16) : value.description
    }

    private static func text(of value: Double) -> String {
        text(of: value, value.bitPattern, usual: Double.nan.bitPattern)
    }
}

// MARK: - Reading

extension LosslessJSON {
    struct FormatError: Error {
        let sentence: String

        init(_ sentence: String) { self.sentence = sentence }
    }

    static func propertyList(from json: PropertyList) throws(FormatError) -> PropertyList {
        guard let entries = json.dictionary, let value = entries.last(where: { $0.key == "value" })?.value else {
            throw FormatError("there is no “value” at the top")
        }
        guard entries["$format"]?.string == formatName else { throw FormatError("“$format” is not “\(formatName)”") }
        guard entries["$version"]?.integer == version else {
            throw FormatError("“$version” is not \(version), the only known one")
        }
        return try value.mapped { leaf throws(FormatError) in
            guard case .real(let number) = leaf else { return leaf }
            throw FormatError("\(number) is no integer; a number with a fraction is written {\"real\": \"\(number)\"}")
        } container: { container, made throws(FormatError) in
            guard case .dictionary(let entries) = container else { return .array(made) }
            guard entries.count == 1, let tag = entries.first?.key else {
                throw FormatError("an object has \(entries.count) entries; all objects of this form have one")
            }
            return try untagged(tag, made[0])
        }
    }

    /// The value that an object with one entry represents.
    private static func untagged(_ tag: String, _ value: PropertyList) throws(FormatError) -> PropertyList {
        switch (tag, value) {
        case ("set", .array(let elements)): return .set(elements)
        case ("dict", .array(let pairs)):
            var entries = PropertyList.Dictionary()
            for pair in pairs {
                guard case .array(let pair) = pair, pair.count == 2, case .string(let key) = pair[0] else {
                    throw FormatError("an entry of a “dict” is no pair of a string and a value: [\"key\", value]")
                }
                guard HashedText.isSafe(key) else { throw FormatError(TextParser.unsafeKey) }
                entries.append(key: key, value: pair[1])
            }
            return .dictionary(entries)
        default:
            guard let leaf = leaf(tag, value) else {
                throw FormatError("an object with the key “\(tag)” is unknown, or has a value of the wrong type")
            }
            return leaf
        }
    }

    private static func leaf(_ tag: String, _ json: PropertyList) -> PropertyList? {
        switch (tag, json) {
        case ("int", .string(let text)): return Int128(text).map { .integer($0) }
        case ("real", .string(let text)): return real(text).map { .real($0) }
        case ("real32", .string(let text)):
            if text.utf8.starts(with: "nan:0x".utf8) {
                return UInt32(text.dropFirst(6), radix: 16).map { .real32(Float(bitPattern: $0)) }
            }
            return Float(text).map { .real32($0) }
        case ("date", .string(let text)):
            return real(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case ("data", .string(let text)): return Data(base64Encoded: text).map { .data($0) }
        case ("uid", .integer(let number)): return UInt32(exactly: number).map { .uid($0) }
        default: return nil
        }
    }

    private static func real(_ text: String) -> Double? {
        if text.utf8.starts(with: "nan:0x".utf8) {
            return UInt64(text.dropFirst(6), radix: 16).map { Double(bitPattern: $0) }
        }
        return Double(text)
    }
}
