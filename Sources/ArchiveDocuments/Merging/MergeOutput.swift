// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The merged archive as a property list.
///
/// Objects of the base keep their uids. Those that mine has added keep theirs if they are free, and those of theirs get new ones.
struct MergeOutput: ~Copyable {
    private let run: MergeRun
    private let graph: MergeGraph
    private var objects: [PropertyList]
    private var isUsed: [Bool]
    /// The uids of merged values, and of the copied ones of each archive; 0 for those without one.
    private var mergedUIDs: [UInt32]
    private var copyUIDs: Triple<[UInt32]>
    /// The uids of leaves by their numbers.
    private var leafUIDs: [Int: UInt32] = [:]
    /// The leaves of the base by their numbers.
    private var baseLeaves: [Int: Int] = [:]
    private var remaining: [Source] = []
    /// The number of records that have a uid.
    private(set) var objectCount = 0

    private enum Source {
        case merged(Int, UInt32)
        case copy(MergeOrigin, Int, UInt32)
    }

    init(_ run: consuming MergeRun) {
        graph = run.graph
        let sides = graph.sides
        objects = Array(repeating: "$null", count: max(sides.base.objectCount, sides.mine.objectCount))
        isUsed = Array(repeating: false, count: objects.count)
        isUsed[0] = true
        mergedUIDs = Array(repeating: 0, count: run.values.count)
        copyUIDs = Triple([], [], [])
        for origin in MergeOrigin.allCases {
            copyUIDs[origin] = Array(repeating: 0, count: sides[origin].objectCount)
        }
        for uid in (0..<sides.base.objectCount).reversed() where sides.base.forms[uid] == .leaf {
            if let number = graph.baseNumber(uid, for: .mine) { baseLeaves[number] = uid }
        }
        self.run = run
    }

    /// The uids of the objects of mine in the merged archive; 0 for those that are not in it.
    var mineUIDs: [UInt32] {
        var uids = copyUIDs.mine
        for (value, uid) in zip(run.values, mergedUIDs) where uid != 0 {
            if let mine = value.versions.mine, mine < uids.count { uids[mine] = uid }
        }
        return uids
    }

    mutating func propertyList() -> PropertyList {
        let sides = graph.sides
        var top = fields(of: Triple(sides.base.top, sides.mine.top, sides.theirs.top))
        var root = fields(
            of: Triple(sides.base.surroundings, sides.mine.surroundings, sides.theirs.surroundings))
        while let source = remaining.popLast() {
            switch source {
            case .merged(let number, let uid): objects[Int(uid)] = object(number)
            case .copy(let origin, let old, let uid):
                objects[Int(uid)] = translated(graph.sides[origin].values[old], origin)
            }
        }
        if graph.sides.mine.hasChecksum || graph.sides.theirs.hasChecksum {
            // The place of the checksum, which is computed when the list is written.
            top.append(key: MergeSide.checksumKey, value: .data(Data(count: 8)))
        }
        root.append(key: "$top", value: .dictionary(top))
        root.append(key: "$objects", value: .array(objects))
        return .dictionary(root)
    }
}

// MARK: - Uids

extension MergeOutput {
    /// Returns the uid for an object of an archive: its own, if it is free there.
    private mutating func assign(_ uid: Int, _ origin: MergeOrigin) -> UInt32 {
        let base = graph.sides.base
        let isFree =
            origin == .base || origin == .mine && (uid >= base.objectCount || base.forms[uid] == .null)
        if graph.sides[origin].forms[uid] == .record { objectCount += 1 }
        if isFree, !isUsed[uid] {
            isUsed[uid] = true
            return UInt32(truncatingIfNeeded: uid)
        }
        objects.append("$null")
        isUsed.append(true)
        return UInt32(truncatingIfNeeded: objects.count - 1)
    }

    private mutating func uid(ofMerged number: Int) -> UInt32 {
        if mergedUIDs[number] != 0 { return mergedUIDs[number] }
        let versions = run.values[number].versions
        let uid: UInt32
        if let base = versions.base, versions.mine ?? base == base, versions.theirs ?? base == base {
            uid = assign(base, .base)
        } else {
            uid = assign(versions.mine ?? 0, .mine)
        }
        mergedUIDs[number] = uid
        remaining.append(.merged(number, uid))
        return uid
    }

    private mutating func uid(ofObject old: Int, _ origin: MergeOrigin) -> UInt32 {
        let side = graph.sides[origin]
        if side.forms[old] == .null { return 0 }
        if let versions = run.identity(old, origin), let number = run.known(versions) { return uid(ofMerged: number) }
        if copyUIDs[origin][old] != 0 { return copyUIDs[origin][old] }
        let number = origin == .base ? graph.baseNumber(old, for: .mine) : graph.number(old, origin)
        let uid: UInt32
        if side.forms[old] == .leaf, let number {
            uid = leafUIDs[number] ?? copied(baseLeaves[number] ?? old, baseLeaves[number] == nil ? origin : .base)
            leafUIDs[number] = uid
        } else if origin != .base, side.has(old, of: graph.sides.base), graph.baseNumber(old, for: origin) == number {
            uid = self.uid(ofObject: old, .base)
        } else {
            uid = copied(old, origin)
        }
        copyUIDs[origin][old] = uid
        return uid
    }

    private mutating func copied(_ old: Int, _ origin: MergeOrigin) -> UInt32 {
        let uid = assign(old, origin)
        remaining.append(.copy(origin, old, uid))
        return uid
    }
}

// MARK: - Contents

extension MergeOutput {
    private mutating func object(_ number: Int) -> PropertyList {
        let value = run.values[number]
        var entries: PropertyList.Dictionary
        switch value.contents {
        case .version(let origin)?:
            return value.versions[origin].map { translated(graph.sides[origin].values[$0], origin) } ?? "$null"
        case .record?: return .dictionary(fields(of: value.versions))
        case .elements(let elements)?: entries = ["NS.objects": .array(elements.map { self.value($0) })]
        case .dictionary(let found)?:
            entries = [
                "NS.keys": .array(found.map { self.value($0.key) }),
                "NS.objects": .array(found.map { self.value($0.value) }),
            ]
        case nil: return "$null"
        }
        for origin in MergeOrigin.allCases {
            guard let version = value.versions[origin] else { continue }
            let classUID = uid(ofObject: graph.sides[origin].classUIDs[version], origin)
            entries.append(key: "$class", value: .uid(classUID))
            break
        }
        return .dictionary(entries)
    }

    /// The merged fields of the record with these versions.
    private mutating func fields(of versions: Triple<Int?>) -> PropertyList.Dictionary {
        var entries = PropertyList.Dictionary()
        guard let number = run.known(versions), case .record(let fields)? = run.values[number].contents else {
            return entries
        }
        for field in fields { entries.append(key: graph.names[field.key], value: value(field.value)) }
        return entries
    }

    private mutating func value(_ chosen: MergeRun.Chosen) -> PropertyList {
        switch chosen {
        case .merged(let number): return .uid(uid(ofMerged: number))
        case .from(let origin, let value):
            if graph.sides[origin].isObject(value) { return .uid(uid(ofObject: value, origin)) }
            return graph.sides[origin].forms[value] == .null
                ? .uid(0) : translated(graph.sides[origin].values[value], origin)
        }
    }

    /// Returns `list` with the uids of the merged archive. Containers are nested at most as deep as a property list may be.
    private mutating func translated(_ list: PropertyList, _ origin: MergeOrigin) -> PropertyList {
        switch list {
        case .uid(let uid): return .uid(self.uid(ofObject: Int(uid), origin))
        case .array(let elements): return .array(elements.map { translated($0, origin) })
        case .set(let elements): return .set(elements.map { translated($0, origin) })
        case .dictionary(let entries):
            var result = PropertyList.Dictionary()
            for entry in entries { result.append(key: entry.key, value: translated(entry.value, origin)) }
            return .dictionary(result)
        default: return list
        }
    }
}
