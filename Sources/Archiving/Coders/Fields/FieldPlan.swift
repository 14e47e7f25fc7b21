// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The declared fields of a type, prepared for the coders once per process.
final class FieldPlan: Sendable {
    let type: any ArchivedFields.Type
    let fields: [FieldDeclaration]
    let archivedKeys: [String]
    /// The numbers of the ordered fields by key, and `other` for other keys.
    let numbers: [ExactText: Int]
    let hasDefaults: Bool

    /// In place of a number: a key that is looked up for each field that is not found in the order of the object. It is a former
    /// key, one that is equal to a key only by Unicode's rules, or the key of a field that is not ordered.
    static var other: Int { -2 }
    /// The number of fields that are found in the order of the object: those with a bit in a word, except one.
    static var orderedCount: Int { UInt64.bitWidth - 1 }

    private init<Value: ArchivedFields>(_ type: Value.Type) {
        self.type = type
        fields = type.fields.declarations
        require(fields.count < CodingPathStep.fieldLimit, "\(type) has more than \(CodingPathStep.fieldLimit) fields")
        archivedKeys = fields.map { KeyMangling.archivedKey($0.key) }
        hasDefaults = fields.contains { $0.isOmittedIfDefault }
        var numbers: [ExactText: Int] = [:]
        for (number, field) in fields.enumerated() {
            Self.check(field, of: type)
            for (rank, name) in field.keys.enumerated() {
                let known = rank == 0 && number < Self.orderedCount ? number : Self.other
                let former = numbers.updateValue(known, forKey: ExactText(name))
                require(former == nil, "\(type).fields has two fields with the key \"\(name)\"")
            }
        }
        self.numbers = numbers
    }

    func number(of name: String) -> Int? {
        numbers[ExactText(name)] ?? (numbers.keys.contains { $0.text == name } ? Self.other : nil)
    }

    func copy(_ address: ValueAddress, from source: ValueAddress) {
        for field in fields { field.copy(address, from: source) }
    }

    private static func check(_ field: FieldDeclaration, of type: any Any.Type) {
        let isOwn = field.root == type || inherits(type, from: field.root)
        require(
            isOwn,
            "\(type).fields has a field of \(field.root) (\"\(field.key)\"), which is not a superclass of \(type)")
    }

    private static let known = MetatypeCache<FieldPlan>(.fields)

    static func plan(ifDeclaredBy type: any Any.Type) -> FieldPlan? {
        conformance(of: type, to: (any ArchivedFields.Type).self).map { plan(of: $0) }
    }

    static func plan(of type: any ArchivedFields.Type) -> FieldPlan {
        known.facts(of: type) { FieldPlan(type) }
    }
}

extension ArchivedFields {
    mutating func withAddress<Result>(_ body: (ValueAddress) throws -> Result) rethrows -> Result {
        try ValueAddress.with(&self, body)
    }
}

// MARK: - Checks

package struct FieldArchive {
    package let archive: KeyedArchive
    package let instances: [AnyObject]
    package let types: [String: any ArchivedFields.Type]
}

extension ArchiveEncoder {
    /// Returns the archive of `value`.
    ///
    /// - Parameter ignoresFields: Whether types with declared fields encode themselves.
    package func fieldArchive<Value: Encodable>(
        of value: Value, ignoringFields ignoresFields: Bool = false
    ) throws -> FieldArchive {
        let encoding = ignoresFields ? RootEncoding(ignoringFields: self) : RootEncoding(self)
        do {
            let session = encoding.session
            try session.encodeRoot(value)
            let instances = (0..<session.instances.count).map { session.instances[$0].object }
            let types = session.typesWithFields.map { (classes.name(for: $0), $1.plan.type) }
            return FieldArchive(
                archive: try KeyedArchive(session.finish(.binary, isCanonical: false)), instances: instances,
                types: Dictionary(types) { first, _ in first })
        } catch {
            throw EncodingError.converted(error, value)
        }
    }
}

extension ArchivedFields {
    package static var declaredFields: [FieldDeclaration] { FieldPlan.plan(of: self).fields }
}
