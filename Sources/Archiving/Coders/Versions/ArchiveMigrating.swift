// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A type that migrates the archives of its former versions, one version at a time.
///
/// ```swift
/// struct Visit: Codable, ArchiveMigrating {
///     static let archiveVersion = 3
///     static let archiveMigrations: [ArchiveMigration] = [
///         // Version 2 has minutes, version 1 had hours.
///         .from(1) { fields in
///             let hours = try fields.decode(Double.self, forKey: "hours")
///             fields.remove("hours")
///             fields.set(Int(hours * 60), forKey: "minutes")
///         },
///         // Version 3 calls the place by another name.
///         .from(2) { fields in
///             fields.rename("town", to: "place")
///         },
///     ]
///
///     var place: String
///     var minutes: Int
/// }
/// ```
///
/// A decoded object whose class entry has a lower version than ``ArchiveDescribing/archiveVersion`` takes the steps
/// from its version on before `init(from:)` is called. The initializer, which the compiler can synthesise, therefore
/// reads fields of the current version only. An object of the current version has no extra cost.
///
/// The steps are listed in the order of their versions. A version without a step keeps its fields unchanged. An object
/// of a higher version than `archiveVersion` is an error, because a newer program wrote it.
///
/// Structs, enums and classes can have migrations. A class instance keeps its identity and may be part of a cycle: the
/// initializer decodes the fields that no step has decoded, as usual. The version is that of the object's own class: a
/// subclass inherits the steps together with the version.
///
/// Only decoders of archives know versions. Other decoders, ``Coding`` classes, and the part of a superclass that is
/// encoded with `superEncoder()` have no migrations.
public protocol ArchiveMigrating: ArchiveDescribing, SendableMetatype {
    /// The steps from one version to the next, in the order of their starting versions.
    static var archiveMigrations: [ArchiveMigration] { get }
}

/// A step that migrates an object from one version to the next; see ``ArchiveMigrating``.
///
/// The decoder may run a step several times for one object, if the object has to wait for another one in a cycle. A
/// step should therefore change only its argument.
public struct ArchiveMigration: Sendable {
    enum Step: Sendable {
        case fields(@Sendable (inout Fields) throws -> Void)
        case value(@Sendable (any Decoder) throws -> Any)
    }

    let version: Int
    let step: Step

    /// Returns a step that changes the fields of an object of version `version` into those of the next version.
    ///
    /// - Parameters:
    ///   - version: The version of the object.
    ///   - change: A closure that changes the fields.
    public static func from(
        _ version: Int, _ change: @escaping @Sendable (_ fields: inout Fields) throws -> Void
    ) -> ArchiveMigration {
        ArchiveMigration(version: version, step: .fields(change))
    }

    /// Returns a step that decodes an object of version `version` as its former type and converts it to the current
    /// type.
    ///
    /// ```swift
    /// struct Point: Codable, Equatable, ArchiveMigrating {
    ///     static let archiveVersion = 2
    ///     static let archiveMigrations: [ArchiveMigration] = [
    ///         .from(1, as: PolarPoint.self) { Point(x: $0.radius * cos($0.angle), y: $0.radius * sin($0.angle)) }
    ///     ]
    ///     var x: Double
    ///     var y: Double
    /// }
    ///
    /// struct PolarPoint: Codable {
    ///     var radius: Double
    ///     var angle: Double
    /// }
    /// ```
    ///
    /// The result has the current version, and no further step follows. Steps on the fields may precede this step.
    ///
    /// - Parameters:
    ///   - version: The version of the object.
    ///   - type: The former type. It is decoded from the same fields.
    ///   - make: A closure that creates a value of the current type. A value of another type is a
    ///     `DecodingError.typeMismatch`. If it creates a class instance, a plain single reference in `type` that refers back to
    ///     that instance is an error; a collection is filled later.
    public static func from<Old: Decodable & SendableMetatype, New>(
        _ version: Int, as type: Old.Type, _ make: @escaping @Sendable (_ old: Old) throws -> New
    ) -> ArchiveMigration {
        ArchiveMigration(version: version, step: .value { try make(try Old(from: $0)) })
    }
}

// MARK: - Fields

extension ArchiveMigration {
    /// The fields of an archived object by their keys, for the steps of a migration.
    public struct Fields {
        /// The decoder of the object, which is not reused as long as the program has the fields.
        let owner: ProgramDecoder
        var decoder: DecodingFrame { owner.decoding }
        private var changes: [ExactText: Change] = [:]
        /// The keys of `changes`, in the order of their first change.
        private var changedKeys: [String] = []

        enum Field {
            case archived(ArchivedValue, at: CodingPathStep)
            case new(any Encodable)
        }

        private struct Change {
            /// The new field, or nil if it was removed.
            let field: Field?
        }

        init(of decoder: ProgramDecoder) throws {
            try decoder.decoding.loadFields()
            owner = decoder
        }
    }
}

extension ArchiveMigration.Fields {
    /// The keys that have values.
    ///
    /// - Complexity: O(*n*), where *n* is the number of keys.
    public var keys: [String] {
        (decoder.keyNames().filter { changes[ExactText($0)] == nil } + changedKeys).filter(contains)
    }

    func contains(_ key: String) -> Bool { (try? field(key)) != nil }

    /// Returns the value for `key`.
    ///
    /// A class instance that references the object of these fields cannot be decoded yet: leave it in its field, or use
    /// `rename(_:to:)`.
    ///
    /// - Throws: The `DecodingError` of a keyed container.
    public func decode<Value: Decodable>(_ type: Value.Type, forKey key: String) throws -> Value {
        try decode(type, forKey: ArchiveKey(stringValue: key))
    }

    /// Returns the value for `key`, or `nil` if the key is absent or holds nil.
    ///
    /// - Throws: The `DecodingError` of a keyed container.
    public func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: String) throws -> Value? {
        try decodeIfPresent(type, forKey: ArchiveKey(stringValue: key))
    }

    /// Sets the value for `key`; nil removes it.
    ///
    /// A decoder that requests the type of `value` gets `value` itself. For another type, it archives `value` and
    /// decodes that archive.
    public mutating func set<Value: Encodable>(_ value: Value?, forKey key: String) {
        change(key, to: value.map { .new($0) })
    }

    /// Removes the value for `key`, if any.
    public mutating func remove(_ key: String) { change(key, to: nil) }

    /// Moves the value for `key` to `newKey` without decoding it. An absent key changes nothing.
    public mutating func rename(_ key: String, to newKey: String) {
        guard let field = try? field(key) else { return }
        change(key, to: nil)
        change(newKey, to: field)
    }

    private mutating func change(_ key: String, to field: Field?) {
        decoder.noteRequested(key)
        let stored = storedKey(key)
        if changes.updateValue(Change(field: field), forKey: stored) == nil { changedKeys.append(stored.text) }
    }

    /// The key of a change or of the archive that `key` is: the one with the same bytes, or else one that is equal by Unicode's
    /// rules.
    private func storedKey(_ key: String) -> ExactText {
        let exact = ExactText(key)
        if changes[exact] != nil { return exact }
        if let position = try? decoder.field(ArchiveKey(stringValue: key), nil),
            let name = try? decoder.fieldName(decoder.archive.list.reference(position, in: decoder.fields.keys))
        {
            return ExactText(name)
        }
        return changedKeys.first { $0 == key }.map { ExactText($0) } ?? exact
    }
}

// MARK: - Fields for initializers

extension ArchiveMigration.Fields {
    func field(_ key: String) throws -> Field? { try field(ArchiveKey(stringValue: key), key) }

    func field(_ key: some CodingKey) throws -> Field? {
        let name = key.stringValue
        if let plainName = ObservedKeys.plainName(of: key, name), let field = try field(plainName) { return field }
        return try field(key, name)
    }

    private func field(_ key: some CodingKey, _ name: String) throws -> Field? {
        if !changes.isEmpty, let change = changes[storedKey(name)] { return change.field }
        guard let position = try decoder.field(key, nil) else { return nil }
        return .archived(try decoder.fieldValue(position), at: decoder.step(key, position))
    }

    func requiredField(_ key: some CodingKey) throws -> Field {
        guard let field = try field(key) else {
            let present = Array(keys.prefix(ArchivingError.shownKeyCount + 1))
            throw DecodingError(.keyNotFound(key.stringValue, present: present, path: decoder.path()), key: key)
        }
        return field
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: some CodingKey) throws -> Value {
        switch try requiredField(key) {
        case .archived(let value, let step): return try decoder.decode(type, from: value, at: step)
        case .new(let value): return try converted(value, to: type, key)
        }
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: some CodingKey) throws -> Value? {
        switch try field(key) {
        case nil: return nil
        case .archived(let value, let step):
            if decoder.isNil(value) { return nil }
            let known = decoder.session.type(type)
            if try decoder.isSkipped(known, value, at: step) { return nil }
            return try decoder.decode(type, known, from: value, at: step)
        case .new(let value): return try converted(value, to: type, key)
        }
    }

    private func converted<Value: Decodable>(
        _ value: any Encodable, to type: Value.Type, _ key: some CodingKey
    ) throws -> Value {
        if let value = value as? Value { return value }
        do {
            let archiveDecoder = ArchiveDecoder(decoder.session.settings)
            var archiveEncoder = ArchiveEncoder()
            (archiveEncoder.classes, archiveEncoder.userInfo) = (archiveDecoder.classes, archiveDecoder.userInfo)
            return try archiveDecoder.decode(type, from: archiveEncoder.encode(value))
        } catch {
            let name = "\(type)"
            throw DecodingError.invalid(as: type, path: decoder.path() + [key], underlying: error) {
                "The value that a migration has set at \($0) cannot be decoded as \(name). Set a value of that type. \(error)"
            }
        }
    }

    func decoderOfNew(_ value: any Encodable, _ key: some CodingKey) throws -> any Decoder {
        try converted(value, to: KeptDecoder.self, key).decoder
    }

    private struct KeptDecoder: Decodable {
        let decoder: any Decoder

        init(from decoder: any Decoder) throws { self.decoder = decoder }
    }
}
