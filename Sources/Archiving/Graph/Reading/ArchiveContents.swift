/// A keyed archive in memory: its root is checked, and nothing is decoded.
///
/// The bytes are borrowed; the creator keeps them alive. `docs/keyed-archive-format.md` describes the format.
package struct ArchiveContents: BitwiseCopyable, @unchecked Sendable {
    package private(set) var list: BinaryPropertyListReader
    /// The offset of the references of `$objects`.
    package let slots: Int
    /// The number of objects; uids are less than it.
    package let slotCount: Int
    /// The number of objects whose references can be read without loading or recording them: all or none.
    fileprivate var presentSlotCount: Int
    /// `$top`.
    package let top: Node

    /// Counts the cost of reading; `nil` if it is not counted.
    private(set) var meter: UnsafeMutablePointer<DecodingMeter>?
    /// The cache of the decoder; `nil` without a decoder.
    private(set) var notes: UnsafeMutablePointer<ReadingNotes>?

    /// Returns the same contents with `meter` and `notes`, which must outlive them.
    func metered(
        by meter: UnsafeMutablePointer<DecodingMeter>, noting notes: UnsafeMutablePointer<ReadingNotes>
    ) -> ArchiveContents {
        var contents = self
        contents.meter = meter
        contents.notes = notes
        return contents
    }

    /// Returns the same contents with `notes`, which must outlive them.
    func noted(in notes: UnsafeMutablePointer<ReadingNotes>) -> ArchiveContents {
        var contents = self
        contents.notes = notes
        return contents
    }

    /// The same contents without a meter and notes, for any reader.
    var unmetered: ArchiveContents {
        var contents = unwatched
        contents.meter = nil
        contents.notes = nil
        return contents
    }

    /// The same contents, with a meter whose progress records each object that is read.
    var watched: ArchiveContents {
        var contents = self
        contents.presentSlotCount = 0
        return contents
    }

    /// The same contents without this recording.
    var unwatched: ArchiveContents {
        var contents = self
        contents.presentSlotCount = list.isPresent ? slotCount : 0
        return contents
    }

    /// The same contents after the whole file is loaded; reads do not check for pages.
    var present: ArchiveContents {
        var contents = self
        contents.list = list.present
        contents.presentSlotCount = slotCount
        return contents
    }

    /// The number of bytes of the archive in the binary form.
    package var byteCount: Int { list.byteCount }

    /// An archive without objects: every reference and every uid is out of range.
    static let none = ArchiveContents()

    private init() {
        list = .none
        slots = 0
        slotCount = 0
        presentSlotCount = 0
        top = Node(kind: .dictionary, count: 0, payload: 0)
    }

    /// Checks the root of a keyed archive in a binary property list.
    ///
    /// - Throws: `KeyedArchiveError` if the bytes are not a binary property list, or not a keyed archive.
    init(_ bytes: UnsafeRawBufferPointer, pages: PagedFile? = nil) throws(KeyedArchiveError) {
        do throws(PropertyListError) {
            list = try BinaryPropertyListReader(bytes, pages: pages)
        } catch {
            throw KeyedArchiveError(error)
        }
        let root = try Self.node(list.top, in: list)
        guard root.kind == .dictionary else { throw KeyedArchiveError(.notAnArchive) }
        // One pass, because this is a large part of the work for a small archive.
        var places = (version: -1, objects: -1, top: -1)
        for index in (0..<root.count).reversed() {
            let key = try Self.node(list.reference(index, in: root.payload), in: list)
            if list.objects.isString(key, "$version") {
                places.version = index
            } else if list.objects.isString(key, "$objects") {
                places.objects = index
            } else if list.objects.isString(key, "$top") {
                places.top = index
            }
        }
        let version = try Self.value(at: places.version, of: root, in: list, "$version", .integer)
        let number = list.objects.integer(version)
        guard number == KeyedArchiveFormat.version else {
            throw KeyedArchiveError(.version(Int(clamping: number)))
        }
        let objects = try Self.value(at: places.objects, of: root, in: list, "$objects", .array)
        top = try Self.value(at: places.top, of: root, in: list, "$top", .dictionary)
        slots = objects.payload
        slotCount = objects.count
        presentSlotCount = list.isPresent ? slotCount : 0
    }

    private static func node(
        _ reference: Int, in list: BinaryPropertyListReader
    ) throws(KeyedArchiveError) -> Node {
        do throws(PropertyListError) { return try list.node(reference) } catch { throw KeyedArchiveError(error) }
    }

    /// Returns the value of the entry at `place`, -1 for none, with the key `key`. The value must be of `kind`.
    private static func value(
        at place: Int, of dictionary: Node, in list: BinaryPropertyListReader, _ key: StaticString, _ kind: Node.Kind
    ) throws(KeyedArchiveError) -> Node {
        guard place >= 0 else { throw KeyedArchiveError(.missing(.init(key))) }
        let reference = list.reference(dictionary.count + place, in: dictionary.payload)
        let value: Node
        // Only the requested references of `$objects` are read.
        do throws(PropertyListError) {
            value = kind == .array ? try list.nodeWithoutContents(reference) : try list.node(reference)
        } catch {
            throw KeyedArchiveError(error)
        }
        guard value.kind == kind else {
            let expected: StaticString =
                switch kind {
                case .integer: "an integer"
                case .array: "an array"
                default: "a dictionary"
                }
            throw KeyedArchiveError(.wrongKind(.init(key), expected: .init(expected)))
        }
        return value
    }
}

// MARK: - Values

extension ArchiveContents {
    /// Returns the object `reference` of the property list.
    @inline(never)
    package func node(_ reference: Int) throws(KeyedArchiveError) -> Node {
        try withUnsafePointer(to: self) { contents throws(KeyedArchiveError) in try contents.node(reference) }
    }

    /// Returns the value at `reference`. A uid is resolved.
    @inline(never)
    package func value(_ reference: Int) throws(KeyedArchiveError) -> ArchivedValue {
        try withUnsafePointer(to: self) { contents throws(KeyedArchiveError) in try contents.value(reference) }
    }

    /// Returns the offset of the value at `reference`, and resolves a uid; `nil` if the general function `value(_:)` is needed,
    /// which also reports errors.
    ///
    /// This function is for loops over many numbers and strings that check the marker themselves.
    @inline(__always)
    func leafOffset(_ reference: Int) -> Int? {
        guard let offset = list.presentOffset(of: reference) else { return nil }
        let marker = list.objects.base.load(fromByteOffset: offset, as: UInt8.self)
        guard marker & 0xFC == BinaryFormat.Marker.uid else { return offset }
        return shortUID(at: offset, marker).flatMap { list.presentOffset(of: list.reference(Int($0), in: slots)) }
    }

    /// Returns the uid at `reference`; `nil` if the general functions are needed, as for the uid of `$null`.
    @inline(__always)
    func shortUID(_ reference: Int) -> UInt32? {
        guard let offset = list.presentOffset(of: reference) else { return nil }
        let marker = list.objects.base.load(fromByteOffset: offset, as: UInt8.self)
        return marker & 0xFC == BinaryFormat.Marker.uid ? shortUID(at: offset, marker) : nil
    }

    /// Returns the uid of at most 4 bytes at `offset`, if its slot can be read without loading and is not `$null`.
    @inline(__always)
    private func shortUID(at offset: Int, _ marker: UInt8) -> UInt32? {
        let size = Int(marker & 3) &+ 1
        guard size < list.objects.limit &- offset else { return nil }
        let uid = UInt32(truncatingIfNeeded: BigEndianWidth(size).load(list.objects.base + (offset &+ 1)))
        return uid != 0 && Int(uid) < presentSlotCount ? uid : nil
    }

    /// Returns the object in the slot `uid`.
    @inline(never)
    package func object(_ uid: UInt32) throws(KeyedArchiveError) -> ArchivedValue {
        try withUnsafePointer(to: self) { contents throws(KeyedArchiveError) in try contents.object(uid) }
    }

    /// Returns `value(_:)` without loading the bytes of long data and strings, for values that may be read later.
    @inline(never)
    func valueWithoutLongContents(_ reference: Int) throws(KeyedArchiveError) -> ArchivedValue {
        let node = try nodeWithoutLongContents(reference)
        // Short values are loaded.
        guard node.kind == .uid else {
            return node.isLongLeaf ? ArchivedValue(node: node, uid: 0, isNull: false) : try value(reference)
        }
        let uid = try uid(node)
        let object = try nodeWithoutLongContents(self.reference(ofSlot: uid))
        return object.isLongLeaf ? ArchivedValue(node: object, uid: uid, isNull: false) : try value(reference)
    }

    private func nodeWithoutLongContents(_ reference: Int) throws(KeyedArchiveError) -> Node {
        do throws(PropertyListError) { return try list.nodeWithoutLongContents(reference) } catch {
            throw KeyedArchiveError(error)
        }
    }

    /// Loads the contents of `value` that `valueWithoutLongContents(_:)` did not load.
    func loadContents(of value: ArchivedValue) throws(KeyedArchiveError) {
        do throws(PropertyListError) { try list.loadContents(of: value.node) } catch { throw KeyedArchiveError(error) }
    }

    /// Returns the reference in the slot `uid`.
    @inline(never)
    func reference(ofSlot uid: UInt32) throws(KeyedArchiveError) -> Int {
        try withUnsafePointer(to: self) { contents throws(KeyedArchiveError) in try contents.reference(ofSlot: uid) }
    }

    /// Returns the reference in the existing slot `slot`; an invalid reference if the slot is damaged.
    package func object(inSlot slot: Int) -> Int {
        withUnsafePointer(to: self) { $0.object(inSlot: slot) }
    }

    @inline(__always)
    package func uid(_ node: Node) throws(KeyedArchiveError) -> UInt32 {
        do throws(PropertyListError) { return try list.objects.uid(node) } catch { throw KeyedArchiveError(error) }
    }

    /// Returns the value for `key`, a key of the format, in `dictionary`; `nil` if there is none.
    ///
    /// - Complexity: O(*n*), where *n* is the number of entries.
    @inline(never)
    package func value(of key: StaticString, in dictionary: Node) throws(KeyedArchiveError) -> ArchivedValue? {
        try withUnsafePointer(to: self) { contents throws(KeyedArchiveError) in
            try contents.value(of: key, in: dictionary)
        }
    }

    @inline(never)
    package func index(of key: StaticString, in dictionary: Node) throws(KeyedArchiveError) -> Int? {
        try withUnsafePointer(to: self) { contents throws(KeyedArchiveError) in
            try contents.index(of: key, in: dictionary)
        }
    }
}

// MARK: - The path of every value

/// The functions that coders call for each value and each instance. They take a pointer because the contents are many
/// bytes, which a call of a method of `ArchiveContents` copies if it is not inlined.
extension UnsafePointer<ArchiveContents> {
    /// Returns the value at `reference`. A uid is resolved.
    @inline(__always)
    func value(_ reference: Int) throws(KeyedArchiveError) -> ArchivedValue {
        let node = try nodeInLine(reference)
        guard node.kind == .uid else { return ArchivedValue(node: node, uid: 0, isNull: node.kind == .null) }
        return try object(try pointee.uid(node))
    }

    /// Returns the object `reference` of the property list.
    @inline(never)
    func node(_ reference: Int) throws(KeyedArchiveError) -> Node { try nodeInLine(reference) }

    /// Returns the reference in the slot `uid`.
    @inline(__always)
    func reference(ofSlot uid: UInt32) throws(KeyedArchiveError) -> Int {
        guard Int(uid) < pointee.presentSlotCount else { return try loadedReference(ofSlot: uid) }
        return pointee.list.reference(Int(uid), in: pointee.slots)
    }

    /// Implements `ArchiveContents.object(inSlot:)`.
    @inline(never)
    func object(inSlot slot: Int) -> Int {
        let isPresent = slot < pointee.presentSlotCount
        return isPresent
            ? pointee.list.reference(slot, in: pointee.slots) : pointee.list.loadedReference(slot, in: pointee.slots)
    }

    @inline(never)
    private func loadedReference(ofSlot uid: UInt32) throws(KeyedArchiveError) -> Int {
        guard Int(uid) < pointee.slotCount else {
            throw KeyedArchiveError(.uidOutOfRange(uid: uid, count: pointee.slotCount))
        }
        pointee.meter?.pointee.progress?.note(uid)
        return pointee.list.loadedReference(Int(uid), in: pointee.slots)
    }

    /// Returns the object in the slot `uid`.
    @inline(__always)
    func object(_ uid: UInt32) throws(KeyedArchiveError) -> ArchivedValue {
        guard uid != 0 else { return .null }
        let node = try nodeInLine(reference(ofSlot: uid))
        switch node.kind {
        case .uid: throw KeyedArchiveError(.uidBehindUID(uid: uid))
        case .ascii where node.count == 5:
            return ArchivedValue(node: node, uid: uid, isNull: pointee.list.objects.isString(node, "$null"))
        default: return ArchivedValue(node: node, uid: uid, isNull: node.kind == .null)
        }
    }

    @inline(__always)
    private func nodeInLine(_ reference: Int) throws(KeyedArchiveError) -> Node {
        do throws(PropertyListError) { return try pointee.list.node(reference) } catch {
            throw KeyedArchiveError(error)
        }
    }

    /// Implements `ArchiveContents.value(of:in:)`.
    @inline(never)
    func value(of key: StaticString, in dictionary: Node) throws(KeyedArchiveError) -> ArchivedValue? {
        guard let index = try index(of: key, in: dictionary) else { return nil }
        return try value(pointee.list.reference(dictionary.count + index, in: dictionary.payload))
    }

    /// Implements `ArchiveContents.index(of:in:)`.
    @inline(never)
    func index(of key: StaticString, in dictionary: Node) throws(KeyedArchiveError) -> Int? {
        guard dictionary.kind == .dictionary else { return nil }
        for index in 0..<dictionary.count {
            let candidate = try node(pointee.list.reference(index, in: dictionary.payload))
            if pointee.list.objects.isString(candidate, key) {
                try pointee.countWork(index)
                return index
            }
        }
        try pointee.countWork(dictionary.count)
        return nil
    }

    /// Returns whether `reference` refers to the ASCII string `text`.
    @inline(__always)
    func isASCII(_ reference: Int, _ text: String) throws(KeyedArchiveError) -> Bool {
        guard let offset = pointee.leafOffset(reference), let short = pointee.list.objects.shortText(at: offset) else {
            return try isLongASCII(reference, text)
        }
        return pointee.list.objects.isString(Node(kind: .ascii, count: short.count, payload: offset &+ 1), text)
    }

    @inline(never)
    private func isLongASCII(_ reference: Int, _ text: String) throws(KeyedArchiveError) -> Bool {
        pointee.list.objects.isString(try pointee.value(reference).node, text)
    }

    /// Implements `ArchiveContents.stringLeaf(at:)`.
    @inline(__always)
    func stringLeaf(at offset: Int) -> String? {
        guard let text = pointee.list.objects.shortText(at: offset) else { return longStringLeaf(at: offset) }
        return text.count == 5 ? nil : try? pointee.string(text)
    }

    @inline(never)
    private func longStringLeaf(at offset: Int) -> String? {
        guard let node = pointee.list.objects.text(at: offset), node.count != 5 || node.kind == .utf16 else {
            return nil
        }
        return try? pointee.string(node)
    }
}
