// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import TreeOutput

/// An object of Foundation that readers see as a single value.
enum LeafObject {
    /// A leaf of the property list inside the object.
    case leaf(Node)
    /// A string as UTF-8.
    case text(StoredBytes)
    case data(StoredBytes)
    case date(Double)
    case uuid(StoredBytes)
    case decimal(DecimalNumber)
    case indexes([Range<Int>])
    case indexPath([Int])
}

// MARK: - Reading

extension ArchiveContents {
    private enum LeafKind {
        case date, string, bytes, data, url, uuidBytes, uuid, decimal, unnamed, number, indexSet, indexPath
    }

    /// The keys of leaf objects, and whether an object of the kind needs the key.
    private static let leafKeys: [(name: StaticString, kind: LeafKind, isNeeded: Bool)] = [
        ("NS.time", .date, true), ("NS.string", .string, true), ("NS.bytes", .bytes, true), ("NS.data", .data, true),
        ("NS.relative", .url, true), ("NS.base", .url, false), ("NS.uuidbytes", .uuidBytes, true),
        ("uuid", .uuid, true), ("NS.mantissa", .decimal, true), ("NS.mantissa.bo", .decimal, false),
        ("NS.length", .decimal, false), ("NS.exponent", .decimal, false), ("NS.negative", .decimal, false),
        ("NS.compact", .decimal, false), ("$0", .unnamed, true), ("NS.number", .number, true),
        ("NS.intval", .number, true), ("NS.dblval", .number, true), ("NS.boolval", .number, true),
        ("NSRangeCount", .indexSet, true), ("NSLocation", .indexSet, false), ("NSLength", .indexSet, false),
        ("NSRangeData", .indexSet, false), ("NSIndexPathLength", .indexPath, true),
        ("NSIndexPathValue", .indexPath, false), ("NSIndexPathData", .indexPath, false),
    ]

    /// The largest number of keys of a leaf object besides its class.
    private static var leafKeyLimit: Int { 6 }
    /// The largest number of entries of an object inside a leaf object. An NSMutableString has two.
    private static var innerLimit: Int { 4 }
    /// The largest number of code units of a decimal number as text.
    private static var decimalLimit: Int { 64 }
    /// The largest number of bytes of index sets and index paths that are written as leaves.
    private static var packedLimit: Int { 256 }

    /// The kind that the keys of `node` besides its class have; nil if they have several or none, or if there are too many. The
    /// limit is low because leaf objects are inspected at every reference to them.
    private func leafKind(of node: Node) throws(KeyedArchiveError) -> LeafKind? {
        guard node.count > 1, node.count <= Self.leafKeyLimit + 1 else { return nil }
        var kind: LeafKind?
        var hasNeeded = false
        for position in 0..<node.count {
            let name = try self.node(list.reference(position, in: node.payload))
            if list.objects.isString(name, "$class") { continue }
            guard let found = Self.leafKeys.first(where: { list.objects.isString(name, $0.name) }),
                kind == nil || kind == found.kind
            else { return nil }
            kind = found.kind
            hasNeeded = hasNeeded || found.isNeeded
            let value = try self.value(list.reference(node.count + position, in: node.payload)).node
            guard value.kind != .dictionary || value.count <= Self.innerLimit else { return nil }
        }
        return hasNeeded ? kind : nil
    }

    /// The leaf that represents `value`, an object of the class `described`; nil for other objects and for those with further
    /// fields.
    ///
    /// - Throws: `KeyedArchiveError` if the leaf object is damaged.
    func leafObject(_ value: ArchivedValue, of described: DescribedClass) throws(KeyedArchiveError) -> LeafObject? {
        guard let kind = try leafKind(of: value.node) else { return nil }
        var entries = entries(of: value)
        switch kind {
        case .date: return try date(value).map { .date($0) }
        case .string:
            guard let text = try entries["NS.string"]?.node, text.isText else { return nil }
            return .leaf(text)
        case .bytes where isName(of: described, endingIn: "String"):
            return try entries.bytes("NS.bytes").map { .text($0) }
        case .bytes, .data: return try data(value).map { .data($0) }
        case .url:
            guard try entries["NS.base"]?.isNull ?? true, let relative = try entries["NS.relative"] else { return nil }
            // A string, or an NSMutableString.
            let text = try self.value(of: "NS.string", in: relative.node)?.node ?? relative.node
            return text.isText ? .leaf(text) : nil
        case .uuidBytes: return try uuid(value).map { .uuid($0) }
        case .uuid where isName(of: described, endingIn: "UUID"): return try uuid(value).map { .uuid($0) }
        case .decimal where value.node.count > 2: return try decimal(value).map { .decimal($0) }
        case .unnamed where isName(of: described, endingIn: "DecimalNumber"):
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
        case .indexSet:
            guard try isSmall(entries["NSRangeData"]) else { return nil }
            return try IndexRanges.read(value, in: self).map { .indexes($0.ranges) }
        case .indexPath:
            guard try isSmall(entries["NSIndexPathData"]) else { return nil }
            return try indexPath(value).map { .indexPath($0) }
        case .uuid, .decimal, .unnamed: return nil
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
