/// A keyed archive as it lies in memory: its root checked, nothing decoded.
///
/// The bytes are borrowed; whoever makes one keeps them alive. Format: `docs/keyed-archive-format.md`.
struct ArchiveContents: BitwiseCopyable, @unchecked Sendable {
    let list: BinaryPropertyListReader
    /// Where the references of `$objects` start.
    let slots: Int
    /// The number of objects: uids are below it.
    let slotCount: Int
    /// `$top`.
    let top: Node

    /// An archive without objects: every reference and every uid is out of its range.
    static let none = ArchiveContents()

    private init() {
        list = .none
        slots = 0
        slotCount = 0
        top = Node(kind: .dictionary, count: 0, payload: 0)
    }

    /// Looks for the root of a keyed archive in a binary property list.
    ///
    /// - Throws: Where the bytes are no binary property list, or one that is no keyed archive.
    init(_ bytes: UnsafeRawBufferPointer) throws(KeyedArchiveError) {
        do throws(PropertyListError) {
            list = try BinaryPropertyListReader(bytes)
        } catch {
            throw KeyedArchiveError(error)
        }
        let root = try Self.node(list.top, in: list)
        guard root.kind == .dictionary else { throw KeyedArchiveError(.notAnArchive) }
        // One pass: this is a good part of the work where the archive is small.
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
    }

    private static func node(
        _ reference: Int, in list: BinaryPropertyListReader
    ) throws(KeyedArchiveError) -> Node {
        do throws(PropertyListError) { return try list.node(reference) } catch { throw KeyedArchiveError(error) }
    }

    /// The value of the entry at `place`, -1 for none, whose key is `key`, and which has to be of `kind`.
    private static func value(
        at place: Int, of dictionary: Node, in list: BinaryPropertyListReader, _ key: StaticString, _ kind: Node.Kind
    ) throws(KeyedArchiveError) -> Node {
        guard place >= 0 else { throw KeyedArchiveError(.missing(.init(key))) }
        let value = try node(list.reference(dictionary.count + place, in: dictionary.payload), in: list)
        guard value.kind == kind else { throw KeyedArchiveError(.wrongKind(.init(key))) }
        return value
    }
}

// MARK: - Values

/// A value as it lies in an archive: what a reference leads to when uids are followed.
struct ArchivedValue: BitwiseCopyable {
    var node: Node
    /// The uid that led here. 0 for what stands inline, and for nil.
    var uid: UInt32
    /// Whether this is nil: uid 0, or an object that is the string "$null".
    var isNull: Bool

    /// The nil that stands for what is not there.
    static let null = ArchivedValue(node: Node(kind: .null, count: 0, payload: 0), uid: 0, isNull: true)
}

extension ArchiveContents {
    /// The object of the property list that `reference` names.
    @inline(__always)
    func node(_ reference: Int) throws(KeyedArchiveError) -> Node {
        do throws(PropertyListError) { return try list.node(reference) } catch { throw KeyedArchiveError(error) }
    }

    /// What `reference` leads to.
    @inline(__always)
    func value(_ reference: Int) throws(KeyedArchiveError) -> ArchivedValue {
        let node = try node(reference)
        guard node.kind == .uid else { return ArchivedValue(node: node, uid: 0, isNull: node.kind == .null) }
        return try object(try uid(node))
    }

    /// What is in the slot `uid`.
    @inline(__always)
    func object(_ uid: UInt32) throws(KeyedArchiveError) -> ArchivedValue {
        guard uid != 0 else { return .null }
        guard Int(uid) < slotCount else { throw outOfRange(uid) }
        let node = try node(list.reference(Int(uid), in: slots))
        switch node.kind {
        case .uid: throw KeyedArchiveError(.uidBehindUID(uid: uid))
        case .ascii where node.count == 5:
            return ArchivedValue(node: node, uid: uid, isNull: list.objects.isString(node, "$null"))
        default: return ArchivedValue(node: node, uid: uid, isNull: node.kind == .null)
        }
    }

    @inline(__always)
    private func uid(_ node: Node) throws(KeyedArchiveError) -> UInt32 {
        do throws(PropertyListError) { return try list.objects.uid(node) } catch { throw KeyedArchiveError(error) }
    }

    @inline(never)
    private func outOfRange(_ uid: UInt32) -> KeyedArchiveError {
        KeyedArchiveError(.uidOutOfRange(uid: uid, count: slotCount))
    }

    /// The value under `key` in `dictionary`, one of the format's own keys; nil where there is none.
    ///
    /// - Complexity: O(*n*), where *n* is the number of entries.
    func value(of key: StaticString, in dictionary: Node) throws(KeyedArchiveError) -> ArchivedValue? {
        guard let index = try index(of: key, in: dictionary) else { return nil }
        return try value(list.reference(dictionary.count + index, in: dictionary.payload))
    }

    private func index(of key: StaticString, in dictionary: Node) throws(KeyedArchiveError) -> Int? {
        guard dictionary.kind == .dictionary else { return nil }
        for index in 0..<dictionary.count {
            let candidate = try node(list.reference(index, in: dictionary.payload))
            if list.objects.isString(candidate, key) { return index }
        }
        return nil
    }
}

// MARK: - Classes

extension ArchiveContents {
    /// The uid of the class of the object `dictionary`; nil where it has none, and is plain data.
    ///
    /// Writers put `$class` last, so it is looked for there first.
    @inline(__always)
    func classUID(of dictionary: Node) throws(KeyedArchiveError) -> UInt32? {
        guard dictionary.kind == .dictionary, dictionary.count > 0 else { return nil }
        var index = dictionary.count &- 1
        let last = try node(list.reference(index, in: dictionary.payload))
        if !list.objects.isString(last, "$class") {
            guard let found = try self.index(of: "$class", in: dictionary) else { return nil }
            index = found
        }
        let value = try node(list.reference(dictionary.count &+ index, in: dictionary.payload))
        return value.kind == .uid ? try uid(value) : nil
    }

    /// The name in the class entry `uid`.
    func className(_ uid: UInt32) throws(KeyedArchiveError) -> String {
        let entry = try object(uid)
        guard let name = try value(of: "$classname", in: entry.node),
            name.node.kind == .ascii || name.node.kind == .utf16
        else { throw KeyedArchiveError(.badClass(uid: uid)) }
        return list.objects.string(name.node)
    }

    /// Kinds of class that keyed containers tell apart.
    enum ClassKind {
        /// A class with fields of its own.
        case fields
        /// NSDictionary, its mutable form, or a class that inherits from it.
        case dictionary
        /// NSArray, NSSet and their like, which have elements and no keys.
        case elements
    }

    /// Whether the object `node` can be one of Foundation's collections: it has nothing but its class, or keys that start
    /// with "NS.". To look at a key costs less than to look at a class.
    func mayBeCollection(_ node: Node) throws(KeyedArchiveError) -> Bool {
        guard node.count > 1 else { return true }
        for index in 0..<2 {
            let key = try self.node(list.reference(index, in: node.payload))
            guard key.kind == .ascii, key.count > 3 else { return false }
            let bytes = list.objects.bytes(key)
            if bytes[0] == UInt8(ascii: "N"), bytes[1] == UInt8(ascii: "S"), bytes[2] == UInt8(ascii: ".") {
                return true
            }
            // Where keys are sorted, the class comes first.
            guard bytes[0] == UInt8(ascii: "$") else { return false }
        }
        return false
    }

    /// What kind of class the class entry `uid` is.
    func classKind(_ uid: UInt32) throws(KeyedArchiveError) -> ClassKind {
        let entry = try object(uid)
        guard let own = try value(of: "$classname", in: entry.node)?.node, own.kind == .ascii || own.kind == .utf16
        else { throw KeyedArchiveError(.badClass(uid: uid)) }
        if let kind = foundationKind(own) { return kind }
        guard let chain = try value(of: "$classes", in: entry.node), chain.node.kind == .array else { return .fields }
        for reference in list.references(chain.node) {
            if let kind = foundationKind(try node(reference)) { return kind }
        }
        return .fields
    }

    private func foundationKind(_ name: Node) -> ClassKind? {
        let objects = list.objects
        guard name.kind == .ascii, name.count > 2, objects.bytes(name)[0] == UInt8(ascii: "N"),
            objects.bytes(name)[1] == UInt8(ascii: "S")
        else { return nil }
        // The names differ in length, so that most are told apart without reading them.
        if objects.isString(name, "NSDictionary") || objects.isString(name, "NSMutableDictionary") {
            return .dictionary
        }
        if objects.isString(name, "NSArray") || objects.isString(name, "NSMutableArray")
            || objects.isString(name, "NSSet") || objects.isString(name, "NSMutableSet")
            || objects.isString(name, "NSOrderedSet") || objects.isString(name, "NSMutableOrderedSet")
        {
            return .elements
        }
        return nil
    }
}
