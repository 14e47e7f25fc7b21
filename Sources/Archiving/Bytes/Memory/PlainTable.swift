// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A growing table of plain values in memory of its own.
///
/// Every index is checked, so that no use of a table is unsafe. A table is an object, which its users hold as a constant: an
/// access needs neither reference counting nor an exclusivity check.
@safe
final class PlainTable<Element: BitwiseCopyable> {
    /// The memory, with room for `capacity` elements. Without capacity, an address that is never used.
    private var base: UnsafeMutablePointer<Element>
    private(set) var capacity = 0
    private(set) var count = 0
    /// Whether a cursor has the address of the memory, which does not move or end then.
    private var isLent = false

    init() {
        // Safe because the address is not used before the capacity is greater than 0.
        unsafe base = UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped
    }

    convenience init(repeating element: Element, count: Int) {
        self.init()
        append(element, count: count)
    }

    convenience init(capacity: Int) {
        self.init()
        reserve(capacity)
    }

    deinit { release() }

    private func release() {
        precondition(!isLent, "The memory of a table is in use")
        // Safe because `grow` allocated the memory, and no other object has its address.
        if capacity > 0 { unsafe Platform.release(UnsafeMutableRawPointer(base)) }
    }

    @inline(__always)
    subscript(index: Int) -> Element {
        get {
            precondition(index >= 0 && index < count, "An index of a table is out of range")
            // Safe because the index is below the count, and so many elements are initialised.
            return unsafe base[index]
        }
        set {
            precondition(index >= 0 && index < count, "An index of a table is out of range")
            // Safe because the index is below the count, and so many elements have memory.
            unsafe base[index] = newValue
        }
    }

    /// Replaces the element at `index`, and returns whether there is one.
    @inline(__always)
    func replace(at index: Int, by element: Element) -> Bool {
        guard UInt(bitPattern: index) < UInt(bitPattern: count) else { return false }
        // Safe because the index is below the count, and so many elements have memory.
        unsafe base[index] = element
        return true
    }

    /// Replaces the elements at `index` and the next one, and returns whether there are both.
    @inline(__always)
    func replace(at index: Int, by first: Element, _ second: Element) -> Bool {
        guard index >= 0, index < count &- 1 else { return false }
        // Safe because both indices are below the count, and so many elements have memory.
        unsafe base[index] = first
        unsafe base[index &+ 1] = second
        return true
    }

    @inline(__always)
    func append(_ element: Element) {
        if count == capacity { grow(1) }
        // Safe because the count is below the capacity.
        unsafe base[count] = element
        count &+= 1
    }

    @inline(__always)
    func append(_ first: Element, _ second: Element) {
        if capacity &- count < 2 { grow(2) }
        // Safe because two elements more than the count fit into the capacity.
        unsafe base[count] = first
        unsafe base[count &+ 1] = second
        count &+= 2
    }

    func append(contentsOf other: PlainTable) {
        let added = other.count
        reserve(added)
        // Safe because the other table has so many elements, and this one has memory for them after its own.
        unsafe (base + count).update(from: other.base, count: added)
        count += added
    }

    func reset(repeating element: Element, count: Int) {
        removeAll()
        append(element, count: count)
    }

    func reserve(_ additional: Int) {
        if additional > capacity &- count { grow(additional) }
    }

    func append(_ element: Element, count additional: Int) {
        precondition(additional >= 0, "A table cannot have fewer elements than none")
        if additional > capacity &- count { grow(additional) }
        // Safe because the capacity is at least the new count.
        unsafe (base + count).initialize(repeating: element, count: additional)
        count += additional
    }

    func fill(_ element: Element) {
        // Safe because so many elements are initialised.
        unsafe base.update(repeating: element, count: count)
    }

    func removeLast() -> Element {
        precondition(count > 0, "An empty table has no last element")
        count &-= 1
        // Safe because the index was below the count.
        return unsafe base[count]
    }

    func truncate(to count: Int) {
        precondition(count >= 0 && count <= self.count, "A table cannot be truncated to more elements than it has")
        self.count = count
    }

    func removeFirst(_ removed: Int) {
        precondition(removed >= 0 && removed <= count, "A table cannot lose more elements than it has")
        count -= removed
        // Safe because the elements that move are within the former count; the ranges may overlap.
        unsafe base.update(from: base + removed, count: count)
    }

    /// Releases the memory for more than `kept` elements, unless they are in use.
    func shrink(keepingCapacity kept: Int) {
        precondition(!isLent, "The memory of a table is in use")
        let capacity = max(kept, count)
        guard capacity > 0, capacity < self.capacity else { return }
        // Safe because the memory comes from the same function, and its first elements move with it.
        let moved = unsafe Platform.reallocate(
            UnsafeMutableRawPointer(base), byteCount: capacity * MemoryLayout<Element>.stride)
        unsafe base = moved.bindMemory(to: Element.self, capacity: capacity)
        self.capacity = capacity
    }

    /// Calls `body` with the elements. The table does not change during the call.
    @inline(__always)
    func withSpan<Result, Failure>(_ body: (Span<Element>) throws(Failure) -> Result) throws(Failure) -> Result {
        precondition(!isLent, "The memory of a table is in use")
        let (lent, lentCount) = (capacity, count)
        (capacity, count, isLent) = (0, 0, true)
        defer { (capacity, count, isLent) = (lent, lentCount, false) }
        // Safe because so many elements are initialised, the span cannot leave the closure, and a table without capacity
        // that is lent does not grow.
        let start = unsafe UnsafePointer(base)
        return try body(unsafe Span(_unsafeStart: start, count: lentCount))
    }

    /// Returns the address of the elements, which does not change before `takeBack(count:)`.
    @unsafe
    func lend() -> UnsafeMutablePointer<Element> {
        precondition(!isLent, "The memory of a table is in use")
        isLent = true
        // Safe because the memory does not move or end while it is lent.
        return unsafe base
    }

    /// Ends the use of the address. The first `count` elements are initialized now.
    func takeBack(count: Int) {
        precondition(isLent && count >= 0 && count <= capacity, "A table cannot have more elements than memory")
        isLent = false
        self.count = count
    }

    /// Removes all elements, and releases memory for more than `kept` elements.
    func removeAll(keepingCapacity kept: Int = .max) {
        count = 0
        guard capacity > kept else { return }
        release()
        capacity = 0
    }

    @inline(never)
    private func grow(_ additional: Int) {
        precondition(!isLent, "The memory of a table is in use")
        let stride = MemoryLayout<Element>.stride
        let (needed, overflow) = max(count + additional, 8).multipliedReportingOverflow(by: stride)
        precondition(!overflow && needed <= Int.max / 4, "A table has too many elements")
        // Safe because the old memory comes from the same function, and is not used afterwards.
        let (grown, byteCount) = unsafe Platform.grow(
            capacity > 0 ? UnsafeMutableRawPointer(base) : nil, from: capacity * stride, neededByteCount: needed)
        capacity = byteCount / stride
        // Safe because the memory has room for so many elements, of which the first are moved there.
        unsafe base = grown.bindMemory(to: Element.self, capacity: capacity)
    }
}

extension PlainTable {
    struct Suffix {
        let table: PlainTable
        let start: Int

        var count: Int { table.count &- start }

        @inline(__always)
        subscript(index: Int) -> Element { table[start &+ index] }
    }

    func suffix(from start: Int) -> Suffix {
        precondition(start >= 0 && start <= count, "A table has fewer elements")
        return Suffix(table: self, start: start)
    }
}

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
