// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving

/// The types of values on the command line, with the names of `plutil`.
enum ValueType: String, CaseIterable {
    case string, integer, float, bool, date, data, json, uid, null

    /// A flag for each type, at most one of which may be given.
    static let options = allCases.map { type in Option(name: type.rawValue, help: "VALUE is " + type.meaning + ".") }

    private var meaning: String {
        switch self {
        case .string: "a string"
        case .integer: "a whole number, of up to 128 bits"
        case .float: "a number with a fraction"
        case .bool: "“true” or “false”, “yes” or “no”"
        case .date: "a date: 2018-06-04T17:00:00Z"
        case .data: "data, in Base64"
        case .json:
            "a tree in JSON, in which {\"$class\": NAME, …} is an object, {\"$ref\": N} is #N, and $data and $date are values"
        case .uid: "the number N of an existing object #N"
        case .null: "missing, and the value is nil"
        }
    }

    /// The type on the command line, if there is one.
    static func given(_ arguments: Arguments) throws(ToolError) -> ValueType? {
        let given = allCases.filter { arguments.has(options[allCases.firstIndex(of: $0) ?? 0]) }
        if given.count > 1 {
            throw ToolError(.usage, "-\(given[0].rawValue) and -\(given[1].rawValue) are two types; a value has one")
        }
        return given.first
    }

    func value(_ text: String) throws(ToolError) -> PropertyList {
        let value: PropertyList? =
            switch self {
            case .string: .string(text)
            case .integer: Int128(text).map { .integer($0) }
            case .float: Double(text).map { .real($0) }
            case .bool:
                ["true": true, "yes": true, "false": false, "no": false][text.lowercased()].map { .boolean($0) }
            case .date: (try? Date(text, strategy: .iso8601)).map { .date($0) }
            case .data: Data(base64Encoded: text).map { .data($0) }
            case .uid: UInt32(text).map { .uid($0) }
            case .null: .null
            case .json: try Self.tree(text)
            }
        guard let value else { throw ToolError(.usage, "“\(text)” is not \(meaning)") }
        return value
    }

    private static func tree(_ text: String) throws(ToolError) -> PropertyList {
        do throws(TextError) {
            var parser = TextParser(Array(text.utf8), .json)
            return try parser.parse()
        } catch {
            throw ToolError(.usage, "That is no JSON: \(error.description)")
        }
    }
}

extension PropertyList {
    /// The value that a dictionary such as `{"$data": …}` represents; nil for other values.
    fileprivate var taggedValue: PropertyList? {
        guard let entries = dictionary, entries.count == 1, let (tag, value) = entries.first else { return nil }
        switch (tag, value) {
        case ("$data", .string(let text)): return Data(base64Encoded: text).map { .data($0) }
        case ("$date", .string(let text)): return (try? Date(text, strategy: .iso8601)).map { .date($0) }
        case ("$ref", .integer(let number)), ("$uid", .integer(let number)):
            return UInt32(exactly: number).map { .uid($0) }
        default: return nil
        }
    }

    /// A tree of JSON with the data, dates and uids that it represents. It recurses to the nesting limit of the parser.
    var withTaggedValues: PropertyList {
        if let taggedValue { return taggedValue }
        switch self {
        case .array(let elements): return .array(elements.map(\.withTaggedValues))
        case .dictionary(let entries):
            return .dictionary(PropertyList.Dictionary(entries.map { ($0.key, $0.value.withTaggedValues) }))
        default: return self
        }
    }
}

extension KeyedArchiveEditor {
    /// Adds the arrays, dictionaries and objects that a tree of JSON represents. It recurses to the nesting limit of the
    /// parser.
    ///
    /// - Returns: A reference to the added object; a leaf itself.
    mutating func add(_ tree: PropertyList) throws(KeyedArchiveError) -> PropertyList {
        if let value = tree.taggedValue { return value }
        switch tree {
        case .array(let elements):
            var added: [PropertyList] = []
            for element in elements { added.append(try add(element)) }
            return .uid(try addArray(added))
        case .dictionary(let entries):
            var added = PropertyList.Dictionary()
            for (key, value) in entries where key != "$class" { added.append(key: key, value: try add(value)) }
            guard let name = entries["$class"]?.string else { return .uid(try addDictionary(added)) }
            return .uid(try addObject(ofClass: name, fields: added))
        default: return tree
        }
    }
}
