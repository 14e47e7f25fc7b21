import Synchronization

/// One block of zeroed memory that the first, small tables of a coder are cut from.
///
/// A coder is made afresh for every call, and most calls are for one small value: a dozen tables that each ask the
/// allocator for their first hundred bytes would cost more than the value.
struct Arena: ~Copyable {
    private let base: UnsafeMutableRawPointer
    /// Bytes from the front that were given as zeroed memory, and are zeroed again at the end.
    private var zeroed = 0
    /// Bytes from the back that were given as they were.
    private var plain = 0

    private static var capacity: Int { 16 * 1024 }
    /// The part of the block that zeroed memory is cut from.
    private static var zeroedCapacity: Int { 8 * 1024 }

    /// A block that a coder has left for the next one, its front zeroed. 0 while there is none.
    private static let left = Atomic<UInt>(0)

    init() {
        base =
            UnsafeMutableRawPointer(bitPattern: Self.left.exchange(0, ordering: .acquiring))
            ?? Platform.allocateZeroed(byteCount: Self.capacity)
    }

    deinit {
        base.initializeMemory(as: UInt8.self, repeating: 0, count: zeroed)
        let other = Self.left.exchange(UInt(bitPattern: base), ordering: .acquiringAndReleasing)
        if let other = UnsafeMutableRawPointer(bitPattern: other) { Platform.release(other) }
    }

    private static func byteCount<Value: ~Copyable>(_ count: Int, of type: Value.Type) -> Int {
        (count * MemoryLayout<Value>.stride + 15) & ~15
    }

    /// Memory for `count` values, all bytes zero, as long as the arena lives; nil where the block is used up.
    mutating func takeZeroed<Value: ~Copyable>(_ count: Int, of type: Value.Type) -> UnsafeMutablePointer<Value>? {
        let byteCount = Self.byteCount(count, of: type)
        guard byteCount <= Self.zeroedCapacity - zeroed else { return nil }
        defer { zeroed += byteCount }
        return (base + zeroed).bindMemory(to: type, capacity: count)
    }

    /// Memory for `count` values, as long as the arena lives; nil where the block is used up.
    mutating func take<Value: ~Copyable>(_ count: Int, of type: Value.Type) -> UnsafeMutablePointer<Value>? {
        let byteCount = Self.byteCount(count, of: type)
        guard byteCount <= Self.capacity - Self.zeroedCapacity - plain else { return nil }
        plain += byteCount
        return (base + (Self.capacity - plain)).bindMemory(to: type, capacity: count)
    }

    /// Whether `address` lies in the arena.
    func contains(_ address: UnsafeRawPointer) -> Bool {
        let offset = address - UnsafeRawPointer(base)
        return offset >= 0 && offset < Self.capacity
    }
}

/// Memory for a table of plain elements: part of an arena at first, a block of its own once it has grown.
struct TableMemory<Element: BitwiseCopyable>: ~Copyable {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var capacity: Int
    /// Whether the memory is a block of its own.
    private(set) var isOwned: Bool

    /// Zeroed memory for `capacity` elements.
    init(capacity: Int, in arena: inout Arena) {
        self.capacity = capacity
        if let part = arena.takeZeroed(capacity, of: Element.self) {
            base = part
            isOwned = false
        } else {
            base = Self.allocate(capacity)
            isOwned = true
        }
    }

    /// Memory for `capacity` elements, as it is.
    init(plainCapacity capacity: Int, in arena: inout Arena) {
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

    /// Memory for `capacity` elements, as it is, a block of its own.
    init(plainCapacity capacity: Int) {
        self = .empty
        grow(to: capacity, keeping: 0)
    }

    /// Memory for `capacity` elements that somebody else owns, and keeps for as long as the table lives.
    init(borrowing base: UnsafeMutablePointer<Element>, capacity: Int) {
        self.base = base
        self.capacity = capacity
        isOwned = false
    }

    /// A table without room.
    static var empty: TableMemory {
        // The address is never used: every index is checked against the capacity first.
        TableMemory(borrowing: UnsafeMutablePointer<Element>.nowhere, capacity: 0)
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
    /// An address that nothing is read from or written to.
    fileprivate static var nowhere: UnsafeMutablePointer<Pointee> {
        guard let address = UnsafeMutablePointer<Pointee>(bitPattern: MemoryLayout<Pointee>.alignment) else {
            preconditionFailure("An alignment of 0")
        }
        return address
    }
}
