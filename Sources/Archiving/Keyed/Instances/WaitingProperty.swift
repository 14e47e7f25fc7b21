/// The value of a key that is decoded later.
class WaitingKey: WaitingValue {
    final let key: OwnerFacts.DecodedKey

    fileprivate init(_ key: OwnerFacts.DecodedKey) {
        self.key = key
    }
}

/// A plain stored property of a class whose value refers back to an instance in progress. Its owner is created without
/// the value, and the decoder sets it when that instance is complete.
///
/// The article IdentityAndCycles describes the properties that this works for, and why it is sound.
private final class WaitingProperty<Value>: WaitingKey {
    private let state: UnsafeMutablePointer<GraphReadingState>
    private let owner: WaitingOwner
    private let name: String
    /// The properties that can have the value.
    private let candidates: [StoredProperty]
    private let path: CodingPathTable.Index
    private let decode: () throws -> Value?
    /// Decodes the value separately, with its own instances.
    private let attempt: (() throws -> Value?)?
    private var place: ReferencePlace?
    /// The storage of the placeholder, if it has any.
    private var storage: AnyObject?
    /// The properties that have the placeholder, once the owner is complete.
    private var properties: [StoredProperty] = []
    /// The properties that have the value.
    private var filled: [StoredProperty] = []
    private var wasPostponed = false
    /// The instance with the property, once it is complete.
    private weak var instance: AnyObject?

    init(
        _ ownerProperty: OwnerProperty<Value>, in state: UnsafeMutablePointer<GraphReadingState>,
        at path: CodingPathTable.Index,
        storage: AnyObject?, attempt: (() throws -> Value?)?, decode: @escaping () throws -> Value?
    ) {
        self.state = state
        owner = ownerProperty.owner
        name = ownerProperty.name
        candidates = ownerProperty.candidates
        place = ownerProperty.place
        self.path = path
        self.storage = storage
        self.decode = decode
        self.attempt = attempt
        super.init(ownerProperty.key)
    }

    override func ownerIsComplete(_ address: UnsafeRawPointer) throws {
        instance = Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
        if let storage {
            properties = owner.facts.properties.filter { $0.holds(storage, in: address) }
            guard properties.allSatisfy({ accepts($0) }) else { throw changed }
        } else if let place {
            properties = [place.property].filter { isEmpty($0, in: address) }
        } else {
            properties = candidates.filter { isEmpty($0, in: address) }
        }
        if properties.isEmpty { throw changed }
    }

    override func finish() throws -> InstanceTable.Index? {
        isPostponed = false
        guard instance != nil, !isLeftOver || isHeld else { return nil }
        if storage == nil, place == nil, !wasPostponed {
            // Values that are decoded in the meantime may show where the class stores this one.
            (isPostponed, wasPostponed) = (true, true)
            state.pointee.awaited.append(.prepared(number))
            return nil
        }
        do {
            return try state.unlessInProgress {
                if let value = try decode(), !state.pointee.hashed.isTooEarly { try put(value) }
            }
        } catch {
            // Instances that the program cannot reach may be incomplete.
            if state.pointee.hashed.isTooEarly || isHeld { throw error }
            state.pointee.dismiss(error)
            return nil
        }
    }

    private func put(_ value: Value) throws {
        guard let instance else { return }
        let address = UnsafeRawPointer(Unmanaged.passUnretained(instance).toOpaque())
        if !filled.isEmpty {
            for property in filled { set(value, property, in: address) }
            return
        }
        if storage != nil {
            fill(value, in: address)
            // Another holder of the placeholder would stay empty.
            guard isKnownUniquelyReferenced(&storage) else { throw changed }
            storage = nil
            return
        }
        if place == nil { place = owner.facts.place(of: key) ?? evidentPlace(address) }
        if let property = place?.property {
            // A value that the program has set in the meantime stays.
            guard isEmpty(property, in: address) else { return }
            set(value, property, in: address)
            filled = [property]
        } else if !isEmpty(value) {
            try learn(value, address)
        }
    }

    /// The property with the name of the key, if no other one can have the placeholder: other instances show that the
    /// others belong to keys of their own.
    private func evidentPlace(_ address: UnsafeRawPointer) -> ReferencePlace? {
        guard Value.self is AnyClass, let named = properties.first(where: { $0.name == name }) else { return nil }
        let others = properties.filter { $0.name != name }
        if !others.isEmpty, !owner.showsNames(of: others, in: state) { return nil }
        return owner.facts.learn(key, name, Value.self, isIn: named)
    }

    /// Sets the value in the properties that have the placeholder.
    private func fill(_ value: Value, in address: UnsafeRawPointer) {
        guard let storage else { return }
        filled = properties.filter { $0.holds(storage, in: address) }
        for property in filled { set(value, property, in: address) }
    }

    // MARK: Hashes

    override func isHashedByItself() throws -> Bool? {
        guard let instance, let property = filled.first else { return nil }
        let address = UnsafeRawPointer(Unmanaged.passUnretained(instance).toOpaque())
        // A separate value without references from here, so that hashing it terminates.
        guard let empty = Placeholder(Value.self)?.value(of: Value.self), let attempt,
            let other = (try? attempt()) ?? nil, !isEmpty(other), let value = value(property, in: address)
        else { return nil }
        for property in filled { set(empty, property, in: address) }
        knownHash = hash()
        for property in filled { set(other, property, in: address) }
        let isHashedByItself = hash() != knownHash
        for property in filled { set(value, property, in: address) }
        return isHashedByItself
    }

    override func circularHash() -> any Error {
        UnarchivingError.circularHash(path: state.keys(state.pointee.paths.steps(to: path)))
    }

    private func value(_ property: StoredProperty, in address: UnsafeRawPointer) -> Value? {
        property.type == Value.self
            ? property.value(in: address, as: Value.self) : property.value(in: address, as: Value?.self)
    }

    /// Decodes the owner again, as another instance, to learn in which property it stores the value.
    private func learn(_ value: Value, _ address: UnsafeRawPointer) throws {
        let rehearsal = try owner.rehearse(key)
        defer { rehearsal.release() }
        let other = UnsafeRawPointer(rehearsal.toOpaque())
        let filled = properties.filter { !isEmpty($0, in: other) }
        guard let first = filled.first else { throw changed }
        if filled.count == 1, !(Value.self is AnyClass) || isReference(to: value, in: first, of: other) {
            _ = owner.facts.learn(key, name, Value.self, isIn: first)
        }
        for property in filled where isEmpty(property, in: address) {
            if property.type == Value.self {
                property.set(property.value(in: other, as: Value.self), in: address)
            } else {
                property.set(property.value(in: other, as: Value?.self), in: address)
            }
        }
    }

    private func isReference(to value: Value, in property: StoredProperty, of address: UnsafeRawPointer) -> Bool {
        property.object(in: address) === value as AnyObject
    }

    // MARK: Properties

    /// Returns whether `property` has the type of the value, or an optional of it.
    private func accepts(_ property: StoredProperty) -> Bool {
        property.type == Value.self || property.type == Value?.self
    }

    private func set(_ value: Value, _ property: StoredProperty, in address: UnsafeRawPointer) {
        if property.type == Value.self {
            property.set(value, in: address)
        } else {
            property.set(Optional(value), in: address)
        }
    }

    /// Returns whether `property` is empty.
    private func isEmpty(_ property: StoredProperty, in address: UnsafeRawPointer) -> Bool {
        if property.type == Value.self { return isEmpty(property.value(in: address, as: Value.self)) }
        guard let value = property.value(in: address, as: Value?.self) else { return true }
        return isEmpty(value)
    }

    private func isEmpty(_ value: Value) -> Bool {
        guard let placeholder = Placeholder(Value.self) else { return false }
        return withUnsafePointer(to: value) { placeholder.isEmpty($0) }
    }

    /// Whether an object outside the table of instances retains the instance with the property.
    private var isHeld: Bool {
        // The reference is not retained during the check.
        guard let address = instance.map({ UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }) else {
            return false
        }
        return state.pointee.instances.isHeld(owner.uid, address)
    }

    private var changed: UnarchivingError {
        .changedProperty(name, path: state.keys(state.pointee.paths.steps(to: path)))
    }
}

/// The instance with a waiting property, while it is in progress.
struct WaitingOwner {
    let uid: UInt32
    /// The class, as identified in the table of instances.
    let identity: UnsafeRawPointer
    let facts: OwnerFacts
    /// Decodes another instance of the same object, which the caller owns, and which is entered nowhere. Of its
    /// optional references to other instances, it must have only the one under the key.
    let rehearse: (OwnerFacts.DecodedKey) throws -> Unmanaged<AnyObject>

    /// Returns whether the complete instances show that each of `properties`, which have class types, is stored under a
    /// key with its name.
    fileprivate func showsNames(
        of properties: [StoredProperty], in state: UnsafeMutablePointer<GraphReadingState>
    ) -> Bool {
        let looks = 1024
        guard (try? state.pointee.archive.countWork(looks)) != nil else { return false }
        var unknown = properties
        for (uid, instance) in state.pointee.instances.complete(as: identity, among: looks) {
            guard let object = try? state.pointee.archive.object(uid) else { return false }
            unknown.removeAll { property in
                guard let kept = property.object(in: instance),
                    let value = state.pointee.archive.field(property.name, of: object.node), value.uid != 0
                else { return false }
                return state.pointee.instances.instance(value.uid) === kept
            }
            if unknown.isEmpty { return true }
        }
        return false
    }
}

extension ArchiveContents {
    /// The value under `key` in `object`; nil if the object has many fields.
    fileprivate func field(_ key: String, of object: Node) -> ArchivedValue? {
        guard object.kind == .dictionary, object.count <= 64, (try? countWork(object.count)) != nil else { return nil }
        for index in 0..<object.count {
            if let name = try? value(list.reference(index, in: object.payload)), (try? keyDescription(name)) == key {
                return try? value(list.reference(object.count + index, in: object.payload))
            }
        }
        return nil
    }
}

/// A value that the initializer of an instance decodes, and the stored properties that can have it.
struct OwnerProperty<Value> {
    let owner: WaitingOwner
    let key: OwnerFacts.DecodedKey
    /// The name of the key in errors and of a property with the same name.
    let name: String
    /// The properties that have the type of the value, and can be empty.
    let candidates: [StoredProperty]
    /// The place of the value; nil if it is not known.
    let place: ReferencePlace?

    init(_ type: Value.Type, _ key: OwnerFacts.DecodedKey, named name: String, of owner: WaitingOwner) {
        self.owner = owner
        self.key = key
        self.name = name
        let canBeEmpty = Placeholder(type) != nil
        candidates = owner.facts.properties.filter {
            $0.ownership != .unmanaged && ($0.type == Value?.self || canBeEmpty && $0.type == type)
        }
        if let known = owner.facts.place(of: key) {
            place = known
        } else if candidates.count == 1, let only = candidates.first,
            only.name == name || Self.isWrapper && only.name == "_" + name
        {
            place = owner.facts.learn(key, name, type, isIn: only)
        } else {
            place = nil
        }
    }

    /// Whether the value is a property wrapper, whose stored property has a name that begins with an underscore.
    private static var isWrapper: Bool {
        !(Value.self is any ExpressibleByNilLiteral.Type) && !(Value.self is any Sequence.Type)
    }

    /// The reason why no property can be set later.
    fileprivate var obstacle: String {
        let properties = owner.facts.properties.filter { $0.name == name || $0.name == "_" + name }
        guard let property = properties.first else {
            return "\(owner.facts.owner) has no stored property \"\(name)\""
        }
        if property.ownership == .unmanaged { return "\"\(property.name)\" is unowned(unsafe)" }
        if Placeholder(property.type) == nil {
            return "\"\(property.shownName)\" is neither an optional nor a collection"
        }
        return "\"\(property.name)\" has the type \(property.type), but the decoded value is \(Value.self)"
    }
}

// MARK: - Waiting

extension UnsafeMutablePointer<GraphReadingState> {
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
        for cycle: CycleReference, _ ownerProperty: OwnerProperty<Value>, isOptional: Bool,
        at path: @autoclosure () -> CodingPathTable.Index, attempt: (() throws -> Value?)? = nil,
        decode: @escaping () throws -> Value?
    ) throws(CycleReference) -> Value? {
        guard let placeholder = Placeholder(Value.self), !ownerProperty.candidates.isEmpty,
            !isOptional || Value.self is any PlaceholderCollection.Type
        else {
            guard isOptional, !ownerProperty.candidates.isEmpty else {
                throw cycle.hindered(by: ownerProperty.obstacle)
            }
            try wait(for: cycle, ownerProperty, at: path(), storage: nil, attempt: attempt, decode: decode)
            return nil
        }
        let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        defer { memory.deallocate() }
        let storage = placeholder.initialize(memory)
        do throws(CycleReference) {
            try wait(for: cycle, ownerProperty, at: path(), storage: storage, attempt: attempt, decode: decode)
        } catch {
            memory.deinitialize(count: 1)
            throw error
        }
        return memory.move()
    }

    /// Registers a property to be set later.
    ///
    /// - Parameter storage: The storage of the placeholder, if it has any.
    private func wait<Value>(
        for cycle: CycleReference, _ ownerProperty: OwnerProperty<Value>, at path: CodingPathTable.Index,
        storage: AnyObject?,
        attempt: (() throws -> Value?)?, decode: @escaping () throws -> Value?
    ) throws(CycleReference) {
        let owner = ownerProperty.owner
        guard case .inProgress(let index) = pointee.instances.state(owner.uid, as: owner.identity) else {
            throw cycle.hindered(by: "the instance with \"\(ownerProperty.name)\" is not an object of the archive")
        }
        if storage == nil, isWaiting(ownerProperty, by: index) {
            throw cycle.hindered(by: "\"\(ownerProperty.name)\" is decoded twice")
        }
        let property = WaitingProperty(
            ownerProperty, in: self, at: path, storage: storage, attempt: attempt, decode: decode)
        pointee.awaited.values.append(property)
        pointee.instances.own(index, property)
        pointee.instances.wait(for: cycle.target, property)
        pointee.hashed.noteOpenReference(to: cycle.target)
        pointee.openCycles.remove(cycle)
    }

    /// Returns whether the instance with the entry `owner` already waits for the value under the key.
    private func isWaiting<Value>(_ ownerProperty: OwnerProperty<Value>, by owner: InstanceTable.Index) -> Bool {
        if let place = ownerProperty.place, pointee.instances.isReferring(owner, .passUnretained(place)) { return true }
        var number = pointee.instances.firstOwned(owner)
        while let value = pointee.awaited.values[number] {
            // If the value cannot be counted, the whole decoding fails in the end.
            if (value as? WaitingKey)?.key == ownerProperty.key || (try? pointee.visit()) == nil { return true }
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
            guard let cycle = CycleReference(in: error), pointee.instances.isInProgress(cycle.target) else {
                throw error
            }
            pointee.openCycles.remove(cycle)
            pointee.hashed.noteOpenReference(to: cycle.target)
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
