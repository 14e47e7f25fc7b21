// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The instances that were created before their fields were read: those of classes with declared fields.
///
/// A reference to such an instance needs only the instance, so that references form cycles and chains of any length without
/// recursion. The list has every instance of a decoding, in the order of creation: first those whose fields are read, then those
/// that wait.
final class UnfilledInstances {
    struct Item: BitwiseCopyable {
        let entry: DecodedInstanceTable.Index
        let reader: UInt32
        let path: CodingPathTable.Index
        /// The number of entries of the object, and their place, so that the object is looked up once. The number is that of all bits
        /// if the object has to be looked up again.
        private let entryCount: UInt32
        private let payload: Int

        @inline(__always)
        fileprivate init(
            _ entry: DecodedInstanceTable.Index, _ reader: UInt32, _ path: CodingPathTable.Index, _ node: Node
        ) {
            self.entry = entry
            self.reader = reader
            self.path = path
            entryCount = node.kind == .dictionary ? UInt32(clamping: node.count) : .max
            payload = node.payload
        }

        /// The object; nil if it has to be looked up.
        @inline(__always)
        var node: Node? { entryCount == .max ? nil : Node(kind: .dictionary, count: Int(entryCount), payload: payload) }
    }

    private let items = PlainTable<Item>()
    private var begunCount = 0
    /// The instance whose fields are being read; 0 if there is none.
    private(set) var current: DecodedInstanceTable.Index = 0
    /// Whether fields are being read whose values no code of the program creates. The others are postponed.
    private(set) var isPostponing = false
    let postponed = PostponedFields()
    /// The fields with elements to be hashed. They are read after `postponed`.
    let hashed = PostponedFields()
    /// Whether postponed fields are being read. Those that are postponed meanwhile are read after them, so nothing recurses.
    private(set) var isFinishing = false
    private let readers = ValueList<DecodingType>()
    private var lastReader: DecodingType?
    private var lastNumber: UInt32 = 0

    private static var keptCapacity: Int { 1024 }
    var isEmpty: Bool { items.count == 0 }
    var hasPending: Bool { begunCount < items.count }
    var isIncomplete: Bool { hasPending || !postponed.isEmpty || !hashed.isEmpty }

    @inline(__always)
    func append(_ entry: DecodedInstanceTable.Index, _ node: Node, _ reader: DecodingType, path: CodingPathTable.Index)
    {
        items.append(Item(entry, number(of: reader), path, node))
    }

    @inline(__always)
    func number(of reader: DecodingType) -> UInt32 {
        if reader !== lastReader { find(reader) }
        return lastNumber
    }

    @inline(never)
    private func find(_ reader: DecodingType) {
        let number = readers.all.firstIndex { $0 === reader } ?? readers.append(reader) - 1
        lastReader = reader
        lastNumber = UInt32(truncatingIfNeeded: number)
    }

    func reader(of field: PostponedFields.Field) -> DecodingType { readers[Int(field.reader)] }

    struct Mark {
        var postponed = 0
        var hashed = 0
    }

    var mark: Mark { Mark(postponed: postponed.count, hashed: hashed.count) }

    var nextReader: (number: UInt32, reader: DecodingType)? {
        guard hasPending else { return nil }
        let item = items[begunCount]
        return (item.reader, readers[Int(item.reader)])
    }

    /// Begins with the fields of the next instance, if the reader with the number `reader` reads them.
    ///
    /// - Returns: The instance, and the one whose fields were being read before.
    @inline(__always)
    func begin(ofReader reader: UInt32) -> (item: Item, outer: DecodedInstanceTable.Index)? {
        guard hasPending else { return nil }
        let item = items[begunCount]
        guard item.reader == reader else { return nil }
        begunCount &+= 1
        let outer = current
        current = item.entry
        return (item, outer)
    }

    func end(_ outer: DecodedInstanceTable.Index) { current = outer }

    /// Returns the result of `body` while fields are postponed, or not.
    ///
    /// - Parameter owner: The instance whose fields `body` reads; 0 if it finds them itself.
    func postponing<Result>(
        _ isPostponing: Bool, of owner: DecodedInstanceTable.Index = 0, _ body: () throws -> Result
    ) rethrows -> Result {
        let outer = (self.isPostponing, current)
        (self.isPostponing, current) = (isPostponing, owner)
        defer { (self.isPostponing, current) = outer }
        return try body()
    }

    func finishing<Result>(_ body: () throws -> Result) rethrows -> Result {
        let outer = isFinishing
        isFinishing = true
        defer { isFinishing = outer }
        return try body()
    }

    /// Calls `body` with each instance in `table`, and its reader, the one that was created last first.
    ///
    /// - Parameter onlyFilled: Whether instances are omitted whose fields are not read: those of a value whose error the program
    ///   has caught.
    func forEach(
        in table: DecodedInstanceTable, onlyFilled: Bool = false, _ body: (DecodingType, inout AnyObject) throws -> Void
    ) rethrows {
        var position = onlyFilled ? begunCount : items.count
        while position > 0 {
            // Most instances have the reader of the one before, which needs one reference for all of them.
            let number = items[position - 1].reader
            let reader = readers[Int(number)]
            while position > 0, items[position - 1].reader == number {
                position -= 1
                guard var object = table.completeInstance(items[position].entry) else { continue }
                try body(reader, &object)
            }
        }
    }

    func removeAll() {
        begunCount = 0
        current = 0
        guard items.count > 0 else { return }
        isPostponing = false
        isFinishing = false
        postponed.removeAll()
        hashed.removeAll()
        items.removeAll(keepingCapacity: Self.keptCapacity)
        readers.removeAll()
        lastReader = nil
    }
}

extension DecodingSession {
    /// Calls the methods of all instances with declared fields that follow the decoding. An error fails the whole decoding.
    func finishFilled() throws {
        do {
            try unfilled.forEach(in: instances, onlyFilled: true) { try $0.didFinish(&$1) }
        } catch {
            fail(error)
            throw error
        }
    }

    /// Clears the fields of all instances: the decoding has failed, and they may refer to each other.
    func clearFilled() {
        unfilled.forEach(in: instances) { $0.clear($1) }
        unfilled.removeAll()
    }
}

/// Declared fields that are read after the plain fields of all instances, first in, first out: those whose values code of the program
/// creates, and those whose elements are hashed.
final class PostponedFields {
    struct Field: BitwiseCopyable {
        /// The entry of the owner in the table of instances; 0 once the field is being read.
        fileprivate(set) var owner: DecodedInstanceTable.Index
        let uid: UInt32
        let reader: UInt32
        let path: CodingPathTable.Index
        /// The number of the field; that of all bits for all fields of the owner.
        let number: UInt32
        /// The position of its value among those of the object; negative if the value is not there.
        let position: Int32

        var isWhole: Bool { number == .max }
    }

    private let fields = PlainTable<Field>()
    private var takenCount = 0

    var count: Int { fields.count }
    var isEmpty: Bool { takenCount == fields.count }
    func append(_ field: Field) { fields.append(field) }

    func take(after mark: Int) -> Field? {
        var position = max(mark, takenCount)
        while position < fields.count, fields[position].owner == 0 { position += 1 }
        guard position < fields.count else { return nil }
        let field = fields[position]
        fields[position].owner = 0
        while takenCount < fields.count, fields[takenCount].owner == 0 { takenCount += 1 }
        return field
    }

    func removeAll() {
        if fields.count > 0 { fields.removeAll(keepingCapacity: 64) }
        takenCount = 0
    }
}
