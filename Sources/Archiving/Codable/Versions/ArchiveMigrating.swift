/// A type that brings what its former versions have archived up to date by itself, one version after the other.
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
/// An object in an archive whose class entry has a lower version than ``ArchiveDescribing/archiveVersion`` takes the steps from
/// its version on, before `init(from:)` is called. So the initializer, which the compiler may write, reads fields of the
/// current version only. An object of the current version costs nothing more.
///
/// The steps are listed in the order of their versions. A version without a step needs none: its fields are read as they are.
/// An object of a higher version than `archiveVersion` is an error, since it was written by a newer program.
///
/// Structs, enumerations and classes can have migrations. An object of a class keeps its identity, and may be a part of a cycle:
/// a field that no step has decoded is decoded by the initializer, as always. The version that counts is that of the object's
/// own class: a subclass inherits the steps together with the version.
///
/// Only decoders of archives know versions. With others there are no migrations, and none for a class that is ``Coding``, and
/// for the part of a superclass that is encoded with `superEncoder()`.
public protocol ArchiveMigrating: ArchiveDescribing, SendableMetatype {
    /// The steps from one version to the next, in the order of the versions that they begin at.
    static var archiveMigrations: [ArchiveMigration] { get }
}

/// A step that brings an object of one version to the next one; see ``ArchiveMigrating``.
///
/// A step may be taken several times for one object, if the object has to wait for another one in a cycle. So it should change
/// nothing but what it is given.
public struct ArchiveMigration: Sendable {
    enum Step: Sendable {
        case fields(@Sendable (inout Fields) throws -> Void)
        case value(@Sendable (any Decoder) throws -> Any)
    }

    let version: Int
    let step: Step

    /// A step that changes the fields of an object of the version `version` into those of the next version.
    public static func from(
        _ version: Int, _ change: @escaping @Sendable (_ fields: inout Fields) throws -> Void
    ) -> ArchiveMigration {
        ArchiveMigration(version: version, step: .fields(change))
    }

    /// A step that decodes an object of the version `version` as the type that it was, and makes the current type of it.
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
    /// No further step is taken: the result is of the current version. Steps on the fields may have been taken before.
    ///
    /// - Parameters:
    ///   - version: The version.
    ///   - type: The type as it was. It is decoded from the same fields.
    ///   - make: Makes a value of the type that has the migrations. Anything else is a `DecodingError.typeMismatch`. An instance
    ///     of a class that it makes cannot be referred to by what `type` decodes with plain properties.
    public static func from<Old: Decodable & SendableMetatype, New>(
        _ version: Int, as type: Old.Type, _ make: @escaping @Sendable (_ old: Old) throws -> New
    ) -> ArchiveMigration {
        ArchiveMigration(version: version, step: .value { try make(try Old(from: $0)) })
    }
}

// MARK: - Fields

extension ArchiveMigration {
    /// The fields of an object in an archive, by their keys, as a step of a migration finds and leaves them.
    public struct Fields {
        let decoder: ArchiveDecoding
        /// What is not as it is in the archive.
        private var changes: [String: Change] = [:]
        /// The keys of `changes`, in the order in which they were first set.
        private var changedKeys: [String] = []

        enum Field {
            case archived(ArchivedValue, at: CodingPathStep)
            case new(any Encodable)
        }

        private struct Change {
            /// nil where the field was removed.
            let field: Field?
        }

        init(of decoder: ArchiveDecoding) throws {
            try decoder.loadFields()
            self.decoder = decoder
        }
    }
}

extension ArchiveMigration.Fields {
    /// The keys under which there are values.
    ///
    /// - Complexity: O(*n*), where *n* is the number of keys.
    public var keys: [String] {
        (decoder.keyNames().filter { changes[$0] == nil } + changedKeys).filter(contains)
    }

    /// Whether there is a value under `key`.
    public func contains(_ key: String) -> Bool { (try? field(key)) != nil }

    /// The value under `key`.
    ///
    /// An instance of a class that leads back to the object of these fields cannot be decoded yet: leave it where it is, or use
    /// `rename(_:to:)`.
    ///
    /// - Throws: `DecodingError`, as keyed containers do.
    public func decode<Value: Decodable>(_ type: Value.Type, forKey key: String) throws -> Value {
        try decode(type, forKey: ArchiveKey(stringValue: key))
    }

    /// The value under `key`; nil if there is none, or if it is nil.
    ///
    /// - Throws: `DecodingError`, as keyed containers do.
    public func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: String) throws -> Value? {
        try decodeIfPresent(type, forKey: ArchiveKey(stringValue: key))
    }

    /// Sets the value under `key`, which is replaced if there is one. nil removes it.
    ///
    /// What decodes it later as the type of `value` gets `value` itself; as another type, what an archive of it decodes to.
    public mutating func set<Value: Encodable>(_ value: Value?, forKey key: String) {
        change(key, to: value.map { .new($0) })
    }

    /// Removes the value under `key`, if there is one.
    public mutating func remove(_ key: String) {
        change(key, to: nil)
    }

    /// Moves the value under `key` to `newKey`, without decoding it. If there is none, nothing changes.
    public mutating func rename(_ key: String, to newKey: String) {
        guard let field = try? field(key) else { return }
        change(key, to: nil)
        change(newKey, to: field)
    }

    private mutating func change(_ key: String, to field: Field?) {
        if changes.updateValue(Change(field: field), forKey: key) == nil { changedKeys.append(key) }
    }
}

// MARK: - For initializers

extension ArchiveMigration.Fields {
    /// What is under `key`; nil if there is nothing.
    func field(_ key: String) throws -> Field? {
        if let change = changes[key] { return change.field }
        guard let position = try decoder.field(ArchiveKey(stringValue: key), nil) else { return nil }
        return .archived(try decoder.fieldValue(position), at: decoder.step(position))
    }

    /// What is under `key`, by the names that archives have for it; nil if there is nothing.
    func field(_ key: some CodingKey) throws -> Field? {
        let name = key.stringValue
        if let plainName = ObservedKeys.plainName(of: key, name), let field = try field(plainName) { return field }
        return try field(name)
    }

    /// What is under `key`, which has to be there.
    func requiredField(_ key: some CodingKey) throws -> Field {
        guard let field = try field(key) else {
            throw CodableErrors.keyNotFound(
                key, present: Array(keys.prefix(UnarchivingError.shownKeyCount + 1)), path: decoder.path())
        }
        return field
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: some CodingKey) throws -> Value {
        switch try requiredField(key) {
        case .archived(let value, let step):
            do {
                return try decoder.decode(type, from: value, at: step)
            } catch {
                return try decoder.placeholder(type, key, value, at: step, after: error)
            }
        case .new(let value): return try converted(value, to: type, key)
        }
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: some CodingKey) throws -> Value? {
        switch try field(key) {
        case nil: return nil
        case .archived(let value, let step):
            let known = decoder.core.pointee.type(type)
            if decoder.isNil(value), !known.pointee.isOptional { return nil }
            if try decoder.isSkipped(known, value, at: step) { return nil }
            do {
                return try decoder.decode(type, known, from: value, at: step)
            } catch {
                return try decoder.placeholder(ifPresent: type, key, value, at: step, after: error)
            }
        case .new(let value): return try converted(value, to: type, key)
        }
    }

    /// `value`, which a step has set, as a `type`.
    private func converted<Value: Decodable>(
        _ value: any Encodable, to type: Value.Type, _ key: some CodingKey
    ) throws -> Value {
        if let value = value as? Value { return value }
        do {
            var archiveDecoder = ArchiveDecoder()
            archiveDecoder.classes = decoder.core.pointee.state.pointee.classes
            archiveDecoder.userInfo = decoder.core.pointee.userInfo
            var archiveEncoder = ArchiveEncoder()
            archiveEncoder.classes = archiveDecoder.classes
            return try archiveDecoder.decode(type, from: archiveEncoder.encode(value))
        } catch {
            throw CodableErrors.notMigrated(error, as: type, path: decoder.path() + [key])
        }
    }

    /// A decoder that stands for `value`, which a step has set.
    func decoderOfNew(_ value: any Encodable, _ key: some CodingKey) throws -> any Decoder {
        try converted(value, to: KeptDecoder.self, key).decoder
    }

    private struct KeptDecoder: Decodable {
        let decoder: any Decoder

        init(from decoder: any Decoder) throws {
            self.decoder = decoder
        }
    }
}
