// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving

// MARK: - Keyed archives

extension ContentGraph {
    enum Detail {
        /// Immutable values: strings, numbers, dates.
        case all
        /// Mutable strings and data as well. The fields of records have their public names, and numbers their names.
        case values
        /// Colours, fonts, points and other values with a short text as well.
        case texts
    }

    /// The contents of `value`, which is node 0, in a file of `byteCount` bytes.
    ///
    /// - Parameter isPartial: Whether the contents of a node are read by `expand(_:)`, and not at once.
    init(
        _ value: KeyedArchive.Value, byteCount: Int, detail: Detail = .all, isPartial: Bool = false,
        _ progress: Progress? = nil
    ) throws(Refusal) {
        self.init(byteCount: byteCount)
        var reading = KeyedArchiveReading(objectCount: value.archive.objects.count, detail: detail)
        _ = reading.node(of: value, in: &self)
        if isPartial {
            self.reading = reading
        } else {
            // Reading adds nodes at the end.
            var node = 0
            while node < nodes.count {
                try reading.expand(node, in: &self)
                node += 1
                progress?.advance(to: node)
            }
        }
    }
}

struct KeyedArchiveReading {
    private var objects: [Int?]
    /// The nodes of other values, by their numbers in the property list. A binary one has equal leaves once, and so has the
    /// graph.
    private var known: [Int: Int] = [:]
    private var values: [KeyedArchive.Value?] = []
    private var classes: [UInt32: KnownClass] = [:]

    private struct KnownClass {
        let name: String
        let family: Family
        let isText: Bool
        /// The position in the graph; nil if all its objects so far are leaves.
        var index: Int?
    }

    private let detail: ContentGraph.Detail
    private var flags: [Int: [String]] = [:]
    /// Bytes of data in records that may still be read. Many objects can share them.
    private var recordBudget = 1 << 26

    init(objectCount: Int, detail: ContentGraph.Detail) {
        self.detail = detail
        objects = Array(repeating: nil, count: objectCount)
    }

    mutating func node(of value: KeyedArchive.Value, in graph: inout ContentGraph) -> Int {
        let slot = value.uid.map { Int($0) }.flatMap { objects.indices.contains($0) ? $0 : nil }
        if let slot {
            if let node = objects[slot] { return node }
        } else if let node = value.reference.flatMap({ known[$0] }) {
            return node
        }
        // Several uids may share one object of the property list.
        graph.count(value.archived?.node.referenceCount ?? 0)
        let node = graph.add(described(value, in: &graph))
        values.append(graph.nodes[node].shape == .leaf ? nil : value)
        if let slot { objects[slot] = node } else if let reference = value.reference { known[reference] = node }
        return node
    }

    mutating func expand(_ node: Int, in graph: inout ContentGraph) throws(ContentGraph.Refusal) {
        for name in flags.removeValue(forKey: node) ?? [] {
            try graph.addEdge(from: node, to: leaf(.string(name), in: &graph))
        }
        guard let value = values[node] else { return }
        values[node] = nil
        switch graph.nodes[node].shape {
        case .leaf: break
        case .list, .set:
            for element in value.elements {
                let target = self.node(of: element, in: &graph)
                try graph.addEdge(from: node, to: target)
            }
        case .dictionary where value.className.map(Family.isCountedSet) == true:
            guard case .countedSet(let elements)? = try? value.foundationValue() else { break }
            for (element, count) in elements {
                let keyNode = self.node(of: element, in: &graph)
                try graph.addEdge(from: node, keyNode: keyNode, to: leaf(.integer(Int128(count)), in: &graph))
            }
        case .dictionary:
            for (key, entry) in value.entries {
                let target = self.node(of: entry, in: &graph)
                if let text = key.string {
                    try graph.addEdge(from: node, key: graph.key(text), to: target)
                } else {
                    let keyNode = self.node(of: key, in: &graph)
                    try graph.addEdge(from: node, keyNode: keyNode, to: target)
                }
            }
        case .fields:
            if let record = record(value) {
                for field in record.fields {
                    let target = self.node(of: field, in: &graph)
                    try graph.addEdge(from: node, key: graph.key(field.name), to: target)
                }
            } else {
                for (key, field) in value.fields {
                    let target = self.node(of: field, in: &graph)
                    try graph.addEdge(from: node, key: graph.key(key), to: target)
                }
            }
        }
    }

    // MARK: Records

    /// The fields of an object that Foundation's values know, for people; nil for other objects.
    private mutating func record(_ value: KeyedArchive.Value) -> FoundationValue.Record? {
        guard detail != .all, recordBudget > 0, case .record(let record)? = try? value.foundationValue() else {
            return nil
        }
        for field in record.fields {
            if case .data(let data)? = field.value { recordBudget -= data.count }
        }
        return record
    }

    private mutating func node(of field: FoundationValue.Record.Field, in graph: inout ContentGraph) -> Int {
        switch field.value {
        case .choice(let name, _)?: return leaf(.string(name), in: &graph)
        case .flags(let names, _)?:
            let node = graph.add(ContentGraph.Node(shape: .list))
            values.append(nil)
            flags[node] = names
            return node
        default: return node(of: field.archived, in: &graph)
        }
    }

    private mutating func leaf(_ leaf: ContentGraph.Leaf, in graph: inout ContentGraph) -> Int {
        values.append(nil)
        return graph.add(ContentGraph.Node(shape: .leaf, leaf: leaf))
    }

    private static func text(of record: FoundationValue.Record) -> String? {
        var texts: [String] = []
        for field in record.fields {
            switch field.value {
            case nil, .array?, .dictionary?: return nil
            case .data(let data)? where data.count > 64: return nil
            case let value?: texts.append("\(field.name): \(value)")
            }
        }
        let text = texts.joined(separator: ", ")
        return text.utf8.count <= 200 ? text : nil
    }

    // MARK: Nodes

    private mutating func described(_ value: KeyedArchive.Value, in graph: inout ContentGraph) -> ContentGraph.Node {
        var node = ContentGraph.Node(shape: .leaf, number: value.uid)
        switch value.kind {
        case .null: node.leaf = (value.uid ?? 0) == 0 ? .null : .nullObject
        case .boolean: node.leaf = .boolean(value.boolean ?? false)
        case .integer: node.leaf = .integer(value.integer.map { Int128($0) } ?? (try? value.decode(Int128.self)) ?? 0)
        case .real: node.leaf = Self.real(value)
        case .string: node.leaf = .string(value.string ?? "")
        case .data: node.leaf = .data(value.data ?? Data())
        case .date: node.leaf = .date(value.date?.timeIntervalSinceReferenceDate ?? .nan)
        case .array: node.shape = .list
        case .set: node.shape = .set
        case .dictionary: node.shape = .fields
        case .classEntry: node.leaf = .named("class", value["$classname"]?.string ?? "?")
        case .damaged: node.leaf = .damage(value.damage?.description ?? "damaged")
        case .object: describe(value, as: &node, in: &graph)
        }
        return node
    }

    private mutating func describe(
        _ value: KeyedArchive.Value, as node: inout ContentGraph.Node, in graph: inout ContentGraph
    ) {
        guard let classUID = value.classUID, var known = classes[classUID] ?? knownClass(of: value, in: &graph) else {
            node.hasIdentity = true
            node.shape = .fields
            return
        }
        defer { classes[classUID] = known }
        let name = detail == .all ? known.name : Self.fixedNames[known.name] ?? known.name
        let isText = detail == .texts && known.isText
        if let leaf = Self.leaf(of: value, name: name) ?? (isText ? Self.text(of: value) : nil) {
            node.leaf = leaf
            return
        }
        if detail == .texts, let record = record(value), let text = Self.text(of: record) {
            node.leaf = .named(name, text)
            return
        }
        node.hasIdentity = true
        node.shape = known.family.shape(of: value, className: known.name)
        let index =
            known.index
            ?? graph.classNamed(known.name) {
                let described = value.class
                return ContentGraph.Class(
                    name: known.name, chain: described?.chain ?? [], versions: described?.versions ?? [],
                    fallbacks: described?.fallbacks ?? [])
            }
        known.index = index
        node.classIndex = index
    }

    private func knownClass(of value: KeyedArchive.Value, in graph: inout ContentGraph) -> KnownClass? {
        guard let name = value.className else { return nil }
        let chain = [name] + (value.class?.chain ?? [])
        // Very many classes may share a list of long names.
        graph.count(chain.reduce(0) { $0 + $1.utf8.count })
        return KnownClass(
            name: name, family: Family(chain: chain), isText: !Self.textClasses.isDisjoint(with: chain), index: nil)
    }

    private static func real(_ value: KeyedArchive.Value) -> ContentGraph.Leaf {
        if case .real32(let single)? = try? value.propertyList() { return .real(Double(single), isSingle: true) }
        return .real(value.double ?? .nan, isSingle: false)
    }

    /// The value of an immutable object, such as a date or a URL; nil for other objects, and for those with unknown fields.
    private static func leaf(of value: KeyedArchive.Value, name: String) -> ContentGraph.Leaf? {
        guard let fieldLimit = valueClasses[name], value.fields.count <= fieldLimit else { return nil }
        if name == "NSURL" {
            guard let relative = value["NS.relative"]?.string, value["NS.base"].map({ $0.kind == .null }) ?? true else {
                return nil
            }
            return .named(name, relative)
        }
        switch try? value.foundationValue() {
        case .string(let text)?: return .string(text)
        case .boolean(let boolean)?: return .boolean(boolean)
        case .integer(let integer)?: return .integer(integer)
        case .real(let real)?: return .real(real, isSingle: false)
        case .data(let data)?: return .data(data)
        case .date(let date)?: return .date(date.timeIntervalSinceReferenceDate)
        case .uuid(let uuid)?: return .named(name, uuid.uuidString)
        case .decimal(let decimal)?: return .named("NSDecimalNumber", decimal.description)
        case .null?: return .named(name, "null")
        default: return nil
        }
    }

    private static func text(of value: KeyedArchive.Value) -> ContentGraph.Leaf? {
        let fields = value.fields
        guard fields.count <= 64, fields.allSatisfy({ ($0.value.data?.count ?? 0) <= 4096 }) else { return nil }
        return (try? value.foundationValue()).map { .named(value.className ?? "", "\($0)") }
    }

    private static let fixedNames = ["NSMutableString": "NSString", "NSMutableData": "NSData"]

    private static let textClasses: Set<String> = [
        "NSValue", "NSColor", "UIColor", "NSFont", "UIFont", "NSIndexPath", "NSIndexSet", "NSCharacterSet",
        "NSDateComponents", "NSDateInterval", "NSURL",
    ]

    /// Immutable classes of Foundation, with the maximal number of fields.
    private static let valueClasses = [
        "NSString": 1, "NSNumber": 1, "NSData": 1, "NSDate": 1, "NSUUID": 1, "NSNull": 0, "NSURL": 2,
        "NSDecimalNumber": 7, "NSDecimalNumberPlaceholder": 7,
    ]
}

private enum Family {
    case list, set, countedSet, dictionary, other

    init(chain: [String]) {
        self = .other
        for name in chain {
            switch name {
            case "NSArray", "NSMutableArray", "NSOrderedSet", "NSMutableOrderedSet": self = .list
            case "NSCountedSet": self = .countedSet
            case "NSSet", "NSMutableSet": self = .set
            case "NSDictionary", "NSMutableDictionary": self = .dictionary
            default: continue
            }
            return
        }
    }

    static func isCountedSet(_ name: String) -> Bool { name == "NSCountedSet" }

    /// The shape of an object: `fields` if it has other fields than its class writes.
    func shape(of value: KeyedArchive.Value, className: String) -> ContentGraph.Shape {
        if self == .other { return .fields }
        let fieldCount = value.fields.count
        switch self {
        case .list, .set:
            let count = value.elements.count
            guard fieldCount == 1 || fieldCount == count else { return .fields }
            if fieldCount == 1, count == 0, (value["NS.objects"]?.kind ?? .damaged) != .array { return .fields }
            return self == .list ? .list : .set
        case .dictionary:
            let count = value.entries.count
            guard fieldCount == 2 || fieldCount == 2 * count else { return .fields }
            if fieldCount == 2, count == 0, value["NS.objects"] == nil, value.fields.first?.value.kind != .array {
                return .fields
            }
            return .dictionary
        case .countedSet:
            guard Family.isCountedSet(className), case .countedSet? = try? value.foundationValue()
            else { return .fields }
            return .dictionary
        case .other: return .fields
        }
    }
}
