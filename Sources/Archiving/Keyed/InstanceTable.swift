/// The class instances that were made from an archive, by uid and type, so that every reference to one gives the same.
///
/// An object that is asked for as two types becomes two instances.
struct InstanceTable: ~Copyable {
    enum State {
        /// Nobody has asked for it.
        case unknown
        /// It is being decoded.
        case inProgress
        case complete(UnsafeRawPointer)
    }

    /// Not private: Swift 6.3 crashes on a debug build where another file destroys a table of private entries.
    struct Entry: BitwiseCopyable {
        var type: UnsafeRawPointer
        /// The instance, retained; nil while it is being decoded.
        var object: UnsafeRawPointer?
        /// The entry of the same uid for another type. 0 for none.
        var next: UInt32
    }

    /// The first entry of each uid, 0 for none. Untouched pages cost nothing.
    private var first: UnsafeMutablePointer<UInt32>?
    private var entries = PlainArray<Entry>()
    private let slotCount: Int

    init(slotCount: Int) {
        self.slotCount = slotCount
    }

    deinit {
        for index in 0..<entries.count {
            if let object = entries[index].object { Unmanaged<AnyObject>.fromOpaque(object).release() }
        }
        if let first { Platform.release(UnsafeMutableRawPointer(first)) }
    }

    private mutating func firstEntries() -> UnsafeMutablePointer<UInt32> {
        if let first { return first }
        let made = Platform.allocateZeroed(byteCount: slotCount * MemoryLayout<UInt32>.stride)
            .bindMemory(to: UInt32.self, capacity: slotCount)
        first = made
        return made
    }

    private func index(_ uid: UInt32, _ type: UnsafeRawPointer) -> Int? {
        guard let first else { return nil }
        var index = first[Int(uid)]
        while index != 0 {
            if entries[Int(index) - 1].type == type { return Int(index) - 1 }
            index = entries[Int(index) - 1].next
        }
        return nil
    }

    /// What is known of the object `uid`, a uid of the archive, as `type`.
    func state(_ uid: UInt32, as type: UnsafeRawPointer) -> State {
        guard let index = index(uid, type) else { return .unknown }
        guard let object = entries[index].object else { return .inProgress }
        return .complete(object)
    }

    /// Notes that the object `uid`, whose state is unknown, is being decoded as `type`.
    mutating func begin(_ uid: UInt32, as type: UnsafeRawPointer) {
        let first = firstEntries()
        entries.append(Entry(type: type, object: nil, next: first[Int(uid)]))
        first[Int(uid)] = UInt32(truncatingIfNeeded: entries.count)
    }

    /// Enters the instance that the object `uid` became, and retains it.
    mutating func complete(_ uid: UInt32, as type: UnsafeRawPointer, with object: UnsafeRawPointer) {
        guard let index = index(uid, type), entries[index].object == nil else { return }
        _ = Unmanaged<AnyObject>.fromOpaque(object).retain()
        entries[index].object = object
    }

    /// Forgets that the object `uid` was being decoded as `type`: it failed, and may be asked for again.
    mutating func abandon(_ uid: UInt32, as type: UnsafeRawPointer) {
        guard let first, let index = index(uid, type), entries[index].object == nil else { return }
        // The entry stays in the list, without an uid that leads to it.
        let next = entries[index].next
        let number = UInt32(truncatingIfNeeded: index + 1)
        if first[Int(uid)] == number {
            first[Int(uid)] = next
            return
        }
        var other = first[Int(uid)]
        while other != 0 {
            if entries[Int(other) - 1].next == number {
                entries[Int(other) - 1].next = next
                return
            }
            other = entries[Int(other) - 1].next
        }
    }
}
