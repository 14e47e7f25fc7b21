import Synchronization

/// A block of zeroed memory for the first, small tables of a coder.
///
/// A coder is created for every call, and most calls are for one small value. A dozen tables that each allocate their
/// first hundred bytes would cost more than the value.
struct Arena: ~Copyable {
    private let base: UnsafeMutableRawPointer
    /// The number of bytes from the front that were taken as zeroed memory, and are zeroed again at the end.
    private var zeroed = 0
    /// The number of bytes from the back that were taken without zeroing.
    private var plain = 0

    private static var capacity: Int { 16 * 1024 }
    /// The part of the block for zeroed memory.
    private static var zeroedCapacity: Int { 8 * 1024 }

    /// A block that a coder has left for the next one, with zeros at its front. 0 if there is none.
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

    /// Takes memory for `count` values, all bytes zero, which lives as long as the arena; nil if the block is used up.
    mutating func takeZeroed<Value: ~Copyable>(_ count: Int, of type: Value.Type) -> UnsafeMutablePointer<Value>? {
        let byteCount = Self.byteCount(count, of: type)
        guard byteCount <= Self.zeroedCapacity - zeroed else { return nil }
        defer { zeroed += byteCount }
        return (base + zeroed).bindMemory(to: type, capacity: count)
    }

    /// Takes memory for `count` values, which lives as long as the arena; nil if the block is used up.
    mutating func take<Value: ~Copyable>(_ count: Int, of type: Value.Type) -> UnsafeMutablePointer<Value>? {
        let byteCount = Self.byteCount(count, of: type)
        guard byteCount <= Self.capacity - Self.zeroedCapacity - plain else { return nil }
        plain += byteCount
        return (base + (Self.capacity - plain)).bindMemory(to: type, capacity: count)
    }

    /// Returns whether `address` is in the arena.
    func contains(_ address: UnsafeRawPointer) -> Bool {
        let offset = address - UnsafeRawPointer(base)
        return offset >= 0 && offset < Self.capacity
    }
}

/// Memory for a table of plain elements: a part of an arena at first, a separate block once it has grown.
struct TableMemory<Element: BitwiseCopyable>: ~Copyable {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var capacity: Int
    /// Whether the memory is a separate block.
    private(set) var isOwned: Bool

    /// Takes zeroed memory for `capacity` elements.
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

    /// Takes memory for `capacity` elements, not zeroed.
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
