// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The references that the decoder has set after it had created the instances with the references. Every cycle of
/// decoded instances has one, unless an initializer has stored an instance that had published itself.
///
/// If the decoding fails, they are cleared, and the instances release each other. So they are recorded until the
/// decoding has succeeded.
final class LateReferences {
    /// The shared states of `@Reference` and `@References` with their targets.
    private let recent = ValueList<AwaitedInstance>()
    /// Those that were recorded before the last search for unneeded instances. They are not retained: it would be no
    /// such search if they were.
    private let observed = ValueList<Observed>()
    /// Properties of complete instances.
    private let properties = ValueList<Property>()
    /// Whether nothing is recorded.
    private(set) var isEmpty = true

    private struct Observed {
        weak var awaited: AwaitedInstance?
    }

    private struct Property {
        let owner: InstanceTable.Index
        let property: StoredProperty
    }

    /// Records the state of references that have received their target.
    func append(_ awaited: AwaitedInstance) {
        recent.append(awaited)
        isEmpty = false
    }

    /// Records that the decoder has set a property of the instance with the entry `owner`.
    func append(_ property: StoredProperty, of owner: InstanceTable.Index) {
        // A property that does not retain its value closes no cycle.
        guard property.ownership == .strong else { return }
        properties.append(Property(owner: owner, property: property))
        isEmpty = false
    }

    /// Releases all recorded states, and continues to record those that references share.
    func observe() {
        for awaited in recent.removeAll() { observed.append(Observed(awaited: awaited)) }
    }

    /// Clears all references. `owner` returns the complete instance with an entry.
    func clear(_ owner: (InstanceTable.Index) -> AnyObject?) {
        for awaited in recent.all { awaited.replace(with: nil) }
        for reference in observed.all { reference.awaited?.replace(with: nil) }
        for property in properties.all {
            guard let owner = owner(property.owner) else { continue }
            property.property.clear(in: owner)
        }
    }

    /// Forgets all references.
    func removeAll() {
        recent.removeAll()
        observed.removeAll()
        properties.removeAll()
        isEmpty = true
    }
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
