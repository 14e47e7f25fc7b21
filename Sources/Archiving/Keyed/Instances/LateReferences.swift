/// The references that the decoder has set after it had created the instances with the references. Every cycle of
/// decoded instances has one, unless an initializer has stored an instance that had published itself.
///
/// If the decoding fails, they are cleared, and the instances release each other. So they are recorded until the
/// decoding has succeeded.
struct LateReferences: ~Copyable {
    /// The shared states of `@Reference` and `@References` with their targets. Retained.
    private var recent: PlainArray<UnsafeRawPointer>
    /// Those that were recorded before the last search for unneeded instances. They are not retained: it would be no
    /// such search if they were.
    private var observed: [Observed] = []
    /// Properties of complete instances.
    private var properties: [Property] = []
    /// Whether nothing is recorded.
    private(set) var isEmpty = true

    private struct Observed {
        weak var awaited: AwaitedInstance?
    }

    private struct Property {
        let owner: InstanceTable.Index
        let property: StoredProperty
    }

    init(in arena: inout Arena) {
        recent = PlainArray(capacity: 8, in: &arena)
    }

    /// Records the state of references that have received their target, and takes ownership of one reference to it.
    @inline(__always)
    mutating func append(retained awaited: UnsafeRawPointer) {
        recent.append(awaited)
        isEmpty = false
    }

    /// Records the state of references that have received their target.
    mutating func append(_ awaited: AwaitedInstance) {
        append(retained: UnsafeRawPointer(Unmanaged.passRetained(awaited).toOpaque()))
    }

    /// Records that the decoder has set a property of the instance with the entry `owner`.
    mutating func append(_ property: StoredProperty, of owner: InstanceTable.Index) {
        // A property that does not retain its value closes no cycle.
        guard property.ownership == .strong else { return }
        properties.append(Property(owner: owner, property: property))
        isEmpty = false
    }

    /// Releases all recorded states, and continues to record those that references share.
    mutating func observe() {
        for place in 0..<recent.count {
            observed.append(Observed(awaited: Self.awaited(recent[place]).takeRetainedValue()))
        }
        recent.removeAll()
    }

    /// Clears all references. `owner` returns the complete instance with an entry.
    func clear(_ owner: (InstanceTable.Index) -> UnsafeRawPointer?) {
        for place in 0..<recent.count {
            Self.awaited(recent[place])._withUnsafeGuaranteedRef { $0.replace(with: nil) }
        }
        for reference in observed { reference.awaited?.replace(with: nil) }
        for property in properties {
            guard let owner = owner(property.owner) else { continue }
            property.property.clear(in: Unmanaged<AnyObject>.fromOpaque(owner).takeUnretainedValue())
        }
    }

    /// Forgets all references.
    mutating func removeAll(keepingCapacity keptCapacity: Int) {
        for place in 0..<recent.count { Self.awaited(recent[place]).release() }
        recent.capacity > keptCapacity ? recent.releaseMemory() : recent.removeAll()
        observed = []
        properties = []
        isEmpty = true
    }

    private static func awaited(_ address: UnsafeRawPointer) -> Unmanaged<AwaitedInstance> { .fromOpaque(address) }
}

extension StoredProperty {
    /// Sets the property in `instance`, an instance of the class, to the empty value of its type.
    fileprivate func clear(in instance: AnyObject) {
        func clear<Value>(_ type: Value.Type) {
            if let empty = Placeholder(type) { set(empty.value, in: instance) }
        }
        _openExistential(type, do: clear)
    }
}
