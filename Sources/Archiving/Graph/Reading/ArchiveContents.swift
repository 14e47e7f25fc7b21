// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A keyed archive in memory: its root is checked, and nothing is decoded.
///
/// A reader has contents of its own, with its meter and its notes. It keeps the owner of the bytes alive.
/// `docs/keyed-archive-format.md` describes the format.
package final class ArchiveContents: @unchecked Sendable {
    private struct Root {
        var slots: Int
        var slotCount: Int
        var presentSlotCount: Int
        var top: Node
    }

    private var root: Root

    /// The property list of the archive. No other contents use this reader.
    package let list: BinaryPropertyListReader
    package var slots: Int { root.slots }
    package var slotCount: Int { root.slotCount }
    /// The number of objects whose references can be read without loading or recording them: all or none.
    fileprivate var presentSlotCount: Int { root.presentSlotCount }
    package var top: Node { root.top }

    /// Counts the cost of reading; `nil` if it is not counted.
    package let meter: DecodingMeter?
    let notes: ReadingNotes?

    private init(_ other: ArchiveContents, meter: DecodingMeter?, notes: ReadingNotes?) {
        root = other.root
        list = BinaryPropertyListReader(other.list)
        self.meter = meter
        self.notes = notes
    }

    func metered(by meter: DecodingMeter, noting notes: ReadingNotes) -> ArchiveContents {
        ArchiveContents(self, meter: meter, notes: notes)
    }

    /// Returns contents of the same archive with notes of their own, for a reader of many objects.
    package func noted() -> ArchiveContents { ArchiveContents(self, meter: meter, notes: ReadingNotes()) }

    var unmetered: ArchiveContents {
        let contents = ArchiveContents(self, meter: nil, notes: nil)
        contents.watch(false)
        return contents
    }

    /// Contents of the same archive after the whole file is loaded; reads do not check for pages.
    var present: ArchiveContents {
        let contents = ArchiveContents(self, meter: meter, notes: notes)
        contents.notePresent()
        return contents
    }

    func begin(_ other: ArchiveContents) {
        root = other.root
        list.begin(other.list)
    }

    func watch(_ isWatched: Bool) {
        root.presentSlotCount = !isWatched && list.isPresent ? slotCount : 0
    }

    func notePresent() {
        list.notePresent()
        root.presentSlotCount = slotCount
    }

    package var byteCount: Int { list.byteCount }

    /// An archive without objects: every reference and every uid is out of range.
    static let none = ArchiveContents()

    private init() {
        root = Root(
            slots: 0, slotCount: 0, presentSlotCount: 0, top: Node(kind: .dictionary, count: 0, payload: 0))
        list = BinaryPropertyListReader(.none)
        (meter, notes) = (nil, nil)
    }

    /// Checks the root of a keyed archive in a binary property list.
    ///
    /// - Throws: `KeyedArchiveError` if the bytes are not a binary property list, or not a keyed archive.
    init(_ bytes: StoredBytes, pages: PagedFile? = nil) throws(KeyedArchiveError) {
        list = try KeyedArchiveError.converting(BinaryPropertyListReader(bytes, pages: pages))
        root = try Self.root(of: list)
        (meter, notes) = (nil, nil)
    }

    /// Continues with the archive in `bytes`, for the same reader.
    ///
    /// - Throws: As the initializer. The contents are then undefined, and must not be used.
    func begin(_ bytes: StoredBytes) throws(KeyedArchiveError) {
        do throws(PropertyListError) { try list.begin(bytes) } catch { throw KeyedArchiveError(error) }
        root = try Self.root(of: list)
    }

    private static func root(of list: BinaryPropertyListReader) throws(KeyedArchiveError) -> Root {
        let root = try node(list.top, in: list)
        guard root.kind == .dictionary else { throw KeyedArchiveError(.notAnArchive) }
        // One pass, because this is a large part of the work for a small archive.
        var places = (version: -1, objects: -1, top: -1)
        for index in (0..<root.count).reversed() {
            let key = try node(list.reference(index, in: root.payload), in: list)
            if list.isString(key, "$version") {
                places.version = index
            } else if list.isString(key, "$objects") {
                places.objects = index
            } else if list.isString(key, "$top") {
                places.top = index
            }
        }
        let version = try value(at: places.version, of: root, in: list, "$version", .integer)
        let number = list.integer(version)
        guard number == KeyedArchiveFormat.version else {
            throw KeyedArchiveError(.version(Int(clamping: number)))
        }
        let objects = try value(at: places.objects, of: root, in: list, "$objects", .array)
        let top = try value(at: places.top, of: root, in: list, "$top", .dictionary)
        return Root(
            slots: objects.payload, slotCount: objects.count, presentSlotCount: list.isPresent ? objects.count : 0,
            top: top)
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
        // Only the requested references of `$objects` are read.
        let value = try KeyedArchiveError.converting(
            kind == .array ? list.nodeWithoutContents(reference) : list.node(reference))
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
    /// Returns the offset of the value at `reference`, and resolves a uid; `nil` if the general function `value(_:)` is needed,
    /// which also reports errors.
    ///
    /// This function is for loops over many numbers and strings that check the marker themselves.
    @inline(__always)
    func leafOffset(_ reference: Int) -> Int? {
        guard let offset = list.presentOffset(of: reference) else { return nil }
        let marker = list.bytes.byte(at: offset)
        guard marker & 0xFC == BinaryFormat.Marker.uid else { return offset }
        return shortUID(at: offset, marker).flatMap { list.presentOffset(of: list.reference(Int($0), in: slots)) }
    }

    /// Returns the uid at `reference`; `nil` if the general functions are needed, as for the uid of `$null`.
    @inline(__always)
    func shortUID(_ reference: Int) -> UInt32? {
        guard let offset = list.presentOffset(of: reference) else { return nil }
        let marker = list.bytes.byte(at: offset)
        return marker & 0xFC == BinaryFormat.Marker.uid ? shortUID(at: offset, marker) : nil
    }

    /// Returns whether the object `uid` is known to refer to no other.
    @inline(__always)
    func isLeaf(inSlot uid: UInt32) -> Bool {
        guard Int(uid) < presentSlotCount, let offset = list.presentOffset(of: list.reference(Int(uid), in: slots))
        else { return false }
        return list.bytes.byte(at: offset) < BinaryFormat.Marker.uid
    }

    func isKnownNull(_ reference: Int) -> Bool { reference == notes?.null }

    /// Returns whether `reference` refers to the uid of `$null`, and remembers it; false if the general functions are needed.
    @inline(never)
    func isNull(_ reference: Int) -> Bool {
        guard let offset = list.presentOffset(of: reference) else { return false }
        let marker = list.bytes.byte(at: offset)
        let size = Int(marker & 3) &+ 1
        guard marker & 0xFC == BinaryFormat.Marker.uid, size < list.limit &- offset else { return false }
        guard list.bytes.number(at: offset &+ 1, BigEndianWidth(size)) == 0 else { return false }
        notes?.null = reference
        return true
    }

    /// Returns the uid of at most 4 bytes at `offset`, if its slot can be read without loading and is not `$null`.
    @inline(__always)
    private func shortUID(at offset: Int, _ marker: UInt8) -> UInt32? {
        let size = Int(marker & 3) &+ 1
        guard size < list.limit &- offset else { return nil }
        let uid = UInt32(truncatingIfNeeded: list.bytes.number(at: offset &+ 1, BigEndianWidth(size)))
        return uid != 0 && Int(uid) < presentSlotCount ? uid : nil
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
        try KeyedArchiveError.converting(list.nodeWithoutLongContents(reference))
    }

    func loadContents(of value: ArchivedValue) throws(KeyedArchiveError) {
        do throws(PropertyListError) { try list.loadContents(of: value.node) } catch { throw KeyedArchiveError(error) }
    }

    @inline(__always)
    package func uid(_ node: Node) throws(KeyedArchiveError) -> UInt32 {
        do throws(PropertyListError) { return try list.uid(node) } catch { throw KeyedArchiveError(error) }
    }
}

// MARK: - The path of every value

/// The functions that coders call for each value and each instance.
extension ArchiveContents {
    /// Returns the value at `reference`. A uid is resolved.
    @inline(__always)
    package func value(_ reference: Int) throws(KeyedArchiveError) -> ArchivedValue {
        let node = try scannedNode(reference)
        guard node.kind == .uid else { return ArchivedValue(node: node, uid: 0, isNull: node.kind == .null) }
        return try object(try uid(node))
    }

    @inline(never)
    package func node(_ reference: Int) throws(KeyedArchiveError) -> Node { try scannedNode(reference) }

    @inline(__always)
    func reference(ofSlot uid: UInt32) throws(KeyedArchiveError) -> Int {
        guard Int(uid) < presentSlotCount else { return try loadedReference(ofSlot: uid) }
        return list.reference(Int(uid), in: slots)
    }

    /// Returns the reference in the existing slot `slot`; an invalid reference if the slot is damaged.
    @inline(never)
    package func object(inSlot slot: Int) -> Int {
        slot < presentSlotCount ? list.reference(slot, in: slots) : list.loadedReference(slot, in: slots)
    }

    @inline(never)
    private func loadedReference(ofSlot uid: UInt32) throws(KeyedArchiveError) -> Int {
        guard Int(uid) < slotCount else {
            throw KeyedArchiveError(.uidOutOfRange(uid: uid, count: slotCount))
        }
        meter?.progress?.note(uid)
        return list.loadedReference(Int(uid), in: slots)
    }

    package func object(_ uid: UInt32) throws(KeyedArchiveError) -> ArchivedValue {
        guard uid != 0 else { return .null }
        let node = try scannedNode(reference(ofSlot: uid))
        switch node.kind {
        case .uid: throw KeyedArchiveError(.uidBehindUID(uid: uid))
        case .ascii where node.count == 5:
            return ArchivedValue(node: node, uid: uid, isNull: list.isString(node, "$null"))
        default: return ArchivedValue(node: node, uid: uid, isNull: node.kind == .null)
        }
    }

    @inline(__always)
    private func scannedNode(_ reference: Int) throws(KeyedArchiveError) -> Node {
        do throws(PropertyListError) { return try list.node(reference) } catch { throw KeyedArchiveError(error) }
    }

    /// Returns the value for `key`, a key of the format, in `dictionary`; `nil` if there is none.
    ///
    /// - Complexity: O(*n*), where *n* is the number of entries.
    @inline(never)
    package func value(of key: StaticString, in dictionary: Node) throws(KeyedArchiveError) -> ArchivedValue? {
        guard let index = try index(of: key, in: dictionary) else { return nil }
        return try value(list.reference(dictionary.count + index, in: dictionary.payload))
    }

    @inline(never)
    package func index(of key: StaticString, in dictionary: Node) throws(KeyedArchiveError) -> Int? {
        guard dictionary.kind == .dictionary else { return nil }
        for index in 0..<dictionary.count {
            if try isKey(list.reference(index, in: dictionary.payload), key) {
                try countWork(index)
                return index
            }
        }
        try countWork(dictionary.count)
        return nil
    }

    @inline(__always)
    private func isKey(_ reference: Int, _ key: StaticString) throws(KeyedArchiveError) -> Bool {
        // Nearly every key is short, and needs no node.
        if let offset = list.presentOffset(of: reference), let count = list.shortText(at: offset) {
            return count == key.utf8CodeUnitCount && list.bytes.has(key, at: offset &+ 1)
        }
        return list.isString(try node(reference), key)
    }

    @inline(__always)
    func isASCII(_ reference: Int, _ text: String) throws(KeyedArchiveError) -> Bool {
        guard let offset = leafOffset(reference), let count = list.shortText(at: offset) else {
            return try isLongASCII(reference, text)
        }
        return list.isString(Node(kind: .ascii, count: count, payload: offset &+ 1), text)
    }

    @inline(never)
    private func isLongASCII(_ reference: Int, _ text: String) throws(KeyedArchiveError) -> Bool {
        list.isString(try value(reference).node, text)
    }
}

extension ArchiveContents {
    /// Returns whether two strings or data, or two numbers of the same kind, have the same bytes.
    package func hasBytes(_ node: Node, equalTo other: Node, of contents: ArchiveContents) -> Bool {
        list.objects.bytes(node) == contents.list.objects.bytes(other)
    }

    package func byteCount(_ node: Node) -> Int { list.objects.bytes(node).count }

    /// Returns the bytes of a string as UTF-8, and those of data as they are.
    package func text(_ node: Node) -> [UInt8] {
        node.kind == .utf16 ? [UInt8](list.objects.string(node).utf8) : [UInt8](list.objects.bytes(node))
    }

    package func hash(_ node: Node, into hasher: inout Hasher) {
        list.objects.bytes(node).withBytes { hasher.combine($0) }
    }
}

/// A value in an archive: the target of a reference with resolved uids.
package struct ArchivedValue: BitwiseCopyable {
    package var node: Node
    /// The uid of the value; 0 for an inline value and for nil.
    package var uid: UInt32
    /// Whether the value is nil: uid 0, or an object that is the string "$null".
    package var isNull: Bool

    package init(node: Node, uid: UInt32, isNull: Bool) {
        (self.node, self.uid, self.isNull) = (node, uid, isNull)
    }

    package static let null = ArchivedValue(node: Node(kind: .null, count: 0, payload: 0), uid: 0, isNull: true)
}

/// Why a value cannot be read as requested. The coder that requested it adds the place.
enum ValueFailure: Error {
    case damaged(KeyedArchiveError)
    /// The value has another kind than the requested type, or is nil.
    case mismatch(any Any.Type, ArchivedValue)
    /// The requested type cannot represent the number.
    case outOfRange(any Any.Type, ArchivedValue)
    /// The class of the value is neither the requested type nor allowed in its place.
    case otherClass(ClassMismatch, ArchivedValue, any Any.Type)
}

/// An object whose class is neither the requested one nor allowed in its place.
struct ClassMismatch: Error {
    var name: String
    var chain: [String] = []
    var isUnknown = false
}
