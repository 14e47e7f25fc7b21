// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The check whether the changes of a document can have added or removed the last reference to an instance.
///
/// Each changed instance is compared with its object in the file: the objects that this reaches, up to those that the instance
/// still references, have lost a reference. If they are only values, such as lists and structs, the root still reaches all
/// instances that it has reached.
struct ReferenceChanges {
    private let old: ArchiveContents
    private let new: ArchiveContents
    private let counterparts: Counterparts
    private var valueClasses: [UInt32: Bool]
    private var remainingSteps = stepLimit
    /// The number of references that are followed. Many objects of a hostile file can have the same long list in line.
    private var remainingReferences: Int

    private static let stepLimit = 100_000

    /// Returns whether the root may reach other objects of the file after `update` than before.
    ///
    /// - Parameter unreached: The objects of the file that the root does not reach, and that the program may put into the graph again.
    static func mayExist(
        in update: borrowing ArchiveUpdate, _ graph: DocumentGraph, _ unreached: Set<UInt32>
    ) -> Bool {
        var structs: [UInt32: Bool] = [:]
        for (uid, type) in graph.objects.classTypes where !(type is AnyClass) { structs[update.writtenUID(uid)] = true }
        var check = ReferenceChanges(update.old, update.new, graph.counterparts, structs)
        for (new, old) in update.changed where check.loses(new, old) { return true }
        if update.top != nil, check.losesTop() { return true }
        return !unreached.isEmpty && gains(update, unreached)
    }

    /// Returns whether a changed or new object references one of `unreached`.
    private static func gains(_ update: borrowing ArchiveUpdate, _ unreached: Set<UInt32>) -> Bool {
        do throws(KeyedArchiveError) {
            var nodes = update.top == nil ? [] : [update.new.top]
            for uid in update.changed.map(\.new) + update.addedObjects { nodes.append(try update.new.object(uid).node) }
            for node in nodes {
                for uid in try update.new.uids(in: node) where unreached.contains(update.writtenUID(uid)) {
                    return true
                }
            }
            return false
        } catch {
            return true
        }
    }

    private init(
        _ old: ArchiveContents, _ new: ArchiveContents, _ counterparts: Counterparts, _ valueClasses: [UInt32: Bool]
    ) {
        self.old = old
        self.new = new
        self.counterparts = counterparts
        self.valueClasses = valueClasses
        remainingReferences = old.referenceLimit
    }

    private mutating func loses(_ uid: UInt32, _ oldUID: UInt32) -> Bool {
        guard let node = try? new.object(uid).node, let oldNode = try? old.object(oldUID).node else { return true }
        return loses(node, oldNode)
    }

    private mutating func losesTop() -> Bool { loses(new.top, old.top) }

    private mutating func loses(_ node: Node, _ oldNode: Node) -> Bool {
        do throws(KeyedArchiveError) {
            let kept = try references(of: node)
            var known: Set<UInt32> = []
            var remaining = try old.uids(in: oldNode)
            remainingReferences -= remaining.count
            while let uid = remaining.popLast() {
                guard uid != 0, !kept.contains(uid), known.insert(uid).inserted else { continue }
                remainingSteps -= 1
                guard remainingSteps > 0, remainingReferences > 0 else { return true }
                let object = try old.object(uid)
                guard object.node.kind == .dictionary else { continue }
                if let classUID = try old.classUID(of: object.node), try !isValueClass(classUID) { return true }
                let inside = try old.uids(in: object.node)
                remainingReferences -= inside.count
                remaining += inside
            }
            return remainingReferences <= 0
        } catch {
            return true
        }
    }

    /// Returns whether objects of the class entry `uid` are values of Foundation, or structs of the program.
    private mutating func isValueClass(_ uid: UInt32) throws(KeyedArchiveError) -> Bool {
        if let known = valueClasses[uid] { return known }
        let isValue = try old.className(uid).utf8.starts(with: "NS".utf8)
        valueClasses[uid] = isValue
        return isValue
    }

    /// The objects of the file that the value `node` of the new archive references, through values and new instances.
    private func references(of node: Node) throws(KeyedArchiveError) -> Set<UInt32> {
        var references: Set<UInt32> = []
        var known: Set<UInt32> = []
        var remaining = try new.uids(in: node)
        while let uid = remaining.popLast() {
            switch counterparts.kind(uid) {
            case .instance, .reference: references.insert(counterparts[uid])
            case .value, .added, .temporary:
                guard uid != 0, known.insert(uid).inserted else { continue }
                remaining += try new.uids(in: new.object(uid).node)
            }
        }
        return references
    }
}
