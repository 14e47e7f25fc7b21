/// A growing array of plain values in its own memory, without reference counts, bounds checks in the byte loop, or
/// copies.
///
/// The archiver's tables consist of these arrays. Indices come from the tables' own counts, never from input.
struct PlainArray<Element: BitwiseCopyable>: ~Copyable {
    private var memory: TableMemory<Element>
    private(set) var count = 0

    /// Creates an empty array without memory.
    init() {
        memory = .empty
    }

    init(capacity: Int) {
        memory = TableMemory(capacity: max(capacity, 1))
    }

    /// The number of elements that fit into the current memory.
    var capacity: Int { memory.capacity }

    /// Whether the elements are in a separate block, no longer in the initial arena.
    var isOwned: Bool { memory.isOwned }

    @inline(__always)
    var base: UnsafeMutablePointer<Element> { memory.base }

    @inline(__always)
    var elements: UnsafeMutableBufferPointer<Element> { UnsafeMutableBufferPointer(start: base, count: count) }

    /// Calls `body` with the elements from `start` on.
    @inline(__always)
    func withSpan<Result, Failure>(
        from start: Int = 0, _ body: (Span<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(start >= 0 && start <= count, "Element \(start) of \(count)")
        // Safe because the memory has `count` elements, the span cannot leave the closure, and the array cannot be
        // changed during the call.
        let span = unsafe Span(_unsafeStart: base + start, count: count - start)
        return try body(span)
    }

    /// The elements.
    var array: [Element] { withSpan { span in span.indices.map { span[$0] } } }

    @inline(__always)
    subscript(index: Int) -> Element {
        get {
            assert(index >= 0 && index < count)
            return memory[index]
        }
        set {
            assert(index >= 0 && index < count)
            memory[index] = newValue
        }
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == memory.capacity { grow(1) }
        memory[count] = element
        count &+= 1
    }

    /// Appends the elements of another array.
    @inline(__always)
    mutating func append(contentsOf other: borrowing PlainArray) {
        reserve(other.count)
        (base + count).update(from: other.base, count: other.count)
        count &+= other.count
    }

    /// Appends after a `reserve(_:)`.
    @inline(__always)
    mutating func uncheckedAppend(_ element: Element) {
        memory[count] = element
        count &+= 1
    }

    @inline(__always)
    mutating func reserve(_ additional: Int) {
        if additional > memory.capacity - count { grow(additional) }
    }

    /// Returns whether `additional` more elements fit into the current memory.
    @inline(__always)
    func hasRoom(for additional: Int) -> Bool { additional <= memory.capacity - count }

    /// Counts `additional` elements that were stored at `base + count` after a `reserve(_:)` for them.
    @inline(__always)
    mutating func advance(_ additional: Int) {
        count &+= additional
    }

    mutating func removeLast() -> Element {
        precondition(count > 0, "An empty array has no last element")
        count &-= 1
        return memory[count]
    }

    mutating func removeFirst(_ removed: Int) {
        precondition(removed >= 0 && removed <= count, "\(removed) of \(count) elements")
        count &-= removed
        base.update(from: base + removed, count: count)
    }

    /// Removes the elements from `count` on.
    mutating func truncate(to count: Int) {
        precondition(count >= 0 && count <= self.count, "truncate(to:) cannot lengthen a table")
        self.count = count
    }

    mutating func removeAll() {
        count = 0
    }

    /// Removes the elements and releases their memory.
    mutating func releaseMemory() {
        count = 0
        memory = .empty
    }

    /// Releases the memory of the places from `capacity` on, which is not less than the count.
    mutating func shrink(toCapacity capacity: Int) {
        precondition(capacity >= count, "shrink(toCapacity:) cannot remove elements")
        if memory.isOwned, capacity > 0 { memory.resize(to: capacity, keeping: count) }
    }

    @inline(never)
    private mutating func grow(_ additional: Int) {
        let factor = Platform.growth(ofByteCount: memory.capacity * MemoryLayout<Element>.stride)
        memory.resize(to: max(memory.capacity * factor, count + additional), keeping: count)
    }
}
