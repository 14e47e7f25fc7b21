// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A binary property list in memory. No object is materialised, and every access is checked.
///
/// Before a byte is read, a reference is compared with the object count, an
/// offset with the object area, and a count with the remaining bytes.
package final class BinaryPropertyListReader: NodeScanner, @unchecked Sendable {
    private var layout: Layout
    /// The file that loads the bytes, if they are not all loaded from the beginning.
    private var pages: PagedFile?

    private struct Layout: BitwiseCopyable {
        let offsetSize: Int
        let referenceSize: Int
        let objectCount: Int
        let top: Int
        let tableOffset: Int
        let offsetWidth: BigEndianWidth
        let referenceWidth: BigEndianWidth
        /// The number of objects that can be read without calling `pages`: all or none.
        var presentCount: Int

        init(offsetSize: Int, referenceSize: Int, objectCount: Int, top: Int, tableOffset: Int) {
            (self.offsetSize, self.referenceSize, self.objectCount) = (offsetSize, referenceSize, objectCount)
            (self.top, self.tableOffset, presentCount) = (top, tableOffset, objectCount)
            (offsetWidth, referenceWidth) = (BigEndianWidth(offsetSize), BigEndianWidth(referenceSize))
        }
    }

    private static func layout(of bytes: StoredBytes) throws(PropertyListError) -> Layout {
        guard hasHeader(bytes) else { throw PropertyListError.notAPropertyList(bytes) }
        let trailerOffset = bytes.count - BinaryFormat.trailerSize
        guard trailerOffset > BinaryFormat.headerSize else {
            throw PropertyListError(.truncated, at: bytes.count)
        }
        let offsetSize = Int(bytes.byte(at: trailerOffset + 6))
        let referenceSize = Int(bytes.byte(at: trailerOffset + 7))
        let objectCount = bytes.word(at: trailerOffset + 8)
        let top = bytes.word(at: trailerOffset + 16)
        let tableOffset = bytes.word(at: trailerOffset + 24)
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
        return Layout(
            offsetSize: offsetSize, referenceSize: referenceSize, objectCount: Int(objectCount), top: Int(top),
            tableOffset: Int(tableOffset))
    }

    /// Checks the header and trailer of `bytes`.
    ///
    /// - Parameter pages: The file that loads `bytes` page by page, if it does.
    /// - Throws: `PropertyListError` if the bytes are not a binary property list, or the trailer's values do not fit
    ///   the file.
    init(_ bytes: StoredBytes, pages: PagedFile? = nil) throws(PropertyListError) {
        let trailerSize = BinaryFormat.trailerSize
        if let pages, !pages.load(0, 8) || !pages.load(max(0, bytes.count - trailerSize), bytes.count) {
            throw PropertyListError(.truncated, at: bytes.count)
        }
        layout = try Self.layout(of: bytes)
        self.pages = pages
        if pages != nil { layout.presentCount = 0 }
        super.init(bytes: bytes, limit: layout.tableOffset, referenceSize: layout.referenceSize)
    }

    /// A list without objects: every reference is out of range.
    static let none = BinaryPropertyListReader()

    private init() {
        layout = Layout(offsetSize: 1, referenceSize: 1, objectCount: 0, top: 0, tableOffset: 0)
        super.init(bytes: .empty, limit: 0, referenceSize: 1)
    }

    init(_ other: BinaryPropertyListReader) {
        (layout, pages) = (other.layout, other.pages)
        super.init(bytes: other.bytes, limit: other.limit, referenceSize: other.referenceSize)
    }

    func begin(_ other: BinaryPropertyListReader) {
        begin(objectsOf: other.bytes, limit: other.limit, referenceSize: other.referenceSize)
        layout = other.layout
        setPages(other.pages)
    }

    /// Continues with the list in `bytes`, all of which are loaded.
    ///
    /// - Throws: As the initializer. The reader is then unchanged.
    func begin(_ bytes: StoredBytes) throws(PropertyListError) {
        let layout = try Self.layout(of: bytes)
        begin(objectsOf: bytes, limit: layout.tableOffset, referenceSize: layout.referenceSize)
        self.layout = layout
        setPages(nil)
    }

    /// The old file is released outside of the access to the property, which then needs no exclusivity check.
    private func setPages(_ new: PagedFile?) {
        let old = pages
        pages = new
        withExtendedLifetime(old) {}
    }

    func notePresent() {
        setPages(nil)
        layout.presentCount = layout.objectCount
    }

    /// Returns whether `bytes` start like a binary property list of version 0, with any second digit.
    static func hasHeader(_ bytes: StoredBytes) -> Bool {
        bytes.count >= BinaryFormat.headerSize && bytes.has("bplist0", at: 0)
    }
}

// MARK: - References

extension BinaryPropertyListReader {
    package var objects: NodeScanner { self }

    package var offsetSize: Int { layout.offsetSize }
    package var objectCount: Int { layout.objectCount }
    package var top: Int { layout.top }

    var byteCount: Int { limit + objectCount * offsetSize + BinaryFormat.trailerSize }

    @inline(__always)
    package func offset(of reference: Int) throws(PropertyListError) -> Int {
        guard reference < layout.presentCount else { return try loadedOffset(of: reference, withContents: true) }
        let offset = bytes.number(at: limit &+ reference &* offsetSize, layout.offsetWidth)
        guard isOffset(offset) else { throw outOfRange(offset: offset, reference: reference) }
        return Int(truncatingIfNeeded: offset)
    }

    @inline(__always)
    private func isOffset(_ number: UInt64) -> Bool {
        // One comparison: a number below the size of the header becomes one of the greatest.
        number &- UInt64(BinaryFormat.headerSize)
            < UInt64(truncatingIfNeeded: max(0, limit &- BinaryFormat.headerSize))
    }

    /// The entry of the offset table for the object `reference`, which must exist. The entry is not checked; nil if it
    /// cannot be read.
    package func tableEntry(_ reference: Int) -> UInt64? {
        let entry = limit + reference * offsetSize
        if let pages, !pages.load(entry - 8, entry + offsetSize) { return nil }
        return bytes.number(at: entry, layout.offsetWidth)
    }

    /// As `offset(of:)`; nil if the object has to be loaded first, or does not exist.
    @inline(__always)
    func presentOffset(of reference: Int) -> Int? {
        guard reference < layout.presentCount else { return nil }
        let offset = bytes.number(at: limit &+ reference &* offsetSize, layout.offsetWidth)
        return isOffset(offset) ? Int(truncatingIfNeeded: offset) : nil
    }

    @inline(__always)
    package func node(_ reference: Int) throws(PropertyListError) -> Node {
        try node(at: try offset(of: reference))
    }

    /// The reference at `position` of the list of references that starts at byte `list`. The caller has checked that it
    /// is in the file, as `NodeScanner.node(at:)` does for the references of a container.
    @inline(__always)
    package func reference(_ position: Int, in list: Int) -> Int {
        let value = bytes.number(at: list &+ position &* referenceSize, layout.referenceWidth)
        return Int(truncatingIfNeeded: min(value, UInt64(Int.max)))
    }

    /// As `node(_:)`, without loading the contents, for the one array that is too large to load. Its references are to
    /// be read with `loadedReference(_:in:)`; `reference(_:in:)` requires `node(_:)` first.
    package func nodeWithoutContents(_ reference: Int) throws(PropertyListError) -> Node {
        guard pages != nil else { return try node(reference) }
        return try node(at: try loadedOffset(of: reference, withContents: false))
    }

    /// As `node(_:)`, without loading the bytes of long data and strings: they are to be loaded with
    /// `loadContents(of:)`.
    func nodeWithoutLongContents(_ reference: Int) throws(PropertyListError) -> Node {
        guard pages != nil else { return try node(reference) }
        let found = try node(at: try loadedOffset(of: reference, withContents: false))
        return found.isLongLeaf ? found : try node(reference)
    }

    func loadContents(of node: Node) throws(PropertyListError) {
        try load(node.payload, node.end(referenceSize: referenceSize), for: node.payload)
    }

    /// As `reference(_:in:)`, for a list that may not be loaded. If it cannot be loaded, the result is out of range.
    package func loadedReference(_ position: Int, in list: Int) -> Int {
        let start = list + position * referenceSize
        if let pages, !pages.load(start - 8, start + referenceSize) { return .max }
        return reference(position, in: list)
    }

    var isPresent: Bool { pages == nil }

    @inline(never)
    private func loadedOffset(of reference: Int, withContents: Bool) throws(PropertyListError) -> Int {
        guard reference < objectCount else { throw outOfRange(reference: reference) }
        let entry = limit + reference * offsetSize
        let isComplete = pages?.isComplete ?? true
        if !isComplete { try load(entry, entry + offsetSize, for: entry) }
        let found = bytes.number(at: entry, layout.offsetWidth)
        guard found >= UInt64(BinaryFormat.headerSize), found < UInt64(limit) else {
            throw outOfRange(offset: found, reference: reference)
        }
        let offset = Int(found)
        if isComplete { return offset }
        // The marker and a count after it: the marker of the count, and as many bytes as it states.
        try load(offset, min(offset + 2, limit), for: offset)
        if bytes.byte(at: offset) & 0x0F == BinaryFormat.inlineCountLimit,
            offset + 1 < limit
        {
            let size = 1 << Int(bytes.byte(at: offset + 1) & 0x0F)
            try load(offset, min(offset + 2 + size, limit), for: offset)
        }
        if withContents {
            let node = try node(at: offset)
            try load(node.payload, node.end(referenceSize: referenceSize), for: offset)
        }
        return offset
    }

    private func load(_ start: Int, _ end: Int, for offset: Int) throws(PropertyListError) {
        // Numbers are read together with the bytes before them.
        guard start < end, let pages, !pages.load(max(0, start - 8), end) else { return }
        throw PropertyListError(.truncated, at: offset)
    }

    @inline(never)
    private func outOfRange(reference: Int) -> PropertyListError {
        PropertyListError(.referenceOutOfRange, at: 0, found: reference)
    }

    @inline(never)
    private func outOfRange(offset: UInt64, reference: Int) -> PropertyListError {
        PropertyListError(
            .offsetOutOfRange, at: limit + reference * offsetSize, found: Int(clamping: offset))
    }

    func references(_ node: Node) -> References {
        References(reader: self, list: node.payload, count: node.referenceCount)
    }

    /// The references of a container in the order of the file; for a dictionary, all keys, then all values.
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

/// One object of a binary property list: its kind, and the position of its contents.
package struct Node: BitwiseCopyable {
    package enum Kind: UInt8, BitwiseCopyable {
        case null, `false`, `true`, integer, real32, real64, date, data, ascii, utf16, uid, array, set, dictionary
    }

    package var kind: Kind
    /// The number of bytes of an integer, uid, data or ASCII string; the number of units of a UTF-16 string, of
    /// elements of an array or set, or of pairs of a dictionary.
    package var count: Int
    package var payload: Int

    package init(kind: Kind, count: Int, payload: Int) {
        (self.kind, self.count, self.payload) = (kind, count, payload)
    }

    package var referenceCount: Int {
        switch kind {
        case .array, .set: count
        case .dictionary: count &* 2
        default: 0
        }
    }
}

extension Node {
    package var byteCount: Int { kind == .utf16 ? count &* 2 : count }

    var isLongLeaf: Bool {
        switch kind {
        case .data, .ascii, .utf16: count > 1 << 12
        default: false
        }
    }

    package func end(referenceSize: Int) -> Int {
        switch kind {
        case .null, .false, .true: payload
        case .utf16: payload + 2 * count
        case .array, .set, .dictionary: payload + referenceCount * referenceSize
        default: payload + count
        }
    }
}
