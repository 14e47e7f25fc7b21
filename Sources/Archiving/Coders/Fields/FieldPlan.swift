// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The declared fields of a type, prepared for the coders once per process.
final class FieldPlan: Sendable {
    let type: any ArchivedFields.Type
    let fields: [FieldDeclaration]
    /// The keys as archives have them.
    let archivedKeys: [String]
    /// The positions of the fields by key and former key.
    let positions: [ExactText: Position]
    /// The keys and former keys that are not ASCII.
    private let unicodeKeys: Set<String>
    /// Whether fields are omitted if they have their default.
    let hasDefaults: Bool

    /// The field of a key.
    struct Position: Sendable {
        let field: Int
        /// 0 for the key itself, the number of the alias otherwise.
        let rank: Int
    }

    private init<Value: ArchivedFields>(_ type: Value.Type) {
        self.type = type
        fields = type.fields.declarations
        require(fields.count < CodingPathStep.fieldLimit, "\(type) has more than \(CodingPathStep.fieldLimit) fields")
        archivedKeys = fields.map { KeyMangling.archivedKey($0.key) }
        hasDefaults = fields.contains { $0.isOmittedIfDefault }
        var positions: [ExactText: Position] = [:]
        for (number, field) in fields.enumerated() {
            Self.check(field, of: type)
            for (rank, name) in field.keys.enumerated() {
                let other = positions.updateValue(Position(field: number, rank: rank), forKey: ExactText(name))
                require(other == nil, "\(type).fields has two fields with the key \"\(name)\"")
            }
        }
        self.positions = positions
        Self.checkWrappers(in: Mirror(reflecting: Value()), fields, of: type)
        unicodeKeys = Set(positions.keys.map(\.text).filter { !$0.isASCII })
    }

    /// Returns whether `name`, which is no key of a field, is equal to one by Unicode's rules.
    func hasEqualKey(_ name: String) -> Bool {
        unicodeKeys.contains(name) || !name.isASCII && positions.keys.contains { $0.text == name }
    }

    /// Traps if `field` does not belong to `type`.
    private static func check(_ field: FieldDeclaration, of type: any Any.Type) {
        let isOwn = field.root == type || ClassResolution.isSubclass(type, of: field.root)
        require(
            isOwn,
            "\(type).fields has a field of \(field.root) (\"\(field.key)\"), which is not a superclass of \(type)")
    }

    /// Traps if a field has the value of a property whose wrapper would not archive it, or not at once: `\.parent` in place of
    /// `\._parent`.
    private static func checkWrappers(in mirror: Mirror, _ fields: [FieldDeclaration], of type: any Any.Type) {
        for (label, value) in mirror.children {
            let wrapper: any Any.Type = Swift.type(of: value)
            guard let label, label.first == "_",
                wrapper is any WeakWrapper.Type || wrapper is any DeferredDecodable.Type
            else { continue }
            let field = fields.first {
                $0.keys.contains(String(label.dropFirst())) && !$0.isConditional
            }
            guard let field, Swift.type(of: field.keyPath()).valueType != wrapper else { continue }
            misuse(
                "\(type).fields has the value of the property \(label.dropFirst()), which \(wrapper) wraps: it would be archived in"
                    + " full. Write Field(\"\(field.key)\", \\.\(label))")
        }
        if let superclass = mirror.superclassMirror { checkWrappers(in: superclass, fields, of: type) }
    }

    private static let known = MetatypeCache<FieldPlan>(.fields)

    /// Returns the plan of `type`; nil if it declares no fields.
    static func plan(ifDeclaredBy type: any Any.Type) -> FieldPlan? {
        conformance(of: type, to: (any ArchivedFields.Type).self).map { plan(of: $0) }
    }

    /// Returns the plan of `type`.
    static func plan(of type: any ArchivedFields.Type) -> FieldPlan {
        known.facts(of: type) { FieldPlan(type) }
    }
}

extension FieldPlan {
    /// Decodes the fields of the value at `address` from `container`.
    func decode(_ address: ValueAddress, from container: KeyedDecodingContainer<ArchiveKey>) throws {
        for field in fields { try field.decode(address, from: container) }
    }
}

// MARK: - Initial values

/// A new value of a type with declared fields.
class InitialValue {
    /// Calls `body` with the address of the value.
    func with<Result>(_ body: (ValueAddress) throws -> Result) rethrows -> Result {
        preconditionFailure("InitialValue is abstract")
    }

    /// Creates a value of `type`.
    static func of(_ type: any ArchivedFields.Type) -> InitialValue { make(type) }

    private static func make<Value: ArchivedFields>(_ type: Value.Type) -> InitialValue { TypedInitialValue<Value>() }
}

private final class TypedInitialValue<Value: ArchivedFields>: InitialValue {
    private var value = Value()

    override func with<Result>(_ body: (ValueAddress) throws -> Result) rethrows -> Result {
        try ValueAddress.with(&value, body)
    }
}
