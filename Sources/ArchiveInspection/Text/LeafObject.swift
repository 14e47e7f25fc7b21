import Archiving

/// An object of Foundation that readers see as a single value.
enum LeafObject {
    /// A leaf of the property list inside the object.
    case leaf(Node)
    /// A string as UTF-8.
    case text(UnsafeRawBufferPointer)
    case data(UnsafeRawBufferPointer)
    case date(Double)
    case uuid(UnsafeRawBufferPointer)
    case decimal(DecimalNumber)
    case indexes([Range<Int>])
    case indexPath([Int])
}

// MARK: - Reading

extension ArchiveContents {
    /// The keys of leaf objects.
    private struct LeafKeys: OptionSet {
        let rawValue: UInt32

        static let time = LeafKeys(rawValue: 1 << 0)
        static let string = LeafKeys(rawValue: 1 << 1)
        static let bytes = LeafKeys(rawValue: 1 << 2)
        static let data = LeafKeys(rawValue: 1 << 3)
        static let relative = LeafKeys(rawValue: 1 << 4)
        static let base = LeafKeys(rawValue: 1 << 5)
        static let uuidBytes = LeafKeys(rawValue: 1 << 6)
        static let uuid = LeafKeys(rawValue: 1 << 7)
        static let mantissa = LeafKeys(rawValue: 1 << 8)
        static let decimalPart = LeafKeys(rawValue: 1 << 9)
        static let first = LeafKeys(rawValue: 1 << 10)
        static let number = LeafKeys(rawValue: 1 << 11)
        static let rangeCount = LeafKeys(rawValue: 1 << 12)
        static let rangePart = LeafKeys(rawValue: 1 << 13)
        static let pathLength = LeafKeys(rawValue: 1 << 14)
        static let pathPart = LeafKeys(rawValue: 1 << 15)
    }

    private static let leafKeys: [(name: StaticString, key: LeafKeys)] = [
        ("NS.time", .time), ("NS.string", .string), ("NS.bytes", .bytes), ("NS.data", .data),
        ("NS.relative", .relative), ("NS.base", .base), ("NS.uuidbytes", .uuidBytes), ("uuid", .uuid),
        ("NS.mantissa", .mantissa), ("NS.mantissa.bo", .decimalPart), ("NS.length", .decimalPart),
        ("NS.exponent", .decimalPart), ("NS.negative", .decimalPart), ("NS.compact", .decimalPart), ("$0", .first),
        ("NS.number", .number), ("NS.intval", .number), ("NS.dblval", .number), ("NS.boolval", .number),
        ("NSRangeCount", .rangeCount), ("NSLocation", .rangePart), ("NSLength", .rangePart),
        ("NSRangeData", .rangePart), ("NSIndexPathLength", .pathLength), ("NSIndexPathValue", .pathPart),
        ("NSIndexPathData", .pathPart),
    ]

    /// The largest number of keys of a leaf object besides its class.
    private static var leafKeyLimit: Int { 6 }
    /// The largest number of entries of an object inside a leaf object. An NSMutableString has two.
    private static var innerLimit: Int { 4 }
    /// The largest number of code units of a decimal number as text.
    private static var decimalLimit: Int { 64 }
    /// The largest number of bytes of index sets and index paths that are written as leaves.
    private static var packedLimit: Int { 256 }

    /// The keys of `node` besides its class; nil if a key is not one of a leaf object, or if there are too many. The limit is low
    /// because leaf objects are inspected at every reference to them.
    private func leafKeys(of node: Node) throws(KeyedArchiveError) -> LeafKeys? {
        guard node.count > 1, node.count <= Self.leafKeyLimit + 1 else { return nil }
        var keys: LeafKeys = []
        let known = Self.leafKeys
        for position in 0..<node.count {
            let name = try self.node(list.reference(position, in: node.payload))
            if list.objects.isString(name, "$class") { continue }
            guard let found = known.first(where: { list.objects.isString(name, $0.name) }) else { return nil }
            keys.insert(found.key)
            let value = try self.value(list.reference(node.count + position, in: node.payload)).node
            guard value.kind != .dictionary || value.count <= Self.innerLimit else { return nil }
        }
        return keys
    }

    /// The leaf that represents `value`, an object of the class `described`; nil for other objects and for those with further
    /// fields.
    ///
    /// - Throws: `KeyedArchiveError` if the leaf object is damaged.
    func leafObject(_ value: ArchivedValue, of described: DescribedClass) throws(KeyedArchiveError) -> LeafObject? {
        guard let keys = try leafKeys(of: value.node) else { return nil }
        var entries = entries(of: value)
        switch keys {
        case .time: return try date(value).map { .date($0) }
        case .string:
            guard let text = try entries["NS.string"]?.node, text.kind == .ascii || text.kind == .utf16 else {
                return nil
            }
            return .leaf(text)
        case .bytes where isName(of: described, endingIn: "String"):
            return try entries.bytes("NS.bytes").map { .text($0) }
        case .bytes, .data: return try data(value).map { .data($0) }
        case [.relative, .base], .relative:
            guard try entries["NS.base"]?.isNull ?? true, let relative = try entries["NS.relative"] else { return nil }
            // A string, or an NSMutableString.
            let text = try self.value(of: "NS.string", in: relative.node)?.node ?? relative.node
            return text.kind == .ascii || text.kind == .utf16 ? .leaf(text) : nil
        case .uuidBytes: return try uuid(value).map { .uuid($0) }
        case .uuid where isName(of: described, endingIn: "UUID"): return try uuid(value).map { .uuid($0) }
        case [.mantissa, .decimalPart]: return try decimal(value).map { .decimal($0) }
        case .first where isName(of: described, endingIn: "DecimalNumber"):
            guard let text = try entries["$0"]?.node, text.kind == .ascii, text.count <= Self.decimalLimit else {
                return nil
            }
            return try decimal(value).map { .decimal($0) }
        case .number:
            let number = try number(value).node
            switch number.kind {
            case .true, .false, .integer, .real32, .real64: return .leaf(number)
            default: return nil
            }
        case .rangeCount, [.rangeCount, .rangePart]:
            guard try isSmall(entries["NSRangeData"]) else { return nil }
            return try indexSet(value).map { .indexes($0) }
        case .pathLength, [.pathLength, .pathPart]:
            guard try isSmall(entries["NSIndexPathData"]) else { return nil }
            return try indexPath(value).map { .indexPath($0) }
        default: return nil
        }
    }

    /// Whether optional data of packed integers is small enough to be read at every reference to it.
    private func isSmall(_ packed: ArchivedValue?) throws(KeyedArchiveError) -> Bool {
        guard let packed, let bytes = try data(packed) else { return true }
        return bytes.count <= Self.packedLimit
    }

    private func isName(of described: DescribedClass, endingIn suffix: String) -> Bool {
        described.name.kind == .ascii && described.name.count < 64
            && list.objects.string(described.name).hasSuffix(suffix)
    }
}

// MARK: - Writing

extension ArchiveDump {
    /// The number of ranges or indexes that are shown.
    private static var indexLimit: Int { 16 }

    mutating func writeLeafObject(_ leaf: LeafObject) {
        switch leaf {
        case .leaf(let node): writeLeaf(ArchivedValue(node: node, uid: 0, isNull: false))
        case .text(let bytes): output.writeLiteral(TextBytes(utf8: bytes), limit: options.stringLimit)
        case .data(let bytes): writeData(bytes)
        case .date(let seconds): output.write(ReadableText.date(seconds))
        case .uuid(let bytes): output.write(ReadableText.uuid(bytes))
        case .decimal(let number): output.write(number.text)
        case .indexes(let ranges):
            writeList(ranges) { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)...\($0.upperBound - 1)" }
        case .indexPath(let indexes): writeList(indexes, \.description)
        }
    }

    private mutating func writeList<Element>(_ elements: [Element], _ text: (Element) -> String) {
        output.write("[" + elements.prefix(Self.indexLimit).map(text).joined(separator: ", "))
        output.write(elements.count > Self.indexLimit ? ", …]" : "]")
    }
}
