/// One block of zeroed memory that the first, small tables of a coder are cut from.
///
/// A coder is made afresh for every call, and most calls are for one small value: a dozen tables that each ask the
/// allocator for their first hundred bytes would cost more than the value.
struct Arena: ~Copyable {
    private let base: UnsafeMutableRawPointer
    private var used = 0
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        base = Platform.allocateZeroed(byteCount: capacity)
    }

    deinit {
        Platform.release(base)
    }

    /// Memory for `count` elements, all bytes zero, as long as the arena lives; nil where the block is used up.
    mutating func take<Element: BitwiseCopyable>(
        _ count: Int, of type: Element.Type
    ) -> UnsafeMutablePointer<Element>? {
        let byteCount = (count * MemoryLayout<Element>.stride + 15) & ~15
        guard byteCount <= capacity - used else { return nil }
        defer { used += byteCount }
        return (base + used).bindMemory(to: type, capacity: count)
    }
}

/// Memory for a table of plain elements: part of an arena at first, a block of its own once it has grown.
struct TableMemory<Element: BitwiseCopyable>: ~Copyable {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var capacity: Int
    private var isOwned: Bool

    /// Zeroed memory for `capacity` elements.
    init(capacity: Int, in arena: inout Arena) {
        self.capacity = capacity
        if let part = arena.take(capacity, of: Element.self) {
            base = part
            isOwned = false
        } else {
            base = Self.allocate(capacity)
            isOwned = true
        }
    }

    /// Zeroed memory for `capacity` elements, a block of its own.
    init(capacity: Int) {
        self.capacity = capacity
        base = Self.allocate(capacity)
        isOwned = true
    }

    /// Memory for `capacity` elements that somebody else owns, and keeps for as long as the table lives.
    init(borrowing base: UnsafeMutablePointer<Element>, capacity: Int) {
        self.base = base
        self.capacity = capacity
        isOwned = false
    }

    deinit {
        if isOwned { Platform.release(UnsafeMutableRawPointer(base)) }
    }

    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Element> {
        let (byteCount, overflow) = capacity.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        precondition(!overflow, "A table of \(capacity) elements")
        return Platform.allocateZeroed(byteCount: byteCount).bindMemory(to: Element.self, capacity: capacity)
    }

    /// Gives the memory room for `capacity` elements. The first `count` are kept, the others are not zeroed.
    mutating func grow(to capacity: Int, keeping count: Int) {
        let (byteCount, overflow) = capacity.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        precondition(!overflow, "A table of \(capacity) elements")
        let old = UnsafeMutableRawPointer(base)
        let grown = Platform.reallocate(isOwned ? old : nil, byteCount: byteCount)
        if !isOwned { grown.copyMemory(from: old, byteCount: count * MemoryLayout<Element>.stride) }
        base = grown.bindMemory(to: Element.self, capacity: capacity)
        self.capacity = capacity
        isOwned = true
    }

    @inline(__always)
    subscript(index: Int) -> Element {
        get { base[index] }
        nonmutating set { base[index] = newValue }
    }
}
