// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A growing list of instances, which it retains until they are removed.
///
/// Every index is checked. It is an object, which its users hold as a constant: an access needs no exclusivity check, and a
/// comparison of identities no reference counting.
@safe
final class ObjectList {
    /// The memory, with room for `capacity` references; nil without capacity.
    private var base: UnsafeMutablePointer<AnyObject?>?
    private var capacity = 0
    /// The number of instances, including those that were removed by themselves.
    private(set) var count = 0

    deinit { removeAll() }

    /// The instance at `index`, which was not removed.
    @inline(__always)
    subscript(index: Int) -> AnyObject {
        guard let object = instance(at: index) else { Self.outOfRange() }
        return object
    }

    @inline(__always)
    func instance(at index: Int) -> AnyObject? {
        // Safe because the index is below the count, and so many references are initialised.
        guard index >= 0, index < count, let base = unsafe base else { Self.outOfRange() }
        return unsafe base[index]
    }

    func replace(at index: Int, with object: AnyObject?) {
        // Safe because the index is below the count, and so many references are initialised. The old instance is released
        // afterwards: its own code may use the list.
        guard index >= 0, index < count, let base = unsafe base else { Self.outOfRange() }
        let old = unsafe base[index]
        unsafe base[index] = object
        withExtendedLifetime(old) {}
    }

    @inline(__always)
    func has(_ object: AnyObject, at index: Int) -> Bool {
        // Safe because the index is below the count, and so many references are initialised.
        guard index >= 0, index < count, let base = unsafe base else { Self.outOfRange() }
        return unsafe base[index] === object
    }

    private static func outOfRange() -> Never { preconditionFailure("An index of a list is out of range") }

    @inline(__always)
    func append(_ object: consuming AnyObject) {
        if count == capacity { grow() }
        // Safe because the count is below the capacity.
        unsafe base?.advanced(by: count).initialize(to: object)
        count &+= 1
    }

    @inline(never)
    private func grow() {
        let stride = MemoryLayout<AnyObject?>.stride
        // Safe because the memory comes from the same function and has room for all references, which may move as plain values.
        let (moved, byteCount) = unsafe Platform.grow(
            UnsafeMutableRawPointer(base), from: capacity * stride, neededByteCount: max(16, count + 1) * stride)
        capacity = byteCount / stride
        unsafe base = moved.bindMemory(to: AnyObject?.self, capacity: capacity)
    }

    /// Releases all instances.
    ///
    /// - Parameters:
    ///   - isReversed: Whether the last one is released first.
    ///   - releasesUnsharedFirst: Whether those that only the list retains are released before all others, in their order.
    ///   - keptCapacity: The capacity up to which the list keeps its memory.
    func removeAll(
        isReversed: Bool = false, releasingUnsharedFirst releasesUnsharedFirst: Bool = false,
        keepingCapacity keptCapacity: Int = 0
    ) {
        // Safe because so many references are initialised, and the list does not have the memory meanwhile: code of the
        // instances that are released may use the list. References to nothing need no deinitialisation.
        guard let old = unsafe base else { return }
        let (oldCapacity, oldCount) = (capacity, count)
        (capacity, count) = (0, 0)
        unsafe base = nil
        if releasesUnsharedFirst {
            for index in 0..<oldCount where unsafe isKnownUniquelyReferenced(&old[index]) { unsafe old[index] = nil }
        }
        for index in 0..<oldCount { unsafe old[isReversed ? oldCount &- 1 &- index : index] = nil }
        guard unsafe base == nil, oldCapacity <= keptCapacity else {
            return unsafe Platform.release(UnsafeMutableRawPointer(old))
        }
        unsafe base = old
        capacity = oldCapacity
    }
}

/// A growing list of values of any type.
///
/// It is an object, which its users hold as a constant. It changes its elements outside of its property, so that an
/// access needs no exclusivity check.
final class ValueList<Element> {
    private var elements: [Element] = []

    var count: Int { elements.count }
    var isEmpty: Bool { elements.isEmpty }
    var last: Element? { elements.last }

    var all: [Element] { elements }

    subscript(index: Int) -> Element {
        get { elements[index] }
        set { change { $0[index] = newValue } }
    }

    /// Appends `element`, and returns the number of elements.
    @discardableResult
    func append(_ element: Element) -> Int {
        change {
            $0.append(element)
            return $0.count
        }
    }

    func popLast() -> Element? { change { $0.popLast() } }

    func removeAll(from index: Int) -> [Element] {
        change { elements in
            let removed = Array(elements[index...])
            elements.removeSubrange(index...)
            return removed
        }
    }

    @discardableResult
    func removeAll() -> [Element] {
        let removed = elements
        if !removed.isEmpty { elements = [] }
        return removed
    }

    /// Returns the result of `body`, which changes the elements and uses the list for nothing else.
    @inline(__always)
    func change<Result>(_ body: (inout [Element]) -> Result) -> Result {
        var elements = elements
        self.elements = []
        defer { self.elements = elements }
        return body(&elements)
    }
}

/// A dictionary, which is changed outside of its property for the same reason.
final class ValueTable<Key: Hashable, Value> {
    private var values: [Key: Value] = [:]

    var count: Int { values.count }
    var isEmpty: Bool { values.isEmpty }

    subscript(key: Key) -> Value? {
        @inline(__always) get { values.isEmpty ? nil : values[key] }
        set {
            var changed = values
            values = [:]
            changed[key] = newValue
            values = changed
        }
    }

    @discardableResult
    func removeAll() -> [Key: Value] {
        let removed = values
        if !removed.isEmpty { values = [:] }
        return removed
    }
}

/// Returns the first index below `count` for which `isReached` is true, as for all after it; `count` if there is none.
@inline(__always)
func firstIndex(below count: Int, _ isReached: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
        let middle = low + (high - low) / 2
        if isReached(middle) { high = middle } else { low = middle + 1 }
    }
    return low
}
