// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

struct PendingInstance {
    let object: AnyObject
    let slot: ArchiveGraph.Slot
    let path: CodingPathTable.Index
}

/// The instances whose contents are still to be written: a queue with reusable memory.
///
/// An instance gets its uid at the first reference. Its contents follow when the instance before it is complete. References
/// between instances therefore use no stack, at any length of a chain.
///
/// The object table has the same instances in the same order, and this queue stores only the additional data.
final class PendingInstances {
    struct Item: BitwiseCopyable {
        let writer: UInt32
        let slot: UInt32
        let path: CodingPathTable.Index
    }

    private let items = PlainTable<Item>()
    private var first = 0
    private var number = 0

    static var keptCapacity: Int { 4096 }

    /// The number of written items from which they are removed, if they are half of all.
    static var writtenLimit: Int { 1024 }

    var hasGrown: Bool { items.capacity > Self.keptCapacity }

    var capacity: Int { items.capacity }

    var isEmpty: Bool { first >= items.count }

    @inline(__always)
    func append(_ item: Item) { items.append(item) }

    func firstWriter() -> UInt32? {
        guard first < items.count else {
            clear()
            return nil
        }
        return items[first].writer
    }

    /// Removes and returns the next item, with the position of its instance in the object table; nil if there is none, or if it
    /// has another writer.
    @inline(__always)
    func popFirst(of writer: UInt32) -> (item: Item, number: Int)? {
        guard first < items.count else { return nil }
        let item = items[first]
        guard item.writer == writer else { return nil }
        first &+= 1
        if first >= Self.writtenLimit, first &* 2 >= items.count { removeWritten() }
        defer { number &+= 1 }
        return (item, number)
    }

    @inline(never)
    private func removeWritten() {
        items.removeFirst(first)
        first = 0
        // A queue that becomes shorter returns its memory, which the other tables need at the end.
        if items.count &* 4 < items.capacity { items.shrink(keepingCapacity: items.count &* 2) }
    }

    private func clear() {
        first = 0
        items.removeAll(keepingCapacity: Self.keptCapacity)
    }

    func reset() {
        clear()
        number = 0
    }
}

// MARK: - Writers

/// Writes the contents of the instances of one type. There is a subclass for each way in which a class encodes
/// itself.
class InstanceWriter {
    private(set) final var number: UInt32 = 0

    /// Creates a writer, which `session` retains.
    init(in session: EncodingSession) { number = session.enter(self) }

    /// Returns the instance that is archived for `object`, an instance of the class that has no uid.
    ///
    /// - Parameter path: The coding path of the reference.
    func archivedInstance(
        for object: AnyObject, in session: EncodingSession, _ path: CodingPathTable.Index
    ) throws -> ArchivedInstance {
        .itself(writer: number)
    }

    /// Writes the contents of the next pending instances of `session`, up to the first one that has another writer.
    ///
    /// - Parameter count: The number of instances that the call has written.
    func writePending(of session: EncodingSession, _ count: inout Int) throws {
        while let instance = try session.nextPendingInstance(of: number, &count) { try write(instance) }
    }

    /// Writes the contents of `instance` and fills its slot. A subclass that overrides `writePending` does not need it.
    func write(_ instance: PendingInstance) throws {
        preconditionFailure("InstanceWriter is abstract")
    }

    func reset() {}
}
