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
    private let sides: Triple<MergeSide>
    private var objects: [PropertyList]
    private var isUsed: [Bool]
    /// The uids of merged values; 0 for nil, and for those that are written inside of objects.
    private var uids: [UInt32]
    /// The number of records that have a uid.
    private(set) var objectCount = 0

    init(_ run: consuming MergeRun) {
        sides = run.graph.sides
        objects = Array(repeating: "$null", count: max(sides.base.objectCount, sides.mine.objectCount))
        isUsed = Array(repeating: false, count: objects.count)
        isUsed[0] = true
        uids = Array(repeating: 0, count: run.values.count)
        self.run = run
        for (number, value) in self.run.values.enumerated() where value.contents != nil {
            uids[number] = assign(value.versions)
        }
    }

    /// Returns the uid for a value: its own, if it is free there.
    private mutating func assign(_ versions: Triple<Int?>) -> UInt32 {
        guard let (origin, old) = Self.first(versions), sides[origin].isObject(old) else { return 0 }
        let form = sides[origin].values[old].form
        if form == .null { return 0 }
        if form == .record { objectCount += 1 }
        var own: Int?
        if let base = versions.base, versions.mine ?? base == base, versions.theirs ?? base == base {
            own = base
        } else if let mine = versions.mine, mine >= sides.base.objectCount || sides.base.values[mine].form == .null {
            own = mine
        }
        if let own, !isUsed[own] {
            isUsed[own] = true
            return UInt32(truncatingIfNeeded: own)
        }
        objects.append("$null")
        isUsed.append(true)
        return UInt32(truncatingIfNeeded: objects.count - 1)
    }

    private static func first(_ versions: Triple<Int?>) -> (MergeOrigin, Int)? {
        for origin in MergeOrigin.allCases {
            if let version = versions[origin] { return (origin, version) }
        }
        return nil
    }

    /// The uids of the objects of mine in the merged archive; 0 for those that are not in it.
    var mineUIDs: [UInt32] {
        var result = (0..<sides.mine.objectCount).map { uid(of: $0, .mine) }
        for (value, uid) in zip(run.values, uids) where uid != 0 {
            if let mine = value.versions.mine, mine < result.count { result[mine] = uid }
        }
        return result
    }

    mutating func propertyList() -> PropertyList {
        for (number, uid) in uids.enumerated() where uid != 0 { objects[Int(uid)] = list(ofMerged: number) }
        var top = list(ofMerged: 0).dictionary ?? [:]
        var root = list(ofMerged: 1).dictionary ?? [:]
        if sides.mine.hasChecksum || sides.theirs.hasChecksum {
            // The place of the checksum, which is computed when the list is written.
            top.append(key: MergeSide.checksumKey, value: .data(Data(count: 8)))
        }
        root.append(key: "$top", value: .dictionary(top))
        root.append(key: "$objects", value: .array(objects))
        return .dictionary(root)
    }
}

// MARK: - Contents

extension MergeOutput {
    /// The uid in the merged archive of the object that is there for an object of one archive; 0 without one.
    private func uid(of old: Int, _ origin: MergeOrigin) -> UInt32 {
        run.known(old, origin).map { $0 < uids.count ? uids[$0] : 0 } ?? 0
    }

    private func list(ofMerged number: Int) -> PropertyList {
        let value = run.values[number]
        switch value.contents {
        case .version(let origin)?: return list(of: value, origin)
        case .parts(let parts)?:
            guard let base = value.versions.base else { return "$null" }
            let form = sides.base.values[base].form
            if form == .record {
                return .dictionary(
                    PropertyList.Dictionary(parts.map { (run.graph.names[$0.key], reference(to: $0.value)) }))
            }
            var entries = PropertyList.Dictionary()
            if form == .dictionary {
                entries.append(key: "NS.keys", value: .array(parts.map { reference(to: $0.key) }))
            }
            entries.append(key: "NS.objects", value: .array(parts.map { reference(to: $0.value) }))
            entries.append(key: "$class", value: .uid(uid(of: sides.base.values[base].classUID, .base)))
            return .dictionary(entries)
        case nil: return "$null"
        }
    }

    private func list(of value: MergeRun.Value, _ origin: MergeOrigin) -> PropertyList {
        guard let version = value.versions[origin] else { return "$null" }
        return sides[origin].values[version].list.mapLeaves { leaf in
            leaf.uid.map { .uid(uid(of: Int($0), origin)) } ?? leaf
        }
    }

    /// The uid of a merged value, or the value itself if it has none.
    private func reference(to number: Int) -> PropertyList {
        let versions = run.values[number].versions
        guard uids[number] == 0, let (origin, value) = Self.first(versions), sides[origin].values[value].form != .null
        else { return .uid(uids[number]) }
        return list(of: run.values[number], origin)
    }
}
