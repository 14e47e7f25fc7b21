// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// Builds an archive from a part of another one and the objects that the part references.
struct ArchivePart {
    private let archive: KeyedArchive
    private var uids: [UInt32: UInt32] = [0: 0]
    /// The old uids of the objects, by the new ones.
    private var origins: [UInt32] = []
    private var objects: [PropertyList] = ["$null"]
    /// Bytes of keys and leaves that may still be copied. Objects of a hostile archive may share long ones.
    private var byteBudget: Int

    /// The archive with `value` under the key "root"; for an archive's `top`, with all of its keys.
    ///
    /// Objects get new uids in the order of a search from the root in breadth.
    ///
    /// - Parameters:
    ///   - byteCount: The size of the file of `value`, which bounds that of the part.
    ///   - progress: How far the command is.
    /// - Throws: `KeyedArchiveError` if the part is damaged, and `ContentGraph.Refusal` if it is out of proportion to the
    ///   file.
    static func propertyList(
        of value: KeyedArchive.Value, byteCount: Int, _ progress: Progress
    ) throws -> PropertyList {
        progress.begin("renumbering the objects", total: value.archive.objects.count)
        var part = ArchivePart(archive: value.archive, byteCount: byteCount)
        let top: PropertyList
        if value == value.archive.top {
            top = try part.renumbered(value.propertyList())
        } else if let uid = value.uid {
            top = ["root": .uid(part.newUID(of: uid))]
        } else if value.kind == .null {
            top = ["root": .uid(0)]
        } else {
            // The root is always an object.
            let list = try value.propertyList()
            part.origins.append(0)
            part.objects.append(.null)
            part.objects[1] = part.renumbered(list)
            top = ["root": .uid(1)]
        }
        try part.addObjects(progress)
        return [
            "$version": 100_000, "$archiver": .string(value.archive.archiver ?? "NSKeyedArchiver"), "$top": top,
            "$objects": .array(part.objects),
        ]
    }

    private init(archive: KeyedArchive, byteCount: Int) {
        self.archive = archive
        byteBudget = 1 << 26 + 64 * min(byteCount, 1 << 40)
    }

    private mutating func newUID(of uid: UInt32) -> UInt32 {
        if let known = uids[uid] { return known }
        origins.append(uid)
        let new = UInt32(truncatingIfNeeded: origins.count)
        uids[uid] = new
        return new
    }

    private mutating func renumbered(_ list: PropertyList) -> PropertyList {
        list.mapLeaves { leaf in
            if case .uid(let uid) = leaf { .uid(newUID(of: uid)) } else { leaf }
        }
    }

    private mutating func addObjects(_ progress: Progress) throws {
        while objects.count <= origins.count {
            let value = archive[uid: origins[objects.count - 1]]
            let list = value.kind == .null ? "$null" : renumbered(try value.propertyList())
            byteBudget -= list.textByteCount
            guard byteBudget >= 0 else { throw ContentGraph.Refusal.unfolding }
            objects.append(list)
            progress.advance(to: objects.count)
        }
    }
}

extension PropertyList {
    /// The number of bytes of all keys, strings and data.
    fileprivate var textByteCount: Int {
        var count = 0
        forEachLeaf { leaf in
            switch leaf {
            case .string(let text): count += text.utf8.count
            case .data(let data): count += data.count
            default: break
            }
        } key: {
            count += $0.utf8.count
        }
        return count
    }
}
