// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The differences between a type's declared fields and its stored properties, or its own `Codable` coding.
///
/// `ArchiveEncoder.checkFields(of:ignoring:)` throws it.
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
    /// stored properties of the value, and of one instance of each class in it: each property has a field, and the field of a
    /// weak or deferred one is its wrapper. A property and a field belong together if the name is the key; the other properties
    /// of a type are as many as its other fields.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - ignored: The names of stored properties that need no field.
    /// - Throws: ``FieldError`` with the differences; the errors of `encode(_:)`.
    /// - Complexity: O(*n*), where *n* is the number of encoded values.
    public func checkFields<Value: ArchivedFields>(of value: Value, ignoring ignored: Set<String> = []) throws {
        let own = try fieldArchive(of: value)
        let other = try fieldArchive(of: value, ignoringFields: true).archive
        var comparison = FieldComparison(own)
        var differences = comparison.differences(own.archive.root, other.root)
        var checked: Set<ObjectIdentifier> = []
        for any in [value] as [Any] + own.instances as [Any] {
            guard let type = Swift.type(of: any) as? any ArchivedFields.Type,
                checked.insert(ObjectIdentifier(type)).inserted
            else { continue }
            differences += Self.differences(of: any, type, ignored)
        }
        if !differences.isEmpty { throw FieldError(differences: differences) }
    }

    /// Returns the differences between the fields of `type` and the stored properties of `value`: those without a field, and fields
    /// with the value of a weak or deferred property in place of its wrapper.
    private static func differences(
        of value: Any, _ type: any ArchivedFields.Type, _ ignored: Set<String>
    ) -> [String] {
        let fields = type.declaredFields
        var differences: [String] = []
        var properties: Set<String> = []
        var mirror: Mirror? = Mirror(reflecting: value)
        while let next = mirror {
            for case (let label?, let child) in next.children where !label.hasPrefix("_$") {
                // The storage of a wrapped property begins with an underscore.
                let name = label.hasPrefix("_") ? String(label.dropFirst()) : label
                properties.insert(name)
                let wrapper: any Any.Type = Swift.type(of: child)
                guard wrapper is any WeakWrapper.Type || wrapper is any DeferredDecodable.Type,
                    let field = fields.first(where: { $0.keys.contains(name) && !$0.isConditional }),
                    Swift.type(of: field.keyPath()).valueType != wrapper
                else { continue }
                differences.append(
                    "The field \"\(field.key)\" of \(type) archives the value that \(wrapper) wraps, in full. Write"
                        + " Field(\"\(field.key)\", \\.\(label))")
            }
            mirror = next.superclassMirror
        }
        let keys = Set(fields.map(\.key))
        let unmatched = properties.subtracting(keys).subtracting(ignored)
        let others = keys.subtracting(properties)
        guard unmatched.count > others.count else { return differences }
        let names = unmatched.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
        let count = unmatched.count - others.count
        differences.append(
            others.isEmpty
                ? "\(type) has stored properties without a field: \(names)"
                : "\(type) has \(count) stored properties without a field. They are among \(names)")
        return differences
    }
}

/// Compares two archives of one value.
///
/// Two objects are compared once, and the place of a value is the number of the place around it and a step, so that memory
/// is proportional to the archives.
private struct FieldComparison {
    private typealias Value = KeyedArchive.Value

    private struct Pair: Hashable {
        let own: UInt32
        let other: UInt32
    }

    /// The keys that the second archive may lack, by the name of the class.
    private let conditionalKeys: [String: Set<String>]
    /// The keys that the first archive may lack, in the same way.
    private let omittedKeys: [String: Set<String>]
    private var differences: [String] = []
    private var compared: Set<Pair> = []
    private var remaining: [(own: Value, other: Value, place: Int)] = []
    /// The steps to the values that are compared, and the numbers of the places around them.
    private var places: [(step: String, parent: Int)] = []

    init(_ archive: FieldArchive) {
        conditionalKeys = archive.types.mapValues { Set($0.declaredFields.filter(\.isConditional).map(\.key)) }
        omittedKeys = archive.types.mapValues { Set($0.declaredFields.filter(\.isOmittedIfDefault).map(\.key)) }
    }

    /// The number of differences from which the comparison ends.
    private static var limit: Int { 20 }

    /// Returns the differences between a value by declared fields and the same value by `encode(to:)`.
    mutating func differences(_ own: KeyedArchive.Value, _ other: KeyedArchive.Value) -> [String] {
        append(own, other, "", in: -1)
        while let (own, other, place) = remaining.popLast(), differences.count < Self.limit {
            compare(own, other, place)
        }
        return differences
    }

    /// Appends two values, unless they are objects that were appended before.
    private mutating func append(_ own: Value, _ other: Value, _ step: String, in parent: Int) {
        if let own = own.uid, let other = other.uid, !compared.insert(Pair(own: own, other: other)).inserted { return }
        remaining.append((own, other, places.count))
        places.append((step, parent))
    }

    private mutating func compare(_ own: Value, _ other: Value, _ place: Int) {
        guard own.kind == other.kind, (own.className ?? "") == (other.className ?? "") else {
            return note("the fields write \(own), encode(to:) writes \(other)", at: place)
        }
        switch own.kind {
        case .object: compareObjects(own, other, place)
        case .array, .set:
            guard own.elements.count == other.elements.count else {
                return note("the numbers of elements differ", at: place)
            }
            for (index, pair) in zip(own.elements, other.elements).enumerated() {
                append(pair.0, pair.1, "[\(index)]", in: place)
            }
        case .dictionary: break
        default:
            if own.description != other.description {
                note("the fields write \(own), encode(to:) writes \(other)", at: place)
            }
        }
    }

    private mutating func compareObjects(_ own: Value, _ other: Value, _ place: Int) {
        let (left, right) = (Set(own.keys), Set(other.keys))
        let conditional = conditionalKeys[own.className ?? ""] ?? []
        for key in left.subtracting(right).subtracting(conditional).sorted() {
            note("encode(to:) does not write the field \"\(key)\"", at: place)
        }
        for key in right.subtracting(left).subtracting(omittedKeys[own.className ?? ""] ?? []).sorted() {
            note("encode(to:) writes \"\(key)\", which is no field", at: place)
        }
        for key in left.intersection(right).subtracting(conditional).sorted() {
            if let left = own[key], let right = other[key] { append(left, right, ".\(key)", in: place) }
        }
    }

    private mutating func note(_ sentence: String, at place: Int) {
        var steps: [String] = []
        var place = place
        while place >= 0 {
            steps.append(places[place].step)
            place = places[place].parent
        }
        let path = steps.reversed().joined()
        differences.append("\(path.isEmpty ? "The value" : String(path.trimmingPrefix("."))): \(sentence)")
    }
}
