// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The description of a class whose objects are read as records: its fields by key, with the kind and the public name of each.
///
/// A class is an entry of a table (`RecordForm+Classes.swift`) and needs no code: reading, texts, trees, pages and JSON use the
/// description. The keys are those of `docs/keyed-archive-format.md`, section 4, which has their sources.
struct RecordForm: Sendable {
    let name: String
    let otherName: String?
    let fields: [Field]
    /// Whether the form is known from a published implementation of the class. Then an object with another form is damaged.
    /// Other classes have forms that are not known, and such an object has no value.
    let isCertain: Bool
    /// The key of an object that has the fields instead.
    let innerKey: StaticString?
    let positions: [String: Int]

    init(
        _ name: String, also otherName: String? = nil, isCertain: Bool = false, inside innerKey: StaticString? = nil,
        _ fields: [Field] = []
    ) {
        self.name = name
        self.otherName = otherName
        self.fields = fields
        self.isCertain = isCertain
        self.innerKey = innerKey
        var positions: [String: Int] = [:]
        for (position, field) in fields.enumerated() {
            for key in field.keys { positions[key] = position }
        }
        self.positions = positions
    }

    func field(_ key: String) -> Field? { positions[key].map { fields[$0] } }
}

// MARK: - Fields

extension RecordForm {
    enum Kind: Sendable {
        case text, integer, real, boolean, data, date, url
        /// A text such as `{1, 2}`, or `{{0, 0}, {1, 2}}`.
        case geometry(Geometry.Kind)
        /// An integer with a name.
        case choice([Int: String])
        /// An integer with a name for each bit, the lowest first; "" for bits without one.
        case flags([String])
        case list, dictionary
        /// An object of any class, or any other value.
        case object

        var wanted: String {
            switch self {
            case .text: "a string"
            case .integer, .choice, .flags: "an integer"
            case .real: "a number"
            case .boolean: "a Bool"
            case .data: "data"
            case .date: "a date"
            case .url: "a URL"
            case .geometry(let kind): kind.wanted
            case .list: "a list"
            case .dictionary: "a dictionary"
            case .object: "a value"
            }
        }
    }

    struct Field: Sendable {
        let name: String
        let keys: [String]
        let kind: Kind
        /// Whether an object without it is no object of this form.
        private(set) var isRequired = false

        private init(_ name: String, _ keys: [String], _ kind: Kind) {
            self.name = name
            self.keys = keys
            self.kind = kind
        }

        var required: Field {
            var field = self
            field.isRequired = true
            return field
        }

        static func text(_ name: String, _ keys: String...) -> Field { Field(name, keys, .text) }
        static func integer(_ name: String, _ keys: String...) -> Field { Field(name, keys, .integer) }
        static func real(_ name: String, _ keys: String...) -> Field { Field(name, keys, .real) }
        static func boolean(_ name: String, _ keys: String...) -> Field { Field(name, keys, .boolean) }
        static func data(_ name: String, _ keys: String...) -> Field { Field(name, keys, .data) }
        static func date(_ name: String, _ keys: String...) -> Field { Field(name, keys, .date) }
        static func url(_ name: String, _ keys: String...) -> Field { Field(name, keys, .url) }
        static func point(_ name: String, _ keys: String...) -> Field { Field(name, keys, .geometry(.point)) }
        static func size(_ name: String, _ keys: String...) -> Field { Field(name, keys, .geometry(.size)) }
        static func list(_ name: String, _ keys: String...) -> Field { Field(name, keys, .list) }
        static func dictionary(_ name: String, _ keys: String...) -> Field { Field(name, keys, .dictionary) }
        static func object(_ name: String, _ keys: String...) -> Field { Field(name, keys, .object) }

        static func flags(_ name: String, _ keys: String..., bits: [String]) -> Field {
            Field(name, keys, .flags(bits))
        }

        static func choice(_ name: String, _ keys: String..., of names: [Int: String]) -> Field {
            Field(name, keys, .choice(names))
        }

        /// A choice with names for the numbers from 0 on.
        static func choice(_ name: String, _ keys: String..., of names: [String]) -> Field {
            Field(name, keys, .choice(Dictionary(uniqueKeysWithValues: zip(0..., names))))
        }
    }
}

// MARK: - All classes

extension RecordForm {
    private static let all = texts + graphics + values + units + formatters + networking + predicates + cloud

    static let named: [String: RecordForm] = {
        var named: [String: RecordForm] = [:]
        for form in all {
            named[form.name] = form
            if let name = form.otherName { named[name] = form }
        }
        return named
    }()
}

extension FoundationObject {
    /// The largest number of entries of an object that is read as a record, and the largest length of a key.
    private static var entryLimit: Int { 256 }
    private static var keyLimit: Int { 128 }

    /// The record of an object of a class with the form `form`; nil for an object of another form.
    ///
    /// The entries are read once, in the order of the archive.
    ///
    /// - Throws: `KeyedArchiveError` if the form is certain, and the object has another one.
    mutating func record(_ form: RecordForm) throws(KeyedArchiveError) -> FoundationValue.Record? {
        var object = archived
        if let inner = try inner(of: form) { object = inner }
        guard object.node.count <= Self.entryLimit else { return nil }
        var fields: [FoundationValue.Record.Field?] = Array(repeating: nil, count: form.fields.count)
        var others: [FoundationValue.Record.Field] = []
        var isOther = false
        for position in 0..<object.node.count {
            guard let key = try key(at: position, of: object.node) else { return nil }
            guard key != "$class" else { continue }
            let reference = contents.list.reference(object.node.count + position, in: object.node.payload)
            let place = source.value(reference)
            guard !place.isNull else { continue }
            guard let index = form.positions[key] else {
                let name = key.hasPrefix("$$") ? String(key.dropFirst()) : key
                others.append(.init(name: name, key: name, value: nil, archived: place))
                continue
            }
            let field = form.fields[index]
            if case .object = field.kind {
                // The referenced value may be damaged. That is reported when it is read.
                fields[index] = .init(name: field.name, key: key, value: nil, archived: place)
                continue
            }
            let found = try contents.value(reference)
            let value = try FoundationObject(found, isItself: false, in: source).value(of: field.kind)
            if value == nil {
                isOther = true
                if form.isCertain { throw entries.damaged(key, field.kind.wanted) }
            }
            fields[index] = .init(name: field.name, key: key, value: value, archived: place)
        }
        for (field, found) in zip(form.fields, fields) where field.isRequired && found?.hasKind(field.kind) != true {
            guard form.isCertain, isItself else { return nil }
            throw entries.damaged(field.keys.first ?? "", field.kind.wanted)
        }
        let known = fields.compactMap(\.self)
        // Only keys that are not known: a form of another writer.
        guard !known.isEmpty || others.isEmpty && !isOther else { return nil }
        return FoundationValue.Record(className: form.name, fields: known + others)
    }

    /// The object inside the object that has the fields; nil if there is none.
    private mutating func inner(of form: RecordForm) throws(KeyedArchiveError) -> ArchivedValue? {
        guard let key = form.innerKey, let found = try entries[key], found.node.kind == .dictionary else { return nil }
        return found
    }

    /// The key at `position`; nil for one that is too long, or no string.
    private func key(at position: Int, of node: Node) throws(KeyedArchiveError) -> String? {
        let key = try contents.node(contents.list.reference(position, in: node.payload))
        guard key.kind == .ascii || key.kind == .utf16, key.count <= Self.keyLimit else { return nil }
        return contents.list.objects.string(key)
    }
}

extension FoundationValue.Record.Field {
    fileprivate func hasKind(_ kind: RecordForm.Kind) -> Bool {
        if case .object = kind { return true }
        return value != nil
    }
}

// MARK: - Kinds

extension RecordForm.Kind {
    /// The name of `number`, or the names of its bits; nil if it, or one of the bits, has none.
    func meaning(of number: Int128) -> FoundationValue? {
        guard let number = Int(exactly: number) else { return nil }
        switch self {
        case .choice(let names): return names[number].map { .choice($0, number: number) }
        case .flags(let names):
            guard number >= 0 else { return nil }
            var found: [String] = []
            var rest = number
            for (bit, name) in names.enumerated() where number & 1 << bit != 0 && !name.isEmpty {
                found.append(name)
                rest -= 1 << bit
            }
            return rest == 0 ? .flags(found, number: number) : nil
        default: return nil
        }
    }
}

extension FoundationObject {
    func value(of kind: RecordForm.Kind) throws(KeyedArchiveError) -> FoundationValue? {
        switch kind {
        case .text: return try contents.text(archived).map { .string($0) }
        case .integer:
            guard let number = try integer() else { return nil }
            return .integer(number)
        case .real:
            switch try contents.numberValue(archived) {
            case .real(let real)?: return .real(real)
            case .integer(let integer)?: return Double(exactly: integer).map { .real($0) }
            default: return nil
            }
        case .boolean:
            switch try contents.numberValue(archived) {
            case .boolean(let boolean)?: return .boolean(boolean)
            // Some writers have no Bool and write 0 and 1.
            case .integer(let integer)? where integer == 0 || integer == 1: return .boolean(integer == 1)
            default: return nil
            }
        case .data: return try data().map { .data($0) }
        case .date:
            var object = self
            return try object.date().map { .date($0) }
        case .url: return try url().map { .url($0) }
        case .geometry(let kind): return try contents.text(archived).flatMap { FoundationValue($0, kind) }
        case .choice, .flags:
            guard let number = try integer() else { return nil }
            return kind.meaning(of: number) ?? .integer(number)
        case .list:
            return try contents.elements(of: archived).map {
                .array(source.elements($0))
            }
        case .dictionary:
            guard archived.node.kind == .dictionary, let (keys, values) = try dictionaryReferences() else { return nil }
            return .dictionary(source.entries(keys, values))
        case .object: return nil
        }
    }
}

extension FoundationObject {
    private func integer() throws(KeyedArchiveError) -> Int128? {
        guard case .integer(let number)? = try contents.numberValue(archived) else { return nil }
        return number
    }
}
