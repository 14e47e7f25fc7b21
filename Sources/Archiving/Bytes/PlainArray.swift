/// A growing array of plain values in memory of its own: no reference count, no bounds trap in the byte loop, no copy.
///
/// The archiver's tables are made of these. Indices come from the tables' own counts, never from input.
struct PlainArray<Element: BitwiseCopyable>: ~Copyable {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        self.capacity = max(capacity, 1)
        base = Self.reallocate(nil, capacity: self.capacity)
    }

    deinit {
        Platform.release(UnsafeMutableRawPointer(base))
    }

    @inline(__always)
    subscript(index: Int) -> Element {
        get {
            assert(index >= 0 && index < count)
            return base[index]
        }
        set {
            assert(index >= 0 && index < count)
            base[index] = newValue
        }
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow(1) }
        base[count] = element
        count &+= 1
    }

    @inline(__always)
    mutating func reserve(_ additional: Int) {
        if additional > capacity - count { grow(additional) }
    }

    /// Counts `additional` elements that were stored at `base + count`, after a `reserve(_:)` for them.
    @inline(__always)
    mutating func advance(_ additional: Int) {
        count &+= additional
    }

    mutating func removeLast() -> Element {
        precondition(count > 0, "An empty array has no last element")
        count &-= 1
        return base[count]
    }

    /// Forgets the elements from `count` on.
    mutating func truncate(to count: Int) {
        precondition(count >= 0 && count <= self.count, "An array is only ever shortened by truncate(to:)")
        self.count = count
    }

    mutating func removeFirst(_ removed: Int) {
        precondition(removed >= 0 && removed <= count, "\(removed) of \(count) elements")
        count &-= removed
        base.update(from: base + removed, count: count)
    }

    mutating func removeAll() {
        count = 0
    }

    @inline(__always)
    var elements: UnsafeMutableBufferPointer<Element> { UnsafeMutableBufferPointer(start: base, count: count) }

    @inline(never)
    private mutating func grow(_ additional: Int) {
        capacity = max(capacity * 2, count + additional)
        base = Self.reallocate(UnsafeMutableRawPointer(base), capacity: capacity)
    }

    private static func reallocate(
        _ memory: UnsafeMutableRawPointer?, capacity: Int
    ) -> UnsafeMutablePointer<Element> {
        let (byteCount, overflow) = capacity.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        precondition(!overflow, "A table of \(capacity) elements")
        return Platform.reallocate(memory, byteCount: byteCount).bindMemory(to: Element.self, capacity: capacity)
    }
}
