// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A plain stored property of a class whose value refers back to an instance in progress. Its owner is created without
/// the value, and the decoder sets it when that instance is complete.
///
/// 1. `GraphReading.placeholder(for:_:isOptional:at:attempt:decode:)` returns the placeholder that the initializer of the
///    owner gets, and creates the waiting property.
/// 2. `ownerIsComplete(_:)` checks that the initializer has left a property for the value.
/// 3. `finish()` decodes the value when the instance is complete, and sets the property.
///
/// A collection waits as an empty one with its own storage, which shows the property. Any other value waits as nil or as
/// an empty value, and the property is proven (`PropertyProof`). The article IdentityAndCycles has the rules.
final class WaitingProperty<Value>: WaitingValue {
    private unowned let reading: GraphReading
    private let owner: WaitingOwner
    private let field: DecodedField
    private let path: CodingPathTable.Index
    private let decode: () throws -> Value?
    /// Decodes the value separately, with its own instances.
    private let attempt: (() throws -> Value?)?
    /// The storage of the placeholder, if it has any. nil after the value is set.
    private var storage: AnyObject?
    /// The properties that have the storage of the placeholder, once the owner is complete.
    private var marked: [ValueProperty<Value>] = []
    /// The properties that have the value.
    private var filled: [ValueProperty<Value>] = []
    /// The instance with the property, once it is complete.
    private weak var instance: AnyObject?

    init(
        _ waiting: WaitingField<Value>, in reading: GraphReading,
        at path: CodingPathTable.Index, storage: AnyObject?, attempt: (() throws -> Value?)?,
        decode: @escaping () throws -> Value?
    ) {
        self.reading = reading
        (owner, field) = (waiting.owner, waiting.field)
        self.path = path
        self.storage = storage
        self.decode = decode
        self.attempt = attempt
    }

    override var key: DecodedField? { field }

    override func ownerIsComplete(_ object: AnyObject) throws {
        // An instance that replaced the decoded one may have other properties.
        guard reading.isSubclass(type(of: object), of: owner.facts.owner) else { throw changed }
        instance = object
        guard let storage else {
            if !hasEmptyCandidate(object) { throw changed }
            return
        }
        let holders = owner.facts.properties.filter { $0.holds(storage, in: object) }
        marked = holders.compactMap { ValueProperty($0) }
        if marked.isEmpty || marked.count < holders.count { throw changed }
    }

    override func finish() throws -> InstanceTable.Index? {
        guard instance != nil, !isLeftOver || isHeld else { return nil }
        do {
            return try reading.unlessInProgress {
                if let value = try decode(), !reading.hashed.isTooEarly { try put(value) }
            }
        } catch {
            // Instances that the program cannot reach may be incomplete.
            if reading.hashed.isTooEarly || isHeld { throw error }
            reading.dismiss(error)
            return nil
        }
    }

    private func put(_ value: Value) throws {
        guard let instance else { return }
        if !filled.isEmpty {
            fill(with: value, instance)
        } else if storage != nil {
            filled = marked
            fill(with: value, instance)
            noteFilled()
            // Another holder of the placeholder would stay empty.
            guard isKnownUniquelyReferenced(&storage) else { throw changed }
            storage = nil
        } else if !ValueProperty.isEmpty(value), hasEmptyCandidate(instance) {
            // If none is empty, the program has set the property in the meantime.
            try prove(value, instance)
        }
    }

    /// Sets the property that is proven to have the value.
    private func prove(_ value: Value, _ instance: AnyObject) throws {
        let proof = PropertyProof(
            of: field, in: owner.container, owner: instance, uid: owner.uid, reader: owner.reader)
        let candidates = candidates
        do throws(PropertyProof.Failure) {
            let position = try reading.prove(proof) {
                candidates[$0].isEmpty(in: instance)
            } set: {
                candidates[$0].set(value, in: instance)
            } empty: {
                candidates[$0].clear(in: instance)
            } reference: {
                $0.reference(to: value)
            }
            filled = position.map { [candidates[$0]] } ?? []
            noteFilled()
        } catch {
            throw reading.unproven(proof, error, at: path)
        }
    }

    private func fill(with value: Value, _ instance: AnyObject) {
        for property in filled { property.set(value, in: instance) }
    }

    /// Records the properties that have the value, to clear them if the decoding fails.
    private func noteFilled() {
        for property in filled { reading.instances.noteSet(property.property, of: owner.uid, as: owner.identity) }
    }

    /// The properties that can have the value.
    private var candidates: [ValueProperty<Value>] { field.candidates.compactMap { ValueProperty($0) } }

    private func hasEmptyCandidate(_ instance: AnyObject) -> Bool {
        candidates.contains { $0.isEmpty(in: instance) }
    }

    /// Whether an object outside the table of instances retains the instance with the property.
    private var isHeld: Bool {
        // Nothing here retains the instance during the check.
        guard instance != nil else { return false }
        reading.endReencoding()
        return reading.instances.isHeld(reading.instances.index(owner.uid, owner.identity))
    }

    private var changed: ReadingFailure {
        .changedProperty(field.shownName, path: reading.keys(reading.paths.steps(to: path)))
    }

    // MARK: Hashes

    override func isHashedByItself() throws -> Bool? {
        guard let instance, let property = filled.first else { return nil }
        // A separate value without references from here, so that hashing it terminates.
        guard let empty = Placeholder(Value.self)?.value, let attempt, let other = (try? attempt()) ?? nil,
            !ValueProperty.isEmpty(other), let value = property.value(in: instance)
        else { return nil }
        fill(with: empty, instance)
        knownHash = hash()
        fill(with: other, instance)
        let isHashedByItself = hash() != knownHash
        fill(with: value, instance)
        return isHashedByItself
    }

    override func circularHash() -> any Error {
        ReadingFailure.circularHash(path: reading.keys(reading.paths.steps(to: path)))
    }
}

/// A stored property for values of the type `Value`: it has the type, or an optional of it.
struct ValueProperty<Value> {
    let property: StoredProperty
    private let isOptional: Bool

    /// Creates nil if the property has another type.
    init?(_ property: StoredProperty) {
        isOptional = property.type == Value?.self
        guard isOptional || property.type == Value.self else { return nil }
        self.property = property
    }

    func value(in instance: AnyObject) -> Value? {
        isOptional ? property.value(in: instance, as: Value?.self) : property.value(in: instance, as: Value.self)
    }

    func set(_ value: Value, in instance: AnyObject) {
        if isOptional {
            property.set(Optional(value), in: instance)
        } else {
            property.set(value, in: instance)
        }
    }

    /// Sets the property to its empty value.
    func clear(in instance: AnyObject) {
        if isOptional {
            property.set(Value?.none, in: instance)
        } else if let empty = Placeholder(Value.self)?.value {
            property.set(empty, in: instance)
        }
    }

    func isEmpty(in instance: AnyObject) -> Bool { value(in: instance).map { Self.isEmpty($0) } ?? true }

    static func isEmpty(_ value: Value) -> Bool { Placeholder(Value.self)?.isEmpty(value) ?? false }
}
