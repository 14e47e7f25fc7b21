/// Memory for a table of plain elements.
struct TableMemory<Element: BitwiseCopyable>: ~Copyable {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var capacity: Int
    /// Whether the memory is a separate block.
    private(set) var isOwned: Bool

    /// Allocates a separate block of zeroed memory for `capacity` elements.
    init(capacity: Int) {
        self.capacity = capacity
        base = Self.allocate(capacity)
        isOwned = true
    }

    /// Allocates a separate block of memory for `capacity` elements, not zeroed.
    init(plainCapacity capacity: Int) {
        self = .empty
        resize(to: capacity, keeping: 0)
    }

    /// Borrows memory for `capacity` elements, whose owner keeps it for as long as the table lives.
    init(borrowing base: UnsafeMutablePointer<Element>, capacity: Int) {
        self.base = base
        self.capacity = capacity
        isOwned = false
    }

    /// A table without capacity.
    static var empty: TableMemory {
        // The address is never used: every index is compared with the capacity first.
        TableMemory(borrowing: UnsafeMutablePointer<Element>.nowhere, capacity: 0)
    }

    deinit {
        if isOwned { Platform.release(UnsafeMutableRawPointer(base)) }
    }

    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Element> {
        let (byteCount, overflow) = capacity.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        precondition(!overflow, "A table cannot have \(capacity) elements")
        return Platform.allocateZeroed(byteCount: byteCount).bindMemory(to: Element.self, capacity: capacity)
    }

    /// Changes the memory to `capacity` elements. The first `count` are kept, the others are not zeroed.
    mutating func resize(to capacity: Int, keeping count: Int) {
        let (byteCount, overflow) = capacity.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        precondition(!overflow, "A table cannot have \(capacity) elements")
        let old = UnsafeMutableRawPointer(base)
        let grown = Platform.reallocate(isOwned ? old : nil, byteCount: byteCount)
        if !isOwned { grown.copyMemory(from: old, byteCount: count * MemoryLayout<Element>.stride) }
        base = grown.bindMemory(to: Element.self, capacity: capacity)
        self.capacity = capacity
        isOwned = true
    }

    /// Sets all bytes to zero.
    func clear() {
        UnsafeMutableRawPointer(base).initializeMemory(
            as: UInt8.self, repeating: 0, count: capacity * MemoryLayout<Element>.stride)
    }

    @inline(__always)
    subscript(index: Int) -> Element {
        get { base[index] }
        nonmutating set { base[index] = newValue }
    }
}

extension UnsafeMutablePointer {
    /// An address that is never read or written.
    fileprivate static var nowhere: UnsafeMutablePointer<Pointee> {
        guard let address = UnsafeMutablePointer<Pointee>(bitPattern: MemoryLayout<Pointee>.alignment) else {
            preconditionFailure("An alignment of 0")
        }
        return address
    }
}
