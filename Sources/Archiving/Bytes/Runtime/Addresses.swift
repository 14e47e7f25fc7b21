// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The place of elements in memory. Values with the same place are equal as long as one of them exists, so a long one has
/// to be inspected only once.
package struct MemoryPlace: Hashable {
    private let address: UInt
    private let count: Int

    /// The place of the elements; nil if there are none.
    package init?<Element>(of elements: [Element]) {
        guard !elements.isEmpty else { return nil }
        // Safe because the address is only compared.
        address = unsafe elements.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        count = elements.count
    }

    /// The place of the text; nil for a short text, which may have no place in memory.
    package init?(of text: String) {
        guard text.utf8.count > 64 else { return nil }
        // Safe because the address is only compared.
        let address = unsafe text.utf8.withContiguousStorageIfAvailable { UInt(bitPattern: $0.baseAddress) }
        guard let address else { return nil }
        self.address = address
        count = text.utf8.count
    }
}

/// The address of a value during a call, for functions that know the type of the value at compile time and pass it on through
/// code that does not.
@usableFromInline
@safe
struct ValueAddress {
    @usableFromInline let base: UnsafeMutableRawPointer

    @inline(__always)
    private init(_ base: UnsafeMutableRawPointer) {
        // Safe because the address is only stored.
        unsafe self.base = base
    }

    /// Calls `body` with the address of `value`.
    @inline(__always)
    static func with<Value, Result>(
        _ value: inout Value, _ body: (ValueAddress) throws -> Result
    ) rethrows -> Result {
        // Safe because the address is used only during the call. `withUnsafeMutablePointer` is not inlined here.
        try unsafe call(body, &value)
    }

    @unsafe
    @inline(__always)
    private static func call<Value, Result>(
        _ body: (ValueAddress) throws -> Result, _ address: UnsafeMutablePointer<Value>
    ) rethrows -> Result {
        // Safe because the address is used only during the call.
        try body(unsafe ValueAddress(UnsafeMutableRawPointer(address)))
    }

    /// Calls `body` with the address of `value`, for functions that do not change it.
    @inline(__always)
    static func with<Value, Result>(
        borrowing value: borrowing Value, _ body: (ValueAddress) throws -> Result
    ) rethrows -> Result {
        // Safe because the address is used only during the call, and the functions only read the value.
        try unsafe withUnsafePointer(to: value) {
            try unsafe body(ValueAddress(UnsafeMutableRawPointer(mutating: UnsafeRawPointer($0))))
        }
    }

    /// The value, which is of the type `type`. An instance of a class is also a value of each of its superclasses.
    @inlinable
    subscript<Value>(as type: Value.Type) -> Value {
        // Safe because the caller has the address of a value of the type: the plan of the fields has checked it.
        @inline(__always)
        unsafeAddress { unsafe UnsafePointer(base.assumingMemoryBound(to: type)) }
        @inline(__always)
        nonmutating unsafeMutableAddress { unsafe base.assumingMemoryBound(to: type) }
    }
}

extension Array where Element: AnyObject & Sendable {
    /// Calls `body` with the instance at `index`, without reference counting.
    @inline(__always)
    func withElement<Result>(at index: Int, _ body: (Element) throws -> Result) rethrows -> Result {
        // Safe because the array retains the instance during the call.
        try unsafe Unmanaged.passUnretained(self[index])._withUnsafeGuaranteedRef(body)
    }
}
