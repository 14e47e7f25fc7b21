// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import TestSupport

/// A merge of two random edits of a random graph.
package struct RandomMerge {
    private let base: MergeModel
    private let mine: MergeModel
    private let theirs: MergeModel
    private var names: [UInt32: String] = [:]
    private var baseUIDs: [Int: UInt32] = [:]
    private let baseArchive: KeyedArchive
    private let merge: ArchiveMerge

    package init(seed: UInt64) throws {
        var generator = SeededGenerator(state: seed)
        base = MergeModel(using: &generator)
        var (mine, theirs) = (base, base)
        let edits = 1 + Int(seed % 25)
        mine.edit(Int.random(in: 0...edits, using: &generator), newNumbers: 1000, using: &generator)
        theirs.edit(Int.random(in: 0...edits, using: &generator), newNumbers: 2000, using: &generator)
        (self.mine, self.theirs) = (mine, theirs)
        var archive = MergeModel.Archive()
        let old = archive.write(base)
        names = archive.names
        for id in base.nodes.keys { baseUIDs[id] = archive.uid(of: id) }
        var (left, right) = (archive, archive)
        baseArchive = try KeyedArchive(old)
        merge = try ArchiveMerge(
            base: baseArchive, mine: KeyedArchive(left.write(mine)), theirs: KeyedArchive(right.write(theirs)))
    }

    /// The number of conflicts, so that a test can show that there are some.
    package var conflictCount: Int { merge.conflicts.count }

    /// Checks that the merged archive has what only one side has changed, and that what both have changed is reported.
    package func check() throws {
        var reported: Set<String> = []
        let list = try PropertyList(
            merge.data { conflict in
                reported.insert(try name(of: conflict))
                guard conflict.kind == .removal else { return .mine }
                return conflict.theirs == nil ? .theirs : .mine
            })
        let merged = try read(list)
        // A new object in the place of one to which nothing else refers may be a struct, which is merged with it, for all that an
        // archive says. Here it is an object, whose number no version changes.
        if reported.contains(where: { $0.hasSuffix(" id") }) { return }
        let expected = base.merging(mine, theirs, actual: merged, reported: reported)
        if expected.restores {
            // With the restored objects, others are in the merged archive as well, which can have other conflicts.
            for name in expected.conflicts.subtracting(reported) {
                try require(
                    expected.removed[name].map { merged.nodes[$0] != nil } ?? false,
                    "Of \(expected.conflicts) are reported \(reported)")
            }
            return
        }
        try require(reported == expected.conflicts, "Instead of \(expected.conflicts) are reported \(reported)")
        for (id, node) in expected.merged.nodes where merged.nodes[id] != node {
            throw MergeModel.Defect(
                description: "Object \(id) is \(merged.nodes[id].map { "\($0)" } ?? "absent") instead of \(node)")
        }
        try require(merged.nodes.count == expected.merged.nodes.count, "There are other objects")
    }

    /// Checks that nothing that one side has changed is lost if it wins all conflicts.
    package func checkWinner(isMine: Bool) throws {
        let merged = try read(PropertyList(merge.data { _ in isMine ? .mine : .theirs }))
        let winner = isMine ? mine : theirs
        for (id, node) in winner.nodes {
            guard let old = base.nodes[id] else { continue }
            guard old != node else { continue }
            guard let found = merged.nodes[id] else {
                throw MergeModel.Defect(description: "The changed object \(id) is absent")
            }
            try require(old.name == node.name || found.name == node.name, "The name of \(id) is lost")
            try require(old.count == node.count || found.count == node.count, "The count of \(id) is lost")
            try require(old.next == node.next || found.next == node.next, "The reference of \(id) is lost")
            try require(node.words.subtracting(old.words).isSubset(of: found.words), "Words of \(id) are lost")
            for (key, value) in node.entries where old.entries[key] != value {
                try require(found.entries[key] == value, "The entry \(key) of \(id) is lost")
            }
            for element in node.list where !old.list.contains(element) {
                try require(found.list.contains(element), "An element of \(id) is lost")
            }
        }
    }

    private func read(_ list: PropertyList) throws -> MergeModel {
        var uids: [Int: UInt32] = [:]
        let model = try MergeModel(list, uids: &uids)
        for (id, uid) in uids where baseUIDs[id] != nil {
            try require(baseUIDs[id] == uid, "Object \(id) has another uid")
        }
        return model
    }

    private func name(of conflict: ArchiveMerge.Conflict) throws -> String {
        switch conflict.kind {
        case .removal: return "removal " + (conflict.base?.uid.flatMap { names[$0] } ?? "nothing")
        case .value, .list:
            guard let uid = baseArchive[conflict.path]?.uid, let name = names[uid] else {
                throw MergeModel.Defect(description: "There is nothing at \(conflict.path) of \(conflict)")
            }
            return name + " " + (conflict.key ?? "")
        }
    }

    private func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        if !condition { throw MergeModel.Defect(description: message()) }
    }
}
