/// A growing table of plain values in memory of its own.
///
/// Every index is checked, so that no use of a table is unsafe. A table is an object, which its users hold as a constant: an
/// access needs neither reference counting nor an exclusivity check.
final class PlainTable<Element: BitwiseCopyable> {
    /// The memory, with room for `capacity` elements. Without capacity, an address that is never used.
    private var base: UnsafeMutablePointer<Element>
    private(set) var capacity = 0
    /// The number of elements.
    private(set) var count = 0

    /// Creates an empty table without memory.
    init() {
        // Safe because the address is not used before the capacity is greater than 0.
        base = UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped
    }

    /// Creates a table of `count` elements with the value `element`.
    convenience init(repeating element: Element, count: Int) {
        self.init()
        append(element, count: count)
    }

    deinit { release() }

    private func release() {
        // Safe because `grow` allocated the memory, and no other object has its address.
        if capacity > 0 { Platform.release(UnsafeMutableRawPointer(base)) }
    }

    @inline(__always)
    subscript(index: Int) -> Element {
        get {
            precondition(index >= 0 && index < count, "An index of a table is out of range")
            // Safe because the index is below the count, and so many elements are initialised.
            return base[index]
        }
        set {
            precondition(index >= 0 && index < count, "An index of a table is out of range")
            // Safe because the index is below the count, and so many elements have memory.
            base[index] = newValue
        }
    }

    @inline(__always)
    func append(_ element: Element) {
        if count == capacity { grow(1) }
        // Safe because the count is below the capacity.
        base[count] = element
        count &+= 1
    }

    /// Appends `additional` elements with the value `element`.
    func append(_ element: Element, count additional: Int) {
        precondition(additional >= 0, "A table cannot have fewer elements than none")
        if additional > capacity - count { grow(additional) }
        // Safe because the capacity is at least the new count.
        (base + count).initialize(repeating: element, count: additional)
        count += additional
    }

    func removeLast() -> Element {
        precondition(count > 0, "An empty table has no last element")
        count &-= 1
        // Safe because the index was below the count.
        return base[count]
    }

    /// Removes the elements from `count` on.
    func truncate(to count: Int) {
        precondition(count >= 0 && count <= self.count, "A table cannot be truncated to more elements than it has")
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
        let stride = MemoryLayout<Element>.stride
        let (byteCount, overflow) = max(
            capacity * Platform.growth(ofByteCount: capacity * stride), count + additional, 8
        ).multipliedReportingOverflow(by: stride)
        precondition(!overflow, "A table has too many elements")
        // Safe because the old memory comes from the same function, and is not used afterwards.
        let grown = Platform.reallocate(capacity > 0 ? UnsafeMutableRawPointer(base) : nil, byteCount: byteCount)
        capacity = byteCount / stride
        // Safe because the memory has room for so many elements, of which the first are moved there.
        base = grown.bindMemory(to: Element.self, capacity: capacity)
    }
}
