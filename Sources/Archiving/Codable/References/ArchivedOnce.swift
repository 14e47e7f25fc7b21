/// A value type whose values are archived once for each `id`, however often they are referred to.
///
/// ```swift
/// struct Person: Codable, ArchivedOnce {
///     let id: Int
///     var name: String
/// }
/// ```
///
/// Values with the same id are the same: the first that is encoded is the one that is archived, and what comes back is
/// equal everywhere. Without this, each place has a copy of its own in the archive, as structs have in memory.
///
/// Such a value is an object of its type in the archive, also where it encodes itself as one number or string.
///
/// Classes do not need it: an instance is archived once because it is one. On a class it has no effect.
public protocol ArchivedOnce: ArchiveDescribing, Identifiable {}

/// The type and the id of a value that is archived once.
struct ArchivedOnceKey: Hashable {
    private let type: UnsafeRawPointer
    private let id: AnyHashable

    /// - Parameter type: The address of the type.
    /// - Returns: nil where `value` is none of those.
    init?(_ value: some Any, type: UnsafeRawPointer) {
        guard let value = value as? any ArchivedOnce else { return nil }
        self.type = type
        id = Self.id(of: value)
    }

    private static func id(of value: some ArchivedOnce) -> AnyHashable { AnyHashable(value.id) }
}

// MARK: - Encoding

extension ArchiveEncoding {
    /// What stands for `value`, or for the one with the same id that was encoded before.
    @inline(never)
    func referenceOnce<Value: Encodable>(
        to value: Value, type: UnsafeMutablePointer<EncodingType>, at step: CodingPathStep
    ) throws -> Reference {
        guard let key = ArchivedOnceKey(value, type: UnsafeRawPointer(type)) else {
            return try encodeObject(type, at: step) { try value.encode(to: $0) }
        }
        if let known = core.pointee.storedOnce[key] {
            guard let known else { throw CodableErrors.valueContainsItself(value, path: keys(step)) }
            return known
        }
        core.pointee.storedOnce[key] = .some(nil)
        do {
            let made = try encodeObject(type, at: step) { try value.encode(to: $0) }
            core.pointee.storedOnce[key] = made
            return made
        } catch {
            core.pointee.storedOnce[key] = nil
            throw error
        }
    }
}

// MARK: - Decoding

/// A value in the table of instances.
private final class DecodedOnce<Value> {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

extension ArchiveDecoding {
    /// The value that `value` became before, or becomes now.
    @inline(never)
    func decodeOnce<Value: Decodable>(
        _ type: Value.Type, _ known: UnsafeMutablePointer<DecodingType>, from value: ArchivedValue,
        at step: CodingPathStep
    ) throws -> Value {
        guard value.uid != 0 else { return try with(known, value, step) { try $0.value(type, known) } }
        let state = core.pointee.state
        switch state.pointee.instances.state(value.uid, as: known.pointee.identity) {
        case .complete(let object):
            core.pointee.state.pointee.hashed.noteEarlierInstance()
            return Unmanaged<DecodedOnce<Value>>.fromOpaque(object).takeUnretainedValue().value
        case .inProgress(let index): throw cycle(to: index, at: step)
        case .unknown(let entry): return try makeOnce(type, known, value, entry, step)
        }
    }

    /// The value of `type` that this decoder stands for.
    private func value<Value: Decodable>(
        _ type: Value.Type, _ known: UnsafeMutablePointer<DecodingType>
    ) throws -> Value {
        if let migrations = known.pointee.migrations { return try migrated(type, migrations) }
        return try Value(from: self)
    }

    private func makeOnce<Value: Decodable>(
        _ type: Value.Type, _ known: UnsafeMutablePointer<DecodingType>, _ value: ArchivedValue,
        _ entry: InstanceTable.Index, _ step: CodingPathStep
    ) throws -> Value {
        let state = core.pointee.state
        if entry != 0, let cycle = state.pointee.blocked(entry) { throw cycle.decodingError }
        let object = try state.makeInstance(value.uid, as: known.pointee.identity, entry, by: nil) {
            pathIndex(step)
        } read: { _ in
            let made = DecodedOnce(try with(known, value, step) { try $0.value(type, known) })
            return (UnsafeRawPointer(Unmanaged.passRetained(made).toOpaque()), false)
        } check: { finished, object in
            try check(finished, object) { pathIndex(step) }
        }
        return Unmanaged<DecodedOnce<Value>>.fromOpaque(object).takeUnretainedValue().value
    }
}
