// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The decoder of an object of a former version. It reads the fields that the migration steps have produced.
final class MigratedDecoding: Decoder {
    fileprivate let fields: ArchiveMigration.Fields
    var base: ProgramDecoder { fields.owner }
    init(_ fields: ArchiveMigration.Fields) { self.fields = fields }
    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(MigratedKeyedDecoding(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try base.unkeyedContainer() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

/// The single value container decodes another type from the same fields.
extension MigratedDecoding: SingleValueDecodingContainer {
    func decodeNil() -> Bool { false }

    // Compiled once: the compiler would make a copy for each type of numbers.
    @_semantics("optimize.sil.specialize.generic.never")
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try NativeTypes.leaf(type) == nil ? Value(from: self) : base.decode(type)
    }
}

private struct MigratedKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: MigratedDecoding

    private var fields: ArchiveMigration.Fields { decoder.fields }
    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { fields.keys.compactMap { Key(stringValue: $0) ?? ObservedKeys.key($0) } }
    func contains(_ key: Key) -> Bool { (try? fields.field(key)) != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        switch try fields.requiredField(key) {
        case .archived(let value, _): decoder.base.decoding.isNil(value)
        case .new: false
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try fields.decode(type, forKey: key)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try fields.decodeIfPresent(type, forKey: key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try nested(key).unkeyedContainer()
    }

    private func nested(_ key: Key) throws -> any Decoder {
        switch try fields.requiredField(key) {
        case .archived(let value, let step): try decoder.base.decoding.nestedDecoder(for: value, at: step)
        case .new(let value): try fields.decoderOfNew(value, key)
        }
    }

    func superDecoder() throws -> any Decoder { try superDecoder(of: ArchiveKey.super) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder(of: key) }

    private func superDecoder(of key: some CodingKey) throws -> any Decoder {
        switch try fields.field(key) {
        case nil:
            let decoding = decoder.base.decoding
            return try decoding.superDecoder(for: .null, at: decoding.session.step(to: key))
        case .archived(let value, let step): return try decoder.base.decoding.superDecoder(for: value, at: step)
        case .new(let value): return try fields.decoderOfNew(value, key)
        }
    }
}

// MARK: - Migrating

extension ProgramDecoder {
    func migrated<Value: Decodable>(_ type: Value.Type, _ migrations: any ArchiveMigrating.Type) throws -> Value {
        let steps = try steps(of: migrations)
        let value = try steps.map { try migrated(type, by: $0) } ?? Value(from: self)
        try decoding.recordRequestsIfNeeded(type)
        return value
    }

    func needsMigration(_ migrations: any ArchiveMigrating.Type) throws -> Bool { try steps(of: migrations) != nil }

    /// Returns the steps of `migrations` that the decoder's value needs; nil if it has the current version.
    private func steps(of migrations: any ArchiveMigrating.Type) throws -> [ArchiveMigration]? {
        guard let version = try decoding.version(of: migrations), version != migrations.archiveVersion else {
            return nil
        }
        if let newer = NewerVersion(version, of: migrations, at: codingPath) {
            var error = ArchivingError(.damaged, path: codingPath) { _ in
                "Migrations lead to higher versions only"
            }
            error.newer = newer
            throw DecodingError(error)
        }
        let steps = migrations.archiveMigrations
        for (step, next) in zip(steps, steps.dropFirst()) where step.version > next.version {
            misuse("The archiveMigrations of \(migrations) are not in the order of their versions")
        }
        return steps.filter { $0.version >= version }
    }

    /// Returns a decoder of the migrated fields of this decoder's value; nil if it has the current version.
    ///
    /// - Throws: Also an error if a step creates a value instead of fields.
    func migratedDecoder(_ migrations: any ArchiveMigrating.Type) throws -> (any Decoder)? {
        guard let steps = try steps(of: migrations) else { return nil }
        var fields = try ArchiveMigration.Fields(of: self)
        for step in steps {
            guard case .fields(let change) = step.step else {
                throw DecodingError.invalid(path: codingPath) { _ in
                    "A migration of \(migrations) creates a value. A type with declared fields has migrations of its fields"
                }
            }
            try change(&fields)
        }
        return MigratedDecoding(fields)
    }

    private func migrated<Value: Decodable>(_ type: Value.Type, by steps: [ArchiveMigration]) throws -> Value {
        var fields: ArchiveMigration.Fields?
        for step in steps {
            switch step.step {
            case .fields(let change):
                var changed = try fields ?? ArchiveMigration.Fields(of: self)
                try change(&changed)
                fields = changed
            case .value(let make):
                let made = try make(fields.map { MigratedDecoding($0) } ?? self)
                guard let value = made as? Value else {
                    throw DecodingError(
                        .mismatch(
                            type, found: "a migration that creates \(Swift.type(of: made))", path: codingPath))
                }
                return value
            }
        }
        return try Value(from: fields.map { MigratedDecoding($0) } ?? self)
    }
}

/// A version of an object that is higher than that of its type: a newer program wrote it.
struct NewerVersion: Sendable {
    private let type: any Any.Type
    private let version: Int
    private let known: Int
    var path: [any CodingKey]

    init?(_ version: Int, of type: any ArchiveDescribing.Type, at path: @autoclosure () -> [any CodingKey]) {
        guard version > type.archiveVersion else { return nil }
        (self.type, self.version, known, self.path) = (type, version, type.archiveVersion, path())
    }

    /// A sentence before that of the error.
    var sentence: String {
        "The \(type) at \(path.pathDescription) has version \(version), a newer version: this program knows the versions up to"
            + " \(known). Open it with the program that wrote it. "
    }
}

extension DecodingFrame {
    func archivedVersion(of type: (any Any.Type)?) -> Int? {
        guard let uid = try? archive.classUID(of: value.node) else { return nil }
        guard let type else { return try? archive.classVersion(at: 0, uid) }
        return try? archive.classVersion(of: type, uid, in: session.settings.classes)
    }

    /// Returns the version of the value, which is of the type `type`; nil if it is not an object of a class.
    fileprivate func version(of type: any ArchiveDescribing.Type) throws -> Int? {
        guard let uid = try classUID(of: value, .root) else { return nil }
        if let ownType, ownType.versionedClassUID == uid { return ownType.version }
        let version = try contents(at: .root) { archive throws(KeyedArchiveError) in
            if let own = try archive.classVersion(of: type, uid, in: session.settings.classes) { return own }
            return try archive.classVersion(at: 0, uid)
        }
        ownType?.versionedClassUID = uid
        ownType?.version = version
        return version
    }

    /// Returns `error`, with which the decoding of the value ends. If a newer program wrote the value, the error says so.
    func explained(_ error: any Error) -> any Error {
        guard let ownType, ownType.facts.mayHaveVersion, let type = archiveDescription(of: ownType.type),
            let version = try? version(of: type), let newer = NewerVersion(version, of: type, at: path()),
            var own = ArchivingError.converted(error) as? ArchivingError, own.mayBeOfNewerVersion
        else { return error }
        own.newer = newer
        guard let error = error as? DecodingError else { return own }
        let text = "A newer version of the program wrote the object"
        return error.with(
            DecodingError.Context(codingPath: own.codingPath.shortened, debugDescription: text, underlyingError: own))
    }
}

enum MigratingForm<Value: Decodable>: NativelyDecodable {
    static func read(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Value {
        let known = decoder.session.type(Value.self)
        guard let migrations = known.facts.migrations else { preconditionFailure("\(Value.self) has no migrations") }
        try decoder.postponeProgramValue()
        return try decoder.withDecoder(known, value, step) { try $0.migrated(Value.self, migrations) }
    }
}
