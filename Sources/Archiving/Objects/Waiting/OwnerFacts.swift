// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The stored properties of one class, and the fields that it decodes, for this process.
final class OwnerFacts: Sendable {
    let owner: AnyClass
    /// The stored properties of the class and its superclasses.
    let properties: [StoredProperty]
    private let fields = Mutex<[DecodedField.Key: DecodedField]>([:])

    /// The number of fields that are kept. A class that decodes any keys of an archive has more.
    private static var fieldLimit: Int { 256 }

    private init(of owner: AnyClass) {
        self.owner = owner
        properties = StoredProperty.all(of: owner)
    }

    /// The description of the value of `type` that the class decodes under `key`.
    ///
    /// - Parameters:
    ///   - encodedName: The name under which the class encodes the value.
    ///   - shownName: The name of the key in errors.
    func field<Value>(
        _ key: DecodedField.Key, _ type: Value.Type, encodedName: @autoclosure () -> String,
        shownName: @autoclosure () -> String
    ) -> DecodedField {
        if let known = fields.withLock({ $0[key] }) { return known }
        let canBeEmpty = Placeholder(type) != nil
        let candidates = properties.filter {
            $0.ownership != .unmanaged && ($0.type == Value?.self || canBeEmpty && $0.type == type)
        }
        return fields.withLock { fields in
            if let known = fields[key] { return known }
            let made = DecodedField(
                of: self, type: type, encodedName: encodedName(), shownName: shownName(),
                candidates: candidates, isKept: fields.count < Self.fieldLimit)
            if made.isKept { fields[key] = made }
            return made
        }
    }

    private static let known = MetatypeCache<OwnerFacts>()

    /// The facts of `owner`. They live as long as the process.
    static func facts(of owner: AnyClass) -> OwnerFacts {
        known.object(of: owner) ?? known.enter(OwnerFacts(of: owner), of: owner)
    }
}

/// A value that the initializer of a class decodes under a key.
final class DecodedField: Sendable {
    /// A key and the type that a class decodes under it.
    struct Key: Hashable, Sendable {
        private let keyType: ObjectIdentifier
        private let key: String
        private let type: ObjectIdentifier

        init(_ name: String, ofType keyType: any Any.Type, _ type: any Any.Type) {
            self.keyType = ObjectIdentifier(keyType)
            key = name
            self.type = ObjectIdentifier(type)
        }
    }

    /// The name under which the class encodes the value.
    let encodedName: String
    /// The name of the key in errors.
    let shownName: String
    /// The stored properties that have the type of the value, or an optional of it, and can be empty. Their type is the
    /// only fact by which they are chosen; `PropertyProof` determines which of them has the value.
    let candidates: [StoredProperty]
    /// Whether it lives as long as the process.
    let isKept: Bool
    /// The class.
    private let owner: any Any.Type
    /// The decoded type.
    private let type: any Any.Type

    fileprivate init(
        of facts: OwnerFacts, type: any Any.Type, encodedName: String, shownName: String,
        candidates: [StoredProperty], isKept: Bool
    ) {
        self.isKept = isKept
        self.encodedName = encodedName
        self.shownName = shownName
        self.candidates = candidates
        owner = facts.owner
        self.type = type
    }

    /// Returns whether this describes values of `type` in instances of `owner`.
    @inline(__always)
    func isField(of type: any Any.Type, in owner: any Any.Type) -> Bool {
        self.type == type && self.owner == owner
    }

    /// The reason why no property of the class can be set later.
    func obstacle(decoding type: any Any.Type, in facts: OwnerFacts) -> String {
        guard RuntimeLayout.holds(.storedProperties) else {
            return "the stored properties of \(facts.owner) are unknown on this system"
        }
        guard let property = facts.properties.first(where: { $0.shownName == shownName }) else {
            return "\(facts.owner) has no stored property \"\(shownName)\""
        }
        if property.ownership == .unmanaged { return "\"\(property.name)\" is unowned(unsafe)" }
        if !Placeholder.exists(for: property.type) {
            return "\"\(property.shownName)\" is neither an optional nor a collection"
        }
        return "\"\(property.name)\" has the type \(property.type), but the decoded value is \(type)"
    }
}
