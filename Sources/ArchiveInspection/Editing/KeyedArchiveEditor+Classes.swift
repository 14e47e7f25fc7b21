// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// MARK: - Classes

extension KeyedArchiveEditor {
    /// Adds a class entry that describes the class `name`, unless the archive has one.
    ///
    /// - Parameters:
    ///   - name: The name of the class in the archive.
    ///   - superclasses: The names of its superclasses, nearest first. They are used only if the class is added. NSObject is
    ///     appended if it is missing.
    /// - Returns: The uid of the class entry, to be stored under `$class` with `.uid(_:)`.
    /// - Complexity: O(*n*), where *n* is the number of objects, on the first call and after an edit of a class entry; otherwise
    ///   O(1).
    @discardableResult
    public mutating func addClass(named name: String, superclasses: [String] = []) -> UInt32 {
        if classIndex == nil { classIndex = classEntriesByName() }
        if let uid = classIndex?[name] { return uid }
        var chain = [name] + superclasses
        if chain.last != ArchivedClass.rootName { chain.append(ArchivedClass.rootName) }
        var index = classIndex
        let uid = append(["$classname": .string(name), "$classes": .array(chain.map { .string($0) })])
        index?[name] = uid
        classIndex = index
        return uid
    }

    private func classEntriesByName() -> [String: UInt32] {
        var index: [String: UInt32] = [:]
        for (uid, object) in objects.enumerated() {
            let uid = UInt32(truncatingIfNeeded: uid)
            guard isClassEntry(object), let name = className(of: object), index[name] == nil else { continue }
            index[name] = uid
        }
        return index
    }

    /// Any object may have a field `$classname`. A class entry has no class.
    private func isClassEntry(_ object: PropertyList) -> Bool {
        guard case .dictionary(let entries) = object else { return false }
        return entries["$classname"] != nil && classUID(of: entries) == nil
    }

    /// Renames the class `name` in the entries that describe it and in those of its subclasses.
    ///
    /// Objects refer to the entry of their class, so all of them get the new name. Names in `$classhints` and names that programs
    /// encoded themselves do not change.
    ///
    /// - Throws: `KeyedArchiveError` with the code `notFound` if no entry has the name.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public mutating func renameClass(_ name: String, to newName: String) throws(KeyedArchiveError) {
        var isKnown = false
        for uid in objects.indices where isClassEntry(objects[uid]) {
            guard case .dictionary(var entries) = objects[uid] else { continue }
            var hasChanged = false
            if className(of: objects[uid]) == name {
                entries["$classname"] = .string(newName)
                hasChanged = true
            }
            if var chain = classList(of: objects[uid]), chain.contains(where: { $0.className == name }) {
                for position in chain.indices where chain[position].className == name {
                    chain[position] = .string(newName)
                }
                entries["$classes"] = .array(chain)
                hasChanged = true
            }
            guard hasChanged else { continue }
            isKnown = true
            objects[uid] = .dictionary(entries)
        }
        guard isKnown else { throw notFound(nil, "The archive describes no class of the name \(name)") }
        classIndex = nil
    }
}

// MARK: - Unreachable objects

extension KeyedArchiveEditor {
    /// Removes the objects that cannot be reached from any value encoded by key, including those that were unreachable before the
    /// edits.
    ///
    /// The other objects keep their uids. A removed object becomes "$null", which is nil, and slots after the last remaining
    /// object are dropped.
    ///
    /// - Returns: The uids of the removed objects, in ascending order.
    /// - Complexity: O(*n*), where *n* is the number of values in the archive.
    @discardableResult
    public mutating func removeUnreachableObjects() -> [UInt32] {
        let reached = reachedObjects()
        var removed: [UInt32] = []
        var end = 1
        for uid in objects.indices.dropFirst() {
            if reached.contains(uid) {
                end = uid + 1
            } else if !objects[uid].isNullText {
                removed.append(UInt32(truncatingIfNeeded: uid))
                objects[uid] = Self.null
            }
        }
        if end < objects.count { objects.removeLast(objects.count - end) }
        classIndex = nil
        return removed
    }

    private func reachedObjects() -> BitSet {
        var reached = BitSet(count: objects.count)
        // All of the root except `$objects`: `$top`, and entries that archives rarely have.
        var remaining = [surroundings]
        while let value = remaining.popLast() {
            switch value {
            case .uid(let uid):
                guard objects.indices.contains(Int(uid)), reached.insert(Int(uid)) else { continue }
                remaining.append(objects[Int(uid)])
            case .array(let elements), .set(let elements): remaining += elements
            case .dictionary(let entries): remaining += entries.values
            default: break
            }
        }
        return reached
    }
}
