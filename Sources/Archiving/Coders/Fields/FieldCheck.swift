// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The differences between a type's declared fields and its stored properties, or its own `Codable` coding.
///
/// ``ArchiveEncoder/checkFields(of:ignoring:)`` throws it.
public struct FieldError: Error, Sendable, CustomStringConvertible {
    /// The differences, one sentence each.
    public let differences: [String]

    /// The differences, one per line.
    public var description: String { differences.joined(separator: "\n") }
}

extension FieldError: LocalizedError {
    /// A sentence for a person.
    public var errorDescription: String? { "The declared fields of a type do not match the type." }

    /// The differences: the ``description``.
    public var failureReason: String? { description }

    /// The remedy.
    public var recoverySuggestion: String? { "Correct the declaration of each field that a difference names." }
}

extension ArchiveEncoder {
    /// Throws an error if the declared fields of a type do not match the type, for use in a test.
    ///
    /// ```swift
    /// try ArchiveEncoder().checkFields(of: Node.sample)
    /// ```
    ///
    /// The method compares two archives of `value`: one by the declared fields, and one by `encode(to:)`, as other encoders
    /// see the value. They have the same keys and values, except conditional references. It also compares the fields with the
    /// stored properties of the value, and of one instance of each class in it: each property has a field. A property and a
    /// field belong together if the name is the key; the other properties of a type are as many as its other fields.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - ignored: The names of stored properties that need no field.
    /// - Throws: ``FieldError`` with the differences; the errors of ``encode(_:)``.
    /// - Complexity: O(*n*), where *n* is the number of encoded values.
    public func checkFields<Value: ArchivedFields>(of value: Value, ignoring ignored: Set<String> = []) throws {
        let declared = RootEncoding(self)
        let (own, types, instances) = try declared.archive(of: value)
        let (other, _, _) = try RootEncoding(ignoringFields: self).archive(of: value)
        var comparison = FieldComparison(
            conditionalKeys: keys(of: types, where: \.isConditional),
            omittedKeys: keys(of: types, where: \.isOmittedIfDefault))
        var differences = comparison.differences(own.root, other.root)
        var checked: Set<ObjectIdentifier> = []
        for any in [value] as [Any] + instances as [Any] where any is any ArchivedFields {
            guard let type = Swift.type(of: any) as? any ArchivedFields.Type,
                checked.insert(ObjectIdentifier(type)).inserted
            else { continue }
            differences += Self.missingFields(of: any, type, ignored)
        }
        if !differences.isEmpty { throw FieldError(differences: differences) }
    }

    /// Returns the keys of the fields for which `isIncluded` returns true, by the archived names of their types.
    private func keys(
        of types: [(type: any Any.Type, fields: WrittenFields)], where isIncluded: (FieldDeclaration) -> Bool
    ) -> [String: Set<String>] {
        var keys: [String: Set<String>] = [:]
        for (type, fields) in types {
            keys[classes.name(for: type)] = Set(fields.plan.fields.filter(isIncluded).map(\.key))
        }
        return keys
    }

    /// Returns a sentence if `value` has stored properties without a field.
    private static func missingFields(
        of value: Any, _ type: any ArchivedFields.Type, _ ignored: Set<String>
    ) -> [String] {
        var properties: Set<String> = []
        var mirror: Mirror? = Mirror(reflecting: value)
        while let next = mirror {
            for case let label? in next.children.map(\.label) where !label.hasPrefix("_$") {
                // The storage of a wrapped property begins with an underscore.
                properties.insert(label.hasPrefix("_") ? String(label.dropFirst()) : label)
            }
            mirror = next.superclassMirror
        }
        let keys = Set(FieldPlan.plan(of: type).fields.map(\.key))
        let unmatched = properties.subtracting(keys).subtracting(ignored)
        let others = keys.subtracting(properties)
        guard unmatched.count > others.count else { return [] }
        let names = unmatched.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
        let count = unmatched.count - others.count
        return others.isEmpty
            ? ["\(type) has stored properties without a field: \(names)"]
            : ["\(type) has \(count) stored properties without a field. They are among \(names)"]
    }
}

extension RootEncoding {
    /// Returns the archive of `value`, the types with declared fields in it, and its class instances.
    fileprivate consuming func archive<Value: Encodable>(
        of value: Value
    ) throws -> (KeyedArchive, types: [(type: any Any.Type, fields: WrittenFields)], instances: [AnyObject]) {
        do {
            try session.encodeRoot(value)
            let instances = (0..<session.instances.count).map { session.instances[$0].object }
            let types = session.typesWithFields
            let archive = try KeyedArchive(session.finish(.binary, isCanonical: false))
            return (archive, types, instances)
        } catch {
            throw EncodingError.converted(error, value)
        }
    }
}

/// Compares two archives of one value.
private struct FieldComparison {
    /// The keys that the second archive may lack, by the name of the class.
    let conditionalKeys: [String: Set<String>]
    /// The keys that the first archive may lack, in the same way.
    let omittedKeys: [String: Set<String>]
    private var differences: [String] = []
    private var compared: Set<[UInt32]> = []

    init(conditionalKeys: [String: Set<String>], omittedKeys: [String: Set<String>]) {
        self.conditionalKeys = conditionalKeys
        self.omittedKeys = omittedKeys
    }

    /// The number of differences from which the comparison ends.
    private static var limit: Int { 20 }

    /// Returns the differences between a value by declared fields and the same value by `encode(to:)`.
    mutating func differences(_ own: KeyedArchive.Value, _ other: KeyedArchive.Value) -> [String] {
        var remaining = [(own, other, "")]
        while let (own, other, path) = remaining.popLast(), differences.count < Self.limit {
            if let left = own.uid, let right = other.uid, !compared.insert([left, right]).inserted { continue }
            let names = (own.className ?? "", other.className ?? "")
            guard own.kind == other.kind, names.0 == names.1 else {
                differences.append("\(Self.place(path)): the fields write \(own), encode(to:) writes \(other)")
                continue
            }
            switch own.kind {
            case .object: compare(own, other, path, &remaining)
            case .array, .set:
                guard own.elements.count == other.elements.count else {
                    differences.append("\(Self.place(path)): the numbers of elements differ")
                    continue
                }
                for (index, pair) in zip(own.elements, other.elements).enumerated() {
                    remaining.append((pair.0, pair.1, "\(path)[\(index)]"))
                }
            case .dictionary: break
            default:
                if own.description != other.description {
                    differences.append("\(Self.place(path)): the fields write \(own), encode(to:) writes \(other)")
                }
            }
        }
        return differences
    }

    private mutating func compare(
        _ own: KeyedArchive.Value, _ other: KeyedArchive.Value, _ path: String,
        _ remaining: inout [(KeyedArchive.Value, KeyedArchive.Value, String)]
    ) {
        let (left, right) = (Set(own.keys), Set(other.keys))
        let conditional = conditionalKeys[own.className ?? ""] ?? []
        for key in left.subtracting(right).subtracting(conditional).sorted() {
            differences.append("\(Self.place(path)): encode(to:) does not write the field \"\(key)\"")
        }
        for key in right.subtracting(left).subtracting(omittedKeys[own.className ?? ""] ?? []).sorted() {
            differences.append("\(Self.place(path)): encode(to:) writes \"\(key)\", which is no field")
        }
        for key in left.intersection(right).subtracting(conditional).sorted() {
            if let left = own[key], let right = other[key] {
                remaining.append((left, right, path.isEmpty ? key : "\(path).\(key)"))
            }
        }
    }

    private static func place(_ path: String) -> String { path.isEmpty ? "The value" : path }
}
