import ArchiveInspection
import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The types of values on the command line, with the names that `plutil` has for them.
enum ValueType: String, CaseIterable {
    case string, integer, float, bool, date, data, json, uid, null

    /// A flag for each; at most one is given.
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
            "a tree in JSON; {\"$class\": NAME, …} is an object, {\"$ref\": N} is #N, and so are $data and $date"
        case .uid: "the number N of an object #N that is there"
        case .null: "nothing, and the value is nil"
        }
    }

    /// The type that the command line says; nil where it says none.
    static func given(_ arguments: Arguments) throws(ToolError) -> ValueType? {
        let given = allCases.filter { arguments.has(options[allCases.firstIndex(of: $0) ?? 0]) }
        if given.count > 1 {
            throw ToolError(.usage, "-\(given[0].rawValue) and -\(given[1].rawValue) are two types; a value has one")
        }
        return given.first
    }

    /// The value that `text` is.
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
            var parser = JSONParser(Array(text.utf8))
            return try parser.parse()
        } catch {
            throw ToolError(.usage, "That is no JSON: \(error.description)")
        }
    }
}

extension PropertyList {
    /// What a dictionary of JSON stands for that is a value of a kind which JSON has not; nil for others.
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

    /// A tree of JSON as a property list, with the data, dates and uids that it tells of.
    ///
    /// It recurses, down to the levels that the parser of JSON allows.
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
    /// Adds what a tree of JSON tells of: arrays, dictionaries, and objects of classes.
    ///
    /// It recurses, down to the levels that the parser of JSON allows.
    ///
    /// - Returns: What a place refers to it by; a leaf as it is.
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
