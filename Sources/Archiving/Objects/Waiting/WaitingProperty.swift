/// The value of a key that is decoded later.
class WaitingKey: WaitingValue {
    fileprivate final let field: DecodedField

    fileprivate init(_ field: DecodedField) {
        self.field = field
    }
}

/// A plain stored property of a class whose value refers back to an instance in progress. Its owner is created without
/// the value, and the decoder sets it when that instance is complete.
///
/// A collection waits as an empty one with its own storage, which shows the property. Any other value waits as nil or as
/// an empty value, and the property is proven (`PropertyProof`). The article IdentityAndCycles has the rules.
private final class WaitingProperty<Value>: WaitingKey {
    private unowned let reading: GraphReading
    private let owner: WaitingOwner
    private let path: CodingPathTable.Index
    private let decode: () throws -> Value?
    /// Decodes the value separately, with its own instances.
    private let attempt: (() throws -> Value?)?
    /// The storage of the placeholder, if it has any.
    private var storage: AnyObject?
    /// The properties that have the storage of the placeholder, once the owner is complete.
    private var properties: [StoredProperty] = []
    /// The properties that have the value.
    private var filled: [StoredProperty] = []
    /// The instance with the property, once it is complete.
    private weak var instance: AnyObject?

    init(
        _ waiting: WaitingField<Value>, in reading: GraphReading,
        at path: CodingPathTable.Index, storage: AnyObject?, attempt: (() throws -> Value?)?,
        decode: @escaping () throws -> Value?
    ) {
        self.reading = reading
        owner = waiting.owner
        self.path = path
        self.storage = storage
        self.decode = decode
        self.attempt = attempt
        super.init(waiting.field)
    }

    override func ownerIsComplete(_ object: AnyObject) throws {
        // An instance that replaced the decoded one may have other properties.
        guard reading.isSubclass(type(of: object), of: owner.facts.owner) else { throw changed }
        instance = object
        guard let storage else {
            if !field.candidates.contains(where: { isEmpty($0, in: object) }) { throw changed }
            return
        }
        properties = owner.facts.properties.filter { $0.holds(storage, in: object) }
        if properties.isEmpty || !properties.allSatisfy({ accepts($0) }) { throw changed }
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
            for property in filled { set(value, property, in: instance) }
        } else if storage != nil {
            for property in properties { set(value, property, in: instance) }
            filled = properties
            noteFilled()
            // Another holder of the placeholder would stay empty.
            guard isKnownUniquelyReferenced(&storage) else { throw changed }
            storage = nil
        } else if !isEmpty(value) {
            try prove(value, instance)
        }
    }

    /// Sets the property that is proven to have the value.
    private func prove(_ value: Value, _ instance: AnyObject) throws {
        // A value that the program has set in the meantime stays.
        if !field.candidates.contains(where: { isEmpty($0, in: instance) }) { return }
        let proof = PropertyProof(
            of: field, in: owner.container, owner: instance, uid: owner.uid, reader: owner.reader)
        let empty = Placeholder(Value.self)?.value
        do throws(PropertyProof.Failure) {
            let position = try reading.prove(proof) {
                isEmpty(field.candidates[$0], in: instance)
            } set: {
                set(value, field.candidates[$0], in: instance)
            } empty: {
                let property = field.candidates[$0]
                if property.type == Value?.self {
                    property.set(Value?.none, in: instance)
                } else if let empty {
                    set(empty, property, in: instance)
                }
            } reference: {
                $0.reference(to: value)
            }
            filled = position.map { [field.candidates[$0]] } ?? []
            noteFilled()
        } catch {
            throw reading.unproven(proof, error, at: path)
        }
    }

    /// Records the properties that have the value, to clear them if the decoding fails.
    private func noteFilled() {
        for property in filled { reading.instances.noteSet(property, of: owner.uid, as: owner.identity) }
    }

    // MARK: Hashes

    override func isHashedByItself() throws -> Bool? {
        guard let instance, let property = filled.first else { return nil }
        // A separate value without references from here, so that hashing it terminates.
        guard let empty = Placeholder(Value.self)?.value, let attempt,
            let other = (try? attempt()) ?? nil, !isEmpty(other), let value = value(property, in: instance)
        else { return nil }
        for property in filled { set(empty, property, in: instance) }
        knownHash = hash()
        for property in filled { set(other, property, in: instance) }
        let isHashedByItself = hash() != knownHash
        for property in filled { set(value, property, in: instance) }
        return isHashedByItself
    }

    override func circularHash() -> any Error {
        ReadingFailure.circularHash(path: reading.keys(reading.paths.steps(to: path)))
    }

    private func value(_ property: StoredProperty, in instance: AnyObject) -> Value? {
        property.type == Value.self
            ? property.value(in: instance, as: Value.self) : property.value(in: instance, as: Value?.self)
    }

    // MARK: Properties

    /// Returns whether `property` has the type of the value, or an optional of it.
    private func accepts(_ property: StoredProperty) -> Bool {
        property.type == Value.self || property.type == Value?.self
    }

    private func set(_ value: Value, _ property: StoredProperty, in instance: AnyObject) {
        if property.type == Value.self {
            property.set(value, in: instance)
        } else {
            property.set(Optional(value), in: instance)
        }
    }

    /// Returns whether `property` is empty.
    private func isEmpty(_ property: StoredProperty, in instance: AnyObject) -> Bool {
        if property.type == Value.self { return isEmpty(property.value(in: instance, as: Value.self)) }
        guard let value = property.value(in: instance, as: Value?.self) else { return true }
        return isEmpty(value)
    }

    private func isEmpty(_ value: Value) -> Bool {
        Placeholder(Value.self)?.isEmpty(value) ?? false
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
}

/// The instance with a waiting property, while it is in progress.
struct WaitingOwner {
    let uid: UInt32
    /// The class, as identified in the table of instances.
    let identity: any Any.Type
    let facts: OwnerFacts
    let reader: InstanceReader
    /// The keys of the superclass parts around the property, the outermost first.
    let container: [String]
}

/// A key under which the initializer of an instance decodes a `Value`.
struct WaitingField<Value> {
    let owner: WaitingOwner
    let field: DecodedField

    /// The reason why no property can be set later.
    fileprivate var obstacle: String { field.obstacle(decoding: Value.self, in: owner.facts) }
}

// MARK: - Waiting

extension GraphReading {
    /// Lets a property wait until the instance that `cycle` refers back to is complete.
    ///
    /// - Parameters:
    ///   - path: The coding path of the value.
    ///   - isOptional: Whether the value may be absent, so that its placeholder can be nil.
    ///   - attempt: Decodes the value in a separate decoding with its own instances; nil if that is not possible.
    ///   - decode: Decodes the value; returns nil if the decoding is over.
    /// - Returns: The placeholder; nil for nil.
    /// - Throws: `cycle` with the reason why no property can be set later.
    func placeholder<Value>(
        for cycle: CycleReference, _ waiting: WaitingField<Value>, isOptional: Bool,
        at path: @autoclosure () -> CodingPathTable.Index, attempt: (() throws -> Value?)? = nil,
        decode: @escaping () throws -> Value?
    ) throws(CycleReference) -> Value? {
        guard let placeholder = Placeholder(Value.self), !waiting.field.candidates.isEmpty,
            !isOptional || Value.self is any PlaceholderCollection.Type
        else {
            guard isOptional, !waiting.field.candidates.isEmpty else {
                throw cycle.hindered(by: waiting.obstacle)
            }
            try wait(for: cycle, waiting, at: path(), storage: nil, attempt: attempt, decode: decode)
            return nil
        }
        let (value, storage) = placeholder.make()
        try wait(for: cycle, waiting, at: path(), storage: storage, attempt: attempt, decode: decode)
        return value
    }

    /// Registers a property to be set later.
    ///
    /// - Parameter storage: The storage of the placeholder, if it has any.
    private func wait<Value>(
        for cycle: CycleReference, _ waiting: WaitingField<Value>, at path: CodingPathTable.Index,
        storage: AnyObject?,
        attempt: (() throws -> Value?)?, decode: @escaping () throws -> Value?
    ) throws(CycleReference) {
        let owner = waiting.owner
        guard case .inProgress(let index) = instances.state(owner.uid, as: owner.identity) else {
            throw cycle.hindered(by: "the instance with \"\(waiting.field.shownName)\" is not an object of the archive")
        }
        if storage == nil, isWaiting(waiting.field, by: index) {
            throw cycle.hindered(by: "\"\(waiting.field.shownName)\" is decoded twice")
        }
        let property = WaitingProperty(
            waiting, in: self, at: path, storage: storage, attempt: attempt, decode: decode)
        awaited.values.append(property)
        instances.own(index, property)
        instances.wait(for: cycle.target, property)
        hashed.noteOpenReference(to: cycle.target)
        openCycles.remove(cycle)
    }

    /// Returns whether the instance with the entry `owner` already waits for the value of `field`.
    private func isWaiting(_ field: DecodedField, by owner: InstanceTable.Index) -> Bool {
        if instances.isReferring(owner, field) { return true }
        var number = instances.firstOwned(owner)
        while let value = awaited.values[number] {
            // If the value cannot be counted, the whole decoding fails in the end.
            if (value as? WaitingKey)?.field === field || (try? visit()) == nil { return true }
            number = value.nextOwned
        }
        return false
    }

    /// Returns the instance in progress that `body`, which decodes a waiting value, refers back to; nil if the value
    /// is decoded.
    func unlessInProgress(_ body: () throws -> Void) throws -> InstanceTable.Index? {
        do {
            try body()
            return nil
        } catch {
            guard let cycle = CycleReference(in: error), instances.isInProgress(cycle.target) else {
                throw error
            }
            openCycles.remove(cycle)
            hashed.noteOpenReference(to: cycle.target)
            return cycle.target
        }
    }
}

extension CycleReference {
    /// The same with the reason why no property can be set later. The innermost obstacle is the one to report.
    fileprivate func hindered(by obstacle: String) -> CycleReference {
        var cycle = self
        if cycle.obstacle == nil { cycle.obstacle = obstacle }
        return cycle
    }
}
