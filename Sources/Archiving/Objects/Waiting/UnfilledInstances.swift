/// The instances that were created before their fields were read: those of classes with declared fields.
///
/// A reference to such an instance needs nothing but the instance, so that references form cycles and chains of any length without
/// recursion. The list has every instance of a decoding, in the order of creation: first those whose fields are read, then those
/// that wait.
final class UnfilledInstances {
    struct Item: BitwiseCopyable {
        /// The entry in the table of instances.
        let entry: InstanceTable.Index
        /// The number of the reader.
        let reader: UInt32
        /// The coding path of the reference that created the instance.
        let path: CodingPathTable.Index
    }

    private let items = PlainTable<Item>()
    /// The number of items whose fields are read, or being read.
    private var begunCount = 0
    /// The number of items that know that their decoding is complete.
    private var finishedCount = 0
    /// The instance whose fields are being read; 0 if there is none.
    private(set) var current: InstanceTable.Index = 0
    private let readers = ValueList<InstanceReader>()
    private var lastReader: InstanceReader?
    private var lastNumber: UInt32 = 0

    /// The number of items whose memory is kept for the next archive.
    private static var keptCapacity: Int { 1024 }

    /// Whether there is no instance at all.
    var isEmpty: Bool { items.count == 0 }

    /// Whether there are instances whose fields are not read.
    @inline(__always)
    var hasPending: Bool { begunCount < items.count }

    /// Appends the instance with the entry `entry`, whose fields `reader` reads.
    @inline(__always)
    func append(_ entry: InstanceTable.Index, _ reader: InstanceReader, path: CodingPathTable.Index) {
        if reader !== lastReader { find(reader) }
        items.append(Item(entry: entry, reader: lastNumber, path: path))
    }

    @inline(never)
    private func find(_ reader: InstanceReader) {
        let number = readers.all.firstIndex { $0 === reader } ?? readers.append(reader) - 1
        lastReader = reader
        lastNumber = UInt32(truncatingIfNeeded: number)
    }

    /// The reader of the fields of `item`.
    @inline(__always)
    func reader(of item: Item) -> InstanceReader { readers[Int(item.reader)] }

    /// Begins with the fields of the next instance. There must be one.
    ///
    /// - Returns: The instance, and the one whose fields were being read before.
    @inline(__always)
    func begin() -> (item: Item, outer: InstanceTable.Index) {
        let item = items[begunCount]
        begunCount &+= 1
        let outer = current
        current = item.entry
        return (item, outer)
    }

    /// Continues with the instance `outer`.
    @inline(__always)
    func end(_ outer: InstanceTable.Index) { current = outer }

    /// Calls `body` with each instance in `table` whose decoding was completed since the last call, and its reader. The table may
    /// have released some.
    func finish(in table: InstanceTable, _ body: (InstanceReader, AnyObject) throws -> Void) rethrows {
        while finishedCount < items.count {
            let item = items[finishedCount]
            finishedCount += 1
            if let object = table.completeInstance(item.entry) { try body(reader(of: item), object) }
        }
    }

    /// Removes the instances in `table` that no complete decoding has, and calls `body` with each of them, and its reader.
    func removeUnfinished(in table: InstanceTable, _ body: (InstanceReader, AnyObject) -> Void) {
        for position in finishedCount..<items.count {
            let item = items[position]
            if let object = table.completeInstance(item.entry) { body(reader(of: item), object) }
        }
        items.truncate(to: finishedCount)
        begunCount = finishedCount
        current = 0
    }

    func removeAll() {
        begunCount = 0
        finishedCount = 0
        current = 0
        guard items.count > 0 else { return }
        items.removeAll(keepingCapacity: Self.keptCapacity)
        readers.removeAll()
        lastReader = nil
    }
}

extension GraphReading {
    /// Tells every instance with declared fields that the decoding is complete.
    func finishFilled() throws { try unfilled.finish(in: instances) { try $0.didFinish($1) } }

    /// Clears the fields of all instances: the decoding has failed, and they may refer to each other.
    func clearFilled() { unfilled.removeUnfinished(in: instances) { $0.clear($1) } }
}
