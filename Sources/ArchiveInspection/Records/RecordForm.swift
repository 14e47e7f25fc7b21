// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The description of a class whose objects are read as records: its fields by key, with the kind and the public name of each.
///
/// A class is an entry of a table (`RecordForm+….swift`) and needs no code: reading, texts, trees, pages and JSON use the
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
