// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The contents of a file according to plistlib, in the form of its dump: JSON in which a number with a point or an exponent is a
/// real, and every other one an integer. Foundation's JSON readers do not distinguish them.
package indirect enum GoldenDump: Equatable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int128)
    case real(Double)
    case string(String)
    case array([GoldenDump])
    case dictionary([String: GoldenDump])

    package struct Malformed: Error {
        let position: Int
    }

    package init(_ data: Data) throws {
        self = try data.withUnsafeBytes { bytes in
            var parser = Parser(bytes: bytes)
            return try parser.value()
        }
    }

    /// What plistlib found in the file `name` of the corpus; nil for a typedstream, which it does not read.
    package init?(of name: String) throws {
        guard !name.hasSuffix(".typedstream") else { return nil }
        let finding = try Corpus.finding(name, "json")
        self = try GoldenDump(#require(finding, "There is nothing to compare \(name) with"))
    }

    package subscript(key: String) -> GoldenDump? { dictionary?[key] }

    package var dictionary: [String: GoldenDump]? {
        if case .dictionary(let dictionary) = self { dictionary } else { nil }
    }

    package var array: [GoldenDump]? {
        if case .array(let array) = self { array } else { nil }
    }

    package var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    package var integer: Int? {
        if case .integer(let integer) = self { Int(exactly: integer) } else { nil }
    }

    /// An integer or a real.
    package var number: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .real(let real): real
        default: nil
        }
    }

    // MARK: - Values that JSON cannot represent

    /// The only entry, if its key is `key`.
    private func only(_ key: String) -> GoldenDump? { dictionary?.count == 1 ? self[key] : nil }

    package var uid: UInt32? { only("CF$UID")?.integer.map { UInt32($0) } }
    package var data: Data? { only("$data")?.string.flatMap { Data(base64Encoded: $0) } }
    package var specialReal: Double? { only("$real")?.string.flatMap { Double($0) } }
    package var loneSurrogates: String? { only("$string-utf16be-hex")?.string }

    package var date: Double? { only("$date")?["since_reference"]?.number }
}

// MARK: - JSON

private struct Parser {
    let bytes: UnsafeRawBufferPointer
    var position = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    private mutating func next() throws -> UInt8 {
        guard position < bytes.count else { throw GoldenDump.Malformed(position: position) }
        position += 1
        return bytes[position - 1]
    }

    private mutating func skipSpace() {
        while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
    }

    private mutating func skip(_ byte: UInt8) throws {
        skipSpace()
        guard try next() == byte else { throw GoldenDump.Malformed(position: position) }
    }

    /// Whether `byte` came, and not the end of the container.
    private mutating func goesOn(until end: UInt8) throws -> Bool {
        skipSpace()
        let byte = try next()
        guard byte == UInt8(ascii: ",") || byte == end else { throw GoldenDump.Malformed(position: position) }
        return byte != end
    }

    private mutating func isEmpty(_ end: UInt8) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == end else { return false }
        position += 1
        return true
    }

    mutating func value() throws -> GoldenDump {
        skipSpace()
        switch try next() {
        case UInt8(ascii: "{"):
            var entries: [String: GoldenDump] = [:]
            guard !isEmpty(UInt8(ascii: "}")) else { return .dictionary([:]) }
            repeat {
                skipSpace()
                position += 1
                let key = try string()
                try skip(UInt8(ascii: ":"))
                entries[key] = try value()
            } while try goesOn(until: UInt8(ascii: "}"))
            return .dictionary(entries)
        case UInt8(ascii: "["):
            var elements: [GoldenDump] = []
            guard !isEmpty(UInt8(ascii: "]")) else { return .array([]) }
            repeat { elements.append(try value()) } while try goesOn(until: UInt8(ascii: "]"))
            return .array(elements)
        case UInt8(ascii: "\""): return .string(try string())
        default:
            position -= 1
            return try word()
        }
    }

    private mutating func word() throws -> GoldenDump {
        let start = position
        while position < bytes.count, !Array(",]} \n\r\t".utf8).contains(bytes[position]) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        switch text {
        case "null": return .null
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        default:
            if let integer = Int128(text) { return .integer(integer) }
            guard let real = Double(text) else { throw GoldenDump.Malformed(position: start) }
            return .real(real)
        }
    }

    /// The string whose first quote was read.
    private mutating func string() throws -> String {
        let start = position
        var isPlain = true
        while true {
            let byte = try next()
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") {
                isPlain = false
                position += 1
            }
        }
        guard !isPlain else { return String(decoding: bytes[start..<position - 1], as: UTF8.self) }
        let quoted = Data(bytes[start - 1..<position])
        return try JSONDecoder().decode(String.self, from: quoted)
    }
}
