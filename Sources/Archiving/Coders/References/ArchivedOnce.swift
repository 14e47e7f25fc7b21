// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A value type whose values are archived once for each `id`.
///
/// ```swift
/// struct Person: Codable, ArchivedOnce {
///     let id: Int
///     var name: String
/// }
/// ```
///
/// Values of one type with equal ids are one object in the archive. The encoder writes the first of them, and every
/// place decodes that value. Without this protocol each place stores its own copy, as structs do in memory.
///
/// The value is always an object of its type in the archive, even if it encodes itself as a single number or string.
///
/// A class does not need this protocol, and it has no effect on one: an instance is always archived once.
public protocol ArchivedOnce: ArchiveDescribing, Identifiable {}

struct ArchivedOnceKey: Hashable {
    private let type: ObjectIdentifier
    private let id: AnyHashable

    /// - Returns: `nil` if `value` does not conform to `ArchivedOnce`.
    init?<Value>(_ value: Value) {
        guard let once = value as? any ArchivedOnce else { return nil }
        type = ObjectIdentifier(Value.self)
        id = Self.id(of: once)
    }

    private static func id(of value: some ArchivedOnce) -> AnyHashable { AnyHashable(value.id) }
}

// MARK: - Encoding

extension EncodingFrame {
    /// Returns the reference to `value`, or to the value with the same id that was encoded before.
    @inline(never)
    func referenceOnce<Value: Encodable>(
        to value: Value, type: EncodingType, at step: CodingPathStep
    ) throws -> Reference {
        guard let key = ArchivedOnceKey(value) else {
            return try encodeObject(type, at: step) { try value.encode(to: $0) }
        }
        if let known = session.extras.storedOnce[key] {
            if let known { return known }
            throw EncodingError.invalid(value, path: keys(step)) {
                "Found a \($0) at \($1) inside the one with the same id. A value that is archived once for each id cannot"
                    + " contain itself. Store its id, or make the type a class"
            }
        }
        session.changeExtras { $0.storedOnce[key] = .some(nil) }
        do {
            let made = try encodeObject(type, at: step) { try value.encode(to: $0) }
            session.changeExtras { $0.storedOnce[key] = made }
            return made
        } catch {
            session.changeExtras { $0.storedOnce[key] = nil }
            throw error
        }
    }
}

// MARK: - Decoding

/// A complete, immutable value, boxed for the table of instances.
final class Boxed<Value> {
    let value: Value

    init(_ value: Value) { self.value = value }
}

extension DecodingFrame {
    @inline(never)
    func decodeOnce<Value: Decodable>(
        _ type: Value.Type, _ known: DecodingType, from value: ArchivedValue,
        at step: CodingPathStep
    ) throws -> Value {
        guard value.uid != 0 else {
            try postponeProgramValue()
            return try decodedValue(type, known, value, at: step)
        }
        switch instances.state(value.uid, as: known.identity) {
        case .complete(let object):
            session.hashed.noteEarlierInstance()
            return Reinterpretation.instance(object, as: Boxed<Value>.self).value
        case .inProgress(let index): throw cycle(to: index, at: step)
        case .unknown(let entry): return try makeOnce(type, known, value, entry, step)
        }
    }

    private func decodedValue<Value: Decodable>(
        _ type: Value.Type, _ known: DecodingType, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> Value {
        try withDecoder(known, value, step) { decoder in
            if let migrations = known.facts.migrations { return try decoder.migrated(type, migrations) }
            let made = try Value(from: decoder)
            try decoder.decoding.recordRequestsIfNeeded(type)
            return made
        }
    }

    private func makeOnce<Value: Decodable>(
        _ type: Value.Type, _ known: DecodingType, _ value: ArchivedValue,
        _ entry: DecodedInstanceTable.Index, _ step: CodingPathStep
    ) throws -> Value {
        try checkUnblocked(entry)
        try postponeProgramValue()
        let object = try session.makeInstance(value.uid, as: known.identity, entry, by: nil) { _ in
            (Boxed(try decodedValue(type, known, value, at: step)), false)
        } fail: { index, error in
            session.failed(index, error, nil) { pathIndex(step) }
        } check: {
            try checkStack()
        }
        return Reinterpretation.instance(object, as: Boxed<Value>.self).value
    }
}
