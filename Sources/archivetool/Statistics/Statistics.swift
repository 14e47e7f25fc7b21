// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import SequentialArchiving

struct Statistics {
    /// The kind of the file with details: "keyed archive by NSKeyedArchiver, binary".
    var title = ""
    /// "keyed archive", "property list" or "typedstream".
    var kind = ""
    /// "binary" or "xml"; nil for typedstreams.
    var format: String?
    var byteCount = 0
    var facts: [Fact] = []
    var rows: [Row] = []
    var parts: [Row] = []
    /// Objects with several references, those with the most first.
    var shared: [SharedObject] = []
    var leaves: [String: Int] = [:]

    struct Fact {
        let key: String
        let label: String
        let number: Int
        var remark = ""
    }

    struct Row {
        let name: String
        /// Whether the name is a kind such as "strings", and not a class.
        var isDescription = false
        var count = 0
        /// Nil if the sizes are unknown.
        var byteCount: Int?

        mutating func add(_ byteCount: Int?) {
            count += 1
            if let byteCount { self.byteCount = (self.byteCount ?? 0) + byteCount }
        }
    }

    struct SharedObject {
        let number: Int
        let name: String
        let referenceCount: Int
    }

    mutating func addFact(_ key: String, _ label: String, _ number: Int, _ remark: String = "") {
        facts.append(Fact(key: key, label: label, number: number, remark: remark))
    }

    mutating func countLeaf(_ kind: String) { leaves[kind, default: 0] += 1 }
}

// MARK: - Keyed archives

extension Statistics {
    init(_ archive: KeyedArchive, byteCount: Int) throws {
        self.byteCount = byteCount
        kind = "keyed archive"
        format = archive.format == .xml ? "xml" : "binary"
        let archiver = archive.archiver.map { " by " + VisibleText.name($0) } ?? ""
        title = "keyed archive\(archiver), \(archive.format == .xml ? "XML" : "binary")"
        let references: KeyedArchive.References
        let sizes: KeyedArchive.Sizes
        do {
            references = try archive.references()
            sizes = try archive.sizes()
        } catch {
            guard error.code == .limit else { throw error }
            throw ToolError(
                .unreadable,
                "The objects share so many of their contents that there are too many references to count; the archive is"
                    + " damaged, or an attack on its readers")
        }
        countObjects(archive, references, sizes)
        let depth = DepthSearch(archive)
        for (kind, count) in depth.inlineLeaves { leaves[kind, default: 0] += count }
        let path = depth.isCut ? nil : depth.deepest.flatMap { archive.path(to: archive[uid: $0]) }
        addFact(
            "depth", "depth", depth.depth,
            depth.isCut
                ? "or more: the objects share too many long keys"
                : path.map { "the path to " + VisibleText.escaped(ValuePath.shortText(of: $0, in: archive)) } ?? "")
        let unreachable = archive.unreachableObjects
        addFact(
            "unreferenced", "unreferenced objects", unreachable.count,
            unreachable.isEmpty ? "" : "\(unreachable.reduce(0) { $0 + sizes.byteCount(of: $1) }) bytes")
        parts = [
            Row(name: "shared keys and values", isDescription: true, byteCount: sizes.sharedByteCount),
            Row(name: "top, list of objects", isDescription: true, byteCount: sizes.headByteCount),
            Row(name: "header, offsets, trailer", isDescription: true, byteCount: sizes.frameByteCount),
        ]
    }

    private mutating func countObjects(
        _ archive: KeyedArchive, _ references: KeyedArchive.References, _ sizes: KeyedArchive.Sizes
    ) {
        var classRows: [UInt32: Row] = [:]
        var otherRows: [String: Row] = [:]
        // Very many classes may share a long name, or have overlapping ones.
        var nameBudget = 1 << 24
        var referenceCount = 0
        var shared: [(number: Int, referenceCount: Int)] = []
        for (uid, object) in archive.objects.enumerated() {
            let byteCount = sizes.byteCount(of: object)
            let kind = object.kind
            if let classUID = object.classUID {
                if classRows[classUID] == nil {
                    var name = object.className
                    nameBudget -= name?.utf8.count ?? 0
                    if nameBudget < 0, let long = name { name = String(long.unicodeScalars.prefix(64)) }
                    classRows[classUID] = Row(name: name ?? "objects without a class", isDescription: name == nil)
                }
                classRows[classUID]?.add(byteCount)
            } else {
                let name = kind.plural
                otherRows[name, default: Row(name: name, isDescription: true)].add(byteCount)
                if kind.isLeaf { countLeaf(name) }
            }
            let count = references.count(of: object)
            referenceCount += count
            guard count > 1, kind != .null, kind != .classEntry else { continue }
            shared.append((uid, count))
        }
        setShared(shared) { archive.objects[$0].className ?? archive.objects[$0].kind.singular }
        rows = Array(classRows.values) + Array(otherRows.values)
        addFact("objects", "objects", archive.objects.count)
        addFact("classes", "classes", archive.classes.count)
        addFact("references", "references", referenceCount)
        addFact("shared", "shared objects", shared.count)
    }

    /// Objects that a report may list.
    static let sharedLimit = 1000

    mutating func setShared(_ objects: [(number: Int, referenceCount: Int)], _ name: (Int) -> String) {
        let ordered = objects.sorted { ($1.referenceCount, $0.number) < ($0.referenceCount, $1.number) }
        shared = ordered.prefix(Self.sharedLimit).map { object in
            SharedObject(number: object.number, name: name(object.number), referenceCount: object.referenceCount)
        }
    }
}

extension KeyedArchive.Value.Kind {
    var plural: String {
        switch self {
        case .null: "nil"
        case .boolean: "Bools"
        case .integer: "integers"
        case .real: "reals"
        case .string: "strings"
        case .data: "data"
        case .date: "dates"
        case .array: "plain arrays"
        case .set: "plain sets"
        case .dictionary: "plain dictionaries"
        case .object: "objects without a class"
        case .classEntry: "descriptions of classes"
        case .damaged: "damaged objects"
        }
    }

    var singular: String {
        switch self {
        case .boolean: "Bool"
        case .dictionary: "dictionary"
        case .damaged: "damaged object"
        case .classEntry: "class"
        default: "\(self)"
        }
    }

    var isLeaf: Bool {
        switch self {
        case .null, .boolean, .integer, .real, .string, .data, .date: true
        default: false
        }
    }
}

/// Finds the object of an archive with the longest shortest path, by a search in breadth.
private struct DepthSearch {
    private(set) var depth = 0
    private(set) var deepest: UInt32?
    private(set) var inlineLeaves: [String: Int] = [:]

    /// Bytes of keys that may still be read: many objects may share one long key.
    private var budget = 256 << 20
    var isCut: Bool { budget <= 0 }

    init(_ archive: KeyedArchive) {
        var isMet = Array(repeating: false, count: archive.objects.count)
        var metInline: Set<KeyedArchive.Value> = []
        var level = [archive.top]
        var count = 0
        while !level.isEmpty {
            if count > 0 { (depth, deepest) = (count, level.first?.uid) }
            var next: [KeyedArchive.Value] = []
            var open = Array(level.reversed())
            while let value = open.popLast() {
                for (key, inner) in value.contents where !isCut {
                    budget -= key?.utf8.count ?? 0
                    if let uid = inner.uid {
                        guard uid > 0, Int(uid) < isMet.count, !isMet[Int(uid)] else { continue }
                        isMet[Int(uid)] = true
                        next.append(inner)
                    } else if inner.kind.isLeaf {
                        inlineLeaves[inner.kind.plural, default: 0] += 1
                    } else if metInline.insert(inner).inserted {
                        open.append(inner)
                    }
                }
            }
            level = next
            count += 1
        }
    }
}

// MARK: - Property lists

extension Statistics {
    init(_ list: PropertyList, format: ListForm, byteCount: Int) {
        self.byteCount = byteCount
        kind = "property list"
        self.format = format.rawValue
        title = "property list, \(format.title)"
        var counts: [String: Row] = [:]
        var depth = 0
        var count = 0
        var open = [(value: list, level: 0)]
        while let (value, level) = open.popLast() {
            count += 1
            depth = max(depth, level)
            let (name, size) = value.statisticsName
            counts[name, default: Row(name: name, isDescription: true)].add(size)
            switch value {
            case .array(let elements), .set(let elements): open += elements.map { ($0, level + 1) }
            case .dictionary(let entries): open += entries.map { ($0.value, level + 1) }
            default: countLeaf(name)
            }
        }
        rows = Array(counts.values)
        addFact("values", "values", count)
        addFact("depth", "depth", depth)
    }
}

extension PropertyList {
    fileprivate var statisticsName: (String, Int?) {
        switch self {
        case .null: ("nil", nil)
        case .boolean: ("Bools", nil)
        case .integer: ("integers", nil)
        case .real: ("reals", nil)
        case .real32: ("32-bit reals", nil)
        case .string(let text): ("strings", text.utf8.count)
        case .date: ("dates", nil)
        case .data(let data): ("data", data.count)
        case .uid: ("uids", nil)
        case .array: ("arrays", nil)
        case .set: ("sets", nil)
        case .dictionary: ("dictionaries", nil)
        }
    }
}

// MARK: - Typedstreams

extension Statistics {
    init(_ stream: TypedStream, byteCount: Int) {
        self.byteCount = byteCount
        kind = "typedstream"
        title =
            "typedstream of version \(stream.streamerVersion), "
            + "\(stream.byteOrder == .littleEndian ? "little" : "big")-endian, system \(stream.systemVersion)"
        var classRows = stream.classes.map { Row(name: $0.name) }
        for object in stream.objects where classRows.indices.contains(object.classIndex) {
            classRows[object.classIndex].count += 1
        }
        rows = classRows.filter { $0.count > 0 }
        var links = TypedStreamLinks(stream)
        links.run()
        leaves = links.leaves
        let shared = links.referenceCounts.enumerated().filter { $0.element > 1 }.map { ($0.offset, $0.element) }
        setShared(shared) { stream.className(of: stream.objects[$0]) }
        addFact("objects", "objects", stream.objects.count)
        addFact("classes", "classes", stream.classes.count)
        addFact("references", "references", links.referenceCounts.reduce(0, +))
        addFact("shared", "shared objects", links.referenceCounts.count { $0 > 1 })
        addFact("depth", "depth", links.depth)
    }
}

private struct TypedStreamLinks {
    private let stream: TypedStream
    private(set) var referenceCounts: [Int]
    private(set) var leaves: [String: Int] = [:]
    private(set) var depth = 0

    init(_ stream: TypedStream) {
        self.stream = stream
        referenceCounts = Array(repeating: 0, count: stream.objects.count)
    }

    mutating func run() {
        var isMet = Array(repeating: false, count: stream.objects.count)
        var level = references(in: stream.groups)
        var count = 0
        while !level.isEmpty {
            var next: [Int] = []
            var isDeeper = false
            for index in level where !isMet[index] {
                isMet[index] = true
                isDeeper = true
                next += references(in: stream.objects[index].groups)
            }
            count += 1
            if isDeeper { depth = count }
            level = next
        }
    }

    private mutating func references(in groups: [TypedStream.Group]) -> [Int] {
        var found: [Int] = []
        for group in groups { for value in group.values { visit(value, &found) } }
        return found
    }

    /// It recurses to the depth of array and struct types, which is small.
    private mutating func visit(_ value: TypedStream.Value, _ found: inout [Int]) {
        switch value {
        case .object(let index?):
            guard referenceCounts.indices.contains(index) else { return }
            referenceCounts[index] += 1
            found.append(index)
        case .array(let values), .structure(let values): for value in values { visit(value, &found) }
        case .integer, .unsigned: leaves["integers", default: 0] += 1
        case .float, .double: leaves["reals", default: 0] += 1
        case .cString(_?), .name(_?): leaves["C strings and names", default: 0] += 1
        case .bytes(_?): leaves["bytes", default: 0] += 1
        case .class(_?): leaves["classes", default: 0] += 1
        case .object(nil), .cString(nil), .name(nil), .bytes(nil), .class(nil): leaves["nil", default: 0] += 1
        case .ignored: break
        }
    }
}
