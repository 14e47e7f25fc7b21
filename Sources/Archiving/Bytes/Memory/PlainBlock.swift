// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A block of plain values, for a loop that works on so many at a time.
@safe
final class PlainBlock<Element: BitwiseCopyable> {
    private let base: UnsafeMutablePointer<Element>
    private let element: Element
    private let count: Int
    private var isInUse = false

    init(repeating element: Element, count: Int) {
        self.element = element
        self.count = count
        // Safe because so many elements are initialised, and no other object has the address.
        unsafe base = .allocate(capacity: count)
        unsafe base.initialize(repeating: element, count: count)
    }

    deinit {
        // Safe because the initializer has allocated the memory. Plain values need no deinitialisation.
        unsafe base.deallocate()
    }

    /// Calls `body` with the elements, which have any of their earlier values. A call inside gets a block of its own.
    @inline(__always)
    func withSpan<Result>(_ body: (inout MutableSpan<Element>) throws -> Result) rethrows -> Result {
        if isInUse { return try PlainBlock(repeating: element, count: count).withSpan(body) }
        isInUse = true
        defer { isInUse = false }
        // Safe because all elements are initialised, the block outlives the call, and the span cannot leave the closure.
        var span = unsafe MutableSpan(_unsafeStart: base, count: count)
        return try body(&span)
    }
}
