// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

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
    /// The name of several values of the kind, and the size of strings and data.
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
    /// The statistics of a typedstream.
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
        for (index, count) in links.referenceCounts.enumerated() where count > 1 {
            keep(SharedObject(number: index, name: stream.className(of: stream.objects[index]), referenceCount: count))
        }
        addFact("objects", "objects", stream.objects.count)
        addFact("classes", "classes", stream.classes.count)
        addFact("references", "references", links.referenceCounts.reduce(0, +))
        addFact("shared", "shared objects", links.referenceCounts.count { $0 > 1 })
        addFact("depth", "depth", links.depth)
    }
}

/// The references in a typedstream.
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

    /// Counts the references and leaves in `groups`, and returns the referenced objects.
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
