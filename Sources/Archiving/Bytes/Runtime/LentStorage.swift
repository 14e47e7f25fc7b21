// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The storage of a collection that an initializer has received empty, and that gets its elements where the program has stored it.
///
/// A native array, set or dictionary is one reference to its storage (`RuntimeLayout.Assumption.collections`). The program's
/// copy of that reference is found by the reference count alone: if there is exactly one besides the one here, the
/// storage is changed in place, as the program itself could through its only reference.
final class LentStorage<Elements: Collection> {
    /// The bits of the collection: the address of its storage.
    private var bits: UInt
    /// Whether this object has a reference to the storage.
    private var isRetained = true
    /// The storage, after the reference was given up.
    private weak var observed: AnyObject?

    /// Who refers to the storage, besides this object.
    enum Holders {
        case none, one, several
    }

    /// Lends the storage of `elements`, a collection that has a storage of its own. Creates nil if the runtime has another layout of
    /// collections.
    init?(of elements: Elements) {
        guard let storage = Reinterpretation.storage(of: elements) else { return nil }
        // Safe because the pointer is only converted, and the reference is balanced by `release`.
        bits = unsafe UInt(bitPattern: Unmanaged.passRetained(storage).toOpaque())
    }

    deinit { release() }

    /// Gives up the reference to the storage, which the program alone retains from now on.
    func observe() {
        guard isRetained else { return }
        // Safe because this object still has its reference.
        if let storage = unsafe storage { observed = unsafe storage.takeUnretainedValue() }
        release()
    }

    /// Calls `body` with the collection in the storage if exactly one reference besides the one here has it.
    ///
    /// No initializer that has seen the collection may be running, and `body` must not need more than the reserved capacity.
    ///
    /// - Returns: The other references that there are.
    func change(_ body: (inout Elements) -> Void) -> Holders {
        guard retain() else { return .none }
        if isUnique {
            release()
            return .none
        }
        // Safe because another reference retains the storage: this one is not unique.
        if let storage = unsafe storage { unsafe storage.release() }
        // Safe because the reference that was released is taken again.
        defer { if let storage = unsafe storage { _ = unsafe storage.retain() } }
        guard isUnique else { return .several }
        let before = bits
        // Safe because the bits are those of a collection of this type, whose storage has one reference: the program's.
        unsafe withUnsafeMutableBytes(of: &bits) { bytes in
            unsafe bytes.withMemoryRebound(to: Elements.self) { unsafe body(&$0[0]) }
        }
        precondition(bits == before, "A collection was filled beyond its capacity")
        return .one
    }

    /// Whether anything besides this object has a reference to the storage.
    var isHeld: Bool {
        guard isRetained else { return observed != nil }
        return !isUnique
    }

    /// Returns the result of `body` with the collection.
    func read<Result>(_ body: (Elements) -> Result) -> Result? {
        guard retain() else { return nil }
        // Safe because the bits are those of a collection of this type, whose storage is retained.
        return unsafe withUnsafeMutableBytes(of: &bits) { bytes in
            unsafe bytes.withMemoryRebound(to: Elements.self) { unsafe body($0[0]) }
        }
    }

    /// The storage, which is alive if this object, or the program, retains it.
    private var storage: Unmanaged<AnyObject>? {
        // Safe because the caller uses it only while it is retained.
        unsafe UnsafeRawPointer(bitPattern: bits).map { unsafe Unmanaged.fromOpaque($0) }
    }

    /// Takes a reference to the storage.
    ///
    /// - Returns: Whether it still exists.
    @inline(never)
    private func retain() -> Bool {
        if isRetained { return true }
        guard let object = observed else { return false }
        // Safe because `release` balances it.
        _ = unsafe Unmanaged.passRetained(object)
        isRetained = true
        return true
    }

    private func release() {
        guard isRetained else { return }
        isRetained = false
        // Safe because this object had a reference.
        if let storage = unsafe storage { unsafe storage.release() }
    }

    /// Whether the storage has one reference.
    private var isUnique: Bool {
        // Safe because the bits are a reference to an object that is retained.
        unsafe withUnsafeMutableBytes(of: &bits) { bytes in
            unsafe bytes.withMemoryRebound(to: AnyObject.self) { unsafe isKnownUniquelyReferenced(&$0[0]) }
        }
    }
}
