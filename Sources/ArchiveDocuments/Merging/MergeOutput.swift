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
    private let graph: MergeGraph
    private let merged: [MergeRun.Merged?]
    private var objects: [PropertyList]
    private var isUsed: [Bool]
    /// The uids of merged objects, and of copied values; 0 for those without one.
    private var nodeUIDs: [UInt32]
    private var copyUIDs: Triple<[UInt32]>
    /// The uids of leaves by their numbers.
    private var leafUIDs: [Int: UInt32] = [:]
    /// The leaves of the base by their numbers.
    private var baseLeaves: [Int: Int] = [:]
    private var remaining: [Source] = []

    private enum Source {
        case node(Int, UInt32)
        case copy(MergeOrigin, Int, UInt32)
    }

    init(_ run: consuming MergeRun) {
        graph = run.graph
        merged = run.merged
        let sides = graph.sides
        objects = Array(repeating: "$null", count: max(1, sides.base.objects.count, sides.mine.objects.count))
        isUsed = Array(repeating: false, count: objects.count)
        isUsed[0] = true
        nodeUIDs = Array(repeating: 0, count: graph.nodes.count)
        copyUIDs = Triple([], [], [])
        for origin in MergeOrigin.allCases {
            copyUIDs[origin] = Array(repeating: 0, count: sides[origin].objects.count)
        }
        for uid in sides.base.forms.indices.reversed() where sides.base.forms[uid] == .leaf {
            baseLeaves[sides.base.numbers[uid]] = uid
        }
    }

    /// The uids of the objects of mine in the merged archive; 0 for those that are not in it.
    var mineUIDs: [UInt32] {
        graph.sides.mine.objects.indices.map { uid in
            graph.node(ofObject: uid, .mine).map { nodeUIDs[$0] } ?? copyUIDs.mine[uid]
        }
    }

    /// The number of objects in the merged archive, without values.
    var objectCount: Int { nodeUIDs.count { $0 != 0 } }

    mutating func propertyList() -> PropertyList {
        var top = fields(of: MergeGraph.top)
        var root = PropertyList.Dictionary()
        for entry in fields(of: MergeGraph.surroundings) { root.append(key: entry.key, value: entry.value) }
        while let source = remaining.popLast() {
            switch source {
            case .node(let node, let uid): objects[Int(uid)] = object(node)
            case .copy(let origin, let old, let uid): objects[Int(uid)] = copy(old, origin)
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

    // MARK: Uids

    /// Returns the uid for an object of an archive: its own, if it is free there.
    private mutating func assign(_ uid: Int, _ origin: MergeOrigin) -> UInt32 {
        let sides = graph.sides
        let isFree =
            origin == .base || origin == .mine && (uid >= sides.base.forms.count || sides.base.forms[uid] == .null)
        if isFree, !isUsed[uid] {
            isUsed[uid] = true
            return UInt32(truncatingIfNeeded: uid)
        }
        objects.append("$null")
        isUsed.append(true)
        return UInt32(truncatingIfNeeded: objects.count - 1)
    }

    private mutating func uid(ofNode node: Int) -> UInt32 {
        if nodeUIDs[node] != 0 { return nodeUIDs[node] }
        let known = graph.nodes[node]
        let origin: MergeOrigin = known.isIn(.base) ? .base : known.isIn(.mine) ? .mine : .theirs
        let uid = assign(known.uids[origin], origin)
        nodeUIDs[node] = uid
        remaining.append(.node(node, uid))
        return uid
    }

    private mutating func uid(ofObject old: Int, _ origin: MergeOrigin, isInUnit: Bool) -> UInt32 {
        let side = graph.sides[origin]
        if side.forms[old] == .null { return 0 }
        if side.forms[old].hasParts, !isInUnit || !side.isPartOfUnit(old),
            let node = graph.node(ofObject: old, origin)
        {
            return uid(ofNode: node)
        }
        if copyUIDs[origin][old] != 0 { return copyUIDs[origin][old] }
        let number = side.numbers[old]
        let uid: UInt32
        if side.forms[old] == .leaf {
            uid = leafUIDs[number] ?? copied(baseLeaves[number] ?? old, baseLeaves[number] == nil ? origin : .base)
            leafUIDs[number] = uid
        } else if origin != .base, graph.sides.base.has(old, side.forms[old], side.classes[old]),
            graph.sides.base.numbers[old] == number
        {
            uid = self.uid(ofObject: old, .base, isInUnit: isInUnit)
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

    // MARK: Contents

    private mutating func object(_ node: Int) -> PropertyList {
        var entries: PropertyList.Dictionary
        switch merged[node] {
        case .record?: return .dictionary(fields(of: node))
        case .list(let elements)?, .set(let elements)?:
            entries = ["NS.objects": .array(elements.map { value($0) })]
        case .dictionary(let found)?:
            entries = [
                "NS.keys": .array(found.map { value($0.key) }), "NS.objects": .array(found.map { value($0.value) }),
            ]
        case nil: return "$null"
        }
        if let (origin, uid) = classOfCollection(node) {
            entries.append(key: "$class", value: .uid(self.uid(ofObject: uid, origin, isInUnit: false)))
        }
        return .dictionary(entries)
    }

    private func classOfCollection(_ node: Int) -> (MergeOrigin, Int)? {
        for origin in MergeOrigin.allCases {
            let uid = graph.nodes[node].uids[origin]
            if uid >= 0, case .uid(let classUID)? = graph.sides[origin].objects[uid]["$class"] {
                return (origin, Int(classUID))
            }
        }
        return nil
    }

    private mutating func fields(of node: Int) -> PropertyList.Dictionary {
        guard case .record(let fields)? = merged[node] else { return [:] }
        var entries = PropertyList.Dictionary()
        for field in fields { entries.append(key: graph.names[field.key], value: value(field.value)) }
        return entries
    }

    private mutating func value(_ chosen: MergeRun.Chosen) -> PropertyList {
        switch chosen.value {
        case .null: .uid(0)
        case .reference(let uid): .uid(self.uid(ofObject: Int(uid), chosen.origin, isInUnit: false))
        case .inline(_, let list): translated(list, chosen.origin, isInUnit: false)
        }
    }

    private mutating func copy(_ uid: Int, _ origin: MergeOrigin) -> PropertyList {
        translated(graph.sides[origin].objects[uid], origin, isInUnit: true)
    }

    /// Returns `list` with the uids of the merged archive. Containers are nested at most as deep as a property list may be.
    private mutating func translated(_ list: PropertyList, _ origin: MergeOrigin, isInUnit: Bool) -> PropertyList {
        switch list {
        case .uid(let uid): return .uid(self.uid(ofObject: Int(uid), origin, isInUnit: isInUnit))
        case .array(let elements): return .array(elements.map { translated($0, origin, isInUnit: isInUnit) })
        case .set(let elements): return .set(elements.map { translated($0, origin, isInUnit: isInUnit) })
        case .dictionary(let entries):
            var result = PropertyList.Dictionary()
            for entry in entries {
                result.append(key: entry.key, value: translated(entry.value, origin, isInUnit: isInUnit))
            }
            return .dictionary(result)
        default: return list
        }
    }
}
