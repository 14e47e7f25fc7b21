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
        guard let address = owner.map({ UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }) else { return false }
        return core.pointee.state.pointee.instances.isHeld(ownerUID, address)
    }

    private var keys: [any CodingKey] {
        core.pointee.top?._withUnsafeGuaranteedRef { $0.keys(core.pointee.state.pointee.paths.steps(to: path)) } ?? []
    }
}

/// A type whose properties can be set later: it has a value that says that nothing is there.
protocol DeferrableValue {
    /// Initialises the memory at `address` with the value that says so.
    static func initializePlaceholder(at address: UnsafeMutableRawPointer)
    /// Whether the value at `address` says so.
    static func isPlaceholder(at address: UnsafeRawPointer) -> Bool
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
        let kind = type as? any DeferrableValue.Type
        try deferProperty(type, kind, key, at: step, after: error) { try $0.decode(type, from: value, at: .root) }
        return try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
            guard let kind, let address = memory.baseAddress else { throw error }
            kind.initializePlaceholder(at: address)
            return address.move()
        }
    }

    /// The same for an optional property, whose placeholder is nil.
    @inline(never)
    func placeholder<Value: Decodable>(
        ifPresent type: Value.Type, _ key: some CodingKey, _ value: ArchivedValue, at step: CodingPathStep,
        after error: any Error
    ) throws -> Value? {
        try deferProperty(Value?.self, Value?.self, key, at: step, after: error) {
            try $0.decode(type, from: value, at: .root)
        }
        return nil
    }

    /// Lets the property of `key` be set later.
    private func deferProperty<Stored>(
        _ type: Stored.Type, _ kind: (any DeferrableValue.Type)?, _ key: some CodingKey, at step: CodingPathStep,
        after error: any Error, decode: @escaping (ArchiveDecoding) throws -> Stored
    ) throws {
        let state = core.pointee.state
        guard var cycle = CycleReference(in: error), core.pointee.top != nil,
            state.pointee.instances.isInProgress(cycle.target),
            let owner = frame.instance, let ownerType = owner.pointee.type,
            case .inProgress(let ownerIndex) = state.pointee.instances.state(
                owner.pointee.value.uid, as: ownerType.pointee.identity)
        else { throw error }
        do throws(Obstacle) {
            guard let kind else { throw Obstacle("\"\(key.stringValue)\" is neither an optional nor a collection") }
            let property = try property(of: key, type, in: ownerType.pointee.type)
            let value = DeferredProperty(
                core, property, path: pathIndex(step), owner: owner.pointee.value.uid, placeholder: kind,
                decode: decode)
            state.pointee.awaited.deferred.append(value)
            state.pointee.instances.own(ownerIndex, value)
            state.pointee.instances.wait(for: cycle.target, value)
        } catch {
            // The innermost obstacle is the one to tell of.
            if cycle.obstacle == nil { cycle.obstacle = error.description }
            throw CodableErrors.cycle(cycle)
        }
    }

    /// The stored property of `owner`, or of one of its superclasses, that the compiler's own `init(from:)` sets to what
    /// is under `key`.
    private func property<Stored>(
        of key: some CodingKey, _ type: Stored.Type, in owner: any Any.Type
    ) throws(Obstacle) -> StoredProperty {
        let declaring = ClassRegistry.enclosingTypeName(of: Swift.type(of: key))
        var next: AnyClass? = owner as? AnyClass
        while let candidate = next, ClassRegistry.swiftName(of: candidate) != declaring {
            next = _getSuperclass(candidate)
        }
        guard let declaringClass = next else {
            throw Obstacle("the keys, \(Swift.type(of: key)), are not those of \(owner) itself, whose properties they name")
        }
        let name = StoredProperty.caseName(of: key) ?? key.stringValue
        guard let property = StoredProperty.properties(of: declaringClass).first(where: { $0.name == name }) else {
            throw Obstacle("\(declaringClass) has no stored property \"\(name)\"")
        }
        guard property.type == type else {
            throw Obstacle("\(declaringClass).\(name) is of the type \(property.type), and what is decoded is \(type)")
        }
        guard property.ownership != .unmanaged else { throw Obstacle("\(declaringClass).\(name) is unowned(unsafe)") }
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
