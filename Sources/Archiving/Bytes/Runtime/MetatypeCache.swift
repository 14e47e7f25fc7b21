import Synchronization

/// The facts about types, for the whole process: read without a lock, written under one.
///
/// The facts about a type never change, so objects are entered once and never released. A lookup is a hash and,
/// usually, one comparison: it happens for every type in every call.
final class MetatypeCache<Object: AnyObject>: Sendable {
    /// Keys and objects alternately: a power of two of pairs after a word with the mask. A table that has become too
    /// small is left to its readers.
    private let table: Atomic<UInt>
    private let count = Mutex(0)

    private static var initialCapacity: Int { 64 }

    init() {
        table = Atomic(UInt(bitPattern: Self.makeTable(capacity: Self.initialCapacity)))
    }

    private static func makeTable(capacity: Int) -> UnsafeMutablePointer<Atomic<UInt>> {
        let words = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: 1 + 2 * capacity)
        words.initialize(to: Atomic(UInt(capacity - 1)))
        for index in 1...(2 * capacity) { (words + index).initialize(to: Atomic(0)) }
        return words
    }

    private static func place(_ key: UInt, _ probe: UInt, _ mask: UInt) -> Int {
        Int(bitPattern: 1 &+ 2 &* (((key >> 4 ^ key >> 13) &+ probe) & mask))
    }

    /// The object for `key`, an address; nil if none was entered.
    func object(for key: UnsafeRawPointer) -> Unmanaged<Object>? {
        object(for: UInt(bitPattern: key))
    }

    private func object(for key: UInt) -> Unmanaged<Object>? {
        guard let words = UnsafeMutablePointer<Atomic<UInt>>(bitPattern: table.load(ordering: .acquiring)) else {
            return nil
        }
        let mask = words.pointee.load(ordering: .relaxed)
        var probe: UInt = 0
        while true {
            let place = Self.place(key, probe, mask)
            let other = words[place].load(ordering: .acquiring)
            if other == 0 { return nil }
            if other == key, let object = UnsafeRawPointer(bitPattern: words[place + 1].load(ordering: .relaxed)) {
                return .fromOpaque(object)
            }
            probe &+= 1
        }
    }

    /// Returns the object for `key`, and enters `object` if there was none.
    func enter(_ object: Object, for key: UnsafeRawPointer) -> Unmanaged<Object> {
        let made = Unmanaged.passRetained(object)
        let address = UInt(bitPattern: made.toOpaque())
        let key = UInt(bitPattern: key)
        let entered = count.withLock { enter(address, for: key, count: &$0) }
        return entered == address ? made : self.object(for: key) ?? made
    }

    /// Returns the address for `key`, and enters `address` if there was none. Called under the lock.
    private func enter(_ address: UInt, for key: UInt, count: inout Int) -> UInt {
        if let known = object(for: key) { return UInt(bitPattern: known.toOpaque()) }
        guard var words = UnsafeMutablePointer<Atomic<UInt>>(bitPattern: table.load(ordering: .relaxed)) else {
            return address
        }
        let mask = words.pointee.load(ordering: .relaxed)
        count += 1
        if count * 2 > mask {
            let grown = Self.makeTable(capacity: 4 * Int(mask + 1))
            for index in 0...Int(mask) {
                let other = words[1 + 2 * index].load(ordering: .relaxed)
                if other != 0 { Self.store(other, words[2 + 2 * index].load(ordering: .relaxed), in: grown) }
            }
            table.store(UInt(bitPattern: grown), ordering: .releasing)
            words = grown
        }
        Self.store(key, address, in: words)
        return address
    }

    private static func store(_ key: UInt, _ object: UInt, in words: UnsafeMutablePointer<Atomic<UInt>>) {
        let mask = words.pointee.load(ordering: .relaxed)
        var probe: UInt = 0
        while words[place(key, probe, mask)].load(ordering: .relaxed) != 0 { probe &+= 1 }
        let place = place(key, probe, mask)
        // The key last: a reader that finds the key also finds the object.
        words[place + 1].store(object, ordering: .relaxed)
        words[place].store(key, ordering: .releasing)
    }
}
