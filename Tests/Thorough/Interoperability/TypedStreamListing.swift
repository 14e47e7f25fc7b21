// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving

/// A typedstream as pytypedstream's `read` prints it, made from the model: every value with its type, and the numbers that
/// objects, classes and C strings have in the file, in the order of their first appearance.
struct TypedStreamListing {
    private let stream: TypedStream
    private var lines: [String] = []
    private var indentation = 0
    private var objectNumbers: [Int: Int] = [:]
    private var classNumbers: [Int: Int] = [:]
    private var cStringNumbers: [Int: Int] = [:]
    private var nextNumber = 0

    private init(_ stream: TypedStream) { self.stream = stream }

    /// The lines, without what ends them.
    static func lines(_ stream: TypedStream) -> [String] {
        var listing = TypedStreamListing(stream)
        let byteOrder = stream.byteOrder == .littleEndian ? "little" : "big"
        listing.line(
            "streamer version \(stream.streamerVersion), byte order \(byteOrder), system version \(stream.systemVersion)"
        )
        listing.line("")
        for group in stream.groups { listing.group(group) }
        return listing.lines
    }

    private mutating func line(_ text: String) {
        lines.append(String(repeating: "\t", count: text.isEmpty ? 0 : indentation) + text)
    }

    private mutating func block(_ begin: String, _ end: String, _ body: (inout Self) -> Void) {
        line("begin " + begin)
        indentation += 1
        body(&self)
        indentation -= 1
        line("end " + end)
    }

    private mutating func group(_ group: TypedStream.Group) {
        block("typed values (types \(Self.list(group.types)))", "typed values") { listing in
            for (type, value) in zip(group.types, group.values) { listing.value(value, type) }
        }
    }

    // MARK: - Values

    private mutating func value(_ value: TypedStream.Value, _ type: TypeEncoding) {
        switch (value, type.kind) {
        case (.unsigned(let value), .bool): line(value == 0 ? "False" : "True")
        case (.integer(let value), _): line("\(value)")
        case (.unsigned(let value), _): line("\(value)")
        case (.float(let value), _): line(Double(value).description)
        case (.double(let value), _): line(value.description)
        case (.cString(nil), _), (.bytes(nil), _), (.object(nil), _), (.ignored, _): line("None")
        case (.name(let name), .atom): line("atom: " + (name.map { Self.literal($0) } ?? "None"))
        case (.name(let name), _): line("selector: " + (name.map { Self.literal($0) } ?? "None"))
        case (.bytes(let bytes?), .array(_, let element)):
            line("byte array (element type \(Self.literal(element))): \(Self.literal(bytes))")
        case (.bytes(let bytes?), _): line(Self.literal(bytes))
        case (.cString(let index?), _):
            if let number = cStringNumbers[index] { return line("<reference to C string #\(number)>") }
            cStringNumbers[index] = nextNumber
            line("C string: \(Self.literal(stream.cStrings[index])) (#\(nextNumber))")
            nextNumber += 1
        case (.class(let index), _): classes(from: index)
        case (.object(let index?), _): object(index)
        case (.array(let values), .array(let count, let element)):
            block("array (element type \(Self.literal(element)), length \(count))", "array") { listing in
                for value in values { listing.value(value, element) }
            }
        case (.structure(let values), .structure(let name, let fields)):
            block("struct \(name ?? "(no name)") (field types \(Self.list(fields)))", "struct") { listing in
                for (value, field) in zip(values, fields) { listing.value(value, field) }
            }
        default: line("A value that is none of its type")
        }
    }

    private mutating func object(_ index: Int) {
        if let number = objectNumbers[index] { return line("<reference to object #\(number)>") }
        objectNumbers[index] = nextNumber
        nextNumber += 1
        let object = stream.objects[index]
        block("literal object (#\(nextNumber - 1))", "literal object") { listing in
            listing.classes(from: object.classIndex)
            for group in object.groups { listing.group(group) }
        }
    }

    /// A class and its superclasses, up to one that has been there before.
    private mutating func classes(from index: Int?) {
        guard let index else { return line("None") }
        if let number = classNumbers[index] { return line("<reference to class #\(number)>") }
        classNumbers[index] = nextNumber
        let next = stream.classes[index]
        line("class \(next.name) v\(next.version) (#\(nextNumber))")
        nextNumber += 1
        classes(from: next.superclassIndex)
    }

    // MARK: - Python's spelling

    private static func list(_ types: [TypeEncoding]) -> String {
        "[" + types.map { literal($0) }.joined(separator: ", ") + "]"
    }

    private static func literal(_ type: TypeEncoding) -> String { literal(Array(type.description.utf8)) }

    /// Bytes as Python's `repr` has them.
    static func literal(_ bytes: [UInt8]) -> String {
        let quote: UInt8 =
            bytes.contains(UInt8(ascii: "'")) && !bytes.contains(UInt8(ascii: "\""))
            ? UInt8(ascii: "\"") : UInt8(ascii: "'")
        var text: [UInt8] = [UInt8(ascii: "b"), quote]
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\\"), quote: text += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\t"): text += Array("\\t".utf8)
            case UInt8(ascii: "\n"): text += Array("\\n".utf8)
            case UInt8(ascii: "\r"): text += Array("\\r".utf8)
            case 0x20...0x7E: text.append(byte)
            default: text += Array("\\x".utf8) + Array(String(UInt16(byte) + 0x100, radix: 16).utf8.dropFirst())
            }
        }
        return String(decoding: text + [quote], as: UTF8.self)
    }
}
