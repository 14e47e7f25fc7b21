/// A plain stored property of a class whose value leads back to an instance that is still being decoded. Its owner is
/// made without the value, and gets it when that instance is complete.
///
/// What is sound of this, and what is not, is told in `docs/cycles.md`.
private final class DeferredProperty<Stored>: DeferredValue {
    private let core: UnsafeMutablePointer<DecodingCore>
    private let property: StoredProperty
    private let path: CodingPathTable.Index
    private let placeholder: any DeferrableValue.Type
    private let decode: (ArchiveDecoding) throws -> Stored
    private let ownerUID: UInt32
    /// The instance that has the property, once it is complete.
    private weak var owner: AnyObject?

    /// - Parameter placeholder: The type `Stored` itself.
    init(
        _ core: UnsafeMutablePointer<DecodingCore>, _ property: StoredProperty, path: CodingPathTable.Index,
        owner ownerUID: UInt32, placeholder: any DeferrableValue.Type,
        decode: @escaping (ArchiveDecoding) throws -> Stored
    ) {
        self.core = core
        self.property = property
        self.path = path
        self.ownerUID = ownerUID
        self.placeholder = placeholder
        self.decode = decode
    }

    override func ownerIsComplete(_ owner: UnsafeRawPointer) throws {
        guard hasPlaceholder(owner) else { throw CodableErrors.changedProperty(property.name, path: keys) }
        self.owner = Unmanaged<AnyObject>.fromOpaque(owner).takeUnretainedValue()
    }

    override func finish() throws -> InstanceTable.Index? {
        guard let top = core.pointee.top, owner != nil, !isLeftOver || isHeld else { return nil }
        do {
            return try top._withUnsafeGuaranteedRef { top in
                try top.unlessInProgress { try set(to: top.with(nil, .null, at: path) { try decode($0) }) }
            }
        } catch {
            // What nobody can reach may be incomplete.
            if isHeld { throw error }
            return nil
        }
    }

    private func set(to value: Stored) {
        guard let owner else { return }
        let address = UnsafeRawPointer(Unmanaged.passUnretained(owner).toOpaque())
        // Who has set it meanwhile knows better.
        if hasPlaceholder(address) { property.set(value, in: address) }
    }

    private func hasPlaceholder(_ owner: UnsafeRawPointer) -> Bool {
        withUnsafePointer(to: property.value(in: owner, as: Stored.self)) { placeholder.isPlaceholder(at: $0) }
    }

    /// Whether anybody but the table of instances has the instance with the property.
    private var isHeld: Bool {
        guard let address = owner.map({ UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }) else {
            return false
        }
        return core.pointee.state.pointee.instances.isHeld(ownerUID, address)
    }

    private var keys: [any CodingKey] {
        core.pointee.top?._withUnsafeGuaranteedRef { $0.keys(core.pointee.state.pointee.paths.steps(to: path)) } ?? []
    }
}

/// A type whose properties can be set later: it has a value that says that nothing is there.
protocol DeferrableValue {
    /// Whether it has; false for a wrapper around something else.
    static var canBeDeferred: Bool { get }
    /// Initialises the memory at `address` with the value that says so.
    static func initializePlaceholder(at address: UnsafeMutableRawPointer)
    /// Whether the value at `address` says so.
    static func isPlaceholder(at address: UnsafeRawPointer) -> Bool
}

extension DeferrableValue {
    static var canBeDeferred: Bool { true }
}

extension Optional: DeferrableValue {
    static func initializePlaceholder(at address: UnsafeMutableRawPointer) {
        address.initializeMemory(as: Self.self, to: nil)
    }

    static func isPlaceholder(at address: UnsafeRawPointer) -> Bool {
        address.assumingMemoryBound(to: Self.self).pointee == nil
    }
}

/// A collection: nothing is there while it is empty.
protocol DeferrableCollection: DeferrableValue, Collection {
    init()
}

extension DeferrableCollection {
    static func initializePlaceholder(at address: UnsafeMutableRawPointer) {
        address.initializeMemory(as: Self.self, to: Self())
    }

    static func isPlaceholder(at address: UnsafeRawPointer) -> Bool {
        address.assumingMemoryBound(to: Self.self).pointee.isEmpty
    }
}

extension Array: DeferrableCollection {}
extension ContiguousArray: DeferrableCollection {}
extension Set: DeferrableCollection {}
extension Dictionary: DeferrableCollection {}

// MARK: - Deferring

extension ArchiveDecoding {
    /// What stands for the value under `key` until the instance is complete that it leads back to, as `error` says.
    ///
    /// - Parameter value: The value in the archive.
    /// - Throws: `error`, if it says something else, or the value is that of no property that can be set later.
    @inline(never)
    func placeholder<Value: Decodable>(
        _ type: Value.Type, _ key: some CodingKey, _ value: ArchivedValue, at step: CodingPathStep,
        after error: any Error
    ) throws -> Value {
        let kind = try deferring(key, after: error) { property throws(Obstacle) in
            try deferProperty(property, type, at: step, after: error) { try $0.decode(type, from: value, at: .root) }
        }
        return try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
            guard let address = memory.baseAddress else { throw error }
            kind.initializePlaceholder(at: address)
            return address.move()
        }
    }

    /// The same for a value that may be absent, whose placeholder is nil: that of an optional property, or of a collection
    /// for which an initializer replaces nil by an empty one.
    @inline(never)
    func placeholder<Value: Decodable>(
        ifPresent type: Value.Type, _ key: some CodingKey, _ value: ArchivedValue, at step: CodingPathStep,
        after error: any Error
    ) throws -> Value? {
        _ = try deferring(key, after: error) { property throws(Obstacle) in
            if property.type == type {
                return try deferProperty(property, type, at: step, after: error) {
                    try $0.decode(type, from: value, at: .root)
                }
            }
            return try deferProperty(property, Value?.self, at: step, after: error) {
                try $0.decode(type, from: value, at: .root)
            }
        }
        return nil
    }

    /// Lets `body` defer the property of `key`, if `error` says that it leads back to an instance that is still being
    /// decoded; throws `error` otherwise.
    private func deferring(
        _ key: some CodingKey, after error: any Error,
        _ body: (StoredProperty) throws(Obstacle) -> any DeferrableValue.Type
    ) throws -> any DeferrableValue.Type {
        guard var cycle = CycleReference(in: error), core.pointee.top != nil,
            core.pointee.state.pointee.instances.isInProgress(cycle.target), let owner = frame.instance?.pointee.type
        else { throw error }
        do throws(Obstacle) {
            return try body(try property(of: key, in: owner.pointee.type))
        } catch {
            // The innermost obstacle is the one to tell of.
            if cycle.obstacle == nil { cycle.obstacle = error.description }
            throw CodableErrors.cycle(cycle)
        }
    }

    /// Lets `property` be set later.
    ///
    /// - Returns: The type `Stored`.
    private func deferProperty<Stored>(
        _ property: StoredProperty, _ type: Stored.Type, at step: CodingPathStep, after error: any Error,
        decode: @escaping (ArchiveDecoding) throws -> Stored
    ) throws(Obstacle) -> any DeferrableValue.Type {
        guard let kind = type as? any DeferrableValue.Type, kind.canBeDeferred else {
            throw Obstacle("\"\(property.shownName)\" is neither an optional nor a collection")
        }
        guard property.type == type else {
            throw Obstacle("\"\(property.name)\" is of the type \(property.type), and what is decoded is \(type)")
        }
        guard property.ownership != .unmanaged else { throw Obstacle("\"\(property.name)\" is unowned(unsafe)") }
        let state = core.pointee.state
        guard let cycle = CycleReference(in: error), let owner = frame.instance, let ownerType = owner.pointee.type,
            case .inProgress(let ownerIndex) = state.pointee.instances.state(
                owner.pointee.value.uid, as: ownerType.pointee.identity)
        else { throw Obstacle("the instance that has \"\(property.name)\" is no object of the archive") }
        let value = DeferredProperty(
            core, property, path: pathIndex(step), owner: owner.pointee.value.uid, placeholder: kind, decode: decode)
        state.pointee.awaited.deferred.append(value)
        state.pointee.instances.own(ownerIndex, value)
        state.pointee.instances.wait(for: cycle.target, value)
        core.pointee.state.pointee.hashed.noteOpenReference(to: cycle.target)
        return kind
    }

    /// The stored property of `owner`, or of one of its superclasses, that the compiler's own `init(from:)` sets to what
    /// is under `key`.
    private func property(of key: some CodingKey, in owner: any Any.Type) throws(Obstacle) -> StoredProperty {
        let declaring = ClassRegistry.enclosingTypeName(of: Swift.type(of: key))
        var next: AnyClass? = owner as? AnyClass
        while let candidate = next, ClassRegistry.swiftName(of: candidate) != declaring {
            next = _getSuperclass(candidate)
        }
        guard let declaringClass = next else {
            throw Obstacle(
                "the keys, \(Swift.type(of: key)), are not those of \(owner) itself, whose properties they name")
        }
        let name = StoredProperty.caseName(of: key) ?? key.stringValue
        let properties = StoredProperty.properties(of: declaringClass)
        // What a property wrapper stores has an underscore before the property's name.
        guard
            let property = properties.first(where: { $0.name == name })
                ?? properties.first(where: { $0.name == "_" + name })
        else { throw Obstacle("\(declaringClass) has no stored property \"\(name)\"") }
        return property
    }
}

/// Why a property cannot be set later.
private struct Obstacle: Error {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
