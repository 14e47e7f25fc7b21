/// A binary property list as it lies in memory: nothing is materialised, every access is checked.
///
/// Memory safety rests here: a reference is checked against the object count, an offset against the object area, a count
/// against what is left of it, before a byte is read. The bytes are borrowed; whoever makes a reader keeps them alive.
package struct BinaryPropertyListReader: BitwiseCopyable, @unchecked Sendable {
    /// The objects: everything in front of the offset table.
    package let objects: NodeScanner
    let offsetSize: Int
    private let offsetWidth: BigEndianWidth
    private let referenceWidth: BigEndianWidth
    package let objectCount: Int
    /// The reference of the top object.
    package let top: Int
    /// What loads the bytes, where they are not all there from the beginning.
    private var pages: Unmanaged<PagedFile>?
    /// The number of objects that can be read without asking `pages`: all or none.
    private var presentCount: Int

    /// Checks header and trailer of `bytes`.
    ///
    /// - Parameter pages: What loads them, if they are the bytes of a file that is loaded page by page. Whoever makes a
    ///   reader keeps that alive as well.
    /// - Throws: `PropertyListError` where the bytes are no binary property list, or the trailer's figures do not fit the
    ///   file.
    init(_ bytes: UnsafeRawBufferPointer, pages: PagedFile? = nil) throws(PropertyListError) {
        let trailerSize = BinaryFormat.trailerSize
        if let pages, !pages.load(0, 8) || !pages.load(max(0, bytes.count - trailerSize), bytes.count) {
            throw PropertyListError(.truncated, at: bytes.count)
        }
        guard let base = bytes.baseAddress, Self.hasHeader(bytes) else {
            throw PropertyListError(.notAPropertyList, at: 0)
        }
        let trailerOffset = bytes.count - BinaryFormat.trailerSize
        guard trailerOffset > BinaryFormat.headerSize else {
            throw PropertyListError(.truncated, at: bytes.count)
        }
        let trailer = base + trailerOffset
        let offsetSize = Int(trailer.loadUnaligned(fromByteOffset: 6, as: UInt8.self))
        let referenceSize = Int(trailer.loadUnaligned(fromByteOffset: 7, as: UInt8.self))
        let objectCount = (trailer + 8).loadBigEndian(size: 8)
        let top = (trailer + 16).loadBigEndian(size: 8)
        let tableOffset = (trailer + 24).loadBigEndian(size: 8)
        func damaged(_ offset: Int, _ value: UInt64) -> PropertyListError {
            PropertyListError(.badTrailer, at: trailerOffset + offset, found: Int(clamping: value))
        }
        guard (1...16).contains(offsetSize) else { throw damaged(6, UInt64(offsetSize)) }
        guard (1...16).contains(referenceSize) else { throw damaged(7, UInt64(referenceSize)) }
        guard tableOffset > UInt64(BinaryFormat.headerSize), tableOffset < UInt64(trailerOffset) else {
            throw damaged(24, tableOffset)
        }
        let tableRoom = (UInt64(trailerOffset) - tableOffset) / UInt64(offsetSize)
        guard objectCount >= 1, objectCount <= tableRoom else { throw damaged(8, objectCount) }
        guard top < objectCount else { throw damaged(16, top) }
        self.objects = NodeScanner(base: base, limit: Int(tableOffset), referenceSize: referenceSize)
        self.offsetSize = offsetSize
        offsetWidth = BigEndianWidth(offsetSize)
        referenceWidth = BigEndianWidth(referenceSize)
        self.objectCount = Int(objectCount)
        self.top = Int(top)
        self.pages = pages.map(Unmanaged.passUnretained)
        presentCount = pages == nil ? Int(objectCount) : 0
    }

    /// A list without objects: every reference is out of its range.
    static let none = BinaryPropertyListReader()

    private init() {
        objects = NodeScanner(base: UnsafeRawPointer(BinaryFormat.headerText.utf8Start), limit: 0, referenceSize: 1)
        offsetSize = 1
        offsetWidth = BigEndianWidth(1)
        referenceWidth = BigEndianWidth(1)
        objectCount = 0
        top = 0
        pages = nil
        presentCount = 0
    }

    /// Whether `bytes` start like a binary property list of version 0, whatever its second digit.
    static func hasHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= BinaryFormat.headerSize, let base = bytes.baseAddress else { return false }
        return base.equals(UnsafeRawPointer(BinaryFormat.headerText.utf8Start), count: BinaryFormat.headerSize - 1)
    }
}

// MARK: - References

extension BinaryPropertyListReader {
    package var referenceSize: Int { objects.referenceSize }

    /// The bytes that objects, offset table and trailer take.
    var byteCount: Int { objects.limit + objectCount * offsetSize + BinaryFormat.trailerSize }

    /// Where the object `reference` lies.
    @inline(__always)
    package func offset(of reference: Int) throws(PropertyListError) -> Int {
        guard reference < presentCount else { return try loadedOffset(of: reference, withContents: true) }
        let entry = objects.base + (objects.limit &+ reference &* offsetSize)
        let offset = offsetWidth.load(entry)
        guard offset >= UInt64(BinaryFormat.headerSize), offset < UInt64(objects.limit) else {
            throw outOfRange(offset: offset, reference: reference)
        }
        return Int(offset)
    }

    /// What the offset table has for the object `reference`, which there is, whatever it is; nil if it cannot be read.
    func tableEntry(_ reference: Int) -> UInt64? {
        let entry = objects.limit + reference * offsetSize
        if let pages, !pages._withUnsafeGuaranteedRef({ $0.load(entry - 8, entry + offsetSize) }) { return nil }
        return offsetWidth.load(objects.base + entry)
    }

    /// As `offset(of:)`; nil where the object has to be loaded first, or there is none.
    @inline(__always)
    func presentOffset(of reference: Int) -> Int? {
        guard reference < presentCount else { return nil }
        let offset = offsetWidth.load(objects.base + (objects.limit &+ reference &* offsetSize))
        guard offset >= UInt64(BinaryFormat.headerSize), offset < UInt64(objects.limit) else { return nil }
        return Int(truncatingIfNeeded: offset)
    }

    @inline(__always)
    func node(_ reference: Int) throws(PropertyListError) -> Node {
        try objects.node(at: try offset(of: reference))
    }

    /// The reference at `position` of the list of references that starts at byte `list`; the caller has checked that it
    /// lies in the file, as `NodeScanner.node(at:)` does for a container's references.
    @inline(__always)
    package func reference(_ position: Int, in list: Int) -> Int {
        let value = referenceWidth.load(objects.base + (list &+ position &* referenceSize))
        return Int(truncatingIfNeeded: min(value, UInt64(Int.max)))
    }

    /// The references of an array of the file are read with `reference(_:in:)` only after its node was asked for here
    /// or with `node(_:)`. This is for the one array that is too large for that: its references are to be read with
    /// `loadedReference(_:in:)`.
    func nodeWithoutContents(_ reference: Int) throws(PropertyListError) -> Node {
        guard pages != nil else { return try node(reference) }
        return try objects.node(at: try loadedOffset(of: reference, withContents: false))
    }

    /// As `node(_:)`, but the bytes of long data and strings are not loaded: they are to be loaded with `loadContents(of:)`.
    func nodeWithoutLongContents(_ reference: Int) throws(PropertyListError) -> Node {
        guard pages != nil else { return try node(reference) }
        let found = try objects.node(at: try loadedOffset(of: reference, withContents: false))
        return found.isLongLeaf ? found : try node(reference)
    }

    /// Loads the bytes of data or a string.
    func loadContents(of node: Node) throws(PropertyListError) {
        try load(node.payload, node.end(referenceSize: referenceSize), for: node.payload)
    }

    /// As `reference(_:in:)`, of a list that may not be loaded; a reference that leads nowhere where it cannot be.
    func loadedReference(_ position: Int, in list: Int) -> Int {
        let start = list + position * referenceSize
        if let pages, !pages._withUnsafeGuaranteedRef({ $0.load(start - 8, start + referenceSize) }) { return .max }
        return reference(position, in: list)
    }

    /// Whether all objects can be read without loading anything.
    var isPresent: Bool { pages == nil }

    /// The same list once all of it is loaded, read like one that always was.
    var present: Self {
        var list = self
        list.pages = nil
        list.presentCount = objectCount
        return list
    }

    /// Where the object `reference` lies, after everything that its node needs, and what is in it, was loaded.
    @inline(never)
    private func loadedOffset(of reference: Int, withContents: Bool) throws(PropertyListError) -> Int {
        guard reference < objectCount else { throw outOfRange(reference: reference) }
        let entry = objects.limit + reference * offsetSize
        let isComplete = pages?._withUnsafeGuaranteedRef { $0.isComplete } ?? true
        if !isComplete { try load(entry, entry + offsetSize, for: entry) }
        let found = offsetWidth.load(objects.base + entry)
        guard found >= UInt64(BinaryFormat.headerSize), found < UInt64(objects.limit) else {
            throw outOfRange(offset: found, reference: reference)
        }
        let offset = Int(found)
        if isComplete { return offset }
        // The marker, and a count behind it: its marker, and as many bytes as that says.
        try load(offset, min(offset + 2, objects.limit), for: offset)
        if objects.base.load(fromByteOffset: offset, as: UInt8.self) & 0x0F == BinaryFormat.inlineCountLimit,
            offset + 1 < objects.limit
        {
            let size = 1 << Int(objects.base.load(fromByteOffset: offset + 1, as: UInt8.self) & 0x0F)
            try load(offset, min(offset + 2 + size, objects.limit), for: offset)
        }
        if withContents {
            let node = try objects.node(at: offset)
            try load(node.payload, node.end(referenceSize: referenceSize), for: offset)
        }
        return offset
    }

    private func load(_ start: Int, _ end: Int, for offset: Int) throws(PropertyListError) {
        // Numbers are read with the bytes in front of them.
        guard start < end, let pages, !pages._withUnsafeGuaranteedRef({ $0.load(max(0, start - 8), end) }) else {
            return
        }
        throw PropertyListError(.truncated, at: offset)
    }

    @inline(never)
    private func outOfRange(reference: Int) -> PropertyListError {
        PropertyListError(.referenceOutOfRange, at: 0, found: reference)
    }

    @inline(never)
    private func outOfRange(offset: UInt64, reference: Int) -> PropertyListError {
        PropertyListError(
            .offsetOutOfRange, at: objects.limit + reference * offsetSize, found: Int(clamping: offset))
    }

    /// A view of `node`'s references, for those that walk all of them.
    func references(_ node: Node) -> References {
        References(reader: self, list: node.payload, count: node.referenceCount)
    }

    /// The references of a container in the order of the file; of a dictionary, all keys, then all values.
    struct References: RandomAccessCollection {
        fileprivate let reader: BinaryPropertyListReader
        fileprivate let list: Int
        let count: Int

        var startIndex: Int { 0 }
        var endIndex: Int { count }

        subscript(position: Int) -> Int {
            precondition(position >= 0 && position < count, "Reference \(position) of \(count)")
            return reader.reference(position, in: list)
        }
    }
}
